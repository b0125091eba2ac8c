"""Bots that know what every move is worth: `optimal`, and weaker levels that lose a little on purpose.

A level below `optimal` adds noise to the values before it takes the best of them, so it errs where moves are close
and rarely blunders. How strong the noise has to be is fitted for each game, so that a level loses the same share of
what a random player would lose; `docs/bots.md` has the figures. Where a position has no value, these bots play by the
game's greedy rule.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log
from random import Random
from typing import Final

from hotdice.game import Game, Move, State
from hotdice.solve import evaluator_for, solver_of
from hotdice.values import USUAL_NOISE, NotSolved, Unit, Valued

OPTIMAL: Final = "optimal"
LOSSES: Final = {"expert": 0.02, "casual": 0.10, "beginner": 0.30}
"""What a level is to lose on average, as a share of what a random choice would lose in the same positions."""


class LevelPlayer:
    """Takes the best move by its value, disturbed by the level's noise."""

    def __init__(self, kind: str, seed: int) -> None:
        self.kind = kind
        self._random = Random(seed)

    def choose(self, state: State) -> Move:
        moves = state.legal_moves()
        if len(moves) == 1:
            return moves[0]
        try:
            evaluator = evaluator_for(state.game, state.options, state.players)
            if self.kind == OPTIMAL:
                return evaluator.policy(state)
            evaluation = evaluator.evaluate(state)
        except NotSolved:
            return state.game.greedy(state)
        scale = noise_of(self.kind, state.game, state.players, evaluation.unit)
        action = noisy_best(evaluation.lines, scale, self._random).action
        if not isinstance(action, Move):
            raise state.illegal(moves[0])
        return action


def noise_of(kind: str, game: Game, players: int, unit: Unit) -> float:
    """How noisy a level is; as usual where the game's solver has nothing for it."""
    return solver_of(game).noise(unit, players).get(kind, USUAL_NOISE[unit][kind])


def noisy_best(lines: Sequence[Valued], scale: float, random: Random) -> Valued:
    """The best line after noise of that scale was added to each value; the noise makes it a softmax choice."""
    return max(lines, key=lambda line: line.value + scale * _gumbel(random)) if scale else lines[0]


def noisy_chances(behind: Sequence[float], scale: float) -> list[float]:
    """How likely `noisy_best` is to take each of some moves, by what each is behind the best one.

    Noise of the Gumbel distribution makes this a softmax, so it is known exactly and nothing has to be sampled.
    """
    weights = [exp(-gap / scale) for gap in behind]
    total = sum(weights)
    return [weight / total for weight in weights]


def _gumbel(random: Random) -> float:
    """A draw from the Gumbel distribution. Zero is avoided, for which its double logarithm does not exist."""
    return -log(-log(max(random.random(), 1e-300)))
