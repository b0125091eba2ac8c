"""What moves and rolls are worth: the types in which everybody who computes, shows or uses a value speaks of it.

A value belongs to the seat that decides or rolls. It travels with its unit and its error: the proven bound where a game
is solved, one standard error where it was sampled. An `Evaluator` gives values; a `Solver`, named on a game's card,
makes evaluators. Nothing here computes, so nothing here needs more than the standard library.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from operator import mul
from threading import Event
from typing import Any, ClassVar, Final, Protocol

from hotdice.dice import Roll
from hotdice.errors import HotdiceError
from hotdice.game import CHANCE, OVER, Move, State

Progress = Callable[[float], None]
"""Called with the share of the work done so far, from 0 to 1."""


def no_progress(done: float) -> None:
    """For those who do not watch."""


class Unit(Enum):
    """What a value counts."""

    WIN = "win probability"
    POINTS = "points"
    ROUND_POINTS = "round points"

    @property
    def span(self) -> float:
        """How far values of this unit can lie apart, to compare differences in different units."""
        return _SPANS[self]


_SPANS: Final = {Unit.WIN: 1.0, Unit.POINTS: 1.0, Unit.ROUND_POINTS: 6.0}
"""A round is won or lost by at most 3 points. Points of a score have no bound; one stands for itself."""

Noise = Mapping[str, float]
"""By level of bot: the scale of the noise on values that makes it lose what it is meant to lose."""

USUAL_NOISE: Final[Mapping[Unit, Noise]] = {
    Unit.WIN: {"expert": 0.002, "casual": 0.007, "beginner": 0.02},
    Unit.POINTS: {"expert": 0.5, "casual": 1.5, "beginner": 4.0},
    Unit.ROUND_POINTS: {"expert": 0.02, "casual": 0.06, "beginner": 0.2},
}
"""For games in which it was not fitted."""


class NotSolved(HotdiceError):
    """A game or a position for which there is no value."""


class NotInstalled(NotSolved):
    """What computes values is not installed."""


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
    """Values for one game under one set of options with a given number of players."""

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
        actions = actions_in(state)
        values = self.action_values(state, owner(state))
        best = max(values)
        return self.evaluation(
            state, values, self.errors(state, actions), [best - value <= self.tie for value in values]
        )

    def evaluation(
        self, state: State, values: Sequence[float], errors: Sequence[float], tied: Sequence[bool]
    ) -> Evaluation:
        """The evaluation of a state, from what was found out about each action in the state's own order."""
        lines = [Valued(*line) for line in zip(actions_in(state), values, errors, tied, strict=True)]
        worth = max(values)
        if state.seat == CHANCE:
            outcomes = state.outcomes()
            worth = sum(map(mul, outcomes.weights, values)) / outcomes.total
        lines.sort(key=lambda line: -line.value)
        return Evaluation(self.unit, owner(state), tuple(lines), worth, self.exact)


def owner(state: State) -> int:
    """The seat that the values of a state belong to: the one that decides or rolls."""
    return state.roller if state.seat == CHANCE else state.seat


def actions_in(state: State) -> Sequence[Move | Roll]:
    """Every legal move, or every possible roll; `NotSolved` if the game is over."""
    if state.seat == OVER:
        raise NotSolved("The game is over; there is nothing left to evaluate.")
    return state.outcomes().rolls if state.seat == CHANCE else state.legal_moves()


def payoff(state: State, seat: int) -> float:
    """What a game that is over is worth to a seat: its share of the win, or, for a player alone, the score."""
    if state.players == 1:
        return float(state.scores[seat])
    result = state.result
    return 0.0 if result is None or seat not in result.winners else 1.0 / len(result.winners)


@dataclass(frozen=True, slots=True)
class Fact:
    """Something more that a solver found out, as a name for programs, a sentence for people, and the number."""

    name: str
    sentence: str
    value: float


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
    facts: tuple[Fact, ...] = ()


class Solver(Protocol):
    """What knows the values of a game. A game's card names one; subclass this and write what the game has."""

    in_steps: ClassVar[bool] = False
    """Whether the game takes minutes to solve and `solve_in_steps` does it bit by bit."""

    def evaluator(self, options: Any, players: int, progress: Progress = no_progress) -> Evaluator:
        """Values of every position, tables loaded or solved first; `NotSolved` if there are none."""
        raise NotSolved("This game has no values.")

    def summary(self, options: Any, progress: Progress = no_progress) -> Summary:
        """The headline, tables loaded or solved first; `NotSolved` if there is none."""
        raise NotSolved("This game has no headline value.")

    def noise(self, unit: Unit, players: int) -> Noise:
        """How noisy the levels of bots are with values of that unit."""
        return USUAL_NOISE[unit]

    def solve_in_steps(self, options: Any, players: int, stop: Event, progress: Progress) -> None:
        """Solve bit by bit in this thread until done or `stop` is set, and keep what there is by then."""
        return
