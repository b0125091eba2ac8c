"""What `docs/studies.md` says of thousands of games: the same games every time, as everything follows from the seed.

The sums of the games that the page has pictures of are kept in `tallies/`, and the pictures are drawn from those.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

import hotdice
from benchmarks.report import FOLDER, Row, alone, part
from hotdice.simulation import charts
from hotdice.simulation.kept import from_plain, plain
from hotdice.simulation.plan import Plan
from hotdice.simulation.results import Simulated
from hotdice.simulation.runs import Run
from hotdice.simulation.tally import Tally

GAMES = 100_000
SEED = 1
TALLIES = FOLDER / "tallies"
PICTURES = FOLDER.parent / "docs" / "images"
DRAWN = {"kismet": ("optimal",), "kor": ("greedy",) * 4}
"""The games that there are pictures of, and who plays."""
LIMITS = (250, 300, 350, 400, 450, 500, 600)


def played(game: str, players: Sequence[str], games: int) -> Simulated:
    return hotdice.simulate(game, players, games=games, seed=SEED)


def kept(name: str, games: Simulated) -> Simulated:
    """Keep what games came to, for their picture."""
    TALLIES.mkdir(exist_ok=True)
    (TALLIES / f"{name}.json").write_text(json.dumps(plain(games.tally), separators=(",", ":")) + "\n", "utf-8")
    return games


def run(name: str) -> Run:
    """The games of a picture, as they were kept."""
    card = hotdice.load_game(name)
    plan = Plan.of(card, card.make_options(None), DRAWN[name], SEED)
    empty = Tally.empty(len(plan.players), len(plan.statistics))
    tally = from_plain(empty, json.loads((TALLIES / f"{name}.json").read_text("utf-8")))
    return Run(plan, tally, compiled=True)


def draw(folder: Path = PICTURES) -> None:
    """Draw the pictures."""
    for name in DRAWN:
        charts.write(run(name), folder / f"{name}.svg")


def thresholds() -> Iterator[Row]:
    """A threshold in both seats of BJ's dice against the best play."""
    unit, remark = "%", f"{GAMES:,} games in each seat"
    for limit in LIMITS:
        rule = f"pass:{limit}"
        first = played("bj", [rule, "optimal"], GAMES).win_rates[0]
        second = played("bj", ["optimal", rule], GAMES).win_rates[1]
        wins, error = 50 * (first.mean + second.mean), 50 * (first.error**2 + second.error**2) ** 0.5
        group, key = "BJ's dice, a threshold against the best play", f"studies.bj-{limit}"
        yield Row(key, group, f"passes at {limit}", wins, unit, error=error, remark=remark)
        for seat, one in enumerate((first, second)):
            what = f"passes at {limit}, seat {seat + 1}"
            yield Row(f"{key}.seat-{seat + 1}", group, what, 100 * one.mean, unit, error=100 * one.error)


def totals() -> Iterator[Row]:
    """Kismet by the best play alone."""
    games = kept("kismet", played("kismet", DRAWN["kismet"], GAMES))
    scores, group, unit = np.asarray(games.columns["score_1"]), "Kismet totals, the best play", "points"
    deviation = float(scores.std())
    yield Row("studies.kismet", group, "mean", float(scores.mean()), unit, digits=5, error=deviation / GAMES**0.5)
    kurtosis = float(((scores - scores.mean()) ** 4).mean()) / deviation**4
    error = deviation * ((kurtosis - 1) / (4 * GAMES)) ** 0.5
    yield Row("studies.kismet.deviation", group, "standard deviation", deviation, unit, digits=4, error=error)
    for percent in (0, 5, 25, 75, 95, 100):
        what = {0: "the least", 100: "the highest"}.get(percent, f"{percent} of 100 games are no higher than")
        value = float(np.percentile(scores, percent, method="inverted_cdf"))
        yield Row(f"studies.kismet.{percent}", group, what, value, unit)


def seats() -> Iterator[Row]:
    """Four alike in KOR."""
    for bot in ("greedy", "duel"):
        games = played("kor", [bot] * 4, 2 * GAMES)
        if games.plan.names == DRAWN["kor"]:
            kept("kor", games)
        for seat, one in enumerate(games.win_rates, 1):
            group, key = f"KOR, four times {bot}", f"studies.kor-{bot}-{seat}"
            yield Row(key, group, f"seat {seat} wins", 100 * one.mean, "%", error=100 * one.error)


def rows(arguments: Sequence[str]) -> Iterator[Row]:
    """All three."""
    part(arguments)
    yield from thresholds()
    yield from totals()
    yield from seats()


if __name__ == "__main__":
    alone(rows)
