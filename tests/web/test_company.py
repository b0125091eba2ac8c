"""People come and go: a phone that dies, a seat that moves to another device, somebody who leaves, and the end."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.server.patience import Impatient
from tests.server.playing import joined
from tests.server.running import OPEN, Running, person
from tests.web.browsing import DESKTOP, PHONE, SIDEWAYS, Visitor, looks_at
from tests.web.conftest import Visit

LONG = {"target": 20000}
ROLL = "[data-key=roll]:enabled"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder: Path = tmp_path_factory.mktemp("impatient")
    with Impatient(str(folder / "tables.sqlite"), "--unlimited") as running:
        yield running


def at_table(visit: Visit, *names: str) -> tuple[str, list[Visitor], list[str]]:
    """A game of BJ's dice that has just begun, everybody at a device of their own: it is the first one's turn."""
    visitors = [visit(size=DESKTOP if at == 0 else PHONE) for at, _ in enumerate(names)]
    server = visitors[0].server
    seats = [person(names[0]), *[OPEN] * (len(names) - 1)]
    name, tokens = server.table("bj", seats, options=LONG)
    tokens += [joined(server, name, who) for who in names[1:]]
    assert server.post(f"/tables/{name}/start", token=tokens[0]).status_code == 200
    for visitor, token in zip(visitors, tokens, strict=True):
        visitor.take(name, "bj", [token])
        expect(players(visitor.page)).to_have_count(len(names))
    return name, visitors, tokens


def players(page: Page) -> Locator:
    return page.get_by_role("list", name="Players").get_by_role("listitem")


def settings(page: Page, button: str) -> None:
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("button", name=button).click()


def test_one_dead_phone_does_not_stop_a_table(visit: Visit) -> None:
    _, [ann, ben, cleo], _ = at_table(visit, "Ann", "Ben", "Cleo")
    ann.page.close()
    expect(ben.page.get_by_text("Ann has been away for")).to_be_visible()
    looks_at(ben, "absent", light=[PHONE, DESKTOP, SIDEWAYS], dark=[PHONE, DESKTOP])
    ben.look(PHONE, dark=False)
    ben.page.get_by_role("button", name="Wait", exact=True).click()
    expect(ben.page.get_by_text("Ann has been away for")).to_have_count(0)
    ben.page.get_by_role("button", name="Do not wait for Ann").click()
    ben.page.get_by_role("button", name="Let a bot play").click()
    # The bot plays her turn, and then it is Ben's.
    expect(ben.page.locator(ROLL)).to_be_visible()
    ann.page = ann.new_page()
    ann.page.goto(ben.page.url)
    expect(cleo.page.get_by_text("Ann is back.").first).to_be_visible()


def test_a_game_goes_on_by_itself_without_somebody_whom_the_others_give_up(visit: Visit) -> None:
    _, [ann, ben, cleo], _ = at_table(visit, "Ann", "Ben", "Cleo")
    ann.page.close()
    ben.page.get_by_role("button", name="Go on without Ann").click()
    expect(ben.page.get_by_text("Waiting for Cleo.").first).to_be_visible()
    looks_at(cleo, "together", light=[PHONE, DESKTOP], dark=[PHONE])
    cleo.page.get_by_role("button", name="Go on without Ann").click()
    for visitor in (ben, cleo):
        expect(players(visitor.page)).to_have_count(2)
        expect(players(visitor.page).filter(has_text="Ann")).to_have_count(0)
    expect(ben.page.locator(ROLL)).to_be_visible()
    ann.page = ann.new_page()
    ann.page.goto(ben.page.url)
    expect(ann.page.get_by_text("the game went on without you")).to_be_visible()
    ann.expected = re.compile("WebSocket")


def test_a_seat_moves_to_another_device(visit: Visit) -> None:
    name, [ann, ben], _ = at_table(visit, "Ann", "Ben")
    settings(ben.page, "Play on another device")
    link = ben.page.get_by_label("Link", exact=True)
    expect(link).to_have_value(re.compile(f"/t/{name}#take=[a-z0-9]{{6}}$"))
    looks_at(ben, "moving", light=[PHONE, DESKTOP], dark=[PHONE, DESKTOP])
    phone = visit(size=PHONE)
    phone.page.goto(f"/t/{name}#{link.input_value().partition('#')[2]}")
    expect(phone.page.get_by_text("Watching")).to_have_count(0)
    expect(players(phone.page).filter(has_text="Ben")).to_contain_text(re.compile("Ben"))
    expect(ben.page.get_by_text("This seat is played on another device now. You are watching.")).to_be_visible()
    assert "#" not in phone.page.url
    tokens = "JSON.parse(localStorage.getItem('hotdice.tables')).flatMap(kept => kept.tokens)"
    assert ben.page.evaluate(tokens) == []
    # And where that device is gone, those at the table are asked.
    phone.page.close()
    new = visit(size=PHONE)
    new.page.goto(f"/t/{name}")
    new.page.get_by_role("button", name="One of the seats is mine").click()
    looks_at(new, "taking", light=[PHONE, DESKTOP], dark=[PHONE])
    new.look(PHONE, dark=False)
    new.page.get_by_role("button", name="I am Ben").click()
    expect(new.page.get_by_text("are asked whether you are Ben")).to_be_visible()
    ann.page.get_by_role("button", name="No", exact=True).click()
    expect(new.page.get_by_text("did not agree")).to_be_visible()
    new.page.get_by_role("button", name="One of the seats is mine").click()
    new.page.get_by_role("button", name="I am Ben").click()
    ann.page.get_by_role("button", name="Yes, it is").click()
    expect(new.page.get_by_text("Watching")).to_have_count(0)
    expect(ann.page.get_by_text("Ben plays at another device now.").first).to_be_visible()


def test_leaving_does_not_end_the_game_of_three_and_ending_needs_everybodys_word(visit: Visit) -> None:
    name, [ann, ben, cleo], _ = at_table(visit, "Ann", "Ben", "Cleo")
    settings(cleo.page, "Leave the table")
    expect(cleo.page.get_by_text("Those who stay decide")).to_be_visible()
    cleo.page.get_by_role("button", name="Leave the table").click()
    expect(cleo.page).to_have_url(re.compile("/$"))
    for visitor in (ann, ben):
        expect(visitor.page.get_by_text("Cleo has left the game.")).to_be_visible()
    looks_at(ann, "left", light=[DESKTOP, PHONE], dark=[DESKTOP])
    ann.look(DESKTOP, dark=False)
    expect(ann.page.get_by_role("button", name="Go on without Cleo")).to_be_visible()
    ann.page.get_by_role("button", name="Let a bot play").click()
    expect(ben.page.get_by_text("Cleo has left the game.")).to_have_count(0)
    settings(ann.page, "End the game, if everybody agrees")
    expect(ann.page.get_by_text("Waiting for Ben.")).to_be_visible()
    expect(ben.page.get_by_text("Ann would like to end the game for everybody.")).to_be_visible()
    with ann.server.client(name) as watching:
        assert watching.state["status"] == "playing"
    ben.page.get_by_role("button", name="End the game", exact=True).click()
    for visitor in (ann, ben):
        expect(visitor.page.get_by_role("heading", name="The game was given up")).to_be_visible()
