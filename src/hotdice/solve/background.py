"""Solving in the background: tables that take minutes are made while people play.

One thread of low priority solves one game after the other, bit by bit. It prints nothing, and it stops when the program
ends; what it has by then is kept, so that it goes on from there another time. A game takes part if its solver solves
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
"""Set in the environment, it means that nothing is solved unasked."""
GRACE: Final = 2.0
"""Seconds that the end of the program waits for the thread to keep what it has."""

Job = tuple[Game, Options, int]


class Background:
    """The thread, what it has to solve, and how far it is."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._jobs: list[Job] = []
        self._shares: dict[Job, float] = {}
        self._thread: threading.Thread | None = None

    def start(self, game: Game, options: Options, players: int) -> None:
        """Have a game solved, unless that was asked for before."""
        job = (game, options, players)
        with self._lock:
            if job in self._shares or os.environ.get(OFF) or game.solver is None:
                return
            self._shares[job] = 0.0
            self._jobs.append(job)
            if self._thread is None:
                self._stop.clear()
                self._thread = threading.Thread(target=self._work, name="hotdice solves", daemon=True)
                self._thread.start()

    def progress(self, game: Game, options: Options, players: int) -> float | None:
        """The share of a game that is solved, or None if it is not being solved."""
        share = self._shares.get((game, options, players))
        return None if share is None or share >= 1.0 else share

    def stop(self, patience: float | None = None) -> None:
        """Stop, and forget what was asked for; wait until what there is has been kept, at most so many seconds."""
        self._stop.set()
        thread = self._thread
        if thread is not None:
            thread.join(patience)
        with self._lock:
            self._jobs.clear()
            self._shares.clear()

    def _work(self) -> None:
        with suppress(AttributeError, OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), 19)
        while True:
            with self._lock:
                if self._stop.is_set() or not self._jobs:
                    self._thread = None
                    return
                job = self._jobs.pop(0)
            self._solve(job)

    def _solve(self, job: Job) -> None:
        game, options, players = job

        def tell(share: float) -> None:
            self._shares[job] = min(share, 0.999)

        # What goes wrong here is told when the values are asked for in the foreground.
        with suppress(Exception):
            solver = solver_of(game)  # loaded in this thread, as that takes a moment
            if solver.in_steps:
                solver.solve_in_steps(options, players, self._stop, tell)
        if not self._stop.is_set():
            self._shares[job] = 1.0


_background: Final = Background()
start, progress, stop = _background.start, _background.progress, _background.stop
atexit.register(lambda: stop(GRACE))
