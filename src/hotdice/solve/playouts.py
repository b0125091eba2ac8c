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
from hotdice.solve.rollouts import Estimates, Floats, Ints, estimate, seed_of
from hotdice.values import Evaluation, Evaluator, NotSolved, Unit, actions_in, owner, payoff

STEPS: Final = 100_000
"""Moves and rolls that an evaluation may take: about a second, in most games."""
SECONDS: Final = 5.0
"""CPU time that an evaluation may take in games whose greedy rule is slow."""
FEWEST: Final = 8
MOST: Final = 2048
"""Playouts of each move."""
LONGEST: Final = 20_000
"""Moves and rolls after which a game is taken to be endless."""


class Playouts(Evaluator):
    """Values by playouts: chances to win, or the score of a player alone."""

    exact = False
    sampled = True

    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self._evaluated: Callable[[State], Evaluation] = lru_cache(maxsize=64)(self._evaluate)

    def value(self, state: State, seat: int) -> float:
        if state.seat == OVER:
            return payoff(state, seat)
        return float(_estimates([state], seat, seed_of(state), dropping=False).values[0])

    def evaluate(self, state: State) -> Evaluation:
        return self._evaluated(state)

    def _evaluate(self, state: State) -> Evaluation:
        actions = actions_in(state)
        following = [state.roll(action) if isinstance(action, tuple) else state.apply(action) for action in actions]
        place = {after: at for at, after in enumerate(dict.fromkeys(following))}
        found = _estimates(tuple(place), owner(state), seed_of(state), dropping=state.seat != CHANCE)
        places = [place[after] for after in following]
        errors = [0.0 if after.seat == OVER else float(found.errors[place[after]]) for after in following]
        return self.evaluation(state, found.values[places].tolist(), errors, found.tied[places].tolist())


def _estimates(states: Sequence[State], seat: int, seed: int, *, dropping: bool) -> Estimates:
    """What states are worth to a seat. With `dropping`, only those that may be the best are looked at closely."""
    begun = time.thread_time()
    steps = sum(play_out(state, seat, seed, 0, begun + SECONDS / FEWEST)[1] for state in states)
    longest = min(STEPS // max(steps, 1), int(SECONDS / max(time.thread_time() - begun, 1e-6)))

    def sample(chosen: Ints, first: int, count: int) -> tuple[Floats, Floats]:
        rollouts = range(first, first + count)
        results = np.array([[play_out(states[at], seat, seed, number)[0] for number in rollouts] for at in chosen])
        return results, np.zeros((len(chosen), count, 1))  # nothing is known about the luck in them

    return estimate(sample, len(states), dropping=dropping, batch=FEWEST, most=min(max(longest, FEWEST), MOST))


def play_out(state: State, seat: int, seed: int, number: int, until: float = inf) -> tuple[float, int]:
    """Play a game to its end by the greedy rule: what it is worth to a seat, and the moves and rolls that took."""
    dice = [Random(((seed << 16) + number << 8) + roller) for roller in range(state.players)]
    game = state.game
    for steps in range(LONGEST):
        if state.seat == CHANCE:
            outcomes = state.outcomes()
            state = state.roll(outcomes.at(int(dice[state.roller].random() * outcomes.total)))
        elif state.seat == OVER:
            return payoff(state, seat), steps
        else:
            state = state.apply(game.greedy(state))
            if time.thread_time() > until:
                raise NotSolved(f"Games of {game.title} take too long here to be played out for every move.")
    raise NotSolved(f"Games of {game.title} may go on here for more than {LONGEST:,} moves and rolls.")
