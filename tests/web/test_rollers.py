"""Rollers as hands do it: dice are dragged or tapped onto sections, say what they do there, and end rounds."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, expect

from hotdice.dice import ManualDice, SeededDice
from hotdice.game import State
from hotdice.games.rollers import Apply, RollersEffect
from hotdice.table import Seat
from tests.web.browsing import DESKTOP, PHONE, SMALL, STILL, looks_at
from tests.web.conftest import Visit
from tests.web.halfway import go_on, half_played, join_halfway
from tests.web.loaded import load

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
    return any(COLLECTS.match(text) and effect.paid for text, effect in applications(state).items())


def applications(state: State) -> dict[str, RollersEffect]:
    moves = state.legal_moves() if state.seat >= 0 else ()
    return {move.text: state.effect(move) for move in moves if isinstance(move, Apply)}


def ending(state: State) -> str:
    """An application after which the round is over, but not the match; or nothing."""
    return next(
        (text for text, effect in applications(state).items() if effect.round_end and not effect.round_end.winners), ""
    )


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
            found[1] for move in view["moves"] if (found := COLLECTS.match(move["text"])) and move["effect"]["paid"]
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


def test_the_end_of_a_round_is_told_with_any_names(visit: Visit) -> None:
    """The first player can close everything and has chips; the second has most of them and starts the next round."""
    visitor = visit(size=PHONE, still=True)
    page = visitor.page
    table = half_played("rollers", 3, 0, lambda state: bool(ending(state)), dice=SeededDice(7))
    table.seats, table.dice = (Seat("J. Smith"), Seat("{0}"), Seat("Dr. No: 1.")), ManualDice()
    move = ending(table.state)
    assert (table.state.seat, move) == (0, "apply 3 3 3 3")
    name, tokens = go_on(visitor.server, table, [1, 2, 3])
    visitor.take(name, "rollers", tokens)
    for number in move.split()[1:]:
        page.locator(f"[data-section='{number}']").click()
    says = "This ends the round. Points: J. Smith 2 and {0} 1. {0} starts the next round."
    expect(page.get_by_text(says, exact=True)).to_be_visible()
    looks_at(visitor, "rollers-ends-the-round", light=(SMALL,), dark=(DESKTOP,))
    page.get_by_role("button", name="Apply: opens and closes the 3s").click()
    expect(page.get_by_role("heading", name="J. Smith ends the round", exact=True)).to_be_visible()
    expect(page.get_by_text("{0} has the most chips. {0} starts the next round.", exact=True)).to_be_visible()
    with visitor.server.client(name) as watching:
        board = watching.state["view"]["board"]
        end = watching.events[-1]["effect"]["round_end"]
    assert set(board["chips"]) == {55} != set(end["chips"])
    rows = page.get_by_role("region", name="J. Smith ends the round").locator("tbody tr")
    told = [row.get_by_role("cell").all_inner_texts() for row in rows.all()]
    assert [row[1].split()[0] for row in told] == [str(chips) for chips in end["chips"]]
    assert [(row[0], row[2]) for row in told] == [("+2", ""), ("", "+1"), ("", "")]
    assert [row[3] for row in told] == [f"{points} of 5" for points in board["points"]]
    looks_at(visitor, "rollers-round-over", light=(DESKTOP,), dark=(SMALL,))


@pytest.mark.parametrize("size", [PHONE, DESKTOP])
def test_nothing_else_comes_where_the_roll_is(visit: Visit, size: tuple[int, int]) -> None:
    """Neither stopping nor applying, from the first roll of a turn to its end, also when all dice are kept."""
    visitor = visit(size=size, still=True)
    page = visitor.page
    load(visitor, "1 1 2 2 * b4")
    join_halfway(visitor, "rollers", 2, 0, then=["5", "3"])
    actions = page.get_by_role("region", name="What you can do").get_by_role("button")
    places = []

    def look(label: str, others: str) -> None:
        expect(actions.first).to_have_text(label)
        expect(actions.filter(has_text=others).last).to_be_visible()
        roll, *rest = [one.bounding_box() for one in actions.all() if one.is_visible()]
        assert roll
        places.append((roll["x"], roll["width"]))
        assert all(other and other["x"] >= roll["x"] + roll["width"] for other in rest)

    look("Roll 6 dice", "Roll")
    actions.first.click()
    look("Roll 6 dice", "Stop and use all six")
    for at in range(6):
        page.locator(f"[data-die='{at}']").click()
    look("No more rolls", "Stop and use all six")
    actions.filter(has_text="Stop").click()
    look("No more rolls", "Use none")
    assert len(set(places)) == 1


def test_a_button_says_which_usable_dice_it_leaves(visit: Visit) -> None:
    visitor = visit(size=PHONE, still=True)
    page = visitor.page
    join_halfway(visitor, "rollers", 2, 0, then=["5", "3", "1 2 2 4 5 b5", "stop"])
    expect(page.get_by_role("button", name="Use none")).to_contain_text("leaves 3 usable dice")
    page.get_by_role("button", name=re.compile("^Die 1, 1")).click()
    apply = page.get_by_role("button", name=re.compile("^Apply: opens the 1s"))
    expect(apply).to_contain_text("leaves 2 usable dice")
    for die in (2, 3):
        page.get_by_role("button", name=re.compile(f"^Die {die}, 2")).click()
    expect(page.get_by_role("button", name="Apply: opens the 1s and opens the 2s", exact=True)).to_be_enabled()
