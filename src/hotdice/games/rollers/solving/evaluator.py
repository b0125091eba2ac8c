"""Values of Rollers, read off turns that are looked ahead to all their ends."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np

from hotdice.dice import Roll
from hotdice.game import CHANCE, OVER, Move, State
from hotdice.games.rollers.rules import FULL_BOARD, ROLLS, STAR, ZAP, Apply, Board, Keep, RollersOptions, pool_of
from hotdice.games.rollers.solving.boards import number_of
from hotdice.games.rollers.solving.equity import Needs, Stakes, chances, stakes_of
from hotdice.games.rollers.solving.guide import RACE, TABLE, Aims, Players, guide_of, match_guide
from hotdice.games.rollers.solving.lanes import LANES, Floats
from hotdice.games.rollers.solving.lattice import full_lattice, pool_numbers
from hotdice.games.rollers.solving.match import chances_for, error_after, stakes_at
from hotdice.games.rollers.solving.match_tables import MatchTable, ask_for, is_solved, saved_match
from hotdice.games.rollers.solving.playing import (
    Choice,
    Dice,
    FullTurn,
    Memory,
    Root,
    fill,
    fill_progress,
    full_turn,
    look_ahead,
    work_memory,
)
from hotdice.games.rollers.solving.pools import NONE
from hotdice.games.rollers.solving.prospects import prospects
from hotdice.games.rollers.solving.tables import VERSION, race, round_key, saved_round
from hotdice.games.rollers.state import RollersState
from hotdice.solve import store
from hotdice.solve.store import Tables
from hotdice.values import Evaluator, Prospect, Unit, payoff


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
    needs: tuple[int, ...]
    """The points that everybody has to go."""
    began: int
    """Who began the round, where that counts: between two."""
    options: RollersOptions

    @property
    def stakes(self) -> Stakes:
        """What the round's end is worth: the chances to win the match."""
        return _stakes(self.needs, self.began, self.options)

    @property
    def score(self) -> Needs:
        """The match score of two, the player who began first."""
        return self.needs[self.began], self.needs[1 - self.began]

    @property
    def players(self) -> Players:
        """Everybody's board and chips, for the kernels."""
        return Players(np.array([number_of(board) for board in self.boards]), np.array(self.chips))


@lru_cache(maxsize=1024)
def _stakes(needs: tuple[int, ...], began: int, options: RollersOptions) -> Stakes:
    share = options.chip_tie == "share"
    if len(needs) == 2:
        return stakes_at((needs[0], needs[1]), began, share, chances_for(options))
    return stakes_of(needs, share, chances)


def position_of(state: RollersState) -> Position:
    """The position of the turn that a state is in."""
    seat, options = state.roller, state.options
    needs = tuple(options.target_points - points for points in state.scores)
    return Position(
        state.boards[seat:] + state.boards[:seat],
        state.chips[seat:] + state.chips[:seat],
        needs[seat:] + needs[:seat],
        (state.starter - seat) % 2 if len(needs) == 2 else 0,
        options,
    )


LOADED: Final = 3
"""How many tables of match scores an evaluator has at hand."""
ASK_AGAIN: Final = 600.0
"""Seconds after which a table is asked for again."""
BROKE: Final = 14
"""With this many chips of one of two, or fewer, estimates are far wider of the mark: who has the most is then hardly
open, and payments are cut short."""
GUESSED: Final = (0.16, 0.5)
"""How far chances to win a match of two are off in a round that is not solved: by the race alone, while both have as
many chips as `BROKE`, or else. At 3-3, 19 of 20 of 2,500 positions at random are closer to the exact chance than this,
half of them by far (0.011); at 4-4 it was less;"""
ESTIMATED: Final = (0.1, 0.33)
"""and by the table of points of the round, the same (half of them closer than 0.0015). Most of it is common to all
moves of a position."""
SOLVED: Final = 1e-6
"""Chances with a smaller error count as exact."""


def ends_the_match(state: RollersState, move: Move) -> bool:
    """Whether a move completes the board and somebody has the points to win."""
    return isinstance(move, Apply) and state.outcome_of(move.uses)[0] == FULL_BOARD and state.apply(move).seat == OVER


def choice_of(state: RollersState, action: Move | None) -> Choice:
    """A move for the sampler: a use of dice, or the rolls left with the dice kept."""
    match action:
        case Apply(uses):
            return Choice(pool_numbers()[(*uses, 0)])
        case Keep(dice):
            return Choice(-1, ROLLS - state.rolls, *split(dice))
        case None:
            return Choice(-1, ROLLS - state.rolls, *split(state.kept))
    pool = pool_of(state.usable)
    return Choice(-1, pool=pool_numbers()[(*pool.counts, pool.stars)])


class RollersEvaluator(Evaluator):
    """Chances to win a match of Rollers between two.

    With the table of the match score they are exact, and so they are in the roll-off and where a use of dice ends
    the match. Until that table is there it is asked for, and a turn is looked ahead and valued by the table of the
    round's points or by the race, and the chips. The rounds to come are valued exactly in any case, by the constants.
    """

    unit = Unit.WIN
    exact = False
    tie = 1e-7

    def __init__(self, options: RollersOptions, players: int, table: Tables | None) -> None:
        self.players, self.options = players, options
        self.locked = options.saved_dice == "locked"
        self._turns: Callable[[Position], Turn] = lru_cache(maxsize=16)(self._solve_turn)
        self._progress: Callable[[Position], Turn] = lru_cache(maxsize=4)(self._solve_progress)
        self._matches: dict[Needs, MatchTable] = {}
        self._asked: dict[Needs, float] = {}
        self._use(table)

    def _use(self, table: Tables | None) -> None:
        self.values: Floats | None = None if table is None else table.arrays["values"]
        self.solved = table is not None and table.key == round_key(self.locked)
        kind = RACE if self.values is None else TABLE
        self._guide = guide_of(self.values, race(self.locked), [kind] * self.players)
        self._turns.cache_clear()  # type: ignore[attr-defined]

    def look_again(self) -> None:
        """Take up a table of the round that was solved meanwhile, perhaps by another process."""
        if not self.solved and store.has(round_key(self.locked), VERSION):
            table = saved_round(self.locked)
            self._use(table)
            self.solved = True  # or else damaged: it is not read again and again

    def match(self, position: Position) -> MatchTable | None:
        """The table of a match score of two, if it is there; if not, it is asked for."""
        if self.players != 2:
            return None
        score = position.score
        if score in self._matches:
            return self._matches[score]
        now = time.monotonic()
        if now - self._asked.get(score, -ASK_AGAIN) < ASK_AGAIN and not is_solved(self.options, score):
            return None
        self._asked[score] = now
        found = saved_match(self.options, score)
        if found is None:
            ask_for(self.options, score)
            return None
        while len(self._matches) >= LOADED:
            del self._matches[next(iter(self._matches))]
        self._matches[score] = found
        self._turns.cache_clear()  # type: ignore[attr-defined]
        return found

    def aims(self, position: Position) -> Aims:
        """What everybody plays for in a round."""
        table = self.match(position)
        if table is None:
            return Aims(self._guide, position.stakes)
        parts = [0, 0] if len(table.values) == 1 else [position.began, 1 - position.began]
        return Aims(match_guide(table.values, race(self.locked), parts), position.stakes)

    # Turns

    def _solve_turn(self, position: Position) -> Turn:
        full = full_turn(self.locked)
        memory = work_memory(full)
        fill(full, self.aims(position), position.players, 0, memory, 0)
        look_ahead(full, memory)
        return Turn(memory.uses, memory.work, full)

    def _solve_progress(self, position: Position) -> Turn:
        full = full_turn(self.locked)
        memory = work_memory(full)
        fill_progress(full, race(self.locked), position.players, 0, memory, 0)
        look_ahead(full, memory)
        return Turn(memory.uses, memory.work, full)

    def turn(self, state: RollersState) -> Turn:
        """The turn that a state is in, looked ahead."""
        self.look_again()
        position = position_of(state)
        self.match(position)
        return self._turns(position)

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
        return values if seat == state.roller else [1.0 - value for value in values]

    def errors(self, state: State, actions: Sequence[Move | Roll]) -> Sequence[float]:
        assert isinstance(state, RollersState)  # noqa: S101 (for the type checker)
        error = self._error(state)
        return [0.0 if isinstance(action, Move) and ends_the_match(state, action) else error for action in actions]

    def _error(self, state: RollersState) -> float:
        """The error of what does not end the match."""
        position = position_of(state)
        if state.roll_off:
            return max(chances_for(self.options)(needs).error for needs in (position.score, position.score[::-1]))
        table = self.match(position)
        if table is not None:
            return table.error
        behind = error_after(position.score, chances_for(self.options))
        return (GUESSED if self.values is None else ESTIMATED)[min(position.chips) <= BROKE] + behind

    def exact_in(self, state: State) -> bool:
        assert isinstance(state, RollersState)  # noqa: S101 (for the type checker)
        return self._error(state) < SOLVED

    def looked_ahead(self, state: RollersState) -> list[float]:
        """The value of each move or roll to the player whose turn it is."""
        turn = self.turn(state)
        values = self._rolls(state, turn) if state.seat == CHANCE else self._moves(state, turn)
        return [min(1.0, max(0.0, value)) for value in values]  # a table may be off by its error

    def _begins(self, state: RollersState, seat: int) -> float:
        """A state of the roll-off, or after it, when nothing is rolled yet: by the chance to begin."""
        needs = [self.options.target_points - points for points in state.scores]

        def begins(first: int) -> float:
            chance = chances_for(self.options)((needs[first], needs[1 - first])).value
            return chance if seat == first else 1.0 - chance

        if not state.roll_off:
            return begins(state.roller)
        if not any(value > 0 for value in state.roll_off):
            return 0.5 * (begins(0) + begins(1))  # either is as likely to begin
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

    def prospects(self, state: State, move: Move) -> tuple[Prospect, ...]:
        """Turns to a full board and chips; in the roll-off there is nothing to decide."""
        assert isinstance(state, RollersState)  # noqa: S101 (for the type checker)
        if move not in state.legal_moves():
            raise state.illegal(move)
        turn = self.turn(state)
        root = Root(position_of(state).players, 0, Memory(turn.uses, turn.rows))
        return prospects(turn.full, root, choice_of(state, move), race(self.locked))

    def tie_breaks(self, state: State, moves: Sequence[Move]) -> Sequence[float]:
        """The fewer turns it takes alone to complete the board, the sooner the round is over."""
        assert isinstance(state, RollersState)  # noqa: S101 (for the type checker)
        values = dict(zip(state.legal_moves(), self._moves(state, self._progress(position_of(state))), strict=True))
        return [values[move] for move in moves]
