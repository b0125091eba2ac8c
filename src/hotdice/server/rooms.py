"""Rooms: tables that somebody plays at or looks at, in memory.

A room has a match, the connections to it, and what moves it on when no person does: bots and clocks. One thing happens
at a time: a wish is granted by the match, written to the store, and shown to everybody, in this order. A room holds
nothing that the log does not have, so it can be dropped at any moment and made again.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager, suppress
from functools import partial
from itertools import count
from typing import Any, Final, Protocol

from msgspec import Raw

from hotdice.errors import HotdiceError
from hotdice.game import CHANCE
from hotdice.moments import Moment
from hotdice.server import wire
from hotdice.server.bots import Thinkers
from hotdice.server.broker import Broker, Note
from hotdice.server.coach import OFF as NO_ADVICE
from hotdice.server.coach import Advised, Latest, NoCoach
from hotdice.server.entries import AnyEntry, Created
from hotdice.server.match import HARD, OFF, Match, Status, fold
from hotdice.server.refusals import NoSeat, NoTable, Stale, Unavailable
from hotdice.server.store import Append, Card, Store, Taken

LETTERS: Final = "23456789abcdefghjkmnpqrstuvwxyz"
NAME_LENGTH: Final = 8
PATIENCE: Final = 60.0
"""Seconds after which somebody who is away is played for, where the table has no clock."""
DELAY: Final = 2.0
"""Seconds that the bots of a table are left to the node where it was last played."""
FORGET: Final = 120.0
"""Seconds after which a room with nobody in it is dropped."""
BEAT: Final = 10.0
"""Seconds between two notes of who is present at a node; three missed ones make it absent."""
POLL: Final = 15
"""Seconds after which a node reads on, whether it has heard of news or not."""
EXPIRY: Final = {Status.WAITING: 24 * 3600, Status.PLAYING: 30 * 24 * 3600}
"""Seconds after which an idle table is closed; its log stays."""
RUN: Final = 64
"""The most rolls that a bot makes before others see them."""

Wish = Callable[[Match], list[AnyEntry]]
Done = Callable[[int, Exception | None], None]
Known = tuple[tuple[int, str], ...]
log: Final = logging.getLogger("hotdice")


class Guest(Protocol):
    """A connection, as a room sees it. `keys` are the hashes of the tokens that opened its seats."""

    seats: tuple[int, ...]
    keys: tuple[str, ...]

    def send(self, packed: bytes) -> None:
        """Send a message, in a moment."""

    def hold(self, packed: bytes) -> None:
        """Send a message together with the next one."""


def now() -> int:
    """Milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def new_name() -> str:
    """A table's name: short enough to be read out, long enough not to be guessed."""
    return "".join(secrets.choice(LETTERS) for _ in range(NAME_LENGTH))


def clean_name(text: str) -> str:
    """A table's name as somebody may have typed it."""
    name = text.replace("-", "").replace(" ", "").lower()
    if len(name) != NAME_LENGTH or any(letter not in LETTERS for letter in name):
        raise NoTable(
            f"There is no table “{text[:20]}”; its name has {NAME_LENGTH} letters and digits, as in k3x9-w7fm."
        )
    return name


class Room:
    """One table."""

    def __init__(self, match: Match, rooms: Rooms) -> None:
        self.match = match
        self.guests: set[Guest] = set()
        self._here: frozenset[int] = frozenset()
        self._checked: tuple[Match, int] = (match, match.filed)
        """Up to where the tokens of those who are here were checked."""
        self.used = time.monotonic()
        self._rooms = rooms
        self._occupied = False
        self._queue: deque[Callable[[], None]] = deque()
        self._shown = match.number
        self._broken = False
        """Whether the match may be ahead of its log, and has to be made again."""
        self._foreign = False
        """Whether the last entry was another node's."""
        self._bots: asyncio.Task[None] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._elsewhere: dict[str, tuple[frozenset[int], float]] = {}
        """Who is present at other nodes, and until when that is believed."""
        self._missed: dict[int, int] = {}
        """Since when a seat has been away."""
        self._sitting: tuple[object, Raw] = (None, Raw())
        self._advice: Latest[Advised] = Latest(stale=lambda advised: advised.share is not None)
        self._moments: Latest[tuple[Moment, ...]] = Latest()

    @property
    def busy(self) -> bool:
        """Whether something is going on here."""
        return self._occupied or (self._bots is not None and not self._bots.done())

    async def settled(self) -> Match:
        """The match once nothing is under way that is not on disk."""
        async with self._alone():
            return self.match

    def wake(self) -> None:
        """Go on where the log ends."""
        self._foreign = not self._rooms.broker.alone
        self._go_on()

    # One thing at a time

    def _turn(self, work: Callable[[], None]) -> None:
        """Have something done when it is its turn; it calls `_release` once it is done."""
        if self._occupied:
            self._queue.append(work)
        else:
            self._occupied = True
            work()

    def _release(self) -> None:
        """Let the next one begin."""
        if self._queue:
            asyncio.get_running_loop().call_soon(self._queue.popleft())
        else:
            self._occupied = False
            self._go_on()

    @asynccontextmanager
    async def _alone(self) -> AsyncIterator[None]:
        """A turn that takes its time, with a match that is as its log says."""
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._turn(lambda: self._release() if turn.cancelled() else turn.set_result(None))
        try:
            await turn
        except asyncio.CancelledError:
            if not turn.cancelled():  # it had come
                self._release()
            raise
        try:
            if self._broken:
                await self._reload()
            yield
        finally:
            self._release()

    # Doing something

    def submit(
        self, wish: Wish, done: Done, on: int | None = None, known: Known = (), sender: Guest | None = None
    ) -> None:
        """Have a wish granted, kept and shown. `done` hears the number of its first entry, or why not.

        `on` is the number of the state that it was made on; `known` is by which seats and ids it may have come before;
        `sender` is the client whose wish it is, and who gets an answer as soon as `done` is called.
        """
        self.used = time.monotonic()
        self._turn(lambda: self._grant(wish, done, on, known, sender))

    async def do(self, wish: Wish, on: int | None = None) -> int:
        """The same for those who wait for it."""
        answer: asyncio.Future[int] = asyncio.get_running_loop().create_future()

        def done(number: int, error: Exception | None) -> None:
            if not answer.done():
                if error:
                    answer.set_exception(error)
                else:
                    answer.set_result(number)

        self.submit(wish, done, on)
        return await answer

    def _grant(self, wish: Wish, done: Done, on: int | None, known: Known, sender: Guest | None) -> None:
        again = partial(self._grant, wish, done, on, known, sender)
        if self._broken:
            self._rooms.spawn(self._mend(again, done))
            return
        match = self.match
        for key in known:
            if key in match.answered:
                done(match.answered[key], None)
                self._release()
                return
        before, filed = match.number, match.filed
        match.now = now()
        error: Exception
        try:
            if on is not None and on != match.stage:
                raise Stale(f"The table has moved on to number {match.stage}; look again before you act.")
            wish(match)
        except HotdiceError as refusal:
            error = refusal
        except Exception as defect:
            log.exception("Table %s could not do something.", match.name)
            error = Unavailable("Something went wrong here; it has been noted.")
            error.__cause__ = defect
        else:
            if match.fresh:
                card = self._card() if match.filed != filed else None
                bodies, match.fresh = match.fresh, []
                kept = partial(self._kept, before, done, again, sender)
                self._rooms.store.append(Append(match.name, before + 1, match.now, bodies, card, kept))
                return
            done(before, None)
            self._release()
            return
        self._broken = match.number != before
        done(0, error)
        self._release()

    def _kept(
        self, before: int, done: Done, again: Callable[[], None], sender: Guest | None, error: Exception | None
    ) -> None:
        """The store has it, or not."""
        if error is None:
            self._foreign = False
            self._show(sender)
            self._rooms.broker.tell(self.match.name, number=self.match.number)
            done(before + 1, None)
        else:
            self._broken = True
            if isinstance(error, Taken) and not before:  # the name is another table's; this room is none
                done(0, Stale("That name is taken."))
                return
            if isinstance(error, Taken):  # by another node: see what it wrote, which may be the same message
                self._rooms.spawn(self._mend(again, done))
                return
            done(0, error)
        self._release()

    async def _mend(self, then: Callable[[], None], done: Done) -> None:
        """Make the match again before something is done with it."""
        try:
            await self._reload()
        except Exception as error:
            if not isinstance(error, HotdiceError):
                log.exception("Table %s cannot be read.", self.match.name)
                error = Unavailable("This table cannot be read at present; it has been noted.")
            done(0, error)
            self._release()
        else:
            then()

    def act(self, guest: Guest, message: wire.Wish, done: Done) -> None:
        """Do what a client asks for; repeating it gives the same answer."""
        known = tuple([(seat, message.id) for seat in guest.seats])
        on = None if isinstance(message, wire.Ready) else message.on
        self.submit(lambda match: self._wish(match, guest.seats, message), done, on, known, guest)

    def _wish(self, match: Match, seats: tuple[int, ...], message: wire.Wish) -> list[AnyEntry]:
        if not seats:
            raise NoSeat("You gave your seat up; join again to play.")
        seat = self._acting(seats, message)
        match message:
            case wire.Move(client, _, text, then_roll):
                return match.move(seat, text, then_roll=then_roll, client=client)
            case wire.Roll(client, _, faces):
                return match.roll(seat, faces, client=client)
            case wire.Undo(client):
                return match.ask(seat, client)
            case wire.Agree(client):
                return match.answer(seat, True, client)
            case wire.Refuse(client):
                return match.answer(seat, False, client)
            case wire.Ready(client, string):
                return match.ready(seat, string, client)

    def _acting(self, seats: tuple[int, ...], message: wire.Wish) -> int:
        """Which of a client's seats a message is for."""
        match = self.match
        if isinstance(message, wire.Agree | wire.Refuse | wire.Ready):
            if message.seat is not None and message.seat not in seats:
                raise NoSeat(f"Seat {message.seat + 1} is not yours.")
            return seats[0] if message.seat is None else message.seat
        due = match.undoable() if isinstance(message, wire.Undo) else match.actor
        return due if due in seats and due is not None else seats[0]

    # Showing it

    def welcome(self, guest: Guest, last: int) -> bytes:
        """What a client is told when it comes in, given the last entry that it has."""
        match = self.match
        setup = match.setup
        history = match.history
        missed = history[last:] if last <= len(history) else history
        return wire.packed(
            wire.Welcome(
                table=match.name,
                game=setup.game,
                dice=setup.dice,
                public=setup.public,
                clock=setup.clock.kind,
                seconds=setup.clock.seconds,
                stand_in=match.stand_in,
                coach=setup.coach,
                seats=guest.seats,
                events=missed,
                state=self.shown(),
                manual=match.manual,
            )
        )

    def shown(self) -> wire.Shown:
        """The table as it stands."""
        match = self.match
        table = match.table
        state = table.state if table else None
        return wire.Shown(
            number=match.stage,
            status=match.status.value,
            round=match.round,
            seats=self._seats(),
            actor=match.actor,
            rolls=match.rolls,
            undo=match.undoable(),
            asked=match.asked,
            waiting=match.waiting(),
            deadline=self.deadline(),
            now=now(),
            promise=match.promise,
            strings=tuple(match.strings.values()),
            view=state.view() if state else None,
            due=match.game.counted(state.outcomes().rolls[0]) if state and match.rolls else (),
            fresh=state is not None and state.fresh,
        )

    def _seats(self) -> Raw:
        """Who sits where, encoded; it is the same for many states."""
        match, present = self.match, self.present()
        key = (match, match.filed, present)
        if self._sitting[0] != key:
            shown = [
                wire.SeatShown(place.kind, place.name, place.bot, seat in present, place.away, place.gone)
                for seat, place in enumerate(match.places)
            ]
            self._sitting = key, Raw(wire.encoded(shown))
        return self._sitting[1]

    def _revoke(self) -> None:
        """Take seats from connections whose tokens open them no longer."""
        places = self.match.places
        for guest in self.guests:
            held = [pair for pair in zip(guest.seats, guest.keys, strict=True) if places[pair[0]].token == pair[1]]
            if len(held) < len(guest.seats):
                guest.seats, guest.keys = tuple(seat for seat, _ in held), tuple(key for _, key in held)
        self._here = frozenset(seat for guest in self.guests for seat in guest.seats)

    def _show(self, sender: Guest | None = None) -> None:
        """Send what is new to everybody; whoever caused it gets it together with the answer."""
        match = self.match
        if self._checked != (match, match.filed):
            self._checked = (match, match.filed)
            self._revoke()
        if self.guests and match.number > self._shown:
            update = wire.packed(wire.Update(match.history[self._shown :], self.shown()))
            for guest in tuple(self.guests):
                if guest is sender:
                    guest.hold(update)
                else:
                    guest.send(update)
        self._shown = match.number

    # The coach

    async def advised(self, match: Match) -> Advised:
        """What the moves of the present state are worth, if the table agreed to be told."""
        if match.setup.coach == NO_ADVICE:
            raise NoCoach("This table agreed to play without a coach.")
        state = match.playing().state
        return await self._advice.get(state, lambda: self._rooms.thinkers.advise(state))

    async def moments(self, match: Match, game: int) -> tuple[Moment, ...]:
        """The moments that mattered in a game played here that is over."""
        number = game or match.round
        record = match.finished(number)
        state = record.game.start(len(record.seats), record.options)
        return await self._moments.get(number, lambda: self._rooms.thinkers.look_back(state, record.text))

    # Coming and going

    async def enter(self, guest: Guest, tokens: tuple[str, ...], last: int) -> None:
        """Let a client in: check its tokens, tell it what it missed, and show it everything from now on."""
        async with self._alone():
            guest.seats = tuple(sorted({self.match.seat_of(token) for token in tokens}))
            self.guests.add(guest)
            guest.keys = tuple(self.match.places[seat].token for seat in guest.seats)
            self._here = self._here.union(guest.seats)
            for seat in guest.seats:
                self._missed.pop(seat, None)
            guest.send(self.welcome(guest, last))
        self._present()
        for seat in guest.seats:
            place = self.match.places[seat]
            if place.away and not place.gone:
                with suppress(HotdiceError):
                    await self.do(partial(_back, seat))

    def depart(self, guest: Guest) -> None:
        """A client is gone."""
        self.guests.discard(guest)
        self.used = time.monotonic()
        self._here = frozenset(seat for other in self.guests for seat in other.seats)
        for seat in guest.seats:
            if seat not in self._here:
                self._missed[seat] = now()
        if guest.seats:
            self._present()
        self._go_on()

    def here(self) -> frozenset[int]:
        """The seats that are present at this node."""
        return self._here

    def present(self) -> frozenset[int]:
        """The seats that are present anywhere."""
        if not self._elsewhere:
            return self._here
        moment = time.monotonic()
        return self._here.union(*(seats for seats, until in self._elsewhere.values() if until > moment))

    def beat(self) -> None:
        """Tell other nodes who is here, and how far the table is: a node that was killed may not have said so."""
        self._rooms.broker.tell(self.match.name, number=self.match.number, present=tuple(sorted(self.here())))

    def _present(self) -> None:
        if not self._rooms.broker.alone:
            self.beat()
        self._announce()

    def _announce(self) -> None:
        if self.guests:
            packed = wire.packed(wire.Presence(tuple(sorted(self.present())), self.deadline()))
            for guest in tuple(self.guests):
                guest.send(packed)

    # Other nodes

    def hear(self, note: Note) -> None:
        """Another node says something about this table."""
        if note.present is not None:
            if self._here and note.node not in self._elsewhere:  # it does not know yet who is here
                self.beat()
            before = self.present()
            self._elsewhere[note.node] = (frozenset(note.present), time.monotonic() + 3 * BEAT)
            for seat in before - self.present():
                self._missed[seat] = now()
            if self.present() != before:
                self._announce()
                self._go_on()
        if self._broken or note.number > self.match.number:
            self._rooms.spawn(self.catch_up())

    def lapse(self) -> None:
        """Take those whose node has fallen silent for gone."""
        moment = time.monotonic()
        silent = [node for node, (_, until) in self._elsewhere.items() if until <= moment]
        gone = {seat for node in silent for seat in self._elsewhere.pop(node)[0]} - self.present()
        for seat in gone:
            self._missed[seat] = now()
        if gone:
            self._announce()
            self._go_on()
        if silent:
            self._rooms.spawn(self.catch_up())

    async def catch_up(self, *, surely: bool = False) -> None:
        """Read what other nodes wrote. Where that has to be known `surely`, a store that is away is an error."""
        try:
            async with self._alone():
                entries = await self._rooms.store.read(self.match.name, self.match.number)
                if entries:
                    self._broken = True  # unless all of them can be taken in
                    self.match.read(entries)
                    self._broken, self._foreign = False, True
                    self._show()
        except HotdiceError as error:
            if surely and isinstance(error, Unavailable):
                raise
            log.warning("Table %s could not be read on: %s", self.match.name, error)

    async def _reload(self) -> None:
        """Make the match again from the log."""
        self.match = fold(self.match.name, await self._rooms.store.read(self.match.name))
        self._broken = False
        self._foreign = not self._rooms.broker.alone
        self._show()

    # Bots and clocks

    def deadline(self) -> int | None:
        """When a bot takes over from whoever is to act; None if none will."""
        match = self.match
        actor = match.actor
        if actor is None or not match.stand_in or match.places[actor].player:
            return None
        if match.manual and match.rolls:
            return None  # no bot can roll real dice
        clock = match.setup.clock
        if actor in self.present():
            return match.at + 1000 * clock.seconds if clock.kind == HARD else None
        patience = PATIENCE if clock.kind == OFF else clock.seconds
        return max(match.at, self._missed.get(actor, match.at)) + int(1000 * patience)

    def _go_on(self) -> None:
        """See to it that whoever is to act next does."""
        if self._timer:
            self._timer.cancel()
            self._timer = None
        match = self.match
        actor = match.actor
        if actor is None:
            return
        if match.places[actor].player:
            if self._foreign:
                self._timer = asyncio.get_running_loop().call_later(DELAY, self._start_bots)
            else:
                self._start_bots()
        elif match.stand_in and self.guests and (due := self.deadline()) is not None:
            wait = max(0.0, (due - now()) / 1000) + (DELAY if self._foreign else 0.0)
            self._timer = asyncio.get_running_loop().call_later(wait, self._time_up)

    def _time_up(self) -> None:
        self._rooms.spawn(self._take_over())

    async def _take_over(self) -> None:
        """The clock has run out: a bot plays for whoever is away, or decides once for whoever is slow."""
        match = self.match
        actor, stage = match.actor, match.stage
        due = self.deadline()
        if actor is None or due is None or due > now():
            self._go_on()
            return
        with suppress(HotdiceError):
            if actor not in self.present():
                await self.do(lambda match: match.stand(actor) if match.stage == stage else [])
            else:
                await self._act_for(actor, match.stand_in, once=True)

    def _start_bots(self) -> None:
        if self._bots is None or self._bots.done():
            self._bots = self._rooms.spawn(self._play_bots())

    async def _play_bots(self) -> None:
        """Play for bots until a person is to act."""
        while (actor := self.match.actor) is not None and (kind := self.match.places[actor].player):
            if self.match.manual and self.match.rolls:
                return
            try:
                await self._act_for(actor, kind)
            except Stale:
                if self._foreign:  # the bots are another node's for now
                    self._go_on()
                    return
            except HotdiceError as error:
                log.warning("A bot of table %s is stuck: %s", self.match.name, error)
                await asyncio.sleep(DELAY)

    async def _act_for(self, seat: int, kind: str, *, once: bool = False) -> None:
        """Have a bot act for a seat: decide, and roll as long as the dice are the seat's, unless it is to act once."""
        table, stage = self.match.table, self.match.stage
        if table is None:
            return
        state = table.state
        step = once or bool(self.guests)  # who watches sees every state, not only where a bot's turn led to
        move, by = ("", kind) if state.seat == CHANCE else await self._rooms.thinkers.choose(kind, state)

        def wish(match: Match) -> list[AnyEntry]:
            if not once and not match.places[seat].player:
                return []  # they came back meanwhile
            entries = match.move(seat, move, by=by) if move else []
            for _ in range(RUN):
                due = match.table.state if match.table else state
                if match.manual or match.actor != seat or due.seat != CHANCE or (step and entries):
                    break
                entries += match.roll(seat, by=by)
            return entries

        await self.do(wish, stage)

    # The index

    def _card(self) -> Card:
        match = self.match
        setup = match.setup
        return Card(
            name=match.name,
            created=match.created,
            touched=match.touched,
            game=match.game.name,
            status=match.status.value,
            public=setup.public,
            seats=len(match.places),
            open=len(match.open_seats()) if match.status is Status.WAITING else 0,
            origin=setup.origin,
        )


class Rooms:
    """All rooms of this node."""

    def __init__(self, store: Store, broker: Broker, thinkers: Thinkers) -> None:
        self.store, self.broker, self.thinkers = store, broker, thinkers
        self._rooms: dict[str, Room] = {}
        self._loading: dict[str, asyncio.Task[Room]] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def __iter__(self) -> Iterator[Room]:
        return iter(tuple(self._rooms.values()))

    async def open(self) -> None:
        """Start listening to other nodes, and looking after what is idle."""
        await self.broker.open(self._hear, self._healed)
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
        await self.broker.close()

    def spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Do something beside; it is cancelled when the server ends."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[None]) -> None:
        """What went wrong in a task is for the log, as nobody waits for it."""
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()):
            log.error("Something went wrong beside the tables.", exc_info=error)

    async def create(self, setup: Created, begin: Callable[[Match], list[AnyEntry]]) -> Room:
        """Set a table up; `begin` says what else happens at once."""
        while True:
            room = Room(Match(new_name()), self)
            try:
                await room.do(lambda match: match.create(setup) + begin(match))
            except Stale:
                continue
            self._rooms[room.match.name] = room
            return room

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
        entries = await self.store.read(name)
        if not entries:
            raise NoTable(f"There is no table {name[:4]}-{name[4:]}; look at the link or the code again.")
        room = Room(fold(name, entries), self)
        self._rooms[name] = room
        room.wake()
        return room

    # Keeping house

    def _hear(self, note: Note) -> None:
        room = self._rooms.get(note.table)
        if room is not None:
            room.hear(note)

    def _healed(self) -> None:
        for room in self:
            self.spawn(room.catch_up())

    async def _poll(self) -> None:
        """Read the logs each second while no notes come through; and now and then anyway, as they may be lost."""
        for second in count(1):
            await asyncio.sleep(1.0)
            if not self.broker.connected or second % POLL == 0:
                self._healed()

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(BEAT)
            for room in self:
                if room.here():
                    room.beat()
                room.lapse()

    async def _sweep(self) -> None:
        """Drop rooms that nobody is in."""
        while True:
            await asyncio.sleep(FORGET / 4)
            old = time.monotonic() - FORGET
            for name, room in tuple(self._rooms.items()):
                if not room.guests and room.used < old and not room.busy:
                    del self._rooms[name]

    async def _expire(self) -> None:
        """Close tables that nobody comes back to."""
        while True:
            for status, seconds in EXPIRY.items():
                with suppress(HotdiceError):
                    for name in await self.store.idle(status.value, now() - 1000 * seconds):
                        await self._close(name, status)
            await asyncio.sleep(600)

    async def _close(self, name: str, status: Status) -> None:
        room = await self.get(name)
        why = "nobody came." if status is Status.WAITING else "nobody came back."
        await room.do(lambda match: match.close(why) if match.status is status and not room.guests else [])


def _back(seat: int, match: Match) -> list[AnyEntry]:
    return match.back(seat) if match.places[seat].away else []
