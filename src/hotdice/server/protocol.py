"""Uvicorn's protocols, with a limit and a short cut.

The limit is on the head of an HTTP request, which uvicorn would take at any length. The short cut is for WebSockets:
ASGI hands every message over through a queue, two tasks and a few dictionaries. That costs about as much as a whole
move of a dice game does, so once a client has said hello its messages go straight to the table, and the table's
straight to the socket. Everything else, from the handshake to the closing, is uvicorn's.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import CloseCode

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


def frame(text: bytes) -> bytes:
    """A text as it goes over the wire to any number of clients: one frame, as RFC 6455 has it in section 5.2."""
    size = len(text)
    if size < 126:
        return b"\x81%c%b" % (size, text)
    if size < 1 << 16:
        return b"\x81\x7e%b%b" % (size.to_bytes(2, "big"), text)
    return b"\x81\x7f%b%b" % (size.to_bytes(8, "big"), text)


def _is_text(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


class TableProtocol(WebSocketsSansIOProtocol):
    """One client's connection."""

    _heard: Callable[[bytes], None] | None = None

    def handle_connect(self, event: Any) -> None:
        super().handle_connect(event)
        if self.handshake_initiated and not self.handshake_complete:
            self.scope["extensions"][EXTENSION] = self  # type: ignore[assignment]

    def listen(self, heard: Callable[[bytes], None]) -> None:
        """Have messages handed over directly from now on, those that wait first."""
        self._heard = heard
        while not self.queue.empty():
            message = self.queue.get_nowait()
            if message["type"] != "websocket.receive":
                self.queue.put_nowait(message)
                return
            heard((message.get("text") or "").encode())
        if self.read_paused:
            self.read_paused = False
            self.transport.resume_reading()

    def send_receive_event_to_app(self) -> None:
        if self.curr_msg_data_type != "text" or self.close_sent:
            super().send_receive_event_to_app()
            return
        data = self.frames[0] if len(self.frames) == 1 else b"".join(self.frames)
        if self._heard is not None:
            self.frames = []
            self._heard(data)
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
