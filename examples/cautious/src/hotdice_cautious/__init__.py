"""A bot for any game: it takes points home as soon as it may, and plays by the game's greedy rule otherwise."""

from __future__ import annotations

from hotdice import Move, State


class CautiousPlayer:
    """Made with a seed, as every bot is; this one needs no luck."""

    def __init__(self, seed: int) -> None:
        pass

    def choose(self, state: State) -> Move:
        for move in state.legal_moves():
            if state.stake and not state.apply(move).stake:
                return move
        return state.game.greedy(state)
