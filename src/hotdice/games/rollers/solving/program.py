"""The program of a turn: what its instructions are, how they are written down, and the interpreter that runs them.

A program works on rows of lanes and computes one row after the other, each a mean, a maximum or a weighted sum of rows
before it. It is a list of integers: groups of instructions that are alike, each group after a head of three numbers.
`lattice` says which instructions make up a turn.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hotdice.games.rollers.solving.boards import FACES
from hotdice.games.rollers.solving.lanes import Floats, larger, plus, put, take, times
from hotdice.solve.jit import fast_kernel, kernel

Code = NDArray[np.int32]

MEAN, MEAN_JUNK, MAX, SUM = range(4)
"""What instructions compute: the mean of six rows, the same where one row stands for several faces of no use, the
maximum of some rows, and a weighted sum. Each begins with the number of the row that it fills."""

KIND, TERMS, COUNT, HEAD = range(4)
"""The head of a group: what its instructions compute, how many terms each has, and how many there are. `HEAD` is how
long a head is. The terms of a mean or maximum are numbers of rows; they follow the row that is filled."""
JUNK_TIMES, JUNK_ROW, JUNK_TERMS = range(1, 4)
"""In a mean with junk: how many faces are of no use, the row that stands for them, and where the other terms begin."""
SUM_POWER, SUM_TERMS = range(1, 3)
"""In a sum: by which power of 6 it is divided, and where its terms begin, each a row and its weight."""

DRAFT_KIND, DRAFT_TERMS, DRAFT_ROW, DRAFT_TIMES, DRAFT_JUNK, DRAFT_INPUTS = range(6)
"""The fields of an instruction that is not written yet: what it computes, its number of terms, the row that it fills,
how many faces are of no use, the row that stands for them, and where its terms begin."""
LENGTH, ROWS = range(2)
"""What is counted while a program is written: the numbers in its code, and the rows in use."""
SIXTH: Final = 1.0 / FACES


class Draft(NamedTuple):
    """A program that is being written."""

    code: Code
    pending: Code
    """Instructions that do not depend on each other and are not written yet, by the `DRAFT_` fields."""
    used: NDArray[np.int64]
    """How much there is so far: `LENGTH` and `ROWS`."""


def draft(length: int, rows: int) -> Draft:
    """A program with room for `length` numbers of code and some rows that are filled beforehand."""
    return Draft(np.empty(length, np.int32), np.empty((1000, DRAFT_INPUTS + FACES + 1), np.int32), np.array([0, rows]))


@kernel
def new_row(draft: Draft) -> int:
    """The number of a row that is not in use yet."""
    row = int(draft.used[ROWS])
    draft.used[ROWS] = row + 1
    return row


@kernel
def write_pending(draft: Draft, count: int) -> None:
    """Write the first `count` pending instructions, alike ones together: branches are then foreseeable."""
    code, pending, at = draft.code, draft.pending, draft.used[LENGTH]
    for kind in range(SUM):
        for terms in range(FACES + 2):
            alike = 0
            for one in range(count):
                alike += pending[one, DRAFT_KIND] == kind and pending[one, DRAFT_TERMS] == terms
            if alike == 0:
                continue
            code[at + KIND], code[at + TERMS], code[at + COUNT] = kind, terms, alike
            at += HEAD
            for one in range(count):
                if pending[one, DRAFT_KIND] == kind and pending[one, DRAFT_TERMS] == terms:
                    code[at] = pending[one, DRAFT_ROW]
                    begin = 1
                    if kind == MEAN_JUNK:
                        code[at + JUNK_TIMES] = pending[one, DRAFT_TIMES]
                        code[at + JUNK_ROW] = pending[one, DRAFT_JUNK]
                        begin = JUNK_TERMS
                    for term in range(terms):
                        code[at + begin + term] = pending[one, DRAFT_INPUTS + term]
                    at += begin + terms
    draft.used[LENGTH] = at


@kernel
def write_sum(draft: Draft, weight: NDArray[np.int64], power: int, out: int) -> None:
    """Write a sum of rows by their weights, over 6 to that power, into a row; the weights are cleared."""
    code, head = draft.code, draft.used[LENGTH]
    begin = head + HEAD
    at = begin + SUM_TERMS
    for row in range(len(weight)):
        if weight[row]:
            code[at], code[at + 1] = row, weight[row]
            at += 2
            weight[row] = 0
    code[head + KIND], code[head + TERMS], code[head + COUNT] = SUM, (at - begin - SUM_TERMS) // 2, 1
    code[begin], code[begin + SUM_POWER] = out, power
    draft.used[LENGTH] = at


@fast_kernel
def run(code: NDArray[np.int32], work: Floats) -> None:
    """Carry out a program on the rows of work memory."""
    at = 0
    end = len(code)
    while at < end:
        kind, terms, count = code[at + KIND], code[at + TERMS], code[at + COUNT]
        at += HEAD
        if kind == MEAN:
            at = _run_means(code, work, at, count)
        elif kind == MEAN_JUNK:
            at = _run_junk_means(code, work, at, count, terms)
        elif kind == MAX:
            at = _run_maxima(code, work, at, count, terms)
        else:
            at = _run_sum(code, work, at, terms)


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
        total = times(take(work, code, at + JUNK_ROW), code[at + JUNK_TIMES])
        for term in range(at + JUNK_TERMS, at + JUNK_TERMS + terms):
            total = plus(total, take(work, code, term))
        put(work, code, at, times(total, SIXTH))
        at += JUNK_TERMS + terms
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
    end = at + SUM_TERMS + 2 * terms
    total = times(take(work, code, at + SUM_TERMS), code[at + SUM_TERMS + 1])
    for term in range(at + SUM_TERMS + 2, end, 2):
        total = plus(total, times(take(work, code, term), code[term + 1]))
    put(work, code, at, times(total, SIXTH ** code[at + SUM_POWER]))
    return end
