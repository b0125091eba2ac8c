"""All rooms of a node: made when somebody asks for them, dropped when nobody is in them, closed when nobody comes."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Coroutine, Iterator
from itertools import count
from typing import Any, Final

from hotdice.errors import HotdiceError, UnknownGame
from hotdice.server.broker import Broker, Note
from hotdice.server.entries import Created
from hotdice.server.match import commands
from hotdice.server.match.dealing import Dealer
from hotdice.server.match.fold import Match, Status
from hotdice.server.refusals import NoTable, Stale, Unavailable, Unreadable
from hotdice.server.rooms import presence
from hotdice.server.rooms.clock import DAY, ClockWatch, now
from hotdice.server.rooms.names import clean_name, code_of, new_name
from hotdice.server.rooms.replays import Replays
from hotdice.server.rooms.room import Command, Room
from hotdice.server.signing import Signer
from hotdice.server.store import Store
from hotdice.server.thinkers import Thinkers
from hotdice.server.tokens import new_key, new_secret

FORGET_SECONDS: Final = 120.0
"""Seconds after which a room with nobody in it is dropped."""
POLL_SECONDS: Final = 15
"""Seconds after which a node reads on, whether it has heard of news or not."""
EXPIRY: Final = ((Status.WAITING, False, DAY), (Status.PLAYING, False, 30 * DAY), (Status.PLAYING, True, 7 * DAY))
"""Milliseconds after which an idle table is closed, or just one with one person against bots; its log stays."""
KEEP_ADDRESSES: Final = 7
"""Days for which it is kept from which address a table was set up that is over."""
EXPIRY_SECONDS: Final = 600.0
"""Seconds between two looks at what is idle."""
logger: Final = logging.getLogger("hotdice")


class Rooms:
    """All rooms of this node."""

    def __init__(
        self, store: Store, broker: Broker, thinkers: Thinkers, replays: Replays | None = None, *,
        believe_clock: bool = False, keep_addresses: int = KEEP_ADDRESSES,
    ) -> None:  # fmt: skip
        self.store, self.broker, self.thinkers = store, broker, thinkers
        self.replays = replays or Replays()
        self._clock = ClockWatch(store, believe=believe_clock)
        self.signer: Signer | None = None
        """Signs the promises of dice, if something does."""
        self._keep_addresses = keep_addresses
        self._rooms: dict[str, Room] = {}
        self._loading: dict[str, asyncio.Task[Room]] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def __iter__(self) -> Iterator[Room]:
        return iter(tuple(self._rooms.values()))

    async def open(self) -> None:
        """Start listening to other nodes, and looking after what is idle."""
        await self.broker.open(self._hear, self._catch_up)
        self.spawn(self._sweep())
        self.spawn(self._expire())
        if not self.broker.alone:
            self.spawn(self._beat())
            self.spawn(self._poll())

    async def close(self) -> None:
        """Stop everything."""
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self.thinkers.close()
        self.replays.close()
        await self.broker.close()

    def spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Do something in the background; it is cancelled when the server ends."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[None]) -> None:
        """What went wrong in a task is for the log, as nobody waits for it."""
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()):
            logger.error("Something went wrong in the background.", exc_info=error)

    def dealer(self) -> Dealer:
        """What this server brings to the dice of a game."""
        return Dealer(new_secret(), self.signer.key, self.signer.sign) if self.signer else Dealer(new_secret())

    async def create(self, setup: Created, begin: Command, name: str = "") -> Room:
        """Set a table up; `begin` says what else happens at once. A name that was chosen before is the table's own, and
        whoever comes later with it finds the table there."""
        key = new_key()

        def make() -> Match:
            match = Match(name or new_name())
            match.now = now()
            commands.create(match, setup, key)
            begin(match)
            return match

        while True:
            room = Room(await self.replays.in_thread(make) if setup.record else make(), self)
            try:
                await room.publish()
            except Stale:
                if name:
                    return await self.get(name)
                continue
            self._rooms[room.match.name] = room
            return room

    def is_here(self, name: str) -> bool:
        """Whether a table's room is there or is being made."""
        return name in self._rooms or name in self._loading

    async def get(self, name: str) -> Room:
        """The room of a table, made from its log if it is not there."""
        name = clean_name(name)
        room = self._rooms.get(name)
        if room is None:
            loading = self._loading.get(name)
            if loading is None:
                loading = self._loading[name] = asyncio.ensure_future(self._load(name))
                loading.add_done_callback(lambda _: self._loading.pop(name, None))
                return await asyncio.shield(loading)
            room = await asyncio.shield(loading)
        if not self.broker.alone:  # whoever asks may come from a node that knows more
            await room.catch_up(surely=True)
        return room

    async def _load(self, name: str) -> Room:
        try:
            entries = await self.store.read(name)
            if not entries:
                raise NoTable(f"There is no table {code_of(name)}; look at the link or the code again.")
            room = Room(await self.replays.fold(name, entries), self)
        except (Unreadable, UnknownGame) as error:
            self.store.report(name, error)
            raise
        self._rooms[name] = room
        room.wake()
        return room

    async def delete(self, name: str) -> None:
        """Remove a table and its log, also one that cannot be read."""
        name = clean_name(name)
        try:
            await (await self.get(name)).delete()
        except (Unreadable, UnknownGame):
            await self.store.delete(name)
        if not self.broker.alone:
            self.spawn(self._delete_again(name))

    async def _delete_again(self, name: str) -> None:
        """Remove what another node wrote before it heard that a table is deleted."""
        await asyncio.sleep(POLL_SECONDS)
        await self.store.delete(name)

    def drop(self, name: str) -> None:
        """Have a room no longer, as there is no such table any more."""
        self._rooms.pop(name, None)

    # Other nodes

    def _hear(self, note: Note) -> None:
        room = self._rooms.get(note.table)
        if room is not None:
            room.hear(note)

    def _catch_up(self) -> None:
        for room in self:
            self.spawn(room.catch_up())

    async def _poll(self) -> None:
        """Read the logs each second while no notes come through; and now and then anyway, as they may be lost."""
        for second in count(1):
            await asyncio.sleep(1.0)
            if not self.broker.connected or second % POLL_SECONDS == 0:
                self._catch_up()

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(presence.BEAT_SECONDS)
            for room in self:
                if room.presence.here:
                    room.beat()
                room.lapse()

    # Keeping house

    async def _sweep(self) -> None:
        """Drop rooms that nobody is in."""
        while True:
            await asyncio.sleep(FORGET_SECONDS / 4)
            old = time.monotonic() - FORGET_SECONDS
            for name, room in tuple(self._rooms.items()):
                if not room.presence.guests and room.used < old and not room.busy:
                    del self._rooms[name]

    async def _expire(self) -> None:
        """Close tables that nobody comes back to."""
        while True:
            try:
                if present := await self._clock.look():
                    for status, alone, after in EXPIRY:
                        await self._close_idle(status, present - after, alone=alone)
                    while await self.store.forget_origins(present - self._keep_addresses * DAY):
                        pass
                    await self.store.lapse_bans(present)
            except Unavailable as error:
                logger.warning("Idle tables are looked for later: %s", error)
            await asyncio.sleep(EXPIRY_SECONDS)

    async def _close_idle(self, status: Status, since: int, *, alone: bool) -> None:
        last = ""
        while names := await self.store.idle(status.value, since, alone=alone, after=last):
            last = names[-1]
            for name in names:
                try:
                    await self._close(name, status)
                except Unavailable:
                    raise
                except HotdiceError:  # it cannot be read, and the log says so
                    continue
                except Exception:
                    logger.exception("Table %s could not be closed.", name)

    async def _close(self, name: str, status: Status) -> None:
        room = await self.get(name)
        why = "nobody came." if status is Status.WAITING else "nobody came back."
        await room.do(
            lambda match: commands.close(match, why) if match.status is status and not room.presence.guests else []
        )
