"""Rollers among three and more players: chances to win the match, by rollouts to the end of the round.

Everybody plays by the best value of a turn's look-ahead. How the match goes on after the round comes from `equity`.
There may be hundreds of moves, so only the best few by that look-ahead are rolled out. The others, and the rolls of
the dice, have what the look-ahead says, set right by as much as it was wrong on those; their errors say so.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hotdice.dice import Roll
from hotdice.game import CHANCE, OVER, Move, State
from hotdice.games.rollers.rules import RollersOptions
from hotdice.games.rollers.solving.boards import Ints
from hotdice.games.rollers.solving.evaluator import RollersEvaluator, choice_of, ends_the_match, position_of
from hotdice.games.rollers.solving.playing import NO_LOG, Memory, Rollouts, Root, play_out, work_memory
from hotdice.games.rollers.state import RollersState
from hotdice.solve.rollouts import Estimates, Floats, Sampler, Sampling, as_worths, compare, together
from hotdice.solve.store import Tables
from hotdice.values import Evaluation, NotSolved, Unit, Worth, owner

FEW: Final = 6
"""At most this many moves are rolled out."""
MARGIN: Final = 0.03
"""They are no further behind the best by the look-ahead."""
BATCH: Final = 64
MOST: Final = 400
"""Rollouts of one move at most, divided by the players: with more of them rounds take longer. Half with locked dice."""
PRECISION: Final = 0.004
STATIC: Final = 0.006
"""How far the look-ahead's values of two moves are apart from the truth, beside what all moves of a position share."""
BEGINNING: Final = 0.05
"""The same in the roll-off, where nothing is known yet of who begins."""


class RollersRollouts(RollersEvaluator):
    """Chances to win the match for three to five players."""

    unit = Unit.WIN
    sampled = True
    tie = 1e-4

    def __init__(self, options: RollersOptions, players: int, table: Tables | None) -> None:
        super().__init__(options, players, table)
        self._evaluated: Callable[[RollersState, Sampling, bool], Evaluation] = lru_cache(maxsize=64)(self._rolled_out)

    # Rollouts

    def player(self, state: RollersState, moves: Ints, seed: int) -> Sampler:
        """Plays moves out, or the dice to come; results are chances to win the match, by seat from the roller on."""
        position, turn = position_of(state), self.turn(state)
        root = Root(position.players, 0, Memory(turn.uses, turn.rows))
        aims, memory = self.aims(position), work_memory(turn.full)

        def play(chosen: Ints, first: int, count: int) -> tuple[Floats, Floats]:
            results, luck = np.zeros((2, len(chosen), count, self.players))
            play_out(turn.full, aims, root, moves[chosen], memory, Rollouts(seed, first, results, luck, NO_LOG))
            return results, luck

        return play

    def sampler(self, state: RollersState, moves: Ints, seat: int, seed: int) -> Sampler:
        """Plays moves out, or the dice to come, for a seat."""
        play, asked = self.player(state, moves, seed), (seat - state.roller) % self.players

        def sample(chosen: Ints, first: int, count: int) -> tuple[Floats, Floats]:
            results, luck = play(chosen, first, count)
            return results[:, :, asked], luck

        return sample

    def everybody(self, state: State, *, seed: int | None = None, precision: float | None = None) -> tuple[Worth, ...]:
        """The same rollouts tell it for every seat."""
        assert isinstance(state, RollersState)  # noqa: S101 (for the type checker)
        if state.seat == OVER or state.roll_off:
            return super().everybody(state)
        sampling, players = Sampling.of(state, seed, precision), self.players
        move = None if state.seat == CHANCE else self.policy(state)
        play = self.player(state, np.array([choice_of(state, move)]), sampling.seed)

        def sample(chosen: Ints, first: int, count: int) -> tuple[Floats, Floats]:
            results, luck = play(np.zeros(1, np.int64), first, count)
            return results[0].T[(chosen - state.roller) % players], np.repeat(luck, len(chosen), axis=0)

        precision, most = sampling.limits(PRECISION, self._most)
        return as_worths(self, together(sample, players, batch=BATCH, most=most, precision=precision))

    def estimates(
        self, state: RollersState, actions: Sequence[Move | None], seat: int, sampling: Sampling
    ) -> Estimates:
        """Values of moves for a seat; no move stands for the dice to come."""
        moves = np.array([choice_of(state, action) for action in actions])
        precision, most = sampling.limits(PRECISION, self._most)
        sample = self.sampler(state, moves, seat, sampling.seed)
        return compare(sample, len(moves), batch=BATCH, most=most, precision=precision)

    @property
    def _most(self) -> int:
        """How often a move is rolled out, at most."""
        return max(BATCH, (MOST // 2 if self.locked else MOST) // self.players)

    # States

    def expected(self, state: State, seat: int) -> float:
        return self.value(state, seat).value

    def value(self, state: State, seat: int, *, seed: int | None = None, precision: float | None = None) -> Worth:
        assert isinstance(state, RollersState)  # noqa: S101 (for the type checker)
        if state.seat == OVER:
            return super().value(state, seat)
        if state.roll_off:
            return Worth(1.0 / self.players, BEGINNING, self.unit, self.exact)
        found = self.evaluate(state, seed=seed, precision=precision)
        if seat == owner(state):
            return Worth(found.value, found.error, self.unit, self.exact)
        best = found.lines[0].action
        action = best if isinstance(best, Move) else None
        watched = self.estimates(state, [action], seat, Sampling.of(state, seed, precision))
        return Worth(float(watched.values[0]), float(watched.errors[0]), self.unit, self.exact)

    def action_values(self, state: State, seat: int) -> Sequence[float]:
        """What is not the mover's is taken to be shared alike by the others."""
        assert isinstance(state, RollersState)  # noqa: S101 (for the type checker)
        values = {line.action: line.value for line in self.evaluate(state).lines}
        actions: Sequence[Move | Roll] = state.outcomes().rolls if state.seat == CHANCE else state.legal_moves()
        if seat == (state.roller if state.seat == CHANCE else state.seat):
            return [values[action] for action in actions]
        return [(1.0 - values[action]) / (self.players - 1) for action in actions]

    def evaluate(self, state: State, *, seed: int | None = None, precision: float | None = None) -> Evaluation:
        assert isinstance(state, RollersState)  # noqa: S101 (for the type checker)
        if state.seat == OVER:
            raise NotSolved("The game is over; there is nothing left to evaluate.")
        self.look_again()
        return self._evaluated(state, Sampling.of(state, seed, precision), self.values is None)

    def _rolled_out(self, state: RollersState, sampling: Sampling, unsolved: bool) -> Evaluation:
        if state.roll_off:
            rolls = len(state.outcomes())
            return self.evaluation(state, [1.0 / self.players] * rolls, [BEGINNING] * rolls)
        return self._rolls_valued(state, sampling) if state.seat == CHANCE else self._moves_valued(state, sampling)

    def _rolls_valued(self, state: RollersState, sampling: Sampling) -> Evaluation:
        static = np.array(self.looked_ahead(state))
        found = self.estimates(state, [None], state.roller, sampling)
        worth, error = float(found.values[0]), float(found.errors[0])
        values = np.clip(static + worth - np.average(static, weights=state.outcomes().weights), 0.0, 1.0)
        errors = [float(np.hypot(error, STATIC))] * len(values)
        return replace(self.evaluation(state, values.tolist(), errors, error=error), value=worth)

    def _moves_valued(self, state: RollersState, sampling: Sampling) -> Evaluation:
        moves = state.legal_moves()
        static = np.array(self.looked_ahead(state))
        groups = _groups(static)
        few = [moves[group[0]] for group in groups]
        found = self.estimates(state, few, state.seat, sampling)
        known = np.array([ends_the_match(state, move) for move in few])
        expected = static[[group[0] for group in groups]]
        values, errors = _blended(expected, found, known), np.where(known, 0.0, found.errors)
        off, gap_errors = values - expected, found.gap_errors * STATIC / np.hypot(found.gap_errors, STATIC)
        best = float(values.max())
        error = float(np.hypot(errors.max(), max(STATIC, off.std())))
        rolled = {at: place for place, group in enumerate(groups) for at in group}
        lines: list[tuple[float, float, float]] = []
        for at, move in enumerate(moves):
            if at in rolled:
                place = rolled[at]
                lines.append((float(values[place]), float(errors[place]), float(gap_errors[place])))
            elif ends_the_match(state, move):
                lines.append((float(static[at]), 0.0, float(errors.max())))
            else:  # it was behind by the look-ahead, and nothing says that it is not
                lines.append((float(np.clip(static[at] + off.mean(), 0.0, best)), error, STATIC))
        every, every_error, gap = zip(*lines, strict=True)
        return self.evaluation(state, every, every_error, gap)


def _blended(static: Floats, found: Estimates, known: NDArray[np.bool_]) -> Floats:
    """Values by rollouts and look-ahead. How good moves are on the whole is left to the rollouts; how they differ, to
    both, each by its precision. What ends the match is known."""
    trust = STATIC**2 / (STATIC**2 + found.errors**2)
    off = (found.values - static)[~known]
    level = float(np.average(off, weights=found.rollouts[~known])) if off.size else 0.0
    blended = static + level + trust * (found.values - static - level)
    return np.clip(np.where(known, static, blended), 0.0, 1.0)


def _groups(static: Floats) -> list[list[int]]:
    """The best few values by the look-ahead, each with the moves that have it."""
    order = np.argsort(-static, kind="stable")
    groups: list[list[int]] = []
    for at in order.tolist():
        if groups and static[groups[-1][0]] - static[at] <= 1e-9:
            groups[-1].append(at)
        elif static[order[0]] - static[at] > MARGIN or len(groups) == FEW:
            break
        else:
            groups.append([at])
    return groups
