"""Score sheets as arrays, for kernels: any game in which one box is filled a turn, with rolls again and a bonus.

A box set is a mask of filled boxes. The points come from `rules.box_scores`.

Not every sum has to be solved. A sum that the filled boxes cannot have is left out. And two sums of a box set are alike
if whatever the vacant boxes can still add raises their bonus by the same: then the points to come of one are those of
the other, plus the difference of the bonuses that they have now, under every play. Proof: the points to come are
entries, which do not ask for the sum, plus `bonus[sum + added]`, which is `bonus[sum]` plus a raise that is the same
for both. So a box set has one lane for all sums that are alike. Kismet has 2,588,672 pairs of a box set and a sum, of
which 1,543,680 can be reached, in 961,536 lanes.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, Final, NamedTuple

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
    entry: Ints
    """[roll, box]: the number of that box with that gain among all such pairs; without a gain it is that of the box."""
    entry_box: Ints
    entry_gain: Ints
    group: Ints
    """[mask]: which of the following tables hold; it depends on the filled boxes that add to the sum."""
    lanes: Ints
    """[group]: how many lanes there are."""
    sums: Ints
    """[group, lane]: the lowest sum of a lane."""
    lane: Ints
    """[group, sum]: the lane of a sum; -1 if the filled boxes cannot have it."""
    extra: Floats
    """[group, sum]: how much higher the bonus of a sum is than that of the lowest in its lane."""
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
    scoring = (((points > 0) | (gain > 0)) << np.arange(boxes)).sum(axis=2)
    pairs = [(box, 0) for box in range(boxes)]
    pairs += [(box, int(more)) for box in range(boxes) for more in np.unique(gain[:, box]) if more]
    group, lanes = _lanes(bits, gain, bonus, masks)
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
        marked=np.asarray(marked, np.float64),
        entry=np.array([[pairs.index((box, more)) for box, more in enumerate(row)] for row in gain.tolist()], np.int64),
        entry_box=np.array([box for box, _ in pairs], np.int64),
        entry_gain=np.array([more for _, more in pairs], np.int64),
        group=group,
        **_lane_tables(lanes, bonus),
    )


def _lanes(bits: Ints, gain: Ints, bonus: Floats, masks: Ints) -> tuple[Ints, list[list[list[int]]]]:
    """The group of each mask, and for each group the sums of each lane."""
    end = len(bonus) - 1
    adding = [box for box in range(len(bits)) if gain[:, box].any()]
    filled = sum((masks & bits[box] == bits[box]) << place for place, box in enumerate(adding))
    lanes = []
    for group in range(1 << len(adding)):
        reached, to_come = {0}, {0}
        for place, box in enumerate(adding):
            gains = {0, *gain[:, box].tolist()}
            if group >> place & 1:
                reached = {min(one + more, end) for one in reached for more in gains}
            else:
                to_come = {min(one + more, end) for one in to_come for more in gains}
        alike: dict[tuple[float, ...], list[int]] = {}
        for one in sorted(reached):
            raises = tuple(bonus[min(one + more, end)] - bonus[one] for more in sorted(to_come))
            alike.setdefault(raises, []).append(one)
        lanes.append(list(alike.values()))
    return filled + np.zeros(len(masks), np.int64), lanes


def _lane_tables(lanes: list[list[list[int]]], bonus: Floats) -> dict[str, Any]:
    """The lanes of all groups as the arrays of a `Sheet`."""
    count = np.array([len(group) for group in lanes])
    sums = np.zeros((len(lanes), count.max()), np.int64)
    lane = np.full((len(lanes), len(bonus)), -1)
    extra = np.zeros((len(lanes), len(bonus)))
    for number, group in enumerate(lanes):
        for place, alike in enumerate(group):
            sums[number, place] = alike[0]
            lane[number, alike] = place
            extra[number, alike] = bonus[alike] - bonus[alike[0]]
    return {"lanes": count, "sums": sums, "lane": lane, "extra": extra}


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
