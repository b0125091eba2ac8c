"""Score sheets as arrays, for kernels: any game in which one box is filled a turn, with rolls again and a bonus.

A box set is a mask of filled boxes. The points come from `rules.box_scores`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hotdice.games.kismet.rules import BASIC, BONUSES, DICE, ROLLS, Box, bonus, box_scores
from hotdice.solve.multisets import multisets

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

TOP: Final = BONUSES[0][0]
"""Basic sums from here on are alike."""
FIVE: Final = multisets(DICE)


class Sheet(NamedTuple):
    """A score sheet as arrays. Points and gains are never negative, and a higher sum never has a lower bonus."""

    rolls: int
    """Rolls a turn."""
    writes: Ints
    """[box]: the bits of a mask that an entry sets. The box is vacant while none of them is."""
    kind: Ints
    """[mask]: which of the tables of points and of legal boxes hold."""
    points: Floats
    """[kind, roll, box]: what an entry adds to the total."""
    gain: Ints
    """[roll, box]: what it adds to the sum."""
    legal: Ints
    """[kind, roll, group]: sets of boxes; the first set with a vacant box holds the legal ones."""
    scoring: Ints
    """[kind, roll]: the boxes in which the roll scores anything."""
    zero: int
    """The set of boxes that a zero can be written in with any roll that is not restricted."""
    bonus: Floats
    """[sum]: the bonus of a full sheet. Sums stop at its end."""
    lanes: Ints
    """[mask]: one more than the highest sum that the filled boxes can have."""
    marked: Floats
    """[roll]: 1 for the rolls whose number is to be expected: ending a turn with one of them counts."""


def make_sheet(
    *,
    rolls: int,
    points: ArrayLike,
    gain: ArrayLike,
    bonus: ArrayLike,
    marked: ArrayLike,
    writes: Sequence[int] | None = None,
    kind: ArrayLike | None = None,
    legal: ArrayLike | None = None,
    zero: int | None = None,
) -> Sheet:
    """A sheet for the kernel; without the last four, every box is one bit and any roll may go into any vacant box."""
    points = np.atleast_3d(np.asarray(points, np.float64))
    gain = np.asarray(gain, np.int64)
    bonus = np.asarray(bonus, np.float64)
    kinds, rows, boxes = points.shape
    every = (1 << boxes) - 1
    bits = np.array([1 << box for box in range(boxes)] if writes is None else writes, np.int64)
    masks = np.arange(1 << int(bits.max()).bit_length())
    highest = sum((masks & own == own) * gain[:, box].max() for box, own in enumerate(bits))
    scoring = (((points > 0) | (gain > 0)) << np.arange(boxes)).sum(axis=2)
    return Sheet(
        rolls=rolls,
        writes=bits,
        kind=np.zeros(len(masks), np.int64) if kind is None else np.asarray(kind, np.int64),
        points=points,
        gain=gain,
        legal=np.full((kinds, rows, 1), every) if legal is None else np.asarray(legal, np.int64),
        scoring=scoring,
        zero=every if zero is None else zero,
        bonus=bonus,
        lanes=1 + np.minimum(highest, len(bonus) - 1),
        marked=np.asarray(marked, np.float64),
    )


@cache
def kismet_sheet(kismet_is_full_house: bool) -> Sheet:
    """The sheet of Kismet, as the rules score it."""
    points = np.array([box_scores(dice, kismet_is_full_house) for dice in FIVE.rolls])
    return make_sheet(
        rolls=ROLLS,
        points=points[np.newaxis],
        gain=np.where(np.arange(len(Box)) < len(BASIC), points, 0),
        bonus=[bonus(basic) for basic in range(TOP + 1)],
        marked=[dice[0] == dice[-1] for dice in FIVE.rolls],
    )
