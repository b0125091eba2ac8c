"""Kismet solved: what every legal move is worth. Needs the extra `[solve]`."""

from __future__ import annotations

from collections.abc import Mapping
from threading import Event
from typing import Final

from hotdice.games.kismet.rules import KismetOptions
from hotdice.games.kismet.solving.bonuses import bonus_chances
from hotdice.games.kismet.solving.evaluators import Alone, Together, Toward
from hotdice.games.kismet.solving.sheets import kismet_sheet
from hotdice.games.kismet.solving.tables import points_table, spread_table
from hotdice.games.kismet.solving.worths import worths
from hotdice.values import USUAL_NOISE, Evaluator, Fact, Noise, Progress, Solver, Summary, Unit, no_progress

NOISE: Final[Mapping[Unit, Noise]] = {
    Unit.POINTS: {"expert": 0.69, "casual": 1.7, "beginner": 4.3},
    Unit.WIN: {"expert": 0.0038, "casual": 0.01, "beginner": 0.025},
}
NOISE_OF_MANY: Final[Mapping[Unit, Noise]] = {Unit.WIN: {"expert": 0.0032, "casual": 0.0092, "beginner": 0.023}}
"""For the levels of bots; fitted by `benchmarks/calibrate.py`."""


class KismetSolver(Solver):
    """Values of Kismet."""

    headlines = (1,)

    def evaluator(self, options: KismetOptions, players: int, progress: Progress = no_progress) -> Evaluator:
        """Points for one player, wins for more."""
        return Alone(options, progress) if players == 1 else Together(options, players, progress)

    def summary(self, options: KismetOptions, progress: Progress = no_progress) -> Summary:
        """The only error is that of adding up doubles, far below a millionth of a point."""
        solved = points_table(options, lambda done: progress(0.1 * done))
        spread = spread_table(options, lambda done: progress(0.1 + 0.3 * done)).arrays
        bonuses = bonus_chances(options, lambda done: progress(0.4 + 0.6 * done))
        sheet = kismet_sheet(options.kismet_is_full_house)
        states = int(sheet.lanes[sheet.group].sum())
        value = float(solved.arrays["value"][0, 0])
        deviation, kismets = float(spread["variance"][0, 0]) ** 0.5, float(spread["kismets"][0, 0])
        facts = (
            Fact("deviation", f"The standard deviation of the total is {deviation:.4f} points.", deviation),
            Fact("kismets", f"{kismets:.3f} turns end with a Kismet, on average.", kismets),
            *(
                Fact(f"bonus_{points}", f"The chance of a bonus of {points} points or more is {chance:.4%}.", chance)
                for points, chance in bonuses.items()
            ),
        )
        return Summary(1, Unit.POINTS, value, 1e-9, states, solved.cpu_seconds, solved.checksum, facts)

    def toward(self, options: KismetOptions, players: int, target: int, progress: Progress = no_progress) -> Evaluator:
        """For the last eight boxes of a sheet."""
        return Toward(options, players, target, progress)

    def solve_prospects(self, options: KismetOptions, players: int, stop: Event, progress: Progress) -> None:
        worths(options.kismet_is_full_house).solve(progress, stop)

    def noise(self, unit: Unit, players: int) -> Noise:
        fitted = {**NOISE, **NOISE_OF_MANY} if players > 2 else NOISE
        return fitted.get(unit, USUAL_NOISE[unit])
