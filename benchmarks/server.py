"""Our server under load beside boardgame.io's: the same two-player Pig, the same crowd, in one run.

Ours writes every move to the disk (SQLite and PostgreSQL, with fsync) before it is answered; boardgame.io's keeps
matches in memory, or in files without fsync. Each table has two WebSockets, and its next move goes out once both have
seen the last one. Figures of merit: moves per second of the server's CPU, and the 99th percentile of the latency.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NoReturn, Self

import httpx
import msgspec
import uvloop
from websockets.asyncio.client import ClientConnection, connect

from benchmarks import boardgame_peer as peer
from benchmarks.boardgame_peer import HOLD_AT, WARM_UP, Measured
from benchmarks.report import Row, Versus, alone, medians, versus
from tests.services import PostgresServer, free_port

TITLES = {
    "sqlite": "Hotdice, SQLite", "postgres": "Hotdice, PostgreSQL", "memory": "boardgame.io, memory",
    "files": "boardgame.io, files", "words": "Hotdice, SQLite, told in words",
    "hollow_sqlite": "tables without a game, SQLite", "hollow_postgres": "tables without a game, PostgreSQL",
}  # fmt: skip
AIMS = {"sqlite": 2.5, "postgres": 3.0}
"""Times boardgame.io's moves a CPU second in memory."""
REFERENCES = ("memory", "files", "hollow_sqlite", "hollow_postgres")
"""What Hotdice is beside: other servers, and tables without a game."""
HOLLOW = "benchmarks.hollow"
TARGET = 10_000
SECONDS = 10.0
TIMEOUT = 30.0
CLOSE_SECONDS = 0.05
"""How long a client waits for the server to close its connection, once everything is measured."""


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


class HotdiceServer:
    """`hotdice serve` as a child process, without limits for one address."""

    def __init__(self, database: str, program: str = "hotdice") -> None:
        self.port = free_port()
        command = (sys.executable, "-m", program, "serve", "--unlimited", "--port", str(self.port))
        self.command: tuple[str, ...] = (*command, "--database", database)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def __enter__(self) -> Self:
        begun = time.perf_counter()
        self.process = subprocess.Popen(self.command, stdout=subprocess.DEVNULL)
        with httpx.Client(base_url=self.url, trust_env=False) as http:
            while True:
                try:
                    http.get("/api/health").raise_for_status()
                    break
                except httpx.TransportError:
                    if self.process.poll() is not None or time.perf_counter() - begun > TIMEOUT:
                        raise
                    time.sleep(0.005)
        self.began = time.perf_counter() - begun
        return self

    def __exit__(self, *_: object) -> None:
        self.process.terminate()
        self.process.wait(TIMEOUT)

    def cpu_seconds(self) -> float:
        return peer.cpu_seconds(self.process.pid)

    def rss(self) -> int:
        return peer.rss(self.process.pid)


class Client:
    """One player's connection. Programs ask for data alone, which is all that boardgame.io sends; people for words."""

    def __init__(self, connection: ClientConnection, *, words: bool) -> None:
        self.connection, self.words = connection, words

    async def hello(self, *tokens: str) -> State:
        """Say hello, to watch if without a token."""
        await self.connection.send(_encode({"do": "hello", "tokens": tokens, "words": self.words}), text=True)
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

    def __init__(self, server: HotdiceServer, *, words: bool = False) -> None:
        self._server, self._words = server, words
        self._stack = AsyncExitStack()

    async def __aenter__(self) -> Self:
        self._http = await self._stack.enter_async_context(
            httpx.AsyncClient(base_url=f"{self._server.url}/api", trust_env=False, timeout=TIMEOUT)
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
        connection = connect(url, compression=None, ping_interval=None, close_timeout=CLOSE_SECONDS)
        return Client(await self._stack.enter_async_context(connection), words=self._words)

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


async def _load(server: HotdiceServer, tables: int, seconds: float, *, words: bool = False) -> Measured:
    async with Crowd(server, words=words) as crowd:
        seated = [await crowd.sit() for _ in range(tables)]
        tasks = [asyncio.create_task(table.play(state)) for table, state in seated]
        await asyncio.wait(tasks, timeout=WARM_UP, return_when=asyncio.FIRST_EXCEPTION)
        for table, _ in seated:
            table.latencies.clear()
        gc.collect()
        begun, used = time.perf_counter(), server.cpu_seconds()
        done, _ = await asyncio.wait(tasks, timeout=seconds, return_when=asyncio.FIRST_EXCEPTION)
        took, used = time.perf_counter() - begun, server.cpu_seconds() - used
        for task in done:
            await task
        latencies = sorted(latency for table, _ in seated for latency in table.latencies)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    cuts = statistics.quantiles(latencies, n=100)
    return Measured(len(latencies), took, used, cuts[49], cuts[98])


def measure(
    database: str, tables: int, seconds: float = SECONDS, *, words: bool = False, program: str = "hotdice"
) -> Measured:
    """Our server with so many tables at which one move is always under way."""
    with HotdiceServer(database, program) as server:
        return uvloop.run(_load(server, tables, seconds, words=words))


@dataclass(frozen=True, slots=True)
class Memory:
    """Bytes of resident memory."""

    base: int
    per_table: float
    per_connection: float


def memory(tables: int = 1000, connections: int = 500) -> Memory:
    """What one more table costs that has begun and is idle, and what one more connection to one costs."""

    async def grow(server: HotdiceServer) -> Memory:
        async with Crowd(server) as crowd:
            for _ in range(50):  # until the server is warm
                await crowd.sit()
            base = server.rss()
            opened = [await crowd.open() for _ in range(tables)]
            loaded = server.rss()
            for name, tokens in opened[: connections // 2]:
                for token in tokens:
                    await (await crowd.connect(name)).hello(token)
            connected = server.rss()
        return Memory(base, (loaded - base) / tables, (connected - loaded) / connections)

    with sqlite() as file, HotdiceServer(file) as server:
        return uvloop.run(grow(server))


def startup(times: int = 9) -> tuple[float, float]:
    """Seconds from the start of the program to its first answer: with a new database, and the median of later ones."""
    with sqlite() as file:
        with HotdiceServer(file) as server:
            first = server.began
        later = []
        for _ in range(times):
            with HotdiceServer(file) as server:
                later.append(server.began)
    return first, statistics.median(later)


@contextmanager
def sqlite() -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder:
        yield str(Path(folder) / "tables.sqlite")


def compare(tables: int, seconds: float, rounds: int) -> dict[str, list[Measured]]:
    """The servers in turn, several times, so that the machine's moods reach all of them."""
    runs: dict[str, list[Measured]] = {}
    for number in range(rounds):
        with tempfile.TemporaryDirectory() as folder, PostgresServer() as postgres:
            files = (str(Path(folder) / f"{number}.sqlite") for number in range(3))
            kinds: dict[str, Callable[[], Measured]] = {
                "sqlite": partial(measure, next(files), tables, seconds),
                "memory": partial(peer.measure, "memory", tables, seconds),
                "postgres": partial(measure, postgres.create_database(), tables, seconds),
                "files": partial(peer.measure, "file", tables, seconds),
                "words": partial(measure, next(files), tables, seconds, words=True),
                "hollow_sqlite": partial(measure, next(files), tables, seconds, program=HOLLOW),
                "hollow_postgres": partial(measure, postgres.create_database(), tables, seconds, program=HOLLOW),
            }
            for name, run in kinds.items():
                print(f"  {tables} tables, round {number + 1} of {rounds}: {TITLES[name]}", file=sys.stderr, flush=True)
                runs.setdefault(name, []).append(run())
    return runs


def loaded(tables: int, seconds: float, rounds: int) -> Iterator[Row]:
    """What so many tables bring: moves a second of the server's CPU beside boardgame.io's in memory, and answers."""
    found = compare(tables, seconds, rounds)
    group, peer_id = f"{tables} tables", f"server.{tables}.memory"
    speeds = {name: [one.per_cpu_second for one in runs] for name, runs in found.items()}
    for name, speed in speeds.items():
        key, ours = f"server.{tables}.{name}", name not in REFERENCES
        beside = () if name == "memory" else (versus(peer_id, speed, speeds["memory"], AIMS.get(name)),)
        yield Row(
            key, group, TITLES[name], unit="moves/CPU s", better="higher", ours=ours, versus=beside, **medians(speed)
        )
    for name, runs in found.items():
        key, ours = f"server.{tables}.{name}", name not in REFERENCES
        at = f"{group}, by the clock"
        rates = medians([one.rate for one in runs])
        yield Row(f"{key}.rate", at, TITLES[name], unit="moves/s", better="higher", ours=ours, **rates)
        for part, what in (("p50", "median"), ("p99", "99th percentile")):
            late = medians([1000 * getattr(one, part) for one in runs])
            yield Row(f"{key}.{part}", at, f"{TITLES[name]}, {what}", unit="ms", better="lower", ours=ours, **late)


def kept() -> Iterator[Row]:
    """Memory, and how long starting takes."""
    ours, theirs = memory(), peer.memory("memory")
    for name, what, mine, its in (
        ("table", "a table", ours.per_table, theirs.per_match),
        ("connection", "a connection", ours.per_connection, theirs.per_connection),
    ):
        key, group = f"server.memory.{name}", f"Memory for {what}"
        beside = (Versus(f"{key}.peer", mine / its),)
        yield Row(key, group, "Hotdice", mine / 1024, "KiB", "lower", versus=beside)
        yield Row(f"{key}.peer", group, "boardgame.io, memory", its / 1024, "KiB", "lower", ours=False)
    first, later = startup()
    yield Row("server.start", "From the start to the first answer", "its database is there", later, "s", "lower")
    yield Row("server.start.first", "From the start to the first answer", "a new database", first, "s", "lower")


def rows(arguments: Sequence[str]) -> Iterator[Row]:
    """Tables under load, then memory and starting."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks server", description=__doc__)
    parser.add_argument("--seconds", type=float, default=6.0, help="of each measurement")
    parser.add_argument("--rounds", type=int, default=3, help="of which medians are taken")
    parser.add_argument("--tables", type=int, nargs="*", default=[50, 200])
    chosen = parser.parse_args(arguments)
    for tables in chosen.tables:
        yield from loaded(tables, chosen.seconds, chosen.rounds)
    yield from kept()


if __name__ == "__main__":
    alone(rows)
