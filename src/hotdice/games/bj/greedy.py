"""A sensible player of BJ's dice: weighs what one more toss gains against what it may lose."""

from __future__ import annotations

from functools import cache

from hotdice.game import Move
from hotdice.games.bj.rules import BONUS, NOBODY, PASS, ROLL, TOSSES, forfeits, read_toss
from hotdice.games.bj.state import BjState


def look_one_toss_ahead(state: BjState) -> Move:
    """Roll while one more toss gains more than it loses on average, or while passing would lose the game."""
    mine = state.scores[state.seat] + state.at_risk + state.safe
    if state.starter != NOBODY:
        best_before = state.scores[state.winner]
        if mine <= best_before:
            return ROLL
        if (state.seat + 1) % len(state.scores) == state.starter:
            return PASS
    points, scoreless = next_toss(state.dice)
    loss = state.at_risk if forfeits(state.options, state.dice) else 0
    return ROLL if points > scoreless * loss else PASS


@cache
def next_toss(dice: int) -> tuple[int, int]:
    """Over all rolls of a toss: the points that it brings, summed by weight, and the weight of the scoreless ones."""
    outcomes = TOSSES[dice]
    points = scoreless = 0
    for roll, weight in zip(outcomes.rolls, outcomes.weights, strict=True):
        toss = read_toss(roll)
        points += weight * (toss.points + (BONUS if toss.frozen == dice else 0))
        scoreless += 0 if toss.points else weight
    return points, scoreless
