"""What the coach has worked out for one table: once, however many ask, and one thing at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, Final, Generic, TypeVar

from hotdice.review.report import Moment
from hotdice.server.coach import OFF, Advised, NoCoach, NotReady
from hotdice.server.match.fold import Match
from hotdice.server.refusals import Invalid
from hotdice.server.replaying import WhatIf
from hotdice.server.thinkers import Thinkers
from hotdice.table import Moved
from hotdice.view import named

T = TypeVar("T")
ANSWER_SECONDS: Final = 5.0
"""How long somebody who asks is kept waiting before they are told to ask again."""
SHARE_SECONDS: Final = 1.0
"""The same where they are told how far it is."""


class SharedAnswer(Generic[T]):
    """The answer to the latest question, shared by all who ask it.

    A `stale` answer is given to those who wait for it, and then worked out anew.
    """

    def __init__(self, stale: Callable[[T], bool] = lambda _: False) -> None:
        self._stale = stale
        self._key: object = None
        self._task: asyncio.Task[T] | None = None

    async def get(self, key: object, work: Callable[[], Coroutine[Any, Any, T]], wait: float | None = None) -> T:
        """The answer to the question of that key; `NotReady` if it takes longer than those who ask are to `wait`."""
        clock = asyncio.get_running_loop().time
        until = clock() + (ANSWER_SECONDS if wait is None else wait)
        while True:
            if self._task is None or (self._key != key and self._task.done()):
                self._key, self._task = key, asyncio.ensure_future(work())
                self._task.add_done_callback(self._ended)
            task, mine = self._task, self._key == key
            await asyncio.wait((task,), timeout=max(0.0, until - clock()))
            if not task.done():
                raise NotReady
            if mine:
                answer = task.result()
                if self._stale(answer) and self._task is task:
                    self._task = None
                return answer

    def _ended(self, task: asyncio.Task[T]) -> None:
        """Only answers are kept; what went wrong is tried again when it is asked for again."""
        if (task.cancelled() or task.exception()) and self._task is task:
            self._task = None


class RoomCoach:
    """The coach of one table."""

    def __init__(self, thinkers: Thinkers) -> None:
        self._thinkers = thinkers
        self._advice: SharedAnswer[Advised] = SharedAnswer(stale=lambda advised: advised.share is not None)
        self._moments: SharedAnswer[tuple[Moment, ...]] = SharedAnswer()
        self._review: SharedAnswer[bytes] = SharedAnswer()
        self._what_if: SharedAnswer[WhatIf] = SharedAnswer()

    async def advise(self, match: Match) -> Advised:
        """What the moves of the present state are worth, if the table agreed to be told."""
        if match.setup.coach == OFF:
            raise NoCoach("This table agreed to play without a coach.")
        state = match.playing().table.state
        return await self._advice.get(state, lambda: self._thinkers.advise(state))

    async def why(self, match: Match, number: int) -> str:
        """Why a bot made the move of that entry, in the game that is played here or was played last."""
        play = match.play
        if play is None or number not in play.numbers:
            raise Invalid("There is no such move in this game.")
        at = play.numbers.index(number)
        event = play.table.events[at]
        bot = match.seats[event.seat].bot or play.acted[at]
        if not isinstance(event, Moved) or not bot:
            raise Invalid("That was no bot's choice.")
        told = named(await self._thinkers.explain(bot, play.table.before(at), event.move), match.names)
        return f"{told[0].upper()}{told[1:]}."

    async def moments(self, match: Match, game: int) -> tuple[Moment, ...]:
        """The moments that mattered in a game played here that is over."""
        number = game or match.round
        record = match.finished(number)
        state = record.first_state
        return await self._moments.get(number, lambda: self._thinkers.look_back(state, record.text))

    async def review(self, match: Match, game: int) -> bytes:
        """The review of a game played here that is over, as gzipped JSON; `NotReady` says how far it is."""
        number = game or match.round
        record = match.finished(number)
        state, text = record.first_state, record.text
        try:
            return await self._review.get(number, lambda: self._thinkers.review(state, text), SHARE_SECONDS)
        except NotReady as wait:
            raise NotReady(self._thinkers.review_share(state, text) if wait.share is None else wait.share) from None

    async def what_if(self, match: Match, game: int, played: int, move: str, seed: int) -> WhatIf:
        """How a game played here that is over might have gone on after another move."""
        number = game or match.round
        record = match.finished(number)
        state, text = record.first_state, record.text
        return await self._what_if.get(
            (number, played, move, seed), lambda: self._thinkers.what_if(state, text, played, move, seed)
        )
