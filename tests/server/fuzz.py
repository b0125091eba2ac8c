"""A fuzzer for the WebSocket: it says everything wrong that can be said, and looks whether anything comes of it.

It plays at tables where it has one seat's token, and looks at tables where it has none. Whatever it sends, the server
has to stay, to answer each message after hello once and with a type of `wire`, and to change a table only by messages
that were accepted from the seat's owner. By hand: `python -m tests.server.fuzz --inputs 20000 --seed 1`.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import json
import random
import socket
import struct
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from msgspec import DecodeError
from msgspec.json import Decoder

from hotdice.record import read_record
from hotdice.server import wire
from hotdice.server.entries import AnyEntry
from hotdice.server.match.fold import Match, fold
from hotdice.server.store import Store
from tests.server.playing import SHORT
from tests.server.running import OPEN, Json, Running, begun, local, person

CLOSES: Final = {1000, 1002, 1007, 1009, 4000, 4003, 4004, 4029}
"""The codes with which the server may close a connection: the protocol's own, and those of `docs/server.md`."""
BROADCASTS: Final = {"update", "presence"}
TYPES: Final = {"accepted", "pong", *wire.REFUSALS}
TEXT, BINARY, CLOSE, PING = 1, 2, 8, 9
GAMES: Final[tuple[tuple[str, Json], ...]] = (*((name, {}) for name in SHORT), *SHORT.items())
"""Every game, as it is and over soon."""
LONG: Final = 250
"""Inputs after which the fuzzer goes to another table."""
KEPT: Final = 24
"""Connections that are left open in the middle of something."""


class Broken(AssertionError):
    """The server did what it must not do."""


class Gone(Exception):
    """The server closed the connection: the code, or 0 without one."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


def frame(
    payload: bytes = b"",
    opcode: int = TEXT,
    *,
    end: bool = True,
    reserved: int = 0,
    masked: bool = True,
    length: int | None = None,
    form: int = 0,
) -> bytes:
    """A frame as a client sends it, or one that no client would send. `form` is the size of the length's field."""
    size = len(payload) if length is None else length
    form = form or (0 if size < 126 else 2 if size < 1 << 16 else 8)
    mask = 0x80 if masked else 0
    head = bytes([(0x80 if end else 0) | reserved << 4 | opcode])
    head += {
        0: lambda: bytes([mask | size]),
        2: lambda: bytes([mask | 126]) + struct.pack("!H", size),
        8: lambda: bytes([mask | 127]) + struct.pack("!Q", size),
    }[form]()
    if not masked:
        return head + payload
    key = b"dice"
    return head + key + bytes(byte ^ key[at % 4] for at, byte in enumerate(payload))


class Line:
    """A connection, down to its bytes."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=15)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._port = port
        self._read = b""

    def send(self, data: bytes) -> None:
        try:
            self.socket.sendall(data)
        except ConnectionError:  # closed already; what the server said comes with the next read
            return

    def close(self, *, hard: bool = False) -> None:
        if hard:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.socket.close()

    def upgrade(self, name: str, **headers: str) -> int:
        """Ask for a WebSocket; the status of the answer."""
        key = base64.b64encode(b"sixteen dice now").decode()
        found = {
            "Host": f"127.0.0.1:{self._port}",
            "Upgrade": "websocket",
            "Connection": "Upgrade",
            "Sec-WebSocket-Key": key,
            "Sec-WebSocket-Version": "13",
            **{header.replace("_", "-"): value for header, value in headers.items()},
        }
        lines = [f"GET /ws/{name} HTTP/1.1", *(f"{key}: {value}" for key, value in found.items() if value != "-")]
        self.send("\r\n".join([*lines, "", ""]).encode("latin-1"))
        return self.status()

    def status(self) -> int:
        """The status of an HTTP answer, whose head is read; 0 if there is none."""
        while b"\r\n\r\n" not in self._read:
            if not self._more():
                return 0
        head, _, self._read = self._read.partition(b"\r\n\r\n")
        return int(head.split(b" ", 2)[1])

    def frame(self) -> tuple[int, bytes]:
        """The next frame of the server."""
        first, size = self._take(2)
        if size == 126:
            (size,) = struct.unpack("!H", self._take(2))
        elif size == 127:
            (size,) = struct.unpack("!Q", self._take(8))
        return first & 15, self._take(size)

    def message(self) -> Json:
        """The next message of the server."""
        while True:
            opcode, payload = self.frame()
            if opcode == TEXT:
                found: Json = json.loads(payload)
                return found
            if opcode == CLOSE:
                raise Gone(struct.unpack("!H", payload[:2])[0] if len(payload) >= 2 else 1005)

    def end(self) -> int:
        """Read until the server closes; with which code."""
        try:
            while True:
                self.message()
        except Gone as gone:
            return gone.code

    def _take(self, size: int) -> bytes:
        while len(self._read) < size:
            if not self._more():
                raise Gone(0)
        found, self._read = self._read[:size], self._read[size:]
        return found

    def _more(self) -> bool:
        try:
            data = self.socket.recv(1 << 16)
        except ConnectionError:
            return False
        except TimeoutError:
            raise Broken("The server does not answer.") from None
        self._read += data
        return bool(data)


class Guest:
    """A connection that has said hello."""

    def __init__(self, port: int, name: str, *tokens: str) -> None:
        self.line = Line(port)
        self.name = name
        self.events: list[Json] = []
        self.state: Json = {}
        self.seats: list[int] = []
        self._ends = 0
        if (status := self.line.upgrade(name)) != 101:
            raise Broken(f"A WebSocket was answered with {status}.")
        self.line.send(frame(_json({"do": "hello", "tokens": tokens})))
        welcome = self.line.message()
        if welcome["type"] != "welcome":
            raise Broken(f"Hello was answered with {welcome}.")
        self._note(welcome)
        self.sync()

    def ask(self, data: bytes) -> tuple[list[Json], list[Json]]:
        """Send bytes: the answers, and the entries that are new by then."""
        before = len(self.events)
        self._ends += 1
        end = f"end-{self._ends}"
        # A wish for a seat that no table has: it is refused whatever the state is, after all that came before it.
        self.line.send(data + frame(_json({"do": "agree", "id": end, "on": 0, "seat": 63})))
        answers: list[Json] = []
        while (message := self.line.message()).get("id") != end:
            if message["type"] in BROADCASTS:
                self._note(message)
            else:
                answers.append(message)
        if message["type"] not in ("no_seat", "stale"):
            raise Broken(f"A wish for seat 64 was answered with {message}.")
        return answers, self.events[before:]

    def sync(self) -> list[Json]:
        """Take note of all that has happened so far."""
        return self.ask(b"")[1]

    def _note(self, message: Json) -> None:
        if message["type"] in ("welcome", "update"):
            self.events += message["events"]
            self.state = message["state"]
            self.seats = message.get("seats", self.seats)


@dataclass
class Table:
    """A table at which the fuzzer has the first seat, and somebody honest the second."""

    name: str
    token: str
    other: str
    guest: Guest
    honest: Guest
    watcher: Guest
    since: int
    """The number of the first input here."""
    accepted: dict[str, int] = field(default_factory=dict)
    """The number that each id of ours was accepted with, in this game."""
    sent: list[bytes] = field(default_factory=list)

    @property
    def state(self) -> Json:
        return self.guest.state


@dataclass
class Summary:
    """What was tried, and what came of it."""

    tried: Counter[str] = field(default_factory=Counter)
    answers: Counter[str] = field(default_factory=Counter)
    tables: int = 0
    entries: int = 0

    @property
    def inputs(self) -> int:
        return sum(self.tried.values())

    def text(self) -> str:
        def shown(counter: Counter[str]) -> str:
            return "".join(f"\n  {key:<36}{counter[key]:>8}" for key in sorted(counter))

        return (
            f"{self.inputs} inputs at {self.tables} tables, with {self.entries} entries in their logs"
            f"\nTried:{shown(self.tried)}\nAnswered:{shown(self.answers)}"
        )


class Fuzzer:
    """Sends one input after another, and checks each answer."""

    def __init__(self, server: Running, seed: int) -> None:
        self.server = server
        self.random, self._kinds = random.Random(seed), random.Random(seed)
        self.summary = Summary()
        self._number = 0
        self._kept: list[Line] = []
        self._victims: dict[str, list[tuple[AnyEntry, int]]] = {}
        self._victim_tokens: list[str] = []
        self._seen: dict[str, list[Json]] = {}
        """The entries of finished tables, as they were shown."""
        for game, options in GAMES:
            self._victim(game, options)
        self.table = self._table()

    # Tables

    def _victim(self, game: str, options: Json) -> None:
        """A table of other people, in the middle of a game."""
        seats = [person("Vera"), local("Vic")]
        name, tokens = self.server.table(game, seats, options=options, start=True)
        with self.server.client(name, *tokens) as client:
            for _ in range(3):
                client.play()
        self._victim_tokens += tokens
        self._victims[name] = _log(self.server, name)

    def _table(self) -> Table:
        game, options = self.random.choice(GAMES)
        dice = self.random.choice(("fair", "fair", "manual"))
        name, (token,) = self.server.table(game, [person("Mallory"), OPEN], options=options, dice=dice)
        joined = self.server.post(f"/tables/{name}/join", {"name": "Honest"})
        other = joined.json()["tokens"][0]["token"]
        port = self.server.port
        mine, theirs, nobody = Guest(port, name, token), Guest(port, name, other), Guest(port, name)
        table = Table(name, token, other, mine, theirs, nobody, self._number)
        self._start(table)
        self.summary.tables += 1
        return table

    def _start(self, table: Table) -> None:
        started = self.server.post(f"/tables/{table.name}/start", token=table.token)
        assert started.status_code == 200, started.text
        with self.server.client(table.name, table.token, table.other) as dealing:
            begun(dealing)
        table.guest.sync()

    def _renew(self) -> None:
        """When a game is over, play another at the same table, or sit down at a new one."""
        table = self.table
        if table.state["status"] == "over" and self.random.random() < 0.5:
            for token in (table.token, table.other):
                assert self.server.post(f"/tables/{table.name}/rematch", token=token).status_code == 200
            self._start(table)
        elif table.state["status"] == "waiting" and self.random.random() < 0.2:
            self._start(table)
        elif table.state["status"] in ("over", "closed") or self._number - table.since > LONG:
            self._leave()
            self.table = self._table()

    def _leave(self) -> None:
        for guest in (self.table.guest, self.table.honest, self.table.watcher):
            guest.sync()
            guest.line.close()
        self._seen[self.table.name] = self.table.guest.events

    def _again(self, guest: Guest, *tokens: str) -> Guest:
        """The same client again after its connection was closed."""
        guest.line.close()
        return Guest(self.server.port, guest.name, *tokens)

    # Running

    def run(self, inputs: int) -> Summary:
        weights = [weight for _, weight in KINDS]
        for kind, _ in self._kinds.choices(KINDS, weights, k=inputs):
            self._number += 1
            try:
                answer = kind(self)
            except Exception as error:
                raise Broken(f"Input {self._number}, {kind.__name__.strip('_')}: {error!r}") from error
            self.summary.tried[kind.__name__.strip("_").replace("_", " ")] += 1
            self.summary.answers[answer] += 1
            self._renew()
            if self._number % 250 == 0:
                self.check()
        self.finish()
        return self.summary

    def check(self) -> None:
        """The server is there and has nothing to complain of."""
        assert self.server.process
        if self.server.process.poll() is not None:
            raise Broken(f"The server has ended: {self.server.output()}")
        if self.server.get("/health").status_code != 200:
            raise Broken("The server is not well.")
        check_output(self.server.output())

    def finish(self) -> None:
        """Every log holds: those of others are as they were, and ours have what was shown, and replay."""
        self._leave()
        for line in self._kept:
            line.close()
        self.check()
        for name, before in self._victims.items():
            if _log(self.server, name) != before:
                raise Broken(f"The log of table {name} has changed, without its tokens.")
            fold(name, before)
        for name, seen in self._seen.items():
            log = _log(self.server, name)
            match = fold(name, log)
            told: list[Json] = [json.loads(bytes(event)) for event in match.history]
            if told != seen:
                raise Broken(f"The log of table {name} is not what was shown there.")
            self.summary.entries += len(log)
            _replay(match)

    # Messages of somebody who sits at the table

    def _judge(self, table: Table, data: bytes, text: bytes) -> str:
        """Send a message from our seat; exactly one answer, and entries only if it is accepted."""
        was = table.state["number"]
        message = _parsed(text)
        answers, events = table.guest.ask(data)
        if len(answers) != 1 or answers[0]["type"] not in TYPES:
            raise Broken(f"{text[:200]!r} was answered with {answers}.")
        answer = answers[0]
        client = getattr(message, "id", "")
        if answer.get("id", "") != client:
            raise Broken(f"The answer to {text[:200]!r} is for another message: {answer}.")
        if answer["type"] != "accepted":
            if events:
                raise Broken(f"{text[:200]!r} was refused ({answer}) and did something: {events}.")
            self._typed(message, answer)
        elif client in table.accepted:
            if events or answer["number"] != table.accepted[client]:
                raise Broken(f"The repeated {text[:200]!r} was answered with {answer} and did {events}.")
            return "accepted before"
        else:
            assert message is not None
            if getattr(message, "on", was) != was:
                raise Broken(f"{text[:200]!r} was accepted on {was}.")
            self._ours(message, answer, events)
            table.accepted[client] = answer["number"]
        return str(answer["type"])

    def _typed(self, message: wire.AnyMessage | None, answer: Json) -> None:
        wrong = answer["type"] != "unknown" if message is None or isinstance(message, wire.Hello) else False
        wrong |= isinstance(message, wire.Ping) != (answer["type"] == "pong")
        if wrong or not (answer["type"] == "pong" or answer["message"].strip()):
            raise Broken(f"{message} was answered with {answer}.")

    def _ours(self, message: wire.AnyMessage, answer: Json, events: list[Json]) -> None:
        """What an accepted message led to is ours: the first entry names it, and the others follow from it."""
        if not events or events[0]["number"] != answer["number"]:
            raise Broken(f"{message} was accepted as {answer}, and {events} happened.")
        entry = events[0]["entry"]
        if entry["client"] != answer["id"] or entry.get("by") or entry.get("typist", entry["seat"]) not in (0, -1):
            raise Broken(f"{message} led to {entry}.")
        for event in events[1:]:
            follow = event["entry"]
            if follow["kind"] not in ("rolled", "undone", "ended") or follow.get("seat", 0) != 0 or "client" in follow:
                raise Broken(f"{message} led to {follow}.")

    def _say(self, message: Any) -> str:
        text = message if isinstance(message, bytes) else _json(message)
        self.table.sent.append(text)
        return self._judge(self.table, frame(text), text)

    def _id(self) -> str:
        return f"fuzz-{self._number}"

    def _sound(self) -> Json:
        """A message that may well be accepted."""
        state = self.table.state
        message: Json = {"do": "roll", "id": self._id(), "on": state["number"]}
        if state["status"] == "waiting":
            return {"do": "reveal", "id": self._id(), "string": f"string{self._number}"}
        roll = self.random.random()
        if roll < 0.08:
            return self._about_others(state)
        if roll < 0.16:
            return {**message, "do": self.random.choice(("undo", "agree", "refuse"))}
        view = state["view"]
        if state["rolls"]:
            faces = "".join(str(self.random.randint(1, 6)) for _ in range(self.random.choice((1, 2, 5, 6))))
            return {**message, "faces": faces} if self.random.random() < 0.4 else message
        if view and view["moves"]:
            text = self.random.choice(view["moves"])["text"]
            return {**message, "do": "move", "move": text, "then_roll": self.random.random() < 0.5}
        return message

    def _about_others(self, state: Json) -> Json:
        """A wish about who plays, and whether the game goes on."""
        wishes: list[Json] = [
            {"do": "substitute", "seat": self.random.choice((0, 1, 1, 2, 63)), "bot": "greedy"},
            {"do": "propose", "what": "out", "seat": self.random.choice((0, 1, 1, 2, 63))},
            {"do": "propose", "what": "end"},
            {"do": "vote", "proposal": (state["proposal"] or {"number": 1})["number"], "yes": self._number % 2 == 0},
        ]
        return {"id": self._id(), **self.random.choice(wishes)}

    def sound(self) -> str:
        return self._say(self._sound())

    def honest(self) -> str:
        """The other player moves on, so that the game does."""
        table = self.table
        table.honest.sync()
        state = table.honest.state
        message: Json = {"do": "roll", "id": f"honest-{self._number}", "on": state["number"]}
        if state["proposal"] and self.random.random() < 0.3:
            number, yes = state["proposal"]["number"], self.random.random() < 0.5
            message = {"do": "vote", "id": f"honest-{self._number}", "proposal": number, "yes": yes}
            state = {**state, "actor": None, "rolls": False}
        if state["actor"] == 1 and not state["rolls"]:
            message = {**message, "do": "move", "move": self.random.choice(state["view"]["moves"])["text"]}
        answers, events = table.honest.ask(frame(_json(message)))
        for dice in range(1, 7):  # real dice, however many they are
            if state["rolls"] and answers[0]["type"] == "illegal":
                message["faces"] = "".join(str(self.random.randint(1, 6)) for _ in range(dice))
                answers, events = table.honest.ask(frame(_json(message)))
        if any(event["entry"].get("seat", 1) != 1 and "typist" not in event["entry"] for event in events):
            raise Broken(f"The honest player's {message} led to {events}.")
        table.guest.sync()
        return f"honest {answers[0]['type']}"

    def not_json(self) -> str:
        whole = _json(self._sound())
        cut = self.random.randrange(len(whole))
        noise = self.random.choice((b"", b" ", b"null", b"[]", b"{}", b'"hello"', b"NaN", b"\x00", b"{'do': 'roll'}"))
        return self._say(self.random.choice((noise, whole[:cut], whole[cut:], whole + whole, whole[::-1])))

    def binary(self) -> str:
        """A message in a binary frame is none; that may be said a moment later than other answers."""
        guest = self.table.guest
        answers, events = guest.ask(frame(_json(self._sound()), BINARY))
        until = time.monotonic() + 5.0
        while not answers and time.monotonic() < until:
            more = guest.ask(b"")
            answers, events = answers + more[0], events + more[1]
        if events or [answer["type"] for answer in answers] != ["unknown"]:
            raise Broken(f"A binary message was answered with {answers} and led to {events}.")
        return "unknown"

    def bad_text(self) -> str:
        """A text that is not UTF-8: not a message, or the end of the connection."""
        bad = self.random.choice((b"\xff", b"\xc0\xaf", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xe2\x82"))
        text = _json({**self._sound(), "id": "cut here"})
        at = self.random.choice((len(text), text.index(b"cut") + 1))
        text = text[:at] + bad + text[at:]
        try:
            return self._judge(self.table, frame(text), text)
        except Gone as gone:
            if gone.code != 1007:
                raise
            self.table.guest = self._again(self.table.guest, self.table.token)
            return self._closed(gone.code)

    def _value(self, depth: int = 0) -> Any:
        choices: list[Any] = [
            None, True, False, 0, -1, 1, 63, 64, 2**31, 2**31 + 1, 2**53, 2**64, -(2**63), 10**30, 0.5, -0.0, 1e308,
            "", " ", "0", "roll", "hello", "\x00", "\ud800", "😀" * 20, "é" * 64, "x" * 65, "\u202e", [], {}, "1" * 18,
        ]  # fmt: skip
        if depth < 3 and self.random.random() < 0.2:
            inner = [self._value(depth + 1) for _ in range(self.random.randint(0, 3))]
            return inner if self.random.random() < 0.5 else {str(at): value for at, value in enumerate(inner)}
        return self.random.choice(choices)

    def wrong_types(self) -> str:
        message = self._sound()
        for key in self.random.sample(sorted(message), self.random.randint(1, 2)):
            message[key] = self._value()
        return self._say(message)

    def missing_fields(self) -> str:
        message = self._sound()
        for key in self.random.sample(sorted(message), self.random.randint(1, len(message))):
            del message[key]
        return self._say(message)

    def extra_fields(self) -> str:
        message = {**self._sound(), self.random.choice(("seat", "token", "by", "typist", "x", "")): self._value()}
        text = _json(message)
        if self.random.random() < 0.3:  # the same field twice
            text = text[:-1] + b', "on": 0, "do": "ping"}'
        return self._say(text)

    def huge(self) -> str:
        room = wire.MESSAGE_BYTES - 200
        nested = self.random.choice((10, 100, 1000, room // 2))
        value = self.random.choice(
            (
                b'"' + b"x" * self.random.choice((200, 201, 1000, room)) + b'"',
                b"9" * self.random.choice((20, 400, room)),
                b"-1e" + b"9" * self.random.choice((3, 400)),
                b"[" * nested + b"]" * nested,
                b'{"a":' * (nested // 3) + b"1" + b"}" * (nested // 3),
                b'"' + b"\\u0000" * 30 + b'"',
            )
        )
        key = self.random.choice(("id", "on", "move", "faces", "string", "seat", "do", "extra"))
        message = self._sound()
        message.pop(key, None)
        return self._say(_json(message)[:-1] + f', "{key}": '.encode() + value + b"}")

    def out_of_turn(self) -> str:
        """Wishes of the wrong kind, at the wrong time, or for the other seat."""
        message = self._sound()
        message["do"] = self.random.choice(("move", "roll", "undo", "agree", "refuse", "seal", "reveal", "vote"))
        if message["do"] in ("agree", "refuse", "seal", "reveal", "vote"):
            message = {"do": message["do"], "id": self._id(), "seat": self.random.choice((1, 1, 2, 63, 64, -1))}
            number = (self.table.state["proposal"] or {"number": 1})["number"]
            more: dict[str, Json] = {"seal": {"seal": "0" * 64}, "reveal": {"string": "mine"}}
            more["vote"] = {"proposal": number, "yes": True}
            message |= more.get(message["do"], {"on": self.table.state["number"]})
            answer = self._say(message)
            if answer.startswith("accepted"):
                raise Broken(f"{message} was accepted from seat 0.")
            return answer
        return self._say(message)

    def wrong_moves(self) -> str:
        """Moves and rolls in the right shape that are garbage, or nearly right."""
        message = self._sound()
        text = str(message.get("move") or message.get("faces") or "bank 1 2 3")
        at = self.random.randrange(len(text) + 1)
        odd = self.random.choice(("", " ", "0", "7", "-", ",", "+", "²", "٣", "\n", "all", "9" * 30, "x", "\u3000"))
        text = self.random.choice((text[:at] + odd + text[at:], text[:at], text * 2, odd, text.upper(), odd * 8))
        message = {"do": "move", "id": self._id(), "on": self.table.state["number"], "move": text[:200]}
        if self.random.random() < 0.5:
            message["do"], message["faces"] = "roll", message.pop("move")
        return self._say(message)

    def stale_or_future(self) -> str:
        message = self._sound()
        number = self.table.state["number"]
        message["on"] = self.random.choice((0, max(0, number - 1), number + 1, number + 1000, 2**31))
        if message["do"] == "reveal":
            message["string"] = "no string!"
        return self._say(message)

    def replayed(self) -> str:
        """A message exactly as it was sent before."""
        sent = self.table.sent
        return self._say(self.random.choice(sent)) if sent else self.sound()

    def reused_ids(self) -> str:
        """Another message under an id that was accepted before."""
        message = self._sound()
        if self.table.accepted:
            message["id"] = self.random.choice(sorted(self.table.accepted))
        return self._say(message)

    def hello_again(self) -> str:
        tokens = [self.table.other, *self._victim_tokens]
        return self._say({"do": "hello", "tokens": self.random.sample(tokens, 2), "last": 0})

    def fragments(self) -> str:
        """A message in pieces, with pings between them, is a message as any other."""
        text = _json(self._sound())
        self.table.sent.append(text)
        cuts = sorted(self.random.randrange(len(text) + 1) for _ in range(self.random.randint(1, 5)))
        pieces = [text[a:b] for a, b in zip([0, *cuts], [*cuts, len(text)], strict=True)]
        data = b"".join(
            frame(piece, TEXT if at == 0 else 0, end=at == len(pieces) - 1)
            + (frame(b"dice", PING) if self.random.random() < 0.3 else b"")
            for at, piece in enumerate(pieces)
        )
        return self._judge(self.table, data, text)

    # Messages of somebody who only watches

    def watching(self) -> str:
        """Somebody without a token wants to act."""
        table = self.table
        message = self._sound()
        if self.random.random() < 0.3:
            message["seat"] = self.random.randrange(2)
            message["do"] = self.random.choice(("agree", "refuse", "reveal"))
        before = table.guest.events[-1]["number"]
        answers, events = table.watcher.ask(frame(_json(message)))
        if [answer["type"] for answer in answers] not in (["no_seat"], ["unknown"]):
            raise Broken(f"A watcher's {message} was answered with {answers}.")
        if any(event["number"] > before for event in events):
            raise Broken(f"A watcher's {message} led to {events}.")
        return str(answers[0]["type"])

    # Coming in

    def _refused(self, name: str, *messages: bytes) -> str:
        """A connection that is not let in: a typed answer, and a closing code that fits."""
        line = Line(self.server.port)
        if (status := line.upgrade(name)) != 101:
            raise Broken(f"A WebSocket was answered with {status}.")
        line.send(b"".join(messages))
        try:
            answer = line.message()
        except Gone as gone:
            line.close()
            return self._closed(gone.code)
        code = line.end()
        line.close()
        fits = {"no_table": 4004, "no_seat": 4003, "unknown": 4000}
        if code != fits.get(answer["type"]):
            raise Broken(f"{messages} was answered with {answer} and {code}.")
        return f"{answer['type']}, closed {code}"

    def _closed(self, code: int) -> str:
        if code and code not in CLOSES:
            raise Broken(f"The connection was closed with {code}.")
        return f"closed {code}" if code else "cut off"

    def before_hello(self) -> str:
        message = self._sound()
        return self._refused(self._somewhere(), *(frame(_json(message)) for _ in range(self.random.randint(1, 3))))

    def bad_hello(self) -> str:
        hello: Json = {"do": "hello", "tokens": [self._made_up()], "last": 0, "words": False}
        hello[self.random.choice(sorted(hello))] = self._value()
        if self.random.random() < 0.3:
            hello["tokens"] = [self._made_up() for _ in range(17)]
        if hello["do"] == "hello" and hello["tokens"] == []:
            hello["tokens"] = [self._made_up()]
        text = self.random.choice((_json(hello), _json(hello)[: self.random.randrange(40)]))
        return self._refused(self._somewhere(), frame(text))

    def made_up_tokens(self) -> str:
        return self._stranger(self._somewhere(), [self._made_up() for _ in range(self.random.randint(1, 16))])

    def tokens_of_others(self) -> str:
        """The token of a seat opens nothing at another table, and no more than it does together with one that does."""
        token = self.random.choice(self._victim_tokens)
        tokens = self.random.choice(([token], [self.table.token, token], [token, self.table.token]))
        if len(tokens) == 1:
            return self._stranger(self.table.name, tokens)
        guest = Guest(self.server.port, self.table.name, *tokens)
        guest.line.close()
        if guest.seats != [0]:
            raise Broken(f"A token of another table together with ours opened {guest.seats}.")
        return "welcome"

    def own_token_elsewhere(self) -> str:
        return self._stranger(self.random.choice(sorted(self._victims)), [self.table.token])

    def _stranger(self, name: str, tokens: list[str]) -> str:
        answer = self._refused(name, frame(_json({"do": "hello", "tokens": tokens})), frame(_json(self._sound())))
        if not answer.startswith("no_seat"):
            raise Broken(f"Tokens that open no seat were answered with {answer}.")
        return answer

    def no_such_table(self) -> str:
        name = self.random.choice(("aaaaaaaa", "a", "x" * 300, "%00", "%F0%9F%98%80" * 30, "%FF%FE", "..", "a%20b"))
        answer = self._refused(name, frame(_json({"do": "hello"})))
        if answer != "no_table, closed 4004":
            raise Broken(f"Table {name} was answered with {answer}.")
        return answer

    def _made_up(self) -> str:
        real = self.random.choice((self.table.token, *self._victim_tokens))
        at = self.random.randrange(len(real))
        other = "A" if real[at] != "A" else "B"
        return self.random.choice(
            (real[:at] + other + real[at + 1 :], real[:at], real + "=", real.swapcase(), "", "-", "\x00", "é" * 32)
        )

    def _somewhere(self) -> str:
        return self.random.choice((self.table.name, *self._victims))

    def left(self) -> str:
        """Somebody who gave the seat up, and whose connection is still open, can do nothing for whoever has it now."""
        name, (host,) = self.server.table("pig", [person("Host"), OPEN])
        token = self.server.post(f"/tables/{name}/join", {"name": "Leaver"}).json()["tokens"][0]["token"]
        guest = Guest(self.server.port, name, token)
        assert self.server.post(f"/tables/{name}/leave", token=token).status_code == 200
        if self.random.random() < 0.5:
            assert self.server.post(f"/tables/{name}/join", {"name": "Heir"}).status_code == 201
            assert self.server.post(f"/tables/{name}/start", token=host).status_code == 200
            with self.server.client(name, host) as client:
                while client.state["actor"] == 0:
                    client.play()
        guest.sync()
        number = guest.state["number"]
        wishes: list[Json] = [
            {"do": "roll", "on": number},
            {"do": "reveal", "string": "mine"},
            {"do": "undo", "on": number},
        ]
        for at, wish in enumerate(wishes):
            answers, events = guest.ask(frame(_json({**wish, "id": f"left-{at}"})))
            if events or [answer["type"] for answer in answers] != ["no_seat"]:
                raise Broken(f"{wish} after leaving was answered with {answers} and led to {events}.")
        guest.line.close()
        return "no_seat"

    # Frames

    def bad_frames(self) -> str:
        """Frames that no client may send, with a message inside that would be accepted if it were sent well."""
        text = _json(self._sound())
        noise = bytes(self.random.randrange(256) for _ in range(20))
        bad: list[bytes] = [
            frame(text, self.random.choice((3, 4, 5, 6, 7, 11, 12, 13, 14, 15))),
            frame(text, reserved=self.random.randint(1, 7)),
            frame(text, masked=False),
            frame(text, length=2**63 + len(text), form=8),
            frame(text, length=wire.MESSAGE_BYTES + 1),
            frame(text, 0),
            frame(text[:5], end=False) + frame(text),
            frame(text, end=False) + frame(b"x" * 9000, 0),
            frame(b"x" * 126, PING),
            frame(b"x", PING, end=False),
            frame(b"\x00", CLOSE),
            frame(struct.pack("!H", self.random.choice((0, 999, 1004, 1005, 1006, 1015, 2999, 5000))), CLOSE),
            frame(struct.pack("!H", 1000) + b"\xff\xfe", CLOSE),
            frame(b"x" * self.random.choice((8193, 65535, 65536, 300_000))),
            frame(noise, 15, reserved=7, masked=False),
        ]

        def end(line: Line) -> str:
            code = line.end()
            line.close()
            return self._closed(code)

        return self._after(self.random.choice(bad), end)

    def cut_off(self) -> str:
        """A frame or a message that never ends, and then nothing, or the end of the connection."""
        text = _json(self._sound())
        whole = frame(text)
        data = self.random.choice(
            (
                whole[: self.random.randrange(1, len(whole))],
                frame(text, end=False),
                frame(text[:9], end=False) + frame(text[9:], 0, end=False) + frame(b"", PING),
                frame(text, length=len(text) + 1),
                frame(text, length=200, form=2),
                frame(text, length=8000, form=8),
            )
        )

        def leave(line: Line) -> str:
            self._keep(line)
            return "left open"

        def cut(line: Line) -> str:
            line.close(hard=self.random.random() < 0.5)
            return "cut off by us"

        return self._after(data, self.random.choice((leave, cut)))

    def mangled(self) -> str:
        """A sound stream of bytes with some of them changed, from somebody who has no seat."""
        line = Line(self.server.port)
        line.upgrade(self._somewhere())
        stream = bytearray(frame(_json({"do": "hello"})) + 3 * frame(_json(self._sound())))
        for _ in range(self.random.randint(1, 8)):
            stream[self.random.randrange(len(stream))] = self.random.randrange(256)
        line.send(bytes(stream) + frame(struct.pack("!H", 1000), CLOSE))
        if self.random.random() < 0.5:
            line.socket.shutdown(socket.SHUT_WR)
            code = line.end()
            line.close()
            return self._closed(code)
        line.close(hard=True)
        return "cut off by us"

    def _after(self, data: bytes, then: Callable[[Line], str]) -> str:
        """Send data over a connection of our own seat that has said hello; nothing may come of it."""
        table = self.table
        table.guest.sync()
        guest = Guest(self.server.port, table.name, table.token)
        guest.line.send(data)
        answer = then(guest.line)
        if events := table.guest.sync():
            raise Broken(f"{data[:200]!r} led to {events}.")
        return answer

    def _keep(self, line: Line) -> None:
        self._kept.append(line)
        if len(self._kept) > KEPT:
            self._kept.pop(0).close(hard=self.random.random() < 0.5)

    # Before there is a WebSocket

    def bad_upgrades(self) -> str:
        line = Line(self.server.port)
        odd: dict[str, str] = self.random.choice(
            (
                {
                    "Host": self.random.choice(
                        ("evil.example", "[", "[::1", "a b", "-", "", "127.0.0.1:x", "é", "/", "@")
                    )
                },
                {"Origin": self.random.choice(("https://evil.example", "null", "http://127.0.0.1:1", "é", "file://"))},
                {"Sec_WebSocket_Key": self.random.choice(("-", "", "short", "é" * 24, "A" * 5000))},
                {"Sec_WebSocket_Version": self.random.choice(("-", "", "8", "99", "13, 8", "x"))},
                {"Upgrade": self.random.choice(("h2c", "websocket, h2c", "", "-"))},
                {"Connection": self.random.choice(("close", "keep-alive", "", "-"))},
                {"Sec_WebSocket_Extensions": self.random.choice(("permessage-deflate", "x; y=z", ";;;", "é"))},
                {"Sec_WebSocket_Protocol": self.random.choice(("hotdice", ",,,", "é", "a" * 3000))},
            )
        )
        return self._http(line, lambda: line.upgrade(self._somewhere(), **odd))

    def bad_paths(self) -> str:
        line = Line(self.server.port)
        path = self.random.choice(
            ("", "/", "a/b", "%", "%zz", "%ff%fe", "é", "\xff", "a?b#c", "a\x00b", "?" * 99, "%2e%2e/%2e")
        )
        return self._http(line, lambda: line.upgrade(path))

    def http_garbage(self) -> str:
        line = Line(self.server.port)
        request = f"GET /ws/{self._somewhere()} HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\n\r\n".encode()
        mangled = bytearray(request)
        for _ in range(self.random.randint(1, 6)):
            mangled[self.random.randrange(len(mangled))] = self.random.randrange(256)
        data = self.random.choice(
            (
                bytes(self.random.randrange(256) for _ in range(self.random.randint(1, 300))),
                bytes(mangled),
                request[: self.random.randrange(1, len(request))],
                frame(_json({"do": "hello"})),
                b"\r\n\r\n",
                b"GET / HTTP/9.9\r\n\r\n",
                b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
                b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
                request[:-2] + b"Content-Length: " + self.random.choice((b"5", b"-1", b"x", b"9" * 30)) + b"\r\n\r\n",
                request[:-2] + b"Transfer-Encoding: " + self.random.choice((b"chunked", b"x")) + b"\r\n\r\n",
                b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\n{",
                b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
                b"GET /" + b"\xff" * 20 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n",
            )
        )

        def send() -> int:
            line.send(data)
            line.socket.shutdown(socket.SHUT_WR)
            return line.status()

        return self._http(line, send)

    def _http(self, line: Line, send: Callable[[], int]) -> str:
        try:
            status = send()
        finally:
            line.close()
        if status >= 500:
            raise Broken(f"The answer was {status}.")
        return f"http {status}" if status else "cut off"

    def long_heads(self) -> str:
        """A head that is too long, or never ends. It need not be answered, but nobody else may suffer."""
        line = Line(self.server.port)
        line.send(f"GET /ws/{self._somewhere()} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Long: ".encode())
        line.send(b"x" * self.random.choice((9000, 70_000)))
        line.send(self.random.choice((b"", b"\r\n\r\n", b"\r\nUpgrade: websocket\r\nConnection: upgrade\r\n\r\n")))
        self._keep(line)
        return "left open"

    # Records

    def records(self) -> str:
        """The record of this game with something changed in it, taken in as a new table."""
        text = self.server.get(f"/tables/{self._somewhere()}/record").text
        lines = text.split("\n")
        at = self.random.randrange(len(lines))
        line = lines[at]
        spot = self.random.randrange(len(line) + 1)
        odd = self.random.choice(
            ("", "0", "9" * 5000, "²", "\x00", "seat", "result: ", "(", "=", "-1", "😀", "\r", "\t")
        )
        lines[at : at + 1] = self.random.choice(
            ([line[:spot] + odd + line[spot:]], [line, line], [], [odd], [line[spot:], line[:spot]], lines)
        )
        answer = self.server.post("/records", {"record": "\n".join(lines), "mine": [self.random.randint(1, 3)]})
        if answer.status_code not in (201, 422):
            raise Broken(f"A record was answered with {answer.status_code}: {answer.text}")
        return f"http {answer.status_code}"


KINDS: Final[tuple[tuple[Callable[[Fuzzer], str], int], ...]] = (
    (Fuzzer.sound, 9), (Fuzzer.honest, 9), (Fuzzer.not_json, 4), (Fuzzer.binary, 2), (Fuzzer.bad_text, 2),
    (Fuzzer.wrong_types, 8), (Fuzzer.missing_fields, 3), (Fuzzer.extra_fields, 4), (Fuzzer.huge, 5),
    (Fuzzer.out_of_turn, 5), (Fuzzer.wrong_moves, 6), (Fuzzer.stale_or_future, 4), (Fuzzer.replayed, 4),
    (Fuzzer.reused_ids, 4), (Fuzzer.hello_again, 1), (Fuzzer.fragments, 3), (Fuzzer.watching, 4),
    (Fuzzer.before_hello, 2), (Fuzzer.bad_hello, 3), (Fuzzer.made_up_tokens, 3), (Fuzzer.tokens_of_others, 3),
    (Fuzzer.own_token_elsewhere, 2), (Fuzzer.no_such_table, 1), (Fuzzer.bad_frames, 8), (Fuzzer.cut_off, 4),
    (Fuzzer.mangled, 5), (Fuzzer.left, 1), (Fuzzer.bad_upgrades, 4), (Fuzzer.bad_paths, 2),
    (Fuzzer.long_heads, 1), (Fuzzer.http_garbage, 4), (Fuzzer.records, 2),
)  # fmt: skip
"""Every kind of input, and how often it is chosen."""


def flood(server: Running, summary: Summary) -> None:
    """Too much of everything, at a server with limits: it says so, and is well again after a moment."""
    name, (token,) = server.table("pig", [person("Mallory"), OPEN])
    before = _log(server, name)
    ping, roll = frame(b'{"do": "ping"}'), frame(_json({"do": "roll", "id": "flood", "on": 0}))
    for kind, pair in {
        "messages": ping + roll,
        "garbage": 2 * frame(b"garbage"),
        "binary": 2 * frame(b"garbage", BINARY),
    }.items():
        _flood_of_messages(server, summary, kind, pair, name, token)
    _flood_of_connections(server, summary, name)
    with ThreadPoolExecutor(16) as crowd:
        statuses = Counter(crowd.map(lambda _: server.get("/games").status_code, range(300)))
    if set(statuses) != {200, 429}:
        raise Broken(f"A flood of requests was answered with {statuses}.")
    summary.tried["flood of requests"] += 300
    summary.answers.update({f"flood of requests: {status}": number for status, number in statuses.items()})
    time.sleep(1.0)
    if server.get("/health").status_code != 200:
        raise Broken("The server is not well after a flood.")
    Guest(server.port, name, token).line.close()
    if _log(server, name) != before:
        raise Broken("A flood changed a table.")
    check_output(server.output())


def _flood_of_messages(server: Running, summary: Summary, kind: str, pair: bytes, name: str, token: str) -> None:
    """A connection that says too much is told so, and in the end closed."""
    line = Line(server.port)
    line.upgrade(name)
    line.send(frame(_json({"do": "hello", "tokens": [token]})))
    line.send(pair * 500)
    kinds: Counter[str] = Counter()
    try:
        while True:
            kinds[line.message()["type"]] += 1
    except Gone as gone:
        kinds[f"closed {gone.code}"] += 1
    line.close()
    if not kinds["rate_limited"] or not kinds["closed 4029"]:
        raise Broken(f"A flood of {kind} was answered with {kinds}.")
    summary.tried[f"flood of {kind}"] += 1000
    summary.answers.update({f"flood of {kind}: {answer}": number for answer, number in kinds.items()})


def _flood_of_connections(server: Running, summary: Summary, name: str) -> None:
    """An address that has too many connections is told so at the next one."""
    lines = [Line(server.port) for _ in range(80)]
    refused = 0
    for line in lines:
        line.upgrade(name)
        line.send(frame(_json({"do": "hello"})))
        try:
            refused += line.message()["type"] == "rate_limited"
        except Gone as gone:
            raise Broken(f"One connection too many was closed with {gone.code} and no word.") from gone
    for line in lines:
        line.close(hard=True)
    if refused < 10:
        raise Broken(f"Of 80 connections at once only {refused} were refused.")
    summary.tried["flood of connections"] += len(lines)
    summary.answers["flood of connections: refused"] += refused


def check_output(output: str) -> None:
    """No stack trace, and no secret, in what a server prints."""
    if "Traceback" in output or "Error" in output:
        raise Broken(f"The server printed:\n{output[-5000:]}")


def fuzz(folder: Path, inputs: int, seed: int) -> Summary:
    """Fuzz a server without limits, and flood one with them."""
    with Running(str(folder / "fuzz.sqlite"), "--unlimited") as server:
        summary = Fuzzer(server, seed).run(inputs)
    with Running(str(folder / "flood.sqlite")) as server:
        flood(server, summary)
    return summary


_parse: Final = Decoder(wire.AnyMessage).decode


def _parsed(text: bytes) -> wire.AnyMessage | None:
    """The message that a text is, if it is one."""
    try:
        found: wire.AnyMessage = _parse(text)
    except (DecodeError, UnicodeError, RecursionError):
        return None
    return found


def _json(message: Any) -> bytes:
    return json.dumps(message).encode()


def _log(server: Running, name: str) -> list[tuple[AnyEntry, int]]:
    async def read() -> list[tuple[AnyEntry, int]]:
        store = Store(server.database)  # reading needs no `open`, which the server alone may do
        try:
            return await store.read(name)
        finally:
            await store.close()

    return asyncio.run(read())


def _replay(match: Match) -> None:
    """The game that a log holds can be written down and read again, by the rules."""
    if match.table is not None:
        read_record(match.record().text)


def main() -> None:
    parser = argparse.ArgumentParser(description="Fuzz a server's WebSocket.")
    parser.add_argument("--inputs", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        print(fuzz(Path(folder), arguments.inputs, arguments.seed).text())


if __name__ == "__main__":
    main()
