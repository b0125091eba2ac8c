"""How long the review of a game takes, and how much two processes help with many.

Every kind of game is played by greedy bots and reviewed when tables are loaded and kernels compiled. CPU seconds are
those of all threads; on a busy machine they say more than the wall clock. `python -m benchmarks review quick` leaves
out the games whose values are sampled, `… sampled` all others; `… many` reviews 1,000 records in one process and in
two.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage

from hotdice import load_game
from hotdice.dice import SeededDice
from hotdice.game import OVER
from hotdice.players import make_player
from hotdice.record import record_of
from hotdice.review import Report, Review, review
from hotdice.table import Seat, Table

ALONE, TWO, MANY = 0.3, 1.0, 30.0
"""Seconds aimed at: for a player alone, for two players, and on two cores where values are sampled."""
RECORDS = 1000
BEGUN = 0.03
"""The share of a sampled review that warms up."""
FASTER = 1.8
"""How much faster two processes should be than one."""


class Enough(Exception):
    """Raised when a warm-up has done what it is for."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of game."""

    name: str
    players: int
    sampled: bool = False

    @property
    def aim(self) -> float:
        return MANY if self.sampled else ALONE if self.players == 1 else TWO


KINDS = (
    Kind("kismet", 1),
    Kind("pig", 2),
    Kind("bj", 2),
    Kind("kor", 2),
    Kind("kismet", 2),
    Kind("rollers", 2),
    Kind("kismet", 3),
    Kind("bj", 4, sampled=True),
    Kind("rollers", 3, sampled=True),
    Kind("kor", 3, sampled=True),
    Kind("pig", 3, sampled=True),
)


def played(name: str, players: int, seed: int, kind: str = "greedy") -> Table:
    """A finished game."""
    seats = [Seat(f"P{seat}", make_player(kind, 100 * seed + seat)) for seat in range(players)]
    table = Table(load_game(name).start(players), seats, SeededDice(seed))
    while table.state.seat != OVER:
        table.step()
    return table


def warm_up(table: Table) -> None:
    """Load tables and compile kernels: by a review of another game, or by its beginning where that takes long."""
    work = Review(table)

    def enough(done: float) -> None:
        if work.sampled and done > BEGUN:
            raise Enough

    with suppress(Enough):
        work.run(enough)


def timed(work: Callable[[], Report]) -> tuple[Report, float, float]:
    """What comes of it, in how many seconds by the clock and by the processor."""
    before, began = os.times(), time.perf_counter()
    found = work()
    after = os.times()
    return found, time.perf_counter() - began, after.user + after.system - before.user - before.system


def measure(kind: Kind) -> None:
    """One kind of game."""
    warm_up(played(kind.name, kind.players, seed=2))
    table = played(kind.name, kind.players, seed=1)
    report, wall, cpu = timed(lambda: review(table))
    errors = [one.error for one in report.events if one.judged and not one.exact]
    typical = f"values to ±{100 * sorted(errors)[len(errors) // 2]:.2f}%" if errors else "exact"
    print(
        f"{kind.name}, {kind.players} players: {table.played} events, {cpu:.2f} s of CPU, {wall:.2f} s; "
        f"{typical}; aim {kind.aim:g} s; load {os.getloadavg()[0]:.1f}",
        flush=True,
    )


def measure_many() -> None:
    """A thousand records with one process and with two."""
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for seed in range(RECORDS):
            path = Path(folder) / f"{seed}.hotdice"
            path.write_text(record_of(played("pig", 2, seed, "random"), date(2026, 11, 18)).text, "utf-8")
            paths.append(str(path))
        walls: dict[int, float] = {}
        for jobs in (1, 2, 1, 2):
            before, began = getrusage(RUSAGE_CHILDREN), time.perf_counter()
            command = [sys.executable, "-m", "hotdice", "review", *paths, "--jobs", str(jobs)]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            wall, after = time.perf_counter() - began, getrusage(RUSAGE_CHILDREN)
            cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            walls[jobs] = min(wall, walls.get(jobs, wall))
            print(f"{RECORDS} records of Pig, {jobs} processes: {wall:.1f} s, {cpu:.1f} s of CPU", flush=True)
        print(f"Two are {walls[1] / walls[2]:.2f} times as fast as one; aim {FASTER:g}; load {os.getloadavg()[0]:.1f}")


def main() -> None:
    """Measure all of it, or what is named."""
    what = sys.argv[1] if len(sys.argv) > 1 else ""
    if what not in ("", "quick", "sampled", "many"):
        sys.exit(f"There is no part {what}; there are quick, sampled and many.")
    for kind in KINDS:
        if what == "" or what == ("sampled" if kind.sampled else "quick"):
            measure(kind)
    if what in ("", "many"):
        measure_many()


if __name__ == "__main__":
    main()
