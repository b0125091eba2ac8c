"""One toss and one turn of KOR as chances, from the rules of a toss.

A turn has no decision but a split, so all its possible ends can be listed: how it ends, with how many points, and
splits with both ways on. All points are counted in steps of 25.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from typing import Final

import numpy as np

from hotdice.games.kor.rules import DICE, TOSSES, KorOptions, Side, read_toss
from hotdice.games.kor.solving.kernel import (
    BANK,
    DEAD_OR_U,
    STOP,
    STOP_OR_DEAD,
    STOP_OR_U,
    U_TURN,
    Chances,
    Floats,
    Toss,
    Turn,
)

STEP: Final = 25
"""All points are multiples of this."""
ROOM: Final = 1536
"""In steps: turns of this many points or more have a chance below 1e-30."""
DEAD: Final = BANK
"""The column of a DEAD END among the ends of a toss."""
ENDS: Final = {
    (): STOP,
    (Side.STOP,): STOP,
    (Side.DEAD_END,): DEAD,
    (Side.U_TURN,): U_TURN,
    (Side.STOP, Side.DEAD_END): STOP_OR_DEAD,
    (Side.STOP, Side.U_TURN): STOP_OR_U,
    (Side.DEAD_END, Side.U_TURN): DEAD_OR_U,
}


@cache
def toss_table(bank_roll: bool, scoring: str) -> Toss:
    """The rules of one toss as chances."""
    ends = np.zeros((DICE + 1, DEAD + 1))
    rows: list[list[tuple[int, int, float]]] = []
    for dice in range(1, DICE + 1):
        weights: Counter[tuple[int, int]] = Counter()
        outcomes = TOSSES[dice]
        for roll, weight in zip(outcomes.rolls, outcomes.weights, strict=True):
            toss = read_toss(roll)
            if bank_roll and toss.scoring == DICE:
                weights[toss.total // STEP, 0] += weight
            elif toss.signs or not toss.scoring:
                ends[dice, ENDS[toss.signs]] += weight / outcomes.total
            else:
                gain = toss.total if scoring == "all" else toss.highest
                weights[gain // STEP, dice - 1 or DICE] += weight
        rows.append([(gain, left, weight / outcomes.total) for (gain, left), weight in sorted(weights.items())])
    gains, lefts, chances = zip(*(outcome for row in rows for outcome in row), strict=True)
    begin = np.array([0, 0, *accumulate(map(len, rows))])
    return Toss(ends, begin, np.array(gains), np.array(lefts), np.array(chances))


@cache
def all_lists(bank_roll: bool, scoring: str, dice: int = DICE) -> tuple[Floats, float]:
    """The chance of each way to end a turn that goes on with some dice, by points; and that of a DEAD END."""
    toss = toss_table(bank_roll, scoring)
    lists, reached, dead = np.zeros((BANK + 1, ROOM)), np.zeros((ROOM + 32, DICE + 1)), 0.0
    reached[0, dice] = 1.0
    for points in range(ROOM):
        ended = reached[points] @ toss.ends
        lists[:DEAD, points] += ended[:DEAD]
        dead += float(ended[DEAD])
        for left in range(1, DICE + 1):
            outcomes = slice(toss.begin[left], toss.begin[left + 1])
            after, weight = points + toss.gain[outcomes], reached[points, left] * toss.chance[outcomes]
            goes_on = toss.left[outcomes] > 0
            reached[after[goes_on], toss.left[outcomes][goes_on]] += weight[goes_on]
            banked = ~goes_on & (after < ROOM)
            lists[BANK, after[banked]] += weight[banked]
    return lists, dead


@dataclass(frozen=True, slots=True)
class TurnLaw:
    """What a turn from its first toss comes to, whoever plays it: all but the choice in a split is chance."""

    points: float
    """The mean points of a turn, a DEAD END counted as none, with the better sign followed in a split."""
    dead_end: float
    """The chance of a DEAD END."""
    u_turn: float
    """The chance of a U-TURN."""
    split: float
    """The chance of a choice between two signs."""


def turn_law(options: KorOptions) -> TurnLaw:
    """The law of a turn. After a Bank Roll a turn begins anew, so what comes before is weighed by how often it does."""
    lists, dead = all_lists(options.bank_roll, options.scoring)
    turns = 1.0 / (1.0 - float(lists[BANK].sum()))
    points = STEP * float(lists.sum(0) @ np.arange(ROOM))
    split = float(lists[STOP_OR_DEAD : DEAD_OR_U + 1].sum())
    return TurnLaw(turns * points, turns * dead, turns * float(lists[U_TURN].sum()), turns * split)


def turn_lists(bank_roll: bool, scoring: str, rare: float) -> tuple[Floats, float]:
    """The same, with all points put together from where they are rarer than `rare` on."""
    lists, dead = all_lists(bank_roll, scoring)
    most = int(np.argmax(lists.sum(0)[::-1].cumsum()[::-1] <= rare))
    lists = lists.copy()
    lists[:, most] = lists[:, most:].sum(1)
    return lists[:, : most + 1].copy(), dead


def turn_for_sweeps(bank_roll: bool, scoring: str, rare: float) -> Turn:
    """The lists as the sweeps want them: splits cut where they are rare, and scores left as they are kept apart."""
    lists, dead = turn_lists(bank_roll, scoring, rare)
    split = slice(STOP_OR_DEAD, DEAD_OR_U + 1)
    splits = int(np.argmax(lists[split].sum(0)[::-1].cumsum()[::-1] <= rare))
    lists[STOP, splits:] += lists[split, splits:].sum(0)
    lists[split, splits:] = 0.0
    tails = np.ascontiguousarray(lists[:, ::-1].cumsum(1)[:, ::-1])
    moving = lists.copy()
    moving[STOP, 0] = moving[STOP_OR_DEAD, 0] = 0.0
    stays = dead + float(lists[STOP, 0] + lists[STOP_OR_DEAD, 0])
    every = Chances(lists, tails, dead, splits, bank_roll)
    return Turn(every, every._replace(lists=moving, dead=0.0), stays)
