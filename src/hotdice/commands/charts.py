"""Charts as pictures, by matplotlib, which the extra `[plot]` brings: PNG, SVG or PDF, by the name of the file.

Nothing is told apart by colour alone, so they can be read in print.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from hotdice.errors import HotdiceError

if TYPE_CHECKING:
    from hotdice.simulation.tournament import Outcome, Tournament

KINDS: Final = (".png", ".svg", ".pdf")
INK: Final = "#2b2620"
PALE: Final = "#d9d2c5"
ACCENT: Final = "#9c4a1a"
AHEAD: Final = "#4f7d4a"
BEHIND: Final = "#b06a3c"


def check(path: Path) -> None:
    """Refuse a file that no chart can be written to, before anything is worked out for it."""
    if path.suffix.lower() not in KINDS:
        raise HotdiceError(f"--plot writes a file that ends in .png, .svg or .pdf, not “{path.name}”.")
    if not path.parent.is_dir():
        raise HotdiceError(f"{path} cannot be written: there is no folder {path.parent}.")
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise HotdiceError("--plot needs matplotlib, which is not installed: pip install 'hotdice[plot]'.") from None


def tournament(wanted: Tournament, outcome: Outcome, games: int, path: Path) -> None:
    """Ratings with their intervals, and the cross table."""
    order, names = outcome.order, wanted.names
    high = 1.4 + 0.42 * len(order)
    figure = _figure(11.0, high)
    left, right = figure.subplots(1, 2, width_ratios=(1, 1.25))
    ratings = outcome.results if wanted.by_score else outcome.ratings()
    for row, one in enumerate(order):
        found = ratings[one]
        left.plot([found.low, found.high], [row, row], color=ACCENT, linewidth=3, solid_capstyle="butt")
        left.plot(found.mean, row, "o", color=INK, markersize=5)
        left.annotate(
            f"{found.mean:+.0f}" if not wanted.by_score else f"{found.mean:,.1f}",
            (found.mean, row), xytext=(0, 7), textcoords="offset points", ha="center", fontsize=9, color=INK,
        )  # fmt: skip
    left.set_yticks(range(len(order)), [names[one] for one in order])
    left.set_ylim(len(order) - 0.4, -0.7)
    left.margins(x=0.12)
    left.tick_params(length=0)
    for edge in ("top", "right", "left"):
        left.spines[edge].set_visible(False)
    left.grid(axis="x", color=PALE)
    left.set_axisbelow(True)
    left.set_title("Points in a game" if wanted.by_score else "Rating, with 95% intervals", loc="left", fontsize=11)
    cells = [[0.0 if one == other else outcome.against(one, other).mean for other in order] for one in order]
    even = 0.0 if wanted.by_score else 0.5
    most = max((abs(cell - even) for row, one in zip(cells, order, strict=True)
                for cell, other in zip(row, order, strict=True) if one != other), default=0.0) or 1.0  # fmt: skip
    for row, one in enumerate(order):
        for column, other in enumerate(order):
            if one != other:
                cell = cells[row][column]
                shade = 0.75 * abs(cell - even) / most
                colour = AHEAD if cell > even else BEHIND
                right.add_patch(_square(column, row, colour, shade))
                text = f"{cell:+,.1f}" if wanted.by_score else f"{100 * cell:.1f}"
                right.text(column, row, text, ha="center", va="center", fontsize=9, color=INK)
    right.set_xlim(-0.5, len(order) - 0.5)
    right.set_ylim(len(order) - 0.4, -0.7)
    right.set_xticks(range(len(order)), [names[one] for one in order], rotation=30, ha="left")
    right.xaxis.tick_top()
    right.set_yticks([])
    right.tick_params(length=0)
    for edge in right.spines.values():
        edge.set_visible(False)
    said = "points ahead" if wanted.by_score else "% of wins"
    right.set_xlabel(f"{said} of the row against the column", fontsize=10)
    figure.suptitle(
        f"{wanted.game}: {games:,} games in each of {wanted.seatings:,} seatings", x=0.01, ha="left", fontsize=12
    )
    save(figure, path)


def _square(column: int, row: int, colour: str, shade: float) -> Any:
    from matplotlib.patches import Rectangle

    return Rectangle((column - 0.48, row - 0.46), 0.96, 0.92, facecolor=colour, alpha=shade, linewidth=0)


def _figure(width: float, height: float) -> Any:
    """An empty picture in the colours of the house, drawn without a screen."""
    from matplotlib import rc_context
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    with rc_context({"font.family": "sans-serif"}):
        figure = Figure(figsize=(width, height), layout="constrained", facecolor="white")
        FigureCanvasAgg(figure)
        return figure


def save(figure: Any, path: Path) -> None:
    """Write a picture."""
    try:
        figure.savefig(path, dpi=150)
    except OSError as error:
        raise HotdiceError(f"{path} cannot be written: {error.strerror or error}.") from None
