"""What every event of a game changed, from the values of its states.

Every state has a value for each seat. A roll is judged by what it changed, a move by what it lost against the best one
and gave to the others. Exact values, and those of a model, are asked for state by state, and whatever does not follow
from one to the next is a gap. Sampled values are asked for only where dice are to be rolled: what a decision was worth
follows from what came after it and from what was lost, which is known far better than either.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from math import hypot, sqrt
from typing import Final, TypeVar

from hotdice.dice import Roll
from hotdice.game import CHANCE, OVER, Move, State
from hotdice.solve import evaluator_for
from hotdice.table import Moved, Rolled, Table
from hotdice.values import (
    Evaluation,
    NotInstalled,
    NotSolved,
    Progress,
    Valued,
    Worth,
    actions_in,
    no_progress,
    payoff,
    payoff_unit,
)

USUAL_LENGTH: Final = 1500
"""Events times players of a game whose values are sampled with the usual precision."""

T = TypeVar("T")
Values = tuple[float, ...]
"""What something is worth to each seat."""
Worths = tuple[Worth, ...]


@dataclass(frozen=True, slots=True)
class Judged:
    """What an event changed for each seat."""

    before: Values
    after: Values
    luck: Values
    gifts: Values
    gaps: Values
    """What the value after it differs from what the value before it promised."""
    error: float
    """The largest error of the values."""
    exact: bool
    loss: float = 0.0
    loss_error: float = 0.0


class Judge:
    """Asks for the values of a game, and judges its events by them.

    `run` can be interrupted at any time; `judged` and `found` have what is known by then.
    """

    def __init__(self, table: Table, precision: float | None = None, progress: Progress = no_progress) -> None:
        first = table.before(0)
        self.table = table
        self.evaluator = evaluator_for(first.game, first.options, first.players, progress)
        self.unit = payoff_unit(first)
        self.worths: dict[int, Worths] = {}
        """By number of the state: what it is worth."""
        self.found: dict[int, Evaluation] = {}
        """By number of the decision: what its moves are worth."""
        self._instead: dict[int, Worths] = {}
        """By number of the decision: what the best move leads to, where values are sampled and another was made."""
        self._last = table.played
        self._precision = precision or self._affordable()

    def run(self, progress: Progress = no_progress) -> None:
        """Ask for all values, the certain ones first."""
        self._take_result()
        if self.evaluator.sampled:
            self._sample(progress)
            return
        for at in range(self._last + 1):
            self._ask(at)
            progress((at + 1) / (self._last + 1))

    def judged(self) -> list[Judged | None]:
        """All events; None for those whose values are not known."""
        if self.evaluator.sampled:
            return list(self._judged_backwards())[::-1]
        judged: list[Judged | None] = []
        for at in range(self._last):
            before, after = self.worths.get(at), self.worths.get(at + 1)
            judged.append(None if before is None or after is None else self._judge(at, before, after))
        return judged

    def action(self, at: int) -> Move | Roll:
        """What was done or rolled in the event of that number."""
        event = self.table.event(at)
        return event.move if isinstance(event, Moved) else event.roll

    def line(self, at: int) -> Valued | None:
        """The value of the move that was made in a decision, if it is known."""
        found = self.found.get(at)
        return None if found is None else found.line(self.action(at))

    def decides(self, at: int) -> bool:
        """Whether the event of that number was a choice between several moves."""
        return (
            at < self._last and isinstance(self.table.event(at), Moved) and len(self.table.before(at).legal_moves()) > 1
        )

    # Asking

    def _affordable(self) -> float | None:
        """The precision at which sampled values are had in half a minute: less in long games of many players."""
        usual, _ = self.evaluator.review_precision
        longer = self._last * self.table.state.players / USUAL_LENGTH
        return usual and usual * max(1.0, sqrt(longer))

    def _take_result(self) -> None:
        state = self.table.state
        if state.seat == OVER:
            worths = [Worth(payoff(state, seat), 0.0, self.unit, exact=True) for seat in range(state.players)]
            self.worths[self._last] = tuple(worths)

    def _ask(self, at: int) -> None:
        if at not in self.worths:
            _keep(self.worths, at, lambda: self._worths_of(self.table.before(at)))
        if self.decides(at):
            _keep(self.found, at, lambda: self._evaluate(at))

    def _worths_of(self, state: State) -> Worths | None:
        found = self.evaluator.everybody(state, precision=self._precision)
        return found if found[0].unit is self.unit else None

    def _evaluate(self, at: int) -> Evaluation | None:
        _, usual = self.evaluator.review_precision
        found = self.evaluator.evaluate(self.table.before(at), precision=usual)
        return found if found.unit is self.unit else None

    def _sample(self, progress: Progress) -> None:
        """Ask where values are sampled, for several at a time, as kernels let go of the interpreter."""
        wanted = [at for at in range(self._last + 1) if at not in self.worths and self._is_sampled(at)]
        cores = os.cpu_count() or 1
        going: set[Future[None]] = set()
        pool = ThreadPoolExecutor(cores, "hotdice reviews")
        try:
            for number, at in enumerate(wanted, 1):
                going.add(pool.submit(self._ask_sampled, at))
                if len(going) >= cores or number == len(wanted):
                    done, going = wait(going, return_when=FIRST_COMPLETED)
                    _results(done)
                    progress((number - len(going)) / len(wanted))
            _results(going)
            progress(1.0)
        finally:
            pool.shutdown(cancel_futures=True)

    def _is_sampled(self, at: int) -> bool:
        """Whether a state's value has to be asked for: not if it follows from what came after."""
        return at == self._last or self.decides(at) or self.table.before(at).seat == CHANCE

    def _ask_sampled(self, at: int) -> None:
        if not self.decides(at):
            self._ask(at)
            return
        _keep(self.found, at, lambda: self._evaluate(at))
        found, line = self.found.get(at), self.line(at)
        if found and line and loss_of(line) and isinstance(best := found.lines[0].action, Move):
            _keep(self._instead, at, lambda: self._worths_of(self.table.before(at).apply(best)))

    # Judging

    def _judge(self, at: int, before: Worths, after: Worths) -> Judged:
        """An event by the values before and after it, each of which was asked for."""
        event, first, then = self.table.event(at), values_of(before), values_of(after)
        exact = before[0].exact and after[0].exact
        promised = then if exact else self._promised(at)
        error = max(worth.error for worth in (*before, *after))
        changes, gaps, none = minus(promised, first), minus(then, promised), nothing(first)
        if isinstance(event, Rolled):
            return Judged(first, then, changes, none, gaps, error, exact)
        line = self.line(at)
        loss, loss_error = (loss_of(line), line.behind_error) if line else (0.0, 0.0)
        gifts = with_one(changes, event.seat, 0.0) if exact or loss else none  # what cannot be told apart gives nothing
        gaps = minus(then, with_one(plus(first, gifts), event.seat, first[event.seat] - loss))
        return Judged(first, then, none, gifts, gaps, error, exact, loss, loss_error)

    def _promised(self, at: int) -> Values:
        """What the state before an event says that this event leads to, for each seat."""
        state = self.table.before(at)
        place = list(actions_in(state)).index(self.action(at))
        return tuple(self.evaluator.action_values(state, seat)[place] for seat in range(state.players))

    def _judged_backwards(self) -> Iterator[Judged | None]:
        """Every event by sampled values, the last one first."""
        after = self.worths.get(self._last)
        for at in reversed(range(self._last)):
            judged = None if after is None else self._judge_sampled(at, after)
            yield judged
            before = self.worths.get(at)
            if before is None and judged is not None and after is not None:
                before = tuple(
                    replace(worth, value=value, error=hypot(worth.error, judged.loss_error))
                    for worth, value in zip(after, judged.before, strict=True)
                )
            after = before

    def _judge_sampled(self, at: int, after: Worths) -> Judged | None:
        event, then, before = self.table.event(at), values_of(after), self.worths.get(at)
        error, exact, none = max(worth.error for worth in after), after[0].exact, nothing(values_of(after))
        if isinstance(event, Rolled):
            if before is None:
                return None
            first, exact = values_of(before), exact and before[0].exact
            error = max(error, *(worth.error for worth in before))
            return Judged(first, then, minus(then, first), none, none, error, exact)
        line = self.line(at)
        if line is None:
            return None if self.decides(at) else Judged(then, then, none, none, none, error, exact)
        loss = loss_of(line)
        gifts = none
        if loss and at in self._instead:  # the others share what was lost, which is known better than each one's part
            gifts = with_one(minus(then, values_of(self._instead[at])), event.seat, 0.0)
            more = (loss - sum(gifts)) / (len(gifts) - 1)
            gifts = with_one(tuple(gift + more for gift in gifts), event.seat, 0.0)
        first = with_one(minus(then, gifts), event.seat, then[event.seat] + loss)
        return Judged(
            first, then, none, gifts, none, error, exact and self.found[at].exact, loss, line.behind_error
        )  # fmt: skip


def loss_of(line: Valued) -> float:
    """What a move lost: nothing if it cannot be told from the best one."""
    return 0.0 if line.alike else max(line.behind, 0.0)


def values_of(worths: Worths) -> Values:
    """The values alone."""
    return tuple(worth.value for worth in worths)


def minus(one: Sequence[float], other: Sequence[float]) -> Values:
    """What one is worth more than another, to each seat."""
    return tuple(a - b for a, b in zip(one, other, strict=True))


def plus(one: Sequence[float], other: Sequence[float]) -> Values:
    """The sum, for each seat."""
    return tuple(a + b for a, b in zip(one, other, strict=True))


def nothing(values: Values) -> Values:
    """Zero for each seat."""
    return (0.0,) * len(values)


def with_one(values: Values, seat: int, value: float) -> Values:
    """The same, but for one seat."""
    return (*values[:seat], value, *values[seat + 1 :])


def _keep(known: dict[int, T], at: int, ask: Callable[[], T | None]) -> None:
    """Keep an answer if there is one: some positions have no value."""
    try:
        found = ask()
    except NotInstalled:
        raise
    except NotSolved:
        return
    if found is not None:
        known[at] = found


def _results(done: Iterable[Future[None]]) -> None:
    """Raise what went wrong."""
    for one in done:
        one.result()
