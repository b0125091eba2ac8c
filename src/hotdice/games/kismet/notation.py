"""Positions and moves of Kismet as text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeVar

from hotdice.dice import Roll, parse_some
from hotdice.errors import ParseError
from hotdice.game import CHANCE, OVER, Move
from hotdice.games.kismet.rules import (
    DICE,
    DIE,
    EMPTY_SHEET,
    ROLLS,
    VACANT,
    Box,
    Keep,
    KismetOptions,
    Score,
    Sheet,
    possible_entries,
)
from hotdice.notation import Fields, listed, pick, words
from hotdice.rolloff import read_roll_off, roll_off_text

if TYPE_CHECKING:
    from hotdice.games.kismet.state import KismetState

S = TypeVar("S", bound="KismetState")


# Moves

_BOX_NAMES: Final = {box.word: box for box in Box} | {
    "1": Box.ACES, "2": Box.DEUCES, "3": Box.TREYS, "4": Box.FOURS, "5": Box.FIVES, "6": Box.SIXES,
    "1s": Box.ACES, "2s": Box.DEUCES, "3s": Box.TREYS, "4s": Box.FOURS, "5s": Box.FIVES, "6s": Box.SIXES,
    "ones": Box.ACES, "twos": Box.DEUCES, "threes": Box.TREYS, "2p": Box.TWO_PAIR, "3k": Box.THREE_OF_A_KIND,
    "4k": Box.FOUR_OF_A_KIND, "fh": Box.FULL_HOUSE, "fhsc": Box.FULL_HOUSE_SAME_COLOR,
    "two-pair-same-color": Box.TWO_PAIR,
}  # fmt: skip


def read_keep(rest: str, column: int) -> Move:
    """The dice after `keep`, or `none`; nothing at all is refused, as it may be a slip."""
    return Keep(parse_some((DIE,), rest, column))


def read_score(rest: str, column: int) -> Move:
    """The box after `score`, by name or abbreviation."""
    found = words(rest, column) or [("", column)]
    return Score(pick("-".join(word for word, _ in found), _BOX_NAMES, "a box", found[0][1]))


# Positions


def position_fields(state: KismetState) -> str:
    """The sheets, whose turn, and the rolls taken with the dice, or the roll-off."""
    sheets = "/".join(
        ",".join("-" if entry == VACANT else str(entry) for entry in sheet) + ("!" if had else "")
        for sheet, had in zip(state.sheets, state.had_kismet, strict=True)
    )
    if state.roll_off:
        return f"{sheets} {state.roller + 1} off {roll_off_text(state.roll_off)}"
    return f"{sheets} {state.roller + 1} {state.rolls} {''.join(map(str, state.dice)) or '-'}"


def read_fields(cls: type[S], options: KismetOptions, fields: Fields) -> S:
    """The state that position fields describe."""
    at_sheets = fields.column
    sheets_and_kismets = fields.split("the sheets", lambda part, column: _read_sheet(part, column, options))
    sheets = tuple(sheet for sheet, _ in sheets_and_kismets)
    had_kismet = tuple(had for _, had in sheets_and_kismets)
    players = len(sheets)
    at_seat = fields.column
    roller = fields.number("a seat", 1, players) - 1
    rolls = fields.choice("the rolls taken", {"off": -1, "0": 0, "1": 1, "2": 2, "3": 3})
    if rolls == -1:
        roll_off = read_roll_off(fields, players, roller, 6)
        if any(sheet != EMPTY_SHEET for sheet in sheets):
            raise ParseError("The roll-off comes before anything is written on a sheet.", at_sheets)
        return cls(options, sheets, had_kismet, CHANCE, roller, 0, (), roll_off)
    at_dice = fields.column
    dice = _read_dice(fields, rolls)
    if all(VACANT not in sheet for sheet in sheets):
        if rolls:
            raise ParseError("All sheets are full, so no dice are rolled any more.", at_dice)
        return cls(options, sheets, had_kismet, OVER, roller, 0, (), ())
    if VACANT not in sheets[roller]:
        raise ParseError(f"The sheet of seat {roller + 1} is full; another seat has the turn.", at_seat)
    seat = roller if len(dice) == DICE else CHANCE
    return cls(options, sheets, had_kismet, seat, roller, rolls, dice, ())


def _read_sheet(text: str, column: int, options: KismetOptions) -> tuple[Sheet, bool]:
    """A sheet, and whether its owner has had a Kismet."""
    had_kismet = text.endswith("!")
    entries = text.removesuffix("!").split(",")
    if len(entries) != len(Box):
        raise ParseError(f"A sheet has {len(Box)} boxes with commas between them; this has {len(entries)}.", column)
    written: list[int] = []
    at = column
    for box, entry in zip(Box, entries, strict=True):
        written.append(VACANT if entry == "-" else _read_entry(entry, box, at, options))
        at += len(entry) + 1
    sheet = tuple(written)
    if (had_kismet and sheet == EMPTY_SHEET) or (not had_kismet and sheet[Box.KISMET] > 0):
        raise ParseError("A ! marks a sheet whose owner has ended a turn with five of a kind.", column)
    return sheet, had_kismet


def _read_entry(text: str, box: Box, column: int, options: KismetOptions) -> int:
    """An entry, which some roll has to score in that box."""
    possible = sorted(possible_entries(box, options.kismet_is_full_house))
    if text in map(str, possible):
        return int(text)
    runs: list[list[int]] = []
    for score in possible:
        if runs and runs[-1][-1] == score - 1:
            runs[-1].append(score)
        else:
            runs.append([score])
    shown = listed((f"{run[0]} to {run[-1]}" if run[1:] else str(run[0]) for run in runs), "or")
    raise ParseError(f"“{text}” is not a score of {box.title}; expected {shown}, or - while it is vacant.", column)


def _read_dice(fields: Fields, rolls: int) -> Roll:
    """The dice on the table or kept, after `rolls` rolls."""
    column = fields.column
    text = fields.word("the dice")
    dice: Roll = () if text == "-" else tuple(int(face) if face in "123456" else 0 for face in text)
    if 0 in dice or len(dice) > DICE or tuple(sorted(dice)) != dice:
        raise ParseError(f"“{text}” is not a set of dice; expected up to five in order, or - for none.", column)
    if (rolls == 0 and dice) or (rolls == ROLLS and len(dice) < DICE):
        raise ParseError(f"The dice cannot be {text} after {rolls} of {ROLLS} rolls.", column)
    return dice
