"""A tournament as a picture: ratings with their intervals, and the cross table. Needs the extra `[plot]`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from hotdice.pictures import INK, LINE, drawn, title
from hotdice.simulation.tournament import Outcome

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ACCENT: Final = "#9c4a1a"
AHEAD: Final = "#4f7d4a"
BEHIND: Final = "#b06a3c"


def write(outcome: Outcome, path: Path) -> None:
    """Write a picture of a tournament."""
    wanted = outcome.tournament
    with drawn(path, 11, 1.4 + 0.42 * len(outcome.order)) as figure:
        title(figure, f"{wanted.game}: {outcome.games:,} games in each of {wanted.seatings:,} seatings")
        left, right = figure.subplots(1, 2, width_ratios=(1, 1.25))
        _ratings(left, outcome)
        _cross_table(right, outcome)


def _ratings(axes: Axes, outcome: Outcome) -> None:
    """A point and an interval for every entrant."""
    wanted, order = outcome.tournament, outcome.order
    ratings = outcome.results if wanted.by_score else outcome.ratings()
    for row, one in enumerate(order):
        found = ratings[one]
        axes.plot([found.low, found.high], [row, row], color=ACCENT, linewidth=3, solid_capstyle="butt")
        axes.plot(found.mean, row, "o", color=INK, markersize=5)
        axes.annotate(
            f"{found.mean:,.1f}" if wanted.by_score else f"{found.mean:+.0f}",
            (found.mean, row), xytext=(0, 7), textcoords="offset points", ha="center", fontsize=9,
        )  # fmt: skip
    axes.set_yticks(range(len(order)), [wanted.names[one] for one in order])
    axes.set_ylim(len(order) - 0.4, -0.7)
    axes.margins(x=0.12)
    axes.tick_params(length=0)
    axes.spines["left"].set_visible(False)
    axes.grid(axis="x", color=LINE)
    axes.set_axisbelow(True)
    axes.set_title("Points in a game" if wanted.by_score else "Rating, with 95% intervals")


def _cross_table(axes: Axes, outcome: Outcome) -> None:
    """A number for every pair, shaded the more, the further it is from even."""
    from matplotlib.patches import Rectangle

    wanted = outcome.tournament
    order, even = outcome.order, 0.0 if wanted.by_score else 0.5
    cells = {
        (row, column): outcome.against(one, other).mean
        for row, one in enumerate(order)
        for column, other in enumerate(order)
        if one != other
    }
    most = max(abs(cell - even) for cell in cells.values()) or 1.0
    for (row, column), cell in cells.items():
        shade = 0.75 * abs(cell - even) / most
        colour = AHEAD if cell > even else BEHIND
        axes.add_patch(Rectangle((column - 0.48, row - 0.46), 0.96, 0.92, facecolor=colour, alpha=shade, linewidth=0))
        text = f"{cell:+,.1f}" if wanted.by_score else f"{100 * cell:.1f}"
        axes.text(column, row, text, ha="center", va="center", fontsize=9)
    axes.set_xlim(-0.5, len(order) - 0.5)
    axes.set_ylim(len(order) - 0.4, -0.7)
    axes.set_xticks(range(len(order)), [wanted.names[one] for one in order], rotation=30, ha="left")
    axes.xaxis.tick_top()
    axes.set_yticks([])
    axes.tick_params(length=0)
    for edge in axes.spines.values():
        edge.set_visible(False)
    said = "points ahead" if wanted.by_score else "% of wins"
    axes.set_xlabel(f"{said} of the row against the column")
