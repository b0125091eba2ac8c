"""The tables of Rollers, the race and the two-player round: solved on all cores or bit by bit, kept, and resumed."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import replace
from functools import cache
from math import prod
from typing import Final

import numpy as np

from hotdice.games.rollers.rules import (
    CHIPS,
    EMPTY_BOARD,
    FULL_BOARD_POINTS,
    MOST_CHIPS_POINTS,
    POINTS_WITHOUT_CHIPS,
    RollersOptions,
    open_to_collect,
)
from hotdice.games.rollers.solving.boards import FULL, PROGRESS, TOTAL, board_of, caps_of, number_of, section_table
from hotdice.games.rollers.solving.lanes import Floats
from hotdice.games.rollers.solving.lattice import Lattice, full_lattice, lattice_of
from hotdice.games.rollers.solving.race import MARGIN, WORK_ROWS, solve_race
from hotdice.games.rollers.solving.round import Memory, Side, solve_pair, work_memory
from hotdice.solve import packing, store
from hotdice.solve.sources import fingerprint
from hotdice.solve.store import Tables, load_or_solve
from hotdice.values import NotSolved, Progress, no_progress

VERSION: Final = fingerprint(__name__)
SAVE_EVERY: Final = 30.0
"""Seconds after which a solve that is under way is saved."""
CHUNK: Final = 16
BIT: Final = 4
"""Pairs of boards that are solved at a time: with threads, and in the background, where stopping must not take long."""
STEP: Final = 2.0**-24
"""Values are kept as multiples of this: what uses the table of the round are estimates. The start is kept as it is."""
FREE_WORK_ROWS: Final = 9_000
"""More rows than any program has with free dice."""
LEVELS: Final = tuple(range(2 * (PROGRESS[FULL] - 1), -1, -1))
"""The progress of two boards together that are not full, falling."""


# The race


@cache
def race(locked: bool) -> Floats:
    """The race's turns, solved or from the cache."""
    key = f"rollers({RollersOptions(saved_dice='locked').text}) race" if locked else "rollers race"
    table = load_or_solve(key, VERSION, lambda progress: {"turns": solve_race(locked, progress)})
    return table.arrays["turns"]


# The round


class RoundSolve:
    """A solve of a two-player round under way: its values so far, which are done, and the errors by level.

    `ends` is what completing the board is worth, by chips: to either player, or to the first and to the second. Then
    values are of the first and the second player's turns, too.
    """

    def __init__(self, locked: bool, ends: Floats, margin: float = MARGIN) -> None:
        self.locked, self.ends, self.margin = locked, np.atleast_2d(ends), margin
        self.values = np.zeros((len(self.ends), FULL, FULL, TOTAL + 1))
        self.done = np.zeros((FULL, FULL), np.bool_)
        self.errors = np.zeros(len(LEVELS))
        self._memory = threading.local()
        self._lock = threading.Lock()

    @property
    def alike(self) -> bool:
        """Whether it is the same round for both players, so that each pair of boards is solved once."""
        return len(self.ends) == 1

    @property
    def error(self) -> float:
        """The bound on every value's error: boards further on add theirs."""
        return float(self.errors.sum())

    @property
    def share(self) -> float:
        """How much of it is solved."""
        return float(np.triu(self.done).sum() / (FULL * (FULL + 1) // 2)) if self.alike else float(self.done.mean())

    def level(self, progress: int) -> list[tuple[int, int]]:
        """The pairs of boards of some progress that are yet to be solved, those that take longest first."""
        pairs = [
            (one, other)
            for one in range(FULL)
            for other in range(one if self.alike else 0, FULL)
            if PROGRESS[one] + PROGRESS[other] == progress and not self.done[one, other]
        ]
        return sorted(pairs, key=lambda pair: -self._cost(*pair))

    def _cost(self, one: int, other: int) -> int:
        """How long a pair takes, more or less: by how many pools of dice are of use to either player."""
        return sum(prod(cap + 1 for cap in _caps_for(*boards)) for boards in ((one, other), (other, one)))

    def snapshot(self) -> store.Arrays:
        """What a solve that is interrupted goes on from.

        What is done is copied first: a pair may be finished while the values are copied.
        """
        with self._lock:
            done, errors = self.done.copy(), self.errors.copy()
        return {"done": done, "errors": errors, "values": self.values.copy()}

    def go_on_from(self, part: store.Arrays) -> None:
        """Take up what an interrupted solve had."""
        self.values, self.done, self.errors = (part[name].copy() for name in ("values", "done", "errors"))

    def _work_memory(self) -> tuple[Memory, Memory]:
        """Work memory for both players, of this thread's own."""
        mine = self._memory
        if not hasattr(mine, "both"):
            rows = WORK_ROWS if self.locked else FREE_WORK_ROWS
            mine.both = work_memory(rows), work_memory(rows)
        both: tuple[Memory, Memory] = mine.both
        return both

    def sides(self, one: int, other: int) -> tuple[Side, Side]:
        """The first player with one board and the second with another, for the kernel."""
        memory, sections = self._work_memory(), section_table()
        return (
            Side(one, lattice_for(one, other, self.locked), sections, memory[0], self.ends[0], self.values[0]),
            Side(other, lattice_for(other, one, self.locked), sections, memory[1], self.ends[-1], self.values[-1]),
        )

    def solve(self, pairs: Iterable[tuple[int, int]]) -> None:
        """Solve pairs whose followers are solved, all of one level."""
        for one, other in pairs:
            error, _ = solve_pair(*self.sides(one, other), self.margin)
            if error < 0:
                raise NotSolved(f"The boards {board_of(one)} and {board_of(other)} could not be enclosed.")
            at = LEVELS.index(PROGRESS[one] + PROGRESS[other])
            with self._lock:
                self.errors[at] = max(self.errors[at], error)
                self.done[one, other] = True
                if self.alike:
                    self.done[other, one] = True

    def run(self, pool: ThreadPoolExecutor, lowest: int = 0) -> Iterator[float]:
        """Solve all levels from the furthest down to `lowest` on many threads; the share done, time and again."""
        for level in LEVELS[: LEVELS.index(lowest) + 1]:
            pairs = self.level(level)
            chunks = {pool.submit(self.solve, pairs[at : at + CHUNK]) for at in range(0, len(pairs), CHUNK)}
            while chunks:
                chunks = _settled(chunks)
                yield self.share


def lattice_for(mine: int, theirs: int, locked: bool) -> Lattice:
    """The lattice of turns with one board against another."""
    return lattice_of(_caps_for(mine, theirs), locked)


@cache
def _caps_for(mine: int, theirs: int) -> tuple[int, ...]:
    return caps_of(board_of(mine), open_to_collect((board_of(theirs),)))


def round_ends() -> Floats:
    """What completing the board is worth in points of the round, less the other's, by chips."""
    mine = np.arange(TOTAL + 1)
    points = np.where(mine > 0, FULL_BOARD_POINTS, POINTS_WITHOUT_CHIPS)
    ends: Floats = points + MOST_CHIPS_POINTS * np.sign(2.0 * mine - TOTAL)
    return ends


def round_key(locked: bool) -> str:
    """What the table of the round is called. Ties in chips and the match's length change nothing between two."""
    return f"rollers({RollersOptions(saved_dice='locked').text}) round" if locked else "rollers round"


def solve_round(
    locked: bool, progress: Progress = no_progress, lowest: int = 0, threads: int | None = None
) -> RoundSolve:
    """Solve the round, or its levels from the furthest down to `lowest`; a solve that was interrupted goes on."""
    solve = _resume(locked) if lowest == 0 else RoundSolve(locked, round_ends())
    full_lattice(locked)  # compiled once, before the threads want it
    saved = time.monotonic()
    with ThreadPoolExecutor(threads or min(os.cpu_count() or 1, 16)) as pool:
        try:
            for share in solve.run(pool, lowest):
                progress(share)
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
    """Keep what is solved so far."""
    store.keep_part(round_key(solve.locked), VERSION, solve.snapshot())


def _resume(locked: bool) -> RoundSolve:
    solve = RoundSolve(locked, round_ends())
    part = store.load_part(round_key(locked), VERSION)
    if part is not None:
        solve.go_on_from(part.arrays)
    return solve


def round_arrays(solve: RoundSolve) -> store.Arrays:
    """What the round's table keeps: the values, and what it is worth to begin, with the bound on the error of that.

    The error of the other values is half a `STEP` more.
    """
    start = number_of(EMPTY_BOARD)
    return {
        **packing.pack("values", solve.values[0], STEP),
        "start": solve.values[0, start, start, [CHIPS]],
        "error": np.array([solve.error]),
    }


def _unpacked(table: Tables) -> Tables:
    """The table with its values as an array, by board, the other's board and chips."""
    return replace(table, arrays={**table.arrays, "values": packing.unpack("values", table.arrays)})


def round_table(locked: bool, progress: Progress = no_progress) -> Tables:
    """The round's table, from the cache or solved now, which takes minutes."""
    table = load_or_solve(
        round_key(locked), VERSION, lambda progress: round_arrays(solve_round(locked, progress)), progress
    )
    store.discard_part(round_key(locked), VERSION)
    return _unpacked(table)


def saved_round(locked: bool) -> Tables | None:
    """The round's table if it is in the cache."""
    table = store.load(round_key(locked), VERSION)
    return None if table is None else _unpacked(table)


# In the background


def solve_in_steps(options: RollersOptions, stop: threading.Event, progress: Progress) -> None:
    """Solve the round's table bit by bit, in this thread alone, until it is solved or `stop` is set.

    What is solved is kept every half minute and when it is stopped.
    """
    locked = options.saved_dice == "locked"
    if store.has(round_key(locked), VERSION):
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
    store.keep(round_key(locked), VERSION, round_arrays(solve), time.thread_time() - began)
    store.discard_part(round_key(locked), VERSION)
