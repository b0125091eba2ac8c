"""Values in words: what is best, what is about equal, and what a bot says of its choice."""

from __future__ import annotations

import pytest

from hotdice import load_game
from hotdice.games.pig import HOLD, ROLL
from hotdice.solve.words import because, difference, hint, prospect, worth
from hotdice.values import Evaluation, Measure, Prospect, Unit, Valued

STATE = load_game("pig").start().roll((3,))


def found(first: float, second: float, error: float, *, exact: bool = False, unit: Unit = Unit.WIN) -> Evaluation:
    best = Valued(ROLL, first, error, 0.0, 0.0, True)
    other = Valued(HOLD, second, error, first - second, 2 * error, first == second)
    return Evaluation(unit, 0, (best, other), first, error, exact)


def test_exact_values_are_told_apart_however_close_they_are() -> None:
    evaluation = found(0.6234, 0.6229, 1e-9, exact=True)
    assert hint(STATE, evaluation) == "Rolling is best: 62.34% to win, against 62.29% for holding."


def test_values_whose_errors_overlap_are_about_equal() -> None:
    assert hint(STATE, found(0.62, 0.59, 0.02)) == "Rolling and holding are about equal: about 62% to win (± 2.0%)."
    told = "Rolling is best: about 62% to win (± 2.0%), against 57% for holding, which is 5.0% less (± 4.0%)."
    assert hint(STATE, found(0.62, 0.57, 0.02)) == told
    assert hint(STATE, found(0.62, 0.57, 0.02), short=True) == "Rolling is best: about 62% to win."
    equal = hint(STATE, found(0.62, 0.59, 0.02), short=True)
    assert equal == "Rolling is about as good as one other: about 62% to win."
    told = "Rolling is best: about 62.0% to win (± 0.2%), against 57.0% for holding, which is 5.0% less (± 0.4%)."
    assert hint(STATE, found(0.62, 0.57, 0.002)) == told
    assert hint(STATE, found(0.5, 0.5, 0.0, exact=True)).startswith("Rolling is as good as holding: 50.0%")
    close, far = (Valued(ROLL, value, 0.02, 0.62 - value, 0.04, False) for value in (0.59, 0.57))
    assert close.alike
    assert not far.alike


def test_several_may_be_about_equal() -> None:
    moves = ((ROLL, 0.3), (HOLD, 0.29), (HOLD, 0.28))
    lines = tuple(Valued(move, value, 0.05, 0.3 - value, 0.1, False) for move, value in moves)
    told = hint(STATE, Evaluation(Unit.WIN, 0, lines, 0.3, 0.05, False))
    assert told == "Rolling and holding are about equal, and so is one more: about 30% to win (± 5.0%)."
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


# Prospects


def points(**boxes: float) -> list[Prospect]:
    return [Prospect(name, f"in {name.title()}", Measure.POINTS, value) for name, value in boxes.items()]


def test_what_two_moves_bring_is_told_by_the_largest_differences_first() -> None:
    these = points(aces=2.0, straight=8.0, flush=3.0, kismet=12.0)
    those = points(kismet=9.9, flush=3.0, straight=8.3, aces=2.1)
    assert difference(these, those) == "+2.1 in Kismet, −0.3 in Straight"
    assert difference(those, these) == "−2.1 in Kismet, +0.3 in Straight"
    assert difference(these, those, most=1) == "+2.1 in Kismet"
    assert difference(these, these) == ""
    assert difference(these, []) == ""


def test_chances_turns_and_chips_are_more_or_less() -> None:
    def found(bust: float, turns: float, chips: float, score: float) -> list[Prospect]:
        return [
            Prospect("bust", "risk of a bust", Measure.CHANCE, bust),
            Prospect("turns", "turns to a full board", Measure.TURNS, turns),
            Prospect("chips", "chips", Measure.CHIPS, chips),
            Prospect("points", "points this turn", Measure.POINTS, score),
        ]

    these, those = found(0.312, 3.25, 50.0, 700.0), found(0.43, 3.0, 55.5, 450.0)
    told = "12% less risk of a bust, 0.2 more turns to a full board, 5.5 fewer chips"
    assert difference(these, those) == told
    assert difference(these, those, most=4) == f"{told}, +250 points this turn"
    assert [prospect(one) for one in these] == [
        "31% risk of a bust",
        "3.2 turns to a full board",
        "50.0 chips",
        "700 points this turn",
    ]
    assert difference(found(0.1234, 0, 0, 0), found(0.1, 0, 0, 0)) == "2.3% more risk of a bust"
    assert difference(found(0.1234, 0, 0, 0), found(0.1232, 0, 0, 0)) == ""


def test_a_difference_within_its_error_is_not_told() -> None:
    sure, vague = (
        [Prospect("turns", "turns to go", Measure.TURNS, value, error)] for value, error in ((3.0, 0.0), (3.4, 0.15))
    )
    assert difference(vague, sure) == "0.4 more turns to go"
    assert difference(vague, [Prospect("turns", "turns to go", Measure.TURNS, 3.0, 0.15)]) == ""
