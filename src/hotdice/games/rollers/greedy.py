"""A sensible Rollers player: secures what the dice already give, and chases one number with the rest."""

from __future__ import annotations

from collections import Counter
from functools import cache
from math import comb
from typing import Final

from hotdice.game import Move
from hotdice.games.rollers.rules import (
    CLOSED,
    DICE,
    EMPTY,
    FULL_BOARD,
    NUMBERS,
    OPEN,
    ROLLS,
    STAR,
    STOP,
    Apply,
    Keep,
    pool_of,
)
from hotdice.games.rollers.state import RollersState

CLOSING: Final = 3
"""What closing a section is worth beyond its number; opening one is worth twice its number."""
CHIP: Final = 0.15
"""What a chip is worth."""


def chase_one_number(state: RollersState) -> Move:
    """Apply for the most progress; before that, keep what is useful and roll the rest while rolls are left."""
    if state.rolls == ROLLS:
        return max(state.legal_moves(), key=lambda move: _gain(state, move))
    dice = _useful(state)
    if state.options.saved_dice == "locked":
        dice = tuple(sorted((Counter(dice) | Counter(state.kept)).elements()))
    return Keep(dice) if len(dice) < DICE else STOP


def _gain(state: RollersState, move: Move) -> float:
    if not isinstance(move, Apply):
        raise state.illegal(move)
    board, chips, _ = state.outcome_of(move.uses)
    worth = CHIP * (chips[state.seat] - state.chips[state.seat])
    for number, before, after in zip(NUMBERS, state.boards[state.seat], board, strict=True):
        worth += 2 * number * (before == EMPTY and after != EMPTY)
        worth += (number + CLOSING) * (before != CLOSED and after == CLOSED)
    return worth + 100 * (board == FULL_BOARD)


def _useful(state: RollersState) -> tuple[int, ...]:
    """The dice to keep: STARs, those that open or close something now, and those of the number to chase."""
    usable = state.usable
    if state.zapped:
        return usable
    board = state.boards[state.seat]
    counts, stars = pool_of(usable).counts, pool_of(usable).stars
    left = ROLLS - state.rolls
    needs = {
        number: number + 1 if section == EMPTY else 1
        for number, section in zip(NUMBERS, board, strict=True)
        if section != CLOSED
    }
    wanted = {number: min(counts[number - 1], need) for number, need in needs.items()}
    secured = {n: have for n, have in wanted.items() if board[n - 1] == OPEN or have >= n}
    open_dice = len(usable) - stars - sum(secured.values())

    def promise(number: int) -> float:
        have = counts[number - 1] + stars
        free = max(0, open_dice - counts[number - 1])
        reach = [at_least(need - have, free, left) for need in (number, number + 1)]
        return 2 * number * reach[0] + (number + CLOSING) * reach[1]

    chase = max((number for number in needs if number not in secured), key=promise, default=0)
    keep: list[int] = []
    budget = {**secured, **({chase: wanted[chase]} if chase else {})}
    for die in usable:
        number = die % 10
        if die == STAR:
            keep.append(die)
        elif budget.get(number, 0) > 0:
            budget[number] -= 1
            keep.append(die)
    return tuple(keep)


@cache
def at_least(successes: int, dice: int, rolls: int) -> float:
    """The chance that at least `successes` of some dice show a number or a STAR within so many rolls."""
    if successes <= 0:
        return 1.0
    chance = 1 - (2 / 3) ** rolls
    total = 0.0
    for count in range(successes, dice + 1):
        total += comb(dice, count) * chance**count * (1 - chance) ** (dice - count)
    return total
