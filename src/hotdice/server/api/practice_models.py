"""What practice takes and says over HTTP."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

from pydantic import Field

from hotdice.practice.progress import BOXES
from hotdice.server.api.models import GameName, Model, MoveShown, Unit

CardName = Annotated[
    str,
    Field(
        max_length=60,
        pattern=r"^([0-9a-f]{12}|[a-z0-9]+\.[1-9][0-9]*\.[0-9]+)$",
        description="A position's name: of a deck, or of a mistake in a game as `table.game.event`.",
        examples=["0123456789ab"],
    ),
]
Grade = Literal["easy", "medium", "hard", "very hard"]


class PracticeName(Model):
    """A position to practise on, by its name, and how hard it is."""

    id: CardName
    grade: Grade


class PracticeDeck(Model):
    """The positions of one game, in the order in which they are dealt."""

    game: GameName
    cards: list[PracticeName]


class PracticeDecks(Model):
    """The positions of all games that have some."""

    decks: list[PracticeDeck]


class PracticeDeckMade(Model):
    """The positions of one game. If it is not `ready`, ask again in a moment."""

    ready: bool
    share: float | None = Field(description="How far the game is solved, if it is being solved.")
    cards: list[PracticeName]


class PracticeDaily(Model):
    """The five of a day, from the easiest to the hardest."""

    day: date
    ids: list[CardName]


class Mistakes(Model):
    """The mistakes in a game that is over, the dearest first. If it is not `ready`, ask again in a moment."""

    ready: bool
    share: float | None = Field(description="How far the game is solved, if it is being solved.")
    ids: list[CardName]


class AnswerWish(Model):
    """A move in a position to practise on."""

    id: CardName
    move: Annotated[str, Field(max_length=200, description="In notation.")]
    box: int = Field(
        0, ge=0, le=len(BOXES), description="The box that the position lies in, counted from 1; 0 if none."
    )


class MissShown(Model):
    """How a level of bots does in a position."""

    level: str
    chance: float = Field(description="How often it takes a wrong move.")
    loss: float = Field(description="What it loses on average.")


class AnswerShown(Model):
    """What a move is worth, and all others."""

    id: CardName
    move: str
    right: bool = Field(description="Whether it is as good as the best, as far as can be told.")
    loss: float = Field(description="What it is worth less than the best, in the unit; 0 if it is right.")
    points: int = Field(description="100 if it is right, 0 if it loses as much as a random move or more.")
    mark: str = Field(description="The points as a bar of one character.")
    box: int = Field(description="The box in which the position lies now, counted from 1; 0 if it need not come back.")
    days: int = Field(description="After how many days it comes back; 0 if it does not.")
    told: str = Field(description="In words; `{0}`, `{1}`, … stand for the seats' names.")
    unit: Unit
    exact: bool
    moves: list[MoveShown] = Field(description="The best first.")
    misses: list[MissShown] = Field(description="The weakest level first.")


class PracticeWhy(Model):
    """What speaks for a move and against it, beside another. If it is not `ready`, ask again in a moment."""

    ready: bool
    share: float | None = Field(description="How far it is, if that is known.")
    against: str = Field(description="The other move: the best one, or of the best one the first that is worse.")
    told: str = Field(
        description="What the move brings more and less, in the game's own terms; nothing if that says nothing.",
        examples=["19% more risk of a bust, +0.3 points this turn"],
    )
