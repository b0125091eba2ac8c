"""KOR, solved: brute force on short games under every option, the equations along games, bounds, odd positions.

Short games are solved on smaller grids, which leave out turns that have a chance of 1e-7 at most and very low scores.
That is what the tolerances allow for.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import product
from random import Random

import numpy as np
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
from hotdice.games.kor.solving.turns import turn_law
from hotdice.values import NotSolved, Unit
from tests.games.naive_kor import NaiveKor, fallen
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
    split = parse_position(f"{name} -150/0 1 1 stop+dead-end 6 200 -")
    assert plain.expected(split, 0) == 1
    assert plain.evaluate(split).lines[0].value == 1
    name = KOR.text(RULES[2])
    with pytest.raises(NotSolved, match="final round"):
        final.expected(replace(KorState.start(RULES[2], 2), scores=(500, 0), leader=0), 0)
    with pytest.raises(NotSolved, match="above"):
        final.expected(parse_position(f"{name} 500000/0 2 2 toss 6 0 1"), 0)
    assert final.expected(parse_position(f"{name} 1000/0 2 2 toss 6 0 1"), 0) > 0.9


@pytest.mark.parametrize("scoring", ["highest", "all"])
@pytest.mark.parametrize("bank_roll", [False, True])
def test_the_law_of_a_turn_by_exact_equations(scoring: str, bank_roll: bool) -> None:
    """By the tosses of an independent model: what a turn comes to with each number of dice, as linear equations."""
    chances = np.zeros((7, 7))  # how a turn goes on, by dice
    ends = np.zeros((7, 4))  # by a DEAD END (1), a U-TURN (2), a split (3)
    counted = np.zeros((7, 7))  # the points of tosses that go on
    for dice in range(1, 7):
        for toss, ways in fallen(dice).items():
            model = NaiveKor(2, bank_roll=bank_roll, scoring=scoring)
            model.hand = dice
            model.toss(toss)
            chance = ways / 6**dice
            if model.signs:
                ends[dice, 3] += chance
            elif model.naming:
                ends[dice, 2] += chance
            elif model.who == 0:
                chances[dice, model.hand] += chance
                counted[dice, model.hand] += chance * (model.pot + model.scores[0])
            elif sum(face == "DEAD-END" for face in toss) > 2:
                ends[dice, 1] += chance
    visits = np.linalg.inv(np.eye(7) - chances)
    dead, u_turn, split = (visits @ ends[:, column] for column in (1, 2, 3))
    # Points count unless a DEAD END comes first; a Bank Roll, the only way from six dice to six, makes them safe.
    without = chances.copy()
    without[6, 6] = 0.0
    lost = np.linalg.inv(np.eye(7) - without) @ ends[:, 1]
    lost_after = np.tile(lost, (7, 1))
    lost_after[6, 6] = 0.0
    kept = (counted * (1 - lost_after)).sum(1)
    law = turn_law(KorOptions(bank_roll=bank_roll, scoring=scoring))
    assert law.points == pytest.approx(float((visits @ kept)[6]), abs=1e-9)
    assert (law.dead_end, law.u_turn, law.split) == pytest.approx((dead[6], u_turn[6], split[6]), abs=1e-12)
