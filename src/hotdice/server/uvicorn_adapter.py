"""All that Hotdice knows of uvicorn's inside: its protocol classes, with a limit and a short cut.

The limit is on the head of an HTTP request, which uvicorn would take at any length. The short cut is for WebSockets:
ASGI hands every message over through a queue, two tasks and a few dictionaries, which costs about a sixth of the moves
that a second of CPU time is good for (`benchmarks/transports.py`). So once a client has said hello its messages go
straight to the table, and the table's straight to the socket. Everything else, from the handshake to the closing, is
uvicorn's.

What is used here is not public. `USES` names all of it, and a test says in words what is missing from a new uvicorn.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import CloseCode

USES: Final[dict[type, tuple[str, ...]]] = {
    HttpToolsProtocol: (
        "data_received", "headers", "on_headers_complete", "on_message_begin", "send_400_response", "transport", "url",
    ),
    WebSocketsSansIOProtocol: (
        "close_sent", "conn", "curr_msg_data_type", "frames", "handle_connect", "handle_parser_exception",
        "handshake_complete", "handshake_initiated", "queue", "read_paused", "scope", "send_receive_event_to_app",
        "transport",
    ),
}  # fmt: skip
"""The attributes of uvicorn's classes that are read, written, called or overridden here."""
EXTENSION: Final = "hotdice.socket"
"""The name by which an application finds the short cut among the extensions of its scope."""
HEAD_BYTES: Final = 8_000
"""The longest head of a request: its line and its headers."""


class HeadTooLong(ValueError):
    """Uvicorn answers it as it does any invalid request."""


class HeadProtocol(HttpToolsProtocol):
    """One client's requests."""

    _head = 0
    _in_head = True

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._head, self._in_head = 0, True

    def on_headers_complete(self) -> None:
        self._in_head = False
        if len(self.url) + sum(len(name) + len(value) for name, value in self.headers) > HEAD_BYTES:
            raise HeadTooLong
        super().on_headers_complete()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self._in_head:
            self._head += len(data)
            if self._head > HEAD_BYTES and not self.transport.is_closing():
                self.send_400_response("The head of this request is too long.")


class TableProtocol(WebSocketsSansIOProtocol):
    """One client's connection."""

    _hear: Callable[[bytes], None] | None = None

    def handle_connect(self, event: Any) -> None:
        super().handle_connect(event)
        if self.handshake_initiated and not self.handshake_complete:
            self.scope["extensions"][EXTENSION] = self  # type: ignore[assignment]

    def listen(self, hear: Callable[[bytes], None]) -> None:
        """Have messages handed over directly from now on, those that wait first."""
        self._hear = hear
        while not self.queue.empty():
            message = self.queue.get_nowait()
            if message["type"] != "websocket.receive":
                self.queue.put_nowait(message)
                return
            hear((message.get("text") or "").encode())
        if self.read_paused:
            self.read_paused = False
            self.transport.resume_reading()

    def send_receive_event_to_app(self) -> None:
        if self.curr_msg_data_type != "text" or self.close_sent:
            super().send_receive_event_to_app()
            return
        data = self.frames[0] if len(self.frames) == 1 else b"".join(self.frames)
        if self._hear is not None:
            self.frames = []
            self._hear(data)
        elif _is_text(data):
            super().send_receive_event_to_app()
        else:  # uvicorn would log a stack trace, and one more if the client closes at once
            self.frames = []
            self.conn.fail(CloseCode.INVALID_DATA)
            self.handle_parser_exception()

    def push(self, framed: bytes, most: int) -> None:
        """Send a frame; a client for whom more than `most` bytes wait to be read is given up."""
        transport = self.transport
        if self.close_sent or transport.is_closing():
            return
        transport.write(framed)
        if transport.get_write_buffer_size() > most:
            transport.abort()


def _is_text(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True
