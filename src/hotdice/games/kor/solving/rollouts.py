"""KOR with more than two players: chances to win by compiled rollouts.

Turns are drawn whole, from the list of their ends. Every seat names the opponent with the best score, and chooses
between the signs of a split as the solved game of two does against that opponent; in a final round by a simple rule.
The luck of a turn or penalty is what it changed in the value between those two, which has mean zero by the solved
equations whatever the other seats do; final rounds are left out of it.
"""

from __future__ import annotations

from math import nan
from typing import Final, NamedTuple

import numpy as np

from hotdice.game import CHANCE, Move, State
from hotdice.games.kor.rules import DICE, Follow, KorOptions, Side, Target
from hotdice.games.kor.solving.kernel import BANK, DEAD_OR_U, STOP, STOP_OR_DEAD, STOP_OR_U, U_TURN, Floats, Ints
from hotdice.games.kor.solving.solver import STEP, KorEvaluator, all_lists
from hotdice.games.kor.state import NOBODY, KorState
from hotdice.solve.jit import kernel
from hotdice.solve.rollouts import RolloutEvaluator, alias_of, drawn, stream, uniform
from hotdice.solve.store import Arrays
from hotdice.values import NotSolved

DEAD: Final = BANK + 1
"""The end by DEAD END, in the order of the other ends."""
RAREST: Final = 1e-12
"""The chance of a turn that is left out for its many points."""
LARGE: Final = 200 // STEP
"""Points of a penalty that are not to be lost for the sake of handing one out, in a final round."""
PENALTIES: Final = 16
"""Added to a seat to number the streams of its penalties."""


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
    """How many points an end can have."""


@kernel
def cell(table: Floats, starts: Ints, own: int, other: int) -> float:
    """An entry of a table. Scores beyond the grid count as its edge, as they did when it was solved."""
    top = starts.size // 2
    own, other = min(max(own, 0), top), min(max(other, 0), top)
    return float(table[starts[own + other] + own])


@kernel
def rival_of(scores: Ints, seat: int) -> int:
    """The opponent with the best score; of equals the next to the left."""
    best = (seat + 1) % scores.size
    for step in range(2, scores.size):
        other = (seat + step) % scores.size
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
def chosen(
    policy: Policy, end: int, points: int, own: int, other: int, penalty: bool, at_home: bool, leader: int
) -> int:
    """Which sign of a split is followed: STOP, U_TURN or DEAD."""
    first = DEAD if end == DEAD_OR_U else STOP
    second = DEAD if end == STOP_OR_DEAD else U_TURN
    if leader >= 0 or max(own, other) >= policy.goal:
        if end == STOP_OR_DEAD:
            return DEAD if penalty else STOP
        return DEAD if end == DEAD_OR_U and penalty and points >= LARGE else U_TURN
    change = -points if penalty else points
    values = (
        after(policy, own if first == DEAD else own + change, other, penalty, at_home, False),
        after(policy, own if second == DEAD else own + change, other, penalty, at_home, second == U_TURN),
    )
    return first if values[0] >= values[1] else second


class Moment(NamedTuple):
    """Between two turns or penalties: whose turn it is, who rolls, in a penalty or not, who leads the final round."""

    turn: int
    roller: int
    penalty: bool
    leader: int
    winner: int
    """-1 while the game goes on."""


@kernel
def move_on(policy: Policy, scores: Ints, turn: int, roller: int, penalty: bool, leader: int, u_turn: bool) -> Moment:
    """What follows a turn or penalty whose points are tallied."""
    players = scores.size
    if not penalty and leader < 0 and scores[turn] >= policy.goal:
        if not policy.final:
            return Moment(turn, turn, False, leader, turn)
        leader = turn
    if u_turn:
        return Moment(turn, rival_of(scores, roller), True, leader, -1)
    following = (turn + 1) % players
    if following == leader:
        best = 0
        alone = True
        for seat in range(1, players):
            if scores[seat] == scores[best]:
                alone = False
            elif scores[seat] > scores[best]:
                best, alone = seat, True
        if alone and scores[best] >= policy.goal:
            return Moment(turn, turn, False, leader, best)
        following = (leader + 1) % players
        leader = -1
    return Moment(following, following, False, leader, -1)


@kernel
def play_turn(
    policy: Policy, scores: Ints, turn: int, roller: int, penalty: bool, leader: int, dice: int, points: int,
    key: np.uint64,
) -> int:  # fmt: skip
    """Tally the rest of a turn or penalty, and say how it ended: STOP, U_TURN or DEAD."""
    rival = scores[rival_of(scores, roller)]
    at_home = roller == turn
    count = 0
    while True:
        drawn_at = drawn(policy.share[dice], policy.other[dice], uniform(key, count))
        count += 1
        end = drawn_at // policy.width
        points += drawn_at % policy.width
        if end in (STOP_OR_DEAD, STOP_OR_U, DEAD_OR_U):
            end = chosen(policy, end, points, scores[roller], rival, penalty, at_home, leader)
        if end == DEAD:
            return DEAD
        scores[roller] += -points if penalty else points
        if end != BANK:
            return end
        dice, points = DICE, 0


@kernel
def roll_out(policy: Policy, position: Ints, value: float, seed: int, first: int, winners: Ints, luck: Floats) -> None:
    """Play a position to its end, once for each entry of `winners`.

    A position is: whose turn, who rolls, in a penalty or not, leader, dice, points, the streams begun of the asking
    seat's turns and penalties, that seat, and the scores. `value` is what the rest of the turn is worth between two.
    """
    players = position.size - 9
    scores, taken = np.empty(players, np.int64), np.empty((2, players), np.int64)
    for rollout in range(winners.size):
        turn, roller, serves, leader, dice, points = position[:6]
        scores[:] = position[9:]
        taken[:] = 0
        taken[0, position[8]], taken[1, position[8]] = position[6], position[7]
        now = Moment(turn, roller, serves > 0, leader, -1)
        worth = value
        while now.winner < 0:
            turn, roller, penalty, leader, _ = now
            key = stream(seed, first + rollout, roller + PENALTIES * penalty, taken[int(penalty), roller])
            taken[int(penalty), roller] += 1
            rival = scores[rival_of(scores, roller)]
            end = play_turn(policy, scores, turn, roller, penalty, leader, dice, points, key)
            if not np.isnan(worth):
                found = after(policy, scores[roller], rival, penalty, roller == turn, end == U_TURN)
                luck[rollout, roller] += found - worth
            now = move_on(policy, scores, turn, roller, penalty, leader, end == U_TURN)
            dice, points = DICE, 0
            if now.leader >= 0:
                worth = nan
            else:
                rival = scores[rival_of(scores, now.roller)]
                worth = before(policy, scores[now.roller], rival, now.penalty, now.roller == now.turn)
        winners[rollout] = now.winner


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
        self.policy = policy_of(options, solved, self.two)

    def begin(self, state: State, seat: int) -> tuple[Ints, float]:
        rolling = self._rolling(state)
        return self._position(rolling, seat), self._known(rolling)

    def roll_out(self, position: Ints, value: float, seed: int, first: int, winners: Ints, luck: Floats) -> None:
        roll_out(self.policy, position, value, seed, first, winners, luck)

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
        at_home = state.roller == state.turn
        points = state.points // STEP
        end = chosen(self.policy, pairs[first, second], points, own, rival, state.penalty, at_home, state.leader)
        return next(sign for sign in state.signs if ends[sign] == end)

    def _score(self, points: int) -> int:
        return points // STEP + self.two.floor

    def _position(self, state: KorState, seat: int) -> Ints:
        begun = state.roller == seat and (state.dice < DICE or state.points > 0)
        streams = not (begun and not state.penalty), not (begun and state.penalty)
        head = (state.turn, state.roller, state.penalty, state.leader, state.dice, state.points // STEP)
        return np.array([*head, *streams, seat, *map(self._score, state.scores)], np.int64)

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
            return self.two.value(two, 0)
        except NotSolved:
            return nan
