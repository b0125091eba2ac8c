"""Phones that lie on their sides: the dice of the turn and what warns of something are never behind the actions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

import pytest
from playwright.sync_api import expect

from hotdice.game import CHANCE, State
from hotdice.options import Value
from tests.web.browsing import HIDDEN, SIDEWAYS
from tests.web.conftest import Visit
from tests.web.halfway import join_halfway

SIZES: Final = (SIDEWAYS, (740, 360), (667, 375))


@dataclass(frozen=True, slots=True)
class Busy:
    """A moment at which a board has most to show: of a game that is half played, or that has just begun."""

    game: str
    says: str
    players: int
    then: tuple[str, ...]
    events: int = 0
    options: Mapping[str, Value] = field(default_factory=dict)


def rolling(state: State) -> bool:
    return state.seat == CHANCE and state.fresh


@pytest.mark.parametrize("busy", [
    Busy("bj", "Pass and lose", 2, ("1 1 1 5 5 5", "pass", "1 2 3 4 6 6"), options={"target": 500}),
    Busy("bj", "Last round", 6, ("1 1 1 5 5 5", "pass", "1 1 1 5 5 5"), options={"target": 500}),
    Busy("bj", "6 dice to roll again", 6, ("1 1 1 5 5 5",), 120),
    Busy("kismet", "Another Kismet:", 4, ("3 3 3 3 3",), 230),
    Busy("kismet", "Roll 2 of 3", 8, ("1 2 4 6 6", "keep 6 6", "1 2 6"), 230),
], ids=lambda busy: f"{busy.game}: {busy.says}")  # fmt: skip
def test_dice_and_warnings_are_in_sight(visit: Visit, busy: Busy) -> None:
    visitor = visit(still=True, size=SIDEWAYS)
    until = rolling if busy.events else None
    join_halfway(visitor, busy.game, busy.players, busy.events, until, then=busy.then, options=busy.options)
    expect(visitor.page.get_by_text(busy.says).first).to_be_visible()
    for size in SIZES:
        visitor.look(size, dark=False)
        assert visitor.page.evaluate(HIDDEN) == [], f"{busy.game} in {size}"
