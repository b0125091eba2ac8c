"""Exact values of BJ's dice for two players, read off the solved table.

The table holds what turns are worth as they begin. Values within one are recomputed when they are asked for.
"""

from __future__ import annotations

from functools import cached_property, lru_cache

from hotdice.game import CHANCE, OVER, Move, State
from hotdice.games.bj import BjOptions, BjState
from hotdice.games.bj.rules import BONUS, NOBODY, PASS, ROLL
from hotdice.games.bj.solving.kernel import Bits, Floats, play_turn
from hotdice.games.bj.solving.prospects import prospects
from hotdice.games.bj.solving.solver import FAR, MORE, STEP, outcomes_of, policy, rules_of
from hotdice.solve.store import Tables
from hotdice.values import Evaluator, NotSolved, Prospect, Unit


class BjEvaluator(Evaluator):
    """Exact values for two players."""

    unit = Unit.WIN

    def __init__(self, options: BjOptions, solved: Tables) -> None:
        self.options, self.rules = options, rules_of(options)
        self.dice, self.target = options.dice, options.target // STEP
        self.wins: Floats = solved.arrays["wins"]
        self.error = float(solved.arrays["error"][0])
        self._outcomes = [outcomes_of(self.rules.tosses, count) for count in range(self.dice + 1)]
        self._turn = lru_cache(8)(self._turn_values)

    def expected(self, state: State, seat: int) -> float:
        state = self._own(state)
        if state.seat == OVER:
            return float(state.winner == seat)
        worth = self._toss(state) if state.seat == CHANCE else self._decision(
            state, state.dice, state.at_risk // STEP, state.safe // BONUS
        )  # fmt: skip
        return worth if seat == state.roller else 1.0 - worth

    def policy(self, state: State) -> Move:
        """Read off the solved policy, which is loaded or made the first time."""
        if not isinstance(state, BjState) or state.options != self.options or state.seat < 0:
            return super().policy(state)
        own, other = state.scores[state.roller], state.scores[1 - state.roller]
        safe, risk = (own + state.safe) // STEP, state.at_risk // STEP
        if state.starter != NOBODY:
            return PASS if safe + risk > other // STEP else ROLL
        if max(own, other) > self.options.target:
            return super().policy(state)
        rolls, ahead = self._policy
        if risk >= rolls.shape[2]:
            return PASS
        if safe <= self.target:
            bits = rolls[other // STEP, safe, risk]
        else:
            bits = ahead[min(safe - other // STEP, len(ahead) - 1), risk]
        return ROLL if int(bits) >> (state.dice - 1) & 1 else PASS

    def prospects(self, state: State, move: Move) -> tuple[Prospect, ...]:
        state = self._own(state)
        if move not in state.legal_moves():
            raise state.illegal(move)
        return prospects(state, move, lambda *at: self._decision(state, *at) > self._ending(state, *at[1:]))

    @cached_property
    def _policy(self) -> tuple[Bits, Bits]:
        found = policy(self.options).arrays
        return found["rolls"], found["ahead"]

    def _own(self, state: State) -> BjState:
        if not isinstance(state, BjState) or state.options != self.options:
            raise NotSolved("These are the values of BJ's dice under other rules.")
        return state

    def _toss(self, state: BjState) -> float:
        """What rolling is worth to the one who rolls."""
        dice, risk, bonuses = state.dice, state.at_risk // STEP, state.safe // BONUS
        if state.starter == NOBODY and dice == self.dice and not risk and not bonuses:
            self._check(state)
            return float(self.wins[state.scores[state.roller] // STEP, state.scores[1 - state.roller] // STEP])
        kept = risk if self.rules.keeps and dice < self.dice else 0
        worth = float(self.rules.tosses.scoreless[dice]) * self._ending(state, kept, bonuses)
        for points, left, chance in self._outcomes[dice]:
            if left:
                worth += chance * self._decision(state, left, risk + points, bonuses)
            else:
                worth += chance * self._decision(state, self.dice, risk + points, bonuses + 1)
        return worth

    def _decision(self, state: BjState, dice: int, risk: int, bonuses: int) -> float:
        """What it is worth to choose between rolling some dice and passing."""
        own, other = state.scores[state.roller] // STEP, state.scores[1 - state.roller] // STEP
        passing = own + bonuses * MORE + risk
        if state.starter != NOBODY:
            return 1.0 if passing > other else float(self.rules.odds[min(other - passing, FAR), dice])
        if passing > max(self.target, other + self.rules.reach):
            return self._ending(state, risk, bonuses)
        self._check(state)
        return float(self._turn(own, other)[bonuses, risk, dice])

    def _ending(self, state: BjState, risk: int, bonuses: int) -> float:
        """What it is worth to end the turn with these points beside its bonuses."""
        own, other = state.scores[state.roller] // STEP, state.scores[1 - state.roller] // STEP
        score = own + bonuses * MORE + risk
        if state.starter != NOBODY:
            return float(score > other)
        self._check(state)
        if score <= self.target:
            return float(1.0 - self.wins[other, score])
        return float(1.0 - self.rules.odds[min(score - other, FAR), self.dice])

    def _check(self, state: BjState) -> None:
        if max(state.scores) > self.target * STEP:
            scores = " to ".join(map(str, state.scores))
            raise NotSolved(f"At {scores} the last round would have begun; no game comes to this position.")

    def _turn_values(self, own: int, other: int) -> Floats:
        """Every decision of a turn, by bonuses, what is at risk, and dice."""
        return play_turn(self.rules, self.wins, own, other)
