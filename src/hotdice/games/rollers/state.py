"""The state of a Rollers match: the roll-off, rolling with ZAPs, applying dice, rounds, and the match."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Self

from hotdice.dice import Distribution, Roll, parse_faces
from hotdice.errors import ParseError
from hotdice.game import CHANCE, NO_ROLL, OVER, ROLLED, Move, State, frozen
from hotdice.games.rollers.rules import (
    BLACK,
    CHIPS,
    CLOSED,
    DICE,
    EMPTY,
    NO_COLLECT,
    NUMBERS,
    OPEN,
    PURPLE,
    PURPLES,
    ROLLS,
    STAR,
    TOSSES,
    ZAP,
    Apply,
    Call,
    Choices,
    Keep,
    RollersOptions,
    applications,
    applied,
    keeps,
    open_to_collect,
    pool_of,
)
from hotdice.notation import Fields, listed, whole
from hotdice.rolloff import WAITING, RollOff, after_roll_off, read_roll_off, roll_off_text
from hotdice.view import DieView, Grid, Result, Standing

Board = tuple[int, ...]

EMPTY_BOARD: Final = (EMPTY,) * len(NUMBERS)
FULL_BOARD: Final = (CLOSED,) * len(NUMBERS)
_SECTIONS: Final = {EMPTY: "·", OPEN: "open", CLOSED: "closed"}


@dataclass(frozen=True, slots=True)
class RollersBoard:
    """What a Rollers board draws. Sections are 0 empty, 1 open, 2 closed."""

    turn: int
    starter: int
    rolls: int
    boards: tuple[Board, ...]
    chips: tuple[int, ...]
    points: tuple[int, ...]
    target_points: int
    zapped: bool
    roll_off: tuple[int, ...]


@frozen
class RollersState(State):
    """One moment of Rollers. After the last roll, or on stopping, `rolls` is 3 and the dice are applied."""

    fields = (
        "boards, chips, points, who started the round, whose turn, rolls taken (or off, or over), "
        "dice kept (or -), dice just rolled (or -)"
    )

    options: RollersOptions
    boards: tuple[Board, ...]
    chips: tuple[int, ...]
    scores: tuple[int, ...]
    """The points of the match."""
    starter: int
    seat: int
    roller: int
    rolls: int
    kept: Roll
    rolled: Roll
    """The dice of the roll just made, until the player decides about them."""
    roll_off: RollOff

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
        return (self._applications() if self.rolls == ROLLS else self._keeps()).moves

    def _keeps(self) -> Choices:
        locked = self.options.saved_dice == "locked"
        if ZAP in self.rolled:
            return keeps(self.kept, ()) if locked else keeps((), self.kept)
        return keeps(self.kept, self.rolled) if locked else keeps((), self.usable)

    def _applications(self) -> Choices:
        pool = pool_of(self.usable)
        return applications(self.boards[self.seat], pool.counts, pool.stars, self._collects())

    def _collects(self) -> tuple[bool, ...]:
        """For each number, whether the player may collect on it once it is closed."""
        seat, boards = self.seat, self.boards
        return open_to_collect(boards[:seat] + boards[seat + 1 :]) if self.chips[seat] else NO_COLLECT

    def apply(self, move: Move) -> Self:
        if self.seat >= 0:
            match move:
                case Apply(uses) if self.rolls == ROLLS and uses in self._applications().keys:
                    return self._applied(uses)
                case Keep(dice) if self.rolls < ROLLS and dice in self._keeps().keys:
                    return self._turn(CHANCE, self.rolls, dice, ())
                case Call.STOP if self.rolls < ROLLS:
                    return self._turn(self.seat, ROLLS, self.kept, self.rolled)
        raise self.illegal(move)

    def why_illegal(self, move: Move) -> str:
        match move:
            case Apply() if self.rolls < ROLLS:
                return "The dice are applied after the last roll; stop first."
            case Apply(uses):
                return self._why_not_applied(uses)
            case Keep() if self.rolls == ROLLS:
                return "There is no roll left; the dice have to be applied."
            case Keep(dice) if len(dice) == DICE:
                return "Keeping all six dice is stopping: say stop."
            case Keep(dice) if self.options.saved_dice == "locked" and any(
                dice.count(die) < self.kept.count(die) for die in self.kept
            ):
                return f"Saved dice are locked: {self.game.roll_text(self.kept)} must stay."
            case Keep() if self.zapped:
                return "The ZAP cancelled this roll; only dice kept before it can be kept."
            case Keep():
                return f"The dice are {self.game.roll_text(self.usable)}, so “{move.text}” cannot be."
            case Call.STOP:
                return "There is no roll left to stop before; the dice have to be applied."
        return State.why_illegal(self, move)

    def _why_not_applied(self, uses: tuple[int, ...]) -> str:
        pool = pool_of(self.usable)
        missing = sum(max(0, used - count) for used, count in zip(uses, pool.counts, strict=True))
        if missing > pool.stars:
            return f"The dice to apply are {self.game.roll_text(self.usable) or 'none'}; that takes other dice."
        sections = tuple(zip(NUMBERS, self.boards[self.seat], uses, strict=True))
        for number, section, used in sections:
            if section == EMPTY and 0 < used < number:
                return f"Opening the {number}s takes {number} dice, not {used}."
        if not self.chips[self.seat]:
            return "Without chips of your own you cannot collect any."
        collects = self._collects()
        number = next(part[0] for part in sections if applied(*part)[1] and not collects[part[0] - 1])
        return f"Everybody else has closed the {number}s, so there is nobody to collect from."

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
            return self._turn(self.roller, self.rolls + 1, self.kept, roll)
        roller, roll_off = after_roll_off(self.roll_off, roll[0])
        starter = self.starter if roll_off else roller
        return self.__class__(
            self.options, self.boards, self.chips, self.scores, starter, CHANCE, roller, 0, (), (), roll_off
        )

    @property
    def fresh(self) -> bool:
        return self.seat == CHANCE and not self.rolls

    def places(self, roll: Roll) -> tuple[str, ...]:
        return (_place(roll),) * len(roll)

    def _turn(self, seat: int, rolls: int, kept: Roll, rolled: Roll) -> Self:
        return self.__class__(
            self.options, self.boards, self.chips, self.scores, self.starter,
            seat, self.roller, rolls, kept, rolled, (),
        )  # fmt: skip

    # The end of a turn, of a round, and of the match

    def outcome_of(self, uses: tuple[int, ...]) -> tuple[Board, tuple[int, ...], tuple[int, ...]]:
        """The player's board, everybody's chips, and the dice that collected, after an application."""
        if not any(uses):
            return self.boards[self.seat], self.chips, uses
        seat, chips = self.seat, list(self.chips)
        moved = [applied(*part) for part in zip(NUMBERS, self.boards[seat], uses, strict=True)]
        collected = tuple(count for _, count in moved)
        if any(collected):
            for other, board in enumerate(self.boards):
                if other != seat:
                    due = sum(
                        number * count
                        for number, count, section in zip(NUMBERS, collected, board, strict=True)
                        if section != CLOSED
                    )
                    paid = min(due, chips[other])
                    chips[other] -= paid
                    chips[seat] += paid
        return tuple(section for section, _ in moved), tuple(chips), collected

    def _applied(self, uses: tuple[int, ...]) -> Self:
        seat = self.seat
        board, chips, _ = self.outcome_of(uses)
        boards = (*self.boards[:seat], board, *self.boards[seat + 1 :])
        if board == FULL_BOARD:
            return self._round_over(boards, chips)
        following = (seat + 1) % len(boards)
        return self.__class__(self.options, boards, chips, self.scores, self.starter, CHANCE, following, 0, (), (), ())

    def _round_over(self, boards: tuple[Board, ...], chips: tuple[int, ...]) -> Self:
        players = len(boards)
        scores = list(self.scores)
        scores[self.seat] += 2 if chips[self.seat] else 1
        richest = [seat for seat in range(players) if chips[seat] == max(chips)]
        if len(richest) == 1 or self.options.chip_tie == "share":
            for seat in richest:
                scores[seat] += 1
        if max(scores) >= self.options.target_points:
            return self.__class__(
                self.options, boards, chips, tuple(scores), self.starter, OVER, self.seat, 0, (), (), ()
            )
        starter = (self.starter - 1) % players
        return self.__class__(
            self.options, (EMPTY_BOARD,) * players, (CHIPS,) * players, tuple(scores),
            starter, CHANCE, starter, 0, (), (), (),
        )  # fmt: skip

    @property
    def result(self) -> Result | None:
        """Of those who reached the target in the same round, most chips win, then most points."""
        if self.seat != OVER:
            return None
        target = self.options.target_points

        def strength(seat: int) -> tuple[int, int, int]:
            reached = self.scores[seat] >= target
            points, chips = self.scores[seat], self.chips[seat]
            return (1, chips, points) if reached else (0, points, chips)

        order = sorted(range(self.players), key=strength, reverse=True)
        places: list[int] = []
        for position, seat in enumerate(order):
            tied = position and strength(seat) == strength(order[position - 1])
            places.append(places[-1] if tied else position + 1)
        standings = tuple(
            Standing(seat, place, self.scores[seat], "1 chip" if self.chips[seat] == 1 else f"{self.chips[seat]} chips")
            for seat, place in zip(order, places, strict=True)
        )
        winners = tuple(sorted(seat for seat, place in zip(order, places, strict=True) if place == 1))
        at_target = sum(score >= target for score in self.scores)
        reason = f"First to {target} points." if target > 1 else "First to a point."
        if len(winners) > 1:
            reason = f"Level at {self.scores[winners[0]]} points and in chips."
        elif at_target > 1:
            reason = f"Several reached {target} at once; the most chips decide, then the most points."
        return Result(winners, reason, standings)

    # Notation

    def position_fields(self) -> str:
        boards = "/".join("".join(map(str, board)) for board in self.boards)
        chips = "/".join(map(str, self.chips))
        points = "/".join(map(str, self.scores))
        start = f"{boards} {chips} {points} {self.starter + 1} {self.roller + 1}"
        if self.roll_off:
            return f"{start} off {roll_off_text(self.roll_off)}"
        if self.seat == OVER:
            return f"{start} over"
        return f"{start} {self.rolls} {_dice_text(self, self.kept)} {_dice_text(self, self.rolled)}"

    @classmethod
    def read_fields(cls, options: RollersOptions, fields: Fields) -> Self:
        boards = fields.split("the boards", _read_board)
        players = len(boards)
        total = CHIPS * players
        at = fields.column
        chips = fields.split("the chips", lambda part, at: whole(part, "chips", 0, total, at))
        if len(chips) != players or sum(chips) != total:
            raise ParseError(f"The chips of {players} players add up to {total}, with a / between players.", at)
        at = fields.column
        points = fields.split("the points", lambda part, at: whole(part, "points", 0, 200, at))
        if len(points) != players:
            raise ParseError(f"Points are given for each of the {players} players, with a / between.", at)
        starter = fields.number("a seat", 1, players) - 1
        roller = fields.number("a seat", 1, players) - 1
        phase = fields.choice("the rolls taken", {name: name for name in ("0", "1", "2", "3", "off", "over")})
        signs = {phase == "over", FULL_BOARD in boards, max(points) >= options.target_points}
        if len(signs) > 1:
            raise ParseError("A match is over when a board is full and somebody has the points to win.", at)
        if phase == "over" and [seat for seat in range(players) if boards[seat] == FULL_BOARD] != [roller]:
            raise ParseError("A match ends by the turn of the one player whose board is full.", at)
        if phase == "over":
            return cls(options, boards, chips, points, starter, OVER, roller, 0, (), (), ())
        if phase == "off":
            roll_off = read_roll_off(fields, players, roller, STAR)
            state = cls(options, boards, chips, points, starter, CHANCE, roller, 0, (), (), roll_off)
            fresh = (*boards, *points) == (*((EMPTY_BOARD,) * players), *((0,) * players))
            if not fresh or starter or set(chips) != {CHIPS}:
                raise ParseError("The roll-off comes before anything else; boards and points are empty then.", at)
            return state
        rolls = int(phase)
        at = fields.column
        kept = _read_dice(fields, "the dice kept")
        rolled = _read_dice(fields, "the dice rolled")
        _check_dice(rolls, kept, rolled, at)
        seat = roller if rolled else CHANCE
        return cls(options, boards, chips, points, starter, seat, roller, rolls, kept, rolled, ())

    # Words

    def tell_move(self, move: Move) -> str:
        match move:
            case Keep(()):
                return "rolls all six again."
            case Keep(dice):
                rest = DICE - len(dice)
                return f"keeps {self.game.roll_words(dice)} and rolls {rest} {'die' if rest == 1 else 'dice'}."
            case Apply(uses):
                return self._tell_applied(uses)
        return f"stops with {self.game.roll_words(self.usable) or 'no dice'}."

    def doing(self, move: Move) -> str:
        match move:
            case Keep(()):
                return "rolling all six again"
            case Keep(dice):
                return f"keeping {self.game.roll_words(dice)}"
            case Apply():
                return f"using {move.text.removeprefix('apply ')}"
        return "stopping"

    def _tell_applied(self, uses: tuple[int, ...]) -> str:
        board, chips, collected = self.outcome_of(uses)
        deeds: list[str] = []
        for number, before, after in zip(NUMBERS, self.boards[self.seat], board, strict=True):
            if before != after:
                verb = {(EMPTY, OPEN): "opens", (OPEN, CLOSED): "closes"}.get((before, after), "opens and closes")
                deeds.append(f"{verb} the {number}s")
        if any(collected):
            deeds.append(f"collects {chips[self.seat] - self.chips[self.seat]}")
        told = f"{listed(deeds)}." if deeds else "applies nothing."
        if board != FULL_BOARD:
            return told
        after_round = self._applied(uses)
        gains = [
            f"{{{seat}}} {after_round.scores[seat] - self.scores[seat]}"
            for seat in range(self.players)
            if after_round.scores[seat] != self.scores[seat]
        ]
        told += f" The board is full, and the round is over. Points: {listed(gains)}."
        result = after_round.result
        if result is None:
            return f"{told} {{{after_round.starter}}} starts the next round."
        winners = listed(f"{{{winner}}}" for winner in result.winners)
        return f"{told} {winners} {'wins' if len(result.winners) == 1 else 'share the win'}!"

    def tell_roll(self, roll: Roll) -> str:
        told = f"rolls {self.game.roll_words(roll)}"
        if not self.roll_off:
            return f"{told}. The ZAP cancels this roll." if ZAP in roll else f"{told}."
        after = self.roll(roll)
        if after.roll_off and WAITING in self.roll_off[self.roller + 1 :]:
            return f"{told} to see who begins."
        verdict = "A tie at the top: roll again." if after.roll_off else f"{{{after.roller}}} begins."
        return f"{told} to see who begins. {verdict}"

    @property
    def prompt(self) -> str:
        who = f"{{{self.roller}}}"
        if self.roll_off:
            return f"{who} rolls one purple die to see who begins."
        if self.seat == OVER:
            return "The match is over."
        if self.seat == CHANCE:
            dice = DICE - len(self.kept)
            return f"{who} rolls {'one die' if dice == 1 else f'{dice} dice'}, roll {self.rolls + 1} of {ROLLS}."
        if self.rolls == ROLLS:
            return f"{who} applies {self.game.roll_words(self.usable) or 'no dice'}."
        zapped = " The ZAP cancelled this roll." if self.zapped else ""
        return f"{who} keeps dice and rolls the others, or stops. Roll {self.rolls} of {ROLLS}.{zapped}"

    def dice_view(self) -> tuple[DieView, ...]:
        place = _place(self.rolled)
        return (
            *(self.game.die_view(code, "kept") for code in self.kept),
            *(self.game.die_view(code, place) for code in self.rolled),
        )

    def grids(self) -> tuple[Grid, ...]:
        head = ("Player", *(f"{number}s" for number in NUMBERS), "Chips", "Points")
        rows = tuple(
            (f"{{{seat}}}", *(_SECTIONS[section] for section in board), str(chips), str(points))
            for seat, (board, chips, points) in enumerate(zip(self.boards, self.chips, self.scores, strict=True))
        )
        return (Grid(head, rows),)

    def board(self) -> RollersBoard:
        return RollersBoard(
            self.roller, self.starter, self.rolls, self.boards, self.chips, self.scores,
            self.options.target_points, self.zapped, self.roll_off,
        )  # fmt: skip


def _place(roll: Roll) -> str:
    """Where the dice of a roll lie: a ZAP cancels all of them."""
    return "cancelled" if ZAP in roll else ROLLED


def _dice_text(state: RollersState, dice: Roll) -> str:
    return state.game.roll_text(dice).replace(" ", ",") or "-"


def _read_board(part: str, at: int) -> Board:
    if len(part) != len(NUMBERS) or any(section not in "012" for section in part):
        raise ParseError(f"“{part}” is not a board: five digits, 0 empty, 1 open, 2 closed.", at)
    return tuple(map(int, part))


def _read_dice(fields: Fields, what: str) -> Roll:
    at = fields.column
    text = fields.word(what)
    return () if text == "-" else parse_faces((PURPLE, BLACK), text, at)


def _check_dice(rolls: int, kept: Roll, rolled: Roll, at: int) -> None:
    """Refuse dice that cannot lie on the table after so many rolls."""
    dice = kept + rolled
    blacks = sum(die > STAR for die in dice)
    whole_set = len(dice) == DICE and blacks == 1
    part_set = len(kept) < DICE and blacks <= 1 and len(kept) - blacks <= PURPLES
    if ZAP in kept:
        raise ParseError("A ZAP cannot be kept.", at)
    if not (whole_set if rolled else part_set):
        raise ParseError("There are five purple dice and one black die, kept and rolled together.", at)
    if (rolls == 0 and dice) or (rolls == ROLLS and not rolled) or (rolls == 1 and rolled and kept):
        raise ParseError(f"These cannot be the dice kept and rolled when {rolls} rolls are taken.", at)
