"""`hotdice backup` of a server that runs, and `hotdice restore`: what was there at that moment is there again."""

from __future__ import annotations

import asyncio
import shutil
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from hotdice.cli import main
from hotdice.server.store import REVISION, Store
from tests.server.running import Client, Json, Running, begun, local, person
from tests.server.test_store import opened
from tests.services import PostgresServer

Command = Callable[..., str]


@pytest.fixture
def done(capsys: pytest.CaptureFixture[str]) -> Command:
    """Runs a command that works; what it prints."""

    def run(*arguments: str | Path) -> str:
        code = main([str(argument) for argument in arguments])
        printed = capsys.readouterr()
        assert (code, printed.err) == (0, "")
        return printed.out

    return run


@pytest.fixture
def refused(capsys: pytest.CaptureFixture[str]) -> Command:
    """Runs a command that does not; the one line that says why."""

    def run(*arguments: str | Path) -> str:
        code = main([str(argument) for argument in arguments])
        printed = capsys.readouterr()
        assert (code, printed.out) == (2, "")
        (line,) = printed.err.splitlines()
        return line

    return run


def restored(database: str) -> int:
    """What a server learns when it opens a database."""

    async def read() -> int:
        async with opened(database) as store:
            return store.restored

    return asyncio.run(read())


def renewed(client: Client) -> None:
    """Wait until the game goes on with new dice."""
    while client.state["round"] == 1:
        client.receive()
    begun(client)


def played_on(server: Running, name: str, tokens: list[str]) -> list[Json]:
    """Roll and decide a few times; all that has happened."""
    with server.client(name, *tokens) as client:
        for _ in range(5):
            assert client.play()["type"] == "accepted"
        client.settle(client.state["number"])
    with server.client(name) as client:
        return client.events


def test_a_live_sqlite_file_is_backed_up_and_brought_back(tmp_path: Path, done: Command, refused: Command) -> None:
    database, file = tmp_path / "tables.sqlite", tmp_path / "monday.backup"
    with Running(str(database), "--unlimited") as server:
        name, tokens = server.table("pig", [person("Ann"), local("Bob")], start=True, options={"target": 500})
        before = played_on(server, name, tokens)
        said = done("backup", file, "--database", database)
        assert said.startswith(f"The backup is {file}. It has 1 table with {len(before)} entries, the last of 20")
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        assert refused("backup", file, "--database", database) == f"{file} is there already; name a new file."
        later = played_on(server, name, tokens)
        said = refused("restore", file, "--database", database)
        assert said.startswith(f"Another Hotdice server has the tables in {database}: stop that one first")
        server.kill()  # so that the latest entries are in the write-ahead log alone
        said = done("restore", file, "--database", database)
        assert said.startswith(f"{file} is brought back. It has 1 table with {len(before)} entries")
        kept = Path(said.splitlines()[1].removeprefix("What was in its place is now "))
        server.start()
        with server.client(name, *tokens) as client:
            assert client.welcome["events"] == before
            renewed(client)
            assert client.play()["type"] == "accepted"
    assert restored(str(database)) > before[-1]["at"]
    assert restored(str(kept)) == 0
    with Running(str(kept)) as server, server.client(name) as client:
        assert client.events == later
    assert not list(tmp_path.glob(".hotdice-*"))


def test_a_live_postgresql_is_backed_up_and_brought_back_by_its_own_tools(
    postgres: PostgresServer, tmp_path: Path, done: Command, refused: Command
) -> None:
    database, other, file = postgres.create_database(), postgres.create_database(), tmp_path / "monday.backup"
    with Running(database, "--unlimited") as server:
        name, tokens = server.table("pig", [person("Ann"), local("Bob")], start=True, options={"target": 500})
        before = played_on(server, name, tokens)
        said = done("backup", file, "--database", database)
        assert said.startswith(f"The backup is {file}. It has 1 table with {len(before)} entries")
        played_on(server, name, tokens)
        assert refused("restore", file, "--database", database).startswith("There are tables in that database already")
    done("restore", file, "--database", other)
    with Running(other) as server, server.client(name, *tokens) as client:
        assert client.welcome["events"] == before
        renewed(client)
        assert client.play()["type"] == "accepted"
    assert restored(other) > before[-1]["at"]


def test_what_cannot_be_done_is_said_in_a_sentence(
    postgres: PostgresServer, tmp_path: Path, refused: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    sqlite, dump, letter = tmp_path / "a.backup", tmp_path / "b.backup", tmp_path / "letter.txt"

    async def fill() -> None:
        async with opened(str(sqlite)):
            pass

    asyncio.run(fill())
    dump.write_bytes(b"PGDMP and so on")
    letter.write_text("Dear Ann", "utf-8")
    database, place = postgres.create_database(), tmp_path / "tables.sqlite"
    assert refused("backup") == "Name the file of the backup."
    assert refused("backup", tmp_path / "new", "--database", place).startswith(f"There is no database {place};")
    assert refused("backup", tmp_path / "no" / "new", "--database", sqlite) == f"There is no folder {tmp_path / 'no'}."
    assert refused("restore", tmp_path / "none", "--database", place) == f"There is no file {tmp_path / 'none'}."
    assert refused("restore", letter, "--database", place).endswith("is not a backup that “hotdice backup” made.")
    assert refused("restore", dump, "--database", place).startswith(f"{dump} is a backup of a PostgreSQL database:")
    assert refused("restore", sqlite, "--database", database).startswith(f"{sqlite} is a backup of a SQLite file:")
    assert refused("restore", dump, "--database", database).startswith("pg_restore: error: ")
    assert "cannot be used: " in refused("backup", tmp_path / "new", "--database", f"{database}_gone")
    monkeypatch.setattr(shutil, "which", lambda program: None)
    assert refused("restore", dump, "--database", database).startswith(
        "This needs PostgreSQL's own pg_restore: install"
    )
    assert not place.exists()


def test_a_damaged_file_gives_way_and_is_kept_as_it_is(tmp_path: Path, done: Command) -> None:
    file, place = tmp_path / "a.backup", tmp_path / "tables.sqlite"

    async def fill() -> None:
        async with opened(str(file)):
            pass

    asyncio.run(fill())
    damaged = b"SQLite format 3\0" + 8192 * b"\xa5"
    place.write_bytes(damaged)
    first, second = done("restore", file, "--database", place).splitlines()
    assert first == f"{file} is brought back. It has no tables."
    assert Path(second.removeprefix("What was in its place is now ")).read_bytes() == damaged
    assert restored(str(place))


def test_a_backup_of_a_newer_version_leaves_everything_as_it_was(tmp_path: Path, refused: Command) -> None:
    from sqlalchemy import text

    file, place = tmp_path / "a.backup", tmp_path / "tables.sqlite"

    async def fill(name: Path, version: str) -> None:
        store = Store(str(name))
        await store.open()
        async with store._engine.begin() as connection:
            await connection.execute(text(f"update alembic_version set version_num = '{version}'"))  # noqa: S608
        await store.close()

    asyncio.run(fill(file, "99"))
    asyncio.run(fill(place, REVISION))
    content = place.read_bytes()
    assert refused("restore", file, "--database", place).startswith(f"The database {file} was written by a newer")
    assert place.read_bytes() == content
