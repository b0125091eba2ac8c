"""A game that is over, as its table stood at some moment: folded from its record, as any match is from its log."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from hotdice.record import Record, result_text
from hotdice.server import entries
from hotdice.server.entries import BOT, PERSON, AnyEntry, Created, SeatPlan
from hotdice.server.match.fold import MANUAL, Match, fold
from hotdice.server.refusals import Invalid
from hotdice.table import PERSON as BY_A_PERSON
from hotdice.table import Moved


def stood(name: str, record: Record, played: int) -> Match:
    """The match when so many rolls and moves of a game had been played."""
    if not 0 <= played <= len(record.events):
        raise Invalid(f"The game has {len(record.events)} rolls and moves; there is no number {played}.")
    return fold(name, ((entry, 0) for entry in _log(record, played)))


def _log(record: Record, played: int) -> Iterator[AnyEntry]:
    """The log of a table at which a game was played with real dice, as any roll may then be what it was."""
    plans = (
        SeatPlan(PERSON, seat.name) if seat.kind == BY_A_PERSON else SeatPlan(BOT, seat.name, seat.kind)
        for seat in record.seats
    )
    begun = replace(record, dice=MANUAL, entries=(), result=result_text(None))
    yield Created(record.game.text(record.options), tuple(plans), False, MANUAL, record=begun.text)
    yield entries.Started()
    for event in record.events[:played]:
        if isinstance(event, Moved):
            yield entries.Moved(event.seat, event.move.text)
        else:
            yield entries.Rolled(event.seat, record.game.roll_text(event.roll))
    if played == len(record.events):
        yield entries.Ended(record.result)
