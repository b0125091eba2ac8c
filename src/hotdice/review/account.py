"""The account of a game: every event with what it changed, and what that adds up to for every seat."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import sqrt
from typing import Final

from hotdice.game import OVER, Move, State
from hotdice.record import Record
from hotdice.review.judging import Judge, Judged, loss_of
from hotdice.review.levels import levels_of
from hotdice.review.moments import MOST, moments_by_score, moments_by_value
from hotdice.review.report import (
    BEST,
    MOMENTS,
    MOVE,
    QUALITIES,
    ROLL,
    Alternative,
    EventReport,
    Moment,
    Report,
    SeatReport,
)
from hotdice.solve import evaluator_for
from hotdice.solve.words import action_text, doing
from hotdice.table import Rolled, Table
from hotdice.values import Evaluation, NotSolved, Progress, Valued, no_progress
from hotdice.view import named

SHOWN: Final = 8
"""How many alternatives a report has of a decision, beside the move that was made."""
NOTHING: Final = 1e-9
"""Where random moves would lose no more, all in all, there is nothing to be accurate about."""


def review(played: Table | Record, progress: Progress = no_progress, precision: float | None = None) -> Report:
    """The account of a game, as far as it was played; `NotSolved` if the game has no values here.

    Where values are sampled, those of states are precise to a standard error of `precision`, or to the usual one; that
    takes from seconds to minutes. A `Record` that does not hold is refused by a `RecordError`.
    """
    work = Review(played, precision)
    work.run(progress)
    return work.report()


def moments(played: Table | Record, most: int = MOST) -> tuple[Moment, ...]:
    """The turns that mattered most in a game, `most` of them at the most, in the order of play.

    They go by what luck or choices changed in the values. Where a game has none that are quick to be had, they go by
    what turns changed in the scores; `Moment.unit` says which it was.
    """
    table = played if isinstance(played, Table) else played.table()
    state = table.before(0)
    try:
        if not evaluator_for(state.game, state.options, state.players).sampled:
            work = Review(table)
            work.run()
            return work.report(most).moments
    except NotSolved:
        pass
    return moments_by_score(table, most)


class Review:
    """A review under way: `run` can be interrupted at any time, and `report` says what is done by then."""

    def __init__(
        self, played: Table | Record, precision: float | None = None, progress: Progress = no_progress
    ) -> None:
        """Tables are loaded or solved here, which `progress` hears of."""
        self.table = played if isinstance(played, Table) else played.table()
        self._kinds = [seat.kind for seat in played.seats]
        self._judge = Judge(self.table, precision, progress)
        first = self.table.before(0)
        self._levels = levels_of(first.game, first.players)

    def run(self, progress: Progress = no_progress) -> None:
        """Judge all events."""
        self._judge.run(progress)

    @property
    def sampled(self) -> bool:
        """Whether values are found by rollouts, which takes a while."""
        return self._judge.evaluator.sampled

    @property
    def unexplained(self) -> bool:
        """Whether the reasons of some losses are known only after `Solver.solve_prospects`."""
        judge = self._judge
        lost = [at for at in judge.found if (line := judge.line(at)) is not None and loss_of(line)]
        return any(not judge.evaluator.explains(self.table.before(at)) for at in lost)

    def report(self, most: int = MOMENTS) -> Report:
        """The account of what is judged so far, with the moments that mattered most."""
        first, judged = self.table.before(0), self._judge.judged()
        turns = [number for number, turn in enumerate(self.table.turns()) for _ in turn]
        events = [self._event(at, turns[at], one) for at, one in enumerate(judged)]
        known = [one for one in events if one.judged]
        unit = self._judge.unit.value
        return Report(
            game=first.game.name,
            options=first.options.text,
            players=first.players,
            unit=unit,
            finished=self.table.state.seat == OVER,
            exact=all(one.exact for one in events),
            error=max((one.error for one in known), default=0.0),
            done=len(known) / len(events) if events else 1.0,
            seats=tuple(self._seat(seat, judged, events) for seat in range(first.players)),
            events=tuple(events),
            moments=moments_by_value(self.table, events, unit, most),
        )

    def _event(self, at: int, turn: int, judged: Judged | None) -> EventReport:
        event, state = self.table.event(at), self.table.before(at)
        rolled = isinstance(event, Rolled)
        said = EventReport(
            event=at,
            seat=event.seat,
            kind=ROLL if rolled else MOVE,
            turn=turn,
            text=state.game.roll_text(event.roll) if isinstance(event, Rolled) else event.move.text,
            told=self.table.tell(at),
            position=state.position,
            choices=0 if rolled else len(state.legal_moves()),
        )
        if judged is None:
            return said
        valued = replace(
            said,
            judged=True,
            exact=judged.exact,
            error=judged.error,
            before=judged.before,
            after=judged.after,
            luck=judged.luck,
            loss=judged.loss,
            loss_error=judged.loss_error,
            gifts=judged.gifts,
        )
        found, line = self._judge.found.get(at), self._judge.line(at)
        return valued if found is None or line is None else self._with_choice(valued, found, line)

    def _with_choice(self, said: EventReport, found: Evaluation, made: Valued) -> EventReport:
        """A decision, with what could have been done instead."""
        state, lost = self.table.before(said.event), loss_of(made)
        shown = found.lines[:SHOWN] if made in found.lines[:SHOWN] else (*found.lines[:SHOWN], made)
        explained = (made, shown[0]) if lost else ()
        return replace(
            said,
            at_stake=sum(map(loss_of, found.lines)) / len(found.lines),
            quality=self._levels.quality(lost) if lost else BEST,
            best=action_text(state, found.lines[0]) if lost else said.text,
            alternatives=tuple(self._alternative(state, line, explained=line in explained) for line in shown),
        )

    def _alternative(self, state: State, line: Valued, *, explained: bool) -> Alternative:
        evaluator, names, move = self._judge.evaluator, self.table.names, line.action
        explains = explained and isinstance(move, Move) and evaluator.explains(state)
        found = evaluator.prospects(state, move) if explains and isinstance(move, Move) else ()
        return Alternative(
            text=action_text(state, line),
            doing=named(doing(state, line), names),
            value=line.value,
            error=line.error,
            behind=line.behind,
            behind_error=line.behind_error,
            tied=line.alike,
            prospects=tuple(replace(one, words=named(one.words, names)) for one in found),
        )

    def _seat(self, seat: int, judged: Sequence[Judged | None], events: Sequence[EventReport]) -> SeatReport:
        known, decided = [one for one in events if one.judged], _decided(events, seat)
        worths = self._judge.worths
        start = known[0].before[seat] if known else worths[0][seat].value if 0 in worths else 0.0
        end = worths.get(len(events))
        result = end[seat].value if end else known[-1].after[seat] if known else start
        luck, gifts = sum(one.luck[seat] for one in known), sum(one.gifts[seat] for one in known)
        losses, at_stake = sum(one.loss for one in decided), sum(one.at_stake for one in decided)
        accuracy = max(0.0, 100.0 * (1.0 - losses / at_stake)) if at_stake > NOTHING else None
        return SeatReport(
            seat=seat,
            name=self.table.names[seat],
            kind=self._kinds[seat],
            start=start,
            result=result,
            luck=luck,
            losses=losses,
            gifts=gifts,
            remainder=result - (start + luck - losses + gifts),
            remainder_error=0.0 if all(one.exact for one in events) else self._spread(seat, judged),
            luck_adjusted=start - losses + gifts,
            decisions=len(decided),
            average_loss=losses / len(decided) if decided else 0.0,
            accuracy=accuracy,
            qualities={quality: sum(one.quality == quality for one in decided) for quality in QUALITIES},
            rating=None if accuracy is None else self._levels.rating(accuracy),
            points_luck=self._points_luck(seat),
        )

    def _spread(self, seat: int, judged: Sequence[Judged | None]) -> float:
        """How far estimates may leave the account from adding up: gaps, losses and the first value, in quadrature."""
        known = [one for one in judged if one is not None]
        parts = [part for one in known for part in (one.gaps[seat], one.loss_error if one.loss else 0.0)]
        first = self._judge.worths.get(0) if self._judge.evaluator.sampled else None
        return sqrt(sum(part**2 for part in parts) + (first[seat].error ** 2 if first else 0.0))

    def _points_luck(self, seat: int) -> float | None:
        """What a seat's own rolls changed in the points that it could expect."""
        points = self._judge.evaluator.points
        total = 0.0
        for at, event in enumerate(self.table.events):
            if isinstance(event, Rolled) and event.seat == seat:
                before, after = points(self.table.before(at), seat), points(self.table.before(at + 1), seat)
                if before is None or after is None:
                    return None
                total += after - before
        return None if points(self.table.state, seat) is None else total


def _decided(events: Sequence[EventReport], seat: int) -> list[EventReport]:
    """The decisions of a seat that are judged."""
    return [one for one in events if one.seat == seat and one.quality]
