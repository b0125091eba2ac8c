"""One-player Yahtzee as a sheet for Kismet's kernel: a check of the method against published digits.

Boxes 0 to 5 are the upper ones, then three and four of a kind, full house, small and large straight, chance, and
Yahtzee twice: as a zero and as 50, since the bonus for later ones asks which of them stands there. So bit 12 of a box
set says that the Yahtzee box is filled, and bit 13 that it holds 50.
"""

from __future__ import annotations

from collections import Counter
from enum import Enum

import numpy as np

from hotdice.dice import Roll
from hotdice.games.kismet.solving.sheets import Sheet, make_sheet
from hotdice.solve.multisets import multisets

UPPER = range(6)
FULL_HOUSE, SMALL, LARGE, CHANCE, ZERO, FIFTY = 8, 9, 10, 11, 12, 13
ROLLS = multisets(5).rolls
ORDINARY = (1 << FIFTY) - 1
"""All boxes that any roll may go into: Yahtzee as 50 takes a Yahtzee."""


class Joker(Enum):
    """What a Yahtzee is good for once the Yahtzee box is filled."""

    NOTHING = "no bonus, no joker"
    FREE = "a bonus of 100, and a joker once its upper box is filled; any box may be chosen"
    FORCED = "the same, but its upper box comes first, then the lower boxes"


def box_points(dice: Roll, joker: bool) -> list[int]:
    """What five dice score in each box; a joker scores as a full house and as both straights too."""
    counts = Counter(dice)
    most, total = max(counts.values()), sum(dice)
    faces = set(dice)
    small = any(faces >= set(range(low, low + 4)) for low in (1, 2, 3))
    large = any(faces >= set(range(low, low + 5)) for low in (1, 2))
    return [
        *(face * counts[face] for face in range(1, 7)),
        total if most >= 3 else 0,
        total if most >= 4 else 0,
        25 if sorted(counts.values()) == [2, 3] or joker else 0,
        30 if small or joker else 0,
        40 if large or joker else 0,
        total,
        0,
        50 if most == 5 else 0,
    ]


def legal_groups(dice: Roll, yahtzee_filled: bool, rule: Joker) -> list[int]:
    """Sets of boxes in the order in which the rule asks for them."""
    if len(set(dice)) > 1:
        return [ORDINARY] * 3
    if yahtzee_filled and rule is Joker.FORCED:
        own, upper = 1 << dice[0] - 1, 0b111111
        return [own, ORDINARY & ~upper, upper]
    return [ORDINARY | 1 << FIFTY] * 3


def yahtzee(rule: Joker) -> Sheet:
    """The sheet; its tables depend on the upper boxes filled (64 sets) and on the Yahtzee box (vacant, 0, 50)."""
    kinds = [(box, upper) for box in ("vacant", "zero", "fifty") for upper in range(64)]
    points = np.zeros((len(kinds), len(ROLLS), 14))
    legal = np.zeros((len(kinds), len(ROLLS), 3), np.int64)
    for kind, (box, upper) in enumerate(kinds):
        for roll, dice in enumerate(ROLLS):
            again = len(set(dice)) == 1 and box != "vacant" and rule is not Joker.NOTHING
            joker = again and bool(upper >> dice[0] - 1 & 1)
            points[kind, roll] = box_points(dice, joker)
            points[kind, roll] += 100 if again and box == "fifty" else 0
            legal[kind, roll] = legal_groups(dice, box != "vacant", rule)
    masks = np.arange(1 << 14)
    state = np.where(masks >> ZERO & 1, 1 + (masks >> FIFTY & 1), 0)
    plain = np.array([box_points(dice, False) for dice in ROLLS])
    return make_sheet(
        rolls=3,
        points=points,
        gain=np.where(np.arange(14) < len(UPPER), plain, 0),
        bonus=[35 if total >= 63 else 0 for total in range(64)],
        marked=[len(set(dice)) == 1 for dice in ROLLS],
        writes=[*(1 << box for box in range(13)), 1 << ZERO | 1 << FIFTY],
        kind=state * 64 + (masks & 63),
        legal=legal,
        zero=ORDINARY,
    )
