"""Practice over a network: cards as the tables of pages, without their values, and what is worked out elsewhere.

Only cards are answered: those of decks by their names, and the mistakes of games that are over by the table, the game
and the event. So nobody learns anything here about a game that goes on.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from hotdice.game import Game, Move
from hotdice.games import all_games
from hotdice.practice import decks
from hotdice.practice.cards import GRADES, Card
from hotdice.practice.decks import Deck
from hotdice.record import RecordedSeat, parse_record, record_of
from hotdice.server import wire
from hotdice.server.refusals import Refusal
from hotdice.server.stage import Stage
from hotdice.table import PERSON

if TYPE_CHECKING:
    from hotdice.server.challenges.keeper import Challenges
    from hotdice.server.rooms.registry import Rooms

BOT: Final = "expert"
"""What those who are not asked are called."""
KEPT: Final = 2000
"""The most cards of people's own games that are remembered."""
_OF_A_TABLE: Final = re.compile(r"([a-z0-9]{1,40})\.([1-9][0-9]{0,5})\.([0-9]{1,6})")


class NoPractice(Refusal):
    """A card that is not there."""

    answer = "no_card"
    status = 404


class PracticeCard(Struct, frozen=True):
    """A position to choose a move in: the table as it is found, and how hard it is. What moves are worth comes with the
    answer."""

    id: str
    game: str
    grade: str
    """`easy`, `medium`, `hard` or `very hard`."""
    phase: str
    """Where in its game it comes from: `early`, `middle` or `late`; nothing if it is a mistake of somebody's own."""
    played: str
    """The move that was made there, if it is a mistake of somebody's own."""
    welcome: wire.Welcome


class PracticeCards(Struct, frozen=True):
    """Some cards, in the order in which they were asked for."""

    cards: list[PracticeCard]


def shown(name: str, card: Card, you: str) -> PracticeCard:
    """A card as a page gets it, for somebody of that name."""
    table = card.table()
    chooser = table.state.seat
    seats = tuple(RecordedSeat(each, PERSON if seat == chooser else BOT) for seat, each in enumerate(table.names))
    record = replace(record_of(table, date(2000, 1, 1)), seats=seats, entries=())
    stage = Stage(record, you)
    for event in table.events:
        stage.play(event)
    return PracticeCard(name, card.game.name, GRADES[card.grade], card.phase, card.played, stage.welcome())


class Practice:
    """The cards of a server."""

    def __init__(self, rooms: Rooms, challenges: Challenges) -> None:
        self._rooms, self._challenges = rooms, challenges
        self._made: dict[str, Deck] = {}
        """By the game, the decks that were made here."""
        self._mistakes: OrderedDict[str, Card] = OrderedDict()
        """By their names, cards of people's own games that were asked for lately."""

    def decks(self) -> dict[str, Deck]:
        """The decks that are here, by the names of their games."""
        found = {game.name: deck for game in all_games() if (deck := decks.shipped(game))}
        return found | self._made

    async def deck(self, game: Game) -> Deck:
        """The deck of a game, made first if it has none; `NotReady` while that goes on."""
        if deck := decks.shipped(game) or self._made.get(game.name):
            return deck
        found = Deck(map(Card.from_text, await self._rooms.thinkers.make_deck(game)))
        self._made[game.name] = found
        return found

    async def card(self, name: str) -> Card:
        """The card of that name."""
        for deck in self.decks().values():
            if card := deck.get(name):
                return card
        if name in self._mistakes:
            self._mistakes.move_to_end(name)
            return self._mistakes[name]
        if not (found := _OF_A_TABLE.fullmatch(name)):
            raise NoPractice(f"There is no position “{name[:40]}” to practise on.")
        table, game, event = found.groups()
        await self.mistakes(table, int(game), (), int(event))
        if name not in self._mistakes:
            raise NoPractice(f"There is no mistake “{name[:40]}” in that game.")
        return self._mistakes[name]

    async def why(self, card: Card, move: Move) -> str:
        """What speaks for a move there and against it, in the game's own terms; `NotReady` while that is being made."""
        return await self._rooms.thinkers.reason(card.state, card.text, move.text)

    async def mistakes(self, table: str, game: int, seats: tuple[int, ...], event: int | None = None) -> list[str]:
        """The names of the cards that are the mistakes of some seats in a game that is over, the dearest first; of all
        seats if none is named, or of one event alone. `NotReady` while its values are being made."""
        match = await (await self._rooms.get(table)).settled()
        await self._challenges.check(match, ())  # whoever has played it can have them once it is over
        record = match.finished(game)
        found = await self._rooms.thinkers.mistakes(record.first_state, record.text, seats, event)
        names = []
        for at, text in found:
            name = f"{match.name}.{game or match.round}.{at}"
            self._mistakes[name] = Card.from_text(text)
            self._mistakes.move_to_end(name)
            names.append(name)
        while len(self._mistakes) > KEPT:
            self._mistakes.popitem(last=False)
        return names


# In the other processes


def make_deck(name: str) -> list[str]:
    """The deck of a game without one, card by card."""
    from hotdice.games import load_game
    from hotdice.practice.making import deck_of

    return [card.text for card in deck_of(load_game(name)).cards]


def find_reason(card: str, move: str) -> str | None:
    """What a move on a card brings more and less than its rival; None where that is to be solved first."""
    from hotdice.practice.words import reason

    found = Card.from_text(card)
    return reason(found, found.answer(move))


def find_mistakes(record: str, seats: str, event: str) -> list[tuple[int, str]]:
    """The mistakes of some seats in a recorded game, or that of one event: their events and cards."""
    from hotdice.practice.mistakes import mistakes

    table = parse_record(record).table()
    wanted = [int(seat) for seat in seats.split()] or range(len(table.seats))
    found = mistakes(table, wanted, only=int(event) if event else None)
    return [(at, card.text) for at, card in found.items()]
