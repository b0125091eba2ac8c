"""The account of a game as a picture: the chance to win of everybody, the turning points, and bars of luck.

It is drawn with matplotlib, as PNG or SVG by the file's name. Players differ in colour, line and marker, and their
names stand at the ends of their lines, so that it is read without colour, too.
"""

from __future__ import annotations

import textwrap
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from hotdice.game import Game
from hotdice.pictures import INK, PAPER, drawn, title
from hotdice.review.report import LUCK, Moment, Report
from hotdice.values import Unit

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLOURS: Final = ("#0b5fa5", "#c2410c", "#15803d", "#7e22ce", "#a16207", "#be185d", "#0f766e", "#475569")
LINES: Final = ("-", "--", "-.", ":", (0, (5, 1)), (0, (3, 1, 1, 1)), (0, (1, 1)), (0, (8, 2, 1, 2)))
MARKERS: Final = "osD^vPX*"
HATCHES: Final = ("", "////", "....", "\\\\\\\\", "xxxx", "||||", "++++", "oooo")
_FAINT: Final = "#8b949e"
_APART: Final = 0.055
"""How far apart, as a share of the height, names at the ends of lines stand at least."""


def plot(report: Report, game: Game, path: Path) -> None:
    """Draw the account of a game of which at least one event is judged, and write it to a file."""
    with drawn(path, 10, 7) as figure:
        title(figure, _title(report, game))
        chart, luck = figure.subplots(2, 1, sharex=True, height_ratios=(3, 1.4))
        _chart(chart, report)
        _bars(luck, report)
        if told := _told(report):
            figure.supxlabel(told, x=0.01, ha="left", fontsize=9, linespacing=1.5)


def _title(report: Report, game: Game) -> str:
    rules = f" ({report.options.replace(',', ', ')})" if report.options else ""
    state = "" if report.finished else ", unfinished"
    estimated = "" if report.exact else ", by estimates"
    return f"{game.title}{rules}: {' – '.join(report.names)}{state}{estimated}"


def _chart(axes: Axes, report: Report) -> None:
    """What the game was worth to everybody after each turn."""
    from matplotlib.ticker import PercentFormatter

    turns = [[*turn] for _, turn in groupby((one for one in report.events if one.judged), lambda one: one.turn)]
    at = [turns[0][0].turn, *(turn[-1].turn + 1 for turn in turns)]
    chances = report.unit == Unit.WIN.value
    ends: list[tuple[float, str, str]] = []
    for seat, name in enumerate(report.names):
        values = [turns[0][0].before[seat], *(turn[-1].after[seat] for turn in turns)]
        colour = COLOURS[seat % len(COLOURS)]
        axes.plot(
            at, values, color=colour, linestyle=LINES[seat % len(LINES)], linewidth=2,
            marker=MARKERS[seat % len(MARKERS)], markersize=4.5, markevery=max(1, len(at) // 14), clip_on=False,
        )  # fmt: skip
        ends.append((values[-1], name, colour))
    if chances:
        axes.set_ylim(0, 1)
        axes.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
    axes.set_ylabel("chance to win" if chances else "points to be expected")
    axes.grid(axis="y", color="#d8d4c8", linewidth=0.8)
    axes.spines[["top", "right"]].set_visible(False)
    axes.set_xlim(at[0] - 0.4, at[-1] + 0.4)
    _names(axes, ends)
    for number, moment in enumerate(report.moments, 1):
        _turning_point(axes, number, moment, report)


def _names(axes: Axes, ends: list[tuple[float, str, str]]) -> None:
    """The names at the ends of the lines, moved apart where they would meet."""
    low, high = axes.get_ylim()
    gap, free = _APART * (high - low), low
    for value, name, colour in sorted(ends):
        place = max(value, free)
        axes.annotate(
            f"{name[:18]}", (1.012, place), xycoords=("axes fraction", "data"), color=colour, fontweight="bold",
            va="center", annotation_clip=False,
        )  # fmt: skip
        free = place + gap


def _turning_point(axes: Axes, number: int, moment: Moment, report: Report) -> None:
    """A turn that mattered: where the line of its seat came to, with its number."""
    last = next((one for one in reversed(report.events[moment.first : moment.last + 1]) if one.judged), None)
    if last is None:
        return
    axes.annotate(
        str(number), (last.turn + 1, last.after[moment.seat]), ha="center", va="center", fontsize=9, zorder=5,
        fontweight="bold", color="white", annotation_clip=False,
        bbox={"boxstyle": "circle,pad=0.28", "facecolor": INK, "edgecolor": "white", "linewidth": 1.2},
    )  # fmt: skip


def _bars(axes: Axes, report: Report) -> None:
    """The luck of every turn, to the seat that had it."""
    from matplotlib.ticker import MaxNLocator, PercentFormatter

    for seat, name in enumerate(report.names):
        turns: dict[int, float] = {}
        for one in report.events:
            if one.judged and one.seat == seat:
                turns[one.turn] = turns.get(one.turn, 0.0) + one.luck[seat]
        axes.bar(
            [turn + 0.5 for turn in turns], list(turns.values()), width=0.85, color=COLOURS[seat % len(COLOURS)],
            hatch=HATCHES[seat % len(HATCHES)], edgecolor=PAPER, linewidth=0.4, label=name[:18],
        )  # fmt: skip
    axes.axhline(0, color=INK, linewidth=0.8)
    if report.unit == Unit.WIN.value:
        axes.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
    axes.set_ylabel("luck of the turn")
    axes.set_xlabel("turns played")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.grid(axis="y", color="#d8d4c8", linewidth=0.8)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    if report.players > 1:
        options: dict[str, Any] = {"ncols": 4, "loc": "upper left", "bbox_to_anchor": (0, 1.18)}
        axes.legend(frameon=False, fontsize=9, handlelength=2.4, **options)


def _told(report: Report) -> str:
    """The turning points as sentences."""
    lines = []
    for number, moment in enumerate(report.moments, 1):
        change = f"{100 * moment.swing:+.0f}%" if moment.unit == Unit.WIN.value else f"{moment.swing:+.1f} points"
        what = "luck" if moment.kind == LUCK else "choice"
        line = f"{number}  {what} {change.replace('-', '−')}: {moment.told}"
        lines.append(textwrap.shorten(line, 150, placeholder=" …"))
    return "\n".join(lines)
