"""Scripted play for the rule tests: texts in, states out."""

from __future__ import annotations

from hotdice import CHANCE, OVER, State, parse_position
from hotdice.view import named


def play(state: State, *script: str) -> State:
    """The state after a script of tosses and moves, whichever is due; every state on the way reads back."""
    for line in script:
        dice = state.seat == CHANCE
        state = state.roll(state.parse_roll(line)) if dice else state.apply(state.parse_move(line))
        assert parse_position(state.position) == state
    return state


def choices(state: State) -> list[str]:
    """The legal moves in notation."""
    return [move.text for move in state.legal_moves()]


def winner(state: State) -> int:
    """The one seat that has won, counted from 1 as in positions."""
    assert state.seat == OVER
    assert state.result is not None
    (seat,) = state.result.winners
    return seat + 1


def plain(text: str) -> str:
    """A sentence as it is told to everybody, with its seats still to be named."""
    return named(text, [f"{{{seat}}}" for seat in range(8)])
