"""Rollers as hands do it: a die is dragged to a section, says what it does there, and chips change owners."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, expect

from hotdice.game import State
from tests.web.browsing import DESKTOP, STILL
from tests.web.conftest import Visit
from tests.web.halfway import join_halfway

COLLECTS = re.compile(r"^apply (\d)$")
WATCH_CHIPS = """
window.flights = 0;
const animate = Element.prototype.animate;
Element.prototype.animate = function (...how) {
  if (this.closest('.flight')) window.flights += 1;
  return animate.apply(this, how);
};
"""


def one_die_collects(state: State) -> bool:
    """Some die alone would bring chips."""
    if state.seat < 0:
        return False
    moves = [move for move in state.legal_moves() if COLLECTS.match(move.text)]
    return any("collects" in state.tell_move(move) for move in moves)


def middle(target: Locator) -> tuple[float, float]:
    box = target.bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_a_die_is_dragged_to_a_section_and_chips_change_owners(visit: Visit) -> None:
    visitor = visit(size=DESKTOP, pace="quick")
    page = visitor.page
    page.add_init_script(WATCH_CHIPS)
    name = join_halfway(visitor, "rollers", 3, 60, one_die_collects)
    with visitor.server.client(name) as watching:
        view = watching.state["view"]
        section = next(
            found[1]
            for move in view["moves"]
            if (found := COLLECTS.match(move["text"])) and "collects" in move["label"]
        )
        seat, before = view["seat"], view["board"]["chips"]
        fitting = page.get_by_role("button", name=re.compile(rf"^Die \d, ((black )?{section}\b|STAR)"))
        die = fitting.and_(page.locator("[aria-disabled=false]")).first
        expect(die).to_be_visible()
        page.wait_for_function(STILL)
        page.mouse.move(*middle(die))
        page.mouse.down()
        page.mouse.move(*middle(page.locator(f"[data-section='{section}']")), steps=8)
        page.mouse.up()
        apply = page.get_by_role("button", name=re.compile(r"^Apply: .*collects \d+"))
        expect(apply).to_be_enabled()
        told = int(re.findall(r"collects (\d+)", apply.inner_text())[0])
        apply.click()
        watching.until("update")
        after = watching.state["view"]["board"]["chips"]
    assert after[seat] - before[seat] == told
    expect(page.get_by_text(re.compile(rf"collects {told}\b")).first).to_be_visible()
    page.wait_for_function("window.flights > 0")
