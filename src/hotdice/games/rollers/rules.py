"""Rollers' dice, house rules and moves, and which uses of a set of dice a board allows."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, product
from typing import Final

from hotdice.dice import Die, Face, Roll, faces_text, pips, tosses
from hotdice.game import ROLLED, Move, Word
from hotdice.options import Options, option

PURPLES: Final = 5
"""How many purple dice there are."""
DICE: Final = PURPLES + 1
"""How many dice there are, with the black one."""
ROLLS: Final = 3
"""How many rolls a turn has at most."""
CHIPS: Final = 55
"""What each player starts a round with."""
FULL_BOARD_POINTS: Final = 2
"""What a full board brings whoever still has chips."""
POINTS_WITHOUT_CHIPS: Final = 1
"""What a full board brings whoever has none."""
MOST_CHIPS_POINTS: Final = 1
"""What the most chips bring."""
NUMBERS: Final = range(1, 6)
STAR: Final = 6
BLACK_CODE: Final = 10
"""Added to the number on the black die to make its code."""
ZAP: Final = BLACK_CODE + 6

EMPTY, OPEN, CLOSED = range(3)
Board = tuple[int, ...]
"""The sections of a board from the 1s to the 5s, each `EMPTY`, `OPEN` or `CLOSED`."""
EMPTY_BOARD: Final = (EMPTY,) * len(NUMBERS)
FULL_BOARD: Final = (CLOSED,) * len(NUMBERS)

PURPLE: Final = Die(
    "purple die",
    (
        *(Face(n, str(n), str(n), pips(n), colour="magenta") for n in NUMBERS),
        Face(STAR, "*", "STAR", ("  ╲│╱  ", " ─ ★ ─ ", "  ╱│╲  "), colour="magenta"),
    ),
)
BLACK: Final = Die(
    "black die",
    (
        *(Face(BLACK_CODE + n, f"b{n}", f"black {n}", pips(n, "■", "b"), colour="white") for n in NUMBERS),
        Face(ZAP, "zap", "ZAP", ("  ╱╱   ", "  ZAP! ", "   ╱╱  "), colour="yellow"),
    ),
)
TOSSES: Final = tuple(
    tuple(tosses((PURPLE, purple), (BLACK, black)) for black in range(2)) for purple in range(PURPLES + 1)
)
"""The distribution of a roll, by the number of purple dice and whether the black one is rolled."""


@dataclass(frozen=True, slots=True)
class RollersOptions(Options):
    """What may be rolled again, who gets the point for chips in a tie, and the length of the match."""

    chip_tie: str = option(
        "nobody", "Who scores the point for the most chips when several have the most: nobody, or all of them.",
        "share",
    )  # fmt: skip
    saved_dice: str = option(
        "free", "Whether a die kept earlier may be rolled again (free) or stays kept (locked).", "locked"
    )
    target_points: int = option(5, "The points that win the match.", low=1, high=100, short=1)


@dataclass(frozen=True, slots=True)
class Keep(Move):
    """Keep some dice and roll all the others again."""

    dice: Roll

    @property
    def text(self) -> str:
        return f"keep {faces_text((PURPLE, BLACK), self.dice) or 'none'}"


@dataclass(frozen=True, slots=True)
class Apply(Move):
    """Use dice as 1s, 2s, 3s, 4s and 5s. What that opens, closes and collects follows from the board."""

    uses: tuple[int, ...]
    """How many dice are used as each number, from the 1s to the 5s."""

    @property
    def text(self) -> str:
        return _apply_text(self.uses)


@lru_cache(maxsize=8192)
def _apply_text(uses: tuple[int, ...]) -> str:
    dice = [str(number) for number in NUMBERS for _ in range(uses[number - 1])]
    return f"apply {' '.join(dice) or 'none'}"


class Call(Word):
    """Roll no more, and go on to apply the dice."""

    STOP = "stop"


STOP: Final = Call.STOP


def place_of(roll: Roll) -> str:
    """Where the dice of a roll lie: a ZAP cancels all of them."""
    return "cancelled" if ZAP in roll else ROLLED


@dataclass(frozen=True, slots=True)
class Choices:
    """The legal moves of a decision."""

    moves: tuple[Move, ...]
    keys: frozenset[tuple[int, ...]]
    """What tells the moves apart: the dice of keeps, or the uses of applications."""


@lru_cache(maxsize=8192)
def keeps(fixed: Roll, loose: Roll) -> Choices:
    """To stop, or to keep all the fixed dice and any of the loose ones, but never all six."""
    subsets = {subset for count in range(len(loose) + 1) for subset in combinations(loose, count)}
    kept = sorted((len(fixed + subset), tuple(sorted(fixed + subset))) for subset in subsets)
    dice = [dice for count, dice in kept if count < DICE]
    return Choices((STOP, *map(Keep, dice)), frozenset(dice))


@dataclass(frozen=True, slots=True)
class Pool:
    """The dice that may be applied: how many show each number, and how many STARs stand for any."""

    counts: tuple[int, ...]
    stars: int


@lru_cache(maxsize=8192)
def pool_of(dice: Roll) -> Pool:
    """Dice as numbers, whichever colour, and STARs."""
    return Pool(tuple(dice.count(n) + dice.count(BLACK_CODE + n) for n in NUMBERS), dice.count(STAR))


_APPLY: Final = {uses: Apply(uses) for uses in product(range(DICE + 1), repeat=len(NUMBERS)) if sum(uses) <= DICE}
"""Every application there can be, made once."""
APPLICATIONS: Final = tuple(_APPLY.values())
NO_COLLECT: Final = (False,) * len(NUMBERS)


@lru_cache(maxsize=8192)
def open_to_collect(others: tuple[tuple[int, ...], ...]) -> tuple[bool, ...]:
    """For each number, whether any of the others' boards has not closed it."""
    return tuple(any(section != CLOSED for section in sections) for sections in zip(*others, strict=True))


@lru_cache(maxsize=8192)
def applications(board: tuple[int, ...], counts: tuple[int, ...], stars: int, collects: tuple[bool, ...]) -> Choices:
    """Every legal use of a pool on a board; `collects` says for which numbers COLLECT is open to the player."""
    partial: list[tuple[tuple[int, ...], int]] = [((), stars)]
    for number, section, count, collect in zip(NUMBERS, board, counts, collects, strict=True):
        further = steps(number, section)
        most = count + stars
        useful = [0, *(n for n in range(1, most + 1) if n in further or (collect and n > further[-1]))]
        partial = [
            ((*uses, used), left - max(0, used - count))
            for uses, left in partial
            for used in useful
            if used - count <= left
        ]
    return Choices(tuple([_APPLY[uses] for uses, _ in partial]), frozenset([uses for uses, _ in partial]))


def steps(number: int, section: int) -> tuple[int, ...]:
    """How many dice take a section further: to open it and to close it, or to close it, or nothing (0)."""
    if section == EMPTY:
        return number, number + 1
    return (1,) if section == OPEN else (0,)


def applied(number: int, section: int, used: int) -> tuple[int, int]:
    """The section of a number after `used` dice are used on it, and how many of them collect."""
    if used == 0:
        return section, 0
    *opening, closing = steps(number, section)
    return (OPEN, 0) if used in opening else (CLOSED, used - closing)


_APPLIED: Final = tuple(
    tuple(tuple(applied(number, section, used) for used in range(DICE + 1)) for section in (EMPTY, OPEN, CLOSED))
    for number in NUMBERS
)


def board_after(board: Board, uses: tuple[int, ...]) -> tuple[Board, tuple[int, ...]]:
    """A board after dice are used on it, and how many dice of each number collect."""
    parts = zip(_APPLIED, board, uses, strict=True)
    after, collecting = zip(*[ways[section][used] for ways, section, used in parts], strict=True)
    return after, collecting
