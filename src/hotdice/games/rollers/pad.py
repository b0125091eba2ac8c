"""Rollers' score pad: a board for each of five players, with points and a line of chips for every round."""

from __future__ import annotations

from typing import Final

from hotdice.games.rollers.rules import (
    CHIPS,
    FULL_BOARD_POINTS,
    MOST_CHIPS_POINTS,
    NUMBERS,
    POINTS_WITHOUT_CHIPS,
    RollersOptions,
)
from hotdice.pads import BLACK, GREY, PALE, TINT, WHITE, Pad, middle

BOARDS: Final = 5
_GAP: Final = 3.0
_ROUNDS: Final = 5
_CELLS: Final = 6
_MOST_POINTS: Final = 10
_WORDS: Final = {1: "one", 2: "two", 3: "three", 4: "four", 5: "five"}


def draw_pad(pad: Pad, options: RollersOptions) -> None:
    """House rules, what rounds are worth, and the boards below each other."""
    y = pad.top + 1
    rules = [
        ("Kept dice stay kept", options.saved_dice == "locked"),
        ("A tie for the most chips: 1 point each", options.chip_tie == "share"),
    ]
    pad.ticks(y, rules)
    y += 5
    pad.text(
        pad.left, y,
        f"A round: all five closed {FULL_BOARD_POINTS} points ({POINTS_WITHOUT_CHIPS} without chips), most chips "
        f"{MOST_CHIPS_POINTS}. {options.target_points} points win. Mark sections with coins, or in pencil: every round "
        "begins with an empty board.",
        7.5,
    )  # fmt: skip
    y += 3
    height = (pad.bottom - y - _GAP * (BOARDS - 1)) / BOARDS
    for number in range(BOARDS):
        _board(pad, y + number * (height + _GAP), height, options.target_points)


def _board(pad: Pad, y: float, height: float, target: int) -> None:
    names, chips = 35.0, 56.0
    pad.box(pad.left, y, pad.width, height, line=0.5, round=2)
    pad.text(pad.left + 3, y + 4.5, "Player", 7, ink=GREY)
    pad.line(pad.left + 3, y + 13, pad.left + names - 4, y + 13)
    _points(pad, pad.left + 3, y + 20, target)
    _sections(pad, pad.left + names, y + 2.5, pad.width - names - chips - 4, height - 5)
    _chips(pad, pad.right - chips, y + 2.5, chips - 3, height - 5)


def _points(pad: Pad, x: float, y: float, target: int) -> None:
    pad.text(x, y, "Points", 7, ink=GREY)
    if target > _MOST_POINTS:
        pad.line(x, y + 9, x + 16, y + 9)
        pad.text(x + 17.5, y + 9, f"of {target}", 9, bold=True)
        return
    for number in range(target):
        cx, cy = x + 2.6 + number % 5 * 5.7, y + 5 + number // 5 * 6.2
        pad.circle(cx, cy, 2.6, line=0.5 if number + 1 == target else 0.25)
        pad.text(cx, middle(cy - 2.6, 5.2, 8), str(number + 1), 8, bold=number + 1 == target, anchor="middle", ink=GREY)


def _sections(pad: Pad, x: float, y: float, width: float, height: float) -> None:
    """A column for each number: its dice to open it, and one more to close it."""
    gap, head = 1.5, 8.0
    column = (width - gap * (len(NUMBERS) - 1)) / len(NUMBERS)
    part = (height - head) / 2
    for number in NUMBERS:
        left = x + (number - 1) * (column + gap)
        centre = left + column / 2
        pad.box(left, y, column, head, fill=BLACK, ink=None)
        pad.text(centre, middle(y, head, 18), str(number), 18, bold=True, anchor="middle", ink=WHITE)
        plural = f"{_WORDS[number]} {number}{'s' if number > 1 else ''}"
        for at, (title, needs) in enumerate((("OPEN", plural), ("CLOSE", f"one more {number}"))):
            top = y + head + at * part
            pad.box(left, top, column, part, fill=TINT if at else WHITE, line=0.4)
            pad.text(centre, top + 3.4, title, 7, bold=True, anchor="middle")
            pad.text(centre, top + part - 1.5, needs, 6, anchor="middle", ink=GREY)


def _chips(pad: Pad, x: float, y: float, width: float, height: float) -> None:
    """For those who have no chips: a line a round, to write down how many are left."""
    head, first = 8.0, 10.0
    pad.text(x, y + 3, "Chips, if you have none at hand", 7, bold=True)
    pad.text(x, y + 6.4, f"everybody begins a round with {CHIPS}", 6.5, ink=GREY)
    column, row = (width - first) / _CELLS, (height - head) / _ROUNDS
    for number in range(_ROUNDS):
        top = y + head + number * row
        pad.text(x, middle(top, row, 6.5), f"round {number + 1}", 6, ink=GREY)
        for cell in range(_CELLS):
            pad.box(x + first + cell * column, top, column, row, ink=BLACK, line=0.2)
        pad.text(x + first + column / 2, middle(top, row, 8), str(CHIPS), 8, anchor="middle", ink=(GREY + PALE) / 2)
