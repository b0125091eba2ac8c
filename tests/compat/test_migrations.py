"""From every schema that there was to today's, in SQLite and in PostgreSQL: nothing is lost on the way.

The rows are those of the kept database with the newest schema that is not newer.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import Boolean, Connection, MetaData
from sqlalchemy.ext.asyncio import create_async_engine

import hotdice.server.migrations as migrations
from hotdice.server.match.fold import fold
from hotdice.server.store import REVISION, Store, url_of
from tests.compat.data import HERE, VERSIONS, expected
from tests.compat.make import BANNED

SCHEMAS = [str(number) for number in range(1, int(REVISION) + 1)]
FOLDED = ("playing, kor", "record, real dice", "rematch, playing")
"""Tables whose logs are read whole; `test_tables.py` reads all, of SQLite."""
DERIVED = {"alembic_version", "inbox", "log"}
Rows = dict[str, list[dict[str, Any]]]


@cache
def rows_of(version: str) -> Rows:
    """The rows of a kept database by table; those that wait in SQLite to be filed are among the others."""
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript((HERE / version / "tables.sql").read_text("utf-8"))
        connection.row_factory = sqlite3.Row
        names = [name for (name,) in connection.execute("select name from sqlite_master where type = 'table'")]
        found = {
            name: [dict(row) for row in connection.execute(f'select * from "{name}"')]  # noqa: S608 (our own tables)
            for name in names
        }
    found["events"] += found.get("inbox", [])
    return found


def schema_of(version: str) -> str:
    return str(rows_of(version)["alembic_version"][0]["version_num"])


def test_a_database_of_every_schema_that_a_version_had_is_kept() -> None:
    assert [schema_of(version) for version in VERSIONS] == sorted(schema_of(version) for version in VERSIONS)
    assert schema_of(VERSIONS[0]) == "1"
    assert schema_of(VERSIONS[-1]) == REVISION, "The schema is new: keep a database of it by tests/compat/make.py."


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty database."""
    if request.param == "sqlite":
        return str(tmp_path / "tables.sqlite")
    made: str = request.getfixturevalue("postgres").create_database()
    return made


def done(database: str, *steps: Callable[[Connection], object]) -> list[Any]:
    """What each step makes of a database."""

    async def run() -> list[Any]:
        engine = create_async_engine(url_of(database))
        try:
            async with engine.begin() as connection:
                return [await connection.run_sync(step) for step in steps]
        finally:
            await engine.dispose()

    return asyncio.run(run())


def upgrade(schema: str, connection: Connection) -> None:
    config = Config()
    config.set_main_option("script_location", str(Path(migrations.__file__).parent))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    command.upgrade(config, schema)


def reflected(connection: Connection) -> MetaData:
    found = MetaData()
    found.reflect(connection)
    return found


def fill(rows: Rows, connection: Connection) -> None:
    for name, table in reflected(connection).tables.items():
        flags = [column.name for column in table.columns if isinstance(column.type, Boolean)]
        values = [row | {flag: bool(row[flag]) for flag in flags if flag in row} for row in rows.get(name, ())]
        if values and name not in DERIVED:
            connection.execute(table.insert(), values)


def read(connection: Connection) -> Rows:
    found = reflected(connection).tables
    return {name: [dict(row) for row in connection.execute(table.select()).mappings()] for name, table in found.items()}


@pytest.mark.parametrize("schema", SCHEMAS)
def test_nothing_is_lost_on_the_way_to_todays_schema(schema: str, database: str) -> None:
    version = max(version for version in VERSIONS if int(schema_of(version)) <= int(schema))
    before = rows_of(version)
    done(database, partial(upgrade, schema), partial(fill, before))
    matches = asyncio.run(opened(database, version))
    (after,) = done(database, read)
    assert after["alembic_version"] == [{"version_num": REVISION}]
    for name, rows in before.items():
        if name not in DERIVED:
            assert sorted(map(shown, rows)) == sorted(shown(row, rows[0].keys()) for row in filed(after, name)), name
    for what, match in matches.items():
        wanted = expected(version, "tables")[what]
        assert (match.number, match.status, match.round) == (wanted["entries"], wanted["status"], wanted["round"])
        assert (match.table.state.position if match.table else None) == wanted["position"]
    assert any(row["address"].startswith(BANNED) for row in after["bans"]) == ("bans" in before)


def shown(row: dict[str, Any], names: Any = ()) -> list[str]:
    """A row as far as it has columns of these names, whatever a database makes of yes and no."""
    return [f"{name} {int(row[name]) if isinstance(row[name], bool) else row[name]}" for name in names or row]


def filed(rows: Rows, name: str) -> list[dict[str, Any]]:
    return rows[name] + (rows.get("inbox", []) if name == "events" else [])


async def opened(database: str, version: str) -> dict[str, Any]:
    """Some tables, as today's server reads them."""
    store = Store(database)
    await store.open()
    try:
        tables = expected(version, "tables")
        return {what: fold(tables[what]["name"], await store.read(tables[what]["name"])) for what in FOLDED}
    finally:
        await store.close()


# The migrations themselves


def described(connection: sqlite3.Connection) -> Iterator[str]:
    for kind, name, sql in connection.execute("select type, name, sql from sqlite_master where sql is not null"):
        yield f"{kind} {name} {' '.join(sql.split()).replace('( ', '(').replace(' )', ')')}"


@pytest.mark.parametrize("version", VERSIONS)
def test_the_migrations_still_make_the_schema_that_a_version_had(version: str, tmp_path: Path) -> None:
    path = tmp_path / "tables.sqlite"
    done(str(path), partial(upgrade, schema_of(version)))
    with closing(sqlite3.connect(path)) as made, closing(sqlite3.connect(":memory:")) as kept:
        kept.executescript((HERE / version / "tables.sql").read_text("utf-8"))
        assert sorted(described(made)) == sorted(described(kept))
