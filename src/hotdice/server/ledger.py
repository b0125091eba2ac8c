"""Where the book of the house is kept: beside the logs, from which all of it but the deleted names can be made again.

Every statement may be made by several nodes at once, and twice: what they write is the same. Names that were deleted
are taken out when something is written, and once more when it is read, as another node may not have known.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import delete, func, or_, select, text, update

from hotdice.book.names import digest
from hotdice.book.played import Played, decode_game, encode
from hotdice.server.match.fold import Status
from hotdice.server.store import Store, book_deleted, book_games, book_sources, tables

SAVES: Final = "saves/"
"""What the ids of saved games begin with; those of tables are their names."""
_GAME: Final = text(
    "INSERT INTO book_games (id, source, body) VALUES (:id, :source, :body) "
    "ON CONFLICT (id) DO UPDATE SET source = excluded.source, body = excluded.body"
)
_SOURCE: Final = text(
    "INSERT INTO book_sources (id, touched, status) VALUES (:id, :touched, :status) "
    "ON CONFLICT (id) DO UPDATE SET touched = excluded.touched, status = excluded.status"
)
_DELETED: Final = text("INSERT INTO book_deleted (digest) VALUES (:digest) ON CONFLICT (digest) DO NOTHING")


@dataclass(frozen=True, slots=True)
class Source:
    """Something that has games: a table, or a saved game. It is read again once it or its status has changed."""

    id: str
    touched: int
    status: str = ""


@dataclass(frozen=True, slots=True)
class Unreviewed:
    """A game without a review, where it is from, and how often its review has failed."""

    id: str
    source: str
    tries: int = 0


@dataclass(frozen=True, slots=True)
class Kept:
    """A game as it is kept, and its review, if there is one."""

    body: bytes
    review: bytes | None


class Ledger:
    """The book of the house in a database."""

    def __init__(self, store: Store) -> None:
        self._store = store

    # What there is to read

    async def unread_tables(self, *, over: bool = False) -> list[Source]:
        """The tables at which something happened since they were read; with `over`, those whose game is over."""
        read = book_sources
        joined = tables.outerjoin(read, read.c.id == tables.c.name)
        news = or_(read.c.id.is_(None), read.c.touched != tables.c.touched, read.c.status != tables.c.status)
        query = select(tables.c.name, tables.c.touched, tables.c.status).select_from(joined).where(news)
        if over:
            query = query.where(tables.c.status.in_((Status.OVER.value, Status.CLOSED.value)))
        return [Source(*row) for row in await self._store.rows(query.order_by(tables.c.touched))]

    async def read_saves(self) -> dict[str, Source]:
        """The saved games that were read, by their ids."""
        rows = await self._store.rows(select(book_sources).where(book_sources.c.id.like(f"{SAVES}%")))
        return {row.id: Source(*row) for row in rows}

    # Writing

    async def write(self, source: Source, games: Sequence[Played]) -> None:
        """Have just these games of a source in the book; their reviews stay."""
        gone = await self.deleted()
        kept = [game.without(gone) for game in games]
        others = book_games.c.source == source.id, book_games.c.id.not_in([game.id for game in kept])
        await self._store.change(
            delete(book_games).where(*others),
            *(_GAME.bindparams(id=game.id, source=source.id, body=encode(game)) for game in kept),
            _SOURCE.bindparams(id=source.id, touched=source.touched, status=source.status),
        )

    async def forget_sources(self, ids: Iterable[str]) -> None:
        """Take sources that are gone out of the book."""
        for each in ids:
            await self._store.change(
                delete(book_games).where(book_games.c.source == each),
                delete(book_sources).where(book_sources.c.id == each),
            )

    async def review(self, game: str, version: int, review: bytes | None) -> None:
        """Keep the review of a game, or that there is none to be had; with a negative version, how often it failed."""
        kept: Mapping[str, Any] = {"reviewed": version, "review": review}
        await self._store.change(update(book_games).where(book_games.c.id == game).values(**kept))

    # Reading

    async def version(self) -> tuple[int, ...]:
        """Numbers that change when the book does."""
        counted = select(
            func.count(), func.count(book_games.c.review), func.coalesce(func.sum(func.length(book_games.c.body)), 0)
        ).select_from(book_games)
        (row,) = await self._store.rows(counted)
        read = (await self._store.rows(select(func.count(), func.sum(book_sources.c.touched))))[0]
        return (*map(int, row), int(read[0]), int(read[1] or 0), len(await self.deleted()))

    async def games(self) -> list[Kept]:
        """All games."""
        rows = await self._store.rows(select(book_games.c.body, book_games.c.review))
        return [Kept(bytes(row.body), row.review and bytes(row.review)) for row in rows]

    async def game(self, game: str) -> Kept | None:
        """The game of that id."""
        query = select(book_games.c.body, book_games.c.review).where(book_games.c.id == game)
        for row in await self._store.rows(query):
            return Kept(bytes(row.body), row.review and bytes(row.review))
        return None

    async def unreviewed(self, version: int) -> list[Unreviewed]:
        """The games without a review of that version, those first where something happened last."""
        query = (
            select(book_games.c.id, book_games.c.source, book_games.c.reviewed)
            .select_from(book_games.outerjoin(book_sources, book_sources.c.id == book_games.c.source))
            .where(book_games.c.reviewed < version)
            .order_by(func.coalesce(book_sources.c.touched, 0).desc(), book_games.c.id.desc())
        )
        return [Unreviewed(row.id, row.source, max(0, -row.reviewed)) for row in await self._store.rows(query)]

    async def deleted(self) -> frozenset[str]:
        """The digests of the names that were deleted."""
        return frozenset(row.digest for row in await self._store.rows(select(book_deleted)))

    async def delete_name(self, name: str) -> int:
        """Take a name out of the book for good; how many games it was in."""
        gone = frozenset([digest(name)])
        rows = await self._store.rows(select(book_games.c.id, book_games.c.body))
        changed = {}
        for row in rows:
            game = decode_game(bytes(row.body))
            without = game.without(gone)
            if without is not game:
                changed[row.id] = encode(without)
        await self._store.change(
            _DELETED.bindparams(digest=digest(name)),
            *(update(book_games).where(book_games.c.id == at).values(body=body) for at, body in changed.items()),
        )
        return len(changed)
