"""KOR step by step, compiled, thousands of games at once. Points are counted in steps of 25.

Most of a game is rolled without a decision: a step goes from one split or U-TURN to the next.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final, NamedTuple

import numpy as np

from hotdice.dice import Roll
from hotdice.games.kor.observation import BEYOND
from hotdice.games.kor.rules import DICE, SIGNS, TOSSES, KorOptions, Side, read_toss
from hotdice.games.kor.solving.turns import STEP
from hotdice.solve.batches import bare_kernel, choice_key, dice_key, direct
from hotdice.solve.rollouts import GOLDEN, uniform
from hotdice.solve.stepping import LEARNER, NEW, RANDOM, Batch, Boards, Numbers, Stepper, Steps
from hotdice.values import Progress, no_progress

KEY, TURN, ROLLER, PENALTY, DICE_LEFT, POINTS, SPLIT, LEADER, SCORES = range(9)
"""The columns of a board. The key is that of the next toss; from the last column on stand a score, the turns and
penalties begun and the choices left to chance, for each seat."""
STOP, DEAD, U_TURN = range(3)
"""The signs, in the order of the actions that follow them."""
TARGETS: Final = len(SIGNS)
"""The action that names the first seat; those for the others come after it."""
NOTHING: Final = 3
"""What to do at the end of a turn whose target is to be named: the sign was followed already."""
GAIN, BANK, ENDS, SPLITS = range(4)
"""What a toss does: one die is set aside, all points are banked, the turn ends by a sign, two signs are to choose."""
WIDE: Final = 64
"""More than the points of a toss: a toss is coded as what it does times this, and its points or signs."""


class Rules(NamedTuple):
    """The rules as tables, and who plays."""

    toss: Numbers
    """What each way to throw some dice means, from one die to six."""
    begin: Numbers
    """[dice]: where these begin in `toss`."""
    goal: int
    final: bool
    players: int
    kinds: Numbers
    """[seats after the learner's]: who decides."""


class Turn(NamedTuple):
    """The turn or penalty that is being played."""

    turn: int
    roller: int
    penalty: int
    dice: int
    points: int
    split: int
    """The signs to choose from, a bit for each; 0 while there are none."""
    leader: int


@bare_kernel
def _worth(rules: Rules, boards: Boards, at: np.uint64, now: Turn, sign: int, best_other: int) -> int:
    """How good a sign looks to the greedy rule: how far one is ahead, and then whether one hits back."""
    own = boards[at, SCORES + now.roller]
    if sign != DEAD:
        own += -now.points if now.penalty else now.points
    wins = not now.penalty and now.leader < 0 and own >= rules.goal and not rules.final
    return 2 * int(own - best_other) + int(sign == U_TURN and not wins)


@bare_kernel
def _bot_acts(rules: Rules, boards: Boards, at: np.uint64, kind: int, now: Turn, seed: int, game: int) -> int:
    """The action of a bot."""
    players, seat = rules.players, now.roller
    first = STOP if now.split & 1 else DEAD
    second = U_TURN if now.split & 4 else DEAD
    if kind == RANDOM:
        choices = 2 if now.split else players - 1
        chance = 0.0
        if choices > 1:
            decided = SCORES + 2 * players + seat
            boards[at, decided] += 1
            chance = uniform(choice_key(seed, game, seat), boards[at, decided] - 1)
        chosen = int(chance * choices)
        if now.split:
            return second if chosen else first
        return TARGETS + (chosen if chosen < seat else chosen + 1)
    best = 1 if seat == 0 else 0
    for other in range(players):
        if other != seat and boards[at, SCORES + other] > boards[at, SCORES + best]:
            best = other
    if not now.split:
        return TARGETS + best
    rival = boards[at, SCORES + best]
    one, two = (
        _worth(rules, boards, at, now, first, rival),
        _worth(rules, boards, at, now, second, rival),
    )
    return second if two > one else first


@bare_kernel
def _legal(now: Turn, players: int, action: int) -> bool:
    if now.split:
        return bool(action < TARGETS and now.split >> action & 1)
    return bool(TARGETS <= action < TARGETS + players and action - TARGETS != now.roller)


@bare_kernel
def _best_alone(rules: Rules, boards: Boards, at: np.uint64) -> int:
    """Who has the best score and has won a final round by it; -1 for nobody."""
    best, alone = 0, True
    for seat in range(1, rules.players):
        gap = boards[at, SCORES + seat] - boards[at, SCORES + best]
        if gap > 0:
            best, alone = seat, True
        elif gap == 0:
            alone = False
    return best if alone and boards[at, SCORES + best] >= rules.goal else -1


@bare_kernel
def step(rules: Rules, most: int, seed: int, rows: Numbers, actions: Numbers, batch: Batch) -> None:
    """Act in some rows, and play on to the learner's next decision."""
    boards, players, seen = batch.boards, rules.players, batch.seen
    for row in range(rows.size):
        at = np.uint64(rows[row])
        game, learner, action = batch.games[at], batch.learners[at], actions[at]
        if action == NEW:
            boards[at] = 0
            boards[at, LEADER] = -1
        key, turn, roller = np.uint64(boards[at, KEY]), boards[at, TURN], boards[at, ROLLER]
        penalty, dice, points = boards[at, PENALTY], boards[at, DICE_LEFT], boards[at, POINTS]
        split, leader = boards[at, SPLIT], boards[at, LEADER]
        now = Turn(turn, roller, penalty, dice, points, split, leader)
        illegal = action != NEW and not _legal(now, players, action)
        fresh, decides, sign, winner, decider = action == NEW, action != NEW, -1, -1, -1
        while not illegal:
            if decides:  # `action` is legal here
                if split:
                    sign = action
                else:
                    roller, penalty, fresh = action - TARGETS, 1, True
                decides, split = False, 0
            if sign < 0:
                if fresh:
                    boards[at, SCORES + players + roller] += 1
                    key = dice_key(seed, game, roller, boards[at, SCORES + players + roller])
                    dice, points, fresh = DICE, 0, False
                start = rules.begin[dice]
                toss = rules.toss[start + int(uniform(key, 0) * (rules.begin[dice + 1] - start))]
                key += GOLDEN
                what, amount = toss // WIDE, toss % WIDE
                if what == GAIN:
                    points += amount
                    dice = dice - 1 if dice > 1 else DICE
                    continue
                if what == BANK:
                    points += amount
                    boards[at, SCORES + roller] += -points if penalty else points
                    points, fresh = 0, True  # the dice begin anew, as with a turn
                    continue
                if what == ENDS:
                    sign = amount
                else:
                    split = amount
            if sign >= 0:
                if sign != DEAD:
                    boards[at, SCORES + roller] += -points if penalty else points
                points, dice = 0, DICE
                if not penalty and leader < 0 and boards[at, SCORES + turn] >= rules.goal:
                    if not rules.final:
                        winner = turn
                        break
                    leader = turn
                if sign != U_TURN:
                    sign = -1
                    following = turn + 1 if turn + 1 < players else 0
                    if following == leader:
                        winner = _best_alone(rules, boards, at)
                        if winner >= 0:
                            roller, penalty = turn, 0
                            break
                        following = leader + 1 if leader + 1 < players else 0
                        leader = -1
                    turn = roller = following
                    penalty, fresh = 0, True
                    continue
                sign = -1
            ahead = roller - learner
            kind = rules.kinds[ahead + players if ahead < 0 else ahead]
            if kind == LEARNER:
                decider = roller
                break
            now = Turn(turn, roller, penalty, dice, points, split, leader)
            action, decides = _bot_acts(rules, boards, at, kind, now, seed, game), True
        if illegal:
            decider = roller
        if winner >= 0:
            batch.winners[at] = 1 << winner
        dice = dice if winner < 0 and not split else DICE
        boards[at, KEY], boards[at, TURN], boards[at, ROLLER] = np.int64(key), turn, roller
        boards[at, PENALTY], boards[at, DICE_LEFT], boards[at, POINTS] = penalty, dice, points
        boards[at, SPLIT], boards[at, LEADER] = split, leader
        batch.deciders[at], batch.illegal[at] = decider, int(illegal)
        viewer = learner if decider < 0 else roller
        now = Turn(turn, roller, penalty, dice, points, split, leader)
        for place in range(players):
            other = viewer + place
            score = boards[at, SCORES + (other - players if other >= players else other)] * STEP
            seen[at, place] = max(-BEYOND, min(score, most))
        seen[at, players], seen[at, players + 1] = min(points * STEP, most), dice
        for one in range(TARGETS):
            seen[at, players + 2 + one] = split >> one & 1
        seen[at, players + 5] = penalty
        for seat in range(players):
            seen[at, players + 6 + seat] = int(seat == viewer)
        seen[at, 2 * players + 6] = turn - viewer + players if turn < viewer else turn - viewer
        seen[at, 2 * players + 7] = roller - viewer + players if roller < viewer else roller - viewer
        first = leader - viewer
        seen[at, 2 * players + 8] = 0 if leader < 0 else (first + players if first < 0 else first) + 1
        for one in range(TARGETS + players):
            batch.masks[at, one] = int(decider >= 0 and _legal(now, players, one))


def _toss_table(options: KorOptions) -> tuple[Numbers, Numbers]:
    def meaning(roll: Roll) -> int:
        toss = read_toss(roll)
        if options.bank_roll and toss.scoring == DICE:
            return BANK * WIDE + toss.total // STEP
        if len(toss.signs) == 2:
            return SPLITS * WIDE + sum(1 << SIGNS.index(sign) for sign in toss.signs)
        if toss.signs or not toss.scoring:
            return ENDS * WIDE + SIGNS.index(toss.signs[0] if toss.signs else Side.STOP)
        return GAIN * WIDE + (toss.total if options.scoring == "all" else toss.highest) // STEP

    tables = [direct(TOSSES[dice], meaning) for dice in range(1, DICE + 1)]
    return np.concatenate(tables), np.cumsum([0, 0, *map(len, tables)])


class KorStepper(Stepper):
    """The greedy rule and random play, for any number of players."""

    bots: ClassVar = ("random", "greedy")

    def prepare(
        self, options: KorOptions, players: int, kinds: Sequence[int], progress: Progress = no_progress
    ) -> Steps:
        goal = options.target // STEP
        rules = Rules(*_toss_table(options), goal, options.final_round, players, np.array(kinds))

        def act(seed: int, rows: Numbers, actions: Numbers, batch: Batch) -> None:
            step(rules, options.target + BEYOND, seed, rows, actions, batch)

        return Steps(SCORES + 3 * players, act)
