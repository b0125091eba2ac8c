"""Who acts when no person does: bots in their seats, stand-ins for those who are away, and clocks that run out."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from hotdice.errors import HotdiceError
from hotdice.game import CHANCE
from hotdice.server.entries import AnyEntry
from hotdice.server.match import commands
from hotdice.server.match.fold import HARD, OFF, Match
from hotdice.server.refusals import Stale
from hotdice.server.rooms.clock import now

if TYPE_CHECKING:
    from hotdice.server.rooms.room import Room

AWAY_SECONDS: Final = 60.0
"""Seconds after which somebody who is away is played for, where the table has no clock."""
DEFER_SECONDS: Final = 2.0
"""Seconds that the bots of a table are left to the node where it was last played."""
MOST_ROLLS: Final = 64
"""The most rolls that a bot makes before others see them."""
logger: Final = logging.getLogger("hotdice")


class Driver:
    """Keeps one table going."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._bots: asyncio.Task[None] | None = None
        self._timer: asyncio.TimerHandle | None = None

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
        presence = self._room.presence
        if actor in presence.everywhere():
            return match.state_since + 1000 * clock.seconds if clock.kind == HARD else None
        seconds = AWAY_SECONDS if clock.kind == OFF else clock.seconds
        return max(match.state_since, presence.away_since(actor)) + int(1000 * seconds)

    def go_on(self) -> None:
        """See to it that whoever is to act next does."""
        if self._timer:
            self._timer.cancel()
            self._timer = None
        room, match = self._room, self._room.match
        actor = match.actor
        if actor is None:
            return
        if match.seats[actor].acting_bot:
            if room.foreign:
                self._timer = asyncio.get_running_loop().call_later(DEFER_SECONDS, self._start_bots)
            else:
                self._start_bots()
        elif match.stand_in and room.presence.guests and (due := self.deadline()) is not None:
            wait = max(0.0, (due - now()) / 1000) + (DEFER_SECONDS if room.foreign else 0.0)
            self._timer = asyncio.get_running_loop().call_later(wait, self._time_up)

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

    def _start_bots(self) -> None:
        if not self.busy:
            self._bots = self._room.spawn(self._play_bots())

    async def _play_bots(self) -> None:
        """Play for bots until a person is to act."""
        room = self._room
        while (actor := room.match.actor) is not None and (kind := room.match.seats[actor].acting_bot):
            if room.match.manual and room.match.rolls:
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
        move, by = ("", kind) if state.seat == CHANCE else await room.thinkers.choose(kind, state)

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
