"""Kismet's score pad: a sheet with six columns, for as many players or games."""

from __future__ import annotations

from typing import Final

from hotdice.games.kismet.rules import BASIC, BONUSES, COLOURS, FIXED, PLUS, Box, KismetOptions
from hotdice.pads import BLACK, GREY, TINT, WHITE, Pad, middle

COLUMNS: Final = 6
_NEEDS: Final = {
    Box.TWO_PAIR: "two pairs of one colour, or four alike",
    Box.THREE_OF_A_KIND: "at least three alike",
    Box.STRAIGHT: "1-2-3-4-5 or 2-3-4-5-6",
    Box.FLUSH: "five dice of one colour",
    Box.FULL_HOUSE: "three alike and two alike",
    Box.FULL_HOUSE_SAME_COLOR: "the same, all of one colour",
    Box.FOUR_OF_A_KIND: "at least four alike",
    Box.YARBOROUGH: "anything",
    Box.KISMET: "five alike",
}
_NAMES: Final = 50.0
"""How wide the column with the names of the boxes is."""
_SCORES: Final = 48.0
"""How wide the column with what they score is."""
_NUMBERS: Final = ("1s", "2s", "3s", "4s", "5s", "6s")
# The pips in a square about (0, 0), as on the dice: what is black is round, red is a diamond, and green a triangle.
_PLACES: Final = {
    1: ((0, 0),), 2: ((-1, -1), (1, 1)), 3: ((-1, -1), (0, 0), (1, 1)), 4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)), 6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}  # fmt: skip


def draw_pad(pad: Pad, options: KismetOptions) -> None:
    """The sheet between a line for the colours and one for the second Kismet."""
    _colours(pad, pad.top - 1)
    y = pad.top + 7.5
    notes = _notes(options)
    bottom = pad.bottom - 4 * len(notes) - 2.5
    names, head = 8.5, 5.5
    pitch = (bottom - y - names - 2 * head) / 22
    column = (pad.width - _NAMES - _SCORES) / COLUMNS
    first = pad.left + _NAMES + _SCORES

    for number in range(COLUMNS):
        pad.text(first + number * column + 1, y + 2.6, str(number + 1), 6, ink=GREY)
    pad.text(pad.left + 2, middle(y, names, 8), "Player or game", 8, ink=GREY)
    top, y = y, y + names
    pad.band(y, head, "Basic Section")
    y += head
    for box in BASIC:
        _row(pad, y, pitch, box.title, f"sum of the {_NUMBERS[box]}", die=box + 1)
        y += pitch
    y = _total(pad, y, pitch, "Basic Total")
    low, middling, high = (bonus[0] for bonus in reversed(BONUSES))
    worth = [bonus[1] for bonus in reversed(BONUSES)]
    tiers = f"{low}–{middling - 1}: {worth[0]}    {middling}–{high - 1}: {worth[1]}    {high} or more: {worth[2]}"
    _row(pad, y, pitch, "Bonus", tiers)
    y += pitch
    y = _total(pad, y, pitch, "Basic and Bonus")
    pad.band(y, head, "Kismet Section")
    y += head
    for box in _NEEDS:
        if box in FIXED:
            counts = str(FIXED[box])
        else:
            counts = f"sum of all dice + {PLUS[box]}" if box in PLUS else "sum of all dice"
        _row(pad, y, pitch, box.title, _NEEDS[box], counts)
        y += pitch
    y = _total(pad, y, pitch, "Kismet Total")
    y = _total(pad, y, pitch, "Basic and Bonus, from above")
    pad.box(pad.left, y, pad.width, pitch, fill=TINT, ink=None)
    y = _total(pad, y, pitch, "Grand Total", 11)
    _row(pad, y, pitch, "Kismets so far", "five alike at the end of a turn: one stroke")
    y += pitch

    for number in range(COLUMNS):
        pad.line(first + number * column, top, first + number * column, y, 0.4)
    pad.box(pad.left, top, pad.width, y - top, line=0.5)
    for number, line in enumerate(notes):
        pad.text(pad.left, y + 4.5 + 4 * number, line, 8)


def _row(pad: Pad, y: float, height: float, title: str, needs: str, counts: str = "", die: int = 0) -> None:
    """A box of the sheet: its name, what fits it and what that scores."""
    pad.line(pad.left, y, pad.right, y, 0.15, GREY)
    pad.line(pad.left + _NAMES, y, pad.left + _NAMES, y + height, 0.15, GREY)
    pad.text(pad.left + 2, middle(y, height, 9.5), title, 9.5, bold=True)
    if die:
        size = min(6.0, height - 1.6)
        _die(pad, pad.left + _NAMES - size - 1.5, y + (height - size) / 2, size, die)
    if counts:
        pad.text(pad.left + _NAMES + 2, y + height * 0.42, needs, 7, ink=GREY)
        pad.text(pad.left + _NAMES + 2, y + height * 0.84, counts, 8, bold=True)
    else:
        pad.text(pad.left + _NAMES + 2, middle(y, height, 7), needs, 7)


def _total(pad: Pad, y: float, height: float, title: str, size: float = 8.5) -> float:
    pad.line(pad.left, y, pad.right, y, 0.4)
    pad.text(pad.left + 2, middle(y, height, size), title, size, bold=True)
    pad.line(pad.left, y + height, pad.right, y + height, 0.4)
    return y + height


def _colours(pad: Pad, y: float) -> None:
    """Which numbers have which colour."""
    x = pad.left
    for colour in dict.fromkeys(COLOURS.values()):
        for number in sorted(number for number, its in COLOURS.items() if its == colour):
            _die(pad, x, y - 0.6, 6, number)
            x += 7.2
        pad.text(x + 0.6, y + 3.4, colour, 9, bold=True)
        x += 22


def _die(pad: Pad, x: float, y: float, size: float, number: int) -> None:
    """A die of the game, its colour told by the shape of its pips."""
    pad.box(x, y, size, size, fill=WHITE, line=0.25, round=0.2 * size)
    r = 0.1 * size
    for across, down in _PLACES[number]:
        cx, cy = x + size * (0.5 + 0.25 * across), y + size * (0.5 + 0.25 * down)
        if COLOURS[number] == "black":
            pad.circle(cx, cy, r, fill=BLACK, ink=None)
        elif COLOURS[number] == "red":
            pad.polygon([(cx, cy - 1.3 * r), (cx + 1.3 * r, cy), (cx, cy + 1.3 * r), (cx - 1.3 * r, cy)], fill=WHITE)
        else:
            pad.polygon([(cx, cy - 1.2 * r), (cx + 1.2 * r, cy + r), (cx - 1.2 * r, cy + r)], fill=BLACK, ink=None)


def _notes(options: KismetOptions) -> list[str]:
    full = "Five alike fit" if options.kismet_is_full_house else "Five alike do not fit"
    notes = [f"{full} the two Full House boxes. Dice that do not fit a box write 0 there."]
    if options.second_kismet:
        notes.append(
            "From a player’s second Kismet on, each makes all the others write 0 in their topmost vacant box "
            "and miss a turn; the player goes on."
        )
    return notes
