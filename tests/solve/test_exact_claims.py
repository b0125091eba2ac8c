"""The exact values in docs/solving.md, to all digits: solved here, or as constants that are solved elsewhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from hotdice import parse_game
from hotdice.games.rollers import RollersOptions
from hotdice.games.rollers.rules import EMPTY_BOARD
from hotdice.games.rollers.solving.boards import number_of
from hotdice.games.rollers.solving.match import chances_for
from hotdice.games.rollers.solving.tables import race
from hotdice.solve import summary_of

PAGE = (Path(__file__).parents[2] / "docs/solving.md").read_text("utf-8")


def claimed(number: str, value: float) -> None:
    """The page has this number, and it is the value rounded."""
    assert number in PAGE, f"docs/solving.md does not claim {number}"
    digits = len(number.partition(".")[2])
    assert f"{value:.{digits}f}" == number


@pytest.mark.parametrize(
    ("game", "number"),
    [
        ("kismet", "315.179996"),
        ("kismet(kismet_is_full_house=false)", "315.024029"),
        ("bj", "0.530226917"),
        ("kor", "0.531070720"),
        ("pig", "0.530592725"),
    ],
)
def test_values_to_begin(game: str, number: str) -> None:
    card, options = parse_game(game)
    claimed(number, summary_of(card, options).value)


def test_the_race_of_rollers() -> None:
    claimed("6.255793932", float(race(False)[number_of(EMPTY_BOARD)]))


@pytest.mark.parametrize(
    ("saved_dice", "chip_tie", "number"),
    [
        ("free", "nobody", "0.550492013"),
        ("free", "share", "0.550882805"),
        ("locked", "nobody", "0.549967587"),
        ("locked", "share", "0.550346229"),
    ],
)
def test_matches_of_rollers(saved_dice: str, chip_tie: str, number: str) -> None:
    """`compute_chances` solves them, and other tests hold them against games."""
    options = RollersOptions(saved_dice=saved_dice, chip_tie=chip_tie)
    claimed(number, chances_for(options)((5, 5)).value)
