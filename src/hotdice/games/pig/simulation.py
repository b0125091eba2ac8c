"""Pig by the thousand: whole games, compiled, for any number of players."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import ClassVar, Final, NamedTuple

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
    Codes,
    Columns,
    Counted,
    Counts,
    Ints,
    Keys,
    PlayMany,
    Simulator,
    Strategy,
    bare_kernel,
    below,
    choice_key,
    game_key,
    turn_key,
)
from hotdice.solve.rollouts import uniform
from hotdice.values import Progress, Unit, no_progress

Floats = NDArray[np.float64]

RANDOM, AT_LEAST, BY_VALUE = range(3)
"""How a seat decides: by a coin, by a threshold, by values."""
BUSTS, LOST, HELD = range(3)
"""The statistics, in their order."""
FACES: Final = 6
TOGETHER: Final = 5
"""How many rolls of a turn are one random number, a pack, the first roll its last digit. A turn seldom takes more."""
PACKS: Final = FACES**TOGETHER
"""How many packs there are. What is left of one, after some rolls, has a 1 before it."""
NO_MORE: Final = 1
"""A pack of which nothing is left."""
GOES_ON, HOLDS, BUST = range(3)
"""What becomes of a turn."""
ROLLS, END = 5, 8
"""Where in the code of a pack of rolls, above its points, their number begins, and what becomes of the turn."""


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


class Room(NamedTuple):
    """Arrays that games are played in, one after the other: a bare kernel makes none."""

    taken: Ints
    """[seat]: turns that have begun."""
    decisions: Ints
    """[seat]: how many were left to chance."""
    choices: Keys
    """[seat]: the key of these."""

    @classmethod
    def of(cls, players: int) -> Room:
        taken, decisions = np.zeros((2, players), np.int64)
        return cls(taken, decisions, np.zeros(players, np.uint64))


@bare_kernel
def goes_on(ways: Ways, target: int, scores: Counts, seat: int, total: int, key: np.uint64, decision: int) -> bool:
    """Whether a seat rolls again that has no limit."""
    missing = target - scores[seat]
    if ways.kind[seat] == RANDOM:
        return uniform(key, decision) < 0.5
    gap, scale = ways.ahead[scores[seat], scores[1 - seat], min(total, missing)], ways.scale[seat]
    return bool(gap > 0.0 if scale == 0.0 else uniform(key, decision) < 1.0 / (1.0 + np.exp(-gap / scale)))


@bare_kernel
def play_games(
    ways: Ways, gain: Ints, packs: Codes, target: int, room: Room, seed: int, first: int,
    winners: Bits, all_scores: Counts, turns: Counts, rolls: Counts, counts: Counts,
) -> None:  # fmt: skip
    """Play one game for each row, from the game of that number on.

    The key of the next turn is made before this one is played, so that nobody waits for it.
    """
    taken, decisions, keys = room.taken, room.decisions, room.choices
    players = taken.size
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
            total, end, pack = 0, GOES_ON, 0
            if ways.kind[seat] == AT_LEAST:
                limit = min(ways.limit[seat], target - scores[seat])
                while end == GOES_ON:
                    code = int(
                        packs[np.uint64(min(limit - total, packs.shape[0]) - 1), np.uint64(below(key, pack, PACKS))]
                    )
                    pack += 1
                    total += code & (1 << ROLLS) - 1
                    thrown += code >> ROLLS & (1 << END - ROLLS) - 1
                    end = code >> END
            else:
                left = np.uint64(NO_MORE)
                while end == GOES_ON:
                    if left == NO_MORE:
                        left = np.uint64(below(key, pack, PACKS) + PACKS)
                        pack += 1
                    more = gain[left % np.uint64(FACES)]
                    left //= np.uint64(FACES)
                    thrown += 1
                    total += more
                    if more == 0:
                        end = BUST
                    else:
                        on = goes_on(ways, target, scores, seat, total, keys[seat], decisions[seat])
                        decisions[seat] += 1
                        end = GOES_ON if on else HOLDS
            held = int(end == HOLDS)
            counts[row, BUSTS, seat] += 1 - held
            counts[row, HELD, seat] += held
            counts[row, LOST, seat] += 0 if held else total
            scores[seat] += total if held else 0
            if scores[seat] >= target:
                break
            seat, key = following, next_key
        winners[row] = 1 << seat
        turns[row], rolls[row] = taken.sum(), thrown


@cache
def packs_of() -> Codes:
    """[limit, pack]: what a turn comes to by the rolls of a pack, if it holds at one more than `limit` points or more.

    From the last limit on it does not hold within a pack.
    """
    gain, numbers = gains(), np.arange(PACKS)
    limits = np.arange(1, TOGETHER * gain.max() + 2)[:, None]
    total, rolls, end = np.zeros((3, len(limits), PACKS), np.int64)
    for roll in range(TOGETHER):
        more, going = gain[numbers // FACES**roll % FACES], end == GOES_ON
        total += more * going
        rolls += going
        end = np.where(going & (more == 0), BUST, np.where(going & (total >= limits), HOLDS, end))
    return (total | rolls << ROLLS | end << END).astype(np.int16)


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

    together: ClassVar = TOGETHER
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
                ways, gains(), packs_of(), options.target, Room.of(len(strategies)), seed, first,
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
