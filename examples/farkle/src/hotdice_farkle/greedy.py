"""A sensible move by a simple rule: what would one more roll bring on average?"""

from __future__ import annotations

from functools import cache

from hotdice.game import Move
from hotdice_farkle.rules import BANK, DICE, NOBODY, ROLL, TOSSES, FarkleOptions, Keep, keeps, scores
from hotdice_farkle.state import FarkleState


@cache
def next_roll(options: FarkleOptions, dice: int) -> tuple[float, float]:
    """For one roll: its points on average, and the chance that it is no farkle."""
    points = safe = 0
    table = scores(options)
    for roll, weight in zip(TOSSES[dice].rolls, TOSSES[dice].weights, strict=True):
        if found := keeps(options, roll):
            points += weight * table[found[0].dice]
            safe += weight
    return points / TOSSES[dice].total, safe / TOSSES[dice].total


def after_one_roll(options: FarkleOptions, points: int, dice: int) -> float:
    """What a turn is worth on average that goes on for one more roll."""
    gain, safe = next_roll(options, dice)
    return points * safe + gain


def look_one_roll_ahead(state: FarkleState) -> Move:
    """Keep what leaves the best prospects; roll while that gains on average, or while banking would lose the game."""
    if state.rolled:
        return max(keeps(state.options, state.rolled), key=lambda move: _prospect(state, move))
    mine = state.scores[state.seat] + state.points
    if state.starter != NOBODY:
        if mine < max(state.scores):
            return ROLL
        if (state.seat + 1) % len(state.scores) == state.starter and mine > max(state.scores):
            return BANK
    return ROLL if after_one_roll(state.options, state.points, state.dice) > state.points else BANK


def _prospect(state: FarkleState, move: Keep) -> float:
    points = state.points + scores(state.options)[move.dice]
    left = state.dice - len(move.dice) or DICE
    return max(points, after_one_roll(state.options, points, left))
