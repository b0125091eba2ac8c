"""What learning programs see of KOR. Targets are named by seat, so a player is told which seat is theirs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from hotdice.games.kor.rules import DICE, NOBODY, SIGNS, KorOptions
from hotdice.games.kor.state import KorState
from hotdice.observation import Entry, Observation, bounded, from_seat

BEYOND: Final = 10_000
"""How far beyond the target, and below 0, points are told apart."""


def _entries(options: KorOptions, players: int) -> tuple[Entry, ...]:
    most = options.target + BEYOND
    return (
        Entry("scores", players, -BEYOND, most, "Each player's score, without the turn that is being played."),
        Entry("points", 1, 0, most, "The points of this turn or penalty so far."),
        Entry("dice", 1, 1, DICE, "How many dice are tossed next."),
        Entry("signs", len(SIGNS), 0, 1, "Which signs may be followed: STOP, DEAD END, U-TURN."),
        Entry("penalty", 1, 0, 1, "Whether this is a penalty."),
        Entry("own_seat", players, 0, 1, "Which seat is one's own."),
        Entry("turn", 1, 0, players - 1, "Whose turn it is: 0 for one's own, 1 for the next player's, and so on."),
        Entry("roller", 1, 0, players - 1, "Who tosses, counted likewise: who has the turn, or serves a penalty."),
        Entry("leader", 1, 0, players, "Who started the final round: 0 for nobody, 1 for oneself, 2 for the next."),
    )


def _numbers(state: KorState, seat: int) -> Sequence[int]:
    players, leader = len(state.scores), state.leader
    most = state.options.target + BEYOND
    return [
        *bounded(from_seat(state.scores, seat), -BEYOND, most),
        min(state.points, most),
        state.dice,
        *(int(sign in state.signs) for sign in SIGNS),
        int(state.penalty),
        *(int(at == seat) for at in range(players)),
        (state.turn - seat) % players,
        (state.roller - seat) % players,
        0 if leader == NOBODY else (leader - seat) % players + 1,
    ]


OBSERVATION: Final = Observation(_entries, _numbers)
