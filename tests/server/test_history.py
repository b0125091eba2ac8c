"""Long histories: a welcome has the newest entries, and the others come in pages."""

from __future__ import annotations

import sqlite3
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec import Raw
from msgspec.json import decode

from hotdice.server import entries
from hotdice.server.broker import Alone
from hotdice.server.entries import LOCAL, PERSON, AnyEntry, Created, SeatPlan
from hotdice.server.limits import Limits
from hotdice.server.match import commands
from hotdice.server.match.dealing import Dealer
from hotdice.server.match.fold import MANUAL, Match, fold
from hotdice.server.rooms.names import new_name
from hotdice.server.rooms.room import Room
from hotdice.server.rooms.views import PAGE_BYTES, newest
from hotdice.server.tokens import new_key, new_secret
from tests.server.running import Running

ENTRIES = 5400


@pytest.fixture(scope="module")
def log() -> list[AnyEntry]:
    """Of a game of Pig with real dice that two people draw out."""
    match = Match("k3x9w7fm")
    plans = (SeatPlan(PERSON, "Ann"), SeatPlan(LOCAL, "Ben"))
    setup = Created("pig(target=10000)", plans, False, MANUAL)
    made = commands.create(match, setup, new_key()) + commands.start(match, Dealer(new_secret()), ())
    while len(made) < ENTRIES:
        seat = match.actor or 0
        made += (
            commands.roll(match, seat, "6" if len(made) % 20 else "1")
            if match.rolls
            else commands.move(match, seat, "roll")
        )
    return made


@pytest.fixture(scope="module")
def table(server: Running, log: list[AnyEntry]) -> str:
    """Where that game is played."""
    name = new_name()
    rows = [(name, number, 1_800_000_000_000, entries.encode(entry)) for number, entry in enumerate(log, 1)]
    connection = sqlite3.connect(server.database, timeout=60)
    with connection:
        connection.executemany("insert into events values (?, ?, ?, ?)", rows)
    connection.close()
    return name


def numbers(events: list[dict[str, Any]]) -> list[int]:
    return [event["number"] for event in events]


def test_a_welcome_has_the_newest_entries_and_says_how_many_are_missing(server: Running, table: str) -> None:
    with server.client(table) as client:
        welcome = client.welcome
        assert welcome["missing"] == ENTRIES - len(welcome["events"]) > 0
        assert numbers(welcome["events"]) == list(range(welcome["missing"] + 1, ENTRIES + 1))
        assert len(welcome["events"]) > 400
    with server.client(table, last=ENTRIES - 10) as client:
        assert "missing" not in client.welcome
        assert numbers(client.welcome["events"]) == list(range(ENTRIES - 9, ENTRIES + 1))
    with server.client(table, last=100) as client:
        assert client.welcome["missing"] == welcome["missing"] - 100
        assert client.welcome["events"] == welcome["events"]


def test_the_others_come_in_pages(server: Running, table: str) -> None:
    with server.client(table) as client:
        events = client.welcome["events"]
    sizes = [len(events)]
    while events[0]["number"] > 1:
        answer = server.get(f"/tables/{table}/history", before=events[0]["number"])
        assert answer.status_code == 200
        assert len(answer.content) < PAGE_BYTES + 2000
        events = answer.json()["events"] + events
        sizes.append(len(answer.json()["events"]))
    assert numbers(events) == list(range(1, ENTRIES + 1))
    assert len(sizes) < 12
    assert events[0]["entry"]["kind"] == "created"
    assert server.get(f"/tables/{table}/history").json()["events"][-1]["number"] == ENTRIES
    assert server.get(f"/tables/{table}/history", before=1).json() == {"events": []}
    assert server.get(f"/tables/{table}/history", before=-1).status_code == 422


def test_a_page_has_one_entry_at_least() -> None:
    small, large = Raw(b"1"), Raw(b"1" * (PAGE_BYTES + 1))
    assert newest([]) == []
    assert newest([small, large]) == [large]
    assert newest([large, small]) == [small]
    assert newest([small, small]) == [small, small]


class Onlooker:
    """A client that keeps what it is sent."""

    def __init__(self) -> None:
        self.seats: tuple[int, ...] = ()
        self.keys: tuple[str, ...] = ()
        self.words = True
        self.sent: list[bytes] = []

    def send(self, packed: bytes) -> None:
        self.sent.append(packed)

    def hold(self, packed: bytes) -> None:
        self.sent.append(packed)

    def dismiss(self, said: str) -> None:
        raise AssertionError(said)


def test_news_that_are_too_much_for_one_message_are_a_welcome(log: list[AnyEntry]) -> None:
    """Another node may have written more than a client could be sent at once."""
    node: Any = SimpleNamespace(
        broker=Alone(),
        store=SimpleNamespace(restored=0),
        thinkers=None,
        replays=None,
        spawn=None,
        drop=None,
        dealer=None,
    )
    room = Room(fold("k3x9w7fm", ((entry, 0) for entry in log[:10])), node)
    guest = Onlooker()
    room.presence.enter(guest)
    room.match.read((entry, 0) for entry in log[10:20])
    room._show()
    room.match.read((entry, 0) for entry in log[20:])
    room._show()
    told = [decode(packed[packed.index(b"{") :]) for packed in guest.sent]
    assert [message["type"] for message in told] == ["update", "welcome"]
    assert told[1]["missing"] == ENTRIES - 20 - len(told[1]["events"])
    assert max(map(len, guest.sent)) < Limits().backlog
