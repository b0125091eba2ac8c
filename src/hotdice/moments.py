"""The moments that mattered: the turns in which luck or a choice changed most in a game that was played.

Every event is judged in the state in which it happened, for the seat that rolled or decided: a roll by its value less
the average of all rolls, a choice by its value less the best one's. A turn has the sum of its rolls and that of its
choices, and whichever is larger is told, unless it lies within its error. All moments of a game are in one unit: in
chances to win, where some turns have them. Where there are no values for the options and the number of players, or
only sampled ones, which would take minutes, turns are told by what they changed in the scores; `unit` says which it
was.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from hotdice.game import CHANCE
from hotdice.record import Record
from hotdice.review.report import CHOICE, LUCK, Moment
from hotdice.solve import evaluator_for
from hotdice.solve.words import doing
from hotdice.table import Moved, Rolled, Table
from hotdice.values import Evaluator, NotSolved, Unit
from hotdice.view import named

MOST: Final = 5
SCORE: Final = "points of the score"
"""The unit where scores are compared, as there are no values."""


def moments(played: Table | Record, most: int = MOST) -> tuple[Moment, ...]:
    """The last turn, if it changed anything, and those with the biggest swings, in the order of play."""
    table = played if isinstance(played, Table) else played.table()
    found = _by_value(table)
    if found is None:
        found = list(_by_score(table))
    found.sort(key=lambda moment: (moment.last < table.played - 1, -abs(moment.swing)))  # the last turn decided
    return tuple(sorted(found[:most], key=lambda moment: moment.event))


def turns(table: Table) -> Iterator[range]:
    """The numbers of the events of each turn: what a seat does until another turn, penalty or round begins."""
    first = 0
    events = table.events
    for index, event in enumerate(events):
        state = table.before(index)
        if index > first and (event.seat != events[first].seat or (state.seat == CHANCE and state.fresh)):
            yield range(first, index)
            first = index
    if events:
        yield range(first, len(events))


# By value


@dataclass(frozen=True, slots=True)
class _Judged:
    """An event, and what it changed."""

    event: int
    kind: str
    swing: float
    error: float
    unit: Unit
    better: str


def _by_value(table: Table) -> list[Moment] | None:
    """Every turn that changed something, by values; None where there are none that are quick to be had."""
    try:
        state = table.state
        evaluator = evaluator_for(state.game, state.options, state.players)
        if evaluator.sampled:
            return None
        found = [moment for turn in turns(table) for moment in _told(table, evaluator, turn)]
    except NotSolved:
        return None
    units = {moment.unit for moment in found}
    unit = Unit.WIN.value if Unit.WIN.value in units else max(units, default="")
    return [moment for moment in found if moment.unit == unit and abs(moment.swing) > moment.error]


def _told(table: Table, evaluator: Evaluator, turn: range) -> Iterator[Moment]:
    """A turn as a moment, if it changed anything."""
    judged = [_judge(table, evaluator, index) for index in turn]
    luck, choice = ([one for one in judged if one.kind == kind] for kind in (LUCK, CHOICE))
    decisive = max((luck, choice), key=lambda ones: abs(_sum(ones)))
    swing = _sum(decisive)
    if abs(swing) <= evaluator.tie:
        return
    key = max(decisive, key=lambda one: one.swing if swing > 0 else -one.swing)
    error = max(one.error for one in judged)
    told = _sentences(table, turn, key.event)
    yield Moment(
        turn[0], turn[-1], key.event, table.events[key.event].seat, told, key.kind, swing, error, key.unit.value,
        key.better,
    )  # fmt: skip


def _sum(judged: Iterable[_Judged]) -> float:
    return sum(one.swing for one in judged)


def _judge(table: Table, evaluator: Evaluator, index: int) -> _Judged:
    event, state = table.events[index], table.before(index)
    found = evaluator.evaluate(state)
    action = event.roll if isinstance(event, Rolled) else event.move
    line = found.line(action)
    swing, error = line.value - found.value, 2 * max(line.error for line in found.lines)
    if isinstance(event, Rolled):
        return _Judged(index, LUCK, swing, error, found.unit, "")
    better = named(doing(state, found.lines[0]), table.names) if swing < -evaluator.tie else ""
    return _Judged(index, CHOICE, swing, error, found.unit, better)


def _sentences(table: Table, turn: range, event: int) -> str:
    """The roll or choice that changed most, with the dice that a choice was about, and how the turn ended."""
    told = [event] if event == turn[-1] else [event, turn[-1]]
    if isinstance(table.events[event], Moved) and event > turn[0]:
        told.insert(0, event - 1)
    return " ".join(table.tell(index) for index in told)


# By score


def _by_score(table: Table) -> Iterator[Moment]:
    for turn in turns(table):
        seat = table.events[turn[0]].seat
        scores = [table.before(index).scores[seat] for index in (*turn, turn[-1] + 1)]
        changes = {index: after - before for index, before, after in zip(turn, scores, scores[1:], strict=False)}
        if swing := scores[-1] - scores[0]:
            event = max(turn, key=lambda index: abs(changes[index]))
            kind = CHOICE if isinstance(table.events[event], Moved) else LUCK
            told = _sentences(table, range(turn[0], event + 1), event)
            yield Moment(turn[0], turn[-1], event, seat, told, kind, float(swing), 0.0, SCORE)
