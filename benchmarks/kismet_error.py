"""How far Kismet's chances to win with two players are off.

`python -m benchmarks kismet_error games 2000` plays 2000 games: the `error` of `Together` is fitted there to the
frequencies. `python -m benchmarks kismet_error endgames 40` compares as many endgames of two boxes each with their
exact solution, and `distributions` the exact distributions of the last boxes with the normal ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from random import Random
from statistics import NormalDist

import numpy as np

import hotdice
from benchmarks.report import Row, alone, part
from hotdice.games.kismet import KISMET, KismetOptions, KismetState
from hotdice.games.kismet.rules import bonus
from hotdice.games.kismet.solving import KismetSolver
from hotdice.games.kismet.solving.box_sets import NEVER
from hotdice.games.kismet.solving.evaluators import Flags, Players, Together, after_kismet, best_turn, player

GAMES = 2000
ENDGAMES = 40


def measure(games: int) -> Iterator[Row]:
    """How far the chances to win of two players are from the frequencies: the `error` of `Together` is fitted here.

    Positions at the start of turns are sorted by boxes left and by chance. A class's miss is squared, less what luck
    alone would make of it, and averaged over the positions.
    """
    values = KismetSolver().evaluator(KismetOptions(), 2)
    random = Random(2026)
    seen: list[tuple[int, float, float]] = []
    for _ in range(games):
        state = KISMET.start(2)
        turns: list[tuple[int, int, float]] = []
        while (seat := state.seat) != hotdice.OVER:
            if seat == hotdice.CHANCE:
                if isinstance(state, KismetState) and state.rolls == 0 and not state.roll_off:
                    left = sum(player(sheet).vacant for sheet in state.sheets)
                    turns.append((left, state.roller, values.expected(state, state.roller)))
                outcomes = state.outcomes()
                state = state.roll(outcomes.at(int(random.random() * outcomes.total)))
            else:
                state = state.apply(values.evaluate(state).lines[0].action)  # type: ignore[arg-type]
        seen += [(left, chance, values.expected(state, seat)) for left, seat, chance in turns]
    left, chance, won = np.array(seen).T
    for low, high in ((1, 2), (3, 4), (5, 8), (9, 14), (15, 22), (23, 30), (1, 30)):
        miss, count = 0.0, 0
        for tenth in range(10):
            here = (left >= low) & (left <= high) & (np.minimum(chance * 10, 9).astype(int) == tenth)
            if here.sum() > 20:
                luck = won[here].var() / here.sum()
                miss += here.sum() * ((chance[here].mean() - won[here].mean()) ** 2 - luck)
                count += int(here.sum())
        what, off = f"{low} to {high} boxes left", max(miss / count, 0) ** 0.5
        key = f"kismet_error.boxes-{low}-{high}"
        yield Row(key, "Chance to win against wins", what, off, "root mean square", "lower", remark=f"{count:,} turns")


# Endgames


class Exact:
    """Both players play the last boxes for the win: what it is worth to whoever begins a turn, to rounding."""

    def __init__(self, values: Together) -> None:
        self.values = values
        self.worth = cache(self._worth)

    def _worth(self, everybody: Players, had_kismet: Flags, roller: int) -> float:
        vacant = [one.vacant for one in everybody]
        if vacant == [1, 1] or vacant[1 - roller] == 0:
            return float(self.values.win_turn(everybody, had_kismet, roller).worth[0, 0])
        sheet, leaves = self.values.sheet, self.values.model.leaves
        then, flags = after_kismet(self.values.options, everybody, had_kismet, roller)
        found = np.full(len(leaves.box), NEVER)
        for leaf, (box, points, kismet) in enumerate(zip(leaves.box, leaves.points, leaves.kismet, strict=True)):
            if not everybody[roller].mask >> box & 1:
                sheets = list(then if kismet else everybody)
                again = kismet and then != everybody
                sheets[roller] = everybody[roller].entered(int(box), int(points))
                found[leaf] = self._after(tuple(sheets), flags if kismet else had_kismet, roller, again=bool(again))
        assert found.shape == leaves.box.shape
        return float(best_turn(found[leaves.of].reshape(sheet.gain.shape)).worth[0, 0])

    def _after(self, everybody: Players, had_kismet: Flags, roller: int, *, again: bool) -> float:
        """What it is worth to the roller that the turn has ended so."""
        order = (roller, 1 - roller) if again else (1 - roller, roller)
        following = next((seat for seat in order if everybody[seat].vacant), None)
        if following is None:
            mine, other = (one.written + bonus(one.basic) for one in (everybody[roller], everybody[1 - roller]))
            return 0.5 if mine == other else float(mine > other)
        worth = self.worth(everybody, had_kismet, following)
        return worth if following == roller else 1 - worth


def last_boxes(values: Together, random: Random, left: int) -> tuple[Players, Flags, int]:
    """A game of two of these players as it stands when both have `left` boxes to fill."""
    while True:
        state = KISMET.start(2)
        while (seat := state.seat) != hotdice.OVER:
            if seat == hotdice.CHANCE:
                if isinstance(state, KismetState) and not state.rolls and not state.roll_off:
                    everybody = tuple(map(player, state.sheets))
                    if [one.vacant for one in everybody] == [left, left]:
                        return everybody, state.had_kismet, state.roller
                outcomes = state.outcomes()
                state = state.roll(outcomes.at(int(random.random() * outcomes.total)))
            else:
                state = state.apply(values.policy(state))


def endgames(count: int) -> Iterator[Row]:
    """The misses of both approximations against the exact chance, in endgames that are not decided."""
    values = Together(KismetOptions(), 2)
    normal = Together(KismetOptions(), 2)
    forecast = normal.model.forecast
    full = np.where(np.arange(len(forecast.late)) == len(forecast.late) - 1, forecast.late, -1)
    normal.model = normal.model._replace(forecast=forecast._replace(late=full))
    exact, random = Exact(values), Random(2026)
    misses: list[list[float]] = []
    while len(misses) < count:
        place = last_boxes(values, random, 2)
        chance = exact.worth(*place)
        if 0.05 < chance < 0.95:
            misses.append([float(one.win_turn(*place).worth[0, 0]) - chance for one in (normal, values)])
        exact.worth.cache_clear()
    for key, what, off in zip(
        ("normal", "exact"), ("normal distributions", "exact ones"), np.array(misses).T, strict=True
    ):
        group, name = "Endgames of two boxes each", f"kismet_error.endgame-{key}"
        root, worst = float((off**2).mean() ** 0.5), float(np.abs(off).max())
        remark = f"{count} endgames"
        yield Row(name, group, f"{what}, root mean square miss", root, "of a win", "lower", remark=remark)
        yield Row(f"{name}.worst", group, f"{what}, at worst", worst, "of a win", "lower", remark=remark)


def distributions() -> Iterator[Row]:
    """How far the normal distribution is from the exact one of the points to come, by vacant boxes."""
    values = Together(KismetOptions(), 2)
    sheet, forecast = values.sheet, values.model.forecast
    found: dict[int, list[float]] = {}
    for mask in np.flatnonzero(forecast.late >= 0)[:-1].tolist():
        group = sheet.group[mask]
        for lane in range(sheet.lanes[group]):
            basic = sheet.sums[group, lane]
            chances = np.cumsum(forecast.futures[forecast.late[mask] + lane], dtype=np.float64)
            mean, deviation = forecast.points[mask, basic], float(forecast.variance[mask, basic]) ** 0.5
            smooth = [NormalDist(mean, deviation).cdf(points + 0.5) for points in range(len(chances))]
            found.setdefault(15 - mask.bit_count(), []).append(float(np.abs(chances - smooth).max()))
    for vacant, misses in sorted(found.items()):
        usual, worst = float(np.mean(misses)), max(misses)
        group, key = "A normal chance to reach a total", f"kismet_error.vacant-{vacant}"
        yield Row(key, group, f"{vacant} vacant boxes, largest miss on average", usual, "", "lower")
        yield Row(f"{key}.worst", group, f"{vacant} vacant boxes, at worst", worst, "", "lower")


def rows(arguments: Sequence[str]) -> Iterator[Row]:
    """Distributions, endgames, and games played to their end; or one of these, with its number after it."""
    which = part(arguments[:1], "distributions", "endgames", "games")
    count = next((int(word) for word in arguments[1:] if word.isdigit()), 0)
    if which in ("", "distributions"):
        yield from distributions()
    if which in ("", "endgames"):
        yield from endgames(count or ENDGAMES)
    if which in ("", "games"):
        yield from measure(count or GAMES)


if __name__ == "__main__":
    alone(rows)
