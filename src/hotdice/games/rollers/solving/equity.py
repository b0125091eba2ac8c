"""What the end of a Rollers round is worth: its points, or the chance to win the match.

Where a round ends the match, the chance is exact. Where the match goes on, rounds to come are taken to be alike: who
begins them does not matter, everybody completes first as often, and who completes has the most chips as often as was
measured (`python -m benchmarks.match_rollers --fit`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import exp, sqrt
from typing import Final

import numpy as np

from hotdice.games.rollers.solving.lanes import Floats

ROUNDS: Final = {
    2: (0.857, 0.129, 0.013, 0.001),
    3: (0.683, 0.285, 0.025, 0.007),
    4: (0.531, 0.421, 0.031, 0.017),
    5: (0.404, 0.525, 0.030, 0.041),
}
"""By players: how often the one who completes the board has the most chips, another has, nobody has alone, and another
has while the one who completes has none."""
FAR: Final = 10
"""With up to this many points to go, matches are played out; beyond, the lead decides by its share of the points."""
LEAD: Final = {2: 1.3, 3: 1.15, 4: 0.99, 5: 0.875}
"""By players: by how many roots of the points to go a lead makes the odds of winning e-fold, as it does up to there."""


@dataclass(frozen=True, slots=True)
class Chance:
    """The chance to win a match of the player who begins a round, and its error."""

    value: float
    error: float


Needs = tuple[int, int]
"""The points that the player who begins a round of two has to go, and those that the other has."""
Known = Mapping[Needs, Chance]
Chances = Callable[[tuple[int, ...]], Sequence[float]]
"""The chance of each seat to win a match when the next round begins, by the points that each has to go."""
Stakes = Floats
"""By who completes the board, whether they have chips, and the set of those with the most chips (a bit a seat): what
that is worth to each seat."""


@lru_cache(maxsize=65536)
def chances(needs: tuple[int, ...]) -> tuple[float, ...]:
    """The chance of each player to win a match, by the points that each has to go."""
    order = sorted(range(len(needs)), key=lambda seat: needs[seat])
    found = _chances(tuple(needs[seat] for seat in order))
    return tuple(found[order.index(seat)] for seat in range(len(needs)))


@lru_cache(maxsize=65536)
def _chances(needs: tuple[int, ...]) -> tuple[float, ...]:
    """The same with those first who need fewer."""
    players = len(needs)
    if needs[-1] > FAR:
        scale = LEAD[players] * sqrt(sum(needs) / players)
        weights = [exp((needs[0] - need) / scale) for need in needs]
        return tuple(weight / sum(weights) for weight in weights)
    both, other, nobody, broke = ROUNDS[players]
    total = np.zeros(players)
    for first in range(players):
        total += both * _ended(needs, first, 2, 1 << first, True, chances)
        total += nobody * _ended(needs, first, 2, (1 << players) - 1, False, chances)
        for richest in set(range(players)) - {first}:
            total += other / (players - 1) * _ended(needs, first, 2, 1 << richest, True, chances)
            total += broke / (players - 1) * _ended(needs, first, 1, 1 << richest, True, chances)
    return tuple(float(chance) for chance in total / players)


def _ended(needs: tuple[int, ...], first: int, gain: int, most: int, alone: bool, chances: Chances) -> Floats:
    """The chances after a round that `first` completed, with `most` the set of those with the most chips.

    `alone` says whether one of them, or each of several by the house rule, gets the point for chips; `chances` has how
    the match goes on.
    """
    richest = [seat for seat in range(len(needs)) if most >> seat & 1]
    left = list(needs)
    left[first] -= gain
    for seat in richest if alone else ():
        left[seat] -= 1
    there = [seat for seat, need in enumerate(left) if need <= 0]
    if not there:
        return np.array(chances(tuple(left)))
    # Nobody else can have got there, so the most chips are those of the richest.
    there = [seat for seat in there if seat in richest] or there
    there = [seat for seat in there if left[seat] == min(left[other] for other in there)]
    return np.array([1.0 / len(there) if seat in there else 0.0 for seat in range(len(needs))])


def stakes_of(needs: tuple[int, ...], share: bool, chances: Chances) -> Stakes:
    """The chance of each seat to win the match, by how the round ends; `chances` has how the match goes on."""
    players = len(needs)
    stakes = np.zeros((players, 2, 1 << players, players))
    for first in range(players):
        for most in range(1, 1 << players):
            alone = share or most.bit_count() == 1
            for chips in range(2):
                stakes[first, chips, most] = _ended(needs, first, 1 + chips, most, alone, chances)
    return stakes


@lru_cache(maxsize=16)
def round_stakes(players: int, share: bool) -> Stakes:
    """The points of the round, one's own less the others' on average."""
    stakes = np.zeros((players, 2, 1 << players, players))
    for first in range(players):
        for most in range(1, 1 << players):
            for chips in range(2):
                points = np.zeros(players)
                points[first] += 1 + chips
                if share or most.bit_count() == 1:
                    points += [most >> seat & 1 for seat in range(players)]
                stakes[first, chips, most] = points - (points.sum() - points) / (players - 1)
    return stakes
