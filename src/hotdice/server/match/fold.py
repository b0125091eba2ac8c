"""The fold: a log of entries makes a match, one entry at a time.

`Match.apply` is the only way in which a match changes, whether an entry was made just now or is read from the store.
Each entry changes the match, and leaves behind how players see it: its sentence, and what else there is to show.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime
from enum import StrEnum
from typing import Final

from msgspec import Raw, structs

from hotdice.errors import HotdiceError, UnknownGame
from hotdice.fair import (
    CHALLENGE,
    FairDice,
    OldFairDice,
    PromisedDice,
    SameDice,
    Share,
    Statement,
    TurnDice,
    promised_dice,
)
from hotdice.game import CHANCE, OVER, ROLLED, Game, State
from hotdice.games import parse_game
from hotdice.options import Options
from hotdice.record import Record, parse_record, result_text
from hotdice.server import entries
from hotdice.server.entries import BOT, OPEN, PERSON, AnyEntry, Created, ShownEntry
from hotdice.server.match import sentences
from hotdice.server.match.play import DrawnDice, Play, begin
from hotdice.server.match.played import PlayedGame, SeriesScore, series, standings_of
from hotdice.server.match.seats import Deal, Invitation, MatchSeat, Offer, Proposal
from hotdice.server.refusals import Illegal, Invalid, NoSeat, Unreadable
from hotdice.server.tokens import token_hash
from hotdice.table import Event, Moved, Rolled, Table
from hotdice.view import named, spoken_to

FAIR: Final = "fair"
MANUAL: Final = "manual"
SAME: Final = "same"
"""Fair dice that are the same in every player's turn of some number."""
TURNS: Final = "turns"
"""Fair dice by turns, each seat's own, so that others can play the same game later."""
OFF, SOFT, HARD = "off", "soft", "hard"
OFFER_SECONDS: Final = 600
"""Seconds for which a one-time code is good."""
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
        self._told: list[Raw] = []
        """The entries as players see them, encoded, as far as they are told in sentences."""
        self._untold: list[ShownEntry] = []
        """The rolls and moves behind those."""
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
        self.deal: Deal | None = None
        """How far the dice are, while a game is about to begin."""
        self.dealt: TurnDice | None = None
        """The dice of a challenge that was played elsewhere before."""
        self.shares: tuple[Share, ...] = ()
        """Who contributed what to the dice of this game."""
        self.strings: dict[int, str] = {}
        """Before there were seals: for each seat that gave a string, in the order of giving."""
        self.asked: int | None = None
        """The seat that wants to take its choice back."""
        self.agreed: set[int] = set()
        self.games: list[PlayedGame] = []
        """The games played here that are over, the last one too."""
        self.series: tuple[SeriesScore, ...] = ()
        """How often everybody has won here."""
        self.invitation: Invitation | None = None
        """To another game, while one is over."""
        self.proposal: Proposal | None = None
        """What those who are here are deciding together."""
        self.offers: dict[str, Offer] = {}
        """By the hashes of their codes, the seats that another device may take over."""
        self.position: State | None = None
        """Where the game goes on that a player fell out of, or that gets new dice, until it begins again."""
        self.redrawn = False
        """Whether it goes on with new dice because a backup was restored."""
        self.begun = 0
        """When the last game began."""
        self.imported: Record | None = None
        """The game that came in as a record, if one did."""
        self.why = ""
        """Why the game was given up, if it was."""
        self.answered: dict[tuple[str, str], int] = {}
        """For each token's hash and client's id of this game, the number of the entry that the message led to."""
        self._scores: tuple[int, ...] = ()

    # What there is to know

    @property
    def history(self) -> list[Raw]:
        """Every entry as players see it, encoded."""
        self._tell()
        return self._told

    def plain(self, last: int) -> list[Raw]:
        """The entries after that number. The newest rolls and moves are without sentences, as far as nobody had any."""
        told = len(self._told)
        return self._told[last:] + [Raw(entries.encode(shown)) for shown in self._untold[max(0, last - told) :]]

    @property
    def table(self) -> Table | None:
        """The table of the game, once it has begun."""
        return self.play.table if self.play else None

    @property
    def manual(self) -> bool:
        return self.setup.dice == MANUAL

    @property
    def challenge(self) -> str:
        """The name of the challenge that is played here; nothing at usual tables."""
        return self.name if self.setup.challenge == entries.FIRST else self.setup.challenge

    @property
    def stand_in(self) -> str:
        """The bot for those who are away or too slow, if the table wants one."""
        return self.setup.stand_in or (STAND_IN if self.setup.clock.kind == HARD else "")

    @property
    def everyone(self) -> list[MatchSeat]:
        """The seats, and after them those who sit down to the next game only."""
        return self.seats + self.invitation.newcomers if self.invitation else self.seats

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(seat.name or f"Seat {number}" for number, seat in enumerate(self.everyone, 1))

    @property
    def tokens(self) -> tuple[str, ...]:
        """For each seat the hash of what opens it."""
        return tuple([seat.token for seat in self.everyone])

    @property
    def rolls(self) -> bool:
        """Whether dice are to be rolled now."""
        return self.play is not None and self.play.table.state.seat == CHANCE

    def open_seats(self) -> list[int]:
        return [number for number, seat in enumerate(self.seats) if seat.kind == OPEN]

    def seat_of(self, token: str) -> int:
        """The seat that a token opens."""
        given = token_hash(token)
        found = [number for number, seat in enumerate(self.everyone) if hmac.compare_digest(seat.token or "-", given)]
        if not found:
            raise NoSeat("This token opens no seat at this table; join to get one.")
        return found[0]

    def seats_of(self, tokens: Iterable[str]) -> tuple[int, ...]:
        """The seats that tokens open. Some may open none any more, but not all of them."""
        found: set[int] = set()
        refusal: NoSeat | None = None
        for token in tokens:
            try:
                found.add(self.seat_of(token))
            except NoSeat as error:
                refusal = error
        if refusal and not found:
            raise refusal
        return tuple(sorted(found))

    def playing(self) -> Play:
        """The game that goes on here."""
        if self.play is None or self.status is not Status.PLAYING:
            if self.why:
                raise Illegal(f"The game was given up: {self.why}")
            raise Illegal("The game is over." if self.play else "The game has not begun yet.")
        return self.play

    def dealing(self) -> Deal:
        """The dice of the game that is about to begin."""
        if self.deal is None:
            raise Illegal("No dice are being drawn at this table.")
        return self.deal

    def bot_seed(self) -> int | None:
        """What a bot draws from that decides now, as far as it leaves something to chance; None if anything will do."""
        table = self.playing().table
        return table.dice.bot_seed(table.played) if isinstance(table.dice, DrawnDice) else None

    @property
    def dice_name(self) -> str:
        """What the dice of this game have for the name of their table."""
        if self.dealt:
            return self.dealt.table
        if self.setup.challenge:
            return f"{CHALLENGE}{self.name}"
        return self.name if self.round == 1 else f"{self.name}-{self.round}"

    def undoable(self) -> int | None:
        """The seat whose last choice may still be taken back."""
        index = self.undo_index()
        return None if index is None or self.table is None else self.table.event(index).seat

    def undo_index(self) -> int | None:
        """The number of the event that may still be taken back: the last that is a person's, if no dice fell since."""
        if self.play is None or self.status is not Status.PLAYING:
            return None
        table = self.play.table
        if not self.manual and isinstance(table.last, Rolled):
            return None
        for index in reversed(range(self.play.imported, table.played)):
            event = table.event(index)
            if isinstance(event, Rolled):
                return index if self.manual else None
            if self.seats[event.seat].is_person:
                return index
        return None

    def waiting(self) -> tuple[int, ...]:
        """Who still has to agree that a choice be taken back: the others who play for themselves, on other devices."""
        if self.asked is None:
            return ()
        family = self.household(self.asked)
        others = [number for number, seat in enumerate(self.seats) if seat.is_person and not seat.acting_bot]
        return tuple(number for number in others if number not in family and number not in self.agreed)

    def household(self, seat: int) -> list[int]:
        """The seats at one device with this one, as far as the table knows."""
        device = self.everyone[seat].device
        return [number for number, other in enumerate(self.everyone) if other.is_person and other.device == device]

    def record(self, number: int = 0) -> Record:
        """The record of the game played here now, or of an earlier one; a secret stays hidden until it is revealed."""
        if number not in (0, self.round):
            if not 1 <= number < self.round:
                raise Invalid(f"There is no game {number} at this table; its games are numbered 1 to {self.round}.")
            return self.games[number - 1].record
        if self.imported and self.imported.result != result_text(None):
            return self.imported
        if self.play is None:
            raise Illegal("The game has not begun, so there is no record yet.")
        hidden = self.status is Status.PLAYING or bool(self.setup.challenge)
        return self.play.record(self.names, hidden=hidden)

    def revealed(self) -> Record:
        """The record of the game of a challenge, once that is over and its secret may be shown."""
        if self.play is None or self.status is Status.PLAYING:
            return self.record()
        return self.play.record(self.names, hidden=False)

    def finished(self, number: int = 0) -> Record:
        """The record of a game that is over."""
        if number in (0, self.round) and self.status in (Status.WAITING, Status.PLAYING):
            raise Illegal("This game is not over yet." if self.play else "The game has not begun yet.")
        return self.record(number)

    def played(self, number: int) -> PlayedGame:
        """A game played here that is over."""
        self.finished(number)
        return self.games[number - 1]

    def room(self) -> int:
        """How many more can sit down to the next game. Those who played the last one have their seats until they
        decline."""
        declined = self.invitation.declined if self.invitation else set()
        staying = [seat for number, seat in enumerate(self.everyone) if not seat.gone and number not in declined]
        return self.game.max_players - len(staying)

    # Taking entries in

    def read(self, log: Iterable[tuple[AnyEntry, int]]) -> None:
        """Take in what the store has, with the times. Whatever is wrong with it is `Unreadable`, unless it is just that
        the game is not installed."""
        last = self.number
        try:
            for entry, at in log:
                self.apply(entry, at)
                last += 1
        except UnknownGame:
            raise
        except Exception as error:
            reason = str(error) if isinstance(error, HotdiceError) else repr(error)
            raise Unreadable(self.name, f"entry {last + 1} cannot be: {reason}") from error
        self.unsaved.clear()

    def add(self, entry: AnyEntry, event: Event | None = None) -> list[AnyEntry]:
        """Take in an entry that is made just now."""
        self.apply(entry, self.now, event)
        return [entry]

    def apply(self, entry: AnyEntry, at: int, event: Event | None = None) -> None:
        """Take in the next entry of the log. One that cannot be is refused, and nothing has changed.

        `event` is the roll or the move that the entry tells, where the caller has read it already.
        """
        self.now = at
        match entry:
            case entries.Moved():
                seat = entry.seat
                self._play(entry, event or Moved(seat, self.playing().table.state.parse_move(entry.move)), seat)
            case entries.Rolled():
                seat, typist = entry.seat, entry.typist
                event = event or Rolled(seat, self.game.parse_roll(entry.roll))
                self._play(entry, event, seat if typist < 0 else typist)
            case _:
                self._tell()
                told = sentences.before(self, entry)
                self._change(entry)
                self.revision += 1
                scores = self._scores if isinstance(entry, entries.Started) else ()
                public = Raw(entries.encode(entries.public(entry)))
                shown = ShownEntry(self.number + 1, at, told or sentences.after(self, entry), public, scores=scores)
                self._told.append(Raw(entries.encode(shown)))
                self._keep(entries.encode(entry))

    def _play(self, entry: entries.Moved | entries.Rolled, event: Event, sender: int) -> None:
        """Play a roll or a move."""
        game = self.playing()
        table, seat = game.table, event.seat
        before = table.state
        table.repeat(event)
        state = table.state
        game.acted.append(entry.by if entry.by != self.seats[seat].bot else "")
        game.numbers.append(self.number + 1)
        if entry.client:
            self.answered[self.seats[sender].token, entry.client] = self.number + 1
        scores = self._scores
        self._new_state(state)
        changed = self._scores if self._scores != scores else ()
        number, body = self.number + 1, entries.encode(entry)
        if isinstance(event, Rolled):
            places = before.places(event.roll)
            placed = places if places.count(ROLLED) < len(places) else ()
            shown = ShownEntry(
                number, self.now, "", Raw(body), placed, before.fresh, changed, state.stake, hot=state.hot
            )
        else:
            effect, hot = before.effect(event.move), state.hot and not before.hot
            shown = ShownEntry(number, self.now, "", Raw(body), (), False, changed, state.stake, effect=effect, hot=hot)
        self._untold.append(shown)
        self._keep(body)

    def _tell(self) -> None:
        """Put the newest rolls and moves in sentences, which nobody may have wanted before. Nothing else has happened
        after them: it would have had them told first."""
        if not self._untold or self.play is None:
            return
        table, untold = self.play.table, self._untold
        for index, shown in enumerate(untold, table.played - len(untold)):
            sentence, names = table.sentence(index), table.names
            yours = {seat: named(sentence, names, seat) for seat in spoken_to(sentence) if self.seats[seat].is_person}
            told = structs.replace(shown, told=named(sentence, names), yours=yours)
            self._told.append(Raw(entries.encode(told)))
        self._untold = []

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
                if seat.kind == OPEN:
                    seat.kind, seat.device = PERSON, self.number + 1
                seat.name, seat.token = name, token
                if string:
                    self.strings[number] = string
            case entries.Left(number):
                self._leave(number)
            case entries.Ready(number, string):
                self.strings[number] = string
            case entries.Promised(promise, secret, bots, level, key, signature):
                self._seat_bots(bots, level)
                signed = Statement(self.now, key, signature) if key else None
                self.promise, self.secret = promise, bytes.fromhex(secret)
                self.deal = Deal(self.now, promise, self.secret, signed)
            case entries.Sealed(number, seal):
                self.dealing().seals[number] = seal
            case entries.Fixed():
                self.dealing().fixed = self.now
            case entries.Revealed(number, string):
                self.dealing().strings[number] = string
            case entries.Dealt(dice):
                self.dealt = promised_dice(dice)
                self.promise = self.dealt.commitment
            case entries.Started(bots, level):
                self._seat_bots(bots, level)
                self._begin()
            case entries.Asked(number):
                self.asked, self.agreed = number, set()
            case entries.Agreed(number):
                self.agreed.add(number)
            case entries.Refused():
                self.asked = None
            case entries.Undone(_, _, events):
                game = self.playing()
                for _ in range(events):
                    game.table.undo()
                    game.acted.pop()
                    game.numbers.pop()
                self._new_state(game.table.state)
            case entries.Away(number, bot):
                self.seats[number].away = bot
            case entries.Back(number):
                self.seats[number].away = ""
                if self.proposal and self.proposal.about == number:
                    self.proposal = None
            case entries.Proposed(number, what, about, token):
                agreed = {number} if number >= 0 else set()
                self.proposal = Proposal(self.number + 1, what, number, about, token, agreed)
            case entries.Voted(number, yes):
                if self.proposal and yes:
                    self.proposal.agreed.add(number)
                else:
                    self.proposal = None
            case entries.Without():
                self._without(entry)
            case entries.Redrawn():
                self._go_on_from(self._ended().table.state)
                self.redrawn = True
            case entries.Offered(seats, hashed):
                self.offers = {code: offer for code, offer in self.offers.items() if offer.until >= self.now}
                self.offers[hashed] = Offer(seats, self.now + 1000 * OFFER_SECONDS)
            case entries.Handed(seats, tokens):
                self._hand(seats, tokens)
            case entries.Ended(_, why):
                self.status = Status.CLOSED if why else Status.OVER
                self.why = why
                self.actor = self.asked = self.proposal = self.position = self.deal = None
                self._file_game()
            case entries.Invited(number, promise, secret):
                self.invitation = Invitation(number, promise, bytes.fromhex(secret))
            case entries.Accepted():
                self._accept(entry)
            case entries.Declined(number):
                self._decline(number)
            case entries.Again():
                self._again(entry)
        if client := getattr(entry, "client", ""):
            sender = entry.asker if isinstance(entry, entries.Away) else entry.seat  # type: ignore[union-attr]
            self.answered[self.everyone[sender].token, client] = self.number + 1

    def _create(self, entry: Created) -> None:
        self.setup = entry
        self.game, self.options = parse_game(entry.game)
        self.created = self.now
        self.seats = [MatchSeat(plan.kind, plan.name, plan.bot) for plan in entry.seats]
        for seat in self.seats:
            seat.device = self.number + 1 if seat.is_person else 0
        self.host = next((number for number, seat in enumerate(self.seats) if seat.is_person), -1)
        self.promise, self.secret = entry.promise, bytes.fromhex(entry.secret)
        if entry.record:
            self.imported = parse_record(entry.record)
            if self.imported.result != result_text(None):
                self.play = Play(self.imported.table([seat.at_table() for seat in self.seats]), self.imported.day)
                self.status = Status.OVER
                self._file_game()

    def _leave(self, number: int) -> None:
        seat = self.seats[number]
        seat.token = ""
        if number == self.host:
            self.host = -1
        self._withdraw((number,))
        if self.status is Status.WAITING and self.position is None and self.deal is None:
            self.strings.pop(number, None)
            self.seats[number] = MatchSeat(OPEN, seat.name if self.imported else "")
        else:
            seat.gone = True
            seat.away = self.stand_in
            self._decline(number)

    def _begin(self) -> None:
        fair: PromisedDice | None = None
        if self.dealt:
            fair, self.shares = self.dealt, self.dealt.shares
        elif self.deal:
            self.shares = tuple(self.deal.shares())
            kind = {SAME: SameDice, TURNS: TurnDice}.get(self.setup.dice, FairDice)
            fair = kind(self.dice_name, self.secret, self.shares, self.deal.signed)
        elif not self.manual:
            fair = OldFairDice(self.dice_name, self.secret, tuple(self.strings.values()))
        day = datetime.fromtimestamp(self.now / 1000, UTC).date()
        first = self.imported if self.round == 1 else None
        usual = first.first_state if first else self.game.start(len(self.seats), self.options)
        self.play = begin(self.position or usual, self.seats, day, fair, first)
        self.play.redrawn = self.redrawn
        self.position = self.deal = None
        self.redrawn, self.begun = False, self.now
        self.status = Status.PLAYING
        self._new_state(self.play.table.state)

    def _seat_bots(self, bots: tuple[entries.Joined, ...], level: str) -> None:
        for joined in bots:
            self.seats[joined.seat] = MatchSeat(BOT, joined.name, level)

    def _without(self, entry: entries.Without) -> None:
        gone = entry.seat
        self._go_on_from(self._ended().table.state.without(gone))
        self.promise, self.secret = entry.promise, bytes.fromhex(entry.secret)
        self.offers.clear()
        self.host = -1 if self.host == gone else self.host - (self.host > gone)
        del self.seats[gone]

    def _go_on_from(self, state: State) -> None:
        """Another game is about to begin at a position of the last one."""
        self.round += 1
        self.status, self.why = Status.WAITING, ""
        self.play, self.position = None, state
        self.state_number, self.state_since = self.number + 1, self.now
        self.promise, self.secret = "", b""
        self._clear_shares()

    def _clear_shares(self) -> None:
        self.strings, self.shares = {}, ()

    def _ended(self) -> Play:
        """The game that was just given up here."""
        if self.play is None or self.status is not Status.CLOSED:
            raise Illegal("A game ends before it goes on without somebody.")
        return self.play

    def _hand(self, seats: tuple[int, ...], tokens: tuple[str, ...]) -> None:
        for number, token in zip(seats, tokens, strict=True):
            seat = self.everyone[number]
            seat.kind, seat.token, seat.device = PERSON, token, self.number + 1
            seat.away, seat.gone = "", False
        self._withdraw(seats)

    def _withdraw(self, seats: tuple[int, ...]) -> None:
        """Some seats are no longer whose they were: what was offered or proposed about them is off."""
        self.offers = {code: offer for code, offer in self.offers.items() if not set(offer.seats) & set(seats)}
        if self.proposal and {self.proposal.about, self.proposal.asker} & set(seats):
            self.proposal = None

    def _file_game(self) -> None:
        """Keep the game that is over, if one was begun."""
        if self.play is None:
            return
        state = self.play.table.state
        first = self.games[-1].entries.stop if self.games else 0
        acted = {event.seat for event, bot in zip(self.play.table.events, self.play.acted, strict=False) if bot}
        self.games.append(
            PlayedGame(
                number=self.round,
                record=self.record(),
                seats=tuple(replace(seat) for seat in self.seats),
                ended=self.now,
                why=self.why,
                promise=self.promise,
                shares=self.shares,
                entries=slice(first, self.number + 1),
                winners=state.result.winners if state.result else (),
                standings=standings_of(state),
                stood_in=tuple(sorted(number for number in acted if self.seats[number].is_person)),
            )
        )
        self.series = series(self.games)

    # Another game

    def _accept(self, entry: entries.Accepted) -> None:
        if self.invitation is None:
            raise Illegal("Nobody has asked for another game.")
        if entry.name:
            self.invitation.newcomers.append(MatchSeat(PERSON, entry.name, token=entry.token, device=self.number + 1))
        self.invitation.declined.discard(entry.seat)
        self.invitation.strings[entry.seat] = entry.string

    def _decline(self, number: int) -> None:
        invitation = self.invitation
        if invitation is None:
            return
        invitation.strings.pop(number, None)
        invitation.declined.add(number)
        if number >= len(self.seats):
            seat = self.everyone[number]
            seat.token, seat.gone = "", True
        if not invitation.strings:
            self.invitation = None

    def _again(self, entry: entries.Again) -> None:
        self.round += 1
        self.status = Status.WAITING
        self.play = None
        self.answered.clear()
        self._clear_shares()
        if entry.seats and self.invitation:
            self._sit_down(self.invitation, entry.seats)
        else:
            self.promise, self.secret = entry.promise, bytes.fromhex(entry.secret)
            for number, seat in enumerate(self.seats):
                if seat.gone:
                    self.seats[number] = MatchSeat(OPEN)
        for seat in self.seats:
            seat.away = ""
        self.invitation = None

    def _sit_down(self, invitation: Invitation, seats: tuple[int, ...]) -> None:
        """Seat those who are in the next game; a seat that nobody had is open."""
        everyone = self.everyone
        self.promise, self.secret = invitation.promise, invitation.secret
        places = {old: new for new, old in enumerate(seats)}
        self.strings = {places[old]: string for old, string in invitation.strings.items() if string and old in places}
        self.host = places.get(self.host, -1)
        self.seats = [everyone[old] if 0 <= old < len(everyone) else MatchSeat(OPEN) for old in seats]

    def _keep(self, body: bytes) -> None:
        """Keep an entry as the store gets it."""
        self.number += 1
        self.touched = self.now
        self.unsaved.append(body)


def fold(name: str, log: Iterable[tuple[AnyEntry, int]]) -> Match:
    """The match that a log of entries and their times makes."""
    match = Match(name)
    match.read(log)
    match._tell()  # here, as long logs are folded in a thread
    return match
