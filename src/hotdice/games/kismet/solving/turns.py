"""Compiled single turns of Kismet: every moment of one, how it ends, and what the last boxes of a sheet bring.

Loops stand where slices could, here and in `wins`: they take numba a fraction of the time to compile.
"""

from __future__ import annotations

import numpy as np

from hotdice.games.kismet.solving.box_sets import MARGIN, NEVER, legal_boxes, vacant_boxes
from hotdice.games.kismet.solving.sheets import Floats, Ints, Sheet
from hotdice.solve.jit import kernel
from hotdice.solve.multisets import Edges


@kernel
def value_entries(sheet: Sheet, mask: int, basic: int, value: Floats, out: Floats) -> None:
    """The expected points of entering each roll in each box, in `out[roll, box]`; `NEVER` where it is not legal."""
    kind = sheet.kind[mask]
    end = len(sheet.bonus) - 1
    for roll in range(len(sheet.marked)):
        candidates = legal_boxes(sheet, mask, kind, roll)
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
    for row in range(keeps, keeps + len(stop)):
        worth[rolls, row] = stop[row - keeps]
        choice[rolls, row] = row
    for taken in range(rolls - 1, -1, -1):
        for row in range(keeps, keeps + len(stop)):
            worth[taken, row] = worth[taken + 1, row]
        for row in range(keeps - 1, -1, -1):
            total = 0.0
            for face in range(edges.more.shape[1]):
                total += worth[taken, edges.more[row, face]]
            worth[taken, row] = total / edges.more.shape[1]
        for row in range(len(best)):
            best[row] = worth[taken, row] if row < keeps else stop[row - keeps]
            choice[taken, row] = row
            for at in range(edges.first[row], edges.first[row + 1]):
                other = edges.fewer[at]
                if best[other] > best[row] + MARGIN:
                    best[row] = best[other]
                    choice[taken, row] = choice[taken, other]
        for row in range(keeps, len(best)):
            worth[taken, row] = best[row]


@kernel
def watch_turn(choice: Ints, stop: Floats, edges: Edges, worth: Floats) -> None:
    """What each moment of a turn is worth to somebody who watches the choices of another, as in `play_turn`."""
    keeps = len(edges.more)
    rolls = len(worth) - 1
    for row in range(keeps, keeps + len(stop)):
        worth[rolls, row] = stop[row - keeps]
    for taken in range(rolls - 1, -1, -1):
        for row in range(keeps, keeps + len(stop)):
            worth[taken, row] = worth[taken + 1, row]
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
    now = np.zeros(keeps)
    rolled = np.zeros(len(out))
    now[0] = 1.0
    for roll in range(len(out)):
        out[roll] = 0.0
    for taken in range(1, len(choice)):
        for roll in range(len(out)):
            rolled[roll] = 0.0
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
    for box in range(boxes):
        for points in range(out.shape[1]):
            out[box, points] = 0.0
    for roll in range(rolls):
        out[box_of[roll], int(sheet.points[sheet.kind[mask], roll, box_of[roll]])] += ends[roll]


@kernel
def fill_futures(masks: Ints, first: Ints, sheet: Sheet, edges: Edges, value: Floats, out: Floats) -> None:
    """The chance of each number of points to come, bonus included, when a sheet is played for points.

    It goes into `out[first[mask] + lane, points]`. Box sets are given with the fullest first.
    """
    end = len(sheet.bonus) - 1
    chances = np.empty((len(sheet.writes), out.shape[1]))
    for mask in masks:
        group = sheet.group[mask]
        for lane in range(sheet.lanes[group]):
            basic = sheet.sums[group, lane]
            row = first[mask] + lane
            if vacant_boxes(sheet, mask) == 0:
                out[row, int(sheet.bonus[basic])] = 1.0
                continue
            end_scores(sheet, mask, basic, value, edges, chances)
            for box in range(len(chances)):
                adds = sheet.gain[:, box].max() > 0
                for points in range(chances.shape[1]):
                    if chances[box, points] > 0:
                        then, after = mask | sheet.writes[box], min(basic + points if adds else basic, end)
                        rest = first[then] + sheet.lane[sheet.group[then], after]
                        more = points + int(sheet.extra[sheet.group[then], after])
                        for at in range(more, out.shape[1]):
                            out[row, at] += chances[box, points] * out[rest, at - more]


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
