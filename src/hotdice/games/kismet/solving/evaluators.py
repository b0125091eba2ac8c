"""The evaluators of Kismet, which read the tables.

Alone, the best expected total and every move's share of it are exact. With more players the unit is the win; see
`Together` for what is exact there and what is not.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache
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
from hotdice.games.kismet.solving.endgames import play_endgame
from hotdice.games.kismet.solving.sheets import FIVE, TOP, Floats, Ints, Sheet, kismet_sheet
from hotdice.games.kismet.solving.tables import late_rows, points_table, spread_table
from hotdice.games.kismet.solving.turns import best_boxes, play_turn, value_entries, watch_turn
from hotdice.games.kismet.solving.wins import Forecast, Leaves, Model, Seats, total_payoff, win_entries
from hotdice.games.kismet.solving.worths import Worths, worths
from hotdice.rolloff import WAITING, RollOff
from hotdice.values import Evaluation, Evaluator, Measure, NotSolved, Progress, Prospect, Unit, no_progress, owner


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


def vacant(mask: int) -> list[Box]:
    """The boxes that are to be filled."""
    return [box for box in Box if not mask >> box & 1]


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


TIE: Final = 1e-9
"""Points that differ by no more than this are equal: adding up doubles is right to far less, and no more is asked."""


def ends_soonest(state: KismetState, moves: Sequence[Move]) -> list[float]:
    """What decides between equal moves: to enter the dice comes first, and the box further up; then the state's order.

    So the choice does not hang on the last bits of values.
    """
    places = {move: place for place, move in enumerate(state.legal_moves())}
    return [1.0 - move.box / len(Box) if isinstance(move, Score) else -places[move] for move in moves]


_IN: Final = {box: f"in {box.title}" for box in Box}


class TurnEvaluator(Evaluator):
    """Reads values off turns: all moves and rolls of a state come from the one turn that it is a moment of."""

    def __init__(self, options: KismetOptions, value: Floats) -> None:
        self.options = options
        self.sheet = kismet_sheet(options.kismet_is_full_house)
        self.points_table = value
        self.points_turn = lru_cache(maxsize=256)(self._points_turn)
        self._worth_turn = lru_cache(maxsize=64)(self._watched_worths)

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

    def by_points(self, state: KismetState, moves: Sequence[Move]) -> Sequence[float]:
        """What decides between moves that win alike: the points to expect of them."""
        now = player(state.sheets[state.seat])
        values = move_values(state, self.points_turn(now.mask, now.basic), 0.0)
        points = dict(zip(state.legal_moves(), values, strict=True))
        return [points[move] for move in moves]

    def _points_turn(self, mask: int, basic: int) -> Turn:
        """The turn of a player who plays for points."""
        entries = np.empty(self.sheet.points.shape[1:])
        value_entries(self.sheet, mask, basic, self.points_table, entries)
        return best_turn(entries)

    # What the boxes bring

    def box_prospects(self, state: KismetState, move: Move) -> tuple[Prospect, ...]:
        """What each box that is vacant now and the bonus will bring after a move, if it is played for points."""
        after = state.apply(move)
        now = player(state.sheets[state.seat])
        match move:
            case Score(box):
                sheet = after.sheets[state.seat]
                then = player(sheet)
                found, error = self._worths.of(then.mask, then.basic)
                found[box] = sheet[box]
            case Keep(dice):
                turn, error = self._worth_turn(now.mask, now.basic)
                found = turn[:, state.rolls, FIVE.number[dice]]
        worths = found.tolist()
        boxes = (Prospect(box.word, _IN[box], Measure.POINTS, worths[box], error) for box in vacant(now.mask))
        return (*boxes, Prospect("bonus", "in the bonus", Measure.POINTS, worths[-1], error))

    def boxes_at_hand(self, state: KismetState) -> bool:
        """Whether that is known, or found in a moment."""
        return self._worths.at_hand(player(state.sheets[owner(state)]).mask)

    @cached_property
    def _worths(self) -> Worths:
        return worths(self.options.kismet_is_full_house)

    def _watched_worths(self, mask: int, basic: int) -> tuple[Floats, float]:
        """[figure, rolls taken, multiset]: what each box and the bonus will bring, at every moment of a turn."""
        turn = self.points_turn(mask, basic)
        found = np.zeros((len(Box) + 1, *turn.worth.shape))
        stop = np.empty((len(found), len(turn.boxes)))
        entered: dict[tuple[int, int], tuple[Floats, float]] = {}
        error = 0.0
        for roll, box in enumerate(turn.boxes.tolist()):
            points = int(self.sheet.points[0, roll, box])
            if (box, points) not in entered:
                then = Player(mask, basic, 0).entered(box, points)
                entered[box, points] = self._worths.of(then.mask, then.basic)
            rest, error = entered[box, points]
            stop[:, roll] = rest
            stop[box, roll] = points
        for figure in range(len(found)):
            watch_turn(turn.choice, stop[figure], FIVE.edges, found[figure])
        return found, error

    def _own(self, state: State) -> KismetState:
        if not isinstance(state, KismetState) or state.options != self.options:
            raise NotSolved(f"These are values of {KISMET.text(self.options)}, which “{state}” is not a position of.")
        return state


class Alone(TurnEvaluator):
    """One player: the expected final total under the best play, to rounding."""

    unit = Unit.POINTS
    error = 1e-9
    tie = TIE

    def __init__(self, options: KismetOptions, progress: Progress = no_progress) -> None:
        super().__init__(options, points_table(options, progress).arrays["value"])

    def turn(self, state: KismetState, seat: int) -> tuple[Turn, float]:
        now = player(state.sheets[0])
        return self.points_turn(now.mask, now.basic), now.written

    def expected(self, state: State, seat: int) -> float:
        return float(state.scores[0]) if state.seat == OVER else super().expected(state, seat)

    def tie_breaks(self, state: State, moves: Sequence[Move]) -> Sequence[float]:
        return ends_soonest(self._own(state), moves)

    def prospects(self, state: State, move: Move) -> tuple[Prospect, ...]:
        return self.box_prospects(self._own(state), move)

    def explains(self, state: State) -> bool:
        return self.boxes_at_hand(self._own(state))


# A total to reach

LAST: Final = 8
"""With so many vacant boxes, or fewer, a sheet is played for its final total, exactly."""


class Toward(TurnEvaluator):
    """The chance to end with `target` points or more, played for that alone, with the last eight boxes of a sheet.

    It is exact where nobody can strike a box of the sheet: for one player, when all other sheets are full, and without
    the rule of the second Kismet. `endgames` has the bound on its error.
    """

    unit = Unit.TARGET
    error = 3e-13
    tie = 1e-12

    def __init__(self, options: KismetOptions, players: int, target: int, progress: Progress = no_progress) -> None:
        super().__init__(options, points_table(options, progress).arrays["value"])
        self.players = players
        self.target = target
        self._reach = lru_cache(maxsize=16)(self._reaching_turn)

    def turn(self, state: KismetState, seat: int) -> tuple[Turn, float]:
        return self._reach(player(state.sheets[state.roller])), 0.0

    def expected(self, state: State, seat: int) -> float:
        own = self._own(state)
        if seat != own.roller:
            raise NotSolved("The chance of a target is that of whoever has the turn.")
        return float(own.scores[seat] >= self.target) if own.seat == OVER else super().expected(own, seat)

    def evaluate(self, state: State, *, seed: int | None = None, precision: float | None = None) -> Evaluation:
        own = self._own(state)
        if own.seat != OVER:
            self._check_reach(own)
        return super().evaluate(own)

    def tie_breaks(self, state: State, moves: Sequence[Move]) -> Sequence[float]:
        return self.by_points(self._own(state), moves)

    def _reaching_turn(self, now: Player) -> Turn:
        payoff = np.zeros(max(self.target - now.written, 0) + 1)
        payoff[-1] = 1.0
        return best_turn(play_endgame(self.sheet, FIVE.edges, now.mask, now.basic, payoff).entries())

    def _check_reach(self, state: KismetState) -> None:
        """Say what is certain instead of computing it."""
        now = player(state.sheets[state.roller])
        least, most = now.written + int(self.sheet.bonus[now.basic]), now.written + most_to_come(self.sheet, now)
        if self.target <= least:
            raise NotSolved(f"The target is reached: this sheet has {least} points already.")
        if self.target > most:
            raise NotSolved(f"{self.target} points are out of reach: this sheet can come to {most} at most.")

    def _own(self, state: State) -> KismetState:
        own = super()._own(state)
        vacant = [player(sheet).vacant for sheet in own.sheets]
        if own.players != self.players:
            raise NotSolved(f"These are values for {self.players} players, not for {own.players}.")
        if own.roll_off or vacant[own.roller] > LAST:
            left = vacant[own.roller]
            raise NotSolved(f"Chances of a target are known for the last {LAST} boxes of a sheet; {left} are vacant.")
        if own.options.second_kismet and sum(vacant) > vacant[own.roller]:
            raise NotSolved(
                "Others are still playing, whose second Kismets may strike boxes: chances of a target are known for a "
                "player alone, for the last one playing, and with second_kismet=false."
            )
        return own


def most_to_come(sheet: Sheet, now: Player) -> int:
    """The most points that a sheet can still bring, bonus included."""
    boxes = vacant(now.mask)
    gain = sum(int(sheet.gain[:, box].max()) for box in boxes)
    points = sum(int(sheet.points[0, :, box].max()) for box in boxes)
    return points + int(sheet.bonus[min(now.basic + gain, TOP)])


# Several players

Players = tuple[Player, ...]
Flags = tuple[bool, ...]

MOST: Final = 1 + int(kismet_sheet(True).points[0].max(axis=0).sum()) + BONUSES[0][1]
"""One more than the highest total there is: totals are indices."""
OWN_LAST: Final = 3
"""The vacant boxes that are played for the win against others who play on: a decision shall take a millisecond."""


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

    - A full sheet is known. With up to three vacant boxes the distribution is the exact one of play for points; with
      more it is the normal one with the exact mean and variance of that play.
    - Both are lowered by the zeros that second Kismets of the others can be expected to bring, and a second Kismet in
      this turn writes its zeros before anything is compared.
    - The roller's own last three boxes, too, are played for the win, and the last eight if all other sheets are full.
      When two players have one box left each, so is the answer of the other.

    So the values of the seat whose turn it is are exact when every other sheet is full and at most eight boxes are
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
    premise = "if played for points"

    def __init__(self, options: KismetOptions, players: int, progress: Progress = no_progress) -> None:
        super().__init__(options, points_table(options, lambda done: progress(0.2 * done)).arrays["value"])
        spread = spread_table(options, lambda done: progress(0.2 + 0.8 * done)).arrays
        kismets = spread["kismets"] if options.second_kismet else np.zeros_like(spread["kismets"])
        late = late_rows(self.sheet)
        forecast = Forecast(self.points_table, spread["variance"], kismets, late, spread["futures"], MOST)
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

    def points(self, state: State, seat: int) -> float:
        own = self._own(state)
        now = player(own.sheets[seat])
        if own.seat == OVER or own.roll_off or seat != own.roller:
            return now.written + float(self.points_table[now.mask, now.basic])
        turn = self.points_turn(now.mask, now.basic)
        return now.written + float(turn.worth[own.rolls, FIVE.number[own.dice]])

    def errors(self, state: State, actions: Sequence[Move | Roll]) -> Sequence[float]:
        return [Alone.error if self.exact_in(state) else self.error] * len(actions)

    def tie_breaks(self, state: State, moves: Sequence[Move]) -> Sequence[float]:
        return self.by_points(self._own(state), moves)

    def prospects(self, state: State, move: Move) -> tuple[Prospect, ...]:
        """Of play for points on the own sheet alone, from the move on: what others do to it is left out."""
        return self.box_prospects(self._own(state), move)

    def explains(self, state: State) -> bool:
        return self.boxes_at_hand(self._own(state))

    def exact_in(self, state: State) -> bool:
        """Whether the values are exact for the seat whose turn it is."""
        state = self._own(state)
        vacant = [player(sheet).vacant for sheet in state.sheets]
        others = sum(vacant) - vacant[state.roller]
        return (others == 0 and vacant[state.roller] <= LAST) or vacant == [1, 1]

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
        vacant = everybody[roller].vacant
        if 2 < vacant <= (LAST if self._finished(everybody, roller) else OWN_LAST):
            return best_turn(self._endgame_entries(everybody, had_kismet, roller))
        return best_turn(self._entries(everybody, had_kismet, roller, roller))

    def _endgame_entries(self, everybody: Players, had_kismet: Flags, roller: int) -> Floats:
        """What each entry is worth to a roller who plays all boxes to come for the win.

        An entry that strikes the others is made against their sheets after that.
        """
        own = everybody[roller]

        def against(others: Seats) -> Floats:
            payoff = total_payoff(self.model, others, roller, roller)[own.written :]
            return play_endgame(self.sheet, FIVE.edges, own.mask, own.basic, payoff).entries()

        entries = against(seats(everybody, had_kismet))
        then, flags = after_kismet(self.options, everybody, had_kismet, roller)
        if then != everybody:
            marked = self.sheet.marked > 0
            entries[marked] = against(seats(then, flags))[marked]
        return entries

    @staticmethod
    def _finished(everybody: Players, roller: int) -> bool:
        """Whether all others have full sheets."""
        return all(one.vacant == 0 for seat, one in enumerate(everybody) if seat != roller)

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
