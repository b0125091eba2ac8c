"""Games by their own states: any game, any player, event by event, on the dice that compiled games have.

Slower than a game's compiled simulator by some hundred times, and the yardstick that it is tested against.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from math import exp
from typing import Final

import numpy as np

from hotdice.dice import Distribution, Roll
from hotdice.errors import HotdiceError
from hotdice.game import CHANCE, OVER, Move, State
from hotdice.players import GuestPlayer, make_player
from hotdice.solve import evaluator_for, solver_of
from hotdice.solve.batches import LEVELS, MOST_WAYS, Columns, Simulator, Strategy, below, choice_key, dice_key
from hotdice.solve.rollouts import uniform
from hotdice.values import USUAL_NOISE, Evaluator

LONGEST: Final = 1_000_000
"""Events after which a game is taken to have no end."""

Choose = Callable[[State], Move]


class Chances:
    """What one seat leaves to chance in one game."""

    def __init__(self, seed: int, game: int, seat: int) -> None:
        self._key = np.uint64(choice_key(seed, game, seat))
        self._count = -1

    def next(self) -> float:
        """A number from 0 to 1, one for each decision."""
        self._count += 1
        return float(uniform(self._key, self._count))


class Dice:
    """The dice of one game: each roll follows from the seat, its turn and the roll within the turn."""

    def __init__(self, seed: int, game: int, players: int, together: int = 1) -> None:
        self._seed, self._game, self._together = seed, game, together
        self._taken = [0] * players
        self._roller = -1
        self._key = np.uint64(0)
        self._count = 0
        self.turns = self.rolls = 0

    def roll(self, state: State) -> Roll:
        """The next roll."""
        roller = state.roller
        if state.fresh or roller != self._roller:
            self._taken[roller] += 1
            self._key = np.uint64(dice_key(self._seed, self._game, roller, self._taken[roller]))
            self._roller, self._count = roller, 0
            self.turns += 1
        outcomes: Distribution = state.outcomes()
        if outcomes.total**self._together < MOST_WAYS:
            pack, place = divmod(self._count, self._together)
            number = int(below(self._key, pack, outcomes.total**self._together))
            roll = outcomes.at(number // outcomes.total**place % outcomes.total)
        else:
            roll = outcomes.at(int(uniform(self._key, self._count) * outcomes.total))
        self._count += 1
        self.rolls += 1
        return roll


class Engine:
    """Plays games of one kind with the same players again and again."""

    def __init__(self, start: State, players: Sequence[Strategy | Choose], simulator: Simulator | None) -> None:
        self._start, self._players, self._simulator = start, players, simulator
        self._together = simulator.together if simulator else 1
        self._rows = {name: at for at, name in enumerate(simulator.statistics if simulator else ())}

    def play_many(self, seed: int, first: int, columns: Columns) -> None:
        """Fill the columns with games, from the game of that number on."""
        for row in range(len(columns)):
            self._play(seed, first + row, row, columns)

    def _play(self, seed: int, game: int, row: int, columns: Columns) -> None:
        state, dice = self._start, Dice(seed, game, self._start.players, self._together)
        choosers = [self._chooser(player, seed, game, seat) for seat, player in enumerate(self._players)]
        for _ in range(LONGEST):
            if state.seat == OVER:
                break
            if state.seat == CHANCE:
                roll = dice.roll(state)
                after = state.roll(roll)
                self._count(state, roll, after, columns, row)
            else:
                move = choosers[state.seat](state)
                after = state.apply(move)
                self._count(state, move, after, columns, row)
            state = after
        result = state.result
        if result is None:
            raise HotdiceError(f"Game {game} has not ended after {LONGEST:,} events; it stands at “{state.position}”.")
        columns.winners[row] = sum(1 << seat for seat in result.winners)
        columns.scores[row] = state.scores
        columns.turns[row], columns.rolls[row] = dice.turns, dice.rolls

    def _count(self, state: State, action: Move | Roll, after: State, columns: Columns, row: int) -> None:
        if self._rows and self._simulator:
            for one in self._simulator.counted(state, action, after):
                columns.counts[row, self._rows[one.statistic], one.seat] += one.amount

    def _chooser(self, player: Strategy | Choose, seed: int, game: int, seat: int) -> Choose:
        if not isinstance(player, Strategy):
            return GuestPlayer(getattr(player, "__name__", "policy"), _Function(player)).choose
        chances = Chances(seed, game, seat)
        if player.name == "random":
            return partial(_any_move, chances)
        if player.name == "greedy":
            return self._start.game.greedy
        if player.name in LEVELS:
            return _Level(self._start, player.name, chances).choose
        if self._simulator and player.name in self._simulator.strategies:
            return self._simulator.chooser(player)
        return make_player(player.text, int(chances.next() * 2**53)).choose


def _any_move(chances: Chances, state: State) -> Move:
    moves = state.legal_moves()
    return moves[int(chances.next() * len(moves))] if len(moves) > 1 else moves[0]


class _Function:
    """A function of a state, as a bot."""

    def __init__(self, choose: Choose) -> None:
        self.choose = choose


class _Level:
    """A bot that knows values; those below `optimal` choose by chances that fall off with what a move gives away.

    Noise with a Gumbel distribution on every value, as the bots of these names have it, amounts to the same chances.
    """

    def __init__(self, start: State, level: str, chances: Chances) -> None:
        self._evaluator: Evaluator = evaluator_for(start.game, start.options, start.players)
        self._level, self._chances = level, chances

    def choose(self, state: State) -> Move:
        moves = state.legal_moves()
        if len(moves) == 1:
            return moves[0]
        if self._level == LEVELS[-1]:
            return self._evaluator.policy(state)
        values, unit = self._evaluator.action_values(state, state.seat), self._evaluator.unit_in(state)
        scale = solver_of(state.game).noise(unit, state.players).get(self._level, USUAL_NOISE[unit][self._level])
        best = max(values)
        weights = [exp((value - best) / scale) for value in values]
        left = self._chances.next() * sum(weights)
        for move, weight in zip(moves, weights, strict=True):
            left -= weight
            if left < 0.0:
                return move
        return moves[-1]
