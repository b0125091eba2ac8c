"""What learning programs see of Kismet."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final

from hotdice.games.kismet.rules import (
    BONUSES,
    DICE,
    DIE,
    ROLLS,
    VACANT,
    Box,
    KismetOptions,
    basic_sum,
    possible_entries,
    sheet_total,
)
from hotdice.games.kismet.state import KismetState
from hotdice.observation import Entry, Observation, counts, from_seat

_FACES: Final = tuple(face.code for face in DIE.faces)


@cache
def _most(options: KismetOptions) -> tuple[int, ...]:
    """The most that can stand in each box."""
    return tuple(max(possible_entries(box, options.kismet_is_full_house)) for box in Box)


def _entries(options: KismetOptions, players: int) -> tuple[Entry, ...]:
    most = _most(options)
    total = sum(most) + max(points for _, points in BONUSES)
    return (
        Entry("dice", len(_FACES), 0, DICE, "How many dice show each number, from the 1s to the 6s."),
        Entry("rolls", 1, 0, ROLLS, "How many of the three rolls of this turn are taken."),
        Entry("turn", 1, 0, max(players - 1, 1), "Whose turn it is: 0 for one's own, 1 for the next player's, …"),
        Entry("had_kismet", players, 0, 1, "Who has ended a turn with five of a kind."),
        Entry("basic", players, 0, sum(most[:6]), "Each player's sum of the basic boxes."),
        Entry("totals", players, 0, total, "Each player's total so far."),
        Entry(
            "sheets", players * len(Box), VACANT, max(most),
            "Each player's sheet: the entries from top to bottom, -1 where a box is vacant.",
        ),
    )  # fmt: skip


def _numbers(state: KismetState, seat: int) -> Sequence[int]:
    sheets = from_seat(state.sheets, seat)
    return [
        *counts(state.dice, _FACES),
        state.rolls,
        (state.roller - seat) % len(sheets),
        *map(int, from_seat(state.had_kismet, seat)),
        *map(basic_sum, sheets),
        *map(sheet_total, sheets),
        *(entry for sheet in sheets for entry in sheet),
    ]


OBSERVATION: Final = Observation(_entries, _numbers)
