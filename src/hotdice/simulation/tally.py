"""What many games come to: sums that are whole numbers, so that they are the same in whatever order games were added.

A win that is shared counts in equal parts. Figures come with their standard errors, and intervals are those of 95%.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import lcm, sqrt
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from hotdice.solve.batches import Columns

PARTS: Final = lcm(*range(1, 9))
"""A win counts so many parts, which eight players can share and any fewer."""
TWO_SIDED: Final = 1.959963984540054
"""Standard errors either way that leave out a twentieth of a normal distribution."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean, its standard error, and between what it lies in 95% of all cases."""

    mean: float
    """The estimate."""
    error: float
    """One standard error of it."""
    low: float
    """Where the 95% interval begins."""
    high: float
    """Where it ends."""


@dataclass(slots=True)
class Sums:
    """How many numbers there were, their sum and the sum of their squares."""

    count: int = 0
    total: int = 0
    squares: int = 0

    def add(self, numbers: NDArray[np.integer]) -> None:
        wide = numbers.astype(np.int64)
        self.count += len(wide)
        self.total += int(wide.sum())
        self.squares += int((wide * wide).sum())

    def merge(self, other: Sums) -> None:
        self.count += other.count
        self.total += other.total
        self.squares += other.squares

    def interval(self, scale: int = 1) -> Interval:
        """The mean of the numbers over `scale`. Where all are equal its error is taken to be one in their count."""
        if not self.count:
            return Interval(0.0, 0.0, 0.0, 0.0)
        mean = self.total / self.count / scale
        spread = (self.squares * self.count - self.total * self.total) / (self.count * max(self.count - 1, 1))
        error = sqrt(spread / self.count) / scale if spread else 1 / self.count / scale
        return Interval(mean, error, mean - TWO_SIDED * error, mean + TWO_SIDED * error)

    def share(self) -> Interval:
        """The mean of shares of a win, with Wilson's interval, which never leaves 0 to 1."""
        found = self.interval(PARTS)
        count, mean, square = self.count, found.mean, TWO_SIDED * TWO_SIDED
        if not count:
            return found
        middle = (mean + square / (2 * count)) / (1 + square / count)
        half = TWO_SIDED / (1 + square / count) * sqrt(mean * (1 - mean) / count + square / (4 * count * count))
        return Interval(mean, found.error, max(0.0, middle - half), min(1.0, middle + half))


@dataclass(slots=True)
class Distribution:
    """How often each whole number came."""

    counts: Counter[int] = field(default_factory=Counter)

    def add(self, numbers: NDArray[np.integer]) -> None:
        low = int(numbers.min())
        counts = np.bincount(numbers - low)
        self.counts.update({low + int(at): int(counts[at]) for at in np.flatnonzero(counts)})

    def quantiles(self, shares: Sequence[float]) -> tuple[int, ...]:
        """The least numbers that at least such shares of all do not exceed."""
        found, total, so_far = [], sum(self.counts.values()), 0
        wanted = list(shares)
        for value in sorted(self.counts):
            so_far += self.counts[value]
            while wanted and so_far >= wanted[0] * total:
                found.append(value)
                wanted.pop(0)
        return tuple(found)


@dataclass(slots=True)
class Tally:
    """What games with the same players came to."""

    wins: list[Sums]
    scores: list[Sums]
    score_counts: list[Distribution]
    turns: Sums
    turn_counts: Distribution
    rolls: Sums
    counts: list[list[Sums]]
    """[statistic][seat]."""

    @classmethod
    def empty(cls, players: int, statistics: int) -> Self:
        seats = range(players)
        return cls(
            [Sums() for _ in seats], [Sums() for _ in seats], [Distribution() for _ in seats],
            Sums(), Distribution(), Sums(), [[Sums() for _ in seats] for _ in range(statistics)],
        )  # fmt: skip

    @classmethod
    def of(cls, columns: Columns) -> Self:
        players, statistics = columns.scores.shape[1], columns.counts.shape[1]
        made, shares = cls.empty(players, statistics), shares_of(columns)
        for seat in range(players):
            made.wins[seat].add(shares[:, seat])
            made.scores[seat].add(columns.scores[:, seat])
            made.score_counts[seat].add(columns.scores[:, seat])
            for statistic in range(statistics):
                made.counts[statistic][seat].add(columns.counts[:, statistic, seat])
        made.turns.add(columns.turns)
        made.turn_counts.add(columns.turns)
        made.rolls.add(columns.rolls)
        return made

    @property
    def games(self) -> int:
        return self.turns.count

    @property
    def error(self) -> float:
        """The largest standard error of a chance to win; of one player alone, that of the score."""
        if len(self.wins) == 1:
            return self.scores[0].interval().error
        return max(seat.share().error for seat in self.wins)

    def merge(self, other: Tally) -> None:
        """Add the games of another."""
        for mine, theirs in _pairs(self, other):
            mine.merge(theirs)
        for own, others in zip(
            (*self.score_counts, self.turn_counts), (*other.score_counts, other.turn_counts), strict=True
        ):
            own.counts.update(others.counts)


def _pairs(one: Tally, other: Tally) -> Iterable[tuple[Sums, Sums]]:
    def sums(tally: Tally) -> list[Sums]:
        return [*tally.wins, *tally.scores, tally.turns, tally.rolls, *(sums for row in tally.counts for sums in row)]

    return zip(sums(one), sums(other), strict=True)


def shares_of(columns: Columns) -> NDArray[np.int64]:
    """[game, seat]: each seat's share of the win, in parts."""
    seats = np.arange(columns.scores.shape[1])
    won = (columns.winners[:, None] >> seats) & 1
    together = won.sum(1)
    parts: NDArray[np.int64] = won.astype(np.int64) * (PARTS // np.maximum(together, 1))[:, None]
    return parts


@dataclass(slots=True)
class Differences:
    """How games with one difference came out otherwise, game by game on the same dice."""

    wins: list[Sums]
    scores: list[Sums]
    turns: Sums

    @classmethod
    def empty(cls, players: int) -> Self:
        return cls([Sums() for _ in range(players)], [Sums() for _ in range(players)], Sums())

    @classmethod
    def of(cls, one: Columns, other: Columns) -> Self:
        """The second less the first."""
        made, shares = cls.empty(one.scores.shape[1]), shares_of(other) - shares_of(one)
        for seat, (wins, scores) in enumerate(zip(made.wins, made.scores, strict=True)):
            wins.add(shares[:, seat])
            scores.add(other.scores[:, seat].astype(np.int64) - one.scores[:, seat])
        made.turns.add(other.turns.astype(np.int64) - one.turns)
        return made

    def merge(self, other: Differences) -> None:
        mine, theirs = [*self.wins, *self.scores, self.turns], [*other.wins, *other.scores, other.turns]
        for one, another in zip(mine, theirs, strict=True):
            one.merge(another)
