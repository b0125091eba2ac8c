"""BJ's dice step by step, compiled, thousands of games at once. Points are counted in steps of 50."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final, NamedTuple

import numpy as np

from hotdice.errors import SeatError
from hotdice.games.bj.greedy import next_toss
from hotdice.games.bj.observation import BEYOND
from hotdice.games.bj.rules import MOVES, ROLL, BjOptions
from hotdice.games.bj.solving.kernel import Bits
from hotdice.games.bj.solving.solver import MORE, STEP, policy
from hotdice.games.bj.solving.tosses import Board, board_of
from hotdice.solve.batches import bare_kernel, bits_of, choice_key, game_key, turn_key
from hotdice.solve.rollouts import GOLDEN, uniform
from hotdice.solve.stepping import GREEDY, LEARNER, NEW, OPTIMAL, RANDOM, Batch, Boards, Numbers, Stepper, Steps
from hotdice.solve.turns import tossed
from hotdice.values import Progress, no_progress

KEY, TURN, SEATS = range(3)
"""The columns of a board: the key of the turn's next toss, the turn, and from the last one on a seat each. Small boards
are played faster, as more of them fit into a processor's nearest memory."""
STARTER, TOSS, BONUSES, RISK = 4, 8, 16, 32
"""Where in the number of a turn, above its seat, other numbers begin: the seat that started the last round, counted
from 1, the kind of the last toss, the bonuses, and the points at risk."""
TAKEN, DECIDED = 24, 44
"""Where in the number of a seat, above its score, others begin: the turns taken and the choices left to chance."""
ROLLS: Final = MOVES.index(ROLL)
"""The action that rolls on; the other one passes."""


class Rules(NamedTuple):
    """The rules as tables, and who plays."""

    board: Board
    most: int
    """The points that are shown at most."""
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


@bare_kernel
def _score(boards: Boards, at: np.uint64, seat: int) -> int:
    return int(boards[at, np.uint64(SEATS + seat)] & (1 << TAKEN) - 1)


@bare_kernel
def _bot_rolls(rules: Rules, boards: Boards, at: np.uint64, kind: int, now: Turn, seed: int, game: int) -> bool:
    """Whether a bot rolls on."""
    seat, dice, risk = now.seat, now.dice, now.risk
    if kind == RANDOM:
        decided = boards[at, np.uint64(SEATS + seat)] >> DECIDED
        boards[at, np.uint64(SEATS + seat)] += 1 << DECIDED
        return bool(uniform(choice_key(seed, game, seat), decided) < 0.5)
    safe, best = _score(boards, at, seat) + now.bonuses * MORE, 0
    for other in range(rules.players):
        if other != seat:
            best = max(best, _score(boards, at, other))
    if now.starter >= 0:
        if safe + risk <= best:
            return True
        if (seat + 1) % rules.players == now.starter:
            return False
    if kind == GREEDY:
        loss = 0 if rules.board.keeps and dice < rules.board.dice else risk
        return bool(rules.gain[dice] > rules.scoreless[dice] * loss)
    if risk >= rules.rolls.shape[2]:
        return False
    if safe <= rules.board.target:
        return bool(rules.rolls[best, safe, risk] >> (dice - 1) & 1)
    return bool(rules.ahead[min(safe - best, rules.ahead.shape[0] - 1), risk] >> (dice - 1) & 1)


@bare_kernel
def _show(rules: Rules, batch: Batch, at: np.uint64, now: Turn, viewer: int) -> None:
    players, seen = rules.players, batch.seen
    seat = viewer
    for place in range(players):
        seen[at, np.uint64(place)] = min(_score(batch.boards, at, seat) * STEP, rules.most)
        seat = seat + 1 if seat + 1 < players else 0
    seen[at, np.uint64(players)] = min(now.risk * STEP, rules.most)
    seen[at, np.uint64(players + 1)] = min(now.bonuses * MORE * STEP, rules.most)
    seen[at, np.uint64(players + 2)] = now.dice
    turn, first = now.seat - viewer, now.starter - viewer
    seen[at, np.uint64(players + 3)] = turn + players if turn < 0 else turn
    seen[at, np.uint64(players + 4)] = 0 if now.starter < 0 else (first + players if first < 0 else first) + 1


@bare_kernel
def _winner(boards: Boards, at: np.uint64, players: int, starter: int) -> int:
    """Who wins after the last round: the highest score, of equal ones the first."""
    best = seat = starter
    for _ in range(1, players):
        seat = seat + 1 if seat + 1 < players else 0
        if _score(boards, at, seat) > _score(boards, at, best):
            best = seat
    return best


@bare_kernel
def step(rules: Rules, seed: int, rows: Numbers, actions: Numbers, batch: Batch) -> None:
    """Act in some rows, and play on to the learner's next decision.

    Whether a turn ends is what nobody can foresee, so going on and beginning the next one take the same way.
    """
    boards, players, board = batch.boards, rules.players, rules.board
    for row in range(rows.size):
        at = np.uint64(rows[row])
        game, learner, action = batch.games[at], batch.learners[at], actions[at]
        if action == NEW:
            boards[at] = 0
            boards[at, TURN] = players - 1
        key, turn, dice = np.uint64(boards[at, KEY]), boards[at, TURN], game_key(seed, game)
        seat, starter = turn & (1 << STARTER) - 1, (turn >> STARTER & (1 << TOSS - STARTER) - 1) - 1
        toss, bonuses = turn >> TOSS & (1 << BONUSES - TOSS) - 1, turn >> BONUSES & (1 << RISK - BONUSES) - 1
        risk = turn >> RISK
        ends = np.int64(action != ROLLS)  # also before the first turn, which follows on one of no points
        decider = -1
        while True:
            boards[at, np.uint64(SEATS + seat)] += (risk + bonuses * MORE) & -ends
            beyond = (starter < 0) & (_score(boards, at, seat) > board.target)
            starter = seat if beyond else starter
            following = seat + 1 if seat + 1 < players else 0
            seat = following if ends else seat
            risk, bonuses, toss = risk & ends - 1, bonuses & ends - 1, toss & ends - 1
            if ends & np.int64(seat == starter):
                seat = starter - 1 if starter else players - 1
                batch.winners[at] = 1 << _winner(boards, at, players, starter)
                break
            boards[at, np.uint64(SEATS + seat)] += ends << TAKEN
            taken = boards[at, np.uint64(SEATS + seat)] >> TAKEN & (1 << DECIDED - TAKEN) - 1
            fresh = turn_key(dice, seat, taken)
            key = (fresh if ends else key) + GOLDEN
            toss = tossed(board.tosses, toss, bits_of(key))
            points = board.points[np.uint64(toss)]
            if points == 0:
                if not board.keeps or board.left[np.uint64(toss)] == board.dice:
                    risk = 0
                ends = np.int64(1)
                continue
            risk += points
            bonuses += board.hot[np.uint64(toss)]
            ahead = seat - learner
            kind = rules.kinds[np.uint64(ahead + players if ahead < 0 else ahead)]
            if kind == LEARNER:
                decider = seat
                break
            now = Turn(seat, board.left[np.uint64(toss)], risk, bonuses, starter)
            ends = 1 - np.int64(_bot_rolls(rules, boards, at, kind, now, seed, game))
        boards[at, KEY] = np.int64(key)
        boards[at, TURN] = seat | starter + 1 << STARTER | toss << TOSS | bonuses << BONUSES | risk << RISK
        batch.deciders[at] = decider
        now = Turn(seat, board.left[np.uint64(toss)], risk, bonuses, starter)
        _show(rules, batch, at, now, learner if decider < 0 else seat)
        batch.masks[at, 0] = batch.masks[at, 1] = 1 if decider >= 0 else 0
        batch.illegal[at] = 0


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
            board_of(options), options.target + BEYOND, players, np.array(kinds),
            np.array([gain for gain, _ in gains]) // STEP, np.array([none for _, none in gains]), rolls, ahead,
        )  # fmt: skip

        def act(seed: int, rows: Numbers, actions: Numbers, batch: Batch) -> None:
            step(rules, seed, rows, actions, batch)

        return Steps(SEATS + players, act)
