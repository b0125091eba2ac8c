"""Chaos: many tables are played while servers, database and broker are killed and connections are cut.

Every client writes down what it was told. Afterwards the log in the database has to hold all of it, each log has to
replay, and each table has to have been played to its end. `test_chaos.py` runs this for a few seconds; by hand it runs
as long as you like: `python -m tests.server.chaos --database postgres --kills 200`. Then servers, PostgreSQL and Redis
are frozen as well, clocks jump by hours or weeks, and SQLite finds no room on its disk. In the end entries are deleted
and changed behind the server's back: a run that does not notice that has proven nothing.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import resource
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NamedTuple, Protocol

import httpx
from msgspec import Raw, Struct
from msgspec.json import decode, encode
from sqlalchemy import and_, delete, select, update
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from hotdice.errors import HotdiceError
from hotdice.fair import seal
from hotdice.record import Record, read_record
from hotdice.server import entries as log
from hotdice.server.match.fold import FAIR, Match, Status, fold
from hotdice.server.store import Store, events, tables
from tests.server.elsewhen import Elsewhen
from tests.server.running import OPEN, Json, Running, bot, local, person
from tests.services import PostgresServer, RedisServer

HOUR: Final = 3_600_000
DAY: Final = 24 * HOUR
LONG: Final = 60.0
"""Seconds after which something that does not happen is an error."""
AWAY = (OSError, WebSocketException, httpx.TransportError, TimeoutError)
"""What a client sees when a server is killed."""

ACCEPTED: Final = "messages answered with accepted"
UNEXPECTED: Final = ("A request failed", "Something went wrong", "could not do something", "Exception in", "was never")
"""Words that a server prints when something happens for which it was not made."""


# What the server says, as far as a client here cares


class MoveSaid(Struct, frozen=True):
    text: str


class ViewSaid(Struct, frozen=True):
    moves: tuple[MoveSaid, ...]


class SeatSaid(Struct, frozen=True):
    kind: str
    away: str = ""


class InvitationSaid(Struct, frozen=True):
    accepted: tuple[int, ...]


class ProposalSaid(Struct, frozen=True):
    number: int
    waiting: tuple[int, ...]


class ShareSaid(Struct, frozen=True):
    seat: int
    seal: str = ""
    string: str = ""


class StateSaid(Struct, frozen=True):
    number: int
    status: str
    round: int
    seats: tuple[SeatSaid, ...]
    actor: int | None
    rolls: bool
    undo: int | None
    asked: int | None
    waiting: tuple[int, ...]
    proposal: ProposalSaid | None
    view: ViewSaid | None
    promise: str
    shares: tuple[ShareSaid, ...]
    dealing: str
    dice_name: str
    invitation: InvitationSaid | None = None


class Said(Struct, frozen=True):
    type: str
    id: str = ""
    number: int = 0
    message: str = ""
    events: tuple[Raw, ...] = ()
    state: StateSaid | None = None
    missing: int = 0


class Numbered(Struct, frozen=True):
    number: int


# What clients write down


@dataclass(slots=True)
class Acknowledged:
    """A message that was accepted, as the entry of a number."""

    number: int
    message: Json
    seats: tuple[int, ...]


@dataclass(slots=True)
class Ledger:
    """What the clients of one table were told."""

    name: str
    tokens: dict[int, str] = field(default_factory=dict)
    seen: dict[int, bytes] = field(default_factory=dict)
    accepted: dict[str, Acknowledged] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)
    records: list[str] = field(default_factory=list)
    retired: bool = False
    """Whether no further game is wanted here."""
    wanted: int = 1
    """The last game that was asked for: it has to be played to its end."""
    orphaned: bool = False
    """Whether a seat's token was lost with the answer to a request, so that nobody can play it."""


@dataclass(slots=True)
class Result:
    """What a run came to."""

    seconds: float = 0.0
    counts: Counter[str] = field(default_factory=Counter)
    violations: list[str] = field(default_factory=list)

    def wrong(self, what: str) -> None:
        self.violations.append(what)

    @property
    def text(self) -> str:
        counted = "".join(f"  {count:>9,}  {what}\n" for what, count in sorted(self.counts.items()))
        shown = "".join(f"  {what}\n" for what in self.violations[:40])
        return f"After {self.seconds:.0f} s:\n{counted}{len(self.violations)} violations\n{shown}"


# The tables


@dataclass(frozen=True, slots=True)
class Kind:
    """A sort of table: the seats of whoever sets it up, how many others join, and who comes besides."""

    game: str
    seats: tuple[Json, ...]
    more: Json = field(default_factory=dict)
    doubled: bool = False
    """Whether the host plays at two screens at once."""
    watched: bool = False
    dozy: bool = False
    """Whether players are sometimes away until a bot plays for them."""


KINDS: Final = (
    Kind("pig", (person("Ann"), OPEN), {"options": {"target": 40}}),
    Kind("kor", (person("Ann"), bot(), OPEN), {"options": {"target": 1500}}),
    Kind("kismet", (person("Ann"), local("Bob")), doubled=True),
    Kind("bj", (person("Ann"), OPEN, OPEN), {"options": {"target": 1500}}, watched=True),
    Kind("rollers", (person("Ann"), bot()), {"options": {"target_points": 1}}),
    Kind(
        "pig",
        (person("Ann"), local("Bob"), OPEN),
        {"options": {"target": 40}, "clock": {"kind": "hard", "seconds": 5}, "stand_in": "greedy"},
        dozy=True,
    ),
)
"""Games that do not last long, so that many begin, end and begin again."""


class Answered(NamedTuple):
    """How a request was answered, and whether it was sent more than once."""

    status: int
    text: str
    repeated: bool


class Load:
    """Clients that keep many tables busy at one or several servers."""

    def __init__(self, servers: Sequence[Running], result: Result, *, tables: int, seed: int, think: float) -> None:
        self.servers, self.result, self.think = servers, result, think
        self.random = random.Random(seed)
        self.ledgers: list[Ledger] = []
        self.players: set[Player] = set()
        self.draining = False
        self._tables = tables
        self._http = httpx.AsyncClient(timeout=20.0)
        self._slots: list[asyncio.Task[None]] = []

    def start(self) -> None:
        """Sit down at all tables."""
        self._slots = [asyncio.create_task(self._slot(KINDS[number % len(KINDS)])) for number in range(self._tables)]

    async def drain(self) -> None:
        """Play every table to its end, and begin no new one."""
        self.draining = True
        done, late = await asyncio.wait(self._slots, timeout=2 * LONG)
        for task in late:
            task.cancel()
        for task, answer in zip(self._slots, await asyncio.gather(*self._slots, return_exceptions=True), strict=True):
            if isinstance(answer, BaseException) and task in done:
                self.result.wrong(f"a client failed: {answer!r}")
        if late:
            stuck = [f"{player.ledger.name} {player.state}" for player in self.players]
            self.result.wrong(f"{len(late)} tables could not be played to their end: {stuck[:3]}")
        await self._http.aclose()

    def cut(self) -> None:
        """Cut a connection, as a network does."""
        here = [player for player in self.players if player.socket]
        if here:
            player = self.random.choice(here)
            if player.socket and player.socket.transport:
                player.socket.transport.abort()
                self.result.counts["connections cut"] += 1

    def server(self) -> Running:
        return self.random.choice(self.servers)

    async def ask(self, path: str, body: Any = None, token: str = "", method: str = "POST") -> Answered:
        """A request that is sent until it is answered."""
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        tries = 0
        while True:
            tries += 1
            try:
                url = f"{self.server().url}/api{path}"
                answer = await self._http.request(method, url, json=body, headers=headers)
            except httpx.TransportError:
                await asyncio.sleep(0.05)
                continue
            if answer.status_code == 503:
                self.result.counts["requests answered with 503"] += 1
                await asyncio.sleep(0.2)
                continue
            if answer.status_code >= 500:
                self.result.wrong(f"{path} was answered with {answer.status_code}: {answer.text[:100]}")
            return Answered(answer.status_code, answer.text, tries > 1)

    async def _slot(self, kind: Kind) -> None:
        """One table after the other."""
        while not self.draining:
            found = await self._sit_down(kind)
            if found is None:
                continue
            ledger, groups = found
            players = [Player(self, ledger, tokens, leads=not index) for index, tokens in enumerate(groups)]
            for player in players:
                player.dozy = kind.dozy
            async with asyncio.TaskGroup() as group:
                for player in players:
                    group.create_task(player.run())

    async def _sit_down(self, kind: Kind) -> tuple[Ledger, list[tuple[str, ...]]] | None:
        """Set a table up and join it; the tokens of each client, the host's first."""
        wish = {"game": kind.game, "seats": kind.seats, "public": True, **kind.more}
        made = await self.ask("/tables", wish)
        if made.status != 201:
            self.result.wrong(f"no table: {made.text}")
            return None
        found = json.loads(made.text)
        ledger = Ledger(found["table"]["name"])
        self.ledgers.append(ledger)
        host = tuple(str(token["token"]) for token in found["tokens"])
        ledger.tokens.update({token["seat"] - 1: token["token"] for token in found["tokens"]})
        groups = [host]
        for number in range(sum(seat["kind"] == "open" for seat in kind.seats)):
            name = f"Guest {number}{self.random.getrandbits(16):x}"
            joined = await self.ask(f"/tables/{ledger.name}/join", {"name": name})
            if joined.status != 201:
                if not joined.repeated:
                    self.result.wrong(f"{ledger.name} could not be joined: {joined.text}")
                ledger.orphaned = True
                return None
            token = json.loads(joined.text)["tokens"][0]
            ledger.tokens[token["seat"] - 1] = token["token"]
            groups.append((token["token"],))
        if kind.doubled:
            groups.append(host)
        if kind.watched:
            groups.append(())
        return ledger, groups


@dataclass(slots=True)
class Pending:
    """A message that has no answer yet, and the last entry known when it was made.

    `number` is what an earlier answer to it said.
    """

    message: Json
    position: int
    number: int | None = None


class Player:
    """One client: it plays random legal moves, comes back whenever it is cut off, and repeats what was not answered."""

    def __init__(self, load: Load, ledger: Ledger, tokens: tuple[str, ...], *, leads: bool) -> None:
        self.load, self.ledger, self.tokens, self.leads = load, ledger, tokens, leads
        self.result, self.random = load.result, load.random
        self.socket: ClientConnection | None = None
        self.state: StateSaid | None = None
        self.seats = tuple(seat for seat, token in ledger.tokens.items() if token in tokens)
        self.last = 0
        self.dozy = False
        self._position = 0
        self._pending: Pending | None = None
        self._drawn: dict[tuple[str, int], str] = {}
        """What it drew for the dice, by the promise and the seat."""
        self._asked = self._voted = self._proposed = -1
        self._stale = -1
        """The last entry known when a stale message was sent: there has to be another one."""
        self._over = 0

    def wrong(self, what: str) -> None:
        self.result.wrong(f"{self.ledger.name}: {what}")

    async def run(self) -> None:
        """Play until the table is not wanted any more."""
        self.load.players.add(self)
        while not self._finished():
            url = f"{self.load.server().url.replace('http', 'ws')}/ws/{self.ledger.name}"
            try:
                async with connect(
                    url, compression=None, proxy=None, ping_interval=None, close_timeout=0.2, open_timeout=10
                ) as socket:
                    self.socket = socket
                    await self._session(socket)
            except AWAY:
                await asyncio.sleep(self.random.uniform(0.02, 0.2))
            finally:
                self.socket = None
        self.load.players.discard(self)

    def _finished(self) -> bool:
        state = self.state
        if state is None:
            return False
        over = state.status == "closed" or (state.status == "over" and state.round >= self.ledger.wanted)
        return over and not self._pending and (self.ledger.retired or self.load.draining)

    async def _session(self, socket: ClientConnection) -> None:
        hello = {"do": "hello", "tokens": self.tokens, "last": self.last}
        await socket.send(encode(hello).decode())
        welcomed = False
        while True:
            said = await self._next(socket)
            if not welcomed:
                if said.type != "welcome":
                    if said.type != "unavailable":
                        self.wrong(f"hello was answered with {said.type}: {said.message}")
                    raise ConnectionResetError
                welcomed = True
                self._take(said, welcome=True)
                if self._pending:  # unanswered before the break
                    self.result.counts["messages repeated after a break"] += 1
                    await self._send(socket)
            elif said.type == "update":
                self._take(said)
            elif said.type not in ("presence", "pong") and self._answered(said):
                await asyncio.sleep(0.2 if said.type == "unavailable" else 0.0)
                await self._send(socket)
            if self._finished():
                return
            if not self._pending:
                await self._decide(socket)

    async def _next(self, socket: ClientConnection) -> Said:
        """The next message. Now and then a ping shows that the server is still there."""
        silent = 0
        while True:
            try:
                text = await asyncio.wait_for(socket.recv(), 1.0)
            except TimeoutError:
                if self._finished():
                    return Said("pong")
                silent += 1
                if silent > LONG:
                    self.wrong(f"no word in {LONG:.0f} s")
                    raise
                if silent % 5 == 0:
                    await socket.send('{"do": "ping"}')
                continue
            return decode(text, type=Said)

    def _take(self, said: Said, *, welcome: bool = False) -> None:
        """Write down what happened; it has to follow on what is known."""
        assert said.state
        self.state = said.state
        numbers = [decode(event, type=Numbered).number for event in said.events]
        if welcome:
            self._position = self.last + said.missing
            if numbers and numbers[0] == 1 and self.last:
                self.result.counts["welcomes from the beginning"] += 1
                self._position = 0
        if numbers != list(range(self._position + 1, self._position + 1 + len(numbers))):
            self.wrong(f"after {self._position} came {numbers[:9]}")
        for number, event in zip(numbers, said.events, strict=True):
            self._position = number
            content = bytes(event)
            if self.ledger.seen.setdefault(number, content) != content:
                self.wrong(f"{number} was shown as {self.ledger.seen[number]!r} and as {content!r}")
        self.last = max(self.last, self._position)
        if said.state.number > self._position:
            self.wrong(f"the state {said.state.number} was shown after {self._position}")

    def _answered(self, said: Said) -> bool:
        """Write down how a message was answered; whether it is to be sent again."""
        pending = self._pending
        if pending is None or said.id != pending.message["id"]:
            known = self.ledger.accepted.get(said.id)
            if known is None and said.id not in self.ledger.refused:
                self.wrong(f"an answer to nothing: {said.type} {said.message}")
            elif said.type == "accepted" and (known is None or known.number != said.number):
                self.wrong(f"{said.id} was answered with {known} and with {said.number}")
            elif said.type != "accepted" and known:
                self.wrong(f"{said.id} was accepted and then {said.type}")
            return False
        if said.type == "unavailable":
            self.result.counts["messages answered with unavailable"] += 1
            return True
        self._pending = None
        self.result.counts[ACCEPTED if said.type == "accepted" else f"messages answered with {said.type}"] += 1
        if said.type == "accepted":
            if pending.number is None:
                self.ledger.accepted[said.id] = Acknowledged(said.number, pending.message, self.seats)
                if self.random.random() < 0.03:
                    self._pending = Pending(pending.message, pending.position, said.number)
                    return True
            elif said.number != pending.number:
                self.wrong(f"{said.id} was accepted as {pending.number} and then as {said.number}")
        elif pending.number is not None:
            self.wrong(f"{said.id} was accepted and then {said.type}: {said.message}")
        else:
            self.ledger.refused[said.id] = said.type
            if said.type == "stale":
                self._stale = pending.position
            fine = ("stale",) if pending.message["do"] in ("move", "roll") else ("stale", "illegal", "not_your_turn")
            if said.type not in fine:
                self.wrong(f"{pending.message} was answered with {said.type}: {said.message}")
        return False

    async def _send(self, socket: ClientConnection) -> None:
        assert self._pending
        text = encode(self._pending.message).decode()
        await socket.send(text)
        if self.random.random() < 0.02:
            await socket.send(text)

    async def _wish(self, socket: ClientConnection, do: str, **fields: Any) -> None:
        assert self.state
        message: Json = {"do": do, "id": f"{self.random.getrandbits(64):x}", **fields}
        if do not in ("seal", "reveal", "propose", "vote"):
            message["on"] = self.state.number
        self._pending = Pending(message, self._position)
        await self._send(socket)

    async def _decide(self, socket: ClientConnection) -> None:
        """Do what is due at the table, if it is this client's to do."""
        state = self.state
        assert state
        if not self.seats or self._position == self._stale:
            return
        chance = self.random.random()
        if state.status == "waiting":
            await self._begin(socket, state)
        elif state.status == "over":
            await self._end(state)
        elif state.status == "playing":
            mine = [seat for seat in self.seats if seat in state.waiting]
            proposal = state.proposal
            if mine:
                await self._wish(socket, "agree" if chance < 0.6 else "refuse", seat=mine[0])
            elif proposal and any(seat in proposal.waiting for seat in self.seats) and self._voted < proposal.number:
                self._voted = proposal.number
                await self._wish(socket, "vote", proposal=proposal.number, yes=False, seat=self.seats[0])
            elif proposal is None and chance < 0.01 and self._in_company(state) and self._proposed < state.number:
                self._proposed = state.number
                await self._wish(socket, "propose", what="end")
            elif state.undo in self.seats and chance < 0.15 and self._asked != state.number:
                self._asked = state.number
                await self._wish(socket, "undo")
            elif state.actor in self.seats and not state.seats[state.actor or 0].away:
                await self._act(socket, state)

    def _in_company(self, state: StateSaid) -> bool:
        """Whether somebody at another screen has a say: all of them say no."""
        return any(seat.kind == "person" for number, seat in enumerate(state.seats) if number not in self.seats)

    async def _act(self, socket: ClientConnection, state: StateSaid) -> None:
        chance = self.random.random()
        if self.dozy and chance < 0.002 and not self.load.draining:
            self.result.counts["times a player dozed off"] += 1
            if self.random.random() < 0.5:
                await socket.close()
            await asyncio.sleep(5.5)
            return
        if chance < 0.01:
            record = await self.load.ask(f"/tables/{self.ledger.name}/record", method="GET")
            if record.status == 200:
                self.ledger.records.append(record.text)
        await asyncio.sleep(self.random.random() * self.load.think)
        if state.rolls:
            await self._wish(socket, "roll")
        elif state.view:
            move = self.random.choice(state.view.moves).text
            await self._wish(socket, "move", move=move, then_roll=self.random.random() < 0.5)

    async def _begin(self, socket: ClientConnection, state: StateSaid) -> None:
        if state.dealing:
            await self._deal(socket, state)
        elif self.leads and not any(seat.kind == "open" for seat in state.seats):
            await self._ask("start", self.tokens[0])

    async def _deal(self, socket: ClientConnection, state: StateSaid) -> None:
        """Have a share in the dice, one step at a time. Now and then somebody withholds a string."""
        shares = {share.seat: share for share in state.shares}
        for seat in self.seats:
            key = state.promise, seat
            if state.dealing == "sealing" and seat not in shares and key not in self._drawn:
                string = self._drawn[key] = f"{self.random.getrandbits(64):x}"
                await self._wish(socket, "seal", seal=seal(state.dice_name, state.promise, seat, string), seat=seat)
                return
            string = self._drawn.get(key, "")
            ours = seat in shares and shares[seat].seal == seal(state.dice_name, state.promise, seat, string)
            if state.dealing == "revealing" and ours and not shares[seat].string and self.random.random() < 0.98:
                await self._wish(socket, "reveal", string=string, seat=seat)
                return

    async def _end(self, state: StateSaid) -> None:
        if self.leads and not self.load.draining and self._over != state.round:
            self._over = state.round
            if self.ledger.orphaned or self.random.random() < 0.5:
                self.ledger.retired = True
            else:
                self.ledger.wanted = state.round + 1
        if state.round >= self.ledger.wanted or not (self.leads or state.invitation):
            return
        accepted = state.invitation.accepted if state.invitation else ()
        mine = [token for seat, token in self.ledger.tokens.items() if token in self.tokens and seat not in accepted]
        for token in mine:
            await self._ask("rematch", token)
        if self.leads and not mine and all(seat in accepted for seat in self.ledger.tokens):
            await self._ask("start", self.tokens[0])  # if somebody is away just now, it is tried again

    async def _ask(self, what: str, token: str) -> None:
        answer = await self.load.ask(f"/tables/{self.ledger.name}/{what}", token=token)
        if answer.status not in (200, 409):
            self.wrong(f"{what} was answered with {answer.text}")


# The weather


class Frozen(Protocol):
    """What can be frozen."""

    def frozen(self) -> AbstractContextManager[None]: ...


class Node:
    """A server that is killed, and started again by somebody who looks after it."""

    def __init__(self, running: Running, result: Result) -> None:
        self.running, self.result = running, result
        self.up = asyncio.Event()
        self._starting: asyncio.Task[None] | None = None

    async def start(self) -> None:
        until = time.monotonic() + LONG
        while True:
            try:
                await asyncio.to_thread(self.running.start)
                self.up.set()
                return
            except AssertionError:  # as long as the database or the broker is away, it does not start
                self.result.counts["starts that failed"] += 1
                if time.monotonic() > until:
                    raise
                await asyncio.sleep(0.1)

    def restart(self) -> None:
        self._starting = asyncio.create_task(self.start())

    async def started(self) -> None:
        """Wait until it is up, however often it was killed."""
        if self._starting:
            await self._starting
        await asyncio.wait_for(self.up.wait(), LONG)

    def kill(self) -> None:
        """Kill it at once, and leave it dead for a moment."""
        self.up.clear()
        process = self.running.process
        if process and process.poll() is not None:
            self.result.wrong(f"the server ended by itself: {self.running.output()[-300:]}")
        self.running.kill()
        self.result.counts["kills of a server"] += 1

    async def kill_in_the_bud(self, delay: float) -> None:
        """Start it and kill it while it starts."""
        before = self.running.process
        starting = asyncio.create_task(asyncio.to_thread(self.running.start))
        while self.running.process is before:
            await asyncio.sleep(0.005)
        await asyncio.sleep(delay)
        self.running.kill()
        with suppress(AssertionError):
            await starting
        self.result.counts["kills of a server"] += 1
        self.result.counts["kills of a server, while it started"] += 1


@dataclass(slots=True)
class Weather:
    """What happens to the servers."""

    load: Load
    nodes: Sequence[Node]
    most: int
    """Messages that are accepted between two blows, and the seconds that pass."""
    longest: float
    postgres: PostgresServer | None = None
    redis: RedisServer | None = None
    often: float = 0.08
    """How often it is PostgreSQL that is killed or restarted, and how often Redis."""
    harsh: float = 0.0
    """How often it is each of the other things: something is frozen, a clock jumps, a disk is full."""

    async def storm(self, kills: int) -> None:
        """Kill servers so many times, and the others now and then."""
        chance = self.load.random
        counts = self.load.result.counts
        while counts["kills of a server"] < kills:
            async with asyncio.timeout(2 * LONG):
                while not any(node.up.is_set() for node in self.nodes):
                    await asyncio.sleep(0.01)
            await self.calm()
            blows = list(self._blows())
            [blow] = chance.choices([blow for _, blow in blows], [often for often, _ in blows])
            await blow()

    def _blows(self) -> Iterator[tuple[float, Callable[[], Awaitable[None]]]]:
        """What may happen now, and how often."""
        chance = self.load.random
        up = [node for node in self.nodes if node.up.is_set()]
        yield 1.0, lambda: self.kill(up)
        if self.postgres:
            yield self.often, lambda: self.restart_postgres(crash=chance.random() < 0.7)
            yield self.harsh, lambda: self.freeze(self.postgres, "PostgreSQL", chance.uniform(0.0, 8.0))
        if self.redis:
            yield self.often, lambda: self.restart_redis(chance.uniform(0.0, 2.5))
            yield self.harsh, lambda: self.freeze(self.redis, "Redis", chance.uniform(0.0, 4.0))
        if up:
            node = chance.choice(up)
            yield self.harsh, lambda: self.freeze(node.running, "a server", chance.uniform(0.0, 4.0))
            yield self.harsh, lambda: self.fill_disk(node, chance.uniform(0.0, 3.0))
            yield self.harsh, lambda: self.jump(node)

    async def freeze(self, what: Frozen | None, name: str, seconds: float) -> None:
        """Have something neither answer nor hang up for a while."""
        assert what
        with what.frozen():
            await asyncio.sleep(seconds)
        self.load.result.counts[f"freezes of {name}"] += 1

    async def fill_disk(self, node: Node, seconds: float) -> None:
        """Have no file of a server grow, as on a full disk; of PostgreSQL's files that is PostgreSQL's business."""
        process = node.running.process
        if self.postgres or not process:
            return
        log = Path(f"{node.running.database}-wal")
        room = log.stat().st_size if log.exists() else 0
        _, most = resource.prlimit(process.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (max(room, 4096), most))
        await asyncio.sleep(seconds)
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (most, most))
        self.load.result.counts["full disks"] += 1

    async def jump(self, node: Node) -> None:
        """Set a server's clock ahead or back."""
        if isinstance(node.running, Elsewhen):
            node.running.set(self.load.random.choice((0, HOUR, -HOUR, 3 * DAY, -3 * DAY, 31 * DAY, 400 * DAY)))
            self.load.result.counts["jumps of a clock"] += 1

    async def calm(self) -> None:
        """A moment, long enough for some play: until so many messages were accepted, or until it has lasted."""
        counts = self.load.result.counts
        enough = counts[ACCEPTED] + self.load.random.randrange(self.most)
        until = time.monotonic() + self.longest
        while counts[ACCEPTED] < enough and time.monotonic() < until:
            await asyncio.sleep(0.01)
        await asyncio.sleep(self.load.random.uniform(0.0, 0.1))

    async def kill(self, up: Sequence[Node]) -> None:
        """Kill one server, or all at once; sometimes again while it starts."""
        chance = self.load.random
        victims = list(up) if chance.random() < 0.15 else [chance.choice(up)] if up else []
        for node in victims:
            node.kill()
        for node in victims:
            if chance.random() < 0.1:
                await node.kill_in_the_bud(chance.uniform(0.0, 1.2))
            node.restart()

    async def restart_postgres(self, *, crash: bool) -> None:
        assert self.postgres
        await asyncio.to_thread(self.postgres.kill if crash else self.postgres.stop)
        await asyncio.sleep(self.load.random.uniform(0.0, 1.0))
        await asyncio.to_thread(self.postgres.start)
        self.load.result.counts["crashes of PostgreSQL" if crash else "restarts of PostgreSQL"] += 1

    async def restart_redis(self, away: float) -> None:
        assert self.redis
        await asyncio.to_thread(self.redis.kill)
        await asyncio.sleep(away)
        await asyncio.to_thread(self.redis.start)
        self.load.result.counts["crashes of Redis"] += 1

    async def cut(self, pause: float) -> None:
        """Cut connections for ever."""
        while True:
            await asyncio.sleep(self.load.random.uniform(0.0, 2 * pause))
            self.load.cut()


Storm = Callable[[Weather], Awaitable[None]]


async def chaos(
    servers: Sequence[Running],
    storm: Storm,
    *,
    tables: int = 12,
    seed: int = 0,
    think: float = 0.01,
    most: int = 60,
    longest: float = 5.0,
    cuts: float = 0.1,
    postgres: PostgresServer | None = None,
    redis: RedisServer | None = None,
    harsh: float = 0.0,
    self_check: bool = False,
) -> Result:
    """Let the storm rage over a load of tables; then play them to their end, and look at every log."""
    result = Result()
    began = time.monotonic()
    load = Load(servers, result, tables=tables, seed=seed, think=think)
    nodes = [Node(server, result) for server in servers]
    await asyncio.gather(*(node.start() for node in nodes))
    weather = Weather(load, nodes, most, longest, postgres, redis, harsh=harsh)
    load.start()
    async with _beside(weather.cut(cuts)):
        await storm(weather)
    for node in nodes:
        await node.started()
    await load.drain()
    for server in servers:
        printed = await asyncio.to_thread(server.stop)
        result.counts["commits that were tried again"] += printed.count("did not take a commit")
        for words in UNEXPECTED:
            if words in printed:
                start = printed.index(words)
                result.wrong(f"a server printed {printed.count(words)} times: {printed[start : start + 4000]}")
    await verify(servers[0].database, load.ledgers, result)
    if self_check:
        await check_verify(servers[0].database, load, result)
    result.seconds = time.monotonic() - began
    return result


@asynccontextmanager
async def _beside(work: Any) -> AsyncIterator[None]:
    task = asyncio.create_task(work)
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


# What has to hold afterwards


async def verify(database: str, ledgers: Sequence[Ledger], result: Result) -> None:
    """Read the whole database, and compare it with what clients were told."""
    store = Store(database)
    await store.open()
    try:
        log = store.log.c
        rows = await store.rows(select(log.table, log.number).order_by(log.table, log.number))
        cards = {row.name: row for row in await store.rows(select(tables))}
        numbers: dict[str, list[int]] = {}
        for row in rows:
            numbers.setdefault(row.table, []).append(row.number)
        told = {ledger.name: ledger for ledger in ledgers}
        for missing in set(told) - set(numbers):
            result.wrong(f"{missing}: the whole table is lost")
        result.counts["entries in the logs"] = len(rows)
        result.counts["tables"] = len(numbers)
        result.counts["tables nobody was told of"] = len(set(numbers) - set(told))
        result.counts["tables without all their tokens"] = sum(ledger.orphaned for ledger in ledgers)
        for name, found in numbers.items():
            if found != list(range(1, len(found) + 1)):
                result.wrong(f"{name}: the log has the numbers {found[:3]} … {found[-3:]}")
            try:
                entries = await store.read(name)
                match = fold(name, entries)
                given = [_told(read_record(text)) for text in told[name].records] if name in told else []
                lost = set(given) - _stood(name, entries, {len(record) for record in given})
            except HotdiceError as error:
                result.wrong(f"{name}: the log does not replay: {error!r}")
                continue
            if name not in cards or cards[name].status != match.status.value:
                result.wrong(f"{name}: the index is wrong about it")
            _check_records(match, result)
            if name in told:
                for record in lost:
                    result.wrong(f"{name}: a record was given out that the log never had: … {record[-3:]}")
                _check_told(match, [entry for entry, _ in entries], told[name], result)
    finally:
        await store.close()


async def check_verify(database: str, load: Load, result: Result) -> None:
    """Delete an entry of one table and change one of another behind the server's back: that has to be found."""
    victims = load.random.sample([ledger for ledger in load.ledgers if len(ledger.seen) > 2], 2)
    store = Store(database)
    try:
        async with store._engine.begin() as connection:
            lost, changed = (
                and_(events.c.table == ledger.name, events.c.number == load.random.choice(sorted(ledger.seen)))
                for ledger in victims
            )
            await connection.execute(delete(events).where(lost))
            await connection.execute(update(events).where(changed).values(body=b"{}"))
    finally:
        await store.close()
    found = Result()
    await verify(database, load.ledgers, found)
    for ledger in victims:
        if not any(what.startswith(f"{ledger.name}: ") for what in found.violations):
            result.wrong(f"the harness is blind: it does not see what was done to {ledger.name}")
    result.counts["planted faults found"] = len(victims)


def _told(record: Record) -> tuple[str, ...]:
    return tuple(repr(event) for event in record.events)


def _stood(name: str, entries: Sequence[tuple[log.AnyEntry, int]], lengths: set[int]) -> set[tuple[str, ...]]:
    """The events of the game as they stood after each entry, where there were so many."""
    match = Match(name)
    found: set[tuple[str, ...]] = set()
    for entry, at in entries:
        match.apply(entry, at)
        if match.table and match.table.played in lengths:
            found.add(_told(match.record()))
    return found


def _check_records(match: Match, result: Result) -> None:
    """All games that are over have dice that can be checked, and they are right."""
    for record in [game.record for game in match.games if not game.why]:
        try:
            checked = read_record(record.text).check_dice()
        except HotdiceError as error:
            result.wrong(f"{match.name}: a record is wrong: {error}")
            continue
        if match.setup.dice == FAIR and not checked:
            result.wrong(f"{match.name}: the dice of a record cannot be checked")
        result.counts["games whose dice were checked"] += 1


def _check_told(match: Match, entries: Sequence[log.AnyEntry], ledger: Ledger, result: Result) -> None:
    """The log has all that clients of the table were told."""
    wrong = [f"{number} was shown as {content!r}, and the log has {_at(match, number)!r}"
             for number, content in ledger.seen.items() if _at(match, number) != content]  # fmt: skip
    ids = Counter(entry.client for entry in entries if getattr(entry, "client", ""))  # type: ignore[union-attr]
    wrong += [f"{client} is in the log {count} times" for client, count in ids.items() if count > 1]
    wrong += [f"{client} was {answer}, and is in the log" for client, answer in ledger.refused.items() if client in ids]
    for ack in ledger.accepted.values():
        entry = entries[ack.number - 1] if ack.number <= len(entries) else None
        if not _fits(entry, ack):
            wrong.append(f"{ack} was accepted, and the log has {entry}")
    for seat, token in ledger.tokens.items():
        try:
            if match.seat_of(token) != seat:
                wrong.append(f"the token of seat {seat} opens {match.seat_of(token)}")
        except HotdiceError:
            wrong.append(f"the token of seat {seat} opens nothing")
    if match.status is not Status.OVER and not ledger.orphaned:
        wrong.append(f"it was not played to its end but is {match.status.value}")
    result.counts["entries seen by clients"] += len(ledger.seen)
    result.counts["acknowledged entries"] += len(ledger.accepted)
    result.counts["records fetched in mid-game"] += len(ledger.records)
    for entry in entries:
        if isinstance(entry, log.Undone | log.Away | log.Back | log.Voted | log.Again):
            result.counts[f"entries of the kind {type(entry).__name__.lower()}"] += 1
        elif isinstance(entry, log.Moved) and not entry.client:
            result.counts["moves of bots"] += 1
    for what in wrong:
        result.wrong(f"{ledger.name}: {what}")


def _at(match: Match, number: int) -> bytes:
    return bytes(match.history[number - 1]) if number <= len(match.history) else b""


def _fits(entry: log.AnyEntry | None, ack: Acknowledged) -> bool:
    """Whether an entry is what a message asked for."""
    message = ack.message
    match entry:
        case log.Moved(seat, move, _, client):
            right = message["do"] == "move" and move == message["move"]
        case log.Rolled(seat, _, _, client):
            right = message["do"] == "roll"
        case log.Asked(seat, client):
            right = message["do"] == "undo"
        case log.Agreed(seat, client):
            right = message["do"] == "agree" and seat == message["seat"]
        case log.Refused(seat, client):
            right = message["do"] == "refuse" and seat == message["seat"]
        case log.Proposed(seat, what, _, _, client):
            right = message["do"] == "propose" and what == message["what"]
        case log.Voted(seat, yes, client):
            right = message["do"] == "vote" and yes == message["yes"]
        case log.Sealed(seat, sealed, client):
            right = message["do"] == "seal" and sealed == message["seal"]
        case log.Revealed(seat, string, client):
            right = message["do"] == "reveal" and string == message["string"]
        case _:
            return False
    return right and client == message["id"] and seat in ack.seats


# By hand


async def _watched(weather: Weather, kills: int) -> None:
    """The storm, with a line now and then that says how far it is."""

    async def tell() -> None:
        while True:
            await asyncio.sleep(10)
            result = weather.load.result
            seen = sum(len(ledger.seen) for ledger in weather.load.ledgers)
            line = f"{result.counts['kills of a server']} of {kills} kills, {len(weather.load.ledgers)} tables"
            print(f"{line}, {seen:,} entries seen, {len(result.violations)} violations", flush=True)

    async with _beside(tell()):
        await weather.storm(kills)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.server.chaos", description=__doc__)
    parser.add_argument("--database", choices=("sqlite", "postgres"), default="sqlite")
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--tables", type=int, default=24, help="that are played at a time")
    parser.add_argument("--seed", type=int, default=random.randrange(10_000))
    parser.add_argument("--think", type=float, default=0.02, help="seconds that a client takes for a decision at most")
    parser.add_argument("--most", type=int, default=150, help="messages accepted between two blows at most")
    parser.add_argument("--longest", type=float, default=5.0, help="seconds between two blows at most")
    parser.add_argument("--harsh", type=float, default=0.15, help="freezes, jumps and full disks for each kill")
    chosen = parser.parse_args()
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # so that no server is left behind
    print(f"Seed {chosen.seed}", flush=True)
    with ExitStack() as stack:
        postgres: PostgresServer | None = None
        redis: RedisServer | None = None
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        if chosen.database == "postgres":
            postgres, redis = stack.enter_context(PostgresServer()), stack.enter_context(RedisServer())
            database = postgres.create_database()
            options = ("--redis", redis.url, "--unlimited")
            servers = [Elsewhen(database, folder / name, *options) for name in ("one", "two")]
        else:
            servers = [Elsewhen(str(folder / "tables.sqlite"), folder / "ahead", "--unlimited")]
        for server in servers:
            stack.callback(server.__exit__)
        result = asyncio.run(
            chaos(
                servers,
                lambda weather: _watched(weather, chosen.kills),
                tables=chosen.tables,
                seed=chosen.seed,
                think=chosen.think,
                most=chosen.most,
                longest=chosen.longest,
                postgres=postgres,
                redis=redis,
                harsh=chosen.harsh,
                self_check=True,
            )
        )
    print(result.text)
    return bool(result.violations)


if __name__ == "__main__":
    sys.exit(main())
