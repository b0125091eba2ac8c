"""The moments that mattered: where luck or a choice changed most in a game that was played.

Every event is judged in the state in which it happened, for the seat that rolled or decided: a roll by its value less
the average of all rolls, a choice by its value less the best one's. Where there are no
values for the options and the number of players, or only sampled ones, which would take minutes, the biggest changes of
the scores are told instead; `unit` says which it was.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from hotdice.record import Record
from hotdice.solve import evaluator_for
from hotdice.solve.words import doing
from hotdice.table import Moved, Rolled, Table
from hotdice.values import Evaluator, NotSolved, Unit
from hotdice.view import named

MOST: Final = 5
LUCK: Final = "luck"
CHOICE: Final = "choice"
SCORE: Final = "points of the score"
"""The unit where scores are compared, as there are no values."""
_SPANS: Final = {unit.value: unit.span for unit in Unit}


@dataclass(frozen=True, slots=True)
class Moment:
    """An event, and what it changed for the seat that rolled or decided."""

    event: int
    """Its number among the events of the game, counted from 0."""
    seat: int
    told: str
    kind: str
    """`luck` or `choice`."""
    swing: float
    """Of luck, the value of the roll less the average of all; of a choice, its value less that of the best, so never
    more than 0. Where scores are compared, what the seat's score changed by."""
    error: float
    """The errors of both values together."""
    unit: str
    better: str = ""
    """The best move, where another one was made."""


def moments(played: Table | Record, most: int = MOST) -> tuple[Moment, ...]:
    """The events with the biggest swings, in the order of play."""
    table = played if isinstance(played, Table) else played.table()
    found = _by_value(table)
    if found is None:
        found = list(_by_score(table))
    found.sort(key=lambda moment: -abs(moment.swing) / _SPANS.get(moment.unit, 1.0))
    return tuple(sorted(found[:most], key=lambda moment: moment.event))


def _by_value(table: Table) -> list[Moment] | None:
    """Every event that changed something, by values; None where there are none that are quick to be had."""
    try:
        state = table.state
        evaluator = evaluator_for(state.game, state.options, state.players)
        return None if evaluator.sampled else list(_valued(table, evaluator))
    except NotSolved:
        return None


def _valued(table: Table, evaluator: Evaluator) -> Iterator[Moment]:
    for index, event in enumerate(table.events):
        found = evaluator.evaluate(table.before(index))
        action = event.roll if isinstance(event, Rolled) else event.move
        line = next(line for line in found.lines if line.action == action)
        error = 2 * max(line.error for line in found.lines)
        swing = line.value - found.value
        if abs(swing) <= evaluator.tie:
            continue
        told, unit = table.tell(index), found.unit.value
        if isinstance(event, Moved):
            better = named(doing(table.before(index), found.lines[0]), table.names)
            yield Moment(index, event.seat, told, CHOICE, swing, error, unit, better)
        else:
            yield Moment(index, event.seat, told, LUCK, swing, error, unit)


def _by_score(table: Table) -> Iterator[Moment]:
    before = table.before(0).scores
    for index, event in enumerate(table.events):
        after = table.before(index + 1).scores
        swing = after[event.seat] - before[event.seat]
        if swing:
            kind = CHOICE if isinstance(event, Moved) else LUCK
            yield Moment(index, event.seat, table.tell(index), kind, float(swing), 0.0, SCORE)
        before = after
