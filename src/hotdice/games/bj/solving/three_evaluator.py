"""Values of BJ's dice for three: from the table of the equilibrium if it is there, by rollouts until then."""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np

from hotdice.game import CHANCE, OVER, Move, State
from hotdice.games.bj.rules import BONUS, NOBODY, BjOptions
from hotdice.games.bj.solving import three
from hotdice.games.bj.solving.kernel import Floats
from hotdice.games.bj.solving.prospects import prospects
from hotdice.games.bj.solving.rollouts import BjRollouts
from hotdice.games.bj.solving.solver import FAR, MORE, STEP, chase_table, outcomes_of
from hotdice.games.bj.solving.three_kernel import TIE, endings, last_endings, play_whole_turn
from hotdice.games.bj.state import BjState
from hotdice.solve.store import Tables
from hotdice.values import Evaluation, Evaluator, NotSolved, Progress, Prospect, Unit, Worth, no_progress

HOPELESS: Final = 600
"""A deficit in steps that a turn makes up with a chance below 1e-14."""


class Chances(NamedTuple):
    """The chances to win of whoever has the turn, of the next player and of the third."""

    own: float
    second: float
    third: float


class Turn(NamedTuple):
    """Whose turn it is in a position, as the tables see it: scores in steps, from the roller's on."""

    own: int
    second: int
    third: int
    to_come: int
    """How many turns there are in the last round, this one included; 0 before that."""


class BjThreeSolved(Evaluator):
    """Values of the equilibrium. In it nobody gains more than twice `error` by playing otherwise."""

    unit = Unit.WIN

    def __init__(self, options: BjOptions, solved: Tables) -> None:
        self.options, self.rules = options, three.rules_of(options)
        self.dice, self.target = options.dice, self.rules.target
        self.wins = three.unpacked(solved.arrays)
        self.error = float(solved.arrays["error"][0])
        self._mixtures = {tuple(map(int, row[:3])): row[3:] for row in solved.arrays["mixtures"].tolist()}
        self._chase, _, _ = chase_table(options.dice)
        self._outcomes = [outcomes_of(self.rules.tosses, count) for count in range(self.dice + 1)]
        self._cells = lru_cache(8)(self._turn_values)

    def expected(self, state: State, seat: int) -> float:
        state = self._own(state)
        if state.seat == OVER:
            return float(state.winner == seat)
        turn = self._turn(state)
        dice, risk, bonuses = state.dice, state.at_risk // STEP, state.safe // BONUS
        worth = self._toss if state.seat == CHANCE else self._decision
        return worth(turn, dice, risk, bonuses)[(seat - state.roller) % 3]

    def prospects(self, state: State, move: Move) -> tuple[Prospect, ...]:
        state = self._own(state)
        if move not in state.legal_moves():
            raise state.illegal(move)
        turn = self._turn(state)
        return prospects(state, move, lambda *at: self._decision(turn, *at).own > self._ending(turn, *at[1:]).own + TIE)

    def _own(self, state: State) -> BjState:
        if not isinstance(state, BjState) or state.options != self.options or state.players != 3:
            raise NotSolved("These are the values of BJ's dice under other rules, or for other players.")
        return state

    def _turn(self, state: BjState) -> Turn:
        own, second, third = (state.scores[(state.roller + step) % 3] // STEP for step in range(3))
        to_come = 0 if state.starter == NOBODY else (state.starter - state.roller) % 3
        yet_to_come = (own, second, third)[: to_come or 3]
        if max(yet_to_come) > self.target:
            scores = ", ".join(map(str, state.scores))
            raise NotSolved(f"With the scores {scores} the last round would have begun before; no game comes to this.")
        return Turn(own, second, third, to_come)

    def _toss(self, turn: Turn, dice: int, risk: int, bonuses: int) -> Chances:
        """What rolling is worth."""
        if not turn.to_come and dice == self.dice and not risk and not bonuses:
            own, second = self.wins[turn.own, turn.second, turn.third].tolist()
            return Chances(own, second, 1.0 - own - second)
        kept = risk if self.rules.keeps and dice < self.dice else 0
        scoreless, ending = float(self.rules.tosses.scoreless[dice]), self._ending(turn, kept, bonuses)
        own, second = scoreless * ending.own, scoreless * ending.second
        for points, left, chance in self._outcomes[dice]:
            after = (left, risk + points, bonuses) if left else (self.dice, risk + points, bonuses + 1)
            worth = self._decision(turn, *after)
            own += chance * worth.own
            second += chance * worth.second
        return Chances(own, second, 1.0 - own - second)

    def _decision(self, turn: Turn, dice: int, risk: int, bonuses: int) -> Chances:
        """What it is worth to choose between rolling some dice and passing."""
        total = turn.own + bonuses * MORE + risk
        if turn.to_come == 1:
            deficit = max(turn.second, turn.third) - total
            return self._last(turn, 1.0 if deficit < 0 else float(self._chase[min(deficit, FAR), dice]))
        if (turn.to_come == 2 and turn.third - total > HOPELESS) or total > self._highest(turn):
            return self._ending(turn, risk, bonuses)
        own, second = self._cells(turn)[bonuses, risk, dice, :2].tolist()
        return Chances(own, second, 1.0 - own - second)

    def _ending(self, turn: Turn, risk: int, bonuses: int) -> Chances:
        """What it is worth to end the turn with these points beside its bonuses."""
        total = turn.own + bonuses * MORE + risk
        if turn.to_come == 1:
            return self._last(turn, float(total > max(turn.second, turn.third)))
        stop = np.zeros((1, 2))
        self._endings(stop, turn, total)
        own, second = stop[0].tolist()
        return Chances(own, second, 1.0 - own - second)

    def _last(self, turn: Turn, own: float) -> Chances:
        """The end of the game, which the player of the last turn wins with a chance of `own`; else the leader does."""
        rest = 1.0 - own
        return Chances(own, rest, 0.0) if turn.second >= turn.third else Chances(own, 0.0, rest)

    def _highest(self, turn: Turn) -> int:
        """The highest score from which a player still may roll on."""
        if turn.to_come:
            return max(turn.third, turn.second + self.rules.reach)
        return max(self.target, max(turn.second, turn.third) + self.rules.reach)

    def _endings(self, stop: Floats, turn: Turn, safe: int) -> None:
        if turn.to_come:
            last_endings(stop, safe - turn.second, turn.third - turn.second, self.rules)
        else:
            endings(stop, self.wins, safe, turn.second, turn.third, len(stop), self.rules)

    def _turn_values(self, turn: Turn) -> Floats:
        """Every decision of a turn, by bonuses, what is at risk, and dice."""
        top = max(0, self._highest(turn) - turn.own)
        stops = np.zeros((top // MORE + 2, top + self.rules.most + 1, 2))
        for layer, stop in enumerate(stops):
            self._endings(stop, turn, turn.own + layer * MORE)
        if turn.to_come:
            return play_whole_turn(stops, top, TIE, self.rules)
        mixture = self._mixtures.get(turn[:3])
        if mixture is None:
            return play_whole_turn(stops, top, 0.0, self.rules)
        below, above, weight = mixture
        found: Floats = (1 - weight) * self._planned(stops, top, below) + weight * self._planned(stops, top, above)
        return found

    def _planned(self, stops: Floats, top: int, worth: float) -> Floats:
        """The values of a turn played as if a forfeit were worth something else."""
        stops = stops.copy()
        off = stops[0, 0, 0] - worth
        stops[0, 0, 0] = worth
        cells = play_whole_turn(stops, top, 0.0, self.rules)
        cells[0, :, :, 0] += off * cells[0, :, :, 2]
        return cells


class BjThree(Evaluator):
    """The values of the equilibrium once the table is there, perhaps solved by another process; rollouts until then."""

    unit = Unit.WIN
    provisional = True

    def __init__(self, options: BjOptions, progress: Progress = no_progress) -> None:
        self.options = options
        self._tried = False
        solved = self._solved()
        self._use(BjRollouts(options, 3, progress) if solved is None else solved)

    def _use(self, evaluator: Evaluator) -> None:
        """Ask these values from now on."""
        self._asked = evaluator
        self.exact, self.sampled = evaluator.exact, evaluator.sampled
        self.error, self.tie = evaluator.error, evaluator.tie
        self.review_precision = evaluator.review_precision
        self.provisional = not evaluator.exact

    def _solved(self) -> Evaluator | None:
        """The values of a table that has come to be there since the last look."""
        if self._tried or not three.is_saved(self.options):
            return None
        self._tried = True  # a damaged table is not read again and again
        table = three.saved(self.options)
        return None if table is None else BjThreeSolved(self.options, table)

    def _now(self) -> Evaluator:
        solved = self._solved()
        if solved is not None:
            self._use(solved)
        return self._asked

    def expected(self, state: State, seat: int) -> float:
        return self._now().expected(state, seat)

    def value(self, state: State, seat: int, *, seed: int | None = None, precision: float | None = None) -> Worth:
        return self._now().value(state, seat, seed=seed, precision=precision)

    def everybody(self, state: State, *, seed: int | None = None, precision: float | None = None) -> tuple[Worth, ...]:
        return self._now().everybody(state, seed=seed, precision=precision)

    def evaluate(self, state: State, *, seed: int | None = None, precision: float | None = None) -> Evaluation:
        return self._now().evaluate(state, seed=seed, precision=precision)

    def policy(self, state: State) -> Move:
        return self._now().policy(state)

    def prospects(self, state: State, move: Move) -> tuple[Prospect, ...]:
        return self._now().prospects(state, move)
