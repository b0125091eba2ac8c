"""The store, on SQLite and on PostgreSQL: every number is written once, and what is answered is on the disk."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, text
from sqlalchemy.ext.asyncio import create_async_engine

from hotdice.errors import HotdiceError
from hotdice.server import inbox
from hotdice.server.entries import AnyEntry, Away, Back, Left, encode
from hotdice.server.refusals import Unreadable
from hotdice.server.store import (
    REVISION,
    Append,
    Card,
    Store,
    StoreError,
    Taken,
    Usage,
    metadata,
    sqlite_metadata,
    url_of,
)  # fmt: skip
from tests.services import PostgresServer

TABLE = "k3x9w7fm"


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty database."""
    if request.param == "sqlite":
        return str(tmp_path / "new folder" / "tables.sqlite")
    made: str = request.getfixturevalue("postgres").create_database()
    return made


@asynccontextmanager
async def opened(database: str) -> AsyncIterator[Store]:
    store = Store(database)
    await store.open()
    try:
        yield store
    finally:
        await store.close()


def using(database: str, work: Callable[[Store], Coroutine[Any, Any, None]]) -> None:
    """Do something with an open store."""

    async def run() -> None:
        async with opened(database) as store:
            await work(store)

    asyncio.run(run())


def write(
    store: Store, table: str, first: int, at: int, entries: Sequence[AnyEntry], card: Card | None
) -> asyncio.Future[None]:
    """Have entries written; the answer comes when they are on the disk."""
    answer: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def done(error: Exception | None) -> None:
        if error:
            answer.set_exception(error)
        else:
            answer.set_result(None)

    store.append(Append(table, first, at, [encode(entry) for entry in entries], card, done))
    return answer


def card(name: str, **changed: Any) -> Card:
    values: dict[str, Any] = {
        "created": 1000, "touched": 1000, "game": "pig", "status": "waiting", "public": True, "seats": 2, "open": 1,
        "origin": "192.0.2.1",
    }  # fmt: skip
    return Card(name, **(values | changed))


# Writing


def test_entries_are_read_as_they_were_written(database: str) -> None:
    async def work(store: Store) -> None:
        await write(store, TABLE, 1, 5_000_000_000_000, [Left(0), Away(1, "greedy")], None)
        await write(store, TABLE, 3, 5_000_000_000_001, [Back(1)], None)
        await write(store, "another9", 1, 1, [Left(7)], None)
        log: list[tuple[AnyEntry, int]] = [
            (Left(0), 5_000_000_000_000),
            (Away(1, "greedy"), 5_000_000_000_000),
            (Back(1), 5_000_000_000_001),
        ]
        assert await store.read(TABLE) == log
        assert await store.read(TABLE, after=2) == log[2:]
        assert await store.read(TABLE, after=3) == []
        assert await store.read("nothing9") == []

    using(database, work)


def test_what_is_answered_can_be_read_by_others(database: str) -> None:
    async def work(store: Store) -> None:
        other = Store(database)
        await write(store, TABLE, 1, 1, [Left(0)], card(TABLE))
        assert await other.read(TABLE) == [(Left(0), 1)]
        await other.close()

    using(database, work)


def test_it_is_still_there_when_the_store_is_opened_again(database: str) -> None:
    async def before(store: Store) -> None:
        await write(store, TABLE, 1, 1, [Left(0)], card(TABLE))

    async def after(store: Store) -> None:
        assert await store.read(TABLE) == [(Left(0), 1)]
        assert await store.listed(statuses=["waiting"], limit=9, before=2000) == [TABLE]

    using(database, before)
    using(database, after)


def test_what_gathers_is_committed_together(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    groups: list[int] = []
    commit = Store._commit

    def counted(store: Store, connection: Connection, group: Sequence[Append]) -> None:
        groups.append(len(group))
        commit(store, connection, group)

    monkeypatch.setattr(Store, "_commit", counted)

    async def work(store: Store) -> None:
        waiting = [write(store, f"table{number:03}", 1, 1, [Left(0)], None) for number in range(200)]
        await asyncio.gather(*waiting)
        assert sum(groups) == 200
        assert len(groups) <= 5
        assert await store.read("table199") == [(Left(0), 1)]

    using(database, work)


def test_a_number_is_written_once(database: str) -> None:
    async def work(store: Store) -> None:
        await write(store, TABLE, 1, 1, [Left(0)], None)
        with pytest.raises(Taken):
            await write(store, TABLE, 1, 2, [Left(1)], None)
        assert await store.read(TABLE) == [(Left(0), 1)]

    using(database, work)


def test_entries_that_belong_together_are_written_together_or_not_at_all(database: str) -> None:
    async def work(store: Store) -> None:
        await write(store, TABLE, 2, 1, [Left(0)], None)
        with pytest.raises(Taken):
            await write(store, TABLE, 1, 2, [Left(1), Left(2)], card(TABLE))
        assert await store.read(TABLE, after=1) == [(Left(0), 1)]
        assert await store.listed(statuses=["waiting"], limit=9, before=2000) == []

    using(database, work)


def test_one_that_is_taken_does_not_hold_the_others_up(database: str) -> None:
    async def work(store: Store) -> None:
        await write(store, TABLE, 1, 1, [Left(0)], None)
        waiting = [write(store, name, 1, 2, [Left(1)], card(name)) for name in ("first999", TABLE, "third999")]
        done = await asyncio.gather(*waiting, return_exceptions=True)
        assert [type(answer) for answer in done] == [type(None), Taken, type(None)]
        assert await store.read("third999") == [(Left(1), 2)]

    using(database, work)


def test_an_append_whose_answer_was_lost_is_not_written_twice(database: str) -> None:
    async def work(store: Store) -> None:
        entries: list[AnyEntry] = [Left(0), Away(1, "greedy")]
        await write(store, TABLE, 1, 5, entries, card(TABLE))
        await write(store, TABLE, 1, 5, entries, card(TABLE))  # as after a connection that broke at the commit
        assert await store.read(TABLE) == [(entry, 5) for entry in entries]

    using(database, work)


def test_of_two_nodes_that_write_a_number_exactly_one_does(postgres: PostgresServer) -> None:
    database = postgres.create_database()

    async def work(store: Store) -> None:
        async with opened(database) as other:
            for number in range(1, 21):
                waiting = [
                    write(one, TABLE, number, seat, [Left(seat)], None) for seat, one in enumerate((store, other))
                ]
                done = await asyncio.gather(*waiting, return_exceptions=True)
                assert sorted(type(answer).__name__ for answer in done) == ["NoneType", "Taken"]
                winner = done.index(None)
                assert (await store.read(TABLE, after=number - 1)) == [(Left(winner), winner)]

    using(database, work)


def filed(file: Path) -> tuple[int, int]:
    """How many entries of a SQLite file are filed, and how many still lie in the inbox."""
    with closing(sqlite3.connect(file)) as connection:
        found: tuple[int, int] = connection.execute(
            "select (select count(*) from events), (select count(*) from inbox)"
        ).fetchone()
    return found


def test_sqlite_files_entries_once_there_are_many(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Wherever an entry lies, it is read, and its number is taken."""
    monkeypatch.setattr(inbox, "FULL", 3)
    file = tmp_path / "tables.sqlite"
    expected: list[tuple[AnyEntry, int]] = [(Left(number), 1) for number in range(1, 6)]

    async def work(store: Store) -> None:
        found: list[tuple[int, int]] = []
        for number in range(1, 6):
            await write(store, TABLE, number, 1, [Left(number)], None)
            with pytest.raises(Taken):  # besides, it waits until what was filed after the last commit is filed
                await write(store, TABLE, number, 1, [Left(99)], None)
            assert await store.read(TABLE) == expected[:number]
            found.append(filed(file))
        assert found == [(0, 1), (0, 2), (3, 0), (3, 1), (3, 2)]
        for number in range(1, 6):
            with pytest.raises(Taken):
                await write(store, TABLE, number, 1, [Left(99)], None)

    using(str(file), work)
    assert filed(file) == (5, 0)  # a server that stops leaves nothing in it


def test_sqlite_files_at_the_start_what_a_server_that_was_killed_has_left(tmp_path: Path) -> None:
    file, copy = tmp_path / "tables.sqlite", tmp_path / "copy.sqlite"

    async def before(store: Store) -> None:
        await write(store, TABLE, 1, 1, [Left(1)], None)
        with closing(sqlite3.connect(file)) as old, closing(sqlite3.connect(copy)) as new:
            old.backup(new)
        assert filed(copy) == (0, 1)

    async def after(store: Store) -> None:
        assert filed(copy) == (1, 0)
        assert await store.read(TABLE) == [(Left(1), 1)]
        with pytest.raises(Taken):
            await write(store, TABLE, 1, 1, [Left(2)], None)
        await write(store, TABLE, 2, 1, [Left(2)], None)

    using(str(file), before)
    using(str(copy), after)


def test_what_sqlite_did_not_commit_takes_no_number(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        await write(store, TABLE, 1, 1, [Left(1)], None)
        with pytest.raises(Taken):
            await write(store, TABLE, 1, 1, [Left(1), Left(2)], None)
        await write(store, TABLE, 2, 1, [Left(2)], None)
        assert await store.read(TABLE) == [(Left(1), 1), (Left(2), 1)]

    using(str(tmp_path / "tables.sqlite"), work)


def test_closing_writes_what_is_left(database: str) -> None:
    async def before(store: Store) -> None:
        for number in range(1, 51):
            write(store, TABLE, number, 1, [Left(number)], None)

    async def after(store: Store) -> None:
        assert [entry for entry, _ in await store.read(TABLE)] == [Left(number) for number in range(1, 51)]

    using(database, before)
    using(database, after)


def test_sqlite_waits_for_the_disk(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        async with store._engine.connect() as connection:
            assert (await connection.execute(text("PRAGMA journal_mode"))).scalar() == "wal"
            assert (await connection.execute(text("PRAGMA synchronous"))).scalar() == 2  # FULL

    using(str(tmp_path / "tables.sqlite"), work)


# The index


def test_the_list_has_public_tables_of_a_status_and_a_game(database: str) -> None:
    async def work(store: Store) -> None:
        cards = [
            card("older999", created=1000),
            card("newer999", created=2000),
            card("unlisted", created=3000, public=False),
            card("playing9", created=4000, status="playing"),
            card("kismet99", created=5000, game="kismet"),
        ]
        await asyncio.gather(*(write(store, one.name, 1, 1, [Left(0)], one) for one in cards))

        async def listed(**wish: Any) -> list[str]:
            usual: dict[str, Any] = {"statuses": ["waiting"], "limit": 9, "before": 9000}
            return await store.listed(**(usual | wish))

        assert await listed() == ["kismet99", "newer999", "older999"]
        assert await listed(game="pig") == ["newer999", "older999"]
        assert await listed(statuses=["playing"]) == ["playing9"]
        assert await listed(limit=1) == ["kismet99"]
        assert await listed(before=2000) == ["older999"]

    using(database, work)


def test_a_card_is_the_tables_latest(database: str) -> None:
    async def work(store: Store) -> None:
        await write(store, TABLE, 1, 1, [Left(0)], card(TABLE))
        assert await store.going_on("192.0.2.1", 0) == Usage(1, 0, 1)
        await write(store, TABLE, 2, 1, [Left(0)], card(TABLE, status="playing", open=0))
        assert await store.listed(statuses=["waiting"], limit=9, before=9000) == []
        assert await store.going_on("192.0.2.1", 0) == Usage(1, 0, 0)
        await write(store, TABLE, 3, 1, [Left(0)], card(TABLE, status="over", open=0))
        assert await store.going_on("192.0.2.1", 0) == Usage(0, 0, 0)

    using(database, work)


def test_tables_and_open_seats_are_counted_for_each_address(database: str) -> None:
    async def work(store: Store) -> None:
        cards = [card("table1", open=2), card("table2", open=3), card("table3", open=4, origin="192.0.2.2")]
        await asyncio.gather(*(write(store, one.name, 1, 1, [Left(0)], one) for one in cards))
        assert await store.going_on("192.0.2.1", 0) == Usage(2, 0, 5)
        assert await store.going_on("192.0.2.2", 0) == Usage(1, 0, 4)
        assert await store.going_on("192.0.2.3", 0) == Usage(0, 0, 0)

    using(database, work)


def test_idle_is_a_table_whose_last_entry_is_old(database: str) -> None:
    async def begin(store: Store) -> None:
        await write(store, "silent99", 1, 1000, [Left(0)], card("silent99"))
        await write(store, "lively99", 1, 1000, [Left(0)], card("lively99"))
        await write(store, "playing9", 1, 1000, [Left(0)], card("playing9", status="playing"))

    async def work(store: Store) -> None:
        await write(store, "lively99", 2, 9000, [Left(0)], None)  # its card has not changed
        assert await store.idle("waiting", since=5000) == ["silent99"]
        assert await store.idle("waiting", since=1000) == []
        assert await store.idle("playing", since=5000) == ["playing9"]

    using(database, begin)
    using(database, work)


# Setting up


def test_the_migrations_make_what_the_store_works_with(database: str) -> None:
    def differences(connection: Connection) -> list[Any]:
        parts = [metadata, sqlite_metadata] if connection.dialect.name == "sqlite" else metadata
        found: list[Any] = compare_metadata(MigrationContext.configure(connection), parts)  # type: ignore[arg-type]
        return found

    async def run() -> None:
        async with opened(database):
            pass
        async with opened(database):  # once more, with nothing to do
            pass
        engine = create_async_engine(url_of(database))
        async with engine.connect() as connection:
            assert await connection.run_sync(differences) == []
            version = await connection.execute(text("select version_num from alembic_version"))
            assert version.scalars().all() == [REVISION]
        await engine.dispose()

    asyncio.run(run())


def test_many_nodes_may_set_an_empty_database_up_at_once(postgres: PostgresServer) -> None:
    database = postgres.create_database()

    async def run() -> None:
        stores = [Store(database) for _ in range(4)]
        try:
            await asyncio.gather(*(store.open() for store in stores))
            await write(stores[0], TABLE, 1, 1, [Left(0)], None)
            assert await stores[3].read(TABLE) == [(Left(0), 1)]
        finally:
            await asyncio.gather(*(store.close() for store in stores))

    asyncio.run(run())


@pytest.mark.parametrize(
    ("address", "why"),
    [
        ("mysql://host/name", "Hotdice keeps its tables in SQLite or PostgreSQL, not in mysql"),
        ("postgresql://host:port/name", "is not the address of a database; write postgresql://user@host/name"),
        ("://", "is not the address of a database"),
    ],
)
def test_an_address_of_no_database_is_refused_with_a_sentence(address: str, why: str) -> None:
    with pytest.raises(StoreError, match=why):
        url_of(address)


def test_a_password_in_a_wrong_address_is_not_repeated() -> None:
    with pytest.raises(StoreError) as refused:
        url_of("postgresql://ann:hunter2@host:port/name")
    assert "hunter2" not in str(refused.value)


def test_a_database_that_is_not_there_is_named_without_its_password(postgres: PostgresServer) -> None:
    async def open_it() -> None:
        await Store(f"postgresql://postgres:hunter2@127.0.0.1:{postgres.port}/nothing").open()

    with pytest.raises(StoreError) as refused:
        asyncio.run(open_it())
    assert str(refused.value).endswith('/nothing cannot be used: database "nothing" does not exist.')
    assert "hunter2" not in str(refused.value)


def test_a_file_that_is_no_database_is_refused_with_a_sentence(tmp_path: Path) -> None:
    file = tmp_path / "letter.txt"
    file.write_text("Dear Ann,\n" * 100, "utf-8")

    async def open_it() -> None:
        store = Store(str(file))
        try:
            await store.open()
        finally:
            await store.close()

    with pytest.raises(StoreError, match=r"cannot be used: file is not a database\."):
        asyncio.run(open_it())
    assert file.read_text("utf-8").startswith("Dear Ann")


# A file of one's own


def refusal(database: str) -> str:
    """Why a database cannot be opened: one line."""

    async def open_it() -> None:
        store = Store(database)
        try:
            await store.open()
        finally:
            await store.close()

    with pytest.raises(HotdiceError) as refused:
        asyncio.run(open_it())
    (line,) = str(refused.value).splitlines()
    return line


def test_a_file_has_one_server_at_a_time(tmp_path: Path) -> None:
    file = tmp_path / "tables.sqlite"
    (tmp_path / "link.sqlite").symlink_to(file)

    async def work(store: Store) -> None:
        for name in ("tables.sqlite", "link.sqlite"):
            said = await asyncio.to_thread(refusal, str(tmp_path / name))
            assert said.startswith(f"Another Hotdice server has the tables in {tmp_path / name}: stop that one first")
        await write(store, TABLE, 1, 1, [Left(0)], None)

    async def afterwards(store: Store) -> None:
        assert await store.read(TABLE) == [(Left(0), 1)]

    using(str(file), work)
    using(str(file), afterwards)


@pytest.mark.parametrize("version", ["99", "next", "0001"])
def test_a_database_of_a_newer_version_is_refused_with_the_way_out(database: str, version: str) -> None:
    async def age(store: Store) -> None:
        async with store._engine.begin() as connection:
            await connection.execute(text(f"update alembic_version set version_num = '{version}'"))  # noqa: S608

    using(database, age)
    said = refusal(database)
    assert f"was written by a newer Hotdice (its version is {version}, and this one knows {REVISION})" in said
    assert said.endswith("install that Hotdice, or go back to an older backup with “hotdice restore”.")


def test_a_damaged_page_is_found_at_the_start(tmp_path: Path) -> None:
    file = tmp_path / "tables.sqlite"

    async def fill(store: Store) -> None:
        for number in range(60):
            await write(store, f"table{number:03}", 1, 1, [Away(1, "x" * 900)], None)

    using(str(file), fill)
    content = bytearray(file.read_bytes())
    page = content.index(b"table030") // 4096 * 4096
    content[page : page + 4096] = b"\xa5" * 4096
    file.write_bytes(content)
    asyncio.run(read_damaged(file))
    said = refusal(str(file))
    assert said.startswith(f"The database {file} is damaged (")
    assert said.endswith(f"“hotdice restore”, or save what can still be read with “sqlite3 {file} .recover”.")


async def read_damaged(file: Path) -> None:
    """Damage that comes about while a server runs concerns the tables that are on that page."""
    store = Store(str(file))
    unreadable = 0
    try:
        for number in range(60):
            try:
                assert len(await store.read(f"table{number:03}")) == 1
            except Unreadable:
                unreadable += 1
    finally:
        await store.close()
    assert 0 < unreadable < 60


def test_the_archive_can_be_read_with_other_tools(tmp_path: Path) -> None:
    """One row an entry, its body as JSON: the archive is of use without Hotdice."""

    async def work(store: Store) -> None:
        await write(store, TABLE, 1, 1, [Away(1, "greedy")], None)

    using(str(tmp_path / "tables.sqlite"), work)
    with sqlite3.connect(tmp_path / "tables.sqlite") as connection:
        rows = connection.execute('select "table", number, at, body from events').fetchall()
    connection.close()
    assert rows == [(TABLE, 1, 1, b'{"kind":"away","seat":1,"bot":"greedy"}')]
