"""Multisets of dice, numbered, with the edges that lead from one to the next.

What a keep of k dice is worth is the mean of the keeps of k + 1 dice that one more die can make of it, and the best
keep of a roll is found by dropping one die at a time. So two short lists of edges do the work of all keeps times all
rolls, and no multinomial is needed. Generic in the number of dice and in the faces; solvers hand `edges` to kernels.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement
from math import factorial, prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hotdice.dice import Roll


class Edges(NamedTuple):
    """The lattice as arrays, for kernels. Multisets are numbered by their number of dice, then in ascending order."""

    more: NDArray[np.int64]
    """[multiset of fewer than all dice, face]: the multiset with one more die of that face."""
    fewer: NDArray[np.int64]
    """The multisets with one die less, each once; those of multiset m stand from `first[m]` to `first[m + 1]`."""
    first: NDArray[np.int64]
    chance: NDArray[np.float64]
    """The chance of each roll of all dice."""


@dataclass(frozen=True, slots=True, eq=False)
class Multisets:
    """All multisets of up to `dice` dice."""

    dice: int
    faces: tuple[int, ...]
    all: tuple[Roll, ...]
    number: Mapping[Roll, int]
    """Each multiset's number, which is its index in `all`."""
    keeps: int
    """How many hold fewer than all dice; the rolls of all dice are numbered from here."""
    edges: Edges

    @property
    def rolls(self) -> tuple[Roll, ...]:
        """The rolls of all dice, in ascending order."""
        return self.all[self.keeps :]


@cache
def multisets(dice: int, faces: tuple[int, ...] = (1, 2, 3, 4, 5, 6)) -> Multisets:
    """The multisets of up to `dice` dice with these faces, which are given in ascending order."""
    every = tuple(roll for count in range(dice + 1) for roll in combinations_with_replacement(faces, count))
    number = {roll: index for index, roll in enumerate(every)}
    keeps = sum(len(roll) < dice for roll in every)
    more = [[number[tuple(sorted((*roll, face)))] for face in faces] for roll in every[:keeps]]
    fewer = [[number[_without(roll, face)] for face in sorted(set(roll))] for roll in every]
    ways = [factorial(dice) // prod(factorial(roll.count(face)) for face in faces) for roll in every[keeps:]]
    edges = Edges(
        more=np.array(more, np.int64).reshape(keeps, len(faces)),
        fewer=np.array([one for row in fewer for one in row], np.int64),
        first=np.cumsum([0, *map(len, fewer)], dtype=np.int64),
        chance=np.array(ways, np.float64) / len(faces) ** dice,
    )
    return Multisets(dice, faces, every, number, keeps, edges)


def _without(roll: Sequence[int], face: int) -> Roll:
    rest = list(roll)
    rest.remove(face)
    return tuple(rest)
