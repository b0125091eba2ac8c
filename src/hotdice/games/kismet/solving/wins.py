"""Compiled comparisons of final totals: what an entry means for the win when several play.

A sheet is a box set, its basic sum, and all entries together. What is to come on it is a distribution of points.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.polynomial.legendre import leggauss
from numpy.typing import NDArray

from hotdice.games.kismet.solving.box_sets import NEVER, best_turns, vacant_boxes
from hotdice.games.kismet.solving.sheets import Floats, Ints, Sheet
from hotdice.solve.jit import fast_kernel, kernel
from hotdice.solve.multisets import Edges

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
    variance: NDArray[np.float32]
    kismets: NDArray[np.float32]
    """The expected number of Kismets; all zeros if second ones do nothing to the others."""
    late: Ints
    """[mask]: the row of `futures` at which the lanes of a box set begin; -1 with too many vacant boxes."""
    futures: NDArray[np.float32]
    """[row, points]: the chance that this many points are to come."""
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


class Model(NamedTuple):
    """All that stays the same from turn to turn."""

    sheet: Sheet
    edges: Edges
    leaves: Leaves
    forecast: Forecast


@kernel
def win_entries(model: Model, now: Seats, then: Seats, roller: int, seat: int) -> Floats:
    """What each entry of the roller is worth to a seat, by roll and box; `NEVER` where the box is filled.

    The others' sheets are those of `now`, or those of `then` if the entry is made with a Kismet.
    """
    leaves = model.leaves
    worth = np.empty(len(leaves.box))
    for leaf in range(len(worth)):
        worth[leaf] = NEVER
    _value_leaves(model, now, 0, roller, seat, worth)
    _value_leaves(model, then, 1, roller, seat, worth)
    rolls, boxes = leaves.of.shape
    entries = np.empty((rolls, boxes))
    for roll in range(rolls):
        for box in range(boxes):
            entries[roll, box] = worth[leaves.of[roll, box]]
    return entries


@kernel
def _value_leaves(model: Model, seats: Seats, kismet: int, roller: int, seat: int, worth: Floats) -> None:
    """What it is worth to a seat if the roller ends the turn with each entry, made with a Kismet or without."""
    sheet, leaves, forecast = model.sheet, model.leaves, model.forecast
    mask = seats.mask[roller]
    vacant = vacant_boxes(sheet, mask)
    chosen = np.empty(len(leaves.box), np.int64)
    masks, basic, written = np.empty_like(chosen), np.empty_like(chosen), np.empty_like(chosen)
    count = 0
    for leaf in range(len(leaves.box)):
        if leaves.kismet[leaf] == kismet and mask >> leaves.box[leaf] & 1 == 0:
            chosen[count] = leaf
            masks[count] = mask | sheet.writes[leaves.box[leaf]]
            basic[count] = min(seats.basic[roller] + leaves.gain[leaf], len(sheet.bonus) - 1)
            written[count] = seats.written[roller] + leaves.points[leaf]
            if vacant == 1:
                written[count] += int(sheet.bonus[basic[count]])
            count += 1
    if vacant == 1 and len(seats.mask) == 2 and vacant_boxes(sheet, seats.mask[1 - roller]) == 1:
        answers = _answers(model, seats, 1 - roller, written[:count])
        for one in range(count):
            worth[chosen[one]] = 1 - answers[one]
        return
    payoff = total_payoff(model, seats, roller, seat)
    if vacant == 2 and seat == roller:
        best = _last_turns(sheet, model.edges, masks[:count], basic, written, payoff)
        for one in range(count):
            worth[chosen[one]] = best[one]
        return
    threat = _second_kismets(forecast, seats, roller)
    for one in range(count):
        if vacant == 1:
            worth[chosen[one]] = payoff[written[one]]
        else:
            worth[chosen[one]] = _expected_payoff(sheet, forecast, masks[one], basic[one], written[one], threat, payoff)


# Last boxes


@fast_kernel
def _write_last(sheet: Sheet, mask: int, basic: int, written: int, payoff: Floats, x: Floats, lane: int) -> None:
    """What each roll pays in the last box of a sheet, into a lane; `payoff[total]` is what a final total pays."""
    keeps = len(x) - len(sheet.marked)
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
    x = np.empty((len(edges.more) + len(edges.chance), len(masks)))
    for one in range(len(masks)):
        _write_last(sheet, masks[one], basic[one], written[one], payoff, x, one)
    out = np.empty((1, len(masks)))
    best_turns(x, edges, sheet.rolls, out, 0, 0, len(masks))
    best: Floats = out[0]
    return best


@kernel
def _answers(model: Model, seats: Seats, seat: int, totals: Ints) -> Floats:
    """A seat's chance to win with its last box against each of some final totals, if it plays to beat that."""
    sheet, edges = model.sheet, model.edges
    x = np.empty((len(edges.more) + len(edges.chance), len(totals)))
    beats = np.empty(model.forecast.totals)
    for one in range(len(totals)):
        for total in range(len(beats)):
            beats[total] = 0.5 if total == totals[one] else 1.0 if total > totals[one] else 0.0
        _write_last(sheet, seats.mask[seat], seats.basic[seat], seats.written[seat], beats, x, one)
    out = np.empty((1, len(totals)))
    best_turns(x, edges, sheet.rolls, out, 0, 0, len(totals))
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
    return min(total, 1.0)


@kernel
def _normal(forecast: Forecast, mask: int, basic: int, threat: float) -> tuple[float, float]:
    """The mean and the standard deviation of the points to come, `threat` second Kismets of others being expected."""
    value = forecast.points[mask, basic]
    zero = forecast.points[mask | mask + 1, basic]  # the topmost vacant box is the lowest bit not set
    return value - threat * (value - zero), math.sqrt(forecast.variance[mask, basic])


@kernel
def total_chances(sheet: Sheet, forecast: Forecast, seats: Seats, seat: int, out: Floats) -> None:
    """The distribution of a seat's final total."""
    mask, basic, written = seats.mask[seat], seats.basic[seat], seats.written[seat]
    threat = _second_kismets(forecast, seats, seat)
    if forecast.late[mask] >= 0:
        for total in range(len(out)):
            out[total] = 0.0
        _add_future(sheet, forecast, mask, basic, written, 1.0 - threat, out)
        _add_future(sheet, forecast, mask | mask + 1 & len(forecast.late) - 1, basic, written, threat, out)
    else:
        mean, deviation = _normal(forecast, mask, basic, threat)
        _normal_chances(written + mean, deviation, out)


@kernel
def _add_future(
    sheet: Sheet, forecast: Forecast, mask: int, basic: int, written: int, weight: float, out: Floats
) -> None:
    """Add the exact distribution of a late sheet's final total, weighed."""
    group = sheet.group[mask]
    row, begin = forecast.late[mask] + sheet.lane[group, basic], written + int(sheet.extra[group, basic])
    for points in range(min(forecast.futures.shape[1], len(out) - begin)):
        out[begin + points] += weight * forecast.futures[row, points]


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
def total_payoff(model: Model, seats: Seats, roller: int, seat: int) -> Floats:
    """What each final total of the roller pays to a seat, given all other sheets."""
    sheet, forecast = model.sheet, model.forecast
    others = np.empty((len(seats.mask) - 1, forecast.totals))
    place = -1
    row = 0
    for other in range(len(seats.mask)):
        if other != roller:
            total_chances(sheet, forecast, seats, other, others[row])
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
def _expected_payoff(
    sheet: Sheet, forecast: Forecast, mask: int, basic: int, written: int, threat: float, payoff: Floats
) -> float:
    """The mean payoff of a sheet's final total; between whole numbers, `payoff` is read as straight lines."""
    if forecast.late[mask] >= 0:
        hit = mask | mask + 1 & len(forecast.late) - 1
        spared = _late_payoff(sheet, forecast, mask, basic, written, payoff)
        return (
            spared
            if threat == 0
            else (1 - threat) * spared + threat * _late_payoff(sheet, forecast, hit, basic, written, payoff)
        )
    mean = 0.0
    to_come, deviation = _normal(forecast, mask, basic, threat)
    last = len(payoff) - 1.000001
    for node in range(len(NODES)):
        at = min(max(written + to_come + deviation * NODES[node], 0.0), last)
        low = int(at)
        mean += WEIGHTS[node] * (payoff[low] + (at - low) * (payoff[low + 1] - payoff[low]))
    return mean


@fast_kernel
def _late_payoff(sheet: Sheet, forecast: Forecast, mask: int, basic: int, written: int, payoff: Floats) -> float:
    """The same from the exact distribution of a late sheet."""
    group = sheet.group[mask]
    row, begin = forecast.late[mask] + sheet.lane[group, basic], written + int(sheet.extra[group, basic])
    mean = 0.0
    for points in range(min(forecast.futures.shape[1], len(payoff) - begin)):
        mean += forecast.futures[row, points] * payoff[begin + points]
    return mean
