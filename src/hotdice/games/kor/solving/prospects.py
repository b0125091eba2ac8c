"""What a choice leads to in KOR: the chance to get to the target with the next turn, and that another is there first.

A turn is followed to all its ends, of which the best sign is followed in a split. Penalties are followed as far as the
one that begins now; whom those who serve would send on is left out.
"""

from __future__ import annotations

from functools import cache
from math import prod
from typing import Final

import numpy as np

from hotdice.game import OVER, Move
from hotdice.games.kor.rules import NOBODY, KorOptions
from hotdice.games.kor.solving.kernel import BANK, Floats
from hotdice.games.kor.solving.turns import ROOM, STEP, all_lists
from hotdice.games.kor.state import KorState
from hotdice.values import Measure, Prospect

BANKS: Final = 8
"""Bank Rolls in one turn that are followed; each has a chance of a few in a hundred."""


@cache
def turn_points(bank_roll: bool, scoring: str) -> Floats:
    """The chance of each number of points that a turn brings, in steps of 25."""
    lists, dead = all_lists(bank_roll, scoring)
    banked, ended = lists[BANK], lists[:BANK].sum(0)
    ended[0] += dead
    points: Floats = ended
    for _ in range(BANKS):  # what is banked is safe, and the turn begins anew
        points = ended + np.convolve(banked, points)[:ROOM]
    return points


@cache
def at_least(bank_roll: bool, scoring: str) -> Floats:
    """The chance of a turn to bring so many points or more."""
    return np.ascontiguousarray(turn_points(bank_roll, scoring)[::-1].cumsum()[::-1])


def reaching(options: KorOptions, missing: int) -> float:
    """The chance to make up for some points with a turn."""
    steps = -(-missing // STEP)
    chances = at_least(options.bank_roll, options.scoring)
    return 1.0 if steps <= 0 else float(chances[steps]) if steps < ROOM else 0.0


def prospects(state: KorState, move: Move) -> tuple[Prospect, ...]:
    """What a move leads to for whoever makes it, if they send the most dangerous player on a penalty."""
    seat, target = state.seat, f"{state.options.target:,}"
    after = state.apply(move)
    ways = [after.apply(sent) for sent in after.legal_moves()] if after.seat == seat else [after]
    own, first = min((_chances(way, seat) for way in ways), key=lambda chances: chances[1])
    return (
        Prospect("first", f"risk that somebody else gets to {target} first", Measure.CHANCE, first),
        Prospect("own", f"chance to get to {target} with the next turn", Measure.CHANCE, own),
    )


def _chances(state: KorState, seat: int) -> tuple[float, float]:
    """The chances that a seat gets to the target with its next turn if nobody else does, and that somebody does."""
    if state.seat == OVER:
        return (1.0, 0.0) if state.winner == seat else (0.0, 1.0)
    options, players = state.options, state.players
    needed = options.target
    if state.leader != NOBODY:
        needed = max(needed, max(state.scores) + STEP)
    first = (state.turn + 1) % players if state.penalty else state.roller
    following = [(first + step) % players for step in range((seat - first) % players)]

    def chance(other: int) -> float:
        missing = needed - state.scores[other]
        if not (state.penalty and other == state.roller):
            return reaching(options, missing)
        lost = turn_points(options.bank_roll, options.scoring)
        return sum(float(share) * reaching(options, missing + STEP * at) for at, share in enumerate(lost) if share)

    return chance(seat), 1.0 - prod(1.0 - chance(other) for other in following)
