"""What a coach says: what every move is worth now, and the moments that mattered once a game is over.

It is computed in the thinkers' processes, from texts and into plain data.
"""

from __future__ import annotations

from dataclasses import dataclass

from hotdice.game import CHANCE
from hotdice.games import parse_position
from hotdice.moments import Moment, moments
from hotdice.record import parse_record
from hotdice.server.refusals import Refusal
from hotdice.solve.words import action_text, doing, hint

OFF, ASK, ALWAYS = COACHES = ("off", "ask", "always")
"""What a table may agree about advice: none, for those who ask, or all the time; that is for clients to tell apart."""


class NotReady(Exception):
    """The answer is still being worked on; `share` is how far the game is solved, if that is known."""

    def __init__(self, share: float | None = None) -> None:
        super().__init__("The values are being made; ask again.")
        self.share = share


class NoCoach(Refusal):
    """The table plays without a coach."""

    answer = "no_coach"
    status = 403


class NoValues(Refusal):
    """A game or a position that has no values."""

    answer = "no_values"
    status = 404


class NoSolver(Refusal):
    """What computes values is not installed."""

    answer = "no_solver"


@dataclass(frozen=True, slots=True)
class MoveValue:
    """A legal move with its value to the seat that decides; `tied` with the best one or not."""

    text: str
    doing: str
    value: float
    error: float
    tied: bool


@dataclass(frozen=True, slots=True)
class Advised:
    """What a state is worth to the seat that rolls or decides, and every legal move, best first."""

    unit: str
    exact: bool
    value: float
    told: str
    moves: tuple[MoveValue, ...]
    share: float | None = None
    """How far exact values are that are being solved meanwhile."""


def advise(position: str) -> Advised:
    """The value of every legal move; while dice are to be rolled, what that is worth on average."""
    from hotdice.solve import evaluator_for
    from hotdice.values import Evaluation

    state = parse_position(position)
    evaluator = evaluator_for(state.game, state.options, state.players)
    if state.seat == CHANCE and evaluator.sampled:  # one estimate, not one of each roll
        worth = evaluator.value(state, state.roller)
        found = Evaluation(evaluator.unit, state.roller, (), worth, evaluator.exact)
    else:
        found = evaluator.evaluate(state)
    moves = tuple(
        MoveValue(action_text(state, line), doing(state, line), line.value, line.error, line.tied)
        for line in found.lines
    )
    return Advised(
        found.unit.value, found.exact, found.value, hint(state, found), () if state.seat == CHANCE else moves
    )


def look_back(record: str) -> tuple[Moment, ...]:
    """The moments that mattered in a recorded game."""
    return moments(parse_record(record))
