"""Servers, databases and connections fail in mid-game; nothing that anybody was told is lost, and the games go on.

The long version is run by hand: see `chaos.py`.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tests.server.chaos import Ledger, Result, Weather, chaos, verify
from tests.server.elsewhen import Elsewhen
from tests.server.running import TIMEOUT, Running, bot, local, person
from tests.services import PostgresServer, RedisServer, running


@contextmanager
def closing_all(*servers: Running) -> Iterator[tuple[Running, ...]]:
    """Servers that are started in the block, and gone after it."""
    with ExitStack() as stack:
        for server in servers:
            stack.callback(server.__exit__)
        yield servers


def check(result: Result, **at_least: int) -> None:
    """Nothing went wrong, and enough happened for that to mean something."""
    assert not result.violations, result.text
    for what, count in at_least.items():
        assert result.counts[what.replace("_", " ")] >= count, result.text


def test_sqlite_survives_kills(tmp_path: Path) -> None:
    async def storm(weather: Weather) -> None:
        await weather.storm(2)
        [node] = weather.nodes
        await node.started()
        await weather.fill_disk(node, 0.5)
        await weather.jump(node)
        await weather.freeze(node.running, "a server", 0.5)
        await weather.storm(4)

    with closing_all(Elsewhen(str(tmp_path / "tables.sqlite"), tmp_path / "ahead", "--unlimited")) as [server]:
        result = asyncio.run(chaos([server], storm, tables=6, seed=1, think=0.005, self_check=True))
    check(result, kills_of_a_server=4, acknowledged_entries=100, connections_cut=1, games_whose_dice_were_checked=3)
    check(result, full_disks=1, jumps_of_a_clock=1, freezes_of_a_server=1, planted_faults_found=2)


def test_two_nodes_survive_kills_of_everything(mortal_postgres: PostgresServer, mortal_redis: RedisServer) -> None:
    async def storm(weather: Weather) -> None:
        weather.often = 0.0
        await weather.storm(1)
        await weather.restart_postgres(crash=True)
        await weather.storm(2)
        await weather.restart_redis(0.5)
        await weather.storm(3)

    database = mortal_postgres.create_database()
    options = ("--redis", mortal_redis.url, "--unlimited")
    with closing_all(Running(database, *options), Running(database, *options)) as servers:
        result = asyncio.run(
            chaos(
                servers,
                storm,
                tables=6,
                seed=2,
                think=0.005,
                postgres=mortal_postgres,
                redis=mortal_redis,
            )
        )
    check(result, kills_of_a_server=3, crashes_of_PostgreSQL=1, crashes_of_Redis=1, acknowledged_entries=100)


def test_a_loss_would_be_noticed(tmp_path: Path) -> None:
    """What the harness looks for, it finds: here clients claim what the log does not have."""
    with Running(str(tmp_path / "tables.sqlite"), "--unlimited") as server:
        name, tokens = server.table("pig", [person("Ann"), local("Bob")], start=True)
        with server.client(name, *tokens) as client:
            assert client.play()["type"] == "accepted"
            entries = len(client.events)
        server.stop()
    ledger = Ledger(name, dict(enumerate(tokens)))
    ledger.seen = {1: b"something else", entries + 1: b"something that is not there"}
    ledger.tokens[1] = "another"
    result = Result()
    asyncio.run(verify(server.database, [ledger, Ledger("lost")], result))
    found = "\n".join(result.violations)
    assert "lost: the whole table is lost" in found
    assert f"{name}: 1 was shown as" in found
    assert f"{name}: {entries + 1} was shown as" in found
    assert "the token of seat 1 opens nothing" in found
    assert "it was not played to its end" in found


def test_no_process_is_left_when_a_server_is_killed(tmp_path: Path) -> None:
    """Bots think in processes of their own; those go when the server goes, however it does."""
    with Running(str(tmp_path / "tables.sqlite"), "--unlimited") as server:
        server.table("pig", [bot("optimal"), bot("optimal")])
        assert server.process
        children: set[int] = set()
        until = time.monotonic() + TIMEOUT
        while not children and time.monotonic() < until:
            children = descendants(server.process.pid)
            time.sleep(0.01)
        assert children, server.output()
        time.sleep(0.5)
        children |= descendants(server.process.pid)
        server.kill()
        until = time.monotonic() + TIMEOUT
        while (left := {pid for pid in children if running(pid)}) and time.monotonic() < until:
            time.sleep(0.05)
        assert not left


def descendants(pid: int) -> set[int]:
    """The processes below a process."""
    found: set[int] = set()
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in task.read_text().split():
            found |= {int(child)} | descendants(int(child))
    return found
