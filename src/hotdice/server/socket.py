"""The WebSocket: a client says hello, then plays or watches.

This is plain ASGI. Each connection has a writer of its own with a bounded backlog, so a slow reader is dropped and
nobody waits for it.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import suppress
from typing import Any, Final

from msgspec import DecodeError, ValidationError

from hotdice.errors import HotdiceError
from hotdice.server import wire
from hotdice.server.limits import Bucket, Gate, address_of
from hotdice.server.refusals import Refusal
from hotdice.server.rooms import Room, Rooms

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

HELLO_SECONDS: Final = 10.0
FLOOD: Final = 200
"""Messages over the limit in a row after which a connection is closed."""
BAD, NO_TABLE, NO_SEAT, TOO_MANY, TOO_SLOW = 4000, 4004, 4003, 4029, 4008
"""Why the server closes a connection."""


class Connection:
    """One client. `send` never waits: messages are queued, and a client that does not read them is given up."""

    def __init__(self, send: Send, backlog: int) -> None:
        self.seats: tuple[int, ...] = ()
        self._send = send
        self._most = backlog
        self._queue: deque[str] = deque()
        self._size = 0
        self._wake = asyncio.Event()
        self._reader: asyncio.Task[Any] | None = asyncio.current_task()
        self._writer = asyncio.create_task(self._write())
        self.lost = False

    def send(self, text: str) -> None:
        if self.lost:
            return
        self._queue.append(text)
        self._size += len(text)
        self._wake.set()
        if self._size > self._most:
            self.lose()

    def lose(self) -> None:
        """Give the client up."""
        self.lost = True
        self._writer.cancel()
        if self._reader:
            self._reader.cancel()

    async def close(self) -> None:
        """Send what is queued, for a moment, and stop."""
        self._reader = None
        if not self.lost:
            with suppress(TimeoutError):
                async with asyncio.timeout(1.0):
                    while self._queue and not self._writer.done():
                        await asyncio.sleep(0.005)
        self.lost = True
        self._writer.cancel()
        await asyncio.gather(self._writer, return_exceptions=True)

    async def _write(self) -> None:
        queue, send, wake = self._queue, self._send, self._wake
        try:
            while True:
                while queue:
                    text = queue[0]
                    await send({"type": "websocket.send", "text": text})
                    queue.popleft()
                    self._size -= len(text)
                wake.clear()
                await wake.wait()
        except OSError:  # the client is gone; its reader hears of it too
            self.lost = True
            queue.clear()


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
        connection = Connection(send, self._gate.limits.backlog)
        room: Room | None = None
        try:
            room = await self._hello(name, connection, receive, send)
            if room:
                await self._listen(room, connection, receive, send)
        except asyncio.CancelledError:
            if not connection.lost:
                raise
            with suppress(Exception):  # it does not read, so it may not take this either
                await asyncio.wait_for(_close(send, TOO_SLOW, "You read too slowly; come back."), 1.0)
        except OSError:
            pass  # gone
        finally:
            if room:
                room.depart(connection)
            await connection.close()
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
            await _refuse(send, error.answer, str(error), NO_TABLE if error.answer == "no_table" else NO_SEAT)
            return None
        return room

    async def _listen(self, room: Room, connection: Connection, receive: Receive, send: Send) -> None:
        limits = self._gate.limits
        bucket = Bucket(limits.messages, limits.message_burst)
        floods = 0
        while True:
            try:
                message = await _message(receive)
            except HotdiceError as error:
                bucket.take()
                connection.send(wire.text(wire.Refused("unknown", str(error))))
                continue
            if message is None:
                return
            wait = bucket.take()
            if wait:
                floods += 1
                if floods > FLOOD:
                    await _close(send, TOO_MANY, "Too many messages.")
                    return
                said = "Too many messages at once; wait a moment."
                connection.send(wire.text(wire.Refused("rate_limited", said, getattr(message, "id", ""), wait=wait)))
                continue
            floods = 0
            connection.send(await self._answer(room, connection, message))

    async def _answer(self, room: Room, connection: Connection, message: wire.AnyMessage) -> str:
        match message:
            case wire.Ping():
                return wire.text(wire.Pong())
            case wire.Hello():
                return wire.text(wire.Refused("unknown", "You have said hello already."))
        if not connection.seats:
            return wire.text(wire.Refused("no_seat", "You are watching; join the table to play.", message.id))
        try:
            number = await room.act(connection.seats, message)
        except Refusal as error:
            return wire.text(wire.Refused(error.answer, str(error), message.id, room.match.stage, error.legal))
        except HotdiceError as error:
            return wire.text(wire.Refused("illegal", str(error), message.id, room.match.stage))
        return wire.text(wire.Accepted(message.id, number))


class NotUnderstood(HotdiceError):
    """A message that is none."""


async def _message(receive: Receive) -> wire.AnyMessage | None:
    """The next message; None once the client is gone."""
    event = await receive()
    if event["type"] != "websocket.receive":
        return None
    text = event.get("text")
    if text is None:
        raise NotUnderstood("Messages are JSON texts, not binary.")
    try:
        message: wire.AnyMessage = wire.read(text)
    except ValidationError as error:
        raise NotUnderstood(f"That message is not one of ours: {error}.") from None
    except (DecodeError, UnicodeError, RecursionError):
        raise NotUnderstood("That is not JSON; a message is one JSON object, as {“do”: “ping”}.") from None
    return message


async def _refuse(send: Send, answer: str, said: str, code: int) -> None:
    with suppress(OSError):
        await send({"type": "websocket.send", "text": wire.text(wire.Refused(answer, said))})
        await _close(send, code, said)


async def _close(send: Send, code: int, said: str) -> None:
    await send({"type": "websocket.close", "code": code, "reason": said[:100]})
