"""How long the review of a game takes, and how much two processes help with many.

Every kind of game is played by greedy bots and reviewed when tables are loaded and kernels compiled. CPU seconds are
those of all threads; on a busy machine they say more than the wall clock. `python -m benchmarks review quick` leaves
out the games whose values are sampled, `… sampled` all others; `… many` reviews 1,000 records in one process and in
two.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage

from benchmarks.report import Row, alone, medians, part, versus
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
    before, began = time.process_time(), time.perf_counter()
    found = work()
    return found, time.perf_counter() - began, time.process_time() - before


def measure(kind: Kind) -> Iterator[Row]:
    """One kind of game."""
    warm_up(played(kind.name, kind.players, seed=2))
    table = played(kind.name, kind.players, seed=1)
    report, wall, cpu = timed(lambda: review(table))
    errors = sorted(one.error for one in report.events if one.judged and not one.exact)
    typical = f"values to ±{errors[len(errors) // 2]:.2%}" if errors else "exact"
    title, key = load_game(kind.name).title, f"review.{kind.name}-{kind.players}"
    what = f"{title}, {'alone' if kind.players == 1 else f'{kind.players} players'}"
    remark = f"{table.played} events, {typical}; {wall:.2f} s by the clock, aimed at {kind.aim:g}"
    yield Row(key, "A game", what, cpu, "CPU s", "lower", remark=remark)


def measure_many() -> Iterator[Row]:
    """A thousand records with one process and with two, twice."""
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for seed in range(RECORDS):
            path = Path(folder) / f"{seed}.hotdice"
            path.write_text(record_of(played("pig", 2, seed, "random"), date(2026, 11, 18)).text, "utf-8")
            paths.append(str(path))
        walls: dict[int, list[float]] = {1: [], 2: []}
        spent: dict[int, list[float]] = {1: [], 2: []}
        for jobs in (1, 2, 1, 2):
            before, began = getrusage(RUSAGE_CHILDREN), time.perf_counter()
            command = [sys.executable, "-m", "hotdice", "review", *paths, "--jobs", str(jobs)]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            after = getrusage(RUSAGE_CHILDREN)
            walls[jobs].append(RECORDS / (time.perf_counter() - began))
            spent[jobs].append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    group, unit = f"{RECORDS:,} records of Pig", "records/s by the clock"
    beside = (versus("review.many-1", walls[2], walls[1], FASTER),)
    yield Row("review.many-2", group, "two processes", unit=unit, better="higher", versus=beside, **medians(walls[2]))
    yield Row("review.many-1", group, "one process", unit=unit, better="higher", ours=False, **medians(walls[1]))
    yield Row("review.many.cpu", group, "one process", unit="CPU s", better="lower", **medians(spent[1]))


def rows(arguments: Sequence[str]) -> Iterator[Row]:
    """Measure all of it, or what is named."""
    which = part(arguments, "quick", "sampled", "many")
    for kind in KINDS:
        if which == "" or which == ("sampled" if kind.sampled else "quick"):
            yield from measure(kind)
    if which in ("", "many"):
        yield from measure_many()


if __name__ == "__main__":
    alone(rows)
