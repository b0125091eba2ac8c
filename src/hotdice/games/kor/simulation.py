"""KOR by the thousand: whole games, compiled, for any number of players. Points are counted in steps of 25."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import ClassVar, Final, NamedTuple

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
    Keys,
    PlayMany,
    Simulator,
    Strategy,
    among,
    bare_kernel,
    below,
    bits_of,
    choice_key,
    direct,
    game_key,
    roll_step,
    turn_key,
)
from hotdice.solve.rollouts import uniform
from hotdice.values import Progress, Unit, no_progress

RANDOM, GREEDY, SOLVED, NOISY, DUEL = range(5)
"""How a seat decides: by chance, by the greedy rule, by values, by noisy values, as if alone against the best one."""
ENDED: Final = 4
"""Bits for how a toss ends its turn, 0 where it goes on and else 1 more than the way to end: it is coded by these, and
above them by the steps that it brings. So the codes of a turn's tosses add up to that of the turn."""
ROLLS: Final = 24
"""The bits below the number of rolls, in the code of a turn."""
TURNS: Final = 8
"""How many turns of a seat are looked up at once: few are left over in the end, and one instruction mixes the keys of
as many on some processors."""
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


class Room(NamedTuple):
    """Arrays that games are played in, one after the other: a bare kernel makes none."""

    scores: Ints
    taken: Ints
    """[seat]: turns and penalties that have begun."""
    decisions: Ints
    """[seat]: how many were left to chance."""
    choices: Keys
    """[seat]: the key of these."""
    keys: Keys
    """[turn]: the dice of turns that are looked up."""
    codes: Ints
    """[roll, turn]: their tosses."""
    coming: Ints
    """[seat, turn]: what a seat's turns come to that have been looked up, the turns counted modulo `TURNS`."""

    @classmethod
    def of(cls, players: int) -> Room:
        scores, taken, decisions = np.zeros((3, players), np.int64)
        return cls(
            scores, taken, decisions, np.zeros(players, np.uint64),
            np.zeros(TURNS, np.uint64), np.zeros((DICE, TURNS), np.int64), np.zeros((players, TURNS), np.int64),
        )  # fmt: skip


@bare_kernel
def _look_up(board: Board, dice: np.uint64, seat: int, first: int, keys: Keys, codes: Ints, coming: Ints) -> None:
    """What a seat's turns and penalties come to, from the one of that number on.

    How many dice a roll has is known beforehand: one die is set aside after the other. So six tosses of each turn are
    looked up as if those before them gained, without a branch, and the first that does not ends the turn.
    """
    for turn in range(keys.size):
        keys[turn] = turn_key(dice, seat, first + turn)
    for roll in range(DICE):
        step, begin = roll_step(roll), board.begin[DICE - roll]
        ways = board.begin[DICE - roll + 1] - begin
        for turn in range(keys.size):
            codes[roll, turn] = begin + among(bits_of(keys[turn] + step), ways)
    tosses = codes.reshape(codes.size)
    for at in range(tosses.size):
        tosses[at] = board.toss[np.uint64(tosses[at])]
    for turn in range(keys.size):
        code, going = np.int64(0), np.int64(-1)
        for roll in range(DICE):
            code += codes[roll, turn] & going
            code += (1 << ROLLS) & going
            going &= -np.int64(codes[roll, turn] & (1 << ENDED) - 1 == 0)
        coming[turn] = code
    for turn in range(keys.size):
        if coming[turn] & (1 << ENDED) - 1 == 0:
            coming[turn] += _rest(board, keys[turn])


@bare_kernel
def _rest(board: Board, key: np.uint64) -> int:
    """What a turn comes to after its first six tosses."""
    code, roll, left = 0, DICE, DICE
    while code & (1 << ENDED) - 1 == 0:
        begin = board.begin[left]
        code += int(board.toss[begin + below(key, roll, board.begin[left + 1] - begin)])
        roll += 1
        left = left - 1 if left > 1 else DICE
    return code + (roll - DICE << ROLLS)


@bare_kernel
def _greedy_sign(board: Board, scores: Ints, now: Moment, first: int, second: int, points: int) -> int:
    """The sign that leaves the roller better off; if both do as well, the one that hits back."""
    change = -points if now.penalty else points
    one, two = 0 if first == DEAD else change, 0 if second == DEAD else change
    if one != two:
        return second if two > one else first
    wins = not now.penalty and now.leader < 0 and scores[now.roller] + two >= board.goal and not board.final
    return second if second == U_TURN and not wins else first


@bare_kernel
def _worth(policy: Policy, scores: Ints, now: Moment, sign: int, points: int) -> float:
    """What following a sign is worth between two."""
    own, other = scores[now.roller], scores[1 - now.roller]
    if sign != DEAD:
        own += -points if now.penalty else points
    return after(policy, own, other, now.penalty, now.roller == now.turn, sign == U_TURN)


@bare_kernel
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


@bare_kernel
def play_games(
    ways: Ways, board: Board, policy: Policy, room: Room, seed: int, first: int,
    winners: Bits, all_scores: Counts, turns: Counts, rolls: Counts, counts: Counts,
) -> None:  # fmt: skip
    """Play one game for each row, from the game of that number on."""
    scores, taken, decisions, keys = room.scores, room.taken, room.decisions, room.choices
    players = scores.size
    for row in range(winners.size):
        game = first + row
        scores[:] = board.floor
        taken[:] = 0
        decisions[:] = 0
        for seat in range(players):
            keys[seat] = choice_key(seed, game, seat)
        dice, now, thrown = game_key(seed, game), Moment(0, 0, False, -1, -1), 0
        while now.winner < 0:
            roller, kind = now.roller, ways.kind[now.roller]
            points, end = 0, BANK
            while end == BANK:  # six dice and no points: the dice begin anew
                at = taken[roller] & TURNS - 1
                if at == 0:
                    _look_up(board, dice, roller, taken[roller] + 1, room.keys, room.codes, room.coming[roller])
                taken[roller] += 1
                turn = room.coming[roller, at]
                end, roll = (turn & (1 << ENDED) - 1) - 1, turn >> ROLLS
                points = turn >> ENDED & (1 << ROLLS - ENDED) - 1
                thrown += roll
                counts[row, HOT, roller] += (roll - 1) // DICE  # all rolls but the last one set a die aside
                if end == BANK:
                    scores[roller] += -points if now.penalty else points
                    counts[row, BANKS, roller] += 1
                    counts[row, DOCKED, roller] += points * STEP if now.penalty else 0
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
            counts[row, DEAD_ENDS, roller] += int(end == DEAD)
            points = 0 if end == DEAD else points
            scores[roller] += -points if now.penalty else points
            counts[row, DOCKED, roller] += points * STEP if now.penalty else 0
            now = move_on(board.goal, board.final, scores, now, end == U_TURN)
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
            return toss.total // STEP << ENDED | BANK + 1
        if toss.signs or not toss.scoring:
            return 1 + (DEAD if toss.signs == (Side.DEAD_END,) else ENDS[toss.signs])
        return (toss.total if options.scoring == "all" else toss.highest) // STEP << ENDED

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
                ways, board, policy, Room.of(len(strategies)), seed, first,
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
