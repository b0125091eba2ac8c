"""The fold: a log of entries makes a match, one entry at a time.

`Match.apply` is the only way in which a match changes, whether an entry was made just now or is read from the store.
Each entry changes the match, and leaves behind how players see it: its sentence, and what else there is to show.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterable
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, Final

from msgspec import Raw

from hotdice.fair import FairDice
from hotdice.game import CHANCE, OVER, ROLLED, Game, State
from hotdice.games import parse_game
from hotdice.options import Options
from hotdice.record import Record, parse_record, result_text
from hotdice.server import entries
from hotdice.server.entries import BOT, LOCAL, OPEN, PERSON, AnyEntry, Created, ShownEntry
from hotdice.server.match import sentences
from hotdice.server.match.play import Play, begin
from hotdice.server.match.seats import MatchSeat
from hotdice.server.refusals import Illegal, Invalid, NoSeat
from hotdice.server.tokens import token_hash
from hotdice.table import Event, Moved, Rolled, Table

FAIR: Final = "fair"
MANUAL: Final = "manual"
OFF, SOFT, HARD = "off", "soft", "hard"
STAND_IN: Final = "casual"
"""Who decides when a hard clock has run out, unless the table says otherwise."""


class Status(StrEnum):
    WAITING = "waiting"
    PLAYING = "playing"
    OVER = "over"
    CLOSED = "closed"


class Match:
    """What follows from one table's log."""

    setup: Created
    game: Game
    options: Options

    def __init__(self, name: str) -> None:
        self.name = name
        self.now = 0
        """The time, in milliseconds, that new entries get."""
        self.number = 0
        """Of the last entry."""
        self.state_number = 0
        """The number of the last entry that changed the state of the game: what moves are made on."""
        self.state_since = 0
        """When that was."""
        self.revision = 0
        """Counts the changes that are neither a roll nor a move: of seats, status, questions."""
        self.created = 0
        """When the first entry was made."""
        self.touched = 0
        """When the last one was."""
        self.history: list[Raw] = []
        """Every entry as players see it, encoded."""
        self.unsaved: list[bytes] = []
        """The entries that are not in the store yet, as it keeps them."""
        self.status = Status.WAITING
        self.seats: list[MatchSeat] = []
        self.host = -1
        """The first seat of whoever set the table up: with the local seats it is one household."""
        self.play: Play | None = None
        """The game that is played here now, or was played last."""
        self.actor: int | None = None
        """The seat that has to act: to decide, or to roll."""
        self.round = 1
        """Which game at this table it is."""
        self.promise = ""
        self.secret = b""
        """Of the dice of this game; never shown before its end."""
        self.strings: dict[int, str] = {}
        """For each seat that gave one, in the order of giving."""
        self.asked: int | None = None
        """The seat that wants to take its choice back."""
        self.agreed: set[int] = set()
        self.records: list[Record] = []
        """The games played here before."""
        self.imported: Record | None = None
        """The game that came in as a record, if one did."""
        self.why = ""
        """Why the game was given up, if it was."""
        self.answered: dict[tuple[int, str], int] = {}
        """For each seat and client's id, the number of the entry that the message led to."""
        self._scores: tuple[int, ...] = ()

    # What there is to know

    @property
    def table(self) -> Table | None:
        """The table of the game, once it has begun."""
        return self.play.table if self.play else None

    @property
    def manual(self) -> bool:
        return self.setup.dice == MANUAL

    @property
    def stand_in(self) -> str:
        """The bot for those who are away or too slow, if the table wants one."""
        return self.setup.stand_in or (STAND_IN if self.setup.clock.kind == HARD else "")

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(seat.name or f"Seat {number}" for number, seat in enumerate(self.seats, 1))

    @property
    def rolls(self) -> bool:
        """Whether dice are to be rolled now."""
        return self.play is not None and self.play.table.state.seat == CHANCE

    def open_seats(self) -> list[int]:
        return [number for number, seat in enumerate(self.seats) if seat.kind == OPEN]

    def seat_of(self, token: str) -> int:
        """The seat that a token opens."""
        given = token_hash(token)
        found = [number for number, seat in enumerate(self.seats) if hmac.compare_digest(seat.token or "-", given)]
        if not found:
            raise NoSeat("This token opens no seat at this table; join to get one.")
        return found[0]

    def playing(self) -> Play:
        """The game that goes on here."""
        if self.play is None or self.status is not Status.PLAYING:
            if self.why:
                raise Illegal(f"The game was given up: {self.why}")
            raise Illegal("The game is over." if self.play else "The game has not begun yet.")
        return self.play

    def undoable(self) -> int | None:
        """The seat whose last choice may still be taken back."""
        if self.play is None or self.status is not Status.PLAYING or self.play.table.played <= self.play.imported:
            return None
        last = self.play.table.last
        if last is None:
            return None
        if isinstance(last, Rolled):
            return last.seat if self.manual else None
        return last.seat if self.seats[last.seat].is_person else None

    def waiting(self) -> tuple[int, ...]:
        """Who still has to agree that a choice be taken back: the others who play for themselves, on other devices."""
        if self.asked is None:
            return ()
        home = [number for number, seat in enumerate(self.seats) if seat.kind == LOCAL or number == self.host]
        family = home if self.asked in home else [self.asked]
        others = [number for number, seat in enumerate(self.seats) if seat.is_person and not seat.acting_bot]
        return tuple(number for number in others if number not in family and number not in self.agreed)

    def record(self, number: int = 0) -> Record:
        """The record of the game played here now, or of an earlier one; a secret stays hidden until it is revealed."""
        if number not in (0, self.round):
            if not 1 <= number < self.round:
                raise Invalid(f"There is no game {number} at this table; its games are numbered 1 to {self.round}.")
            return self.records[number - 1]
        if self.imported and self.imported.result != result_text(None):
            return self.imported
        if self.play is None:
            raise Illegal("The game has not begun, so there is no record yet.")
        return self.play.record(self.names, hidden=self.status is Status.PLAYING)

    def finished(self, number: int = 0) -> Record:
        """The record of a game that is over."""
        if number in (0, self.round) and self.status in (Status.WAITING, Status.PLAYING):
            raise Illegal("This game is not over yet." if self.play else "The game has not begun yet.")
        return self.record(number)

    # Taking entries in

    def read(self, log: Iterable[tuple[AnyEntry, int]]) -> None:
        """Take in what the store has, with the times."""
        for entry, at in log:
            self.apply(entry, at)
        self.unsaved.clear()

    def apply(self, entry: AnyEntry, at: int, event: Event | None = None) -> None:
        """Take in the next entry of the log. One that cannot be is refused, and nothing has changed.

        `event` is the roll or the move that the entry tells, where the caller has read it already.
        """
        self.now = at
        match entry:
            case entries.Moved(seat, text):
                self._play(entry, event or Moved(seat, self.playing().table.state.parse_move(text)), seat)
            case entries.Rolled(seat, text, _, _, typist):
                self._play(entry, event or Rolled(seat, self.game.parse_roll(text)), seat if typist < 0 else typist)
            case _:
                told = sentences.before(self, entry)
                self._change(entry)
                self.revision += 1
                scores = self._scores if isinstance(entry, entries.Started) else ()
                self._keep(entry, told or sentences.after(self, entry), scores=scores)

    def _play(self, entry: entries.Moved | entries.Rolled, event: Event, sender: int) -> None:
        """Play a roll or a move."""
        game = self.playing()
        table, seat = game.table, event.seat
        before = table.state
        table.repeat(event)
        state = table.state
        game.acted.append(entry.by if self.seats[seat].is_person else "")
        if entry.client:
            self.answered[sender, entry.client] = self.number + 1
        scores = self._scores
        self._new_state(state)
        changed = self._scores if self._scores != scores else ()
        told = table.tell(table.played - 1)
        if isinstance(event, Rolled):
            places = before.places(event.roll)
            shown = places if places.count(ROLLED) < len(places) else ()
            self._keep(entry, told, shown, before.fresh, changed, state.stake)
        else:
            self._keep(entry, told, (), False, changed, state.stake, before.effect(event.move))

    def _new_state(self, state: State) -> None:
        """The state of the game is another one by the entry that is taken in."""
        self.state_number, self.state_since = self.number + 1, self.now
        self.asked = None
        self.actor = state.roller if state.seat == CHANCE else state.seat if state.seat != OVER else None
        self._scores = state.scores

    def _change(self, entry: AnyEntry) -> None:
        """What an entry changes that is neither a roll nor a move."""
        match entry:
            case entries.Created():
                self._create(entry)
            case entries.Joined(number, name, string, token):
                seat = self.seats[number]
                seat.kind = PERSON if seat.kind == OPEN else seat.kind
                seat.name, seat.token = name, token
                if string:
                    self.strings[number] = string
            case entries.Left(number):
                self._leave(number)
            case entries.Ready(number, string):
                self.strings[number] = string
            case entries.Started(bots, level):
                for joined in bots:
                    self.seats[joined.seat] = MatchSeat(BOT, joined.name, level)
                self._begin()
            case entries.Asked(number):
                self.asked, self.agreed = number, set()
            case entries.Agreed(number):
                self.agreed.add(number)
            case entries.Refused():
                self.asked = None
            case entries.Undone():
                game = self.playing()
                game.table.undo()
                game.acted.pop()
                self._new_state(game.table.state)
            case entries.Away(number, bot):
                self.seats[number].away = bot
            case entries.Back(number):
                self.seats[number].away = ""
            case entries.Ended(_, why):
                self.status = Status.CLOSED if why else Status.OVER
                self.why = why
                self.actor = self.asked = None
            case entries.Again():
                self._again(entry)
        if client := getattr(entry, "client", ""):
            self.answered[entry.seat, client] = self.number + 1  # type: ignore[union-attr]

    def _create(self, entry: Created) -> None:
        self.setup = entry
        self.game, self.options = parse_game(entry.game)
        self.created = self.now
        self.seats = [MatchSeat(plan.kind, plan.name, plan.bot) for plan in entry.seats]
        self.host = next((number for number, seat in enumerate(self.seats) if seat.is_person), -1)
        self.promise, self.secret = entry.promise, bytes.fromhex(entry.secret)
        if entry.record:
            self.imported = parse_record(entry.record)
            if self.imported.result != result_text(None):
                self.play = Play(self.imported.table([seat.at_table() for seat in self.seats]), self.imported.day)
                self.status = Status.OVER

    def _leave(self, number: int) -> None:
        seat = self.seats[number]
        seat.token = ""
        if number == self.host:
            self.host = -1
        if self.status is Status.WAITING:
            self.strings.pop(number, None)
            self.seats[number] = MatchSeat(OPEN, seat.name if self.imported else "")
        else:
            seat.gone = True
            seat.away = self.stand_in

    def _begin(self) -> None:
        name = self.name if self.round == 1 else f"{self.name}-{self.round}"
        fair = None if self.manual else FairDice(name, self.secret, tuple(self.strings.values()))
        day = datetime.fromtimestamp(self.now / 1000, UTC).date()
        state = self.game.start(len(self.seats), self.options)
        self.play = begin(state, self.seats, day, fair, self.imported)
        self.status = Status.PLAYING
        self._new_state(self.play.table.state)

    def _again(self, entry: entries.Again) -> None:
        self.records.append(self.record())
        self.round += 1
        self.status = Status.WAITING
        self.play = None
        self.promise, self.secret = entry.promise, bytes.fromhex(entry.secret)
        self.strings.clear()
        for number, seat in enumerate(self.seats):
            seat.away = ""
            if seat.gone:
                self.seats[number] = MatchSeat(OPEN)

    def _keep(
        self,
        entry: AnyEntry,
        told: str,
        places: tuple[str, ...] = (),
        fresh: bool = False,
        scores: tuple[int, ...] = (),
        stake: int = 0,
        effect: Any = None,
    ) -> None:
        """Number the entry, and keep it as the store and as the players get it."""
        self.number += 1
        self.touched = self.now
        body = entries.encode(entry)
        self.unsaved.append(body)
        public = entries.public(entry)
        raw = Raw(body if public is entry else entries.encode(public))
        shown = ShownEntry(self.number, self.now, told, raw, places, fresh, scores, stake, effect)
        self.history.append(Raw(entries.encode(shown)))


def fold(name: str, log: Iterable[tuple[AnyEntry, int]]) -> Match:
    """The match that a log of entries and their times makes."""
    match = Match(name)
    match.read(log)
    return match
