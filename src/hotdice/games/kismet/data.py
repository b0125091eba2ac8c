"""What a page draws of a game of Kismet, as data: the board, what a score does, and what the sheet prints."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING, Final

from hotdice.game import Move
from hotdice.games.kismet.rules import (
    BASIC,
    BONUSES,
    DICE,
    FIXED,
    PLUS,
    ROLLS,
    VACANT,
    Box,
    KismetOptions,
    Score,
    Sheet,
    basic_sum,
    bonus,
    box_scores,
)

if TYPE_CHECKING:
    from hotdice.games.kismet.state import KismetState


@dataclass(frozen=True, slots=True)
class KismetBoard:
    """What a Kismet board draws."""

    turn: int
    """Whose turn it is."""
    rolls: int
    """How many rolls of this turn are taken."""
    sheets: tuple[Sheet, ...]
    """Each seat's entries from top to bottom; -1 is vacant."""
    bonuses: tuple[int, ...]
    """Each seat's bonus so far."""
    had_kismet: tuple[bool, ...]
    """Who has ended a turn with five of a kind already."""
    kismet: bool
    """Whether the dice to decide about are five of a kind."""
    roll_off: tuple[int, ...]
    """In the roll-off, what each seat has rolled; 0 is still to roll, -1 is out."""


@dataclass(frozen=True, slots=True)
class Scoring:
    """What writing the dice into a box does."""

    points: int
    """What is written there."""
    bonus: int
    """By how much the bonus grows."""
    strikes: tuple[int, ...]
    """If the dice are another Kismet, the box in which each seat writes a zero, -1 if it writes none; else nothing."""
    slip: bool
    """Whether nobody is likely to mean it: a zero, while the dice score elsewhere or can be rolled again."""


class Section(StrEnum):
    """A section of the sheet."""

    BASIC = "basic"
    KISMET = "kismet"


@dataclass(frozen=True, slots=True)
class BoxFacts:
    """A box of the sheet, and what dice that fit it count there: their sum, some points, or both added up."""

    word: str
    """The box in notation."""
    title: str
    """The box as the sheet prints it."""
    section: Section
    """The section that it is in."""
    face: int
    """The number whose dice a basic box counts; 0 where all dice count."""
    fits: str
    """What fits, in a few words, where the title does not say it."""
    sum: bool
    """Whether the sum of the dice counts."""
    plus: int
    """The points beside that."""


@dataclass(frozen=True, slots=True)
class BonusStep:
    """A step of the basic bonus."""

    least: int
    """The least sum of the basic boxes that earns it."""
    bonus: int
    """The bonus from there on."""


@dataclass(frozen=True, slots=True)
class KismetFacts:
    """What the sheet prints, and the house rules that a page shows."""

    dice: int
    """How many dice there are."""
    rolls: int
    """How many rolls a turn has at most."""
    boxes: tuple[BoxFacts, ...]
    """The boxes from top to bottom."""
    steps: tuple[BonusStep, ...]
    """The steps of the basic bonus, from the lowest up."""
    second_kismet: bool
    """Whether another Kismet of the same player strikes the others."""


_FITS: Final = {
    Box.ACES: "ones",
    Box.DEUCES: "twos",
    Box.TREYS: "threes",
    Box.FOURS: "fours",
    Box.FIVES: "fives",
    Box.SIXES: "sixes",
    Box.STRAIGHT: "five in a row",
    Box.FLUSH: "one colour",
    Box.YARBOROUGH: "any dice",
    Box.KISMET: "five alike",
}


def facts(state: KismetState) -> KismetFacts:
    """What the sheet prints."""
    return _facts(state.options)


@cache
def _facts(options: KismetOptions) -> KismetFacts:
    steps = tuple(BonusStep(least, points) for least, points in sorted(BONUSES))
    return KismetFacts(DICE, ROLLS, tuple(map(_box_facts, Box)), steps, options.second_kismet)


def _box_facts(box: Box) -> BoxFacts:
    return BoxFacts(
        word=box.word,
        title=box.title,
        section=Section.BASIC if box in BASIC else Section.KISMET,
        face=BASIC.index(box) + 1 if box in BASIC else 0,
        fits=_FITS.get(box, ""),
        sum=box not in FIXED,
        plus=FIXED.get(box) or PLUS.get(box, 0),
    )


def effect(state: KismetState, move: Move) -> Scoring | None:
    """What a score does; to keep dice changes nothing yet."""
    return scoring(state, move.box) if isinstance(move, Score) else None


def scoring(state: KismetState, box: Box) -> Scoring:
    """What writing the dice into a vacant box does."""
    scores = box_scores(state.dice, state.options.kismet_is_full_house)
    points, grows = scores[box], 0
    if box < len(BASIC):
        before = basic_sum(state.sheets[state.seat])
        grows = bonus(before + points) - bonus(before)
    slip = not points and (state.rolls < ROLLS or _fits_anywhere(state, scores))
    return Scoring(points, grows, state.strikes, slip)


def _fits_anywhere(state: KismetState, scores: Sequence[int]) -> bool:
    """Whether the dice score in some vacant box."""
    return any(points and entry == VACANT for points, entry in zip(scores, state.sheets[state.seat], strict=True))


def board(state: KismetState) -> KismetBoard:
    """The data of the board."""
    return KismetBoard(
        turn=state.roller,
        rolls=state.rolls,
        sheets=state.sheets,
        bonuses=tuple(bonus(basic_sum(sheet)) for sheet in state.sheets),
        had_kismet=state.had_kismet,
        kismet=state.kismet,
        roll_off=state.roll_off,
    )
