"""boardgame.io's own server under load: two-player Pig over its lobby and its socket.io protocol, move by move.

Every match has two WebSockets, as two browsers would; the next move goes out once both have seen the last one, so that
a match always has exactly one move in flight. A finished match is followed by a new one on the same two connections,
whose three lobby requests and two `sync`s are then part of the load. The rules and the server's options are in
`boardgame/server.js`.
"""

from __future__ import annotations

import asyncio
import os
import signal
import statistics
import subprocess
import tempfile
import time
from collections.abc import Coroutine
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NoReturn, Self, TypeVar

import httpx
import msgspec
import uvloop
from websockets.asyncio.client import ClientConnection, connect

from tests.services import free_port

FOLDER = Path(__file__).with_name("boardgame")
NODE = ("node", "--expose-gc", "server.js")
WARM_UP = 5.0  # seconds of play, for the JIT compiler
PATIENCE = 30.0
SILENCE = 0.2
TARGET = 100
HOLD_AT = 20

Store = Literal["memory", "file"]
# The target that serves each store best. In memory a new match costs far more than a move, so let none end; the file
# store reads and writes a match's whole log at each move, so let matches be short.
TARGETS: dict[Store, int] = {"memory": 10_000, "file": TARGET}
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Measured:
    """What a run saw: seconds are of the wall clock, CPU seconds are the server's, latencies are in seconds."""

    moves: int
    seconds: float
    cpu: float
    p50: float
    p99: float

    @property
    def rate(self) -> float:
        return self.moves / self.seconds

    @property
    def per_cpu_second(self) -> float:
        return self.moves / self.cpu


@dataclass(frozen=True, slots=True)
class Memory:
    """Bytes of resident memory, after a collection of garbage; the base has a thousand matches in it."""

    base: int
    per_match: float
    per_connection: float


class BoardgameServer:
    """The server as a child process, in production mode, on a free port of this computer; its store goes with it."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def __enter__(self) -> Self:
        if not (FOLDER / "node_modules" / ".package-lock.json").exists():  # npm writes it last
            subprocess.run(("npm", "ci", "--silent"), cwd=FOLDER, check=True)
        self._folder = tempfile.TemporaryDirectory(prefix="boardgame-", ignore_cleanup_errors=True)
        self._errors = tempfile.TemporaryFile()
        self.port = free_port()
        self._process = subprocess.Popen(
            (*NODE, "--port", str(self.port), "--store", self.store, "--folder", self._folder.name),
            cwd=FOLDER,
            env=os.environ | {"NODE_ENV": "production"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=self._errors,
        )
        try:
            self._wait()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._errors.close()
        self._folder.cleanup()

    def _wait(self) -> None:
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until and self._process.poll() is None:
            try:
                if httpx.get(f"{self.url}/games", trust_env=False).json() == ["pig"]:
                    return
            except httpx.TransportError:
                time.sleep(0.05)
        raise RuntimeError(f"boardgame.io's server does not answer:\n{self.errors()}")

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def socket_url(self) -> str:
        return f"ws://127.0.0.1:{self.port}/socket.io/?EIO=4&transport=websocket"

    def errors(self) -> str:
        """What the server has written to its standard error so far."""
        return os.pread(self._errors.fileno(), 1 << 20, 0).decode(errors="replace")

    def cpu_seconds(self) -> float:
        return cpu_seconds(self._process.pid)

    def rss(self) -> int:
        return rss(self._process.pid)

    def collect(self) -> None:
        """Collect garbage, so that `rss` tells of what is kept."""
        for _ in range(3):
            self._process.send_signal(signal.SIGUSR2)
            time.sleep(0.5)


def cpu_seconds(pid: int) -> float:
    """User and system time of all of a process's threads."""
    after_name = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(after_name[11]) + int(after_name[12])) / os.sysconf("SC_CLK_TCK")


def rss(pid: int) -> int:
    """Bytes of a process's resident memory."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


class Pig(msgspec.Struct, frozen=True):
    """Boardgame.io's `G`, as `server.js` sets it up."""

    target: int
    scores: tuple[int, int]
    total: int


class Over(msgspec.Struct, frozen=True):
    winner: str


class Context(msgspec.Struct, frozen=True, rename="camel"):
    current_player: str
    gameover: Over | None = None


class State(msgspec.Struct, frozen=True):
    """The part of a match's state that a player looks at."""

    game: Pig = msgspec.field(name="G")
    context: Context = msgspec.field(name="ctx")
    number: int = msgspec.field(name="_stateID")

    @property
    def seat(self) -> int:
        return int(self.context.current_player)

    @property
    def over(self) -> bool:
        return self.context.gameover is not None

    def policy(self) -> str:
        """Hold at 20, or as soon as holding wins."""
        need = self.game.target - self.game.scores[self.seat]
        return "hold" if self.game.total >= min(HOLD_AT, need) else "roll"


class Synced(msgspec.Struct, frozen=True):
    state: State


class Created(msgspec.Struct, frozen=True, rename={"match": "matchID"}):
    match: str


class Joined(msgspec.Struct, frozen=True, rename={"credentials": "playerCredentials"}):
    credentials: str


_encode = msgspec.json.Encoder().encode
_update = msgspec.json.Decoder(tuple[str, str, State, Any]).decode  # the event, the match, its state, the new log
_sync = msgspec.json.Decoder(tuple[str, str, Synced]).decode


@dataclass(frozen=True, slots=True)
class Ticket:
    """A match and the credentials of its two seats."""

    match: str
    credentials: tuple[str, str]


class Lobby:
    """The server's REST interface."""

    def __init__(self, http: httpx.AsyncClient) -> None:
        self._http = http

    async def open(self, target: int = TARGET) -> Ticket:
        created = await self._post("create", Created, numPlayers=2, setupData={"target": target})
        credentials = [
            (await self._post(f"{created.match}/join", Joined, playerID=seat, playerName=seat)).credentials
            for seat in ("0", "1")
        ]
        return Ticket(created.match, (credentials[0], credentials[1]))

    async def _post(self, path: str, reply: type[T], **body: object) -> T:
        answer = await self._http.post(f"/games/pig/{path}", json=body)
        answer.raise_for_status()
        return msgspec.json.decode(answer.content, type=reply)


class Client:
    """One player's connection: socket.io 4 in Engine.IO 4 frames, WebSocket only, in the game's namespace."""

    def __init__(self, connection: ClientConnection, seat: int) -> None:
        self._connection = connection
        self._seat = str(seat)
        self._match = self._credentials = ""

    async def enter(self) -> None:
        await self._receive("0")
        await self._connection.send("40/pig,")
        await self._receive("40/pig,")

    async def sync(self, ticket: Ticket) -> State:
        self._match, self._credentials = ticket.match, ticket.credentials[int(self._seat)]
        await self._emit("sync", self._match, self._seat, self._credentials, 2)
        _, match, synced = _sync(await self._receive('42/pig,["sync"'))
        assert match == self._match
        return synced.state

    async def move(self, name: str, number: int, *, seat: int | None = None, credentials: str | None = None) -> None:
        """Ask for a move on the state with that number; in one's own name, unless told otherwise."""
        player = self._seat if seat is None else str(seat)
        payload = {"type": name, "args": [], "playerID": player, "credentials": credentials or self._credentials}
        await self._emit("update", {"type": "MAKE_MOVE", "payload": payload}, number, self._match, player)

    async def update(self) -> State:
        """The next state that the server sends to all."""
        _, match, state, _ = _update(await self._receive('42/pig,["update"'))
        assert match == self._match
        return state

    async def _emit(self, *event: object) -> None:
        await self._connection.send(f"42/pig,{_encode(event).decode()}")

    async def _receive(self, start: str) -> str:
        """The next message that starts so, without its prefix; pings are answered, who is there is passed over."""
        while True:
            message = await self._connection.recv()
            assert isinstance(message, str)
            if message.startswith(start):
                return message.removeprefix("42/pig,")
            if message == "2":
                await self._connection.send("3")
            elif not message.startswith('42/pig,["matchData"'):
                _unexpected(message)


def _unexpected(message: str) -> NoReturn:
    raise RuntimeError(f"boardgame.io's server sent {message[:200]}")


class Table:
    """Two connected players who play one match after the other."""

    def __init__(self, lobby: Lobby, clients: tuple[Client, Client], target: int) -> None:
        self.latencies: list[float] = []  # of each move, from sending it until the mover sees it
        self._lobby = lobby
        self.clients = clients
        self._target = target

    async def begin(self) -> State:
        ticket = await self._lobby.open(self._target)
        states = [await client.sync(ticket) for client in self.clients]
        assert states[0] == states[1]
        return states[0]

    async def step(self, state: State) -> State:
        """One move, seen by both."""
        mover, other = self.clients[state.seat], self.clients[1 - state.seat]
        sent = time.perf_counter()
        await mover.move(state.policy(), state.number)
        after = await mover.update()
        latency = time.perf_counter() - sent
        assert await other.update() == after
        assert after.number == state.number + 1
        self.latencies.append(latency)
        return after

    async def play(self, state: State) -> NoReturn:
        """Go on from there, for ever."""
        while True:
            while not state.over:
                state = await self.step(state)
            state = await self.begin()


class Crowd:
    """All the players: a context in which tables are opened, whose connections are closed at its end."""

    def __init__(self, server: BoardgameServer) -> None:
        self._server = server
        self._stack = AsyncExitStack()

    async def __aenter__(self) -> Self:
        http = httpx.AsyncClient(base_url=self._server.url, timeout=PATIENCE, trust_env=False)
        self.lobby = Lobby(await self._stack.enter_async_context(http))
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._stack.aclose()

    async def table(self, target: int = TARGET) -> Table:
        return Table(self.lobby, (await self._client(0), await self._client(1)), target)

    async def _client(self, seat: int) -> Client:
        connection = connect(
            self._server.socket_url, compression=None, ping_interval=None, open_timeout=PATIENCE, proxy=None
        )
        client = Client(await self._stack.enter_async_context(connection), seat)
        await client.enter()
        return client


def _run(main: Coroutine[Any, Any, T]) -> T:
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(main)


def measure(store: Store, tables: int, seconds: float, target: int | None = None) -> Measured:
    """A fresh server with that many matches, each with one move in flight, for that time after a warm-up."""

    async def load(server: BoardgameServer) -> Measured:
        async with Crowd(server) as crowd, asyncio.TaskGroup() as group:
            played = [await crowd.table(target or TARGETS[store]) for _ in range(tables)]
            begun = [await table.begin() for table in played]
            tasks = [group.create_task(table.play(state)) for table, state in zip(played, begun, strict=True)]
            await asyncio.sleep(WARM_UP)
            for table in played:
                table.latencies.clear()
            start, cpu = time.perf_counter(), server.cpu_seconds()
            await asyncio.sleep(seconds)
            spent, cpu = time.perf_counter() - start, server.cpu_seconds() - cpu
            latencies = [latency for table in played for latency in table.latencies]
            assert not (said := server.errors()), said
            for task in tasks:
                task.cancel()
        cuts = statistics.quantiles(latencies, n=100)
        return Measured(len(latencies), spent, cpu, cuts[49], cuts[98])

    with BoardgameServer(store) as server:
        return _run(load(server))


def memory(store: Store = "memory", matches: int = 1000, connections: int = 500) -> Memory:
    """What one more idle match costs that both players have joined, and what one more of its connections costs."""

    async def grow(server: BoardgameServer) -> Memory:
        def kept() -> int:
            server.collect()
            return server.rss()

        async with Crowd(server) as crowd:
            for _ in range(1000):  # until the heap has found its size
                await crowd.lobby.open()
            for _ in range(50):
                await (await crowd.table()).begin()
            base = kept()
            tickets = [await crowd.lobby.open() for _ in range(matches)]
            joined = kept()
            for ticket in tickets[: connections // 2]:
                for client in (await crowd.table()).clients:
                    await client.sync(ticket)
            connected = kept()
        return Memory(base, (joined - base) / matches, (connected - joined) / (connections // 2 * 2))

    with BoardgameServer(store) as server:
        return _run(grow(server))


async def _refused(table: Table, state: State) -> None:
    """Nobody hears of moves that are stale, out of turn, unknown, or in another's name."""
    mover, other = table.clients[state.seat], table.clients[1 - state.seat]
    await mover.move("roll", state.number - 1)
    await mover.move("roll", state.number + 1)
    await mover.move("cheat", state.number)
    await other.move("roll", state.number)
    await other.move("roll", state.number, seat=state.seat)
    await other.move("roll", state.number, seat=state.seat, credentials="guessed")
    for client in table.clients:
        try:
            async with asyncio.timeout(SILENCE):
                _unexpected(repr(await client.update()))
        except TimeoutError:
            pass


def _follows(before: State, after: State) -> bool:
    """Whether the rules of Pig lead from one state to the other by the policy's move."""
    seat, scores, total = before.seat, list(before.game.scores), before.game.total
    passed = after.game.total == 0 and after.seat == 1 - seat
    if before.policy() == "roll":
        return after.game.scores == before.game.scores and not after.over and (
            passed or (after.seat == seat and 2 <= after.game.total - total <= 6)
        )  # fmt: skip
    scores[seat] += total
    if scores[seat] >= before.game.target:
        return list(after.game.scores) == scores and after.context.gameover == Over(str(seat))
    return list(after.game.scores) == scores and passed and not after.over


def check(store: Store) -> int:
    """Play one match by the rules with illegal moves along the way; gives the number of moves."""

    async def play(server: BoardgameServer) -> int:
        async with Crowd(server) as crowd:
            table = await crowd.table()
            state = await table.begin()
            assert state.game == Pig(TARGET, (0, 0), 0)
            await table.clients[state.seat].move("hold", state.number)  # nothing to hold: the same state comes back
            for client in table.clients:
                assert await client.update() == state
            while not state.over:
                if state.number % 20 == 0:
                    await _refused(table, state)
                before, state = state, await table.step(state)
                assert _follows(before, state), (before, state)
            return state.number

    with BoardgameServer(store) as server:
        moves = _run(play(server))
        said = server.errors()
        for refusal in ("invalid stateID", "canPlayerMakeMove=false", "player not active"):
            assert refusal in said, said
        return moves


def main(seconds: float = 8.0) -> None:
    stores: tuple[Store, ...] = ("memory", "file")
    for store in stores:
        print(f"boardgame.io, {store} store: a match of {check(store)} moves by the rules, illegal moves refused")
    print("Store    matches   moves/s   per CPU second   p50 ms   p99 ms")
    for store in stores:
        for tables in (50, 200):
            seen = measure(store, tables, seconds)
            print(
                f"{store:8} {tables:7} {seen.rate:9,.0f} {seen.per_cpu_second:16,.0f}"
                f" {seen.p50 * 1000:8.1f} {seen.p99 * 1000:8.1f}"
            )
    kept = memory()
    print(
        f"Memory: {kept.base / 2**20:.0f} MiB with 1,050 matches, {kept.per_match / 1024:.1f} KiB a match,"
        f" {kept.per_connection / 1024:.1f} KiB a connection"
    )


if __name__ == "__main__":
    main()
