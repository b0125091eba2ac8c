"""How messages get from the socket to the table and back: three ways, the same server and the same crowd, in one run.

- `adapter`: what Hotdice does, uvicorn's protocol class extended by `hotdice.server.uvicorn_adapter`;
- `asgi`: plain ASGI under uvicorn, each message received and sent as ASGI has it;
- `rsgi`: granian's RSGI, WebSockets in Rust through a public interface.

Without granian (`make bench` installs it) the first two are compared. The figure of merit is moves per second of the
server's CPU.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from importlib.util import find_spec
from typing import Any

import uvicorn
import uvloop

from benchmarks.boardgame_peer import Measured
from benchmarks.report import Row, alone, medians, versus
from benchmarks.server import HotdiceServer, _load, sqlite
from hotdice.server import run, wire
from hotdice.server.app import Server, Settings
from hotdice.server.limits import UNLIMITED
from hotdice.server.rooms.room import Room
from hotdice.server.socket import Listener
from hotdice.server.uvicorn_adapter import HeadProtocol

KINDS = {"adapter": "the adapter", "asgi": "plain ASGI under uvicorn"}
if find_spec("granian"):
    KINDS["rsgi"] = "granian, RSGI"


class AwaitedConnection:
    """A client to whom sending has to be awaited: a task of its own does that."""

    def __init__(self, send: Callable[[bytes], Any], *, words: bool) -> None:
        self.seats: tuple[int, ...] = ()
        self.keys: tuple[str, ...] = ()
        self.words = words
        self._send = send
        self._waiting: deque[bytes] = deque()
        self._wake = asyncio.Event()
        self.task = asyncio.ensure_future(self._write())

    def send(self, packed: bytes) -> None:
        self._waiting.append(packed)
        self._wake.set()

    def hold(self, packed: bytes) -> None:
        self._waiting.append(packed)

    def dismiss(self, said: str) -> None:
        self.task.cancel()

    async def _write(self) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            while self._waiting:
                await self._send(self._waiting.popleft())


async def _serve_client(server: Server, name: str, receive: Callable[[], Any], send: Callable[[bytes], Any]) -> None:
    """One client, whose messages are received and sent by awaiting; None is the end of them."""
    hello = wire.parse(await receive())
    assert isinstance(hello, wire.Hello)
    connection = AwaitedConnection(send, words=hello.words)
    room: Room = await server.rooms.get(name)
    await room.enter(connection, hello.tokens, hello.last)
    listener = Listener(room, connection, UNLIMITED, server.metrics)  # type: ignore[arg-type]
    try:
        while (data := await receive()) is not None:
            listener.hear(data)
    finally:
        room.depart(connection)
        connection.task.cancel()


def serve_asgi(server: Server, port: int) -> None:
    """Uvicorn as it comes."""

    async def sockets(name: str, scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})

        async def next_text() -> bytes | None:
            event = await receive()
            return event["text"].encode() if event["type"] == "websocket.receive" else None

        async def send_text(text: bytes) -> None:
            await send({"type": "websocket.send", "text": text.decode()})

        await _serve_client(server, name, next_text, send_text)

    server.sockets = sockets  # type: ignore[assignment]
    config = uvicorn.Config(
        server, port=port, access_log=False, http=HeadProtocol, lifespan="off", log_config=None, server_header=False,
        ws="websockets-sansio", ws_max_size=wire.MESSAGE_BYTES, ws_per_message_deflate=False,
    )  # fmt: skip
    run._Announced(config, "", server, "").run()


async def serve_rsgi(server: Server, port: int) -> None:
    """Granian inside this process."""
    from granian.constants import Interfaces
    from granian.rsgi import WebsocketMessageType
    from granian.server.embed import Server as Granian

    async def app(scope: Any, protocol: Any) -> None:
        if scope.proto == "ws":
            socket = await protocol.accept()

            async def next_text() -> bytes | None:
                message = await socket.receive()
                return None if message.kind == WebsocketMessageType.close else message.data.encode()

            async def send_text(text: bytes) -> None:
                await socket.send_str(text.decode())

            await _serve_client(server, scope.path.rpartition("/")[2], next_text, send_text)
            protocol.close()
        else:
            await _http(server, scope, protocol)

    await server.open()
    granian = Granian(app, port=port, interface=Interfaces.RSGI, log_enabled=False)
    try:
        await granian.serve()
    finally:
        await server.close()


async def _http(server: Server, scope: Any, protocol: Any) -> None:
    """A request of the lobby, handed on as ASGI."""
    body = await protocol()
    status, headers, parts = 500, [], []

    async def receive() -> Any:
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message: Any) -> None:
        nonlocal status, headers
        if message["type"] == "http.response.start":
            status = message["status"]
            headers = [(name.decode(), value.decode()) for name, value in message["headers"]]
        else:
            parts.append(message.get("body", b""))

    asked = [(name.encode(), value.encode()) for name, value in scope.headers.items()]
    host, _, port = scope.client.rpartition(":")
    await server(
        {
            "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": scope.method, "scheme": "http",
            "path": scope.path, "raw_path": scope.path.encode(), "query_string": scope.query_string.encode(),
            "root_path": "", "headers": asked, "client": (host, int(port)), "server": ("127.0.0.1", 0), "state": {},
        },
        receive,
        send,
    )  # fmt: skip
    protocol.response_bytes(status, headers, b"".join(parts))


def serve(kind: str, database: str, port: int) -> None:
    """Run a server that moves messages in one of the ways, until it is stopped."""
    settings = Settings(database, limits=UNLIMITED)
    if kind == "adapter":
        run.serve(settings, "127.0.0.1", port)
        return
    wire.packed = wire.encoded  # type: ignore[assignment]  # these servers frame messages themselves
    if kind == "asgi":
        serve_asgi(Server(settings), port)
    else:
        uvloop.run(_make_and_serve(settings, port))


async def _make_and_serve(settings: Settings, port: int) -> None:
    await serve_rsgi(Server(settings), port)


class TransportServer(HotdiceServer):
    """One of these servers as a child process."""

    def __init__(self, kind: str, database: str) -> None:
        super().__init__(database)
        self.command = (sys.executable, "-m", "benchmarks.transports", "--serve", kind, database, str(self.port))


def measure(kind: str, tables: int, seconds: float) -> Measured:
    with sqlite() as file, TransportServer(kind, file) as server:
        return uvloop.run(_load(server, tables, seconds))


def rows(arguments: Sequence[str]) -> Iterator[Row]:
    """All ways in turn."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks transports", description=__doc__)
    parser.add_argument("--seconds", type=float, default=6.0, help="of each measurement")
    parser.add_argument("--rounds", type=int, default=5, help="in which they take turns")
    parser.add_argument("--tables", type=int, default=50)
    chosen = parser.parse_args(arguments)
    found: dict[str, list[Measured]] = {kind: [] for kind in KINDS}
    for number in range(chosen.rounds):
        for kind in KINDS:
            found[kind].append(measure(kind, chosen.tables, chosen.seconds))
            per_cpu = found[kind][-1].per_cpu_second
            print(f"  round {number + 1}, {kind}: {per_cpu:,.0f} moves per CPU s", file=sys.stderr, flush=True)
    speeds = {kind: [one.per_cpu_second for one in runs] for kind, runs in found.items()}
    for kind, speed in speeds.items():
        ours = kind == "adapter"
        beside = () if ours else (versus("transports.adapter", speed, speeds["adapter"]),)
        group = f"{chosen.tables} tables, SQLite"
        yield Row(
            f"transports.{kind}", group, KINDS[kind], unit="moves/CPU s", better="higher", ours=ours, versus=beside,
            **medians(speed),
        )  # fmt: skip


if __name__ == "__main__":
    if sys.argv[1:2] == ["--serve"]:
        serve(sys.argv[2], sys.argv[3], int(sys.argv[4]))
    else:
        alone(rows)
