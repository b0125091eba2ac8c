"""KOR solved: what every legal move is worth. Needs the extra `[solve]`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from hotdice.games.kor.rules import KorOptions
from hotdice.games.kor.solving.evaluator import KorEvaluator
from hotdice.games.kor.solving.rollouts import KorRollouts
from hotdice.games.kor.solving.solver import tables
from hotdice.games.kor.state import KorState
from hotdice.values import USUAL_NOISE, Evaluator, Noise, Progress, Solver, Summary, Unit, no_progress

NOISE: Final[Mapping[Unit, Noise]] = {Unit.WIN: {"expert": 0.011, "casual": 0.021, "beginner": 0.045}}
NOISE_OF_MANY: Final[Mapping[Unit, Noise]] = {Unit.WIN: {"expert": 0.0011, "casual": 0.0038, "beginner": 0.012}}
"""For the levels of bots; fitted by `benchmarks/calibrate.py`. With more players the choice of a target counts most."""


class KorSolver(Solver):
    """Values of KOR."""

    def evaluator(self, options: KorOptions, players: int, progress: Progress = no_progress) -> Evaluator:
        """Exact for two players, by rollouts for more."""
        solved = tables(options, progress).arrays
        return KorRollouts(options, players, solved) if players > 2 else KorEvaluator(options, solved)

    def summary(self, options: KorOptions, progress: Progress = no_progress) -> Summary:
        solved = tables(options, progress)
        values = KorEvaluator(options, solved.arrays)
        value = values.expected(KorState.start(options, 2), 0)
        states = sum(array.size for array in solved.arrays.values() if array.size > 1)
        return Summary(2, Unit.WIN, value, values.start_error, states, solved.cpu_seconds, solved.checksum)

    def noise(self, unit: Unit, players: int) -> Noise:
        fitted = {**NOISE, **NOISE_OF_MANY} if players > 2 else NOISE
        return fitted.get(unit, USUAL_NOISE[unit])
