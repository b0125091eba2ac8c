"""KOR, solved: brute force on short games under every option, the equations along games, bounds, odd positions.

Short games are solved on smaller grids, which leave out turns that have a chance of 1e-7 at most and very low scores.
That is what the tolerances allow for.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import product
from random import Random

import pytest

from hotdice.dice import Roll
from hotdice.game import CHANCE, OVER, State
from hotdice.games import parse_position
from hotdice.games.kor import KOR, KorOptions, KorState
from hotdice.games.kor.rules import TOSSES, read_toss
from hotdice.games.kor.solving import KorSolver
from hotdice.games.kor.solving.evaluator import KorEvaluator
from hotdice.games.kor.solving.proof import Proof
from hotdice.games.kor.solving.solver import HIGHEST, solve
from hotdice.values import NotSolved, Unit
from tests.solve import expectimax

RULES = [
    KorOptions(bank_roll=bank_roll, final_round=final_round, scoring=scoring, target=target)
    for (bank_roll, final_round, scoring), target in zip(
        product((False, True), (False, True), ("highest", "all")), (50, 100, 75, 50, 150, 100, 75, 50), strict=True
    )
]
TOLERANCE = 2e-6


@cache
def _exact(options: KorOptions) -> KorEvaluator:
    precision, rare = (5e-2, 1e-7) if options.final_round else (1e-4, 1e-9)
    return KorEvaluator(options, solve(options, precision=precision, rare=rare))


_readings = [expectimax.by_reading(outcomes, read_toss) for outcomes in TOSSES]
"""By number of dice."""


def _rolls(state: State) -> list[tuple[Roll, int]]:
    assert isinstance(state, KorState)
    return _readings[state.dice]


@pytest.mark.parametrize("options", RULES, ids=lambda options: options.text)
def test_brute_force_finds_the_same_values(options: KorOptions) -> None:
    exact = _exact(options)
    low, high, most = -25, options.target + 25, 75

    def far(state: State) -> float | None:
        assert isinstance(state, KorState)
        beyond = min(state.scores) < low or max(state.scores) > high or state.points > most
        return exact.expected(state, 0) if beyond else None

    graph = expectimax.explore([KOR.start(2, options)], frontier=far, rolls=_rolls)
    values = expectimax.solve(graph)
    assert len(values) > 1000
    assert max(abs(exact.expected(state, 0) - value) for state, value in values.items()) < TOLERANCE
    # Whatever the frontier is worth, the values lie between those with none of it and with all of it.
    for worth in (0.0, 1.0):
        ends = {number: value if graph.states[number].seat == OVER else worth for number, value in graph.ends.items()}
        for state, value in expectimax.solve(replace(graph, ends=ends)).items():
            assert (exact.expected(state, 0) - value) * (0.5 - worth) >= -TOLERANCE


@pytest.mark.parametrize("options", RULES, ids=lambda options: options.text)
def test_the_equations_hold_along_games(options: KorOptions) -> None:
    exact = _exact(options)
    random = Random(3)
    for _ in range(6):
        state = KOR.start(2, options)
        while state.seat != OVER:
            mine, theirs = exact.expected(state, 0), exact.expected(state, 1)
            assert mine + theirs == pytest.approx(1, abs=1e-12)
            if state.seat == CHANCE:
                mean = sum(weight * exact.expected(state.roll(roll), 0) for roll, weight in _rolls(state))
                outcomes = state.outcomes()
                assert mean / outcomes.total == pytest.approx(mine, abs=TOLERANCE)
                state = state.roll(outcomes.at(random.randrange(outcomes.total)))
            else:
                worth = exact.expected(state, state.seat)
                assert max(exact.action_values(state, state.seat)) == pytest.approx(worth, abs=1e-12)
                state = state.apply(random.choice(state.legal_moves()))
        assert exact.expected(state, 0) + exact.expected(state, 1) == 1


def test_a_finer_solve_stays_within_the_bounds_of_a_coarse_one() -> None:
    for options in (KorOptions(target=100), KorOptions(target=100, bank_roll=True)):
        fine = KorEvaluator(options, solve(options, precision=1e-5, rare=1e-8))
        assert fine.start_error < 3e-5
        coarse = KorEvaluator(options, solve(options, precision=1e-3, rare=1e-6))
        for text in (
            "0/0 1 1 toss 6 0 -",
            "-500/25 1 1 toss 6 0 -",
            "0/-1000 1 2- toss 6 0 -",
            "50/0 1 1- toss 2 300 -",
        ):
            state = parse_position(f"{KOR.text(options)} {text}")
            bound = coarse.errors(state, [()])[0]
            assert abs(fine.expected(state, 0) - coarse.expected(state, 0)) <= bound
        start = KOR.start(2, options)
        assert abs(fine.expected(start, 0) - coarse.expected(start, 0)) <= coarse.start_error + fine.start_error


@pytest.mark.parametrize("options", RULES, ids=lambda options: options.text)
def test_the_proof_of_the_full_game_finds_its_constants(options: KorOptions) -> None:
    proof = Proof(replace(options, target=6000))
    assert proof.drift > 0
    assert proof.undecided < 1
    assert proof.start() + proof.everywhere(1e-13) < 1e-9


def test_every_position_is_valued_or_refused_in_words() -> None:
    with pytest.raises(NotSolved, match="target"):
        KorSolver().evaluator(KorOptions(target=HIGHEST + 25), 2)
    plain, final = _exact(RULES[0]), _exact(RULES[2])
    assert plain.exact
    assert plain.unit is Unit.WIN
    name = KOR.text(RULES[0])
    for scores in ((500, 0), (0, 500)):  # notation refuses these, so they are made by hand
        with pytest.raises(NotSolved, match="no game comes"):
            plain.expected(replace(KorState.start(RULES[0], 2), scores=scores), 0)
    with pytest.raises(NotSolved, match="below"):
        plain.expected(parse_position(f"{name} -500000/0 1 1 toss 6 0 -"), 0)
    assert plain.expected(parse_position(f"{name} 0/0 1 1 toss 3 1000000 -"), 0) > 0.6
    assert plain.expected(parse_position(f"{name} 0/0 2 1- toss 3 100000 -"), 0) < 0.4
    # A split is worth its better way.
    split = parse_position(f"{name} 0/0 1 1 stop+dead-end 6 50 -")
    assert plain.expected(split, 0) == 1
    assert plain.evaluate(split).lines[0].value == 1
    name = KOR.text(RULES[2])
    with pytest.raises(NotSolved, match="final round"):
        final.expected(replace(KorState.start(RULES[2], 2), scores=(500, 0), leader=0), 0)
    with pytest.raises(NotSolved, match="above"):
        final.expected(parse_position(f"{name} 500000/0 2 2 toss 6 0 1"), 0)
    assert final.expected(parse_position(f"{name} 1000/0 2 2 toss 6 0 1"), 0) > 0.9
