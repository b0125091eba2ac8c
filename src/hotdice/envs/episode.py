"""A game as learning programs play it: from one decision to the next, with the rolls between them made by itself.

The dice to come are never part of what anybody sees: they come from a function that the environment keeps.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from hotdice.errors import HotdiceError
from hotdice.game import CHANCE, OVER, State

Draw = Callable[[], float]
"""Gives a random number, at least 0 and less than 1."""

DEALS: Final = 10_000
"""After so many games in a row without a decision there is taken to be none in any."""


def roll_on(state: State, draw: Draw) -> State:
    """The state in which somebody has to decide or the game is over, all rolls before it made."""
    while state.seat == CHANCE:
        outcomes = state.outcomes()
        state = state.roll(outcomes.at(int(draw() * outcomes.total)))
    return state


def deal(start: State, draw: Draw, play_on: Callable[[State], State]) -> State:
    """A new game up to its first decision, where `play_on` leads; one that ends before is dealt anew."""
    for _ in range(DEALS):
        state = play_on(roll_on(start, draw))
        if state.seat != OVER:
            return state
    raise HotdiceError(f"{DEALS:,} games of {start.game.title} ended before there was anything to decide.")
