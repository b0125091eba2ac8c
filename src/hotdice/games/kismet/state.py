"""A game of Kismet, roll by roll: the roll-off, turns of up to three rolls, the sheets, and second Kismets.

How positions are written is in `notation`, what is said about them in `words`, and what a page draws in `data`.
"""

from __future__ import annotations

from typing import Final, Self

from hotdice.dice import Distribution, Roll
from hotdice.game import CHANCE, NO_ROLL, OVER, Move, State, frozen, left_out, seat_without
from hotdice.games.kismet import data, notation, words
from hotdice.games.kismet.rules import (
    DICE,
    EMPTY_SHEET,
    ROLLS,
    TOSSES,
    VACANT,
    Box,
    Keep,
    KismetOptions,
    Score,
    Sheet,
    box_scores,
    keeps,
    sheet_total,
)
from hotdice.notation import Fields
from hotdice.rolloff import WAITING, RollOff, after_roll_off, roll_off_without
from hotdice.view import Result

_SCORES: Final = tuple(map(Score, Box))


@frozen
class KismetState(State):
    """One moment of Kismet."""

    fields = "sheets, whose turn, rolls taken (or off in the roll-off), and the dice (or - for none)"

    options: KismetOptions
    """The house rules."""
    sheets: tuple[Sheet, ...]
    """Each seat's sheet: the entries of the fifteen boxes from top to bottom, -1 where a box is vacant."""
    had_kismet: tuple[bool, ...]
    """Who has ended a turn with five of a kind already."""
    seat: int
    """Who decides what to keep or score; `CHANCE` while dice are to be rolled, `OVER` at the end."""
    roller: int
    """Whose turn it is, or who rolls in the roll-off; at the end, whose turn was the last."""
    rolls: int
    """How many of the three rolls of this turn are taken."""
    dice: Roll
    """The five dice on the table, or the ones kept while the others are to be rolled."""
    roll_off: RollOff
    """In the roll-off, each seat's number, 0 if it is still to roll, -1 if it is out. Empty after the roll-off."""

    @classmethod
    def start(cls, options: KismetOptions, players: int) -> Self:
        roll_off = (WAITING,) * players if players > 1 else ()
        return cls(options, (EMPTY_SHEET,) * players, (False,) * players, CHANCE, 0, 0, (), roll_off)

    @property
    def players(self) -> int:
        return len(self.sheets)

    # Decisions: what to keep, and which box to fill

    def legal_moves(self) -> tuple[Move, ...]:
        if self.seat < 0:
            return ()
        sheet = self.sheets[self.seat]
        scores = [move for move in _SCORES if sheet[move.box] == VACANT]
        return (*keeps(self.dice).values(), *scores) if self.rolls < ROLLS else tuple(scores)

    def apply(self, move: Move) -> Self:
        if self.seat >= 0:
            match move:
                case Keep(dice) if self.rolls < ROLLS and dice in keeps(self.dice):
                    return self._go_on(CHANCE, self.rolls, dice)
                case Score(box) if self.sheets[self.seat][box] == VACANT:
                    return self._score(box)
        raise self.illegal(move)

    def _score(self, box: Box) -> Self:
        """Write what the dice score into a box, strike the others if this is another Kismet, and end the turn."""
        seat = self.seat
        entry = box_scores(self.dice, self.options.kismet_is_full_house)[box]
        sheets = _written(self.sheets, seat, box, entry)
        had_kismet, strikes = self.had_kismet, self.strikes
        for other, struck in enumerate(strikes):
            if struck != VACANT:
                sheets = _written(sheets, other, struck, 0)
        if self.kismet:
            had_kismet = (*had_kismet[:seat], True, *had_kismet[seat + 1 :])
        return self._pass_on(sheets, had_kismet, seat, again=bool(strikes))

    @property
    def kismet(self) -> bool:
        """Whether the dice to decide about are five of a kind."""
        return self.seat >= 0 and self.dice[0] == self.dice[-1]

    @property
    def strikes(self) -> tuple[int, ...]:
        """If the dice are another Kismet of this player, the box in which each seat writes a zero, or `VACANT`."""
        seat = self.seat
        if not (self.kismet and self.options.second_kismet and self.had_kismet[seat]):
            return ()
        return tuple(
            sheet.index(VACANT) if other != seat and VACANT in sheet else VACANT
            for other, sheet in enumerate(self.sheets)
        )

    def _pass_on(
        self, sheets: tuple[Sheet, ...], had_kismet: tuple[bool, ...], turn: int, *, again: bool = False
    ) -> Self:
        """The turn after a turn, or the end. Full sheets are skipped; after a second Kismet it is the same player's."""
        players = len(sheets)
        first = 0 if again else 1
        decider, roller = OVER, turn
        for step in range(first, first + players):
            seat = (turn + step) % players
            if VACANT in sheets[seat]:
                decider, roller = CHANCE, seat
                break
        return self.__class__(self.options, sheets, had_kismet, decider, roller, 0, (), ())

    # When somebody drops out

    def drop_out(self, seat: int) -> Self:
        """Without that player and their sheet; a turn that was theirs passes on."""
        players = len(self.sheets)
        sheets, had_kismet = left_out(self.sheets, seat), left_out(self.had_kismet, seat)
        roller = seat_without(self.roller, seat, players)
        if self.roll_off:
            roller, roll_off = roll_off_without(self.roll_off, seat)
            return self.__class__(self.options, sheets, had_kismet, CHANCE, roller, 0, (), roll_off)
        if seat == self.roller:
            return self._pass_on(sheets, had_kismet, roller)
        decider = seat_without(self.seat, seat, players)
        return self.__class__(self.options, sheets, had_kismet, decider, roller, self.rolls, self.dice, ())

    # Chance: the roll-off, and the rolls of a turn

    def outcomes(self) -> Distribution:
        if self.seat != CHANCE:
            return NO_ROLL
        return TOSSES[1] if self.roll_off else TOSSES[DICE - len(self.dice)]

    def roll(self, roll: Roll) -> Self:
        if self.seat != CHANCE or roll not in self.outcomes():
            raise self.impossible(roll)
        if self.roll_off:
            roller, roll_off = after_roll_off(self.roll_off, roll[0])
            return self.__class__(self.options, self.sheets, self.had_kismet, CHANCE, roller, 0, (), roll_off)
        return self._go_on(self.roller, self.rolls + 1, tuple(sorted(self.dice + roll)))

    def _go_on(self, seat: int, rolls: int, dice: Roll) -> Self:
        return self.__class__(self.options, self.sheets, self.had_kismet, seat, self.roller, rolls, dice, self.roll_off)

    # The score

    @property
    def scores(self) -> tuple[int, ...]:
        return tuple(map(sheet_total, self.sheets))

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats with the highest total, who have won once the game is over."""
        scores = self.scores
        best = max(scores)
        return tuple(seat for seat, score in enumerate(scores) if score == best)

    @property
    def result(self) -> Result | None:
        return words.result(self) if self.seat == OVER else None

    # What a table shows

    @property
    def fresh(self) -> bool:
        return self.seat == CHANCE and not self.rolls

    # Notation, words and data

    position_fields = notation.position_fields

    @classmethod
    def read_fields(cls, options: KismetOptions, fields: Fields) -> Self:
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


def _written(sheets: tuple[Sheet, ...], seat: int, box: int, entry: int) -> tuple[Sheet, ...]:
    """The sheets after an entry is written."""
    sheet = sheets[seat]
    return (*sheets[:seat], (*sheet[:box], entry, *sheet[box + 1 :]), *sheets[seat + 1 :])
