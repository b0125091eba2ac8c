"""A game as the book has it: who played, how it ended and what was rolled, and what its review says, once there is one.

Both turn into JSON and back, for whoever keeps them.
"""

from __future__ import annotations

from collections.abc import Container
from typing import Final

from msgspec import Struct
from msgspec.json import Decoder, Encoder
from msgspec.structs import replace

from hotdice.book.names import Who, is_deleted, key_of

HERE: Final = "here"
IMPORTED: Final = "imported"
CONTINUED: Final = "continued"
PROGRAM: Final = "program"
TYPED: Final = "typed"
RECORDED: Final = "recorded"
SAME: Final = "same"
"""Dice that are the same for everybody: rolls of one player are independent, those of several are not."""


class Sitting(Struct, frozen=True, omit_defaults=True):
    """Who had a seat of a game, and how they did."""

    name: str
    """Nothing if it was deleted from the book."""
    bot: str = ""
    """The kind of bot, or nothing for a person."""
    score: int = 0
    place: int = 0
    """Counted from 1; 0 in a game that was given up."""
    amount: int = 0
    """What the seat was owed in the end, in a game that settles up."""
    stood_in: bool = False
    """Whether a bot decided something for them."""
    turns: int = 0
    best_turn: int = 0
    """The most points that one turn added to the score."""
    hot: int = 0
    """How often all dice came free again."""
    faces: dict[int, int] = {}
    """By the code of a face, how often the seat rolled it."""

    @property
    def who(self) -> Who | None:
        """Whose figures these are; nobody's if the name was deleted."""
        if self.bot:
            return Who(self.bot, bot=True)
        return Who(key_of(self.name)) if self.name else None


class Played(Struct, frozen=True, omit_defaults=True):
    """A game that was played to its end, or given up."""

    id: str
    """Where its record is: `TABLE/GAME` on a server, or the file of a saved game."""
    game: str
    options: str
    ended: int
    """When, in milliseconds."""
    seats: tuple[Sitting, ...]
    dice: str = PROGRAM
    """Who rolled: the `program`, people who `typed` real dice in, a game before it that was
    `recorded`, or the program with the `same` dice for everybody."""
    origin: str = HERE
    """Whether it was played `here` from its start, was `imported` as a record, or `continued` another game."""
    given_up: bool = False
    rolls: int = 0
    text: str = ""
    """A digest of its record: two copies of one game have the same."""
    private: bool = False
    """Whether only those who know where its record is are to find it."""

    @property
    def turns(self) -> int:
        return sum(seat.turns for seat in self.seats)

    @property
    def whos(self) -> tuple[Who | None, ...]:
        return tuple(seat.who for seat in self.seats)

    def without(self, deleted: Container[str]) -> Played:
        """The game without the names that were deleted, which are given by their digests."""
        seats = tuple(
            replace(seat, name="") if seat.name and not seat.bot and is_deleted(seat.name, deleted) else seat
            for seat in self.seats
        )
        return self if seats == self.seats else replace(self, seats=seats)


class SeatReview(Struct, frozen=True):
    """What the review of a game says of a seat."""

    accuracy: float | None
    """0 to 100; nothing without an unforced decision."""
    decisions: int
    """How many were unforced."""
    loss: float
    """What all of them lost against the best, in the unit of the review."""
    luck: float
    error: float
    """By how much the luck may be off where values are estimates."""


class GameReview(Struct, frozen=True):
    """What the book keeps of a review."""

    version: int
    unit: str
    seats: tuple[SeatReview, ...]


def why_unrated(game: Played) -> str:
    """Why a game counts neither for ratings nor for the records of the house, as a word; nothing if it does."""
    people = [seat.who for seat in game.seats if not seat.bot and seat.who]
    if game.given_up:
        return "given up"
    if game.origin != HERE:
        return game.origin
    if any(seat.stood_in for seat in game.seats):
        return "stood in"
    return "same name" if len(set(people)) < len(people) else ""


_encoder: Final = Encoder()
_games: Final = Decoder(Played)
_reviews: Final = Decoder(GameReview)
encode: Final = _encoder.encode
decode_game: Final = _games.decode
decode_review: Final = _reviews.decode
