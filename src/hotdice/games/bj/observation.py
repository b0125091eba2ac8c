"""What learning programs see of BJ's dice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from hotdice.games.bj.rules import NOBODY, BjOptions
from hotdice.games.bj.state import BjState
from hotdice.observation import Entry, Observation, bounded, from_seat

BEYOND: Final = 10_000
"""How far beyond the target points are told apart: hardly any turn brings so many."""


def _entries(options: BjOptions, players: int) -> tuple[Entry, ...]:
    most = options.target + BEYOND
    return (
        Entry("scores", players, 0, most, "Each player's score, without the turn that is being played."),
        Entry("at_risk", 1, 0, most, "The points of this turn that a scoreless toss would lose."),
        Entry("safe", 1, 0, most, "The bonuses of this turn, which cannot be lost."),
        Entry("dice", 1, 0, options.dice, "How many dice are rolled next."),
        Entry("turn", 1, 0, players - 1, "Whose turn it is: 0 for one's own, 1 for the next player's, and so on."),
        Entry("starter", 1, 0, players, "Who started the last round: 0 for nobody, 1 for oneself, 2 for the next."),
    )


def _numbers(state: BjState, seat: int) -> Sequence[int]:
    players, starter = len(state.scores), state.starter
    points = bounded((*from_seat(state.scores, seat), state.at_risk, state.safe), 0, state.options.target + BEYOND)
    return [
        *points, state.dice, (state.roller - seat) % players, 0 if starter == NOBODY else (starter - seat) % players + 1
    ]  # fmt: skip


OBSERVATION: Final = Observation(_entries, _numbers)
