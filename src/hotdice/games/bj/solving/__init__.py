"""BJ's dice solved: what every legal move is worth. Needs the extra `[solve]`."""

from __future__ import annotations

from collections.abc import Mapping
from threading import Event
from typing import Final

from hotdice.games.bj.rules import BjOptions
from hotdice.games.bj.solving import three
from hotdice.games.bj.solving.evaluator import BjEvaluator
from hotdice.games.bj.solving.rollouts import BjRollouts
from hotdice.games.bj.solving.solver import tables
from hotdice.games.bj.solving.three_evaluator import BjThree
from hotdice.values import USUAL_NOISE, Evaluator, Fact, Noise, Progress, Solver, Summary, Unit, no_progress

NOISE: Final[Mapping[Unit, Noise]] = {Unit.WIN: {"expert": 0.0037, "casual": 0.0096, "beginner": 0.026}}
NOISE_OF_MANY: Final[Mapping[Unit, Noise]] = {Unit.WIN: {"expert": 0.0036, "casual": 0.0084, "beginner": 0.019}}
"""For the levels of bots; fitted by `benchmarks/calibrate.py`."""


class BjSolver(Solver):
    """Values of BJ's dice."""

    in_steps = True
    headlines = (2, 3)

    def evaluator(self, options: BjOptions, players: int, progress: Progress = no_progress) -> Evaluator:
        """Exact for two players, and for three once that table is there; by rollouts for more.

        The table for three takes minutes to solve. `hotdice solve bj --players 3` makes it.
        """
        if players == 3 and options.target <= three.HIGHEST:
            return BjThree(options, progress)
        if players > 2:
            return BjRollouts(options, players, progress)
        return BjEvaluator(options, tables(options, progress))

    def summary(self, options: BjOptions, progress: Progress = no_progress) -> Summary:
        solved = tables(options, progress)
        wins, error = solved.arrays["wins"], float(solved.arrays["error"][0])
        return Summary(2, Unit.WIN, float(wins[0, 0]), error, wins.size, solved.cpu_seconds, solved.checksum)

    def summary_for(self, options: BjOptions, players: int, progress: Progress = no_progress) -> Summary:
        if players == 2:
            return self.summary(options, progress)
        solved = three.table(options, progress)
        chances, error = three.unpacked(solved.arrays), float(solved.arrays["error"][0])
        first, second = chances[0, 0, 0].tolist()
        epsilon, mixed = 2 * error, len(solved.arrays["mixtures"]) // 3
        return Summary(
            3, Unit.WIN, first, error, chances.size // 2, solved.cpu_seconds, solved.checksum,
            (
                Fact("second", f"The second player wins {100 * second:.6f}%.", second),
                Fact("third", f"The third player wins {100 * (1 - first - second):.6f}%.", 1 - first - second),
                Fact("epsilon", f"Nobody gains more than {epsilon:.1e} by playing otherwise.", epsilon),
                Fact("mixed", f"In {mixed} cycles of three turns plans are mixed.", mixed),
            ),
        )  # fmt: skip

    def solves_in_steps(self, options: BjOptions, players: int) -> bool:
        return players == 3 and options.target <= three.HIGHEST

    def solve_in_steps(self, options: BjOptions, players: int, stop: Event, progress: Progress) -> None:
        if self.solves_in_steps(options, players):
            three.solve_in_steps(options, stop, progress)

    def noise(self, unit: Unit, players: int) -> Noise:
        fitted = {**NOISE, **NOISE_OF_MANY} if players > 2 else NOISE
        return fitted.get(unit, USUAL_NOISE[unit])
