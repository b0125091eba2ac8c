"""Challenges in the browser: one plays, sends the link, another plays the same dice, and both see how they did."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from hotdice.record import parse_record
from hotdice.table import Rolled
from tests.server.running import person
from tests.web.browsing import CUT_OFF, DESKTOP, PHONE, SIZES, SLOW, Visitor, looks_at
from tests.web.conftest import Visit

pytestmark = pytest.mark.timeout(1200)  # the solver may have to be compiled first
BOTH = {"light": (DESKTOP, PHONE), "dark": (DESKTOP, PHONE)}
PIG = {"options": {"target": 20}, "challenge": True}
END = re.compile("Send the challenge|See how the others did")


def play(page: Page, choices: list[str]) -> None:
    """Play to the end: by these choices first, and then roll."""
    left = list(choices)
    over = page.get_by_role("link", name=END)
    roll, hold = page.locator("[data-key=roll]:enabled"), page.get_by_role("button", name=re.compile("^Hold|^hold"))
    for _ in range(400):
        expect(over.or_(roll).or_(hold).first).to_be_visible(timeout=SLOW)
        if over.is_visible():
            return
        wanted = hold if hold.is_visible() and left and left.pop(0) == "hold" else roll
        if wanted.first.is_visible():
            wanted.first.click()
        page.wait_for_timeout(30)
    raise AssertionError("the game is not over")


def challenge_of(visitor: Visitor) -> str:
    """Ann makes a challenge of pig, as the page of a table does it, and plays it."""
    name = visitor.sit("pig", [person("Ann"), {"kind": "bot", "bot": "greedy", "name": "Otto"}], start=False, **PIG)
    visitor.page.get_by_role("button", name="Start the game").click()
    visitor.page.evaluate(
        "name => localStorage.setItem('hotdice.tables', JSON.stringify(JSON.parse(localStorage.getItem("
        "'hotdice.tables')).map(one => ({...one, challenge: name}))))",
        name,
    )
    return name


def test_two_people_play_the_same_dice_and_compare(visit: Visit) -> None:
    ann, ben = visit(still=True), visit(still=True)
    ben.expected = re.compile("403")  # a game that is not shown to him yet
    name = challenge_of(ann)
    play(ann.page, [])
    expect(ann.page.get_by_role("button", name="Play again")).to_have_count(0)
    ann.page.get_by_role("link", name="Send the challenge").click()
    expect(ann.page.get_by_role("heading", name="Your challenge")).to_be_visible()
    ann.page.get_by_role("button", name="Send the challenge").click()
    link = ann.page.get_by_role("textbox", name="Link").input_value()
    assert link.endswith(f"/c/{name}")
    looks_at(ann, "challenge-send", **BOTH)
    ann.page.keyboard.press("Escape")

    ben.page.goto(f"/t/{name}")
    expect(ben.page.get_by_role("heading", name="This game is not shown yet")).to_be_visible()
    ben.page.get_by_role("link", name="Go to the challenge").click()
    expect(ben.page.get_by_role("heading", name="Ann challenges you")).to_be_visible()
    expect(ben.page.get_by_text("Best play")).to_have_count(0)
    looks_at(ben, "challenge-met", **BOTH)
    ben.page.get_by_label("Your name on the board").fill("Ann")
    ben.page.get_by_role("button", name="Play these dice").click()
    expect(ben.page.get_by_role("alert")).to_have_text("Ann has had a try at this challenge, and each name has one.")
    ben.page.get_by_label("Your name on the board").fill("Ben")
    ben.expected = re.compile("403|409")
    ben.page.get_by_role("button", name="Play these dice").click()
    expect(ben.page).to_have_url(re.compile("/t/"))
    ben.page.goto(f"/c/{name}")  # broken off, and gone on with
    ben.page.get_by_role("link", name="Go on with your game").click()
    play(ben.page, ["hold"])
    looks_at(ben, "challenge-end", light=(DESKTOP, PHONE))
    ben.page.get_by_role("link", name="See how the others did").click()
    comparison = ben.page.get_by_role("region", name="The comparison, turn by turn")
    expect(comparison.get_by_role("columnheader", name="Best play")).to_be_visible(timeout=SLOW)
    expect(comparison.get_by_role("columnheader", name="Ann")).to_be_visible(timeout=SLOW)
    expect(ben.page.get_by_text("The dice were the same:")).to_be_visible(timeout=SLOW)
    looks_at(ben, "challenge-compared", **BOTH)

    ann.page.reload()
    ann.page.get_by_role("button", name="Close it").click()
    ann.page.get_by_role("button", name="Close it for good").click()
    expect(ann.page.get_by_text("It is over: everything is shown")).to_be_visible()
    for visitor, shared in ((ann, True), (ben, False)):
        visitor.page.goto(f"/c/{name}")
        visitor.page.get_by_role("link", name="Your game, and its dice to check").click()
        visitor.page.get_by_role("button", name="Check the dice").click()
        check = visitor.page.get_by_role("dialog", name="Check the dice")
        expect(check.get_by_text(re.compile(r"\d of \d+ rolls? follow"))).to_be_visible()
        expect(check.get_by_text("whoever plays this again meets the same dice")).to_be_visible()
        expect(check.locator("li.wrong")).to_have_count(0)
        said = "the dice were fair." if shared else "the rolls are as promised."
        expect(check.get_by_text(said)).to_be_visible()
        visitor.picture(f"challenge-check-{'ann' if shared else 'ben'}")
    shown = ann.server.get(f"/challenges/{name}").json()
    assert [each["standing"] for each in shown["tries"]] == ["finished", "finished"]


def test_the_challenge_of_the_day_is_met_from_the_first_page(visit: Visit) -> None:
    visitor = visit(still=True)
    page = visitor.page
    page.goto("/")
    page.get_by_role("link", name=re.compile("Today’s challenge")).click()
    expect(page.get_by_role("heading", name=re.compile(r"^The challenge of \d"))).to_be_visible()
    looks_at(visitor, "daily", **BOTH)
    page.get_by_label("Your name on the board").fill("Ann")
    page.get_by_role("button", name="Play these dice").click()
    expect(page).to_have_url(re.compile("/t/"))
    page.goto("/")
    expect(page.get_by_role("link", name=re.compile("Today’s challenge.*your game goes on"))).to_be_visible()
    looks_at(visitor, "home-with-challenge", **BOTH)


def test_a_challenge_is_made_from_the_first_page_and_when_a_table_is_set_up(visit: Visit) -> None:
    visitor = visit(still=True)
    page = visitor.page
    page.goto("/")
    page.get_by_role("link", name=re.compile("Challenge somebody")).click()
    expect(page.get_by_role("heading", name="Play first, then send the link")).to_be_visible()
    expect(page.get_by_role("button", name=re.compile("Play: Kismet"))).to_be_visible()
    looks_at(visitor, "challenge-new", **BOTH)
    page.goto("/new/kismet")
    expect(page.get_by_label(re.compile("Others can play the same dice"))).to_have_count(0)
    page.get_by_role("radio", name="Bots", exact=True).first.check(force=True)
    page.get_by_role("switch", name=re.compile("Others can play the same dice")).check()
    expect(page.get_by_text("Coach", exact=True)).to_have_count(0)
    looks_at(visitor, "challenge-setup", light=(DESKTOP, PHONE))
    page.get_by_role("textbox").first.fill("Ann")
    with page.expect_response(lambda answer: answer.url.endswith("/api/tables")) as made:
        page.get_by_role("button", name="Start the game").click()
    table = made.value.json()["table"]
    assert (table["dice"], table["challenge"], table["coach"]) == ("turns", table["name"], "off")
    expect(page.locator("[data-key=roll]")).to_be_visible(timeout=SLOW)
    expect(page.get_by_role("button", name="Share this table")).to_have_count(0)


def test_a_link_to_no_challenge_says_so(visit: Visit) -> None:
    visitor = visit()
    visitor.expected = re.compile("404")
    visitor.page.goto("/c/zzzzzzzz")
    expect(visitor.page.get_by_role("heading", name="There is no such challenge")).to_be_visible()
    expect(visitor.page.get_by_role("link", name="Today’s challenge")).to_be_visible()


def test_solo_kismet_is_compared_box_by_box(visit: Visit) -> None:
    """A solo game of the real thing, played over the network by the first legal moves, and looked at."""
    visitor = visit(still=True)
    server = visitor.server
    name, (token,) = server.table("kismet", [person("Ann")], challenge=True)
    with server.client(name, token) as client:
        server.post(f"/tables/{name}/start", {}, token)
        while client.state["status"] == "waiting":
            client.receive()
        client.to_the_end()
    made = server.post(f"/challenges/{name}/tries", {"name": "Ben"}).json()
    table, key = made["table"]["name"], made["tokens"][0]["token"]
    with server.client(table, key) as client:
        while client.state["status"] == "playing":
            moves = 1 if client.state["rolls"] else len(client.state["view"]["moves"])
            client.play(moves - 1)
    one, two = (
        parse_record(server.get(f"/tables/{each}/record", secret).text)
        for each, secret in ((name, token), (table, key))
    )
    assert next(e for e in one.events if isinstance(e, Rolled)) == next(e for e in two.events if isinstance(e, Rolled))
    visitor.take(table, "kismet", [key])
    visitor.page.evaluate(
        "([table, name]) => localStorage.setItem('hotdice.tables', JSON.stringify([{...JSON.parse("
        "localStorage.getItem('hotdice.tables'))[0], challenge: name}]))",
        [table, name],
    )
    visitor.page.goto(f"/c/{name}")
    comparison = visitor.page.get_by_role("region", name="The comparison, turn by turn")
    for heading in ("You", "Ann", "Best play"):
        expect(comparison.get_by_role("columnheader", name=heading)).to_be_visible(timeout=SLOW)
    expect(visitor.page.get_by_text("The dice were the same:")).to_contain_text("points")
    looks_at(visitor, "challenge-kismet", **BOTH)
    for size, dark in ((PHONE, False), (DESKTOP, True)):
        visitor.look(size, dark=dark)
        visitor.page.evaluate("document.querySelector('[aria-label^=\"The comparison\"]').scrollIntoView()")
        visitor.picture(f"challenge-turns-{SIZES[size]}")
        assert visitor.page.evaluate(CUT_OFF) == []
