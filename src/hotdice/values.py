"""What moves and rolls are worth: the types in which everybody who computes, shows or uses a value speaks of it.

A value belongs to the seat that decides or rolls. It travels with its unit and its error: the proven bound where a game
is solved, one standard error where it was sampled. An `Evaluator` gives values; a `Solver`, named on a game's card,
makes evaluators. Nothing here computes, so nothing here needs more than the standard library.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from math import inf
from operator import mul
from threading import Event
from typing import Any, ClassVar, Final, Protocol

from hotdice.dice import Roll
from hotdice.errors import HotdiceError, IllegalMove, ImpossibleRoll
from hotdice.game import CHANCE, OVER, Move, State

Progress = Callable[[float], None]
"""Called with the share of the work done so far, from 0 to 1."""


def no_progress(done: float) -> None:
    """For those who do not watch."""


class Unit(Enum):
    """What a value counts."""

    WIN = "win probability"
    """Chances to win, from 0 to 1; a win that is shared counts in equal parts."""
    POINTS = "points"
    """Points of the score."""
    ROUND_POINTS = "round points"
    """Points of a round, in a game that is played in rounds."""
    TARGET = "chance of the target"
    """Chances to end with some number of points or more, from 0 to 1."""

    @property
    def span(self) -> float:
        """How far values of this unit can lie apart, to compare differences in different units."""
        return _SPANS[self]

    @property
    def lowest(self) -> float:
        """The least that a value of this unit can be: what a certain loss is worth."""
        return _LOWEST[self]


_LOWEST: Final = {Unit.WIN: 0.0, Unit.POINTS: -inf, Unit.ROUND_POINTS: -3.0, Unit.TARGET: 0.0}
_SPANS: Final = {Unit.WIN: 1.0, Unit.POINTS: 1.0, Unit.ROUND_POINTS: 6.0, Unit.TARGET: 1.0}
"""A round is won or lost by at most 3 points. Points of a score have no bound; one stands for itself."""

Noise = Mapping[str, float]
"""By level of bot: the scale of the noise on values that makes it lose what it is meant to lose."""

USUAL_NOISE: Final[Mapping[Unit, Noise]] = {
    Unit.WIN: {"expert": 0.002, "casual": 0.007, "beginner": 0.02},
    Unit.POINTS: {"expert": 0.5, "casual": 1.5, "beginner": 4.0},
    Unit.ROUND_POINTS: {"expert": 0.02, "casual": 0.06, "beginner": 0.2},
    Unit.TARGET: {"expert": 0.002, "casual": 0.007, "beginner": 0.02},
}
"""For games in which it was not fitted."""


class NotSolved(HotdiceError):
    """A game or a position for which there is no value: one that is over, or house rules that nothing solves."""


class NotInstalled(NotSolved):
    """What computes values is not installed; the text says what to install."""


TOLD_APART: Final = 2.0
"""Estimates that are behind the best by no more than this many standard errors of the difference count as tied."""


@dataclass(frozen=True, slots=True)
class Worth:
    """What a state is worth to a seat: the value, how far it may be off, and what it counts."""

    value: float
    """In the unit: a chance from 0 to 1, or points."""
    error: float
    """How far the value may be off: a proven bound if it is exact, else one standard error."""
    unit: Unit
    """What the value counts."""
    exact: bool
    """Whether it was solved, not sampled."""


@dataclass(frozen=True, slots=True)
class Valued:
    """A move or a roll with its value for the seat that decides or rolls."""

    action: Move | Roll
    """The move, or the roll."""
    value: float
    """What the game is worth to the seat after it."""
    error: float
    """How far the value may be off."""
    behind: float
    """What it is worth less than the first line; below zero where an estimate was ranked behind a certain result."""
    behind_error: float
    """The error of that difference. Moves are compared on the same dice, so it is often smaller than those of both."""
    tied: bool
    """Whether it counts as equal to the first line."""

    @property
    def alike(self) -> bool:
        """Whether it cannot be told from the first line: tied with it, or behind by no more than the error of that."""
        return self.tied or self.behind <= self.behind_error


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Every legal move, or every possible roll, best first."""

    unit: Unit
    """What the values count."""
    seat: int
    """Whose values they are: the seat that decides or rolls."""
    lines: tuple[Valued, ...]
    """A line for each move or roll, the best first."""
    value: float
    """What the position is worth: the first move's value, or the average over the rolls."""
    error: float
    """The error of that: the first move's, or that of the average."""
    exact: bool
    """Whether all values are exact."""

    def line(self, action: Move | Roll) -> Valued:
        """The line of a move or a roll; `IllegalMove` or `ImpossibleRoll` if there is none."""
        for line in self.lines:
            if line.action == action:
                return line
        if isinstance(action, Move):
            raise IllegalMove(f"“{action.text}” is not a legal move here, so it has no value.")
        raise ImpossibleRoll(f"“{' '.join(map(str, action))}” cannot be rolled here, so it has no value.")


class Measure(Enum):
    """What a prospect counts."""

    POINTS = "points"
    """Points."""
    CHANCE = "chance"
    """A chance, from 0 to 1."""
    TURNS = "turns"
    """Turns."""
    CHIPS = "chips"
    """Chips."""


@dataclass(frozen=True, slots=True)
class Prospect:
    """Something that a move leads to, in the game's own terms, for the seat that makes it: why it is good or bad."""

    name: str
    """What it is, for programs: the prospects of two moves are compared by it."""
    words: str
    """What it is, as it follows its number: “in Straight”, “risk of a bust”. It may hold `{n}` for a seat's name."""
    unit: Measure
    """What the value counts."""
    value: float
    """How much of that, such as a chance from 0 to 1."""
    error: float = 0.0
    """How far the value may be off: rounding, or one standard error where it was sampled."""


class Evaluator(ABC):
    """Values for one game under one set of options with a given number of players; `evaluator_for` finds one.

    A subclass says in `expected` what a state is worth; all the rest follows from that and can be done better.
    """

    unit: Unit
    """What its values count, unless `unit_in` says otherwise of a state."""
    exact: bool = True
    """Whether they are exact, unless `exact_in` says otherwise of a state."""
    error: float = 0.0
    """The bound on a value's error, where the game is solved and `errors` does not say more."""
    tie: float = 1e-9
    """Values that differ by no more than this are ties."""
    sampled: bool = False
    """Whether a value is found by rollouts, which takes a good part of a second."""
    premise: str = ""
    """What `prospects` take for granted beyond what the values do: “if played for points”."""
    provisional: bool = False
    """Whether rollouts stand in for exact values until a table is solved."""
    review_precision: tuple[float | None, float | None] = None, None
    """The standard errors at which the values of states and of moves are good enough when all of a game are asked for;
    None for those that are usual here."""

    # What a subclass says

    @abstractmethod
    def expected(self, state: State, seat: int) -> float:
        """What a state is worth to a seat, as a number."""

    def unit_in(self, state: State) -> Unit:
        """What the values of a state count."""
        return self.unit

    def exact_in(self, state: State) -> bool:
        """Whether the values of a state are exact."""
        return self.exact

    def errors(self, state: State, actions: Sequence[Move | Roll]) -> Sequence[float]:
        """The error of each action's value."""
        return [self.error] * len(actions)

    def tie_breaks(self, state: State, moves: Sequence[Move]) -> Sequence[float]:
        """What decides between moves of equal value and error, higher first: progress towards the end of the game.

        Unless a game knows better, a move that ends it comes before those that do not.
        """
        return [float(state.apply(move).seat == OVER) for move in moves]

    def action_values(self, state: State, seat: int) -> Sequence[float]:
        """The value to a seat of each legal move, or of each roll, in the state's own order."""
        if state.seat == CHANCE:
            return [self.expected(state.roll(roll), seat) for roll in state.outcomes().rolls]
        return [self.expected(state.apply(move), seat) for move in state.legal_moves()]

    def prospects(self, state: State, move: Move) -> tuple[Prospect, ...]:
        """What a legal move leads to in the game's own terms, if all play on as these values have it.

        All moves of a state have prospects of the same names. A game that says nothing of this kind has none. What is
        missing is solved first, which may take half a minute: `explains` says whether, and `Solver.solve_prospects`
        does it beforehand.
        """
        return ()

    def explains(self, state: State) -> bool:
        """Whether the prospects of a state are found at once."""
        return True

    # What everybody asks

    def value(self, state: State, seat: int, *, seed: int | None = None, precision: float | None = None) -> Worth:
        """What a state is worth to a seat; if the game is over, what it was won for, or the score of a player alone.

        Rollouts take the dice that follow from `seed` instead of those that follow from the position, and go on until
        the standard error is `precision` or it takes too long. Exact values depend on neither.
        """
        if state.seat == OVER:
            return Worth(payoff(state, seat), 0.0, payoff_unit(state), True)
        error = max(self.errors(state, actions_in(state)))
        return Worth(self.expected(state, seat), error, self.unit_in(state), self.exact_in(state))

    def everybody(self, state: State, *, seed: int | None = None, precision: float | None = None) -> tuple[Worth, ...]:
        """What a state is worth to each seat. What `seed` and `precision` do is said at `value`."""
        if state.players == 2 and state.seat != OVER and self.unit_in(state) in (Unit.WIN, Unit.TARGET):
            worth = self.value(state, 0, seed=seed, precision=precision)
            return worth, replace(worth, value=1.0 - worth.value)
        return tuple(self.value(state, seat, seed=seed, precision=precision) for seat in range(state.players))

    def points(self, state: State, seat: int) -> float | None:
        """The points that a seat can expect to end with if it plays for nothing else; None if the game has no such.

        It is for games of several players in which values count wins and everybody collects points alone.
        """
        return None

    def evaluate(self, state: State, *, seed: int | None = None, precision: float | None = None) -> Evaluation:
        """All that can be done or rolled here, best first. What `seed` and `precision` do is said at `value`."""
        actions = actions_in(state)
        return self.evaluation(state, self.action_values(state, owner(state)), self.errors(state, actions))

    def policy(self, state: State) -> Move:
        """The best move, without its value where that is quicker."""
        action = self.evaluate(state).lines[0].action
        if not isinstance(action, Move):
            raise IllegalMove("The dice are to be rolled first; there is nothing to choose.")
        return action

    def evaluation(
        self,
        state: State,
        values: Sequence[float],
        errors: Sequence[float],
        gap_errors: Sequence[float] | None = None,
        error: float | None = None,
    ) -> Evaluation:
        """The evaluation of a state, from what was found out about each action in the state's own order.

        `gap_errors` are those of the differences to the highest value, where they were found; they decide what is tied
        then. `error` is that of the average over the rolls. Moves go by their value, but certain results come before
        estimates that cannot be told from them, unless they are losses. Among moves of equal value the smaller error
        decides, then `tie_breaks`, then the state's own order.
        """
        unit, exact = self.unit_in(state), self.exact_in(state)
        actions, places = actions_in(state), range(len(values))
        first = max(places, key=values.__getitem__)
        gaps = [errors[first] + one for one in errors] if gap_errors is None else gap_errors
        told_apart = 0.0 if gap_errors is None else TOLD_APART

        def line(at: int) -> Valued:
            behind, gap = values[first] - values[at], 0.0 if at == first else gaps[at]
            return Valued(actions[at], values[at], errors[at], behind, gap, behind <= max(self.tie, told_apart * gap))

        order = sorted(places, key=lambda at: -values[at])
        if state.seat == CHANCE:
            outcomes = state.outcomes()
            worth = sum(map(mul, outcomes.weights, values)) / outcomes.total
            if error is None:
                error = sum(map(mul, outcomes.weights, errors)) / outcomes.total
        else:
            certain = [at for at in order if exact or (errors[at] == 0.0 and values[at] > unit.lowest)]
            sure = next((at for at in certain if line(at).alike), None)
            if sure is not None:
                first, gaps = sure, gaps if sure == first else errors
            rivals = order if sure is None else certain
            equal = [at for at in rivals if abs(values[first] - values[at]) <= self.tie]
            if len(equal) > 1:
                moves = state.legal_moves()
                breaks = dict(zip(equal, self.tie_breaks(state, [moves[at] for at in equal]), strict=True))
                equal.sort(key=lambda at: (errors[at], -breaks[at]))
                first = equal[0]
            order = [*equal, *(at for at in order if at not in set(equal))]
            worth, error = values[first], errors[first]
        return Evaluation(unit, owner(state), tuple(map(line, order)), worth, error, exact)


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


def payoff_unit(state: State) -> Unit:
    """What `payoff` counts."""
    return Unit.POINTS if state.players == 1 else Unit.WIN


@dataclass(frozen=True, slots=True)
class Fact:
    """Something more that a solver found out, as a name for programs, a sentence for people, and the number."""

    name: str
    """What it is, for programs."""
    sentence: str
    """What it is, for people, with the number in it."""
    value: float
    """The number."""


@dataclass(frozen=True, slots=True)
class Summary:
    """The headline of a solved game: its value to the player who begins, and what it took."""

    players: int
    """For how many players the game was solved."""
    unit: Unit
    """What the value counts."""
    value: float
    """What the first state is worth to the player who begins."""
    error: float
    """The bound on its error."""
    states: int
    """How many positions have a value."""
    cpu_seconds: float
    """The seconds of CPU time that solving took, when it was done."""
    checksum: str
    """A hash of the tables."""
    facts: tuple[Fact, ...] = ()
    """What else the solver found out."""


class Solver(Protocol):
    """What knows the values of a game. A game's card names one; subclass this and write what the game has."""

    in_steps: ClassVar[bool] = False
    """Whether the game takes minutes to solve and `solve_in_steps` does it bit by bit."""
    headlines: tuple[int, ...] = (2,)
    """For how many players there is a headline; the first is meant where nobody says."""

    def evaluator(self, options: Any, players: int, progress: Progress = no_progress) -> Evaluator:
        """Values of every position, tables loaded or solved first; `NotSolved` if there are none."""
        raise NotSolved("This game has no values.")

    def summary(self, options: Any, progress: Progress = no_progress) -> Summary:
        """The headline, tables loaded or solved first; `NotSolved` if there is none."""
        raise NotSolved("This game has no headline value.")

    def toward(self, options: Any, players: int, target: int, progress: Progress = no_progress) -> Evaluator:
        """Chances of whoever has the turn to end the game with `target` points or more; `NotSolved` if there are none.

        The values of this evaluator count the chance of the target, whatever that means for the win.
        """
        raise NotSolved("This game has no chances of a target.")

    def summary_for(self, options: Any, players: int, progress: Progress = no_progress) -> Summary:
        """The headline for one of the numbers of players in `headlines`."""
        return self.summary(options, progress)

    def solves_in_steps(self, options: Any, players: int) -> bool:
        """Whether `solve_in_steps` does something for these options and this number of players."""
        return self.in_steps

    def noise(self, unit: Unit, players: int) -> Noise:
        """How noisy the levels of bots are with values of that unit."""
        return USUAL_NOISE[unit]

    def solve_in_steps(self, options: Any, players: int, stop: Event, progress: Progress) -> None:
        """Solve bit by bit in this thread until done or `stop` is set, and keep what there is by then."""
        return

    def solve_prospects(self, options: Any, players: int, stop: Event, progress: Progress) -> None:
        """Solve what `Evaluator.prospects` reads, or see that it is there, until done or `stop` is set."""
        return


__all__ = [
    "TOLD_APART",
    "Evaluation",
    "Evaluator",
    "Fact",
    "Measure",
    "Noise",
    "NotInstalled",
    "NotSolved",
    "Progress",
    "Prospect",
    "Solver",
    "Summary",
    "Unit",
    "Valued",
    "Worth",
    "actions_in",
    "owner",
    "payoff",
    "payoff_unit",
]
