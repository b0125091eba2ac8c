"""What many games came to, as a picture: who wins how often, how scores are spread, how long games are.

Every seat has a row of its own with its name beside it, so nothing depends on colour. Needs the extra `[plot]`.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from hotdice.games import parse_game
from hotdice.pictures import INK, LINE, PALE, drawn, title
from hotdice.simulation.runs import Run
from hotdice.simulation.tally import Distribution, Interval, Tally

if TYPE_CHECKING:
    from matplotlib.axes import Axes

BARS: Final = 60
"""Numbers are put together until there are no more bars than this."""


def write(run: Run, path: Path, changed: str = "") -> None:
    """Write a picture of a run; `changed` is what its other house rules are called, if there are any."""
    tally, seats = run.tally, len(run.plan.players)
    names = [f"{name}, seat {seat + 1}" if seats > 1 else name for seat, name in enumerate(run.plan.names)]
    colour = parse_game(run.plan.game)[0].accent.light
    parts = [("wins", 0.8 + (0.72 if run.other else 0.48) * seats)] if seats > 1 else []
    parts += [("scores", 0.8 + 0.62 * seats)]
    if len(tally.turn_counts.counts) > 1:
        parts += [("turns", 1.7)]
    heights = [height for _, height in parts]
    with drawn(path, 8, sum(heights) + 0.9) as figure:
        every = figure.subplots(len(parts), 1, height_ratios=heights, squeeze=False)[:, 0]
        axes: dict[str, Axes] = {part: one for (part, _), one in zip(parts, every, strict=True)}
        title(figure, f"{run.plan.game}: {tally.games:,} games, seed {run.plan.seed}")
        if "wins" in axes:
            _wins(axes["wins"], tally, run.other, names, colour, changed)
        _scores(axes["scores"], tally, names, colour)
        if "turns" in axes:
            _turns(axes["turns"], tally.turn_counts, colour)


def _wins(axes: Axes, tally: Tally, other: Tally | None, names: Sequence[str], colour: str, changed: str) -> None:
    """A point and an interval for every seat; hollow ones below for the other house rules."""
    rows = np.arange(len(names))
    axes.set_title("Wins, with 95% intervals")
    equal = 100 / len(names)
    axes.axvline(equal, color=LINE, linestyle="--", linewidth=1, zorder=0)
    axes.annotate(
        "equal shares", (equal, 1), xycoords=("data", "axes fraction"), xytext=(4, -2), textcoords="offset points",
        fontsize=8, color=PALE, va="top",
    )  # fmt: skip
    apart = 0.18 if other else 0.0
    _points(axes, rows - apart, [seat.share() for seat in tally.wins], colour, above=True)
    if other:
        _points(axes, rows + apart, [seat.share() for seat in other.wins], "white", above=False)
        axes.set_xlabel(f"filled: as named above; hollow: with {changed}, on the same dice")
    _rows(axes, rows, names)
    axes.margins(x=0.12)
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}%")


def _points(axes: Axes, rows: Any, found: Sequence[Interval], face: str, *, above: bool) -> None:
    means = np.array([100 * one.mean for one in found])
    lower = np.array([100 * (one.mean - one.low) for one in found])
    upper = np.array([100 * (one.high - one.mean) for one in found])
    axes.errorbar(
        means, rows, xerr=[lower, upper], fmt="o", color=INK, markerfacecolor=face, capsize=4, markersize=7,
        linewidth=1.2,
    )  # fmt: skip
    for mean, row in zip(means, rows, strict=True):
        axes.annotate(
            f"{mean:.1f}%", (mean, row), xytext=(0, 6 if above else -6), textcoords="offset points", ha="center",
            va="bottom" if above else "top", fontsize=9,
        )  # fmt: skip


def _scores(axes: Axes, tally: Tally, names: Sequence[str], colour: str) -> None:
    """How the scores of every seat are spread: an area in its own row, its mean marked."""
    axes.set_title("Scores, with the mean of each seat" if len(names) > 1 else "Scores, with their mean")
    counts = [one.counts for one in tally.score_counts]
    edges = _edges(min(map(min, counts)), max(map(max, counts)), [key for one in counts for key in one])
    shares = [_shares(one, edges, tally.games) for one in tally.score_counts]
    tallest = max(share.max() for share in shares)
    for row, (share, sums) in enumerate(zip(shares, tally.scores, strict=True)):
        floor = row + 0.4
        axes.stairs(floor - 0.8 * share / tallest, edges, baseline=floor, fill=True, color=colour, alpha=0.45)
        axes.stairs(floor - 0.8 * share / tallest, edges, baseline=floor, color=INK, linewidth=0.6)
        mean = sums.interval().mean
        axes.plot([mean, mean], [floor, floor - 0.8], color=INK, linewidth=1.2)
        axes.annotate(
            f"{mean:,.0f}" if abs(mean) >= 100 else f"{mean:,.1f}", (mean, floor - 0.8), xytext=(4, -2),
            textcoords="offset points", fontsize=9, va="top",
        )  # fmt: skip
    _rows(axes, np.arange(len(names)), names)
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:,g}")
    axes.set_xlabel("points")


def _turns(axes: Axes, found: Distribution, colour: str) -> None:
    """How long games are."""
    axes.set_title("Length of a game, with the median")
    (upper,) = found.quantiles((0.999,))
    games = sum(found.counts.values())
    edges = _edges(min(found.counts), upper, list(found.counts))
    share = 100 * _shares(found, edges, games)
    axes.stairs(share, edges, fill=True, color=colour, alpha=0.45)
    axes.stairs(share, edges, color=INK, linewidth=0.6)
    (median,) = found.quantiles((0.5,))
    axes.axvline(median, color=INK, linewidth=1.2)
    axes.annotate(
        f"{median}", (median, 1), xycoords=("data", "axes fraction"), xytext=(4, -2), textcoords="offset points",
        fontsize=9, va="top",
    )  # fmt: skip
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:g}%")
    axes.set_xlabel("turns of all players together")
    axes.set_ylim(0, 1.12 * share.max())


def _rows(axes: Axes, rows: Any, names: Sequence[str]) -> None:
    axes.set_yticks(rows, names)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)


def _edges(low: int, high: int, values: Sequence[int]) -> Any:
    """Where bars begin and end: each as wide as a whole number of the steps that values come in."""
    step = int(np.gcd.reduce(np.asarray(values) - low)) or 1
    wide = step * max(1, -(-(high - low) // (step * BARS)))
    return np.arange(low, high + wide + 1, wide) - step / 2


def _shares(found: Distribution, edges: Any, games: int) -> Any:
    values, counts = np.array(list(found.counts)), np.array(list(found.counts.values()))
    return np.histogram(values, edges, weights=counts)[0] / games
