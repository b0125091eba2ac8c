"""A game that is over, as its table stood at some moment: folded from its record, as any match is from its log. And
records that go on from such a moment."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from hotdice.dice import RecordedDice
from hotdice.game import OVER, State
from hotdice.record import Record, RecordedSeat, parse_record, record_of, result_text
from hotdice.server import entries
from hotdice.server.entries import BOT, PERSON, AnyEntry, Created, SeatPlan
from hotdice.server.match.fold import MANUAL, Match, fold
from hotdice.server.match.setup import check_bot
from hotdice.server.refusals import Illegal, Invalid
from hotdice.table import PERSON as BY_A_PERSON
from hotdice.table import Moved, Seat, Table


def stood(name: str, record: Record, played: int) -> Match:
    """The match when so many rolls and moves of a game had been played."""
    _check(record, played)
    return fold(name, ((entry, 0) for entry in log_of(record, played)))


def state_at(record: Record, played: int) -> State:
    """The state when so many rolls and moves of a game had been played."""
    _check(record, played)
    return record.replay()[played]


def going_on(text: str, played: int, seat: int, bot: str) -> str:
    """A record that begins where that many rolls and moves of another one had been played, to go on with against bots
    in one of its seats, counted from 0."""
    check_bot(bot)
    record = parse_record(text)
    state = state_at(record, played)
    if state.seat == OVER:
        raise Illegal("The game is over there; go back to a moment before its end to play on from it.")
    if seat >= len(record.seats):
        raise Invalid(f"The game has {len(record.seats)} seats; there is no seat {seat + 1}.")
    seats = [Seat(one.name) for one in record.seats]
    begun = record_of(Table(state, seats, RecordedDice(())), record.day)
    kinds = (BY_A_PERSON if number == seat else bot for number in range(len(seats)))
    players = tuple(RecordedSeat(one.name, kind) for one, kind in zip(record.seats, kinds, strict=True))
    return replace(begun, seats=players).text


def _check(record: Record, played: int) -> None:
    if not 0 <= played <= len(record.events):
        raise Invalid(f"The game has {len(record.events)} rolls and moves; there is no number {played}.")


def log_of(record: Record, played: int) -> Iterator[AnyEntry]:
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
