"""Playouts by the greedy rule: honest errors, the same dice, and an end to all of them."""

from __future__ import annotations

from dataclasses import replace
from math import sqrt

import pytest

from hotdice import CHANCE, OVER, Move, State, parse_position
from hotdice.dice import Roll
from hotdice.games.pig import HOLD, PIG, ROLL, PigState
from hotdice.solve import playouts
from hotdice.solve.playouts import Playouts, play_out
from hotdice.values import NotSolved, Unit
from tests.solve import expectimax

SMALL = parse_position("pig(target=10) 2/4/3 1 0 roll")


def greedy_value(start: State) -> float:
    """The first seat's chance to win if all play by the greedy rule, by iteration over all that it comes to."""
    states: dict[State, list[tuple[float, State]]] = {}
    waiting = [start]
    while waiting:
        state = waiting.pop()
        if state in states or state.seat == OVER:
            continue
        if state.seat == CHANCE:
            outcomes = state.outcomes()
            pairs = zip(outcomes.rolls, outcomes.weights, strict=True)
            states[state] = [(weight / outcomes.total, state.roll(roll)) for roll, weight in pairs]
        else:
            states[state] = [(1.0, state.apply(state.game.greedy(state)))]
        waiting += [after for _, after in states[state]]
    values = dict.fromkeys(states, 0.0)
    for _ in range(300):
        for state, following in reversed(states.items()):
            values[state] = sum(
                chance * (expectimax.win(after) if after.seat == OVER else values[after]) for chance, after in following
            )
    return values[start]


def test_the_error_is_honest(monkeypatch: pytest.MonkeyPatch) -> None:
    """Over many seeds about two in three values are within one standard error, and nearly all within three."""
    true = greedy_value(SMALL)
    monkeypatch.setattr(playouts, "STEPS", 2000)
    off: list[float] = []
    for seed in range(200):
        found = Playouts(Unit.WIN).value(SMALL, 0, seed=seed)
        off.append((found.value - true) / found.error)
    within = sum(abs(one) <= 1 for one in off) / len(off)
    assert 0.55 < within < 0.80  # 0.68 expected, four standard errors of which are 0.13
    assert sum(abs(one) <= 3 for one in off) >= 195
    assert abs(sum(off) / len(off)) < 4 / sqrt(len(off))  # no bias


def test_a_winning_move_is_seen() -> None:
    found = Playouts(Unit.WIN).evaluate(parse_position("pig(target=10) 2/4/3 1 8 decide"))
    assert [line.action for line in found.lines] == [HOLD, ROLL]
    assert (found.lines[0].value, found.lines[0].error) == (1.0, 0.0)
    assert not found.lines[1].tied
    assert 0 < found.lines[1].error < 0.1
    assert not found.exact


def test_the_same_position_always_has_the_same_values() -> None:
    assert Playouts(Unit.WIN).evaluate(SMALL) == Playouts(Unit.WIN).evaluate(SMALL)


def test_before_a_roll_the_value_is_the_average_over_the_rolls() -> None:
    found = Playouts(Unit.WIN).evaluate(SMALL)
    assert len(found.lines) == 6
    assert found.value == pytest.approx(sum(line.value for line in found.lines) / 6)
    assert found.value == pytest.approx(greedy_value(SMALL), abs=4 * max(line.error for line in found.lines))


def test_moves_are_compared_on_the_same_dice(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the same playout each seat rolls the same, as often as it rolls at all."""
    rolls: list[tuple[int, Roll]] = []
    plain = PigState.roll

    def noted(state: PigState, roll: Roll) -> PigState:
        rolls.append((state.roller, roll))
        return plain(state, roll)

    monkeypatch.setattr(PigState, "roll", noted)
    state = parse_position("pig(target=30) 2/4/3 1 9 decide")
    seen: list[list[list[Roll]]] = []
    for move in (HOLD, ROLL):
        rolls.clear()
        play_out(state.apply(move), 7, 3)
        seen.append([[roll for roller, roll in rolls if roller == seat] for seat in range(3)])
    for held, rolled in zip(*seen, strict=True):
        shorter = min(len(held), len(rolled))
        assert shorter > 2
        assert held[:shorter] == rolled[:shorter]


def never_holds(state: State) -> Move:
    return ROLL


def test_games_without_an_end_are_refused_and_do_not_hang(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(playouts, "LONGEST", 500)
    monkeypatch.setattr(type(SMALL), "game", replace(PIG, greedy=never_holds))
    with pytest.raises(NotSolved, match="more than 500 moves and rolls"):
        Playouts(Unit.WIN).expected(SMALL, 0)


def test_a_slow_rule_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(playouts, "SECONDS", 0.0)
    with pytest.raises(NotSolved, match="take too long"):
        Playouts(Unit.WIN).evaluate(SMALL)


def test_a_game_that_is_over_is_worth_what_it_was_won_for() -> None:
    over = parse_position("pig(target=10) 2/4/3 1 8 decide").apply(HOLD)
    assert [Playouts(Unit.WIN).expected(over, seat) for seat in range(3)] == [1.0, 0.0, 0.0]
    with pytest.raises(NotSolved, match="over"):
        Playouts(Unit.WIN).evaluate(over)
