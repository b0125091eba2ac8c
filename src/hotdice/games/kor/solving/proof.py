"""How far KOR's tables can be off: what separates them from the game, and the grid that this asks for.

The bound adds up these parts; `Proof` computes each of them.
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

from collections.abc import Callable
from math import exp, log
from typing import Final

import numpy as np

from hotdice.games.kor.rules import KorOptions
from hotdice.games.kor.solving.kernel import BANK, DEAD_OR_U, STOP, STOP_OR_DEAD, STOP_OR_U, U_TURN, Floats
from hotdice.games.kor.solving.turns import STEP, turn_lists

PRECISION: Final = 1e-10
"""How small each part of the bound is to be at the start of the game."""
RARE: Final = 2e-13
"""The chance of a turn with too many points; there are hundreds of turns to come."""


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
