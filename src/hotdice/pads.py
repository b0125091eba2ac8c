"""Score pads to print: what the pads of all games share, and the plain one of a game that has none of its own.

A game's own pad is drawn by its card's `pad`, from its folder. All that is drawn stays within the margin.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final

from hotdice.notation import listed
from hotdice.options import Options, value_text
from hotdice.paper import BLACK, GREY, PALE, PAPERS, POINT, TINT, WHITE, Drawing, Paper, width_of, wrapped

if TYPE_CHECKING:
    from hotdice.game import Game

MARGIN: Final = 12.0
"""What printers leave white, and a little more, in millimetres."""
HEAD: Final = 28.0
"""Where the heading ends."""
FOOT: Final = 5.0
"""What the last line on the page takes."""
_MOST_SEATS: Final = 8
"""Columns that there is room for."""
# Where the pips of a number are, in a square about (0, 0).
_PIPS: Final = {
    1: ((0, 0),), 2: ((-1, -1), (1, 1)), 3: ((-1, -1), (0, 0), (1, 1)), 4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)), 6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}  # fmt: skip


class Pad(Drawing):
    """A page with a heading and a foot; games draw between `top` and `bottom`, from `left` to `right`."""

    def __init__(self, game: Game[Any], options: Options, paper: Paper) -> None:
        super().__init__(paper, f"{game.title}: score pad")
        self.left, self.right = MARGIN, paper.width - MARGIN
        self.top, self.bottom = HEAD, paper.height - MARGIN - FOOT
        self._heading(game)
        rules = "".join(f" -o {name}={value}" for name, value in _changed(options))
        foot = f"The rules: hotdice rules {game.name}. More of these: hotdice pad {game.name}{rules}"
        self.text(self.left, paper.height - MARGIN, foot, 6.5, ink=GREY)

    @property
    def width(self) -> float:
        """From the left margin to the right one."""
        return self.right - self.left

    def _heading(self, game: Game[Any]) -> None:
        self.text(self.left, MARGIN + 6.5, game.title, 22, bold=True)
        self.blank(self.right - 44, MARGIN + 6.5, 44, "Date")
        for line in wrapped(f"{game.player_count}. {game.pitch}", self.width, 8)[:1]:
            self.text(self.left, MARGIN + 11.5, line, 8, ink=GREY)

    def blank(self, x: float, y: float, width: float, label: str, size: float = 8) -> None:
        """A line to write on, with what goes there before it."""
        self.text(x, y, label, size, ink=GREY)
        self.line(x + width_of(label, size) + 1.5, y + 0.6, x + width, y + 0.6)

    def tick(self, x: float, y: float, words: str, ticked: bool = False, size: float = 8) -> float:
        """A small box to tick, with what it means behind it; the answer is where that ends."""
        self.box(x, y - 2.7, 3, 3, line=0.25)
        if ticked:
            self.line(x + 0.6, y - 1.2, x + 1.3, y - 0.4, 0.5)
            self.line(x + 1.3, y - 0.4, x + 2.5, y - 2.2, 0.5)
        self.text(x + 4.2, y, words, size)
        return x + 4.2 + width_of(words, size)

    def ticks(self, y: float, rules: Iterable[tuple[str, bool]]) -> None:
        """A line of house rules to agree on."""
        x = self.left
        label = "House rules that you agree on"
        self.text(x, y, label, 8, bold=True)
        x += width_of(label, 8, bold=True) + 5
        for words, ticked in rules:
            x = self.tick(x, y, words, ticked) + 6

    def die(self, x: float, y: float, size: float, number: int) -> None:
        """An ordinary die from its upper left corner."""
        self.box(x, y, size, size, fill=WHITE, line=0.25, round=0.2 * size)
        for across, down in _PIPS[number]:
            self.circle(x + size * (0.5 + 0.26 * across), y + size * (0.5 + 0.26 * down), 0.09 * size, fill=BLACK,
                        ink=None)  # fmt: skip

    def band(self, y: float, height: float, words: str, size: float = 9) -> None:
        """The heading of a section, white on black."""
        self.box(self.left, y, self.width, height, fill=BLACK, ink=None)
        self.text(self.left + 2, middle(y, height, size), words, size, bold=True, ink=WHITE)

    def scores(self, y: float, bottom: float, *, pitch: float = 7.2, last: Sequence[str] = ()) -> None:
        """A table with a column for each player, where every turn has its points and the score that they lead to."""
        first = max([7.0, *(width_of(word, 6.5, bold=True) + 2 for words in last for word in words.split())])
        column = (self.width - first) / _MOST_SEATS
        part = 0.42 * column
        names, head = 9.0, 4.5
        lines = max(1, int((bottom - y - names - head) / pitch) - len(last))
        pitch = (bottom - y - names - head) / (lines + len(last))
        start = y + names + head
        for seat in range(_MOST_SEATS):
            x = self.left + first + seat * column
            self.text(x + 1, y + 2.6, f"Player {seat + 1}", 6, ink=GREY)
            self.box(x, y + names, column, head, fill=TINT, ink=None)
            self.text(x + part / 2, middle(y + names, head, 6.5), "turn", 6.5, anchor="middle")
            self.text(x + (column + part) / 2, middle(y + names, head, 6.5), "score", 6.5, bold=True, anchor="middle")
        for number in range(lines):
            if number:
                self.line(self.left, start + number * pitch, self.right, start + number * pitch, 0.15, GREY)
            at = middle(start + number * pitch, pitch, 7)
            self.text(self.left + first - 1.5, at, str(number + 1), 7, anchor="end", ink=GREY)
        for number, words in enumerate(last, lines):
            self.line(self.left, start + number * pitch, self.right, start + number * pitch, 0.4)
            parts = words.split()
            for at, word in enumerate(parts):
                baseline = middle(start + number * pitch, pitch, 6.5) + 2.6 * (at - (len(parts) - 1) / 2)
                self.text(self.left + first / 2, baseline, word, 6.5, bold=True, anchor="middle")
        for seat in range(_MOST_SEATS):
            x = self.left + first + seat * column
            self.line(x + part, y + names, x + part, bottom, 0.15, GREY)
            self.line(x, y, x, bottom, 0.4)
        self.line(self.left, start, self.right, start, 0.4)
        self.box(self.left, y, self.width, bottom - y, line=0.5)


def middle(y: float, height: float, size: float) -> float:
    """The baseline of words in the middle of a row."""
    return y + height / 2 + 0.36 * size * POINT


def _changed(options: Options) -> list[tuple[str, str]]:
    return [
        (spec.name, value_text(getattr(options, spec.name)))
        for spec in options.specs()
        if getattr(options, spec.name) != spec.default
    ]


def draw_pad(game: Game[Any], options: Options | None = None, paper: Paper = PAPERS["a4"]) -> Drawing:
    """The score pad of a game, with its house rules: its own, or a plain one."""
    rules = game.make_options(options)
    pad = Pad(game, rules, paper)
    if game.pad:
        game.pad(pad, rules)
        return pad
    if changed := _changed(rules):
        pad.text(pad.left, pad.top + 2, "House rules: " + listed([f"{name} {value}" for name, value in changed]), 8)
    pad.scores(pad.top + 4, pad.bottom)
    return pad


__all__ = ["BLACK", "GREY", "PALE", "TINT", "WHITE", "Pad", "draw_pad", "middle"]
