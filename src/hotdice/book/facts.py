"""From a record to the book: one replay finds all that the book keeps of a game.

Everything is taken from what every game offers: scores, turns, rolls, standings, and whether the dice are hot.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Final

from hotdice.book.played import CONTINUED, HERE, PROGRAM, RECORDED, SAME, TYPED, Played, Sitting
from hotdice.dice import ManualDice, RecordedDice
from hotdice.fair import SameDice, SeededSameDice
from hotdice.game import State
from hotdice.record import Record
from hotdice.table import PERSON, Event, Moved, Rolled
from hotdice.view import Standing

_DICE: Final = {
    ManualDice.text: TYPED,
    RecordedDice.text: RECORDED,
    SameDice.kind: SAME,
    SeededSameDice.kind: SAME,
}


@dataclass(slots=True)
class _Tally:
    """What is counted for a seat."""

    turns: int = 0
    best_turn: int = 0
    hot: int = 0
    faces: Counter[int] = field(default_factory=Counter)


def facts(
    record: Record, *, name: str, ended: int, origin: str = HERE, given_up: bool = False, stood_in: Collection[int] = ()
) -> Played:  # fmt: skip
    """What the book keeps of a game that is over; `name` says where its record is."""
    states = record.replay()
    tallies = [_Tally() for _ in record.seats]
    _count_rolls(record, tallies)
    _count_turns(record.events, states, tallies)
    result = states[-1].result
    standings: dict[int, Standing] = {standing.seat: standing for standing in result.standings} if result else {}
    return Played(
        id=name,
        game=record.game.name,
        options=record.options.text,
        ended=ended,
        seats=tuple(
            Sitting(
                name=seat.name,
                bot="" if seat.kind == PERSON else seat.kind,
                score=states[-1].scores[number],
                place=standings[number].place if result else 0,
                amount=standings[number].amount if result else 0,
                stood_in=number in stood_in,
                turns=tally.turns,
                best_turn=tally.best_turn,
                hot=tally.hot,
                faces=dict(sorted(tally.faces.items())),
            )
            for number, (seat, tally) in enumerate(zip(record.seats, tallies, strict=True))
        ),
        dice=_DICE.get(record.dice.partition(" ")[0], PROGRAM) if origin == HERE else RECORDED,
        origin=CONTINUED if origin == HERE and record.start else origin,
        given_up=given_up or result is None,
        rolls=sum(isinstance(event, Rolled) for event in record.events),
        text=hashlib.sha256(record.text.encode()).hexdigest()[:32],
    )


def _count_rolls(record: Record, tallies: list[_Tally]) -> None:
    for event in record.events:
        if isinstance(event, Rolled):
            tallies[event.seat].faces.update(event.roll)


def _count_turns(events: tuple[Event, ...], states: tuple[State, ...], tallies: list[_Tally]) -> None:
    """A turn is what one seat does until another one does something, or until the game says that a turn begins."""
    seat, score = -1, 0
    for number, event in enumerate(events):
        before, after = states[number], states[number + 1]
        if event.seat != seat or (isinstance(event, Rolled) and before.fresh):
            seat, score = event.seat, before.scores[event.seat]
            tallies[seat].turns += 1
        tally = tallies[seat]
        tally.best_turn = max(tally.best_turn, after.scores[seat] - score)
        if after.hot and not (isinstance(event, Moved) and before.hot):
            tally.hot += 1
