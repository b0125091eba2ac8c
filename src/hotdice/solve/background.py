"""Solving in the background: tables that take minutes are made while people play.

One thread of low priority solves one game after the other, bit by bit. It prints nothing, and it stops when the program
ends; what it has by then is saved, so that it goes on from there another time. A game takes part if its solver solves
`in_steps`; the evaluators take a table up once it is there.
"""

from __future__ import annotations

import atexit
import os
import threading
from contextlib import suppress
from typing import Final

from hotdice.game import Game
from hotdice.options import Options
from hotdice.solve import solver_of

OFF: Final = "HOTDICE_NO_BACKGROUND"
"""The environment variable that switches this off."""
EXIT_TIMEOUT: Final = 2.0
"""Seconds that the end of the program waits for the thread to save what it has."""

Job = tuple[Game, Options, int, tuple[int, ...]]
"""A game, its options, the number of players, and their scores: at others it may need other tables."""


class BackgroundSolver:
    """The thread, its queue, and how far each game is solved."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._queue: list[Job] = []
        self._solved: dict[Job, float] = {}
        self._thread: threading.Thread | None = None

    def start(self, game: Game, options: Options, players: int, scores: tuple[int, ...] = ()) -> None:
        """Have a game solved if its solver does that in steps, unless that was asked for before at these scores."""
        job = (game, options, players, scores)
        with self._lock:
            if job in self._solved or os.environ.get(OFF) or game.solver is None:
                return
            self._solved[job] = 0.0
            self._queue.append(job)
            if self._thread is None:
                self._stop.clear()
                self._thread = threading.Thread(target=self._run, name="hotdice background solver", daemon=True)
                self._thread.start()

    def progress(self, game: Game, options: Options, players: int, scores: tuple[int, ...] = ()) -> float | None:
        """The share of a game that is solved, or None if it is not being solved."""
        share = self._solved.get((game, options, players, scores))
        return None if share is None or share >= 1.0 else share

    def stop(self, timeout: float | None = None) -> None:
        """Stop, and forget what was asked for; wait until what there is has been saved, or `timeout` seconds."""
        self._stop.set()
        thread = self._thread
        if thread is not None:
            thread.join(timeout)
        with self._lock:
            self._queue.clear()
            self._solved.clear()

    def _run(self) -> None:
        with suppress(AttributeError, OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), 19)
        while True:
            with self._lock:
                if self._stop.is_set() or not self._queue:
                    self._thread = None
                    return
                job = self._queue.pop(0)
            self._solve(job)

    def _solve(self, job: Job) -> None:
        game, options, players, _ = job

        def report(share: float) -> None:
            self._solved[job] = min(share, 0.999)

        # Errors are shown when the values are asked for in the foreground.
        with suppress(Exception):
            solver = solver_of(game)  # loaded in this thread, as that takes a moment
            if solver.solves_in_steps(options, players):
                solver.solve_in_steps(options, players, self._stop, report)
        if not self._stop.is_set():
            self._solved[job] = 1.0


_solver: Final = BackgroundSolver()
start, progress, stop = _solver.start, _solver.progress, _solver.stop
atexit.register(lambda: stop(EXIT_TIMEOUT))
