"""Somebody's own mistakes as cards: the choices of a game that was played in which a move was clearly worse.

A move is a mistake if it cannot be taken for the best one, whatever the error of the values, and costs as much as the
first wrong move of any card has to.
"""

from __future__ import annotations

from collections.abc import Collection

from hotdice.players.levels import noise_of
from hotdice.practice.cards import LEVELS, Card, card_of
from hotdice.practice.making import SOME
from hotdice.solve import evaluator_for
from hotdice.table import Moved, Table
from hotdice.values import NotSolved, Progress, no_progress


def mistakes(
    table: Table, seats: Collection[int], progress: Progress = no_progress, only: int | None = None
) -> dict[int, Card]:
    """The mistakes of some seats, by the numbers of their events, the dearest first; none where there are no values.

    With `only`, the event of that number alone is looked at.
    """
    begun = {index: turn[0] for turn in table.turns() for index in turn}
    found: list[tuple[float, int, Card]] = []
    for index in range(table.played):
        progress(index / table.played)
        if only not in (None, index):
            continue
        if table.event(index).seat in seats and (card := mistake(table, begun[index], index)):
            found.append((card.answer(card.played).loss / card.at_stake, index, card))
    return {index: card for _, index, card in sorted(found, key=lambda each: (-each[0], each[1]))}


def mistake(table: Table, first: int, index: int) -> Card | None:
    """The event of that number as a card, if it is a mistake; `first` is the first event of its turn."""
    event, state = table.event(index), table.before(index)
    if not isinstance(event, Moved) or len(state.legal_moves()) == 1:
        return None
    try:
        found = evaluator_for(state.game, state.options, state.players).evaluate(state)
    except NotSolved:
        return None
    made = found.line(event.move)
    if made.alike or made.behind < SOME * noise_of(LEVELS[-1], state.game, state.players, found.unit):
        return None
    return card_of(table, first, index, found, played=event.move.text)
