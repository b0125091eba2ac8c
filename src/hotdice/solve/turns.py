"""Turns that depend on nothing but their dice, looked up many at once.

Where a player decides by what a turn has brought so far, as by a threshold, or has nothing to decide, what a turn comes
to follows from its key. Tosses fall into some dozen kinds: what is known of one is the number of its kind, from which
follow the dice of the next toss and what it adds to the turn. So the first tosses of many turns are looked up in turn,
without a branch that a processor would have to guess, and the few longer turns are finished one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Final, NamedTuple, Self, TypeVar

import numpy as np

from hotdice.dice import Distribution, Roll
from hotdice.solve.batches import Bits, Ints, Keys, among, bare_kernel, bits_of, roll_step, turn_key

TURNS: Final = 8
"""About so many turns are looked up at once: few are left over when a game ends, and one instruction mixes the keys of
as many on some processors."""
ROLLS, HOT, END = 16, 28, 40
"""Where in the code of a turn, above its points, other numbers begin: its tosses, how often all dice were set aside,
and how it ended, which is the game's own affair."""
ALWAYS: Final = 1 << ROLLS
"""Points that no turn has."""

Kind = TypeVar("Kind", bound=Hashable)


class Tosses(NamedTuple):
    """Tosses, by their kinds; the one of number 0 is what there is before the first toss of a turn."""

    kind: Bits
    """[way]: the kind of each of the equally likely ways to throw some dice, one number of dice after the other."""
    begin: Ints
    """[kind]: where the ways of the toss after this one begin."""
    ways: Ints
    """[kind]: how many there are."""


class Plans(NamedTuple):
    """How seats play their turns."""

    adds: Ints
    """[seat, kind]: what a toss adds to the code of the turn."""
    below: Ints
    """[seat, kind]: the turn goes on with fewer points than that."""


class Ahead(NamedTuple):
    """Turns that are looked up, and what that takes."""

    keys: Keys
    """[turn]."""
    bits: Keys
    """[toss, turn]: random bits, of the tosses that are looked up without a branch."""
    seats: Ints
    rounds: Ints
    """[turn]: whose it is, and how many turns of theirs it comes after the first of them."""
    last: Ints
    """[turn]: the kind of its last toss, while it is not over; then -1."""
    codes: Ints
    """[turn]: what they come to."""

    @classmethod
    def of(cls, seats: Ints, rounds: Ints, tosses: int) -> Self:
        size = len(seats)
        return cls(
            np.zeros(size, np.uint64), np.zeros((tosses, size), np.uint64), seats, rounds,
            *np.zeros((2, size), np.int64),
        )  # fmt: skip


def in_order(players: int, tosses: int) -> Ahead:
    """Whole rounds of turns, one seat after the other."""
    turns = np.arange(max(1, TURNS // players) * players)
    return Ahead.of(turns % players, turns // players, tosses)


def kinds_of(
    start: Kind, tosses: Mapping[int, Distribution], meaning: Callable[[Roll], Kind], dice: Callable[[Kind], int]
) -> tuple[Tosses, list[Kind]]:
    """Tosses of so many dice by what they mean, and these meanings by number.

    `dice` says how many are thrown after a toss of that meaning.
    """
    numbers, ways, begin = {start: 0}, [], {}
    size = 0
    for count, outcomes in tosses.items():
        kinds = [numbers.setdefault(meaning(roll), len(numbers)) for roll in outcomes.rolls]
        ways.append(np.repeat(np.array(kinds, np.uint8), outcomes.weights))
        begin[count] = size
        size += outcomes.total
    after = [dice(meant) for meant in numbers]
    found = Tosses(
        np.concatenate(ways), np.array([begin[count] for count in after]),
        np.array([tosses[count].total for count in after]),
    )  # fmt: skip
    return found, list(numbers)


@bare_kernel
def tossed(tosses: Tosses, before: int, bits: np.uint64) -> int:
    """The kind of the next toss, by random bits."""
    at = np.uint64(before)
    return int(tosses.kind[np.uint64(tosses.begin[at] + among(bits, tosses.ways[at]))])


@bare_kernel
def look_up(tosses: Tosses, plans: Plans, dice: np.uint64, first: int, ahead: Ahead) -> None:
    """What turns come to, from those of that number on, in the game with those dice."""
    keys, bits, codes, last = ahead.keys, ahead.bits, ahead.codes, ahead.last
    for turn in range(keys.size):
        keys[turn] = turn_key(dice, ahead.seats[turn], first + ahead.rounds[turn])
    for toss in range(bits.shape[0]):
        step = roll_step(toss)
        for turn in range(keys.size):
            bits[toss, turn] = bits_of(keys[turn] + step)
    for turn in range(keys.size):
        seat = np.uint64(ahead.seats[turn])
        code, going, kind = np.int64(0), np.int64(-1), 0
        for toss in range(bits.shape[0]):
            kind = tossed(tosses, kind, bits[toss, turn])
            code += plans.adds[seat, np.uint64(kind)] & going
            going &= -np.int64(points_in(code) < plans.below[seat, np.uint64(kind)])
        codes[turn], last[turn] = code, kind | ~going
    for turn in range(keys.size):
        seat = np.uint64(ahead.seats[turn])
        while last[turn] >= 0:
            kind = tossed(tosses, last[turn], bits_of(keys[turn] + roll_step(rolls_in(codes[turn]))))
            codes[turn] += plans.adds[seat, np.uint64(kind)]
            last[turn] = kind if points_in(codes[turn]) < plans.below[seat, np.uint64(kind)] else -1


@bare_kernel
def points_in(code: int) -> int:
    """What a turn has brought."""
    return code & (1 << ROLLS) - 1


@bare_kernel
def rolls_in(code: int) -> int:
    """How many tosses it has had."""
    return code >> ROLLS & (1 << HOT - ROLLS) - 1


@bare_kernel
def hot_in(code: int) -> int:
    """How often all dice were set aside."""
    return code >> HOT & (1 << END - HOT) - 1


@bare_kernel
def end_in(code: int) -> int:
    """How it ended, in the game's own numbers."""
    return code >> END
