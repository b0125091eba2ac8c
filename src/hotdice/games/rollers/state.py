"""A match of Rollers, roll by roll: the roll-off, rolling with ZAPs, applying dice, rounds, and the match.

How positions are written is in `notation`, what is said about them in `words`, what pages draw in `data`.
"""

from __future__ import annotations

from typing import Self

from hotdice.dice import Distribution, Roll
from hotdice.game import CHANCE, NO_ROLL, OVER, Move, State, frozen, left_out, seat_without
from hotdice.games.rollers import data, notation, words
from hotdice.games.rollers.rules import (
    CHIPS,
    CLOSED,
    EMPTY_BOARD,
    FULL_BOARD,
    FULL_BOARD_POINTS,
    MOST_CHIPS_POINTS,
    NO_COLLECT,
    NUMBERS,
    POINTS_WITHOUT_CHIPS,
    PURPLES,
    ROLLS,
    STAR,
    TOSSES,
    ZAP,
    Apply,
    Board,
    Call,
    Choices,
    Keep,
    RollersOptions,
    applications,
    board_after,
    keeps,
    open_to_collect,
    place_of,
    pool_of,
)
from hotdice.notation import Fields
from hotdice.rolloff import WAITING, RollOff, after_roll_off, roll_off_without
from hotdice.view import Result


@frozen
class RollersState(State):
    """One moment of Rollers."""

    fields = (
        "boards, chips, points, who started the round, whose turn, rolls taken (or off, or over), "
        "dice kept (or -), dice just rolled (or -)"
    )

    options: RollersOptions
    """The house rules."""
    boards: tuple[Board, ...]
    """Each seat's board: its sections from the 1s to the 5s, 0 empty, 1 open, 2 closed."""
    chips: tuple[int, ...]
    """Each seat's chips in this round."""
    scores: tuple[int, ...]
    """Each seat's points in the match."""
    starter: int
    """Who started this round."""
    seat: int
    """Who decides what to keep or apply; `CHANCE` while dice are to be rolled, `OVER` at the end."""
    roller: int
    """Whose turn it is, or who rolls in the roll-off; at the end, whose turn was the last."""
    rolls: int
    """How many rolls of this turn are taken; 3 from the moment of stopping, when the dice are to be applied."""
    kept: Roll
    """The dice kept before the roll on the table."""
    rolled: Roll
    """The dice of the roll just made, until the player has decided about them."""
    roll_off: RollOff
    """In the roll-off, each seat's number, 0 if it is still to roll, -1 if it is out. Empty after the roll-off."""

    @classmethod
    def start(cls, options: RollersOptions, players: int) -> Self:
        return cls(
            options, (EMPTY_BOARD,) * players, (CHIPS,) * players, (0,) * players,
            0, CHANCE, 0, 0, (), (), (WAITING,) * players,
        )  # fmt: skip

    @property
    def zapped(self) -> bool:
        """Whether the roll on the table is cancelled."""
        return ZAP in self.rolled

    @property
    def usable(self) -> Roll:
        """The dice that can be applied: all of them, or after a ZAP those kept before it."""
        return self.kept if ZAP in self.rolled else tuple(sorted(self.kept + self.rolled))

    # Decisions: stop or keep, then apply

    def legal_moves(self) -> tuple[Move, ...]:
        if self.seat < 0:
            return ()
        return (self.applications() if self.rolls == ROLLS else self._keeps()).moves

    def _keeps(self) -> Choices:
        locked = self.options.saved_dice == "locked"
        if ZAP in self.rolled:
            return keeps(self.kept, ()) if locked else keeps((), self.kept)
        return keeps(self.kept, self.rolled) if locked else keeps((), self.usable)

    def applications(self) -> Choices:
        """The legal uses of the dice that can be applied."""
        pool = pool_of(self.usable)
        return applications(self.boards[self.seat], pool.counts, pool.stars, self.collects())

    def collects(self) -> tuple[bool, ...]:
        """For each number, whether the player may collect on it once it is closed."""
        seat, boards = self.seat, self.boards
        return open_to_collect(boards[:seat] + boards[seat + 1 :]) if self.chips[seat] else NO_COLLECT

    def apply(self, move: Move) -> Self:
        if self.seat >= 0:
            match move:
                case Apply(uses) if self.rolls == ROLLS and uses in self.applications().keys:
                    return self._applied(uses)
                case Keep(dice) if self.rolls < ROLLS and dice in self._keeps().keys:
                    return self._go_on(CHANCE, self.rolls, dice, ())
                case Call.STOP if self.rolls < ROLLS:
                    return self._go_on(self.seat, ROLLS, self.kept, self.rolled)
        raise self.illegal(move)

    # Chance: the roll-off, and the rolls of a turn

    def outcomes(self) -> Distribution:
        if self.seat != CHANCE:
            return NO_ROLL
        if self.roll_off:
            return TOSSES[1][0]
        kept = self.kept
        black = 1 if kept and kept[-1] > STAR else 0
        return TOSSES[PURPLES - len(kept) + black][1 - black]

    def roll(self, roll: Roll) -> Self:
        if self.seat != CHANCE or roll not in self.outcomes():
            raise self.impossible(roll)
        if not self.roll_off:
            return self._go_on(self.roller, self.rolls + 1, self.kept, roll)
        roller, roll_off = after_roll_off(self.roll_off, roll[0])
        starter = self.starter if roll_off else roller
        return self.__class__(
            self.options, self.boards, self.chips, self.scores, starter, CHANCE, roller, 0, (), (), roll_off
        )

    def _go_on(self, seat: int, rolls: int, kept: Roll, rolled: Roll) -> Self:
        return self.__class__(
            self.options, self.boards, self.chips, self.scores, self.starter,
            seat, self.roller, rolls, kept, rolled, (),
        )  # fmt: skip

    # The end of a turn, of a round, and of the match

    def outcome_of(self, uses: tuple[int, ...]) -> tuple[Board, tuple[int, ...], tuple[int, ...]]:
        """The player's board, everybody's chips, and the dice that collected, after an application."""
        if not any(uses):
            return self.boards[self.seat], self.chips, uses
        board, collected = board_after(self.boards[self.seat], uses)
        return board, self._collected(collected) if any(collected) else self.chips, collected

    def _collected(self, collected: tuple[int, ...]) -> tuple[int, ...]:
        """Everybody's chips after some dice of each number collect."""
        seat, chips = self.seat, list(self.chips)
        dues = [(at, NUMBERS[at] * count) for at, count in enumerate(collected) if count]
        for other, board in enumerate(self.boards):
            if other != seat:
                paid = min(chips[other], sum([due for at, due in dues if board[at] != CLOSED]))
                chips[other] -= paid
                chips[seat] += paid
        return tuple(chips)

    def _applied(self, uses: tuple[int, ...]) -> Self:
        """Apply the dice and end the turn, and the round if the board is full."""
        seat = self.seat
        board, chips, _ = self.outcome_of(uses)
        if board == FULL_BOARD:
            return self.round_over(chips)
        boards = (*self.boards[:seat], board, *self.boards[seat + 1 :])
        following = (seat + 1) % len(boards)
        return self.__class__(self.options, boards, chips, self.scores, self.starter, CHANCE, following, 0, (), (), ())

    def round_over(self, chips: tuple[int, ...]) -> Self:
        """Give out the points when the player's board is full, and begin the next round or end the match."""
        players = len(chips)
        scores = list(self.scores)
        scores[self.seat] += self.full_board_points(chips)
        richest, points = self.richest(chips)
        for seat in richest:
            scores[seat] += points
        if max(scores) >= self.options.target_points:
            boards = (*self.boards[: self.seat], FULL_BOARD, *self.boards[self.seat + 1 :])
            return self.__class__(
                self.options, boards, chips, tuple(scores), self.starter, OVER, self.seat, 0, (), (), ()
            )
        return self._new_round(tuple(scores), (self.starter - 1) % players)

    def _new_round(self, scores: tuple[int, ...], starter: int) -> Self:
        players = len(scores)
        return self.__class__(
            self.options, (EMPTY_BOARD,) * players, (CHIPS,) * players, scores,
            starter, CHANCE, starter, 0, (), (), (),
        )  # fmt: skip

    def full_board_points(self, chips: tuple[int, ...]) -> int:
        """What a full board brings the player."""
        return FULL_BOARD_POINTS if chips[self.seat] else POINTS_WITHOUT_CHIPS

    def richest(self, chips: tuple[int, ...]) -> tuple[tuple[int, ...], int]:
        """The seats with the most chips at the end of a round, and the points that each of them gets for that."""
        most = max(chips)
        richest = tuple([seat for seat, count in enumerate(chips) if count == most])
        return richest, MOST_CHIPS_POINTS if len(richest) == 1 or self.options.chip_tie == "share" else 0

    def strength(self, seat: int) -> tuple[int, int, int]:
        """What ranks a seat at the end: of those who reached the target, most chips win, then most points."""
        points, chips = self.scores[seat], self.chips[seat]
        return (1, chips, points) if points >= self.options.target_points else (0, points, chips)

    @property
    def result(self) -> Result | None:
        return words.result(self) if self.seat == OVER else None

    # When somebody drops out

    def drop_out(self, seat: int) -> Self:
        """Without that player. Their chips would be missing, so the round begins anew; everybody keeps their points."""
        scores = left_out(self.scores, seat)
        if not self.roll_off:
            return self._new_round(scores, seat_without(self.starter, seat, self.players))
        roller, roll_off = roll_off_without(self.roll_off, seat)
        begun = self._new_round(scores, 0 if roll_off else roller)
        return self.__class__(
            self.options, begun.boards, begun.chips, scores, begun.starter, CHANCE, roller, 0, (), (), roll_off
        )

    # What a table shows

    @property
    def fresh(self) -> bool:
        return self.seat == CHANCE and not self.rolls

    def places(self, roll: Roll) -> tuple[str, ...]:
        return (place_of(roll),) * len(roll)

    # Notation, words and data

    position_fields = notation.position_fields

    @classmethod
    def read_fields(cls, options: RollersOptions, fields: Fields) -> Self:
        return notation.read_fields(cls, options, fields)

    why_illegal = words.why_illegal
    tell_move = words.tell_move
    tell_roll = words.tell_roll
    doing = words.doing
    reason = words.reason
    shortlist = words.shortlist
    dice_view = words.dice_view
    grids = words.grids
    board = data.board
    effect = data.effect
    facts = data.facts

    @property
    def prompt(self) -> str:
        return words.prompt(self)
