"""Kismet's sheet: all of it is in sight, with boxes for fingers, and nothing moves as they are filled."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from hotdice.game import CHANCE, State
from tests.server.running import local, person
from tests.web.browsing import DESKTOP, PHONE, Held
from tests.web.conftest import Visit
from tests.web.halfway import join_halfway
from tests.web.loaded import load
from tests.web.playing import roll_once

LINES = ["Basic Total", "Bonus", "Basic and Bonus", "Grand Total", "Kismet Total"]
ROWS = """
() => [...document.querySelectorAll('.sheet tbody tr')].map(row => {
  const {top, height} = row.getBoundingClientRect();
  return [row.querySelector('th').firstChild.textContent, Math.round(top), Math.round(height)].join(' ');
})
"""
SCROLLS = "(sheet => sheet.scrollHeight - sheet.clientHeight)(document.querySelector('.sheet'))"
SMALL_TARGETS = """
() => [
  ...document.querySelectorAll(':is(.sheet, .actions, .coach, [aria-label="Dice"]) :is(button, select)'),
].flatMap(one => {
  const {left, top, width, height} = one.getBoundingClientRect();
  const [x, y] = [left + width / 2, top + height / 2];
  const points = [[x - 20, y], [x + 20, y], [x, y - 20], [x, y + 20]];
  const hit = points.every(point => one.contains(document.elementFromPoint(...point)));
  return hit ? [] : [`${one.ariaLabel ?? one.textContent}: ${width} by ${height}`];
})
"""
"""What cannot be hit 20 pixels from its middle."""


def rolling(state: State) -> bool:
    return state.seat == CHANCE and state.fresh


def roll(page: Page) -> None:
    expect(page.get_by_role("button", name=re.compile("^Roll")).first).to_be_enabled()


@pytest.mark.parametrize("players", [1, 2, 4, 8])
def test_the_whole_sheet_is_in_sight(visit: Visit, players: int) -> None:
    """All fifteen boxes and the sheet's own lines, on a phone with targets for fingers."""
    visitor = visit(size=PHONE, still=True)
    page = visitor.page
    join_halfway(visitor, "kismet", players, 40 * players, rolling, then=["1 2 4 6 6"])
    roll(page)
    for size in (PHONE, DESKTOP):
        visitor.look(size, dark=False)
        assert page.evaluate(SCROLLS) == 0, f"{players} players in {size}"
        rows = page.locator(".sheet tbody tr")
        expect(rows).to_have_count(15 + len(LINES))
        heads = page.locator(".sheet .sum th").all_inner_texts()
        assert [head.splitlines()[0] for head in heads] == LINES
        for row in rows.all():
            box = row.bounding_box()
            assert box
            assert box["y"] + box["height"] <= size[1]
        if size == PHONE:
            assert page.evaluate(SMALL_TARGETS) == []


ADVICE = {
    "ready": True, "share": None, "seat": 0, "rolls": False, "unit": "win probability", "exact": False, "value": 0.5,
    "told": "Not on a phone.",
    "short": "Taking 35 in Full House Same Color is about as good as 2 others: about 50% to win.",
    "moves": [
        {"text": move, "doing": doing, "value": 0.5, "error": 0.02, "tied": True}
        for move, doing in (("full-color", "taking 35 in Full House Same Color"), ("flush", "taking 35 in Flush"))
    ],
}  # fmt: skip
"""As long as it gets."""


def test_the_coach_takes_no_room_from_the_sheet(visit: Visit) -> None:
    """It waits beside the news, and takes their place while it speaks."""
    visitor = visit(size=PHONE, still=True)
    page = visitor.page
    load(visitor, "4", "3", "1 1 1 6 6")
    name = visitor.sit("kismet", [person("Ann"), local("Ben")], coach="ask", dice="manual")
    for _ in range(3):
        roll_once(visitor, name)
    roll(page)
    coach = page.get_by_role("region", name="Coach", exact=True)
    rows = page.evaluate(ROWS)
    assert page.evaluate(SCROLLS) == 0
    held = Held(page, "**/advice**")
    with visitor.server.client(name) as watching:
        number = watching.state["number"]
    coach.get_by_role("button", name="Ask the coach").click()
    held.wait()
    expect(coach).to_contain_text("The coach is thinking")
    assert (page.evaluate(SCROLLS), page.evaluate(ROWS)) == (0, rows), "while it thinks"
    held.answer({**ADVICE, "number": number})
    expect(coach).to_contain_text("is about as good as 2 others")
    assert (page.evaluate(SCROLLS), page.evaluate(ROWS)) == (0, rows), "while it speaks"
    visitor.picture("kismet-coach-phone")
    assert page.evaluate(SMALL_TARGETS) == []


def test_rows_stay_where_they_are_as_boxes_are_filled(visit: Visit) -> None:
    visitor = visit(size=PHONE, still=True)
    page = visitor.page
    join_halfway(visitor, "kismet", 1, then=["6 6 6 6 6"])
    roll(page)
    before = page.evaluate(ROWS)
    page.get_by_role("button", name="Take 30 in Sixes").click()
    expect(page.get_by_role("button", name="Take 30 in Sixes")).to_have_count(0)
    assert page.evaluate(ROWS) == before


def test_a_question_about_a_zero_moves_nothing(visit: Visit) -> None:
    visitor = visit(size=PHONE, still=True)
    page = visitor.page
    join_halfway(visitor, "kismet", 2, then=["4", "3", "6 6 6 6 6"])
    zero = page.get_by_role("button", name="Write 0 in Aces")
    expect(zero).to_be_visible()
    height = page.locator(".sheet table").first.bounding_box()
    zero.click()
    sure = page.get_by_role("button", name="Yes, write a zero in Aces")
    expect(sure).to_be_visible()
    assert page.locator(".sheet table").first.bounding_box() == height
    page.get_by_role("button", name="No, choose another box").click()
    expect(zero).to_be_focused()
