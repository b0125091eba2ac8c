"""The tables of Rollers, the race and the two-player round: solved on all cores or bit by bit, kept, and resumed."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from functools import cache
from typing import Final

import numpy as np

from hotdice.games.rollers.rules import RollersOptions, open_to_collect
from hotdice.games.rollers.solving.boards import FULL, PROGRESS, TOTAL, board_of, caps_of, section_table
from hotdice.games.rollers.solving.lanes import Floats
from hotdice.games.rollers.solving.lattice import full_lattice, lattice_of
from hotdice.games.rollers.solving.race import MARGIN, WORK_ROWS, solve_race
from hotdice.games.rollers.solving.round import Memory, Side, solve_pair, work_memory
from hotdice.solve import store
from hotdice.solve.sources import fingerprint
from hotdice.solve.store import Tables, load_or_solve
from hotdice.values import NotSolved, Progress, no_progress

VERSION: Final = fingerprint(__name__)
SAVE_EVERY: Final = 30.0
"""Seconds after which a solve that is under way is saved."""
CHUNK: Final = 16
BIT: Final = 4
"""Pairs of boards that are solved at a time: with threads, and in the background, where stopping must not take long."""
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
    """A solve of the two-player round under way: its values so far, which are done, and the errors by level."""

    def __init__(self, locked: bool) -> None:
        self.locked = locked
        self.values = np.zeros((FULL, FULL, TOTAL + 1))
        self.done = np.zeros((FULL, FULL), np.bool_)
        self.errors = np.zeros(len(LEVELS))
        self._memory = threading.local()
        self._lock = threading.Lock()

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
            if PROGRESS[one] + PROGRESS[other] == progress and not self.done[one, other]
        ]

    def snapshot(self) -> store.Arrays:
        """What a solve that is interrupted goes on from.

        What is done is copied first: a pair may be finished while the values are copied.
        """
        with self._lock:
            done, errors = self.done.copy(), self.errors.copy()
        return {"done": done, "errors": errors, "values": self.values.copy()}

    def _work_memory(self) -> tuple[Memory, Memory]:
        """Work memory for both players, of this thread's own."""
        mine = self._memory
        if not hasattr(mine, "both"):
            rows = WORK_ROWS if self.locked else FREE_WORK_ROWS
            mine.both = work_memory(rows), work_memory(rows)
        both: tuple[Memory, Memory] = mine.both
        return both

    def solve(self, pairs: Iterable[tuple[int, int]]) -> None:
        """Solve pairs whose followers are solved, all of one level."""
        memory = self._work_memory()
        for one, other in pairs:
            first = side_of(one, other, self.locked, memory[0])
            second = side_of(other, one, self.locked, memory[1])
            error, tempo, _ = solve_pair(self.values, first, second, MARGIN)
            if error < 0 or tempo < 100 * MARGIN:
                raise NotSolved(f"The boards {board_of(one)} and {board_of(other)} could not be enclosed.")
            at = LEVELS.index(PROGRESS[one] + PROGRESS[other])
            with self._lock:
                self.errors[at] = max(self.errors[at], error)
                self.done[one, other] = self.done[other, one] = True


def side_of(mine: int, theirs: int, locked: bool, memory: Memory) -> Side:
    """A player with one board against another, for the kernel."""
    board = board_of(mine)
    lattice = lattice_of(caps_of(board, open_to_collect((board_of(theirs),))), locked)
    return Side(mine, lattice, section_table(), memory)


def round_key(locked: bool) -> str:
    """What the table of the round is called. Ties in chips and the match's length change nothing between two."""
    return f"rollers({RollersOptions(saved_dice='locked').text}) round" if locked else "rollers round"


def solve_round(
    locked: bool, progress: Progress = no_progress, lowest: int = 0, threads: int | None = None
) -> RoundSolve:
    """Solve the round, or its levels from the furthest down to `lowest`; a solve that was interrupted goes on."""
    solve = _resume(locked) if lowest == 0 else RoundSolve(locked)
    full_lattice(locked)  # compiled once, before the threads want it
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
    """Keep what is solved so far."""
    store.keep_part(round_key(solve.locked), VERSION, solve.snapshot())


def _resume(locked: bool) -> RoundSolve:
    solve = RoundSolve(locked)
    part = store.load_part(round_key(locked), VERSION)
    if part is not None:
        solve.values, solve.done, solve.errors = (part.arrays[name] for name in ("values", "done", "errors"))
    return solve


def round_table(locked: bool, progress: Progress = no_progress) -> Tables:
    """The round's table, from the cache or solved now, which takes minutes."""
    table = load_or_solve(round_key(locked), VERSION, lambda progress: solve_round(locked, progress).arrays(), progress)
    store.discard_part(round_key(locked), VERSION)
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
    store.keep(round_key(locked), VERSION, solve.arrays(), time.thread_time() - began)
    store.discard_part(round_key(locked), VERSION)
