"""What a coach says: what every move is worth now, and the moments that mattered once a game is over.

It is computed in the thinkers' processes, from texts and into plain data. A table asks for one thing at a time, however
many players want to hear it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from hotdice.game import CHANCE
from hotdice.games import parse_position
from hotdice.moments import Moment, moments
from hotdice.record import parse_record
from hotdice.server.refusals import Refusal
from hotdice.solve.words import action_text, doing, hint

T = TypeVar("T")

OFF, ASK, ALWAYS = COACHES = ("off", "ask", "always")
"""What a table may agree about advice: none, for those who ask, or all the time; that is for clients to tell apart."""
PATIENCE: Final = 5.0
"""Seconds that somebody who asks is kept waiting before they are told to ask again."""


class NotReady(Exception):
    """The answer is still being worked on; `share` is how far the game is solved, if that is known."""

    def __init__(self, share: float | None = None) -> None:
        super().__init__("The values are being made; ask again.")
        self.share = share


class NoCoach(Refusal):
    """The table plays without one."""

    answer = "no_coach"
    status = 403


class NoValues(Refusal):
    """A game or a position of which nobody knows what moves are worth."""

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


class Latest(Generic[T]):
    """The answer to the latest question: worked out once, however many ask, and one at a time.

    A `stale` answer is given to those who wait for it, and then worked out anew.
    """

    def __init__(self, stale: Callable[[T], bool] = lambda _: False) -> None:
        self._stale = stale
        self._key: object = None
        self._task: asyncio.Task[T] | None = None

    async def get(self, key: object, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """The answer to the question of that key; `NotReady` if it takes longer than people like to wait."""
        clock = asyncio.get_running_loop().time
        until = clock() + PATIENCE
        while True:
            if self._task is None or (self._key != key and self._task.done()):
                self._key, self._task = key, asyncio.ensure_future(work())
                self._task.add_done_callback(self._ended)
            task, mine = self._task, self._key == key
            await asyncio.wait((task,), timeout=max(0.0, until - clock()))
            if not task.done():
                raise NotReady
            if mine:
                answer = task.result()
                if self._stale(answer) and self._task is task:
                    self._task = None
                return answer

    def _ended(self, task: asyncio.Task[T]) -> None:
        """Only answers are kept; what went wrong is tried again when it is asked for again."""
        if (task.cancelled() or task.exception()) and self._task is task:
            self._task = None
