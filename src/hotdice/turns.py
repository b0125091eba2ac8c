"""Counting turns: which turn of whom a roll belongs to, and which roll of it this is.

It is told by the game's contract alone (`State.occasion`, `roller`, `same_turn`), so every game has it. Dice that are
the same for everybody are drawn by it, and games on the same dice are compared by it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache

from hotdice.dice import Die, Distribution, tosses
from hotdice.errors import DiceError
from hotdice.fair import Throw
from hotdice.game import ROLL_OFF, Game, State


class TurnCounter:
    """Counts the turns of one game, roll by roll."""

    def __init__(self) -> None:
        self._counts: Counter[tuple[int, str]] = Counter()
        self._last: tuple[State, Throw] | None = None

    def next(self, state: State) -> Throw:
        """The roll that is due in a state. A roll-off is one roll, and they are counted over all seats."""
        seat, occasion = state.roller, state.occasion
        dice = _dice_of(state.game, state.outcomes())
        if self._last and occasion != ROLL_OFF:
            before, last = self._last
            if (last.seat, last.occasion) == (seat, occasion) and state.same_turn(before):
                return Throw(seat, occasion, last.number, last.roll + 1, dice)
        return Throw(seat, occasion, self._counts[self._whose(seat, occasion)] + 1, 1, dice)

    def take(self, state: State) -> Throw:
        """Count the roll that is made in a state."""
        throw = self.next(state)
        self._counts[self._whose(throw.seat, throw.occasion)] = throw.number
        self._last = state, throw
        return throw

    @staticmethod
    def _whose(seat: int, occasion: str) -> tuple[int, str]:
        return (-1 if occasion == ROLL_OFF else seat), occasion


def counted(states: Iterable[State]) -> list[Throw]:
    """Where the rolls of a game stand that were made in these states, all of its rolls in their order."""
    counter = TurnCounter()
    return [counter.take(state) for state in states]


@lru_cache(maxsize=1024)
def _dice_of(game: Game, outcomes: Distribution) -> tuple[tuple[Die, int], ...]:
    """The dice that a roll is of, by kinds in the order of their faces' codes."""
    kinds = sorted(zip(game.dice, game.counted(outcomes.rolls[0]), strict=True), key=lambda kind: _codes(kind[0]))
    usual = tosses(*kinds)
    if (usual.rolls, usual.weights) != (outcomes.rolls, outcomes.weights):
        raise DiceError(f"A roll of {game.title} is not that of its dice alone; dice by turns cannot roll it.")
    return tuple(kinds)


def _codes(die: Die) -> list[int]:
    return sorted(face.code for face in die.faces)
