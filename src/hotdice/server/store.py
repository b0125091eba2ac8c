"""Where the logs are kept: SQLite or PostgreSQL, by SQLAlchemy.

One row an entry, with the primary key (table, number): whoever writes a number first has it, on however many nodes. In
SQLite entries lie in an `inbox` first. The table `tables` is only an index of what the logs say, for lists and limits.

Commits are gathered: one writer takes whatever has come in while the last commit went to the disk, writes it in one
transaction, and only then tells those who wait.
"""

from __future__ import annotations

import asyncio
import logging
import sqlite3
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path
from typing import Any, Final, Protocol, TypeVar

from msgspec import MsgspecError, Struct
from msgspec.structs import replace
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
    Select,
    String,
    Table,
    and_,
    case,
    create_engine,
    delete,
    event,
    false,
    func,
    insert,
    select,
    text,
    update,
)
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, IntegrityError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine
from sqlalchemy.pool import NullPool

from hotdice.errors import HotdiceError
from hotdice.server.entries import AnyEntry, Created, decode, encode
from hotdice.server.inbox import Inbox
from hotdice.server.metrics import Metrics
from hotdice.server.refusals import Unavailable, Unreadable
from hotdice.server.sqlite_file import FileLock, check

PATIENCE_SECONDS: Final = 20.0
"""Seconds after which somebody who waits for a database that is away is told so."""
ATTEMPT: Final = 0.25
"""The part of these seconds that one attempt may take: a database that is frozen neither answers nor hangs up."""
AGAIN_SECONDS: Final = 1.0
"""Seconds between two attempts once the database has been away for longer than that: the others are told at once."""
GOODBYE_SECONDS: Final = 2.0
"""Seconds that connections have to end in good order, once nothing is left to write."""
GROUP: Final = 500
"""The most appends that are committed together."""
CROWD: Final = 8
GATHER: Final = 0.002
"""Where more appends than that came together last time, this many seconds more of them are waited for."""
REVISION: Final = "6"
"""The newest migration; a database that has it needs none."""

metadata: Final = MetaData()
sqlite_metadata: Final = MetaData()
"""What SQLite has besides."""


def _entries(name: str, metadata: MetaData, *, key: bool = False) -> Table:
    return Table(
        name,
        metadata,
        Column("table", String(16), primary_key=key, nullable=False),
        Column("number", Integer, primary_key=key, nullable=False),
        Column("at", BigInteger, nullable=False),
        Column("body", LargeBinary, nullable=False),
        sqlite_with_rowid=not key,
    )


events: Final = _entries("events", metadata, key=True)
inbox: Final = _entries("inbox", sqlite_metadata)
log: Final = _entries("log", MetaData())
"""A view: both of them."""
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
    Column("alone", Boolean, nullable=False, server_default=false()),
    Index("listed", "public", "status", "created"),
    Index("origins", "origin", "status"),
    Index("idle", "status", "touched"),
)
marks: Final = Table(
    "marks",
    metadata,
    Column("name", String(16), primary_key=True),
    Column("value", BigInteger, nullable=False),
)
"""What servers remember besides the logs: numbers, by name."""
bans: Final = Table(
    "bans",
    metadata,
    Column("address", String(64), primary_key=True),
    Column("until", BigInteger, nullable=False),
    Column("why", String(200), nullable=False),
)
"""Addresses that may not use the server until some time."""
book_sources: Final = Table(
    "book_sources",
    metadata,
    Column("id", String(255), primary_key=True),
    Column("touched", BigInteger, nullable=False),
    Column("status", String(16), nullable=False),
)
"""What the book of the house has read: tables and saved games, as they were then."""
book_games: Final = Table(
    "book_games",
    metadata,
    Column("id", String(255), primary_key=True),
    Column("source", String(255), nullable=False),
    Column("body", LargeBinary, nullable=False),
    Column("reviewed", Integer, nullable=False, server_default="0"),
    Column("review", LargeBinary),
    Index("book_by_source", "source"),
    Index("book_by_review", "reviewed"),
)
"""The games in the book, and what their reviews say: all of it can be made again from the logs."""
book_deleted: Final = Table("book_deleted", metadata, Column("digest", String(64), primary_key=True))
"""The names that were deleted from the book, by their digests."""
RESTORED: Final = "restored"
"""The mark of when a backup was last brought back."""

logger: Final = logging.getLogger("hotdice")
T = TypeVar("T")


class StoreError(HotdiceError):
    """A database that cannot be used."""


class DamagedPage(Unavailable):
    """A part of the database is not what was written there."""


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
    alone: bool = False
    """Whether one person plays against bots, or bots among themselves."""


@dataclass(frozen=True, slots=True)
class Ban:
    """An address that may not use the server until some time, in milliseconds, and why not."""

    address: str
    until: int
    why: str = ""


@dataclass(frozen=True, slots=True)
class Usage:
    """What an address has that is not over."""

    tables: int
    """Those at which several people play, or that were begun lately."""
    abandoned: int
    """The others, at which one person played against bots."""
    open: int
    """Open seats at all of them."""


Done = Callable[[Exception | None], None]


class Append(Struct, eq=False):
    """Entries that are to be written together, the first with a certain number, and the table's new card, if any. One
    without entries sees whether the database writes.

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


def totals(log: Table) -> Select[int, int, int]:
    """What counts the tables and the entries of a log, and finds when the last entry was made, or 0."""
    tables, last = func.count(log.c.table.distinct()), func.max(log.c.at)
    return select(tables, func.count(), func.coalesce(last, 0)).select_from(log)


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


def unusable(database: str, error: Exception) -> StoreError:
    """Says in a sentence why a database cannot be used."""
    reason = (str(getattr(error, "orig", None) or error) or "it does not answer").splitlines()[0]
    return StoreError(f"The database {database} cannot be used: {reason.rstrip('.')}.")


class Store:
    """The logs of all tables."""

    def __init__(self, database: str, patience: float = PATIENCE_SECONDS, metrics: Metrics | None = None) -> None:
        self.metrics = metrics or Metrics()
        self.url = url_of(database)
        self.sqlite = self.url.get_backend_name() == "sqlite"
        self._patience = patience
        self._attempt = None if self.sqlite else patience * ATTEMPT  # a file answers in any case
        try:
            self._engine = _engine(self.url, patience * ATTEMPT)
        except ImportError as error:
            raise StoreError(f"This database needs {error.name}: pip install 'hotdice[cluster]'.") from None
        file = self.url.database if self.sqlite else None
        self._file = Path(file) if file and file != ":memory:" else None
        self.log: Final = log if self.sqlite else events
        """Where all entries are found."""
        self._inbox = Inbox() if self.sqlite else None
        self._lock = FileLock(self._file) if self._file else None
        self._writer: Writer = SqliteWriter(self.url) if self.sqlite else PostgresWriter(self._engine, patience)
        self._gathered: list[Append] = []
        self._wake = asyncio.Event()
        self._writing: asyncio.Task[None] | None = None
        self._closing = False
        self.restored = 0
        """When a backup was last brought back to this database, in milliseconds, or 0: then players may have seen more
        than its logs have. It is known once the store is open."""
        self._away_since: float | None = None
        """When the first of the attempts began that have failed since the last one that did not."""
        self._tried = 0.0
        """When the last attempt failed."""
        self._logged = False
        """Whether the server's log says that the database is away."""
        self._damaged = False
        """Whether it says that it is damaged."""
        self._named: set[str] = set()
        """The tables that cannot be read, as far as the server's log names them."""

    async def open(self, *, beside: bool = False) -> None:
        """Have the database for oneself if it is a file, look it through, bring it up to date and start the writer.

        `beside` a server that has the file, others may use it for what is not in the logs."""
        try:
            if self._file and self._lock and not beside:
                self._file.parent.mkdir(parents=True, exist_ok=True)
                self._lock.take()
                await asyncio.to_thread(check, self._file)
            await self._migrate()
            if self._inbox and not beside:
                await self._writer.run(self._inbox.file)
        except (DBAPIError, sqlite3.Error, OSError) as error:
            self._let_go()
            raise unusable(self._shown, error) from error
        except HotdiceError:
            self._let_go()
            raise
        self.restored = (await self.marks()).get(RESTORED, 0)
        self._writing = asyncio.create_task(self._write(), name="hotdice writer")

    @property
    def waiting(self) -> int:
        """How many appends wait for the writer."""
        return len(self._gathered)

    @property
    def folder(self) -> Path | None:
        """Where a SQLite file is."""
        return self._file.parent if self._file else None

    async def check(self) -> None:
        """Have the writer write a row again as it is; an error if that is not possible."""
        await self.write("", 1, 0, ())

    async def write(self, table: str, first: int, at: int, bodies: Sequence[bytes]) -> None:
        """Have entries written, and wait for it; `Taken` or `Unavailable` if they cannot be.

        Whoever gives up waiting leaves nothing behind that could hold the writer up.
        """
        written: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        def done(error: Exception | None) -> None:
            if not written.done():
                if error:
                    written.set_exception(error)
                else:
                    written.set_result(None)

        self.append(Append(table, first, at, bodies, None, done))
        await written

    async def close(self) -> None:
        """Write what is left, and stop."""
        if self._writing:
            self._closing = True
            self._wake.set()
            await self._writing
            await self._file_entries()
        await self._writer.close()
        with suppress(TimeoutError):  # PostgreSQL's driver would wait for ever for a goodbye that does not come
            await within(GOODBYE_SECONDS, self._engine.dispose())
        self._let_go()

    def _let_go(self) -> None:
        if self._lock:
            self._lock.release()

    @property
    def _shown(self) -> str:
        """The database's address as people may see it."""
        return str(self._file or self.url.render_as_string(hide_password=True))

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
            if self._hopeless():
                self._give_up(group)
                continue
            began = time.monotonic()
            try:
                await within(self._attempt, self._writer.run(self._commit, group))
            except Exception as error:  # whatever the driver raises, those who wait get an answer
                if not isinstance(error, CONFLICTS):
                    logger.warning("The database did not take a commit (%s); trying again.", type(error).__name__)
                    self._failed(began)
                    self._writer.hang_up()
                await self._one_by_one(group, began)
            else:
                self._answered()
                self.metrics.commits.observe(time.monotonic() - began)
                for append in group:
                    _tell(append, None)
                if self._inbox and self._inbox.full:
                    await self._file_entries()

    async def _file_entries(self) -> None:
        """Have an inbox be empty again; if that fails, it is tried again after the next commit."""
        if self._inbox:
            try:
                await self._writer.run(self._inbox.file)
            except Exception as error:  # whatever it is, the entries stay where they are
                logger.warning("The database could not file entries (%s).", type(error).__name__)

    def _commit(self, connection: Connection, group: Sequence[Append]) -> None:
        try:
            # In one order on all nodes, lest two of them wait for each other.
            rows = [row for append in sorted(group, key=_name) for row in append.rows()]
            if self._inbox:
                self._inbox.add(connection, rows)
            elif rows:
                connection.exec_driver_sql("INSERT INTO events VALUES ($1, $2, $3, $4)", rows)
            for append in group:
                if append.card:
                    _file(connection, append.card)
            if not all(append.bodies for append in group):
                connection.execute(_CHECK)  # last, as all nodes write this row
            connection.commit()
            if self._inbox:
                self._inbox.committed()
        except CONFLICTS:
            connection.rollback()
            raise

    async def _one_by_one(self, group: Sequence[Append], began: float) -> None:
        """After a failure: find out about each append whether it is there, cannot be, or has to be tried again."""
        until = self._until(began)
        wait = 0.05
        left = list(group)
        while left:
            began = time.monotonic()
            try:
                there = await within(self._left(until), self._writer.run(self._settle, left[0]))
            except Exception as error:  # see above
                self._failed(began)
                self._writer.hang_up()
                if (remaining := until - time.monotonic()) > 0:
                    await asyncio.sleep(min(wait, remaining))
                    wait = min(2 * wait, 1.0)
                    continue
                self._log_away(error)
                self._give_up(left)
                return
            self._answered()
            _tell(left.pop(0), None if there else Taken())

    def _give_up(self, group: Sequence[Append]) -> None:
        """Tell those who wait, and those who wait behind them, that the database is away."""
        behind, self._gathered = self._gathered, []
        if not self._closing:
            self._wake.clear()
        for append in (*group, *behind):
            _tell(append, _away())

    def _settle(self, connection: Connection, append: Append) -> bool:
        """Whether the entries are in the log in the end."""
        there = self._there(connection, append)
        if there is not None:
            return there
        try:
            self._commit(connection, [append])
        except CONFLICTS:  # an attempt that was given up may have come through just now
            return bool(self._there(connection, append))
        return True

    def _there(self, connection: Connection, append: Append) -> bool | None:
        """Whether the log has just these entries, or others; None if it has none with their numbers."""
        last = append.first + len(append.bodies) - 1
        found = connection.execute(
            select(self.log.c.at, self.log.c.body)
            .where(self.log.c.table == append.table, self.log.c.number.between(append.first, last))
            .order_by(self.log.c.number)
        )
        there = [(row.at, bytes(row.body)) for row in found]
        connection.rollback()
        return there == [(append.at, body) for body in append.bodies] if there else None

    # When the database is away

    def _failed(self, began: float) -> None:
        """Take note of an attempt that failed."""
        self._away_since = self._away_since or began
        self._tried = time.monotonic()

    def _answered(self) -> None:
        """Take note of an attempt that did not."""
        self._away_since = None
        if self._logged:
            self._logged = False
            logger.warning("The database is back.")

    def _log_away(self, error: Exception) -> None:
        """Say so once, and not for everybody who waits."""
        if not self._logged:
            self._logged = True
            logger.error("The database is away (%s).", type(error).__name__)

    def _until(self, began: float) -> float:
        """How long something that began then is tried; those who come late have others' waiting counted for theirs."""
        return min(began, self._away_since or began) + self._patience

    def _left(self, until: float) -> float | None:
        """The seconds that the next attempt may take."""
        return None if self._attempt is None else max(0.05, min(self._attempt, until - time.monotonic()))

    def _hopeless(self) -> bool:
        """Whether others have waited in vain until a moment ago, so that it need not be tried again just now."""
        now = time.monotonic()
        since = self._away_since
        return since is not None and now > since + self._patience and now < self._tried + AGAIN_SECONDS

    # Reading

    async def read(self, table: str, after: int = 0) -> list[tuple[AnyEntry, int]]:
        """The entries of a table after a number, with their times."""
        return decoded(table, await self.read_raw(table, after), after)

    async def read_raw(self, table: str, after: int = 0) -> list[tuple[bytes, int]]:
        """The same, as they are kept."""
        log = self.log.c
        query = select(log.number, log.body, log.at).where(log.table == table, log.number > after).order_by(log.number)
        try:
            rows = await self.rows(query)
        except DamagedPage as error:
            raise Unreadable(table, str(error)) from error
        for number, row in enumerate(rows, after + 1):
            if row.number != number:
                raise Unreadable(table, f"entry {number} is missing")
        return [(row.body, row.at) for row in rows]

    async def lengths(self, names: Sequence[str]) -> dict[str, int]:
        """The number of the last entry of each of these tables that there are."""
        log = self.log.c
        query = select(log.table, func.max(log.number)).where(log.table.in_(names)).group_by(log.table)
        return {row[0]: int(row[1]) for row in await self.rows(query)}

    def report(self, table: str, error: HotdiceError) -> None:
        """Name a table that cannot be read in the server's log, once."""
        if table not in self._named:
            self._named.add(table)
            logger.error("Table %s cannot be read and is left out: %s", table, getattr(error, "reason", error))

    async def listed(self, *, game: str = "", statuses: Sequence[str], limit: int, before: int) -> list[str]:
        """The names of public tables, the newest first."""
        query = select(tables.c.name).where(tables.c.public, tables.c.status.in_(statuses), tables.c.created < before)
        if game:
            query = query.where(tables.c.game == game)
        return [row.name for row in await self.rows(query.order_by(tables.c.created.desc()).limit(limit))]

    async def going_on(self, origin: str, since: int) -> Usage:
        """What was set up from an address and is not over; what was begun since then counts as lately."""
        old = and_(tables.c.alone, tables.c.touched < since)
        query = select(func.count(), func.count(case((old, 1))), func.coalesce(func.sum(tables.c.open), 0)).where(
            tables.c.origin == origin, tables.c.status.in_(("waiting", "playing"))
        )
        found = (await self.rows(query))[0]
        return Usage(int(found[0] - found[1]), int(found[1]), int(found[2]))

    async def count(self) -> dict[str, int]:
        """How many tables there are of each status."""
        query = select(tables.c.status, func.count()).group_by(tables.c.status).order_by(tables.c.status)
        return {row[0]: int(row[1]) for row in await self.rows(query)}

    async def idle(
        self, status: str, since: int, *, alone: bool = False, after: str = "", limit: int = 100
    ) -> list[str]:
        """Tables of a status at which nothing has happened since then, or just those with one person, by their names:
        those after a certain one."""
        # What lies in the inbox came later. The view would have the whole log be read.
        found = (select(func.max(part.c.at)).where(part.c.table == tables.c.name) for part in reversed(self._parts))
        latest = func.coalesce(*(part.scalar_subquery() for part in found))
        query = (
            select(tables.c.name)
            .where(tables.c.status == status, tables.c.touched < since, latest < since, tables.c.name > after)
            .order_by(tables.c.name)
            .limit(limit)
        )
        return [row.name for row in await self.rows(query.where(tables.c.alone) if alone else query)]

    async def totals(self) -> tuple[int, int, int]:
        """How many tables and entries there are, and when the last entry was made, or 0."""
        found = (await self.rows(totals(self.log)))[0]
        return int(found[0]), int(found[1]), int(found[2])

    async def last_touched(self) -> int | None:
        """When something last happened at any table, as far as the index knows."""
        found: int | None = (await self.rows(select(func.max(tables.c.touched))))[0][0]
        return found

    async def marks(self) -> dict[str, int]:
        """What servers remember, by name."""
        return {row.name: row.value for row in await self.rows(select(marks))}

    async def mark(self, values: Mapping[str, int]) -> None:
        """Remember numbers by name. It is tried once."""
        await self.change(*(_MARK.bindparams(name=name, value=values[name]) for name in sorted(values)))

    # What whoever runs the server does

    async def cards(self, statuses: Sequence[str], origin: str, limit: int) -> list[Card]:
        """The latest tables, public or not: of some statuses, and of one address if it is named."""
        query = select(tables).where(tables.c.status.in_(statuses)).order_by(tables.c.created.desc()).limit(limit)
        rows = await self.rows(query.where(tables.c.origin == origin) if origin else query)
        return [Card(**row._mapping) for row in rows]

    async def delete(self, table: str) -> None:
        """Remove a table and its log, and its games from the book."""
        await self.change(
            *(delete(part).where(part.c.table == table) for part in self._parts),
            delete(tables).where(tables.c.name == table),
            delete(book_games).where(book_games.c.source == table),
            delete(book_sources).where(book_sources.c.id == table),
        )
        if self._inbox:
            self._inbox.forget(table)

    async def bans(self) -> list[Ban]:
        """The addresses that may not use the server, or might not."""
        return [Ban(*row) for row in await self.rows(select(bans).order_by(bans.c.until))]

    async def ban(self, ban: Ban) -> None:
        """Keep an address out, in place of an earlier ban."""
        await self.change(
            delete(bans).where(bans.c.address == ban.address),
            insert(bans).values(address=ban.address, until=ban.until, why=ban.why),
        )

    async def unban(self, address: str) -> None:
        """Let an address in again."""
        await self.change(delete(bans).where(bans.c.address == address))

    async def lapse_bans(self, now: int) -> None:
        """Forget the bans that are over."""
        await self.change(delete(bans).where(bans.c.until <= now))

    async def forget_origins(self, before: int, limit: int = 200) -> int:
        """Remove the addresses from which tables were set up that have been over since then; how many were."""
        over = tables.c.status.in_(("over", "closed"))
        query = select(tables.c.name).where(over, tables.c.touched < before, tables.c.origin != "").limit(limit)
        rows = await self.rows(query)
        for (name,) in rows:
            card = update(tables).where(tables.c.name == name).values(origin="")
            await self.change(*await self._forget_in_log(name), card)
        return len(rows)

    async def _forget_in_log(self, table: str) -> list[Any]:
        """What removes the address from the first entry of a table's log."""
        body = select(self.log.c.body).where(self.log.c.table == table, self.log.c.number == 1)
        try:
            entries = decoded(table, [(row.body, 0) for row in await self.rows(body)])
        except Unreadable as error:
            self.report(table, error)
            return []
        without = [replace(entry, origin="") for entry, _ in entries if isinstance(entry, Created)]
        return [
            update(part).where(part.c.table == table, part.c.number == 1).values(body=encode(entry))
            for entry in without
            for part in self._parts
        ]

    @property
    def _parts(self) -> tuple[Table, ...]:
        """What the log is made of."""
        return (events, inbox) if self.sqlite else (events,)

    async def change(self, *statements: Any) -> None:
        """Change something in a transaction of its own. It is tried once."""

        async def change() -> None:
            async with self._engine.begin() as connection:
                for statement in statements:
                    await connection.execute(statement)

        try:
            await within(self._attempt, change())
        except (TimeoutError, SQLAlchemyError, OSError) as error:
            raise _away() from error

    async def rows(self, query: Any) -> Sequence[Any]:
        """What a query finds. A connection that was lost meanwhile is made anew, as long as there is hope."""
        if self._hopeless():
            raise _away()
        until = self._until(time.monotonic())
        wait = 0.05
        while True:
            began = time.monotonic()
            try:
                found = await within(self._left(until), self._query(query))
            except (TimeoutError, SQLAlchemyError, OSError) as error:
                if _is_damage(error):
                    if not self._damaged:
                        self._damaged = True
                        logger.error("The database is damaged: see what can be done in docs/operations.md.")
                    raise DamagedPage("A part of the server's database is damaged.") from error
                self._failed(began)
                remaining = until - time.monotonic()
                if remaining <= 0:
                    self._log_away(error)
                    raise _away() from error
            else:
                self._answered()
                return found
            await asyncio.sleep(min(wait, remaining))
            wait = min(2 * wait, 1.0)

    async def _query(self, query: Any) -> Sequence[Any]:
        async with self._engine.connect() as connection:
            return (await connection.execute(query)).all()

    # Setting up

    async def _migrate(self) -> None:
        found = await within(self._attempt, self._revision())
        if found == REVISION:
            return
        if found is not None and found not in map(str, range(1, int(REVISION))):
            raise StoreError(
                f"The database {self._shown} was written by a newer Hotdice (its version is {found}, and this one "
                f"knows {REVISION}): install that Hotdice, or go back to an older backup with “hotdice restore”."
            )
        async with self._engine.connect() as connection:
            if not self.sqlite:
                await connection.execute(text("select pg_advisory_xact_lock(4631753)"))
            from hotdice.server.migrations import upgrade

            await connection.run_sync(upgrade)
            await connection.commit()

    async def _revision(self) -> str | None:
        async with self._engine.connect() as connection:
            return await connection.run_sync(_revision)


async def within(seconds: float | None, work: Awaitable[T]) -> T:
    """What some work comes to, if it does in time. What it does when it is cancelled is not waited for: to hang up on a
    database that is frozen takes time as well."""
    if seconds is None:
        return await work
    task = asyncio.ensure_future(work)
    try:
        await asyncio.wait((task,), timeout=seconds)
    finally:
        if not task.done():
            task.cancel()
            task.add_done_callback(lambda task: task.cancelled() or task.exception())
    if not task.done():
        raise TimeoutError
    return task.result()


_name: Final = attrgetter("table")
CONFLICTS: Final = (IntegrityError, sqlite3.IntegrityError)
"""What says that a number is another entry's already."""
_MARK: Final = text(
    "INSERT INTO marks (name, value) VALUES (:name, :value) ON CONFLICT (name) DO UPDATE SET value = excluded.value"
)


_CHECK: Final = text("UPDATE alembic_version SET version_num = version_num")


def decoded(table: str, raw: Sequence[tuple[bytes, int]], after: int = 0) -> list[tuple[AnyEntry, int]]:
    """The entries of a table from what is kept of them."""
    found: list[tuple[AnyEntry, int]] = []
    try:
        for body, at in raw:
            found.append((decode(body), at))
    except MsgspecError as error:
        raise Unreadable(table, f"entry {after + len(found) + 1} is not an entry: {error}") from error
    return found


def _tell(append: Append, answer: Exception | None) -> None:
    """Tell whoever waits; what goes wrong there must not stop the writer."""
    try:
        append.done(answer)
    except Exception:
        logger.exception("Table %s could not go on.", append.table)


def _is_damage(error: Exception) -> bool:
    """Whether the database itself says so; to try again does not help."""
    cause = getattr(error, "orig", None)
    if isinstance(cause, sqlite3.Error):
        return getattr(cause, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_CORRUPT
    return getattr(cause, "sqlstate", None) in ("XX001", "XX002")  # PostgreSQL's data_corrupted and index_corrupted


def _away() -> Unavailable:
    return Unavailable("The server cannot reach its database; try again in a moment.")


def _file(connection: Connection, card: Card) -> None:
    """Put a table's card in its place."""
    values = {column.name: getattr(card, column.name) for column in tables.columns}
    if not connection.execute(update(tables).where(tables.c.name == card.name).values(values)).rowcount:
        connection.execute(insert(tables).values(values))


class Writer(Protocol):
    """The one connection that writes. Work is a plain function of it, whatever the driver is like."""

    async def run(self, work: Callable[..., T], *arguments: object) -> T:
        """Do something with the connection, which is made if there is none."""

    def hang_up(self) -> None:
        """Give the connection up, without waiting for it."""

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

    def hang_up(self) -> None:
        self._thread.submit(self._hang_up)

    async def close(self) -> None:
        self.hang_up()
        await asyncio.to_thread(self._thread.shutdown)

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

    def __init__(self, engine: AsyncEngine, patience: float) -> None:
        self._engine = engine
        self._idle = text(f"SET idle_in_transaction_session_timeout = {round(1000 * patience)}")
        self._connection: AsyncConnection | None = None
        self._ending: set[asyncio.Task[None]] = set()

    async def run(self, work: Callable[..., T], *arguments: object) -> T:
        if self._connection is None:
            connection = await self._engine.connect()
            await connection.execute(self._idle)  # a node that is frozen in mid-commit must not hold the others up
            await connection.commit()
            self._connection = connection
        return await self._connection.run_sync(work, *arguments)

    def hang_up(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            ending = asyncio.ensure_future(self._end(connection))
            self._ending.add(ending)
            ending.add_done_callback(self._ending.discard)

    async def close(self) -> None:
        self.hang_up()
        await asyncio.gather(*self._ending)

    @staticmethod
    async def _end(connection: AsyncConnection) -> None:
        with suppress(Exception):
            await connection.invalidate()
        with suppress(Exception):
            await connection.close()


def _revision(connection: Any) -> str | None:
    from sqlalchemy import inspect

    if not inspect(connection).has_table("alembic_version"):
        return None
    return str(connection.execute(text("select version_num from alembic_version")).scalar())


def _engine(url: URL, seconds: float) -> AsyncEngine:
    """How the database is reached; PostgreSQL has `seconds` for a connection, and for one to become free."""
    if url.get_backend_name() == "postgresql":
        connecting: dict[str, Any] = {"timeout": seconds}
        return create_async_engine(url, pool_size=5, pool_pre_ping=True, pool_timeout=seconds, connect_args=connecting)
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
