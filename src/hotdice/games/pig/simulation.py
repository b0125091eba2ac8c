"""Pig by the thousand: whole games, compiled, for any number of players."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hotdice.dice import Roll
from hotdice.errors import HotdiceError
from hotdice.game import Move, State
from hotdice.games.pig import GREEDY, HOLD, ROLL, PigOptions, PigState
from hotdice.games.pig.solving import MOST, NOISE, PigEvaluator, gains, tables
from hotdice.solve.batches import (
    LEVELS,
    Bits,
    Columns,
    Counted,
    Counts,
    Ints,
    PlayMany,
    Simulator,
    Strategy,
    below,
    choice_key,
    game_key,
    turn_key,
)
from hotdice.solve.jit import kernel
from hotdice.solve.rollouts import uniform
from hotdice.values import Progress, Unit, no_progress

Floats = NDArray[np.float64]

RANDOM, AT_LEAST, BY_VALUE = range(3)
"""How a seat decides: by a coin, by a threshold, by values."""
BUSTS, LOST, HELD = range(3)
"""The statistics, in their order."""


class Ways(NamedTuple):
    """How each seat decides."""

    kind: Ints
    limit: Ints
    """Of a threshold: the turn total at which it holds, unless holding wins before."""
    scale: Floats
    """Of values: the noise on them; 0 takes the better move."""
    ahead: Floats
    """[own score, other's score, turn total]: what rolling is worth more than holding, between two. The last total that
    counts is the first that wins when held."""


@kernel
def goes_on(ways: Ways, target: int, scores: Counts, seat: int, total: int, key: np.uint64, decision: int) -> bool:
    """Whether a seat rolls again that has no limit."""
    missing = target - scores[seat]
    if ways.kind[seat] == RANDOM:
        return uniform(key, decision) < 0.5
    gap, scale = ways.ahead[scores[seat], scores[1 - seat], min(total, missing)], ways.scale[seat]
    return bool(gap > 0.0 if scale == 0.0 else uniform(key, decision) < 1.0 / (1.0 + np.exp(-gap / scale)))


@kernel
def play_games(
    ways: Ways, gain: Ints, target: int, seed: int, first: int,
    winners: Bits, all_scores: Counts, turns: Counts, rolls: Counts, counts: Counts,
) -> None:  # fmt: skip
    """Play one game for each row, from the game of that number on.

    The key of the next turn is made before this one is played, so that nobody waits for it.
    """
    players = all_scores.shape[1]
    taken, decisions = np.empty(players, np.int64), np.empty(players, np.int64)
    keys = np.empty(players, np.uint64)
    for row in range(winners.size):
        scores, game = all_scores[row], first + row
        scores[:] = 0
        taken[:] = 0
        decisions[:] = 0
        for seat in range(players):
            keys[seat] = choice_key(seed, game, seat)
        dice, seat, thrown = game_key(seed, game), 0, 0
        key = turn_key(dice, 0, 1)
        while True:
            taken[seat] += 1
            following = seat + 1 if seat + 1 < players else 0
            next_key = turn_key(dice, following, taken[following] + 1)
            limit = min(ways.limit[seat], target - scores[seat])
            by_limit = ways.kind[seat] == AT_LEAST
            total, roll = 0, 0
            while True:
                more = gain[below(key, roll, gain.size)]
                roll += 1
                if more == 0:
                    counts[row, BUSTS, seat] += 1
                    counts[row, LOST, seat] += total
                    break
                total += more
                if by_limit:
                    if total < limit:
                        continue
                    counts[row, HELD, seat] += 1
                    scores[seat] += total
                    break
                if not goes_on(ways, target, scores, seat, total, keys[seat], decisions[seat]):
                    counts[row, HELD, seat] += 1
                    scores[seat] += total
                    decisions[seat] += 1
                    break
                decisions[seat] += 1
            thrown += roll
            if scores[seat] >= target:
                break
            seat, key = following, next_key
        winners[row] = 1 << seat
        turns[row], rolls[row] = taken.sum(), thrown


def _ahead(options: PigOptions, progress: Progress) -> Floats:
    """What rolling is worth more than holding, by the solved tables of two."""
    solved = PigEvaluator(options, tables(options, progress))
    target = options.target
    found = np.zeros((target, target, target + 1))
    for own in range(target):
        totals = np.arange(target - own)
        for other in range(target):
            rolling = solved.turn_values(own, other)
            found[own, other, : target - own] = rolling[:-1] - (1.0 - solved.wins[other, own + totals])
            found[own, other, target - own] = rolling[-1] - 1.0
    return found


class PigSimulator(Simulator):
    """Thresholds for any number of players, values for two."""

    statistics: ClassVar = {"busts": "turns lost to a 1", "lost": "points lost to a 1", "holds": "turns held"}
    strategies: ClassVar = {"hold": "hold:20 holds at a turn total of 20, or as soon as that wins"}

    def counted(self, state: State, action: Move | Roll, after: State) -> Iterable[Counted]:
        if isinstance(state, PigState):
            if action is HOLD:
                yield Counted("holds", state.roller)
            elif not isinstance(action, Move) and after.roller != state.roller:
                yield Counted("busts", state.roller)
                yield Counted("lost", state.roller, state.total)

    def chooser(self, strategy: Strategy) -> Callable[[PigState], Move]:
        limit = _limit(strategy)

        def choose(state: PigState) -> Move:
            missing = state.options.target - state.scores[state.seat]
            return HOLD if state.total >= min(limit, missing) else ROLL

        return choose

    def compiled(
        self, options: PigOptions, strategies: Sequence[Strategy], progress: Progress = no_progress
    ) -> PlayMany | None:
        by_value = [strategy.name in LEVELS for strategy in strategies]
        if any(by_value) and (len(strategies) != 2 or options.target > MOST):
            return None
        kinds = [RANDOM if one.name == "random" else BY_VALUE if one.name in LEVELS else AT_LEAST for one in strategies]
        limits = [_limit(one) if one.name in ("greedy", "hold") else 0 for one in strategies]
        scales = [NOISE[Unit.WIN].get(one.name, 0.0) for one in strategies]
        ahead = _ahead(options, progress) if any(by_value) else np.zeros((1, 1, 1))
        ways = Ways(np.array(kinds), np.array(limits), np.array(scales), ahead)

        def play(seed: int, first: int, columns: Columns) -> None:
            play_games(
                ways, gains(), options.target, seed, first,
                columns.winners, columns.scores, columns.turns, columns.rolls, columns.counts,
            )  # fmt: skip

        return play


def _limit(strategy: Strategy) -> int:
    """The turn total at which a threshold holds."""
    if strategy.name == "greedy":
        return GREEDY
    if len(strategy.numbers) != 1 or strategy.numbers[0] < 1:
        raise HotdiceError(f"“{strategy.text}” needs the turn total at which it holds, as in hold:20.")
    return strategy.numbers[0]
