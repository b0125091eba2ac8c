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
from hotdice.record import parse_record
from hotdice.review import moments
from hotdice.review.moments import SCORE
from hotdice.review.report import CHOICE, LUCK, Moment
from hotdice.solve.rollouts import RolloutEvaluator
from hotdice.table import Moved, Seat, Table
from hotdice.values import Evaluator, Unit
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


def swings(found: tuple[Moment, ...]) -> list[tuple[int, int, int, int, str, float, str]]:
    return [(one.first, one.last, one.event, one.seat, one.kind, one.swing, one.better) for one in found]


def test_a_game_worked_out_by_hand() -> None:
    """Bob's turn is a win that he does not take (1/7 given away), after good luck (1/7) and before bad luck (-5/7)."""
    found = moments(parse_record(HAND_MADE))
    assert [one[:5] for one in swings(found)] == [(0, 0, 0, 0, LUCK), (1, 3, 3, 1, LUCK), (4, 5, 4, 0, LUCK)]
    assert [one.swing for one in found] == pytest.approx([float(1 - 2 * V), float(2 - 3 * V), float(1 - V)], abs=1e-9)
    assert {one.unit for one in found} == {"win probability"}
    assert all(0 <= one.error < 1e-8 for one in found)
    assert found[1].told == "Bob rolls a 1 and loses the 3 of this turn."
    assert found[2].told == "Ann rolls a 6, 6 this turn. Ann holds and scores 6, for 6 in all."


def test_the_biggest_come_in_the_order_of_play_with_the_last_turn() -> None:
    found = moments(parse_record(HAND_MADE), most=2)
    assert [one.event for one in found] == [0, 4]
    assert moments(parse_record(HAND_MADE), most=0) == ()


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
    expected: dict[tuple[int, str], float] = {}
    first_of = 0
    for index, event in enumerate(table.events):
        if index and event.seat != table.events[index - 1].seat:
            first_of = index
        swing = (values[index + 1] - values[index]) * (1 if event.seat == 0 else -1)
        kind = CHOICE if isinstance(event, Moved) else LUCK
        expected[first_of, kind] = expected.get((first_of, kind), 0.0) + swing
    found = moments(table, most=1000)
    assert any(one.kind == CHOICE for one in found)
    for one in found:
        assert one.swing == pytest.approx(expected[one.first, one.kind], abs=1e-8)
        assert abs(one.swing) >= max(abs(expected.get((one.first, kind), 0.0)) for kind in (LUCK, CHOICE)) - 1e-8
        assert bool(one.better) == (one.kind == CHOICE)
        assert one.first <= one.event <= one.last
        around = [one.event - 1] if one.kind == CHOICE else []  # the dice that it was about
        ending = [one.last] if one.last > one.event else []
        assert one.told == " ".join(table.tell(index) for index in (*around, one.event, *ending))
    told = {one.first for one in found}
    assert all(abs(swing) < 1e-8 for (turn, _), swing in expected.items() if turn not in told)


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
        (0, 1, 1, 0, CHOICE, 3.0, ""),
        (3, 4, 4, 2, CHOICE, 4.0, ""),
        (5, 6, 6, 0, CHOICE, 2.0, ""),
    ]
    assert {one.unit for one in found} == {SCORE}
    assert [one.event for one in moments(table, most=2)] == [4, 6]


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
    assert swings(moments(table)) == [(0, 2, 1, 0, LUCK, 100.0, ""), (3, 4, 4, 2, LUCK, -50.0, "")]


class Rough(Evaluator):
    """Values that may be off by a fifth, in two units: points until somebody has some, then chances."""

    unit = Unit.WIN
    error = 0.2

    def expected(self, state: State, seat: int) -> float:
        return 0.5 + 0.15 * state.scores[seat]

    def unit_in(self, state: State) -> Unit:
        return Unit.WIN if any(state.scores) else Unit.ROUND_POINTS


def test_a_list_has_one_unit_and_leaves_out_what_lies_within_its_error(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("account", "judging"):
        monkeypatch.setattr(f"hotdice.review.{module}.evaluator_for", lambda *_: Rough())
    table = Table(load_game("pig").start(2, {"target": 6}), [Seat("Ann"), Seat("Bob")], ManualDice())
    for typed in ("2", "roll", "1", "2", "hold", "2", "roll", "3", "roll", "1", "2", "roll", "4", "hold"):
        state = table.state
        if state.seat == CHANCE:
            table.roll(state.parse_roll(typed))
        else:
            table.play(state.parse_move(typed))
    found = moments(table)
    assert {one.unit for one in found} == {"win probability"}
    assert all(abs(one.swing) > one.error for one in found)
    assert [one.first for one in found] == [5]  # 0.75 given away; Bob's 0.3 is within 0.4


def test_nothing_has_mattered_before_anything_has_happened() -> None:
    assert moments(Table(load_game("pig").start(2, {"target": 8}), [Seat("Ann"), Seat("Bob")], ManualDice())) == ()
