"""Whether a server can do its work: the database writes, Redis answers, and the disk has room."""

from __future__ import annotations

import asyncio
import shutil
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from hotdice.server.broker import Broker
from hotdice.server.store import Store, within

CHECK_SECONDS: Final = 3.0
"""Seconds that the database and Redis have for their answers."""
KEEP_SECONDS: Final = 1.0
"""Seconds for which an answer is given again, so that asking often costs nothing."""
ROOM_BYTES: Final = 100_000_000
"""What has to be free on the disk of a SQLite file."""


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at, and what is wrong with it, if anything is."""

    name: str
    problem: str = ""


class Readiness:
    """Looks whether a server is ready, once for all who ask at a time."""

    def __init__(self, store: Store, broker: Broker) -> None:
        self._store, self._broker = store, broker
        self._looking: asyncio.Task[tuple[Check, ...]] | None = None
        self._at = 0.0

    async def checks(self) -> tuple[Check, ...]:
        """What was looked at."""
        looking = self._looking
        if looking is None or (looking.done() and time.monotonic() - self._at > KEEP_SECONDS):
            looking = self._looking = asyncio.ensure_future(self._look())
        return await asyncio.shield(looking)

    async def _look(self) -> tuple[Check, ...]:
        checks = [_checked("database", "The database does not write", self._store.check)]
        if not self._broker.alone:
            checks.append(_checked("redis", "Redis does not answer", self._broker.check))
        found = list(await asyncio.gather(*checks))
        if folder := self._store.folder:
            found.append(_disk(folder))
        self._at = time.monotonic()
        return tuple(found)


async def _checked(name: str, problem: str, check: Callable[[], Awaitable[None]]) -> Check:
    try:
        await within(CHECK_SECONDS, check())
    except Exception as error:  # whatever the drivers raise; their sentences may tell addresses
        return Check(name, f"{problem} ({type(error).__name__}).")
    return Check(name)


def _disk(folder: Path) -> Check:
    try:
        free = shutil.disk_usage(folder).free
    except OSError as error:
        return Check("disk", f"The disk cannot be looked at ({type(error).__name__}).")
    if free < ROOM_BYTES:
        return Check("disk", f"Only {free // 1_000_000} MB are free on the disk.")
    return Check("disk")
