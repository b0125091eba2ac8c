"""Playouts: values found by playing on with the greedy rule in every seat, for any game.

They go through `State` in plain Python, so there are hundreds of them and not thousands, and values are rough. Moves
are compared on the same dice: in the same playout of each, a seat rolls by the same random numbers. Values come with
one standard error.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import lru_cache
from math import inf
from random import Random
from typing import Final

import numpy as np

from hotdice.game import CHANCE, OVER, State
from hotdice.solve.rollouts import (
    PRECISION,
    Estimates,
    Floats,
    Following,
    Ints,
    Sampling,
    as_worths,
    average,
    compare,
    together,
)
from hotdice.values import Evaluation, Evaluator, NotSolved, Unit, Worth, owner, payoff

STEPS: Final = 100_000
"""Moves and rolls that an evaluation may take: about a second, in most games."""
SECONDS: Final = 5.0
"""CPU time that an evaluation may take in games whose greedy rule is slow."""
BATCH: Final = 64
FEWEST: Final = 8
MOST: Final = 2048
"""Playouts of each move."""
LONGEST: Final = 20_000
"""Moves and rolls after which a game is taken to be endless."""


class Playouts(Evaluator):
    """Values by playouts: chances to win, or the score of a player alone."""

    exact = False
    sampled = True
    review_precision = 0.03, 0.03

    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self._evaluated: Callable[[State, Sampling], Evaluation] = lru_cache(maxsize=64)(self._evaluate)

    def expected(self, state: State, seat: int) -> float:
        return self.value(state, seat).value

    def value(self, state: State, seat: int, *, seed: int | None = None, precision: float | None = None) -> Worth:
        if state.seat == OVER:
            return super().value(state, seat)
        found = _estimates([state], seat, Sampling.of(state, seed, precision))
        return Worth(float(found.values[0]), float(found.errors[0]), self.unit, exact=False)

    def everybody(self, state: State, *, seed: int | None = None, precision: float | None = None) -> tuple[Worth, ...]:
        """The same playouts tell it for every seat."""
        if state.seat == OVER:
            return super().everybody(state)
        sampling = Sampling.of(state, seed, precision)
        precision, most = sampling.limits(PRECISION, _affordable([state], [sampling.seed]))

        def sample(chosen: Ints, first: int, count: int) -> tuple[Floats, Floats]:
            ends = [play_out(state, sampling.seed, number)[0] for number in range(first, first + count)]
            results = [[payoff(end, seat) for end in ends] for seat in chosen.tolist()]
            return np.array(results), np.zeros((len(chosen), count, 1))

        return as_worths(self, together(sample, state.players, batch=BATCH, most=most, precision=precision))

    def evaluate(self, state: State, *, seed: int | None = None, precision: float | None = None) -> Evaluation:
        return self._evaluated(state, Sampling.of(state, seed, precision))

    def _evaluate(self, state: State, sampling: Sampling) -> Evaluation:
        following = Following.of(state)
        chances = following.chances if state.seat == CHANCE else None
        return following.evaluation(self, _estimates(following.different, owner(state), sampling, chances))


def _estimates(states: Sequence[State], seat: int, sampling: Sampling, chances: Floats | None = None) -> Estimates:
    """What states are worth to a seat, compared on the same dice; with `chances`, each by itself for their average."""
    seeds = [sampling.seed if chances is None else sampling.alone(at).seed for at in range(len(states))]
    precision, most = sampling.limits(PRECISION, _affordable(states, seeds))

    def sample(chosen: Ints, first: int, count: int) -> tuple[Floats, Floats]:
        rollouts = range(first, first + count)
        results = [[payoff(play_out(states[at], seeds[at], number)[0], seat) for number in rollouts] for at in chosen]
        return np.array(results), np.zeros((len(chosen), count, 1))  # nothing is known about the luck in them

    if chances is None:
        return compare(sample, len(states), batch=FEWEST, most=most, precision=precision)
    return average(sample, chances, batch=FEWEST, most=most * len(states), precision=precision)


def _affordable(states: Sequence[State], seeds: Sequence[int]) -> int:
    """How many playouts of each of some states there is time for."""
    begun = time.thread_time()
    until = begun + SECONDS / FEWEST
    steps = sum(play_out(state, seed, 0, until)[1] for state, seed in zip(states, seeds, strict=True))
    longest = min(STEPS // max(steps, 1), int(SECONDS / max(time.thread_time() - begun, 1e-6)))
    return min(max(longest, FEWEST), MOST)


def play_out(state: State, seed: int, number: int, until: float = inf) -> tuple[State, int]:
    """Play a game to its end by the greedy rule: how it ended, and the moves and rolls that took."""
    dice = [Random(((seed << 16) + number << 8) + roller) for roller in range(state.players)]
    game = state.game
    for steps in range(LONGEST):
        if state.seat == CHANCE:
            outcomes = state.outcomes()
            state = state.roll(outcomes.at(int(dice[state.roller].random() * outcomes.total)))
        elif state.seat == OVER:
            return state, steps
        else:
            state = state.apply(game.greedy(state))
            if time.thread_time() > until:
                raise NotSolved(f"Games of {game.title} take too long here to be played out for every move.")
    raise NotSolved(f"Games of {game.title} may go on here for more than {LONGEST:,} moves and rolls.")
