"""Pig, the method check: the published value, brute force, and the equations along games."""

from __future__ import annotations

from pathlib import Path

import pytest

from hotdice.game import CHANCE, OVER, State
from hotdice.games import parse_position
from hotdice.games.pig import PIG, PigOptions, PigState
from hotdice.games.pig.solving import PigSolver, solve
from hotdice.solve import store
from hotdice.values import NotSolved, Unit
from tests.solve import expectimax


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "folder", lambda: tmp_path)


def test_the_first_player_of_pig_to_100_wins_as_published() -> None:
    """Neller and Presser, Optimal Play of the Dice Game Pig, The UMAP Journal 25 (2004): 0.5306."""
    assert round(PigSolver().summary(PigOptions()).value, 4) == 0.5306


@pytest.mark.parametrize("target", [1, 2, 7, 15])
def test_brute_force_finds_the_same_values(target: int) -> None:
    options = PigOptions(target=target)
    exact = PigSolver().evaluator(options, 2)

    def far(state: State) -> float | None:
        assert isinstance(state, PigState)
        beyond = state.total > 2 * target and state.seat != OVER
        return exact.expected(state, 0) if beyond else None

    values = expectimax.solve(expectimax.explore([PIG.start(2, options)], frontier=far))
    assert max(abs(exact.expected(state, 0) - value) for state, value in values.items()) < 1e-9


def test_the_bound_is_proven_and_small() -> None:
    assert solve(PigOptions())["error"][0] < 1e-9
    exact = PigSolver().evaluator(PigOptions(), 2)
    assert exact.exact
    assert exact.unit is Unit.WIN


def test_other_positions_are_refused_in_words() -> None:
    with pytest.raises(NotSolved, match="two players"):
        PigSolver().evaluator(PigOptions(), 3)
    with pytest.raises(NotSolved, match="target"):
        PigSolver().evaluator(PigOptions(target=10_000), 2)
    exact = PigSolver().evaluator(PigOptions(), 2)
    with pytest.raises(NotSolved, match="does not go on"):
        exact.expected(parse_position("pig 120/0 2 0 roll"), 0)
    assert exact.expected(parse_position("pig 90/0 1 500 decide"), 0) == 1
    assert parse_position("pig 90/0 1 500 roll").seat == CHANCE
    assert 0.8 < exact.expected(parse_position("pig 90/0 1 500 roll"), 0) < 1


def test_the_prospects_of_the_last_points_by_hand() -> None:
    """Three points to go: any roll but a 1 or a 2 wins when held, and after a 2 it is best to roll again."""
    exact = PigSolver().evaluator(PigOptions(target=10), 2)
    state = parse_position("pig(target=10) 0/9 1 7 decide")
    hold, roll = (
        {one.name: one.value for one in exact.prospects(state, state.parse_move(text))} for text in ("hold", "roll")
    )
    assert hold == {"bust": 0.0, "points": 7.0}
    # Held, 9 of 10 points would lose to any roll of the other but a 1; so after a 2 the best is to roll again.
    again = (1 / 6, (11 + 12 + 13 + 14 + 15) / 6)
    assert roll["bust"] == pytest.approx(1 / 6 + again[0] / 6)
    assert roll["points"] == pytest.approx((10 + 11 + 12 + 13 + again[1]) / 6)
