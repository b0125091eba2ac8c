"""What tosses of BJ's dice mean, as tables for compiled games. Points are counted in steps of 50."""

from __future__ import annotations

from operator import attrgetter
from typing import NamedTuple

import numpy as np

from hotdice.dice import Roll
from hotdice.games.bj.rules import TOSSES, BjOptions, read_toss
from hotdice.games.bj.solving.solver import STEP
from hotdice.solve.batches import Ints
from hotdice.solve.turns import Tosses, kinds_of


class Toss(NamedTuple):
    """What a toss means."""

    points: int
    left: int
    """The dice of the next one; for a scoreless one, its own."""
    hot: bool
    """Whether that are all dice again, as the last ones scored."""


class Board(NamedTuple):
    """The rules, as tables."""

    tosses: Tosses
    points: Ints
    left: Ints
    hot: Ints
    """[kind of toss]: as in `Toss`."""
    target: int
    dice: int
    keeps: bool
    """Whether a scoreless toss of fewer than all dice loses nothing."""


def board_of(options: BjOptions) -> Board:
    """The rules of a toss and of the game, as tables."""

    def meaning(roll: Roll) -> Toss:
        toss, dice = read_toss(roll), len(roll)
        if not toss.points:
            return Toss(0, dice, hot=False)
        return Toss(toss.points // STEP, dice - toss.frozen or options.dice, hot=toss.frozen == dice)

    tosses, kinds = kinds_of(
        Toss(0, options.dice, hot=True), {dice: TOSSES[dice] for dice in range(1, options.dice + 1)}, meaning,
        attrgetter("left"),
    )  # fmt: skip
    points, left, hot = np.array(kinds, np.int64).T.copy()
    return Board(tosses, points, left, hot, options.target // STEP, options.dice, options.bust == "all_dice")
