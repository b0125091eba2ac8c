"""Keeps challenges: opens them, gives everybody one try, and says who may see what.

As long as a challenge can be played, what was rolled and what came of it is shown to nobody but those who have had
their try, and the secret to nobody at all. Once it is over, everything is there for everybody.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date
from typing import Final

from msgspec.structs import replace

from hotdice.fair import DAILY, Statement, TurnDice, commitment, statement
from hotdice.game import State
from hotdice.games import parse_game
from hotdice.server import entries
from hotdice.server.challenges import days
from hotdice.server.challenges.columns import Result, result_of
from hotdice.server.challenges.log import (
    LOG,
    OPEN_DAYS,
    AnyChallengeEntry,
    Challenge,
    Closed,
    Opened,
    Tried,
    Try,
    encode,
)
from hotdice.server.coach import NotReady
from hotdice.server.entries import FIRST, AnyEntry, Created
from hotdice.server.match import commands
from hotdice.server.match.ending import end_if_over
from hotdice.server.match.fold import TURNS, Match, Status
from hotdice.server.refusals import Held, NoChallenge, NoTable
from hotdice.server.rooms.clock import DAY, now
from hotdice.server.rooms.names import clean_name, new_name
from hotdice.server.rooms.registry import Rooms
from hotdice.server.rooms.replays import SHORT
from hotdice.server.rooms.room import Room
from hotdice.server.store import Taken
from hotdice.server.tokens import new_key, new_secret, new_token, token_for, token_hash
from hotdice.table import check_name

KNOWN: Final = 1000
"""The most challenges that are kept in memory."""
SOON: Final = 1.0
"""Seconds that somebody waits who asks for a column that is not worked out yet."""
TOLD: Final = "It is part of a challenge that is still open. Play it yourself, or come back once it is over."


@dataclass(slots=True)
class _Kept:
    """A challenge in memory; one at a time reads on or adds to it."""

    challenge: Challenge
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    results: dict[str, tuple[int, Result]] = field(default_factory=dict)
    """By table, with the number of the last entry of its log."""
    columns: dict[tuple[int, int], asyncio.Task[bytes]] = field(default_factory=dict)
    """By try, 0 for the best play, and by how far that had come."""


class Challenges:
    """The challenges of a server."""

    def __init__(self, rooms: Rooms) -> None:
        self._rooms = rooms
        self._kept: OrderedDict[str, _Kept] = OrderedDict()

    async def get(self, name: str) -> Challenge:
        """A challenge as it is now. The one of a day and that of a game that is over are opened when they are asked for
        first."""
        kept = self._remembered(_clean(name))
        async with kept.lock:
            await self._read_on(kept.challenge)
            return kept.challenge

    async def today(self) -> Challenge:
        """The challenge of this day."""
        return await self.get(days.day_at(now()).isoformat())

    async def is_open(self, match: Match) -> bool:
        """Whether a table's challenge can still be played, or could be once its first game is over."""
        try:
            return not (await self.get(match.challenge)).is_over(now())
        except NoChallenge:
            return not (match.setup.challenge == FIRST and match.status is Status.CLOSED)

    async def check(self, match: Match, tokens: Sequence[str]) -> None:
        """Refuse to show a game of a challenge to anybody but whoever plays it, as long as others may still play."""
        if not match.challenge or {token_hash(token) for token in tokens} & {each for each in match.tokens if each}:
            return
        if await self.is_open(match):
            raise Held(f"This game is not shown yet. {TOLD}")

    async def sees(self, challenge: Challenge, token: str) -> bool:
        """Whether somebody may see the dice and what everybody made of them: it is over, or they have had their try."""
        if challenge.is_over(now()):
            return True
        mine = await self.mine(challenge, token)
        return mine is not None and (await self.results(challenge, [mine]))[0].ended > 0

    async def mine(self, challenge: Challenge, token: str) -> Try | None:
        """The try whose seat a token opens, also if that seat has gone to another device since it was begun."""
        if not token:
            return None
        key = token_hash(token)
        if found := challenge.of_token(key):
            return found
        results = await self.results(challenge)
        return next((each for each, result in zip(challenge.tries, results, strict=True) if result.token == key), None)

    # Playing

    async def begin(self, name: str, who: str, request: str, origin: str) -> tuple[Room, str]:
        """Give somebody their try: a table of their own, and the token of their seat. The same request gives the same
        try, also if a server broke down in the middle of it."""
        check_name(who)
        kept = self._remembered(_clean(name))
        challenge, drawn = kept.challenge, new_token()
        async with kept.lock:
            while True:
                await self._read_on(challenge)
                token = token_for(challenge.opened.key, request) if request else drawn
                mine = challenge.of_token(token_hash(token))
                if mine is None:
                    challenge.check_try(who, now())
                    with suppress(Taken):
                        await self._write(challenge, Tried(who, new_name(), token_hash(token)))
                    continue
                return await self._table(challenge, mine, token, origin), token

    async def close(self, name: str, token: str) -> Challenge:
        """End a challenge before its time."""
        kept = self._remembered(_clean(name))
        async with kept.lock:
            while True:
                await self._read_on(kept.challenge)
                kept.challenge.check_close(await self.mine(kept.challenge, token), now())
                with suppress(Taken):
                    await self._write(kept.challenge, Closed())
                    return kept.challenge

    async def _table(self, challenge: Challenge, mine: Try, token: str, origin: str) -> Room:
        try:
            return await self._rooms.get(mine.table)
        except NoTable:
            pass
        opened, seat = challenge.opened, challenge.seat
        plans = tuple(replace(plan, name=mine.name) if at == seat else plan for at, plan in enumerate(opened.seats))

        def begin(match: Match) -> list[AnyEntry]:
            done = commands.claim(match, seat, mine.name, token, (seat,))
            done += match.add(entries.Dealt(opened.dice)) + match.add(entries.Started())
            return done + end_if_over(match)

        setup = Created(opened.game, plans, False, TURNS, challenge=challenge.name, origin=origin)
        return await self._rooms.create(setup, begin, mine.table)

    # What came of it

    async def results(self, challenge: Challenge, tries: Sequence[Try] = ()) -> list[Result]:
        """What everybody has come to, or just some."""
        wanted = tries or challenge.tries
        known = self._remembered(challenge.name).results
        lengths = await self._rooms.store.lengths([each.table for each in wanted])
        found = []
        for each in wanted:
            length = lengths.get(each.table, 0)
            kept = known.get(each.table)
            if kept is None or kept[0] != length:
                kept = known[each.table] = length, await self._result(each.table, challenge.seat)
            found.append(kept[1])
        return found

    async def _result(self, table: str, seat: int) -> Result:
        log = await self._rooms.store.read_raw(table)
        if len(log) <= SHORT:
            return result_of(table, log, seat)
        return await self._rooms.replays.in_process(result_of, table, log, seat)

    async def column(self, challenge: Challenge, number: int) -> bytes:
        """What a try made of the dice turn by turn, or the best play, which has number 0; `NotReady` says how far that
        is."""
        state = first_state(challenge)
        seat = str(challenge.seat)
        thinkers = self._rooms.thinkers
        if number:
            (result,) = await self.results(challenge, [challenge.tries[number - 1]])
            key, about = (number, result.entries), ("", result.record, seat)
        else:
            opened = challenge.opened
            plans = [f"{plan.name}/{plan.bot}" for plan in opened.seats]
            key, about = (0, 0), ("\n".join(plans), opened.dice, seat)
        columns = self._remembered(challenge.name).columns
        task = columns.get(key)
        if task is None:
            task = columns[key] = asyncio.ensure_future(thinkers.column(state, *about))
            task.add_done_callback(lambda task: _forget_failed(columns, key, task))
        await asyncio.wait((task,), timeout=SOON)
        if not task.done():
            raise NotReady(thinkers.review_share(state, about[1]))
        return task.result()

    # The logs

    def _remembered(self, name: str) -> _Kept:
        kept = self._kept.setdefault(name, _Kept(Challenge(name)))
        self._kept.move_to_end(name)
        if len(self._kept) > KNOWN and not next(iter(self._kept.values())).lock.locked():
            self._kept.popitem(last=False)
        return kept

    async def _read_on(self, challenge: Challenge) -> None:
        """Take in what is new, or open the challenge."""
        while True:
            challenge.read(await self._rooms.store.read_raw(LOG + challenge.name, challenge.number))
            if challenge.number:
                return
            day = days.day_of(challenge.name)
            opening = self._daily(day) if day else await self._after(challenge.name)
            with suppress(Taken):
                await self._write(challenge, *opening)

    async def _write(self, challenge: Challenge, *new: AnyChallengeEntry) -> None:
        at = now()
        bodies = [encode(entry) for entry in new]
        await self._rooms.store.write(LOG + challenge.name, challenge.number + 1, at, bodies)
        for entry in new:
            challenge.apply(entry, at)

    def _daily(self, day: date) -> tuple[AnyChallengeEntry, ...]:
        """The challenge of this day, or of the next one, of which the dice are promised already."""
        since, at = days.beginning(day), now()
        today = days.day_at(at)
        if not today <= day <= today + days.DAY:
            when = "nobody played that day" if day < today else "its dice are promised on the day before"
            raise NoChallenge(f"There is no challenge of {day.isoformat()}: {when}.")
        game = days.game_of(day)
        secret, table, signer = new_secret(), f"{DAILY}{day.isoformat()}", self._rooms.signer
        signed = None
        if signer:
            signed = Statement(at, signer.key, signer.sign(statement(table, commitment(secret), at)))
        dice = TurnDice(table, secret, (), signed).text
        text = game.text(game.make_options({}))
        return (Opened(text, days.seats_of(game), dice, since, days.beginning(day + days.DAY), new_key()),)

    async def _after(self, name: str) -> tuple[AnyChallengeEntry, ...]:
        """The challenge that a table's game is, once that is over."""
        try:
            match = await (await self._rooms.get(name)).settled()
        except NoTable:
            raise NoChallenge("There is no such challenge; look at the link again.") from None
        if match.setup.challenge != FIRST:
            raise NoChallenge("There is no such challenge; look at the link again.")
        if match.status is Status.CLOSED:
            raise NoChallenge("The first game of this challenge was given up, so there is nothing to compare with.")
        if match.status is not Status.OVER:
            raise NoChallenge("This challenge begins once its first game is over; come back in a moment.")
        seat = next(number for number, each in enumerate(match.seats) if each.is_person)
        maker, game = match.seats[seat], match.games[-1]
        plans = tuple(replace(plan, name="") if at == seat else plan for at, plan in enumerate(match.setup.seats))
        until = game.ended + OPEN_DAYS * DAY
        dice = match.revealed().dice
        opened = Opened(match.setup.game, plans, dice, game.ended, until, new_key(), maker.name)
        return opened, Tried(maker.name, match.name, maker.token)


def first_state(challenge: Challenge) -> State:
    """The state in which everybody began."""
    game, options = parse_game(challenge.opened.game)
    state: State = game.start(len(challenge.opened.seats), options)
    return state


def _clean(name: str) -> str:
    """The name of a challenge as somebody may have typed it."""
    if days.day_of(name):
        return name
    try:
        return clean_name(name)
    except NoTable:
        raise NoChallenge("There is no such challenge; look at the link again.") from None


def _forget_failed(
    columns: dict[tuple[int, int], asyncio.Task[bytes]], key: tuple[int, int], task: asyncio.Task[bytes]
) -> None:
    """What went wrong is tried again when it is asked for again."""
    if task.cancelled() or task.exception():
        columns.pop(key, None)
