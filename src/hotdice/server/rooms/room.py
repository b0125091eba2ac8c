"""One table in memory: a command is obeyed by the match, written to the store, then shown to everybody."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import Any, Final, Protocol

from msgspec import Struct

from hotdice.errors import HotdiceError
from hotdice.server import wire
from hotdice.server.broker import Broker, Note
from hotdice.server.entries import AnyEntry
from hotdice.server.match import commands, company
from hotdice.server.match.dealing import Dealer
from hotdice.server.match.fold import Match
from hotdice.server.match.seats import Attendance
from hotdice.server.refusals import NoTable, Stale, Unavailable, Unreadable
from hotdice.server.rooms.clock import now
from hotdice.server.rooms.coaching import RoomCoach
from hotdice.server.rooms.driver import Driver
from hotdice.server.rooms.jobs import JobQueue
from hotdice.server.rooms.presence import Guest, Presence
from hotdice.server.rooms.replays import Replays
from hotdice.server.rooms.requests import obey
from hotdice.server.rooms.views import Views, card_of, entries_after, newest
from hotdice.server.store import Append, Store, Taken
from hotdice.server.thinkers import Thinkers
from hotdice.server.tokens import token_hash

Command = Callable[[Match], list[AnyEntry]]
Done = Callable[[int, Exception | None], None]
Known = Sequence[tuple[str, str]]
logger: Final = logging.getLogger("hotdice")


class Wanted(Struct, eq=False):
    """A command that somebody gives. `done` hears the number of its first entry, or why it is not obeyed.

    `on` is the number of the state that it was made on; `known` is by which tokens and ids it may have come before;
    `sender` is the client whose command it is, and who gets an answer as soon as `done` is called.
    """

    command: Command
    done: Done
    on: int | None
    known: Known
    sender: Guest | None
    before: int = 0
    """The last entry before its own."""
    moves: int = 0
    """How many rolls and moves are among those."""


class Node(Protocol):
    """What a room needs of the node that it is at."""

    store: Store
    broker: Broker
    thinkers: Thinkers
    replays: Replays

    def dealer(self) -> Dealer:
        """What the node brings to the dice of a game."""

    def spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Do something in the background."""

    def drop(self, name: str) -> None:
        """Have a room no longer, as there is no such table any more."""


class Room:
    """One table."""

    def __init__(self, match: Match, node: Node) -> None:
        self.match = match
        self.presence = Presence()
        self.thinkers = node.thinkers
        self.spawn = node.spawn
        self.dealer = node.dealer
        self.coach = RoomCoach(node.thinkers)
        self.driver = Driver(self)
        self.used = time.monotonic()
        self.foreign = False
        """Whether the last entry was another node's."""
        self._store, self._broker = node.store, node.broker
        self._replays = node.replays
        self._drop = node.drop
        self.gone = False
        """Whether the table was deleted."""
        self._jobs = JobQueue(self.driver.go_on)
        self._views = Views()
        self._shown = match.number
        """The number of the last entry that clients were shown."""
        self._checked: tuple[Match, int] = (match, match.revision)
        """Up to where the tokens of the clients were checked."""
        self.presence.reseat(match.everyone)
        self._players = len(match.seats)
        self._broken = False
        """Whether the match may be ahead of its log, and has to be made again."""

    @property
    def busy(self) -> bool:
        """Whether something is going on here."""
        return self._jobs.busy or self.driver.busy

    @property
    def waiting(self) -> int:
        """How many commands wait for their turn."""
        return self._jobs.waiting

    def attendance(self) -> Attendance:
        """Who is here, and who has been away for long."""
        return self.presence.attendance(self.match)

    @property
    def restored(self) -> int:
        """When the tables were restored from a backup, in milliseconds; 0 if they never were."""
        return self._store.restored

    async def settled(self) -> Match:
        """The match once nothing is under way that is not on disk."""
        async with self._exclusive():
            return self.match

    def wake(self) -> None:
        """Go on where the log ends."""
        self.foreign = not self._broker.alone
        self.driver.go_on()

    @asynccontextmanager
    async def _exclusive(self) -> AsyncIterator[None]:
        """A job with a match that is as its log says."""
        async with self._jobs.exclusive():
            if self.gone:
                raise _deleted()
            if self._broken:
                await self._reload()
            yield

    async def publish(self) -> None:
        """Keep a table that was just set up, with all that happened at once; `Stale` if its name is another's."""
        match = self.match
        kept: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        def done(error: Exception | None) -> None:
            if not kept.done():
                if error:
                    kept.set_exception(Stale("That name is taken.") if isinstance(error, Taken) else error)
                else:
                    kept.set_result(None)

        async with self._exclusive():
            bodies, match.unsaved = match.unsaved, []
            self._store.append(Append(match.name, 1, match.now, bodies, card_of(match), done))
            await kept

    async def delete(self) -> None:
        """Remove the table and its log, and send everybody away."""
        async with self._exclusive():
            await self._store.delete(self.match.name)
            self._vanish()
        self._broker.tell(self.match.name, number=self.match.number + 1)  # who reads on finds nothing

    def _vanish(self) -> None:
        """There is no such table any more."""
        self.gone = True
        self._drop(self.match.name)
        for guest in tuple(self.presence.guests):
            guest.dismiss(str(_deleted()))

    # Commands

    def act(self, guest: Guest, message: wire.Wish, done: Done) -> None:
        """Do what a client asks for; repeating it gives the same answer."""
        if isinstance(message, wire.Move) and message.grace:
            done = self._graced(message.grace, done)
        known = [(key, message.id) for key in guest.keys]
        on = getattr(message, "on", None)
        self.submit(lambda match: obey(match, guest.seats, message, self.attendance), done, on, known, guest)

    def _graced(self, grace: int, done: Done) -> Done:
        """Have bots wait, once a choice is made, so that it can be taken back."""

        def made(number: int, error: Exception | None) -> None:
            if error is None:
                self.driver.wait(grace)
            done(number, error)

        return made

    def proceed(self, guest: Guest) -> None:
        """A client takes nothing back: if the last choice was its own, bots go on."""
        if self.match.undoable() in guest.seats:
            self.driver.wait(0)
            self.driver.go_on()

    async def do(self, command: Command, on: int | None = None) -> int:
        """Have a command obeyed, and wait for it; the number of its first entry."""
        answer: asyncio.Future[int] = asyncio.get_running_loop().create_future()

        def done(number: int, error: Exception | None) -> None:
            if not answer.done():
                if error:
                    answer.set_exception(error)
                else:
                    answer.set_result(number)

        self.submit(command, done, on)
        return await answer

    def submit(
        self, command: Command, done: Done, on: int | None = None, known: Known = (), sender: Guest | None = None
    ) -> None:
        """Have a command obeyed, kept and shown; see `Wanted`."""
        self.used = time.monotonic()
        self._jobs.enqueue(partial(self._obey, Wanted(command, done, on, known, sender)))

    def _obey(self, wanted: Wanted) -> None:
        match, done = self.match, wanted.done
        if self.gone:
            self._finish(done, 0, _deleted())
            return
        if self._broken:
            self.spawn(self._mend(wanted))
            return
        for key in wanted.known:
            if key in match.answered:
                self._finish(done, match.answered[key])
                return
        before, revision = match.number, match.revision
        match.now = now()
        try:
            if wanted.on is not None and wanted.on != match.state_number:
                raise Stale(f"The table has moved on to number {match.state_number}; look again before you act.")
            wanted.command(match)
        except HotdiceError as refusal:
            self._broken = match.number != before
            self._finish(done, 0, refusal)
        except Exception as defect:
            logger.exception("Table %s could not do something.", match.name)
            self._broken = True
            error = Unavailable("Something went wrong on the server; it has been logged.")
            error.__cause__ = defect
            self._finish(done, 0, error)
        else:
            if not match.unsaved:
                self._finish(done, before)
                return
            card = card_of(match) if match.revision != revision else None
            bodies, match.unsaved = match.unsaved, []
            wanted.before = before
            wanted.moves = match.number - before - (match.revision - revision)  # whatever else happens is a revision
            self._store.append(Append(match.name, before + 1, match.now, bodies, card, partial(self._saved, wanted)))

    def _saved(self, wanted: Wanted, error: Exception | None) -> None:
        """The store has the entries, or not."""
        if error is None:
            self._store.metrics.moves += wanted.moves
            self.foreign = False
            self._show(wanted.sender)
            self._broker.tell(self.match.name, number=self.match.number)
            self._finish(wanted.done, wanted.before + 1)
            return
        self._broken = True
        if isinstance(error, Taken):  # by another node: see what it wrote, which may be the same message
            self.spawn(self._mend(wanted))
        else:
            self._finish(wanted.done, 0, error)

    def _finish(self, done: Done, number: int, error: Exception | None = None) -> None:
        """Answer whoever gave a command, and let the next one begin."""
        try:
            done(number, error)
        finally:
            self._jobs.release()

    async def _mend(self, wanted: Wanted) -> None:
        """Make the match again before a command is obeyed."""
        try:
            await self._reload()
        except Exception as error:
            if isinstance(error, Unreadable):
                self._store.report(self.match.name, error)
            elif not isinstance(error, HotdiceError):
                logger.exception("Table %s cannot be read.", self.match.name)
                error = Unavailable("This table cannot be read at present; it has been logged.")
            self._finish(wanted.done, 0, error)
        else:
            self._obey(wanted)

    # Showing it

    def _show(self, sender: Guest | None = None) -> None:
        """Send what is new to everybody; whoever caused it gets it together with the answer."""
        match, presence = self.match, self.presence
        moved: set[Guest] = set()
        if self._checked != (match, match.revision):
            self._checked = (match, match.revision)
            moved = presence.reseat(match.everyone)
            if self._players != len(match.seats):  # then other facts hold, too
                self._players = len(match.seats)
                moved = set(presence.guests)
        if presence.guests and match.number > self._shown:
            try:
                updates = {words: self._update(words=words) for words in {guest.words for guest in presence.guests}}
                if None in updates.values():
                    moved = set(presence.guests)
                anew = {guest: self._welcome(guest, self._shown) for guest in moved}
            except Exception:  # of a game that cannot show itself; the table has to go on
                logger.exception("Table %s cannot be shown.", match.name)
            else:
                for guest in tuple(presence.guests):
                    told = anew.get(guest) or updates[guest.words] or b""
                    if guest is sender:
                        guest.hold(told)
                    else:
                        guest.send(told)
        self._shown = match.number
        if moved and not self._broker.alone:
            self.beat()

    def _update(self, *, words: bool) -> bytes | None:
        """What is new; None if it is too much for one message, as another node was busy for long: then whatever is left
        out is said in a welcome."""
        events = entries_after(self.match, self._shown, words=words)
        if len(newest(events)) < len(events):
            return None
        state = self._views.state(self.match, self.presence, self.driver.deadline(), words=words)
        return wire.packed(wire.Update(events, state))

    def _welcome(self, guest: Guest, last: int) -> bytes:
        tokens = self.match.tokens
        opens = tuple([tokens.index(key) if key in tokens else -1 for key in guest.keys])
        deadline = self.driver.deadline()
        return wire.packed(self._views.welcome(self.match, opens, last, self.presence, deadline, words=guest.words))

    def announce(self) -> None:
        """Tell everybody who is present."""
        presence = self.presence
        if presence.guests:
            packed = wire.packed(self._views.presence(self.match, presence, self.driver.deadline()))
            for guest in tuple(presence.guests):
                guest.send(packed)

    # Coming and going

    async def enter(self, guest: Guest, tokens: tuple[str, ...], last: int) -> None:
        """Let a client in: check its tokens, tell it what it missed, and show it everything from now on."""
        async with self._exclusive():
            match, presence = self.match, self.presence
            guest.seats = match.seats_of(tokens)
            guest.keys = tuple([token_hash(token) for token in tokens])
            presence.enter(guest)
            guest.send(self._welcome(guest, last))
        self._presence_changed()
        if guest.seats and company.is_outdated(self.match, self.restored):
            await self.do(partial(company.redraw, restored=self.restored))
        for number in guest.seats:
            with suppress(HotdiceError):
                await self.do(partial(commands.come_back, seat=number))

    def depart(self, guest: Guest) -> None:
        """A client is gone."""
        self.used = time.monotonic()
        self.presence.leave(guest, now())
        if guest.seats:
            self._presence_changed()
        self.driver.go_on()

    def _presence_changed(self) -> None:
        if not self._broker.alone:
            self.beat()
        self.announce()

    # Other nodes

    def beat(self) -> None:
        """Tell other nodes who is here, and how far the table is: a node that was killed may not have said so."""
        present = tuple(sorted(self.presence.here))
        self._broker.tell(self.match.name, number=self.match.number, present=present)

    def hear(self, note: Note) -> None:
        """Another node says something about this table."""
        if note.present is not None:
            if self.presence.here and not self.presence.knows(note.node):  # it does not know yet who is here
                self.beat()
            if self.presence.hear(note.node, note.present, now()):
                self.announce()
                self.driver.go_on()
        if self._broken or note.number > self.match.number:
            self.spawn(self.catch_up())

    def lapse(self) -> None:
        """Take those whose node has fallen silent for gone."""
        silent, changed = self.presence.lapse(now())
        if changed:
            self.announce()
            self.driver.go_on()
        if silent:
            self.spawn(self.catch_up())

    async def catch_up(self, *, surely: bool = False) -> None:
        """Read what other nodes wrote. Where that has to be known `surely`, a store that is away is an error."""
        try:
            async with self._exclusive():
                entries = await self._store.read(self.match.name, self.match.number - 1)
                if not entries:
                    self._vanish()
                    if surely:
                        raise _deleted()
                    return
                if entries := entries[1:]:
                    self._broken = True  # unless all of them can be taken in
                    self.match.read(entries)
                    self._broken, self.foreign = False, True
                    self._show()
        except Unreadable as error:
            self._store.report(self.match.name, error)
            if surely:
                raise
        except (NoTable, Unavailable):  # the store says so in the log, once for all tables
            if surely:
                raise
        except HotdiceError as error:
            logger.warning("Table %s could not be read on: %s", self.match.name, error)

    async def _reload(self) -> None:
        """Make the match again from the log."""
        entries = await self._store.read(self.match.name)
        if not entries:
            self._vanish()
            raise _deleted()
        self.match = await self._replays.fold(self.match.name, entries)
        self._broken = False
        self.foreign = not self._broker.alone
        self._show()


def _deleted() -> NoTable:
    return NoTable("Whoever runs this server deleted the table.")
