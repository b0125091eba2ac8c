"""The moments that mattered, in games small enough to be worked out by hand or by brute force."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

from hotdice import load_game
from hotdice.dice import ManualDice, SeededDice
from hotdice.game import CHANCE, Move, State
from hotdice.games.pig import PigState
from hotdice.games.rollers.solving.rollouts import RollersRollouts
from hotdice.moments import CHOICE, LUCK, SCORE, Moment, moments
from hotdice.record import parse_record
from hotdice.solve.rollouts import RolloutEvaluator
from hotdice.table import Moved, Seat, Table
from tests.solve import expectimax

HAND_MADE = """\
hotdice record 1
game: pig(target=2)
date: 2026-11-15
seat 1: Ann (person)
seat 2: Bob (person)
dice: manual

1 rolls 1
2 rolls 3
2 roll
2 rolls 1
1 rolls 6
1 hold
result: winner 1; scores 6 0
"""
"""First to 2, so any roll but a 1 wins by holding. Whoever is to roll wins with a chance V = 5/6 + 1/6 (1 - V), which
is 6/7; to roll once more instead of holding gives that chance for a certain win."""
V = Fraction(6, 7)


def swings(found: tuple[Moment, ...]) -> list[tuple[int, int, str, float, str]]:
    return [(one.event, one.seat, one.kind, one.swing, one.better) for one in found]


def test_a_game_worked_out_by_hand() -> None:
    expected = [
        (0, 0, LUCK, float(1 - V - V), ""),  # to the other's turn
        (1, 1, LUCK, float(1 - V), ""),
        (2, 1, CHOICE, float(V - 1), "holding"),
        (3, 1, LUCK, float(1 - V - V), ""),
        (4, 0, LUCK, float(1 - V), ""),
    ]
    found = moments(parse_record(HAND_MADE))
    assert [one[:3] for one in swings(found)] == [one[:3] for one in expected]
    assert [one.swing for one in found] == pytest.approx([one[3] for one in expected], abs=1e-9)
    assert [one.better for one in found] == [one[4] for one in expected]
    assert {one.unit for one in found} == {"win probability"}
    assert all(0 <= one.error < 1e-8 for one in found)
    assert found[2].told == "Bob rolls again."
    assert found[3].told == "Bob rolls a 1 and loses the 3 of this turn."


def test_the_biggest_come_in_the_order_of_play() -> None:
    found = moments(parse_record(HAND_MADE), most=2)
    assert [one.event for one in found] == [0, 3]
    assert moments(parse_record(HAND_MADE), most=0) == ()


def test_the_best_choice_is_no_moment() -> None:
    assert 5 not in [one.event for one in moments(parse_record(HAND_MADE), most=100)]


class Careless:
    """Rolls or holds as it likes, but takes a win."""

    kind = "careless"

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)

    def choose(self, state: State) -> Move:
        roll, hold = state.legal_moves()
        return hold if _won_by_holding(state) is not None else self._random.choice((roll, hold))


def _won_by_holding(state: State) -> float | None:
    """What a decision is worth to the first seat where holding wins."""
    assert isinstance(state, PigState)
    wins = state.seat >= 0 and state.scores[state.seat] + state.total >= state.options.target
    return float(state.seat == 0) if wins else None


def test_a_game_worked_out_by_brute_force() -> None:
    start = load_game("pig").start(2, {"target": 8})
    first = expectimax.solve(expectimax.explore([start], frontier=_won_by_holding))
    table = Table(start, [Seat("Ann", Careless(3)), Seat("Bob", Careless(4))], SeededDice(7))
    table.run()
    values = [first[state] for state in table.states[:-1]]
    values.append(expectimax.win(table.state))
    expected: dict[int, float] = {}
    for index, event in enumerate(table.events):
        swing = values[index + 1] - values[index]
        if abs(swing) > 1e-9:
            expected[index] = swing if event.seat == 0 else -swing
    found = moments(table, most=1000)
    assert [one.event for one in found] == list(expected)
    assert [one.swing for one in found] == pytest.approx(list(expected.values()), abs=1e-8)
    assert any(one.kind == CHOICE for one in found)
    for one in found:
        assert (one.kind == CHOICE) == isinstance(table.events[one.event], Moved)
        assert bool(one.better) == (one.kind == CHOICE)


def test_a_table_and_its_record_have_the_same_moments() -> None:
    record = parse_record(HAND_MADE)
    table = record.table([Seat("Ann"), Seat("Bob")])
    assert moments(table) == moments(record)


def test_without_values_the_scores_are_compared() -> None:
    """Pig is solved for two players, not for three."""
    table = Table(load_game("pig").start(3, {"target": 5}), [Seat("Ann"), Seat("Bob"), Seat("Cy")], ManualDice())
    for typed in ("3", "hold", "1", "4", "hold", "2", "hold"):
        state = table.state
        if state.seat == CHANCE:
            table.roll(state.parse_roll(typed))
        else:
            table.play(state.parse_move(typed))
    found = moments(table)
    assert swings(found) == [
        (1, 0, CHOICE, 3.0, ""),
        (4, 2, CHOICE, 4.0, ""),
        (6, 0, CHOICE, 2.0, ""),
    ]
    assert {one.unit for one in found} == {SCORE}
    assert [one.event for one in moments(table, most=1)] == [4]


def test_a_penalty_in_kor_lowers_the_score_of_whoever_serves_it() -> None:
    """For three players KOR's values are sampled, which would take minutes for a whole game."""
    assert RolloutEvaluator.sampled
    assert RollersRollouts.sampled
    table = Table(load_game("kor").start(3, {"target": 25_000}), [Seat("Ann"), Seat("Bob"), Seat("Cy")], ManualDice())
    for typed in ("S D U 25 50 100", "U U U S D", "target 3", "S D U 25 50 50", "S S S D U"):
        state = table.state
        if state.seat == CHANCE:
            table.roll(state.parse_roll(typed))
        else:
            table.play(state.parse_move(typed))
    assert swings(moments(table)) == [(1, 0, LUCK, 100.0, ""), (4, 2, LUCK, -50.0, "")]


def test_nothing_has_mattered_before_anything_has_happened() -> None:
    assert moments(Table(load_game("pig").start(2, {"target": 8}), [Seat("Ann"), Seat("Bob")], ManualDice())) == ()
