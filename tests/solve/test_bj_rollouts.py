"""Rollouts of BJ's dice: the simulator against `State` and against the solved game, and what is read off them."""

from __future__ import annotations

from itertools import product
from random import Random

import numpy as np
import pytest

from hotdice.dice import Roll
from hotdice.game import CHANCE, OVER
from hotdice.games import parse_position
from hotdice.games.bj import BJ, BjOptions, BjState
from hotdice.games.bj.rules import PASS, ROLL, TOSSES, read_toss
from hotdice.games.bj.solving import BjSolver
from hotdice.games.bj.solving.evaluator import BjEvaluator
from hotdice.games.bj.solving.rollouts import (
    LONGEST,
    SCORELESS,
    BjRollouts,
    Policy,
    Seats,
    Start,
    goes_on,
    policy_of,
    roll_out,
    toss,
    turn_law,
)
from hotdice.games.bj.solving.solver import tables
from hotdice.solve.rollouts import stream, uniform, without_luck
from hotdice.values import NotSolved, Unit

pytestmark = pytest.mark.usefixtures("own_tables")

RULES = [BjOptions(dice=dice, bust=bust, target=1000) for dice, bust in product((6, 5), ("any", "all_dice"))]


def rolled_out(
    options: BjOptions, players: int, count: int, seed: int = 5, *, whole_turns: bool = True
) -> tuple[list[int], np.ndarray]:
    policy = policy_of(options, whole_turns=whole_turns)
    winners, luck = np.zeros(count, np.int64), np.zeros((count, players))
    seats = Seats(np.zeros(players, np.int64), 0, -1)
    start = Start(seats, False, options.dice, 0, 0, 0, 0, float(policy.wins[0, 0]))
    roll_out(policy, start, seed, 0, winners, luck)
    return winners.tolist(), luck


@pytest.mark.parametrize("options", RULES, ids=lambda options: options.text)
def test_between_two_luck_explains_every_result(options: BjOptions) -> None:
    """The luck of all turns together is the result less the solved value, in each single game."""
    winners, luck = rolled_out(options, 2, 500)
    solved = float(tables(options).arrays["wins"][0, 0])
    won = np.array(winners) == 0
    assert won - (luck[:, 0] - luck[:, 1]) == pytest.approx(np.full(500, solved), abs=1e-9)
    assert without_luck(won.astype(float), luck).std() < 1e-9


def a_roll(options: BjOptions, policy: Policy, dice: int, outcome: int) -> Roll:
    """Some roll that the outcome of a toss may stand for."""
    for roll in TOSSES[dice].rolls:
        found = read_toss(roll)
        if outcome == SCORELESS:
            if not found.points:
                return roll
        elif (found.points // 50, dice - found.frozen) == (policy.tosses.points[outcome], policy.tosses.left[outcome]):
            return roll
    raise AssertionError


def played(options: BjOptions, players: int, policy: Policy, seed: int, rollout: int) -> int:
    """The winner of a rollout, played through `State` on the same random numbers."""
    state = BjState.start(options, players)
    turns, tosses = [0] * players, 0
    while state.seat != OVER:
        seat = state.roller
        if state.seat == CHANCE:
            outcome = toss(policy, state.dice, uniform(np.uint64(stream(seed, rollout, seat, turns[seat])), tosses))
            state = state.roll(a_roll(options, policy, state.dice, outcome))
            tosses += 1
        else:
            seats = Seats(np.array(state.scores) // 50, seat, state.starter)
            safe = seats.scores[seat] + state.safe // 50
            on = goes_on(policy, seats, state.dice, state.at_risk // 50, safe, np.full(LONGEST, -1.0))
            state = state.apply(ROLL if on else PASS)
        if state.roller != seat:
            turns[seat] += 1
            tosses = 0
    return state.winner


@pytest.mark.parametrize("options", RULES, ids=lambda options: options.text)
@pytest.mark.parametrize("players", [2, 3, 5, 8])
def test_the_compiled_game_is_the_game(options: BjOptions, players: int) -> None:
    policy = policy_of(options)
    winners, _ = rolled_out(options, players, 25, whole_turns=False)
    assert winners == [played(options, players, policy, 5, rollout) for rollout in range(25)]


@pytest.mark.parametrize("options", RULES, ids=lambda options: options.text)
def test_a_whole_turn_is_drawn_by_the_law_of_its_tosses(options: BjOptions) -> None:
    """The law of a turn, against one worked out through `State` from every toss and the policy's choices."""
    policy = policy_of(options)
    for own, best in ((0, 0), (600, 900), (950, 200)):
        chances = np.zeros(LONGEST)
        moments = {BjState(options, (own, best), CHANCE, 0, options.dice, 0, 0, -1): 1.0}
        for _ in range(60):
            following: dict[BjState, float] = {}
            for state, mass in moments.items():
                if state.roller != 0:
                    chances[min((state.scores[0] - own) // 50, LONGEST - 1)] += mass
                elif state.seat == CHANCE:
                    for roll, weight in zip(state.outcomes().rolls, state.outcomes().weights, strict=True):
                        after = state.roll(roll)
                        following[after] = following.get(after, 0.0) + mass * weight / state.outcomes().total
                else:
                    seats = Seats(np.array(state.scores) // 50, 0, -1)
                    safe = (own + state.safe) // 50
                    on = goes_on(policy, seats, state.dice, state.at_risk // 50, safe, np.full(LONGEST, -1.0))
                    after = state.apply(ROLL if on else PASS)
                    following[after] = following.get(after, 0.0) + mass
            moments = {state: mass for state, mass in following.items() if mass > 1e-12}
        assert turn_law(policy, best // 50, own // 50) == pytest.approx(chances.cumsum(), abs=1e-6)


def test_the_quick_choice_is_the_best_move() -> None:
    """Over random positions of two, the policy is a move that the values call the best, or tied with it."""
    evaluator, random = BjSolver().evaluator(RULES[0], 2), Random(4)
    chosen = set()
    for _ in range(12):
        state = BJ.start(2, RULES[0])
        while state.seat != OVER:
            if state.seat == CHANCE:
                state = state.roll(state.outcomes().at(random.randrange(state.outcomes().total)))
                continue
            move = evaluator.policy(state)
            assert evaluator.evaluate(state).line(move).tied
            chosen.add(move)
            state = state.apply(random.choice((ROLL, PASS)))
    assert chosen == {ROLL, PASS}


def test_luck_has_no_direction() -> None:
    _, luck = rolled_out(RULES[0], 4, 20_000)
    assert (np.abs(luck.mean(axis=0)) < 4 * luck.std(axis=0) / 20_000**0.5).all()


def test_the_last_turn_of_the_last_round_is_known() -> None:
    """With one player to come who needs more than 500, passing wins unless that player succeeds."""
    options = BjOptions()
    found = BjSolver().evaluator(options, 3).evaluate(parse_position("bj 4900/5200/5100 3 decide 2 300 0 2"))
    two = BjEvaluator(options, tables(options))
    chase = two.expected(BjState(options, (4900, 5400), CHANCE, 0, 6, 0, 0, 1), 0)
    assert found.unit is Unit.WIN
    assert not found.exact
    assert found.lines[0].action is PASS
    assert found.lines[0].value == pytest.approx(1 - chase, abs=1e-6)
    assert not found.lines[1].tied


def test_chances_of_all_seats_add_up() -> None:
    values = BjSolver().evaluator(RULES[0], 3)
    state = BJ.start(3, RULES[0])
    worth = [values.value(state, seat) for seat in range(3)]
    off = 4 * sum(one.error**2 for one in worth) ** 0.5
    assert sum(one.value for one in worth) == pytest.approx(1, abs=off)


def test_every_roll_is_listed_and_the_mean_is_the_worth() -> None:
    state = BJ.start(3, RULES[0])
    found = BjSolver().evaluator(RULES[0], 3).evaluate(state)
    assert {line.action for line in found.lines} == set(TOSSES[6].rolls)
    assert all(0 <= line.value <= 1 and line.error > 0 for line in found.lines)
    assert found.value == pytest.approx(BjSolver().evaluator(RULES[0], 3).expected(state, 0), abs=0.02)


def test_a_position_always_has_the_same_values() -> None:
    state = parse_position("bj(target=1000) 300/250/400 1 decide 3 400 0 -")
    first, second = (BjRollouts(RULES[0], 3).evaluate(state) for _ in range(2))
    assert first == second


def test_other_rules_are_refused() -> None:
    with pytest.raises(NotSolved):
        BjRollouts(RULES[0], 3).evaluate(BJ.start(4, RULES[0]))
    with pytest.raises(NotSolved):
        BjRollouts(RULES[0], 3).evaluate(BJ.start(3, RULES[1]))
    with pytest.raises(NotSolved, match="20000"):
        BjRollouts(BjOptions(target=50_000), 3)


def test_odd_positions_are_valued_too() -> None:
    """A player who is to take the last turn is ahead already, or hopelessly behind."""
    values = BjRollouts(RULES[0], 3)
    for text, least in (("9000/1100/1000 1 toss 6 0 0 2", 0.99), ("0/1000000/1000 1 toss 6 0 0 2", 0)):
        assert least <= values.expected(parse_position(f"bj(target=1000) {text}"), 0) <= least + 0.01
