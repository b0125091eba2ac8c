"""What rolling and passing lead to in BJ's dice: by following the states of the game."""

from __future__ import annotations

from collections import defaultdict
from functools import cache

import pytest

from hotdice.game import CHANCE, OVER, Move, State
from hotdice.games import parse_position
from hotdice.games.bj import BjOptions, BjState
from hotdice.games.bj.rules import NOBODY, PASS, ROLL
from hotdice.games.bj.solving.evaluator import BjEvaluator
from hotdice.games.bj.solving.rollouts import BjRollouts
from hotdice.games.bj.solving.solver import tables
from hotdice.values import Evaluator
from tests.solve.test_bj_solver import _rolls

pytestmark = pytest.mark.usefixtures("own_tables")


@cache
def exact(options: BjOptions) -> BjEvaluator:
    return BjEvaluator(options, tables(options))


def ends(state: BjState, values: Evaluator) -> dict[BjState, float]:
    """Where a turn leads, with the chance of each state after it; what is rarer than 1e-7 is taken to pass."""
    reached, done = {state: 1.0}, defaultdict[BjState, float](float)
    while reached:
        now = min(reached, key=lambda one: (one.at_risk, one.seat != CHANCE))
        chance = reached.pop(now)
        if now.seat == OVER or now.roller != state.roller:
            done[now] += chance
        elif now.seat == CHANCE:
            every = _rolls(now)
            total = sum(weight for _, weight in every)
            for roll, weight in every:
                then = now.roll(roll)
                reached[then] = reached.get(then, 0.0) + chance * weight / total
        else:
            then = now.apply(PASS if chance < 1e-7 else best(values, now))
            reached[then] = reached.get(then, 0.0) + chance
    return done


def best(values: Evaluator, state: State) -> Move:
    return max(state.legal_moves(), key=lambda move: (values.expected(state.apply(move), state.seat), move is PASS))


@pytest.mark.parametrize(
    "position",
    [
        "bj(target=1000) 0/200 1 decide 3 300 0 -",
        "bj(target=1000) 600/800 1 decide 2 350 0 -",
        "bj(dice=5,target=1000) 600/900 1 decide 1 500 500 -",
        "bj(bust=all_dice,target=1000) 600/900 1 decide 2 300 0 -",
        "bj(target=1000) 600/1150 1 decide 2 300 0 2",
    ],
)
def test_two_players_by_following_the_states(position: str) -> None:
    state = parse_position(position)
    assert isinstance(state, BjState)
    values, own, target = exact(state.options), state.scores[0], state.options.target
    for move in (ROLL, PASS):
        found = {one.name: one.value for one in values.prospects(state, move)}
        after = ends(state.apply(move), values)
        gains = {then: then.scores[0] - own for then in after}
        assert found["points"] == pytest.approx(sum(gains[then] * after[then] for then in after), abs=0.01)
        if state.starter == NOBODY:
            passed = sum(chance for then, chance in after.items() if then.scores[0] > target)
            assert found["target"] == pytest.approx(passed, abs=1e-5)
            # Of the other's last turn the solved values are what is left: they win if they catch up.
            caught = sum(chance * values.expected(then, 1) for then, chance in after.items() if then.scores[0] > target)
            assert found["caught"] == pytest.approx(caught, abs=1e-5)
        else:
            assert found["lead"] == pytest.approx(values.expected(state.apply(move), 0), abs=1e-5)
        if move is PASS:
            assert found["bust"] == 0
        elif state.safe == 0 and state.options.bust == "any" and state.dice < 4:
            # Without a bonus before, a turn that brought nothing has lost what was at risk.
            nothing = sum(chance for then, chance in after.items() if not gains[then])
            assert nothing <= found["bust"] + 1e-9
            assert found["bust"] >= next_toss_busts(state)


def next_toss_busts(state: BjState) -> float:
    """The chance that the very next toss scores nothing."""
    every = _rolls(state.apply(ROLL))
    scoreless = sum(weight for roll, weight in every if state.apply(ROLL).roll(roll).roller != state.roller)
    return scoreless / sum(weight for _, weight in every)


def test_several_players_can_catch_up_each_by_themselves() -> None:
    """Both others have to miss; each of them misses as they would alone."""
    options = BjOptions(target=1000)
    three, two = BjRollouts(options, 3), exact(options)
    state = parse_position("bj(target=1000) 900/400/700 1 decide 2 300 0 -")
    found = {one.name: one.value for one in three.prospects(state, PASS)}
    missed = 1.0
    for score in (400, 700):
        alone = parse_position(f"bj(target=1000) 900/{score} 1 decide 2 300 0 -")
        missed *= 1 - next(one.value for one in two.prospects(alone, PASS) if one.name == "caught")
    assert found["caught"] == pytest.approx(1 - missed)
    assert found["target"] == 1
    last = parse_position("bj(target=1000) 900/1100/700 1 decide 2 300 0 2")
    assert "caught" not in {one.name for one in three.prospects(last, ROLL)}
