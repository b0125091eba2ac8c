"""Games that are played again from their logs and records, away from the event loop.

What needs only texts is done in another process. What makes a match is done in a thread, as a match cannot travel; one
at a time, so that the event loop has at least every other turn. Addresses take turns at both.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from importlib import import_module
from typing import Final, Protocol, TypeVar

from hotdice.games import all_games
from hotdice.record import Record
from hotdice.server.entries import AnyEntry
from hotdice.server.limits import Limits
from hotdice.server.match.fold import Match, fold
from hotdice.server.queues import FairQueue, asking
from hotdice.server.refusals import Unavailable
from hotdice.server.replaying import packed_replay
from hotdice.server.workers import Workers

SHORT: Final = 100
"""Entries of a log that is folded at once: that takes a few milliseconds."""
KEPT: Final = 32
"""Games that are kept moment by moment, packed: each takes less than 100 kB."""
T = TypeVar("T")


class Elsewhere(Protocol):
    """Does something away from the event loop; it takes and gives plain data."""

    def __call__(self, work: Callable[..., T], *about: object) -> Awaitable[T]: ...


class Replays:
    """Where they are played again."""

    def __init__(self, limits: Limits = Limits()) -> None:  # noqa: B008 (it is immutable)
        self._processes = Workers(1, limits.replays)
        self._threads = FairQueue(1, limits.replays)
        self._packed: OrderedDict[tuple[str, str], bytes] = OrderedDict()

    @property
    def waiting(self) -> int:
        """How many wait for their turn."""
        return len(self._processes.queue) + len(self._threads)

    async def in_process(self, work: Callable[..., T], *about: object) -> T:
        """Do something in another process; it takes and gives plain data."""
        try:
            return await self._processes.run(asking.get(), _with_games, _modules(), work, *about)
        except BrokenProcessPool:
            raise Unavailable("The server could not read this game; try again.") from None

    async def packed(self, name: str, record: Record) -> bytes:
        """A game moment by moment, as gzipped JSON; those that were looked at lately are kept."""
        key = name, record.text
        if key not in self._packed:
            self._packed[key] = await self.in_process(packed_replay, *key)
            while len(self._packed) > KEPT:
                self._packed.popitem(last=False)
        self._packed.move_to_end(key)
        return self._packed[key]

    async def in_thread(self, work: Callable[..., T], *about: object) -> T:
        """Do something in a thread, with what nobody else changes meanwhile."""
        async with self._threads.turn(asking.get()):
            return await asyncio.to_thread(work, *about)

    async def fold(self, name: str, log: Sequence[tuple[AnyEntry, int]]) -> Match:
        """The match that a log makes."""
        if len(log) <= SHORT and not _has_record(log):
            return fold(name, log)
        return await self.in_thread(fold, name, log)

    def close(self) -> None:
        self._processes.close()


def _modules() -> tuple[str, ...]:
    """Where the games of this process are; another one may not know those that were registered here."""
    return tuple(game.state.__module__ for game in all_games())


def _with_games(modules: tuple[str, ...], work: Callable[..., T], *about: object) -> T:
    for module in modules:
        with suppress(ImportError):  # if it is needed, there is an error that says more
            import_module(module)
    return work(*about)


def _has_record(log: Sequence[tuple[AnyEntry, int]]) -> bool:
    """Whether a recorded game goes on, which may be long."""
    return bool(log) and bool(getattr(log[0][0], "record", ""))
