"""The WebSocket: a client says hello, then plays or watches.

A connection begins and ends as ASGI has it; in between, messages take the short cut of `uvicorn_adapter`. Nobody waits
for a slow reader: it is dropped, and may come back.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import suppress
from functools import partial
from typing import Any, Final

from hotdice.errors import HotdiceError
from hotdice.server import wire
from hotdice.server.limits import Bucket, Gate, Limits, address_of
from hotdice.server.refusals import Refusal
from hotdice.server.rooms.registry import Rooms
from hotdice.server.rooms.room import Room
from hotdice.server.uvicorn_adapter import EXTENSION, TableProtocol

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

HELLO_SECONDS: Final = 10.0
FLOOD: Final = 200
"""Messages over the limit in a row after which a connection is closed."""
BAD, NO_TABLE, NO_SEAT, TOO_MANY, LATER = 4000, 4004, 4003, 4029, 1013
"""Why the server closes a connection."""
CLOSES: Final = {"no_table": NO_TABLE, "unavailable": LATER}
REASON: Final = 120
"""The most bytes that the sentence for it may have."""


class Connection:
    """One client. `send` never waits: a client that does not read what is sent is given up."""

    def __init__(self, protocol: TableProtocol, limits: Limits) -> None:
        self.seats: tuple[int, ...] = ()
        self.keys: tuple[str, ...] = ()
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

    def listen(self, heard: Callable[[bytes], None]) -> None:
        """Have the client's messages handed over from now on."""
        self._protocol.listen(heard)


class Sockets:
    """Serves `/ws/TABLE`."""

    def __init__(self, rooms: Rooms, gate: Gate) -> None:
        self._rooms, self._gate = rooms, gate

    async def __call__(self, name: str, scope: Scope, receive: Receive, send: Send) -> None:
        """One connection from its beginning to its end."""
        address = address_of(scope.get("client"))
        if (await receive())["type"] != "websocket.connect":
            return
        await send({"type": "websocket.accept"})
        if not self._gate.connect(address):
            await _refuse(send, "rate_limited", "Too many connections come from your address; close some.", TOO_MANY)
            return
        connection = Connection(scope["extensions"][EXTENSION], self._gate.limits)
        room: Room | None = None
        try:
            room = await self._hello(name, connection, receive, send)
            if room:
                await self._listen(room, connection, receive, send)
        except (OSError, asyncio.CancelledError):
            pass  # the client is gone, or the server ends
        finally:
            if room:
                room.depart(connection)
            self._gate.disconnect(address)

    async def _hello(self, name: str, connection: Connection, receive: Receive, send: Send) -> Room | None:
        try:
            async with asyncio.timeout(HELLO_SECONDS):
                message = await _message(receive)
        except TimeoutError:
            await _refuse(send, "unknown", "Say hello first, within ten seconds.", BAD)
            return None
        except HotdiceError as error:
            await _refuse(send, "unknown", str(error), BAD)
            return None
        if message is None:
            return None
        if not isinstance(message, wire.Hello):
            await _refuse(send, "unknown", "Say hello first: {“do”: “hello”, “tokens”: […], “last”: 0}.", BAD)
            return None
        try:
            room = await self._rooms.get(name)
            await room.enter(connection, message.tokens, message.last)
        except Refusal as error:
            await _refuse(send, error.answer, str(error), CLOSES.get(error.answer, NO_SEAT))
            return None
        return room

    async def _listen(self, room: Room, connection: Connection, receive: Receive, send: Send) -> None:
        """Take messages until the client is gone. Texts come the short way; anything else is not a valid message."""
        listener = Listener(room, connection, self._gate.limits)
        connection.listen(listener.hear)
        gone = asyncio.ensure_future(receive())
        try:
            while True:
                await asyncio.wait((gone, listener.flooded), return_when=asyncio.FIRST_COMPLETED)
                if listener.flooded.done():
                    await _close(send, TOO_MANY, "Too many messages.")
                    return
                if gone.result()["type"] != "websocket.receive":
                    return
                listener.refuse("Not a valid message: it should be text, not binary.", listener.bucket.take())
                gone = asyncio.ensure_future(receive())
        finally:
            gone.cancel()


class Listener:
    """Hands a client's messages to the table, as fast as it may send them."""

    def __init__(self, room: Room, connection: Connection, limits: Limits) -> None:
        self.flooded: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._room, self._connection = room, connection
        self.bucket = Bucket(limits.messages, limits.message_burst)
        self._floods = 0

    def hear(self, data: bytes) -> None:
        """One message."""
        connection = self._connection
        wait = self.bucket.take()
        try:
            message = wire.parse(data)
        except HotdiceError as error:
            self.refuse(str(error), wait)
            return
        if wait:
            self._flood(wait, getattr(message, "id", ""))
        elif isinstance(message, wire.Ping):
            connection.send(wire.packed(wire.Pong()))
        elif isinstance(message, wire.Hello):
            self.refuse("You have already said hello.", 0.0)
        elif not connection.seats:
            said = "You are watching; join the table to play."
            connection.send(wire.packed(wire.Refused("no_seat", said, message.id)))
        else:
            self._floods = 0
            self._room.act(connection, message, partial(_answer, self._room, connection, message.id))

    def refuse(self, said: str, wait: float) -> None:
        """Say that a message was not valid; of these, too, there may be too many."""
        if wait:
            self._flood(wait, "")
        else:
            self._connection.send(wire.packed(wire.Refused("unknown", said)))

    def _flood(self, wait: float, name: str) -> None:
        self._floods += 1
        if self._floods > FLOOD:
            if not self.flooded.done():
                self.flooded.set_result(None)
        else:
            said = "Too many messages at once; wait a moment."
            self._connection.send(wire.packed(wire.Refused("rate_limited", said, name, wait=wait)))


def _answer(room: Room, connection: Connection, name: str, number: int, error: Exception | None) -> None:
    """Tell a client what became of its wish."""
    answer: wire.Accepted | wire.Refused
    if error is None:
        answer = wire.Accepted(name, number)
    elif isinstance(error, Refusal):
        answer = wire.Refused(error.answer, str(error), name, room.match.state_number, error.legal)
    else:
        answer = wire.Refused("illegal", str(error), name, room.match.state_number)
    connection.send(wire.packed(answer))


async def _message(receive: Receive) -> wire.AnyMessage | None:
    """The next message; None once the client is gone."""
    event = await receive()
    if event["type"] != "websocket.receive":
        return None
    return wire.parse((event.get("text") or "").encode())


async def _refuse(send: Send, answer: str, said: str, code: int) -> None:
    with suppress(OSError, RuntimeError):  # gone, or closed already for what came after
        await send({"type": "websocket.send", "text": wire.encoded(wire.Refused(answer, said)).decode()})
    await _close(send, code, said)


async def _close(send: Send, code: int, said: str) -> None:
    reason = said.encode()[:REASON].decode(errors="ignore")
    with suppress(OSError, RuntimeError):  # as above
        await send({"type": "websocket.close", "code": code, "reason": reason})
