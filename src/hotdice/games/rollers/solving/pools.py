"""Pools of useful dice, numbered: how many show each number, and how many STARs there are.

A die of a number beyond its cap is of no use and not in a pool, so there are fewer pools where caps are low.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hotdice.games.rollers.rules import DICE, PURPLES
from hotdice.games.rollers.solving.boards import FACES, SECTIONS, Ints
from hotdice.solve.jit import kernel

STAR_AT: Final = SECTIONS
"""Where the STARs of a pool stand, behind its dice of each number."""
NONE, JUNK = 0, SECTIONS + 1
"""The black die, beside showing a useful number 1 to 5: to be rolled, or showing a number of no use."""
POOLS: Final = 1000
"""More than there are pools."""


class Pools(NamedTuple):
    """All pools of dice within the caps, numbered."""

    dice: NDArray[np.int8]
    """By pool: its dice of each number, and its STARs."""
    sizes: Ints
    """By pool: how many dice it has."""
    where: NDArray[np.int16]
    """By key: the number of a pool, or -1."""
    more: NDArray[np.int16]
    """By pool and face: the pool with one such die more, or -1."""
    less: NDArray[np.int16]
    """By pool and face: the pool with one such die less, or -1."""


class Rolls(NamedTuple):
    """Every roll of some purple dice as counts of each face, and in how many ways it comes."""

    counts: Ints
    ways: Ints


@kernel
def key_of(pool: NDArray[np.int8]) -> int:
    """A pool as one number, by which it is found in `Pools.where`."""
    key = 0
    for at in range(FACES):
        key = key * (DICE + 1) + pool[at]
    return key


@kernel
def pools_of(caps: Ints) -> Pools:
    """All pools within the caps. The black die has no STAR, so five are the most."""
    count = 0
    pools = np.zeros((POOLS, FACES), np.int8)
    where = np.full((DICE + 1) ** FACES, -1, np.int16)
    for stars in range(PURPLES + 1):
        for size in range(stars, DICE + 1):
            for a in range(min(caps[0], size - stars) + 1):
                for b in range(min(caps[1], size - stars - a) + 1):
                    for c in range(min(caps[2], size - stars - a - b) + 1):
                        for d in range(min(caps[3], size - stars - a - b - c) + 1):
                            e = size - stars - a - b - c - d
                            if e <= caps[4]:
                                pool = pools[count]
                                pool[0], pool[1], pool[2], pool[3], pool[4], pool[5] = a, b, c, d, e, stars
                                where[key_of(pool)] = count
                                count += 1
    dice = pools[:count].copy()
    sizes = np.zeros(count, np.int64)
    for one in range(count):
        sizes[one] = dice[one].sum()
    return Pools(dice, sizes, where, _changed(dice, where, 1), _changed(dice, where, -1))


@kernel
def _changed(pools: NDArray[np.int8], where: NDArray[np.int16], change: int) -> NDArray[np.int16]:
    """By pool and face: the pool with one such die more or less, or -1."""
    found = np.full((len(pools), FACES), -1, np.int16)
    for pool in range(len(pools)):
        for face in range(FACES):
            pools[pool, face] += change
            if 0 <= pools[pool, face] <= DICE:
                found[pool, face] = where[key_of(pools[pool])]
            pools[pool, face] -= change
    return found


@kernel
def limits_of(caps: Ints, black: int) -> Ints:
    """How many purple dice of each number are of use beside a black die kept for good.

    The black die is then used first, and a purple one rolled again in its place: it has no ZAP. With free dice and two
    rolls left the black one is not kept for good, and a purple die more is of use: the black one may be rolled later.
    """
    limits = caps.copy()
    if NONE < black < JUNK:
        limits[black - 1] -= 1
    return limits


@kernel
def within(pool: NDArray[np.int8], limits: Ints) -> bool:
    """Whether a pool has no more dice of any number than are of use."""
    for at in range(SECTIONS):  # noqa: SIM110 (kernels have no generators)
        if pool[at] > limits[at]:
            return False
    return True


@kernel
def wastes(pool: NDArray[np.int8], limits: Ints) -> bool:
    """Whether some number would be of no more use, so that more dice may have been rolled than the pool shows."""
    for at in range(SECTIONS):  # noqa: SIM110 (kernels have no generators)
        if pool[at] == limits[at]:
            return True
    return False


@kernel
def holds(pool: NDArray[np.int8], part: NDArray[np.int8]) -> bool:
    """Whether a pool has all the dice of another."""
    for face in range(FACES):  # noqa: SIM110 (kernels have no generators)
        if pool[face] < part[face]:
            return False
    return True


@kernel
def rolls_of(dice: int) -> Rolls:
    """Every roll of some purple dice."""
    factorial = 1
    for n in range(2, dice + 1):
        factorial *= n
    rolls = np.zeros((300, FACES), np.int64)
    ways = np.zeros(300, np.int64)
    count = 0
    for key in range((dice + 1) ** SECTIONS):
        rest, total, divide = key, 0, 1
        for face in range(SECTIONS):
            rolls[count, face] = rest % (dice + 1)
            total += rest % (dice + 1)
            rest //= dice + 1
        if total > dice:
            continue
        rolls[count, STAR_AT] = dice - total
        for face in range(FACES):
            for n in range(2, rolls[count, face] + 1):
                divide *= n
        ways[count] = factorial // divide
        count += 1
    return Rolls(rolls[:count].copy(), ways[:count].copy())
