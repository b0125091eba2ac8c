"""BJ's dice with more than two players: chances to win by compiled rollouts.

Every seat plays the solved policy of two against the best other score. In the last round a player who has to beat a
score rolls until it is beaten, and after that, with others to come, as long as one more toss helps. The luck of a turn
is read off the table of two players against that best other score, in which it has mean zero by the table's own
equation; in the last round only the very last turn has one.
"""

from __future__ import annotations

from math import nan
from typing import Final, NamedTuple

import numpy as np

from hotdice.game import CHANCE, State
from hotdice.games.bj.rules import BONUS, BjOptions
from hotdice.games.bj.solving.kernel import Bits, Floats, Ints, Tosses
from hotdice.games.bj.solving.solver import MORE, STEP, BjEvaluator, chase_table, policy, tables, toss_table
from hotdice.games.bj.state import NOBODY, BjState
from hotdice.solve.jit import kernel
from hotdice.solve.rollouts import RolloutEvaluator, alias_of, drawn, stream, uniform
from hotdice.values import NotSolved, Progress, no_progress

SCORELESS: Final = -1
HIGHEST: Final = 20_000
"""The highest target; the policy's memory grows with its square."""


class Policy(NamedTuple):
    """All that a rollout reads: the solved tables, and tosses to draw from."""

    rolls: Bits
    ahead: Bits
    wins: Floats
    odds: Floats
    tosses: Tosses
    share: Floats
    """[dice, outcome] and `other`: as in `rollouts.drawn`; the outcome after the last one is a scoreless toss."""
    other: Ints
    keeps: bool


@kernel
def toss(policy: Policy, dice: int, chance: float) -> int:
    """The outcome of a toss of so many dice that a random number stands for: its number, or none if scoreless."""
    begin = policy.tosses[0]
    outcomes = begin[dice + 1] - begin[dice]
    at = drawn(policy.share[dice, : outcomes + 1], policy.other[dice], chance)
    return begin[dice] + at if at < outcomes else SCORELESS


@kernel
def best_of_others(scores: Ints, seat: int) -> int:
    """The highest score of the others."""
    best = 0
    for other in range(scores.size):
        if other != seat:
            best = max(best, scores[other])
    return best


@kernel
def _beaten(policy: Policy, deficit: int) -> float:
    """The chance that a turn brings more than so many points; a player who is ahead already needs none."""
    return 1.0 if deficit < 0 else float(policy.odds[min(deficit, policy.odds.shape[0] - 1), policy.odds.shape[1] - 1])


@kernel
def _held(policy: Policy, scores: Ints, seat: int, starter: int, best: int, total: int) -> float:
    """The chance that a total reached in the last round stands: it beats those before, and nobody after beats it."""
    if total <= best:
        return 0.0
    chance = 1.0
    later = (seat + 1) % scores.size
    while later != starter:
        chance *= 1.0 - _beaten(policy, total - scores[later])
        later = (later + 1) % scores.size
    return chance


@kernel
def _one_more(
    policy: Policy, scores: Ints, seat: int, starter: int, best: int, dice: int, risk: int, safe: int
) -> bool:
    """Whether in the last round one more toss is better than none."""
    begin, points, left, _, chances, scoreless = policy.tosses
    all_dice = policy.odds.shape[1] - 1
    kept = safe + risk if policy.keeps and dice < all_dice else safe
    worth = scoreless[dice] * _held(policy, scores, seat, starter, best, kept)
    for outcome in range(begin[dice], begin[dice + 1]):
        total = safe + risk + points[outcome] + (0 if left[outcome] else MORE)
        worth += chances[outcome] * _held(policy, scores, seat, starter, best, total)
    return bool(worth > _held(policy, scores, seat, starter, best, safe + risk))


@kernel
def goes_on(policy: Policy, scores: Ints, seat: int, starter: int, dice: int, risk: int, safe: int) -> bool:
    """Whether the policy rolls so many dice, with so much at risk beyond a safe score, or passes."""
    best = best_of_others(scores, seat)
    if starter >= 0:
        if safe + risk <= best:
            return True
        if (seat + 1) % scores.size == starter:
            return False
        return _one_more(policy, scores, seat, starter, best, dice, risk, safe)
    if risk >= policy.rolls.shape[2]:
        return False
    if safe < policy.wins.shape[0]:
        return bool(policy.rolls[best, safe, risk] >> (dice - 1) & 1)
    return bool(policy.ahead[min(safe - best, policy.ahead.shape[0] - 1), risk] >> (dice - 1) & 1)


@kernel
def _before(policy: Policy, scores: Ints, seat: int, starter: int) -> float:
    """What a turn is worth between two, as it begins; no number where that is not known."""
    best = best_of_others(scores, seat)
    if starter < 0:
        return float(policy.wins[scores[seat], best])
    if (seat + 1) % scores.size != starter:
        return nan
    return _beaten(policy, best - scores[seat])


@kernel
def _after(policy: Policy, scores: Ints, seat: int, starter: int) -> float:
    """What it is worth between two to have ended a turn so."""
    best = best_of_others(scores, seat)
    score = scores[seat]
    if starter >= 0:
        return 1.0 if score > best else 0.0
    if score < policy.wins.shape[0]:
        return 1.0 - float(policy.wins[best, score])
    return 1.0 - _beaten(policy, score - best)


@kernel
def play_turn(
    policy: Policy, scores: Ints, seat: int, starter: int, decides: bool, dice: int, risk: int, bonuses: int,
    key: np.uint64,
) -> int:  # fmt: skip
    """The points of the rest of a turn, which begins with a decision or with a toss."""
    _, points, left, _, _, _ = policy.tosses
    all_dice = policy.odds.shape[1] - 1
    count = 0
    while True:
        if decides and not goes_on(policy, scores, seat, starter, dice, risk, scores[seat] + bonuses * MORE):
            return risk + bonuses * MORE
        outcome = toss(policy, dice, uniform(key, count))
        count += 1
        decides = True
        if outcome == SCORELESS:
            return bonuses * MORE + (risk if policy.keeps and dice < all_dice else 0)
        risk += points[outcome]
        dice = left[outcome]
        if dice == 0:
            dice = all_dice
            bonuses += 1


@kernel
def winner_of(scores: Ints, starter: int) -> int:
    """Who wins after the last round: the highest score, of equal ones the first."""
    best = starter
    for step in range(1, scores.size):
        seat = (starter + step) % scores.size
        if scores[seat] > scores[best]:
            best = seat
    return best


@kernel
def roll_out(policy: Policy, position: Ints, value: float, seed: int, first: int, winners: Ints, luck: Floats) -> None:
    """Play a position to its end, once for each entry of `winners`.

    A position is: roller, whether there is a decision, dice, stake, bonuses, starter of the last round, the asking
    seat, its turns taken, and the scores. `value` is what the rest of the turn is worth between two, if that is known.
    """
    target = policy.wins.shape[0] - 1
    all_dice = policy.odds.shape[1] - 1
    players = position.size - 8
    scores, turns = np.empty(players, np.int64), np.empty(players, np.int64)
    for rollout in range(winners.size):
        seat, decides, dice, risk, bonuses, starter = position[:6]
        scores[:] = position[8:]
        turns[:] = 0
        turns[position[6]] = position[7]
        before = value
        while True:
            key = stream(seed, first + rollout, seat, turns[seat])
            turns[seat] += 1
            scores[seat] += play_turn(policy, scores, seat, starter, decides, dice, risk, bonuses, key)
            if not np.isnan(before):
                luck[rollout, seat] += _after(policy, scores, seat, starter) - before
            if starter < 0 and scores[seat] > target:
                starter = seat
            seat = (seat + 1) % players
            if seat == starter:
                break
            decides, dice, risk, bonuses = 0, all_dice, 0, 0
            before = _before(policy, scores, seat, starter)
        winners[rollout] = winner_of(scores, starter)


def policy_of(options: BjOptions, progress: Progress = no_progress) -> Policy:
    """The solved policy of two, ready for rollouts."""
    if options.target > HIGHEST:
        raise NotSolved(f"BJ's dice with more than two players is valued up to a target of {HIGHEST}.")
    found, solved = policy(options, progress).arrays, tables(options, progress).arrays
    tosses = toss_table(options.dice)
    begin, chances, scoreless = tosses[0], tosses[4], tosses[5]
    widest = int(np.diff(begin).max()) + 1
    share, other = np.ones((options.dice + 1, widest)), np.zeros((options.dice + 1, widest), np.int64)
    for dice in range(1, options.dice + 1):
        outcomes = np.append(chances[begin[dice] : begin[dice + 1]], scoreless[dice])
        share[dice, : len(outcomes)], other[dice, : len(outcomes)] = alias_of(outcomes)
    keeps = options.bust == "all_dice"
    odds = chase_table(options.dice)[0]
    return Policy(found["rolls"], found["ahead"], solved["wins"], odds, tosses, share, other, keeps)


class BjRollouts(RolloutEvaluator):
    """Three to eight players."""

    def __init__(self, options: BjOptions, players: int, progress: Progress = no_progress) -> None:
        super().__init__(players)
        self.options = options
        self.policy = policy_of(options, progress)
        self.two = BjEvaluator(options, tables(options))

    def begin(self, state: State, seat: int) -> tuple[Ints, float]:
        return self._position(state, seat), self._known(state)

    def roll_out(self, position: Ints, value: float, seed: int, first: int, winners: Ints, luck: Floats) -> None:
        roll_out(self.policy, position, value, seed, first, winners, luck)

    def _position(self, state: State, seat: int) -> Ints:
        if not isinstance(state, BjState) or state.options != self.options or state.players != self.players:
            raise NotSolved("These are the values of BJ's dice under other rules, or for other players.")
        in_turn = state.roller == seat and (state.seat != CHANCE or state.dice < self.options.dice or state.at_risk > 0)
        head = (
            state.roller, state.seat != CHANCE, state.dice, state.at_risk // STEP, state.safe // BONUS, state.starter,
            seat, not in_turn, *(score // STEP for score in state.scores),
        )  # fmt: skip
        return np.array(head, np.int64)

    def _known(self, state: State) -> float:
        """What the rest of the turn is worth between the roller and the best of the others, where that is solved."""
        assert isinstance(state, BjState)  # noqa: S101 (for the type checker)
        others = [score for seat, score in enumerate(state.scores) if seat != state.roller]
        starter = state.starter
        if starter != NOBODY and (state.roller + 1) % self.players != starter:
            return nan
        seat = CHANCE if state.seat == CHANCE else 0
        two = BjState(
            self.options, (state.scores[state.roller], max(others)), seat, 0, state.dice, state.at_risk, state.safe,
            NOBODY if starter == NOBODY else 1,
        )  # fmt: skip
        return self.two.value(two, 0)
