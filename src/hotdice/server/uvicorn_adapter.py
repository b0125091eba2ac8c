"""All that Hotdice knows of uvicorn's inside: its protocol classes, with limits and a short cut.

The limits are on the head of an HTTP request, which uvicorn would take at any length and at any pace; on how many
connections there are (`doors`); and on the frames of a WebSocket that are no message. The short cut is for WebSockets:
ASGI hands every message over through a queue, two tasks and a few dictionaries, which costs about a sixth of the moves
that a second of CPU time is good for (`benchmarks/transports.py`). So once a client has said hello its messages go
straight to the table, and the table's straight to the socket: a frame that is a whole text is read here. Everything
else, from the handshake to the closing, is uvicorn's.

What is used here is not public. `USES` names all of it, and a test says in words what is missing from a new uvicorn.
"""

from __future__ import annotations

import json
import logging
import math
import time
from asyncio import BaseTransport, Transport
from collections.abc import Callable
from typing import Any, ClassVar, Final

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import CloseCode

try:
    from websockets.speedups import apply_mask
except ImportError:  # built without its C code
    from websockets.utils import apply_mask

from hotdice.server.doors import Caller, Doors
from hotdice.server.limits import UNLIMITED, Bucket
from hotdice.server.refusals import Refusal
from hotdice.server.wire import MESSAGE_BYTES

USES: Final[dict[type, tuple[str, ...]]] = {
    HttpToolsProtocol: (
        "_unsupported_upgrade_warning", "connection_lost", "connection_made", "data_received", "headers",
        "on_headers_complete", "on_message_begin", "on_message_complete", "on_response_complete", "pipeline",
        "send_400_response", "transport", "url",
    ),
    WebSocketsSansIOProtocol: (
        "close_sent", "close_timer", "conn", "connection_lost", "connection_made", "curr_msg_data_type",
        "data_received", "frames", "handle_connect", "handle_cont", "handle_parser_exception", "handle_ping",
        "handle_pong", "handshake_complete", "handshake_initiated", "loop", "ping_interval", "ping_timer", "queue",
        "read_paused", "scope", "send_keepalive_ping", "send_receive_event_to_app", "transport",
    ),
}  # fmt: skip
"""The attributes of uvicorn's classes that are read, written, called or overridden here."""
EXTENSION: Final = "hotdice.socket"
"""The name by which an application finds the short cut among the extensions of its scope."""
HEAD_BYTES: Final = 8_000
"""The longest head of a request: its line and its headers."""
PIPELINED: Final = 16
"""The most requests of a client that wait for the answer to another one."""
SPARE_SECONDS: Final = 5.0
"""Seconds that a slow body has more here than in the application, which says so before the connection is closed."""
WHOLE_TEXT: Final = 0x81
"""The first byte of a frame that is a whole message, and a text."""
MASKED: Final = 0x80
"""In the second byte of every frame that a client sends."""
LONGER: Final = {126: 8, 127: 14}
"""What that byte says if the length is in the bytes behind it, and where the payload begins then."""
FRAGMENTS: Final = 64
"""The most frames of a message."""
PING_SPARE: Final = 1.0
"""Seconds by which a ping may come early, as the answer to the last one took as long."""
LINGER_SECONDS: Final = 2.0
"""Seconds for a client that was sent away to read why."""
TOO_MANY: Final = 4029
"""Why a WebSocket is closed: too many connections, messages or frames."""
INVALID: Final = "Invalid HTTP request received."
"""What uvicorn logs of every malformed request, and without its address."""


def guarded(doors: Doors) -> tuple[type[HeadProtocol], type[TableProtocol]]:
    """The protocols of a server with these doors."""
    logging.getLogger("uvicorn.error").addFilter(_is_news)
    return (
        type("GuardedHeadProtocol", (HeadProtocol,), {"doors": doors}),
        type("GuardedTableProtocol", (TableProtocol,), {"doors": doors}),
    )


def _is_news(record: logging.LogRecord) -> bool:
    return record.msg != INVALID


class NotTaken(ValueError):
    """A request that is too long, or one of too many; uvicorn answers it as it does any invalid one."""


class HeadProtocol(HttpToolsProtocol):
    """One client's requests."""

    doors: ClassVar[Doors] = Doors(UNLIMITED)
    _caller = Caller("")
    _head = 0
    _in_head = True
    _received = True
    """Whether all of the last request has come."""

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        try:
            self._caller = self.doors.enter(transport)
        except Refusal as refusal:
            self._refuse(refusal.status, refusal.answer, str(refusal))
        else:
            self._owe(self.doors.limits.head_seconds)

    def connection_lost(self, exc: Exception | None) -> None:
        self.doors.leave(self.transport)
        super().connection_lost(exc)

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._head, self._in_head, self._received = 0, True, False
        if self._caller.due == math.inf:
            self._owe(self.doors.limits.head_seconds)

    def on_headers_complete(self) -> None:
        self._in_head = False
        long = len(self.url) + sum(len(name) + len(value) for name, value in self.headers) > HEAD_BYTES
        if long or len(self.pipeline) >= PIPELINED:
            raise NotTaken
        self._owe(self.doors.limits.body_seconds + SPARE_SECONDS)
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self._received = True
        self._owe(math.inf)
        super().on_message_complete()

    def on_response_complete(self) -> None:
        idle = self._received and not self.pipeline
        super().on_response_complete()
        if idle:
            self._owe(self.doors.limits.head_seconds)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self._in_head:
            self._head += len(data)
            if self._head > HEAD_BYTES and not self.transport.is_closing():
                self.send_400_response("The head of this request is too long.")

    def send_400_response(self, msg: str) -> None:
        self.doors.log.note("malformed", f"A request from {self._caller.address} was not valid.")
        self._refuse(400, "unknown", msg)

    def _unsupported_upgrade_warning(self) -> None:
        """What else than a WebSocket is asked for is not given, and nobody needs to know."""

    def _owe(self, seconds: float) -> None:
        """The client has so long for what comes next."""
        self._caller.due = time.monotonic() + seconds

    def _refuse(self, status: int, error: str, message: str) -> None:
        """Answer before the application is asked, and close."""
        body = json.dumps({"error": error, "message": message}).encode()
        head = b"content-type: application/json\r\ncontent-length: %d\r\nconnection: close\r\n\r\n" % len(body)
        self.transport.write(STATUS_LINE[status] + head + body)
        self.transport.close()


class TableProtocol(WebSocketsSansIOProtocol):
    """One client's connection."""

    doors: ClassVar[Doors] = Doors(UNLIMITED)
    _hear: Callable[[bytes | None], None] | None = None
    _frames = Bucket(0.0, 0)
    """Of pings and the like."""
    _heard = 0.0
    """When something last came, by the event loop's clock."""
    _muted = False
    """Whether nothing is read any more."""
    _rest = b""
    """The beginning of a frame; or what has come, and waits until the application has taken the messages before it."""

    def connection_made(self, transport: BaseTransport) -> None:
        super().connection_made(transport)
        self.doors.upgraded(self.transport)
        self._frames = Bucket(self.doors.limits.messages, self.doors.limits.message_burst)

    def connection_lost(self, exc: Exception | None) -> None:
        self.doors.leave(self.transport)
        super().connection_lost(exc)

    def handle_connect(self, event: Any) -> None:
        super().handle_connect(event)
        if self.handshake_initiated and not self.handshake_complete:
            self.scope["extensions"][EXTENSION] = self  # type: ignore[assignment]

    def listen(self, hear: Callable[[bytes | None], None]) -> None:
        """Have messages handed over directly from now on, those that wait first; None is one that is no text."""
        self._hear = hear
        while not self.queue.empty():
            message = self.queue.get_nowait()
            if message["type"] != "websocket.receive":
                self.queue.put_nowait(message)
                return
            text = message.get("text")
            hear(None if text is None else text.encode())
        if self.read_paused:
            self.read_paused = False
            self.transport.resume_reading()
        if self._rest:
            self.data_received(b"")

    def data_received(self, data: bytes) -> None:
        if not self.handshake_initiated:
            super().data_received(data)
            return
        self._heard = self.loop.time()
        if self._rest:
            data, self._rest = self._rest + data, b""
        at, end = 0, len(data)
        while at < end:
            if self._muted or self.transport.is_closing():
                return
            start, stop = _payload(data, at)
            if stop > end or (self.read_paused and not self.close_sent):
                self._rest = data[at:]
                return
            if start and data[at] == WHOLE_TEXT and self._hear and not self.frames and not self.close_sent:
                self._hear(apply_mask(data[start:stop], data[start - 4 : start]))
            else:
                super().data_received(data[at:stop])
            at = stop

    def send_receive_event_to_app(self) -> None:
        if self.close_sent:
            self.frames = []
            self._counted()
            return
        is_text = self.curr_msg_data_type == "text"
        data = self.frames[0] if len(self.frames) == 1 else b"".join(self.frames)
        if self._hear is not None:
            self.frames = []
            self._hear(data if is_text else None)
        elif not is_text or _is_text(data):
            super().send_receive_event_to_app()
        else:  # uvicorn would log a stack trace, and one more if the client closes at once
            self.frames = []
            self.conn.fail(CloseCode.INVALID_DATA)
            self.handle_parser_exception()

    def handle_cont(self, event: Any) -> None:
        if len(self.frames) >= FRAGMENTS:
            self.fail(TOO_MANY, "Too many fragments.")
        elif self._counted():
            super().handle_cont(event)

    def handle_ping(self) -> None:
        if self._counted():
            super().handle_ping()
            if self.transport.get_write_buffer_size() > self.doors.limits.backlog:
                self.transport.abort()

    def handle_pong(self, event: Any) -> None:
        if self._counted():
            super().handle_pong(event)

    def send_keepalive_ping(self) -> None:
        """Ask whether a client is still there, unless it has said something since it was last asked."""
        silent = self.loop.time() - self._heard
        if self.ping_interval is not None and silent < self.ping_interval - PING_SPARE:
            self.ping_timer = self.loop.call_later(self.ping_interval - silent, self.send_keepalive_ping)
        else:
            super().send_keepalive_ping()

    def _counted(self) -> bool:
        """Count a frame that the application does not see; whether the client may send it."""
        if self._muted or self.transport.is_closing():
            return False
        if self._frames.take():
            self.fail(TOO_MANY, "Too many frames.")
            return False
        return True

    def push(self, framed: bytes, most: int) -> None:
        """Send a frame; a client for whom more than `most` bytes wait to be read is given up."""
        transport = self.transport
        if self.close_sent or transport.is_closing():
            return
        transport.write(framed)
        if transport.get_write_buffer_size() > most:
            transport.abort()

    def fail(self, code: int, reason: str) -> None:
        """Close the connection of a client that sends too much: say so, and read nothing more of it."""
        if self._muted or self.transport.is_closing():
            return
        self._muted = True
        self.transport.pause_reading()
        self.read_paused = False  # lest uvicorn reads on
        if not self.close_sent:
            self.conn.fail(code, reason)
            self.transport.write(b"".join(self.conn.data_to_send()))
            self.close_sent = True
            self.close_timer = self.loop.call_later(LINGER_SECONDS, self.transport.close)
            self.queue.put_nowait({"type": "websocket.disconnect", "code": code, "reason": reason})


def _is_text(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def _payload(data: bytes, at: int) -> tuple[int, int]:
    """From where to where the payload goes of the frame that begins at some place, as RFC 6455 has it in section 5.2.
    It ends behind the data if not all of it is here. What no client may send is all that is left, and begins nowhere.
    """
    end = len(data)
    if end < at + 2:
        return at, end + 1
    size, start = data[at + 1] ^ MASKED, at + 6
    if size > 127:  # it is not masked
        return 0, end
    if size > 125:
        start = at + LONGER[size]
        if end < start:
            return at, end + 1
        size = int.from_bytes(data[at + 2 : start - 4], "big")
    return (start, start + size) if size <= MESSAGE_BYTES else (0, end)
