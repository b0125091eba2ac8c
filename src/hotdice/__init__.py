"""Hotdice: four tabletop dice games, exactly by their rules.

>>> import hotdice
>>> state = hotdice.load_game("pig").start(players=2)
>>> state = state.roll(state.parse_roll("5"))
>>> [move.text for move in state.legal_moves()]
['roll', 'hold']
"""

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

__version__ = "0.1.0"

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
]
