"""BJ's dice, solved: brute force on short games, the equations along games, bounds, and positions from nowhere."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from random import Random

import pytest

from hotdice.dice import Roll
from hotdice.game import CHANCE, OVER, State
from hotdice.games import parse_position
from hotdice.games.bj import BJ, BjOptions, BjState
from hotdice.games.bj.rules import PASS, ROLL, TOSSES, read_toss
from hotdice.games.bj.solving import BjSolver
from hotdice.games.bj.solving.evaluator import BjEvaluator
from hotdice.games.bj.solving.solver import solve, tables
from hotdice.values import NotSolved, Unit
from tests.solve import expectimax

RULES = [BjOptions(dice=dice, bust=bust) for dice in (6, 5) for bust in ("any", "all_dice")]
pytestmark = pytest.mark.usefixtures("own_tables")


@cache
def _exact(options: BjOptions) -> BjEvaluator:
    return BjEvaluator(options, tables(options))


_readings = [expectimax.by_reading(outcomes, read_toss) for outcomes in TOSSES]
"""By number of dice."""


def _rolls(state: State) -> list[tuple[Roll, int]]:
    assert isinstance(state, BjState)
    return _readings[state.dice]


@pytest.mark.parametrize("options", RULES, ids=lambda options: options.text)
@pytest.mark.parametrize(("target", "cap"), [(0, 900), (150, 600)])
def test_brute_force_finds_the_same_values(options: BjOptions, target: int, cap: int) -> None:
    options = replace(options, target=target)
    exact = _exact(options)

    def far(state: State) -> float | None:
        assert isinstance(state, BjState)
        beyond = max(state.scores) > cap or state.at_risk + state.safe + state.scores[state.roller] > cap
        return exact.expected(state, 0) if beyond else None

    graph = expectimax.explore([BJ.start(2, options)], frontier=far, rolls=_rolls)
    values = expectimax.solve(graph)
    assert len(values) > 300
    assert max(abs(exact.expected(state, 0) - value) for state, value in values.items()) < 1e-9
    # Whatever the frontier is worth, the values lie between those with none of it and with all of it.
    for worth in (0.0, 1.0):
        ends = {number: value if graph.states[number].seat == OVER else worth for number, value in graph.ends.items()}
        for state, value in expectimax.solve(replace(graph, ends=ends)).items():
            assert (exact.expected(state, 0) - value) * (0.5 - worth) >= -1e-9


@pytest.mark.parametrize("options", RULES, ids=lambda options: options.text)
def test_the_equations_hold_along_games(options: BjOptions) -> None:
    options = replace(options, target=1000)
    exact = _exact(options)
    random = Random(5)
    for _ in range(8):
        state = BJ.start(2, options)
        while state.seat != OVER:
            assert isinstance(state, BjState)
            mine, theirs = exact.expected(state, 0), exact.expected(state, 1)
            assert mine + theirs == pytest.approx(1, abs=1e-12)
            if state.seat == CHANCE:
                mean = sum(weight * exact.expected(state.roll(roll), 0) for roll, weight in _rolls(state))
                assert mean / state.outcomes().total == pytest.approx(mine, abs=1e-10)
                outcomes = state.outcomes()
                state = state.roll(outcomes.at(random.randrange(outcomes.total)))
            else:
                worth = exact.expected(state, state.seat)
                assert max(exact.action_values(state, state.seat)) == pytest.approx(worth, abs=1e-10)
                state = state.apply(random.choice((ROLL, ROLL, PASS)))
        assert exact.expected(state, 0) + exact.expected(state, 1) == 1


def test_the_values_meet_their_equations_within_the_bound() -> None:
    """The proof needs each turn's value to meet its equation; here through the states, not the kernels."""
    options = BjOptions(target=500)
    exact = _exact(options)
    assert exact.error < 1e-9
    assert exact.exact
    assert exact.unit is Unit.WIN
    for own in range(0, 550, 50):
        for other in range(0, 550, 150):
            state = replace(BjState.start(options, 2), scores=(own, other))
            mean = sum(weight * exact.expected(state.roll(roll), 0) for roll, weight in _rolls(state))
            assert abs(mean / TOSSES[6].total - exact.expected(state, 0)) < 1e-13


def test_a_short_game_has_a_bound_below_1e_9_for_all_rules() -> None:
    for options in RULES:
        assert solve(replace(options, target=500))["error"][0] < 1e-9
    assert 0.5 < BjSolver().summary(BjOptions(target=500)).value < 0.6


def test_every_position_is_valued_or_refused_in_words() -> None:
    exact = _exact(BjOptions(target=500))
    with pytest.raises(NotSolved, match="last round"):
        exact.expected(replace(BjState.start(BjOptions(target=500), 2), scores=(1000, 0)), 0)
    assert exact.expected(parse_position("bj(target=500) 0/0 1 decide 3 1000000 0 -"), 0) == pytest.approx(1)
    assert exact.expected(parse_position("bj(target=500) 0/0 1 toss 6 1000000 500000 -"), 0) == pytest.approx(1)
    assert exact.expected(parse_position("bj(target=500) 1000000/0 2 toss 6 0 0 1"), 1) == pytest.approx(0)
    # Rolling on when passing wins: only a scoreless toss loses, two chances in three with one die.
    assert exact.expected(parse_position("bj(target=500) 600/400 2 toss 1 250 0 1"), 1) == pytest.approx(1 / 3)
    assert exact.expected(parse_position("bj(target=500) 600/400 2 decide 1 250 0 1"), 1) == 1
