"""The match of Rollers between two against the rules: turns, ends of rounds and of the match on `RollersState`."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from hotdice.game import CHANCE, OVER
from hotdice.games.rollers.rules import CHIPS, Board, RollersOptions
from hotdice.games.rollers.solving.boards import number_of
from hotdice.games.rollers.solving.equity import Chance, Known, Needs
from hotdice.games.rollers.solving.match import ends_of, stakes_at
from hotdice.games.rollers.solving.tables import LEVELS, RoundSolve
from hotdice.games.rollers.state import RollersState
from hotdice.solve import store
from tests.solve.test_rollers_solver import play_out

TARGET = 5
MARGIN = 1e-9


@pytest.fixture(autouse=True)
def own_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No test uses or leaves tables in the user's cache."""
    monkeypatch.setattr(store, "folder", lambda: tmp_path)


MADE_UP: Known = {
    (mine, theirs): Chance(0.5 + 0.013 * mine + 0.09 * (theirs - mine), 0.0)
    for mine in range(1, TARGET + 1)
    for theirs in range(1, TARGET + 1)
}
"""Chances as rounds begin, made up: what a round is worth must follow from them, whatever they are."""


@cache
def late(needs: Needs, share: bool, locked: bool, lowest: int) -> RoundSolve:
    solve = RoundSolve(locked, ends_of(stakes_at(needs, 0, share, MADE_UP.__getitem__)), MARGIN)
    for level in LEVELS[: LEVELS.index(lowest) + 1]:
        solve.solve(solve.level(level))
    return solve


def chance_of(state: RollersState, began: int, seat: int) -> float:
    """What a match that is over, or a round that begins, is worth to a seat by the rules and the chances made up."""
    if state.seat == OVER:
        assert state.result is not None
        return (seat in state.result.winners) / len(state.result.winners)
    assert state.starter == 1 - began
    first = MADE_UP[TARGET - state.scores[1 - began], TARGET - state.scores[began]].value
    return first if seat != began else 1 - first


def check_turn(needs: Needs, seat: int, boards: tuple[Board, Board], chips: int, options: RollersOptions) -> None:
    """A turn of the player who began (seat 0) or of the other, by the rules and by the table."""
    locked = options.saved_dice == "locked"
    solve = late(needs, options.chip_tie == "share", locked, 17 if locked else 16)
    both = (chips, 2 * CHIPS - chips)
    scores = (TARGET - needs[0], TARGET - needs[1])
    if seat == 1:
        boards, both = boards[::-1], both[::-1]

    def value(turn: int, state: RollersState) -> float:
        mine, theirs = number_of(state.boards[turn]), number_of(state.boards[1 - turn])
        at = (mine, theirs) if turn == 0 else (theirs, mine)
        assert solve.done[at]
        return 0.5 + 0.5 * float(solve.values[turn if len(solve.ends) == 2 else 0, mine, theirs, state.chips[turn]])

    def worth(before: RollersState, after: RollersState) -> float:
        if after.scores != before.scores:
            return chance_of(after, 0, seat)
        return 1.0 - value(1 - seat, after)

    start = RollersState(options, boards, both, scores, 0, CHANCE, seat, 0, (), (), ())
    assert play_out(start, worth) == pytest.approx(value(seat, start), abs=1e-8)


LATE = ((2, 2, 2, 2, 1), (2, 2, 2, 1, 2))
LESS_LATE = ((2, 2, 2, 2, 0), (2, 2, 1, 1, 2))


@pytest.mark.parametrize(
    ("needs", "seat", "boards", "chips", "options"),
    [
        ((1, 1), 0, LATE, 55, RollersOptions()),
        ((1, 1), 1, LATE, 40, RollersOptions()),
        ((1, 3), 1, LATE, 55, RollersOptions()),
        ((1, 3), 1, LATE, 55, RollersOptions(chip_tie="share")),
        ((2, 3), 0, LESS_LATE, 50, RollersOptions(chip_tie="share")),
        ((5, 3), 1, LESS_LATE, 0, RollersOptions()),
        ((4, 5), 0, LATE, 3, RollersOptions(saved_dice="locked")),
    ],
)
def test_a_turn_of_the_rules_reproduces_the_table(
    needs: Needs, seat: int, boards: tuple[Board, Board], chips: int, options: RollersOptions
) -> None:
    check_turn(needs, seat, boards, chips, options)
