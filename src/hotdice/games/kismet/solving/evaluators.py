"""The evaluators of Kismet, which read the tables.

Alone, the best expected total and every move's share of it are exact. With more players the unit is the win; see
`Together` for what is exact there and what is not.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from math import comb
from typing import Final, NamedTuple

import numpy as np

from hotdice.dice import Roll
from hotdice.game import CHANCE, OVER, Move, State
from hotdice.games.kismet import KISMET, KismetState
from hotdice.games.kismet.rules import (
    BASIC,
    BONUSES,
    DICE,
    DIE,
    ROLLS,
    TOSSES,
    VACANT,
    Box,
    Keep,
    KismetOptions,
    Score,
    basic_sum,
)
from hotdice.games.kismet.solving.box_sets import NEVER
from hotdice.games.kismet.solving.sheets import FIVE, TOP, Floats, Ints, kismet_sheet
from hotdice.games.kismet.solving.tables import LATE_ROW, points_table, spread_table
from hotdice.games.kismet.solving.turns import best_boxes, play_turn, value_entries, watch_turn
from hotdice.games.kismet.solving.wins import Forecast, Leaves, Model, Seats, win_entries
from hotdice.rolloff import WAITING, RollOff
from hotdice.values import Evaluator, NotSolved, Progress, Unit, no_progress


class Player(NamedTuple):
    """What a sheet comes to: the boxes filled, their basic sum up to the top bonus, and all entries together."""

    mask: int
    basic: int
    written: int

    @property
    def vacant(self) -> int:
        """How many boxes are to be filled."""
        return len(Box) - self.mask.bit_count()

    def entered(self, box: int, points: int) -> Player:
        """After an entry."""
        gain = points if box < len(BASIC) else 0
        return Player(self.mask | 1 << box, min(self.basic + gain, TOP), self.written + points)

    def hit(self) -> Player:
        """After a second Kismet of another: a zero in the topmost vacant box, which is the lowest bit not set."""
        return Player(self.mask | self.mask + 1, self.basic, self.written) if self.vacant else self


@lru_cache(maxsize=1024)
def player(sheet: tuple[int, ...]) -> Player:
    """A sheet as the tables know it."""
    mask = sum(1 << box for box, entry in enumerate(sheet) if entry != VACANT)
    return Player(mask, min(basic_sum(sheet), TOP), sum(entry for entry in sheet if entry != VACANT))


@dataclass(frozen=True, slots=True, eq=False)
class Turn:
    """What every moment of one turn is worth to a seat."""

    entries: Floats
    """[roll, box]: after entering the roll in the box; `NEVER` where that is filled."""
    worth: Floats
    """[rolls taken, multiset]: as in `turns.play_turn`."""
    boxes: Ints
    """[roll]: the best box."""
    choice: Ints
    """[rolls taken, roll]: what is kept, as in `turns.play_turn`."""


def best_turn(entries: Floats) -> Turn:
    """The turn of a player who decides by what entries are worth."""
    stop, boxes = np.empty(len(entries)), np.empty(len(entries), np.int64)
    best_boxes(entries, stop, boxes)
    worth = np.zeros((ROLLS + 1, len(FIVE.all)))
    choice = np.zeros(worth.shape, np.int64)
    play_turn(stop, FIVE.edges, worth, choice)
    return Turn(entries, worth, boxes, choice)


def watched_turn(turn: Turn, entries: Floats) -> Turn:
    """The same turn as it looks to a seat that has no say in it."""
    stop = entries[np.arange(len(entries)), turn.boxes]
    worth = np.zeros_like(turn.worth)
    watch_turn(turn.choice, stop, FIVE.edges, worth)
    return Turn(entries, worth, turn.boxes, turn.choice)


@cache
def _rows_after(kept: Roll) -> list[int]:
    """The numbers of the rolls that the outcomes of the other dice lead to, in the state's order."""
    return [FIVE.number[tuple(sorted(kept + roll))] for roll in TOSSES[DICE - len(kept)].rolls]


def move_values(state: KismetState, turn: Turn, base: float) -> list[float]:
    """What each legal move is worth in the turn that the state is a moment of, with something added to all."""
    entries = turn.entries[FIVE.number[state.dice] - FIVE.keeps].tolist()
    worth = turn.worth[state.rolls, : FIVE.keeps].tolist()
    values = []
    for move in state.legal_moves():
        match move:
            case Keep(dice):
                values.append(base + worth[FIVE.number[dice]])
            case Score(box):
                values.append(base + entries[box])
    return values


class TurnEvaluator(Evaluator):
    """Reads values off turns: all moves and rolls of a state come from the one turn that it is a moment of."""

    def __init__(self, options: KismetOptions, value: Floats) -> None:
        self.options = options
        self.sheet = kismet_sheet(options.kismet_is_full_house)
        self.points = value
        self.points_turn = lru_cache(maxsize=256)(self._points_turn)

    @abstractmethod
    def turn(self, state: KismetState, seat: int) -> tuple[Turn, float]:
        """The turn that the state is a moment of as a seat sees it, and what to add to its values."""

    def expected(self, state: State, seat: int) -> float:
        state = self._own(state)
        turn, base = self.turn(state, seat)
        return base + float(turn.worth[state.rolls, FIVE.number[state.dice]])

    def action_values(self, state: State, seat: int) -> Sequence[float]:
        state = self._own(state)
        turn, base = self.turn(state, seat)
        if state.seat == CHANCE:
            return [base + worth for worth in turn.worth[state.rolls + 1, _rows_after(state.dice)].tolist()]
        return move_values(state, turn, base)

    def _points_turn(self, mask: int, basic: int) -> Turn:
        """The turn of a player who plays for points."""
        entries = np.empty(self.sheet.points.shape[1:])
        value_entries(self.sheet, mask, basic, self.points, entries)
        return best_turn(entries)

    def _own(self, state: State) -> KismetState:
        if not isinstance(state, KismetState) or state.options != self.options:
            raise NotSolved(f"These are values of {KISMET.text(self.options)}, which “{state}” is not a position of.")
        return state


class Alone(TurnEvaluator):
    """One player: the expected final total under the best play, to rounding."""

    unit = Unit.POINTS
    error = 1e-9

    def __init__(self, options: KismetOptions, progress: Progress = no_progress) -> None:
        super().__init__(options, points_table(options, progress).arrays["value"])

    def turn(self, state: KismetState, seat: int) -> tuple[Turn, float]:
        now = player(state.sheets[0])
        return self.points_turn(now.mask, now.basic), now.written

    def expected(self, state: State, seat: int) -> float:
        return float(state.scores[0]) if state.seat == OVER else super().expected(state, seat)


# Several players

Players = tuple[Player, ...]
Flags = tuple[bool, ...]

MOST: Final = 1 + int(kismet_sheet(True).points[0].max(axis=0).sum()) + BONUSES[0][1]
"""One more than the highest total there is: totals are indices."""


@cache
def kismet_leaves(kismet_is_full_house: bool) -> Leaves:
    """The entries of Kismet."""
    sheet = kismet_sheet(kismet_is_full_house)
    rolls, boxes = sheet.gain.shape
    every = np.empty((rolls, boxes, 3), np.int64)
    every[..., 0] = np.arange(boxes)
    every[..., 1] = sheet.points[0]
    every[..., 2] = sheet.marked[:, np.newaxis]
    different, of = np.unique(every.reshape(-1, 3), axis=0, return_inverse=True)
    box, points, kismet = different.T.copy()
    return Leaves(box, points, kismet, np.where(box < len(BASIC), points, 0), of.reshape(rolls, boxes))


class Together(TurnEvaluator):
    """Two to eight players: the chance to win, where a win that n share counts 1/n.

    The seat whose turn it is plays this turn for the win, against the distributions of all final totals:

    - A full sheet is known. With one or two vacant boxes the distribution is the exact one of play for points; with
      more it is the normal one with the exact mean and variance of that play.
    - The mean of a normal one is lowered by the zeros that second Kismets of the others can be expected to bring, and
      a second Kismet in this turn writes its zeros before anything is compared.
    - The roller's own last turn, too, is played for the win. When two players have one box left each, so is the
      answer of the other.

    So the values of the seat whose turn it is are exact when every other sheet is full and at most two boxes are
    vacant, and when two players have one box left each: there `evaluate` says so, and the error is that of rounding.
    Elsewhere `error` is no bound but what to expect: the root mean square by which the values of positions of like
    chance missed the frequency of wins between two of these players, rounded up (`benchmarks/kismet_error.py`); a
    single position may miss by more. A box's entry is valued by the distributions, and the state after it looks one
    turn further, so the two may differ by such an error.

    Moves that win alike are listed by the points to expect of them, so a lost or won game is not played on at random.
    """

    unit = Unit.WIN
    exact = False
    error = 0.02

    def __init__(self, options: KismetOptions, players: int, progress: Progress = no_progress) -> None:
        super().__init__(options, points_table(options, lambda done: progress(0.2 * done)).arrays["value"])
        spread = spread_table(options, lambda done: progress(0.2 + 0.8 * done)).arrays
        kismets = spread["kismets"] if options.second_kismet else np.zeros_like(spread["kismets"])
        forecast = Forecast(self.points, spread["variance"], kismets, LATE_ROW, spread["futures"], MOST)
        self.players = players
        self.model = Model(self.sheet, FIVE.edges, kismet_leaves(options.kismet_is_full_house), forecast)
        self.win_turn = lru_cache(maxsize=64)(self._win_turn)
        self._watched = lru_cache(maxsize=64)(self._watched_turn)

    # States

    def expected(self, state: State, seat: int) -> float:
        own = self._own(state)
        if own.result is not None:
            return 1 / len(own.result.winners) if seat in own.result.winners else 0.0
        if own.roll_off:
            chances = beginners(own.roll_off)
            starts = (replace(own, roller=first, roll_off=()) for first in range(self.players))
            return sum(chance * self.expected(start, seat) for chance, start in zip(chances, starts, strict=True))
        return super().expected(own, seat)

    def action_values(self, state: State, seat: int) -> Sequence[float]:
        if self._own(state).roll_off:
            return [self.expected(state.roll(roll), seat) for roll in state.outcomes().rolls]
        return super().action_values(state, seat)

    def errors(self, state: State, actions: Sequence[Move | Roll]) -> Sequence[float]:
        return [Alone.error if self.exact_in(state) else self.error] * len(actions)

    def tie_breaks(self, state: State, moves: Sequence[Move]) -> Sequence[float]:
        """Of moves that win alike, the one with the most points to expect."""
        own = self._own(state)
        now = player(own.sheets[own.seat])
        values = move_values(own, self.points_turn(now.mask, now.basic), 0.0)
        points = dict(zip(own.legal_moves(), values, strict=True))
        return [points[move] for move in moves]

    def exact_in(self, state: State) -> bool:
        """Whether the values are exact for the seat whose turn it is."""
        state = self._own(state)
        vacant = [player(sheet).vacant for sheet in state.sheets]
        others = sum(vacant) - vacant[state.roller]
        return (others == 0 and vacant[state.roller] <= 2) or vacant == [1, 1]

    def _own(self, state: State) -> KismetState:
        own = super()._own(state)
        if own.players != self.players:
            raise NotSolved(f"These are values for {self.players} players, not for {own.players}.")
        return own

    # Turns

    def turn(self, state: KismetState, seat: int) -> tuple[Turn, float]:
        everybody = tuple(map(player, state.sheets))
        if seat == state.roller:
            return self.win_turn(everybody, state.had_kismet, seat), 0.0
        return self._watched(everybody, state.had_kismet, state.roller, seat), 0.0

    def _win_turn(self, everybody: Players, had_kismet: Flags, roller: int) -> Turn:
        """The turn of a roller who plays for the win."""
        return best_turn(self._entries(everybody, had_kismet, roller, roller))

    def _watched_turn(self, everybody: Players, had_kismet: Flags, roller: int, seat: int) -> Turn:
        """The others share what the roller does not win, in the proportion in which they are expected to win it."""
        turn = self.win_turn(everybody, had_kismet, roller)
        legal = turn.entries != NEVER
        entries = np.where(legal, 1 - turn.entries, NEVER)
        if self.players > 2:
            others = [other for other in range(self.players) if other != roller]
            raw = {other: self._entries(everybody, had_kismet, roller, other)[legal] for other in others}
            entries[legal] *= raw[seat] / np.maximum(sum(raw.values()), 1e-300)
        return watched_turn(turn, entries)

    def _entries(self, everybody: Players, had_kismet: Flags, roller: int, seat: int) -> Floats:
        """What each entry of the roller is worth to a seat, by roll and box."""
        now = seats(everybody, had_kismet)
        then = seats(*after_kismet(self.options, everybody, had_kismet, roller))
        return win_entries(self.model, now, then, roller, seat)


def seats(everybody: Players, had_kismet: Flags) -> Seats:
    """All sheets as the kernel reads them."""
    mask, basic, written = np.array(everybody, np.int64).T
    return Seats(mask, basic, written, np.array(had_kismet))


def after_kismet(options: KismetOptions, everybody: Players, had_kismet: Flags, roller: int) -> tuple[Players, Flags]:
    """What a turn of the roller that ends with a Kismet does to the others, and who has had one then."""
    again = options.second_kismet and had_kismet[roller]
    sheets = tuple(one.hit() if again and seat != roller else one for seat, one in enumerate(everybody))
    return sheets, tuple(had or seat == roller for seat, had in enumerate(had_kismet))


def beginners(roll_off: RollOff) -> list[float]:
    """Each seat's chance to begin. Those who tie for the best are alike, however often they roll again."""
    faces = len(DIE.faces)
    best = max(roll_off)

    def share(rolled: int, level: int, others: int) -> float:
        """The chance of a seat that has rolled `rolled`, level with `level`, while `others` are still to roll."""
        if rolled < best:
            return 0.0
        total = 0.0
        for tied in range(others + 1):
            total += comb(others, tied) * (rolled - 1) ** (others - tied) / (1 + level + tied)
        return total / float(faces**others)

    waiting = roll_off.count(WAITING)
    chances = []
    for value in roll_off:
        if value == WAITING:
            rolls = range(1, faces + 1)
            chances.append(sum(share(rolled, roll_off.count(rolled), waiting - 1) for rolled in rolls) / faces)
        else:
            chances.append(share(value, roll_off.count(value) - 1, waiting) if value > 0 else 0.0)
    return chances
