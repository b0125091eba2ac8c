"""Bots that know what every move is worth: `optimal`, and weaker levels that lose a little on purpose.

A level below `optimal` adds noise to the values before it takes the best of them, so it errs where moves are close
and rarely blunders. `docs/bots.md` says how much each level loses. Where a game is not solved for so many players,
these bots play by the game's greedy rule.
"""

from __future__ import annotations

from math import log
from random import Random
from typing import Final

from hotdice.game import Move, State
from hotdice.solve.evaluator import NotSolved, Unit, evaluator_for

NOISE: Final = {
    Unit.WIN: {"optimal": 0.0, "expert": 0.005, "casual": 0.02, "beginner": 0.06},
    Unit.POINTS: {"optimal": 0.0, "expert": 0.5, "casual": 2.0, "beginner": 6.0},
    Unit.ROUND_POINTS: {"optimal": 0.0, "expert": 0.02, "casual": 0.08, "beginner": 0.25},
}
"""The scale of the noise, in the unit of the values."""


class LevelPlayer:
    """Takes the best move by exact values, disturbed by the level's noise."""

    def __init__(self, kind: str, seed: int) -> None:
        self.kind = kind
        self._random = Random(seed)

    def choose(self, state: State) -> Move:
        moves = state.legal_moves()
        if len(moves) == 1:
            return moves[0]
        try:
            evaluation = evaluator_for(state.game, state.options, state.players).evaluate(state)
        except NotSolved:
            return state.game.greedy(state)
        scale = NOISE[evaluation.unit][self.kind]
        best = (
            max(evaluation.lines, key=lambda line: line.value + scale * self._noise()) if scale else evaluation.lines[0]
        )
        if not isinstance(best.action, Move):
            raise state.illegal(moves[0])
        return best.action

    def _noise(self) -> float:
        """A draw from the Gumbel distribution: the best of noisy values is then a softmax choice."""
        return -log(-log(self._uniform()))

    def _uniform(self) -> float:
        """Between 0 and 1, both excluded, so that its double logarithm exists."""
        return max(self._random.random(), 1e-300)
