"""What an unfinished round of Rollers is worth: by the two-player round's table or, without it, by the race.

Among more than two players, and near the end of a match, it is put together from the odds of everybody to complete
first and to have the most chips then. The weights were fitted to rounds (`python -m benchmarks.match_rollers --fit`).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, sqrt
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hotdice.games.rollers.rules import CHIPS
from hotdice.games.rollers.solving.boards import TOTAL, Ints
from hotdice.games.rollers.solving.equity import Stakes
from hotdice.games.rollers.solving.lanes import Floats
from hotdice.solve.jit import kernel

Singles = NDArray[np.float32]

PLAYERS: Final = 5
RACE, TABLE, EXACT, MATCH = range(4)
"""What the value of an unfinished round is made from. EXACT is the two-player table for the points of a round, MATCH
that of a match score."""


class Guide(NamedTuple):
    """What values of unfinished rounds are made from."""

    values: Floats
    """The two-player round's values, or nothing."""
    race: Floats
    """The turns to close each board alone."""
    bends: Floats
    """By how many chips more I have: a lead that counts for less the larger it is."""
    first: Floats
    """What tells who completes first, without a table."""
    most: Floats
    """By kind, what tells who has the most chips in the end."""
    kinds: Ints
    """For each seat, whether it goes by the RACE, the TABLE, EXACT values or those of the MATCH."""
    match: Singles
    """The chances to win a match of two at its score, by part of the table, board, the other's board and chips."""
    parts: Ints
    """For each of two seats, the part of that table that its turns are in."""


class Aims(NamedTuple):
    """What everybody plays for in a round."""

    guide: Guide
    stakes: Stakes


class Players(NamedTuple):
    """The number of everybody's board, and everybody's chips, by seat."""

    boards: Ints
    chips: Ints


NO_VALUES: Final = np.zeros((1, 1, 1))
TINY: Final = 1e-30
"""Sets a chance of 1 apart from 0 in a table of a match score, where chances above a half are less by one."""
NO_MATCH: Final = np.zeros((1, 1, 1, 1), np.float32)
PURSE: Final = 14.0
"""The unit of chips in the weights."""
FIRST: Final = (0.0, 0.0, -0.191, -0.405, 0.158, 6.387, -0.150, -3.658)
"""Without a table, for completing first: the logarithm of the odds against one other who is to move, for 1, the round's
value, the lead in chips bent by a hyperbolic tangent, the lead in turns alone, the lead in chips, these two times how
soon it is over, and that alone: one over one more than the turns until somebody may be done. All weights were fitted
to rounds from positions at random (`python -m benchmarks.match_rollers --fit`)."""
MOST: Final = (
    (0.0, 0.0, 0.753, 0.330, -0.421, 4.080, 3.858, -4.615),
    (-0.258, 0.906, 0.974, -0.503, -0.542, 3.369, 3.061, 0.0),
)
"""The same for having the most chips in the end, without a table and with it. With it a constant plays better."""
FINISHER: Final = 4.2
"""By how much who completes first is likelier than others to have the most chips."""
SURE: Final = 1e-4
"""No chance is taken to be smaller."""
ALL_CHIPS: Final = PLAYERS * CHIPS


def guide_of(values: Floats | None, race: Floats, kinds: Sequence[int]) -> Guide:
    """The guide of players who go by a round's table, if there is one, or by the race."""
    bends = np.tanh(np.arange(-ALL_CHIPS, ALL_CHIPS + 1) / (2 * PURSE))
    return Guide(
        NO_VALUES if values is None else values, race, bends, np.array(FIRST), np.array(MOST), np.array(kinds),
        NO_MATCH, np.zeros(2, np.int64),
    )  # fmt: skip


def match_guide(match: Singles, race: Floats, parts: Sequence[int]) -> Guide:
    """The guide of two players who go by the table of their match score, with the part of each one's turns."""
    return guide_of(None, race, [MATCH, MATCH])._replace(match=match, parts=np.array(parts, np.int64))


# What an unfinished round is worth


@kernel
def pair_chips(mine: int, theirs: int) -> int:
    """What the other of two has of all chips of a two-player round, in the same ratio."""
    if mine + theirs == 0:
        return TOTAL // 2
    return int(theirs * (TOTAL / (mine + theirs)) + 0.5)


@kernel
def unpacked(chance: float) -> float:
    """A chance from a table of a match score."""
    return chance if chance >= 0.0 else 1.0 + chance


@kernel
def _weighed(weights: Floats, value: float, bend: float, lead: float, purse: float, soon: float) -> float:
    """The odds of another player against me, by how far I am ahead."""
    ahead = weights[0] + weights[1] * value + weights[2] * bend + weights[3] * lead + weights[4] * purse
    return exp(-ahead - soon * (weights[5] * lead + weights[6] * purse + weights[7]))


@kernel
def _by_value(value: float, most: float) -> tuple[float, float]:
    """The odds of the other of two to complete first and to have the most chips, by those of the latter alone.

    The value is two points for the first and one for the second, less the other's, so that one follows from the other.
    """
    first = 0.5 + 0.25 * (value - (1.0 - most) / (1.0 + most))
    first = min(max(first, SURE), 1.0 - SURE)
    richest = min(max(1.5 + 0.5 * value - 2.0 * first, SURE), 1.0 - SURE)
    return 1.0 / first - 1.0, 1.0 / richest - 1.0


class Outlook(NamedTuple):
    """What one player makes of an unfinished round: the parts of `Aims` that are theirs."""

    kind: int
    values: Floats
    match: Singles
    parts: Ints
    race: Floats
    bends: Floats
    firsts: Floats
    """The weights of what tells who completes first."""
    mosts: Floats
    """The weights of what tells who has the most chips then."""
    worths: Floats
    """By who completes first and who has the most chips: what that is worth to this player."""


@kernel
def outlook_of(aims: Aims, me: int) -> Outlook:
    """The outlook of a player."""
    guide, stakes = aims.guide, aims.stakes
    players = len(stakes)
    worths = np.empty((players, players))
    for finisher in range(players):
        for richest in range(players):
            worths[finisher, richest] = stakes[finisher, 1, 1 << richest, me]
    kind = guide.kinds[me]
    mosts = guide.most[min(kind, TABLE)]
    return Outlook(
        kind, guide.values, guide.match, guide.parts, guide.race, guide.bends, guide.first, mosts, worths
    )  # fmt: skip


@kernel
def goes_on(outlook: Outlook, boards: Ints, chips: Ints, me: int, board: int, odds: Floats) -> float:
    """What a round is worth to me after my turn left me this board and everybody these chips.

    `odds` is work memory.
    """
    kind, values, race, bends = outlook.kind, outlook.values, outlook.race, outlook.bends
    firsts, mosts, worths = outlook.firsts, outlook.mosts, outlook.worths
    players = len(boards)
    if kind == MATCH:
        other = 1 - me
        return 1.0 - unpacked(outlook.match[outlook.parts[other], boards[other], board, chips[other]])
    if kind == EXACT:
        return -float(values[boards[1 - me], board, chips[1 - me]])
    odds[0, me], odds[1, me] = 1.0, 1.0
    mine = race[board]
    for other in range(players):
        if other != me:
            more = chips[me] - chips[other]
            theirs = race[boards[other]]
            soon = 1.0 / (1.0 + min(theirs, mine + 1.0))
            lead, purse, bend = theirs - mine, more / PURSE, bends[more + ALL_CHIPS]
            if kind == TABLE:
                value = -values[boards[other], board, pair_chips(chips[me], chips[other])]
                most = _weighed(mosts, value, bend, lead, purse, soon)
                odds[0, other], odds[1, other] = _by_value(value, most)
            else:
                odds[1, other] = _weighed(mosts, 0.0, bend, lead, purse, soon)
                odds[0, other] = _weighed(firsts, 0.0, bend, lead, purse, soon)
    return _of_two(odds, worths, me) if players == 2 else _of_many(odds, worths)


@kernel
def _of_two(odds: Floats, worths: Floats, me: int) -> float:
    """What a round of two is worth by the odds of the other; both events together by Plackett's formula."""
    other = 1 - me
    first, most = 1.0 / (1.0 + odds[0, other]), 1.0 / (1.0 + odds[1, other])
    ratio = FINISHER * FINISHER
    total = 1.0 + (first + most) * (ratio - 1.0)
    both = (total - sqrt(total * total - 4.0 * ratio * (ratio - 1.0) * first * most)) / (2.0 * (ratio - 1.0))
    return float(
        both * worths[me, me]
        + (first - both) * worths[me, other]
        + (most - both) * worths[other, me]
        + (1.0 - first - most + both) * worths[other, other]
    )


@kernel
def _of_many(odds: Floats, worths: Floats) -> float:
    """What a round is worth by the odds of everybody to complete first and to have the most chips."""
    players = len(worths)
    first, most = odds[0].sum(), odds[1].sum()
    worth = 0.0
    for finisher in range(players):
        extra = (FINISHER - 1.0) * odds[1, finisher]
        part = extra * worths[finisher, finisher]
        for richest in range(players):
            part += odds[1, richest] * worths[finisher, richest]
        worth += odds[0, finisher] * part / (most + extra)
    return float(worth / first)
