"""What learning programs see of Rollers. A die on the table was kept before the last roll, or shown by it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from hotdice.dice import Roll
from hotdice.games.rollers.rules import (
    BLACK,
    CHIPS,
    CLOSED,
    FULL_BOARD_POINTS,
    MOST_CHIPS_POINTS,
    NUMBERS,
    PURPLE,
    PURPLES,
    ROLLS,
    RollersOptions,
)
from hotdice.games.rollers.state import RollersState
from hotdice.observation import Entry, Observation, counts, from_seat

_FACES: Final = tuple(face.code for die in (PURPLE, BLACK) for face in die.faces)


def _entries(options: RollersOptions, players: int) -> tuple[Entry, ...]:
    most = options.target_points - 1 + FULL_BOARD_POINTS + MOST_CHIPS_POINTS
    shown = "by the purple dice's 1s to 5s and STARs, then by the black die's 1 to 5 and ZAP"
    return (
        Entry("rolled", len(_FACES), 0, PURPLES, f"The dice of the roll just made, {shown}."),
        Entry("kept", len(_FACES), 0, PURPLES, f"The dice kept before it, {shown}."),
        Entry("rolls", 1, 0, ROLLS, "How many rolls of this turn are taken; 3 when the dice are to be applied."),
        Entry("turn", 1, 0, players - 1, "Whose turn it is: 0 for one's own, 1 for the next player's, and so on."),
        Entry("starter", 1, 0, players - 1, "Who started this round, counted likewise."),
        Entry("points", players, 0, most, "Each player's points in the match."),
        Entry("chips", players, 0, CHIPS * players, "Each player's chips in this round."),
        Entry(
            "boards", players * len(NUMBERS), 0, CLOSED,
            "Each player's board, the sections from the 1s to the 5s: 0 empty, 1 open, 2 closed.",
        ),
    )  # fmt: skip


def _shown(dice: Roll) -> Sequence[int]:
    return counts(dice, _FACES)


def _numbers(state: RollersState, seat: int) -> Sequence[int]:
    players = len(state.chips)
    return [
        *_shown(state.rolled),
        *_shown(state.kept),
        state.rolls,
        (state.roller - seat) % players,
        (state.starter - seat) % players,
        *from_seat(state.scores, seat),
        *from_seat(state.chips, seat),
        *(section for board in from_seat(state.boards, seat) for section in board),
    ]


OBSERVATION: Final = Observation(_entries, _numbers)
