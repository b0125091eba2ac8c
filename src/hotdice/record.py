"""The record of a game: one line-oriented text that can be read, replayed and verified.

    hotdice record 1
    game: kismet(second_kismet=false)
    date: 2026-11-15
    seat 1: Ann (person)
    seat 2: Robot (greedy)
    dice: seeded 42

    1 rolls 4
    2 rolls 6
    # Comments stand on lines of their own.
    2 rolls 1 3 3 5 6
    2 keep 3 3
    ...
    result: winner 2; scores 187 203

A game that began at a position, not at its start, has a line `from: POSITION` after the game's. Seats count from 1.
The last line is the result, or `result: unfinished` for a game that was put aside, so that a text cut short is
noticed. Nothing is tolerated silently: every error names its line and column.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Final

from hotdice.dice import DiceSource, ManualDice, RecordedDice, SeededDice
from hotdice.errors import DiceError, HotdiceError, ParseError, RecordError
from hotdice.fair import FAIR_KINDS, HiddenDice, PromisedDice, SameDice, SeededSameDice, parse_fair
from hotdice.game import Game, State
from hotdice.games import parse_game, parse_position
from hotdice.options import Options
from hotdice.table import Event, Moved, Rolled, Seat, Table, check_name
from hotdice.view import Result

VERSION: Final = 1
_FIRST: Final = f"hotdice record {VERSION}"
_LARGEST: Final = 16_000_000
"""Bytes; the longest games there are take a few hundred thousand."""


@dataclass(frozen=True, slots=True)
class Comment:
    """A remark between events."""

    text: str
    """What stands behind the `#`."""


Entry = Event | Comment
"""A line of a record between its head and its result."""


@dataclass(frozen=True, slots=True)
class RecordedSeat:
    """A seat as a record has it: the player's name, and `person` or the kind of bot."""

    name: str
    """What the player is called."""
    kind: str
    """`person`, or the kind of bot."""


@dataclass(frozen=True, slots=True)
class Record:
    """A game as it was played: what stands in its text, line by line. `record_of` and `parse_record` make one."""

    game: Game
    """The game that was played."""
    options: Options
    """The house rules that it was played by."""
    day: date
    """The day on which it was played."""
    seats: tuple[RecordedSeat, ...]
    """Who sat where."""
    dice: str
    """Where the rolls came from, as the line `dice:` has it; `source_of` makes dice of it."""
    entries: tuple[Entry, ...]
    """What happened, in order: rolls, moves and comments."""
    result: str
    """The last line without `result: `, such as `winner 2; scores 187 203`, or `unfinished`."""
    lines: tuple[int, ...] = field(default=(), compare=False)
    """On which line of the text each entry stands, counted from 1; nothing for a record that was never a text."""
    result_line: int = field(default=0, compare=False)
    """On which line the result stands; 0 for a record that was never a text."""
    start: State | None = None
    """Where the game began, unless at its start."""

    @property
    def events(self) -> tuple[Event, ...]:
        """The rolls and moves, without the comments."""
        return tuple(entry for entry in self.entries if not isinstance(entry, Comment))

    @property
    def text(self) -> str:
        """The record as text; parsing it gives the same record."""
        lines = [_FIRST, f"game: {self.game.text(self.options)}"]
        lines += [f"from: {self.start.position}"] if self.start else []
        lines.append(f"date: {self.day.isoformat()}")
        lines += [f"seat {n}: {seat.name} ({seat.kind})" for n, seat in enumerate(self.seats, 1)]
        lines += [f"dice: {self.dice}", ""]
        for entry in self.entries:
            match entry:
                case Comment(text):
                    lines.append(f"# {text}".rstrip())
                case Rolled(seat, roll):
                    lines.append(f"{seat + 1} rolls {self.game.roll_text(roll)}")
                case Moved(seat, move):
                    lines.append(f"{seat + 1} {move.text}")
        return "\n".join([*lines, f"result: {self.result}", ""])

    @property
    def same_dice(self) -> bool:
        """Whether every player's turn of some number met the same dice, so that these favoured nobody."""
        return self.dice.partition(" ")[0] in (SameDice.kind, SeededSameDice.kind)

    @property
    def first_state(self) -> State:
        """The state in which the game began."""
        return self.start or self.game.start(len(self.seats), self.options)

    def replay(self) -> tuple[State, ...]:
        """Every state from the first; a `RecordError` at the first line that does not hold. Any dice are believed."""
        return self._play(None, ManualDice()).states

    def table(self, seats: Sequence[Seat] | None = None) -> Table:
        """A table at which this game goes on, its dice where they were; people play unless `seats` has bots.

        A `RecordError` names the first line that does not hold: a move, a roll that the dice did not show, the result.
        """
        dice = source_of(self.dice)
        if isinstance(dice, RecordedDice | HiddenDice):
            dice = RecordedDice(event.roll for event in self.events if isinstance(event, Rolled))
        return self._play(seats, dice)

    def check_dice(self) -> bool:
        """Check everything, and give whether the dice were drawn again.

        They cannot be if they were real or recorded, or if their secret is hidden. A `RecordError` names the first line
        that does not hold.
        """
        self.table()
        return isinstance(source_of(self.dice), SeededDice | PromisedDice)

    def _play(self, seats: Sequence[Seat] | None, dice: DiceSource) -> Table:
        """Play the game again at a table with those dice."""
        try:
            start = self.first_state
        except HotdiceError as error:
            raise RecordError(str(error), 2) from error
        table = Table(start, seats or [Seat(seat.name) for seat in self.seats], dice)
        for line, event in self._numbered():
            try:
                table.repeat(event)
            except HotdiceError as error:
                words_before = f"{event.seat + 1} rolls " if isinstance(error, DiceError) else f"{event.seat + 1} "
                raise RecordError(str(error), line, len(words_before) + 1) from error
        due = result_text(table.state.result)
        if due != self.result:
            raise RecordError(f"The result should be “{due}” by the moves.", self.result_line, len("result: ") + 1)
        return table

    def _numbered(self) -> Iterator[tuple[int, Event]]:
        """The events with their lines; a record that was never a text counts its entries instead."""
        lines = self.lines or range(1, len(self.entries) + 1)
        for line, entry in zip(lines, self.entries, strict=True):
            if not isinstance(entry, Comment):
                yield line, entry


def result_text(result: Result | None) -> str:
    """A result as a record's last line gives it."""
    if result is None:
        return "unfinished"
    winners = " ".join(str(seat + 1) for seat in result.winners)
    scores = " ".join(str(standing.score) for standing in sorted(result.standings, key=lambda s: s.seat))
    return f"winner{'s' if len(result.winners) > 1 else ''} {winners}; scores {scores}"


def record_of(table: Table, day: date) -> Record:
    """The record of a table, as far as it has been played; `text` makes a text of it, `parse_record` reads that."""
    state = table.states[0]
    usual = table.game.start(state.players, state.options)
    return Record(
        game=table.game,
        options=state.options,
        day=day,
        seats=tuple(RecordedSeat(seat.name, seat.kind) for seat in table.seats),
        dice=table.dice.text,
        entries=table.events,
        result=result_text(table.state.result),
        start=None if state == usual else state,
    )


_SEEDED: Final = {"seeded": SeededDice, SeededSameDice.kind: SeededSameDice}


def source_of(text: str) -> DiceSource:
    """The dice that a record names, from their beginning; `ParseError` if there are no such."""
    kind, _, rest = text.partition(" ")
    if kind in _SEEDED and re.fullmatch(r"0|[1-9][0-9]{0,18}", rest):
        return _SEEDED[kind](int(rest))
    if kind in FAIR_KINDS:
        return parse_fair(text)
    if text == ManualDice.text:
        return ManualDice()
    if text == RecordedDice.text:
        return RecordedDice(())
    raise ParseError(
        f"“{text}” is no dice source; it is “seeded” with a whole number, “fair2”, “manual” or “recorded”."
    )


# Reading


def parse_record(text: str | bytes) -> Record:
    """A record from its text, or the bytes of a file. Whether its moves, dice and result hold is not checked yet.

    `RecordError` with the line and the column of what cannot be read.
    """
    if isinstance(text, bytes):
        text = _decoded(text)
    return _Reader(text).record()


def read_record(text: str | bytes) -> Record:
    """A record from its text, whose moves and result hold; `RecordError` if they do not.

    Any dice are believed: `parse_record(text).check_dice()` checks them too.
    """
    record = parse_record(text)
    record.replay()
    return record


def _decoded(data: bytes) -> str:
    if len(data) > _LARGEST:
        raise RecordError(f"This is no record: it is larger than {_LARGEST // 1_000_000} MB.", 1)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = data[: error.start]
        line = before.count(b"\n") + 1
        start = before.rfind(b"\n") + 1
        column = len(before[start:].decode("utf-8")) + 1
        raise RecordError("This is not UTF-8 text, so it is no record.", line, column) from None


class _Reader:
    """Reads the lines of a record one by one and says where it stands."""

    def __init__(self, text: str) -> None:
        self._lines = text.split("\n")
        self._at = 0
        for number, line in enumerate(self._lines, 1):
            if not line.isprintable():
                odd = next(at for at, sign in enumerate(line) if not sign.isprintable())
                name = "a carriage return" if line[odd] == "\r" else "a control character"
                raise RecordError(f"A record has no such character as {name}.", number, odd + 1)

    @property
    def line(self) -> str:
        return self._lines[self._at]

    def fail(self, message: str, column: int = 1) -> RecordError:
        return RecordError(message, self._at + 1, column)

    def cut_short(self) -> RecordError:
        return self.fail("The record is cut short: its last line should be “result: …”.", len(self.line) + 1)

    def value(self, key: str) -> str:
        """The value of a header line, which has to be the next."""
        start = f"{key}: "
        if not self.line.startswith(start) or self.line != self.line.strip():
            raise self.fail(f"This line should be “{start}…”.")
        return self.line.removeprefix(start)

    def next(self) -> None:
        self._at += 1
        if self._at >= len(self._lines):
            self._at -= 1
            raise self.cut_short()

    def record(self) -> Record:
        if self.line != _FIRST:
            raise self.fail(f"The first line of a record is “{_FIRST}”.")
        self.next()
        game, options = self._game()
        self.next()
        start = self._start(game, options)
        try:
            day = date.fromisoformat(self.value("date"))
            if day.isoformat() != self.value("date"):
                raise ValueError
        except RecordError:
            raise
        except ValueError:
            raise self.fail("The date is written as year-month-day, such as 2026-11-15.", len("date: ") + 1) from None
        self.next()
        seats: list[RecordedSeat] = []
        while self.line.startswith("seat "):
            seats.append(self._seat(len(seats) + 1, [seat.name for seat in seats]))
            self.next()
        if not game.min_players <= len(seats) <= game.max_players:
            raise self.fail(
                f"{game.title} takes {game.min_players} to {game.max_players} seats, and there are {len(seats)}."
            )
        if start and start.players != len(seats):
            raise self.fail(f"The game began with {start.players} players, and there are {len(seats)} seats.")
        dice = self.value("dice")
        try:
            source_of(dice)
        except ParseError as error:
            raise self.fail(str(error), len("dice: ") + 1) from error
        self.next()
        if self.line:
            raise self.fail("An empty line parts the head of a record from its events.")
        self.next()
        entries: list[Entry] = []
        lines: list[int] = []
        numbers = {str(seat + 1): seat for seat in range(len(seats))}
        while not self.line.startswith("result: "):
            entries.append(self._entry(game, numbers))
            lines.append(self._at + 1)
            self.next()
        result, result_line = self.value("result"), self._at + 1
        self.next()
        if self.line or self._at != len(self._lines) - 1:
            raise self.fail("Nothing may follow the result.")
        return Record(game, options, day, tuple(seats), dice, tuple(entries), result, tuple(lines), result_line, start)

    def _game(self) -> tuple[Game, Options]:
        text = self.value("game")
        try:
            game, options = parse_game(text)
        except HotdiceError as error:
            raise self.fail(str(error), len("game: ") + 1) from error
        if game.text(options) != text:
            raise self.fail(f"The canonical form of this game is “{game.text(options)}”.", len("game: ") + 1)
        return game, options

    def _start(self, game: Game, options: Options) -> State | None:
        """The position at which the game began, if this line gives one."""
        if not self.line.startswith("from: "):
            return None
        text, column = self.value("from"), len("from: ") + 1
        try:
            start = parse_position(text)
        except ParseError as error:
            raise self.fail(str(error), column + error.column - 1) from error
        except HotdiceError as error:
            raise self.fail(str(error), column) from error
        if start.game is not game or start.options != options:
            raise self.fail(f"The game began at a position of {game.text(options)}, or it is not that game.", column)
        if start.position != text:
            raise self.fail(f"The canonical form of this position is “{start.position}”.", column)
        if start == game.start(start.players, options):
            raise self.fail("This is where the game begins anyway; leave this line out.", column)
        self.next()
        return start

    def _seat(self, number: int, taken: Sequence[str]) -> RecordedSeat:
        match = re.fullmatch(r"(.+) \(([\w.:-]+)\)", self.value(f"seat {number}"))
        if not match:
            raise self.fail(f"A seat is written as “seat {number}: name (person)”, or with a bot's kind.")
        try:
            check_name(match[1], taken)
        except HotdiceError as error:
            raise self.fail(str(error), len(f"seat {number}: ") + 1) from error
        return RecordedSeat(match[1], match[2])

    def _entry(self, game: Game, seats: Mapping[str, int]) -> Entry:
        """The entry on this line; `seats` has each seat by its number as it is written."""
        line = self.line
        if not line and self._at == len(self._lines) - 1:
            raise self.cut_short()
        if line.startswith("#"):
            text = line[1:].strip()
            if f"# {text}".rstrip() != line:
                raise self.fail("A comment is a # and one space before its text.")
            return Comment(text)
        number, space, rest = line.partition(" ")
        if number not in seats or not space:
            raise self.fail(
                f"An event starts with its seat, 1 to {len(seats)}, and a space, a comment with #, "
                "the end with “result:”."
            )
        column = len(number) + 2
        seat = seats[number]
        rolls = rest.startswith("rolls ")
        if rolls:
            rest = rest.removeprefix("rolls ")
            column += len("rolls ")
        try:
            event: Event = Rolled(seat, game.parse_roll(rest)) if rolls else Moved(seat, game.parse_move(rest))
        except ParseError as error:
            raise self.fail(str(error), column + error.column - 1) from error
        canonical = game.roll_text(event.roll) if isinstance(event, Rolled) else event.move.text
        if canonical != rest:
            raise self.fail(f"The canonical form of this is “{canonical}”.", column)
        return event


__all__ = ["Comment", "Entry", "Record", "RecordedSeat", "parse_record", "read_record", "record_of", "source_of"]
