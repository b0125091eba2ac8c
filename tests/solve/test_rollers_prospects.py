"""What speaks for a move in Rollers: turns to a full board and chips, against the rules and the solved race."""

from __future__ import annotations

from random import Random

import pytest

from hotdice import load_game
from hotdice.game import CHANCE
from hotdice.games.rollers.rules import Apply
from hotdice.games.rollers.solving.boards import number_of
from hotdice.games.rollers.solving.tables import race
from hotdice.games.rollers.state import RollersState
from hotdice.solve import evaluator_for
from hotdice.values import Measure


def decisions(count: int) -> list[RollersState]:
    """Some decisions of random play."""
    random = Random(3)
    found: list[RollersState] = []
    state = load_game("rollers").start(2)
    while len(found) < count:
        if state.seat == CHANCE:
            outcomes = state.outcomes()
            state = state.roll(outcomes.at(random.randrange(outcomes.total)))
        else:
            if len(state.legal_moves()) > 3:
                found.append(state)
            state = state.apply(random.choice(state.legal_moves()))
    return found


def test_what_is_applied_shows_on_the_board() -> None:
    turns = race(False)
    for state in decisions(60):
        if isinstance(state.legal_moves()[0], Apply):
            values = evaluator_for(state.game, state.options, 2)
            for move in state.legal_moves()[:5]:
                after = state.apply(move)
                found = {one.name: one for one in values.prospects(state, move)}
                assert found["turns"].value == pytest.approx(turns[number_of(after.boards[state.seat])])
                assert found["chips"].value == after.chips[state.seat]
                assert found["turns"].error == found["chips"].error == 0


def test_the_rest_of_a_turn_is_what_following_it_comes_to() -> None:
    """A decision with one roll left: the same by all its rolls, each used as the values have it."""
    state = next(one for one in decisions(80) if one.rolls == 2 and not isinstance(one.legal_moves()[0], Apply))
    values, turns, seat = evaluator_for(state.game, state.options, 2), race(False), state.seat
    move = state.legal_moves()[3]
    rolling = state.apply(move)
    total = {"turns": 0.0, "chips": 0.0}
    for roll, weight in zip(rolling.outcomes().rolls, rolling.outcomes().weights, strict=True):
        after = rolling.roll(roll)
        if after.seat == seat and after.roller == seat:
            after = after.apply(values.policy(after))
        total["turns"] += weight * turns[number_of(after.boards[seat])]
        total["chips"] += weight * after.chips[seat]
    for one in values.prospects(state, move):
        assert one.value == pytest.approx(total[one.name] / rolling.outcomes().total, abs=4 * one.error + 1e-9)
        assert one.unit in (Measure.TURNS, Measure.CHIPS)
