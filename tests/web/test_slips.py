"""No slip of a finger decides a game: hasty clicks and taps where the roll was do nothing.

The page's clock stands still, so that every press is a hasty one however slow the machine is.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.server.running import Json
from tests.web.browsing import DESKTOP, PHONE, Visitor, stop_the_clock
from tests.web.conftest import Visit
from tests.web.halfway import join_halfway
from tests.web.loaded import load
from tests.web.playing import rolls_at

ROLL = "[data-key=roll]:enabled"
A_MOMENT = 600


def state_of(visitor: Visitor, name: str) -> Json:
    with visitor.server.client(name) as watching:
        return watching.state


def roll(visitor: Visitor) -> tuple[float, float]:
    """Press the button that rolls; where it was pressed."""
    button = visitor.page.locator(ROLL)
    expect(button).to_be_visible()
    box = button.bounding_box()
    assert box
    stop_the_clock(visitor.page)
    at = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    visitor.page.mouse.click(*at)
    return at


def press_again(page: Page, nth: int = 2) -> None:
    """The second press of a double click, or a later one of a series."""
    page.mouse.down(click_count=nth)
    page.mouse.up(click_count=nth)


@pytest.mark.parametrize("size", [PHONE, DESKTOP])
def test_a_double_click_on_roll_is_one_roll(visit: Visit, size: tuple[int, int]) -> None:
    """Neither a pass nor a second roll follows, until a moment has gone by."""
    visitor = visit(size=size, still=True)
    page = visitor.page
    page.clock.install()
    load(visitor, "1 2 3 4 6 6", "1 2 3 4 6")
    name = join_halfway(visitor, "bj", 2)
    roll(visitor)
    passing = page.get_by_role("button", name="Pass and keep 100")
    expect(passing).to_be_visible()
    press_again(page)
    press_again(page, 3)
    assert (len(rolls_at(visitor, name)), state_of(visitor, name)["view"]["scores"]) == (1, [0, 0])
    page.clock.run_for(A_MOMENT)
    press_again(page, 4)
    expect(page.get_by_role("button", name="Pass and keep 200")).to_be_visible()


def test_what_comes_under_the_pointer_cannot_be_pressed_at_once(visit: Visit) -> None:
    """The pointer waits where a pass is going to be, and the roll is made by a key."""
    visitor = visit(still=True)
    page = visitor.page
    page.clock.install()
    load(visitor, "1 2 3 4 6 6", "1 2 3 4 6")
    name = join_halfway(visitor, "bj", 2)
    passing = page.get_by_role("button", name="Pass and keep")
    at = roll(visitor)
    box = passing.bounding_box()
    assert box
    page.mouse.move(box["x"] + box["width"] / 2, at[1])
    page.clock.run_for(A_MOMENT)
    page.keyboard.press("r")
    expect(passing).to_contain_text("Pass and keep 200")
    press_again(page, 1)
    assert state_of(visitor, name)["view"]["scores"] == [0, 0]
    page.clock.run_for(A_MOMENT)
    press_again(page, 1)
    expect(passing).to_have_count(0)
    assert state_of(visitor, name)["view"]["scores"] == [200, 0]


def test_no_box_is_taken_where_the_roll_is(visit: Visit) -> None:
    """After the third roll, however often somebody presses there, hastily or not."""
    visitor = visit(size=PHONE, still=True)
    page = visitor.page
    page.clock.install()
    load(visitor, "1 4 5")
    name = join_halfway(visitor, "kismet", 2, then=["4", "3", "1 2 4 6 6", "keep 6 6", "1 2 6"])
    roll(visitor)
    expect(page.get_by_text("No rolls left").first).to_be_visible()
    for nth in range(2, 6):
        press_again(page, nth)
        page.clock.run_for(A_MOMENT)
    assert {entry for sheet in state_of(visitor, name)["view"]["board"]["sheets"] for entry in sheet} == {-1}
