"""Compiled turns of Rollers: three rolls of six dice folded into a lattice of dice kept, sixteen chip counts at a time.

Which uses of dice a section allows, and what they do, is flattened from the rules by `section_table`; the kernels here
only combine sections. A turn is a short program of maxima and means over rows of work memory, made once for each set
of caps on useful dice; `hotdice.games.rollers.solving.solver` says which turns are to be solved and keeps the results.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, Final, NamedTuple

import numpy as np
from llvmlite import ir  # type: ignore[import-untyped]
from numba import types
from numba.extending import intrinsic, models, register_model
from numpy.typing import NDArray

from hotdice.games.rollers.rules import (
    CHIPS,
    CLOSED,
    DICE,
    NUMBERS,
    PURPLES,
    applications,
    applied,
)
from hotdice.solve.jit import fast_kernel, kernel

Floats = NDArray[np.float64]

SECTIONS: Final = len(NUMBERS)
TOTAL: Final = 2 * CHIPS
"""All the chips of two players; what one has not the other has."""
LANES: Final = 16
BLOCKS: Final = (TOTAL + LANES) // LANES
WIDTH: Final = BLOCKS * LANES
PADDED: Final = WIDTH + 2 * LANES
"""A row of values by chips goes on beyond all the chips: a due that the other cannot pay changes nothing more."""
NEVER: Final = -4.0
"""Less than any value of a round."""
STAR_AT: Final = SECTIONS
NONE, JUNK = 0, SECTIONS + 1
"""The black die, beside showing a useful number 1 to 5: to be rolled, or showing a number of no use."""
MEAN, MEAN_JUNK, MAX, SUM = range(4)
"""What a program does with rows: means of six, with one row several times or not, maxima, and weighted sums."""
FACES: Final = SECTIONS + 1
HASTE: Final = 12
"""After so many secant steps plain ones, which converge always, if slowly."""
SIXTH: Final = 1.0 / FACES
SCRATCH: Final = 20_000
"""More rows than a program has before the second lattice of locked dice, scratch rows included."""
LOCKED_SCRATCH: Final = 4000


# Sixteen numbers as one value, so that loops over rows keep them in registers whatever the rows alias.


class Lanes(types.Type):  # type: ignore[misc, unused-ignore]
    """The compiler's type of sixteen numbers side by side."""

    def __init__(self) -> None:
        super().__init__(name="Lanes")


LANES_TYPE: Final = Lanes()
_VECTOR: Final = ir.VectorType(ir.DoubleType(), LANES)


@register_model(Lanes)  # type: ignore[untyped-decorator, unused-ignore]
class LanesModel(models.PrimitiveModel):  # type: ignore[misc, unused-ignore]
    """Lanes are a vector to LLVM."""

    def __init__(self, dmm: Any, fe_type: Any) -> None:
        super().__init__(dmm, fe_type, _VECTOR)  # type: ignore[no-untyped-call, unused-ignore]


def _inline(generator: Callable[..., Any]) -> Any:
    """A function for kernels, written as the instructions it stands for."""
    return intrinsic(generator)


def _address(context: Any, builder: Any, array_type: Any, array: Any, index: Any) -> Any:
    data = context.make_array(array_type)(context, builder, array).data
    return builder.bitcast(builder.gep(data, [index]), _VECTOR.as_pointer())


@_inline
def load(typing: Any, array: Any, index: Any) -> Any:
    """The lanes that start at an index of a flat array."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        at = context.cast(builder, args[1], signature.args[1], types.intp)
        found = builder.load(_address(context, builder, signature.args[0], args[0], at))
        found.align = 8
        return found

    return LANES_TYPE(array, index), generate


@_inline
def store(typing: Any, array: Any, index: Any, lanes: Any) -> Any:
    """Put lanes into a flat array."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        at = context.cast(builder, args[1], signature.args[1], types.intp)
        put = builder.store(args[2], _address(context, builder, signature.args[0], args[0], at))
        put.align = 8
        return context.get_dummy_value()

    return types.none(array, index, lanes), generate


def _row(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    """The address of the row whose number stands in a program; unlike indexing it does not ask for a sign."""
    code = context.make_array(signature.args[1])(context, builder, args[1]).data
    at = context.cast(builder, args[2], signature.args[2], types.intp)
    number = builder.zext(builder.load(builder.gep(code, [at])), ir.IntType(64))
    index = builder.mul(number, ir.Constant(ir.IntType(64), LANES))
    return _address(context, builder, signature.args[0], args[0], index)


@_inline
def take(typing: Any, work: Any, code: Any, at: Any) -> Any:
    """The row whose number stands in a program."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        found = builder.load(_row(context, builder, signature, args))
        found.align = 8
        return found

    return LANES_TYPE(work, code, at), generate


@_inline
def put(typing: Any, work: Any, code: Any, at: Any, lanes: Any) -> Any:
    """Fill the row whose number stands in a program."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        builder.store(args[3], _row(context, builder, signature, args)).align = 8
        return context.get_dummy_value()

    return types.none(work, code, at, lanes), generate


@_inline
def larger(typing: Any, one: Any, other: Any) -> Any:
    """The larger of two, lane by lane."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        above = builder.fcmp_ordered(">", args[0], args[1], flags=["fast"])
        return builder.select(above, args[0], args[1])

    return LANES_TYPE(one, other), generate


@_inline
def plus(typing: Any, one: Any, other: Any) -> Any:
    """The sum of two, lane by lane."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.fadd(args[0], args[1])

    return LANES_TYPE(one, other), generate


@_inline
def times(typing: Any, lanes: Any, factor: Any) -> Any:
    """All lanes times one number."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        factor = context.cast(builder, args[1], signature.args[1], types.float64)
        one = builder.insert_element(ir.Constant(_VECTOR, ir.Undefined), factor, ir.Constant(ir.IntType(32), 0))
        mask = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)
        spread = builder.shuffle_vector(one, ir.Constant(_VECTOR, ir.Undefined), mask)
        return builder.fmul(args[0], spread)

    return LANES_TYPE(lanes, factor), generate


# The rules as a table


@cache
def section_table() -> NDArray[np.int8]:
    """By section, its state, whether one may collect on it, and dice used: the state after (-1: illegal), collects."""
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


# The program of a turn


class Lattice(NamedTuple):
    """The turn's program for one set of caps, and the pools of useful dice that its leaves are.

    Row i of the work memory, for i below the number of pools, is pool i's leaf; the program fills the other rows.
    """

    pools: NDArray[np.int8]
    """Each pool's dice by number, and its STARs; pools with fewer STARs come first, then smaller ones."""
    fewer: NDArray[np.int16]
    """By pool and number: the pool without one such die or, where it has STARs, with one taken as that number."""
    code: NDArray[np.int32]
    keeps: NDArray[np.int32]
    """By rolls left less one, black die and purple pool: the row of keeping these and rolling the rest, or -1."""
    bests: NDArray[np.int32]
    """The same for the best keep among these; with locked dice only after the first roll, when nothing is kept yet."""
    rows: int
    """How many rows there are. The last one is the turn's value."""


@kernel
def _key(pool: NDArray[np.int8]) -> int:
    key = 0
    for at in range(FACES):
        key = key * (DICE + 1) + pool[at]
    return key


@kernel
def _pools(caps: NDArray[np.int64]) -> Any:
    """All pools within the caps, and where each is by its key. The black die has no STAR, so five are the most."""
    count = 0
    pools = np.zeros((1000, FACES), np.int8)
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
                                where[_key(pool)] = count
                                count += 1
    return pools[:count].copy(), where


@kernel
def _changed(pools: NDArray[np.int8], where: NDArray[np.int16], change: int) -> NDArray[np.int16]:
    """By pool and face: the pool with one such die more or less, or -1."""
    found = np.full((len(pools), FACES), -1, np.int16)
    for pool in range(len(pools)):
        for face in range(FACES):
            pools[pool, face] += change
            if 0 <= pools[pool, face] <= DICE:
                found[pool, face] = where[_key(pools[pool])]
            pools[pool, face] -= change
    return found


@kernel
def limits_of(caps: NDArray[np.int64], black: int) -> NDArray[np.int64]:
    """How many purple dice of each number are of use beside a black die kept for good.

    The black die is then used first, and a purple one rolled again in its place: it has no ZAP. With free dice and two
    rolls left the black one is not kept for good, and a purple die more is of use: the black one may be rolled later.
    """
    limits = caps.copy()
    if NONE < black < JUNK:
        limits[black - 1] -= 1
    return limits


@kernel
def _within(pool: NDArray[np.int8], limits: NDArray[np.int64]) -> bool:
    for at in range(SECTIONS):  # noqa: SIM110 (kernels have no generators)
        if pool[at] > limits[at]:
            return False
    return True


@kernel
def _wastes(pool: NDArray[np.int8], limits: NDArray[np.int64]) -> bool:
    """Whether some number would be of no more use, so that more dice may have been rolled than the pool shows."""
    for at in range(SECTIONS):  # noqa: SIM110 (kernels have no generators)
        if pool[at] == limits[at]:
            return True
    return False


@kernel
def _group(pending: NDArray[np.int32], count: int, code: NDArray[np.int32], at: int) -> int:
    """Write instructions that do not depend on each other, alike ones together: branches are then foreseeable.

    A pending one is: kind, number of terms, row, how often the repeated row, the repeated row, terms.
    """
    for kind in range(SUM):
        for terms in range(FACES + 2):
            alike = 0
            for one in range(count):
                alike += pending[one, 0] == kind and pending[one, 1] == terms
            if alike == 0:
                continue
            code[at], code[at + 1], code[at + 2] = kind, terms, alike
            at += 3
            for one in range(count):
                if pending[one, 0] == kind and pending[one, 1] == terms:
                    code[at] = pending[one, 2]
                    at += 1
                    if kind == MEAN_JUNK:
                        code[at], code[at + 1] = pending[one, 3], pending[one, 4]
                        at += 2
                    for term in range(terms):
                        code[at + term] = pending[one, 5 + term]
                    at += terms
    return at


@kernel
def _means(
    rows: NDArray[np.int32], left: int, size: int, limits: NDArray[np.int64], pools: NDArray[np.int8],
    sizes: NDArray[np.int64], more: NDArray[np.int16], pending: NDArray[np.int32],
    code: NDArray[np.int32], at: int, top: int,
) -> tuple[int, int]:  # fmt: skip
    """Rows [left, pool] for `left` purple dice still to be rolled, from those for one die less.

    `size` is how many dice are known; a smaller pool occurs where dice can be wasted.
    """
    count = 0
    for pool in range(len(pools)):
        if sizes[pool] > size or pools[pool, STAR_AT] > PURPLES - left:
            continue
        if sizes[pool] < size and not _wastes(pools[pool], limits):
            continue
        terms = 0
        wasted = 0
        for face in range(FACES):
            if face < SECTIONS and pools[pool, face] == limits[face]:
                wasted += 1
            else:
                pending[count, 5 + terms] = rows[left - 1, more[pool, face]]
                terms += 1
        pending[count, 0] = MEAN_JUNK if wasted else MEAN
        pending[count, 1], pending[count, 2], pending[count, 3] = terms, top, wasted
        pending[count, 4] = rows[left - 1, pool]
        rows[left, pool] = top
        count += 1
        top += 1
    return _group(pending, count, code, at), top


@kernel
def _unkept(
    zapped: NDArray[np.int32], rolled: NDArray[np.int32], keeps: NDArray[np.int32], caps: NDArray[np.int64],
    sizes: NDArray[np.int64], pending: NDArray[np.int32], code: NDArray[np.int32], at: int, top: int,
) -> tuple[int, int]:  # fmt: skip
    """Keeps without the black die: the mean over what it shows beside the purple ones, a ZAP or a number.

    `rolled` is by number shown, purple dice left to roll, and purple pool.
    """
    count = 0
    for pool in range(len(sizes)):
        if sizes[pool] > PURPLES:
            continue
        left = PURPLES - sizes[pool]
        terms = 1
        wasted = 0
        pending[count, 5] = zapped[pool]
        for number in range(1, SECTIONS + 1):
            if caps[number - 1] == 0:
                wasted += 1
            else:
                pending[count, 5 + terms] = rolled[number, left, pool]
                terms += 1
        pending[count, 0] = MEAN_JUNK if wasted else MEAN
        pending[count, 1], pending[count, 2], pending[count, 3] = terms, top, wasted
        pending[count, 4] = rolled[JUNK, left, pool]
        keeps[NONE, pool] = top
        count += 1
        top += 1
    return _group(pending, count, code, at), top


@kernel
def _best(
    keeps: NDArray[np.int32], bests: NDArray[np.int32], black: int, limits: NDArray[np.int64], least: int,
    pools: NDArray[np.int8], sizes: NDArray[np.int64], less: NDArray[np.int16], pending: NDArray[np.int32],
    code: NDArray[np.int32], at: int, top: int,
) -> tuple[int, int]:  # fmt: skip
    """The best keep among some dice: all of them, or all but one or more. A STAR is never given up: it is any face.

    `least` is a pool that has to stay.
    """
    for size in range(PURPLES + 1):
        count = 0
        for pool in range(len(pools)):
            if sizes[pool] != size or not _within(pools[pool], limits) or not _holds(pools[pool], pools[least]):
                continue
            terms = 1
            pending[count, 5] = keeps[black, pool]
            if black != NONE and bests[NONE, pool] >= 0 and (size == PURPLES or _wastes(pools[pool], limits)):
                pending[count, 5 + terms] = bests[NONE, pool]
                terms += 1
            for face in range(SECTIONS):
                if pools[pool, face] > pools[least, face]:
                    pending[count, 5 + terms] = bests[black, less[pool, face]]
                    terms += 1
            if terms == 1:
                bests[black, pool] = keeps[black, pool]
                continue
            pending[count, 0], pending[count, 1], pending[count, 2] = MAX, terms, top
            bests[black, pool] = top
            count += 1
            top += 1
        at = _group(pending, count, code, at)
    return at, top


@kernel
def _holds(pool: NDArray[np.int8], part: NDArray[np.int8]) -> bool:
    for face in range(FACES):  # noqa: SIM110 (kernels have no generators)
        if pool[face] < part[face]:
            return False
    return True


@kernel
def _rolls(dice: int) -> Any:
    """Every roll of purple dice as counts, and in how many ways it comes."""
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
    return rolls[:count].copy(), ways[:count].copy()


@kernel
def _spread(
    weight: NDArray[np.int64], bests: NDArray[np.int32], black: int, held: int, limits: NDArray[np.int64],
    rolls: NDArray[np.int64], ways: NDArray[np.int64], pools: NDArray[np.int8], where: NDArray[np.int16],
) -> None:  # fmt: skip
    """Add to each row's weight the ways in which a roll beside the dice held leads to it."""
    pool = np.zeros(FACES, np.int8)
    for roll in range(len(rolls)):
        for face in range(FACES):
            pool[face] = pools[held, face] + rolls[roll, face]
            if face < SECTIONS:
                pool[face] = min(pool[face], limits[face])
        weight[bests[black, where[_key(pool)]]] += ways[roll]


@kernel
def _emit_sum(weight: NDArray[np.int64], power: int, out: int, code: NDArray[np.int32], at: int) -> int:
    """A weighted sum over 6 to that power, and the weights cleared."""
    begin = at
    code[at], code[at + 3], code[at + 4] = SUM, out, power
    at += 5
    for row in range(len(weight)):
        if weight[row]:
            code[at], code[at + 1] = row, weight[row]
            at += 2
            weight[row] = 0
    code[begin + 1], code[begin + 2] = (at - begin - 5) // 2, 1
    return at


@kernel
def _locked(
    keeps: NDArray[np.int32], after: NDArray[np.int32], caps: NDArray[np.int64], pools: NDArray[np.int8],
    sizes: NDArray[np.int64], where: NDArray[np.int16], less: NDArray[np.int16], pending: NDArray[np.int32],
    code: NDArray[np.int32], at: int, top: int,
) -> int:  # fmt: skip
    """With locked dice: the row `after` of each keep with two rolls left, whose dice all later keeps hold.

    Every keep has a lattice of its own, in scratch rows that are used again.
    """
    bests = np.full((JUNK + 1, len(pools)), -1, np.int32)
    weight = np.zeros(SCRATCH, np.int64)
    for held in range(len(pools)):
        size = sizes[held]
        if size > PURPLES:
            continue
        rolls, ways = _rolls(PURPLES - size)
        for black in range(JUNK + 1):
            if keeps[black, held] < 0:
                continue
            out = after[black, held]
            bests[:] = -1
            limits = limits_of(caps, black)
            scratch = top
            at, scratch = _best(keeps, bests, black, limits, held, pools, sizes, less, pending, code, at, scratch)
            if black != NONE:
                _spread(weight, bests, black, held, limits, rolls, ways, pools, where)
                at = _emit_sum(weight, PURPLES - size, out, code, at)
                continue
            weight[keeps[NONE, held]] += 6 ** (PURPLES - size)
            for number in range(1, SECTIONS + 1):
                shown = number if pools[held, number - 1] < caps[number - 1] else JUNK
                limits = limits_of(caps, shown)
                if shown != JUNK or bests[JUNK, held] < 0:
                    at, scratch = _best(
                        keeps, bests, shown, limits, held, pools, sizes, less, pending, code, at, scratch
                    )
                _spread(weight, bests, shown, held, limits, rolls, ways, pools, where)
            at = _emit_sum(weight, PURPLES - size + 1, out, code, at)
    return at


class _Builder:
    """Writes the program of a turn, from its last roll to its first."""

    def __init__(self, caps: NDArray[np.int64], locked: bool) -> None:
        self.caps, self.locked = caps, locked
        self.pools, self.where = _pools(caps)
        self.sizes = self.pools.sum(axis=1, dtype=np.int64)
        self.more, self.less = _changed(self.pools, self.where, 1), _changed(self.pools, self.where, -1)
        self.pending = np.empty((1000, 12), np.int32)
        self.code = np.empty(2_000_000 if locked else 100_000, np.int32)
        self.at, self.top = 0, len(self.pools)
        # A number of no use on the black die is worth keeping too: it keeps the ZAP away.
        junk = locked or bool((caps == 0).any())
        self.blacks = [*(int(n) for n in np.flatnonzero(caps) + 1), *([JUNK] if junk else [])]
        self.keeps = np.full((2, JUNK + 1, len(self.pools)), -1, np.int32)
        self.bests = np.full_like(self.keeps, -1)

    def blank(self) -> NDArray[np.int32]:
        """Rows by black die, purple dice left to roll, and pool; none yet."""
        return np.full((JUNK + 1, PURPLES + 1, len(self.pools)), -1, np.int32)

    def means(self, rows: NDArray[np.int32], known: int) -> None:
        """Rows for purple dice to be rolled, of so many dice in all, from those for none."""
        for left in range(1, PURPLES + 1):
            self.at, self.top = _means(
                rows, left, known - left, self.caps, self.pools, self.sizes, self.more, self.pending,
                self.code, self.at, self.top,
            )  # fmt: skip

    def unkept(self, stage: int, zapped: NDArray[np.int32], rolled: NDArray[np.int32]) -> None:
        """Keeps without the black die."""
        self.at, self.top = _unkept(
            zapped, rolled, self.keeps[stage], self.caps, self.sizes, self.pending, self.code, self.at, self.top
        )

    def best(self, stage: int, black: int, limits: NDArray[np.int64]) -> None:
        """The best keeps with a black die."""
        self.at, self.top = _best(
            self.keeps[stage], self.bests[stage], black, limits, 0, self.pools, self.sizes, self.less, self.pending,
            self.code, self.at, self.top,
        )  # fmt: skip

    def last_roll(self) -> NDArray[np.int32]:
        """Keeps with one roll left. Colours do not matter any more once the black die is kept."""
        every = np.arange(len(self.pools))
        known = np.full((PURPLES + 1, len(self.pools)), -1, np.int32)
        known[0] = every
        self.means(known, DICE)
        rolled = self.blank()
        for black in self.blacks:
            fits = self.fits(black)
            whole = np.where(fits, self.more[:, black - 1], every) if black != JUNK else every
            rolled[black] = known[:, whole]
            rolled[black][:, self.sizes > PURPLES] = -1
            kept = np.flatnonzero(fits & (self.sizes <= PURPLES))
            self.keeps[0, black, kept] = rolled[black, PURPLES - self.sizes[kept], kept]
        self.unkept(0, every.astype(np.int32), rolled)
        return rolled[:, 0].copy()

    def fits(self, black: int) -> NDArray[np.bool_]:
        """Whether beside this black die all of a purple pool is of use."""
        found: NDArray[np.bool_] = (self.pools[:, :-1] <= limits_of(self.caps, black)).all(axis=1)
        return found

    def free_roll(self, stops: NDArray[np.int32]) -> None:
        """Keeps with two rolls left when any dice may be rolled again; `stops` are the rows of all six dice kept."""
        rolled = self.blank()
        self.best(0, NONE, self.caps)
        for black in self.blacks:
            self.best(0, black, limits_of(self.caps, black))
            rolled[black, 0] = self.bests[0, black]
            if black != JUNK:
                over = np.flatnonzero(~self.fits(black) & (self.sizes <= PURPLES))
                rolled[black, 0, over] = self.bests[0, black, self.less[over, black - 1]]
            self.means(rolled[black], PURPLES)
            some, all_five = np.flatnonzero(self.sizes < PURPLES), np.flatnonzero(self.sizes == PURPLES)
            self.keeps[1, black, some] = rolled[black, PURPLES - self.sizes[some], some]
            self.keeps[1, black, all_five] = stops[black, all_five]
        self.unkept(1, self.bests[0, NONE], rolled)

    def locked_roll(self) -> None:
        """Keeps with two rolls left when what is kept stays kept."""
        there = np.flatnonzero(self.keeps[0].reshape(-1) >= 0)
        self.keeps[1].reshape(-1)[there] = np.arange(self.top, self.top + len(there))
        self.top += len(there)
        self.at = _locked(
            self.keeps[0], self.keeps[1], self.caps, self.pools, self.sizes, self.where, self.less, self.pending,
            self.code, self.at, self.top,
        )  # fmt: skip
        self.top += LOCKED_SCRATCH

    def first_roll(self) -> None:
        """The best keeps after the first roll, and the turn's value as the last row."""
        rolls, ways = _rolls(PURPLES)
        weight = np.zeros(self.top + 4000, np.int64)
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
                    _spread(weight, self.bests[1], black, 0, limits, rolls, ways, self.pools, self.where)
            parts += [self.top] if weight.any() else []
            self.sum(weight, DICE)
        weight[parts] = 1
        self.sum(weight, 0)

    def sum(self, weight: NDArray[np.int64], power: int) -> None:
        """A weighted sum in a row of its own, if there is any weight."""
        if weight.any():
            self.at = _emit_sum(weight, power, self.top, self.code, self.at)
            self.top += 1

    def fewer(self) -> NDArray[np.int16]:
        """By pool and number: the pool without one such die, or with a STAR taken as that number."""
        found = self.less[:, :SECTIONS].copy()
        starred = np.flatnonzero(self.pools[:, STAR_AT])
        without = self.less[starred, STAR_AT]
        for at in range(SECTIONS):
            full = self.pools[starred, at] == self.caps[at]
            found[starred, at] = np.where(full, without, self.more[without, at])
        return found


def lattice_of(caps: NDArray[np.int64], locked: bool) -> Lattice:
    """The program of a turn in which at most so many dice of each number are of use."""
    builder = _Builder(caps, locked)
    stops = builder.last_roll()
    if locked:
        builder.locked_roll()
    else:
        builder.free_roll(stops)
    builder.first_roll()
    code = builder.code[: builder.at].copy()
    return Lattice(builder.pools, builder.fewer(), code, builder.keeps, builder.bests, builder.top)


def steps_of(caps: NDArray[np.int64]) -> tuple[NDArray[np.int16], NDArray[np.int16]]:
    """By pool and face: the pool with one such die more, and with one less, or -1."""
    pools, where = _pools(caps)
    return _changed(pools, where, 1), _changed(pools, where, -1)


@fast_kernel
def run(code: NDArray[np.int32], work: Floats) -> None:
    """Carry out a program on the rows of work memory."""
    at = 0
    end = len(code)
    while at < end:
        kind, terms, count = code[at], code[at + 1], code[at + 2]
        if kind == MEAN:
            at = _run_means(code, work, at + 3, count)
        elif kind == MEAN_JUNK:
            at = _run_junk_means(code, work, at + 3, count, terms)
        elif kind == MAX:
            at = _run_maxima(code, work, at + 3, count, terms)
        else:
            at = _run_sum(code, work, at + 3, terms)


@fast_kernel
def _run_means(code: NDArray[np.int32], work: Floats, at: int, count: int) -> int:
    for _ in range(count):
        one = plus(plus(take(work, code, at + 1), take(work, code, at + 2)), take(work, code, at + 3))
        two = plus(plus(take(work, code, at + 4), take(work, code, at + 5)), take(work, code, at + 6))
        put(work, code, at, times(plus(one, two), SIXTH))
        at += 7
    return at


@fast_kernel
def _run_junk_means(code: NDArray[np.int32], work: Floats, at: int, count: int, terms: int) -> int:
    for _ in range(count):
        total = times(take(work, code, at + 2), code[at + 1])
        for term in range(at + 3, at + terms + 3):
            total = plus(total, take(work, code, term))
        put(work, code, at, times(total, SIXTH))
        at += terms + 3
    return at


@fast_kernel
def _run_maxima(code: NDArray[np.int32], work: Floats, at: int, count: int, terms: int) -> int:
    """Most have two to four terms: these are written out."""
    if terms == 2:
        for _ in range(count):
            put(work, code, at, larger(take(work, code, at + 1), take(work, code, at + 2)))
            at += 3
    elif terms == 3:
        for _ in range(count):
            most = larger(larger(take(work, code, at + 1), take(work, code, at + 2)), take(work, code, at + 3))
            put(work, code, at, most)
            at += 4
    elif terms == 4:
        for _ in range(count):
            one = larger(take(work, code, at + 1), take(work, code, at + 2))
            put(work, code, at, larger(one, larger(take(work, code, at + 3), take(work, code, at + 4))))
            at += 5
    else:
        for _ in range(count):
            one = larger(take(work, code, at + 1), take(work, code, at + 2))
            two = larger(take(work, code, at + 3), take(work, code, at + 4))
            for term in range(at + 5, at + terms + 1):
                one = larger(one, take(work, code, term))
            put(work, code, at, larger(one, two))
            at += terms + 1
    return at


@fast_kernel
def _run_sum(code: NDArray[np.int32], work: Floats, at: int, terms: int) -> int:
    total = times(take(work, code, at + 2), code[at + 3])
    for term in range(at + 4, at + 2 + 2 * terms, 2):
        total = plus(total, times(take(work, code, term), code[term + 1]))
    put(work, code, at, times(total, SIXTH ** code[at + 1]))
    return at + 2 + 2 * terms


def aligned(length: int) -> Floats:
    """Zeros that start on a cache line, without which every second load of lanes would touch two."""
    spare = np.zeros(length + 8)
    begin = -(spare.ctypes.data // 8) % 8
    return spare[begin : begin + length]


# Pairs of boards


@kernel
def digits(board: int, out: NDArray[np.int64]) -> None:
    """The sections of a board from its number."""
    for at in range(SECTIONS):
        out[at] = board % (CLOSED + 1)
        board //= CLOSED + 1


@kernel
def _use(
    pool: NDArray[np.int8], mine: NDArray[np.int64], theirs: NDArray[np.int64], table: NDArray[np.int8]
) -> tuple[int, int]:
    """The board and the chips due if all dice of a pool without STARs are used; -1 if not all can be."""
    board, due, unit = 0, 0, 1
    for at in range(SECTIONS):
        step = table[at, mine[at], 1 if theirs[at] != CLOSED else 0, pool[at]]
        if step[0] < 0:
            return -1, 0
        board += unit * step[0]
        due += (at + 1) * step[1]
        unit *= CLOSED + 1
    return board, due


@kernel
def leaves(
    lattice: Lattice, mine: NDArray[np.int64], theirs: NDArray[np.int64], me: int, rows: Floats,
    table: NDArray[np.int8], fixed: Floats, dues: NDArray[np.int64],
) -> None:  # fmt: skip
    """For each pool the best use that changes the board, in all lanes, and the most chips due of those that do not.

    More chips are never worse (see the solver), so of several uses with the same board the largest due is best.
    `rows` holds, by board after the turn, the values by chips after it.
    """
    pools, fewer = lattice.pools, lattice.fewer
    stride = len(pools) * LANES
    for pool in range(len(pools)):
        stars = pools[pool, STAR_AT]
        board, due = (-1, 0) if stars else _use(pools[pool], mine, theirs, table)
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
def turn(lattice: Lattice, fixed: Floats, dues: NDArray[np.int64], stay: Floats, work: Floats, out: Floats) -> None:
    """The value of a turn by chips, when a turn that leaves the board as it is leads to `stay`, by chips after it."""
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
def flip(values: Floats, out: Floats, shift: float) -> None:
    """What the other's values are worth to the one who has just played, by the latter's chips, and a bit more."""
    for chips in range(PADDED):
        out[chips] = shift - values[max(TOTAL - chips, 0)]


@kernel
def ends(rows: Floats) -> None:
    """What completing the board is worth, in the row of the full board."""
    full = (CLOSED + 1) ** SECTIONS - 1
    for chips in range(PADDED):
        mine = min(chips, TOTAL)
        theirs = TOTAL - mine
        rows[full * PADDED + chips] = (
            (2.0 if mine else 1.0) + (1.0 if mine > theirs else 0.0) - (1.0 if mine < theirs else 0.0)
        )


@kernel
def fill_rows(values: Floats, me: int, other: int, mine: NDArray[np.int64], rows: Floats) -> None:
    """The values after a turn for every board further than mine, which are solved."""
    after = np.empty(SECTIONS, np.int64)
    full = (CLOSED + 1) ** SECTIONS - 1
    for board in range(full):
        digits(board, after)
        further = board != me
        for at in range(SECTIONS):
            further = further and after[at] >= mine[at]
        if further:
            flip(values[other, board], rows[board * PADDED : (board + 1) * PADDED], 0.0)
    ends(rows)


class Side(NamedTuple):
    """Work memory for the turns of one of two players."""

    rows: Floats
    fixed: Floats
    dues: NDArray[np.int64]
    work: Floats
    stay: Floats
    out: Floats


def side(rows: int) -> Side:
    """Work memory for lattices of at most so many rows."""
    most = 1000
    boards = (CLOSED + 1) ** SECTIONS
    return Side(
        aligned(boards * PADDED), aligned(most * WIDTH), np.zeros(most, np.int64),
        aligned(rows * LANES), aligned(PADDED), aligned(WIDTH),
    )  # fmt: skip


@kernel
def prepare(lattice: Lattice, memory: Side, values: Floats, me: int, other: int, table: NDArray[np.int8]) -> None:
    """Set up the turns of a player with one board against another."""
    mine, theirs = np.empty(SECTIONS, np.int64), np.empty(SECTIONS, np.int64)
    digits(me, mine)
    digits(other, theirs)
    fill_rows(values, me, other, mine, memory.rows)
    leaves(lattice, mine, theirs, me, memory.rows, table, memory.fixed, memory.dues)


@kernel
def both(first: Lattice, mine: Side, second: Lattice, theirs: Side, start: Floats, shift: float, out: Floats) -> None:
    """From the second player's values, a bit changed, through a turn of the first to those a turn later."""
    flip(start, mine.stay, -shift)
    turn(first, mine.fixed, mine.dues, mine.stay, mine.work, mine.out)
    flip(mine.out, theirs.stay, 0.0)
    turn(second, theirs.fixed, theirs.dues, theirs.stay, theirs.work, out)


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
def _approach(first: Lattice, mine: Side, second: Lattice, theirs: Side, now: Floats, goal: float, most: int) -> int:
    """Bring values near to those that a turn of each player reproduces; how many turns of each it took."""
    before, image, found = np.zeros(WIDTH), np.zeros(WIDTH), np.zeros(WIDTH)
    last = 1e9
    plain = True
    for count in range(1, most + 1):
        both(first, mine, second, theirs, now, 0.0, found)
        largest = _extrapolate(before, image, now, found, plain)
        if largest * min(1.0, 10.0 * largest / last) < goal:
            return count
        plain = largest > 0.7 * last or count > HASTE
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
def _guess(values: Floats, me: int, other: int, out: Floats) -> None:
    """Values to start from: those against a board one step further, where that is not the full one."""
    full = (CLOSED + 1) ** SECTIONS - 1
    unit = (CLOSED + 1) ** (SECTIONS - 1)
    while unit:
        if me // unit % (CLOSED + 1) != CLOSED and me + unit != full:
            for lane in range(WIDTH):
                out[lane] = values[other, me + unit, min(lane, TOTAL)]
            return
        unit //= CLOSED + 1


@kernel
def solve_pair(
    values: Floats, me: int, other: int, first: Lattice, second: Lattice, mine: Side, theirs: Side,
    table: NDArray[np.int8], margin: float,
) -> tuple[float, float, int]:  # fmt: skip
    """Solve two boards against each other, either to move: the proven error, the least worth of a turn, turns taken.

    The error is beyond that of boards further on; it is negative where no proof was found.
    """
    prepare(first, mine, values, me, other, table)
    prepare(second, theirs, values, other, me, table)
    now, low, high = np.zeros(WIDTH), np.zeros(WIDTH), np.zeros(WIDTH)
    low_mine = np.zeros(WIDTH)
    _guess(values, me, other, now)
    taken = 0
    goal = margin / 16
    error = -1.0
    for _ in range(6):
        taken += _approach(first, mine, second, theirs, now, goal, 200)
        both(first, mine, second, theirs, now, -margin, low)
        low_mine[:] = mine.out
        both(first, mine, second, theirs, now, margin, high)
        taken += 2
        sound = _encloses(low, high, now, margin)
        error = max(_average(low_mine, mine.out, values[me, other]), _average(low, high, values[other, me]))
        if sound:
            break
        error = -1.0
        goal /= 8
        for chips in range(TOTAL + 1):
            now[chips] = values[other, me, chips]
    tempo = 9.0
    for chips in range(TOTAL + 1):
        tempo = min(tempo, values[me, other, chips] + values[other, me, TOTAL - chips])
    return error, tempo, taken


# One turn alone, for the race and for decisions


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
def solve_race(lattice: Lattice, uses: Floats, staying: NDArray[np.bool_], work: Floats, margin: float) -> float:
    """Less the expected turns to close a board, where `uses` has what uses lead to and some leave the board as it is.

    A turn costs 1. The value is that which a turn reproduces, found by secants and enclosed within the margin.
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
