"""KOR with more than two players: chances to win by compiled rollouts.

Turns are drawn whole, from the list of their ends. Every seat names the opponent with the best score, and chooses
between the signs of a split as the solved game of two does against that opponent; in a final round by a simple rule.
The luck of a turn or penalty is what it changed in the value between those two, which has mean zero by the solved
equations whatever the other seats do; final rounds are left out of it.

Whom to send back changes the chance to win by tenths of a per cent among eight, which games played to their end show
only after tens of thousands of them. So how far moves lie apart is found by playing a few rounds, with the same dice
for every move, and judging where they lead as a `race`; how good the best of them is, by playing it to the end.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from math import nan
from typing import Final, NamedTuple

import numpy as np

from hotdice.game import CHANCE, OVER, Move, State
from hotdice.games.kor.rules import DICE, NOBODY, Follow, KorOptions, Side, Target
from hotdice.games.kor.solving.evaluator import KorEvaluator
from hotdice.games.kor.solving.kernel import BANK, DEAD_OR_U, STOP, STOP_OR_DEAD, STOP_OR_U, U_TURN, Floats, Ints
from hotdice.games.kor.solving.race import judged, reached
from hotdice.games.kor.solving.turns import STEP, all_lists
from hotdice.games.kor.state import KorState
from hotdice.solve.jit import kernel
from hotdice.solve.rollouts import (
    PRECISION,
    Estimates,
    PlayOut,
    RolloutEvaluator,
    Sampling,
    alias_of,
    drawn,
    mean_and_error,
    on_all_cores,
    stream,
    uniform,
)
from hotdice.solve.store import Arrays
from hotdice.values import NotSolved, Prospect, payoff

DEAD: Final = BANK + 1
"""The end by DEAD END, in the order of the other ends."""
RAREST: Final = 1e-12
"""The chance of a turn that is left out for its many points."""
LARGE: Final = 200 // STEP
"""Points of a penalty that are not to be lost for the sake of handing one out, in a final round."""
PENALTIES: Final = 16
"""Added to a seat to number the streams of its penalties."""
ROUNDS: Final = 3
"""How many rounds are played before the rest is judged. With fewer the differences are too small, with more they are
noisier: `python -m benchmarks uturns`."""
SHORT: Final = 2048
"""How often they are played, for each move."""
LONG: Final = 1024
"""How often the best move is played to the end of the game."""


class Policy(NamedTuple):
    """All that a rollout reads: the solved tables by diagonals, and ends of turns to draw from."""

    begin: Floats
    away: Floats
    home: Floats
    last: Floats
    sent: Floats
    starts: Ints
    goal: int
    """The target as the tables count scores."""
    final: bool
    share: Floats
    """[dice, end and points] and `other`: as in `rollouts.drawn`."""
    other: Ints
    width: int
    """One more than the most points that an end can have, in steps: a drawn number is an end times this, and points."""


class Moment(NamedTuple):
    """Between two turns or penalties: whose turn it is, who rolls, in a penalty or not, who leads the final round."""

    turn: int
    roller: int
    penalty: bool
    leader: int
    """-1 before the final round."""
    winner: int
    """-1 while the game goes on."""


class Start(NamedTuple):
    """A position to roll out, and what the rest of its turn or penalty is worth between two."""

    now: Moment
    dice: int
    points: int
    scores: Ints
    asking: int
    """The seat that asks."""
    turns: int
    penalties: int
    """How many turns and penalties of the asking seat have begun, this one not counted: they number its streams."""
    value: float
    """No number where it is not known."""


@kernel
def cell(table: Floats, starts: Ints, own: int, other: int) -> float:
    """An entry of a table. Scores beyond the grid count as its edge, as they did when it was solved."""
    top = starts.size // 2
    own, other = min(max(own, 0), top), min(max(other, 0), top)
    return float(table[starts[own + other] + own])


@kernel
def rival_of(scores: Ints, seat: int) -> int:
    """The opponent with the best score; of equals the next to the left."""
    other = seat + 1 if seat + 1 < scores.size else 0
    best = other
    for _ in range(2, scores.size):
        other = other + 1 if other + 1 < scores.size else 0
        if scores[other] > scores[best]:
            best = other
    return best


@kernel
def before(policy: Policy, own: int, other: int, penalty: bool, at_home: bool) -> float:
    """What a turn or penalty is worth between two, as it begins."""
    if max(own, other) >= policy.goal:  # after a tie in a final round
        return nan
    if not penalty:
        return cell(policy.begin, policy.starts, own, other)
    return cell(policy.home if at_home else policy.away, policy.starts, own, other)


@kernel
def after(policy: Policy, own: int, other: int, penalty: bool, at_home: bool, u_turn: bool) -> float:
    """What it is worth between two to have ended so."""
    starts = policy.starts
    if penalty and not at_home:
        return 1.0 - cell(policy.home, starts, other, own) if u_turn else cell(policy.begin, starts, own, other)
    if not penalty and own >= policy.goal:
        if not policy.final:
            return 1.0
        return 1.0 - cell(policy.sent if u_turn else policy.last, starts, other, own)
    return 1.0 - cell(policy.away if u_turn else policy.begin, starts, other, own)


@kernel
def chosen(policy: Policy, now: Moment, end: int, points: int, own: int, other: int) -> int:
    """Which sign of a split is followed: STOP, U_TURN or DEAD. `own` and `other` are the scores of the two."""
    penalty, at_home = now.penalty, now.roller == now.turn
    first = DEAD if end == DEAD_OR_U else STOP
    second = DEAD if end == STOP_OR_DEAD else U_TURN
    if now.leader >= 0 or max(own, other) >= policy.goal:
        if end == STOP_OR_DEAD:
            return DEAD if penalty else STOP
        return DEAD if end == DEAD_OR_U and penalty and points >= LARGE else U_TURN
    change = -points if penalty else points
    values = (
        after(policy, own if first == DEAD else own + change, other, penalty, at_home, False),
        after(policy, own if second == DEAD else own + change, other, penalty, at_home, second == U_TURN),
    )
    return first if values[0] >= values[1] else second


@kernel
def move_on(goal: int, final: bool, scores: Ints, now: Moment, u_turn: bool) -> Moment:
    """What follows a turn or penalty whose points are tallied."""
    turn, roller, penalty, leader, _ = now
    players = scores.size
    if not penalty and leader < 0 and scores[turn] >= goal:
        if not final:
            return Moment(turn, turn, False, leader, turn)
        leader = turn
    if u_turn:
        return Moment(turn, rival_of(scores, roller), True, leader, -1)
    following = turn + 1 if turn + 1 < players else 0
    if following == leader:
        best = 0
        alone = True
        for seat in range(1, players):
            if scores[seat] == scores[best]:
                alone = False
            elif scores[seat] > scores[best]:
                best, alone = seat, True
        if alone and scores[best] >= goal:
            return Moment(turn, turn, False, leader, best)
        following = (leader + 1) % players
        leader = -1
    return Moment(following, following, False, leader, -1)


@kernel
def play_turn(policy: Policy, scores: Ints, now: Moment, dice: int, points: int, key: np.uint64) -> int:
    """Tally the rest of a turn or penalty, and say how it ended: STOP, U_TURN or DEAD."""
    roller = now.roller
    rival = scores[rival_of(scores, roller)]
    count = 0
    while True:
        drawn_at = drawn(policy.share[dice], policy.other[dice], uniform(key, count))
        count += 1
        end = drawn_at // policy.width
        points += drawn_at % policy.width
        if end in (STOP_OR_DEAD, STOP_OR_U, DEAD_OR_U):
            end = chosen(policy, now, end, points, scores[roller], rival)
        if end == DEAD:
            return DEAD
        scores[roller] += -points if now.penalty else points
        if end != BANK:
            return end
        dice, points = DICE, 0


@kernel
def turn_key(seed: int, rollout: int, now: Moment, taken: Ints) -> np.uint64:
    """The dice of the turn or penalty that begins; `taken` counts those of each seat, by penalty and seat."""
    kind = int(now.penalty)
    taken[kind, now.roller] += 1
    return stream(seed, rollout, now.roller + PENALTIES * kind, taken[kind, now.roller] - 1)


@kernel
def roll_out(policy: Policy, start: Start, seed: int, first: int, winners: Ints, luck: Floats) -> None:
    """Play a position to its end, once for each entry of `winners`, from the rollout with the number `first` on."""
    players = start.scores.size
    scores, taken = np.empty(players, np.int64), np.empty((2, players), np.int64)
    for rollout in range(winners.size):
        now, dice, points, worth = start.now, start.dice, start.points, start.value
        scores[:] = start.scores
        taken[:] = 0
        taken[0, start.asking], taken[1, start.asking] = start.turns, start.penalties
        while now.winner < 0:
            roller, penalty = now.roller, now.penalty
            key = turn_key(seed, first + rollout, now, taken)
            rival = scores[rival_of(scores, roller)]
            end = play_turn(policy, scores, now, dice, points, key)
            if not np.isnan(worth):
                found = after(policy, scores[roller], rival, penalty, roller == now.turn, end == U_TURN)
                luck[rollout, roller] += found - worth
            now = move_on(policy.goal, policy.final, scores, now, end == U_TURN)
            dice, points = DICE, 0
            if now.leader >= 0:
                worth = nan
            else:
                rival = scores[rival_of(scores, now.roller)]
                worth = before(policy, scores[now.roller], rival, now.penalty, now.roller == now.turn)
        winners[rollout] = now.winner


@kernel
def play_rounds(
    policy: Policy, chances: Floats, start: Start, rounds: int, seed: int, first: int, worth: Floats
) -> None:
    """Play some rounds and judge what they lead to, for the seat that asks, once for each entry of `worth`."""
    players = start.scores.size
    scores, taken = np.empty(players, np.int64), np.empty((2, players), np.int64)
    for rollout in range(worth.size):
        now, dice, points = start.now, start.dice, start.points
        scores[:] = start.scores
        taken[:] = 0
        taken[0, start.asking], taken[1, start.asking] = start.turns, start.penalties
        left = rounds * players
        while now.winner < 0:
            if left <= 0 and now.leader < 0 and not now.penalty and scores.max() < policy.goal:
                break
            key = turn_key(seed, first + rollout, now, taken)
            end = play_turn(policy, scores, now, dice, points, key)
            before = now.turn
            now = move_on(policy.goal, policy.final, scores, now, end == U_TURN)
            dice, points = DICE, 0
            left -= now.turn != before
        if now.winner >= 0:
            worth[rollout] = 1.0 if now.winner == start.asking else 0.0
        else:
            worth[rollout] = judged(chances, policy.goal, scores, now.turn, start.asking)


def policy_of(options: KorOptions, solved: Arrays, two: KorEvaluator) -> Policy:
    """The solved policy of two, ready for rollouts."""
    lists = [all_lists(options.bank_roll, options.scoring, dice) for dice in range(1, DICE + 1)]
    width = 1 + max(int(np.flatnonzero(ends.sum(0) > RAREST)[-1]) for ends, _ in lists)
    share, other = np.ones((DICE + 1, DEAD * width + 1)), np.zeros((DICE + 1, DEAD * width + 1), np.int64)
    for dice, (ends, dead) in enumerate(lists, 1):
        share[dice], other[dice] = alias_of(np.append(ends[:, :width].reshape(-1), dead))
    none = np.zeros(1)
    return Policy(
        solved["begin"], solved["away"], solved["home"], solved.get("last", none), solved.get("sent", none),
        two.starts, two.goal, options.final_round, share, other, width,
    )  # fmt: skip


class KorRollouts(RolloutEvaluator):
    """Three to eight players."""

    def __init__(self, options: KorOptions, players: int, solved: Arrays) -> None:
        super().__init__(players)
        self.options = options
        self.two = KorEvaluator(options, solved)
        self.two_policy = policy_of(options, solved, self.two)
        self.chances = reached(options)

    def begin(self, state: State, seat: int) -> PlayOut:
        return partial(roll_out, self.two_policy, self.start(self._rolling(state), seat))

    def prospects(self, state: State, move: Move) -> tuple[Prospect, ...]:
        return self.two.prospects(state, move)

    def compared(self, states: Sequence[State], seat: int, sampling: Sampling, most: int | None = None) -> Estimates:
        """How far moves lie apart is found apart from how good they are."""
        if len(states) < 2:
            return super().compared(states, seat, sampling, most)
        apart = self._apart(states, seat, sampling)
        best = int(apart.values.argmax())
        level = super().compared([states[best]], seat, sampling, LONG)
        values = level.values[0] + apart.values - apart.values[best]
        return replace(apart, values=values, errors=np.hypot(level.errors[0], apart.gap_errors))

    def _apart(self, states: Sequence[State], seat: int, sampling: Sampling) -> Estimates:
        """What states are worth by rounds that are played and judged; the errors are those of differences."""
        starts = [None if state.seat == OVER else self.start(self._rolling(state), seat) for state in states]
        worth = np.zeros((len(states), sampling.limits(PRECISION, SHORT)[1]))

        def play(at: int) -> None:
            start = starts[at]
            if start is None:
                worth[at] = payoff(states[at], seat)
            else:
                play_rounds(self.two_policy, self.chances, start, ROUNDS, sampling.seed, 0, worth[at])

        on_all_cores(play, len(states))
        best = int(worth.mean(1).argmax())
        errors = np.array([mean_and_error(worth[best] - one)[1] for one in worth])
        errors[best] = 0.0
        return Estimates(worth.mean(1), errors, errors, np.full(len(states), worth.shape[1]))

    def _rolling(self, state: State) -> KorState:
        """The state in which dice are rolled next, choices being made as the policy makes them."""
        if not isinstance(state, KorState) or state.options != self.options or state.players != self.players:
            raise NotSolved("These are the values of KOR under other rules, or for other players.")
        if max(state.scores) < -self.two.floor * STEP:
            raise NotSolved(f"Nobody has more than {-self.two.floor * STEP}; no game is likely to come there.")
        while state.seat >= 0:
            state = state.apply(self.choice(state))
        return state

    def choice(self, state: KorState) -> Move:
        """What the policy chooses: a sign of a split, or whom to send back."""
        return Follow(self._sign(state)) if state.signs else Target(self._rival(state))

    def _rival(self, state: KorState) -> int:
        return int(rival_of(np.array(state.scores), state.roller))

    def _sign(self, state: KorState) -> Side:
        ends = {Side.STOP: STOP, Side.DEAD_END: DEAD, Side.U_TURN: U_TURN}
        pairs = {(STOP, DEAD): STOP_OR_DEAD, (STOP, U_TURN): STOP_OR_U, (DEAD, U_TURN): DEAD_OR_U}
        first, second = (ends[sign] for sign in state.signs)
        own, rival = (self._score(state.scores[seat]) for seat in (state.roller, self._rival(state)))
        end = chosen(self.two_policy, _moment(state), pairs[first, second], state.points // STEP, own, rival)
        return next(sign for sign in state.signs if ends[sign] == end)

    def _score(self, points: int) -> int:
        return points // STEP + self.two.floor

    def start(self, state: KorState, seat: int) -> Start:
        """A state in which dice are rolled next, for the kernel."""
        begun = state.roller == seat and (state.dice < DICE or state.points > 0)
        return Start(
            now=_moment(state),
            dice=state.dice,
            points=state.points // STEP,
            scores=np.array([*map(self._score, state.scores)]),
            asking=seat,
            turns=int(not (begun and not state.penalty)),
            penalties=int(not (begun and state.penalty)),
            value=self._known(state),
        )

    def _known(self, state: KorState) -> float:
        """What the rest of the turn is worth between the roller and the best of the others, where that is solved."""
        if state.seat != CHANCE or state.leader != NOBODY:
            return nan
        scores = (state.scores[state.roller], state.scores[self._rival(state)])
        if max(scores) >= self.options.target:
            return nan
        turn = 0 if state.roller == state.turn else 1
        two = KorState(self.options, scores, CHANCE, turn, 0, state.penalty, state.dice, state.points, (), NOBODY)
        try:
            return self.two.expected(two, 0)
        except NotSolved:
            return nan


def _moment(state: KorState) -> Moment:
    return Moment(state.turn, state.roller, state.penalty, state.leader, -1)
