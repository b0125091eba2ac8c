"""BJ's dice with more than two players: chances to win by compiled rollouts.

Every seat plays the solved policy of two against the best other score. In the last round a player who has to beat a
score rolls until it is beaten, and after that, with others to come, as long as one more toss helps. The luck of a turn
is read off the table of two players against that best other score, in which it has mean zero by the table's own
equation; in the last round only the very last turn has one.

Before the last round, the points of a whole turn are drawn at once, from their law under that policy. It depends on the
roller's score and the best other one alone, is worked out when a rollout first needs it, and serves all positions
after that.
"""

from __future__ import annotations

from functools import partial
from math import nan
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hotdice.game import CHANCE, Move, State
from hotdice.games.bj.rules import BONUS, NOBODY, BjOptions
from hotdice.games.bj.solving.evaluator import BjEvaluator
from hotdice.games.bj.solving.kernel import Bits, Floats, Ints, Tosses
from hotdice.games.bj.solving.prospects import prospects
from hotdice.games.bj.solving.solver import MORE, STEP, policy, rules_of, tables
from hotdice.games.bj.state import BjState
from hotdice.solve.jit import kernel
from hotdice.solve.rollouts import PlayOut, RolloutEvaluator, alias_of, drawn, stream, uniform
from hotdice.values import NotSolved, Progress, Prospect, no_progress

SCORELESS: Final = -1
GAMES: Final = 15_000
"""Rollouts of one move at most, divided by the players: with more of them games take longer."""
LONGEST: Final = 128
"""The most points of a turn that is drawn whole, in steps of 50; more are as likely as not at all."""
RAREST: Final = 1e-15
"""The chance of a moment of a turn that is left out."""
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
    beats: Floats
    """[deficit]: the chance that a turn makes it up, and more."""
    laws: NDArray[np.float32]
    """[best other score, own score, points]: the chance that a turn brings no more; worked out where it is known."""
    known: Bits
    """[best other score, own score]: whether it is."""


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
def _find_held(policy: Policy, seats: Seats, best: int, held: Floats) -> None:
    """By how far a total is ahead in the last round: the chance that it wins, as nobody after beats it."""
    beats = policy.beats
    held[:] = 1.0
    held[0] = 0.0
    later = _next_seat(seats)
    while later != seats.starter:
        first = best - seats.scores[later]
        for ahead in range(1, min(held.size, beats.size - first)):
            held[ahead] *= 1.0 - beats[first + ahead]
        later = (later + 1) % seats.scores.size


@kernel
def _holds(held: Floats, ahead: int) -> float:
    """The chance that a total wins which is so far ahead of those before."""
    return float(held[min(max(ahead, 0), held.size - 1)])


@kernel
def _one_more(policy: Policy, seats: Seats, best: int, dice: int, risk: int, safe: int, held: Floats) -> bool:
    """Whether in the last round one more toss is better than none."""
    tosses = policy.tosses
    all_dice = policy.odds.shape[1] - 1
    if held[0] < 0.0:
        _find_held(policy, seats, best, held)
    ahead = safe + risk - best
    kept = ahead if policy.keeps and dice < all_dice else safe - best
    now = _holds(held, ahead)
    worth = tosses.scoreless[dice] * _holds(held, kept)
    if worth + 1.0 - tosses.scoreless[dice] <= now:  # whatever is tossed
        return False
    for outcome in range(tosses.begin[dice], tosses.begin[dice + 1]):
        more = tosses.points[outcome] + (0 if tosses.left[outcome] else MORE)
        worth += tosses.chance[outcome] * _holds(held, ahead + more)
    return bool(worth > now)


@kernel
def goes_on(policy: Policy, seats: Seats, dice: int, risk: int, safe: int, held: Floats) -> bool:
    """Whether the policy rolls the dice, with the points `risk` at risk beyond a safe score, or passes.

    In the last round `held` is what `_find_held` finds for this turn; below zero before that is needed.
    """
    best = best_of_others(seats)
    if seats.starter < 0:
        return goes_on_between(policy, best, dice, risk, safe)
    if safe + risk <= best:
        return True
    if _next_seat(seats) == seats.starter:
        return False
    return _one_more(policy, seats, best, dice, risk, safe, held)


@kernel
def goes_on_between(policy: Policy, best: int, dice: int, risk: int, safe: int) -> bool:
    """The same before the last round, against the best other score."""
    if risk >= policy.rolls.shape[2]:
        return False
    if safe < policy.wins.shape[0]:
        return bool(policy.rolls[best, safe, risk] >> (dice - 1) & 1)
    return bool(policy.ahead[min(safe - best, policy.ahead.shape[0] - 1), risk] >> (dice - 1) & 1)


@kernel
def _before(policy: Policy, seats: Seats, best: int) -> float:
    """What a turn is worth between two, as it begins; no number where that is not known."""
    score = seats.scores[seats.seat]
    if seats.starter < 0:
        return float(policy.wins[score, best])
    if _next_seat(seats) != seats.starter:
        return nan
    return _beaten(policy, best - score)


@kernel
def _after(policy: Policy, seats: Seats, best: int) -> float:
    """What it is worth between two to have ended a turn with these scores."""
    score = seats.scores[seats.seat]
    if seats.starter >= 0:
        return 1.0 if score > best else 0.0
    if score < policy.wins.shape[0]:
        return 1.0 - float(policy.wins[best, score])
    return 1.0 - _beaten(policy, score - best)


@kernel
def play_turn(
    policy: Policy, seats: Seats, decides: bool, dice: int, risk: int, bonuses: int, key: np.uint64, held: Floats
) -> int:
    """The points of the rest of a turn, which begins with a decision or with a toss."""
    if seats.starter >= 0:
        held[0] = -1.0
    points, left = policy.tosses.points, policy.tosses.left
    all_dice = policy.odds.shape[1] - 1
    count = 0
    while True:
        if decides and not goes_on(policy, seats, dice, risk, seats.scores[seats.seat] + bonuses * MORE, held):
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
def turn_law(policy: Policy, best: int, own: int) -> Floats:
    """The chances that a turn before the last round brings no more than each number of points, in steps of 50.

    Tosses only add points, and bonuses only come on top: so moments are gone through by rising bonuses and points, each
    with the chance to come there.
    """
    points, left, chance = policy.tosses.points, policy.tosses.left, policy.tosses.chance
    begin, scoreless = policy.tosses.begin, policy.tosses.scoreless
    all_dice = policy.odds.shape[1] - 1
    law = np.zeros(LONGEST)
    top = law.size - 1
    here, after = np.zeros((2, law.size, all_dice + 1))
    here[0, all_dice] = 1.0
    safe = 0
    while safe <= top:
        after[:] = 0.0
        for risk in range(top - safe + 1):
            for dice in range(1, all_dice + 1):
                mass = here[risk, dice]
                if mass <= RAREST:
                    continue
                if risk + safe > 0 and not goes_on_between(policy, best, dice, risk, own + safe):
                    law[safe + risk] += mass
                    continue
                law[safe + (risk if policy.keeps and dice < all_dice else 0)] += mass * scoreless[dice]
                for outcome in range(begin[dice], begin[dice + 1]):
                    reached = min(risk + points[outcome], top)
                    if left[outcome]:
                        here[reached, left[outcome]] += mass * chance[outcome]
                    else:
                        after[reached, all_dice] += mass * chance[outcome]
        here, after = after, here
        safe += MORE
    total = law.sum()
    so_far = 0.0
    for at in range(law.size):
        so_far += law[at] / total
        law[at] = so_far
    return law


@kernel
def draw_turn(policy: Policy, best: int, own: int, chance: float) -> int:
    """The points of a turn before the last round that a random number stands for."""
    law = policy.laws[best, own]
    if not policy.known[best, own]:
        law[:] = turn_law(policy, best, own)
        policy.known[best, own] = 1
    at = 0
    while at < law.size - 1 and law[at] <= chance:  # most turns are short, and what is near is in the cache
        at += 1
    return at


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
    held = np.empty(LONGEST)
    for rollout in range(winners.size):
        seat, starter = start.seats.seat, start.seats.starter
        decides, dice, risk, bonuses = start.decides, start.dice, start.risk, start.bonuses
        scores[:] = start.seats.scores
        turns[:] = 0
        turns[start.asking] = start.turns
        before, best = start.value, best_of_others(start.seats)
        whole = False  # the turn that is being played is played toss by toss
        while True:
            key = stream(seed, first + rollout, seat, turns[seat])
            turns[seat] += 1
            seats = Seats(scores, seat, starter)
            if whole and starter < 0:
                scores[seat] += draw_turn(policy, best, scores[seat], uniform(key, 0))
            else:
                scores[seat] += play_turn(policy, seats, decides, dice, risk, bonuses, key, held)
            if not np.isnan(before):
                luck[rollout, seat] += _after(policy, seats, best) - before
            if starter < 0 and scores[seat] > target:
                starter = seat
            seat = (seat + 1) % players
            if seat == starter:
                break
            decides, dice, risk, bonuses = False, all_dice, 0, 0
            whole = policy.laws.size > 0
            best = best_of_others(Seats(scores, seat, starter))
            before = _before(policy, Seats(scores, seat, starter), best)
        winners[rollout] = winner_of(scores, starter)


def policy_of(options: BjOptions, progress: Progress = no_progress, *, whole_turns: bool = True) -> Policy:
    """The solved policy of two, ready for rollouts, which draw turns whole or play all of them toss by toss."""
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
    scores = len(solved["wins"])
    laws = np.zeros((scores, scores, LONGEST) if whole_turns else (0, 0, 0), np.float32)
    known = np.zeros((scores, scores), np.uint8)
    return Policy(
        found["rolls"], found["ahead"], solved["wins"], rules.odds, tosses, share, other, rules.keeps,
        rules.odds[:, options.dice].copy(), laws, known,
    )  # fmt: skip


class BjRollouts(RolloutEvaluator):
    """Three to eight players."""

    def __init__(self, options: BjOptions, players: int, progress: Progress = no_progress) -> None:
        super().__init__(players)
        self.most = GAMES // players
        self.options = options
        self.two_policy = policy_of(options, progress)
        self.two = BjEvaluator(options, tables(options))

    def begin(self, state: State, seat: int) -> PlayOut:
        return partial(roll_out, self.two_policy, self._start(state, seat))

    def prospects(self, state: State, move: Move) -> tuple[Prospect, ...]:
        """Of the turn as the policy plays it."""
        state = self._own(state)
        if move not in state.legal_moves():
            raise state.illegal(move)
        scores = np.array(state.scores) // STEP
        seats, own = Seats(scores, state.seat, state.starter), int(scores[state.seat])
        held = np.full(LONGEST, -1.0)

        def rolls(dice: int, risk: int, bonuses: int) -> bool:
            return goes_on(self.two_policy, seats, dice, risk, own + bonuses * MORE, held)

        return prospects(state, move, rolls)

    def _own(self, state: State) -> BjState:
        if not isinstance(state, BjState) or state.options != self.options or state.players != self.players:
            raise NotSolved("These are the values of BJ's dice under other rules, or for other players.")
        return state

    def _start(self, state: State, seat: int) -> Start:
        state = self._own(state)
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
