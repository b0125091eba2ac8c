"""What whoever runs a server asks it: whether it can do its work, its figures, and who asked for what."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import httpx
import pytest

from hotdice.errors import HotdiceError
from hotdice.server import ready
from hotdice.server.app import Server, Settings
from tests.server.inside import Inside, within
from tests.server.running import TIMEOUT, Json, Running, bot, local, person
from tests.services import PostgresServer, RedisServer, serving

ELSEWHERE = {"X-Forwarded-For": "198.51.100.7"}


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server behind a proxy, which logs requests and lets one network read its figures."""
    file = tmp_path_factory.mktemp("watched") / "tables.sqlite"
    arguments = ("--proxy", "127.0.0.1", "--access-log", "json", "--metrics", "192.0.2.0/24", "--unlimited")
    with Running(str(file), *arguments) as running:
        yield running


def figures(server: Running, **headers: str) -> dict[str, float]:
    """The figures by their names, with their labels. Each has a type, and is told once."""
    answer = httpx.get(f"{server.url}/metrics", headers=headers)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
    found: dict[str, float] = {}
    types: dict[str, str] = {}
    for line in answer.text.splitlines():
        if told := re.fullmatch(r"# TYPE (\w+) (counter|gauge|histogram)", line):
            types[told[1]] = told[2]
        elif not re.fullmatch(r"# HELP \w+ .+\.", line):
            told = re.fullmatch(r'((\w+)(?:\{\w+="[^"]*"\})?) (\S+)', line)
            assert told, line
            assert re.sub("_(bucket|sum|count)$", "", told[2]) in types or told[2] in types, line
            assert told[1] not in found
            found[told[1]] = float(told[3])
    return found


# Ready


def test_a_server_is_alive_and_ready(watched: Running) -> None:
    assert watched.get("/health").json()["status"] == "ok"
    answer = watched.get("/ready")
    assert answer.status_code == 200
    assert answer.json() == {
        "ready": True,
        "checks": [{"name": name, "ok": True, "message": ""} for name in ("database", "disk")],
    }


def problems(answer: httpx.Response) -> dict[str, str]:
    found: Json = answer.json()
    assert answer.status_code == (200 if found["ready"] else 503)
    assert found["ready"] == all(check["ok"] for check in found["checks"])
    return {check["name"]: check["message"] for check in found["checks"] if not check["ok"]}


def test_a_database_that_does_not_write_and_a_full_disk_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "tables.sqlite"
    monkeypatch.setattr(ready, "KEEP_SECONDS", 0.0)

    async def work(inside: Inside) -> None:
        client = inside.client()
        assert problems(await client.get("/api/ready")) == {}
        locking = sqlite3.connect(file, TIMEOUT, isolation_level=None, check_same_thread=False)
        await asyncio.to_thread(locking.execute, "begin immediate")  # the server may be writing just now
        with monkeypatch.context() as impatient:
            impatient.setattr(ready, "CHECK_SECONDS", 0.2)
            assert problems(await client.get("/api/ready")) == {
                "database": "The database does not write (TimeoutError)."
            }
            assert (await client.get("/api/health")).status_code == 200
        locking.execute("rollback")
        locking.close()
        assert problems(await client.get("/api/ready")) == {}
        monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=7_000_000))
        assert problems(await client.get("/api/ready")) == {"disk": "Only 7 MB are free on the disk."}

    within(Settings(str(file)), work)


def test_redis_that_is_away_is_named(
    postgres: PostgresServer, pytestconfig: pytest.Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ready, "KEEP_SECONDS", 0.0)
    with serving(RedisServer(), pytestconfig) as redis:

        async def work(inside: Inside) -> None:
            client = inside.client()
            answer = await client.get("/api/ready")
            assert problems(answer) == {}
            assert [check["name"] for check in answer.json()["checks"]] == ["database", "redis"]
            redis.stop()
            assert problems(await client.get("/api/ready")) == {"redis": "Redis does not answer (ConnectionError)."}

        within(Settings(postgres.create_database(), redis.url), work)


def test_whoever_asks_often_gets_the_same_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ready, "KEEP_SECONDS", 60.0)
    asked = 0

    async def check() -> None:
        nonlocal asked
        asked += 1

    async def work(inside: Inside) -> None:
        monkeypatch.setattr(inside.server.store, "check", check)
        client = inside.client()
        for _ in range(5):
            assert problems(await client.get("/api/ready")) == {}

    within(Settings(str(tmp_path / "tables.sqlite")), work)
    assert asked == 1


# Figures


def test_figures_count_what_happens(watched: Running) -> None:
    before = figures(watched)
    name, tokens = watched.table("pig", [person("Ann"), local("Ben")], dice="manual", start=True)
    with watched.client(name, *tokens) as client:
        client.ask("roll", faces="6")
        client.ask("move", move="hold")
        assert client.ask("move", move="hold")["type"] == "illegal"
        client.send({"do": "nonsense"})
        client.until("unknown")
        during = figures(watched)
    watched.get("/tables/nowhere")

    def grown(name: str) -> float:
        return during[name] - before.get(name, 0.0)

    assert grown("hotdice_moves_total") == 2
    assert grown("hotdice_connections") == 1
    assert grown("hotdice_answer_seconds_count") == 3
    assert grown('hotdice_answer_seconds_bucket{le="+Inf"}') == 3
    assert grown("hotdice_commit_seconds_count") >= 3
    assert grown('hotdice_tables{status="playing"}') == 1
    assert grown("hotdice_rooms") == 1
    assert grown('hotdice_refusals_total{kind="illegal"}') == 1
    assert grown('hotdice_refusals_total{kind="unknown"}') == 1
    assert grown('hotdice_requests_total{status="201"}') == 1
    assert during['hotdice_queue_length{queue="writer"}'] == 0
    assert during["process_resident_memory_bytes"] > 1_000_000
    after = figures(watched)
    assert after['hotdice_refusals_total{kind="no_table"}'] == 1
    assert after['hotdice_requests_total{status="404"}'] == 1


def test_a_histogram_counts_what_took_no_longer_than_each_bound(watched: Running) -> None:
    watched.get("/health")
    buckets = [value for name, value in figures(watched).items() if name.startswith("hotdice_request_seconds_bucket")]
    assert buckets == sorted(buckets)
    assert buckets[-1] == figures(watched)["hotdice_request_seconds_count"] - 1


def test_figures_are_for_this_machine_and_for_those_that_are_named(watched: Running) -> None:
    assert figures(watched, **{"X-Forwarded-For": "192.0.2.9"})
    answer = httpx.get(f"{watched.url}/metrics", headers=ELSEWHERE)
    assert answer.status_code == 403
    assert answer.json()["error"] == "not_local"


def test_what_an_unknown_proxy_hands_on_is_not_from_this_machine(server: Running) -> None:
    assert figures(server)
    assert httpx.get(f"{server.url}/metrics", headers=ELSEWHERE).status_code == 403


def test_figures_for_no_address_are_refused(tmp_path: Path) -> None:
    with pytest.raises(HotdiceError, match="--metrics takes an address or a network"):
        Server(Settings(str(tmp_path / "tables.sqlite"), metrics=("everybody",)))


# The access log


def test_each_request_and_each_connection_has_a_line_with_its_address(watched: Running) -> None:
    name, tokens = watched.table("pig", [person("Ann"), bot()])
    watched.client(name, *tokens).close()
    httpx.get(f"{watched.url}/api/tables/{name}/record?game=7", headers=ELSEWHERE)
    wanted = f"/api/tables/{name}/record"
    while wanted not in watched.output() or f"/ws/{name}" not in watched.output():
        watched.get("/health")
    lines: list[Json] = [json.loads(line) for line in watched.output().splitlines() if line.startswith("{")]
    record = next(line for line in lines if line["path"] == wanted)
    assert record.keys() == {"at", "address", "method", "path", "status", "bytes", "seconds"}
    assert (record["address"], record["method"], record["status"]) == ("198.51.100.7", "GET", 422)
    socket = next(line for line in lines if line["path"] == f"/ws/{name}")
    assert (socket["address"], socket["method"], socket["status"]) == ("127.0.0.1", "WEBSOCKET", 101)
    assert not any(token in watched.output() for token in tokens)


def test_there_is_no_access_log_unless_somebody_wants_one(server: Running) -> None:
    server.get("/health")
    assert "/api/health" not in server.output()


def test_a_request_that_fails_is_logged_with_its_address(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def work(inside: Inside) -> None:
        monkeypatch.setattr(inside.server.rooms, "get", lambda _: 1 / 0)
        answer = await inside.client("192.0.2.7").get("/api/tables/k3x9w7fm")
        assert answer.status_code == 500

    within(Settings(str(tmp_path / "tables.sqlite")), work)
    assert "A request failed: GET /api/tables/k3x9w7fm from 192.0.2.7" in caplog.text
