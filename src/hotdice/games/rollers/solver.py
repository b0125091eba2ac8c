"""Rollers solved: the one-player race, and the two-player round over both boards, the chips and who is to move.

The value of a round is the expected difference of its points, the player to move less the other. Boards never go back,
so pairs of boards are solved in order of falling progress; within a pair, turns that change no board lead back to the
pair, and its values are those that a turn of each player reproduces. What is proven, and how:

* More chips are never worse: a richer player can do all that a poorer one does, pays no more and is paid as long as
  the other has chips. So of the uses of dice that lead to the same board, only the largest due counts.
* A turn's value never falls when a value it leads to rises, and never moves by more. Let F be a turn of each player.
  For each pair, F(v - m) >= v - m and F(v + m) <= v + m are computed, so a solution lies within m of v (m = 2e-11);
  errors of boards further on add to that, one level of progress after the other: the sum is kept with the table.
* There is no other solution, whatever an endless round is taken to be worth, if it is always worth something to be the
  one to move: V(A, B, c) + V(B, A, 110 - c) > 0, which is checked. Then at the solution best play leaves the pair or
  collects with some probability. Suppose a lesser solution for one player, and look at where it is least by most.
  The player may go on as in the first solution, so all that can follow is less by as much, in the pair. But three
  ZAPs of the other and collecting raise the chips step by step to 110, where nothing is left to collect: the pair is
  left, and beyond it the values agree.
"""

from __future__ import annotations

import math
import os
import threading
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from hotdice.dice import Roll
from hotdice.game import CHANCE, OVER, State
from hotdice.games.rollers import kernel
from hotdice.games.rollers.kernel import Floats, Lattice
from hotdice.games.rollers.rules import (
    CHIPS,
    CLOSED,
    DICE,
    NO_COLLECT,
    NUMBERS,
    ROLLS,
    STAR,
    ZAP,
    Apply,
    Keep,
    RollersOptions,
    open_to_collect,
    pool_of,
)
from hotdice.games.rollers.state import EMPTY_BOARD, Board, RollersState
from hotdice.solve import store
from hotdice.solve.evaluator import Evaluation, Evaluator, NotSolved, Summary, Unit
from hotdice.solve.store import Progress, Tables, load_or_solve, no_progress

VERSION: Final = 1
BOARDS: Final = (CLOSED + 1) ** len(NUMBERS)
FULL: Final = BOARDS - 1
MARGIN: Final = 2e-11
"""How closely each pair of boards is enclosed."""
SAVE_EVERY: Final = 30.0
"""Seconds after which a solve that is under way is saved."""
CHUNK: Final = 16
WORK_ROWS: Final = 24_000


def number_of(board: Board) -> int:
    """A board as a number, section 1 counting least."""
    return sum(section * (CLOSED + 1) ** at for at, section in enumerate(board))


def board_of(number: int) -> Board:
    """The board of a number."""
    return tuple(number // (CLOSED + 1) ** at % (CLOSED + 1) for at in range(len(NUMBERS)))


_PROGRESS: Final = tuple(sum(board_of(board)) for board in range(BOARDS))
LEVELS: Final = tuple(range(2 * (_PROGRESS[FULL] - 1), -1, -1))
"""The progress of two boards together that are not full, falling."""


@lru_cache(maxsize=2048)
def lattice(caps: tuple[int, ...], locked: bool) -> Lattice:
    """The program of turns in which at most so many dice of each number are of use."""
    return kernel.lattice_of(np.array(caps, np.int64), locked)


@cache
def _caps() -> NDArray[np.int64]:
    """By number, section and whether collecting is open: how many dice can be used at most."""
    legal = kernel.section_table()[..., 0] >= 0
    found: NDArray[np.int64] = np.where(legal, np.arange(DICE + 1), 0).max(axis=-1)
    return found


def caps_of(mine: Board, collects: Sequence[bool]) -> tuple[int, ...]:
    """How many dice of each number are of use on a board."""
    return tuple(int(_caps()[at, mine[at], int(collects[at])]) for at in range(len(NUMBERS)))


# What each use of dice leads to


@dataclass(frozen=True, slots=True, eq=False)
class Uses:
    """All uses of at most six dice on a board: the board after each (-1: not legal) and the dice that collect."""

    after: NDArray[np.int64]
    collected: NDArray[np.int64]


@cache
def whole(locked: bool) -> Lattice:
    """The turn's program for any dice at all, so that every keep, however bad, has its value."""
    return lattice((DICE,) * len(NUMBERS), locked)


@cache
def _all_uses() -> NDArray[np.int64]:
    pools = whole(False).pools
    found: NDArray[np.int64] = pools[pools[:, -1] == 0, :-1].astype(np.int64)
    return found


@cache
def _use_index() -> dict[tuple[int, ...], int]:
    return {tuple(uses): index for index, uses in enumerate(_all_uses().tolist())}


@cache
def _pool_index() -> dict[tuple[int, ...], int]:
    return {tuple(pool): index for index, pool in enumerate(whole(False).pools.tolist())}


@lru_cache(maxsize=4096)
def uses_on(board: Board, collects: tuple[bool, ...]) -> Uses:
    """What each use of dice does on a board."""
    table, uses = kernel.section_table(), _all_uses()
    after = np.zeros(len(uses), np.int64)
    collected = np.zeros_like(uses)
    legal = np.ones(len(uses), np.bool_)
    for at, section in enumerate(board):
        steps = table[at, section, int(collects[at])][uses[:, at]].astype(np.int64)
        legal &= steps[:, 0] >= 0
        after += steps[:, 0] * (CLOSED + 1) ** at
        collected[:, at] = steps[:, 1]
    return Uses(np.where(legal, after, -1), np.where(legal[:, None], collected, 0))


# The race


def solve_race(locked: bool, progress: Progress = no_progress) -> Floats:
    """The expected turns to close each board alone, by its number."""
    turns = np.zeros(BOARDS)
    work = kernel.aligned(WORK_ROWS * kernel.LANES)
    for done, number in enumerate(sorted(range(FULL), key=lambda board: -_PROGRESS[board])):
        board = board_of(number)
        program = lattice(caps_of(board, NO_COLLECT), locked)
        pools = program.pools[program.pools[:, -1] == 0, :-1]
        after = uses_on(board, NO_COLLECT).after[[_use_index()[tuple(pool)] for pool in pools.tolist()]]
        leads = np.where(after >= 0, -turns[after], -1e9)
        turns[number] = -kernel.solve_race(program, leads, after == number, work, MARGIN)
        progress((done + 1) / FULL)
    if np.isnan(turns).any():
        raise NotSolved("The race could not be enclosed.")
    return turns


@cache
def race(locked: bool) -> Floats:
    """The race's turns, solved or from the cache."""
    key = f"rollers({RollersOptions(saved_dice='locked').text}) race" if locked else "rollers race"
    table = load_or_solve(key, VERSION, lambda progress: {"turns": solve_race(locked, progress)})
    return table.arrays["turns"]


# The round


class RoundSolve:
    """A solve of the two-player round under way: its values so far, which are done, and the errors by level."""

    def __init__(self, locked: bool) -> None:
        self.locked = locked
        self.values = np.zeros((FULL, FULL, kernel.TOTAL + 1))
        self.done = np.zeros((FULL, FULL), np.bool_)
        self.errors = np.zeros(len(LEVELS))
        self._memory = threading.local()

    @property
    def error(self) -> float:
        """The bound on every value's error: boards further on add theirs."""
        return float(self.errors.sum())

    def level(self, progress: int) -> list[tuple[int, int]]:
        """The pairs of boards of some progress that are yet to be solved."""
        return [
            (one, other)
            for one in range(FULL)
            for other in range(one, FULL)
            if _PROGRESS[one] + _PROGRESS[other] == progress and not self.done[one, other]
        ]

    def _sides(self) -> tuple[kernel.Side, kernel.Side]:
        memory = self._memory
        if not hasattr(memory, "sides"):
            rows = WORK_ROWS if self.locked else 9_000
            memory.sides = kernel.side(rows), kernel.side(rows)
        sides: tuple[kernel.Side, kernel.Side] = memory.sides
        return sides

    def solve(self, pairs: Iterable[tuple[int, int]]) -> None:
        """Solve pairs whose followers are solved, all of one level."""
        mine, theirs = self._sides()
        table = kernel.section_table()
        for one, other in pairs:
            first, second = board_of(one), board_of(other)
            programs = [
                lattice(caps_of(board, open_to_collect((against,))), self.locked)
                for board, against in ((first, second), (second, first))
            ]
            error, tempo, _ = kernel.solve_pair(
                self.values, one, other, programs[0], programs[1], mine, theirs, table, MARGIN
            )
            if error < 0 or tempo < 100 * MARGIN:
                raise NotSolved(f"The boards {first} and {second} could not be enclosed.")
            at = LEVELS.index(_PROGRESS[one] + _PROGRESS[other])
            self.errors[at] = max(self.errors[at], error)
            self.done[one, other] = self.done[other, one] = True


def round_key(locked: bool) -> str:
    """What the table of the round is called. Ties in chips and the match's length change nothing between two."""
    return f"rollers({RollersOptions(saved_dice='locked').text}) round" if locked else "rollers round"


def solve_round(
    locked: bool, progress: Progress = no_progress, lowest: int = 0, threads: int | None = None
) -> RoundSolve:
    """Solve the round, or its levels from the furthest down to `lowest`; a solve that was interrupted goes on."""
    solve = _resume(locked) if lowest == 0 else RoundSolve(locked)
    total = FULL * (FULL + 1) // 2
    lattice((DICE,) * len(NUMBERS), locked)  # compiled once, before the threads want it
    saved = time.monotonic()
    workers = threads or min(os.cpu_count() or 1, 16)
    with ThreadPoolExecutor(workers) as pool:
        try:
            for level in LEVELS[: LEVELS.index(lowest) + 1]:
                pairs = solve.level(level)
                chunks = {pool.submit(solve.solve, pairs[at : at + CHUNK]) for at in range(0, len(pairs), CHUNK)}
                while chunks:
                    chunks = _settled(chunks)
                    progress(float(np.triu(solve.done).sum()) / total)
                    if lowest == 0 and time.monotonic() - saved > SAVE_EVERY:
                        _save(solve)
                        saved = time.monotonic()
        except BaseException:
            pool.shutdown(cancel_futures=True)
            if lowest == 0:
                _save(solve)
            raise
    return solve


def _settled(chunks: set[Future[None]]) -> set[Future[None]]:
    finished, rest = wait(chunks, timeout=1.0, return_when=FIRST_COMPLETED)
    for chunk in finished:
        chunk.result()
    return rest


def _save(solve: RoundSolve) -> None:
    """Keep what is solved so far. What is done is copied first: a pair may be finished while the values are written."""
    done, errors = solve.done.copy(), solve.errors.copy()
    arrays: dict[str, NDArray[Any]] = {"done": done, "errors": errors, "values": solve.values}
    key = f"{round_key(solve.locked)} so far"
    try:
        store._write(store._path(key), Tables(key, VERSION, arrays, store._checksum(arrays), 0.0))
    except OSError as error:
        store.notice(f"The solve cannot be saved on the way ({error.strerror or error}).")


def _resume(locked: bool) -> RoundSolve:
    solve = RoundSolve(locked)
    key = f"{round_key(locked)} so far"
    try:
        arrays = store._read(store._path(key), key, VERSION).arrays
    except (OSError, ValueError):
        return solve
    solve.values, solve.done, solve.errors = arrays["values"], arrays["done"], arrays["errors"]
    return solve


def _whole_round(locked: bool, progress: Progress) -> store.Arrays:
    solve = solve_round(locked, progress)
    return {"values": solve.values, "error": np.array([solve.error])}


def round_table(locked: bool, progress: Progress = no_progress) -> Tables:
    """The round's table, from the cache or solved now, which takes minutes."""
    table = load_or_solve(round_key(locked), VERSION, lambda tell: _whole_round(locked, tell), progress)
    store._path(f"{round_key(locked)} so far").unlink(missing_ok=True)
    return table


def saved_round(locked: bool) -> Tables | None:
    """The round's table if it is in the cache."""

    def refuse(progress: Progress) -> store.Arrays:
        raise LookupError

    try:
        return load_or_solve(round_key(locked), VERSION, refuse)
    except LookupError:
        return None


def headline(options: RollersOptions, progress: Progress = no_progress) -> tuple[float, float]:
    """What a round is worth to the player who begins it, and the expected turns of the race."""
    locked = options.saved_dice == "locked"
    start = number_of(EMPTY_BOARD)
    turns = float(race(locked)[start])
    return float(round_table(locked, progress).arrays["values"][start, start, CHIPS]), turns


# Values of moves


@dataclass(frozen=True, slots=True, eq=False)
class Turn:
    """A turn's values for the player whose turn it is: of each use of dice, and a row for each keep."""

    uses: Floats
    rows: Floats
    locked: bool

    def of_pool(self, dice: Roll) -> float:
        """The best use of some dice."""
        pool = pool_of(dice)
        return float(self.rows[_pool_index()[(*pool.counts, pool.stars)]])

    def of_keep(self, left: int, dice: Roll) -> float:
        """Keeping some dice and rolling the rest, with so many rolls left."""
        black, purple = _split(dice)
        return float(self.rows[whole(self.locked).keeps[left - 1, black, purple]])

    def of_best(self, left: int, dice: Roll) -> float:
        """The best keep among some dice."""
        black, purple = _split(dice)
        return float(self.rows[whole(self.locked).bests[left - 1, black, purple]])

    @property
    def value(self) -> float:
        """The turn before its first roll."""
        return float(self.rows[-1])


@lru_cache(maxsize=8192)
def _split(dice: Roll) -> tuple[int, int]:
    """The number on the black die (or none) and the pool of the purple ones."""
    purple = tuple(die for die in dice if die <= STAR)
    pool = pool_of(purple)
    black = pool_of(tuple(die for die in dice if die > STAR)).counts
    number = black.index(1) + 1 if any(black) else kernel.NONE
    return number, _pool_index()[(*pool.counts, pool.stars)]


def _turn(uses: Floats, locked: bool) -> Turn:
    program = whole(locked)
    work = kernel.aligned(program.rows * kernel.LANES)
    kernel.turn_of_uses(program, uses, work)
    return Turn(uses, work[:: kernel.LANES].copy(), locked)


@dataclass(frozen=True, slots=True)
class Position:
    """What a turn is played from, the player whose turn it is first and the others in order."""

    boards: tuple[Board, ...]
    chips: tuple[int, ...]
    points: tuple[int, ...]
    target: int
    share: bool
    locked: bool


def _position(state: RollersState) -> Position:
    seat, options = state.roller, state.options
    return Position(
        state.boards[seat:] + state.boards[:seat],
        state.chips[seat:] + state.chips[:seat],
        state.scores[seat:] + state.scores[:seat],
        options.target_points,
        options.chip_tie == "share",
        options.saved_dice == "locked",
    )


def _afterwards(position: Position) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """For each use of dice the board after it (-1: not legal) and everybody's chips."""
    mine, others = position.boards[0], position.boards[1:]
    uses = uses_on(mine, open_to_collect(others) if position.chips[0] else NO_COLLECT)
    chips = np.tile(np.array(position.chips), (len(uses.after), 1))
    for other, board in enumerate(others, 1):
        rates = np.array([0 if section == CLOSED else number for number, section in zip(NUMBERS, board, strict=True)])
        paid = np.minimum(uses.collected @ rates, position.chips[other])
        chips[:, other] -= paid
        chips[:, 0] += paid
    return uses.after, chips


def _points(chips: NDArray[np.int64], share: bool) -> Floats:
    """Everybody's points when the first player ends the round with such chips."""
    richest = chips == chips.max(axis=1, keepdims=True)
    points = np.where(richest & (share | (richest.sum(axis=1, keepdims=True) == 1)), 1.0, 0.0)
    points[:, 0] += np.where(chips[:, 0] > 0, 2.0, 1.0)
    return points


def _lead(points: Floats) -> Floats:
    """The first player's points less the others' on average."""
    found: Floats = points[:, 0] - points[:, 1:].mean(axis=1)
    return found


# Where nothing is solved: the race's turns, and chips

TURNS: Final = 1.2
"""By how many turns fewer to go the odds of completing first grow e-fold; by how many chips those of having most do."""
PURSE: Final = 14.0
FINISHER_RICHEST: Final = 0.8
"""How often who completes also has the most chips, for the rest of a match."""


def _guessed(after: NDArray[np.int64], chips: NDArray[np.int64], position: Position) -> Floats:
    """A guess of the round's points, the mover's less the others' on average, once the turn has passed on."""
    turns = race(position.locked)
    players = len(position.boards)
    to_go = np.empty(chips.shape)
    to_go[:, 0] = turns[after] + 1.0
    for other in range(1, players):
        to_go[:, other] = turns[number_of(position.boards[other])] + other / players
    first = _shares(-to_go / TURNS)
    most = _shares(chips / PURSE)
    return _lead(2.0 * first + most)


def _shares(strengths: Floats) -> Floats:
    weights = np.exp(strengths - strengths.max(axis=1, keepdims=True))
    found: Floats = weights / weights.sum(axis=1, keepdims=True)
    return found


# Match point


def match_point(position: Position) -> bool:
    """Whether two play and completing the board would bring either to the target."""
    return len(position.boards) == 2 and max(position.points) + 2 >= position.target


@lru_cache(maxsize=65536)
def _match(mine: int, theirs: int, target: int, richer: int) -> float:
    """The chance to win a match at such points, after a round that one (1), nobody (0) or the other (-1) ended richer.

    While it goes on, rounds are taken to be won by either alike, with or without the point for chips.
    """
    if mine >= target and theirs >= target:
        order = richer or (mine > theirs) - (mine < theirs)
        return 0.5 + 0.5 * order
    if mine >= target or theirs >= target:
        return float(mine >= target)
    both, alone = FINISHER_RICHEST / 2, (1 - FINISHER_RICHEST) / 2
    return (
        both * _match(mine + 3, theirs, target, 1)
        + alone * _match(mine + 2, theirs + 1, target, -1)
        + alone * _match(mine + 1, theirs + 2, target, 1)
        + both * _match(mine, theirs + 3, target, -1)
    )


def _match_ended(chips: NDArray[np.int64], position: Position) -> Floats:
    """The chance to win the match when the first player ends the round with such chips: exact if it ends the match."""
    mine, theirs = position.points
    return np.array(
        [
            _match(mine + int(gain), theirs + int(loss), position.target, int(np.sign(have - left)))
            for (gain, loss), (have, left) in zip(_points(chips, position.share), chips.tolist(), strict=True)
        ]
    )


def _match_goes_on(values: Floats, chips: NDArray[np.int64], position: Position) -> Floats:
    """A guess of the chance to win the match from the round's value and the chips.

    The chips, and a little the round's value, say how likely one is to have the most in the end, the rest of the value
    how likely to complete first, and the two are taken to be independent. Whatever the points are, a better round is
    worth a little more, so that nobody waits for ever.
    """
    mine, theirs, target = *position.points, position.target
    purses = (chips[:, 0] - chips[:, 1]) / PURSE
    most = 1.0 / (1.0 + np.exp(-purses - values / 2.0))
    first = 1.0 / (1.0 + np.exp(-2.0 * values + 2.0 * np.tanh(purses / 2.0)))
    found: Floats = (
        first * most * _match(mine + 3, theirs, target, 1)
        + first * (1.0 - most) * _match(mine + 2, theirs + 1, target, -1)
        + (1.0 - first) * most * _match(mine + 1, theirs + 2, target, 1)
        + (1.0 - first) * (1.0 - most) * _match(mine, theirs + 3, target, -1)
    )
    return found


class RollersEvaluator(Evaluator):
    """Values of Rollers: the points of the round that a state is in, one's own less the others' on average.

    Between two players, with the round's table, they are exact, but for two things. With locked dice and only the
    table of free dice, a turn is looked ahead by the right rules and valued by that table. At match point values are
    chances to win the match: exact where a use of dice ends it, otherwise guessed from the round's value and the chips.
    Without a table, or among more players, a turn is looked ahead and valued by the race and a term for chips.
    """

    unit = Unit.ROUND_POINTS

    def __init__(self, options: RollersOptions, players: int, table: Tables | None) -> None:
        self.players = players
        self.locked = options.saved_dice == "locked"
        self._turns: Any = lru_cache(maxsize=256)(self._solve_turn)
        self._use(table)

    def _use(self, table: Tables | None) -> None:
        self.values: Floats | None = None
        self.exact = False
        self.error = 0.0
        if table is not None:
            self.values = table.arrays["values"]
            self.exact = table.key == round_key(self.locked)
            self.error = float(table.arrays["error"][0]) if self.exact else 0.0
        self._turns.cache_clear()

    def _look_again(self) -> None:
        """Take up a table that was solved meanwhile, perhaps by another process."""
        if self.players == 2 and self.values is None and store._path(round_key(self.locked)).exists():
            self._use(saved_round(self.locked))

    # Turns

    def _solve_turn(self, position: Position) -> Turn:
        after, chips = _afterwards(position)
        full = after == FULL
        at_match_point = match_point(position)
        values = self._after(after, chips, position)
        if at_match_point:
            values = _match_goes_on(values, chips, position)
        if full.any():
            ended = chips[full]
            values[full] = _match_ended(ended, position) if at_match_point else _lead(_points(ended, position.share))
        return _turn(np.where(after < 0, -np.inf, values), position.locked)

    def _after(self, after: NDArray[np.int64], chips: NDArray[np.int64], position: Position) -> Floats:
        if self.values is None:
            return _guessed(after, chips, position)
        at = np.where((after < 0) | (after == FULL), 0, after)
        found: Floats = -self.values[number_of(position.boards[1]), at, chips[:, 1]]
        return found

    # States

    def value(self, state: State, seat: int) -> float:
        assert isinstance(state, RollersState)  # noqa: S101 (for the type checker)
        if state.seat == OVER:
            return 0.0
        values = self.action_values(state, seat)
        if state.seat != CHANCE:
            return max(values) if state.seat == seat else min(values)
        weights = state.outcomes().weights
        return math.fsum(weight * value for weight, value in zip(weights, values, strict=True)) / sum(weights)

    def action_values(self, state: State, seat: int) -> Sequence[float]:
        assert isinstance(state, RollersState)  # noqa: S101 (for the type checker)
        if state.roll_off:
            return [self._begins(state.roll(roll), seat) for roll in state.outcomes().rolls]
        self._look_again()
        position = _position(state)
        turn = self._turns(position)
        values = self._rolls(state, turn) if state.seat == CHANCE else self._moves(state, turn)
        if seat == state.roller:
            return values
        if match_point(position):
            return [1.0 - value for value in values]
        return [-value / (self.players - 1) for value in values]

    def _begins(self, state: RollersState, seat: int) -> float:
        """A state of the roll-off, or after it: the round's value by the chance to begin."""
        if not state.roll_off:
            worth = float(self._turns(_position(state)).value)
            return worth if seat == state.roller else -worth / (self.players - 1)
        if self.players > 2:
            return 0.0
        if not any(value > 0 for value in state.roll_off):
            return 0.0  # the same for both
        return math.fsum(self._begins(state.roll(roll), seat) for roll in state.outcomes().rolls) / STAR

    def _moves(self, state: RollersState, turn: Turn) -> list[float]:
        left = ROLLS - state.rolls
        values: list[float] = []
        for move in state.legal_moves():
            match move:
                case Apply(uses):
                    values.append(float(turn.uses[_use_index()[uses]]))
                case Keep(dice):
                    values.append(turn.of_keep(left, dice))
                case _:
                    values.append(turn.of_pool(state.usable))
        return values

    def _rolls(self, state: RollersState, turn: Turn) -> list[float]:
        left = ROLLS - state.rolls - 1
        rolls = state.outcomes().rolls
        if left and state.rolls and self.locked:
            return [max(self._moves(state.roll(roll), turn)) for roll in rolls]
        values: list[float] = []
        for roll in rolls:
            usable = state.kept if ZAP in roll else tuple(sorted(state.kept + roll))
            values.append(turn.of_best(left, usable) if left else turn.of_pool(usable))
        return values

    def evaluate(self, state: State) -> Evaluation:
        found = super().evaluate(state)
        if isinstance(state, RollersState) and not state.roll_off and match_point(_position(state)):
            return replace(found, unit=Unit.WIN, exact=False)
        return found


def summary(options: RollersOptions, progress: Progress = no_progress) -> Summary:
    """The headline, the race, and what it took."""
    locked = options.saved_dice == "locked"
    solved = round_table(locked, progress)
    start = number_of(EMPTY_BOARD)
    values, error = solved.arrays["values"], float(solved.arrays["error"][0])
    value, turns = float(values[start, start, CHIPS]), float(race(locked)[start])
    return Summary(2, Unit.ROUND_POINTS, value, error, values.size, solved.cpu_seconds, solved.checksum, turns)


def evaluator(options: RollersOptions, players: int, progress: Progress = no_progress) -> Evaluator:
    """Values of Rollers. Two players' round takes minutes to solve, so its table is used if it is there, or once it is.

    `hotdice solve rollers` makes it; until then values are those of the race with a chip term.
    """
    if players != 2:
        return RollersEvaluator(options, players, None)
    table = saved_round(True) if options.saved_dice == "locked" else None
    return RollersEvaluator(options, players, table or saved_round(False))
