"""What comes later than the rest of a page does not move what somebody is about to press."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.server.running import local, person
from tests.web.browsing import PHONE, SLOW, Held
from tests.web.conftest import Visit
from tests.web.halfway import go_on, half_played
from tests.web.loaded import load
from tests.web.playing import roll_once

pytestmark = pytest.mark.timeout(1200)  # the solver may have to be compiled first


def place(target: Locator) -> tuple[float, float]:
    box = target.bounding_box()
    assert box
    return box["x"], box["y"]


def test_a_button_stays_under_the_finger_when_the_moments_come(visit: Visit) -> None:
    visitor = visit(size=PHONE)
    page = visitor.page
    held = Held(page, "**/moments**")
    name, tokens = go_on(visitor.server, half_played("bj", 2, 10_000), [1])
    visitor.take(name, "bj", tokens)
    check = page.get_by_role("button", name="Check the dice")
    check.scroll_into_view_if_needed()
    held.wait()
    check.hover()
    page.mouse.down()
    held.let_go()
    expect(page.get_by_role("region", name="The moments that mattered").get_by_role("listitem").first).to_be_attached(
        timeout=SLOW
    )
    page.mouse.up()
    expect(page.get_by_role("dialog", name="Check the dice")).to_be_visible()


def test_the_games_stay_where_they_are_when_ones_own_tables_come(visit: Visit) -> None:
    visitor = visit(size=PHONE)
    page = visitor.page
    for game in ("Kismet", "Rollers"):
        page.goto("/")
        page.evaluate("localStorage.setItem('hotdice.name', 'Ann')")
        page.get_by_role("button", name=f"Play now: {game}, against a bot").click()
        page.locator("[data-key=roll]:enabled").wait_for()
    held = Held(page, "**/api/tables?name=*")
    page.goto("/")
    held.wait()
    play = page.get_by_role("button", name="Play now: Kismet, against a bot")
    before = place(play) if play.is_visible() else None
    held.let_go()
    expect(page.get_by_role("link", name="Go on: ")).to_have_count(2)
    assert before in (None, place(play))


def test_the_dice_stay_where_they_are_while_the_coach_thinks(visit: Visit) -> None:
    visitor = visit(size=PHONE)
    page = visitor.page
    load(visitor, "4", "3")
    name = visitor.sit("pig", [person("Ann"), local("Ben")], options={"target": 20}, coach="always", dice="manual")
    roll_once(visitor, name)
    coach = page.get_by_role("region", name="Coach", exact=True)
    expect(coach).to_contain_text(re.compile("is best|is as good as"), timeout=SLOW)
    coach.get_by_role("button", name="Options").click()
    before = place(page.get_by_role("region", name="Dice", exact=True))
    held = Held(page, "**/advice**")
    page.get_by_role("button", name="Roll again").click()
    held.wait()
    expect(coach).to_contain_text("The coach is thinking")
    assert place(page.get_by_role("region", name="Dice", exact=True)) == before
    held.let_go()
    expect(coach).to_contain_text(re.compile("is best|is as good as"))
    assert place(page.get_by_role("region", name="Dice", exact=True)) == before


def test_the_page_stays_where_it_is_when_the_connection_is_lost(visit: Visit) -> None:
    visitor = visit(size=PHONE)
    visitor.expected = re.compile("ERR_INTERNET_DISCONNECTED")
    page = visitor.page
    visitor.sit("kismet", [person("Ann"), local("Ben")])
    page.locator("[data-key=roll]:enabled").wait_for()
    dice = page.get_by_role("region", name="Dice", exact=True)
    before = place(dice)
    visitor.context.set_offline(True)
    expect(page.get_by_role("alert")).to_contain_text("The connection is lost")
    assert place(dice) == before
    visitor.context.set_offline(False)
    expect(page.get_by_role("alert")).to_have_count(0)
    assert place(dice) == before
