"""Every page around the games, by day and by night, on phones and on desks: axe finds nothing, nothing is too wide.

Screenshots are kept among the artefacts, for whoever changes a page to look at.
"""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Route, expect

from tests.server.running import OPEN, bot, local, person
from tests.web.browsing import DESKTOP, MAGNIFIED, PHONE, SIDEWAYS, SMALL, TABLET, Visitor, looks_at
from tests.web.conftest import Visit
from tests.web.halfway import join_halfway
from tests.web.playing import GAMES

REACH = json.dumps({"address": "http://192.168.7.20:8017"})


def come(visit: Visit) -> Visitor:
    """A visitor whose server can be reached by others, so that invitations have all their parts."""
    visitor = visit(still=True)
    visitor.page.route("**/api/reach", answer)
    return visitor


def answer(route: Route) -> None:
    route.fulfill(content_type="application/json", body=REACH)


def test_the_first_page(visit: Visit) -> None:
    visitor = come(visit)
    visitor.server.table("rollers", [person("Xenia"), OPEN, OPEN], public=True)
    visitor.sit("kor", [person("Ann"), bot()])
    visitor.page.locator("[data-key=roll]").wait_for()
    visitor.page.goto("/")
    visitor.page.get_by_role("link", name=re.compile("Go on")).wait_for()
    visitor.page.get_by_role("link", name=re.compile("Xenia")).first.wait_for()
    looks_at(visitor, "home", light=(SMALL, DESKTOP, SIDEWAYS), dark=(PHONE, TABLET, MAGNIFIED))
    visitor.page.get_by_role("button", name="Open", exact=True).click()
    visitor.page.get_by_role("button", name="Settings").click()
    looks_at(visitor, "home-settings", light=(PHONE,), dark=(DESKTOP,))


@pytest.mark.parametrize("game", GAMES)
def test_setting_a_table_up(visit: Visit, game: str) -> None:
    """With every kind of seat, a name that cannot be, and everything unfolded."""
    visitor = come(visit)
    page = visitor.page
    page.goto(f"/new/{game}")
    page.get_by_label("Who sits in seat 2").select_option("Someone here")
    for kind in ("Bot", "With a link"):
        page.get_by_role("button", name="Add a seat").click()
        page.get_by_label(re.compile("Who sits in seat")).last.select_option(kind)
    page.get_by_role("radio", name="We roll real dice").check()
    page.get_by_text("More", exact=True).click()
    page.get_by_role("radio", name="For everybody").check()
    page.get_by_role("button", name="Open the table").click()
    expect(page.get_by_text("Write a name.").first).to_be_visible()
    looks_at(visitor, f"setup-{game}", light=(SMALL,), dark=(DESKTOP,))


@pytest.mark.parametrize("game", GAMES)
def test_rules(visit: Visit, game: str) -> None:
    visitor = come(visit)
    visitor.page.goto(f"/rules/{game}")
    visitor.page.get_by_role("article").wait_for()
    looks_at(visitor, f"rules-{game}", light=(DESKTOP,), dark=(SMALL,))


def test_waiting_for_others(visit: Visit) -> None:
    host = come(visit)
    house = {"final_round": True, "scoring": "all"}
    seats = [person("Ann"), local("Grandma Rose"), bot(), OPEN]
    name = host.sit("kor", seats, options=house, coach="ask", clock={"kind": "soft", "seconds": 60})
    host.page.get_by_role("img", name="QR code").wait_for()
    looks_at(host, "waiting-host", light=(SMALL, DESKTOP, SIDEWAYS), dark=(PHONE, TABLET, MAGNIFIED))
    guest = come(visit)
    guest.page.goto(f"/t/{name}")
    guest.page.get_by_role("button", name="Sit down").click()
    expect(guest.page.get_by_text("Write a name.")).to_be_visible()
    looks_at(guest, "waiting-guest", light=(PHONE,), dark=(DESKTOP,))
    guest.page.get_by_label("Your name").fill("Benjamin")
    guest.page.get_by_role("button", name="Sit down").click()
    guest.page.get_by_text("Everybody is here").wait_for()
    guest.page.get_by_text("Let others watch").click()
    looks_at(guest, "waiting-everybody", light=(DESKTOP,), dark=(SMALL,))


def test_dialogs_at_a_table(visit: Visit) -> None:
    visitor = come(visit)
    join_halfway(visitor, "bj", 2, then=["1 2 3 4 5 6", "pass", "2 2 3 3 4 6", "1 1 2 3 4 6"])
    page = visitor.page
    expect(page.get_by_role("button", name="Pass and keep 200")).to_be_visible()
    for button, picture in (
        ("What happened", "dialog-log"),
        ("Share this table", "dialog-invite"),
        ("Settings", "dialog-settings"),
    ):
        visitor.look(PHONE, dark=False)
        page.get_by_role("button", name=button).click()
        expect(page.get_by_role("dialog", name=button)).to_be_visible()
        if button == "Settings":
            page.get_by_role("button", name="Leave the table").click()
            expect(page.get_by_role("button", name="Stay")).to_be_visible()
        looks_at(visitor, picture, light=(SMALL,), dark=(DESKTOP,))
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_have_count(0)


@pytest.mark.parametrize(("address", "picture"), [
    ("/what/is/this", "nowhere"),
    ("/t/zzzzzzzz", "no-table"),
    ("/new/chess", "no-game"),
])  # fmt: skip
def test_messages(visit: Visit, address: str, picture: str) -> None:
    visitor = come(visit)
    visitor.expected = re.compile("Failed to load resource")
    visitor.page.goto(address)
    visitor.page.get_by_role("link", name="Go to the games").wait_for()
    looks_at(visitor, picture, light=(SMALL,), dark=(DESKTOP,))


def test_a_lost_connection(visit: Visit) -> None:
    """At a table and on the first page. The server is back afterwards."""
    visitor, other = come(visit), come(visit)
    for each in (visitor, other):
        each.expected = re.compile("WebSocket|ERR_CONNECTION|Failed to load resource")
    visitor.sit("kor", [person("Ann"), bot()])
    visitor.page.locator("[data-key=roll]").wait_for()
    other.page.goto("/rules/bj")
    other.page.get_by_role("article").wait_for()
    visitor.server.kill()
    try:
        expect(visitor.page.get_by_role("alert")).to_contain_text("The connection is lost")
        looks_at(visitor, "connection-lost", light=(DESKTOP,), dark=(SMALL,))
        other.page.get_by_role("link", name="All games").click()
        other.page.get_by_text("The server does not answer").wait_for()
        looks_at(other, "server-gone", light=(PHONE,), dark=(DESKTOP,))
    finally:
        visitor.server.start()
