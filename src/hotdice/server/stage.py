"""A table that only a page sees: a recorded game, or a part of one, as the messages that a table would send about it.

Lessons and practice are played on such tables. None is set up for them, and nothing is kept here.
"""

from __future__ import annotations

from dataclasses import replace

from msgspec import Raw, structs

from hotdice.game import OVER
from hotdice.record import Record, result_text
from hotdice.server import entries, wire
from hotdice.server.entries import BOT, LOCAL, AnyEntry, Created, SeatPlan
from hotdice.server.match.fold import FAIR, MANUAL, Match
from hotdice.server.rooms.presence import Presence
from hotdice.server.rooms.views import Views
from hotdice.table import PERSON, Event, Moved


class Stage:
    """A table at which the game of a record is played, as far as its `play` is told to."""

    def __init__(self, record: Record, name: str) -> None:
        """The one seat of a person is that of whoever looks at the page, by that name unless another player has it."""
        taken = [seat.name for seat in record.seats if seat.kind != PERSON]
        plans = tuple(
            SeatPlan(LOCAL, name if name and name not in taken else seat.name)
            if seat.kind == PERSON
            else SeatPlan(BOT, seat.name, seat.kind)
            for seat in record.seats
        )
        begun = replace(record, entries=(), lines=(), result=result_text(None)).text if record.start else ""
        self._person = next(number for number, seat in enumerate(record.seats) if seat.kind == PERSON)
        self._match = Match("stage")
        self._views = Views()
        self._add(Created(record.game.text(record.options), plans, False, MANUAL, record=begun))
        self._add(entries.Started())
        self._present = Presence.of_all(self._match.seats)

    def welcome(self) -> wire.Welcome:
        """The table as it is now, for the person."""
        welcome = self._views.welcome(self._match, (self._person,), 0, self._present, None)
        # The dice have fallen, or fall as is written, and nobody types them in.
        return structs.replace(welcome, dice=FAIR, manual=False, state=structs.replace(welcome.state, undo=None))

    def play(self, event: Event) -> list[Raw]:
        """Have something happen, as the entries that tell it."""
        if isinstance(event, Moved):
            return self._add(entries.Moved(event.seat, event.move.text), event)
        return self._add(entries.Rolled(event.seat, self._match.game.roll_text(event.roll)), event)

    def update(self, event: Event) -> wire.Update:
        """Have something happen, as the message that tells it."""
        told = self.play(event)
        state = self._match.playing().table.state
        if state.seat == OVER:
            told += self._add(entries.Ended(result_text(state.result)))
        return wire.Update(told, structs.replace(self._views.state(self._match, self._present, None), undo=None))

    def _add(self, entry: AnyEntry, event: Event | None = None) -> list[Raw]:
        self._match.apply(entry, 0, event)
        return self._match.history[-1:]
