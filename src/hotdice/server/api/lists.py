"""Lists of tables: what is said of each, for many at a time.

A table that somebody is at is in memory. Of the others, what was said last is kept as long as nothing happens there;
a log that is long is read in another process, as that takes a while.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Final

from hotdice.errors import HotdiceError
from hotdice.server.api.models import TableShown
from hotdice.server.api.shown import log_shown, table_shown
from hotdice.server.refusals import NoTable, TooMuch, Unavailable
from hotdice.server.rooms.names import clean_name
from hotdice.server.rooms.registry import Rooms
from hotdice.server.rooms.replays import SHORT

KEPT: Final = 2000
"""The most tables of which it is kept what was said."""


class Lists:
    """What lists say of tables."""

    def __init__(self, rooms: Rooms) -> None:
        self._rooms = rooms
        self._kept: dict[str, tuple[int, TableShown | None]] = {}
        """With the number of the last entry; the oldest first. Nothing is shown of what cannot be read."""

    async def shown(self, names: Iterable[str]) -> list[TableShown]:
        """These tables, as far as there are such and they can be read."""
        wanted = list(dict.fromkeys(name for each in names if (name := _clean(each))))
        lengths = await self._rooms.store.lengths([name for name in wanted if not self._rooms.is_here(name)])
        found = [await self._one(name, lengths.get(name, 0)) for name in wanted]
        return [table for table in found if table]

    async def _one(self, name: str, length: int) -> TableShown | None:
        try:
            if self._rooms.is_here(name):
                return await table_shown(await self._rooms.get(name))
            return await self._from_log(name, length) if length else None
        except (Unavailable, TooMuch):
            raise
        except HotdiceError as error:  # its game came with a package that is no longer installed, say
            self._rooms.store.report(name, error)
            return None

    async def _from_log(self, name: str, length: int) -> TableShown | None:
        kept = self._kept.get(name)
        if kept and kept[0] == length:
            return kept[1]
        try:
            log = await self._rooms.store.read_raw(name)
            if len(log) <= SHORT:
                shown = log_shown(name, log)
                await asyncio.sleep(0)  # others may want something, too
            else:
                shown = await self._rooms.replays.in_process(log_shown, name, log)
        except (Unavailable, TooMuch):
            raise
        except HotdiceError:
            self._keep(name, length, None)
            raise
        self._keep(name, len(log), shown)
        return shown

    def _keep(self, name: str, length: int, shown: TableShown | None) -> None:
        self._kept.pop(name, None)
        self._kept[name] = (length, shown)
        if len(self._kept) > KEPT:
            del self._kept[next(iter(self._kept))]


def _clean(name: str) -> str:
    try:
        return clean_name(name)
    except NoTable:
        return ""
