"""Charts as SVG, written by hand so that they are small and say what they are without colour.

A chart brings its own paper, so it can lie on any page, and its own dark colours for those who prefer them. It is 480
wide and its small print 14 high, which is still legible at the width of a phone. Lines differ by dashes and have their
names beside them; bars have their numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise
from typing import Final

WIDTH: Final = 480
_STYLE: Final = """
svg{--paper:#fffdf8;--ink:#26211a;--pale:#5f5645;--line:#ddd3c1;--accent:LIGHT;--soft:#857a66;
font:14px system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue','Noto Sans',Arial,sans-serif}
@media (prefers-color-scheme:dark){svg{--paper:#1c222a;--ink:#f3eee4;--pale:#b9b6ac;--line:#343e49;--accent:DARK;
--soft:#7e8a98}}
text{fill:var(--ink);font-variant-numeric:tabular-nums}.pale{fill:var(--pale)}.title{font-weight:700;font-size:16px}
.bold{font-weight:700}.end{text-anchor:end}.middle{text-anchor:middle}.halo{paint-order:stroke;stroke:var(--paper);
stroke-width:4px;stroke-linejoin:round}.paper{fill:var(--paper)}.grid{stroke:var(--line)}.axis{stroke:var(--pale)}
.bar{fill:var(--accent)}.faint{fill:var(--line)}.whisker{stroke:var(--ink);stroke-width:1.5}
.curve{fill:none;stroke:var(--accent);stroke-width:2.5;stroke-linejoin:round}.rule{stroke:var(--ink);stroke-width:1.5}
.dot{fill:var(--accent);stroke:var(--paper);stroke-width:1.5}
"""
Accent = tuple[str, str]
"""The colour of a game on light paper and on dark."""
DASHES: Final = ("", "7 4", "2 3", "10 3 2 3", "1 5")
"""What lines of one chart are told apart by."""


class Drawing:
    """An SVG that is being drawn, from the top down."""

    def __init__(self, accent: Accent, height: float, title: str, told: str) -> None:
        self.height = height
        self._accent = accent
        self._told = f"{title}. {told}"
        self._parts: list[str] = []
        self.text(16, 26, title, "title")

    def text(self, x: float, y: float, words: str, kind: str = "") -> None:
        self._parts.append(f'<text x="{_n(x)}" y="{_n(y)}"{_class(kind)}>{escape(words)}</text>')

    def line(self, x: float, y: float, to_x: float, to_y: float, kind: str, dash: str = "") -> None:
        dashes = f' stroke-dasharray="{dash}"' if dash else ""
        self._parts.append(f'<line x1="{_n(x)}" y1="{_n(y)}" x2="{_n(to_x)}" y2="{_n(to_y)}"{_class(kind)}{dashes}/>')

    def rect(self, x: float, y: float, width: float, height: float, kind: str, opacity: float = 1.0) -> None:
        pale = f' opacity="{_n(opacity)}"' if opacity < 1 else ""
        self._parts.append(
            f'<rect x="{_n(x)}" y="{_n(y)}" width="{_n(max(width, 0))}" height="{_n(height)}" rx="2"'
            f"{_class(kind)}{pale}/>"
        )

    def dot(self, x: float, y: float) -> None:
        self._parts.append(f'<circle cx="{_n(x)}" cy="{_n(y)}" r="4" class="dot"/>')

    def curve(self, points: Sequence[tuple[float, float]], dash: str = "", kind: str = "curve") -> None:
        way = " ".join(f"{_n(x)},{_n(y)}" for x, y in points)
        dashes = f' stroke-dasharray="{dash}"' if dash else ""
        self._parts.append(f'<polyline points="{way}" class="{kind}"{dashes}/>')

    def __str__(self) -> str:
        style = _STYLE.replace("LIGHT", self._accent[0]).replace("DARK", self._accent[1]).strip()
        size = f'width="{WIDTH}" height="{_n(self.height)}" viewBox="0 0 {WIDTH} {_n(self.height)}"'
        opening = f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-label="{escape(self._told)}">'
        paper = f'<rect width="{WIDTH}" height="{_n(self.height)}" rx="10" class="paper"/>'
        return "\n".join([opening, f"<style>{style}</style>", paper, *self._parts, "</svg>", ""])


def _n(number: float) -> str:
    return f"{number:.1f}".removesuffix(".0")


def _class(kind: str) -> str:
    return f' class="{kind}"' if kind else ""


@dataclass(frozen=True, slots=True)
class Bar:
    """A row of a bar chart."""

    label: str
    value: float
    text: str
    """The value as it is printed."""
    within: float = 0.0
    """How far the value may be off, drawn as a whisker."""


def bars(
    accent: Accent, title: str, rows: Sequence[Bar], *, told: str, low: float, high: float, base: float | None = None,
    mark: tuple[float, str] | None = None, left: float = 150.0, below: str = "",
) -> str:  # fmt: skip
    """Bars from `base` (or `low`), one below the other, each with its number at the end; `mark` is a named line."""
    step, top = 30.0, 62.0 if mark else 46.0
    drawing = Drawing(accent, top + step * len(rows) + (34 if below else 12), title, told)
    right = WIDTH - 78.0
    start = low if base is None else base

    def across(value: float) -> float:
        return left + (min(max(value, low), high) - low) / (high - low) * (right - left)

    if mark:
        drawing.line(across(mark[0]), top - 4, across(mark[0]), top + step * len(rows), "axis", "3 3")
        drawing.text(across(mark[0]), top - 12, mark[1], "pale middle")
    for at, row in enumerate(rows):
        y = top + step * at
        drawing.text(left - 10, y + 19, row.label, "end")
        begin, end = sorted((across(start), across(row.value)))
        drawing.rect(begin, y + 4, max(end - begin, 1), 20, "bar")
        tip = end
        if row.within:
            one, two = across(row.value - row.within), across(row.value + row.within)
            drawing.line(one, y + 14, two, y + 14, "whisker")
            drawing.line(one, y + 9, one, y + 19, "whisker")
            drawing.line(two, y + 9, two, y + 19, "whisker")
            tip = max(end, two)
        drawing.text(tip + 6, y + 19, row.text, "bold")
    if below:
        drawing.text(16, top + step * len(rows) + 22, below, "pale")
    return str(drawing)


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a chart, with its name at its end."""

    name: str
    points: Sequence[tuple[float, float]]
    plain: bool = False
    """Drawn thin and in ink: what the others are compared with."""


@dataclass(frozen=True, slots=True)
class Panel:
    """One of several small charts with the same axes."""

    title: str
    lines: Sequence[Line]
    high: float
    """The top of its own vertical axis."""
    ticks: Sequence[float]
    low: float = 0.0
    """Where that axis begins."""


@dataclass(frozen=True, slots=True)
class Axis:
    """The horizontal axis."""

    low: float
    high: float
    ticks: Sequence[float]
    words: Callable[[float], str]
    name: str


def panels(
    accent: Accent, title: str, small: Sequence[Panel], axis: Axis, *, told: str, words: Callable[[float], str],
    named: str, columns: int = 2, tall: float = 150.0,
) -> str:  # fmt: skip
    """Small line charts side by side; the names of the lines stand in a legend that shows their dashes."""
    names = [line.name for line in small[0].lines if line.name]
    lines = {line.name: (at, line.plain) for at, line in enumerate(small[0].lines)}
    rows = -(-len(small) // columns)
    top, each = 56.0 + 22 * (len(names) if len(names) > 1 else 0), tall + 62
    drawing = Drawing(accent, top + rows * each + 24, title, told)
    drawing.text(16, 46, named, "pale")
    if len(names) > 1:
        for at, name in enumerate(names):
            number, plain = lines[name]
            y = 66.0 + 22 * at
            drawing.curve([(16, y - 4), (56, y - 4)], DASHES[number], "rule" if plain else "curve")
            drawing.text(64, y, name)
    wide = (WIDTH - 16) / columns
    for at, panel in enumerate(small):
        x, y = 8 + wide * (at % columns), top + each * (at // columns)
        left, right, ceiling, floor = x + 48, x + wide - 20, y + 30, y + 30 + tall

        def across(value: float, left: float = left, right: float = right) -> float:
            return left + (value - axis.low) / (axis.high - axis.low) * (right - left)

        def up(value: float, panel: Panel = panel, floor: float = floor, ceiling: float = ceiling) -> float:
            share = (min(max(value, panel.low), panel.high) - panel.low) / (panel.high - panel.low)
            return floor - share * (floor - ceiling)

        if panel.title:
            drawing.text(x + 8, y + 16, panel.title, "bold")
        for tick in panel.ticks:
            drawing.line(left, up(tick), right, up(tick), "grid")
            drawing.text(left - 6, up(tick) + 5, words(tick), "pale end")
        drawing.line(left, floor, right, floor, "axis")
        for tick in axis.ticks:
            drawing.line(across(tick), floor, across(tick), floor + 4, "axis")
            drawing.text(across(tick), floor + 18, axis.words(tick), "pale middle")
        for number, line in enumerate(panel.lines):
            drawing.curve(
                [(across(one), up(two)) for one, two in line.points], DASHES[number],
                "rule" if line.plain else "curve",
            )  # fmt: skip
    drawing.text(16, top + rows * each + 10, axis.name, "pale")
    return str(drawing)


def steps(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """The corners of a staircase through points that each hold until halfway to the next."""
    found = [points[0]]
    for (x, y), (to_x, to_y) in pairwise(points):
        middle = (x + to_x) / 2
        found += [(middle, y), (middle, to_y)]
    return [*found, points[-1]]


@dataclass(frozen=True, slots=True)
class Cell:
    """A field of a grid."""

    text: str
    shade: float
    """From 0, as the paper, to 1, as the accent."""


def grid(
    accent: Accent, title: str, across: Sequence[str], down: Sequence[str], cells: Sequence[Sequence[Cell]], *,
    told: str, named: str, left: float = 120.0,
) -> str:  # fmt: skip
    """A table whose fields are shaded by what they say and say it in words, too."""
    step, top = 32.0, 84.0
    drawing = Drawing(accent, top + step * len(down) + 14, title, told)
    drawing.text(16, 48, named, "pale")
    wide = (WIDTH - 16 - left) / len(across)
    for at, name in enumerate(across):
        drawing.text(left + wide * (at + 0.5), top - 8, name, "pale middle")
    for row, name in enumerate(down):
        y = top + step * row
        drawing.text(left - 10, y + 21, name, "end")
        for column, cell in enumerate(cells[row]):
            x = left + wide * column
            drawing.rect(x + 1, y + 1, wide - 2, step - 2, "faint", 0.5)
            if cell.shade > 0:
                drawing.rect(x + 1, y + 1, wide - 2, step - 2, "bar", 0.08 + 0.42 * min(cell.shade, 1))
            drawing.text(x + wide / 2, y + 21, cell.text, "middle")
    return str(drawing)
