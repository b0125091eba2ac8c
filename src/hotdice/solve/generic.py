"""Values of any game, from nothing but its `State`: the solver of games that have none of their own.

For one and two players, `Positions` numbers the positions that can follow from given ones and encloses the value of
each between two bounds. A bound starts at the lowest or the highest value there can be and moves only towards the other
one, by the equation of the game: a seat takes its best move, dice take the average. Positions are explored outwards,
but not beyond one whose bounds have met, so a turn total that may grow for ever is cut where it no longer matters. What
was not explored keeps its first bounds: whatever it is worth, the values of the others lie between theirs.

For two players a value is the first seat's share of the win, so the second seat takes the lowest; for one it is the
score at the end. `docs/solving.md` has the proof. With more players, or more positions than are explored in a few
seconds, values come from `playouts`.
"""

from __future__ import annotations

import os
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import replace
from hashlib import sha256
from math import inf
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from hotdice.game import CHANCE, OVER, Game, State
from hotdice.options import Options
from hotdice.solve.jit import kernel
from hotdice.solve.playouts import Playouts
from hotdice.solve.rollouts import Following
from hotdice.values import (
    Evaluation,
    Evaluator,
    NotSolved,
    Progress,
    Solver,
    Summary,
    Unit,
    Worth,
    no_progress,
    owner,
    payoff,
)

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

MOST: Final = 1_000_000
"""Moves and rolls that are tried to solve a game from its start; they are what exploring costs."""
MOST_NEARBY: Final = 20_000
"""Moves and rolls that are tried to solve a single position."""
CLOSED: Final = 1e-10
"""A position is solved when its bounds are this close."""
GOOD: Final = 1e-5
"""Values with a proven error of no more than this count as exact, if exploring further would take too long."""
SWEEPS: Final = 1000
"""Sweeps over all positions before the bounds are taken as they are."""
ROUGHLY: Final = 1e-6
"""While positions are still being explored, bounds that move by less are left for later."""
ROUND: Final = 1000
"""Moves and rolls that are tried, at the least, before the bounds are looked at."""
ROUNDING: Final = 2.0**-52
"""Twice the relative error of one rounding, so as to cover the slack's own."""


@kernel
def _narrow(
    positions: Ints,
    seats: Ints,
    ends: Ints,
    targets: Ints,
    chances: Floats,
    low: Floats,
    high: Floats,
    close: float,
    still: float,
) -> None:
    """Move the bounds of explored positions together until they are close or lie still.

    Arrays go by the order of exploring: each position's number, who decides there, and where its successors end among
    all of them. Bounds go by the position's number. The positions explored last come first, as values flow from the
    end of a game to its beginning. Averages are rounded outwards: one of n terms is off by no more than n + 1 roundings
    of the largest.
    """
    for _ in range(SWEEPS):
        furthest = 0.0
        for at in range(positions.size - 1, -1, -1):
            here = positions[at]
            if high[here] - low[here] <= close:
                continue
            first, last = ends[at], ends[at + 1]
            if seats[at] == CHANCE:
                lower = upper = largest = 0.0
                for edge in range(first, last):
                    below, above = low[targets[edge]], high[targets[edge]]
                    lower += chances[edge] * below
                    upper += chances[edge] * above
                    largest = max(largest, abs(below), abs(above))
                slack = (last - first + 1) * ROUNDING * largest
                lower, upper = lower - slack, upper + slack
            elif seats[at] == 0:
                lower = upper = -np.inf
                for edge in range(first, last):
                    lower, upper = max(lower, low[targets[edge]]), max(upper, high[targets[edge]])
            else:
                lower = upper = np.inf
                for edge in range(first, last):
                    lower, upper = min(lower, low[targets[edge]]), min(upper, high[targets[edge]])
            if lower > low[here]:
                furthest = max(furthest, lower - low[here])
                low[here] = lower
            if upper < high[here]:
                furthest = max(furthest, high[here] - upper)
                high[here] = upper
        if furthest <= still:
            return


@kernel
def _unexplored(
    roots: Ints,
    seats: Ints,
    ends: Ints,
    targets: Ints,
    order: Ints,
    low: Floats,
    high: Floats,
    close: float,
) -> Ints:
    """The unexplored positions that the bounds of the roots depend on, the nearest first.

    They are reached through positions that are not closed, by rolls and by moves that may be the best.
    """
    queue = np.empty(low.size, np.int64)
    seen = np.zeros(low.size, np.bool_)
    found = np.empty(low.size, np.int64)
    head = tail = count = 0
    for root in roots:
        if not seen[root]:
            seen[root] = True
            queue[tail] = root
            tail += 1
    while head < tail:
        here = queue[head]
        head += 1
        if high[here] - low[here] <= close:
            continue
        at = order[here]
        if at < 0:
            found[count] = here
            count += 1
            continue
        for edge in range(ends[at], ends[at + 1]):
            target = targets[edge]
            hopeless = (seats[at] == 0 and high[target] < low[here]) or (seats[at] == 1 and low[target] > high[here])
            if not (seen[target] or hopeless):
                seen[target] = True
                queue[tail] = target
                tail += 1
    return found[:count]


class Positions:
    """Positions of a game for one or two players, with a lower and an upper bound on the value of each."""

    def __init__(self, players: int) -> None:
        self.players = players
        self._extremes = (0.0, 1.0) if players == 2 else (-inf, inf)
        self._numbers: dict[State, int] = {}
        self._states: list[State] = []
        self._tried = 0
        self._low, self._high = array("d"), array("d")
        self._order = array("q")  # by position: its place in the order of exploring, or -1
        self._explored, self._seats, self._ends = array("q"), array("q"), array("q", (0,))
        self._targets, self._chances = array("q"), array("d")

    def __len__(self) -> int:
        return len(self._states)

    @property
    def states(self) -> Sequence[State]:
        """Every position there is so far."""
        return self._states

    @property
    def checksum(self) -> str:
        """A checksum of all bounds."""
        return sha256(self._low.tobytes() + self._high.tobytes()).hexdigest()

    def bounds(self, state: State) -> tuple[float, float]:
        """The lowest and the highest that a position may be worth to the first seat."""
        number = self._number(state)
        return self._low[number], self._high[number]

    def enclose(self, states: Iterable[State], most: int, progress: Progress = no_progress) -> bool:
        """Explore from some positions until their bounds are close, trying `most` moves and rolls.

        Whether the bounds are good: met, or too close for the rest to matter.
        """
        roots = np.array([number for number in map(self._number, states) if not self._closed(number, CLOSED)], np.int64)
        first = self._tried
        while roots.size:
            waiting = self._waiting(roots)
            if not waiting or self._tried - first >= most:
                break
            self._explore(waiting, min(most - (self._tried - first), max(ROUND, self._tried // 2)))
            self._narrow(ROUGHLY)
            progress(min(0.99, (self._tried - first) / most))
        if roots.size:
            self._limit_points()
            self._narrow(0.0)
        return all(self._closed(number, 2 * GOOD) for number in roots.tolist())

    def _closed(self, number: int, close: float) -> bool:
        return self._high[number] - self._low[number] <= close

    def _number(self, state: State) -> int:
        """The number of a position, which is taken in if it is new."""
        number = self._numbers.get(state)
        if number is None:
            number = self._numbers[state] = len(self._states)
            self._states.append(state)
            low, high = self._extremes
            if state.seat == OVER:
                low = high = payoff(state, 0)
            self._low.append(low)
            self._high.append(high)
            self._order.append(-1)
        return number

    def _waiting(self, roots: Ints) -> list[int]:
        """The positions to explore next. A score has no bound before all of them are explored."""
        if self.players == 1:
            return [at for at, order in enumerate(self._order) if order < 0 and self._states[at].seat != OVER]
        found = _unexplored(
            roots,
            np.array(self._seats),
            np.array(self._ends),
            np.array(self._targets),
            np.array(self._order),
            np.array(self._low),
            np.array(self._high),
            CLOSED,
        )
        return [int(number) for number in found]

    def _explore(self, queue: list[int], most: int) -> None:
        """Explore positions, and those that follow from them, trying `most` moves and rolls."""
        last = self._tried + most
        for number in queue:
            known = len(self._states)
            self._expand(number)
            queue.extend(new for new in range(known, len(self._states)) if self._states[new].seat != OVER)
            if self._tried >= last:
                return

    def _expand(self, number: int) -> None:
        """Find what follows from a position. Rolls and moves that come to the same are one."""
        state = self._states[number]
        weights: dict[int, int] = {}
        if state.seat == CHANCE:
            outcomes = state.outcomes()
            for roll, weight in zip(outcomes.rolls, outcomes.weights, strict=True):
                after = self._number(state.roll(roll))
                weights[after] = weights.get(after, 0) + weight
            self._tried += len(outcomes)
        else:
            moves = state.legal_moves()
            weights = {self._number(state.apply(move)): 1 for move in moves}
            self._tried += len(moves)
        total = sum(weights.values())
        self._targets.extend(weights)
        self._chances.extend(weight / total for weight in weights.values())
        self._order[number] = len(self._explored)
        self._explored.append(number)
        self._seats.append(state.seat)
        self._ends.append(len(self._targets))

    def _narrow(self, still: float) -> None:
        # Copies, as an array cannot grow while anybody has a view of it, and a function keeps what it was compiled for.
        low, high = np.array(self._low), np.array(self._high)
        _narrow(
            np.array(self._explored),
            np.array(self._seats),
            np.array(self._ends),
            np.array(self._targets),
            np.array(self._chances),
            low,
            high,
            CLOSED / 10,
            still,
        )
        self._keep(low, high)

    def _keep(self, low: Floats, high: Floats) -> None:
        self._low, self._high = array("d", low.tobytes()), array("d", high.tobytes())

    def _limit_points(self) -> None:
        """Once every position is explored, no score is beyond those at the ends of the game."""
        if self.players == 1 and not self._waiting(np.empty(0, np.int64)):
            ends = [payoff(state, 0) for state in self._states if state.seat == OVER]
            low, high = np.array(self._low), np.array(self._high)
            self._keep(np.maximum(low, min(ends, default=-inf)), np.minimum(high, max(ends, default=inf)))


class GenericEvaluator(Evaluator):
    """Exact values where few enough positions follow, for one and two players; playouts elsewhere."""

    review_precision = Playouts.review_precision

    def __init__(self, start: State, progress: Progress = no_progress) -> None:
        self.players = start.players
        self.unit = Unit.POINTS if start.players == 1 else Unit.WIN
        self.positions = Positions(start.players)
        self.exact = start.players <= 2 and self.positions.enclose([start], MOST, progress)
        self.sampled = not self.exact
        self._playouts = Playouts(self.unit)
        if self.exact:
            low, high = self.positions.bounds(start)
            self.error = (high - low) / 2
            self.tie = max(self.tie, high - low)

    def expected(self, state: State, seat: int) -> float:
        return self.value(state, seat).value

    def value(self, state: State, seat: int, *, seed: int | None = None, precision: float | None = None) -> Worth:
        if state.seat == OVER:
            return super().value(state, seat)
        positions = self._enclosed([state])
        if positions is None:
            return self._playouts.value(state, seat, seed=seed, precision=precision)
        return Worth(*self._middle(positions, state, seat), self.unit, exact=True)

    def everybody(self, state: State, *, seed: int | None = None, precision: float | None = None) -> tuple[Worth, ...]:
        if state.seat == OVER or self._enclosed([state]):
            return super().everybody(state)
        return self._playouts.everybody(state, seed=seed, precision=precision)

    def evaluate(self, state: State, *, seed: int | None = None, precision: float | None = None) -> Evaluation:
        following = Following.of(state)
        positions = self._enclosed(following.different)
        if positions is None:
            return self._playouts.evaluate(state, seed=seed, precision=precision)
        middles = [self._middle(positions, after, owner(state)) for after in following.different]
        values, errors = zip(*(middles[place] for place in following.places), strict=True)
        return replace(self.evaluation(state, values, errors), exact=True)

    def _enclosed(self, states: Sequence[State]) -> Positions | None:
        """Positions with good bounds on some, if few enough follow from them."""
        if self.players > 2:
            return None
        # Where the game is too large, its end may not be.
        positions = self.positions if self.exact else Positions(self.players)
        return positions if positions.enclose(states, MOST_NEARBY) else None

    def _middle(self, positions: Positions, state: State, seat: int) -> tuple[float, float]:
        """The middle of a position's bounds, for a seat, and how far that can be off."""
        low, high = positions.bounds(state)
        if seat == 1:
            low, high = 1.0 - high, 1.0 - low
        return (low + high) / 2, (high - low) / 2


class GenericSolver(Solver):
    """Values of a game that has no solver of its own, or none for these options or this number of players."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.headlines = (game.min_players,)

    def evaluator(self, options: Any, players: int, progress: Progress = no_progress) -> Evaluator:
        return GenericEvaluator(self.game.start(players, options), progress)

    def summary(self, options: Options, progress: Progress = no_progress) -> Summary:
        """For the fewest players that the game takes, as `Game.start` has it."""
        start = self.game.start(options=options)
        title = self.game.title
        if start.players > 2:
            raise NotSolved(f"{title} takes at least {start.players} players; only games for one or two are solved.")
        before = os.times()
        found = GenericEvaluator(start, progress)
        after = os.times()
        if not found.exact:
            raise NotSolved(f"{title} has too many positions to be solved; its moves are valued by playing on.")
        cpu = after.user + after.system - before.user - before.system
        value = found.expected(start, start.roller)
        positions = found.positions
        return Summary(start.players, found.unit, value, found.error, len(positions), round(cpu, 3), positions.checksum)
