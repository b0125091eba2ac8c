"""BJ's house rules and how one toss scores. Turns and the last round are in `state`."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final

from hotdice.dice import ORDINARY, Roll, tosses
from hotdice.game import ROLLED, Word
from hotdice.options import Options, option


class Choice(Word):
    """What to do after a toss that scored."""

    ROLL = "roll"
    PASS = "pass"  # noqa: S105 (no password)


ROLL, PASS = MOVES = tuple(Choice)

NOBODY: Final = -1
"""Who started the last round while nobody has."""
FROZEN: Final = "frozen"
"""The place of a die that has scored."""
BONUS: Final = 500
"""Awarded each time all dice are frozen, and never lost."""
SINGLES: Final = {1: 100, 5: 50}
"""What a die scores by itself."""
MONTHLY: Final = 50_000
"""What the winner pays each other player a month, in dollars."""
MONTHS: Final = 120
"""For how many months."""

TOSSES: Final = tuple(tosses((ORDINARY, count)) for count in range(7))
"""The distribution of a toss, by the number of dice."""


@dataclass(frozen=True, slots=True)
class BjOptions(Options):
    """How many dice, what a scoreless toss costs, and the length of the game."""

    bust: str = option(
        "any",
        "Which scoreless toss forfeits the turn's points: any, or only one of all dice "
        "(then a scoreless toss of fewer dice ends the turn with its points).",
        "all_dice",
    )
    dice: int = option(6, "How many dice are played with.", low=5, high=6, short=5)
    target: int = option(
        5000, "The score to exceed, which starts the last round.", low=0, high=100_000, step=50, short=500
    )


def forfeits(options: BjOptions, dice: int) -> bool:
    """Whether a scoreless toss of `dice` dice loses the points at risk, by the house rule."""
    return options.bust == "any" or dice == options.dice


@dataclass(frozen=True, slots=True)
class Toss:
    """What one toss scores."""

    points: int
    frozen: int
    """How many of its dice score."""
    places: tuple[str, ...]
    """For each die in the roll's order, whether it is `frozen` or just rolled."""


@cache
def read_toss(roll: Roll) -> Toss:
    """A toss read for the most points, every die counted once."""
    points = 0
    places: list[str] = []
    for face in sorted(set(roll)):
        count = roll.count(face)
        single = SINGLES.get(face, 0)
        triples = count // 3 if face * 100 > 3 * single else 0
        points += triples * face * 100
        rest = count - 3 * triples
        points += rest * single
        places += [FROZEN] * (3 * triples) + [FROZEN if single else ROLLED] * rest
    return Toss(points, places.count(FROZEN), tuple(places))
