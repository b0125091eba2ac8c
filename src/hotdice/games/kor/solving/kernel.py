"""Compiled loops of KOR: tables on a grid of two scores backed up by whole diagonals, and one turn by its points.

All points are counted in steps of 25. A table holds what a moment is worth to the one who rolls, by their own score and
the other's, both counted from the lowest score of the grid; its mirror holds what it is worth to the other one. A
turn or penalty moves only the roller's score, so all states with the same sum of scores, a diagonal, move together:
tables are stored by diagonals, and the loops over one are loops over neighbours in memory.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hotdice.solve.jit import fast_kernel, kernel

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

STOP, U_TURN, STOP_OR_DEAD, STOP_OR_U, DEAD_OR_U, BANK = range(6)
"""The ways a turn ends with its points, rows of a list by points; the last one goes on, the points being banked."""


@fast_kernel
def add_ends(out: Floats, stop: Floats, u_turn: Floats, dead: Floats, chances: Floats) -> None:
    """Add what the ends of a turn are worth, for neighbours in memory."""
    a, b, c, d, e = chances[0], chances[1], chances[2], chances[3], chances[4]
    for i in range(out.size):
        x, y, z = stop[i], u_turn[i], dead[i]
        out[i] += a * x + b * y + c * max(x, z) + d * max(x, y) + e * max(y, z)


@fast_kernel
def add_two(out: Floats, first: Floats, a: float, second: Floats, b: float) -> None:
    """Add two rows of neighbours in memory."""
    for i in range(out.size):
        out[i] += a * first[i] + b * second[i]


@fast_kernel
def back_up(
    out: Floats, stop: Floats, u_turn: Floats, own: Floats, starts: Ints, total: int, sign: int, low: int, high: int,
    lists: Floats, tails: Floats, dead: float, splits: int, banks: bool,
) -> None:  # fmt: skip
    """What a turn (`sign` 1) or penalty (-1) from each state of a diagonal is worth, between two own scores.

    `stop` and `u_turn` say what it is worth to end so, `own` to go on with six dice and no points. Points that lead out
    of the grid lead to its edge. From `splits` points on, the chance of a split is too small to matter.
    """
    top = starts.size // 2
    most = lists.shape[1] - 1
    here = starts[total]
    for i in range(low, high + 1):
        out[i] = dead * stop[here + i]
    for k in range(most + 1):
        first, end = (low, min(high, top - k - 1) + 1) if sign > 0 else (max(low, k + 1), high + 1)
        if first >= end:
            break
        there = starts[total + sign * k] + sign * k
        # Slices, as the compiler would not work on several neighbours at once if an index could be negative.
        sums, stopped, turned = out[first:end], stop[there + first : there + end], u_turn[there + first : there + end]
        if k < splits:
            add_ends(sums, stopped, turned, stop[here + first : here + end], lists[:, k])
        else:
            add_two(sums, stopped, lists[STOP, k], turned, lists[U_TURN, k])
        if banks and lists[BANK, k] > 0.0:
            add_two(sums, own[there + first : there + end], lists[BANK, k], stopped, 0.0)
    for i in range(low, high + 1):
        room = top - i if sign > 0 else i
        if room <= most:
            edge = starts[total + sign * room] + i + sign * room
            x, y, z = stop[edge], u_turn[edge], stop[here + i]
            out[i] += tails[0, room] * x + tails[1, room] * y + tails[2, room] * max(x, z)
            out[i] += tails[3, room] * max(x, y) + tails[4, room] * max(y, z) + tails[5, room] * own[edge]


@kernel
def renew(
    table: Floats, mirror: Floats, out: Floats, starts: Ints, total: int, low: int, high: int, pace: float
) -> float:
    """Move the values of a diagonal towards the new ones, `pace` times their distance; the greatest distance."""
    change = 0.0
    here = starts[total]
    for i in range(low, high + 1):
        off = out[i] - table[here + i]
        change = max(change, abs(off))
        value = table[here + i] + pace * off
        table[here + i] = value
        mirror[here + total - i] = 1.0 - value
    return change


@kernel
def close(out: Floats, total: int, low: int, high: int, stays: float) -> None:
    """Solve the cycles of two turns that each leave the scores as they are with the chance `stays`."""
    for i in range(low, high + 1):
        j = total - i
        if i <= j:
            first, second = out[i] + stays, out[j] + stays
            out[i] = (first - stays * second) / (1.0 - stays * stays)
            out[j] = (second - stays * first) / (1.0 - stays * stays)


Turn = tuple[Floats, Floats, float, int, bool, Floats, float]
"""The lists and their tails, the chance of a DEAD END, how far splits matter, whether there are Bank Rolls; the lists
without the ways to leave the scores as they are, and the chance of those."""


@kernel
def sweep(tables: Floats, starts: Ints, goal: int, turn: Turn, pace: float) -> float:
    """Back up every state of ordinary play, from the highest sum of scores down; the greatest change.

    Tables as in the solver: own turn, serving in the other's turn, serving in one's own, the mirror of that, and the
    ends of an own turn by STOP and by U-TURN.
    """
    begin, away, home, home_mirror, stop, u_turn = tables[:6]
    lists, tails, dead, splits, banks, moving, stays = turn
    out = np.zeros(goal)
    change = 0.0
    for total in range(2 * goal - 2, -1, -1):
        low, high = max(0, total - goal + 1), min(goal - 1, total)
        back_up(out, stop, u_turn, home, starts, total, -1, low, high, lists, tails, dead, splits, banks)
        change = max(change, renew(home, home_mirror, out, starts, total, low, high, pace))
        back_up(out, begin, home_mirror, away, starts, total, -1, low, high, lists, tails, dead, splits, banks)
        change = max(change, renew(away, u_turn, out, starts, total, low, high, pace))
        back_up(out, stop, u_turn, begin, starts, total, 1, low, high, moving, tails, 0.0, splits, banks)
        close(out, total, low, high, stays)
        change = max(change, renew(begin, stop, out, starts, total, low, high, pace))
    return change


@kernel
def judge(tables: Floats, starts: Ints, goal: int) -> None:
    """Copy what final rounds lead to: undecided ones to the last roller's next turn, a goal reached to a final round.

    A tie at the ceiling ends the game, even; it is too rare to matter, and ties there would go on for long.
    """
    begin, stop, u_turn, judged, judged_mirror = tables[0], tables[4], tables[5], tables[6], tables[7]
    last_mirror, sent_mirror = tables[9], tables[11]
    top = starts.size // 2
    for total in range(2 * top + 1):
        here = starts[total]
        for i in range(max(0, total - top), min(top, total) + 1):
            j = total - i
            if i == j == top:
                judged[here + i] = 0.5
            elif i == j or max(i, j) < goal:
                judged[here + i] = begin[here + i]
            else:
                judged[here + i] = 1.0 if i > j else 0.0
            judged_mirror[here + j] = 1.0 - judged[here + i]
            if i >= goal:
                stop[here + i] = last_mirror[here + i]
                u_turn[here + i] = sent_mirror[here + i]


@kernel
def sweep_final(tables: Floats, starts: Ints, goal: int, turn: Turn, pace: float) -> float:
    """Back up every state of a final round, and turns that begin at the goal or above; the greatest change."""
    begin, stop, u_turn, judged, judged_mirror = tables[0], tables[4], tables[5], tables[6], tables[7]
    last, last_mirror, sent, sent_mirror, led, led_mirror = tables[8:14]
    chased, chased_mirror, hit, hit_mirror, spare = tables[14:19]
    lists, tails, dead, splits, banks = turn[:5]
    top = starts.size // 2
    out = np.zeros(top + 1)
    change = 0.0
    judge(tables, starts, goal)
    for total in range(2 * top, -1, -1):
        low, high = max(0, total - top), min(top, total)
        back_up(
            out, judged_mirror, hit_mirror, chased, starts, total, -1, low, high, lists, tails, dead, splits, banks
        )  # fmt: skip
        change = max(change, renew(chased, chased_mirror, out, starts, total, low, high, pace))
        back_up(out, judged, chased_mirror, hit, starts, total, -1, low, high, lists, tails, dead, splits, banks)
        change = max(change, renew(hit, hit_mirror, out, starts, total, low, high, pace))
        back_up(out, judged, chased_mirror, last, starts, total, 1, low, high, lists, tails, dead, splits, banks)
        change = max(change, renew(last, last_mirror, out, starts, total, low, high, pace))
        back_up(out, last_mirror, sent_mirror, led, starts, total, -1, low, high, lists, tails, dead, splits, banks)
        change = max(change, renew(led, led_mirror, out, starts, total, low, high, pace))
        back_up(out, last, led_mirror, sent, starts, total, -1, low, high, lists, tails, dead, splits, banks)
        change = max(change, renew(sent, sent_mirror, out, starts, total, low, high, pace))
    judge(tables, starts, goal)
    for total in range(2 * top, goal - 1, -1):
        low, high = max(goal, total - top), min(top, total)
        if not banks:  # then a turn begins here only after a tie
            low, high = (total // 2, total // 2) if total % 2 == 0 and total // 2 >= goal else (1, 0)
        back_up(out, stop, u_turn, begin, starts, total, 1, low, high, lists, tails, dead, splits, banks)
        change = max(change, renew(begin, spare, out, starts, total, low, high, pace))
    return change


@kernel
def play_turn(
    stop: Floats, u_turn: Floats, own: Floats, dead: float, ends: Floats, begin: Ints, gain: Ints, left: Ints,
    chance: Floats,
) -> Floats:  # fmt: skip
    """What each toss of a turn or penalty is worth, by points so far and dice.

    `stop`, `u_turn` and `own` are by points: the turn ended so, or banked so many. `ends` has the chance of each end
    by dice, DEAD END last. The other outcomes of a toss add to the points and leave so many dice, or bank (no dice).
    """
    most = stop.size - 1
    dice = ends.shape[0] - 1
    values = np.zeros((most + 1, dice + 1))
    for k in range(most, -1, -1):
        x, y = stop[k], u_turn[k]
        for n in range(1, dice + 1):
            w = ends[n]
            value = w[0] * x + w[1] * y + w[2] * max(x, dead) + w[3] * max(x, y) + w[4] * max(y, dead) + w[5] * dead
            for outcome in range(begin[n], begin[n + 1]):
                after = k + gain[outcome]
                if after > most:
                    value += chance[outcome] * stop[most]
                elif left[outcome]:
                    value += chance[outcome] * values[after, left[outcome]]
                else:
                    value += chance[outcome] * own[after]
            values[k, n] = value
    return values
