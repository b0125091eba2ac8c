"""Values of Rollers, read off turns that are looked ahead to all their ends."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np

from hotdice.dice import Roll
from hotdice.game import CHANCE, OVER, Move, State
from hotdice.games.rollers.rules import FULL_BOARD, ROLLS, STAR, ZAP, Apply, Board, Keep, RollersOptions, pool_of
from hotdice.games.rollers.solving.boards import number_of
from hotdice.games.rollers.solving.equity import Stakes, match_stakes, round_stakes
from hotdice.games.rollers.solving.guide import EXACT, RACE, TABLE, Aims, Guide, Players, guide_of
from hotdice.games.rollers.solving.lanes import LANES, Floats
from hotdice.games.rollers.solving.lattice import full_lattice, pool_numbers
from hotdice.games.rollers.solving.playing import Dice, FullTurn, fill, full_turn, look_ahead, work_memory
from hotdice.games.rollers.solving.pools import NONE
from hotdice.games.rollers.solving.tables import race, round_key, saved_round
from hotdice.games.rollers.state import RollersState
from hotdice.solve import store
from hotdice.solve.store import Tables
from hotdice.values import Evaluator, Unit, payoff


@dataclass(frozen=True, slots=True, eq=False)
class Turn:
    """A turn's values for the player whose turn it is: of each use of dice, and a row for each keep, in its lane."""

    uses: Floats
    rows: Floats
    full: FullTurn

    def of_use(self, uses: tuple[int, ...]) -> float:
        """Using exactly these dice."""
        return float(self.uses[LANES * pool_numbers()[(*uses, 0)]])

    def of_pool(self, dice: Roll) -> float:
        """The best use of some dice."""
        pool = pool_of(dice)
        return float(self.rows[LANES * pool_numbers()[(*pool.counts, pool.stars)]])

    def of_keep(self, left: int, dice: Roll) -> float:
        """Keeping some dice and rolling the rest, with `left` rolls left."""
        kept = split(dice)
        return float(self.rows[LANES * self.full.keeps[left - 1, kept.black, kept.pool]])

    def of_best(self, left: int, dice: Roll) -> float:
        """The best keep among some dice, with `left` rolls left."""
        lying = split(dice)
        return float(self.rows[LANES * full_lattice(self.full.locked).bests[left - 1, lying.black, lying.pool]])

    @property
    def value(self) -> float:
        """The turn before its first roll."""
        return float(self.rows[-LANES])


@lru_cache(maxsize=8192)
def split(dice: Roll) -> Dice:
    """Dice as the kernels know them: the number on the black die (or none) and the pool of the purple ones."""
    pool = pool_of(tuple(die for die in dice if die <= STAR))
    black = pool_of(tuple(die for die in dice if die > STAR)).counts
    number = black.index(1) + 1 if any(black) else NONE
    return Dice(number, pool_numbers()[(*pool.counts, pool.stars)])


@dataclass(frozen=True, slots=True)
class Position:
    """What a turn is played from, the player whose turn it is first and the others in order."""

    boards: tuple[Board, ...]
    chips: tuple[int, ...]
    points: tuple[int, ...]
    target: int
    share: bool

    @property
    def for_the_match(self) -> bool:
        """Whether values are chances to win the match: among many players, or if completing may end it."""
        return len(self.boards) > 2 or max(self.points) + 2 >= self.target

    @property
    def stakes(self) -> Stakes:
        """What the round's end is worth."""
        if self.for_the_match:
            return match_stakes(self.points, self.target, self.share)
        return round_stakes(len(self.boards), self.share)

    @property
    def players(self) -> Players:
        """Everybody's board and chips, for the kernels."""
        return Players(np.array([number_of(board) for board in self.boards]), np.array(self.chips))


def position_of(state: RollersState) -> Position:
    """The position of the turn that a state is in."""
    seat, options = state.roller, state.options
    return Position(
        state.boards[seat:] + state.boards[:seat],
        state.chips[seat:] + state.chips[:seat],
        state.scores[seat:] + state.scores[:seat],
        options.target_points,
        options.chip_tie == "share",
    )


GUESSED: Final = 0.4
"""How far values are off, root mean square, over positions of matches: points of the round by the race alone,"""
BORROWED: Final = 0.01
"""points of the round with locked dice by the table of free ones,"""
AT_MATCH_POINT: Final = 0.035
"""and chances to win the match. Most of that is common to all moves of a position."""


def ends_the_match(state: RollersState, move: Move) -> bool:
    """Whether a move completes the board and somebody has the points to win."""
    return isinstance(move, Apply) and state.outcome_of(move.uses)[0] == FULL_BOARD and state.apply(move).seat == OVER


class RollersEvaluator(Evaluator):
    """Values of Rollers between two: the points of the round that a state is in, one's own less the other's.

    With the round's table they are exact, but for two things. With locked dice and only the table of free dice, a turn
    is looked ahead by the right rules and valued by that table. At match point values are chances to win the match:
    exact where a use of dice ends it, otherwise guessed from the round's value and the chips. Without a table a turn is
    looked ahead and valued by the race and a term for chips.
    """

    unit = Unit.ROUND_POINTS

    def __init__(self, options: RollersOptions, players: int, table: Tables | None) -> None:
        self.players = players
        self.locked = options.saved_dice == "locked"
        self._turns: Callable[[Position], Turn] = lru_cache(maxsize=16)(self._solve_turn)
        self._use(table)

    def _use(self, table: Tables | None) -> None:
        self.values: Floats | None = None if table is None else table.arrays["values"]
        self.solved = table is not None and table.key == round_key(self.locked)
        self.exact = self.solved and self.players == 2
        self.error = float(table.arrays["error"][0]) if table is not None and self.exact else 0.0
        self._guides: dict[bool, Guide] = {}
        self._turns.cache_clear()  # type: ignore[attr-defined]

    def look_again(self) -> None:
        """Take up a table that was solved meanwhile, perhaps by another process."""
        if not self.solved and store.has(round_key(self.locked)):
            table = saved_round(self.locked)
            self._use(table)
            self.solved = True  # or else damaged: it is not read again and again

    def guide(self, position: Position) -> Guide:
        """What values of unfinished rounds are made from."""
        counts = not position.for_the_match
        if counts not in self._guides:
            kind = RACE if self.values is None else EXACT if counts else TABLE
            self._guides[counts] = guide_of(self.values, race(self.locked), [kind] * self.players)
        return self._guides[counts]

    def aims(self, position: Position) -> Aims:
        """What everybody plays for in a round."""
        return Aims(self.guide(position), position.stakes)

    # Turns

    def _solve_turn(self, position: Position) -> Turn:
        full = full_turn(self.locked)
        memory = work_memory(full)
        fill(full, self.aims(position), position.players, 0, memory, 0)
        look_ahead(full, memory)
        return Turn(memory.uses, memory.work, full)

    def turn(self, state: RollersState) -> Turn:
        """The turn that a state is in, looked ahead."""
        self.look_again()
        return self._turns(position_of(state))

    # States

    def expected(self, state: State, seat: int) -> float:
        assert isinstance(state, RollersState)  # noqa: S101 (for the type checker)
        if state.seat == OVER:
            return payoff(state, seat)
        values = self.action_values(state, seat)
        if state.seat != CHANCE:
            return max(values) if state.seat == seat else min(values)
        weights = state.outcomes().weights
        return math.fsum(weight * value for weight, value in zip(weights, values, strict=True)) / sum(weights)

    def action_values(self, state: State, seat: int) -> Sequence[float]:
        assert isinstance(state, RollersState)  # noqa: S101 (for the type checker)
        if state.roll_off:
            return [self._begins(state.roll(roll), seat) for roll in state.outcomes().rolls]
        values = self.looked_ahead(state)
        if seat == state.roller:
            return values
        for_the_match = position_of(state).for_the_match
        return [1.0 - value if for_the_match else -value for value in values]

    def errors(self, state: State, actions: Sequence[Move | Roll]) -> Sequence[float]:
        assert isinstance(state, RollersState)  # noqa: S101 (for the type checker)
        if not position_of(state).for_the_match:
            guessed = GUESSED if self.values is None else BORROWED
            return [self.error if self.exact else guessed] * len(actions)
        return [
            0.0 if isinstance(action, Move) and ends_the_match(state, action) else AT_MATCH_POINT for action in actions
        ]

    def looked_ahead(self, state: RollersState) -> list[float]:
        """The value of each move or roll to the player whose turn it is."""
        turn = self.turn(state)
        return self._rolls(state, turn) if state.seat == CHANCE else self._moves(state, turn)

    def _begins(self, state: RollersState, seat: int) -> float:
        """A state of the roll-off, or after it: the round's value by the chance to begin."""
        if not state.roll_off:
            worth = self.turn(state).value
            if position_of(state).for_the_match:
                return worth if seat == state.roller else 1.0 - worth
            return worth if seat == state.roller else -worth
        if not any(value > 0 for value in state.roll_off):
            return 0.5 if position_of(state).for_the_match else 0.0  # the same for both
        return math.fsum(self._begins(state.roll(roll), seat) for roll in state.outcomes().rolls) / STAR

    def _moves(self, state: RollersState, turn: Turn) -> list[float]:
        left = ROLLS - state.rolls
        values: list[float] = []
        for move in state.legal_moves():
            match move:
                case Apply(uses):
                    values.append(turn.of_use(uses))
                case Keep(dice):
                    values.append(turn.of_keep(left, dice))
                case _:
                    values.append(turn.of_pool(state.usable))
        return values

    def _rolls(self, state: RollersState, turn: Turn) -> list[float]:
        left = ROLLS - state.rolls - 1
        rolls = state.outcomes().rolls
        if left and state.rolls and self.locked:
            return [max(self._moves(state.roll(roll), turn)) for roll in rolls]
        values: list[float] = []
        for roll in rolls:
            usable = state.kept if ZAP in roll else tuple(sorted(state.kept + roll))
            values.append(turn.of_best(left, usable) if left else turn.of_pool(usable))
        return values

    def unit_in(self, state: State) -> Unit:
        assert isinstance(state, RollersState)  # noqa: S101 (for the type checker)
        return Unit.WIN if position_of(state).for_the_match else self.unit

    def exact_in(self, state: State) -> bool:
        assert isinstance(state, RollersState)  # noqa: S101 (for the type checker)
        return self.exact and not position_of(state).for_the_match

    def tie_breaks(self, state: State, moves: Sequence[Move]) -> Sequence[float]:
        """The more sections are open or closed after a move, the sooner the round is over."""
        assert isinstance(state, RollersState)  # noqa: S101 (for the type checker)
        return [float(sum(state.outcome_of(move.uses)[0])) if isinstance(move, Apply) else 0.0 for move in moves]
