"""KOR for two, solved exactly under every combination of its house rules.

One turn has no decision but a split, so its possible ends are listed once: how it ends and with how many points, and
splits with both ways on. Values by the two scores are then a fixed point, since penalties make scores fall and U-TURNs
make chains: it is found by sweeping over all states from high scores to low ones, overrelaxed. Values within a turn
are recomputed from the tables when they are asked for.

The bound adds up what separates the tables from the game; `Proof` computes each part.
- Residue. After a plain sweep every value meets its equation to within the greatest change (and rounding). A value is
  off by at most that much for each turn or penalty still to come, and their expected number is bounded whatever is
  chosen: a turn with its chain raises the sum of the scores by `drift` on average at least, and ordinary play begins
  at the floor of the grid or above and ends before the sum is twice the target plus the points of one turn.
  A final round is undecided with a chance of at most `undecided`: a U-TURN in one of its two turns, or else equal
  scores.
- Points. A turn with `most` points or more counts as one with `most`; `RARE` is the chance of that.
- Floor. A score that falls below the floor stays there. That matters only to games in which it happens, and they are
  rare: for the weights w of the six phases (whose turn, who serves) the sum w exp(-t score) never grows on average
  when choices are the worst ones. So its present value, with w at least 1 at the floor, bounds the chance. (After an
  undecided final round the same player moves again, which raises the leader's sum; but the leader had stood at the
  target, where it is small.)
- Ceiling, with final rounds only: a score above the ceiling stays there. From below the target one turn cannot get that
  far. After a tie it can, but the tied score exceeds the target by no more than either player just won: so
  exp(t excess) grows by a factor `tied` < 1 on average from one tie to the next, which bounds the chance.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import accumulate
from math import exp, log
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from hotdice.dice import Roll
from hotdice.game import CHANCE, OVER, Move, State
from hotdice.games.kor import KOR, KorOptions, KorState
from hotdice.games.kor.rules import DICE, TOSSES, Side, read_toss
from hotdice.games.kor.solving.kernel import (
    BANK,
    DEAD_OR_U,
    STOP,
    STOP_OR_DEAD,
    STOP_OR_U,
    U_TURN,
    Floats,
    Ints,
    Turn,
    play_turn,
    sweep,
    sweep_final,
)
from hotdice.games.kor.state import NOBODY
from hotdice.solve.store import Arrays, Tables, load_or_solve
from hotdice.values import Evaluator, NotSolved, Progress, Unit, no_progress

VERSION: Final = 1
STEP: Final = 25
"""All points are multiples of this."""
ROOM: Final = 1536
"""Turns of so many points have a chance below 1e-30."""
HIGHEST: Final = 20_000
"""The highest target that is solved; the work grows with its square."""
PRECISION: Final = 1e-10
"""How small each part of the bound is to be at the start of the game."""
RARE: Final = 2e-13
"""The chance of a turn with too many points; there are hundreds of turns to come."""
PACE: Final = 1.15
"""Overrelaxation. Found by trying 1.0 to 1.4 in steps of 0.05: half as many sweeps as with 1.1 or 1.2."""
PACE_FINAL: Final = 1.05
COARSE: Final = (1e-5, 1e-9)
"""Early sweeps leave out turns that are rarer than this."""

DEAD: Final = BANK
"""The column of a DEAD END among the ends of a toss."""
ENDS: Final = {
    (): STOP,
    (Side.STOP,): STOP,
    (Side.DEAD_END,): DEAD,
    (Side.U_TURN,): U_TURN,
    (Side.STOP, Side.DEAD_END): STOP_OR_DEAD,
    (Side.STOP, Side.U_TURN): STOP_OR_U,
    (Side.DEAD_END, Side.U_TURN): DEAD_OR_U,
}

TABLES: Final = (
    "begin", "away", "home", "home_mirror", "stop", "u_turn",
    "judged", "judged_mirror", "last", "last_mirror", "sent", "sent_mirror", "led", "led_mirror",
    "chased", "chased_mirror", "hit", "hit_mirror", "spare",
)  # fmt: skip
"""What tables are of, in the order of the kernels; each by the roller's score, then the other's.

`begin` is one's own turn, `away` serving a penalty in the other's, `home` in one's own; `stop` and `u_turn` are what a
turn that ends so is worth. In final rounds, `last` is the last turn, `sent` and `led` the penalties before it, of the
last roller and of the leader, `chased` and `hit` those of the leader and of the last roller in it, and `judged` is
what the final round comes to for the last roller.
"""
KEPT: Final = ("begin", "away", "home")
KEPT_FINAL: Final = ("last", "sent", "led", "chased", "hit")


# One toss and one turn


@dataclass(frozen=True, slots=True)
class Toss:
    """What one toss does, by the number of dice: chances of ends, and of points with the dice left (0 if banked)."""

    ends: Floats
    begin: Ints
    gain: Ints
    left: Ints
    chance: Floats


@cache
def toss_table(bank_roll: bool, scoring: str) -> Toss:
    """The rules of one toss as chances."""
    ends = np.zeros((DICE + 1, DEAD + 1))
    rows: list[list[tuple[int, int, float]]] = []
    for dice in range(1, DICE + 1):
        weights: Counter[tuple[int, int]] = Counter()
        outcomes = TOSSES[dice]
        for roll, weight in zip(outcomes.rolls, outcomes.weights, strict=True):
            toss = read_toss(roll)
            if bank_roll and toss.scoring == DICE:
                weights[toss.total // STEP, 0] += weight
            elif toss.signs or not toss.scoring:
                ends[dice, ENDS[toss.signs]] += weight / outcomes.total
            else:
                gain = toss.total if scoring == "all" else toss.highest
                weights[gain // STEP, dice - 1 or DICE] += weight
        rows.append([(gain, left, weight / outcomes.total) for (gain, left), weight in sorted(weights.items())])
    gains, lefts, chances = zip(*(outcome for row in rows for outcome in row), strict=True)
    begin = np.array([0, 0, *accumulate(map(len, rows))])
    return Toss(ends, begin, np.array(gains), np.array(lefts), np.array(chances))


@cache
def all_lists(bank_roll: bool, scoring: str, dice: int = DICE) -> tuple[Floats, float]:
    """The chance of each way to end a turn, or the rest of one with so many dice, by points; and of a DEAD END."""
    toss = toss_table(bank_roll, scoring)
    lists, reached, dead = np.zeros((BANK + 1, ROOM)), np.zeros((ROOM + 32, DICE + 1)), 0.0
    reached[0, dice] = 1.0
    for points in range(ROOM):
        ended = reached[points] @ toss.ends
        lists[:DEAD, points] += ended[:DEAD]
        dead += float(ended[DEAD])
        for left in range(1, DICE + 1):
            outcomes = slice(toss.begin[left], toss.begin[left + 1])
            after, weight = points + toss.gain[outcomes], reached[points, left] * toss.chance[outcomes]
            goes_on = toss.left[outcomes] > 0
            reached[after[goes_on], toss.left[outcomes][goes_on]] += weight[goes_on]
            banked = ~goes_on & (after < ROOM)
            lists[BANK, after[banked]] += weight[banked]
    return lists, dead


def turn_lists(bank_roll: bool, scoring: str, rare: float) -> tuple[Floats, float]:
    """The same, with points put together that are rarer."""
    lists, dead = all_lists(bank_roll, scoring)
    most = int(np.argmax(lists.sum(0)[::-1].cumsum()[::-1] <= rare))
    lists = lists.copy()
    lists[:, most] = lists[:, most:].sum(1)
    return lists[:, : most + 1].copy(), dead


def turn_for_sweeps(bank_roll: bool, scoring: str, rare: float) -> Turn:
    """The lists as the sweeps want them: splits cut where they are rare, and scores left as they are kept apart."""
    lists, dead = turn_lists(bank_roll, scoring, rare)
    split = slice(STOP_OR_DEAD, DEAD_OR_U + 1)
    splits = int(np.argmax(lists[split].sum(0)[::-1].cumsum()[::-1] <= rare))
    lists[STOP, splits:] += lists[split, splits:].sum(0)
    lists[split, splits:] = 0.0
    tails = np.ascontiguousarray(lists[:, ::-1].cumsum(1)[:, ::-1])
    moving = lists.copy()
    moving[STOP, 0] = moving[STOP_OR_DEAD, 0] = 0.0
    stays = dead + float(lists[STOP, 0] + lists[STOP_OR_DEAD, 0])
    return lists, tails, dead, splits, bank_roll, moving, stays


# The proof


class Proof:
    """The parts of the error bound for one set of options, and the grid that they ask for."""

    def __init__(self, options: KorOptions, precision: float = PRECISION, rare: float = RARE) -> None:
        self.final, self.target = options.final_round, options.target // STEP
        self.precision, self.rare = precision, rare
        self.lists, self.dead = turn_lists(options.bank_roll, options.scoring, rare)
        self.most: int = self.lists.shape[1] - 1
        self.banked = float(self.lists[BANK].sum())
        points = np.arange(self.most + 1)
        self.u_turn: float = float(self.lists[[U_TURN, STOP_OR_U, DEAD_OR_U]].sum()) / (1 - self.banked)
        least = float((self.lists[[STOP, U_TURN, STOP_OR_U, BANK]] @ points).sum()) / (1 - self.banked)
        largest = float((self.lists @ points).sum()) / (1 - self.banked)
        self.drift = least - self.u_turn * largest / (1 - self.u_turn)
        splits = float(self.lists[STOP_OR_DEAD : DEAD_OR_U + 1].sum())
        equal = max(float(self.lists[STOP, 0]) + self.dead, float(self.lists[STOP, 1:].max())) + splits
        self.undecided: float = 2 * self.u_turn + equal / (1 - self.banked) if self.final else 0.0
        self.rate, self.weights = self._floor_weights()
        self.floor: int = self._floor()
        self.top = self.floor + self.target + (self._margin() if self.final else 0)

    def steps(self) -> float:
        """The most turns, penalties and stretches between Bank Rolls that are to come on average, from any state."""
        turns = (2 * (self.target + self.floor) + self.most) / self.drift + 1
        return turns / (1 - self.undecided) / (1 - self.u_turn) / (1 - self.banked)

    def everywhere(self, change: float) -> float:
        """The part of the bound that is the same for all states, after a sweep with that greatest change."""
        rounding = 2 * (self.most + 10) * 2.0**-53
        ceiling = self.precision if self.final else 0.0
        return self.steps() * (change + rounding + 2 * self.rare) + ceiling + self.again()

    def _phases(self, rate: float) -> Callable[[Floats], Floats]:
        """How the weights of the phases follow from those of the next phases, when choices are the worst ones.

        Phases: own turn, other's turn; oneself serving in the other's turn and in one's own; the other one serving
        in one's own turn and in theirs.
        """
        rows, points = self.lists, np.arange(self.most + 1)
        factors = [np.exp(-rate * points), np.ones(self.most + 1), np.exp(rate * points)]
        sums = [rows @ factor for factor in factors]
        split = [float(rows[STOP_OR_DEAD] @ np.maximum(factor, 1)) for factor in factors]

        def ended(change: int, stop: float, u_turn: float) -> float:
            factor, total = factors[change + 1], sums[change + 1]
            worst = rows[DEAD_OR_U] @ np.maximum(stop, factor * u_turn) + total[STOP_OR_U] * max(stop, u_turn)
            rest = (total[STOP] + self.dead + split[change + 1]) * stop + total[U_TURN] * u_turn
            return float((worst + rest) / (1 - total[BANK])) if total[BANK] < 1 else float("inf")

        def follow(weights: Floats) -> Floats:
            own, other, away, home, sent, back = weights
            turns = ended(-1, other, sent), ended(0, own, away)
            serving = ended(1, own, back), ended(1, other, sent), ended(0, other, home), ended(0, own, away)
            return np.array([*turns, *serving])

        return follow

    def _floor_weights(self) -> tuple[float, Floats]:
        """The greatest rate for which weights are found that never grow on average, and those weights."""
        low, high = 0.0, 1.0
        found: Floats = np.ones(6)
        while high - low > 1e-6:
            rate = (low + high) / 2
            follow = self._phases(rate)
            weights: Floats = np.ones(6)
            for _ in range(60):
                following = follow(weights)
                if following.max() > 1e6:
                    break
                weights = following / following.min()
            if following.max() <= 1e6 and (follow(weights) <= weights).all():
                low, found = rate, weights
            else:
                high = rate
        return low, found

    def again(self) -> float:
        """What undecided final rounds add to the chance that a score falls below the floor."""
        if not self.final:
            return 0.0
        raised = float(self.weights[1] / self.weights[0] * self.weights.max()) / (1 - self.undecided)
        return 2 * raised * exp(-self.rate * (self.target + self.floor))

    def start(self) -> float:
        """The chance that a score ever falls below the floor, from the start of the game."""
        return float(self.weights[0] + self.weights[1]) * exp(-self.rate * self.floor)

    def _floor(self) -> int:
        self.floor = 0
        return int(log((self.start() + self.again()) / self.precision) / self.rate) + 1

    def _margin(self) -> int:
        """How far the ceiling has to be above the target."""
        points = np.arange(self.most + 1)
        ends = self.lists[:BANK].sum(0)
        ends[0] += self.dead
        sent = self.lists[[U_TURN, STOP_OR_U, DEAD_OR_U]].sum(0)
        splits = float(self.lists[STOP_OR_DEAD : DEAD_OR_U + 1].sum())
        best = 1 << 20
        for rate in np.arange(0.1, 0.8, 0.02) * -log(self.rare) / self.most:
            grown = np.exp(rate * points)
            banked = 1 - float(self.lists[BANK] @ grown)
            if banked <= 0:
                continue
            turn = float(ends @ grown) / banked
            both = float(ends @ np.exp(rate * np.minimum.outer(points, points)) @ sent) / banked**2
            tied = float((ends * grown) @ (ends + splits)) / banked**2 + 2 * both
            if tied < 1:
                odds = 2 * turn * (1 + turn / (1 - tied)) / (1 - self.undecided)
                best = min(best, int(log(odds / self.precision) / rate) + 1)
        return max(best, self.most)


# The solve


@cache
def diagonals(top: int) -> Ints:
    """For each sum of two scores, where its diagonal would begin in a table if the first score could be 0."""
    sums = np.arange(2 * top + 1)
    sizes = np.minimum(sums, 2 * top - sums) + 1
    starts: Ints = np.cumsum(sizes) - sizes - np.maximum(0, sums - top)
    return starts


def cells(top: int) -> tuple[Ints, Ints]:
    """The two scores of each cell of a table."""
    sums = np.repeat(np.arange(2 * top + 1), [min(s, 2 * top - s) + 1 for s in range(2 * top + 1)])
    own = np.arange(sums.size) - diagonals(top)[sums]
    return own, sums - own


def first_guess(proof: Proof) -> Floats:
    """Tables that say it is even, but for what is decided."""
    tables = np.full((len(TABLES) if proof.final else 6, (proof.top + 1) ** 2), 0.5)
    if not proof.final:
        own, _ = cells(proof.top)
        for name in ("begin", "stop", "u_turn"):
            tables[TABLES.index(name), own == proof.top] = 1.0
    return tables


def solve(
    options: KorOptions, progress: Progress = no_progress, precision: float = PRECISION, rare: float = RARE
) -> Arrays:
    """The tables, how many steps the grid reaches below 0, and the bounds on the error.

    Bounds: what holds everywhere; what the start of the game adds; rate and weight of what a low score adds.
    """
    proof = Proof(options, precision, rare)
    starts, goal = diagonals(proof.top), proof.floor + proof.target
    tables = first_guess(proof)
    accuracy = max(min(precision / proof.steps() / 10, rare), 1e-13)
    change, done = 1.0, 0.0
    for cut in (*(coarse for coarse in COARSE if coarse > rare), rare):
        turn = turn_for_sweeps(options.bank_roll, options.scoring, cut)
        change = 1.0
        while change > (accuracy if cut == rare else cut):
            change = _sweep_all(tables, starts, goal, turn, PACE, proof.final)
            done = max(done, min(0.95, log(max(change, accuracy)) / log(accuracy)))
            progress(done)
    change = _sweep_all(tables, starts, goal, turn, 1.0, proof.final)
    kept = (*KEPT, *(KEPT_FINAL if proof.final else ()))
    bounds = [proof.everywhere(change), proof.start(), proof.rate, float(proof.weights.max())]
    return {
        **{name: tables[TABLES.index(name)] for name in kept},
        "floor": np.array([proof.floor]),
        "bounds": np.array(bounds),
    }


def _sweep_all(tables: Floats, starts: Ints, goal: int, turn: Turn, pace: float, final: bool) -> float:
    """Sweep over all tables. Final rounds cost more and settle sooner: they get one sweep for two of ordinary play."""
    change = sweep(tables, starts, goal, turn, pace)
    if final:
        change = sweep(tables, starts, goal, turn, pace)
        change += sweep_final(tables, starts, goal, turn, min(pace, PACE_FINAL))
    return change


def tables(options: KorOptions, progress: Progress = no_progress) -> Tables:
    """The solved tables, from the cache if they are there."""
    if options.target > HIGHEST:
        raise NotSolved(f"KOR is solved up to a target of {HIGHEST}.")
    return load_or_solve(f"{KOR.text(options)} two players", VERSION, lambda told: solve(options, told), progress)


# The values


@dataclass(frozen=True, slots=True)
class Context:
    """What a toss is a part of: whose, of what kind, and the scores as the grid counts them."""

    own: int
    other: int
    penalty: bool
    at_home: bool
    """Whether it is the roller's own turn."""
    leader: int
    """1 if the roller started a final round, -1 if the other one did, 0 if nobody."""

    @property
    def names(self) -> tuple[str, str, str]:
        """The tables for ending by STOP, by U-TURN, and for going on with six dice."""
        if not self.leader:
            if self.penalty and not self.at_home:
                return "begin", "home_mirror", "away"
            return "stop", "u_turn", "home" if self.penalty else "begin"
        if (self.leader > 0) == self.at_home:  # the leader's own turn is not over yet
            return ("last_mirror", "sent_mirror", "led") if self.leader > 0 else ("last", "led_mirror", "sent")
        if self.leader > 0:
            return "judged_mirror", "hit_mirror", "chased"
        return "judged", "chased_mirror", "hit" if self.penalty else "last"


class KorEvaluator(Evaluator):
    """Exact values for two players."""

    unit = Unit.WIN

    def __init__(self, options: KorOptions, arrays: Mapping[str, NDArray[Any]]) -> None:
        self.final, self.banks = options.final_round, options.bank_roll
        self.options, self.arrays = options, arrays
        self.floor = int(arrays["floor"][0])
        self.goal = self.floor + options.target // STEP
        self.top = round(float(arrays["begin"].size) ** 0.5) - 1
        self.starts = diagonals(self.top)
        self.toss = toss_table(options.bank_roll, options.scoring)
        self.most = 400
        everywhere, start, self.rate, self.weight = map(float, arrays["bounds"])
        self.everywhere = everywhere
        self.start_error = everywhere + start
        self.error = self._error(0, 0, 1.0)
        self._turn = lru_cache(256)(self._turn_values)

    def value(self, state: State, seat: int) -> float:
        if not isinstance(state, KorState) or state.options != self.options:
            raise NotSolved("These are the values of KOR under other rules.")
        if state.seat == OVER:
            result = state.result
            return float(result is not None and seat in result.winners)
        if state.seat == CHANCE:
            worth = self._toss(state)
            return worth if seat == state.roller else 1.0 - worth
        best = max(self.value(state.apply(move), state.seat) for move in state.legal_moves())
        return best if seat == state.seat else 1.0 - best

    def errors(self, state: State, actions: Sequence[Move | Roll]) -> Sequence[float]:
        """The bound grows where scores are low; points of a penalty count as lost."""
        if not isinstance(state, KorState) or state.options != self.options:
            raise NotSolved("These are the values of KOR under other rules.")
        first, second = state.scores
        lost = state.points if state.penalty else 0
        met = self._first_cycle() if state.dice < DICE else 1.0
        own, other = (first, second) if state.roller == 0 else (second, first)
        return [self._error((own - lost) // STEP, other // STEP, met)] * len(actions)

    def _error(self, own: int, other: int, met: float) -> float:
        low = exp(-self.rate * (own + self.floor)) + exp(-self.rate * (other + self.floor))
        return min(1.0, self.everywhere + self.weight / met * low)

    @lru_cache(1)  # noqa: B019 (evaluators live as long as the program)
    def _first_cycle(self) -> float:
        """The chance that a turn comes to its last die: what may follow then is no likelier than this much less."""
        return float(np.prod([1 - self.toss.ends[dice].sum() for dice in range(2, DICE + 1)]))

    def _toss(self, state: KorState) -> float:
        """What a toss is worth to the one who rolls."""
        context, points = self._context(state), state.points // STEP
        own, other, name = min(context.own, self.top), min(context.other, self.top), context.names[2]
        untied = name == "begin" and own != other and own >= self.goal
        if state.dice == DICE and not points and not (untied and self.final and not self.banks):
            return float(self.arrays[name][self.starts[own + other] + own])
        base = 0 if points < self.most else points
        return float(self._turn(context, base)[points - base, state.dice])

    def _context(self, state: KorState) -> Context:
        own, other = (state.scores[seat] // STEP + self.floor for seat in (state.roller, 1 - state.roller))
        at_home = state.roller == state.turn
        leader = 0 if state.leader == NOBODY else 1 if state.leader == state.roller else -1
        if min(own, other) < 0:
            raise NotSolved(f"Scores below {-self.floor * STEP} are not solved; no game is likely to come there.")
        banking = self.banks and not state.penalty
        tied = self.final and not state.penalty and own >= self.goal
        if not leader and ((other >= self.goal and not tied) or (own >= self.goal and not (banking or tied))):
            raise NotSolved("A player stands at the target after a turn of theirs; no game comes to this position.")
        if leader > 0 and at_home and not state.penalty:
            raise NotSolved("Whoever started the final round has no turn in it; no game comes to this position.")
        if self.final and max(own, other) > self.top:
            raise NotSolved(f"Scores above {(self.top - self.floor) * STEP} are not solved.")
        return Context(own, other, state.penalty, at_home, leader)

    def _turn_values(self, context: Context, base: int) -> Floats:
        """Every toss of a turn or penalty, by points beyond a base and dice."""
        points = base + np.arange(2 * self.most)
        own = np.clip(context.own + (-points if context.penalty else points), 0, self.top)
        stop, u_turn, going_on = (self._read(name, own, context.other) for name in context.names)
        dead = float(self._read(context.names[0], np.array([min(context.own, self.top)]), context.other)[0])
        toss = self.toss
        return play_turn(stop, u_turn, going_on, dead, toss.ends, toss.begin, toss.gain, toss.left, toss.chance)

    def _read(self, name: str, own: Ints, other: int) -> Floats:
        """Entries of a table, of a mirror, or of what follows from tables, for some own scores."""
        other = min(other, self.top)
        if name.endswith("_mirror"):
            name = name.removesuffix("_mirror")
            turned = self._judged(other, own) if name == "judged" else self._cell(name, np.full_like(own, other), own)
            return 1.0 - turned
        if name == "judged":
            return self._judged(own, np.full_like(own, other))
        if name in ("stop", "u_turn"):
            ordinary, final = ("begin", "last") if name == "stop" else ("away", "sent")
            others = np.full_like(own, other)
            reached = 1.0 - self._cell(final, others, own) if self.final else np.ones(own.size)
            return np.where(own >= self.goal, reached, 1.0 - self._cell(ordinary, others, own))
        return self._cell(name, own, np.full_like(own, other))

    def _cell(self, name: str, own: Ints, other: Ints) -> Floats:
        entries: Floats = self.arrays[name][self.starts[own + other] + own]
        return entries

    def _judged(self, own: Ints | int, other: Ints | int) -> Floats:
        """What a final round has come to for the last roller, who moves again if it is undecided."""
        own, other = np.broadcast_arrays(own, other)
        undecided = (own == other) | (np.maximum(own, other) < self.goal)
        decided = np.where(own == other, 0.5, own > other)
        return np.where(undecided & (np.minimum(own, other) < self.top), self._cell("begin", own, other), decided)
