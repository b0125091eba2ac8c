"""Kismet's dice, boxes and bonus, and the table of what each roll scores in each box.

The engine, the bots and the solver all read `box_scores`; nothing else knows how a box scores.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import IntEnum
from functools import cache, lru_cache
from itertools import combinations
from typing import Final

from hotdice.dice import Die, Face, Roll, faces_text, pips, tosses
from hotdice.game import Move
from hotdice.options import Options, option

DICE: Final = 5
"""How many dice there are."""
ROLLS: Final = 3
"""How many rolls a turn has at most."""
VACANT: Final = -1
"""The entry of a box that nothing has been written into yet."""

COLOURS: Final = {1: "black", 6: "black", 2: "red", 5: "red", 3: "green", 4: "green"}
_PIPS: Final = {"black": "●", "red": "◆", "green": "▲"}

DIE: Final = Die(
    "die",
    tuple(
        Face(n, str(n), f"{n}", pips(n, _PIPS[COLOURS[n]], COLOURS[n][0].upper()), colour=COLOURS[n])
        for n in range(1, 7)
    ),
)
TOSSES: Final = tuple(tosses((DIE, count)) for count in range(DICE + 1))
"""The distribution of a roll, by the number of dice."""


class Box(IntEnum):
    """The boxes of a sheet, from top to bottom."""

    ACES = 0
    DEUCES = 1
    TREYS = 2
    FOURS = 3
    FIVES = 4
    SIXES = 5
    TWO_PAIR = 6
    THREE_OF_A_KIND = 7
    STRAIGHT = 8
    FLUSH = 9
    FULL_HOUSE = 10
    FULL_HOUSE_SAME_COLOR = 11
    FOUR_OF_A_KIND = 12
    YARBOROUGH = 13
    KISMET = 14

    @property
    def word(self) -> str:
        """The box in notation: `four-of-a-kind`."""
        return self.name.lower().replace("_", "-")

    @property
    def title(self) -> str:
        """The box as the sheet prints it."""
        return _TITLES[self]


_TITLES: Final = (
    "Aces",
    "Deuces",
    "Treys",
    "Fours",
    "Fives",
    "Sixes",
    "Two Pair Same Color",
    "Three of a Kind",
    "Straight",
    "Flush",
    "Full House",
    "Full House Same Color",
    "Four of a Kind",
    "Yarborough",
    "Kismet",
)
BASIC: Final = tuple(Box)[:6]
"""The boxes of the basic section."""
Sheet = tuple[int, ...]
"""The entries of a sheet, from top to bottom."""
EMPTY_SHEET: Final = (VACANT,) * len(Box)
BONUSES: Final = ((78, 75), (71, 55), (63, 35))
"""The least sum of the basic boxes that earns a bonus, and that bonus; the best first."""
FIXED: Final = {Box.STRAIGHT: 30, Box.FLUSH: 35}
"""The boxes in which dice that fit count these points, whatever their sum."""
PLUS: Final = {Box.FULL_HOUSE: 15, Box.FULL_HOUSE_SAME_COLOR: 20, Box.FOUR_OF_A_KIND: 25, Box.KISMET: 50}
"""The boxes in which dice that fit count these points beside their sum."""


@dataclass(frozen=True, slots=True)
class KismetOptions(Options):
    """Two readings on which tables differ."""

    kismet_is_full_house: bool = option(True, "Five of a kind may be scored in the two Full House boxes as well.")
    second_kismet: bool = option(
        True,
        "From a player's second Kismet on, each one makes the others write a zero and lose a turn, "
        "while the player goes on.",
    )


@dataclass(frozen=True, slots=True)
class Keep(Move):
    """Keep some of the five dice and roll the others again."""

    dice: Roll

    @property
    def text(self) -> str:
        return f"keep {faces_text((DIE,), self.dice) or 'none'}"


@dataclass(frozen=True, slots=True)
class Score(Move):
    """End the turn by writing what the dice score into a box."""

    box: Box

    @property
    def text(self) -> str:
        return f"score {self.box.word}"


@cache
def keeps(dice: Roll) -> dict[Roll, Move]:
    """The keeps that a roll of five dice allows, by the dice kept, fewest first."""
    subsets = {subset for count in range(DICE) for subset in combinations(dice, count)}
    return {subset: Keep(subset) for subset in sorted(subsets, key=lambda subset: (len(subset), subset))}


@cache
def box_scores(dice: Roll, kismet_is_full_house: bool) -> tuple[int, ...]:
    """What five dice score in each box, from top to bottom."""
    total = sum(dice)
    counts = Counter(dice)
    most = max(counts.values())
    colours = {COLOURS[face] for face in dice}
    pairs = Counter(COLOURS[face] for face, count in counts.items() for _ in range(count // 2))
    full = sorted(counts.values()) == [2, 3] or (most == DICE and kismet_is_full_house)
    straight = dice in ((1, 2, 3, 4, 5), (2, 3, 4, 5, 6))
    return (
        *(face * counts[face] for face in range(1, 7)),
        total if max(pairs.values(), default=0) >= 2 else 0,
        total if most >= 3 else 0,
        FIXED[Box.STRAIGHT] if straight else 0,
        FIXED[Box.FLUSH] if len(colours) == 1 else 0,
        total + PLUS[Box.FULL_HOUSE] if full else 0,
        total + PLUS[Box.FULL_HOUSE_SAME_COLOR] if full and len(colours) == 1 else 0,
        total + PLUS[Box.FOUR_OF_A_KIND] if most >= 4 else 0,
        total,
        total + PLUS[Box.KISMET] if most == DICE else 0,
    )


@cache
def possible_entries(box: Box, kismet_is_full_house: bool) -> frozenset[int]:
    """Every number that can ever stand in a box."""
    return frozenset(box_scores(dice, kismet_is_full_house)[box] for dice in TOSSES[DICE].rolls) | {0}


def basic_sum(sheet: Sheet) -> int:
    """The sum of the six basic boxes so far."""
    return sum(entry for entry in sheet[: len(BASIC)] if entry != VACANT)


def bonus(basic: int) -> int:
    """The bonus for a sum of the basic boxes. The sum never falls, so a bonus once reached is safe."""
    return next((points for least, points in BONUSES if basic >= least), 0)


@lru_cache(1024)
def sheet_total(sheet: Sheet) -> int:
    """All entries so far and the bonus; asked for with every event, though a sheet changes once a turn."""
    return sum(entry for entry in sheet if entry != VACANT) + bonus(basic_sum(sheet))
