"""Compiled loops of KOR: tables on a grid of two scores backed up by whole diagonals, and one turn by its points.

All points are counted in steps of 25. A table holds what a moment is worth to the one who rolls, by their own score and
the other's, both counted from the lowest score of the grid; its mirror holds what it is worth to the other one. A
turn or penalty moves only the roller's score, so all states with the same sum of scores, a diagonal, move together:
tables are stored by diagonals, and the loops over one are loops over neighbours in memory.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hotdice.solve.jit import fast_kernel, kernel

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

STOP, U_TURN, STOP_OR_DEAD, STOP_OR_U, DEAD_OR_U, BANK = range(6)
"""The ways a turn ends with its points, rows of a list by points; the last one goes on, the points being banked."""


class Grid(NamedTuple):
    """All tables of a solve, each by the roller's score, then the other's, and stored by diagonals.

    A name with `_mirror` is what the moment is worth to the other one, by the other's score, then the roller's. The
    tables from `judged` on are those of final rounds; they are empty in a game without.
    """

    begin: Floats
    """One's own turn."""
    away: Floats
    """Serving a penalty in the other's turn."""
    home: Floats
    """Serving a penalty in one's own turn."""
    home_mirror: Floats
    stop: Floats
    """An own turn that has ended by STOP."""
    u_turn: Floats
    """An own turn that has ended by U-TURN."""
    judged: Floats
    """What the final round has come to for the last roller."""
    judged_mirror: Floats
    last: Floats
    """The last turn."""
    last_mirror: Floats
    sent: Floats
    """A penalty of the last roller before it."""
    sent_mirror: Floats
    led: Floats
    """A penalty of the leader before it."""
    led_mirror: Floats
    chased: Floats
    """A penalty of the leader in the last turn."""
    chased_mirror: Floats
    hit: Floats
    """A penalty of the last roller in the last turn."""
    hit_mirror: Floats
    spare: Floats
    """Takes a mirror that nobody reads."""


class Chances(NamedTuple):
    """How a turn or penalty can end."""

    lists: Floats
    """[way, points]: the chance to end that way with these points."""
    tails: Floats
    """[way, points]: the same with these points or more."""
    dead: float
    """The chance of a DEAD END."""
    splits: int
    """From this many points on, the chance of a split is too small to matter."""
    banks: bool
    """Whether there are Bank Rolls."""


class Turn(NamedTuple):
    """The chances of a turn, all of them and those that move the scores, and the chance that the scores stay."""

    every: Chances
    moving: Chances
    stays: float


class Ends(NamedTuple):
    """What it is worth to end a turn or penalty by STOP or by U-TURN, or to go on with six dice and no points.

    To the kernels of the grid these are tables; to `play_turn` they are lists by the points of the turn.
    """

    stop: Floats
    u_turn: Floats
    own: Floats


class Diagonal(NamedTuple):
    """The states with the same sum of scores, between two own scores."""

    starts: Ints
    """[sum]: where each diagonal would begin in a table if the first score could be 0."""
    total: int
    low: int
    high: int


class Toss(NamedTuple):
    """What one toss does, by the number of dice."""

    ends: Floats
    """[dice, way]: the chance to end the turn that way; DEAD END comes last."""
    begin: Ints
    """[dice]: where the other outcomes of tossing that many dice begin."""
    gain: Ints
    """[outcome]: the points that are added."""
    left: Ints
    """[outcome]: the dice left to toss, or 0 if the points are banked."""
    chance: Floats
    """[outcome]: its chance."""


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
def back_up(out: Floats, ends: Ends, line: Diagonal, sign: int, chances: Chances) -> None:
    """What a turn (`sign` 1) or penalty (-1) from each state of a diagonal is worth.

    Points that lead out of the grid lead to its edge.
    """
    stop, u_turn, own = ends.stop, ends.u_turn, ends.own
    starts, total, low, high = line.starts, line.total, line.low, line.high
    lists, tails = chances.lists, chances.tails
    top = starts.size // 2
    most = lists.shape[1] - 1
    here = starts[total]
    for i in range(low, high + 1):
        out[i] = chances.dead * stop[here + i]
    for k in range(most + 1):
        first, end = (low, min(high, top - k - 1) + 1) if sign > 0 else (max(low, k + 1), high + 1)
        if first >= end:
            break
        there = starts[total + sign * k] + sign * k
        # Slices, as the compiler would not work on several neighbours at once if an index could be negative.
        sums, stopped, turned = out[first:end], stop[there + first : there + end], u_turn[there + first : there + end]
        if k < chances.splits:
            add_ends(sums, stopped, turned, stop[here + first : here + end], lists[:, k])
        else:
            add_two(sums, stopped, lists[STOP, k], turned, lists[U_TURN, k])
        if chances.banks and lists[BANK, k] > 0.0:
            add_two(sums, own[there + first : there + end], lists[BANK, k], stopped, 0.0)
    for i in range(low, high + 1):
        room = top - i if sign > 0 else i
        if room <= most:
            edge = starts[total + sign * room] + i + sign * room
            x, y, z = stop[edge], u_turn[edge], stop[here + i]
            out[i] += tails[STOP, room] * x + tails[U_TURN, room] * y + tails[STOP_OR_DEAD, room] * max(x, z)
            out[i] += (
                tails[STOP_OR_U, room] * max(x, y) + tails[DEAD_OR_U, room] * max(y, z) + tails[BANK, room] * own[edge]
            )


@kernel
def renew(table: Floats, mirror: Floats, out: Floats, line: Diagonal, pace: float) -> float:
    """Move the values of a diagonal towards the new ones, `pace` times their distance; the greatest distance."""
    change = 0.0
    here = line.starts[line.total]
    for i in range(line.low, line.high + 1):
        off = out[i] - table[here + i]
        change = max(change, abs(off))
        value = table[here + i] + pace * off
        table[here + i] = value
        mirror[here + line.total - i] = 1.0 - value
    return change


@kernel
def close(out: Floats, line: Diagonal, stays: float) -> None:
    """Solve the cycles of two turns that each leave the scores as they are with the chance `stays`."""
    for i in range(line.low, line.high + 1):
        j = line.total - i
        if i <= j:
            first, second = out[i] + stays, out[j] + stays
            out[i] = (first - stays * second) / (1.0 - stays * stays)
            out[j] = (second - stays * first) / (1.0 - stays * stays)


@kernel
def sweep(grid: Grid, starts: Ints, goal: int, turn: Turn, pace: float) -> float:
    """Back up every state of ordinary play, from the highest sum of scores down; the greatest change."""
    begin, away, home, stop, u_turn = grid.begin, grid.away, grid.home, grid.stop, grid.u_turn
    out = np.zeros(goal)
    change = 0.0
    for total in range(2 * goal - 2, -1, -1):
        line = Diagonal(starts, total, max(0, total - goal + 1), min(goal - 1, total))
        back_up(out, Ends(stop, u_turn, home), line, -1, turn.every)
        change = max(change, renew(home, grid.home_mirror, out, line, pace))
        back_up(out, Ends(begin, grid.home_mirror, away), line, -1, turn.every)
        change = max(change, renew(away, u_turn, out, line, pace))
        back_up(out, Ends(stop, u_turn, begin), line, 1, turn.moving)
        close(out, line, turn.stays)
        change = max(change, renew(begin, stop, out, line, pace))
    return change


@kernel
def judge(grid: Grid, starts: Ints, goal: int) -> None:
    """Copy what final rounds lead to: undecided ones to the last roller's next turn, a goal reached to a final round.

    A tie at the ceiling ends the game, even; it is too rare to matter, and ties there would go on for long.
    """
    judged = grid.judged
    top = starts.size // 2
    for total in range(2 * top + 1):
        here = starts[total]
        for i in range(max(0, total - top), min(top, total) + 1):
            j = total - i
            if i == j == top:
                judged[here + i] = 0.5
            elif i == j or max(i, j) < goal:
                judged[here + i] = grid.begin[here + i]
            else:
                judged[here + i] = 1.0 if i > j else 0.0
            grid.judged_mirror[here + j] = 1.0 - judged[here + i]
            if i >= goal:
                grid.stop[here + i] = grid.last_mirror[here + i]
                grid.u_turn[here + i] = grid.sent_mirror[here + i]


@kernel
def sweep_final(grid: Grid, starts: Ints, goal: int, turn: Turn, pace: float) -> float:
    """Back up every state of a final round, and turns that begin at the goal or above; the greatest change."""
    chances = turn.every
    top = starts.size // 2
    out = np.zeros(top + 1)
    change = 0.0
    judge(grid, starts, goal)
    for total in range(2 * top, -1, -1):
        line = Diagonal(starts, total, max(0, total - top), min(top, total))
        back_up(out, Ends(grid.judged_mirror, grid.hit_mirror, grid.chased), line, -1, chances)
        change = max(change, renew(grid.chased, grid.chased_mirror, out, line, pace))
        back_up(out, Ends(grid.judged, grid.chased_mirror, grid.hit), line, -1, chances)
        change = max(change, renew(grid.hit, grid.hit_mirror, out, line, pace))
        back_up(out, Ends(grid.judged, grid.chased_mirror, grid.last), line, 1, chances)
        change = max(change, renew(grid.last, grid.last_mirror, out, line, pace))
        back_up(out, Ends(grid.last_mirror, grid.sent_mirror, grid.led), line, -1, chances)
        change = max(change, renew(grid.led, grid.led_mirror, out, line, pace))
        back_up(out, Ends(grid.last, grid.led_mirror, grid.sent), line, -1, chances)
        change = max(change, renew(grid.sent, grid.sent_mirror, out, line, pace))
    judge(grid, starts, goal)
    for total in range(2 * top, goal - 1, -1):
        low, high = max(goal, total - top), min(top, total)
        if not chances.banks:  # then a turn begins here only after a tie
            low, high = (total // 2, total // 2) if total % 2 == 0 and total // 2 >= goal else (1, 0)
        line = Diagonal(starts, total, low, high)
        back_up(out, Ends(grid.stop, grid.u_turn, grid.begin), line, 1, chances)
        change = max(change, renew(grid.begin, grid.spare, out, line, pace))
    return change


@kernel
def play_turn(worth: Ends, dead: float, toss: Toss) -> Floats:
    """What each toss of a turn or penalty is worth, by points so far and dice.

    `worth` is by points; `dead` is what a DEAD END is worth, which takes the points away.
    """
    stop, u_turn, own = worth.stop, worth.u_turn, worth.own
    most = stop.size - 1
    dice = toss.ends.shape[0] - 1
    values = np.zeros((most + 1, dice + 1))
    for k in range(most, -1, -1):
        x, y = stop[k], u_turn[k]
        for n in range(1, dice + 1):
            w = toss.ends[n]
            value = w[0] * x + w[1] * y + w[2] * max(x, dead) + w[3] * max(x, y) + w[4] * max(y, dead) + w[5] * dead
            for outcome in range(toss.begin[n], toss.begin[n + 1]):
                after = k + toss.gain[outcome]
                if after > most:
                    value += toss.chance[outcome] * stop[most]
                elif toss.left[outcome]:
                    value += toss.chance[outcome] * values[after, toss.left[outcome]]
                else:
                    value += toss.chance[outcome] * own[after]
            values[k, n] = value
    return values
