"""Rollouts of Rollers: against exact values of two players, fair on average, reproducible, and never confused."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from hotdice import parse_position
from hotdice.game import CHANCE, OVER, Move
from hotdice.games.rollers import ROLLERS, Apply
from hotdice.games.rollers.rules import CHIPS, ROLLS, STOP, Board, RollersOptions
from hotdice.games.rollers.solving import RollersSolver, playing, rollouts
from hotdice.games.rollers.solving.boards import number_of
from hotdice.games.rollers.solving.equity import round_stakes
from hotdice.games.rollers.solving.guide import EXACT, Aims, Players, guide_of
from hotdice.games.rollers.solving.lanes import Floats
from hotdice.games.rollers.solving.playing import NO_LOG, Choice, Rollouts, Root
from hotdice.games.rollers.solving.rollouts import RollersRollouts
from hotdice.games.rollers.solving.tables import RoundSolve, race, solve_round
from hotdice.games.rollers.state import RollersState
from hotdice.solve import store
from hotdice.solve.rollouts import Sampling, without_luck
from hotdice.values import Evaluation, Unit, Worth
from tests.solve.test_rollers_playing import made_up, random_position

LATE = 15
"""The least progress of two boards that are solved here."""


@pytest.fixture(autouse=True)
def own_cache(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """No test uses or leaves tables in the user's cache."""
    monkeypatch.setattr(store, "folder", lambda: tmp_path_factory.getbasetemp() / "tables")


@cache
def late() -> RoundSolve:
    return solve_round(False, lowest=LATE, threads=1)


def rounds_from(values: Floats, boards: tuple[Board, Board], chips: int, count: int) -> tuple[Floats, Floats]:
    """The points of rounds from a position of two, played for them, and the luck in them."""
    full, aims = playing.full_turn(False), Aims(guide_of(values, race(False), [EXACT, EXACT]), round_stakes(2, False))
    players = Players(np.array([number_of(board) for board in boards]), np.array([chips, 2 * CHIPS - chips]))
    ahead = playing.work_memory(full)
    playing.fill(full, aims, players, 0, ahead, 0)
    playing.look_ahead(full, ahead)
    results, luck = np.zeros((2, 1, count, 2))
    playing.play_out(
        full, aims, Root(players, 0, ahead), np.array([Choice(-1, ROLLS)]), playing.work_memory(full),
        Rollouts(7, 0, results, luck, NO_LOG),
    )  # fmt: skip
    return results[0, :, 0], luck[0]


POSITIONS = [
    ((2, 2, 2, 2, 1), (2, 2, 2, 2, 1), 55),
    ((2, 2, 2, 2, 0), (2, 2, 2, 1, 2), 40),
    ((1, 2, 2, 2, 2), (2, 2, 0, 2, 1), 3),
    ((2, 2, 1, 2, 1), (0, 2, 2, 1, 2), 70),
    ((2, 1, 2, 0, 2), (2, 2, 2, 2, 0), 105),
]


@pytest.mark.parametrize(("mine", "theirs", "chips"), POSITIONS)
def test_rounds_of_two_bring_what_the_table_says(mine: Board, theirs: Board, chips: int) -> None:
    """The mean of plain results is the exact value; less the luck, every single one is, as the policy is exact."""
    solve = late()
    results, luck = rounds_from(solve.values[0], (mine, theirs), chips, 2000)
    exact = solve.values[0, number_of(mine), number_of(theirs), chips]
    assert abs(results.mean() - exact) < 4 * results.std() / 2000**0.5
    assert results - luck[:, 0] + luck[:, 1] == pytest.approx(exact, abs=1e-6)


@cache
def many(players: int, saved_dice: str = "free", solved: bool = True) -> RollersRollouts:
    table = made_up() if solved else None
    return RollersRollouts(RollersOptions(saved_dice=saved_dice), players, table)


def solved_alike(players: int) -> RollersRollouts:
    """Rollouts by the race, which play sensibly without a table."""
    return many(players, "free", False)


@pytest.mark.parametrize("players", [3, 5])
def test_luck_is_zero_on_average_and_explains_most(players: int) -> None:
    evaluator = solved_alike(players)
    rng = random.Random(1)
    for _ in range(2):
        state = random_position(rng, players, RollersOptions(), (0,) * players)
        sample = evaluator.sampler(state, np.array([Choice(-1, ROLLS)]), state.roller, 1)
        results, luck = sample(np.array([0]), 0, 800)
        for seat in range(players):
            series = luck[0, :, seat]
            assert abs(series.mean()) < 4 * series.std() / 800**0.5 + 1e-12
        assert without_luck(results[0], luck[0]).var() < 0.7 * results[0].var()


def first_decision(players: int, dice: tuple[int, ...] = (1, 3, 3, 6, 6, 12)) -> RollersState:
    start = RollersState(
        RollersOptions(), ((0, 0, 0, 0, 0),) * players, (CHIPS,) * players, (0,) * players, 0, CHANCE, 1, 0, (), (), ()
    )  # fmt: skip
    return start.roll(dice)


def check_contract(state: RollersState, found: Evaluation) -> None:
    actions = state.outcomes().rolls if state.seat == CHANCE else state.legal_moves()
    assert {line.action for line in found.lines} == set(actions)
    assert len(found.lines) == len(actions)
    values = [line.value for line in found.lines]
    assert values == sorted(values, reverse=True)
    assert (found.unit, found.exact) == (Unit.WIN, False)
    assert found.lines[0].tied
    assert all(0 <= line.value <= 1 and 0 <= line.error < 0.1 for line in found.lines)
    if state.seat != CHANCE:
        assert found.value == values[0]


@pytest.mark.parametrize("players", [3, 4, 5])
def test_every_move_and_roll_is_listed_with_its_error(players: int) -> None:
    evaluator = solved_alike(players)
    state = first_decision(players)
    found = evaluator.evaluate(state)
    check_contract(state, found)
    assert 1 / players < found.value < 1 / players + 0.2  # two STARs and two 3s to begin with
    check_contract(state.apply(STOP), evaluator.evaluate(state.apply(STOP)))
    before = RollersState(
        state.options, state.boards, state.chips, state.scores, 0, CHANCE, state.roller, 0, (), (), ()
    )  # fmt: skip
    rolls = evaluator.evaluate(before)
    check_contract(before, rolls)
    assert evaluator.value(before, state.roller) == Worth(rolls.value, rolls.error, Unit.WIN, exact=False)
    everybody = [evaluator.expected(before, seat) for seat in range(players)]
    assert sum(everybody) == pytest.approx(1.0, abs=0.05)


def test_values_are_reproducible() -> None:
    state = first_decision(3)
    one = RollersRollouts(RollersOptions(), 3, None).evaluate(state)
    other = RollersRollouts(RollersOptions(), 3, None).evaluate(state)
    assert one == other


def test_rollouts_stop_when_they_are_precise_or_enough() -> None:
    evaluator, state = solved_alike(3), first_decision(3)
    moves: list[Move | None] = list(state.legal_moves()[:2])
    usual = Sampling.of(state, None, None)
    rough = evaluator.estimates(state, moves, state.seat, usual)
    assert rough.rollouts.max() <= rollouts.MOST // 3
    early = evaluator.estimates(state, moves, state.seat, replace(usual, precision=0.05))
    assert early.rollouts.max() == rollouts.BATCH


def test_what_ends_the_match_is_known() -> None:
    """At four points the last section wins the match, if nobody else with four has the most chips."""
    boards = ((2, 2, 2, 2, 1), (2, 0, 0, 0, 0), (0, 0, 0, 0, 0))
    evaluator = solved_alike(3)
    for points, wins in (((4, 0, 0), 1.0), ((4, 4, 0), 0.0)):
        state = RollersState(
            RollersOptions(), boards, (50, 65, 50), points, 0, 0, 0, ROLLS, (), (1, 1, 1, 2, 5, 12), ()
        )  # fmt: skip
        lines = {line.action: line for line in evaluator.evaluate(state).lines}
        ends = lines[Apply((0, 0, 0, 0, 1))]
        assert (ends.value, ends.error) == (wins, 0.0)
        assert ends.tied == (wins == 1.0)
        after = state.apply(Apply((0, 0, 0, 0, 1)))
        assert [evaluator.expected(after, seat) for seat in range(3)] == [wins, 1 - wins, 0]


def test_a_sure_winner_ends_the_match() -> None:
    """Several applications complete the board with the most chips at four points; nothing may come before them."""
    state = parse_position("rollers 22221/00000/00000 60/50/55 4/4/4 1 1 3 - 1,2,3,5,5,b5")
    found = solved_alike(3).evaluate(state)
    best = found.lines[0].action
    assert isinstance(best, Apply)
    after = state.apply(best)
    assert after.result is not None
    assert after.result.winners == (0,)
    assert (found.value, found.error) == (1.0, 0.0)


def test_nobody_begins_yet() -> None:
    found = solved_alike(3).evaluate(ROLLERS.start(3))
    assert found.value == pytest.approx(1 / 3)
    assert len(found.lines) == 6


@pytest.mark.parametrize(("players", "saved_dice"), [(3, "free"), (3, "locked"), (5, "free")])
def test_a_whole_match_can_be_played(players: int, saved_dice: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("FEW", 2), ("BATCH", 16), ("MOST", 16)):
        monkeypatch.setattr(rollouts, name, value)
    options = RollersOptions(saved_dice=saved_dice, target_points=2 if saved_dice == "free" else 1)
    evaluator = RollersSolver().evaluator(options, players)
    rng = random.Random(players)
    state = ROLLERS.start(players, options)
    while state.seat != OVER:
        if state.seat == CHANCE:
            state = state.roll(rng.choices(state.outcomes().rolls, state.outcomes().weights)[0])
        else:
            best = evaluator.evaluate(state).lines[0].action
            assert isinstance(best, Move)
            state = state.apply(best)
    assert sum(evaluator.expected(state, seat) for seat in range(players)) == 1.0
