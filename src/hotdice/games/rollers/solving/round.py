"""The two-player round of Rollers: two boards against each other, solved by compiled turns and enclosed.

What a round is worth is any payoff of its end that two players are opposed in, the player to move gaining what the
other loses: the difference of its points, or how the chances to win the match change. The payoff may depend on who
completes the board and on their chips, and never falls with these. Boards never go back, so pairs of boards are solved
in order of falling progress; within a pair, turns that change no board lead back to the pair, and its values are those
that a turn of each player reproduces. What is proven, and how:

* More chips are never worse: a richer player can do all that a poorer one does, pays no more and is paid as long as
  the other has chips. So of the uses of dice that lead to the same board, only the largest due counts.
* A turn's value never falls when a value it leads to rises, and never moves by more. Let F be some turns of each
  player. For each pair, F(v - m) > v - m and F(v + m) < v + m are computed, for all chips. Then every solution lies
  within m of v. For suppose that w = F(w) is less than v somewhere, by d at most, and d >= m. F(v - d) + d is no less
  than F(v - m) + m, as F moves by no more than its argument does, and so more than v everywhere. But w >= v - d, so
  w = F(w) >= F(v - d) > v - d everywhere, and d was not reached. The same from above.
* An endless round is a solution too: if it is taken to be worth the least to a player, the value of the round is
  the least solution for that player, and otherwise it lies between the least and the greatest. So whatever an endless
  round is worth, the value is that of the table: nobody gains by never ending a round, and nobody has to.
* Errors of boards further on, and of the payoff, add to that: the sum is kept with the table.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hotdice.games.rollers.rules import CLOSED
from hotdice.games.rollers.solving.boards import (
    AFTER,
    BOARDS,
    COLLECTS,
    FULL,
    SECTIONS,
    TOTAL,
    Ints,
    Sections,
    digits,
)
from hotdice.games.rollers.solving.lanes import LANES, Floats, aligned, larger, load, store
from hotdice.games.rollers.solving.lattice import Lattice
from hotdice.games.rollers.solving.pools import POOLS, STAR_AT
from hotdice.games.rollers.solving.program import run
from hotdice.solve.jit import fast_kernel, kernel

BLOCKS: Final = (TOTAL + LANES) // LANES
WIDTH: Final = BLOCKS * LANES
PADDED: Final = WIDTH + 2 * LANES
"""A row of values by chips goes on beyond all the chips: a due that the other cannot pay changes nothing more."""
NEVER: Final = -4.0
"""Less than any value of a round."""
SECANTS: Final = 12
"""After this many secant steps plain ones are taken, which always converge, if slowly."""
SLACK: Final = 1e-3
"""By which share of the margin an enclosure has to close in, far more than rounding."""
CLOSING_IN: Final = 100
"""In how many turns at most."""


class Memory(NamedTuple):
    """Work memory for the turns of one of two players."""

    rows: Floats
    """By board after the turn: the values by chips after it."""
    fixed: Floats
    """By block of lanes and pool: the best use of its dice that changes the board."""
    dues: Ints
    """By pool: the most chips due for a use that leaves the board as it is."""
    work: Floats
    """The rows of the turn's program."""
    stay: Floats
    """What it is worth to leave the board as it is, by chips."""
    out: Floats
    """What the turn is worth, by chips."""


def work_memory(rows: int) -> Memory:
    """Work memory for programs of at most `rows` rows."""
    return Memory(
        aligned(BOARDS * PADDED), aligned(POOLS * WIDTH), np.zeros(POOLS, np.int64),
        aligned(rows * LANES), aligned(PADDED), aligned(WIDTH),
    )  # fmt: skip


class Side(NamedTuple):
    """One of two players: their board, the lattice of their turns, the rules of sections, and work memory."""

    board: int
    lattice: Lattice
    sections: Sections
    memory: Memory
    ends: Floats
    """What completing the board is worth, by chips."""
    values: Floats
    """What their turns are worth, by their board, the other's and their chips, as far as that is solved."""


# Turns


@kernel
def _use(pool: NDArray[np.int8], mine: Ints, theirs: Ints, sections: Sections) -> tuple[int, int]:
    """The board and the chips due if all dice of a pool without STARs are used; -1 if not all can be."""
    board, due, unit = 0, 0, 1
    for at in range(SECTIONS):
        step = sections[at, mine[at], 1 if theirs[at] != CLOSED else 0, pool[at]]
        if step[AFTER] < 0:
            return -1, 0
        board += unit * step[AFTER]
        due += (at + 1) * step[COLLECTS]
        unit *= CLOSED + 1
    return board, due


@kernel
def _fill_leaves(side: Side, mine: Ints, theirs: Ints) -> None:
    """For each pool the best use that changes the board, in all lanes, and the most chips due of those that do not.

    More chips are never worse, so of several uses with the same board the largest due is best.
    """
    pools, fewer, me = side.lattice.pools, side.lattice.fewer, side.board
    rows, fixed, dues = side.memory.rows, side.memory.fixed, side.memory.dues
    stride = len(pools) * LANES
    for pool in range(len(pools)):
        stars = pools[pool, STAR_AT]
        board, due = (-1, 0) if stars else _use(pools[pool], mine, theirs, side.sections)
        dues[pool] = due if board == me else 0
        for block in range(BLOCKS):
            for lane in range(LANES):
                fixed[block * stride + pool * LANES + lane] = NEVER
            if board >= 0 and board != me:
                store(fixed, block * stride + pool * LANES, load(rows, board * PADDED + block * LANES + due))
        if due and board >= 0:
            fixed[pool * LANES] = NEVER  # without chips there is no collecting
        for number in range(SECTIONS):
            part = fewer[pool, number]
            if part >= 0:
                dues[pool] = max(dues[pool], dues[part])
                for block in range(BLOCKS):
                    at = block * stride
                    most = larger(load(fixed, at + pool * LANES), load(fixed, at + part * LANES))
                    store(fixed, at + pool * LANES, most)


@fast_kernel
def _play_turn(side: Side, out: Floats) -> None:
    """The value of a turn by chips, when a turn that leaves the board as it is leads to `stay`, by chips after it."""
    lattice, fixed, dues = side.lattice, side.memory.fixed, side.memory.dues
    stay, work = side.memory.stay, side.memory.work
    count = len(lattice.pools)
    for block in range(BLOCKS):
        begin = block * count * LANES
        for pool in range(count):
            at = begin + pool * LANES
            store(work, pool * LANES, larger(load(fixed, at), load(stay, block * LANES + dues[pool])))
        if block == 0:
            for pool in range(count):
                work[pool * LANES] = max(fixed[pool * LANES], stay[0])
        run(lattice.code, work)
        store(out, block * LANES, load(work, (lattice.rows - 1) * LANES))


@kernel
def _flip(values: Floats, out: Floats, shift: float) -> None:
    """What the other's values are worth to the one who has just played, by the latter's chips, and a bit more."""
    for chips in range(PADDED):
        out[chips] = shift - values[max(TOTAL - chips, 0)]


@kernel
def _fill_rows(values: Floats, me: int, other: int, mine: Ints, rows: Floats) -> None:
    """The values after a turn for every board further than mine but the full one; the other's are solved."""
    after = np.empty(SECTIONS, np.int64)
    for board in range(FULL):
        digits(board, after)
        further = board != me
        for at in range(SECTIONS):
            further = further and after[at] >= mine[at]
        if further:
            _flip(values[other, board], rows[board * PADDED : (board + 1) * PADDED], 0.0)


@kernel
def prepare(side: Side, other: Side) -> None:
    """Set up the turns of a player against another."""
    mine, theirs = np.empty(SECTIONS, np.int64), np.empty(SECTIONS, np.int64)
    digits(side.board, mine)
    digits(other.board, theirs)
    _fill_rows(other.values, side.board, other.board, mine, side.memory.rows)
    for chips in range(PADDED):
        side.memory.rows[FULL * PADDED + chips] = side.ends[min(chips, TOTAL)]
    _fill_leaves(side, mine, theirs)


@kernel
def both_turns(first: Side, second: Side, start: Floats, shift: float, out: Floats) -> None:
    """From the second player's values, raised by `shift`, through a turn of the first to those a turn later."""
    _flip(start, first.memory.stay, -shift)
    _play_turn(first, first.memory.out)
    _flip(first.memory.out, second.memory.stay, 0.0)
    _play_turn(second, out)


@kernel
def _extrapolate(before: Floats, image: Floats, now: Floats, found: Floats, plain: bool) -> float:
    """One secant step in each lane, from two points and their images; the largest change the image asked for.

    `now` becomes the next point, `before` and `image` what `now` and `found` were.
    """
    largest = 0.0
    for lane in range(WIDTH):
        change = found[lane] - now[lane]
        if lane <= TOTAL:
            largest = max(largest, abs(change))
        step = now[lane] - before[lane]
        slope = 0.0
        if not plain and abs(step) > 1e-13:
            slope = min(max((found[lane] - image[lane]) / step, 0.0), 0.95)
        before[lane] = now[lane]
        image[lane] = found[lane]
        now[lane] = found[lane] + change * slope / (1.0 - slope)
    return largest


@kernel
def _approach(first: Side, second: Side, now: Floats, goal: float, most: int) -> int:
    """Bring values near to those that a turn of each player reproduces; how many turns of each it took."""
    before, image, found = np.zeros(WIDTH), np.zeros(WIDTH), np.zeros(WIDTH)
    last = 0.0
    plain = True
    for count in range(1, most + 1):
        both_turns(first, second, now, 0.0, found)
        largest = _extrapolate(before, image, now, found, plain)
        quickly = count > 1 and largest < 0.1 * last
        if largest * (10.0 * largest / last if quickly else 1.0) < goal:
            return count
        plain = largest > 0.7 * last > 0.0 or count > SECANTS
        last = largest
    return most


@kernel
def _encloses(low: Floats, high: Floats, middle: Floats, margin: float) -> bool:
    for chips in range(TOTAL + 1):
        if low[chips] < middle[chips] - margin or high[chips] > middle[chips] + margin:
            return False
    return True


@kernel
def _average(one: Floats, other: Floats, out: Floats) -> float:
    """The middle of two bounds, and half the largest distance of them."""
    widest = 0.0
    for chips in range(TOTAL + 1):
        out[chips] = 0.5 * (one[chips] + other[chips])
        widest = max(widest, 0.5 * abs(one[chips] - other[chips]))
    return widest


@kernel
def _guess(first: Side, second: Side, out: Floats) -> None:
    """Values to start from: those against a board one step further, where that is not the full one."""
    me, unit = first.board, (CLOSED + 1) ** (SECTIONS - 1)
    while unit:
        if me // unit % (CLOSED + 1) != CLOSED and me + unit != FULL:
            for lane in range(WIDTH):
                out[lane] = second.values[second.board, me + unit, min(lane, TOTAL)]
            return
        unit //= CLOSED + 1


@kernel
def solve_pair(first: Side, second: Side, margin: float) -> tuple[float, int]:
    """Solve two boards against each other, either to move: the proven error, and how many turns it took.

    The error is beyond that of boards further on; it is negative where no proof was found.
    """
    me, other = first.board, second.board
    prepare(first, second)
    prepare(second, first)
    now, low, high = np.zeros(WIDTH), np.zeros(WIDTH), np.zeros(WIDTH)
    low_mine = np.zeros(WIDTH)
    _guess(first, second, now)
    taken = 0
    goal = margin / 16
    for _ in range(6):
        taken += _approach(first, second, now, goal, 200)
        low[:], high[:] = now, now
        shift = margin
        for _ in range(CLOSING_IN):
            both_turns(first, second, low, -shift, low)
            low_mine[:] = first.memory.out
            both_turns(first, second, high, shift, high)
            taken += 2
            shift = 0.0
            if _encloses(low, high, now, margin * (1.0 - SLACK)):
                mine = _average(low_mine, first.memory.out, first.values[me, other])
                return max(mine, _average(low, high, second.values[other, me])), taken
            if not _encloses(low, high, now, margin * (1.0 + SLACK)):
                break
        goal /= 8
        for chips in range(TOTAL + 1):
            now[chips] = 0.5 * (low[chips] + high[chips])
    return -1.0, taken
