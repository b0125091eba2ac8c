"""What challenges take and say over HTTP."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from hotdice.server.api.models import BotLevel, GameName, Model, PlayerName, Promise, RequestId, SeatKind
from hotdice.server.rooms.names import LETTERS, NAME_LENGTH

ChallengeName = Annotated[
    str,
    Field(
        json_schema_extra={"pattern": f"^([{LETTERS}]{{{NAME_LENGTH}}}|[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}})$"},
        description="The name of the table where it was played first, or the day that it is the challenge of.",
    ),
]
Standing = Literal["playing", "finished", "given up", "late"]


class TryWish(Model):
    """Somebody who wants to play a challenge. The name has one try."""

    name: Annotated[PlayerName, Field(json_schema_extra={"minLength": 1})]
    id: RequestId = ""


class ChallengeSeat(Model):
    """A seat of everybody's game. That of whoever plays has no name."""

    kind: SeatKind
    name: str
    bot: BotLevel


class ResultShown(Model):
    """What somebody made of the dice."""

    rank: int = Field(description="Among those who played to the end in time, counted from 1; 0 for all others.")
    score: int
    scores: list[int] = Field(description="Of all seats of their game, in their order.")
    place: int = Field(description="In their own game, counted from 1; 0 if it was not played to its end.")


class TryShown(Model):
    """Somebody's try. A game that was broken off still is `playing`; `late` is one that ended after the challenge."""

    number: int
    name: str
    standing: Standing
    result: ResultShown | None = Field(description="Hidden from those who may still play.")


class PromiseShown(Model):
    """What is promised of dice before they are rolled, with the server's signature, if it signs."""

    dice: str = Field(description="The name of the dice.")
    promise: Promise
    at: datetime | None
    key: str
    signature: str


class ChallengeShown(Model):
    """A challenge as it is for whoever asks."""

    name: ChallengeName
    daily: bool
    game: GameName
    title: str
    options: str = Field(description="The game with its house rules, as records have it.")
    seats: list[ChallengeSeat]
    seat: int = Field(description="The seat that everybody plays in, counted from 0.")
    maker: str = Field(description="Who played it first; nobody for the challenge of a day.")
    since: datetime
    until: datetime = Field(description="When it is over, or was: then everything about it is shown to everybody.")
    over: bool
    promise: PromiseShown
    secret: str = Field(description="The secret of the dice, once it is over.")
    tries: list[TryShown] = Field(description="In the order in which they began; with results, the best first.")
    results: bool = Field(description="Whether the results are shown to whoever asks.")
    mine: int = Field(description="The number of the try of whoever asks, or 0.")
    table: str = Field(description="The table of that try.")
    may_close: bool = Field(description="Whether whoever asks may end it before its time.")
    tomorrow: PromiseShown | None = Field(description="Of the next day's challenge, while this is today's.")
