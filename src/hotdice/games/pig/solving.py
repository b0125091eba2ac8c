"""Pig for two, solved exactly: the method check of the other races.

A turn that rolls a 1 changes no score, so each pair of scores is a cycle of two turns; every other turn raises the sum
of the scores, and pairs with higher sums are solved first. Within a cycle each turn's value is a convex, piecewise
linear function of what a bust is worth: its slope comes with it, and Newton's steps land on the fixed point.

The bound. Let the values at higher sums be off by at most e, and let each turn's value meet its own equation to within
d: the last step plus rounding, which is that of one average for each of the six tosses of the longest turn. Following
the policy found for one player against the best one of the other, the two equations of a cycle give an error x with
x <= (1 - s t) e + s t x + 2 d, where s <= 1 is the other's slope and t the slope found. So x <= e + 2 d / (1 - t), and
the sum of the last term over all sums of scores bounds the error of every value.
"""

from __future__ import annotations

from functools import cache, lru_cache, partial
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hotdice.game import CHANCE, OVER, Move, State
from hotdice.games.pig import HOLD, ONE_DIE, PIG, PigOptions, PigState
from hotdice.solve.jit import kernel
from hotdice.solve.sources import fingerprint
from hotdice.solve.store import Arrays, Tables, load_or_solve
from hotdice.values import (
    USUAL_NOISE,
    Evaluator,
    Measure,
    Noise,
    NotSolved,
    Progress,
    Prospect,
    Solver,
    Summary,
    Unit,
    no_progress,
)

VERSION: Final = fingerprint(__name__)
NOISE: Final = {Unit.WIN: {"expert": 0.0045, "casual": 0.014, "beginner": 0.04}}
"""For the levels of bots; fitted by `benchmarks/calibrate.py`."""
MOST: Final = 250
"""The highest target that is solved; the slopes of hopeless turns come near 1 beyond, and the bound is no good."""
TOLERANCE: Final = 4e-15
SLACK: Final = TOLERANCE + 6 * 8 * 2.0**-53
"""How far a turn's value may be from its equation: the last step, and six roundings of an average of six."""

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def gains() -> Ints:
    """What each face adds to the turn total, and 0 for the face that ends the turn."""
    start = PigState.start(PigOptions(), 2)
    return np.array([start.roll(roll).total for roll in ONE_DIE.rolls])


@kernel
def play_turn(wins: Floats, gain: Ints, own: int, other: int, bust: float, values: Floats, slopes: Floats) -> None:
    """What rolling at each turn total is worth, and how fast that grows with the worth of a bust."""
    target = wins.shape[0]
    for total in range(target - own - 1, -1, -1):
        value, slope = 0.0, 0.0
        for face in range(gain.size):
            after = total + gain[face]
            if gain[face] == 0:
                value += bust
                slope += 1.0
            elif own + after >= target:
                value += 1.0
            else:
                hold = 1.0 - wins[other, own + after]
                value += max(hold, values[after])
                slope += slopes[after] if values[after] > hold else 0.0
        values[total] = value / gain.size
        slopes[total] = slope / gain.size


@kernel
def solve_diagonal(wins: Floats, gain: Ints, total: int, tolerance: float) -> float:
    """Solve all pairs of scores with that sum; the steepest slope among them."""
    target = wins.shape[0]
    values, slopes = np.zeros((2, target)), np.zeros((2, target))
    steepest = 0.0
    for own in range(max(0, total - target + 1), total // 2 + 1):
        other = total - own
        mine = theirs = 0.5
        for step in range(1000):
            play_turn(wins, gain, own, other, 1.0 - theirs, values[0], slopes[0])
            play_turn(wins, gain, other, own, 1.0 - mine, values[1], slopes[1])
            first, second, steep, steeper = values[0, 0], values[1, 0], slopes[0, 0], slopes[1, 0]
            off = max(abs(first - mine), abs(second - theirs))
            if off <= tolerance:
                break
            if step < 50:  # where both lines meet; should that ever fail to settle, plain iteration does
                first += steep * (theirs - second + steeper * (first - mine)) / (1.0 - steep * steeper)
                second += steeper * (mine - first)
            mine, theirs = first, second
        wins[own, other], wins[other, own] = mine, theirs
        steepest = max(steepest, steep, steeper) if off <= tolerance else 1.0
    return steepest


def solve(options: PigOptions, progress: Progress = no_progress) -> Arrays:
    """The win probability of whoever begins a turn, by their score and the other's, and the bound on its error."""
    target = options.target
    wins, gain = np.zeros((target, target)), gains()
    error = 0.0
    for total in range(2 * target - 2, -1, -1):
        error += 2 * SLACK / (1 - solve_diagonal(wins, gain, total, TOLERANCE))
        progress(1 - total / (2 * target - 1))
    return {"wins": wins, "error": np.array([error])}


def tables(options: PigOptions, progress: Progress = no_progress) -> Tables:
    """The solved tables, from the cache if they are there."""
    if options.target > MOST:
        raise NotSolved(f"Pig is solved up to a target of {MOST}.")
    return load_or_solve(f"{PIG.text(options)} two players", VERSION, partial(solve, options), progress)


class PigEvaluator(Evaluator):
    """Exact values for two players."""

    unit = Unit.WIN

    def __init__(self, options: PigOptions, solved: Tables) -> None:
        self.options = options
        self.wins: Floats = solved.arrays["wins"]
        self.error = float(solved.arrays["error"][0])
        self.gain = gains()
        self._turn = lru_cache(16)(self.turn_values)

    def expected(self, state: State, seat: int) -> float:
        if not isinstance(state, PigState) or state.options != self.options:
            raise NotSolved("These are the values of Pig under other rules.")
        worth = self._worth(state)
        return worth if seat == state.roller else 1.0 - worth

    def prospects(self, state: State, move: Move) -> tuple[Prospect, ...]:
        """The chance to lose the turn total, and the points of the turn, by following the turn as it is best played."""
        if not isinstance(state, PigState) or state.options != self.options:
            raise NotSolved("These are the values of Pig under other rules.")
        if move not in state.legal_moves():
            raise state.illegal(move)
        own, other = state.scores[state.roller], state.scores[1 - state.roller]
        target = self.wins.shape[0]
        rolling = self._turn(own, other)

        @cache
        def follow(total: int, rolls: bool) -> tuple[float, float]:
            """The chance of a bust, and the mean points, of a turn that rolls on or holds."""
            if not rolls:
                return 0.0, float(total)
            bust = points = 0.0
            for gain in self.gain.tolist():
                after = total + gain
                goes_on = own + after < target and rolling[after] > 1.0 - self.wins[other, own + after]
                more = follow(after, bool(goes_on)) if gain else (1.0, 0.0)
                bust, points = bust + more[0], points + more[1]
            return bust / self.gain.size, points / self.gain.size

        bust, points = follow(state.total, move is not HOLD)
        return (
            Prospect("bust", "risk of a bust", Measure.CHANCE, bust),
            Prospect("points", "points this turn", Measure.POINTS, points),
        )

    def _worth(self, state: PigState) -> float:
        """What a state is worth to the one who rolls, or rolled last."""
        if state.seat == OVER:
            return 1.0
        target = self.wins.shape[0]
        own, other = state.scores[state.roller], state.scores[1 - state.roller]
        if max(own, other) >= target:
            raise NotSolved(f"A game to {target} does not go on at {own} to {other}.")
        rolling = self._turn(own, other)
        if state.seat == CHANCE:
            return float(rolling[min(state.total, target - own)])
        if own + state.total >= target:
            return 1.0
        return float(max(1.0 - self.wins[other, own + state.total], rolling[state.total]))

    def turn_values(self, own: int, other: int) -> Floats:
        """What rolling is worth by the turn total; the last entry is for all totals that win when held."""
        target = self.wins.shape[0]
        values, slopes = np.zeros(target), np.zeros(target)
        bust = 1.0 - self.wins[other, own]
        play_turn(self.wins, self.gain, own, other, bust, values, slopes)
        held = (np.count_nonzero(self.gain) + bust * np.count_nonzero(self.gain == 0)) / self.gain.size
        return np.append(values[: target - own], held)


class PigSolver(Solver):
    """Exact values for two players."""

    def evaluator(self, options: PigOptions, players: int, progress: Progress = no_progress) -> Evaluator:
        if players != 2:
            raise NotSolved(f"Pig is solved for two players, not for {players}.")
        return PigEvaluator(options, tables(options, progress))

    def summary(self, options: PigOptions, progress: Progress = no_progress) -> Summary:
        solved = tables(options, progress)
        wins, error = solved.arrays["wins"], float(solved.arrays["error"][0])
        return Summary(2, Unit.WIN, float(wins[0, 0]), error, wins.size, solved.cpu_seconds, solved.checksum)

    def noise(self, unit: Unit, players: int) -> Noise:
        return NOISE.get(unit, USUAL_NOISE[unit])
