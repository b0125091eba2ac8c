"""Backups: a database as one file, taken while servers run, and brought back.

SQLite copies itself by its own backup interface, which sees one moment of the database, the write-ahead log included;
PostgreSQL has programs for it, which are used as they are. A database that was brought back is marked with the time
(`RESTORED`), as its players may have seen more than it knows.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import sqlite3
import subprocess
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from sqlalchemy import text
from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine

from hotdice.errors import HotdiceError
from hotdice.server.inbox import FILING
from hotdice.server.rooms.clock import now
from hotdice.server.sqlite_file import FileLock, check
from hotdice.server.store import RESTORED, Store, StoreError, events, metadata, totals, unusable, url_of

SQLITE: Final = b"SQLite format 3\0"
POSTGRES: Final = b"PGDMP"
"""What the backups of either begin with."""
VERSION: Final = "alembic_version"
"""The table with the database's version."""
CONNECT_SECONDS: Final = 10
LIBPQ: Final = {"ssl": "sslmode"}
"""What PostgreSQL's programs call parameters of an address that are called otherwise here."""
CLIENTS: Final = "install PostgreSQL's client programs (on Debian and Ubuntu the package postgresql-client)"


class BackupError(HotdiceError):
    """A backup that cannot be taken or brought back."""


@dataclass(frozen=True, slots=True)
class Copied:
    """What a backup has."""

    tables: int
    entries: int
    last: int
    """When the last entry was made, in milliseconds; 0 if there is none."""
    kept: Path | None = None
    """Where the file is now that was in its place, if there was one."""

    @property
    def told(self) -> str:
        """What it has, in a sentence."""
        if not self.entries:
            return "It has no tables."
        when = datetime.fromtimestamp(self.last / 1000, UTC)
        tables, entries = _counted(self.tables, "table", "tables"), _counted(self.entries, "entry", "entries")
        return f"It has {tables} with {entries}, the last of {when:%Y-%m-%d %H:%M:%S} UTC."


def backup(database: str, file: Path) -> Copied:
    """Copy a database to a new file, as it is at this moment."""
    url = url_of(database)
    if file.exists():
        raise BackupError(f"{file} is there already; name a new file.")
    if not file.absolute().parent.is_dir():
        raise BackupError(f"There is no folder {file.absolute().parent}.")
    with tempfile.TemporaryDirectory(prefix=".hotdice-", dir=file.absolute().parent) as folder:
        new = Path(folder) / file.name
        found = _copy(_there(url), new) if url.get_backend_name() == "sqlite" else asyncio.run(_dump(url, new))
        new.chmod(0o600)  # the secrets of the dice are in it
        _to_disk(new)
        new.rename(file)
    return found


def restore(file: Path, database: str) -> Copied:
    """Bring a backup back. SQLite's file that was in its place is kept; in PostgreSQL there has to be none."""
    url = url_of(database)
    sqlite = url.get_backend_name() == "sqlite"
    kind = _kind(file)
    if kind != (SQLITE if sqlite else POSTGRES):
        names = {SQLITE: "a SQLite file", POSTGRES: "a PostgreSQL database"}
        raise BackupError(
            f"{file} is a backup of {names[kind]}: name one with --database."
            if kind in names
            else f"{file} is not a backup that “hotdice backup” made."
        )
    return _restore_sqlite(file, _place(url)) if sqlite else asyncio.run(_restore_postgres(file, url))


# SQLite


def _place(url: URL) -> Path:
    if not url.database or url.database == ":memory:":
        raise BackupError("A database in memory cannot be backed up.")
    return Path(url.database)


def _there(url: URL) -> Path:
    place = _place(url)
    if not place.exists():
        raise BackupError(f"There is no database {place}; name another with --database.")
    return place


def _copy(source: Path, target: Path) -> Copied:
    """Copy a SQLite file to one that needs no others beside it, and look it through."""
    try:
        with closing(sqlite3.connect(source)) as old, closing(sqlite3.connect(target)) as new:
            old.backup(new)
            new.execute("PRAGMA journal_mode=DELETE")
            if new.execute("SELECT 1 FROM sqlite_schema WHERE name = 'inbox'").fetchone():
                for statement in FILING:
                    new.execute(statement)
                new.commit()
            tables, entries, last = new.execute(
                'SELECT count(DISTINCT "table"), count(*), coalesce(max(at), 0) FROM events'
            ).fetchone()
    except sqlite3.Error as error:
        raise BackupError(f"{source} cannot be copied: {error}.") from error
    check(target)
    return Copied(tables, entries, last)


def _restore_sqlite(file: Path, place: Path) -> Copied:
    place.parent.mkdir(parents=True, exist_ok=True)
    check(file)
    lock = FileLock(place)
    lock.take()
    try:
        with tempfile.TemporaryDirectory(prefix=".hotdice-", dir=place.absolute().parent) as folder:
            new = Path(folder) / place.name
            found = _copy(file, new)
            try:
                asyncio.run(_mark(str(new)))
            except StoreError as error:
                raise BackupError(str(error).replace(str(new), str(file))) from error
            _to_disk(new)
            kept = _put_aside(place) if place.exists() else None
            new.rename(place.resolve())
    finally:
        lock.release()
    return Copied(found.tables, found.entries, found.last, kept)


def _put_aside(place: Path) -> Path:
    """Give a SQLite file another name, together with what SQLite has beside it, as it may after a server was killed."""
    place = place.resolve()
    with suppress(sqlite3.Error), closing(sqlite3.connect(place)) as connection:  # a damaged one stays as it is
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    aside = place.with_name(f"{place.stem}-until-{datetime.now(UTC):%Y%m%d-%H%M%S}{place.suffix}")
    for beside in ("", "-wal", "-shm"):
        old = place.with_name(place.name + beside)
        if old.exists():
            old.rename(aside.with_name(aside.name + beside))
    return aside


# PostgreSQL


async def _dump(url: URL, new: Path) -> Copied:
    """Have PostgreSQL write down one moment of a database, which is counted as well."""
    names = [f"--table={name}" for name in (*metadata.tables, VERSION)]
    async with _connected(url) as connection:
        snapshot = (await connection.execute(text("SELECT pg_export_snapshot()"))).scalar_one()
        found = (await connection.execute(totals(events))).one()
        options = ("--format=custom", "--no-owner", "--no-privileges", f"--snapshot={snapshot}", f"--file={new}")
        await asyncio.to_thread(_postgres, "pg_dump", url, *options, *names)
    return Copied(*found)


async def _restore_postgres(file: Path, url: URL) -> Copied:
    async with _connected(url) as connection:
        taken = (await connection.execute(text(f"SELECT to_regclass('{VERSION}')"))).scalar_one()
    if taken is not None:
        raise BackupError(
            "There are tables in that database already: make an empty one (createdb), name it with --database, "
            "and start the servers with it."
        )
    options = ("--no-owner", "--no-privileges", "--single-transaction", "--exit-on-error", str(file))
    await asyncio.to_thread(_postgres, "pg_restore", url, *options)
    return await _mark(url.render_as_string(hide_password=False))


@asynccontextmanager
async def _connected(url: URL) -> AsyncIterator[AsyncConnection]:
    """A database as it is at one moment."""
    try:
        engine = create_async_engine(url, isolation_level="REPEATABLE READ", connect_args={"timeout": CONNECT_SECONDS})
    except ImportError as error:
        raise BackupError(f"This database needs {error.name}: pip install 'hotdice[cluster]'.") from None
    try:
        async with engine.connect() as connection:
            yield connection
    except (DBAPIError, OSError) as error:
        raise unusable(url.render_as_string(hide_password=True), error) from error
    finally:
        await engine.dispose()


def _postgres(program: str, url: URL, *arguments: str) -> None:
    """Run one of PostgreSQL's programs on a database; its password is not for the list of processes."""
    found = shutil.which(program)
    if found is None:
        raise BackupError(f"This needs PostgreSQL's own {program}: {CLIENTS}.")
    query = {LIBPQ.get(name, name): value for name, value in url.query.items()}
    plain = url.set(drivername="postgresql", query=query)._replace(password=None).render_as_string()
    password = {"PGPASSWORD": str(url.password)} if url.password else {}
    done = subprocess.run(  # noqa: S603 (the program of that name on the PATH)
        [found, f"--dbname={plain}", *arguments], env=os.environ | password, capture_output=True, text=True, check=False
    )
    if done.returncode:
        lines = done.stderr.strip().splitlines() or [f"exit code {done.returncode}"]
        said = next((line for line in lines if "error:" in line), lines[-1])
        raise BackupError(f"{said.rstrip('.')}.")


# Both


def _kind(file: Path) -> bytes:
    """What a backup is of: `SQLITE`, `POSTGRES`, or nothing that is known."""
    if not file.is_file():
        raise BackupError(f"There is no file {file}.")
    with file.open("rb") as content:
        start = content.read(len(SQLITE))
    return next((kind for kind in (SQLITE, POSTGRES) if start.startswith(kind)), b"")


async def _mark(database: str) -> Copied:
    """Bring a database that was just restored up to date, and have it say that it was."""
    store = Store(database)
    try:
        await store.open()
        await store.mark({RESTORED: now()})
        return Copied(*await store.totals())
    finally:
        await store.close()


def _to_disk(file: Path) -> None:
    with file.open("r+b") as content:
        os.fsync(content.fileno())


def _counted(number: int, one: str, many: str) -> str:
    return f"{number:,} {one if number == 1 else many}"
