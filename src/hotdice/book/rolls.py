"""Whether the dice are fair: how often each face came, how often it should, and how likely a gap as large is by chance.

Every kind of die has its own chi-square against the exact chances of its faces. Kinds are independent, so their
chi-squares and degrees of freedom add up. A kind of which so few were rolled that some face is expected less than
`LEAST` times takes no part, as the test would not hold for it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from fractions import Fraction
from math import erfc, exp, lgamma, log, sqrt
from typing import Final

from msgspec import Struct

from hotdice.dice import Die
from hotdice.errors import UnknownGame
from hotdice.games import load_game

LEAST: Final = 5
"""The fewest that each face has to be expected for a chi-square to be taken: Cochran's usual rule."""
RARE: Final = 0.05


class FaceCount(Struct, frozen=True):
    """How often a face came, and how often it should."""

    text: str
    name: str
    count: int
    expected: float


class DieCount(Struct, frozen=True):
    """All rolls of one kind of die."""

    game: str
    title: str
    die: str
    rolled: int
    """How many of these dice were rolled."""
    faces: tuple[FaceCount, ...]
    chi_square: float
    freedom: int
    """Degrees of freedom; 0 if too few were rolled for a test."""
    p: float | None
    """How likely fair dice are at least this far off; nothing if too few were rolled."""


class RollTest(Struct, frozen=True):
    """The rolls of somebody, or of several, with dice of one source."""

    dice: str
    """`program`, `typed` or `recorded`."""
    rolled: int
    kinds: tuple[DieCount, ...]
    chi_square: float
    freedom: int
    p: float | None


def chances(die: Die) -> dict[int, Fraction]:
    """The chance of each face, by its code: all sides are equally likely, and several may show the same."""
    sides = Counter(face.code for face in die.faces)
    return {code: Fraction(count, len(die.faces)) for code, count in sides.items()}


def roll_test(dice: str, counts: Mapping[str, Mapping[int, int]]) -> RollTest:
    """The test of all that was rolled with dice of one source: by game, how often each code came."""
    kinds: list[DieCount] = []
    for name, faces in sorted(counts.items()):
        try:
            game = load_game(name)
        except UnknownGame:  # its package is gone, and with it what its dice were like
            continue
        kinds += [_die(game.name, game.title, die, faces) for die in game.dice]
    kinds = [kind for kind in kinds if kind.rolled]
    chi_square, freedom = sum(kind.chi_square for kind in kinds), sum(kind.freedom for kind in kinds)
    p = chi_square_p(chi_square, freedom) if freedom else None
    return RollTest(dice, sum(kind.rolled for kind in kinds), tuple(kinds), chi_square, freedom, p)


def _die(game: str, title: str, die: Die, faces: Mapping[int, int]) -> DieCount:
    expected = chances(die)
    rolled = sum(faces.get(code, 0) for code in expected)
    named = {face.code: face for face in die.faces}
    shown = tuple(
        FaceCount(named[code].text, named[code].name, faces.get(code, 0), float(rolled * chance))
        for code, chance in expected.items()
    )
    tested = len(expected) > 1 and rolled * min(expected.values()) >= LEAST
    chi_square = sum((face.count - face.expected) ** 2 / face.expected for face in shown) if tested else 0.0
    freedom = len(expected) - 1 if tested else 0
    p = chi_square_p(chi_square, freedom) if tested else None
    return DieCount(game, title, die.name, rolled, shown, chi_square, freedom, p)


def chi_square_p(chi_square: float, freedom: int) -> float:
    """The chance that a chi-square of that many degrees of freedom is at least as large.

    It is the regularised incomplete gamma function Q(freedom / 2, chi_square / 2), which for whole degrees of freedom
    is a finite sum of positive terms.
    """
    half = chi_square / 2
    if half <= 0:
        return 1.0
    odd = freedom % 2
    terms = (exp((k + odd / 2) * log(half) - half - lgamma(k + 1 + odd / 2)) for k in range((freedom - odd) // 2))
    return min(1.0, (erfc(sqrt(half)) if odd else 0.0) + sum(terms))


def tests_made(tests: Iterable[RollTest]) -> int:
    """How many p-values are shown: some of them are small by chance."""
    return sum(test.p is not None for test in tests)
