"""Values in words: what is best, what is about equal, and what a bot says of its choice."""

from __future__ import annotations

import pytest

from hotdice import load_game
from hotdice.games.pig import HOLD, ROLL
from hotdice.solve.words import because, hint, worth
from hotdice.values import Evaluation, Unit, Valued

STATE = load_game("pig").start().roll((3,))


def found(first: float, second: float, error: float, *, exact: bool = False, unit: Unit = Unit.WIN) -> Evaluation:
    best = Valued(ROLL, first, error, 0.0, 0.0, True)
    other = Valued(HOLD, second, error, first - second, 2 * error, first == second)
    return Evaluation(unit, 0, (best, other), first, error, exact)


def test_exact_values_are_told_apart_however_close_they_are() -> None:
    evaluation = found(0.6234, 0.6229, 1e-9, exact=True)
    assert hint(STATE, evaluation) == "Rolling is best: 62.34% to win, against 62.29% for holding."


def test_values_whose_errors_overlap_are_about_equal() -> None:
    assert hint(STATE, found(0.62, 0.59, 0.02)) == "Rolling and holding are about equal: about 62% to win."
    assert hint(STATE, found(0.62, 0.57, 0.02)) == "Rolling is best: about 62% to win, against 57% for holding."
    assert hint(STATE, found(0.62, 0.57, 0.02), short=True) == "Rolling is best: about 62% to win."
    equal = hint(STATE, found(0.62, 0.59, 0.02), short=True)
    assert equal == "Rolling is about as good as one other: about 62% to win."
    assert hint(STATE, found(0.62, 0.57, 0.002)) == "Rolling is best: about 62.0% to win, against 57.0% for holding."
    assert hint(STATE, found(0.5, 0.5, 0.0, exact=True)).startswith("Rolling is as good as holding: 50.0%")
    close, far = (Valued(ROLL, value, 0.02, 0.62 - value, 0.04, False) for value in (0.59, 0.57))
    assert close.alike
    assert not far.alike


def test_several_may_be_about_equal() -> None:
    moves = ((ROLL, 0.3), (HOLD, 0.29), (HOLD, 0.28))
    lines = tuple(Valued(move, value, 0.05, 0.3 - value, 0.1, False) for move, value in moves)
    told = hint(STATE, Evaluation(Unit.WIN, 0, lines, 0.3, 0.05, False))
    assert told == "Rolling and holding are about equal, and so is one more: about 30% to win."
    told = hint(STATE, Evaluation(Unit.WIN, 0, (*lines, lines[-1]), 0.3, 0.05, False))
    assert "and so are 2 more" in told


@pytest.mark.parametrize(
    ("value", "words"),
    [(0.352, "0.352 points ahead"), (-0.352, "0.352 points behind"), (0.0002, "even")],
)
def test_points_of_a_round_are_ahead_or_behind(value: float, words: str) -> None:
    assert worth(value, Unit.ROUND_POINTS) == f"{words} in this round"


def test_a_bot_says_what_speaks_for_its_choice_or_against_it() -> None:
    clear = found(0.62, 0.57, 0.002)
    assert because(STATE, ROLL, clear) == "it is best: 62.0% to win, against 57.0% for holding"
    assert because(STATE, HOLD, clear) == "rolling would be better: 62.0% to win, against 57.0%"
    close = found(0.62, 0.59, 0.02)
    assert because(STATE, HOLD, close) == "rolling is about as good: 59.0% to win"
    assert because(STATE, ROLL, close) == "holding is about as good: 62.0% to win"
    alone = Evaluation(Unit.WIN, 0, clear.lines[:1], 0.62, 0.002, False)
    assert because(STATE, ROLL, alone) == "there is nothing else to do"
