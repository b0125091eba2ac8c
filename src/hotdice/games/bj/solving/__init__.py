"""BJ's dice solved: what every legal move is worth. Needs the extra `[solve]`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from hotdice.games.bj.rules import BjOptions
from hotdice.games.bj.solving.rollouts import BjRollouts
from hotdice.games.bj.solving.solver import BjEvaluator, tables
from hotdice.values import USUAL_NOISE, Evaluator, Noise, Progress, Solver, Summary, Unit, no_progress

NOISE: Final[Mapping[Unit, Noise]] = {Unit.WIN: {"expert": 0.0037, "casual": 0.0096, "beginner": 0.026}}
NOISE_OF_MANY: Final[Mapping[Unit, Noise]] = {Unit.WIN: {"expert": 0.0036, "casual": 0.0084, "beginner": 0.019}}
"""For the levels of bots; fitted by `benchmarks/calibrate.py`."""


class BjSolver(Solver):
    """Values of BJ's dice."""

    def evaluator(self, options: BjOptions, players: int, progress: Progress = no_progress) -> Evaluator:
        """Exact for two players, by rollouts for more."""
        if players > 2:
            return BjRollouts(options, players, progress)
        return BjEvaluator(options, tables(options, progress))

    def summary(self, options: BjOptions, progress: Progress = no_progress) -> Summary:
        solved = tables(options, progress)
        wins, error = solved.arrays["wins"], float(solved.arrays["error"][0])
        return Summary(2, Unit.WIN, float(wins[0, 0]), error, wins.size, solved.cpu_seconds, solved.checksum)

    def noise(self, unit: Unit, players: int) -> Noise:
        fitted = {**NOISE, **NOISE_OF_MANY} if players > 2 else NOISE
        return fitted.get(unit, USUAL_NOISE[unit])
