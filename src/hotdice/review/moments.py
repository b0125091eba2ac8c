"""The moments that mattered: the turns in which luck or a choice changed most in a game that was played.

A turn has the luck of its rolls and the losses of its choices for the seat that had it, and whichever is larger is
told, unless it lies within its error. Where there are no values for the options and the number of players, or only
sampled ones, which take long, turns are told by what they changed in the scores; `unit` says which it was.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from hotdice.review.report import CHOICE, LUCK, MOVE, EventReport, Moment
from hotdice.table import Moved, Table

MOST: Final = 5
SCORE: Final = "points of the score"
"""The unit where scores are compared, as there are no values."""
ROUNDING: Final = 1e-9
"""A change that is no larger is none."""


def moments_by_value(table: Table, events: Sequence[EventReport], unit: str, most: int = MOST) -> tuple[Moment, ...]:
    """The last turn, if it changed anything, and those with the biggest swings, in the order of play."""
    found = [moment for turn in table.turns() for moment in _told(table, [events[at] for at in turn], unit)]
    return _greatest(table, found, most)


def moments_by_score(table: Table, most: int = MOST) -> tuple[Moment, ...]:
    """The same, by what turns changed in the score of the seat that had them."""
    return _greatest(table, list(_by_score(table)), most)


def _greatest(table: Table, found: list[Moment], most: int) -> tuple[Moment, ...]:
    found.sort(key=lambda moment: (moment.last < table.played - 1, -abs(moment.swing)))  # the last turn decided
    return tuple(sorted(found[:most], key=lambda moment: moment.event))


def _told(table: Table, turn: Sequence[EventReport], unit: str) -> Iterator[Moment]:
    """A turn as a moment, if it changed anything."""
    judged = [one for one in turn if one.judged]
    changes = {LUCK: {}, CHOICE: {}}  # type: dict[str, dict[int, float]]
    for one in judged:
        changes[CHOICE if one.kind == MOVE else LUCK][one.event] = one.luck[one.seat] - one.loss
    kind = max(changes, key=lambda kind: abs(sum(changes[kind].values())))
    swing = sum(changes[kind].values())
    error = 2 * max((one.error for one in judged), default=0.0)
    if abs(swing) <= max(error, ROUNDING):
        return
    at = max(changes[kind], key=lambda event: changes[kind][event] * (1 if swing > 0 else -1))
    first, last = turn[0].event, turn[-1].event
    event = next(one for one in turn if one.event == at)
    better = next((one.doing for one in event.alternatives if one.text == event.best), "") if event.loss else ""
    yield Moment(first, last, at, event.seat, _sentences(table, first, last, at), kind, swing, error, unit, better)


def _sentences(table: Table, first: int, last: int, event: int) -> str:
    """The roll or choice that changed most, with the dice that a choice was about, and how the turn ended."""
    told = [event] if event == last else [event, last]
    if isinstance(table.event(event), Moved) and event > first:
        told.insert(0, event - 1)
    return " ".join(table.tell(index) for index in told)


def _by_score(table: Table) -> Iterator[Moment]:
    for turn in table.turns():
        seat = table.event(turn[0]).seat
        scores = [table.before(index).scores[seat] for index in (*turn, turn[-1] + 1)]
        changes = {index: after - before for index, before, after in zip(turn, scores, scores[1:], strict=False)}
        if swing := scores[-1] - scores[0]:
            event = max(turn, key=lambda index: abs(changes[index]))
            kind = CHOICE if isinstance(table.event(event), Moved) else LUCK
            told = _sentences(table, turn[0], event, event)
            yield Moment(turn[0], turn[-1], event, seat, told, kind, float(swing), 0.0, SCORE)
