"""Rollers solved: what every legal move is worth. Needs the extra `[solve]`."""

from __future__ import annotations

from collections.abc import Mapping
from threading import Event
from typing import Final

from hotdice.games.rollers.rules import EMPTY_BOARD, RollersOptions
from hotdice.games.rollers.solving import match_tables, tables
from hotdice.games.rollers.solving.boards import number_of
from hotdice.games.rollers.solving.evaluator import RollersEvaluator
from hotdice.games.rollers.solving.match_tables import match_table, start_of, table_of
from hotdice.games.rollers.solving.rollouts import RollersRollouts
from hotdice.games.rollers.solving.tables import race, round_table, saved_round
from hotdice.values import USUAL_NOISE, Evaluator, Fact, Noise, Progress, Solver, Summary, Unit, no_progress

NOISE: Final[Mapping[Unit, Noise]] = {Unit.WIN: {"expert": 0.0036, "casual": 0.0086, "beginner": 0.024}}
"""Between two: what was fitted to the points of a round, as the chances that they are worth at a match's beginning, and
what was fitted at match point, in the geometric mean."""
NOISE_OF_MANY: Final[Mapping[Unit, Noise]] = {Unit.WIN: {"expert": 0.0021, "casual": 0.0071, "beginner": 0.022}}
"""For the levels of bots; fitted by `benchmarks/calibrate.py`."""


class RollersSolver(Solver):
    """Values of Rollers."""

    in_steps = True

    def evaluator(self, options: RollersOptions, players: int, progress: Progress = no_progress) -> Evaluator:
        """Tables take minutes to solve, so they are used if they are there, or once they are.

        `hotdice solve rollers` makes those of a match's beginning; until then values are estimates.
        """
        table = saved_round(True) if options.saved_dice == "locked" else None
        table = table or saved_round(False)
        if players > 2:
            return RollersRollouts(options, players, table)
        return RollersEvaluator(options, players, table)

    def summary(self, options: RollersOptions, progress: Progress = no_progress) -> Summary:
        """The match, from its first round solved and the chances of all that may follow; the round, and the race."""
        locked, start = options.saved_dice == "locked", number_of(EMPTY_BOARD)
        points = round_table(locked, lambda share: progress(share / 3))
        needs = (options.target_points, options.target_points)
        solved = match_table(options, needs, lambda share: progress(1 / 3 + share * 2 / 3))
        chance, error = start_of(solved)
        worth, turns = float(points.arrays["start"][0]), float(race(locked)[start])
        return Summary(
            2, Unit.WIN, chance, error, table_of(solved).values.size, solved.cpu_seconds, solved.checksum,
            (
                Fact("round", f"One round: {worth:+.9f} points more than the other for the one who begins.", worth),
                Fact("race", f"The race: {turns:.9f} turns on average to fill a board alone.", turns),
            ),
        )  # fmt: skip

    def solve_in_steps(self, options: RollersOptions, players: int, stop: Event, progress: Progress) -> None:
        if players == 2:
            match_tables.solve_in_steps(options, stop, progress)
        else:
            tables.solve_in_steps(options, stop, progress)

    def noise(self, unit: Unit, players: int) -> Noise:
        fitted = {**NOISE, **NOISE_OF_MANY} if players > 2 else NOISE
        return fitted.get(unit, USUAL_NOISE[unit])
