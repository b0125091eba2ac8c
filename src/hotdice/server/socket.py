"""The WebSocket: a client says hello, then plays or watches.

A connection begins and ends as ASGI has it; in between, messages take the short cut of `uvicorn_adapter`. Nobody waits
for a slow reader: it is dropped, and may come back.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import suppress
from functools import partial
from typing import Any, Final

from hotdice.errors import HotdiceError
from hotdice.server import wire
from hotdice.server.challenges.keeper import Challenges
from hotdice.server.limits import Bucket, Gate, Limits, address_of
from hotdice.server.metrics import Metrics
from hotdice.server.refusals import Banned, Refusal, TooMuch
from hotdice.server.rooms.registry import Rooms
from hotdice.server.rooms.room import Room
from hotdice.server.uvicorn_adapter import EXTENSION, TOO_MANY, TableProtocol

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

HELLO_SECONDS: Final = 10.0
FLOOD: Final = 200
"""Messages over the limit, and then as many a second as are within it, after which a connection is closed."""
BAD, NO_TABLE, NO_SEAT, HELD, BANNED, LATER = 4000, 4004, 4003, 4005, 4030, 1013
"""Why the server closes a connection."""
CLOSES: Final = {"no_table": NO_TABLE, "held": HELD, "unavailable": LATER, "rate_limited": TOO_MANY, "banned": BANNED}
REASON: Final = 120
"""The most bytes that the sentence for it may have."""


class Connection:
    """One client. `send` never waits: a client that does not read what is sent is given up."""

    def __init__(self, protocol: TableProtocol, limits: Limits) -> None:
        self.seats: tuple[int, ...] = ()
        self.keys: tuple[str, ...] = ()
        self.words = True
        self._protocol = protocol
        self._push = protocol.push
        self._most = limits.backlog
        self._held = b""

    def send(self, packed: bytes) -> None:
        if self._held:
            packed, self._held = self._held + packed, b""
        self._push(packed, self._most)

    def hold(self, packed: bytes) -> None:
        self._held += packed

    def listen(self, heard: Callable[[bytes | None], None]) -> None:
        """Have the client's messages handed over from now on."""
        self._protocol.listen(heard)

    def dismiss(self, said: str) -> None:
        """Close the connection, as there is no such table any more."""
        self._protocol.fail(NO_TABLE, said)

    def expel(self, said: str) -> None:
        """Close the connection of an address that is banned."""
        self._protocol.fail(BANNED, said)

    def fail(self, said: str) -> None:
        """Close the connection of somebody who says too much."""
        self._protocol.fail(TOO_MANY, said)


class Sockets:
    """Serves `/ws/TABLE`."""

    def __init__(self, rooms: Rooms, gate: Gate, challenges: Challenges) -> None:
        self._rooms, self._gate, self._challenges = rooms, gate, challenges
        self._metrics = rooms.store.metrics
        self._connections: dict[str, set[Connection]] = {}
        """By address."""

    def expel(self, address: str, said: str) -> None:
        """Close all connections of an address that is banned."""
        for connection in tuple(self._connections.get(address, ())):
            connection.expel(said)

    async def __call__(self, name: str, scope: Scope, receive: Receive, send: Send) -> None:
        """One connection from its beginning to its end."""
        address = address_of(scope.get("client"))
        if (await receive())["type"] != "websocket.connect":
            return
        await send({"type": "websocket.accept"})
        try:
            self._gate.admit(address)
            self._gate.request(address)  # a hello is a guess at a table's name or a token, as a request is
        except (Banned, TooMuch) as error:
            await self._refuse(send, error.answer, str(error), CLOSES[error.answer])
            return
        if not self._gate.connect(address):
            await self._refuse(
                send, "rate_limited", "Too many connections come from your address; close some.", TOO_MANY
            )
            return
        connection = Connection(scope["extensions"][EXTENSION], self._gate.limits)
        room: Room | None = None
        self._connections.setdefault(address, set()).add(connection)
        self._metrics.connections += 1
        try:
            room = await self._hello(name, connection, receive, send)
            if room:
                await self._listen(room, connection, receive)
        except (OSError, asyncio.CancelledError):
            pass  # the client is gone, or the server ends
        finally:
            if room:
                room.depart(connection)
            self._gate.disconnect(address)
            self._connections[address].discard(connection)
            if not self._connections[address]:
                del self._connections[address]
            self._metrics.connections -= 1

    async def _hello(self, name: str, connection: Connection, receive: Receive, send: Send) -> Room | None:
        try:
            async with asyncio.timeout(HELLO_SECONDS):
                message = await _message(receive)
        except TimeoutError:
            await self._refuse(send, "unknown", "Say hello first, within ten seconds.", BAD)
            return None
        except HotdiceError as error:
            await self._refuse(send, "unknown", str(error), BAD)
            return None
        if message is None:
            return None
        if not isinstance(message, wire.Hello):
            await self._refuse(send, "unknown", "Say hello first: {“do”: “hello”, “tokens”: […], “last”: 0}.", BAD)
            return None
        try:
            room = await self._rooms.get(name)
            await self._challenges.check(room.match, message.tokens)
            connection.words = message.words
            await room.enter(connection, message.tokens, message.last)
        except Refusal as error:
            await self._refuse(send, error.answer, str(error), CLOSES.get(error.answer, NO_SEAT))
            return None
        return room

    async def _listen(self, room: Room, connection: Connection, receive: Receive) -> None:
        """Take messages until the client is gone. They come the short way."""
        connection.listen(Listener(room, connection, self._gate.limits, self._metrics).hear)
        while (await receive())["type"] != "websocket.disconnect":
            pass

    async def _refuse(self, send: Send, answer: str, said: str, code: int) -> None:
        """Say why a client is not let in, and close the connection."""
        self._metrics.refusals[answer] += 1
        with suppress(OSError, RuntimeError):  # gone, or closed already for what came after
            await send({"type": "websocket.send", "text": wire.encoded(wire.Refused(answer, said)).decode()})
        await _close(send, code, said)


class Listener:
    """Hands a client's messages to the table, as fast as it may send them."""

    def __init__(self, room: Room, connection: Connection, limits: Limits, metrics: Metrics) -> None:
        self._room, self._connection = room, connection
        self._metrics = metrics
        self._bucket = Bucket(limits.messages, limits.message_burst)
        self._patience = Bucket(limits.messages, FLOOD)
        self._most = limits.message_burst
        self._unanswered = 0
        """Wishes that wait for the table, which may have to wait for the database."""

    def hear(self, data: bytes | None) -> None:
        """One message; None is one that is no text."""
        connection = self._connection
        wait = self._bucket.take()
        if data is None:
            self._refuse("Not a valid message: it should be text, not binary.", wait)
            return
        try:
            message = wire.parse(data)
        except HotdiceError as error:
            self._refuse(str(error), wait)
            return
        if wait:
            self._flood(wait, getattr(message, "id", ""))
        elif isinstance(message, wire.Ping):
            connection.send(wire.packed(wire.Pong()))
        elif isinstance(message, wire.Hello):
            self._refuse("You have already said hello.", 0.0)
        elif isinstance(message, wire.Proceed):
            self._room.proceed(connection)
        elif not connection.seats:
            said = "You are watching; join the table to play."
            self._send_refusal(wire.Refused("no_seat", said, message.id))
        elif self._unanswered >= self._most:
            self._flood(1.0, message.id)
        else:
            self._unanswered += 1
            self._room.act(connection, message, partial(self._answer, message.id, time.perf_counter()))

    def _refuse(self, said: str, wait: float) -> None:
        """Say that a message was not valid; of these, too, there may be too many."""
        if wait:
            self._flood(wait, "")
        else:
            self._send_refusal(wire.Refused("unknown", said))

    def _flood(self, wait: float, name: str) -> None:
        if self._patience.take():
            self._connection.fail("Too many messages.")
        else:
            said = "Too many messages at once; wait a moment."
            self._send_refusal(wire.Refused("rate_limited", said, name, wait=wait))

    def _answer(self, name: str, began: float, number: int, error: Exception | None) -> None:
        """Tell a client what became of its wish."""
        self._unanswered -= 1
        if error is None:
            self._connection.send(wire.packed(wire.Accepted(name, number)))
        else:
            kind, legal = (error.answer, error.legal) if isinstance(error, Refusal) else ("illegal", ())
            self._send_refusal(wire.Refused(kind, str(error), name, self._room.match.state_number, legal))
        self._metrics.answers.observe(time.perf_counter() - began)

    def _send_refusal(self, refusal: wire.Refused) -> None:
        self._metrics.refusals[refusal.type] += 1
        self._connection.send(wire.packed(refusal))


async def _message(receive: Receive) -> wire.AnyMessage | None:
    """The next message; None once the client is gone."""
    event = await receive()
    if event["type"] != "websocket.receive":
        return None
    return wire.parse((event.get("text") or "").encode())


async def _close(send: Send, code: int, said: str) -> None:
    reason = said.encode()[:REASON].decode(errors="ignore")
    with suppress(OSError, RuntimeError):  # as above
        await send({"type": "websocket.close", "code": code, "reason": reason})
