"""BJ's dice by the thousand: whole games, compiled, for any number of players. Points are counted in steps of 50."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import ClassVar, Final, NamedTuple

import numpy as np

from hotdice.dice import Roll
from hotdice.errors import HotdiceError
from hotdice.game import Move, State
from hotdice.games.bj.greedy import next_toss
from hotdice.games.bj.rules import NOBODY, PASS, ROLL, BjOptions, read_toss
from hotdice.games.bj.solving import NOISE
from hotdice.games.bj.solving.kernel import Floats, Rules, play_turn
from hotdice.games.bj.solving.rollouts import HIGHEST, LONGEST, Policy, Seats, goes_on, policy_of, winner_of
from hotdice.games.bj.solving.solver import MORE, STEP, rules_of
from hotdice.games.bj.solving.tosses import Board, board_of
from hotdice.games.bj.state import BjState
from hotdice.solve.batches import (
    LEVELS,
    Bits,
    Columns,
    Counted,
    Counts,
    Ints,
    Keys,
    PlayMany,
    Simulator,
    Strategy,
    bare_kernel,
    bits_of,
    choice_key,
    game_key,
    making_kernel,
    roll_step,
    turn_key,
)
from hotdice.solve.rollouts import uniform
from hotdice.solve.turns import (
    ALWAYS,
    END,
    ROLLS,
    Ahead,
    Plans,
    end_in,
    hot_in,
    in_order,
    look_up,
    points_in,
    rolls_in,
    tossed,
)
from hotdice.solve.turns import HOT as HOT_BITS
from hotdice.values import Progress, Unit, no_progress

RANDOM, AT_LEAST, SOLVED, NOISY = range(4)
"""How a seat decides: by a coin, by thresholds, as the greedy rule has, too, by the solved policy, by noisy values."""
BUSTS, LOST, HOT = range(3)
"""The statistics, in their order."""
AHEAD: Final = 3
"""How many tosses of a turn are looked up without a branch; few turns have more."""
BUST, FORFEIT = 1, 2
"""How a turn ends with a scoreless toss, and with the points at risk lost; these are added up."""


class Ways(NamedTuple):
    """How each seat decides."""

    kind: Ints
    limit: Ints
    """[seat, dice]: of thresholds, the points of a turn at which it passes."""
    bonus: Ints
    """Of thresholds: what a bonus adds to these."""
    scale: Floats
    """Of values: the noise on them."""


class Room(NamedTuple):
    """Arrays that games are played in, one after the other: a bare kernel makes none."""

    scores: Ints
    taken: Ints
    """[seat]: turns that have begun."""
    decisions: Ints
    """[seat]: how many were left to chance."""
    choices: Keys
    """[seat]: the key of these."""
    values: Floats
    """Of noisy values: what `play_turn` finds."""
    held: Floats
    """As `goes_on` takes it."""
    ahead: Ahead

    @classmethod
    def of(cls, players: int, rules: Rules, target: int, *, noisy: bool) -> Room:
        scores, taken, decisions = np.zeros((3, players), np.int64)
        shape = (1, 1, 1)
        if noisy:  # the most that `play_turn` makes of it
            highest = target + rules.reach
            most = highest + int(rules.tosses.points.max()) + 1
            shape = (highest // rules.bonus + 2, most, len(rules.tosses.begin) - 1)
        return cls(
            scores, taken, decisions, np.zeros(players, np.uint64), np.zeros(shape), np.zeros(LONGEST),
            in_order(players, AHEAD),
        )  # fmt: skip


@bare_kernel
def _best_other(scores: Ints, seat: int) -> int:
    best = 0
    for other in range(scores.size):
        if other != seat:
            best = max(best, scores[other])
    return best


@bare_kernel
def _ending(rules: Rules, policy: Policy, starter: int, score: int, other: int) -> float:
    """What it is worth between two to end a turn with that score."""
    if starter >= 0:
        return 1.0 if score > other else 0.0
    if score < policy.wins.shape[0]:
        return float(1.0 - policy.wins[other, score])
    return float(1.0 - rules.odds[min(score - other, rules.odds.shape[0] - 1), rules.odds.shape[1] - 1])


@bare_kernel
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


@bare_kernel
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


@making_kernel
def _find_values(rules: Rules, wins: Floats, own: int, best: int, values: Floats) -> None:
    """All that it is worth to choose in a turn between two."""
    found = play_turn(rules, wins, own, best)
    values[: found.shape[0], : found.shape[1]] = found


@bare_kernel
def play_games(
    ways: Ways, plans: Plans, board: Board, rules: Rules, policy: Policy, room: Room, seed: int, first: int,
    winners: Bits, all_scores: Counts, turns: Counts, rolls: Counts, counts: Counts,
) -> None:  # fmt: skip
    """Play one game for each row, from the game of that number on."""
    scores, taken, decisions, keys = room.scores, room.taken, room.decisions, room.choices
    values, held = room.values, room.held
    players = scores.size
    looks = False
    for kind in ways.kind:
        looks |= kind == AT_LEAST
    for row in range(winners.size):
        game = first + row
        scores[:] = 0
        taken[:] = 0
        decisions[:] = 0
        for seat in range(players):
            keys[seat] = choice_key(seed, game, seat)
        all_dice, seat, starter, thrown, at = game_key(seed, game), 0, -1, 0, 0
        while True:
            taken[seat] += 1
            following = seat + 1 if seat + 1 < players else 0
            kind = ways.kind[seat]
            if starter < 0 and at == 0 and looks:
                look_up(board.tosses, plans, all_dice, taken[seat], room.ahead)
            if starter < 0 and kind == AT_LEAST:
                turn = room.ahead.codes[at]
                hot, end = hot_in(turn), end_in(turn)
                risk = points_in(turn) - hot * ways.bonus[seat]
                lost = risk if end & FORFEIT else 0
                thrown += rolls_in(turn)
                counts[row, HOT, seat] += hot
                counts[row, BUSTS, seat] += end & BUST
                counts[row, LOST, seat] += lost * STEP
                scores[seat] += risk - lost + hot * MORE
            else:
                key, own, best = turn_key(all_dice, seat, taken[seat]), scores[seat], _best_other(scores, seat)
                last = following == starter
                held[0] = -1.0
                if kind == NOISY and starter < 0:
                    _find_values(rules, policy.wins, own, best, values)
                toss, risk, bonuses, roll = 0, 0, 0, 0
                while True:
                    toss = tossed(board.tosses, toss, bits_of(key + roll_step(roll)))
                    roll += 1
                    dice = board.left[toss]
                    if board.points[toss] == 0:
                        counts[row, BUSTS, seat] += 1
                        if not (board.keeps and dice < board.dice):
                            counts[row, LOST, seat] += risk * STEP
                            risk = 0
                        break
                    risk += board.points[toss]
                    bonuses += board.hot[toss]
                    mine = own + bonuses * MORE + risk
                    if kind == RANDOM:
                        more = uniform(keys[seat], decisions[seat]) < 0.5
                    elif kind == NOISY:
                        gap = _rolling(rules, policy, values, starter, own, best, dice, risk, bonuses)
                        gap -= _ending(rules, policy, starter, mine, best)
                        more = uniform(keys[seat], decisions[seat]) < 1.0 / (1.0 + np.exp(-gap / ways.scale[seat]))
                    elif kind == SOLVED:
                        safe = own + bonuses * MORE
                        more = goes_on(policy, Seats(scores, seat, starter), dice, risk, safe, held)
                    elif mine <= best:
                        more = True
                    else:
                        more = not last and risk + bonuses * ways.bonus[seat] < ways.limit[seat, dice]
                    decisions[seat] += 1
                    if not more:
                        break
                thrown += roll
                counts[row, HOT, seat] += bonuses
                scores[seat] += risk + bonuses * MORE
            at = at + 1 if at + 1 < room.ahead.codes.size else 0
            if starter < 0 and scores[seat] > board.target:
                starter = seat
            seat = following
            if seat == starter:
                break
        winners[row] = 1 << winner_of(scores, starter)
        turns[row], rolls[row] = taken.sum(), thrown
        for seat in range(players):
            all_scores[row, seat] = scores[seat] * STEP


def plans_of(ways: Ways, board: Board) -> Plans:
    """Turns by thresholds; nothing is made of those of other seats."""
    scoreless = board.points == 0
    end = BUST * scoreless + FORFEIT * (scoreless & ~(board.keeps & (board.left < board.dice)))
    adds = board.points + board.hot * ways.bonus[:, None] + (1 << ROLLS) + (board.hot << HOT_BITS) + (end << END)
    below = np.where(scoreless | (ways.kind[:, None] != AT_LEAST), 0, ways.limit[:, board.left])
    return Plans(adds, below)


def _thresholds(options: BjOptions, strategy: Strategy) -> list[int]:
    """By dice, the points from which on a turn passes. The greedy rule has one as well."""
    if strategy.name != "greedy":
        return [limit // STEP + (limit % STEP > 0) for limit in _limits(strategy)]
    gains = [next_toss(dice) for dice in range(1, options.dice + 1)]
    found = [0, *(-(-gain // (scoreless * STEP)) for gain, scoreless in gains), *[0] * (6 - options.dice)]
    if options.bust == "all_dice":
        found[1 : options.dice] = [ALWAYS] * (options.dice - 1)
    return found


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
        kinds = {"random": RANDOM, "greedy": AT_LEAST, "pass": AT_LEAST, "optimal": SOLVED, "duel": SOLVED}
        ways = Ways(
            np.array([kinds.get(one.name, NOISY) for one in strategies]),
            np.array([_thresholds(options, one) for one in strategies]),
            np.array([0 if one.name == "greedy" else MORE for one in strategies]),
            np.array([NOISE[Unit.WIN].get(one.name, 0.0) for one in strategies]),
        )  # fmt: skip
        board, rules = board_of(options), rules_of(options)
        plans = plans_of(ways, board)
        policy = policy_of(options, progress, whole_turns=False) if by_value else _no_policy(rules)

        def play(seed: int, first: int, columns: Columns) -> None:
            room = Room.of(len(strategies), rules, board.target, noisy=NOISY in ways.kind)
            play_games(
                ways, plans, board, rules, policy, room, seed, first,
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
