"""Text of twice the size, as somebody has set it in their browser: nothing is cut off, all can be pressed."""

from __future__ import annotations

from typing import Final

import pytest
from playwright.sync_api import expect

from hotdice.game import CHANCE, State
from tests.web.browsing import CUT_OFF, PHONE, STILL, Visitor
from tests.web.conftest import Visit
from tests.web.halfway import join_halfway

TWICE: Final = {"fontSizes": {"standard": 32, "fixed": 26}}
OUT_OF_REACH: Final = """
() => [...document.querySelectorAll('main button, main a, main input, main select, footer button')]
  .filter(one => one.checkVisibility({visibilityProperty: true}) && !one.disabled && !one.closest('.unseen'))
  .filter(one => {
    one.scrollIntoView({block: 'center', inline: 'center'});
    const {left, right, top, bottom} = one.getBoundingClientRect();
    const there = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    return !there || !(one.contains(there) || there.closest('label')?.contains(one));
  })
  .map(one => one.ariaLabel || one.textContent.trim() || one.outerHTML.slice(0, 80))
"""
"""What can be pressed, but is somewhere that no scrolling leads to, or under something else."""


def rolling(state: State) -> bool:
    return state.seat == CHANCE and state.fresh


def check(visitor: Visitor, where: str) -> None:
    visitor.page.wait_for_function(STILL)
    assert visitor.page.evaluate(CUT_OFF) == [], where
    assert visitor.page.evaluate(OUT_OF_REACH) == [], where


@pytest.mark.parametrize("size", [PHONE, (1280, 800)], ids=["phone", "desk"])
def test_text_of_twice_the_size_is_whole(visit: Visit, size: tuple[int, int]) -> None:
    visitor = visit(size=size, still=True)
    page = visitor.page
    # Not the root's size alone: what asks for the width or height of a window in em is to notice it too.
    visitor.context.new_cdp_session(page).send("Page.setFontSizes", TWICE)
    page.goto("/")
    page.get_by_role("button", name="Play now").first.wait_for()
    assert page.evaluate("getComputedStyle(document.documentElement).fontSize") == "32px"
    check(visitor, "the first page")

    page.goto("/new/kor")
    page.get_by_label("Your name").fill("Ann")
    for seat, kind in ((2, "Bot"), (3, "With a link"), (4, "Someone here")):
        if seat > 2:
            page.get_by_role("button", name="Add a seat").click()
        page.get_by_label(f"Who sits in seat {seat}").select_option(kind)
    page.get_by_text("More", exact=True).click()
    page.get_by_role("radio", name="For everybody").check()
    page.get_by_role("button", name="Open the table").click()
    expect(page.get_by_text("Write a name.")).to_be_visible()
    check(visitor, "setting a table up")
    page.get_by_label("Name in seat 4").fill("Ben")
    page.get_by_role("button", name="Open the table").click()
    page.get_by_text("Waiting for 1 more").wait_for()
    check(visitor, "waiting for others")

    for game, players, events, then, says in (
        ("kor", 8, 150, ["25 50 100 S D U"], "This turn"),
        ("kor", 8, 150, ["25 50 100 S S D", "25 50 U U U"], "Who drives backwards?"),
        ("kismet", 2, 0, [], "Who begins?"),
        ("kismet", 4, 90, ["1 1 2 3 6"], "Tap the dice to keep."),
        ("rollers", 5, 150, ["5 5 5 * * b4"], "Roll 1 of 3"),
        ("rollers", 5, 150, ["5 5 5 * * b4", "stop"], "Tap or drag dice onto sections."),
        ("bj", 4, 60, ["1 2 3 4 5 6"], "Pass and keep"),
        ("bj", 8, 0, [], "What scores is frozen here."),
    ):
        join_halfway(visitor, game, players, events, rolling, then=then)
        expect(page.get_by_text(says).first).to_be_visible()
        check(visitor, f"{game} with {players}: {says}")
