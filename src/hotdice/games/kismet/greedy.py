"""A sensible Kismet player: makes the most of this turn, measured against a par for each box."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from hotdice.dice import Roll
from hotdice.game import Move
from hotdice.games.kismet.rules import DICE, ROLLS, TOSSES, VACANT, Box, Keep, Score, box_scores, keeps
from hotdice.games.kismet.state import KismetState

PAR: Final = (2, 5, 8, 12, 15, 18, 15, 20, 16, 18, 20, 12, 18, 22, 8)
"""A modest score for each box, so that a box is not spent on less than it is likely to bring later."""

Worth = dict[Roll, float]


@lru_cache(maxsize=64)
def _keep_worths(vacant: tuple[Box, ...], rolls_left: int, kismet_is_full_house: bool) -> Worth:
    """What keeping each multiset is worth on average with `rolls_left` rolls to come; five dice, their best box."""
    final = TOSSES[DICE].rolls
    scores = {dice: box_scores(dice, kismet_is_full_house) for dice in final}
    best: Worth = {dice: max(scores[dice][box] - PAR[box] for box in vacant) for dice in final}
    stop = dict(best)
    worth: Worth = best
    for left in range(rolls_left):
        if left:
            best = {dice: max(stop[dice], *(worth[kept] for kept in keeps(dice))) for dice in final}
        worth = dict(best)
        for count in range(DICE - 1, -1, -1):
            for kept in TOSSES[count].rolls:
                worth[kept] = sum(worth[tuple(sorted((*kept, face)))] for face in range(1, 7)) / 6
    return worth


def beat_par(state: KismetState) -> Move:
    """The keep or box with the best expected score over par this turn, as if no turn came after."""
    flag = state.options.kismet_is_full_house
    vacant = tuple(box for box in Box if state.sheets[state.seat][box] == VACANT)
    scores = box_scores(state.dice, flag)
    worths = _keep_worths(vacant, ROLLS - state.rolls, flag) if state.rolls < ROLLS else {}

    def worth(move: Move) -> float:
        match move:
            case Score(box):
                return scores[box] - PAR[box]
            case Keep(dice):
                return worths[dice]
        raise state.illegal(move)

    return max(state.legal_moves(), key=worth)
