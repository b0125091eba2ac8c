"""The book of the house on a server: it reads what was played when somebody asks for the book, and keeps what it found.

Games are read from the logs of tables, and for a household from what its terminal has saved, in another process; so is
what pages show. Games that are over are also read and reviewed (`book_reviews`) without anybody asking. Nothing here
stands in the way of a game: the book is read off the logs, whenever there is time.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from msgspec import Raw, Struct
from msgspec.json import Encoder
from msgspec.structs import replace

from hotdice.book.export import exported
from hotdice.book.facts import facts
from hotdice.book.figures import Book
from hotdice.book.names import NOBODY
from hotdice.book.played import HERE, IMPORTED, Played, decode_game, decode_review
from hotdice.book.reviews import VERSION
from hotdice.errors import HotdiceError, UnknownGame
from hotdice.record import result_text
from hotdice.server.book_reviews import BookReviews, Reviewer
from hotdice.server.challenges.log import LOG, OPEN_DAYS, folded
from hotdice.server.entries import FIRST, Created
from hotdice.server.ledger import SAVES, Kept, Ledger, Source
from hotdice.server.match.fold import Match, fold
from hotdice.server.refusals import Refusal, TooMuch, Unavailable
from hotdice.server.rooms.clock import DAY, now
from hotdice.server.rooms.replays import Elsewhere
from hotdice.server.store import Store, decoded
from hotdice.terminal.saves import SUFFIX, load

WAIT_SECONDS: Final = 2.0
"""How long somebody who asks for the book waits for games that have not been read yet."""
SHOWN: Final = 200
"""The most pages that are kept as long as the book does not change."""
logger: Final = logging.getLogger("hotdice")
encode: Final = Encoder().encode


class NoBook(Refusal):
    """A server without a book, or a book without that name."""

    answer = "no_book"
    status = 404


class MayNotDelete(Refusal):
    """Names are deleted by the household, or by whoever runs the server."""

    answer = "not_local"
    status = 403


class BookShown(Struct, frozen=True):
    """The first page of the book, a `House`, and how far it is."""

    reading: int
    """How many tables and saved games are still to be read."""
    reviewing: int
    """How many games have no review yet."""
    may_delete: bool
    """Whether whoever asks may delete names."""
    house: Raw


class PlayerShown(Struct, frozen=True):
    """The page of somebody, a `PlayerBook`, and how far it is."""

    reading: int
    reviewing: int
    may_delete: bool
    player: Raw


class NameDeleted(Struct, frozen=True):
    """What became of a name that was deleted, and in how many games it was."""

    games: int
    remains: str


class BookKeeper:
    """Reads what was played, and says what the book has."""

    def __init__(
        self, store: Store, elsewhere: Elsewhere, *, saves: Path | None = None, show_private: bool = False
    ) -> None:  # fmt: skip
        self._store, self._elsewhere, self._saves = store, elsewhere, saves
        self._show_private = show_private
        self.ledger = Ledger(store)
        self.reading = 0
        """How many sources are still to be read."""
        self.skipped: list[str] = []
        """Saved games that do not hold."""
        self._unknown: set[Source] = set()
        """Sources that need a game which is not installed."""
        self._refreshing: asyncio.Task[None] | None = None
        self._reviewing: asyncio.Task[None] | None = None
        self._reviews: BookReviews | None = None
        self._version: tuple[int, ...] = ()
        self._pages: dict[tuple[str, str], bytes] = {}

    async def refresh(self, progress: Callable[[float], None] = lambda done: None) -> None:
        """Read what is new."""
        sources = await self.ledger.unread_tables()
        saves = await self._unread_saves()
        self.reading = total = len(sources) + len(saves)
        for source in sources:
            await self._read_table(source)
            self.reading -= 1
            progress(1 - self.reading / total)
        for source, path in saves:
            await self._read_save(source, path)
            self.reading -= 1
            progress(1 - self.reading / total)

    async def refresh_soon(self) -> None:
        """Read what is new, together with whoever else asks; it is waited for, but not for long."""
        if self._refreshing is None or self._refreshing.done():
            self._refreshing = asyncio.create_task(self.refresh(), name="hotdice book")
        with suppress(TimeoutError):
            await asyncio.wait_for(asyncio.shield(self._refreshing), WAIT_SECONDS)

    def reviews(self, reviewer: Reviewer) -> BookReviews:
        """What has the games of this book reviewed."""
        return BookReviews(self._store, self.ledger, self._elsewhere, reviewer, self._saves)

    def begin(self, reviewer: Reviewer) -> None:
        """Have games read and reviewed from now on, once they are over."""
        self._reviews = self.reviews(reviewer)
        self._reviewing = asyncio.create_task(self._reviews.run(self._read_over), name="hotdice book reviews")

    async def close(self) -> None:
        for task in filter(None, (self._refreshing, self._reviewing)):
            task.cancel()
            with suppress(asyncio.CancelledError, HotdiceError):
                await task

    async def _read_over(self) -> None:
        """Read the games that are over."""
        for source in await self.ledger.unread_tables(over=True):
            if source not in self._unknown:
                await self._read_table(source)
        for source, path in await self._unread_saves():
            if source not in self._unknown:
                await self._read_save(source, path)

    async def _read_table(self, source: Source) -> None:
        try:
            log = await self._store.read_raw(source.id)
            if await self._is_held(source.id, log):
                return  # it is read once its challenge is over
            games = await self._elsewhere(games_of_table, source.id, log)
        except (Unavailable, TooMuch):
            raise
        except UnknownGame:  # its package may come back
            self._unknown.add(source)
            return
        except HotdiceError as error:
            self._store.report(source.id, error)
            games = ()
        await self.ledger.write(source, games)

    async def _is_held(self, table: str, log: Sequence[tuple[bytes, int]]) -> bool:
        """Whether a game is part of a challenge that others still want to play."""
        created = decoded(table, log[:1])[0][0] if log else None
        if not isinstance(created, Created) or not created.challenge:
            return False
        name = table if created.challenge == FIRST else created.challenge
        challenge = folded(name, await self._store.read_raw(LOG + name))
        return not (challenge.is_over(now()) if challenge.number else now() > log[-1][1] + OPEN_DAYS * DAY)

    async def _unread_saves(self) -> list[tuple[Source, Path]]:
        if self._saves is None:
            return []
        found = await asyncio.to_thread(_saved, self._saves)
        read = await self.ledger.read_saves()
        await self.ledger.forget_sources(read.keys() - {source.id for source, _ in found})
        return [(source, path) for source, path in found if read.get(source.id) != source]

    async def _read_save(self, source: Source, path: Path) -> None:
        games: Sequence[Played] = ()
        try:
            games = await self._elsewhere(games_of_save, source.id, source.touched, path)
        except (Unavailable, TooMuch):
            raise
        except UnknownGame:
            self._unknown.add(source)
            return
        except HotdiceError as error:
            self.skipped.append(f"{path.name} is left out: {error}")
        await self.ledger.write(source, games)

    # What is shown

    async def page(self, what: str, name: str = "") -> bytes:
        """The `house`, a `player`, or one of the formats of an export, as the book stands."""
        version = await self.ledger.version()
        if version != self._version:
            self._version, self._pages = version, {}
        if (page := self._pages.get((what, name))) is None:
            games, deleted = await self.ledger.games(), await self.ledger.deleted()
            page = await self._elsewhere(rendered, games, deleted, self._show_private, what, name)
            if len(self._pages) < SHOWN:
                self._pages[what, name] = page
        return page

    async def unreviewed(self) -> int:
        """How many games have no review yet; none where nobody works on them."""
        if self._reviews is None or self._reviews.off:
            return 0
        return len(await self.ledger.unreviewed(VERSION))

    async def delete(self, name: str) -> NameDeleted:
        """Take a name out of the book for good."""
        games = await self.ledger.delete_name(name)
        return NameDeleted(games, remains(games))


def remains(games: int) -> str:
    """What is left of a name that was deleted, in sentences."""
    counted = "1 game" if games == 1 else f"{games} games"
    return (
        f"The name was in {counted} of the book and is out of it, also for games to come. In the others' games it is "
        f"“{NOBODY}”. The logs and records of the tables themselves, saved games and earlier backups still have it; of "
        "the name itself the book keeps only a SHA-256, by which it stays away."
    )


# In another process


def games_of_table(name: str, log: Sequence[tuple[bytes, int]]) -> tuple[Played, ...]:
    """The games of a table that are over."""
    match = fold(name, decoded(name, log))
    return tuple(_games(match))


def _games(match: Match) -> Iterable[Played]:
    for game in match.games:
        origin = HERE
        if match.imported and game.number == 1:
            if match.imported.result != result_text(None):  # it was opened to be looked at
                continue
            origin = IMPORTED
        found = facts(
            game.record, name=f"{match.name}/{game.number}", ended=game.ended, origin=origin,
            given_up=bool(game.why), stood_in=game.stood_in,
        )  # fmt: skip
        yield replace(found, private=not match.setup.public)


def games_of_save(name: str, saved: int, path: Path) -> tuple[Played, ...]:
    """The game in a file, if it is over; it has to hold, its dice included."""
    record = load(path)
    if record.result == result_text(None):
        return ()
    record.check_dice()
    return (replace(facts(record, name=name, ended=saved), private=True),)


def book_of(games: Iterable[Kept], deleted: frozenset[str], *, show_private: bool = True) -> Book:
    """The book from what is kept."""
    played: list[Played] = []
    reviews: dict[str, Any] = {}
    for kept in games:
        game = decode_game(kept.body).without(deleted)
        if game.private and not show_private:
            game = replace(game, id=f"private/{game.text[:12]}")
        played.append(game)
        if kept.review:
            reviews[game.id] = decode_review(kept.review)
    return Book(played, reviews)


def rendered(games: Sequence[Kept], deleted: frozenset[str], show_private: bool, what: str, name: str) -> bytes:
    """A page of the book as JSON, or an export."""
    book = book_of(games, deleted, show_private=show_private)
    match what:
        case "house":
            return encode(book.house())
        case "player":
            return encode(book.player(name))
        case _:
            return exported(book, what, name)


def _saved(folder: Path) -> list[tuple[Source, Path]]:
    """The saved games in a folder."""
    found: list[tuple[Source, Path]] = []
    for path in sorted(folder.glob(f"*{SUFFIX}")):
        with suppress(OSError):
            touched = path.stat().st_mtime_ns // 1_000_000
            found.append((Source(f"{SAVES}{path.name[:240]}", touched), path))
    return found
