"""The state of a Kismet game: the roll-off, turns of up to three rolls, the sheets, and second Kismets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Self

from hotdice.dice import Distribution, Roll
from hotdice.errors import ParseError
from hotdice.game import CHANCE, NO_ROLL, OVER, Move, State, frozen
from hotdice.games.kismet.rules import (
    BASIC,
    DICE,
    EMPTY_SHEET,
    ROLLS,
    TOSSES,
    VACANT,
    Box,
    Keep,
    KismetOptions,
    Score,
    basic_sum,
    bonus,
    box_scores,
    keeps,
    possible_entries,
    sheet_total,
)
from hotdice.notation import Fields, listed, whole
from hotdice.rolloff import WAITING, RollOff, after_roll_off, read_roll_off, roll_off_text
from hotdice.view import DieView, Grid, Result, rank

Sheet = tuple[int, ...]

_SCORES: Final = tuple(map(Score, Box))


@dataclass(frozen=True, slots=True)
class KismetBoard:
    """What a Kismet board draws: everybody's sheet (-1 is vacant), and what the dice would do in each box."""

    turn: int
    rolls: int
    sheets: tuple[Sheet, ...]
    bonuses: tuple[int, ...]
    had_kismet: tuple[bool, ...]
    offers: tuple[int, ...]
    """While somebody decides, what the dice score in each box; -1 where it is filled."""
    gains: tuple[int, ...]
    """With that, by how much the bonus grows."""
    kismet: bool
    """Whether the dice to decide about are five of a kind."""
    strikes: tuple[int, ...]
    """If they are another Kismet, the box in which each seat then writes a zero; -1 for a seat that does not."""
    second_kismet: bool
    """Whether the others are struck by another Kismet at all, by the house rules."""
    roll_off: tuple[int, ...]


@frozen
class KismetState(State):
    """One moment of Kismet. `dice` are the five on the table, or the ones kept while the others roll."""

    fields = "sheets, whose turn, rolls taken (or off in the roll-off), and the dice (or - for none)"

    options: KismetOptions
    sheets: tuple[Sheet, ...]
    had_kismet: tuple[bool, ...]
    """Who has ended a turn with five of a kind already."""
    seat: int
    roller: int
    rolls: int
    dice: Roll
    roll_off: RollOff

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
                    return self._turn(CHANCE, self.rolls, dice)
                case Score(box) if self.sheets[self.seat][box] == VACANT:
                    return self._score(box)
        raise self.illegal(move)

    def why_illegal(self, move: Move) -> str:
        match move:
            case Score(box):
                return f"The box {box.title} is filled already."
            case Keep() if self.rolls == ROLLS:
                return "All three rolls are taken; the dice have to be scored."
            case Keep(dice) if dice == self.dice:
                return "Keeping all five dice is stopping: choose the box to score them in."
            case Keep():
                return f"The dice are {self.game.roll_text(self.dice)}, so “{move.text}” cannot be."
        return State.why_illegal(self, move)

    def _score(self, box: Box) -> Self:
        seat = self.seat
        entry = box_scores(self.dice, self.options.kismet_is_full_house)[box]
        sheets = _written(self.sheets, seat, box, entry)
        had_kismet, strikes = self.had_kismet, self._strikes()
        for other, struck in enumerate(strikes):
            if struck != VACANT:
                sheets = _written(sheets, other, struck, 0)
        if self.kismet:
            had_kismet = (*had_kismet[:seat], True, *had_kismet[seat + 1 :])
        following = self._next(sheets, again=bool(strikes))
        decider, roller = (CHANCE, following) if following >= 0 else (OVER, seat)
        return self.__class__(self.options, sheets, had_kismet, decider, roller, 0, (), ())

    @property
    def kismet(self) -> bool:
        """Whether the dice to decide about are five of a kind."""
        return self.seat >= 0 and self.dice[0] == self.dice[-1]

    def _strikes(self) -> tuple[int, ...]:
        """By another Kismet, the box in which each seat writes a zero wherever it is scored; none if it is no other."""
        seat = self.seat
        if not (self.kismet and self.options.second_kismet and self.had_kismet[seat]):
            return ()
        return tuple(
            sheet.index(VACANT) if other != seat and VACANT in sheet else VACANT
            for other, sheet in enumerate(self.sheets)
        )

    def _next(self, sheets: tuple[Sheet, ...], *, again: bool) -> int:
        """Who plays next, `OVER` if nobody. Full sheets are skipped; after a second Kismet it is the same player."""
        players = len(sheets)
        first = 0 if again else 1
        for step in range(first, first + players):
            seat = (self.roller + step) % players
            if VACANT in sheets[seat]:
                return seat
        return OVER

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
        return self._turn(self.roller, self.rolls + 1, tuple(sorted(self.dice + roll)))

    @property
    def fresh(self) -> bool:
        return self.seat == CHANCE and not self.rolls

    def _turn(self, seat: int, rolls: int, dice: Roll) -> Self:
        return self.__class__(self.options, self.sheets, self.had_kismet, seat, self.roller, rolls, dice, self.roll_off)

    # The score

    @property
    def scores(self) -> tuple[int, ...]:
        return tuple(map(sheet_total, self.sheets))

    @property
    def result(self) -> Result | None:
        if self.seat != OVER:
            return None
        scores = self.scores
        best = max(scores)
        winners = tuple(seat for seat, score in enumerate(scores) if score == best)
        reason = "The highest total." if len(winners) == 1 else "The highest total, shared."
        if len(scores) == 1:
            reason = "The sheet is full."
        return Result(winners, reason, rank(scores, winners))

    # Notation

    def position_fields(self) -> str:
        sheets = "/".join(
            ",".join("-" if entry == VACANT else str(entry) for entry in sheet) + ("!" if had else "")
            for sheet, had in zip(self.sheets, self.had_kismet, strict=True)
        )
        if self.roll_off:
            return f"{sheets} {self.roller + 1} off {roll_off_text(self.roll_off)}"
        return f"{sheets} {self.roller + 1} {self.rolls} {''.join(map(str, self.dice)) or '-'}"

    @classmethod
    def read_fields(cls, options: KismetOptions, fields: Fields) -> Self:
        def sheet(part: str, at: int) -> tuple[Sheet, bool]:
            entries, had = _read_sheet(part.removesuffix("!"), at, options), part.endswith("!")
            if (had and entries == EMPTY_SHEET) or (not had and entries[Box.KISMET] > 0):
                raise ParseError("A ! marks a sheet whose owner has ended a turn with five of a kind.", at)
            return entries, had

        at = fields.column
        sheets_and_kismets = fields.split("the sheets", sheet)
        sheets = tuple(entries for entries, _ in sheets_and_kismets)
        had_kismet = tuple(had for _, had in sheets_and_kismets)
        players = len(sheets)
        at_seat = fields.column
        roller = fields.number("a seat", 1, players) - 1
        rolls = fields.choice("the rolls taken", {"off": -1, "0": 0, "1": 1, "2": 2, "3": 3})
        if rolls == -1:
            roll_off = read_roll_off(fields, players, roller, 6)
            if any(entries != EMPTY_SHEET for entries in sheets):
                raise ParseError("The roll-off comes before anything is written on a sheet.", at)
            return cls(options, sheets, had_kismet, CHANCE, roller, 0, (), roll_off)
        at_dice = fields.column
        text = fields.word("the dice")
        dice: Roll = () if text == "-" else tuple(int(face) if face in "123456" else 0 for face in text)
        if 0 in dice or len(dice) > DICE or tuple(sorted(dice)) != dice:
            raise ParseError(f"“{text}” is not up to five dice in ascending order, or - for none.", at_dice)
        if (rolls == 0 and dice) or (rolls == ROLLS and len(dice) < DICE):
            raise ParseError(f"The dice cannot be {text} when {rolls} rolls are taken.", at_dice)
        if all(VACANT not in entries for entries in sheets):
            if rolls:
                raise ParseError("All sheets are full, so no dice are rolled any more.", at_dice)
            return cls(options, sheets, had_kismet, OVER, roller, 0, (), ())
        if VACANT not in sheets[roller]:
            raise ParseError(f"The sheet of seat {roller + 1} is full; another seat has the turn.", at_seat)
        seat = roller if len(dice) == DICE else CHANCE
        return cls(options, sheets, had_kismet, seat, roller, rolls, dice, ())

    # Words

    def tell_move(self, move: Move) -> str:
        match move:
            case Keep(()):
                return "rolls all five again."
            case Keep(dice):
                rest = DICE - len(dice)
                return f"keeps {self.game.roll_text(dice)} and rolls {rest} {'die' if rest == 1 else 'dice'}."
            case Score(box):
                return self._tell_score(box)
        raise self.illegal(move)

    def doing(self, move: Move) -> str:
        match move:
            case Keep(()):
                return "rolling all five again"
            case Keep(dice):
                return f"keeping {self.game.roll_text(dice)}"
            case Score(box):
                entry = box_scores(self.dice, self.options.kismet_is_full_house)[box]
                return f"taking {entry} in {box.title}" if entry else f"a zero in {box.title}"
        raise self.illegal(move)

    def _tell_score(self, box: Box) -> str:
        entry = box_scores(self.dice, self.options.kismet_is_full_house)[box]
        after = self._score(box)
        told = f"takes {entry} in {box.title}." if entry else f"writes a zero in {box.title}."
        hit = [
            f"{{{other}}} writes a zero in {Box(sheet.index(VACANT)).title}"
            for other, sheet in enumerate(self.sheets)
            if other != self.seat and sheet != after.sheets[other]
        ]
        gained = bonus(basic_sum(after.sheets[self.seat])) - bonus(basic_sum(self.sheets[self.seat]))
        if gained:
            told += f" The bonus grows by {gained}."
        if hit:
            goes_on = f", and {{{self.seat}}} goes on" if after.seat == CHANCE and after.roller == self.seat else ""
            told += f" Another Kismet: {listed(hit)}{goes_on}."
        result = after.result
        if result is not None and after.players > 1:
            winners = listed(f"{{{winner}}}" for winner in result.winners)
            told += f" {winners} {'wins' if len(result.winners) == 1 else 'share the win'}!"
        return told

    def tell_roll(self, roll: Roll) -> str:
        shown = self.game.roll_text(roll)
        if not self.roll_off:
            five = tuple(sorted(self.dice + roll))
            kismet = " A Kismet!" if five[0] == five[-1] else ""
            return f"rolls {shown}.{kismet}"
        after = self.roll(roll)
        if after.roll_off and WAITING in self.roll_off[self.roller + 1 :]:
            return f"rolls {shown} to see who begins."
        verdict = " A tie at the top: roll again." if after.roll_off else f" {{{after.roller}}} begins."
        return f"rolls {shown} to see who begins.{verdict}"

    @property
    def prompt(self) -> str:
        who = f"{{{self.roller}}}"
        if self.roll_off:
            return f"{who} rolls one die to see who begins."
        if self.seat == OVER:
            return "Every sheet is full."
        if self.seat == CHANCE:
            dice = DICE - len(self.dice)
            return f"{who} rolls {'one die' if dice == 1 else f'{dice} dice'}, roll {self.rolls + 1} of {ROLLS}."
        if self.rolls == ROLLS:
            return f"{who} scores the dice in a box."
        return f"{who} keeps dice and rolls the others, or scores. Roll {self.rolls} of {ROLLS}."

    def dice_view(self) -> tuple[DieView, ...]:
        place = "rolled" if len(self.dice) == DICE else "kept"
        return tuple(self.game.die_view(code, place) for code in self.dice)

    def _offers(self) -> tuple[int, ...]:
        if self.seat < 0:
            return ()
        scores = box_scores(self.dice, self.options.kismet_is_full_house)
        return tuple(
            score if entry == VACANT else VACANT for score, entry in zip(scores, self.sheets[self.seat], strict=True)
        )

    def _gains(self, offers: tuple[int, ...]) -> tuple[int, ...]:
        if not offers:
            return ()
        points = basic_sum(self.sheets[self.seat])
        had = bonus(points)
        return tuple(
            bonus(points + offer) - had if box in BASIC and offer > 0 else 0 for box, offer in enumerate(offers)
        )

    def grids(self) -> tuple[Grid, ...]:
        offers = self._offers() or EMPTY_SHEET
        names = tuple(f"{{{seat}}}" for seat in range(self.players))

        def row(box: Box) -> tuple[str, ...]:
            entries = (*(sheet[box] for sheet in self.sheets), offers[box])
            return (box.title, *("" if entry == VACANT else str(entry) for entry in entries))

        sums = tuple(map(basic_sum, self.sheets))
        basic = (
            *map(row, BASIC),
            ("Sum", *map(str, sums), ""),
            ("Bonus", *(str(bonus(points)) for points in sums), ""),
            ("Total", *map(str, self.scores), ""),
        )
        kismet = tuple(map(row, tuple(Box)[len(BASIC) :]))
        return Grid(("Basic", *names, "now"), basic), Grid(("Kismet", *names, "now"), kismet)

    def board(self) -> KismetBoard:
        bonuses = tuple(bonus(basic_sum(sheet)) for sheet in self.sheets)
        offers = self._offers()
        return KismetBoard(
            self.roller, self.rolls, self.sheets, bonuses, self.had_kismet, offers, self._gains(offers),
            self.kismet, self._strikes(), self.options.second_kismet, self.roll_off,
        )  # fmt: skip


def _written(sheets: tuple[Sheet, ...], seat: int, box: int, entry: int) -> tuple[Sheet, ...]:
    sheet = sheets[seat]
    return (*sheets[:seat], (*sheet[:box], entry, *sheet[box + 1 :]), *sheets[seat + 1 :])


def _read_sheet(text: str, column: int, options: KismetOptions) -> Sheet:
    entries = text.split(",")
    if len(entries) != len(Box):
        raise ParseError(f"A sheet has {len(Box)} boxes with commas between them; this has {len(entries)}.", column)
    sheet: list[int] = []
    for box, entry in zip(Box, entries, strict=True):
        score = VACANT if entry == "-" else whole(entry, f"an entry of {box.title}", 0, 80, column)
        if score != VACANT and score not in possible_entries(box, options.kismet_is_full_house):
            raise ParseError(f"No roll scores {score} in {box.title}.", column)
        sheet.append(score)
        column += len(entry) + 1
    return tuple(sheet)
