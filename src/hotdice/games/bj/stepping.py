"""BJ's dice step by step, compiled, thousands of games at once. Points are counted in steps of 50."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hotdice.dice import Roll
from hotdice.errors import SeatError
from hotdice.games.bj.greedy import next_toss
from hotdice.games.bj.observation import BEYOND
from hotdice.games.bj.rules import MOVES, ROLL, TOSSES, BjOptions, read_toss
from hotdice.games.bj.solving.kernel import Bits
from hotdice.games.bj.solving.rollouts import winner_of
from hotdice.games.bj.solving.solver import MORE, STEP, policy
from hotdice.solve.batches import choice_key, dice_key, direct
from hotdice.solve.jit import kernel
from hotdice.solve.rollouts import GOLDEN, uniform
from hotdice.solve.stepping import GREEDY, LEARNER, NEW, OPTIMAL, RANDOM, Batch, Boards, Numbers, Stepper, Steps
from hotdice.values import Progress, no_progress

KEY, SEAT, DICE, RISK, BONUSES, STARTER, SCORES = range(7)
"""The columns of a board. The key is that of the next toss; from the last column on stand a score, the turns taken and
the choices left to chance, for each seat."""
ROLLS: Final = MOVES.index(ROLL)
"""The action that rolls on; the other one passes."""
WIDE: Final = 8
"""More than the dice that a toss can leave: a toss is coded as its points times this, and the dice left."""


class Rules(NamedTuple):
    """The rules as tables, and who plays."""

    toss: NDArray[np.int16]
    """What each way to throw some dice means, from one die to all of them; 0 for a scoreless toss."""
    begin: Numbers
    """[dice]: where these begin in `toss`."""
    dice: int
    target: int
    most: int
    """The points that are shown at most."""
    keeps: bool
    """Whether a scoreless toss of fewer than all dice loses nothing."""
    players: int
    kinds: Numbers
    """[seats after the learner's]: who decides."""
    gain: Numbers
    """[dice]: the points of a toss, summed over all ways to throw the dice."""
    scoreless: Numbers
    """[dice]: how many of these score nothing."""
    rolls: Bits
    """[best other score, own score, points at risk]: for which dice the solved policy of two rolls, a bit for each."""
    ahead: Bits
    """[lead, points at risk]: the same with a safe score beyond the target."""


class Turn(NamedTuple):
    """The turn that is being played."""

    seat: int
    dice: int
    risk: int
    bonuses: int
    starter: int


@kernel
def _bot_rolls(rules: Rules, boards: Boards, at: int, kind: int, now: Turn, seed: int, game: int) -> bool:
    """Whether a bot rolls on."""
    seat, dice, risk = now.seat, now.dice, now.risk
    if kind == RANDOM:
        decided = SCORES + 2 * rules.players + seat
        boards[at, decided] += 1
        return bool(uniform(choice_key(seed, game, seat), boards[at, decided] - 1) < 0.5)
    safe, best = boards[at, SCORES + seat] + now.bonuses * MORE, 0
    for other in range(rules.players):
        if other != seat:
            best = max(best, boards[at, SCORES + other])
    if now.starter >= 0:
        if safe + risk <= best:
            return True
        if (seat + 1) % rules.players == now.starter:
            return False
    if kind == GREEDY:
        loss = 0 if rules.keeps and dice < rules.dice else risk
        return bool(rules.gain[dice] > rules.scoreless[dice] * loss)
    if risk >= rules.rolls.shape[2]:
        return False
    if safe <= rules.target:
        return bool(rules.rolls[best, safe, risk] >> (dice - 1) & 1)
    return bool(rules.ahead[min(safe - best, rules.ahead.shape[0] - 1), risk] >> (dice - 1) & 1)


@kernel
def _show(rules: Rules, batch: Batch, at: int, now: Turn, viewer: int) -> None:
    players, seen, boards = rules.players, batch.seen, batch.boards
    seat = viewer
    for place in range(players):
        seen[at, place] = min(boards[at, SCORES + seat] * STEP, rules.most)
        seat = seat + 1 if seat + 1 < players else 0
    seen[at, players] = min(now.risk * STEP, rules.most)
    seen[at, players + 1] = min(now.bonuses * MORE * STEP, rules.most)
    seen[at, players + 2] = now.dice
    turn, first = now.seat - viewer, now.starter - viewer
    seen[at, players + 3] = turn + players if turn < 0 else turn
    seen[at, players + 4] = 0 if now.starter < 0 else (first + players if first < 0 else first) + 1


@kernel
def step(rules: Rules, seed: int, rows: Numbers, actions: Numbers, batch: Batch) -> None:
    """Act in some rows, and play on to the learner's next decision."""
    boards, players, begin, tosses = batch.boards, rules.players, rules.begin, rules.toss
    for row in range(rows.size):
        at = rows[row]
        game, learner, action = batch.games[at], batch.learners[at], actions[at]
        if action == NEW:
            boards[at] = 0
            boards[at, SEAT], boards[at, STARTER] = players - 1, -1
        key, seat, dice = np.uint64(boards[at, KEY]), boards[at, SEAT], boards[at, DICE]
        risk, bonuses, starter = boards[at, RISK], boards[at, BONUSES], boards[at, STARTER]
        ends = action != ROLLS  # also before the first turn, which follows on one of no points
        decider = -1
        while True:
            if not ends:
                start = begin[dice]
                toss = np.int64(tosses[start + int(uniform(key, 0) * (begin[dice + 1] - start))])
                key += GOLDEN
                if toss != 0:
                    risk += toss // WIDE
                    dice = toss % WIDE
                    if dice == 0:
                        dice = rules.dice
                        bonuses += 1
                    ahead = seat - learner
                    kind = rules.kinds[ahead + players if ahead < 0 else ahead]
                    if kind == LEARNER:
                        decider = seat
                        break
                    now = Turn(seat, dice, risk, bonuses, starter)
                    ends = not _bot_rolls(rules, boards, at, kind, now, seed, game)
                    continue
                if not rules.keeps or dice == rules.dice:
                    risk = 0
            boards[at, SCORES + seat] += risk + bonuses * MORE
            if starter < 0 and boards[at, SCORES + seat] > rules.target:
                starter = seat
            following = seat + 1 if seat + 1 < players else 0
            dice, risk, bonuses = rules.dice, 0, 0
            if following == starter:
                batch.winners[at] = 1 << winner_of(boards[at, SCORES : SCORES + players], starter)
                break
            seat = following
            boards[at, SCORES + players + seat] += 1
            key = dice_key(seed, game, seat, boards[at, SCORES + players + seat])
            ends = False
        boards[at, KEY], boards[at, SEAT], boards[at, DICE] = np.int64(key), seat, dice
        boards[at, RISK], boards[at, BONUSES], boards[at, STARTER] = risk, bonuses, starter
        batch.deciders[at] = decider
        _show(rules, batch, at, Turn(seat, dice, risk, bonuses, starter), learner if decider < 0 else seat)
        batch.masks[at, 0] = batch.masks[at, 1] = 1 if decider >= 0 else 0
        batch.illegal[at] = 0


def _toss_table(options: BjOptions) -> tuple[NDArray[np.int16], Numbers]:
    def meaning(roll: Roll) -> int:
        toss = read_toss(roll)
        return toss.points // STEP * WIDE + len(roll) - toss.frozen if toss.points else 0

    tables = [direct(TOSSES[dice], meaning) for dice in range(1, options.dice + 1)]
    return np.concatenate(tables).astype(np.int16), np.cumsum([0, 0, *map(len, tables)])


class BjStepper(Stepper):
    """The greedy rule and random play for any number of players, the solved policy for two."""

    bots: ClassVar = ("random", "greedy", "optimal")

    def prepare(
        self, options: BjOptions, players: int, kinds: Sequence[int], progress: Progress = no_progress
    ) -> Steps:
        rolls, ahead = np.zeros((1, 1, 0), np.uint8), np.zeros((1, 0), np.uint8)
        if OPTIMAL in kinds:
            if players != 2:
                raise SeatError(f"The bot “optimal” is compiled for two players of BJ's dice, not for {players}.")
            solved = policy(options, progress).arrays
            rolls, ahead = solved["rolls"], solved["ahead"]
        gains = [next_toss(dice) if dice else (0, 0) for dice in range(options.dice + 1)]
        rules = Rules(
            *_toss_table(options), options.dice, options.target // STEP, options.target + BEYOND,
            options.bust == "all_dice", players, np.array(kinds),
            np.array([gain for gain, _ in gains]) // STEP, np.array([none for _, none in gains]), rolls, ahead,
        )  # fmt: skip

        def act(seed: int, rows: Numbers, actions: Numbers, batch: Batch) -> None:
            step(rules, seed, rows, actions, batch)

        return Steps(SCORES + 3 * players, act)
