"""The servers that other tests rely on: they start, answer, come back after a crash, and leave nothing behind."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest
from redis.asyncio import Redis

from tests import services
from tests.services import (
    NotInstalled,
    PostgresServer,
    RedisServer,
    Server,
    chromium,
    in_ci,
    installed,
    running,
    serving,
)

asyncpg = import_module("asyncpg")  # it has no types


@pytest.fixture(scope="module")
def pg(pytestconfig: pytest.Config) -> Iterator[PostgresServer]:
    with serving(PostgresServer(), pytestconfig) as server:
        yield server


@pytest.fixture(scope="module")
def keys(pytestconfig: pytest.Config) -> Iterator[RedisServer]:
    with serving(RedisServer(), pytestconfig) as server:
        yield server


def fetch(url: str, *statements: str) -> object:
    """Execute statements and give the one value that the last one finds."""

    async def run() -> object:
        connection = await asyncpg.connect(url)
        try:
            for statement in statements[:-1]:
                await connection.execute(statement)
            return await connection.fetchval(statements[-1])
        finally:
            await connection.close()

    return asyncio.run(run())


async def ping(url: str) -> bool:
    async with Redis.from_url(url) as client:
        return bool(await client.ping())


async def put(url: str, value: str) -> None:
    async with Redis.from_url(url) as client:
        await client.set("pips", value)


async def got(url: str) -> object:
    async with Redis.from_url(url) as client:
        return await client.get("pips")


def test_postgres_answers(pg: PostgresServer) -> None:
    assert pg.url == f"postgresql://postgres@127.0.0.1:{pg.port}/postgres"
    assert fetch(pg.url, "select 1") == 1


def test_postgres_is_durable_unless_told_otherwise(pg: PostgresServer) -> None:
    assert fetch(pg.url, "show fsync") == "on"
    assert fetch(pg.url, "show synchronous_commit") == "on"


def test_each_database_is_empty(pg: PostgresServer) -> None:
    urls = [pg.create_database(), pg.create_database(), pg.create_database("mine")]
    assert len(set(urls)) == 3
    assert urls[2].endswith("/mine")
    for url in urls:
        fetch(url, "create table game (id int)", "select 1")


def test_a_database_that_exists_is_not_made_again(pg: PostgresServer) -> None:
    with pytest.raises(RuntimeError, match="already exists"):
        pg.create_database("postgres")


def test_the_time_of_ended_connections_counts(pg: PostgresServer) -> None:
    before = pg.cpu_seconds()
    fetch(pg.url, "select sum(sqrt(n)) from generate_series(1, 2000000) n")
    while pg.cpu_seconds() <= before + 0.05:  # a connection that is just ending counts in a moment
        time.sleep(0.01)
    assert pg.cpu_seconds() < before + 60


def test_what_postgres_committed_survives_a_crash_and_a_stop(pg: PostgresServer) -> None:
    url = pg.create_database()
    fetch(url, "create table toss (pips int)", "insert into toss values (6) returning pips")
    for end in (pg.kill, pg.stop):
        pids, port = pg.pids(), pg.port
        end()
        assert not any(running(pid) for pid in pids)
        with pytest.raises(ConnectionError):
            fetch(url, "select 1")
        pg.start()
        assert pg.port == port
        assert fetch(url, "select pips from toss") == 6


def test_redis_answers(keys: RedisServer) -> None:
    assert keys.url == f"redis://127.0.0.1:{keys.port}/0"
    assert asyncio.run(ping(keys.url))
    asyncio.run(put(keys.url, "6"))
    assert asyncio.run(got(keys.url)) == b"6"
    keys.flush()
    assert asyncio.run(got(keys.url)) is None
    assert 0 <= keys.cpu_seconds() < 60


def test_redis_comes_back_empty(keys: RedisServer) -> None:
    for end in (keys.kill, keys.stop):
        asyncio.run(put(keys.url, "6"))
        pid = keys.pid
        end()
        assert not running(pid)
        keys.start()
        assert asyncio.run(got(keys.url)) is None


def test_a_server_runs_once_at_a_time(keys: RedisServer) -> None:
    with pytest.raises(RuntimeError, match="already running"):
        keys.start()


@pytest.mark.parametrize("kind", [PostgresServer, RedisServer])
@pytest.mark.parametrize("killed", [False, True])
def test_nothing_is_left_behind(kind: type[Server], killed: bool, pytestconfig: pytest.Config) -> None:
    server = kind()
    pids: list[int] = []
    folders: list[Path] = []

    def failing_test() -> None:
        with serving(server, pytestconfig):
            pids.extend(server.pids())
            folders.append(server.folder)
            assert all(running(pid) for pid in pids)
            if killed:
                server.kill()
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        failing_test()
    assert pids
    assert not any(running(pid) for pid in pids)
    assert not folders[0].exists()
    with pytest.raises(RuntimeError, match="not running"):
        server.cpu_seconds()


@pytest.mark.parametrize("kind", [PostgresServer, RedisServer])
def test_outside_its_block_a_server_touches_nothing(
    kind: type[Server], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "precious").touch()
    server = kind()
    with pytest.raises(RuntimeError, match="within a `with` block"):
        server.start()
    server.kill()
    server.stop()
    server.close()
    assert [path.name for path in tmp_path.iterdir()] == ["precious"]


@pytest.mark.parametrize("kind", [PostgresServer, RedisServer])
def test_a_server_goes_with_the_process_that_started_it(kind: type[Server], pytestconfig: pytest.Config) -> None:
    with serving(kind(), pytestconfig):
        pass  # it is installed
    program = (
        f"from tests.services import {kind.__name__} as Kind\n"
        "with Kind() as server:\n"
        "    print(*server.pids(), server.folder, flush=True)\n"
        "    input()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as owner:
        assert owner.stdout
        *pids, folder = owner.stdout.readline().split()
        owner.kill()
    end = time.monotonic() + 30
    while any(running(int(pid)) for pid in pids) or Path(folder).exists():
        assert time.monotonic() < end, (pids, folder)
        time.sleep(0.05)


# Where a server is not installed


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A machine without Redis, and not in CI."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.delenv("HOTDICE_CI", raising=False)


@pytest.mark.usefixtures("bare")
def test_a_missing_server_says_so() -> None:
    with pytest.raises(NotInstalled, match="redis-server"), RedisServer():
        pass


@pytest.mark.usefixtures("bare")
def test_a_test_without_its_server_is_skipped_loudly(
    pytestconfig: pytest.Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    monkeypatch.setattr(services, "_say", lambda line, _: said.append(line))
    with pytest.raises(pytest.skip.Exception, match="Redis is not installed"), serving(RedisServer(), pytestconfig):
        pass
    assert len(said) == 1
    assert "SKIPPED: Redis is not installed" in said[0]


@pytest.mark.usefixtures("bare")
@pytest.mark.parametrize(("name", "value"), [("CI", "true"), ("HOTDICE_CI", "1")])
def test_in_ci_a_test_without_its_server_fails(
    name: str, value: str, pytestconfig: pytest.Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(pytest.fail.Exception, match="Redis is not installed"), serving(RedisServer(), pytestconfig):
        pass


@pytest.mark.usefixtures("bare")
def test_without_chromium_tests_of_pages_are_skipped_loudly(
    pytestconfig: pytest.Config, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    said: list[str] = []
    monkeypatch.setattr(services, "_say", lambda line, _: said.append(line))
    with pytest.raises(pytest.skip.Exception, match="Chromium is not installed"):
        installed(chromium, pytestconfig)
    assert len(said) == 1
    (tmp_path / "chromium").touch(0o755)
    assert installed(chromium, pytestconfig) == tmp_path / "chromium"


@pytest.mark.usefixtures("bare")
def test_ci_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not in_ci()
    monkeypatch.setenv("CI", "")
    monkeypatch.setenv("HOTDICE_CI", "0")
    assert not in_ci()
