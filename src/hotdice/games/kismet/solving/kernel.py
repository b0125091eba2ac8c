"""The compiled part of the Kismet solver: all box sets with all basic sums, and single turns.

A score sheet is data here (`Sheet`), so the same loops solve any game of this family: fill one box a turn, up to
so many rolls, a bonus for a sum. A box set is a mask of filled boxes; the basic sum is the lane along which the loops
run as vectors. With several players, what an entry means for the win is worked out here too. The sheets themselves,
the threads and the positions of a game are left to `solver`.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.polynomial.legendre import leggauss
from numpy.typing import NDArray

from hotdice.solve.jit import fast_kernel, kernel
from hotdice.solve.multisets import Edges

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

TILE = 80
"""Lanes worked on at a time: 462 rows of them stay in the second-level cache."""
NEVER = -1e300
"""Less than any value; no infinity, which the compiler may assume away."""
LESS = -1.0
"""Less than any value, too, and near enough to the values not to cost digits in a difference."""
MARGIN = 1e-9
"""Choices that differ by no more than this count as equal when a policy is followed."""


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
def _legal(sheet: Sheet, mask: int, kind: int, roll: int) -> int:
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
    """The rows of a table that the entries lead to, by box, with the last sum repeated beyond the end."""
    end = len(sheet.bonus) - 1
    for box in range(len(sheet.writes)):
        if sheet.writes[box] & mask == 0:
            after = mask | sheet.writes[box]
            for lane in range(out.shape[1]):
                out[box, lane] = table[after, min(lane, end)]


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
        candidates = _legal(sheet, mask, kind, roll)
        if sheet.legal[kind, roll, 0] & sheet.zero == sheet.zero:
            # Most boxes score nothing for most rolls: the best of those is found once for all rolls.
            candidates &= sheet.scoring[kind, roll]
            for lane in range(lanes):
                x[row, lane] = zero[lane]
        else:
            _fill(x, row, NEVER, lanes)
        for box in range(boxes):
            if candidates >> box & 1:
                points, at = sheet.points[kind, roll, box], start + sheet.gain[roll, box]
                for lane in range(lanes):
                    x[row, lane] = max(x[row, lane], points + after[box, at + lane])


@kernel
def solve_box_sets(masks: Ints, sheet: Sheet, edges: Edges, value: Floats) -> None:
    """Fill the rows of some box sets in `value[mask, sum]`, the expected points to come, bonus included.

    The rows of all box sets with more boxes filled must be there. Box sets of equal size do not need each other.
    """
    keeps = len(edges.more)
    x = np.empty((keeps + len(edges.chance), TILE))
    after = np.zeros((len(sheet.writes), len(sheet.bonus) + sheet.gain.max()))
    for mask in masks:
        if _vacant(sheet, mask) == 0:
            for lane in range(len(sheet.bonus)):
                value[mask, lane] = sheet.bonus[lane]
            continue
        _gather(value, sheet, mask, after)
        for start in range(0, sheet.lanes[mask], TILE):
            lanes = min(TILE, sheet.lanes[mask] - start)
            _write_entries(sheet, mask, after, x, keeps, start, lanes)
            _best_turns(x, edges, sheet.rolls, value, mask, start, lanes)


@kernel
def _best_turns(x: Floats, edges: Edges, rolls: int, out: Floats, row: int, start: int, lanes: int) -> None:
    """The best mean of a turn, from what stopping with each roll is worth: some lanes at a time."""
    for _ in range(rolls - 1):
        # A roll's row holds the best of stopping and of keeping with one roll less to come. With one more to come
        # every keep is worth at least as much, so the rows may be raised as they are.
        _average_keeps(x, edges.more, lanes)
        _raise_to_best_keep(x, edges.fewer, edges.first, lanes)
    _average_rolls(x, 0, edges.chance, out, row, start, lanes)


@fast_kernel
def _vacant(sheet: Sheet, mask: int) -> int:
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
    after = np.zeros((3, len(sheet.writes), len(sheet.bonus) + sheet.gain.max()))
    for mask in masks:
        if _vacant(sheet, mask) == 0:
            for lane in range(len(sheet.bonus)):
                square[mask, lane] = sheet.bonus[lane] ** 2
            continue
        _gather(value, sheet, mask, after[0])
        _gather(square, sheet, mask, after[1])
        _gather(count, sheet, mask, after[2])
        for start in range(0, sheet.lanes[mask], tile):
            lanes = min(tile, sheet.lanes[mask] - start)
            _choose_entries(sheet, mask, after, x, keeps, start, lanes)
            _copy(x, keeps, stop, 0, len(stop), 3 * lanes)
            for _ in range(sheet.rolls - 1):
                _average_keeps(x, edges.more, 3 * lanes)
                _copy(stop, 0, x, keeps, len(stop), 3 * lanes)
                _choose_keeps(x, edges.fewer, edges.first, lanes)
            _average_rolls(x, lanes, edges.chance, square, mask, start, lanes)
            _average_rolls(x, 2 * lanes, edges.chance, count, mask, start, lanes)


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
        candidates = _legal(sheet, mask, kind, roll)
        if sheet.legal[kind, roll, 0] & sheet.zero == sheet.zero:
            candidates &= sheet.scoring[kind, roll]
            _copy(x, zero, x, row, 1, 3 * lanes)
        else:
            _fill(x, row, LESS, 3 * lanes)
        for box in range(len(sheet.writes)):
            if candidates >> box & 1:
                _choose(sheet.points[kind, roll, box], after, box, start + sheet.gain[roll, box], x, row, lanes)
        for lane in range(2 * lanes, 3 * lanes):
            x[row, lane] += sheet.marked[roll]


@fast_kernel
def _choose(points: float, after: Floats, box: int, at: int, x: Floats, row: int, lanes: int) -> None:
    """Enter in this box, in the lanes in which that is better."""
    for lane in range(lanes):
        mean = after[0, box, at + lane]
        better = points + mean - x[row, lane]
        chosen = 1.0 if better > MARGIN else 0.0
        squared = points * (points + 2 * mean) + after[1, box, at + lane]
        x[row, lane] += chosen * better
        x[row, lanes + lane] += chosen * (squared - x[row, lanes + lane])
        x[row, 2 * lanes + lane] += chosen * (after[2, box, at + lane] - x[row, 2 * lanes + lane])


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


# One turn


@kernel
def value_entries(sheet: Sheet, mask: int, basic: int, value: Floats, out: Floats) -> None:
    """The expected points of entering each roll in each box, in `out[roll, box]`; `NEVER` where it is not legal."""
    kind = sheet.kind[mask]
    end = len(sheet.bonus) - 1
    for roll in range(len(sheet.marked)):
        candidates = _legal(sheet, mask, kind, roll)
        for box in range(len(sheet.writes)):
            out[roll, box] = NEVER
            if candidates >> box & 1:
                after = min(basic + sheet.gain[roll, box], end)
                out[roll, box] = sheet.points[kind, roll, box] + value[mask | sheet.writes[box], after]


@kernel
def play_turn(stop: Floats, edges: Edges, worth: Floats, choice: Ints) -> None:
    """What each moment of a turn is worth, from what stopping with each roll is worth.

    `worth[t, m]` for a keep m: kept after t rolls, the others to be rolled. For a whole roll: rolled as the t-th, all
    choices open, and `choice[t, m]` is the best one: the keep, or m itself for stopping. `worth[0, 0]` is the turn.
    """
    keeps = len(edges.more)
    rolls = len(worth) - 1
    best = np.empty(keeps + len(stop))
    worth[rolls, keeps:] = stop
    choice[rolls, keeps:] = np.arange(keeps, keeps + len(stop))
    for taken in range(rolls - 1, -1, -1):
        worth[taken, keeps:] = worth[taken + 1, keeps:]
        for row in range(keeps - 1, -1, -1):
            total = 0.0
            for face in range(edges.more.shape[1]):
                total += worth[taken, edges.more[row, face]]
            worth[taken, row] = total / edges.more.shape[1]
        best[:keeps] = worth[taken, :keeps]
        best[keeps:] = stop
        for row in range(len(best)):
            choice[taken, row] = row
            for at in range(edges.first[row], edges.first[row + 1]):
                other = edges.fewer[at]
                if best[other] > best[row] + MARGIN:
                    best[row] = best[other]
                    choice[taken, row] = choice[taken, other]
        worth[taken, keeps:] = best[keeps:]


@kernel
def watch_turn(choice: Ints, stop: Floats, edges: Edges, worth: Floats) -> None:
    """What each moment of a turn is worth to somebody who watches the choices of another, as in `play_turn`."""
    keeps = len(edges.more)
    rolls = len(worth) - 1
    worth[rolls, keeps:] = stop
    for taken in range(rolls - 1, -1, -1):
        worth[taken, keeps:] = worth[taken + 1, keeps:]
        for row in range(keeps - 1, -1, -1):
            total = 0.0
            for face in range(edges.more.shape[1]):
                total += worth[taken, edges.more[row, face]]
            worth[taken, row] = total / edges.more.shape[1]
        for row in range(keeps, keeps + len(stop)):
            chosen = choice[taken, row]
            worth[taken, row] = stop[row - keeps] if chosen >= keeps else worth[taken, chosen]


@kernel
def end_turn(choice: Ints, edges: Edges, out: Floats) -> None:
    """The chance of each roll to be the one that a turn ends with."""
    keeps = len(edges.more)
    out[:] = 0.0
    now = np.zeros(keeps)
    rolled = np.zeros(len(out))
    now[0] = 1.0
    for taken in range(1, len(choice)):
        rolled[:] = 0.0
        for row in range(keeps):
            share = now[row] / edges.more.shape[1]
            now[row] = 0.0
            for face in range(edges.more.shape[1]):
                more = edges.more[row, face]
                if more < keeps:
                    now[more] += share
                else:
                    rolled[more - keeps] += share
        for roll in range(len(out)):
            chosen = choice[taken, keeps + roll]
            if chosen >= keeps:
                out[roll] += rolled[roll]
            else:
                now[chosen] += rolled[roll]


@kernel
def end_scores(sheet: Sheet, mask: int, basic: int, value: Floats, edges: Edges, out: Floats) -> None:
    """The chance of each entry, in `out[box, points]`, when the turn is played for the most points."""
    rolls, boxes = len(edges.chance), len(sheet.writes)
    rows = len(edges.more) + rolls
    entries = np.empty((rolls, boxes))
    stop = np.empty(rolls)
    box_of = np.empty(rolls, np.int64)
    value_entries(sheet, mask, basic, value, entries)
    best_boxes(entries, stop, box_of)
    choice = np.empty((sheet.rolls + 1, rows), np.int64)
    play_turn(stop, edges, np.empty((sheet.rolls + 1, rows)), choice)
    ends = np.empty(rolls)
    end_turn(choice, edges, ends)
    out[:] = 0.0
    for roll in range(rolls):
        out[box_of[roll], int(sheet.points[sheet.kind[mask], roll, box_of[roll]])] += ends[roll]


@kernel
def fill_futures(masks: Ints, row: Ints, sheet: Sheet, edges: Edges, value: Floats, out: Floats) -> None:
    """The chance of each number of points to come, bonus included, when a sheet is played for points.

    It goes into `out[row[mask], sum, points]`. Box sets are given with the fullest first.
    """
    end = len(sheet.bonus) - 1
    chances = np.empty((len(sheet.writes), out.shape[2]))
    for mask in masks:
        for basic in range(sheet.lanes[mask]):
            future = out[row[mask], basic]
            if _vacant(sheet, mask) == 0:
                future[int(sheet.bonus[basic])] = 1.0
                continue
            end_scores(sheet, mask, basic, value, edges, chances)
            for box in range(len(chances)):
                for points in range(chances.shape[1]):
                    if chances[box, points] > 0:
                        gain = points if sheet.gain[:, box].any() else 0
                        rest = out[row[mask | sheet.writes[box]], min(basic + gain, end)]
                        future[points:] += chances[box, points] * rest[: len(rest) - points]


@kernel
def best_boxes(entries: Floats, stop: Floats, box_of: Ints) -> None:
    """The best entry of each roll and its box, the upper one of equals."""
    for roll in range(len(entries)):
        best = 0
        for box in range(1, entries.shape[1]):
            if entries[roll, box] > entries[roll, best] + MARGIN:
                best = box
        box_of[roll] = best
        stop[roll] = entries[roll, best]


# Several players: final totals against each other. A sheet is a box set, its basic sum, and all entries together.

NODES = np.linspace(-4.5, 4.5, 91)
WEIGHTS = np.exp(-NODES * NODES / 2) / np.exp(-NODES * NODES / 2).sum()
"""Of the standard normal distribution."""
SHARES = leggauss(4)[0] / 2 + 0.5
SHARE_WEIGHTS = leggauss(4)[1] / 2
"""They average polynomials of up to seven degrees over (0, 1), one an opponent, exactly."""


class Forecast(NamedTuple):
    """What is to come on a sheet that is played for points, by box set and basic sum."""

    points: Floats
    """The expected points."""
    variance: Floats
    kismets: NDArray[np.float32]
    """The expected number of Kismets; all zeros if second ones do nothing to the others."""
    late: Ints
    """[mask]: which row of `futures` a box set has; -1 with too many vacant boxes."""
    futures: NDArray[np.float32]
    """[row, sum, points]: the chance of so many points."""
    totals: int
    """One more than the highest total there is."""


class Leaves(NamedTuple):
    """The different entries there are: by box, points, and whether they are made with a Kismet."""

    box: Ints
    points: Ints
    kismet: Ints
    gain: Ints
    of: Ints
    """[roll, box]: the number of an entry."""


class Seats(NamedTuple):
    """Everybody's sheet, by seat."""

    mask: Ints
    basic: Ints
    written: Ints
    had_kismet: NDArray[np.bool_]


@kernel
def win_entries(
    sheet: Sheet, edges: Edges, leaves: Leaves, forecast: Forecast, now: Seats, then: Seats, roller: int, seat: int
) -> Floats:
    """What each entry of the roller is worth to a seat, by roll and box; `NEVER` where the box is filled.

    The others' sheets are those of `now`, or those of `then` if the entry is made with a Kismet.
    """
    worth = np.full(len(leaves.box), NEVER)
    _value_leaves(sheet, edges, leaves, forecast, now, 0, roller, seat, worth)
    _value_leaves(sheet, edges, leaves, forecast, then, 1, roller, seat, worth)
    rolls, boxes = leaves.of.shape
    entries = np.empty((rolls, boxes))
    for roll in range(rolls):
        for box in range(boxes):
            entries[roll, box] = worth[leaves.of[roll, box]]
    return entries


@kernel
def _value_leaves(
    sheet: Sheet,
    edges: Edges,
    leaves: Leaves,
    forecast: Forecast,
    seats: Seats,
    kismet: int,
    roller: int,
    seat: int,
    worth: Floats,
) -> None:
    """What it is worth to a seat if the roller ends the turn with each entry, made with a Kismet or without."""
    mask = seats.mask[roller]
    chosen = np.flatnonzero((leaves.kismet == kismet) & (mask >> leaves.box & 1 == 0))
    masks = mask | sheet.writes[leaves.box[chosen]]
    basic = np.minimum(seats.basic[roller] + leaves.gain[chosen], len(sheet.bonus) - 1)
    written = seats.written[roller] + leaves.points[chosen]
    vacant = _vacant(sheet, mask)
    if vacant == 1:
        written += sheet.bonus[basic].astype(np.int64)
        if len(seats.mask) == 2 and _vacant(sheet, seats.mask[1 - roller]) == 1:
            worth[chosen] = 1 - _answers(sheet, edges, forecast, seats, 1 - roller, written)
            return
    payoff = _payoff(forecast, seats, roller, seat)
    if vacant == 1:
        worth[chosen] = payoff[written]
    elif vacant == 2 and seat == roller:
        worth[chosen] = _last_turns(sheet, edges, masks, basic, written, payoff)
    else:
        threat = _second_kismets(forecast, seats, roller)
        for one in range(len(chosen)):
            worth[chosen[one]] = _expected_payoff(forecast, masks[one], basic[one], written[one], threat, payoff)


# Last boxes


@fast_kernel
def _write_last(
    sheet: Sheet, mask: int, basic: int, written: int, payoff: Floats, x: Floats, keeps: int, lane: int
) -> None:
    """What each roll pays in the last box of a sheet, into a lane; `payoff[total]` is what a final total pays."""
    end = len(sheet.bonus) - 1
    for box in range(len(sheet.writes)):
        if sheet.writes[box] & mask == 0:
            for roll in range(len(sheet.marked)):
                after = min(basic + sheet.gain[roll, box], end)
                total = written + int(sheet.points[sheet.kind[mask], roll, box] + sheet.bonus[after])
                x[keeps + roll, lane] = payoff[total]


@kernel
def _last_turns(sheet: Sheet, edges: Edges, masks: Ints, basic: Ints, written: Ints, payoff: Floats) -> Floats:
    """The best expected payoff of the last box of each of some sheets."""
    keeps = len(edges.more)
    x = np.empty((keeps + len(edges.chance), len(masks)))
    for one in range(len(masks)):
        _write_last(sheet, masks[one], basic[one], written[one], payoff, x, keeps, one)
    out = np.empty((1, len(masks)))
    _best_turns(x, edges, sheet.rolls, out, 0, 0, len(masks))
    best: Floats = out[0]
    return best


@kernel
def _answers(sheet: Sheet, edges: Edges, forecast: Forecast, seats: Seats, seat: int, totals: Ints) -> Floats:
    """A seat's chance to win with its last box against each of some final totals, if it plays to beat that."""
    keeps = len(edges.more)
    x = np.empty((keeps + len(edges.chance), len(totals)))
    beats = np.empty(forecast.totals)
    for one in range(len(totals)):
        beats[: totals[one]] = 0.0
        beats[totals[one]] = 0.5
        beats[totals[one] + 1 :] = 1.0
        _write_last(sheet, seats.mask[seat], seats.basic[seat], seats.written[seat], beats, x, keeps, one)
    out = np.empty((1, len(totals)))
    _best_turns(x, edges, sheet.rolls, out, 0, 0, len(totals))
    best: Floats = out[0]
    return best


# Distributions of final totals


@kernel
def _second_kismets(forecast: Forecast, seats: Seats, spared: int) -> float:
    """How many second Kismets a seat has to expect of the others, the number of each one's Kismets being Poisson."""
    total = 0.0
    for seat in range(len(seats.mask)):
        if seat != spared:
            kismets = np.float64(forecast.kismets[seats.mask[seat], seats.basic[seat]])
            total += kismets if seats.had_kismet[seat] else kismets - 1 + math.exp(-kismets)
    return total


@kernel
def _normal(forecast: Forecast, mask: int, basic: int, threat: float) -> tuple[float, float]:
    """The mean and the standard deviation of the points to come, with so many second Kismets of others."""
    value = forecast.points[mask, basic]
    zero = forecast.points[mask | mask + 1, basic]  # the topmost vacant box is the lowest bit not set
    return value - threat * (value - zero), math.sqrt(forecast.variance[mask, basic])


@kernel
def total_chances(forecast: Forecast, seats: Seats, seat: int, out: Floats) -> None:
    """The distribution of a seat's final total."""
    mask, basic, written = seats.mask[seat], seats.basic[seat], seats.written[seat]
    late = forecast.late[mask]
    if late >= 0:
        out[:] = 0.0
        for points in range(min(forecast.futures.shape[2], len(out) - written)):
            out[written + points] = forecast.futures[late, basic, points]
    else:
        mean, deviation = _normal(forecast, mask, basic, _second_kismets(forecast, seats, seat))
        _normal_chances(written + mean, deviation, out)


@kernel
def _normal_chances(mean: float, deviation: float, out: Floats) -> None:
    """A normal total rounded to whole numbers, with what lies beyond the ends of `out` in its ends."""
    below = 0.0
    for total in range(len(out) - 1):
        upto = 0.5 * math.erfc((mean - total - 0.5) / (deviation * math.sqrt(2.0)))
        out[total] = upto - below
        below = upto
    out[-1] = 1.0 - below


@kernel
def _payoff(forecast: Forecast, seats: Seats, roller: int, seat: int) -> Floats:
    """What each final total of the roller pays to a seat, given all other sheets."""
    others = np.empty((len(seats.mask) - 1, forecast.totals))
    place = -1
    row = 0
    for other in range(len(seats.mask)):
        if other != roller:
            total_chances(forecast, seats, other, others[row])
            if other == seat:
                place = row
            row += 1
    return payoff(others, place)


@kernel
def payoff(others: Floats, place: int) -> Floats:
    """What each total of the roller pays, given the distributions of the others' totals.

    It pays to the other in that place, or to the roller if the place is negative. To tie with n others pays
    1/(n + 1), which is the mean of u^n over u in (0, 1).
    """
    pays = np.zeros(others.shape[1])
    product = np.empty(len(pays))
    for node in range(len(SHARES)):
        u = SHARES[node]
        product[:] = SHARE_WEIGHTS[node]
        for other in range(len(others)):
            below = 0.0
            for total in range(len(pays)):
                chance = others[other, total]
                product[total] *= chance if other == place else below + u * chance
                below += chance
        if place < 0:
            pays += product
        else:  # win from above the roller's total, or share at it
            above = 0.0
            for total in range(len(pays) - 1, -1, -1):
                pays[total] += above + u * product[total]
                above += product[total]
    return pays


@fast_kernel
def _expected_payoff(forecast: Forecast, mask: int, basic: int, written: int, threat: float, payoff: Floats) -> float:
    """The mean payoff of a sheet's final total; between whole numbers, `payoff` is read as straight lines."""
    late = forecast.late[mask]
    mean = 0.0
    if late >= 0:
        for points in range(min(forecast.futures.shape[2], len(payoff) - written)):
            mean += forecast.futures[late, basic, points] * payoff[written + points]
        return mean
    to_come, deviation = _normal(forecast, mask, basic, threat)
    last = len(payoff) - 1.000001
    for node in range(len(NODES)):
        at = min(max(written + to_come + deviation * NODES[node], 0.0), last)
        low = int(at)
        mean += WEIGHTS[node] * (payoff[low] + (at - low) * (payoff[low + 1] - payoff[low]))
    return mean
