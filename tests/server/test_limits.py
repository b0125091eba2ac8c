"""Limits: how often one address may ask, how much it may have, and what becomes of idle tables."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest

from hotdice.server import limits
from hotdice.server.api import routes
from hotdice.server.app import Server, Settings
from hotdice.server.limits import FORGET, UNLIMITED, Bucket, Gate, Limits, address_of
from hotdice.server.match import commands
from hotdice.server.refusals import TooMuch
from tests.server.running import OPEN, TIMEOUT, Running, bot, person

TABLE = {"game": "pig", "seats": [person("Ann"), OPEN, OPEN]}


class Time:
    """A clock that stands still until it is moved on."""

    def __init__(self) -> None:
        self.now = 1000.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Time:
    clock = Time()
    monkeypatch.setattr(limits, "time", SimpleNamespace(monotonic=clock.monotonic))
    return clock


# Rates


def test_a_bucket_lets_a_burst_through_and_then_a_steady_stream(clock: Time) -> None:
    bucket = Bucket(rate=2.0, burst=3)
    assert [bucket.take() for _ in range(4)] == [0, 0, 0, 0.5]
    clock.now += 0.5
    assert bucket.take() == 0
    assert bucket.take() == 0.5
    clock.now += 60
    assert [bucket.take() for _ in range(4)] == [0, 0, 0, 0.5]  # no more than a burst is saved up


def test_each_address_has_a_rate_of_its_own(clock: Time) -> None:
    gate = Gate(Limits(requests=1.0, request_burst=2, news=0.5, new_burst=1))
    for address in ("192.0.2.1", "192.0.2.2"):
        gate.request(address)
        gate.request(address)
        with pytest.raises(TooMuch) as refused:
            gate.request(address)
        assert refused.value.wait == 1.0
        gate.new(address)
        with pytest.raises(TooMuch, match="try again in 2 s"):
            gate.new(address)


def test_so_many_connections_from_one_address_and_no_more() -> None:
    gate = Gate(Limits(connections=2))
    assert [gate.connect("192.0.2.1") for _ in range(3)] == [True, True, False]
    assert gate.connect("192.0.2.2")
    gate.disconnect("192.0.2.1")
    assert gate.connect("192.0.2.1")


def test_addresses_that_were_quiet_are_forgotten(clock: Time) -> None:
    gate = Gate(Limits())
    for number in range(FORGET):
        gate.request(f"192.0.2.{number}")
    clock.now += 3600
    gate.request("198.51.100.1")
    assert len(gate._requests) == 1


@pytest.mark.parametrize(
    ("client", "address"),
    [
        (("192.0.2.7", 5000), "192.0.2.7"),
        (("2001:db8:1:2:3:4:5:6", 5000), "2001:db8:1:2::/64"),
        (("2001:db8:1:2:ffff::1", 5000), "2001:db8:1:2::/64"),
        (("::ffff:192.0.2.7", 5000), "192.0.2.7"),
        (("fe80::1%eth0", 5000), "fe80::/64"),
        (None, "unknown"),
    ],
)
def test_limits_count_by_address_and_an_ipv6_household_is_one(client: tuple[str, int] | None, address: str) -> None:
    assert address_of(client) == address


# What one address may have


@asynccontextmanager
async def serving(database: Path, limits: Limits) -> AsyncIterator[Callable[[str], httpx.AsyncClient]]:
    """The application without a socket, so that clients can have any address."""
    server = Server(Settings(str(database), limits=limits))
    await server.open()
    await asyncio.sleep(0)
    clients: list[httpx.AsyncClient] = []

    def client(address: str) -> httpx.AsyncClient:
        transport = httpx.ASGITransport(app=server, client=(address, 5000))
        clients.append(httpx.AsyncClient(transport=transport, base_url="http://localhost/api"))
        return clients[-1]

    try:
        yield client
    finally:
        for one in clients:
            await one.aclose()
        await server.close()


def within(
    database: Path, limits: Limits, work: Callable[[Callable[[str], httpx.AsyncClient]], Coroutine[Any, Any, None]]
) -> None:
    async def run() -> None:
        async with serving(database, limits) as client:
            await work(client)

    asyncio.run(run())


def refused(answer: httpx.Response, why: str) -> None:
    assert answer.status_code == 429
    assert answer.json()["error"] == "rate_limited"
    assert why in answer.json()["message"]
    assert int(answer.headers["retry-after"]) >= 1
    assert answer.headers["x-content-type-options"] == "nosniff"


def test_so_many_tables_of_one_address_and_no_more(tmp_path: Path) -> None:
    async def work(client: Callable[[str], httpx.AsyncClient]) -> None:
        ann, bob = client("192.0.2.1"), client("192.0.2.2")
        made = [await ann.post("/tables", json=TABLE) for _ in range(3)]
        assert [answer.status_code for answer in made[:2]] == [201, 201]
        refused(made[2], "2 tables from your address are not over yet; finish or leave some first.")
        assert (await bob.post("/tables", json=TABLE)).status_code == 201
        token = made[0].json()["tokens"][0]["token"]
        name = made[0].json()["table"]["name"]
        await ann.post(f"/tables/{name}/leave", headers={"Authorization": f"Bearer {token}"})
        assert (await ann.post("/tables", json=TABLE)).status_code == 201

    within(tmp_path / "tables.sqlite", Limits(tables=2), work)


def test_tables_that_are_asked_for_at_once_are_counted_too(tmp_path: Path) -> None:
    async def work(client: Callable[[str], httpx.AsyncClient]) -> None:
        ann = client("192.0.2.1")
        made = await asyncio.gather(*(ann.post("/tables", json=TABLE) for _ in range(12)))
        assert sorted(answer.status_code for answer in made) == [201] * 2 + [429] * 10

    within(tmp_path / "tables.sqlite", Limits(tables=2), work)


def test_games_against_bots_alone_do_not_use_up_the_tables_of_an_address(tmp_path: Path) -> None:
    """Those of the last hour count, earlier ones up to a limit of their own; a game with others always counts."""
    alone = {"game": "pig", "seats": [person("Ann"), bot(), bot()], "start": True}
    together = {"game": "pig", "seats": [person("Ann"), {"kind": "local", "name": "Lou"}], "start": True}
    file = tmp_path / "tables.sqlite"

    def hours_go_by() -> None:
        with sqlite3.connect(file, TIMEOUT) as connection:
            connection.execute("update tables set touched = touched - 2 * 3600 * 1000")
        connection.close()

    async def work(client: Callable[[str], httpx.AsyncClient]) -> None:
        ann = client("192.0.2.1")
        for _ in range(2):
            assert (await ann.post("/tables", json=alone)).status_code == 201
        refused(await ann.post("/tables", json=alone), "2 tables from your address are not over yet")
        await asyncio.to_thread(hours_go_by)  # the server has to go on meanwhile: it may be writing, too
        for wish in (alone, together):
            assert (await ann.post("/tables", json=wish)).status_code == 201
        await asyncio.to_thread(hours_go_by)
        refused(await ann.post("/tables", json=alone), "3 tables from your address are not over yet")

    within(file, Limits(tables=2, abandoned=3), work)


def test_so_many_open_seats_of_one_address_and_no_more(tmp_path: Path) -> None:
    async def work(client: Callable[[str], httpx.AsyncClient]) -> None:
        ann, bob = client("192.0.2.1"), client("192.0.2.2")
        first = await ann.post("/tables", json=TABLE)
        refused(await ann.post("/tables", json=TABLE), "2 seats from your address are already open")
        alone = {"game": "pig", "seats": [person("Ann"), bot()]}
        assert (await ann.post("/tables", json=alone)).status_code == 201
        assert (await bob.post("/tables", json=TABLE)).status_code == 201
        for name in ("Cat", "Dan"):
            await bob.post(f"/tables/{first.json()['table']['name']}/join", json={"name": name})
        assert (await ann.post("/tables", json=TABLE)).status_code == 201

    within(tmp_path / "tables.sqlite", Limits(open_seats=3), work)


def test_a_record_that_comes_in_counts_as_a_table(tmp_path: Path) -> None:
    record = "hotdice record 1\ngame: pig\ndate: 2026-11-15\nseat 1: Ann (person)\nseat 2: Bob (person)\n"
    wish = {"record": f"{record}dice: manual\n\n1 rolls 6\nresult: unfinished\n"}

    async def work(client: Callable[[str], httpx.AsyncClient]) -> None:
        ann = client("192.0.2.1")
        assert (await ann.post("/records", json=wish)).status_code == 201
        refused(await ann.post("/records", json=wish), "1 tables from your address are not over yet")

    within(tmp_path / "tables.sqlite", Limits(tables=1), work)


def test_tables_and_seats_are_asked_for_at_a_rate(tmp_path: Path) -> None:
    async def work(client: Callable[[str], httpx.AsyncClient]) -> None:
        ann, bob = client("192.0.2.1"), client("192.0.2.2")
        made = await ann.post("/tables", json=TABLE)
        name = made.json()["table"]["name"]
        assert (await ann.post(f"/tables/{name}/join", json={"name": "Cat"})).status_code == 201
        refused(await ann.post(f"/tables/{name}/join", json={"name": "Dan"}), "Too many tables were set up or joined")
        refused(await ann.post("/tables", json=TABLE), "Too many tables were set up or joined")
        assert (await bob.post(f"/tables/{name}/join", json={"name": "Dan"})).status_code == 201

    within(tmp_path / "tables.sqlite", Limits(news=0.01, new_burst=2), work)


def test_requests_come_at_a_rate(tmp_path: Path) -> None:
    async def work(client: Callable[[str], httpx.AsyncClient]) -> None:
        ann, bob = client("192.0.2.1"), client("192.0.2.2")
        for _ in range(5):
            assert (await ann.get("/games")).status_code == 200
        refused(await ann.get("/games"), "wait a moment and try again")
        assert (await bob.get("/games")).status_code == 200

    within(tmp_path / "tables.sqlite", Limits(requests=0.01, request_burst=5), work)


# Idle tables


def test_idle_tables_are_closed_and_kept(tmp_path: Path) -> None:
    file = tmp_path / "tables.sqlite"
    with Running(str(file), "--unlimited") as server:
        waiting, _ = server.table("pig", [person("Ann"), OPEN], public=True)
        playing, _ = server.table("pig", [person("Ann"), {"kind": "local", "name": "Lou"}], start=True)
        alone, _ = server.table("pig", [person("Ann"), bot()], start=True)
        lively, _ = server.table("pig", [person("Ann"), OPEN], public=True)
        server.stop()
        day = 24 * 3600 * 1000
        with sqlite3.connect(file) as connection:
            for name, age in ((waiting, day), (playing, 30 * day), (alone, 7 * day)):
                connection.execute('update events set at = at - ? where "table" = ?', (age + 60_000, name))
                connection.execute("update tables set touched = touched - ? where name = ?", (age + 60_000, name))
        connection.close()
        server.start()
        for name in (waiting, playing, alone):
            while server.get(f"/tables/{name}").json()["status"] != "closed":
                time.sleep(0.02)
        with server.client(waiting) as first, server.client(playing) as second:
            assert first.events[-1]["told"] == "The game ends: nobody came."
            assert second.events[-1]["told"] == "The game ends: nobody came back."
        assert server.get(f"/tables/{lively}").json()["status"] == "waiting"
        assert [table["name"] for table in server.get("/tables").json()["tables"]] == [lively]
        assert server.get(f"/tables/{playing}/record").text.endswith("result: unfinished\n")


def test_a_game_without_end_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commands, "ENDLESS", 10)
    bots = {"game": "pig", "options": {"target": 10_000}, "seats": [bot(), bot()]}

    async def work(client: Callable[[str], httpx.AsyncClient]) -> None:
        ann = client("192.0.2.1")
        name = (await ann.post("/tables", json=bots)).json()["table"]["name"]
        while (await ann.get(f"/tables/{name}")).json()["status"] != "closed":
            await asyncio.sleep(0.02)

    within(tmp_path / "tables.sqlite", UNLIMITED, work)


def test_an_error_that_nobody_expected_is_told_as_all_others_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("a secret")

    monkeypatch.setattr(routes, "game_shown", broken)

    async def work(client: Callable[[str], httpx.AsyncClient]) -> None:
        answer = await client("192.0.2.1").get("/games")
        assert answer.status_code == 500
        said = "Something went wrong on the server; it has been logged. Try again."
        assert answer.json() == {"error": "internal", "message": said}

    within(tmp_path / "tables.sqlite", UNLIMITED, work)
    assert "A request failed: GET /api/games from 192.0.2.1" in caplog.messages
