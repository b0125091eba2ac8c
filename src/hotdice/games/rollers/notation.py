"""Positions and moves of Rollers as text."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from hotdice.dice import Roll, parse_faces, parse_some
from hotdice.errors import ParseError
from hotdice.game import CHANCE, OVER, Move
from hotdice.games.rollers.rules import (
    BLACK,
    BLACK_CODE,
    CHIPS,
    DICE,
    EMPTY_BOARD,
    FULL_BOARD,
    NUMBERS,
    PURPLE,
    PURPLES,
    ROLLS,
    STAR,
    ZAP,
    Apply,
    Board,
    Keep,
    RollersOptions,
)
from hotdice.notation import Fields, read_whole_number
from hotdice.rolloff import read_roll_off, roll_off_text

if TYPE_CHECKING:
    from hotdice.games.rollers.state import RollersState

S = TypeVar("S", bound="RollersState")


# Moves


def read_keep(rest: str, column: int) -> Move:
    """The dice after `keep`, or `none`; nothing at all is refused, as it may be a slip."""
    return Keep(parse_some((PURPLE, BLACK), rest, column))


def read_apply(rest: str, column: int) -> Move:
    """The numbers after `apply`, each die as the number it is used as, or `none`."""
    used = parse_some((PURPLE, BLACK), rest, column)
    if STAR in used or ZAP in used:
        raise ParseError("Say which number each STAR is used as: apply takes numbers from 1 to 5.", column)
    return Apply(tuple(used.count(number) + used.count(BLACK_CODE + number) for number in NUMBERS))


# Positions


def position_fields(state: RollersState) -> str:
    """Boards, chips, points, who started the round, whose turn, the rolls taken, the dice kept and just rolled."""
    boards = "/".join("".join(map(str, board)) for board in state.boards)
    chips = "/".join(map(str, state.chips))
    points = "/".join(map(str, state.scores))
    start = f"{boards} {chips} {points} {state.starter + 1} {state.roller + 1}"
    if state.roll_off:
        return f"{start} off {roll_off_text(state.roll_off)}"
    if state.seat == OVER:
        return f"{start} over"
    return f"{start} {state.rolls} {_dice_text(state, state.kept)} {_dice_text(state, state.rolled)}"


def read_fields(cls: type[S], options: RollersOptions, fields: Fields) -> S:
    """The state that position fields describe."""
    boards = fields.split("the boards", _read_board)
    players = len(boards)
    all_chips = CHIPS * players

    def read_chips(part: str, column: int) -> int:
        return read_whole_number(part, "a number of chips", 0, all_chips, column)

    at_chips = fields.column
    chips = fields.split("the chips", read_chips)
    if len(chips) != players or sum(chips) != all_chips:
        raise ParseError(f"The chips of {players} players add up to {all_chips}, with a / between players.", at_chips)
    at_points = fields.column
    points = fields.split("the points", _read_points)
    if len(points) != players:
        raise ParseError(f"Points are given for each of the {players} players, with a / between.", at_points)
    starter = fields.number("a seat", 1, players) - 1
    roller = fields.number("a seat", 1, players) - 1
    phase = fields.choice("the rolls taken", {name: name for name in ("0", "1", "2", "3", "off", "over")})
    over = phase == "over"
    if not over == (FULL_BOARD in boards) == (max(points) >= options.target_points):
        raise ParseError("A match is over when a board is full and somebody has the points to win.", at_points)
    if over:
        if boards[roller] != FULL_BOARD or boards.count(FULL_BOARD) > 1:
            raise ParseError("A match ends with the turn of the one player whose board is full.", at_points)
        return cls(options, boards, chips, points, starter, OVER, roller, 0, (), (), ())
    if phase == "off":
        roll_off = read_roll_off(fields, players, roller, STAR)
        if {*boards} != {EMPTY_BOARD} or {*chips} != {CHIPS} or any(points) or starter:
            raise ParseError("The roll-off comes before anything else; boards and points are empty then.", at_points)
        return cls(options, boards, chips, points, starter, CHANCE, roller, 0, (), (), roll_off)
    rolls = int(phase)
    at_dice = fields.column
    kept = _read_dice(fields, "the dice kept")
    rolled = _read_dice(fields, "the dice rolled")
    _check_dice(rolls, kept, rolled, at_dice)
    seat = roller if rolled else CHANCE
    return cls(options, boards, chips, points, starter, seat, roller, rolls, kept, rolled, ())


def _dice_text(state: RollersState, dice: Roll) -> str:
    return state.game.roll_text(dice).replace(" ", ",") or "-"


def _read_points(part: str, column: int) -> int:
    return read_whole_number(part, "a number of points", 0, 200, column)


def _read_board(part: str, column: int) -> Board:
    if len(part) != len(NUMBERS) or any(section not in "012" for section in part):
        raise ParseError(f"“{part}” is not a board: five digits, 0 empty, 1 open, 2 closed.", column)
    return tuple(map(int, part))


def _read_dice(fields: Fields, what: str) -> Roll:
    column = fields.column
    text = fields.word(what)
    return () if text == "-" else parse_faces((PURPLE, BLACK), text, column)


def _check_dice(rolls: int, kept: Roll, rolled: Roll, column: int) -> None:
    """Refuse dice that cannot lie on the table after `rolls` rolls."""
    dice = kept + rolled
    blacks = sum(die > STAR for die in dice)
    whole_set = len(dice) == DICE and blacks == 1
    part_set = len(kept) < DICE and blacks <= 1 and len(kept) - blacks <= PURPLES
    if ZAP in kept:
        raise ParseError("A ZAP cannot be kept.", column)
    if not (whole_set if rolled else part_set):
        raise ParseError("There are five purple dice and one black die, kept and rolled together.", column)
    if (rolls == 0 and dice) or (rolls == ROLLS and not rolled) or (rolls == 1 and rolled and kept):
        raise ParseError(f"These cannot be the dice kept and rolled after {rolls} of {ROLLS} rolls.", column)
