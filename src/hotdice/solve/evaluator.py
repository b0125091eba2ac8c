"""Values of moves and rolls, and the `Evaluator` through which everybody reads them.

A value belongs to the seat that decides or rolls, in the evaluator's unit, and comes with its error: the proven
bound where the game is solved, one standard error where it was sampled.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final

from hotdice.dice import Roll
from hotdice.errors import HotdiceError
from hotdice.game import CHANCE, OVER, Game, Move, State
from hotdice.options import Options
from hotdice.solve.store import Progress, no_progress


class Unit(Enum):
    """What a value counts."""

    WIN = "win probability"
    POINTS = "points"
    ROUND_POINTS = "round points"


USUAL_NOISE: Final[Mapping[Unit, Mapping[str, float]]] = {
    Unit.WIN: {"expert": 0.002, "casual": 0.007, "beginner": 0.02},
    Unit.POINTS: {"expert": 0.5, "casual": 1.5, "beginner": 4.0},
    Unit.ROUND_POINTS: {"expert": 0.02, "casual": 0.06, "beginner": 0.2},
}
"""For games in which it was not fitted."""


class NotSolved(HotdiceError):
    """A position for which there is no value."""


@dataclass(frozen=True, slots=True)
class Valued:
    """A move or a roll with its value for the seat that decides or rolls; `tied` with the best one or not."""

    action: Move | Roll
    value: float
    error: float
    tied: bool


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Every legal move, or every possible roll, best first."""

    unit: Unit
    seat: int
    lines: tuple[Valued, ...]
    value: float
    """What the position is worth: the best move's value, or the average over the rolls."""
    exact: bool


class Evaluator(ABC):
    """Values for one game under one set of options with so many players."""

    unit: Unit
    exact: bool = True
    error: float = 0.0
    """The bound on a value's error, where the game is solved and `errors` does not say more."""
    tie: float = 1e-9
    """Values that differ by no more than this are ties."""
    sampled: bool = False
    """Whether a value is found by rollouts, which takes a good part of a second."""

    @abstractmethod
    def value(self, state: State, seat: int) -> float:
        """What a state is worth to a seat."""

    def errors(self, state: State, actions: Sequence[Move | Roll]) -> Sequence[float]:
        """The error of each action's value."""
        return [self.error] * len(actions)

    def action_values(self, state: State, seat: int) -> Sequence[float]:
        """The value to a seat of each legal move, or of each roll, in the state's own order."""
        if state.seat == CHANCE:
            return [self.value(state.roll(roll), seat) for roll in state.outcomes().rolls]
        return [self.value(state.apply(move), seat) for move in state.legal_moves()]

    def evaluate(self, state: State) -> Evaluation:
        """All that can be done or rolled here, best first; equal values in the state's own order."""
        if state.seat == OVER:
            raise NotSolved("The game is over; there is nothing left to evaluate.")
        seat = state.roller if state.seat == CHANCE else state.seat
        actions: Sequence[Move | Roll] = state.outcomes().rolls if state.seat == CHANCE else state.legal_moves()
        values = self.action_values(state, seat)
        errors = self.errors(state, actions)
        best = max(values)
        lines = [
            Valued(action, value, error, best - value <= self.tie)
            for action, value, error in zip(actions, values, errors, strict=True)
        ]
        worth = best
        if state.seat == CHANCE:
            outcomes = state.outcomes()
            weighted = zip(outcomes.weights, values, strict=True)
            worth = sum(weight * value for weight, value in weighted) / outcomes.total
        lines.sort(key=lambda line: -line.value)
        return Evaluation(self.unit, seat, tuple(lines), worth, self.exact)


@dataclass(frozen=True, slots=True)
class Summary:
    """The headline of a solved game: its value to the player who begins, and what it took."""

    players: int
    unit: Unit
    value: float
    error: float
    states: int
    cpu_seconds: float
    checksum: str
    race: float | None = None
    """In Rollers, the expected turns in which one player alone fills a board."""


_evaluators: dict[tuple[Game, Options, int], Evaluator] = {}


def evaluator_for(game: Game, options: Options, players: int, progress: Progress = no_progress) -> Evaluator:
    """The evaluator of a game, its tables loaded or solved the first time."""
    key = (game, options, players)
    if key not in _evaluators:
        _evaluators[key] = _solver(game).evaluator(options, players, progress)
    return _evaluators[key]


def summary_of(game: Game, options: Options, progress: Progress = no_progress) -> Summary:
    """Solve a game, or load its tables, and say what came out."""
    found: Summary = _solver(game).summary(options, progress)
    return found


def noise_of(game: Game, unit: Unit, players: int) -> Mapping[str, float]:
    """By level of bot, how much noise on values of that unit makes it lose what it is meant to lose in this game."""
    solver = _solver(game)
    names = ("NOISE_OF_MANY", "NOISE") if players > 2 else ("NOISE",)
    fitted: list[Mapping[Unit, Mapping[str, float]]] = [getattr(solver, name, {}) for name in names]
    return next((noise[unit] for noise in fitted if unit in noise), USUAL_NOISE[unit])


def _solver(game: Game) -> Any:
    """The `solver` module beside the game's rules: it has `evaluator` and `summary`."""
    name = f"hotdice.games.{game.name}.solver"
    if find_spec(name) is None:
        raise NotSolved(f"{game.title} has no solver.")
    return import_module(name)


def evaluate(state: State) -> Evaluation:
    """Every legal move of a state, or every roll, with its value."""
    return evaluator_for(state.game, state.options, state.players).evaluate(state)
