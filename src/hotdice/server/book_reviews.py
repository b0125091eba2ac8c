"""The reviews of the games in the book: worked out one after the other, the latest games first, and kept at once.

A game of which there is no review to be had is noted as such; one whose review fails is tried a few times, no more.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from hotdice.book.played import GameReview, decode_game, encode
from hotdice.book.reviews import VERSION, kept
from hotdice.errors import HotdiceError
from hotdice.record import Record, parse_record
from hotdice.review import review
from hotdice.server.coach import NoSolver, NotReady
from hotdice.server.ledger import SAVES, Ledger, Unreviewed
from hotdice.server.match.fold import fold
from hotdice.server.refusals import TooMuch, Unavailable
from hotdice.server.reviewing import unpacked_report
from hotdice.server.rooms.replays import Elsewhere
from hotdice.server.store import Store, decoded
from hotdice.server.thinkers import Thinkers
from hotdice.terminal.saves import load
from hotdice.values import NotInstalled, Progress, no_progress

TRIES: Final = 3
"""How often a review may fail before it is given up."""
WAITS: Final = 60
"""How often a game's values may not be there yet before that counts as a failure."""
LOOK_SECONDS: Final = 15.0
"""How often it is looked whether games have ended."""
logger: Final = logging.getLogger("hotdice")

Reviewer = Callable[[Record, Progress], Awaitable[GameReview]]
"""Works out a review. `NotReady` if it has to be asked again later, `NoSolver` or `NotInstalled` if nothing can be
reviewed here, `Unavailable` if it failed, and any other `HotdiceError` if that game has none."""


@dataclass(slots=True)
class Done:
    """What became of some games."""

    reviewed: int = 0
    without: int = 0
    """Those that have no review, or whose review failed."""


class BookReviews:
    """Works off the games of the book that have no review."""

    def __init__(
        self, store: Store, ledger: Ledger, elsewhere: Elsewhere, reviewer: Reviewer, saves: Path | None = None
    ) -> None:
        self._store, self._ledger, self._elsewhere = store, ledger, elsewhere
        self._reviewer, self._saves = reviewer, saves
        self._waits: Counter[str] = Counter()
        self.off = False
        """Whether nothing can be reviewed here."""

    async def run(self, refresh: Callable[[], Awaitable[None]]) -> None:
        """Go on as long as the server runs: read what has ended, then review it."""
        while True:
            await asyncio.sleep(LOOK_SECONDS)  # first, so that a server that starts has other things to do
            try:
                await refresh()
                if not self.off:
                    await self.work_off(Done())
            except (Unavailable, TooMuch):  # the database is away, or there is too much else to do
                pass
            except Exception:
                logger.exception("The games of the book could not be reviewed; it is tried again.")

    async def work_off(self, done: Done, progress: Progress = no_progress) -> None:
        """Try each game without a review once; `done` has what became of them, also while this goes on."""
        later: set[str] = set()
        number = 0
        while True:  # asked anew each time: the latest game is the next one, and another node may have done some
            left = [game for game in await self._ledger.unreviewed(VERSION) if game.id not in later]
            if not left:
                return

            def tell(share: float, number: int = number, of: int = number + len(left)) -> None:
                progress((number + share) / of)

            tell(0.0)
            try:
                found = await self._review(left[0], tell)
            except _Later:
                later.add(left[0].id)
                continue
            except (NoSolver, NotInstalled):
                self.off = True
                return
            number += 1
            done.reviewed += found
            done.without += not found

    async def _review(self, game: Unreviewed, tell: Progress) -> bool:
        """Review a game, and keep what comes of it; whether it has a review."""
        found: GameReview | None = None
        try:
            if record := await self._record(game):
                found = await self._reviewer(record, tell)
        except NotReady:
            self._waits[game.id] += 1
            if self._waits[game.id] < WAITS:
                raise _Later from None
            await self._fail(game)
        except (NoSolver, NotInstalled, TooMuch):
            raise
        except Unavailable:
            await self._fail(game)
        except HotdiceError as error:
            logger.info("There is no review of %s: %s", game.id, error)
        except Exception:
            logger.exception("The review of %s failed.", game.id)
            await self._fail(game)
        self._waits.pop(game.id, None)
        await self._ledger.review(game.id, VERSION, encode(found) if found else None)
        return bool(found and found.seats)

    async def _fail(self, game: Unreviewed) -> None:
        """Note that a review failed; unless it was the last try, it is tried again later."""
        self._waits.pop(game.id, None)
        if game.tries + 1 < TRIES:
            await self._ledger.review(game.id, -(game.tries + 1), None)
            raise _Later

    async def _record(self, game: Unreviewed) -> Record | None:
        """The record of a game that came to its end; nothing of one that did not, or is gone."""
        kept_game = await self._ledger.game(game.id)
        if kept_game is None or decode_game(kept_game.body).given_up:
            return None
        if game.source.startswith(SAVES):
            if self._saves is None:
                return None
            text = await self._elsewhere(text_of_save, self._saves / game.source.removeprefix(SAVES))
        else:
            log = await self._store.read_raw(game.source)
            number = int(game.id.rpartition("/")[2])
            text = await self._elsewhere(text_of_game, game.source, log, number)
        return await asyncio.to_thread(parse_record, text)


class _Later(Exception):
    """A game that is to be tried again later."""


def by_thinkers(thinkers: Thinkers) -> Reviewer:
    """Reviews as the server works them out for everybody, in the same process."""

    async def reviewed(record: Record, _: Progress) -> GameReview:
        packed = await thinkers.review(record.first_state, record.text)
        return kept(await asyncio.to_thread(unpacked_report, packed))

    return reviewed


async def right_here(record: Record, progress: Progress) -> GameReview:
    """A review that is worked out in this very process, while nothing else is done."""
    return kept(review(record, progress))


# In another process


def text_of_game(name: str, log: Sequence[tuple[bytes, int]], number: int) -> str:
    """The record of a game of a table."""
    return fold(name, decoded(name, log)).finished(number).text


def text_of_save(path: Path) -> str:
    """The record in a file."""
    return load(path).text
