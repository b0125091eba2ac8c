"""BJ's dice by the thousand: whole games, compiled, for any number of players. Points are counted in steps of 50."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import ClassVar, NamedTuple

import numpy as np

from hotdice.dice import Roll
from hotdice.errors import HotdiceError
from hotdice.game import Move, State
from hotdice.games.bj.greedy import next_toss
from hotdice.games.bj.rules import NOBODY, PASS, ROLL, TOSSES, BjOptions, read_toss
from hotdice.games.bj.solving import NOISE
from hotdice.games.bj.solving.kernel import Floats, Rules, play_turn
from hotdice.games.bj.solving.rollouts import HIGHEST, LONGEST, Policy, Seats, goes_on, policy_of, winner_of
from hotdice.games.bj.solving.solver import MORE, STEP, rules_of
from hotdice.games.bj.state import BjState
from hotdice.solve.batches import (
    LEVELS,
    Bits,
    Codes,
    Columns,
    Counted,
    Counts,
    Ints,
    PlayMany,
    Simulator,
    Strategy,
    below,
    choice_key,
    direct,
    game_key,
    turn_key,
)
from hotdice.solve.jit import kernel
from hotdice.solve.rollouts import uniform
from hotdice.values import Progress, Unit, no_progress

RANDOM, GREEDY, AT_LEAST, SOLVED, NOISY = range(5)
"""How a seat decides: by a coin, by the greedy rule, by thresholds, by the solved policy, by noisy values."""
BUSTS, LOST, HOT = range(3)
"""The statistics, in their order."""
LEFT = 3
"""Bits for the dice that a toss leaves: it is coded by its points above these, and 0 is a scoreless one."""


class Ways(NamedTuple):
    """How each seat decides."""

    kind: Ints
    limit: Ints
    """[seat, dice]: of thresholds, the points of a turn at which it passes."""
    scale: Floats
    """Of values: the noise on them."""


class Board(NamedTuple):
    """The rules, as tables."""

    toss: Codes
    """What each way to throw some dice means, from the fewest dice to all of them."""
    begin: Ints
    """[dice]: where these begin in `toss`."""
    gain: Ints
    """[dice]: the points of a toss, summed over all ways to throw the dice."""
    scoreless: Ints
    """[dice]: how many of these score nothing."""
    target: int
    dice: int
    keeps: bool
    """Whether a scoreless toss of fewer than all dice loses nothing."""


@kernel
def _best_other(scores: Ints, seat: int) -> int:
    best = 0
    for other in range(scores.size):
        if other != seat:
            best = max(best, scores[other])
    return best


@kernel
def _ending(rules: Rules, policy: Policy, starter: int, score: int, other: int) -> float:
    """What it is worth between two to end a turn with that score."""
    if starter >= 0:
        return 1.0 if score > other else 0.0
    if score < policy.wins.shape[0]:
        return float(1.0 - policy.wins[other, score])
    return float(1.0 - rules.odds[min(score - other, rules.odds.shape[0] - 1), rules.odds.shape[1] - 1])


@kernel
def _decision(
    rules: Rules, policy: Policy, values: Floats, starter: int, own: int, other: int, dice: int, risk: int, bonuses: int
) -> float:
    """What it is worth between two to choose."""
    passing = own + bonuses * MORE + risk
    if starter >= 0:
        return 1.0 if passing > other else rules.odds[min(other - passing, rules.odds.shape[0] - 1), dice]
    if passing > max(policy.wins.shape[0] - 1, other + rules.reach):
        return _ending(rules, policy, starter, passing, other)
    return float(values[bonuses, risk, dice])


@kernel
def _rolling(
    rules: Rules, policy: Policy, values: Floats, starter: int, own: int, other: int, dice: int, risk: int, bonuses: int
) -> float:
    """What it is worth between two to roll on."""
    all_dice, tosses = rules.odds.shape[1] - 1, rules.tosses
    kept = own + bonuses * MORE + (risk if rules.keeps and dice < all_dice else 0)
    worth = tosses.scoreless[dice] * _ending(rules, policy, starter, kept, other)
    for outcome in range(tosses.begin[dice], tosses.begin[dice + 1]):
        left, more = tosses.left[outcome], risk + tosses.points[outcome]
        if left:
            found = _decision(rules, policy, values, starter, own, other, left, more, bonuses)
        else:
            found = _decision(rules, policy, values, starter, own, other, all_dice, more, bonuses + 1)
        worth += tosses.chance[outcome] * found
    return float(worth)


@kernel
def _one_more(board: Board, dice: int, risk: int) -> bool:
    """Whether the greedy rule finds that one more toss gains more than it loses on average."""
    loss = 0 if board.keeps and dice < board.dice else risk
    return bool(board.gain[dice] > board.scoreless[dice] * loss)


@kernel
def play_games(
    ways: Ways, board: Board, rules: Rules, policy: Policy, seed: int, first: int,
    winners: Bits, all_scores: Counts, turns: Counts, rolls: Counts, counts: Counts,
) -> None:  # fmt: skip
    """Play one game for each row, from the game of that number on."""
    players = all_scores.shape[1]
    scores, taken, decisions = np.empty((3, players), np.int64)
    keys = np.empty(players, np.uint64)
    values, held = np.empty((1, 1, 1)), np.empty(LONGEST)
    for row in range(winners.size):
        game = first + row
        scores[:] = 0
        taken[:] = 0
        decisions[:] = 0
        for seat in range(players):
            keys[seat] = choice_key(seed, game, seat)
        all_dice, seat, starter, thrown = game_key(seed, game), 0, -1, 0
        key = turn_key(all_dice, 0, 1)
        while True:
            taken[seat] += 1
            following = seat + 1 if seat + 1 < players else 0
            next_key = turn_key(all_dice, following, taken[following] + 1)
            kind, own, best = ways.kind[seat], scores[seat], _best_other(scores, seat)
            last = following == starter
            by_limit = kind == AT_LEAST and starter < 0
            held[0] = -1.0
            if kind == NOISY and starter < 0:
                values = play_turn(rules, policy.wins, own, best)
            dice, risk, bonuses, roll = board.dice, 0, 0, 0
            while True:
                start = board.begin[dice]
                toss = int(board.toss[start + below(key, roll, board.begin[dice + 1] - start)])
                roll += 1
                if toss == 0:
                    counts[row, BUSTS, seat] += 1
                    if not (board.keeps and dice < board.dice):
                        counts[row, LOST, seat] += risk * STEP
                        risk = 0
                    break
                risk += toss >> LEFT
                dice = toss & (1 << LEFT) - 1
                if dice == 0:
                    dice = board.dice
                    bonuses += 1
                    counts[row, HOT, seat] += 1
                mine = own + bonuses * MORE + risk
                if by_limit:
                    if mine - own < ways.limit[seat, dice]:
                        continue
                    break
                if kind == RANDOM:
                    more = uniform(keys[seat], decisions[seat]) < 0.5
                elif kind == NOISY:
                    gap = _rolling(rules, policy, values, starter, own, best, dice, risk, bonuses)
                    gap -= _ending(rules, policy, starter, mine, best)
                    more = uniform(keys[seat], decisions[seat]) < 1.0 / (1.0 + np.exp(-gap / ways.scale[seat]))
                elif kind == SOLVED:
                    more = goes_on(policy, Seats(scores, seat, starter), dice, risk, own + bonuses * MORE, held)
                elif starter >= 0 and mine <= best:
                    more = True
                elif last:
                    more = False
                elif kind == GREEDY:
                    more = _one_more(board, dice, risk)
                else:
                    more = mine - own < ways.limit[seat, dice]
                decisions[seat] += 1
                if not more:
                    break
            thrown += roll
            scores[seat] += risk + bonuses * MORE
            if starter < 0 and scores[seat] > board.target:
                starter = seat
            seat, key = following, next_key
            if seat == starter:
                break
        winners[row] = 1 << winner_of(scores, starter)
        turns[row], rolls[row] = taken.sum(), thrown
        for seat in range(players):
            all_scores[row, seat] = scores[seat] * STEP


def board_of(options: BjOptions) -> Board:
    """The rules of a toss and of the game, as tables."""

    def meaning(roll: Roll) -> int:
        toss = read_toss(roll)
        return toss.points // STEP << LEFT | len(roll) - toss.frozen if toss.points else 0

    tosses = [direct(TOSSES[dice], meaning) for dice in range(1, options.dice + 1)]
    begin = np.cumsum([0, 0, *map(len, tosses)])
    gains = [next_toss(dice) if dice else (0, 0) for dice in range(options.dice + 1)]
    return Board(
        np.concatenate(tosses), begin, np.array([gain for gain, _ in gains]) // STEP,
        np.array([scoreless for _, scoreless in gains]), options.target // STEP, options.dice,
        options.bust == "all_dice",
    )  # fmt: skip


class BjSimulator(Simulator):
    """Thresholds and the solved policy of two for any number of players, noisy values for two."""

    statistics: ClassVar = {
        "busts": "turns ended by a scoreless toss",
        "lost": "points lost so",
        "hot": "bonuses for all dice",
    }
    strategies: ClassVar = {
        "pass": "pass:350 passes at 350 points of a turn; pass:300/350/400 at 300 with one die left, 350 with two, "
        "400 with three or more",
        "duel": "plays as if alone against the best of the others, by the solved game of two",
    }

    def counted(self, state: State, action: Move | Roll, after: State) -> Iterable[Counted]:
        if not isinstance(state, BjState) or not isinstance(after, BjState) or isinstance(action, Move):
            return
        seat = state.roller
        if not read_toss(action).points:
            yield Counted("busts", seat)
            kept = after.scores[seat] - state.scores[seat]
            yield Counted("lost", seat, state.at_risk + state.safe - kept)
        elif after.safe > state.safe:
            yield Counted("hot", seat)

    def chooser(self, strategy: Strategy) -> Callable[[BjState], Move]:
        if strategy.name == "duel":
            return _Duel().choose
        limits = _limits(strategy)

        def choose(state: BjState) -> Move:
            mine, best = state.scores[state.seat] + state.at_risk + state.safe, max(state.scores)
            if state.starter != NOBODY and mine <= best:
                return ROLL
            if (state.seat + 1) % state.players == state.starter:
                return PASS
            return PASS if state.at_risk + state.safe >= limits[state.dice] else ROLL

        return choose

    def compiled(
        self, options: BjOptions, strategies: Sequence[Strategy], progress: Progress = no_progress
    ) -> PlayMany | None:
        names = {strategy.name for strategy in strategies}
        by_value = names.intersection((*LEVELS, "duel"))
        if (by_value and options.target > HIGHEST) or (names.intersection(LEVELS) and len(strategies) != 2):
            return None
        kinds = {"random": RANDOM, "greedy": GREEDY, "pass": AT_LEAST, "optimal": SOLVED, "duel": SOLVED}
        limits = [[limit // STEP + (limit % STEP > 0) for limit in _limits(one)] for one in strategies]
        ways = Ways(
            np.array([kinds.get(one.name, NOISY) for one in strategies]), np.array(limits),
            np.array([NOISE[Unit.WIN].get(one.name, 0.0) for one in strategies]),
        )  # fmt: skip
        board, rules = board_of(options), rules_of(options)
        policy = policy_of(options, progress, whole_turns=False) if by_value else _no_policy(rules)

        def play(seed: int, first: int, columns: Columns) -> None:
            play_games(
                ways, board, rules, policy, seed, first,
                columns.winners, columns.scores, columns.turns, columns.rolls, columns.counts,
            )  # fmt: skip

        return play


def _no_policy(rules: Rules) -> Policy:
    """What stands in for the solved policy where nobody plays by it: nothing has to be solved for that."""
    bits, none = np.zeros((1, 1, 1), np.uint8), np.zeros((1, 1))
    return Policy(
        bits, bits[0], none, rules.odds, rules.tosses, none, none.astype(np.int64), rules.keeps, none[0],
        np.zeros((0, 0, 0), np.float32), bits[0],
    )  # fmt: skip


class _Duel:
    """The solved policy of two against the best of the others."""

    def __init__(self) -> None:
        self._policies: dict[BjOptions, Policy] = {}

    def choose(self, state: BjState) -> Move:
        if state.options not in self._policies:
            self._policies[state.options] = policy_of(state.options, whole_turns=False)
        held = np.full(LONGEST, -1.0)
        seats = Seats(np.array(state.scores) // STEP, state.seat, state.starter)
        safe = (state.scores[state.seat] + state.safe) // STEP
        more = goes_on(self._policies[state.options], seats, state.dice, state.at_risk // STEP, safe, held)
        return ROLL if more else PASS


def _limits(strategy: Strategy) -> list[int]:
    """The points at which a threshold passes, by the number of dice left; the last one counts for more dice."""
    if strategy.name != "pass":
        return [0] * 7
    numbers = strategy.numbers
    if not 1 <= len(numbers) <= 6 or min(numbers) < 1:
        raise HotdiceError(
            f"“{strategy.text}” needs the points at which it passes, as in pass:350; or one to six such numbers, "
            "for one die left, two and so on, as in pass:300/350/400."
        )
    return [0, *(numbers[min(dice, len(numbers)) - 1] for dice in range(1, 7))]
