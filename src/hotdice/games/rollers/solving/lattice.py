"""The lattice of a turn: three rolls of six dice folded into the dice that are kept, written as a program.

Only useful dice count: a die of a number beyond its cap is as good as none. So there is a program for each set of caps,
made once. It is written from the last roll to the first, and its inputs are what each pool of dice is worth when the
rolling is over. Which pools are of use, and what they are worth, is left to others.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hotdice.games.rollers.rules import DICE, PURPLES
from hotdice.games.rollers.solving.boards import FACES, SECTIONS, Ints
from hotdice.games.rollers.solving.pools import (
    JUNK,
    NONE,
    STAR_AT,
    Pools,
    Rolls,
    holds,
    key_of,
    limits_of,
    pools_of,
    rolls_of,
    wastes,
    within,
)
from hotdice.games.rollers.solving.program import (
    DRAFT_INPUTS,
    DRAFT_JUNK,
    DRAFT_KIND,
    DRAFT_ROW,
    DRAFT_TERMS,
    DRAFT_TIMES,
    LENGTH,
    MAX,
    MEAN,
    MEAN_JUNK,
    ROWS,
    Code,
    Draft,
    draft,
    new_row,
    write_pending,
    write_sum,
)
from hotdice.solve.jit import kernel

SCRATCH: Final = 20_000
"""More rows than a program has before the second lattice of locked dice, scratch rows included."""
LOCKED_SCRATCH: Final = 4000
CODE_ROOM: Final = 100_000
LOCKED_CODE_ROOM: Final = 2_000_000
"""More numbers than a program has, with free dice and with locked ones."""


class Lattice(NamedTuple):
    """The turn's program for one set of caps, and the pools of useful dice that its leaves are.

    Row i of the work memory, for i below the number of pools, is pool i's leaf; the program fills the other rows.
    """

    pools: NDArray[np.int8]
    """Each pool's dice by number, and its STARs; pools with fewer STARs come first, then smaller ones."""
    fewer: NDArray[np.int16]
    """By pool and number: the pool without one such die or, where it has STARs, with one taken as that number."""
    code: Code
    keeps: NDArray[np.int32]
    """By rolls left less one, black die and purple pool: the row of keeping these and rolling the rest, or -1."""
    bests: NDArray[np.int32]
    """The same for the best keep among these; with locked dice only after the first roll, when nothing is kept yet."""
    rows: int
    """How many rows there are. The last one is the turn's value."""


class KeepRows(NamedTuple):
    """By black die and purple pool, the rows of keeping these dice and of the best keep among them, or -1."""

    keeps: NDArray[np.int32]
    bests: NDArray[np.int32]


# Instructions. Counts that begin with 0 are passed on as `int(count)`, or numba compiles the callee for a 0 alone, too.


@kernel
def _draft_mean(draft: Draft, at: int, terms: int, wasted: int, junk: int) -> int:
    """Complete pending instruction `at`, a mean whose terms are there; the row that it fills.

    `wasted` faces are of no use; the row `junk` stands for them.
    """
    pending, row = draft.pending[at], new_row(draft)
    pending[DRAFT_KIND] = MEAN_JUNK if wasted else MEAN
    pending[DRAFT_TERMS], pending[DRAFT_ROW] = terms, row
    pending[DRAFT_TIMES], pending[DRAFT_JUNK] = wasted, junk
    return row


@kernel
def _write_means_of(draft: Draft, pools: Pools, rows: NDArray[np.int32], left: int, size: int, limits: Ints) -> None:
    """Rows [left, pool] for `left` purple dice still to be rolled, from those for one die less.

    `size` is how many dice are known; a smaller pool occurs where dice can be wasted.
    """
    count = 0
    for pool in range(len(pools.dice)):
        if pools.sizes[pool] > size or pools.dice[pool, STAR_AT] > PURPLES - left:
            continue
        dice = pools.dice[pool]
        if pools.sizes[pool] < size and not wastes(dice, limits):
            continue
        terms = 0
        wasted = 0
        for face in range(FACES):
            if face < SECTIONS and dice[face] == limits[face]:
                wasted += 1
            else:
                draft.pending[count, DRAFT_INPUTS + terms] = rows[left - 1, pools.more[pool, face]]
                terms += 1
        rows[left, pool] = _draft_mean(draft, int(count), int(terms), int(wasted), rows[left - 1, pool])
        count += 1
    write_pending(draft, int(count))


@kernel
def _write_means(draft: Draft, pools: Pools, rows: NDArray[np.int32], dice: int, limits: Ints) -> None:
    """Rows for all purple dice still to be rolled, from those for none, until `dice` dice are known in all."""
    for left in range(1, PURPLES + 1):
        _write_means_of(draft, pools, rows, left, dice - left, limits)


@kernel
def _write_unkept(
    draft: Draft,
    pools: Pools,
    zapped: NDArray[np.int32],
    rolled: NDArray[np.int32],
    keeps: NDArray[np.int32],
    caps: Ints,
) -> None:
    """Keeps without the black die: the mean over what it shows beside the purple ones, a ZAP or a number.

    `rolled` is by number shown, purple dice left to roll, and purple pool.
    """
    count = 0
    for pool in range(len(pools.sizes)):
        if pools.sizes[pool] > PURPLES:
            continue
        left = PURPLES - pools.sizes[pool]
        terms = 1
        wasted = 0
        draft.pending[count, DRAFT_INPUTS] = zapped[pool]
        for number in range(1, SECTIONS + 1):
            if caps[number - 1] == 0:
                wasted += 1
            else:
                draft.pending[count, DRAFT_INPUTS + terms] = rolled[number, left, pool]
                terms += 1
        keeps[NONE, pool] = _draft_mean(draft, int(count), int(terms), int(wasted), rolled[JUNK, left, pool])
        count += 1
    write_pending(draft, int(count))


@kernel
def _write_bests(draft: Draft, pools: Pools, rows: KeepRows, black: int, limits: Ints, least: int) -> None:
    """The best keep among some dice: all of them, or all but one or more. A STAR is never given up: it is any face.

    `least` is a pool that has to stay.
    """
    keeps, bests, pending = rows.keeps, rows.bests, draft.pending
    for size in range(PURPLES + 1):
        count = 0
        for pool in range(len(pools.dice)):
            if pools.sizes[pool] != size:
                continue
            dice = pools.dice[pool]
            if not within(dice, limits) or not holds(dice, pools.dice[least]):
                continue
            terms = 1
            pending[count, DRAFT_INPUTS] = keeps[black, pool]
            if black != NONE and bests[NONE, pool] >= 0 and (size == PURPLES or wastes(dice, limits)):
                pending[count, DRAFT_INPUTS + terms] = bests[NONE, pool]
                terms += 1
            for face in range(SECTIONS):
                if dice[face] > pools.dice[least, face]:
                    pending[count, DRAFT_INPUTS + terms] = bests[black, pools.less[pool, face]]
                    terms += 1
            if terms == 1:
                bests[black, pool] = keeps[black, pool]
                continue
            bests[black, pool] = new_row(draft)
            pending[count, DRAFT_KIND], pending[count, DRAFT_TERMS] = MAX, terms
            pending[count, DRAFT_ROW] = bests[black, pool]
            count += 1
        write_pending(draft, int(count))


@kernel
def _spread(pools: Pools, weight: Ints, bests: NDArray[np.int32], held: int, limits: Ints, rolls: Rolls) -> None:
    """Add to each row's weight the ways in which a roll beside the dice held leads to it; `bests` is by purple pool."""
    pool = np.zeros(FACES, np.int8)
    for roll in range(len(rolls.ways)):
        for face in range(FACES):
            pool[face] = pools.dice[held, face] + rolls.counts[roll, face]
            if face < SECTIONS:
                pool[face] = min(pool[face], limits[face])
        weight[bests[pools.where[key_of(pool)]]] += rolls.ways[roll]


@kernel
def _write_locked(draft: Draft, pools: Pools, keeps: NDArray[np.int32], after: NDArray[np.int32], caps: Ints) -> None:
    """With locked dice: the row `after` of each keep with two rolls left, whose dice all later keeps hold.

    Every keep has a lattice of its own, in scratch rows that are used again.
    """
    rows = KeepRows(keeps, np.full((JUNK + 1, len(pools.dice)), -1, np.int32))
    bests = rows.bests
    weight = np.zeros(SCRATCH, np.int64)
    top = draft.used[ROWS]
    for held in range(len(pools.dice)):
        size = pools.sizes[held]
        if size > PURPLES:
            continue
        rolls = rolls_of(PURPLES - size)
        for black in range(JUNK + 1):
            if keeps[black, held] < 0:
                continue
            out = after[black, held]
            bests[:] = -1
            limits = limits_of(caps, black)
            draft.used[ROWS] = top
            _write_bests(draft, pools, rows, black, limits, held)
            if black != NONE:
                _spread(pools, weight, bests[black], held, limits, rolls)
                write_sum(draft, weight, PURPLES - size, out)
                continue
            weight[keeps[NONE, held]] += 6 ** (PURPLES - size)
            for number in range(1, SECTIONS + 1):
                shown = number if pools.dice[held, number - 1] < caps[number - 1] else JUNK
                limits = limits_of(caps, shown)
                if shown != JUNK or bests[JUNK, held] < 0:
                    _write_bests(draft, pools, rows, shown, limits, held)
                _spread(pools, weight, bests[shown], held, limits, rolls)
            write_sum(draft, weight, PURPLES - size + 1, out)
    draft.used[ROWS] = top


# The turn


class _Builder:
    """Writes the program of a turn, from its last roll to its first."""

    def __init__(self, caps: Ints, locked: bool) -> None:
        self.caps, self.locked = caps, locked
        self.pools = pools_of(caps)
        self.count = len(self.pools.dice)
        self.draft = draft(LOCKED_CODE_ROOM if locked else CODE_ROOM, self.count)
        # A number of no use on the black die is worth keeping too: it keeps the ZAP away.
        junk = locked or bool((caps == 0).any())
        self.blacks = [*(int(n) for n in np.flatnonzero(caps) + 1), *([JUNK] if junk else [])]
        self.keeps = np.full((2, JUNK + 1, self.count), -1, np.int32)
        self.bests = np.full_like(self.keeps, -1)

    @property
    def rows(self) -> int:
        """How many rows are in use."""
        return int(self.draft.used[ROWS])

    def blank(self) -> NDArray[np.int32]:
        """Rows by black die, purple dice left to roll, and pool; none yet."""
        return np.full((JUNK + 1, PURPLES + 1, self.count), -1, np.int32)

    def means(self, rows: NDArray[np.int32], dice: int) -> None:
        """Rows for purple dice to be rolled until `dice` are known in all, from those for none to be rolled."""
        _write_means(self.draft, self.pools, rows, dice, self.caps)

    def unkept(self, stage: int, zapped: NDArray[np.int32], rolled: NDArray[np.int32]) -> None:
        """Keeps without the black die."""
        _write_unkept(self.draft, self.pools, zapped, rolled, self.keeps[stage], self.caps)

    def best(self, stage: int, black: int, limits: Ints) -> None:
        """The best keeps with a black die."""
        rows = KeepRows(self.keeps[stage], self.bests[stage])
        _write_bests(self.draft, self.pools, rows, black, limits, 0)

    def last_roll(self) -> NDArray[np.int32]:
        """Keeps with one roll left. Colours do not matter any more once the black die is kept."""
        sizes, every = self.pools.sizes, np.arange(self.count)
        known = np.full((PURPLES + 1, self.count), -1, np.int32)
        known[0] = every
        self.means(known, DICE)
        rolled = self.blank()
        for black in self.blacks:
            fits = self.fits(black)
            both = np.where(fits, self.pools.more[:, black - 1], every) if black != JUNK else every
            rolled[black] = known[:, both]
            rolled[black][:, sizes > PURPLES] = -1
            kept = np.flatnonzero(fits & (sizes <= PURPLES))
            self.keeps[0, black, kept] = rolled[black, PURPLES - sizes[kept], kept]
        self.unkept(0, every.astype(np.int32), rolled)
        return rolled[:, 0].copy()

    def fits(self, black: int) -> NDArray[np.bool_]:
        """Whether beside this black die all of a purple pool is of use."""
        found: NDArray[np.bool_] = np.all(self.pools.dice[:, :STAR_AT] <= limits_of(self.caps, black), axis=1)
        return found

    def free_roll(self, stops: NDArray[np.int32]) -> None:
        """Keeps with two rolls left when any dice may be rolled again; `stops` are the rows of all six dice kept."""
        sizes, rolled = self.pools.sizes, self.blank()
        self.best(0, NONE, self.caps)
        for black in self.blacks:
            self.best(0, black, limits_of(self.caps, black))
            rolled[black, 0] = self.bests[0, black]
            if black != JUNK:
                over = np.flatnonzero(~self.fits(black) & (sizes <= PURPLES))
                rolled[black, 0, over] = self.bests[0, black, self.pools.less[over, black - 1]]
            self.means(rolled[black], PURPLES)
            some, all_five = np.flatnonzero(sizes < PURPLES), np.flatnonzero(sizes == PURPLES)
            self.keeps[1, black, some] = rolled[black, PURPLES - sizes[some], some]
            self.keeps[1, black, all_five] = stops[black, all_five]
        self.unkept(1, self.bests[0, NONE], rolled)

    def locked_roll(self) -> None:
        """Keeps with two rolls left when what is kept stays kept."""
        there = np.flatnonzero(self.keeps[0].reshape(-1) >= 0)
        self.keeps[1].reshape(-1)[there] = np.arange(self.rows, self.rows + len(there))
        self.draft.used[ROWS] += len(there)
        _write_locked(self.draft, self.pools, self.keeps[0], self.keeps[1], self.caps)
        self.draft.used[ROWS] += LOCKED_SCRATCH

    def first_roll(self) -> None:
        """The best keeps after the first roll, and the turn's value as the last row."""
        rolls = rolls_of(PURPLES)
        weight = np.zeros(self.rows + 4000, np.int64)
        parts: list[int] = []
        for black in (NONE, *self.blacks):
            if self.keeps[1, black, 0] < 0:
                continue  # no use of a number that comes with the first roll is wasted
            limits = limits_of(self.caps, black) if self.locked else self.caps
            self.best(1, black, limits)
            if black == NONE:
                weight[self.bests[1, NONE, 0]] = 6**PURPLES
            for number in range(1, SECTIONS + 1):
                if black == (number if self.caps[number - 1] else JUNK):
                    _spread(self.pools, weight, self.bests[1, black], 0, limits, rolls)
            parts += [self.rows] if weight.any() else []
            self.sum(weight, DICE)
        weight[parts] = 1
        self.sum(weight, 0)

    def sum(self, weight: Ints, power: int) -> None:
        """A weighted sum in a row of its own, if there is any weight."""
        if weight.any():
            write_sum(self.draft, weight, power, new_row(self.draft))

    def fewer(self) -> NDArray[np.int16]:
        """By pool and number: the pool without one such die, or with a STAR taken as that number."""
        pools = self.pools
        found = pools.less[:, :SECTIONS].copy()
        starred = np.flatnonzero(pools.dice[:, STAR_AT])
        without = pools.less[starred, STAR_AT]
        for at in range(SECTIONS):
            full = pools.dice[starred, at] == self.caps[at]
            found[starred, at] = np.where(full, without, pools.more[without, at])
        return found


@lru_cache(maxsize=2048)
def lattice_of(caps: tuple[int, ...], locked: bool) -> Lattice:
    """The lattice of a turn in which at most this many dice of each number are of use."""
    builder = _Builder(np.array(caps, np.int64), locked)
    stops = builder.last_roll()
    if locked:
        builder.locked_roll()
    else:
        builder.free_roll(stops)
    builder.first_roll()
    code = builder.draft.code[: builder.draft.used[LENGTH]].copy()
    return Lattice(builder.pools.dice, builder.fewer(), code, builder.keeps, builder.bests, builder.rows)


ALL_DICE: Final = (DICE,) * SECTIONS
"""The caps of a turn in which any dice are of use."""


@cache
def full_lattice(locked: bool) -> Lattice:
    """The lattice of a turn with any dice at all, so that every keep, however bad, has its value."""
    return lattice_of(ALL_DICE, locked)


@cache
def pool_numbers() -> dict[tuple[int, ...], int]:
    """Where each pool is in a full lattice, by its dice of each number and its STARs."""
    return {tuple(pool): number for number, pool in enumerate(full_lattice(False).pools.tolist())}
