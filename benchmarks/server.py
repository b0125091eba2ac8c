"""Our server under load beside boardgame.io's: the same two-player Pig, the same crowd, in one run.

Ours writes every move to the disk (SQLite and PostgreSQL, with fsync) before it is answered; boardgame.io's keeps
matches in memory, or in files without fsync. Each table has two WebSockets, and its next move goes out once both have
seen the last one. Figures of merit: moves per second of the server's CPU, and the 99th percentile of the latency.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack, contextmanager
from pathlib import Path
from typing import Any, NoReturn, Self

import httpx
import msgspec
import uvloop
from websockets.asyncio.client import ClientConnection, connect

from benchmarks.boardgame_peer import HOLD_AT, WARM_UP, Measured
from tests.services import PostgresServer, free_port

TARGET = 10_000
SECONDS = 10.0
PATIENCE = 30.0


class Board(msgspec.Struct, frozen=True):
    scores: tuple[int, int]
    position: str


class State(msgspec.Struct, frozen=True):
    """The part of a table's state that a player looks at."""

    number: int
    actor: int | None
    rolls: bool
    view: Board

    def message(self, name: str) -> bytes:
        """Hold at 20, or as soon as holding wins; roll where the turn only begins."""
        if self.rolls:
            return _encode({"do": "roll", "id": name, "on": self.number})
        total = int(self.view.position.split()[-2])
        seat = self.actor or 0
        move = "hold" if total >= min(HOLD_AT, TARGET - self.view.scores[seat]) else "roll"
        return _encode({"do": "move", "id": name, "on": self.number, "move": move, "then_roll": move == "roll"})


class Message(msgspec.Struct, frozen=True):
    type: str
    id: str = ""
    state: State | None = None


_encode: Callable[[object], bytes] = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Message).decode


def cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class HotdiceServer:
    """`hotdice serve` as a child process, without limits for one address."""

    def __init__(self, database: str) -> None:
        self.database = database
        self.port = free_port()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def __enter__(self) -> Self:
        command = (sys.executable, "-m", "hotdice", "serve", "--unlimited", "--port", str(self.port))
        begun = time.perf_counter()
        self.process = subprocess.Popen((*command, "--database", self.database), stdout=subprocess.DEVNULL)
        with httpx.Client(base_url=self.url, trust_env=False) as http:
            while True:
                try:
                    http.get("/api/health").raise_for_status()
                    break
                except httpx.TransportError:
                    if self.process.poll() is not None or time.perf_counter() - begun > PATIENCE:
                        raise
                    time.sleep(0.005)
        self.began = time.perf_counter() - begun
        return self

    def __exit__(self, *_: object) -> None:
        self.process.terminate()
        self.process.wait(PATIENCE)


class Client:
    """One player's connection."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection

    async def hello(self, token: str) -> State:
        await self.connection.send(_encode({"do": "hello", "tokens": [token]}), text=True)
        return await self.state()

    async def state(self) -> State:
        """The next state that the server sends to all."""
        while True:
            message = _decode(await self.connection.recv())
            if message.state is not None:
                return message.state

    async def accepted(self, name: str) -> State:
        """The state after one's own message was accepted."""
        state: State | None = None
        while True:
            message = _decode(await self.connection.recv())
            state = message.state or state
            if message.id:
                assert message.type == "accepted", message
                assert message.id == name
                assert state is not None
                return state


class Table:
    """Two connected players."""

    def __init__(self, clients: tuple[Client, Client]) -> None:
        self.clients = clients
        self.latencies: list[float] = []
        self._count = 0

    async def play(self, state: State) -> NoReturn:
        while True:
            seat = state.actor or 0
            mover, other = self.clients[seat], self.clients[1 - seat]
            self._count += 1
            name = str(self._count)
            sent = time.perf_counter()
            await mover.connection.send(state.message(name), text=True)
            after = await mover.accepted(name)
            self.latencies.append(time.perf_counter() - sent)
            assert (await other.state()).number == after.number > state.number
            state = after


class Crowd:
    """All the players."""

    def __init__(self, server: HotdiceServer) -> None:
        self._server = server
        self._stack = AsyncExitStack()

    async def __aenter__(self) -> Self:
        self._http = await self._stack.enter_async_context(
            httpx.AsyncClient(base_url=f"{self._server.url}/api", trust_env=False, timeout=PATIENCE)
        )
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._stack.aclose()

    async def open(self) -> tuple[str, tuple[str, str]]:
        """A table with both seats taken, that has begun."""
        seats = [{"kind": "person", "name": "Ann"}, {"kind": "open"}]
        made = await self._post("/tables", {"game": "pig", "options": {"target": TARGET}, "seats": seats})
        name, first = made["table"]["name"], made["tokens"][0]["token"]
        joined = await self._post(f"/tables/{name}/join", {"name": "Bob"})
        await self._post(f"/tables/{name}/start", {}, first)
        return name, (first, joined["tokens"][0]["token"])

    async def connect(self, name: str) -> Client:
        url = f"ws://127.0.0.1:{self._server.port}/ws/{name}"
        return Client(await self._stack.enter_async_context(connect(url, compression=None, ping_interval=None)))

    async def sit(self) -> tuple[Table, State]:
        name, tokens = await self.open()
        clients = (await self.connect(name), await self.connect(name))
        await clients[0].hello(tokens[0])
        return Table(clients), await clients[1].hello(tokens[1])

    async def _post(self, path: str, body: Any, token: str = "") -> Any:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        answer = await self._http.post(path, json=body, headers=headers)
        answer.raise_for_status()
        return answer.json()


async def _load(server: HotdiceServer, cpu: Callable[[], float], tables: int, seconds: float) -> Measured:
    async with Crowd(server) as crowd:
        seated = [await crowd.sit() for _ in range(tables)]
        tasks = [asyncio.create_task(table.play(state)) for table, state in seated]
        await asyncio.wait(tasks, timeout=WARM_UP, return_when=asyncio.FIRST_EXCEPTION)
        for table, _ in seated:
            table.latencies.clear()
        gc.collect()
        begun, used = time.perf_counter(), cpu()
        done, _ = await asyncio.wait(tasks, timeout=seconds, return_when=asyncio.FIRST_EXCEPTION)
        took, used = time.perf_counter() - begun, cpu() - used
        for task in done:
            await task
        latencies = sorted(latency for table, _ in seated for latency in table.latencies)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    cuts = statistics.quantiles(latencies, n=100)
    return Measured(len(latencies), took, used, cuts[49], cuts[98])


def measure(database: str, tables: int, seconds: float = SECONDS) -> Measured:
    """Our server with so many tables at which one move is always under way."""
    with HotdiceServer(database) as server:
        return uvloop.run(_load(server, lambda: cpu_seconds(server.process.pid), tables, seconds))


@contextmanager
def sqlite() -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder:
        yield str(Path(folder) / "tables.sqlite")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=SECONDS)
    parser.add_argument("--tables", type=int, nargs="*", default=[50, 200])
    arguments = parser.parse_args()
    for tables in arguments.tables:
        with sqlite() as file:
            found = measure(file, tables, arguments.seconds)
        print(f"SQLite {tables}: {found.rate:.0f}/s, {found.per_cpu_second:.0f} per CPU s, "
              f"p50 {1000 * found.p50:.1f} ms, p99 {1000 * found.p99:.1f} ms")  # fmt: skip


if __name__ == "__main__":
    main()
