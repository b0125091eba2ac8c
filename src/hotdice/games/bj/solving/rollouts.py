"""BJ's dice with more than two players: chances to win by compiled rollouts.

Every seat plays the solved policy of two against the best other score. In the last round a player who has to beat a
score rolls until it is beaten, and after that, with others to come, as long as one more toss helps. The luck of a turn
is read off the table of two players against that best other score, in which it has mean zero by the table's own
equation; in the last round only the very last turn has one.
"""

from __future__ import annotations

from functools import partial
from math import nan
from typing import Final, NamedTuple

import numpy as np

from hotdice.game import CHANCE, State
from hotdice.games.bj.rules import BONUS, NOBODY, BjOptions
from hotdice.games.bj.solving.kernel import Bits, Floats, Ints, Tosses
from hotdice.games.bj.solving.solver import MORE, STEP, BjEvaluator, policy, rules_of, tables
from hotdice.games.bj.state import BjState
from hotdice.solve.jit import kernel
from hotdice.solve.rollouts import PlayOut, RolloutEvaluator, alias_of, drawn, stream, uniform
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


class Seats(NamedTuple):
    """Everybody's scores in steps of 50, whose turn it is, and who started the last round (-1 before that)."""

    scores: Ints
    seat: int
    starter: int


class Start(NamedTuple):
    """A position to roll out, and what the rest of its turn is worth between two."""

    seats: Seats
    decides: bool
    """Whether the turn goes on with a decision or with a toss."""
    dice: int
    risk: int
    bonuses: int
    asking: int
    """The seat that asks."""
    turns: int
    """How many turns of the asking seat have begun, this one not counted: they number its random numbers."""
    value: float
    """No number where it is not known."""


@kernel
def toss(policy: Policy, dice: int, chance: float) -> int:
    """The outcome of tossing some dice that a random number stands for: its number, or `SCORELESS`."""
    begin = policy.tosses.begin
    outcomes = begin[dice + 1] - begin[dice]
    at = drawn(policy.share[dice, : outcomes + 1], policy.other[dice], chance)
    return begin[dice] + at if at < outcomes else SCORELESS


@kernel
def best_of_others(seats: Seats) -> int:
    """The highest score of the others."""
    best = 0
    for other in range(seats.scores.size):
        if other != seats.seat:
            best = max(best, seats.scores[other])
    return best


@kernel
def _next_seat(seats: Seats) -> int:
    return (seats.seat + 1) % seats.scores.size


@kernel
def _beaten(policy: Policy, deficit: int) -> float:
    """The chance that a turn makes up a deficit, and more; a player who is ahead already needs no points."""
    return 1.0 if deficit < 0 else float(policy.odds[min(deficit, policy.odds.shape[0] - 1), policy.odds.shape[1] - 1])


@kernel
def _holds(policy: Policy, seats: Seats, best: int, total: int) -> float:
    """The chance that a total reached in the last round wins: it beats those before, and nobody after beats it."""
    if total <= best:
        return 0.0
    chance = 1.0
    later = _next_seat(seats)
    while later != seats.starter:
        chance *= 1.0 - _beaten(policy, total - seats.scores[later])
        later = (later + 1) % seats.scores.size
    return chance


@kernel
def _one_more(policy: Policy, seats: Seats, best: int, dice: int, risk: int, safe: int) -> bool:
    """Whether in the last round one more toss is better than none."""
    tosses = policy.tosses
    all_dice = policy.odds.shape[1] - 1
    kept = safe + risk if policy.keeps and dice < all_dice else safe
    worth = tosses.scoreless[dice] * _holds(policy, seats, best, kept)
    for outcome in range(tosses.begin[dice], tosses.begin[dice + 1]):
        total = safe + risk + tosses.points[outcome] + (0 if tosses.left[outcome] else MORE)
        worth += tosses.chance[outcome] * _holds(policy, seats, best, total)
    return bool(worth > _holds(policy, seats, best, safe + risk))


@kernel
def goes_on(policy: Policy, seats: Seats, dice: int, risk: int, safe: int) -> bool:
    """Whether the policy rolls the dice, with the points `risk` at risk beyond a safe score, or passes."""
    best = best_of_others(seats)
    if seats.starter >= 0:
        if safe + risk <= best:
            return True
        if _next_seat(seats) == seats.starter:
            return False
        return _one_more(policy, seats, best, dice, risk, safe)
    if risk >= policy.rolls.shape[2]:
        return False
    if safe < policy.wins.shape[0]:
        return bool(policy.rolls[best, safe, risk] >> (dice - 1) & 1)
    return bool(policy.ahead[min(safe - best, policy.ahead.shape[0] - 1), risk] >> (dice - 1) & 1)


@kernel
def _before(policy: Policy, seats: Seats) -> float:
    """What a turn is worth between two, as it begins; no number where that is not known."""
    best = best_of_others(seats)
    score = seats.scores[seats.seat]
    if seats.starter < 0:
        return float(policy.wins[score, best])
    if _next_seat(seats) != seats.starter:
        return nan
    return _beaten(policy, best - score)


@kernel
def _after(policy: Policy, seats: Seats) -> float:
    """What it is worth between two to have ended a turn with these scores."""
    best = best_of_others(seats)
    score = seats.scores[seats.seat]
    if seats.starter >= 0:
        return 1.0 if score > best else 0.0
    if score < policy.wins.shape[0]:
        return 1.0 - float(policy.wins[best, score])
    return 1.0 - _beaten(policy, score - best)


@kernel
def play_turn(policy: Policy, seats: Seats, decides: bool, dice: int, risk: int, bonuses: int, key: np.uint64) -> int:
    """The points of the rest of a turn, which begins with a decision or with a toss."""
    points, left = policy.tosses.points, policy.tosses.left
    all_dice = policy.odds.shape[1] - 1
    count = 0
    while True:
        if decides and not goes_on(policy, seats, dice, risk, seats.scores[seats.seat] + bonuses * MORE):
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
def roll_out(policy: Policy, start: Start, seed: int, first: int, winners: Ints, luck: Floats) -> None:
    """Play a position to its end, once for each entry of `winners`, from the rollout with the number `first` on."""
    target = policy.wins.shape[0] - 1
    all_dice = policy.odds.shape[1] - 1
    players = start.seats.scores.size
    scores, turns = np.empty(players, np.int64), np.empty(players, np.int64)
    for rollout in range(winners.size):
        seat, starter = start.seats.seat, start.seats.starter
        decides, dice, risk, bonuses = start.decides, start.dice, start.risk, start.bonuses
        scores[:] = start.seats.scores
        turns[:] = 0
        turns[start.asking] = start.turns
        before = start.value
        while True:
            key = stream(seed, first + rollout, seat, turns[seat])
            turns[seat] += 1
            seats = Seats(scores, seat, starter)
            scores[seat] += play_turn(policy, seats, decides, dice, risk, bonuses, key)
            if not np.isnan(before):
                luck[rollout, seat] += _after(policy, seats) - before
            if starter < 0 and scores[seat] > target:
                starter = seat
            seat = (seat + 1) % players
            if seat == starter:
                break
            decides, dice, risk, bonuses = False, all_dice, 0, 0
            before = _before(policy, Seats(scores, seat, starter))
        winners[rollout] = winner_of(scores, starter)


def policy_of(options: BjOptions, progress: Progress = no_progress) -> Policy:
    """The solved policy of two, ready for rollouts."""
    if options.target > HIGHEST:
        raise NotSolved(f"BJ's dice with more than two players is valued up to a target of {HIGHEST}.")
    found, solved = policy(options, progress).arrays, tables(options, progress).arrays
    rules = rules_of(options)
    tosses = rules.tosses
    begin = tosses.begin
    widest = int(np.diff(begin).max()) + 1
    share, other = np.ones((options.dice + 1, widest)), np.zeros((options.dice + 1, widest), np.int64)
    for dice in range(1, options.dice + 1):
        outcomes = np.append(tosses.chance[begin[dice] : begin[dice + 1]], tosses.scoreless[dice])
        share[dice, : len(outcomes)], other[dice, : len(outcomes)] = alias_of(outcomes)
    return Policy(found["rolls"], found["ahead"], solved["wins"], rules.odds, tosses, share, other, rules.keeps)


class BjRollouts(RolloutEvaluator):
    """Three to eight players."""

    def __init__(self, options: BjOptions, players: int, progress: Progress = no_progress) -> None:
        super().__init__(players)
        self.options = options
        self.two_policy = policy_of(options, progress)
        self.two = BjEvaluator(options, tables(options))

    def begin(self, state: State, seat: int) -> PlayOut:
        return partial(roll_out, self.two_policy, self._start(state, seat))

    def _start(self, state: State, seat: int) -> Start:
        if not isinstance(state, BjState) or state.options != self.options or state.players != self.players:
            raise NotSolved("These are the values of BJ's dice under other rules, or for other players.")
        in_turn = state.roller == seat and (state.seat != CHANCE or state.dice < self.options.dice or state.at_risk > 0)
        return Start(
            Seats(np.array(state.scores) // STEP, state.roller, state.starter),
            decides=state.seat != CHANCE,
            dice=state.dice,
            risk=state.at_risk // STEP,
            bonuses=state.safe // BONUS,
            asking=seat,
            turns=int(not in_turn),
            value=self._known(state),
        )

    def _known(self, state: BjState) -> float:
        """What the rest of the turn is worth between the roller and the best of the others, where that is solved."""
        others = [score for seat, score in enumerate(state.scores) if seat != state.roller]
        starter = state.starter
        if starter != NOBODY and (state.roller + 1) % self.players != starter:
            return nan
        seat = CHANCE if state.seat == CHANCE else 0
        two = BjState(
            self.options, (state.scores[state.roller], max(others)), seat, 0, state.dice, state.at_risk, state.safe,
            NOBODY if starter == NOBODY else 1,
        )  # fmt: skip
        return self.two.expected(two, 0)
