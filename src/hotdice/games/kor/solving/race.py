"""KOR among many, judged as a race in which nobody minds the others.

Each seat reaches the target after as many turns as its own dice take, and the first to be there wins. That is quick
and smooth, but not exact: it is used for the differences between moves alone.
"""

from __future__ import annotations

from functools import cache
from typing import Final

import numpy as np

from hotdice.games.kor.rules import DICE, KorOptions
from hotdice.games.kor.solving.kernel import DEAD_OR_U, STOP_OR_DEAD, U_TURN, Floats, Ints
from hotdice.games.kor.solving.turns import STEP, all_lists
from hotdice.solve.jit import kernel

TURNS: Final = 80
"""The longest race, in turns of each seat."""
BEHIND: Final = 8000 // STEP
"""How far below zero a score may be and still be told from others."""


@cache
def reached(options: KorOptions) -> Floats:
    """[steps short of the target, turns]: the chance to have reached it by the end of that many turns.

    Every seat serves as many penalties as it hands out, on average: one after each turn with the chance of a U-TURN.
    """
    lists, dead = all_lists(options.bank_roll, options.scoring, DICE)
    gain, loss = lists.sum(0), lists.sum(0) - lists[STOP_OR_DEAD] - lists[DEAD_OR_U]
    gain[0] += dead
    loss[0] += 1.0 - loss.sum()
    sent = float(lists[U_TURN].sum())
    size = options.target // STEP + BEHIND + 1
    gain, loss = (np.pad(points, (0, size)) for points in (gain, loss))
    after, back = np.zeros((size, size)), np.zeros((size, size))
    for short in range(1, size):
        after[short, 1 : short + 1] = gain[:short][::-1]
        after[short, 0] = 1.0 - after[short].sum()
        back[short, short:] = loss[: size - short]
        back[short, -1] += 1.0 - back[short].sum()
    after[0, 0] = back[0, 0] = 1.0
    turn = after @ ((1.0 - sent) * np.eye(size) + sent * back)
    chances = np.zeros((size, TURNS + 1))
    chances[0, 0] = 1.0
    for count in range(TURNS):
        chances[:, count + 1] = turn @ chances[:, count]
    return chances


@kernel
def judged(chances: Floats, goal: int, scores: Ints, turn: int, seat: int) -> float:
    """The chance of a seat to be the first in such a race, as a turn begins."""
    players, last = scores.size, chances.shape[0] - 1
    won = 0.0
    mine = min(max(goal - scores[seat], 0), last)
    for count in range(1, chances.shape[1]):
        others = 1.0
        for step in range(players):
            other = (turn + step) % players
            if other != seat:
                before = step < (seat - turn) % players
                short = min(max(goal - scores[other], 0), last)
                others *= 1.0 - chances[short, count if before else count - 1]
        won += (chances[mine, count] - chances[mine, count - 1]) * others
        if others < 1e-6:
            break
    return won
