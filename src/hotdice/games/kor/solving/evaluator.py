"""Exact values of KOR for two players, read off the solved tables.

The tables hold what turns and penalties are worth as they begin. Values within one are recomputed when they are asked
for, from what its ends lead to.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import exp
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hotdice.dice import Roll
from hotdice.game import CHANCE, OVER, Move, State
from hotdice.games.kor import KorOptions, KorState
from hotdice.games.kor.rules import DICE, NOBODY
from hotdice.games.kor.solving.kernel import Ends, Floats, Ints, play_turn
from hotdice.games.kor.solving.prospects import prospects
from hotdice.games.kor.solving.solver import diagonals
from hotdice.games.kor.solving.turns import STEP, toss_table
from hotdice.values import Evaluator, NotSolved, Prospect, Unit


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

    def expected(self, state: State, seat: int) -> float:
        if not isinstance(state, KorState) or state.options != self.options:
            raise NotSolved("These are the values of KOR under other rules.")
        if state.seat == OVER:
            result = state.result
            return float(result is not None and seat in result.winners)
        if state.seat == CHANCE:
            worth = self._toss(state)
            return worth if seat == state.roller else 1.0 - worth
        best = max(self.expected(state.apply(move), state.seat) for move in state.legal_moves())
        return best if seat == state.seat else 1.0 - best

    def prospects(self, state: State, move: Move) -> tuple[Prospect, ...]:
        if not isinstance(state, KorState) or state.options != self.options:
            raise NotSolved("These are the values of KOR under other rules.")
        return prospects(state, move)

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
        return play_turn(Ends(stop, u_turn, going_on), dead, self.toss)

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
