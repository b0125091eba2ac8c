"""KOR by the thousand: whole games, compiled, for any number of players. Points are counted in steps of 25."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import ClassVar, NamedTuple

import numpy as np

from hotdice.dice import Roll
from hotdice.game import Move, State
from hotdice.games.kor.rules import DICE, TOSSES, Follow, KorOptions, Side, Target, read_toss
from hotdice.games.kor.solving import NOISE
from hotdice.games.kor.solving.evaluator import KorEvaluator
from hotdice.games.kor.solving.kernel import BANK, DEAD_OR_U, STOP, STOP_OR_DEAD, STOP_OR_U, U_TURN, Floats, Ints
from hotdice.games.kor.solving.rollouts import (
    DEAD,
    KorRollouts,
    Moment,
    Policy,
    after,
    chosen,
    move_on,
    policy_of,
    rival_of,
)
from hotdice.games.kor.solving.solver import tables
from hotdice.games.kor.solving.turns import ENDS, STEP
from hotdice.games.kor.state import KorState
from hotdice.solve.batches import (
    LEVELS,
    Bits,
    Codes,
    Columns,
    Counted,
    Counts,
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

RANDOM, GREEDY, SOLVED, NOISY, DUEL = range(5)
"""How a seat decides: by chance, by the greedy rule, by values, by noisy values, as if alone against the best one."""
GAIN = DEAD + 1
"""A toss after which the turn goes on, in the order of the ways a turn ends."""
GAINED = 6
"""Bits for the steps that a toss brings: it is coded by what it does above these."""
DEAD_ENDS, U_TURNS, PENALTIES, DOCKED, HOT, BANKS = range(6)
"""The statistics, in their order."""


class Ways(NamedTuple):
    """How each seat decides."""

    kind: Ints
    scale: Floats
    """Of values: the noise on them."""


class Board(NamedTuple):
    """The rules, as tables."""

    toss: Codes
    """What each way to throw some dice means, from one die to six."""
    begin: Ints
    """[dice]: where these begin in `toss`."""
    goal: int
    """The target as scores are counted here, from `floor`."""
    floor: int
    final: bool


@kernel
def _greedy_sign(board: Board, scores: Ints, now: Moment, first: int, second: int, points: int) -> int:
    """The sign that leaves the roller best off against the others; if both do, the one that hits back."""
    roller = now.roller
    best_other = scores[rival_of(scores, roller)]
    worth = np.empty((2, 2), np.int64)
    for at, sign in enumerate((first, second)):
        own = scores[roller]
        if sign != DEAD:
            own += -points if now.penalty else points
        wins = not now.penalty and now.leader < 0 and own >= board.goal and not board.final
        worth[at, 0], worth[at, 1] = own - best_other, int(sign == U_TURN and not wins)
    better = worth[1, 0] > worth[0, 0] or (worth[1, 0] == worth[0, 0] and worth[1, 1] > worth[0, 1])
    return second if better else first


@kernel
def _worth(policy: Policy, scores: Ints, now: Moment, sign: int, points: int) -> float:
    """What following a sign is worth between two."""
    own, other = scores[now.roller], scores[1 - now.roller]
    if sign != DEAD:
        own += -points if now.penalty else points
    return after(policy, own, other, now.penalty, now.roller == now.turn, sign == U_TURN)


@kernel
def _target(kind: int, scores: Ints, roller: int, chance: float) -> int:
    """Whom a seat names for a penalty."""
    if kind == RANDOM:
        step = int(chance * (scores.size - 1))
        return step if step < roller else step + 1
    if kind == DUEL:
        return rival_of(scores, roller)
    best = 1 if roller == 0 else 0
    for other in range(best + 1, scores.size):
        if other != roller and scores[other] > scores[best]:
            best = other
    return best


@kernel
def play_games(
    ways: Ways, board: Board, policy: Policy, seed: int, first: int,
    winners: Bits, all_scores: Counts, turns: Counts, rolls: Counts, counts: Counts,
) -> None:  # fmt: skip
    """Play one game for each row, from the game of that number on."""
    players = all_scores.shape[1]
    scores, taken, decisions = np.empty((3, players), np.int64)
    keys = np.empty(players, np.uint64)
    for row in range(winners.size):
        game = first + row
        scores[:] = board.floor
        taken[:] = 0
        decisions[:] = 0
        for seat in range(players):
            keys[seat] = choice_key(seed, game, seat)
        all_dice, now, thrown = game_key(seed, game), Moment(0, 0, False, -1, -1), 0
        while now.winner < 0:
            roller, kind = now.roller, ways.kind[now.roller]
            dice, points, end = DICE, 0, BANK
            while end >= BANK:
                if end == BANK:  # six dice and no points: the dice begin anew
                    taken[roller] += 1
                    key, roll = turn_key(all_dice, roller, taken[roller]), 0
                start = board.begin[dice]
                toss = int(board.toss[start + below(key, roll, board.begin[dice + 1] - start)])
                roll += 1
                thrown += 1
                end, gain = toss >> GAINED, toss & (1 << GAINED) - 1
                if end == GAIN:
                    points += gain
                    dice -= 1
                    if dice == 0:
                        dice = DICE
                        counts[row, HOT, roller] += 1
                elif end == BANK:
                    points += gain
                    scores[roller] += -points if now.penalty else points
                    counts[row, BANKS, roller] += 1
                    counts[row, DOCKED, roller] += points * STEP if now.penalty else 0
                    dice, points = DICE, 0
                elif end == DEAD:
                    break
            if end in (STOP_OR_DEAD, STOP_OR_U, DEAD_OR_U):
                one = DEAD if end == DEAD_OR_U else STOP
                two = DEAD if end == STOP_OR_DEAD else U_TURN
                if kind == RANDOM:
                    end = one if uniform(keys[roller], decisions[roller]) < 0.5 else two
                    decisions[roller] += 1
                elif kind == GREEDY:
                    end = _greedy_sign(board, scores, now, one, two, points)
                elif kind == DUEL:
                    end = chosen(policy, now, end, points, scores[roller], scores[rival_of(scores, roller)])
                else:
                    gap = _worth(policy, scores, now, two, points) - _worth(policy, scores, now, one, points)
                    if kind == SOLVED:
                        end = two if gap > 0.0 else one
                    else:
                        first_chance = 1.0 / (1.0 + np.exp(gap / ways.scale[roller]))
                        end = one if uniform(keys[roller], decisions[roller]) < first_chance else two
                        decisions[roller] += 1
            if end == DEAD:
                counts[row, DEAD_ENDS, roller] += 1
                points = 0
            scores[roller] += -points if now.penalty else points
            counts[row, DOCKED, roller] += points * STEP if now.penalty else 0
            now = move_on(policy, scores, now, end == U_TURN)
            if now.penalty and now.winner < 0:
                chance = 0.0
                if kind == RANDOM and players > 2:
                    chance = uniform(keys[roller], decisions[roller])
                    decisions[roller] += 1
                target = _target(kind, scores, roller, chance)
                counts[row, U_TURNS, roller] += 1
                counts[row, PENALTIES, target] += 1
                now = Moment(now.turn, target, True, now.leader, -1)
        winners[row] = 1 << now.winner
        turns[row], rolls[row] = taken.sum(), thrown
        for seat in range(players):
            all_scores[row, seat] = (scores[seat] - board.floor) * STEP


def board_of(options: KorOptions, floor: int) -> Board:
    """The rules of a toss and of the game, as tables."""

    def meaning(roll: Roll) -> int:
        toss = read_toss(roll)
        if options.bank_roll and toss.scoring == DICE:
            return BANK << GAINED | toss.total // STEP
        if toss.signs or not toss.scoring:
            end = DEAD if toss.signs == (Side.DEAD_END,) else ENDS[toss.signs]
            return end << GAINED
        return GAIN << GAINED | (toss.total if options.scoring == "all" else toss.highest) // STEP

    tosses = [direct(TOSSES[dice], meaning) for dice in range(1, DICE + 1)]
    begin = np.cumsum([0, 0, *map(len, tosses)])
    return Board(np.concatenate(tosses), begin, options.target // STEP + floor, floor, options.final_round)


class KorSimulator(Simulator):
    """The greedy rule and the solved policy of two for any number of players, values for two without a final round."""

    statistics: ClassVar = {
        "dead_ends": "turns and penalties ended by DEAD END",
        "u_turns": "penalties handed out",
        "penalties": "penalties served",
        "docked": "points lost in penalties",
        "hot": "times that all six dice were set aside",
        "banks": "Bank Rolls",
    }
    strategies: ClassVar = {"duel": "plays as if alone against the best of the others, by the solved game of two"}

    def counted(self, state: State, action: Move | Roll, after: State) -> Iterable[Counted]:
        if not isinstance(state, KorState) or not isinstance(after, KorState):
            return
        roller = state.roller
        if isinstance(action, Target):
            yield Counted("u_turns", state.seat)
            yield Counted("penalties", action.seat)
            return
        if isinstance(action, Follow):
            dead = action.sign == Side.DEAD_END
        elif isinstance(action, tuple):
            toss = read_toss(action)
            dead = toss.signs == (Side.DEAD_END,)
            if state.options.bank_roll and toss.scoring == DICE:
                yield Counted("banks", roller)
            elif state.dice == 1 and after.points > state.points:
                yield Counted("hot", roller)
        if dead:
            yield Counted("dead_ends", roller)
        if state.penalty and (docked := state.scores[roller] - after.scores[roller]):
            yield Counted("docked", roller, docked)

    def chooser(self, strategy: Strategy) -> Callable[[KorState], Move]:
        return _Duel().choose

    def compiled(
        self, options: KorOptions, strategies: Sequence[Strategy], progress: Progress = no_progress
    ) -> PlayMany | None:
        names = {strategy.name for strategy in strategies}
        if names.intersection(LEVELS) and (len(strategies) != 2 or options.final_round):
            return None
        kinds = {"random": RANDOM, "greedy": GREEDY, "optimal": SOLVED, "duel": DUEL}
        ways = Ways(
            np.array([kinds.get(one.name, NOISY) for one in strategies]),
            np.array([NOISE[Unit.WIN].get(one.name, 0.0) for one in strategies]),
        )
        if names.intersection((*LEVELS, "duel")):
            solved = tables(options, progress).arrays
            two = KorEvaluator(options, solved)
            policy, floor = policy_of(options, solved, two), two.floor
        else:
            policy, floor = _no_policy(options), 0
        board = board_of(options, floor)

        def play(seed: int, first: int, columns: Columns) -> None:
            play_games(
                ways, board, policy, seed, first,
                columns.winners, columns.scores, columns.turns, columns.rolls, columns.counts,
            )  # fmt: skip

        return play


def _no_policy(options: KorOptions) -> Policy:
    """What stands in for the solved policy where nobody plays by it: nothing has to be solved for that."""
    none, whole = np.zeros(1), np.zeros((1, 1), np.int64)
    goal = options.target // STEP
    return Policy(none, none, none, none, none, whole[0], goal, options.final_round, none.reshape(1, 1), whole, 1)


class _Duel:
    """The solved policy of two against the best of the others."""

    def __init__(self) -> None:
        self._rollouts: dict[tuple[KorOptions, int], KorRollouts] = {}

    def choose(self, state: KorState) -> Move:
        key = (state.options, state.players)
        if key not in self._rollouts:
            self._rollouts[key] = KorRollouts(state.options, state.players, tables(state.options).arrays)
        return self._rollouts[key].choice(state)
