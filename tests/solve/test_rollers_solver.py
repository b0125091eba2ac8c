"""Rollers' solver against the rules: every turn is played out on `RollersState`, die by die as the rules list them.

No figure comes from the solver alone. That a table's values reproduce themselves through turns of the rules is
checked here; that there is no other such table is proven in the solver and its condition checked there and here.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import product
from math import fsum
from pathlib import Path

import numpy as np
import pytest

from hotdice import parse_position
from hotdice.game import CHANCE, OVER, State
from hotdice.games.rollers import ROLLERS, Apply
from hotdice.games.rollers.rules import CHIPS, FULL_BOARD, Board, RollersOptions
from hotdice.games.rollers.solving import RollersSolver, match_tables, playing, tables
from hotdice.games.rollers.solving.boards import FULL, board_of, number_of
from hotdice.games.rollers.solving.equity import Needs
from hotdice.games.rollers.solving.evaluator import BROKE, GUESSED, RollersEvaluator, position_of
from hotdice.games.rollers.solving.guide import TINY, unpacked
from hotdice.games.rollers.solving.lanes import LANES, Floats, aligned
from hotdice.games.rollers.solving.lattice import full_lattice, lattice_of
from hotdice.games.rollers.solving.match import UNKNOWN, chances_for, ends_of, stakes_at
from hotdice.games.rollers.solving.match_tables import VERSION, MatchSolve, MatchTable, match_key, table_of
from hotdice.games.rollers.solving.playing import NO_LOG, Choice, Memory, Rollouts, Root
from hotdice.games.rollers.solving.race import solve_race, turn_of_uses
from hotdice.games.rollers.solving.round import WIDTH, both_turns, prepare
from hotdice.games.rollers.solving.tables import LEVELS, RoundSolve, solve_round
from hotdice.games.rollers.state import RollersState
from hotdice.solve import packing, store
from hotdice.solve.store import Tables
from hotdice.values import Unit

LOWEST = 15
"""The tests solve pairs of boards with at least this much progress: at most five steps are left in all."""
ERROR = 1e-10
SINGLE = 2e-7
"""Chances are kept as single-precision numbers."""


@pytest.fixture(autouse=True)
def own_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No test uses or leaves tables in the user's cache."""
    monkeypatch.setattr(store, "folder", lambda: tmp_path)


@cache
def late(locked: bool = False) -> RoundSolve:
    return solve_round(locked, lowest=17 if locked else LOWEST, threads=1)


@cache
def late_match(options: RollersOptions) -> MatchTable:
    """The late part of the table at 4-4, where the round ends the match and nothing else has to be known."""
    solve = MatchSolve(options, (1, 1))
    for level in LEVELS[: LEVELS.index(17 if options.saved_dice == "locked" else LOWEST) + 1]:
        solve.round.solve(solve.round.level(level))
    return table_of(Tables(solve.key, VERSION, dict(solve.arrays()), "", 0.0))


def late_evaluator(options: RollersOptions | None = None) -> RollersEvaluator:
    """An evaluator that has the late part of the table at 4-4."""
    options = options or RollersOptions()
    evaluator = RollersEvaluator(options, 2, None)
    evaluator._matches[1, 1] = late_match(options)
    return evaluator


def position(
    mine: Board, theirs: Board, chips: int, options: RollersOptions | None = None, points: tuple[int, int] = (4, 4)
) -> RollersState:
    """The first seat's turn before its first roll."""
    both = (chips, 2 * CHIPS - chips)
    return RollersState(options or RollersOptions(), (mine, theirs), both, points, 0, CHANCE, 0, 0, (), (), ())


def play_out(state: RollersState, worth: Callable[[RollersState, RollersState], float]) -> float:
    """The value of a turn by the rules alone; `worth` values an application by the states before and after it."""
    seen: dict[object, float] = {}

    def value(now: RollersState) -> float:
        # What is legal depends on the dice that lie there; where saved dice are locked, also on which were kept.
        kept = now.kept if now.seat == CHANCE or now.options.saved_dice == "locked" else ()
        key = (now.seat, now.rolls, kept, now.usable)
        if key not in seen:
            seen[key] = fresh(now)
        return seen[key]

    def fresh(now: RollersState) -> float:
        if now.seat == CHANCE:
            outcomes = now.outcomes()
            pairs = zip(outcomes.rolls, outcomes.weights, strict=True)
            return fsum(weight * value(now.roll(roll)) for roll, weight in pairs) / outcomes.total
        moves = now.legal_moves()
        if isinstance(moves[0], Apply):
            return max(worth(now, now.apply(move)) for move in moves)
        return max(value(now.apply(move)) for move in moves)

    return value(state)


# The race


@cache
def race(locked: bool) -> Floats:
    return solve_race(locked)


@pytest.mark.parametrize(
    ("board", "saved_dice"),
    [
        ((2, 2, 2, 2, 1), "free"),
        ((0, 0, 2, 2, 2), "free"),
        ((2, 2, 1, 0, 0), "free"),
        ((2, 0, 2, 1, 2), "locked"),
    ],
)
def test_race_reproduces_itself_through_a_turn_of_the_rules(board: Board, saved_dice: str) -> None:
    turns = race(saved_dice == "locked")

    def worth(before: RollersState, after: RollersState) -> float:
        board = before.boards[0] if after.seat == OVER else after.boards[0]
        return 0.0 if after.seat == OVER else -float(turns[number_of(board)])

    options = RollersOptions(saved_dice=saved_dice, target_points=1)
    # Against a full board nothing can be collected; the points end the match when the board is completed.
    alone = position(board, FULL_BOARD, CHIPS, options, (0, 0))
    assert 1 - play_out(alone, worth) == pytest.approx(turns[number_of(board)], abs=1e-9)


def test_race_to_the_last_die() -> None:
    """With only the 5s to close, a turn fails if no 5 and no STAR comes; all dice are rolled until one does.

    A roll fails with a ZAP, or if the five purple dice show 1 to 4 and so does the black one: the numbers are kept
    from no roll, so the three rolls are alike and independent.
    """
    fails = 1 / 6 + 5 / 6 * (4 / 6) ** 5 * 4 / 5
    # After a ZAP or a failure one may also keep a black 1 to 4 to be safe from the ZAP.
    kept = (4 / 6) ** 5

    @cache
    def lost(rolls: int, black_kept: bool) -> float:
        """The chance not to get the die in some rolls, played for the best."""
        if rolls == 0:
            return 1.0
        if black_kept:
            return min(kept * lost(rolls - 1, True), lost(rolls, False))
        number = fails - 1 / 6
        return lost(rolls - 1, False) / 6 + number * min(lost(rolls - 1, True), lost(rolls - 1, False))

    expected = 1 / (1 - lost(3, False))
    assert race(False)[number_of((2, 2, 2, 2, 1))] == pytest.approx(expected, abs=1e-9)


def test_race_is_shorter_with_free_dice() -> None:
    free, locked = race(False), race(True)
    assert (free <= locked + 1e-9).all()
    assert free[0] < locked[0]
    assert free[FULL] == 0


# The round

PAIRS = [
    ((2, 2, 2, 2, 1), (2, 2, 2, 2, 1), 55),
    ((2, 2, 2, 2, 0), (2, 2, 2, 1, 2), 40),
    ((1, 2, 2, 2, 2), (2, 2, 0, 2, 1), 3),
    ((2, 2, 1, 2, 1), (0, 2, 2, 1, 2), 70),
    ((2, 1, 2, 2, 2), (2, 2, 2, 1, 1), 0),
    ((2, 1, 2, 0, 2), (2, 2, 2, 2, 0), 109),
]


def check_turn(mine: Board, theirs: Board, chips: int, options: RollersOptions) -> None:
    solve = late(options.saved_dice == "locked")

    def worth(before: RollersState, after: RollersState) -> float:
        gained = after.scores[0] - before.scores[0] - after.scores[1] + before.scores[1]
        if after.scores != before.scores:
            return gained
        other, me = number_of(after.boards[1]), number_of(after.boards[0])
        assert solve.done[other, me]
        return -float(solve.values[0, other, me, after.chips[1]])

    expected = play_out(position(mine, theirs, chips, options, (0, 0)), worth)
    at = 0, number_of(mine), number_of(theirs), chips
    assert solve.values[at] == pytest.approx(expected, abs=ERROR)


@pytest.mark.parametrize(("mine", "theirs", "chips"), PAIRS)
def test_round_reproduces_itself_through_a_turn_of_the_rules(mine: Board, theirs: Board, chips: int) -> None:
    check_turn(mine, theirs, chips, RollersOptions())


def test_round_with_locked_dice_reproduces_itself() -> None:
    check_turn((2, 2, 2, 2, 0), (2, 2, 2, 1, 2), 50, RollersOptions(saved_dice="locked"))


def test_sharing_the_point_for_chips_changes_no_difference() -> None:
    check_turn((2, 2, 2, 2, 1), (2, 2, 2, 2, 1), 55, RollersOptions(chip_tie="share"))


def test_the_solution_is_proven() -> None:
    solve = late()
    assert 0 < solve.error < ERROR
    values = solve.values[0]
    done = values[solve.done]
    assert (np.diff(done, axis=1) >= -2 * ERROR).all()  # more chips are never worse
    tempo = values + values.transpose(1, 0, 2)[:, :, ::-1]
    assert (tempo[solve.done] > 1e-6).all()  # it is worth something to be the one to move


def test_from_above_and_below_values_meet() -> None:
    """Plain turns from the worst and the best that a round can bring come to the same end, and to the table's."""
    solve = late()
    boards = (2, 2, 2, 2, 0), (2, 2, 2, 1, 2)
    one, other = map(number_of, boards)
    first, second = solve.sides(one, other)
    prepare(first, second)
    prepare(second, first)
    for start in (-3.0, 3.0):
        values = np.full(WIDTH, start)
        for _ in range(60):
            found = np.zeros(WIDTH)
            both_turns(first, second, values, 0.0, found)
            values = found
        assert values[: 2 * CHIPS + 1] == pytest.approx(solve.values[0, other, one], abs=ERROR)


def test_an_interrupted_solve_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    class StopHere(Exception):
        pass

    def stop(done: float) -> None:
        if done > 0.003:
            raise StopHere

    with pytest.raises(StopHere):
        solve_round(False, stop, threads=1)
    again = tables._resume(False)
    assert 0.003 < np.triu(again.done).sum() / (FULL * (FULL + 1) / 2) < 0.01
    both = again.done & late().done
    assert again.values[0][both] == pytest.approx(late().values[0][both], abs=ERROR)
    assert again.error > 0


# The table of uses and the evaluator, against the rules


def random_turns(seed: int, options: RollersOptions | None = None, count: int = 40) -> list[RollersState]:
    """Decisions and chances of turns between late boards, reached by legal play at random."""
    rng = random.Random(seed)
    boards = [board_of(number) for number in range(FULL)]
    low = 17 if options and options.saved_dice == "locked" else LOWEST
    states: list[RollersState] = []
    while len(states) < count:
        mine, theirs = rng.choice(boards), rng.choice(boards)
        if sum(mine) + sum(theirs) < low:
            continue
        state = position(mine, theirs, rng.randrange(2 * CHIPS + 1), options)
        for _ in range(rng.randrange(7)):
            if state.seat == CHANCE:
                state = state.roll(rng.choice(state.outcomes().rolls))
            elif state.rolls < 3:
                state = state.apply(rng.choice(state.legal_moves()))
        states.append(state)
    return states


@pytest.mark.parametrize("saved_dice", ["free", "locked"])
def test_every_value_is_that_of_the_state_it_leads_to(saved_dice: str) -> None:
    options = RollersOptions(saved_dice=saved_dice)
    evaluator, rng = late_evaluator(options), random.Random(7)
    for state in random_turns(1, options):
        found = evaluator.evaluate(state)
        assert found.exact
        assert found.unit is Unit.WIN
        assert found.value == pytest.approx(evaluator.expected(state, 0), abs=SINGLE)
        assert evaluator.expected(state, 1) == pytest.approx(1 - found.value, abs=SINGLE)
        for line in rng.sample(found.lines, min(4, len(found.lines))):
            action = line.action
            after = state.roll(action) if isinstance(action, tuple) else state.apply(action)
            if after.seat == OVER:
                assert after.result is not None
                assert (line.value, line.error) == (float(after.result.winners == (0,)), 0.0)
            else:
                assert line.value == pytest.approx(evaluator.expected(after, 0), abs=SINGLE)


def test_a_turn_before_its_first_roll_has_the_tables_value() -> None:
    evaluator = late_evaluator()
    for state in random_turns(2):
        start = position(state.boards[0], state.boards[1], state.chips[0])
        at = number_of(start.boards[0]), number_of(start.boards[1]), start.chips[0]
        value = unpacked(late_match(RollersOptions()).values[(0, *at)])
        assert evaluator.evaluate(start).value == pytest.approx(value, abs=SINGLE)


@pytest.mark.parametrize("locked", [False, True])
def test_leaving_out_useless_dice_changes_nothing(locked: bool) -> None:
    """Programs with caps give what the program of all dice does, for values that come from useful dice only."""
    rng = np.random.default_rng(4)
    choices = [(0, 1, number + 1, 6) for number in range(1, 6)]
    for _ in range(6 if locked else 40):
        caps = tuple(int(rng.choice(choice)) for choice in choices)
        small, large = lattice_of(caps, locked), full_lattice(locked)
        prizes = {
            tuple(pool): rng.random() ** 4 if rng.random() < 0.05 else 0.0
            for pool in small.pools[small.pools[:, -1] == 0, :-1].tolist()
        }
        values = []
        for lattice in (small, large):
            work = aligned(lattice.rows * LANES)
            uses = lattice.pools[lattice.pools[:, -1] == 0, :-1].tolist()
            turn_of_uses(lattice, np.array([prizes.get(tuple(use), 0.0) for use in uses]), work)
            values.append(work[-1])
        assert values[0] == pytest.approx(values[1], abs=1e-12)


# Match point, the roll-off, and play without a table


def test_at_four_all_completing_with_fewer_chips_loses() -> None:
    evaluator = late_evaluator()
    before = position((2, 2, 2, 2, 1), (2, 2, 2, 2, 1), 30)
    state = before.roll((1, 1, 1, 1, 5, 12)).apply(ROLLERS.parse_move("stop"))
    found = evaluator.evaluate(state)
    assert (found.unit, found.exact) == (Unit.WIN, True)
    ends = found.line(Apply((0, 0, 0, 0, 1)))
    assert (ends.value, ends.error) == (0.0, 0.0)
    assert found.lines[0].action == Apply((0, 0, 0, 0, 0))
    assert 0.0 < found.lines[0].error < 1e-6
    assert evaluator.expected(state, 1) == pytest.approx(1 - found.value)


def test_before_the_table_is_solved_it_is_asked_for_and_the_error_is_wide() -> None:
    evaluator = RollersEvaluator(RollersOptions(), 2, None)
    state = position((2, 2, 2, 2, 1), (2, 2, 2, 2, 1), 30).roll((1, 1, 1, 1, 5, 12))
    found = evaluator.evaluate(state.apply(ROLLERS.parse_move("stop")))
    assert not found.exact
    assert found.line(Apply((0, 0, 0, 0, 1))).error == 0.0
    assert found.lines[0].error == GUESSED[min(state.chips) <= BROKE]
    assert store.asked(match_key(RollersOptions(), (1, 1)), VERSION) is not None
    assert store.asked(match_key(RollersOptions(), (1, 2)), VERSION) is None


@pytest.mark.parametrize("chip_tie", ["nobody", "share"])
def test_the_match_ends_as_the_rules_end_it(chip_tie: str) -> None:
    options = RollersOptions(chip_tie=chip_tie)
    evaluator = late_evaluator(options)
    decided = 0
    for points in ((4, 4), (3, 4), (4, 3), (4, 0), (3, 3), (2, 4)):
        for chips in (0, 20, 54, 55, 56, 110):
            before = position((2, 2, 2, 2, 1), (2, 2, 2, 2, 1), chips, options, points)
            state = before.roll((1, 1, 1, 1, 5, 12)).apply(ROLLERS.parse_move("stop"))
            after = state.apply(Apply((0, 0, 0, 0, 1)))
            result = after.result
            if result is not None:
                share = (0 in result.winners) / len(result.winners)
                lines = {line.action: line.value for line in evaluator.evaluate(state).lines}
                assert lines[Apply((0, 0, 0, 0, 1))] == share
                decided += 1
    assert decided > 20


def test_roll_off_gives_the_beginners_chance_by_the_chance_to_begin() -> None:
    evaluator = RollersEvaluator(RollersOptions(), 2, None)
    start = ROLLERS.start(2)
    assert isinstance(start, RollersState)
    assert evaluator.evaluate(start).value == pytest.approx(0.5, abs=1e-12)
    begins = chances_for(RollersOptions())((5, 5)).value
    # A 6 begins unless the other rolls one as well; then both roll again.
    assert evaluator.expected(start.roll((6,)), 0) == pytest.approx(begins * 5 / 6 + 0.5 / 6)
    assert evaluator.expected(start.roll((6,)), 1) == pytest.approx((1 - begins) * 5 / 6 + 0.5 / 6)


@pytest.mark.parametrize("target", [2, 5])
def test_without_a_table_a_whole_match_can_be_played(target: int) -> None:
    options = RollersOptions(target_points=target)
    evaluator = RollersSolver().evaluator(options, 2)
    rng = random.Random(2)
    state: State = ROLLERS.start(2, options)
    moves = 0
    while state.seat != OVER:
        if state.seat == CHANCE:
            state = state.roll(rng.choices(state.outcomes().rolls, state.outcomes().weights)[0])
            continue
        found = evaluator.evaluate(state)
        assert not found.exact
        action = found.lines[0].action
        assert not isinstance(action, tuple)
        state = state.apply(action)
        moves += 1
        assert moves < 1000
    won = [evaluator.value(state, seat) for seat in range(2)]
    assert sorted(worth.value for worth in won) == [0.0, 1.0]
    assert {(worth.unit, worth.error, worth.exact) for worth in won} == {(Unit.WIN, 0.0, True)}


def test_a_table_that_is_solved_meanwhile_is_taken_up() -> None:
    evaluator = RollersEvaluator(RollersOptions(), 2, None)
    state = position((2, 2, 2, 2, 1), (2, 2, 2, 2, 1), CHIPS)
    assert not evaluator.evaluate(state).exact
    table = late_match(RollersOptions())
    chances = np.where(table.values < 0, 1.0 + table.values, table.values).astype(np.float64)
    arrays = {**packing.pack("chances", chances, match_tables.STEP), "error": np.array([table.error])}
    store.keep(match_key(RollersOptions(), (1, 1)), match_tables.VERSION, arrays)
    found = evaluator.evaluate(state)
    assert found.exact
    assert found.value == pytest.approx(unpacked(table.values[(0, *at_boards(state))]), abs=SINGLE)


def at_boards(state: RollersState) -> tuple[int, int, int]:
    return number_of(state.boards[0]), number_of(state.boards[1]), state.chips[0]


def test_positions_with_other_points_are_other_positions() -> None:
    """Turns are remembered by all that their values depend on."""
    evaluator = late_evaluator()
    state = position((2, 2, 2, 2, 1), (2, 2, 2, 2, 1), 30)
    assert evaluator.evaluate(state).exact
    assert not evaluator.evaluate(replace(state, scores=(0, 0))).exact
    assert evaluator.evaluate(state).exact


def test_what_is_not_known_has_a_wider_error() -> None:
    """Beyond the constants, chances are guessed, and say so."""
    evaluator = RollersEvaluator(RollersOptions(target_points=40), 2, None)
    state = position((2, 2, 2, 2, 1), (2, 2, 2, 2, 1), 30, RollersOptions(target_points=40))
    assert evaluator.evaluate(state).error == pytest.approx(GUESSED[0] + UNKNOWN)


# Bots end their games

SURE = "rollers 22221/00000 0/110 4/4 1 1 3 - 1,2,3,5,5,b5"
"""Without a chip against all of them nobody can win any more who completes."""


def test_who_cannot_win_any_more_is_told_so_and_ends_it() -> None:
    options = RollersOptions()
    evaluator = RollersEvaluator(options, 2, None)
    values = np.zeros((1, FULL, FULL, 2 * CHIPS + 1), np.float32)
    values[..., 2 * CHIPS] = -TINY  # with all the chips, the other has only to complete: sure to win
    evaluator._matches[1, 1] = MatchTable(values, 1e-7)
    state = parse_position(SURE)
    found = evaluator.evaluate(state)
    assert found.value == 0.0
    assert found.lines[0].action == Apply((0, 0, 0, 0, 1))
    assert found.line(Apply((0, 0, 0, 0, 0))).value == pytest.approx(0.0, abs=1e-6)


def test_thousands_of_matches_from_near_their_end_all_end() -> None:
    """Both play by the table, compiled. A round that goes on for ever would be taken to be drawn."""
    evaluator, full = late_evaluator(), playing.full_turn(False)
    ended = 0
    for mine, theirs in (((2, 2, 2, 2, 1), (2, 2, 2, 1, 2)), ((2, 2, 2, 1, 1), (2, 2, 0, 2, 2))):
        for chips in (0, 20, 54, 55, 56, 90, 110):
            state = position(mine, theirs, chips)
            place, turn = position_of(state), evaluator.turn(state)
            results, luck = np.zeros((2, 1, 300, 2))
            playing.play_out(
                full, evaluator.aims(place), Root(place.players, 0, Memory(turn.uses, turn.rows)),
                np.array([Choice(-1, 3)]), playing.work_memory(full), Rollouts(5, 0, results, luck, NO_LOG),
            )  # fmt: skip
            assert set(results[0, :, 0].tolist()) <= {0.0, 1.0}
            exact = unpacked(late_match(RollersOptions()).values[(0, *at_boards(state))])
            assert results[0, :, 0] - luck[0, :, 0] + luck[0, :, 1] == pytest.approx(exact, abs=1e-5)
            ended += results.shape[1]
    assert ended > 4000


@pytest.mark.parametrize("chips", [0, 30, 80, 110])
def test_two_optimal_bots_end_their_match(chips: int) -> None:
    """Sure winners and sure losers included: among equal moves they take those that complete the board sooner."""
    evaluator, rng = late_evaluator(), random.Random(chips)
    state: State = position((2, 2, 2, 2, 1), (2, 2, 2, 1, 2), chips)
    for _ in range(300):
        if state.seat == OVER:
            break
        if state.seat == CHANCE:
            state = state.roll(rng.choices(state.outcomes().rolls, state.outcomes().weights)[0])
        else:
            state = state.apply(evaluator.policy(state))
    assert state.seat == OVER


@pytest.mark.parametrize("text", ["rollers 10111/01000 55/55 3/3 1 1 0 - -", "rollers 10011/00002 55/55 3/3 1 2 0 - -"])
def test_two_optimal_bots_end_their_match_before_its_tables_are_solved(text: str) -> None:
    """From the first of these, values that could not be told apart made both wait for ever."""
    evaluator = RollersEvaluator(RollersOptions(), 2, None)
    for seed in range(10):
        rng, state = random.Random(seed), parse_position(text)
        for _ in range(1000):
            if state.seat == OVER:
                break
            if state.seat == CHANCE:
                state = state.roll(rng.choices(state.outcomes().rolls, state.outcomes().weights)[0])
            else:
                state = state.apply(evaluator.policy(state))
        assert state.seat == OVER


# A round in the midst of a match, solved only as far as it is needed


def solved_above(needs: Needs, one: Board, other: Board) -> RoundSolve:
    """The round at a match score, for all boards that can come of these two: far fewer than there are."""

    def above(board: Board) -> set[int]:
        return {number_of(after) for after in product(*(range(section, 3) for section in board))} - {FULL}

    chance_at = chances_for(RollersOptions())
    solve = RoundSolve(False, ends_of(stakes_at(needs, 0, False, chance_at)), match_tables.MARGIN)
    pairs = set(product(above(one), above(other)))
    for level in LEVELS:
        solve.solve(pair for pair in pairs if sum(board_of(pair[0])) + sum(board_of(pair[1])) == level)
    return solve


PLAYED = "rollers 10011/00002 55/55 3/3 1 2 0 - -"
"""Two optimal bots won 18.3% of their matches from here, standard error 0.8, when 30.2% ± 3.5 was shown."""
WAITED = "rollers 10111/01000 55/55 3/3 1 1 0 - -"
"""Two optimal bots played from here for ever."""


@pytest.mark.parametrize("text", [PLAYED, WAITED])
def test_in_the_midst_of_a_match_estimates_hold_and_every_round_ends(text: str) -> None:
    state, full = parse_position(text), playing.full_turn(False)
    assert isinstance(state, RollersState)
    solve = solved_above((2, 2), *state.boards)
    mine, theirs = (number_of(state.boards[seat]) for seat in (state.roller, 1 - state.roller))
    value = 0.5 + 0.5 * float(solve.values[state.roller, mine, theirs, CHIPS])
    if text == PLAYED:
        assert value == pytest.approx(0.183, abs=2 * 0.008)
    estimate = RollersEvaluator(RollersOptions(), 2, None).evaluate(state)
    assert not estimate.exact
    assert abs(estimate.value - value) < estimate.error
    evaluator = RollersEvaluator(RollersOptions(), 2, None)
    evaluator._matches[2, 2] = MatchTable(match_tables.packed(0.5 + 0.5 * solve.values), 1e-7)
    found, turn, place = evaluator.evaluate(state), evaluator.turn(state), position_of(state)
    assert found.exact
    assert found.value == pytest.approx(value, abs=SINGLE)
    results, luck = np.zeros((2, 1, 300, 2))
    playing.play_out(
        full, evaluator.aims(place), Root(place.players, 0, Memory(turn.uses, turn.rows)),
        np.array([Choice(-1, 3)]), playing.work_memory(full), Rollouts(5, 0, results, luck, NO_LOG),
    )  # fmt: skip
    assert results[0, :, 0] - luck[0, :, 0] + luck[0, :, 1] == pytest.approx(value, abs=1e-5)
