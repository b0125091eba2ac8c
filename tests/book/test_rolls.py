"""The test of the dice: against published tables, exact distributions, and dice that are fair."""

from __future__ import annotations

from fractions import Fraction
from math import sqrt
from random import Random

import pytest

from hotdice.book.rolls import chances, chi_square_p, roll_test
from hotdice.dice import Die, Face
from hotdice.game import Game
from hotdice.games import all_games

ABRAMOWITZ_STEGUN = [
    # Upper percentage points of chi-square, Handbook of Mathematical Functions, table 26.8.
    (1, 0.05, 3.84146),
    (1, 0.01, 6.63490),
    (2, 0.05, 5.99147),
    (3, 0.10, 6.25139),
    (4, 0.95, 0.710721),
    (5, 0.05, 11.0705),
    (5, 0.01, 15.0863),
    (5, 0.99, 0.554300),
    (7, 0.50, 6.34581),
    (10, 0.05, 18.3070),
    (10, 0.001, 29.588),
    (25, 0.025, 40.6465),
    (30, 0.90, 20.5992),
]


@pytest.mark.parametrize(("freedom", "p", "point"), ABRAMOWITZ_STEGUN)
def test_p_values_are_those_of_the_published_table(freedom: int, p: float, point: float) -> None:
    assert chi_square_p(point, freedom) == pytest.approx(p, rel=2e-4)


def test_no_gap_is_certain_and_a_huge_one_impossible() -> None:
    assert chi_square_p(0.0, 5) == 1.0
    assert chi_square_p(1e6, 5) == 0.0
    assert chi_square_p(1e6, 4) == 0.0


def test_chances_are_by_sides_so_a_face_may_be_on_several() -> None:
    art = ("", "", "")
    die = Die("die", (Face(1, "a", "a", art), Face(1, "a", "a", art), Face(2, "b", "b", art)))
    assert chances(die) == {1: Fraction(2, 3), 2: Fraction(1, 3)}


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_expected_counts_are_those_of_the_exact_distribution(game: Game) -> None:
    """Every game's first roll, by enumeration: the faces that it brings on average."""
    outcomes = game.start().outcomes()
    expected = {die.name: chances(die) for die in game.dice}
    for die in game.dice:
        share = {code: Fraction(0) for code in expected[die.name]}
        for roll, chance in outcomes:
            for code in roll:
                if code in share:
                    share[code] += chance
        total = sum(share.values())
        if total:
            assert {code: each / total for code, each in share.items()} == expected[die.name]


def test_a_test_by_hand() -> None:
    """Sixty rolls of an ordinary die: (5, 8, 9, 8, 10, 20) against 10 each make (25+4+1+4+0+100)/10 = 13.4."""
    test = roll_test("program", {"pig": dict(zip(range(1, 7), (5, 8, 9, 8, 10, 20), strict=True))})
    assert test.rolled == 60
    assert test.chi_square == pytest.approx(13.4)
    assert test.freedom == 5
    assert test.p == pytest.approx(0.0199, abs=5e-5)  # as textbooks have it for this example
    (kind,) = test.kinds
    assert [face.expected for face in kind.faces] == [10.0] * 6


def test_kinds_of_dice_add_up_and_too_few_rolls_are_left_out() -> None:
    pig = dict(zip(range(1, 7), (5, 8, 9, 8, 10, 20), strict=True))
    two = next(game for game in all_games() if len(game.dice) == 2)
    plain, black = (chances(die) for die in two.dice)
    even = dict.fromkeys(plain, 20) | {next(iter(black)): 3}
    both = roll_test("program", {"pig": pig, two.name: even})
    assert both.chi_square == pytest.approx(13.4)
    assert both.freedom == 5 + len(plain) - 1
    few = next(kind for kind in both.kinds if kind.rolled == 3)
    assert (few.p, few.freedom, few.chi_square) == (None, 0, 0.0)
    assert both.rolled == 60 + 20 * len(plain) + 3


def test_too_few_rolls_have_no_p_value_and_games_that_are_gone_no_line() -> None:
    assert roll_test("program", {"pig": {1: 29}}).p is None
    assert roll_test("program", {"pig": {1: 30}}).p is not None
    assert roll_test("program", {"gone": {1: 30}}).kinds == ()


def test_p_values_of_fair_dice_are_uniform() -> None:
    """By simulation: 2,000 players of 300 dice each. The largest gap between the p-values and a straight line stays
    below 1.95 / sqrt(2000), which chance passes once in a thousand times (Kolmogorov)."""
    random = Random(11)
    found = []
    for _ in range(2000):
        counts = dict.fromkeys(range(1, 7), 0)
        for _ in range(300):
            counts[random.randrange(1, 7)] += 1
        p = roll_test("program", {"pig": counts}).p
        assert p is not None
        found.append(p)
    found.sort()
    gap = max(max(abs(p - at / 2000), abs(p - (at + 1) / 2000)) for at, p in enumerate(found))
    assert gap < 1.95 / sqrt(2000)


def test_loaded_dice_are_found() -> None:
    random = Random(12)
    counts = dict.fromkeys(range(1, 7), 0)
    for _ in range(2000):
        counts[random.choice((1, 2, 3, 4, 5, 6, 6))] += 1
    p = roll_test("program", {"pig": counts}).p
    assert p is not None
    assert p < 1e-6
