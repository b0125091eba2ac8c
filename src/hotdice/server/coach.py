"""What a coach says: what every move is worth now, and the moments that mattered once a game is over.

It is computed in the thinkers' processes, from texts and into plain data.
"""

from __future__ import annotations

import os
from dataclasses import dataclass

from hotdice.game import CHANCE
from hotdice.games import parse_position
from hotdice.record import parse_record
from hotdice.review import moments
from hotdice.review.report import Moment
from hotdice.server.refusals import Refusal
from hotdice.solve.words import action_text, because, doing, hint

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
    """A legal move with its value to the seat that decides; `tied` if it cannot be told from the best one."""

    text: str
    doing: str
    value: float
    error: float
    tied: bool
    behind: float
    """What it is worth less than the first move."""
    behind_error: float
    """How far that may be off, which is often less than either value."""


@dataclass(frozen=True, slots=True)
class Advised:
    """What a state is worth to the seat that rolls or decides, and every legal move, best first."""

    unit: str
    exact: bool
    value: float
    error: float
    told: str
    short: str
    """What is told, in fewer words: only the best move is named."""
    moves: tuple[MoveValue, ...]
    share: float | None = None
    """How far exact values are that are being solved meanwhile."""


def advise(position: str) -> Advised:
    """The value of every legal move; while dice are to be rolled, what that is worth on average."""
    from hotdice.solve import background, evaluator_for, solver_of
    from hotdice.values import Evaluation

    state = parse_position(position)
    evaluator = evaluator_for(state.game, state.options, state.players)
    if state.seat == CHANCE and evaluator.sampled:  # one estimate, not one of each roll
        worth = evaluator.value(state, state.roller)
        found = Evaluation(worth.unit, state.roller, (), worth.value, worth.error, worth.exact)
    else:
        found = evaluator.evaluate(state)
    moves = tuple(
        MoveValue(
            action_text(state, line),
            doing(state, line),
            line.value,
            line.error,
            line.alike,
            line.behind,
            line.behind_error,
        )
        for line in found.lines
    )
    solver, off = solver_of(state.game), os.environ.get(background.OFF)
    in_steps = not found.exact and not off and solver.solves_in_steps(state.options, state.players)
    return Advised(
        found.unit.value, found.exact, found.value, found.error, hint(state, found), hint(state, found, short=True),
        () if state.seat == CHANCE else moves, 0.0 if in_steps else None,
    )  # fmt: skip


def explain(position: str, text: str) -> str:
    """What speaks for a move, from values: half a sentence that may hold `{0}` for the name of a seat."""
    from hotdice.solve import evaluate

    state = parse_position(position)
    return because(state, state.parse_move(text), evaluate(state))


def look_back(record: str) -> tuple[Moment, ...]:
    """The moments that mattered in a recorded game."""
    return moments(parse_record(record))
