"""Dice: faces, rolls as multisets with exact weights, and where rolls come from.

A roll is a sorted tuple of face codes: what was rolled, not which die rolled it. A `Distribution` lists each
possible roll once with an integer weight, and turns any uniform integer into a roll, so a source of dice is
nothing but a source of integers. Which dice are rolled when is for the games to say.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import accumulate, combinations_with_replacement, product
from math import factorial
from typing import TYPE_CHECKING, Final, Protocol

from hotdice.errors import DiceError, ParseError
from hotdice.notation import words

if TYPE_CHECKING:
    from fractions import Fraction

Roll = tuple[int, ...]

_PIPS: Final = {
    1: ("       ", "   o   ", "       "),
    2: (" o     ", "       ", "     o "),
    3: (" o     ", "   o   ", "     o "),
    4: (" o   o ", "       ", " o   o "),
    5: (" o   o ", "   o   ", " o   o "),
    6: (" o   o ", " o   o ", " o   o "),
}


@dataclass(frozen=True, slots=True)
class Face:
    """One side of a die: the code that rolls are made of, its notation, and how it is named and drawn."""

    code: int
    text: str
    name: str
    art: tuple[str, str, str]
    """Three rows of seven columns."""
    aliases: tuple[str, ...] = ()
    colour: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Die:
    """A kind of die. Every face is equally likely."""

    name: str
    faces: tuple[Face, ...]


def pips(number: int, pip: str = "●", corner: str = " ") -> tuple[str, str, str]:
    """The drawing of an ordinary face, with a letter in its lower right corner if one is given."""
    top, middle, bottom = (row.replace("o", pip) for row in _PIPS[number])
    return top, middle, bottom[:-1] + corner


ORDINARY: Final = Die("die", tuple(Face(n, str(n), str(n), pips(n)) for n in range(1, 7)))


class Distribution:
    """Every possible roll once, in ascending order, with integer weights: the chances exactly.

    Iterating gives `(roll, Fraction)` pairs.
    """

    __slots__ = ("_index", "_upto", "rolls", "total", "weights")

    def __init__(self, weighted: Iterable[tuple[Roll, int]]) -> None:
        pairs = sorted(weighted)
        self.rolls = tuple(roll for roll, _ in pairs)
        self.weights = tuple(weight for _, weight in pairs)
        self.total = sum(self.weights)
        self._upto = tuple(accumulate(self.weights))
        self._index = {roll: index for index, roll in enumerate(self.rolls)}

    def __len__(self) -> int:
        return len(self.rolls)

    def __iter__(self) -> Iterator[tuple[Roll, Fraction]]:
        from fractions import Fraction  # here and below: importing hotdice stays quick

        for roll, weight in zip(self.rolls, self.weights, strict=True):
            yield roll, Fraction(weight, self.total)

    def __contains__(self, roll: object) -> bool:
        return roll in self._index

    def probability(self, roll: Roll) -> Fraction:
        """The chance of one roll; 0 if it cannot happen."""
        from fractions import Fraction

        index = self._index.get(roll)
        return Fraction(0) if index is None else Fraction(self.weights[index], self.total)

    def at(self, index: int) -> Roll:
        """The roll that a uniform integer in `range(total)` stands for."""
        return self.rolls[bisect_right(self._upto, index)]


NO_ROLL: Final = Distribution(())
"""What the outcomes of a state are where no dice are rolled."""


def _multisets(die: Die, count: int) -> Iterator[tuple[Roll, int]]:
    for roll in combinations_with_replacement(sorted(face.code for face in die.faces), count):
        weight = factorial(count)
        for code in set(roll):
            weight //= factorial(roll.count(code))
        yield roll, weight


@cache
def tosses(*dice: tuple[Die, int]) -> Distribution:
    """All rolls of some dice together, given as pairs of a kind of die and how many of it there are."""
    parts = (tuple(_multisets(die, count)) for die, count in dice)
    weighted: list[tuple[Roll, int]] = []
    for combination in product(*parts):
        roll: Roll = ()
        weight = 1
        for codes, ways in combination:
            roll += codes
            weight *= ways
        weighted.append((tuple(sorted(roll)), weight))
    return Distribution(weighted)


def faces_text(dice: Iterable[Die], roll: Roll) -> str:
    """A roll in notation: `3 3 5`, `25 100 S`."""
    texts = _texts(tuple(dice))
    return " ".join(texts[code] for code in roll)


def parse_faces(dice: Iterable[Die], text: str, column: int = 1) -> Roll:
    """Faces typed apart or together (`3 3 5`, `3,3,5`, `335`), by notation, name or alias, in any order."""
    dice = tuple(dice)
    names = _names(dice)
    codes: list[int] = []
    for word, start in words(text.replace(",", " "), column):
        rest = word.lower()
        while rest:
            best = next((name for name in names if rest.startswith(name)), None)
            if best is None:
                at = start + len(word) - len(rest)
                choices = ", ".join(dict.fromkeys(face.text for die in dice for face in die.faces))
                raise ParseError(f"“{word}” is not a roll of these dice; their faces are {choices}.", at)
            codes.append(names[best])
            rest = rest[len(best) :]
    return tuple(sorted(codes))


def parse_some(dice: Iterable[Die], text: str, column: int = 1) -> Roll:
    """Faces, or the word `none` for no dice; an empty text is refused."""
    if text.strip().lower() == "none":
        return ()
    if not text.strip():
        raise ParseError("Expected some dice here, or the word none.", column)
    return parse_faces(dice, text, column)


@cache
def _texts(dice: tuple[Die, ...]) -> dict[int, str]:
    return {face.code: face.text for die in dice for face in die.faces}


@cache
def _names(dice: tuple[Die, ...]) -> dict[str, int]:
    names = {
        name.lower(): face.code
        for die in dice
        for face in die.faces
        for name in (face.text, face.name.replace(" ", "-"), *face.aliases)
    }
    return dict(sorted(names.items(), key=lambda item: -len(item[0])))


class DiceSource(Protocol):
    """Where a table's rolls come from."""

    @property
    def text(self) -> str:
        """How a record names it: its kind, then what it needs to begin again."""

    @property
    def manual(self) -> bool:
        """Whether people roll real dice and type what they show."""

    def draw(self, outcomes: Distribution) -> Roll:
        """The next roll, one of the outcomes that are due."""


class SeededDice:
    """Dice from a seed: the same seed and the same play give the same game, on any machine.

    Only `Random.random` is used, the one generator call whose sequence Python promises to keep.
    """

    manual: Final = False

    def __init__(self, seed: int) -> None:
        from random import Random

        self.seed = seed
        self._random = Random(seed)

    @property
    def text(self) -> str:
        return f"seeded {self.seed}"

    def draw(self, outcomes: Distribution) -> Roll:
        return outcomes.at(int(self._random.random() * outcomes.total))


class ManualDice:
    """Real dice on a real table: each roll is handed to the table by whoever reads them."""

    text: Final = "manual"
    manual: Final = True

    def draw(self, outcomes: Distribution) -> Roll:
        raise DiceError("These are real dice: roll them and type what they show.")


class RecordedDice:
    """Dice that repeat the rolls of an earlier game, in order."""

    text: Final = "recorded"
    manual: Final = False

    def __init__(self, rolls: Iterable[Roll]) -> None:
        self._rolls = iter(tuple(rolls))

    def draw(self, outcomes: Distribution) -> Roll:
        try:
            return next(self._rolls)
        except StopIteration:
            raise DiceError("The recorded dice have no roll left; play on with seeded or manual dice.") from None
