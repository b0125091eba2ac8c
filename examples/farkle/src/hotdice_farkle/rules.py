"""Farkle's house rules, its moves, and what dice score. Turns are in `state`."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cache
from itertools import combinations, combinations_with_replacement
from typing import Final

from hotdice.dice import ORDINARY, Roll, faces_text, tosses
from hotdice.game import Move, Word
from hotdice.options import Options, option

DICE: Final = 6
NOBODY: Final = -1
"""The starter of a last round that has not begun."""
SINGLES: Final = {1: 100, 5: 50}
"""What a die scores by itself."""
STRAIGHT: Final = 1500
FIXED: Final = {4: 1000, 5: 2000, 6: 3000}
"""What larger sets score where that does not depend on their number."""
FARKLES: Final = 3
"""How many in a row are punished."""

TOSSES: Final = tuple(tosses((ORDINARY, count)) for count in range(DICE + 1))
"""The distribution of a roll, by the number of dice."""


@dataclass(frozen=True, slots=True)
class FarkleOptions(Options):
    """What combinations score, what it takes to get on the board, and the length of the game."""

    target: int = option(10_000, "The score that starts the last round.", low=500, high=100_000, step=50, short=1000)
    opening: int = option(
        500, "What a turn has to bring before a player with no points may bank.", 0, low=0, high=2000, step=50
    )
    three_ones: int = option(1000, "What three 1s score.", low=100, high=1000, step=100)
    sets: str = option(
        "double",
        "Four, five and six of a kind: each die after the third doubles the score (double), "
        "or adds the score of the three again (add), or they score 1,000, 2,000 and 3,000 (fixed).",
        "add",
        "fixed",
    )
    three_pairs: int = option(750, "What three pairs score; with 0 they do not count.", low=0, high=3000, step=50)
    two_triplets: int = option(
        0, "What two triplets score; with 0 only as two threes of a kind.", 2500, low=0, high=5000, step=50
    )
    penalty: int = option(
        0, "What a third farkle in a row costs; a score does not fall below 0.", 1000, low=0, high=2000, step=50
    )


@dataclass(frozen=True, slots=True)
class Keep(Move):
    """Set scoring dice of a roll aside."""

    dice: Roll

    @property
    def text(self) -> str:
        return f"keep {faces_text((ORDINARY,), self.dice)}"


class Choice(Word):
    """What to do once dice are set aside."""

    ROLL = "roll"
    BANK = "bank"


ROLL, BANK = CHOICES = tuple(Choice)


@cache
def scores(options: FarkleOptions) -> dict[Roll, int]:
    """What dice score, for every handful of one to six in which every die does."""
    found: dict[Roll, int] = {(): 0}
    for count in range(1, DICE + 1):
        for dice in combinations_with_replacement(range(1, 7), count):
            if points := max(_readings(options, dice, found), default=0):
                found[dice] = points
    del found[()]
    return found


def _readings(options: FarkleOptions, dice: Roll, fewer: dict[Roll, int]) -> list[int]:
    """What dice score by each way to begin: all six as one, or the lowest ones as a set and then the rest."""
    face = dice[0]
    readings = [
        points + fewer[dice[size:]]
        for size in range(1, dice.count(face) + 1)
        if (points := set_score(options, face, size)) and dice[size:] in fewer
    ]
    shape = sorted(Counter(dice).values())
    if shape == [1] * DICE:
        readings.append(STRAIGHT)
    if shape in ([2, 2, 2], [2, 4]):
        readings.append(options.three_pairs)
    if shape == [3, 3]:
        readings.append(options.two_triplets)
    return readings


def set_score(options: FarkleOptions, face: int, size: int) -> int:
    """What a set of equal dice scores as one combination."""
    if size == 1:
        return SINGLES.get(face, 0)
    if size == 2:
        return 2 * SINGLES.get(face, 0)
    three = options.three_ones if face == 1 else 100 * face
    if size == 3:
        return three
    match options.sets:
        case "double":
            return three << size - 3
        case "add":
            return three * (size - 2)
    return FIXED[size]


@cache
def keeps(options: FarkleOptions, roll: Roll) -> tuple[Keep, ...]:
    """What can be set aside of a roll, the most points first; nothing if it is a farkle."""
    points = scores(options)
    found = [dice for dice in _parts(roll) if dice in points]
    return tuple(Keep(dice) for dice in sorted(found, key=lambda dice: (-points[dice], len(dice), dice)))


@cache
def _parts(roll: Roll) -> frozenset[Roll]:
    """Every handful of dice that can be taken from a roll."""
    return frozenset(dice for count in range(1, len(roll) + 1) for dice in combinations(roll, count))
