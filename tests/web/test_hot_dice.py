"""“Hot dice!”: all dice are frozen or set aside, and the board says so for a moment. The page's clock is the test's."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.web.browsing import PHONE, stop_the_clock
from tests.web.conftest import Visit
from tests.web.halfway import join_halfway
from tests.web.loaded import load

LAP = ("25 50 100 S D U", "25 50 100 S D", "25 100 S D", "25 50 S", "50 S")


@pytest.mark.parametrize(
    ("game", "then", "rolls", "still"),
    [
        ("kor", LAP, ("100", "25 50 100 S D U"), False),
        ("bj", ("1 1 1 2 3 5", "roll"), ("1 5", "1 2 3 4 6 6"), True),
    ],
)
def test_hot_dice_are_a_moment(
    visit: Visit, game: str, then: tuple[str, ...], rolls: tuple[str, ...], still: bool
) -> None:
    visitor = visit(size=PHONE, pace="calm", still=still)
    page = visitor.page
    page.clock.install()
    load(visitor, *rolls)
    join_halfway(visitor, game, 2, then=then)
    roll = page.locator("[data-key=roll]:enabled")
    expect(roll).to_be_visible()
    hot = page.get_by_text("Hot dice!")
    expect(hot).to_have_count(0)
    stop_the_clock(page)
    roll.click()
    expect(page.locator(".showing")).to_be_visible()  # the page has heard of the roll; only then may time go by
    page.clock.run_for(900)  # the dice have landed
    expect(hot).to_be_visible()
    moving = hot.evaluate("one => one.closest('.hot').getAnimations({subtree: true}).length")
    assert (moving == 0) == still
    expect(roll).to_be_visible()  # nobody has to wait for the end of it
    page.clock.run_for(2000)
    expect(hot).to_have_count(0)
