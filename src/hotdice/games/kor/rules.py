"""KOR's die, house rules, moves, and how one toss reads. What a toss leads to is in `state`."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from functools import cache
from typing import Final

from hotdice.dice import Die, Face, Roll, tosses
from hotdice.game import ROLLED, Move
from hotdice.options import Options, option

DICE: Final = 6
"""How many dice a turn starts with."""
MATCHING: Final = 3
"""How many of one sign end a turn."""
NOBODY: Final = -1
"""Who started the final round while nobody has."""


class Side(IntEnum):
    """A side of the die: a sign, or a number worth itself."""

    STOP = 1
    DEAD_END = 2
    U_TURN = 3
    TWENTY_FIVE = 25
    FIFTY = 50
    HUNDRED = 100


SIGNS: Final = (Side.STOP, Side.DEAD_END, Side.U_TURN)
SIGN_NAMES: Final = {Side.STOP: "stop", Side.DEAD_END: "dead-end", Side.U_TURN: "u-turn"}

DIE: Final = Die(
    "road die",
    (
        Face(Side.STOP, "S", "STOP", ("╱▔▔▔▔▔╲", "S T O P", "╲▁▁▁▁▁╱"), colour="red"),
        Face(Side.DEAD_END, "D", "DEAD END", ("  ╱◇╲  ", "D E A D", " E N D "), ("dead",), "yellow"),
        Face(Side.U_TURN, "U", "U-TURN", (" ╭───╮ ", " │   ▼ ", " UTURN "), ("uturn",), "blue"),
        Face(Side.TWENTY_FIVE, "25", "25", ("       ", "  2 5  ", "       ")),
        Face(Side.FIFTY, "50", "50", ("       ", "  5 0  ", "       ")),
        Face(Side.HUNDRED, "100", "100", ("       ", " 1 0 0 ", "       ")),
    ),
)
TOSSES: Final = tuple(tosses((DIE, count)) for count in range(DICE + 1))
"""The distribution of a toss, by the number of dice."""


@dataclass(frozen=True, slots=True)
class KorOptions(Options):
    """The two variants, how a toss scores, and the length of the game."""

    bank_roll: bool = option(
        False, "Six scoring dice in one toss are banked at once, with all points of the turn so far."
    )
    final_round: bool = option(False, "Reaching the target starts a final round: everybody else has one more turn.")
    scoring: str = option(
        "highest", "What a toss scores: only the highest die, which is set aside, or all scoring dice.", "all"
    )
    target: int = option(6000, "The score to reach at the end of a turn.", low=25, high=100_000, step=25, short=500)


@dataclass(frozen=True, slots=True)
class Follow(Move):
    """Choose which of two triple signs to follow."""

    sign: Side

    @property
    def text(self) -> str:
        return f"follow {SIGN_NAMES[self.sign]}"


@dataclass(frozen=True, slots=True)
class Target(Move):
    """Name the opponent who serves a U-TURN penalty."""

    seat: int

    @property
    def text(self) -> str:
        return f"target {self.seat + 1}"

    @property
    def spoken(self) -> str:
        return f"target {{{self.seat}}}"


@dataclass(frozen=True, slots=True)
class Toss:
    """What one toss shows."""

    signs: tuple[Side, ...]
    """The signs rolled three times or more."""
    scoring: int
    """How many dice show a number."""
    highest: int
    """The highest number, or 0."""
    total: int
    """The sum of the numbers."""


@cache
def read_toss(roll: Roll) -> Toss:
    """A toss as the rules look at it."""
    signs = tuple(sign for sign in SIGNS if roll.count(sign) >= MATCHING)
    points = [side for side in roll if side not in SIGNS]
    return Toss(signs, len(points), max(points, default=0), sum(points))


@cache
def places_of(roll: Roll, *, bank_roll: bool, scoring: str) -> tuple[str, ...]:
    """Where the dice of a toss go: set `aside`, `counted` where they are, of a `sign` that counts, or just rolled."""
    toss = read_toss(roll)
    if toss.signs:
        return tuple("sign" if side in toss.signs else ROLLED for side in roll)
    banked = bank_roll and toss.scoring == DICE
    counted = "counted" if banked or scoring == "all" else ROLLED
    places = [ROLLED if side in SIGNS else counted for side in roll]
    if toss.scoring and not banked:
        places[roll.index(toss.highest)] = "aside"
    return tuple(places)
