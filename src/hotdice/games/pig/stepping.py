"""Pig step by step, compiled, thousands of games at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final, NamedTuple

import numpy as np

from hotdice.games.pig import GREEDY as LIMIT
from hotdice.games.pig import MOVES, ROLL, PigOptions
from hotdice.games.pig.simulation import FACES, NO_MORE, PACKS
from hotdice.games.pig.solving import gains
from hotdice.solve.batches import bare_kernel, below, choice_key, dice_key
from hotdice.solve.rollouts import GOLDEN, uniform
from hotdice.solve.stepping import LEARNER, NEW, RANDOM, Batch, Boards, Numbers, Stepper, Steps
from hotdice.values import Progress, no_progress

KEY, PACK, SEAT, TOTAL, SCORES = range(5)
"""The columns of a board. The key is that of the next pack of rolls; from the last column on stand a score, the turns
taken and the choices left to chance, for each seat."""
ROLLS: Final = MOVES.index(ROLL)
"""The action that rolls on; the other one holds."""


class Rules(NamedTuple):
    """The rules as tables, and who plays."""

    gain: Numbers
    """[face]: what it adds to the turn total, 0 for the face that ends the turn."""
    target: int
    players: int
    kinds: Numbers
    """[seats after the learner's]: who decides."""


@bare_kernel
def _bot_rolls(
    rules: Rules, boards: Boards, at: np.uint64, kind: int, seat: int, total: int, seed: int, game: int
) -> bool:
    """Whether a bot rolls on."""
    if kind == RANDOM:
        decided = SCORES + 2 * rules.players + seat
        boards[at, np.uint64(decided)] += 1
        return bool(uniform(choice_key(seed, game, seat), boards[at, np.uint64(decided)] - 1) < 0.5)
    return bool(total < min(LIMIT, rules.target - boards[at, np.uint64(SCORES + seat)]))


@bare_kernel
def step(rules: Rules, seed: int, rows: Numbers, actions: Numbers, batch: Batch) -> None:
    """Act in some rows, and play on to the learner's next decision."""
    boards, players, seen = batch.boards, rules.players, batch.seen
    for row in range(rows.size):
        at = np.uint64(rows[row])
        game, learner, action = batch.games[at], batch.learners[at], actions[at]
        if action == NEW:
            boards[at] = 0
            boards[at, SEAT] = players - 1
        key, seat, total = np.uint64(boards[at, KEY]), boards[at, SEAT], boards[at, TOTAL]
        ends = action != ROLLS  # also before the first turn, which follows on one of no points
        decider, pack = -1, np.uint64(boards[at, PACK])
        while True:
            if not ends:
                if pack == NO_MORE:
                    pack = np.uint64(below(key, 0, PACKS) + PACKS)
                    key += GOLDEN
                more = rules.gain[pack % np.uint64(FACES)]
                pack //= np.uint64(FACES)
                if more != 0:
                    total += more
                    ahead = seat - learner
                    kind = rules.kinds[ahead + players if ahead < 0 else ahead]
                    if kind == LEARNER:
                        decider = seat
                        break
                    ends = not _bot_rolls(rules, boards, at, kind, seat, total, seed, game)
                    continue
                total = 0
            boards[at, np.uint64(SCORES + seat)] += total
            total = 0
            if boards[at, np.uint64(SCORES + seat)] >= rules.target:
                batch.winners[at] = 1 << seat
                break
            seat = seat + 1 if seat + 1 < players else 0
            boards[at, SCORES + players + seat] += 1
            key, ends = dice_key(seed, game, seat, boards[at, SCORES + players + seat]), False
            pack = np.uint64(NO_MORE)
        boards[at, KEY], boards[at, SEAT], boards[at, TOTAL] = np.int64(key), seat, total
        boards[at, PACK] = pack
        batch.deciders[at] = decider
        viewer = learner if decider < 0 else seat
        for place in range(players):
            other = viewer + place
            score = boards[at, SCORES + (other - players if other >= players else other)]
            seen[at, np.uint64(place)] = min(score, rules.target)
        seen[at, np.uint64(players)] = min(total, rules.target)
        seen[at, np.uint64(players + 1)] = seat - viewer + players if seat < viewer else seat - viewer
        batch.masks[at, 0] = batch.masks[at, 1] = 1 if decider >= 0 else 0
        batch.illegal[at] = 0


class PigStepper(Stepper):
    """The greedy rule and random play, for any number of players."""

    bots: ClassVar = ("random", "greedy")

    def prepare(
        self, options: PigOptions, players: int, kinds: Sequence[int], progress: Progress = no_progress
    ) -> Steps:
        rules = Rules(gains(), options.target, players, np.array(kinds))

        def act(seed: int, rows: Numbers, actions: Numbers, batch: Batch) -> None:
            step(rules, seed, rows, actions, batch)

        return Steps(SCORES + 3 * players, act)
