"""BJ's dice: freeze what scores, roll the rest or pass, and owe a fortune if you win."""

from __future__ import annotations

from typing import Final

from hotdice.dice import ORDINARY
from hotdice.game import Game, bare, register
from hotdice.games.bj.rules import MOVES, BjOptions
from hotdice.games.bj.state import BjState, look_one_toss_ahead

__all__ = ["BJ", "BjOptions", "BjState"]

BJ: Final = register(
    Game(
        name="bj",
        title="BJ's dice",
        pitch="Freeze what scores and roll the rest, or pass while you are ahead. The winner pays.",
        minutes=20,
        min_players=2,
        max_players=8,
        dice=(ORDINARY,),
        options=BjOptions,
        state=BjState,
        verbs={move.text: bare(move) for move in MOVES},
        moves=lambda options, players: MOVES,
        greedy=look_one_toss_ahead,
        home=__file__,
    )
)
