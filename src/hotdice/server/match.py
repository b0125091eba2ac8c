"""A table's match: what follows from its log, and what may be added to it.

`Match.apply` takes an entry in; the other methods turn a wish into entries, or refuse it. A match knows no clock, no
connection and no store: it is told who asks and answers with what happens, so any log can be folded again anywhere.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from enum import StrEnum
from typing import Final

from msgspec import Raw
from msgspec.structs import replace as change

from hotdice.dice import DiceSource, Distribution, ManualDice, Roll
from hotdice.errors import HotdiceError, SeatError
from hotdice.fair import SECRET_BYTES, FairDice, check_string, commitment
from hotdice.game import CHANCE, OVER, ROLLED, Game, Move, State
from hotdice.games import parse_game
from hotdice.notation import listed
from hotdice.options import Options
from hotdice.players import Player, bot_names, named_bot
from hotdice.record import Comment, Entry, Record, parse_record, record_of, result_text
from hotdice.server import entries as log
from hotdice.server.entries import BOT, LOCAL, OPEN, PERSON, AnyEntry, Created, Plan
from hotdice.server.refusals import Illegal, Invalid, NoSeat, NotYourTurn, Refusal
from hotdice.table import Rolled, Seat, Table, check_name
from hotdice.view import named

FAIR: Final = "fair"
MANUAL: Final = "manual"
OFF, SOFT, HARD = "off", "soft", "hard"
SHORTEST, LONGEST = 5, 24 * 60 * 60
"""Seconds that a decision may be given."""
TOKEN_BYTES: Final = 24
STAND_IN: Final = "casual"
"""Who decides when a hard clock has run out, unless the table says otherwise."""


class Status(StrEnum):
    WAITING = "waiting"
    PLAYING = "playing"
    OVER = "over"
    CLOSED = "closed"


@dataclass(frozen=True, slots=True)
class BotSeat:
    """Marks a seat as a bot's. Who thinks for it is for the room to arrange."""

    kind: str

    def choose(self, state: State) -> Move:
        raise TypeError("a bot of the server does not think inside a match")


@dataclass(slots=True)
class Place:
    """A seat of a match, and who has it. `token` is the hash of what opens it."""

    kind: str
    name: str = ""
    bot: str = ""
    token: str = ""
    away: str = ""
    """The bot that plays for an absent person."""
    gone: bool = False
    """They left for good while the game went on."""

    @property
    def person(self) -> bool:
        return self.kind in (PERSON, LOCAL)

    @property
    def player(self) -> str:
        """The bot that acts here now, or nothing for a person."""
        return self.bot or self.away


class ContinuedDice:
    """The dice of a game that came in as a record and goes on: its rolls, and then new ones, which nobody promised."""

    text: Final = "recorded"
    manual: Final = False

    def __init__(self, rolls: Iterable[Roll], further: DiceSource) -> None:
        self._rolls = iter(tuple(rolls))
        self._further = further

    def draw(self, outcomes: Distribution) -> Roll:
        roll = next(self._rolls, None)
        return self._further.draw(outcomes) if roll is None else roll


def token_hash(token: str) -> str:
    """What is kept of a token."""
    return hashlib.sha256(token.encode("utf-8")).hexdigest()


def new_token() -> str:
    """What opens a seat."""
    return secrets.token_urlsafe(TOKEN_BYTES)


class Match:
    """The fold of one table's log."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.now = 0
        """The time, in milliseconds, that new entries get."""
        self.number = 0
        """Of the last entry."""
        self.stage = 0
        """The number of the last entry that changed the state of the game: what moves are made on."""
        self.at = 0
        """When that was."""
        self.created = 0
        """When the first entry was made."""
        self.touched = 0
        """When the last one was."""
        self.host = -1
        """The first seat of whoever set the table up: with the local seats it is one household."""
        self.history: list[Raw] = []
        """Every entry as players see it, encoded."""
        self.fresh: list[bytes] = []
        """The entries that are not in the store yet, as it keeps them."""
        self.status = Status.WAITING
        self.places: list[Place] = []
        self.table: Table | None = None
        self.actor: int | None = None
        """The seat that has to act: to decide, or to roll."""
        self.filed = 0
        """How often something changed that is neither a roll nor a move."""
        self.round = 1
        """Which game at this table it is."""
        self.promise = ""
        self.strings: dict[int, str] = {}
        """For each seat that gave one, in the order of giving."""
        self.asked: int | None = None
        """The seat that wants to take its choice back."""
        self.agreed: set[int] = set()
        self.records: list[Record] = []
        """The games played here before."""
        self.why = ""
        """Why the game was given up, if it was."""
        self.answered: dict[tuple[int, str], int] = {}
        """For each seat and client's id, the number of the entry that the message led to."""
        self._scores: tuple[int, ...] = ()
        self._by: list[str] = []
        """For each event of the game, the bot that acted for a person."""
        self._given: Record | None = None
        self._day = date.min
        self._secret = b""

    # What there is to know

    @property
    def setup(self) -> Created:
        return self._setup

    @property
    def game(self) -> Game:
        return self._game

    @property
    def options(self) -> Options:
        return self._options

    @property
    def manual(self) -> bool:
        return self._setup.dice == MANUAL

    @property
    def stand_in(self) -> str:
        """The bot for those who are away or too slow, if the table wants one."""
        return self._setup.stand_in or (STAND_IN if self._setup.clock.kind == HARD else "")

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(place.name or f"Seat {seat + 1}" for seat, place in enumerate(self.places))

    @property
    def rolls(self) -> bool:
        """Whether dice are to be rolled now."""
        return self.table is not None and self.table.state.seat == CHANCE

    def open_seats(self) -> list[int]:
        return [seat for seat, place in enumerate(self.places) if place.kind == OPEN]

    def seat_of(self, token: str) -> int:
        """The seat that a token opens."""
        given = token_hash(token)
        found = [seat for seat, place in enumerate(self.places) if hmac.compare_digest(place.token or "-", given)]
        if not found:
            raise NoSeat("This token opens no seat at this table; join to get one.")
        return found[0]

    def undoable(self) -> int | None:
        """The seat whose last choice may still be taken back."""
        table = self.table
        if table is None or self.status is not Status.PLAYING or table.last is None or self._on_record():
            return None
        last = table.last
        if isinstance(last, Rolled):
            return last.seat if self.manual else None
        return last.seat if self.places[last.seat].person else None

    def record(self, number: int = 0) -> Record:
        """The record of the game played here now, or of an earlier one; a secret stays hidden until it is revealed."""
        if number not in (0, self.round):
            if not 1 <= number < self.round:
                raise Invalid(f"There is no game {number} at this table; it counts 1 to {self.round}.")
            return self.records[number - 1]
        return self._record(hidden=self.status is Status.PLAYING)

    def playing(self) -> Table:
        """The table, if a game goes on at it."""
        if self.table is None or self.status is not Status.PLAYING:
            if self.why:
                raise Illegal(f"The game was given up: {self.why}")
            raise Illegal("The game is over." if self.table else "The game has not begun yet.")
        return self.table

    def finished(self, number: int = 0) -> Record:
        """The record of a game that is over."""
        if number in (0, self.round) and self.status in (Status.WAITING, Status.PLAYING):
            raise Illegal("This game is not over yet." if self.table else "The game has not begun yet.")
        return self.record(number)

    # What can be done before the game

    def create(self, setup: Created) -> list[AnyEntry]:
        """Set the table up, with a new secret."""
        check_setup(setup)
        secret = secrets.token_bytes(SECRET_BYTES)
        key = secrets.token_hex(TOKEN_BYTES)
        return self._add(change(setup, promise=commitment(secret), secret=secret.hex(), key=key))

    def token_for(self, name: str) -> str:
        """The token for a wish to join of that name: the same if it is repeated, and only here."""
        digest = hmac.digest(bytes.fromhex(self._setup.key), name.encode("utf-8"), "sha256")
        return base64.urlsafe_b64encode(digest[:TOKEN_BYTES]).decode("ascii")

    def join(self, name: str, string: str, token: str, seat: int | None = None) -> list[AnyEntry]:
        """Take an open seat, any or a certain one; whoever has a token's seat already keeps it."""
        if any(place.token == token_hash(token) for place in self.places):
            return []
        if self.status is not Status.WAITING:
            raise Illegal("This game has begun; you can watch it, or sit down at another table.")
        free = self.open_seats()
        if seat is None:
            if not free:
                raise Illegal("Every seat at this table is taken; you can watch.")
            seat = free[0]
        return self.claim(seat, name, string, token, free)

    def claim(self, seat: int, name: str, string: str, token: str, free: Sequence[int]) -> list[AnyEntry]:
        """Take one of the free seats, or of those that whoever sets the table up keeps."""
        if not 0 <= seat < len(self.places):
            raise Invalid(f"There is no seat {seat + 1}; this table has seats 1 to {len(self.places)}.")
        if seat not in free:
            others = f"; free: {listed(str(other + 1) for other in free)}" if free else ""
            raise Illegal(f"Seat {seat + 1} is taken{others}.")
        check_name(name)
        if any(place.name == name for other, place in enumerate(self.places) if other != seat and place.kind != OPEN):
            raise Invalid(f"Somebody at this table is called {name} already; take another name.")
        if string:
            check_string(string)
        return self._add(log.Joined(seat, name, string, token_hash(token)))

    def leave(self, seat: int) -> list[AnyEntry]:
        """Give a seat up: it is open again, or, once the game goes on, a bot plays it to the end, or the game ends."""
        if self.status is Status.CLOSED:
            raise Illegal("This table is closed; there is nothing left to leave.")
        name = self.places[seat].name
        left = self._add(log.Left(seat))
        if not any(place.token for place in self.places) and self.status is not Status.OVER:
            return left + self._end("everybody left.")
        if self.status is Status.PLAYING and not self.places[seat].away:
            return left + self._end(f"{name} left.")
        return left

    def ready(self, seat: int, string: str, client: str) -> list[AnyEntry]:
        """Give a string for the next game here."""
        if self.status is not Status.WAITING or seat in self.strings:
            raise Illegal("A string is given once, before the game begins.")
        check_string(string)
        return self._add(log.Ready(seat, string, client))

    def start(self, level: str = "") -> list[AnyEntry]:
        """Begin, with bots in the open seats if a level is named."""
        if self.status is not Status.WAITING:
            raise Illegal("This game has begun already." if self.status is Status.PLAYING else "This game is over.")
        free = self.open_seats()
        if free and not level:
            seats = "A seat is" if len(free) == 1 else f"{len(free)} seats are"
            raise Illegal(f"{seats} still open; wait until they are taken, or name a bot's level to fill them.")
        if level:
            check_bot(level)
        names = [place.name for place in self.places if place.kind != OPEN]
        plans: list[log.Joined] = []
        for seat in free:
            plans.append(log.Joined(seat, bot_name(level, names)))
            names.append(plans[-1].name)
        return self._add(log.Started(tuple(plans), level if plans else "")) + self._over()

    def again(self, seat: int) -> list[AnyEntry]:
        """Another game with the same people at the same table."""
        if self.status is not Status.OVER:
            raise Illegal("A rematch can begin once this game is over.")
        if self._given:
            raise Illegal("A game that came in as a record has no rematch; set up a new table.")
        secret = secrets.token_bytes(SECRET_BYTES)
        return self._add(log.Again(seat, commitment(secret), secret.hex()))

    # What can be done in the game

    def move(self, seat: int, text: str, *, then_roll: bool = False, by: str = "", client: str = "") -> list[AnyEntry]:
        """Make a move, and roll at once if the dice are then the same seat's."""
        table = self.playing()
        state = table.state
        if state.seat != seat:
            raise self._not_now(state, seat)
        try:
            move = state.parse_move(text)
            table.play(move, seat)
        except HotdiceError as error:
            raise Illegal(str(error), tuple(move.text for move in state.legal_moves())) from error
        moved = log.Moved(seat, move.text, by, client)
        self._played(moved, by, seat, client)
        done: list[AnyEntry] = [moved]
        state = table.state
        if then_roll and state.seat == CHANCE and state.roller == seat and not self.manual:
            done += self._roll(by)
        return done + self._over()

    def roll(self, seat: int, faces: str = "", *, by: str = "", client: str = "") -> list[AnyEntry]:
        """Roll the dice that are due. Real dice are typed in, by anybody who sits at the table."""
        table = self.playing()
        state = table.state
        if state.seat != CHANCE or (seat != state.roller and not self.manual):
            raise self._not_now(state, seat)
        if not self.manual:
            if faces:
                raise Illegal("The server rolls the dice at this table; a roll cannot be typed in.")
            return self._roll(by, client) + self._over()
        if not faces:
            raise Illegal("These are real dice: roll them and type what they show.")
        try:
            rolled = table.roll(state.parse_roll(faces))
        except HotdiceError as error:
            raise Illegal(str(error)) from error
        entry = log.Rolled(rolled.seat, self.game.roll_text(rolled.roll), by, client, seat)
        self._played(entry, by, seat, client)
        return [entry, *self._over()]

    def waiting(self) -> tuple[int, ...]:
        """Who still has to agree that a choice be taken back: the others who play for themselves, on other devices."""
        if self.asked is None:
            return ()
        home = [seat for seat, place in enumerate(self.places) if place.kind == LOCAL or seat == self.host]
        family = home if self.asked in home else [self.asked]
        others = [seat for seat, place in enumerate(self.places) if place.person and not place.player]
        return tuple(seat for seat in others if seat not in family and seat not in self.agreed)

    def ask(self, seat: int, client: str = "") -> list[AnyEntry]:
        """Ask to take the last choice back; it is taken back at once where nobody else has a say."""
        self.playing()
        whose = self.undoable()
        if whose is None:
            raise Illegal("There is no choice to take back: it stands once the dice have been rolled.")
        if whose != seat and not self.manual:
            raise NotYourTurn(f"The last choice was {self.names[whose]}'s; only they can take it back.")
        return self._add(log.Asked(seat, client)) + self._undo()

    def answer(self, seat: int, yes: bool, client: str = "") -> list[AnyEntry]:
        """Agree that a choice be taken back, or refuse."""
        self.playing()
        if self.asked is None:
            raise Illegal("Nobody asks to take a choice back.")
        if seat == self.asked:
            raise NotYourTurn("You asked; the others answer.")
        if not yes:
            return self._add(log.Refused(seat, client))
        return self._add(log.Agreed(seat, client)) + self._undo()

    def stand(self, seat: int) -> list[AnyEntry]:
        """Have the table's bot play for somebody who is away."""
        return self._add(log.Away(seat, self.stand_in))

    def back(self, seat: int) -> list[AnyEntry]:
        """Let somebody play for themselves again."""
        return self._add(log.Back(seat))

    def close(self, why: str) -> list[AnyEntry]:
        """Give the game up."""
        return self._end(why)

    # Taking entries in

    def read(self, entries: Iterable[tuple[AnyEntry, int]]) -> None:
        """Take in what the store has, with the times."""
        for entry, at in entries:
            self.apply(entry, at)
        self.fresh.clear()

    def apply(self, entry: AnyEntry, at: int) -> None:
        """Take the next entry of the log in."""
        self.now = at
        match entry:
            case log.Moved(seat, move, by, client):
                table = self.playing()
                table.play(table.state.parse_move(move), seat)
                self._played(entry, by, seat, client)
            case log.Rolled(seat, roll, by, client, typist):
                self.playing().repeat(Rolled(seat, self.game.parse_roll(roll)))
                self._played(entry, by, seat if typist < 0 else typist, client)
            case _:
                told = self._before(entry)
                self._take(entry)
                self.filed += 1
                starts = isinstance(entry, log.Started)
                self._logged(entry, told or self._after(entry), scores=self._scores if starts else ())

    def _take(self, entry: AnyEntry) -> None:
        """What an entry changes that is neither a roll nor a move."""
        match entry:
            case log.Created():
                self._create(entry)
            case log.Joined(seat, name, string, token):
                place = self.places[seat]
                place.kind = PERSON if place.kind == OPEN else place.kind
                place.name, place.token = name, token
                if string:
                    self.strings[seat] = string
            case log.Left(seat):
                self._leave(seat)
            case log.Ready(seat, string):
                self.strings[seat] = string
            case log.Started(bots, level):
                for joined in bots:
                    self.places[joined.seat] = Place(BOT, joined.name, level)
                self._begin()
            case log.Asked(seat):
                self.asked, self.agreed = seat, set()
            case log.Agreed(seat):
                self.agreed.add(seat)
            case log.Refused():
                self.asked = None
            case log.Undone():
                self.playing().undo()
                self._by.pop()
                self._changed()
            case log.Away(seat, bot):
                self.places[seat].away = bot
            case log.Back(seat):
                self.places[seat].away = ""
            case log.Ended(_, why):
                self.status = Status.CLOSED if why else Status.OVER
                self.why = why
                self.actor = self.asked = None
            case log.Again():
                self._again(entry)
        if client := getattr(entry, "client", ""):
            self.answered[entry.seat, client] = self.number + 1  # type: ignore[union-attr]

    def _create(self, entry: Created) -> None:
        self._setup = entry
        self._game, self._options = parse_game(entry.game)
        self.created = self.now
        self.places = [Place(plan.kind, plan.name, plan.bot) for plan in entry.seats]
        self.host = next((seat for seat, plan in enumerate(entry.seats) if plan.kind in (PERSON, LOCAL)), -1)
        self.promise, self._secret = entry.promise, bytes.fromhex(entry.secret)
        if entry.record:
            self._given = parse_record(entry.record)
            if self._given.result != result_text(None):
                self.table = self._given.table([_seat(place) for place in self.places])
                self.status = Status.OVER

    def _leave(self, seat: int) -> None:
        place = self.places[seat]
        place.token = ""
        if seat == self.host:
            self.host = -1
        if self.status is Status.WAITING:
            self.strings.pop(seat, None)
            self.places[seat] = Place(OPEN, place.name if self._given else "")
        else:
            place.gone = True
            place.away = self.stand_in

    def _begin(self) -> None:
        seats = [_seat(place) for place in self.places]
        name = self.name if self.round == 1 else f"{self.name}-{self.round}"
        dice: DiceSource = FairDice(name, self._secret, tuple(self.strings.values()))
        given = self._given.events if self._given else ()
        if self.manual:
            dice = ManualDice()
        elif self._given:
            dice = ContinuedDice((event.roll for event in given if isinstance(event, Rolled)), dice)
        self.table = Table(self.game.start(len(seats), self.options), seats, dice)
        for event in given:
            self.table.repeat(event)
        self._by = [""] * len(given)
        self._day = datetime.fromtimestamp(self.now / 1000, UTC).date()
        self.status = Status.PLAYING
        self._changed()

    def _again(self, entry: log.Again) -> None:
        self.records.append(self._record(hidden=False))
        self.round += 1
        self.status = Status.WAITING
        self.table = None
        self.promise, self._secret = entry.promise, bytes.fromhex(entry.secret)
        self.strings.clear()
        for seat, place in enumerate(self.places):
            place.away = ""
            if place.gone:
                self.places[seat] = Place(OPEN)

    def _played(self, entry: log.Moved | log.Rolled, by: str, sender: int, client: str) -> None:
        """A roll or a move is on the table."""
        table = self.playing()
        self._by.append(by if self.places[entry.seat].person else "")
        if client:
            self.answered[sender, client] = self.number + 1
        scores = self._scores
        self._changed()
        changed = self._scores if self._scores != scores else ()
        index = table.played - 1
        told, last, state = table.tell(index), table.last, table.before(index)
        if isinstance(last, Rolled):
            places = state.places(last.roll)
            shown = places if places.count(ROLLED) < len(places) else ()
            self._logged(entry, told, shown, state.fresh, changed, table.state.stake)
        else:
            self._logged(entry, told, scores=changed, stake=table.state.stake)

    def _changed(self) -> None:
        """The state of the game is another one by the entry that is taken in."""
        self.stage, self.at = self.number + 1, self.now
        self.asked = None
        state = self.playing().state
        self.actor = state.roller if state.seat == CHANCE else state.seat if state.seat != OVER else None
        self._scores = state.scores

    def _logged(
        self,
        entry: AnyEntry,
        told: str,
        places: tuple[str, ...] = (),
        fresh: bool = False,
        scores: tuple[int, ...] = (),
        stake: int = 0,
    ) -> None:
        self.number += 1
        self.touched = self.now
        body = log.encode(entry)
        self.fresh.append(body)
        shown = log.public(entry)
        raw = Raw(body if shown is entry else log.encode(shown))
        self.history.append(Raw(log.encode(log.Told(self.number, self.now, told, raw, places, fresh, scores, stake))))

    def _add(self, entry: AnyEntry) -> list[AnyEntry]:
        self.apply(entry, self.now)
        return [entry]

    def _roll(self, by: str, client: str = "") -> list[AnyEntry]:
        rolled = self.playing().roll()
        entry = log.Rolled(rolled.seat, self.game.roll_text(rolled.roll), by, client)
        self._played(entry, by, rolled.seat, client)
        return [entry]

    def _over(self) -> list[AnyEntry]:
        return self._end("") if self.table and self.table.state.seat == OVER else []

    def _end(self, why: str) -> list[AnyEntry]:
        result = result_text(self.table.state.result if self.table else None)
        return self._add(log.Ended(result, why, "" if self.manual else self._secret.hex()))

    def _undo(self) -> list[AnyEntry]:
        return [] if self.asked is None or self.waiting() else self._add(log.Undone(self.asked))

    def _on_record(self) -> bool:
        """Whether nothing has happened since the game came in as a record."""
        return self._given is not None and self.table is not None and self.table.played <= len(self._given.events)

    def _not_now(self, state: State, seat: int) -> Refusal:
        if state.seat == CHANCE:
            if state.roller == seat:
                return Illegal("The dice are to be rolled first.", ("roll",))
            return NotYourTurn(f"It is {self.names[state.roller]}'s turn to roll.")
        if state.seat == seat:
            return Illegal("A move is due, not a roll.", tuple(move.text for move in state.legal_moves()))
        return NotYourTurn(f"It is {self.names[state.seat]}'s decision.")

    def _record(self, *, hidden: bool) -> Record:
        if self._given and self._given.result != result_text(None):
            return self._given
        if self.table is None:
            raise Illegal("The game has not begun, so there is no record yet.")
        record = record_of(self.table, self._day)
        if hidden and isinstance(self.table.dice, FairDice):
            record = replace(record, dice=self.table.dice.hidden_text)
        found: list[Entry] = []
        for event, by in zip(record.events, self._by, strict=True):
            if by:
                found.append(Comment(f"{by} played for {self.names[event.seat]}"))
            found.append(event)
        return replace(record, entries=tuple(found))

    # The words

    def _before(self, entry: AnyEntry) -> str:
        """What happens, where that is told better before it has happened."""
        match entry:
            case log.Left(seat):
                return f"{self.names[seat]} leaves."
            case log.Undone():
                last = self.playing().last
                return f"The last choice of {self.names[last.seat]} is taken back." if last else ""
            case _:
                return ""

    def _after(self, entry: AnyEntry) -> str:
        """What has happened."""
        names = self.names
        match entry:
            case log.Created():
                return f"The table is set up for {self.game.title}."
            case log.Joined(seat):
                return f"{names[seat]} sits down."
            case log.Ready(seat):
                return f"{names[seat]} is ready."
            case log.Started():
                return "The game goes on." if self._given else "The game begins."
            case log.Asked(seat):
                return f"{names[seat]} would like to take the last choice back."
            case log.Agreed(seat):
                return f"{names[seat]} agrees."
            case log.Refused(seat):
                return f"{names[seat]} does not agree; the choice stands."
            case log.Away(seat, bot):
                return f"{names[seat]} is away; the bot “{bot}” plays for them."
            case log.Back(seat):
                return f"{names[seat]} is back."
            case log.Ended(_, why):
                result = self.table.state.result if self.table else None
                if why or result is None:
                    return f"The game ends: {why}"
                return f"The game is over. {named(result.reason, names)}"
            case log.Again(seat):
                return f"{names[seat]} calls for another game."
            case _:
                return ""


def check_bot(kind: str) -> None:
    """Refuse a bot that there is not."""
    if not named_bot(kind):
        raise Invalid(f"There is no bot “{kind[:40]}”; there are {listed(bot_names())}.")


def bot_name(kind: str, names: Iterable[str]) -> str:
    """A name for a bot that nobody at the table has."""
    names = set(names)
    name = f"{kind.capitalize()} bot"
    number = 2
    while name in names:
        name = f"{kind.capitalize()} bot {number}"
        number += 1
    return name


def check_setup(setup: Created) -> None:
    """Refuse a table that could not be played at."""
    game, options = parse_game(setup.game)
    game.start(len(setup.seats), options)
    names: set[str] = set()
    for plan in setup.seats:
        if plan.kind == BOT:
            check_bot(plan.bot)
        if plan.name:
            check_name(plan.name)
            if plan.name in names:
                raise SeatError(f"Two players are called {plan.name}; give each a name of their own.")
            names.add(plan.name)
    if setup.clock.kind != OFF and not SHORTEST <= setup.clock.seconds <= LONGEST:
        raise Invalid(f"A clock gives {SHORTEST} to {LONGEST} seconds for a decision, not {setup.clock.seconds}.")
    if setup.stand_in:
        check_bot(setup.stand_in)


def imported(text: str, mine: Sequence[int], *, public: bool, origin: str) -> Created:
    """A table at which a recorded game goes on, or can be looked at. The record has to hold, its dice included."""
    record = parse_record(text)
    record.check_dice()
    finished = record.result != result_text(None)
    plans: list[Plan] = []
    for seat, there in enumerate(record.seats):
        if named_bot(there.kind):
            plans.append(Plan(BOT, there.name, there.kind))
        else:
            plans.append(Plan(LOCAL if finished or seat in mine else OPEN, there.name))
    for seat in mine:
        if not 0 <= seat < len(plans) or plans[seat].kind == BOT:
            raise Invalid(f"Seat {seat + 1} of this record was no person's, so you cannot take it.")
    game = record.game.text(record.options)
    dice = MANUAL if record.dice == ManualDice.text else FAIR
    return Created(game, tuple(plans), public, dice, record=record.text, origin=origin)


def fold(name: str, entries: Iterable[tuple[AnyEntry, int]]) -> Match:
    """The match that a log of entries and their times makes."""
    match = Match(name)
    match.read(entries)
    return match


def _seat(place: Place) -> Seat:
    player: Player | None = BotSeat(place.bot) if place.kind == BOT else None
    return Seat(place.name, player)
