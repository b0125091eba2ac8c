"""The moments that mattered lead to the board as it stood: read-only, a step back and a step on."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.web.browsing import DESKTOP, PHONE, SLOW
from tests.web.conftest import Visit
from tests.web.halfway import half_played, open_the_end

pytestmark = pytest.mark.timeout(1200)  # the solver may have to be compiled first


def past(page: Page) -> tuple[str, str]:
    """What had just happened, and the scores along the top, at the moment that is shown."""
    dialog = page.get_by_role("dialog", name="The board as it stood")
    return dialog.get_by_role("status").first.inner_text(), dialog.get_by_role("list", name="Players").inner_text()


@pytest.mark.parametrize(("size", "dark"), [(DESKTOP, False), (PHONE, True)], ids=["desktop", "phone"])
def test_a_moment_leads_to_the_board_as_it_stood(visit: Visit, size: tuple[int, int], dark: bool) -> None:
    """KOR among three has no values at hand: its turns are told by the scores, the last one always."""
    visitor = visit(size=size, dark=dark, still=True)
    page = visitor.page
    table = half_played("kor", 3, 10_000, options={"target": 1500})
    open_the_end(visitor, table)
    moments = page.get_by_role("listitem").filter(has=page.get_by_role("button", name=re.compile("See the board")))
    expect(moments.first).to_be_visible(timeout=SLOW)
    expect(moments.last).to_contain_text("wins!")
    visitor.picture(f"moments-{'phone' if size == PHONE else 'desktop'}")
    moments.first.get_by_role("button").click()
    dialog = page.get_by_role("dialog", name="The board as it stood")
    expect(dialog.locator(".board")).to_be_visible()
    told, scores = past(page)
    assert told in [table.tell(index) for index in range(table.played)]
    index = next(index for index in range(table.played) if table.tell(index) == told)
    shown = [int(score.replace(",", "").replace("−", "-")) for score in re.findall(r"^−?[\d,]+$", scores, re.MULTILINE)]
    assert shown == list(table.before(index + 1).scores)
    expect(dialog.get_by_role("region", name="What you can do")).to_be_hidden()
    visitor.check_access("the board as it stood")
    visitor.picture(f"past-{'phone' if size == PHONE else 'desktop'}")
    dialog.get_by_role("button", name="A step back").click()
    expect(dialog.get_by_role("status").first).to_have_text(table.tell(index - 1))
    page.keyboard.press("ArrowRight")
    expect(dialog.get_by_role("status").first).to_have_text(told)
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
