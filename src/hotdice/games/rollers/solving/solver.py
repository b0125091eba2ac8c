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
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hotdice.dice import Roll
from hotdice.game import CHANCE, OVER, Move, State
from hotdice.games.rollers.rules import (
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
from hotdice.games.rollers.solving import kernel, playing
from hotdice.games.rollers.solving.equity import Stakes, match_stakes, round_stakes
from hotdice.games.rollers.solving.kernel import Floats, Lattice
from hotdice.games.rollers.solving.playing import EXACT, RACE, TABLE, Guide, Program, pool_numbers, whole
from hotdice.games.rollers.state import FULL_BOARD, Board, RollersState
from hotdice.solve import store
from hotdice.solve.store import Tables, load_or_solve
from hotdice.values import Evaluation, Evaluator, NotSolved, Progress, Unit, no_progress

VERSION: Final = 1
BOARDS: Final = (CLOSED + 1) ** len(NUMBERS)
FULL: Final = BOARDS - 1
MARGIN: Final = 2e-11
"""How closely each pair of boards is enclosed."""
SAVE_EVERY: Final = 30.0
"""Seconds after which a solve that is under way is saved."""
CHUNK: Final = 16
BIT: Final = 4
"""Pairs of boards that are solved at a time: with threads, and in the background, where stopping must not take long."""
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
def _all_uses() -> NDArray[np.int64]:
    pools = whole(False).pools
    found: NDArray[np.int64] = pools[pools[:, -1] == 0, :-1].astype(np.int64)
    return found


@cache
def _use_index() -> dict[tuple[int, ...], int]:
    return {tuple(uses): index for index, uses in enumerate(_all_uses().tolist())}


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
        self._noting = threading.Lock()

    @property
    def error(self) -> float:
        """The bound on every value's error: boards further on add theirs."""
        return float(self.errors.sum())

    @property
    def share(self) -> float:
        """How much of it is solved."""
        return float(np.triu(self.done).sum() / (FULL * (FULL + 1) // 2))

    def arrays(self) -> store.Arrays:
        """What the table keeps."""
        return {"values": self.values, "error": np.array([self.error])}

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
            with self._noting:
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
                    progress(solve.share)
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
    """Keep what is solved so far. What is done is copied first: a pair may be finished while the values are copied."""
    with solve._noting:
        done, errors = solve.done.copy(), solve.errors.copy()
    arrays = {"done": done, "errors": errors, "values": solve.values.copy()}
    store.keep_part(round_key(solve.locked), VERSION, arrays)


def _resume(locked: bool) -> RoundSolve:
    solve = RoundSolve(locked)
    part = store.load_part(round_key(locked), VERSION)
    if part is not None:
        solve.values, solve.done, solve.errors = (part.arrays[name] for name in ("values", "done", "errors"))
    return solve


def round_table(locked: bool, progress: Progress = no_progress) -> Tables:
    """The round's table, from the cache or solved now, which takes minutes."""
    table = load_or_solve(round_key(locked), VERSION, lambda told: solve_round(locked, told).arrays(), progress)
    store.discard_part(round_key(locked))
    return table


def saved_round(locked: bool) -> Tables | None:
    """The round's table if it is in the cache."""
    return store.load(round_key(locked), VERSION)


# In the background


def solve_in_steps(options: RollersOptions, players: int, stop: threading.Event, progress: Progress) -> None:
    """Solve the round's table bit by bit, in this thread alone, until it is solved or `stop` is set.

    It is of use for any number of players. What is solved is kept every half minute and when it is stopped.
    """
    locked = options.saved_dice == "locked"
    if store.has(round_key(locked)):
        return
    solve = _resume(locked)
    began, saved = time.thread_time(), time.monotonic()
    for level in LEVELS:
        pairs = solve.level(level)
        for at in range(0, len(pairs), BIT):
            solve.solve(pairs[at : at + BIT])
            progress(solve.share)
            if stop.is_set():
                _save(solve)
                return
            if time.monotonic() - saved > SAVE_EVERY:
                _save(solve)
                saved = time.monotonic()
    store.keep(round_key(locked), VERSION, solve.arrays(), time.thread_time() - began)
    store.discard_part(round_key(locked))


# Values of moves


@dataclass(frozen=True, slots=True, eq=False)
class Turn:
    """A turn's values for the player whose turn it is: of each use of dice, and a row for each keep, in its lane."""

    uses: Floats
    rows: Floats
    program: Program

    def of_use(self, uses: tuple[int, ...]) -> float:
        """Using exactly these dice."""
        return float(self.uses[kernel.LANES * pool_numbers()[(*uses, 0)]])

    def of_pool(self, dice: Roll) -> float:
        """The best use of some dice."""
        pool = pool_of(dice)
        return float(self.rows[kernel.LANES * pool_numbers()[(*pool.counts, pool.stars)]])

    def of_keep(self, left: int, dice: Roll) -> float:
        """Keeping some dice and rolling the rest, with so many rolls left."""
        black, purple = split(dice)
        return float(self.rows[kernel.LANES * self.program.keeps[left - 1, black, purple]])

    def of_best(self, left: int, dice: Roll) -> float:
        """The best keep among some dice."""
        black, purple = split(dice)
        return float(self.rows[kernel.LANES * whole(self.program.locked).bests[left - 1, black, purple]])

    @property
    def value(self) -> float:
        """The turn before its first roll."""
        return float(self.rows[-kernel.LANES])


@lru_cache(maxsize=8192)
def split(dice: Roll) -> tuple[int, int]:
    """The number on the black die (or none) and the pool of the purple ones."""
    pool = pool_of(tuple(die for die in dice if die <= STAR))
    black = pool_of(tuple(die for die in dice if die > STAR)).counts
    number = black.index(1) + 1 if any(black) else kernel.NONE
    return number, pool_numbers()[(*pool.counts, pool.stars)]


@dataclass(frozen=True, slots=True)
class Position:
    """What a turn is played from, the player whose turn it is first and the others in order."""

    boards: tuple[Board, ...]
    chips: tuple[int, ...]
    points: tuple[int, ...]
    target: int
    share: bool

    @property
    def for_the_match(self) -> bool:
        """Whether values are chances to win the match: among many players, or if completing may end it."""
        return len(self.boards) > 2 or max(self.points) + 2 >= self.target

    @property
    def stakes(self) -> Stakes:
        """What the round's end is worth."""
        if self.for_the_match:
            return match_stakes(self.points, self.target, self.share)
        return round_stakes(len(self.boards), self.share)


def position_of(state: RollersState) -> Position:
    """The position of the turn that a state is in."""
    seat, options = state.roller, state.options
    return Position(
        state.boards[seat:] + state.boards[:seat],
        state.chips[seat:] + state.chips[:seat],
        state.scores[seat:] + state.scores[:seat],
        options.target_points,
        options.chip_tie == "share",
    )


GUESSED: Final = 0.4
"""How far values are off, root mean square, over positions of matches: points of the round by the race alone,"""
BORROWED: Final = 0.01
"""points of the round with locked dice by the table of free ones,"""
AT_MATCH_POINT: Final = 0.035
"""and chances to win the match. Most of that is common to all moves of a position."""


def ends_the_match(state: RollersState, move: Move) -> bool:
    """Whether a move completes the board and somebody has the points to win."""
    return isinstance(move, Apply) and state.outcome_of(move.uses)[0] == FULL_BOARD and state.apply(move).seat == OVER


class RollersEvaluator(Evaluator):
    """Values of Rollers between two: the points of the round that a state is in, one's own less the other's.

    With the round's table they are exact, but for two things. With locked dice and only the table of free dice, a turn
    is looked ahead by the right rules and valued by that table. At match point values are chances to win the match:
    exact where a use of dice ends it, otherwise guessed from the round's value and the chips. Without a table a turn is
    looked ahead and valued by the race and a term for chips.
    """

    unit = Unit.ROUND_POINTS

    def __init__(self, options: RollersOptions, players: int, table: Tables | None) -> None:
        self.players = players
        self.locked = options.saved_dice == "locked"
        self._turns: Callable[[Position], Turn] = lru_cache(maxsize=16)(self._solve_turn)
        self._use(table)

    def _use(self, table: Tables | None) -> None:
        self.values: Floats | None = None if table is None else table.arrays["values"]
        self.solved = table is not None and table.key == round_key(self.locked)
        self.exact = self.solved and self.players == 2
        self.error = float(table.arrays["error"][0]) if table is not None and self.exact else 0.0
        self._guides: dict[bool, Guide] = {}
        self._turns.cache_clear()  # type: ignore[attr-defined]

    def look_again(self) -> None:
        """Take up a table that was solved meanwhile, perhaps by another process."""
        if not self.solved and store.has(round_key(self.locked)):
            table = saved_round(self.locked)
            self._use(table)
            self.solved = True  # or else damaged: it is not read again and again

    def guide(self, position: Position) -> Guide:
        """What values of unfinished rounds are made from."""
        counts = not position.for_the_match
        if counts not in self._guides:
            kind = RACE if self.values is None else EXACT if counts else TABLE
            self._guides[counts] = playing.guide(self.values, race(self.locked), [kind] * self.players)
        return self._guides[counts]

    # Turns

    def _solve_turn(self, position: Position) -> Turn:
        program = playing.program(self.locked)
        uses, rows = playing.memory(program)
        boards = np.array([number_of(board) for board in position.boards])
        chips = np.array(position.chips)
        playing.fill(program, self.guide(position), position.stakes, boards, chips, 0, uses, 0)
        playing.look_ahead(program, uses, rows)
        return Turn(uses, rows, program)

    def turn(self, state: RollersState) -> Turn:
        """The turn that a state is in, looked ahead."""
        self.look_again()
        return self._turns(position_of(state))

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
        values = self.looked_ahead(state)
        if seat == state.roller:
            return values
        for_the_match = position_of(state).for_the_match
        return [1.0 - value if for_the_match else -value for value in values]

    def errors(self, state: State, actions: Sequence[Move | Roll]) -> Sequence[float]:
        assert isinstance(state, RollersState)  # noqa: S101 (for the type checker)
        if not position_of(state).for_the_match:
            guessed = GUESSED if self.values is None else BORROWED
            return [self.error if self.exact else guessed] * len(actions)
        return [
            0.0 if isinstance(action, Move) and ends_the_match(state, action) else AT_MATCH_POINT for action in actions
        ]

    def looked_ahead(self, state: RollersState) -> list[float]:
        """The value of each move or roll to the player whose turn it is."""
        turn = self.turn(state)
        return self._rolls(state, turn) if state.seat == CHANCE else self._moves(state, turn)

    def _begins(self, state: RollersState, seat: int) -> float:
        """A state of the roll-off, or after it: the round's value by the chance to begin."""
        if not state.roll_off:
            worth = self.turn(state).value
            if position_of(state).for_the_match:
                return worth if seat == state.roller else 1.0 - worth
            return worth if seat == state.roller else -worth
        if not any(value > 0 for value in state.roll_off):
            return 0.5 if position_of(state).for_the_match else 0.0  # the same for both
        return math.fsum(self._begins(state.roll(roll), seat) for roll in state.outcomes().rolls) / STAR

    def _moves(self, state: RollersState, turn: Turn) -> list[float]:
        left = ROLLS - state.rolls
        values: list[float] = []
        for move in state.legal_moves():
            match move:
                case Apply(uses):
                    values.append(turn.of_use(uses))
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
        if isinstance(state, RollersState) and position_of(state).for_the_match:
            return replace(found, unit=Unit.WIN, exact=False)
        return found
