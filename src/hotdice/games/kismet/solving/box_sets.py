"""Compiled loops over all box sets with all basic sums: what each is worth, and what else its best play brings.

A score sheet is data here (`Sheet`), so the same loops solve any game of this family. Vectors run along the lanes of a
box set, which stand for its sums.
"""

from __future__ import annotations

import numpy as np

from hotdice.games.kismet.solving.sheets import Floats, Ints, Sheet
from hotdice.solve.jit import fast_kernel, kernel
from hotdice.solve.multisets import Edges

TILE = 48
"""Lanes worked on at a time: 462 rows of them stay in the second-level cache."""
NEVER = -1e300
"""Less than any value; no infinity, which the compiler may assume away."""
LESS = -1.0
"""Less than any value, too, and near enough to the values not to cost digits in a difference."""
MARGIN = 1e-9
"""Choices that differ by no more than this count as equal when a policy is followed."""


# The lattice of keeps. In `x`, a row is a multiset of dice and a column is a lane.


@fast_kernel
def _average_keeps(x: Floats, more: Ints, lanes: int) -> None:
    """Each keep becomes the mean of the six that one more die makes of it; the rows of whole rolls are given."""
    for row in range(len(more) - 1, -1, -1):
        a, b, c, d, e, f = more[row, 0], more[row, 1], more[row, 2], more[row, 3], more[row, 4], more[row, 5]
        for lane in range(lanes):
            x[row, lane] = ((x[a, lane] + x[b, lane]) + (x[c, lane] + x[d, lane]) + (x[e, lane] + x[f, lane])) * (1 / 6)


@fast_kernel
def _raise_to_best_keep(x: Floats, fewer: Ints, first: Ints, lanes: int) -> None:
    """Each multiset becomes the best of itself and of all that is left after dropping dice from it."""
    for row in range(1, len(x)):
        at, end = first[row], first[row + 1]
        while at + 1 < end:  # two at a time halves the traffic on the row itself
            a, b = fewer[at], fewer[at + 1]
            for lane in range(lanes):
                x[row, lane] = max(x[row, lane], x[a, lane], x[b, lane])
            at += 2
        if at < end:
            a = fewer[at]
            for lane in range(lanes):
                x[row, lane] = max(x[row, lane], x[a, lane])


@fast_kernel
def _copy(source: Floats, start: int, target: Floats, at: int, rows: int, columns: int) -> None:
    for row in range(rows):
        for column in range(columns):
            target[at + row, column] = source[start + row, column]


@fast_kernel
def _fill(x: Floats, row: int, value: float, columns: int) -> None:
    for column in range(columns):
        x[row, column] = value


# Entries


@fast_kernel
def legal_boxes(sheet: Sheet, mask: int, kind: int, roll: int) -> int:
    """The boxes that a roll may be entered in, as a set of bits."""
    for group in range(sheet.legal.shape[2]):
        boxes = 0
        for box in range(len(sheet.writes)):
            if sheet.legal[kind, roll, group] >> box & 1 and sheet.writes[box] & mask == 0:
                boxes |= 1 << box
        if boxes:
            return boxes
    return 0


@fast_kernel
def _gather(table: Floats, sheet: Sheet, mask: int, out: Floats) -> None:
    """What a table holds for the sums that entries lead to, in `out[entry, lane]`."""
    end = len(sheet.bonus) - 1
    group = sheet.group[mask]
    for entry in range(len(sheet.entry_box)):
        own = sheet.writes[sheet.entry_box[entry]]
        if own & mask == 0:
            for lane in range(sheet.lanes[group]):
                out[entry, lane] = table[mask | own, min(sheet.sums[group, lane] + sheet.entry_gain[entry], end)]


@fast_kernel
def _spread(found: Floats, sheet: Sheet, mask: int, out: Floats) -> None:
    """From lanes to all sums that the filled boxes can have: points to come."""
    group = sheet.group[mask]
    for at in range(len(sheet.bonus)):
        lane = sheet.lane[group, at]
        if lane >= 0:
            out[mask, at] = found[0, lane] + sheet.extra[group, at]


@fast_kernel
def _write_entries(sheet: Sheet, mask: int, after: Floats, x: Floats, keeps: int, start: int, lanes: int) -> None:
    """The value of each roll that has to be entered now, for some lanes of a box set."""
    kind = sheet.kind[mask]
    boxes = len(sheet.writes)
    zero = np.empty(lanes)
    for lane in range(lanes):
        zero[lane] = NEVER
    for box in range(boxes):
        if sheet.zero >> box & 1 and sheet.writes[box] & mask == 0:
            for lane in range(lanes):
                zero[lane] = max(zero[lane], after[box, start + lane])
    for roll in range(len(sheet.marked)):
        row = keeps + roll
        candidates = legal_boxes(sheet, mask, kind, roll)
        if sheet.legal[kind, roll, 0] & sheet.zero == sheet.zero:
            # Most boxes score nothing for most rolls: the best of those is found once for all rolls.
            candidates &= sheet.scoring[kind, roll]
            for lane in range(lanes):
                x[row, lane] = zero[lane]
        else:
            _fill(x, row, NEVER, lanes)
        for box in range(boxes):
            if candidates >> box & 1:
                points, entry = sheet.points[kind, roll, box], sheet.entry[roll, box]
                for lane in range(lanes):
                    x[row, lane] = max(x[row, lane], points + after[entry, start + lane])


@kernel
def solve_box_sets(masks: Ints, sheet: Sheet, edges: Edges, value: Floats) -> None:
    """Fill the rows of some box sets in `value[mask, sum]`, the expected points to come, bonus included.

    The rows of all box sets with more boxes filled must be there. Box sets of equal size do not need each other.
    """
    keeps = len(edges.more)
    x = np.empty((keeps + len(edges.chance), TILE))
    after = np.zeros((len(sheet.entry_box), sheet.sums.shape[1]))
    found = np.zeros((1, sheet.sums.shape[1]))
    for mask in masks:
        if vacant_boxes(sheet, mask) == 0:
            for at in range(len(sheet.bonus)):
                value[mask, at] = sheet.bonus[at]
            continue
        _gather(value, sheet, mask, after)
        for start in range(0, sheet.lanes[sheet.group[mask]], TILE):
            lanes = min(TILE, sheet.lanes[sheet.group[mask]] - start)
            _write_entries(sheet, mask, after, x, keeps, start, lanes)
            best_turns(x, edges, sheet.rolls, found, 0, start, lanes)
        _spread(found, sheet, mask, value)


@kernel
def best_turns(x: Floats, edges: Edges, rolls: int, out: Floats, row: int, start: int, lanes: int) -> None:
    """The best mean of a turn, from what stopping with each roll is worth: some lanes at a time."""
    for _ in range(rolls - 1):
        # A roll's row holds the best of stopping and of keeping with one roll less to come. With one more to come
        # every keep is worth at least as much, so the rows may be raised as they are.
        _average_keeps(x, edges.more, lanes)
        _raise_to_best_keep(x, edges.fewer, edges.first, lanes)
    _average_rolls(x, 0, edges.chance, out, row, start, lanes)


@fast_kernel
def vacant_boxes(sheet: Sheet, mask: int) -> int:
    """How many boxes a box set leaves to be filled."""
    vacant = 0
    for box in range(len(sheet.writes)):
        vacant += sheet.writes[box] & mask == 0
    return vacant


@fast_kernel
def _average_rolls(x: Floats, column: int, chance: Floats, out: Floats, mask: int, start: int, lanes: int) -> None:
    """The average over the first roll, from some columns of `x` to some lanes of a box set."""
    keeps = len(x) - len(chance)
    for lane in range(lanes):
        out[mask, start + lane] = 0.0
    for roll in range(len(chance)):
        for lane in range(lanes):
            out[mask, start + lane] += chance[roll] * x[keeps + roll, column + lane]


# The policy followed: what else is to be expected of it. A row holds three figures, one after the other: the value
# that choices are made by, the square, and the count. Choosing is arithmetic here, as branches are no vectors.


@kernel
def follow_box_sets(masks: Ints, sheet: Sheet, edges: Edges, value: Floats, square: Floats, count: Floats) -> None:
    """Fill the rows of some box sets in `square` and `count` under the policy that earns `value`.

    `square` is the mean of the square of the points to come, `count` the expected number of turns to come that end
    with a marked roll. Of equal choices stopping goes first, then a zero, then the box further up.
    """
    tile = TILE // 2  # for the cache's sake, as rows are three times as long here
    keeps = len(edges.more)
    x = np.empty((keeps + len(edges.chance), 3 * tile))
    stop = np.empty((len(edges.chance), 3 * tile))
    after = np.zeros((3, len(sheet.entry_box), sheet.sums.shape[1]))
    found = np.zeros((2, 1, sheet.sums.shape[1]))
    for mask in masks:
        group = sheet.group[mask]
        if vacant_boxes(sheet, mask) == 0:
            for at in range(len(sheet.bonus)):
                square[mask, at] = sheet.bonus[at] ** 2
            continue
        _gather(value, sheet, mask, after[0])
        _gather(square, sheet, mask, after[1])
        _gather(count, sheet, mask, after[2])
        for start in range(0, sheet.lanes[group], tile):
            lanes = min(tile, sheet.lanes[group] - start)
            _choose_entries(sheet, mask, after, x, keeps, start, lanes)
            _copy(x, keeps, stop, 0, len(stop), 3 * lanes)
            for _ in range(sheet.rolls - 1):
                _average_keeps(x, edges.more, 3 * lanes)
                _copy(stop, 0, x, keeps, len(stop), 3 * lanes)
                _choose_keeps(x, edges.fewer, edges.first, lanes)
            _average_rolls(x, lanes, edges.chance, found[0], 0, start, lanes)
            _average_rolls(x, 2 * lanes, edges.chance, found[1], 0, start, lanes)
        for at in range(len(sheet.bonus)):
            lane = sheet.lane[group, at]
            if lane >= 0:  # the square of the lane's points and `more`
                more = sheet.extra[group, at]
                mean = value[mask, sheet.sums[group, lane]]
                square[mask, at] = found[0, 0, lane] + more * (2 * mean + more)
                count[mask, at] = found[1, 0, lane]


@fast_kernel
def _choose_entries(sheet: Sheet, mask: int, after: Floats, x: Floats, keeps: int, start: int, lanes: int) -> None:
    """The figures of each roll that has to be entered now, for some lanes of a box set."""
    kind = sheet.kind[mask]
    zero = 0  # the row of the empty keep is free: the best box for a zero is found there
    _fill(x, zero, LESS, 3 * lanes)
    for box in range(len(sheet.writes)):
        if sheet.zero >> box & 1 and sheet.writes[box] & mask == 0:
            _choose(0.0, after, box, start, x, zero, lanes)
    for roll in range(len(sheet.marked)):
        row = keeps + roll
        candidates = legal_boxes(sheet, mask, kind, roll)
        if sheet.legal[kind, roll, 0] & sheet.zero == sheet.zero:
            candidates &= sheet.scoring[kind, roll]
            _copy(x, zero, x, row, 1, 3 * lanes)
        else:
            _fill(x, row, LESS, 3 * lanes)
        for box in range(len(sheet.writes)):
            if candidates >> box & 1:
                _choose(sheet.points[kind, roll, box], after, sheet.entry[roll, box], start, x, row, lanes)
        for lane in range(2 * lanes, 3 * lanes):
            x[row, lane] += sheet.marked[roll]


@fast_kernel
def _choose(points: float, after: Floats, entry: int, at: int, x: Floats, row: int, lanes: int) -> None:
    """Make this entry, in the lanes in which that is better."""
    for lane in range(lanes):
        mean = after[0, entry, at + lane]
        better = points + mean - x[row, lane]
        chosen = 1.0 if better > MARGIN else 0.0
        squared = points * (points + 2 * mean) + after[1, entry, at + lane]
        x[row, lane] += chosen * better
        x[row, lanes + lane] += chosen * (squared - x[row, lanes + lane])
        x[row, 2 * lanes + lane] += chosen * (after[2, entry, at + lane] - x[row, 2 * lanes + lane])


@fast_kernel
def _choose_keeps(x: Floats, fewer: Ints, first: Ints, lanes: int) -> None:
    for row in range(1, len(x)):
        for at in range(first[row], first[row + 1]):
            other = fewer[at]
            for lane in range(lanes):
                better = x[other, lane] - x[row, lane]
                chosen = 1.0 if better > MARGIN else 0.0
                x[row, lane] += chosen * better
                x[row, lanes + lane] += chosen * (x[other, lanes + lane] - x[row, lanes + lane])
                x[row, 2 * lanes + lane] += chosen * (x[other, 2 * lanes + lane] - x[row, 2 * lanes + lane])
