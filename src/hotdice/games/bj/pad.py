"""BJ's score pad: what scores, the sums, and what the winner signs."""

from __future__ import annotations

from typing import Final

from hotdice.games.bj.rules import BONUS, MONTHLY, MONTHS, SINGLES, BjOptions, read_toss
from hotdice.pads import GREY, TINT, Pad, middle

_FACES: Final = range(1, 7)


def draw_pad(pad: Pad, options: BjOptions) -> None:
    """From the top: house rules, what scores, the sums, the settlement."""
    y = pad.top + 1
    pad.ticks(
        y,
        [
            ("Six dice", options.dice == 6),
            ("Five dice", options.dice == 5),
            ("Only a scoreless toss of all dice costs points", options.bust == "all_dice"),
        ],
    )
    bottom = _scoring(pad, y + 4, options)
    cheque = 25.0
    pad.scores(bottom + 4, pad.bottom - cheque - 4, last=("Last round",))
    _settlement(pad, pad.bottom - cheque, cheque)


def _scoring(pad: Pad, y: float, options: BjOptions) -> float:
    """A table of what the dice of one toss count, and where it ends."""
    name, notes, row = 20.0, 68.0, 7.5
    column = (pad.width - name - notes) / len(_FACES)
    rows = (("each", {face: SINGLES.get(face, 0) for face in _FACES}),
            ("three", {face: read_toss((face,) * 3).points for face in _FACES}))  # fmt: skip
    x = pad.left + name
    pad.box(pad.left, y, name + column * len(_FACES), row, fill=TINT, ink=None)
    pad.text(pad.left + 2, middle(y, row, 8), "One toss", 8, bold=True)
    for at, face in enumerate(_FACES):
        pad.die(x + at * column + column / 2 - 2.75, y + 1, 5.5, face)
    for line, (title, points) in enumerate(rows, 1):
        pad.line(pad.left, y + line * row, x + column * len(_FACES), y + line * row, 0.15, GREY)
        pad.text(pad.left + 2, middle(y + line * row, row, 8), title, 8)
        for at, face in enumerate(_FACES):
            words = str(points[face]) if points[face] else "–"
            place = x + (at + 0.5) * column
            pad.text(place, middle(y + line * row, row, 10), words, 10, bold=bool(points[face]), anchor="middle")
    bottom = y + 3 * row
    pad.box(pad.left, y, name + column * len(_FACES), 3 * row, line=0.5)
    left = x + column * len(_FACES) + 4
    says = (
        (f"All dice frozen: {BONUS} more", True),
        ("at once, and never lost; all may roll again", False),
        (f"Beyond {options.target:,}: the last round", True),
        ("everybody else has one more turn,", False),
        ("and a level score does not win", False),
    )
    for at, (words, bold) in enumerate(says):
        pad.text(left, y + 3.2 + at * 4.6, words, 9 if bold else 8, bold=bold)
    return bottom


def _settlement(pad: Pad, y: float, height: float) -> None:
    """What the winner owes, as a cheque."""
    pad.box(pad.left, y, pad.width, height, line=0.6, round=2)
    pad.box(pad.left + 1.2, y + 1.2, pad.width - 2.4, height - 2.4, line=0.2, round=1.4)
    x, right = pad.left + 5, pad.right - 5
    pad.text(x, y + 6.8, "Settlement", 12, bold=True)
    years = MONTHS // 12
    pad.text(right, y + 6.8, f"${MONTHLY * MONTHS:,}", 13, bold=True, anchor="end")
    pad.text(x, y + 12.8, f"The winner owes each of the others ${MONTHLY:,} a month, tax free, for {_years(years)}.", 9)
    third = (right - x - 8) / 3
    for at, label in enumerate(("Winner", "Owed to", "Signed")):
        pad.blank(x + at * (third + 4), y + 20.5, third, label)


def _years(number: int) -> str:
    return {10: "ten years"}.get(number, f"{number} years")
