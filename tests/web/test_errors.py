"""What people see when something is wrong: a sentence, and something to do about it; never what a program says."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.server.running import OPEN, bot, person
from tests.web.browsing import PHONE, stop_the_clock
from tests.web.conftest import Visit

CUT = re.compile("WebSocket|ERR_CONNECTION|Failed to load resource")
MACHINE = re.compile(r"[{}]|\[object|undefined|\bnull\b|NaN|Traceback|Error\b|\b[45]\d\d\b|_seat|_table|unknown")
"""What only programs say."""


def for_people(page: Page, *said: str) -> None:
    """The page says that, in sentences, and offers something to press."""
    for sentence in said:
        expect(page.get_by_text(sentence).first).to_be_visible()
    text = page.locator("body").inner_text()
    assert not MACHINE.search(text), text
    assert actions(page).count() > 0


def actions(page: Page) -> Locator:
    return page.locator("main :is(a.button, button:enabled):visible")


def test_no_such_table(visit: Visit) -> None:
    page = visit(size=PHONE).page
    page.goto("/t/zzzz-zzzz")
    for_people(page, "There is no such table", "Check the code, or ask for the link again")
    page.get_by_role("link", name="Go to the games").click()
    expect(page.get_by_role("button", name="Play now").first).to_be_visible()


@pytest.mark.parametrize(("address", "said"), [
    ("/what/is/this", "There is nothing at this address"),
    ("/t", "There is nothing at this address"),
    ("/%00%ff", "There is nothing at this address"),
    ("/new/chess", "There is no such game"),
    ("/rules/chess", "There are no such rules"),
])  # fmt: skip
def test_an_address_that_leads_nowhere(visit: Visit, address: str, said: str) -> None:
    visitor = visit()
    visitor.expected = re.compile("Failed to load resource")  # an honest 404
    visitor.page.goto(address)
    for_people(visitor.page, said)
    visitor.page.get_by_role("link", name="Go to the games").click()
    expect(visitor.page.get_by_role("button", name="Play now").first).to_be_visible()


def test_a_seat_that_somebody_else_took_first(visit: Visit) -> None:
    """Two guests for one seat: while the wish of one is on its way, the other sits down."""
    guest = visit(size=PHONE)
    guest.expected = re.compile("Failed to load resource.*409")
    page = guest.page
    name, _ = guest.server.table("kor", [person("Ann"), OPEN])

    def be_late(route: Route) -> None:
        assert guest.server.post(f"/tables/{name}/join", {"name": "Eve"}).status_code < 300
        route.continue_()

    page.route("**/join", be_late)
    page.goto(f"/t/{name}")
    page.get_by_label("Your name").fill("Ben")
    page.get_by_role("button", name="Sit down").click()
    expect(page.get_by_text("Every seat is taken")).to_be_visible()
    expect(page.get_by_role("list").filter(has_text="Eve")).to_be_visible()
    assert not MACHINE.search(page.locator("body").inner_text())
    expect(page.get_by_text("You can watch")).to_be_visible()


def test_a_name_that_the_server_refuses(visit: Visit) -> None:
    """Somebody of that name sat down a moment earlier."""
    guest = visit()
    guest.expected = re.compile("Failed to load resource")
    page = guest.page
    name, _ = guest.server.table("kor", [person("Ann"), OPEN, OPEN])

    def be_late(route: Route) -> None:
        assert guest.server.post(f"/tables/{name}/join", {"name": "Ben"}).status_code < 300
        route.continue_()

    page.route("**/join", be_late, times=1)
    page.goto(f"/t/{name}")
    page.get_by_label("Your name").fill("Ben")
    page.get_by_role("button", name="Sit down").click()
    problem = page.locator("#trouble")
    expect(problem).to_contain_text("Ben")
    assert not MACHINE.search(problem.inner_text())
    page.get_by_label("Your name").fill("Benjamin")
    page.get_by_role("button", name="Sit down").click()
    expect(page.get_by_text("Everybody is here")).to_be_visible()


def test_a_server_that_is_gone_from_the_lobby(visit: Visit) -> None:
    visitor = visit()
    visitor.expected = CUT
    page = visitor.page
    page.clock.install()
    page.goto("/")
    page.get_by_role("button", name="Play now").first.wait_for()
    page.goto("/rules/kor")
    page.get_by_role("article").wait_for()
    visitor.server.kill()
    stop_the_clock(page)  # it would try again by itself
    page.get_by_role("link", name="All games").click()
    for_people(page, "The server does not answer", "Check that Hotdice is still running")
    visitor.picture("server-gone-lobby-desktop-light")
    visitor.server.start()
    page.get_by_role("button", name="Try again now").click()
    expect(page.get_by_role("button", name="Play now").first).to_be_visible()
    expect(page.get_by_text("The server does not answer")).to_have_count(0)


def test_a_server_that_goes_while_a_table_is_laid(visit: Visit) -> None:
    visitor = visit(size=PHONE)
    visitor.expected = CUT
    page = visitor.page
    page.goto("/")
    page.evaluate("localStorage.setItem('hotdice.name', 'Ann')")
    page.get_by_role("button", name="Play now").first.wait_for()
    visitor.server.kill()
    page.get_by_role("button", name="Play now").first.click()
    expect(page.get_by_role("alert").filter(has_text="The server does not answer.").first).to_be_visible()
    assert not MACHINE.search(page.locator("body").inner_text())
    visitor.server.start()
    page.get_by_role("button", name="Play now").first.click()
    expect(page.locator("[data-key=roll]")).to_be_visible()


def test_a_server_that_goes_while_people_wait(visit: Visit) -> None:
    """The room says so and heals by itself; whoever comes meanwhile is there then."""
    visitor = visit()
    visitor.expected = CUT
    name = visitor.sit("kor", [person("Ann"), OPEN])
    page = visitor.page
    expect(page.get_by_text("Waiting for 1 more")).to_be_visible()
    visitor.server.kill()
    expect(page.get_by_role("alert").filter(has_text="The connection is lost. Coming back by itself.")).to_be_visible()
    visitor.server.start()
    visitor.server.post(f"/tables/{name}/join", {"name": "Ben"})
    expect(page.get_by_text("Everybody is here")).to_be_visible()
    expect(page.get_by_text("The connection is lost")).to_have_count(0)


def test_a_server_that_has_had_enough_for_now(visit: Visit) -> None:
    """Too many requests came from a house: the page says so in the server's words, and asks again by itself."""
    visitor = visit()
    visitor.expected = re.compile("429")
    page = visitor.page
    told = "There were too many requests from this address; try again in 3 seconds."

    def refuse(route: Route) -> None:
        body = json.dumps({"error": "rate_limited", "message": told})
        route.fulfill(status=429, content_type="application/json", body=body)

    page.route("**/api/tables?*", refuse, times=1)
    page.goto("/")
    expect(page.get_by_role("alert")).to_contain_text(told)
    expect(page.get_by_text("does not answer")).to_have_count(0)
    expect(page.get_by_role("button", name="Play now: Kismet, against a bot")).to_be_visible()
    expect(page.get_by_role("alert")).to_have_count(0)


def test_a_game_whose_name_did_not_come_at_first(visit: Visit) -> None:
    """The list of games is lost on its way while the table itself is there: it is asked for again."""
    visitor = visit()
    visitor.expected = CUT
    page = visitor.page
    page.route("**/api/games", lambda route: route.abort("connectionreset"), times=1)
    visitor.sit("kor", [person("Ann"), bot()], dice="manual")
    expect(page.get_by_role("heading", level=1)).to_have_text("KOR, Keep On Rollin'")
    expect(page.get_by_role("button", name="STOP")).to_be_visible()
    expect(page.get_by_role("alert")).to_have_count(0)


def test_a_record_that_is_none(visit: Visit) -> None:
    visitor = visit()
    visitor.expected = re.compile("Failed to load resource")
    page = visitor.page
    page.goto("/")
    page.get_by_label("Open a game record").set_input_files(
        {"name": "holiday.txt", "mimeType": "text/plain", "buffer": b"Dear diary"}
    )
    problem = page.get_by_role("alert").filter(has_text="holiday.txt")
    expect(problem).to_contain_text("is no record that Hotdice can open.")
    assert not re.search(r"[{}]|Traceback|unknown", problem.inner_text())
