"""The race of Rollers: the turns that it takes to close a board alone.

Boards never go back, so they are solved in order of falling progress. A turn that changes nothing leads back to the
board, whose value is that which a turn reproduces.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from hotdice.games.rollers.rules import CLOSED, NO_COLLECT, Board
from hotdice.games.rollers.solving.boards import (
    AFTER,
    BOARDS,
    FULL,
    PROGRESS,
    SECTIONS,
    Ints,
    board_of,
    caps_of,
    section_table,
)
from hotdice.games.rollers.solving.lanes import LANES, Floats, aligned
from hotdice.games.rollers.solving.lattice import Lattice, lattice_of
from hotdice.games.rollers.solving.pools import STAR_AT
from hotdice.games.rollers.solving.program import run
from hotdice.solve.jit import kernel
from hotdice.values import NotSolved, Progress, no_progress

MARGIN: Final = 2e-11
"""How closely each board, or pair of boards, is enclosed."""
WORK_ROWS: Final = 24_000
"""More rows than any program has, with locked dice too."""


# One turn alone


@kernel
def turn_of_uses(lattice: Lattice, uses: Floats, work: Floats) -> None:
    """Fill the work memory, in its first lane, from the values of using exactly the dice of each pool without STARs."""
    pools, fewer = lattice.pools, lattice.fewer
    for pool in range(len(pools)):
        most = uses[pool] if pool < len(uses) else -np.inf
        for number in range(SECTIONS):
            if fewer[pool, number] >= 0:
                most = max(most, work[fewer[pool, number] * LANES])
        for lane in range(LANES):
            work[pool * LANES + lane] = most
    run(lattice.code, work)


@kernel
def solve_board(lattice: Lattice, uses: Floats, staying: NDArray[np.bool_], work: Floats, margin: float) -> float:
    """The expected turns to close a board, as a negative number; no number if it could not be enclosed.

    `uses` has what uses of dice lead to; those that are `staying` leave the board as it is. A turn costs 1. The value
    is that which a turn reproduces, found by secants and enclosed within the margin.
    """
    now, before, image = uses.copy(), 0.0, 0.0
    result = (lattice.rows - 1) * LANES
    guess = uses[~staying].max() - 1.0
    for count in range(1000):
        now[staying] = guess
        turn_of_uses(lattice, now, work)
        found = work[result] - 1.0
        if abs(found - guess) < margin / 64:
            break
        slope = (found - image) / (guess - before) if count and guess != before else 0.0
        before, image = guess, found
        guess = found + (found - guess) * slope / (1.0 - slope) if 0.0 < slope < 0.999 else found
    now[staying] = guess - margin
    turn_of_uses(lattice, now, work)
    low = work[result] - 1.0
    now[staying] = guess + margin
    turn_of_uses(lattice, now, work)
    high = work[result] - 1.0
    return 0.5 * (low + high) if low >= guess - margin and high <= guess + margin else np.nan


# The solve


def boards_after(board: Board, uses: NDArray[np.int8]) -> Ints:
    """The board that each use of dice leads to when nothing can be collected, or -1 if it is not legal."""
    sections = section_table()
    after, legal = np.zeros(len(uses), np.int64), np.ones(len(uses), np.bool_)
    for at, section in enumerate(board):
        step = sections[at, section, 0, uses[:, at], AFTER].astype(np.int64)
        legal &= step >= 0
        after += step * (CLOSED + 1) ** at
    return np.where(legal, after, -1)


def solve_race(locked: bool, progress: Progress = no_progress) -> Floats:
    """The expected turns to close each board alone, by its number."""
    turns = np.zeros(BOARDS)
    work = aligned(WORK_ROWS * LANES)
    for done, number in enumerate(sorted(range(FULL), key=lambda board: -PROGRESS[board])):
        board = board_of(number)
        lattice = lattice_of(caps_of(board, NO_COLLECT), locked)
        after = boards_after(board, lattice.pools[lattice.pools[:, STAR_AT] == 0, :STAR_AT])
        leads = np.where(after >= 0, -turns[after], -1e9)
        turns[number] = -solve_board(lattice, leads, after == number, work, MARGIN)
        progress((done + 1) / FULL)
    if np.isnan(turns).any():
        raise NotSolved("The race could not be enclosed.")
    return turns
