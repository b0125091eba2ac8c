"""Hotdice: four tabletop dice games, exactly by their rules.

>>> import hotdice
>>> state = hotdice.load_game("pig").start(players=2)
>>> state = state.roll(state.parse_roll("5"))
>>> [move.text for move in state.legal_moves()]
['roll', 'hold']
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hotdice.dice import Die, Distribution, Face, ManualDice, RecordedDice, Roll, SeededDice
from hotdice.errors import (
    AmbiguousMove,
    HotdiceError,
    IllegalMove,
    ImpossibleRoll,
    OptionError,
    OutOfTurn,
    ParseError,
    RecordError,
    UndoError,
)
from hotdice.game import CHANCE, OVER, Game, Move, State
from hotdice.games import all_games, load_game, parse_game, parse_position, register
from hotdice.options import Options

if TYPE_CHECKING:
    from hotdice.simulation import Simulated

__version__ = "0.1.0"


def simulate(*args: Any, **named: Any) -> Simulated:
    """Play a game many times over: `hotdice.simulation.simulate`, imported when it is called."""
    from hotdice.simulation import simulate

    return simulate(*args, **named)


__all__ = [
    "CHANCE",
    "OVER",
    "AmbiguousMove",
    "Die",
    "Distribution",
    "Face",
    "Game",
    "HotdiceError",
    "IllegalMove",
    "ImpossibleRoll",
    "ManualDice",
    "Move",
    "OptionError",
    "Options",
    "OutOfTurn",
    "ParseError",
    "RecordError",
    "RecordedDice",
    "Roll",
    "SeededDice",
    "State",
    "UndoError",
    "all_games",
    "load_game",
    "parse_game",
    "parse_position",
    "register",
    "simulate",
]
