"""The coach: silent unless the table agreed to one, then with a value for every move, and honest about estimates.

The games are such as are solved in a moment: Pig to 20 for two, BJ's dice to 500 for three.
"""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.server.running import bot, local, person
from tests.web.browsing import DESKTOP, SLOW, SMALL, Visitor
from tests.web.conftest import Visit
from tests.web.loaded import load
from tests.web.playing import roll_once

pytestmark = pytest.mark.timeout(1200)  # the solver may have to be compiled first
PERCENT = re.compile(r"^(\d+\.\d)%")


def coach(page: Page) -> Locator:
    return page.get_by_role("region", name="Coach", exact=True)


def pig(visitor: Visitor, agreed: str) -> None:
    """Pig to 20 on one screen, after the first roll."""
    load(visitor, "4", "5")
    name = visitor.sit("pig", [person("Ann"), local("Ben")], options={"target": 20}, coach=agreed, dice="manual")
    roll_once(visitor, name)


def options_of(page: Page) -> list[tuple[str, float]]:
    """The moves that the coach lists with their values in percent."""
    rows = coach(page).get_by_role("row")
    found = []
    for row in rows.all():
        value = PERCENT.match(row.get_by_role("cell").last.inner_text())
        assert value, row.inner_text()
        found.append((row.get_by_role("rowheader").inner_text(), float(value[1])))
    return found


def test_without_a_coach_there_is_none(visit: Visit) -> None:
    visitor = visit(size=DESKTOP)
    pig(visitor, "off")
    expect(visitor.page.get_by_role("button", name=re.compile("^Hold"))).to_be_visible()
    expect(visitor.page.locator(".coach")).to_have_count(0)
    expect(visitor.page.get_by_text(re.compile("ask the coach", re.IGNORECASE))).to_have_count(0)


def test_on_request_it_tells_what_moves_are_worth(visit: Visit) -> None:
    visitor = visit(size=DESKTOP)
    page = visitor.page
    pig(visitor, "ask")
    expect(coach(page)).to_contain_text("What is best here?")
    expect(coach(page).get_by_role("table")).to_have_count(0)
    coach(page).get_by_role("button", name="Ask the coach").click()
    expect(coach(page).get_by_role("table")).to_be_visible(timeout=SLOW)
    expect(coach(page)).to_contain_text("exact")
    expect(coach(page)).to_contain_text(re.compile("is best|is as good as"))
    options = options_of(page)
    assert {text.split()[0] for text, _ in options} == {"Rolling", "Holding"}
    assert options[0][1] >= options[1][1], "the best comes first"
    # What it speaks of is marked on the board: the best, or the option that is pointed at.
    expect(page.locator(".board .advised")).to_have_count(1)
    expect(page.locator(".board .advised")).to_have_text(re.compile("Roll|Hold"))
    coach(page).get_by_role("row", name=re.compile("^Holding")).hover()
    expect(page.locator(".board .advised")).to_have_text(re.compile("^Hold"))
    visitor.picture("coach-exact-desktop-light")
    # A press plays it. What was said was about that moment.
    coach(page).get_by_role("button", name="Holding").click()
    expect(coach(page).get_by_role("table")).to_have_count(0)
    expect(page.get_by_role("list", name=re.compile("What happened"))).to_contain_text("Ann holds and scores 4")


def test_always_means_that_nobody_asks(visit: Visit) -> None:
    """On a phone it is one line, with all options at a press, which come up over the board, not the actions."""
    visitor = visit(size=SMALL, dark=True)
    page = visitor.page
    pig(visitor, "always")
    expect(coach(page)).to_contain_text(re.compile("is best|is as good as"), timeout=SLOW)
    coach(page).get_by_role("button", name="Options").click()
    assert len(options_of(page)) == 2
    sheet = coach(page).get_by_role("group", name="Options").bounding_box()
    actions = page.get_by_role("region", name="What you can do").bounding_box()
    assert sheet
    assert actions
    assert sheet["y"] >= 0
    assert sheet["y"] + sheet["height"] <= actions["y"] + 1
    visitor.check_access("the coach's options")
    visitor.picture("coach-exact-phone-dark")
    page.keyboard.press("Escape")
    expect(coach(page).get_by_role("table")).to_have_count(0)
    coach(page).get_by_role("button", name="Do it").click()
    expect(page.locator(".news")).to_contain_text("9 this turn")


def test_estimates_show_how_far_they_may_be_off(visit: Visit) -> None:
    visitor = visit(size=DESKTOP, dark=True)
    page = visitor.page
    load(visitor, "1 2 3 4 6 6")
    seats = [person("Ann"), local("Ben"), local("Eve")]
    name = visitor.sit("bj", seats, options={"target": 500}, coach="always", dice="manual")
    roll_once(visitor, name)
    expect(coach(page).get_by_role("table")).to_be_visible(timeout=SLOW)
    expect(coach(page)).to_contain_text("estimated")
    for row in coach(page).get_by_role("row").all():
        expect(row.get_by_role("cell").last).to_have_text(re.compile(r"^\d+(\.\d)?%\s*± \d+(\.\d)?%$"))
        expect(row.locator(".error")).to_have_count(1)
    visitor.picture("coach-estimated-desktop-dark")


def test_a_bot_says_why_when_it_is_asked(visit: Visit) -> None:
    """By its line among what happened, and by its place along the top."""
    visitor = visit(size=DESKTOP)
    page = visitor.page
    visitor.sit("bj", [person("Ann"), bot()], options={"target": 20_000})
    for _ in range(100):
        choice = page.get_by_role("list", name=re.compile("What happened")).get_by_title("Why?").first
        roll = page.locator("[data-key=roll]:enabled")
        expect(choice.or_(roll).first).to_be_visible()
        if choice.count():
            break
        roll.first.click()
    choice.click()
    often = r"(die|dice) busts? (about )?\d+ times? in \d+"
    reason = re.compile(f"{often}|only more than that wins|nobody plays", re.IGNORECASE)
    expect(page.locator(".why").first).to_have_text(reason)
    page.get_by_role("button", name=re.compile("^Ask .* why$")).click()
    expect(page.get_by_role("dialog")).to_contain_text(reason)
    visitor.picture("why-desktop")
