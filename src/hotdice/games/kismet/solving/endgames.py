"""The last boxes of a sheet played for its final total: for a payoff that never falls as the total rises.

To reach a target, and to win when everybody else has finished, are such payoffs; so is the chance to win against the
others' totals if those are taken as given. The payoff of a sheet depends on the boxes filled, the basic sum and the
entries so far, `written`: a vector runs along the last of these, and box sets are worked on with the fullest first.

What is computed is exact but for rounding. A turn is two times five averages over a die, of six roundings each, and one
average over the 252 rolls, of 254; picking the best does not round. All numbers are at most 1, so with eight boxes the
error of a chance is below 8 · 320 · 2^-53, which is less than 3e-13. What is left out is known, or never asked for:
below `low - rest` no play comes to a total that pays more than the least, `rest` being the most that the vacant boxes
and the bonus can bring; from `high` on every total pays the most; and the filled boxes have brought no less than
`least` and no more than `most`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from hotdice.games.kismet.solving.box_sets import NEVER, best_turns, legal_boxes
from hotdice.games.kismet.solving.sheets import Floats, Ints, Sheet
from hotdice.solve.jit import fast_kernel, kernel
from hotdice.solve.multisets import Edges

WIDE = 96
"""Columns worked on at a time."""


@dataclass(frozen=True, slots=True, eq=False)
class Endgame:
    """What a sheet pays from here on, by the boxes that are filled further and by what is written."""

    sheet: Sheet
    mask: int
    basic: int
    boxes: tuple[int, ...]
    """The boxes that were vacant; a set of them is a number, the first box being its lowest bit."""
    rows: Ints
    """[set of boxes, sum]: the row of `worth`, or -1 where the sum cannot be."""
    shift: Ints
    """[set of boxes, sum]: what to add to the column, for sums that have a row in common."""
    worth: Floats
    """[row, written]: the best mean payoff."""

    def value(self, written: int = 0) -> float:
        """What it pays to begin a turn with so much written."""
        return float(self.worth[self.rows[0, self.basic], written + self.shift[0, self.basic]])

    def entries(self, written: int = 0) -> Floats:
        """What each entry pays, by roll and box; `NEVER` where the box is filled."""
        found = np.full(self.sheet.gain.shape, NEVER)
        end = len(self.sheet.bonus) - 1
        for place, box in enumerate(self.boxes):
            sums = np.minimum(self.basic + self.sheet.gain[:, box], end)
            points = self.sheet.points[self.sheet.kind[self.mask], :, box].astype(np.int64)
            columns = written + points + self.shift[1 << place, sums]
            found[:, box] = self.worth[self.rows[1 << place, sums], columns]
        return found


class Rows(NamedTuple):
    """What the rows of an endgame are of."""

    filled: Ints
    """[row]: the set of boxes; a set has a higher number than all that it contains."""
    basic: Ints
    """[row]: the lowest sum."""
    least: Ints
    most: Ints
    """[row]: how much the filled boxes can have brought, shifts included."""


def play_endgame(sheet: Sheet, edges: Edges, mask: int, basic: int, payoff: Floats, start: int = 1) -> Endgame:
    """The last boxes of a sheet for a payoff by final total, which stays as it is beyond its end.

    Totals are counted from some beginning, and so is what is written now: less than `start`. Any roll must be legal in
    any vacant box.
    """
    boxes = np.array([box for box in range(len(sheet.writes)) if not sheet.writes[box] & mask], np.int64)
    reached = np.full((2, 1 << len(boxes), len(sheet.bonus)), -1)
    _reach(sheet, basic, boxes, _entry_points(sheet, 1), _entry_points(sheet, -1), reached)
    numbers, shift, rows = _number(sheet, mask, boxes, reached)
    worth = np.empty((len(rows.basic), len(payoff) + int(sheet.points.max() + sheet.bonus[-1])))
    low = int(np.argmax(payoff > payoff[0])) if payoff[-1] > payoff[0] else len(payoff)
    high = int(np.argmax(payoff == payoff[-1]))
    _play(sheet, edges, mask, boxes, numbers, shift, rows, payoff, low, high, start, worth)
    return Endgame(sheet, mask, basic, tuple(boxes.tolist()), numbers, shift, worth)


def _entry_points(sheet: Sheet, sign: int) -> Ints:
    """[entry]: the most points that a box with that gain can have; with a negative sign, the least, negated."""
    most = np.full(len(sheet.entry_box), -(1 << 40))
    np.maximum.at(most, sheet.entry, (sign * sheet.points).max(axis=0).astype(np.int64))
    return most


def _number(sheet: Sheet, mask: int, boxes: Ints, reached: Ints) -> tuple[Ints, Ints, Rows]:
    """The rows and shifts of an `Endgame`."""
    least, most = reached
    rows = np.full(least.shape, -1)
    shift = np.zeros(least.shape, np.int64)
    states: list[list[int]] = []
    for filled in range(len(rows)):
        after = mask | sum(int(sheet.writes[box]) for place, box in enumerate(boxes) if filled >> place & 1)
        lane = sheet.lane[sheet.group[after]]
        known: dict[int, int] = {}
        for total in np.flatnonzero(most[filled] >= 0).tolist():
            row = known.setdefault(int(lane[total]), len(states))
            if row == len(states):
                states.append([filled, total, int(least[filled, total]), 0])
            more = int(sheet.bonus[total] - sheet.bonus[states[row][1]])
            rows[filled, total], shift[filled, total] = row, more
            states[row][2] = min(states[row][2], int(least[filled, total]) + more)
            states[row][3] = max(states[row][3], int(most[filled, total]) + more)
    return rows, shift, Rows(*np.array(states, np.int64).reshape(-1, 4).T.copy())


@kernel
def _reach(sheet: Sheet, basic: int, boxes: Ints, most: Ints, least: Ints, out: Ints) -> None:
    """The least and the most that filling a set of boxes can bring, in `out[0 or 1, set, sum]`; -1 for never."""
    end = len(sheet.bonus) - 1
    out[:, 0, basic] = 0
    for filled in range(out.shape[1]):
        for entry in range(len(sheet.entry_box)):
            for place in range(len(boxes)):
                if boxes[place] == sheet.entry_box[entry] and filled >> place & 1 == 0 and most[entry] >= 0:
                    for total in range(end + 1):
                        if out[1, filled, total] >= 0:
                            after, then = filled | 1 << place, min(total + sheet.entry_gain[entry], end)
                            low = out[0, filled, total] - least[entry]
                            out[0, after, then] = min(low, out[0, after, then]) if out[1, after, then] >= 0 else low
                            out[1, after, then] = max(out[1, after, then], out[1, filled, total] + most[entry])


@kernel
def _play(
    sheet: Sheet,
    edges: Edges,
    mask: int,
    boxes: Ints,
    numbers: Ints,
    shift: Ints,
    rows: Rows,
    payoff: Floats,
    low: int,
    high: int,
    start: int,
    worth: Floats,
) -> None:
    """Fill `worth`, the fullest sheets first."""
    keeps = len(edges.more)
    x = np.empty((keeps + len(edges.chance), WIDE))
    row_of = np.zeros(len(sheet.entry_box), np.int64)
    shift_of = np.zeros(len(sheet.entry_box), np.int64)
    for row in range(len(worth) - 1, -1, -1):
        filled, basic = rows.filled[row], rows.basic[row]
        if filled + 1 == 1 << len(boxes):
            for column in range(worth.shape[1]):
                worth[row, column] = payoff[min(column + int(sheet.bonus[basic]), len(payoff) - 1)]
            continue
        now, rest = _rest(sheet, mask, boxes, filled, basic)
        begin = max(rows.least[row], low - rest)
        end = max(begin, min(rows.most[row] + start, high - int(sheet.bonus[basic])))
        worth[row, :begin] = payoff[0]
        worth[row, end:] = payoff[-1]
        _lead(sheet, boxes, filled, basic, numbers, shift, row_of, shift_of)
        for at in range(begin, end, WIDE):
            lanes = min(WIDE, end - at)
            _write(sheet, now, worth, row_of, shift_of, x, keeps, at, lanes)
            best_turns(x, edges, sheet.rolls, worth, row, at, lanes)


@kernel
def _rest(sheet: Sheet, mask: int, boxes: Ints, filled: int, basic: int) -> tuple[int, int]:
    """The box set with these boxes filled too, and the most that the others and the bonus can bring."""
    rest, gain = 0, 0
    for place in range(len(boxes)):
        if filled >> place & 1:
            mask |= sheet.writes[boxes[place]]
        else:
            rest += int(sheet.points[:, :, boxes[place]].max())
            gain += sheet.gain[:, boxes[place]].max()
    return mask, rest + int(sheet.bonus[min(basic + gain, len(sheet.bonus) - 1)])


@kernel
def _lead(
    sheet: Sheet, boxes: Ints, filled: int, basic: int, numbers: Ints, shift: Ints, row_of: Ints, shift_of: Ints
) -> None:
    """The row and the shift that each entry leads to."""
    end = len(sheet.bonus) - 1
    for entry in range(len(sheet.entry_box)):
        for place in range(len(boxes)):
            if boxes[place] == sheet.entry_box[entry] and filled >> place & 1 == 0:
                after = min(basic + sheet.entry_gain[entry], end)
                row_of[entry] = numbers[filled | 1 << place, after]
                shift_of[entry] = shift[filled | 1 << place, after]


@fast_kernel
def _write(
    sheet: Sheet, mask: int, worth: Floats, row_of: Ints, shift_of: Ints, x: Floats, keeps: int, at: int, lanes: int
) -> None:
    """What each roll that has to be entered now pays, for some columns."""
    kind = sheet.kind[mask]
    zero = 0  # the row of the empty keep is free: the best box for a zero is found there
    for lane in range(lanes):
        x[zero, lane] = NEVER
    for box in range(len(sheet.writes)):
        if sheet.writes[box] & mask == 0:
            row, column = row_of[box], at + shift_of[box]
            for lane in range(lanes):
                x[zero, lane] = max(x[zero, lane], worth[row, column + lane])
    for roll in range(len(sheet.marked)):
        boxes = legal_boxes(sheet, mask, kind, roll) & sheet.scoring[kind, roll]
        for lane in range(lanes):
            x[keeps + roll, lane] = x[zero, lane]
        for box in range(len(sheet.writes)):
            if boxes >> box & 1:
                entry = sheet.entry[roll, box]
                row, column = row_of[entry], at + shift_of[entry] + int(sheet.points[kind, roll, box])
                for lane in range(lanes):
                    x[keeps + roll, lane] = max(x[keeps + roll, lane], worth[row, column + lane])
