"""Boards of Rollers as numbers, and what dice do to them, flattened from the rules into tables."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hotdice.games.rollers.rules import CHIPS, CLOSED, DICE, NUMBERS, Board, applications, applied
from hotdice.solve.jit import kernel

Ints = NDArray[np.int64]
Sections = NDArray[np.int8]
"""The rules of sections, as `section_table` has them."""

SECTIONS: Final = len(NUMBERS)
FACES: Final = SECTIONS + 1
BOARDS: Final = (CLOSED + 1) ** SECTIONS
FULL: Final = BOARDS - 1
"""The number of the full board."""
TOTAL: Final = 2 * CHIPS
"""All the chips of two players; what one has not the other has."""
AFTER, COLLECTS = range(2)
"""What the table of sections says: the state of the section afterwards, and how many of the dice collect."""


def number_of(board: Board) -> int:
    """A board as a number, section 1 counting least."""
    return sum(section * (CLOSED + 1) ** at for at, section in enumerate(board))


def board_of(number: int) -> Board:
    """The board of a number."""
    return tuple(number // (CLOSED + 1) ** at % (CLOSED + 1) for at in range(len(NUMBERS)))


PROGRESS: Final = tuple(sum(board_of(board)) for board in range(BOARDS))
"""By board: how many steps it is from an empty one."""


@kernel
def digits(board: int, out: NDArray[np.int64]) -> None:
    """The sections of a board from its number."""
    for at in range(SECTIONS):
        out[at] = board % (CLOSED + 1)
        board //= CLOSED + 1


@cache
def section_table() -> Sections:
    """By section, its state, whether one may collect on it, and dice used: `AFTER`, which is -1 if that is not legal,
    and `COLLECTS`."""
    table = np.full((SECTIONS, CLOSED + 1, 2, DICE + 1, 2), -1, np.int8)
    for at, number in enumerate(NUMBERS):
        for section in range(CLOSED + 1):
            board = tuple(section if other == at else CLOSED for other in range(SECTIONS))
            counts = tuple(DICE if other == at else 0 for other in range(SECTIONS))
            for collect in range(2):
                allowed = tuple(bool(collect) and other == at for other in range(SECTIONS))
                for uses in applications(board, counts, 0, allowed).keys:
                    table[at, section, collect, uses[at]] = applied(number, section, uses[at])
    return table


@cache
def _caps() -> Ints:
    """By number, section and whether collecting is open: how many dice can be used at most."""
    legal = section_table()[..., AFTER] >= 0
    found: Ints = np.where(legal, np.arange(DICE + 1), 0).max(axis=-1)
    return found


def caps_of(mine: Board, collects: Sequence[bool]) -> tuple[int, ...]:
    """How many dice of each number are of use on a board."""
    return tuple(int(_caps()[at, mine[at], int(collects[at])]) for at in range(len(NUMBERS)))
