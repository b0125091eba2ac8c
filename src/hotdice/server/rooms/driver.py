"""Who acts when no person does: bots in their seats, stand-ins for those who are away, and clocks that run out.

Besides, games that go on without a player begin by themselves, what is being decided is settled once nobody is left to
wait for, and games without end are given up.
"""

from __future__ import annotations

import asyncio
import logging
import math
from contextlib import suppress
from secrets import randbits
from typing import TYPE_CHECKING, Final

from hotdice.errors import HotdiceError
from hotdice.game import CHANCE
from hotdice.server.entries import AnyEntry
from hotdice.server.match import commands, company, dealing
from hotdice.server.match.fold import HARD, OFF, Match, Status
from hotdice.server.match.seats import Deal
from hotdice.server.queues import asking
from hotdice.server.refusals import Stale
from hotdice.server.rooms.clock import now
from hotdice.server.wire import MOST_GRACE

if TYPE_CHECKING:
    from hotdice.server.rooms.room import Room

AWAY_SECONDS: Final = 60.0
"""Seconds after which somebody who is away is played for, where the table has no clock."""
DEFER_SECONDS: Final = 2.0
"""Seconds that the bots of a table are left to the node where it was last played."""
ANSWER_SECONDS: Final = 15.0
"""Seconds that bots wait for an answer to somebody who wants to take a choice back."""
DEAL_SECONDS: Final = 3.0
"""Seconds that those who are here get to seal a string for the dice, and then again to reveal it."""
PAUSE: Final = 500
"""Milliseconds between two tries to see to such things."""
MOST_ROLLS: Final = 64
"""The most rolls that a bot makes before others see them."""
logger: Final = logging.getLogger("hotdice")


class Driver:
    """Keeps one table going."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._bots: asyncio.Task[None] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._grace_until = 0
        self._chores: asyncio.TimerHandle | None = None
        self._tried = 0
        """When there was last something to see to, in milliseconds."""

    @property
    def busy(self) -> bool:
        """Whether bots are playing."""
        return self._bots is not None and not self._bots.done()

    def deadline(self) -> int | None:
        """When a bot takes over from whoever is to act; None if none will."""
        match = self._room.match
        actor = match.actor
        if actor is None or not match.stand_in or match.seats[actor].acting_bot:
            return None
        if match.manual and match.rolls:
            return None  # no bot can roll real dice
        clock = match.setup.clock
        if clock.kind == HARD:
            return match.state_since + 1000 * clock.seconds  # whoever goes away gains nothing by it
        presence = self._room.presence
        if actor in presence.everywhere():
            return None
        seconds = AWAY_SECONDS if clock.kind == OFF else clock.seconds
        return max(match.state_since, presence.away_since(actor)) + int(1000 * seconds)

    def go_on(self) -> None:
        """See to it that whoever is to act next does."""
        if self._timer:
            self._timer.cancel()
            self._timer = None
        self._plan_chores()
        room, match = self._room, self._room.match
        actor = match.actor
        if actor is None or room.gone or company.is_outdated(match, room.restored):  # that goes on when somebody comes
            return
        if match.seats[actor].acting_bot:
            self._start_bots_in(DEFER_SECONDS if room.foreign else self._pause())
        elif match.stand_in and room.presence.guests and (due := self.deadline()) is not None:
            wait = max(0.0, (due - now()) / 1000) + (DEFER_SECONDS if room.foreign else 0.0)
            self._timer = asyncio.get_running_loop().call_later(wait, self._time_up)

    def wait(self, milliseconds: int) -> None:
        """Have bots leave time to take the last choice back."""
        self._grace_until = now() + milliseconds

    def _pause(self) -> float:
        """Seconds that bots have to wait, as somebody may take a choice back, or has asked for it."""
        match = self._room.match
        if match.asked is not None:
            return _left(match.touched + 1000 * ANSWER_SECONDS, ANSWER_SECONDS)
        if match.undoable() is None:
            return 0.0
        return _left(self._grace_until, MOST_GRACE / 1000)

    def _plan_chores(self) -> None:
        """See to it that a game goes on without a player, and that what is being decided is settled."""
        if self._chores:
            self._chores.cancel()
            self._chores = None
        due = self._chores_due()
        if due is not None:
            due = max(due, self._tried + PAUSE)  # what cannot be done now is tried again, but not at once
            wait = max(0.0, (due - now()) / 1000) + (DEFER_SECONDS if self._room.foreign else 0.0)
            self._chores = asyncio.get_running_loop().call_later(wait, self._do_chores)

    def _chores_due(self) -> int | None:
        """When there may be something to see to, in milliseconds."""
        match, presence = self._room.match, self._room.presence
        if match.deal:
            return self._deal_due(match, match.deal)
        if self._plays_alone(match):
            return match.touched
        if match.position is not None:
            return match.touched
        if _is_endless(match):
            return match.touched
        if match.proposal is None or not presence.guests:
            return None
        if company.is_agreed(match, presence.attendance(match)):  # as somebody ceased to be waited for just now
            return now()
        wait = presence.wait(match)
        return None if wait is None else now() + math.ceil(1000 * wait)

    def _deal_due(self, match: Match, deal: Deal) -> int:
        """When nobody is waited for any longer who has not sealed or revealed a string for the dice."""
        missing = dealing.missing(match, self._room.attendance().here)
        return (deal.fixed or deal.since) + int(1000 * DEAL_SECONDS) if missing else match.touched

    def _plays_alone(self, match: Match) -> bool:
        """Whether a game of bots needs new dice, as a backup was restored; other games get them when somebody comes."""
        return company.is_outdated(match, self._room.restored) and not any(seat.is_held for seat in match.seats)

    def _do_chores(self) -> None:
        self._room.spawn(self._see_to_it())

    async def _see_to_it(self) -> None:
        def act(match: Match) -> list[AnyEntry]:
            attendance = self._room.attendance()
            if self._plays_alone(match) or (match.deal and company.is_outdated(match, self._room.restored)):
                return company.redraw(match, self._room.restored)
            if match.deal:
                late = self._deal_due(match, match.deal) <= match.now
                return dealing.go_on(match, attendance.here, late=late)
            if match.position is not None:
                return commands.start(match, self._room.dealer(), attendance.here)
            if _is_endless(match):
                return commands.close(match, "it went on for too long.")
            return company.settle(match, attendance)

        self._tried = now()
        with suppress(HotdiceError):
            await self._room.do(act)
        self._room.announce()  # for some, there is nobody left to wait for

    def _time_up(self) -> None:
        self._room.spawn(self._take_over())

    async def _take_over(self) -> None:
        """The clock has run out: a bot plays for whoever is away, or decides once for whoever is slow."""
        match = self._room.match
        actor, number = match.actor, match.state_number
        due = self.deadline()
        if actor is None or due is None or due > now():
            self.go_on()
            return
        with suppress(HotdiceError):
            if actor in self._room.presence.everywhere():
                await self._act_for(actor, match.stand_in, once=True)
            else:
                await self._room.do(
                    lambda match: commands.stand_in(match, actor) if match.state_number == number else []
                )

    def _start_bots_in(self, seconds: float) -> None:
        if seconds:
            self._timer = asyncio.get_running_loop().call_later(seconds, self._start_bots)
        else:
            self._start_bots()

    def _start_bots(self) -> None:
        if not self.busy:
            self._bots = self._room.spawn(self._play_bots())

    async def _play_bots(self) -> None:
        """Play for bots until a person is to act."""
        room = self._room
        asking.set(room.match.setup.origin)
        while (
            not room.gone and (actor := room.match.actor) is not None and (kind := room.match.seats[actor].acting_bot)
        ):
            if room.match.manual and room.match.rolls:
                return
            if pause := self._pause():
                self._start_bots_in(pause)
                return
            try:
                await self._act_for(actor, kind)
            except Stale:
                if room.foreign:  # the bots are another node's for now
                    self.go_on()
                    return
            except HotdiceError as error:
                logger.warning("The bot “%s” cannot go on at table %s: %s", kind, room.match.name, error)
                await asyncio.sleep(DEFER_SECONDS)

    async def _act_for(self, seat: int, kind: str, *, once: bool = False) -> None:
        """Have a bot act for a seat: decide, and roll as long as the dice are the seat's, unless it is to act once."""
        room = self._room
        table, number = room.match.table, room.match.state_number
        if table is None:
            return
        state = table.state
        one_step = once or bool(room.presence.guests)  # who watches sees every state, not only where a turn led to
        drawn = room.match.bot_seed()
        seed = randbits(32) if drawn is None else drawn
        move, by = ("", kind) if state.seat == CHANCE else await room.thinkers.choose(kind, state, seed)

        def act(match: Match) -> list[AnyEntry]:
            if not once and not match.seats[seat].acting_bot:
                return []  # they came back meanwhile
            done = commands.move(match, seat, move, by=by) if move else []
            for _ in range(MOST_ROLLS):
                if match.manual or match.actor != seat or not match.rolls or (one_step and done):
                    break
                done += commands.roll(match, seat, by=by)
            return done

        await room.do(act, number)


def _left(until: float, most: float) -> float:
    """Seconds until a time; none if that is further off than it can be, because the clock was set back."""
    seconds = (until - now()) / 1000
    return seconds if 0 < seconds <= most else 0.0


def _is_endless(match: Match) -> bool:
    """Whether a game goes on that nobody wants to end."""
    return match.status is Status.PLAYING and match.number >= commands.ENDLESS
