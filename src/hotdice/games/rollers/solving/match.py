"""The two-player match of Rollers: the chances to win it as a round begins, and what the end of a round is worth.

Chances depend on the points that each has to go and on who begins; the other begins the next round. A round gives at
least one point, so every match score is solved from those with fewer points to go: one round whose payoff is how the
chances change. More points and more chips are never worse, as the round's proof wants it: with a point less to go
everything that wins still wins. A win that is shared counts half. In the kernels a chance p is 2p - 1, which the other
loses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Final

import numpy as np

from hotdice.games.rollers.rules import CHIPS, EMPTY_BOARD, RollersOptions
from hotdice.games.rollers.solving import equity
from hotdice.games.rollers.solving.boards import TOTAL, number_of
from hotdice.games.rollers.solving.chances import CHANCES
from hotdice.games.rollers.solving.equity import Chance, Known, Needs, Stakes, stakes_of
from hotdice.games.rollers.solving.lanes import Floats
from hotdice.games.rollers.solving.tables import RoundSolve

ChanceAt = Callable[[Needs], Chance]

UNKNOWN: Final = 0.06
"""How far those may be off that were not solved at all: of those that are, with six or seven points to go, the guess
misses none by more than 0.0582."""
GAINS: Final = ((3, 0), (2, 0), (2, 1), (1, 1), (3, 1))
"""What a round may give the player who completes the board, and the other."""


def all_needs(most: int) -> Iterator[Needs]:
    """All match scores up to so many points to go, each after those that it leads to."""
    for total in range(2, 2 * most + 1):
        for mine in range(max(1, total - most), min(most, total - 1) + 1):
            yield mine, total - mine


# What is known of chances


def rules_of(options: RollersOptions) -> str:
    """The house rules that chances depend on, as text: all but the length of the match."""
    return RollersOptions(chip_tie=options.chip_tie, saved_dice=options.saved_dice).text


def chances_for(options: RollersOptions) -> ChanceAt:
    """The chances of matches under some house rules: solved ones, or for longer matches a guess."""
    return _chances_for(rules_of(options))


@lru_cache(maxsize=8)
def _chances_for(rules: str) -> ChanceAt:
    known: Known = CHANCES.get(rules, {})

    @lru_cache(maxsize=4096)
    def chance_at(needs: Needs) -> Chance:
        if needs in known:
            return known[needs]
        return Chance(equity.chances(needs)[0], UNKNOWN)

    return chance_at


# Rounds of a match


def stakes_at(needs: tuple[int, int], began: int, share: bool, chance_at: ChanceAt) -> Stakes:
    """The chance of each of two to win the match by how the round ends that one of them began."""

    def chances(left: tuple[int, ...]) -> tuple[float, float]:
        next_one = chance_at((left[1 - began], left[began])).value
        return (next_one, 1.0 - next_one) if began else (1.0 - next_one, next_one)

    return stakes_of(needs, share, chances)


def ends_of(stakes: Stakes) -> Floats:
    """What completing the board is worth by chips, to each of two, from -1 to 1.

    One row is enough where it is the same for both.
    """
    ends = np.empty((2, TOTAL + 1))
    for seat in range(2):
        for mine in range(TOTAL + 1):
            richest = 3 if 2 * mine == TOTAL else 1 << (seat if 2 * mine > TOTAL else 1 - seat)
            ends[seat, mine] = 2.0 * stakes[seat, min(mine, 1), richest, seat] - 1.0
    return ends[:1] if np.array_equal(ends[0], ends[1]) else ends


def error_after(needs: Needs, chance_at: ChanceAt) -> float:
    """The largest error of the chances that a round may lead to."""
    pairs = {pair for gains in GAINS for pair in (gains, gains[::-1])}
    left = [(needs[1] - theirs, needs[0] - mine) for mine, theirs in pairs]
    return max((chance_at(after).error for after in left if min(after) > 0), default=0.0)


def found_by(solve: RoundSolve, needs: Needs, share: bool, chance_at: ChanceAt) -> Known:
    """The chances as a round begins, from the round solved.

    Where it does not matter who began, since the round ends the match, that is the same round if the other begins.
    """
    start, twin = number_of(EMPTY_BOARD), (needs[1], needs[0])
    error = 0.5 * solve.error + error_after(needs, chance_at)
    found = {needs: Chance(0.5 + 0.5 * float(solve.values[0, start, start, CHIPS]), error)}
    if np.array_equal(ends_of(stakes_at(twin, 0, share, chance_at))[::-1], solve.ends):
        found[twin] = Chance(0.5 + 0.5 * float(solve.values[-1, start, start, CHIPS]), error)
    return found
