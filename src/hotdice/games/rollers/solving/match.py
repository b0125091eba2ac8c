"""The two-player match of Rollers: the chances to win it as a round begins, one round solved after the other.

They depend on the points that each has to go and on who begins; the other begins the next round. A round gives at
least one point, so every match score is solved from those with fewer points to go: one round whose payoff is how the
chances change. A win that is shared counts half. In the kernels a chance p is 2p - 1, which the other has less.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from hotdice.games.rollers.rules import CHIPS, EMPTY_BOARD
from hotdice.games.rollers.solving.boards import TOTAL, number_of
from hotdice.games.rollers.solving.equity import Stakes, stakes_of
from hotdice.games.rollers.solving.lanes import Floats
from hotdice.games.rollers.solving.tables import RoundSolve

Needs = tuple[int, int]
"""The points that the player who begins the round has to go, and those that the other has."""


@dataclass(frozen=True, slots=True)
class Chance:
    """The chance to win a match of the player who begins a round, and its error."""

    value: float
    error: float


Known = dict[Needs, Chance]


def all_needs(most: int) -> Iterator[Needs]:
    """All match scores up to so many points to go, each after those that it leads to."""
    for total in range(2, 2 * most + 1):
        for mine in range(max(1, total - most), min(most, total - 1) + 1):
            yield mine, total - mine


def stakes_at(needs: Needs, share: bool, known: Known) -> Stakes:
    """The chance of the player who began and of the other, by how the round ends."""

    def chances(left: tuple[int, ...]) -> tuple[float, float]:
        other = known[left[1], left[0]].value
        return 1.0 - other, other

    return stakes_of(needs, share, chances)


def ends_of(stakes: Stakes) -> Floats:
    """What completing the board is worth by chips, to the player who began and to the other, from -1 to 1.

    One row is enough where it does not matter who began, as where the round ends the match and both need as much.
    """
    ends = np.empty((2, TOTAL + 1))
    for seat in range(2):
        for mine in range(TOTAL + 1):
            richest = 3 if 2 * mine == TOTAL else 1 << (seat if 2 * mine > TOTAL else 1 - seat)
            ends[seat, mine] = 2.0 * stakes[seat, min(mine, 1), richest, seat] - 1.0
    return ends[:1] if np.array_equal(ends[0], ends[1]) else ends


def error_after(needs: Needs, known: Known) -> float:
    """The largest error of the chances that a round may lead to."""
    return max((chance.error for left, chance in known.items() if follows(left, needs)), default=0.0)


def follows(left: Needs, needs: Needs) -> bool:
    """Whether a match score may come after another, when the other player begins."""
    return left[1] <= needs[0] and left[0] <= needs[1] and sum(left) < sum(needs)


def found_by(solve: RoundSolve, needs: Needs, share: bool, known: Known) -> Known:
    """The chances as a round begins, from the round solved.

    Where it does not matter who began, since the round ends the match, that is the same round if the other begins.
    """
    start, twin = number_of(EMPTY_BOARD), (needs[1], needs[0])
    error = 0.5 * solve.error + error_after(needs, known)
    found = {needs: Chance(0.5 + 0.5 * float(solve.values[0, start, start, CHIPS]), error)}
    if np.array_equal(ends_of(stakes_at(twin, share, known))[::-1], solve.ends):
        found[twin] = Chance(0.5 + 0.5 * float(solve.values[-1, start, start, CHIPS]), error)
    return found
