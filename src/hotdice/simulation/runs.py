"""Games in chunks: played side by side, handed on in their order.

A chunk is a plan and the numbers of its games; what comes of it depends on nothing else. So threads, processes or the
workers of a cluster may play chunks as they like, and a run that was broken off has played a whole number of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, TypeVar

from hotdice.simulation.pieces import SideBySide, processes, threads
from hotdice.simulation.plan import Plan, Prepared, prepare_again
from hotdice.simulation.tally import Differences, Tally
from hotdice.solve.batches import Columns, Strategy
from hotdice.values import Progress, no_progress

R = TypeVar("R")

COMPILED_CHUNK: Final = 1 << 14
"""Games in a chunk that is played compiled: some hundredths of a second."""
CHUNK: Final = 1 << 6
"""Games in a chunk that is played by states."""
FEWEST: Final = 1000
"""Games before which no standard error is trusted."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """Some games of a plan."""

    plan: Plan
    first: int
    games: int


def play(chunk: Chunk) -> Columns:
    """The games of a chunk."""
    return prepare_again(chunk.plan).columns(chunk.plan.seed, chunk.first, chunk.games)


def chunks(plan: Plan, games: int, size: int, begin: int = 0) -> Iterator[Chunk]:
    """The games of a plan from one number to another, in pieces."""
    for first in range(begin, games, size):
        yield Chunk(plan, first, min(size, games - first))


Work = Callable[[Chunk], R]
Mapped = Callable[[Work[R], Iterator[Chunk]], Iterator[R]]
"""Does a piece of work for every chunk, side by side, and gives the results in the order of the chunks."""


@contextmanager
def local(jobs: int, ready: Prepared, plan: Plan) -> Iterator[SideBySide]:
    """This machine: threads for compiled games, which let go of the interpreter, and processes for others.

    Functions cannot be sent to another process, so games with such players are played here, one after the other.
    """
    if not all(isinstance(player, Strategy) for player in plan.players):
        jobs = 1
    with threads(jobs) if ready.compiled else processes(jobs) as mapped:
        yield mapped


@dataclass(slots=True)
class Run:
    """Games of a plan, as far as they have been played."""

    plan: Plan
    tally: Tally
    compiled: bool
    other: Tally | None = None
    """What the same games came to with another house rule."""
    differences: Differences | None = None
    """Of that from the first, game by game."""


@dataclass(frozen=True, slots=True)
class _Played:
    """What became of a chunk."""

    tally: Tally
    columns: Columns | None = None
    other: Tally | None = None
    differences: Differences | None = None


def play_and_count(chunk: Chunk, *, keep: bool = False, other: Plan | None = None) -> _Played:
    """Play a chunk, and the same games of another plan if there is one."""
    columns = play(chunk)
    tally, kept = Tally.of(columns), columns if keep else None
    if other is None:
        return _Played(tally, kept)
    others = play(replace(chunk, plan=other))
    return _Played(tally, kept, Tally.of(others), Differences.of(columns, others))


def begin(plan: Plan, other: Plan | None = None, progress: Progress = no_progress) -> Run:
    """A run of which no game has been played yet; tables are loaded or solved."""
    ready = prepare_again(plan, progress)
    players, statistics = len(plan.players), len(plan.statistics)
    empty = Tally.empty(players, statistics)
    if other is None:
        return Run(plan, empty, ready.compiled)
    compiled = prepare_again(other, progress).compiled and ready.compiled
    return Run(plan, empty, compiled, Tally.empty(players, statistics), Differences.empty(players))


def go_on(
    run: Run,
    games: int,
    *,
    mapped: Mapped[_Played],
    other: Plan | None = None,
    until: float | None = None,
    each: Callable[[Columns], None] | None = None,
    keep: Callable[[], None] = lambda: None,
    progress: Progress = no_progress,
) -> None:
    """Play games and add them to the run, chunk by chunk: `each` gets the columns of a chunk, then `keep` is called.

    It ends after `games` of them, or at the end of the first chunk after which no chance to win has a standard error of
    more than `until`.
    """
    if _precise(run, until):
        return
    size = COMPILED_CHUNK if run.compiled else CHUNK
    work = partial(play_and_count, keep=each is not None, other=other)
    for played in mapped(work, chunks(run.plan, games, size, run.tally.games)):
        if each and played.columns:
            each(played.columns)
        run.tally.merge(played.tally)
        if run.other and run.differences and played.other and played.differences:
            run.other.merge(played.other)
            run.differences.merge(played.differences)
        keep()
        if _precise(run, until):
            return
        done = run.tally.games / games
        if until is not None:
            done = max(done, min(1.0, (until / run.tally.error) ** 2))
        progress(done)


def _precise(run: Run, until: float | None) -> bool:
    """Whether no chance to win has a larger standard error than asked for."""
    return until is not None and run.tally.games >= FEWEST and run.tally.error <= until
