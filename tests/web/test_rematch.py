"""After a game, in a browser: the invitation to another one, the pages of games that are over, and the series."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.server.playing import SHORT, joined, step
from tests.server.running import OPEN, Json, begun, local, person
from tests.web.browsing import DESKTOP, PHONE, SMALL, Visitor, looks_at
from tests.web.conftest import Visit

WON = re.compile(r"(Ann|Ben) wins")


def at_the_result(visit: Visit, game: str = "pig") -> tuple[Visitor, Visitor, str]:
    """Ann and Ben, each with a browser of their own, at the result of a game that they have played."""
    ann, ben = visit(), visit(size=PHONE)
    name, tokens = ann.server.table(game, [person("Ann"), OPEN], options=SHORT[game])
    tokens.append(joined(ann.server, name, "Ben"))
    play(ann, name, tokens)
    for visitor, token in zip((ann, ben), tokens, strict=True):
        visitor.take(name, game, [token])
        expect(visitor.page.get_by_role("heading", name=WON)).to_be_visible()
    return ann, ben, name


def play(visitor: Visitor, name: str, tokens: list[str]) -> None:
    """Play a game to its end, as programs do."""
    clients = [visitor.server.client(name, token) for token in tokens]
    if clients[0].state["status"] == "waiting":
        visitor.server.post(f"/tables/{name}/start", token=tokens[0]).raise_for_status()
        begun(*clients)
    while clients[0].state["status"] == "playing":
        step(*clients)
    for client in clients:
        client.close()


def test_play_again_invites_and_leaves_the_others_at_the_result(visit: Visit) -> None:
    """Ann and Cleo, who watched, play the next game; Ben, who did not answer, stays where he is and can watch."""
    ann, ben, name = at_the_result(visit)
    cleo = visit(size=SMALL)
    cleo.page.goto(f"/t/{name}")
    ann.page.get_by_role("button", name="Play again").click()
    expect(ann.page.get_by_text("You asked for another game")).to_be_visible()
    expect(ann.page.get_by_role("button", name="Waiting for the others")).to_be_disabled()
    for visitor in (ben, cleo):
        expect(visitor.page.get_by_text("Ann wants to play again", exact=True)).to_be_visible()
        expect(visitor.page.get_by_role("heading", name=WON)).to_be_visible()
    looks_at(ben, "invited", light=(PHONE, DESKTOP), dark=(PHONE,))
    looks_at(cleo, "invited-watching", light=(SMALL,), dark=(DESKTOP,))
    cleo.page.get_by_role("textbox", name="Your name").fill("Cleo")
    cleo.page.get_by_role("button", name="I'm in, too").click()
    start = ann.page.get_by_role("button", name="Start the next game")
    expect(start).to_be_enabled()
    looks_at(ann, "invited-ready", light=(DESKTOP, PHONE))
    start.click()
    for visitor in (ann, cleo):
        expect(visitor.page.get_by_role("list", name="Players")).to_contain_text("Cleo")
    expect(ben.page.get_by_text("Game 2 has begun at this table.")).to_be_visible()
    expect(ben.page.get_by_role("heading", name=WON)).to_be_visible()
    ben.page.get_by_role("button", name="Watch it").click()
    expect(ben.page.get_by_text("Watching", exact=True)).to_be_visible()
    expect(ben.page.get_by_role("list", name="Players")).to_contain_text("Cleo")


def test_who_is_away_is_left_out_and_said_so(visit: Visit) -> None:
    ann, ben, name = at_the_result(visit)
    cleo = visit()
    cleo.page.goto(f"/t/{name}")
    ben.page.get_by_role("button", name="Play again").click()
    ann.page.get_by_role("button", name="I'm in").click()
    cleo.page.get_by_role("textbox", name="Your name").fill("Cleo")
    cleo.page.get_by_role("button", name="I'm in, too").click()
    expect(cleo.page.get_by_role("button", name="Start the next game")).to_be_enabled()
    ben.page.close()
    ann.page.get_by_role("button", name="Start without Ben").click()
    players = ann.page.get_by_role("list", name="Players")
    expect(players).to_contain_text("Cleo")
    expect(players).not_to_contain_text("Ben")


def test_every_game_has_a_page_of_its_own_and_is_listed(visit: Visit) -> None:
    """Result, record, dice and moments of the first game stay after a second one; home lists both, with the scores."""
    ann, ben, name = at_the_result(visit)
    first = ann.page.get_by_role("heading", name=WON).inner_text()
    ann.page.get_by_role("button", name="Play again").click()
    ben.page.get_by_role("button", name="I'm in").click()
    ben.page.get_by_role("button", name="Start the next game").click()
    expect(ann.page.get_by_role("list", name="Players")).to_be_visible()
    kept = "JSON.parse(localStorage.getItem('hotdice.tables'))[0].tokens[0]"
    play(ann, name, [visitor.page.evaluate(kept) for visitor in (ann, ben)])
    expect(ann.page.get_by_text(re.compile(r"After 2 games: (Ann|Ben) \d, (Ann|Ben) \d"))).to_be_visible()
    ann.page.get_by_role("link", name="Game 1").click()
    expect(ann.page).to_have_url(f"{ann.server.url}/t/{name}/1")
    expect(ann.page.get_by_role("heading", name=first)).to_be_visible()
    ann.page.get_by_role("button", name="Check the dice").click()
    expect(ann.page.get_by_text("the dice were fair")).to_be_visible()
    ann.page.keyboard.press("Escape")
    record = ann.page.get_by_role("link", name="Download the record").get_attribute("href") or ""
    assert (
        ann.context.request.get(f"{ann.server.url}{record}").text()
        == ann.server.get(f"/tables/{name}/record", game=1).text
    )
    looks_at(ann, "past-game", light=(DESKTOP, PHONE), dark=(PHONE,))
    ann.page.goto("/")
    rows = ann.page.get_by_role("region", name="Played before").get_by_role("listitem")
    expect(rows).to_have_count(2)
    expect(rows.nth(1).get_by_role("link", name=re.compile("^Pig"))).to_have_attribute("href", f"/t/{name}/1")
    expect(rows.nth(1)).to_contain_text(re.compile(r"Pig: (Ann|Ben) won.*(Ann|Ben) \d+, (Ann|Ben) \d+ · \d+ \w+ \d{4}"))
    looks_at(ann, "played-before", light=(DESKTOP, PHONE), dark=(PHONE,))
    rows.nth(1).get_by_role("button", name=re.compile("^Take")).click()
    expect(rows).to_have_count(1)
    ann.page.reload()
    expect(rows).to_have_count(1)


def test_unfinished_games_are_listed_apart_and_all_of_them(visit: Visit) -> None:
    visitor = visit(size=PHONE)
    visitor.page.goto("/")
    kept: list[Json] = []
    for _ in range(5):
        name, tokens = visitor.server.table("pig", [person("Ann"), OPEN])
        kept.append({"table": name, "game": "pig", "tokens": tokens, "at": len(kept)})
    visitor.page.evaluate("kept => localStorage.setItem('hotdice.tables', JSON.stringify(kept))", kept)
    visitor.page.reload()
    rows = visitor.page.get_by_role("link", name=re.compile("^Go on: Pig"))
    expect(rows).to_have_count(3)
    visitor.page.get_by_role("button", name="Show all 5 unfinished games").click()
    expect(rows).to_have_count(5)
    looks_at(visitor, "unfinished", light=(PHONE, DESKTOP))


def test_one_is_told_what_one_does_oneself(visit: Visit) -> None:
    """Ann reads “You roll”, Ben “Ann rolls”; where two sit at one device, both are named."""
    ann, ben = visit(), visit(size=PHONE)
    name, tokens = ann.server.table("pig", [person("Ann"), OPEN])
    other = joined(ann.server, name, "Ben")
    ann.server.post(f"/tables/{name}/start", token=tokens[0]).raise_for_status()
    ann.take(name, "pig", tokens)
    ben.take(name, "pig", [other])
    ann.page.locator("[data-key=roll]:enabled").click()
    expect(ann.page.locator("p[role=status] .just")).to_have_text(re.compile("^You roll a "))
    expect(ben.page.locator("p[role=status] .just")).to_have_text(re.compile("^Ann rolls a "))
    looks_at(ann, "you-roll", light=(DESKTOP, PHONE))
    both = visit()
    both.sit("pig", [person("Ann"), local("Ben")])
    both.page.locator("[data-key=roll]:enabled").click()
    expect(both.page.locator("p[role=status] .just")).to_have_text(re.compile("^Ann rolls a "))
