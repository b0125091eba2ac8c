"""Where the logs are kept: SQLite or PostgreSQL, by SQLAlchemy.

One row an entry, with the primary key (table, number): whoever writes a number first has it, on however many nodes. The
table `tables` is only an index of what the logs say, for lists and limits.

Commits are gathered: one writer takes whatever has come in while the last commit went to the disk, writes it in one
transaction, and only then tells those who wait.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from operator import attrgetter
from pathlib import Path
from typing import Any, Final, Protocol, TypeVar

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Connection,
    Engine,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    create_engine,
    event,
    func,
    insert,
    select,
    text,
    update,
)
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine
from sqlalchemy.pool import NullPool

from hotdice.errors import HotdiceError
from hotdice.server.entries import AnyEntry, decode
from hotdice.server.refusals import Unavailable

RETRY_SECONDS: Final = 20.0
"""Seconds for which the writer tries again when the database is away."""
GROUP: Final = 500
"""The most appends that are committed together."""
CROWD: Final = 8
GATHER: Final = 0.002
"""Where more appends than that came together last time, this many seconds more of them are waited for."""
ROWS: Final = 128
"""The most entries that one statement has for SQLite."""
REVISION: Final = "1"
"""The newest migration; a database that has it needs none."""

metadata: Final = MetaData()
events: Final = Table(
    "events",
    metadata,
    Column("table", String(16), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("at", BigInteger, nullable=False),
    Column("body", LargeBinary, nullable=False),
    sqlite_with_rowid=False,
)
tables: Final = Table(
    "tables",
    metadata,
    Column("name", String(16), primary_key=True),
    Column("created", BigInteger, nullable=False),
    Column("touched", BigInteger, nullable=False),
    Column("game", String(16), nullable=False),
    Column("status", String(16), nullable=False),
    Column("public", Boolean, nullable=False),
    Column("seats", Integer, nullable=False),
    Column("open", Integer, nullable=False),
    Column("origin", String(64), nullable=False),
    Index("listed", "public", "status", "created"),
    Index("origins", "origin", "status"),
    Index("idle", "status", "touched"),
)

logger: Final = logging.getLogger("hotdice")
T = TypeVar("T")


class StoreError(HotdiceError):
    """A database that cannot be used."""


class Taken(Exception):
    """The number that was to be written is another entry's already."""


@dataclass(frozen=True, slots=True)
class Card:
    """What lists say about a table."""

    name: str
    created: int
    touched: int
    game: str
    status: str
    public: bool
    seats: int
    open: int
    origin: str


Done = Callable[[Exception | None], None]


@dataclass(frozen=True, slots=True, eq=False)
class Append:
    """Entries that are to be written together, the first with a certain number, and the table's new card, if any.

    `done` hears when they are on the disk, or that they cannot be: `Taken` or `Unavailable`.
    """

    table: str
    first: int
    at: int
    bodies: Sequence[bytes]
    card: Card | None
    done: Done

    def rows(self) -> list[tuple[str, int, int, bytes]]:
        return [(self.table, number, self.at, body) for number, body in enumerate(self.bodies, self.first)]


def url_of(database: str) -> URL:
    """The address of a database as SQLAlchemy wants it, from `postgresql://…`, `sqlite:///…` or a file's path."""
    if "://" not in database:
        return URL.create("sqlite+aiosqlite", database=database)
    try:
        url = make_url(database)
    except (ArgumentError, ValueError):  # it is not repeated here, as a password may be in it
        raise StoreError("That is not the address of a database; write postgresql://user@host/name.") from None
    match url.get_backend_name():
        case "postgresql":
            return url.set(drivername="postgresql+asyncpg")
        case "sqlite":
            return url.set(drivername="sqlite+aiosqlite")
        case other:
            raise StoreError(f"Hotdice keeps its tables in SQLite or PostgreSQL, not in {other}.")


class Store:
    """The logs of all tables."""

    def __init__(self, database: str) -> None:
        self.url = url_of(database)
        self.sqlite = self.url.get_backend_name() == "sqlite"
        try:
            self._engine = _engine(self.url)
        except ImportError as error:
            raise StoreError(f"This database needs {error.name}: install hotdice[cluster].") from None
        self._writer: Writer = SqliteWriter(self.url) if self.sqlite else PostgresWriter(self._engine)
        self._gathered: list[Append] = []
        self._wake = asyncio.Event()
        self._writing: asyncio.Task[None] | None = None
        self._closing = False

    async def open(self) -> None:
        """Bring the database up to date and start the writer."""
        try:
            if self.sqlite and self.url.database:
                Path(self.url.database).parent.mkdir(parents=True, exist_ok=True)
            await self._migrate()
        except (DBAPIError, OSError) as error:
            reason = str(getattr(error, "orig", None) or error).splitlines()[0]
            shown = self.url.render_as_string(hide_password=True)
            raise StoreError(f"The database {shown} cannot be used: {reason.rstrip('.')}.") from error
        self._writing = asyncio.create_task(self._write(), name="hotdice writer")

    async def close(self) -> None:
        """Write what is left, and stop."""
        if self._writing:
            self._closing = True
            self._wake.set()
            await self._writing
        await self._writer.close()
        await self._engine.dispose()

    # Writing

    def append(self, append: Append) -> None:
        """Have entries written, together with what others want written."""
        self._gathered.append(append)
        self._wake.set()

    async def _write(self) -> None:
        crowd = 0
        while self._gathered or not self._closing:
            await self._wake.wait()
            if crowd > CROWD:
                await asyncio.sleep(GATHER)
            group, self._gathered = self._gathered[:GROUP], self._gathered[GROUP:]
            if not self._gathered:
                self._wake.clear()
            if not group:
                continue
            crowd = len(group)
            try:
                await self._writer.run(self._commit, group)
            except Exception as error:  # whatever the driver raises, those who wait get an answer
                if not isinstance(error, IntegrityError):
                    logger.warning("The database did not take a commit (%s); trying again.", type(error).__name__)
                    await self._writer.hang_up()
                await self._one_by_one(group)
            else:
                for append in group:
                    _tell(append, None)

    def _commit(self, connection: Connection, group: Sequence[Append]) -> None:
        try:
            # In one order on all nodes, lest two of them wait for each other.
            rows = [row for append in sorted(group, key=_name) for row in append.rows()]
            if self.sqlite:
                # As few calls as can be: each hands the interpreter's lock over, and has to wait for it again.
                for at in range(0, len(rows), ROWS):
                    part = rows[at : at + ROWS]
                    connection.exec_driver_sql(_values(len(part)), tuple(value for row in part for value in row))
            else:
                connection.exec_driver_sql("INSERT INTO events VALUES ($1, $2, $3, $4)", rows)
            for append in group:
                if append.card:
                    _file(connection, append.card)
            connection.commit()
        except IntegrityError:
            connection.rollback()
            raise

    async def _one_by_one(self, group: Sequence[Append]) -> None:
        """After a failure: find out about each append whether it is there, cannot be, or has to be tried again."""
        until = time.monotonic() + RETRY_SECONDS
        wait = 0.05
        left = list(group)
        while left:
            try:
                there = await self._writer.run(self._settle, left[0])
            except Exception as error:  # see above
                await self._writer.hang_up()
                if time.monotonic() < until:
                    await asyncio.sleep(wait)
                    wait = min(2 * wait, 1.0)
                    continue
                logger.error("The database is away (%s).", type(error).__name__)
                for append in left:
                    _tell(append, _away())
                return
            _tell(left.pop(0), None if there else Taken())

    def _settle(self, connection: Connection, append: Append) -> bool:
        """Whether the entries are in the log in the end."""
        last = append.first + len(append.bodies) - 1
        found = connection.execute(
            select(events.c.at, events.c.body)
            .where(events.c.table == append.table, events.c.number.between(append.first, last))
            .order_by(events.c.number)
        )
        there = [(row.at, bytes(row.body)) for row in found]
        connection.rollback()
        if there:
            return there == [(append.at, body) for body in append.bodies]
        try:
            self._commit(connection, [append])
        except IntegrityError:
            return False
        return True

    # Reading

    async def read(self, table: str, after: int = 0) -> list[tuple[AnyEntry, int]]:
        """The entries of a table after a number, with their times."""
        query = (
            select(events.c.body, events.c.at)
            .where(events.c.table == table, events.c.number > after)
            .order_by(events.c.number)
        )
        return [(decode(row.body), row.at) for row in await self._rows(query)]

    async def listed(self, *, game: str = "", statuses: Sequence[str], limit: int, before: int) -> list[str]:
        """The names of public tables, the newest first."""
        query = select(tables.c.name).where(tables.c.public, tables.c.status.in_(statuses), tables.c.created < before)
        if game:
            query = query.where(tables.c.game == game)
        return [row.name for row in await self._rows(query.order_by(tables.c.created.desc()).limit(limit))]

    async def going_on(self, origin: str) -> tuple[int, int]:
        """How many tables set up from an address are not over, and how many open seats they have."""
        query = select(func.count(), func.coalesce(func.sum(tables.c.open), 0)).where(
            tables.c.origin == origin, tables.c.status.in_(("waiting", "playing"))
        )
        found = (await self._rows(query))[0]
        return int(found[0]), int(found[1])

    async def idle(self, status: str, since: int, limit: int = 100) -> list[str]:
        """Tables of a status at which nothing has happened since then."""
        latest = select(func.max(events.c.at)).where(events.c.table == tables.c.name).scalar_subquery()
        query = (
            select(tables.c.name)
            .where(tables.c.status == status, tables.c.touched < since, latest < since)
            .order_by(tables.c.touched)
            .limit(limit)
        )
        return [row.name for row in await self._rows(query)]

    async def _rows(self, query: Any) -> Sequence[Any]:
        """What a query finds. A connection that was lost meanwhile is made anew, as long as there is hope."""
        until = time.monotonic() + RETRY_SECONDS
        wait = 0.05
        while True:
            try:
                async with self._engine.connect() as connection:
                    return (await connection.execute(query)).all()
            except (TimeoutError, DBAPIError, OSError) as error:
                if time.monotonic() > until:
                    logger.error("The database is away (%s).", type(error).__name__)
                    raise _away() from error
            await asyncio.sleep(wait)
            wait = min(2 * wait, 1.0)

    # Setting up

    async def _migrate(self) -> None:
        async with self._engine.connect() as connection:
            if await connection.run_sync(_revision) == REVISION:
                return
            if not self.sqlite:
                await connection.execute(text("select pg_advisory_xact_lock(4631753)"))
            from hotdice.server.migrations import upgrade

            await connection.run_sync(upgrade)
            await connection.commit()


_name: Final = attrgetter("table")


def _tell(append: Append, answer: Exception | None) -> None:
    """Tell whoever waits; what goes wrong there must not stop the writer."""
    try:
        append.done(answer)
    except Exception:
        logger.exception("Table %s could not go on.", append.table)


def _away() -> Unavailable:
    return Unavailable("The server cannot reach its database; try again in a moment.")


@cache
def _values(rows: int) -> str:
    return f"INSERT INTO events VALUES {', '.join(['(?, ?, ?, ?)'] * rows)}"  # noqa: S608 (question marks)


def _file(connection: Connection, card: Card) -> None:
    """Put a table's card in its place."""
    values = {column.name: getattr(card, column.name) for column in tables.columns}
    if not connection.execute(update(tables).where(tables.c.name == card.name).values(values)).rowcount:
        connection.execute(insert(tables).values(values))


class Writer(Protocol):
    """The one connection that writes. Work is a plain function of it, whatever the driver is like."""

    async def run(self, work: Callable[..., T], *arguments: object) -> T:
        """Do something with the connection, which is made if there is none."""

    async def hang_up(self) -> None:
        """Give the connection up."""

    async def close(self) -> None:
        """Give everything up."""


class SqliteWriter:
    """SQLite's: a thread, in which a whole commit is one call."""

    def __init__(self, url: URL) -> None:
        self._engine = create_engine(url.set(drivername="sqlite"), poolclass=NullPool)
        _set_pragmas(self._engine)
        self._thread = ThreadPoolExecutor(1, "hotdice writer")
        self._connection: Connection | None = None

    async def run(self, work: Callable[..., T], *arguments: object) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._run, work, *arguments)

    async def hang_up(self) -> None:
        await asyncio.get_running_loop().run_in_executor(self._thread, self._hang_up)

    async def close(self) -> None:
        await self.hang_up()
        self._thread.shutdown()

    def _run(self, work: Callable[..., T], *arguments: object) -> T:
        if self._connection is None:
            self._connection = self._engine.connect()
        return work(self._connection, *arguments)

    def _hang_up(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(Exception):
                connection.close()


class PostgresWriter:
    """PostgreSQL's: the driver is asynchronous, and SQLAlchemy makes it look as if it were not."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._connection: AsyncConnection | None = None

    async def run(self, work: Callable[..., T], *arguments: object) -> T:
        if self._connection is None:
            self._connection = await self._engine.connect()
        return await self._connection.run_sync(work, *arguments)

    async def hang_up(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(Exception):
                await connection.invalidate()
            with suppress(Exception):
                await connection.close()

    async def close(self) -> None:
        await self.hang_up()


def _revision(connection: Any) -> str | None:
    from sqlalchemy import inspect

    if not inspect(connection).has_table("alembic_version"):
        return None
    return str(connection.execute(text("select version_num from alembic_version")).scalar())


def _engine(url: URL) -> AsyncEngine:
    if url.get_backend_name() == "postgresql":
        return create_async_engine(url, pool_size=5, pool_pre_ping=True, connect_args={"timeout": 5})
    engine = create_async_engine(url)
    _set_pragmas(engine.sync_engine)
    return engine


def _set_pragmas(engine: Engine) -> None:
    @event.listens_for(engine, "connect")
    def _(connection: Any, _: Any) -> None:
        cursor = connection.cursor()
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "busy_timeout=10000", "wal_autocheckpoint=8000"):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()
