"""Bots. A bot sees a state, as any player does, and chooses a legal move."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from random import Random
from typing import Final, Protocol

from hotdice.errors import SeatError
from hotdice.game import Move, State
from hotdice.notation import listed


class Player(Protocol):
    """Anything that can decide for a seat."""

    @property
    def kind(self) -> str:
        """The word by which players and records name this kind of bot."""

    def choose(self, state: State) -> Move:
        """A legal move in a state where a seat has to decide."""


class RandomPlayer:
    """Any legal move, all equally likely."""

    kind: Final = "random"

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)

    def choose(self, state: State) -> Move:
        moves = state.legal_moves()
        return moves[int(self._random.random() * len(moves))]


class GreedyPlayer:
    """The game's own simple rule for a sensible move."""

    kind: Final = "greedy"

    def __init__(self, seed: int) -> None:
        """The rule needs no luck; the seed is taken because every bot is made with one."""

    def choose(self, state: State) -> Move:
        return state.game.greedy(state)


def _level(kind: str) -> Callable[[int], Player]:
    """A bot that knows values. What it needs is loaded when one is made, as it is not part of the core."""

    def make(seed: int) -> Player:
        try:
            levels = import_module("hotdice.players.levels")
        except ImportError as error:
            raise SeatError(f"The bot “{kind}” needs {error.name}: install hotdice[play].") from None
        made: Player = levels.LevelPlayer(kind, seed)
        return made

    return make


BOTS: Final[dict[str, Callable[[int], Player]]] = {
    RandomPlayer.kind: RandomPlayer,
    GreedyPlayer.kind: GreedyPlayer,
    **{kind: _level(kind) for kind in ("beginner", "casual", "expert", "optimal")},
}


def make_player(kind: str, seed: int) -> Player:
    """A bot of that kind."""
    if kind not in BOTS:
        raise SeatError(f"There is no bot “{kind}”; there are {listed(BOTS)}.")
    return BOTS[kind](seed)
