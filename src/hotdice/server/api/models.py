"""What the lobby takes and says: requests are wishes, everything else is shown."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictInt, StrictStr

from hotdice.server.coach import COACHES
from hotdice.server.entries import BOT, LOCAL, OPEN, PERSON
from hotdice.server.match.fold import FAIR, MANUAL, SAME, TURNS, Status
from hotdice.server.match.setup import LONGEST
from hotdice.server.rooms.names import LETTERS, NAME_LENGTH
from hotdice.table import NAME_LENGTH as LONGEST_NAME


def _schema(**schema: Any) -> Any:
    """What the schema says about a text that the rules check, and refuse with a sentence of their own."""
    return Field(json_schema_extra=schema)


GameName = Annotated[str, Field(max_length=40, description="One of the names that `GET /api/games` gives.")]
BotLevel = Annotated[str, Field(max_length=40), _schema(pattern=r"^\S*$")]
PlayerName = Annotated[str, Field(max_length=100), _schema(maxLength=LONGEST_NAME, pattern=r"^(\S+( \S+)*)?$")]
SeatKind = Annotated[str, _schema(enum=[PERSON, LOCAL, BOT, OPEN])]
Dice = Annotated[str, _schema(enum=[FAIR, SAME, TURNS, MANUAL])]
TableName = Annotated[str, _schema(pattern=f"^[{LETTERS}]{{{NAME_LENGTH}}}$")]
Colour = Annotated[str, _schema(pattern="^#[0-9a-fA-F]{6}$")]
Promise = Annotated[str, _schema(pattern="^([0-9a-f]{64})?$")]
Coach = Annotated[str, _schema(enum=list(COACHES))]
Unit = Annotated[str, _schema(enum=["", "win probability", "points", "round points"])]
RequestId = Annotated[
    str,
    Field(
        pattern=r"^([A-Za-z0-9_-]{16,64})?$",
        description="A random name for this wish: repeated with it, as when no answer came, it gives the same seat.",
    ),
]
Value = StrictBool | StrictInt | Annotated[StrictStr, Field(max_length=40)]


class Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Problem(Model):
    """What is wrong, as a word for programs and a sentence for people."""

    error: str
    message: str


class OptionShown(Model):
    name: str
    default: Value
    meaning: str
    accepts: str
    choices: list[Value]
    low: int = Field(description="Of a number, the least and the most that it may be, and in what steps; else 0, 0, 1.")
    high: int
    step: int


class FaceShown(Model):
    """A side of a die: its code in rolls, how it is typed, and its name."""

    code: int
    text: str
    name: str


class DieShown(Model):
    """A kind of die that a game is played with."""

    name: str
    faces: list[FaceShown]


class AccentShown(Model):
    """The colour that marks a game, as `#rrggbb`: on light pages and on dark ones."""

    light: Colour
    dark: Colour


class GameShown(Model):
    name: GameName
    title: str
    pitch: str
    minutes: int
    min_players: int
    max_players: int
    accent: AccentShown
    options: list[OptionShown]
    dice: list[DieShown]
    lesson: bool = Field(description="Whether there is a guided first game.")
    coach: bool = Field(description="Whether the server can work out what its moves are worth.")
    bots: list[str] = Field(description="The bots that can play it here.")


class Games(Model):
    games: list[GameShown]
    bots: list[str] = Field(description="All bots; which of them play a game stands with the game.")
    called: list[str] = Field(description="What bots are called, in the order in which they get these names.")
    book: bool = Field(description="Whether this server keeps a book of the house.")


class SeatWish(Model):
    """A seat: you, somebody at your screen, a bot, or whoever comes."""

    kind: Literal["person", "local", "bot", "open"]
    name: PlayerName = Field("", description="Needed for people; a bot without one gets one.")
    bot: BotLevel = Field("", description="A bot's level.")


class ClockWish(Model):
    """How long a decision may take."""

    kind: Literal["off", "soft", "hard"] = "off"
    seconds: int = Field(0, ge=0, le=LONGEST)


class TableWish(Model):
    """A table to be set up."""

    game: GameName
    options: dict[Annotated[str, Field(max_length=40)], Value] = Field(
        {}, max_length=40, description="House rules, by their names."
    )
    seats: list[SeatWish] = Field(min_length=1, max_length=16)
    public: bool = False
    dice: Literal["fair", "same", "manual"] = Field(
        "fair",
        description="`same` are fair dice that are the same in everybody's first turn, second turn, and so on. "
        "Whoever comes later in a round may have seen them.",
    )
    clock: ClockWish = ClockWish(kind="off", seconds=0)
    stand_in: BotLevel = Field("", description="The bot that plays for those who are away.")
    coach: Literal["off", "ask", "always"] = Field("off", description="Whether players are told what moves are worth.")
    challenge: bool = Field(
        False,
        description="Whether others can play the same dice once this game is over. One person plays it, alone or "
        "against bots; nobody else sees it until the challenge is over.",
    )
    start: bool = False


class JoinWish(Model):
    """Somebody who wants to sit down."""

    name: Annotated[PlayerName, _schema(minLength=1)]
    seat: int | None = Field(None, ge=1, le=64)
    id: RequestId = ""


class StartWish(Model):
    bots: BotLevel = Field("", description="The level of the bots that fill open seats.")
    without_absent: StrictBool = Field(
        False, description="Begin another game also if somebody who is in it is away; they are left out."
    )


class RematchWish(Model):
    """Whether somebody is in the next game at their table."""

    yes: StrictBool = True


class OfferWish(Model):
    """Seats that another device is to take over; only those that are played on one device with yours."""

    seats: list[Annotated[int, Field(ge=1, le=64)]] = Field([], max_length=16, description="Yours alone if empty.")


class TakeWish(Model):
    """A device that takes seats over."""

    code: Annotated[str, Field(max_length=40, description="The one-time code.")]
    id: RequestId = ""


class AskWish(Model):
    """A new device of somebody whose old one is gone."""

    seat: int = Field(ge=1, le=64)
    id: RequestId = ""


class RecordWish(Model):
    """A record to go on with, and the seats in it that are yours."""

    record: str
    mine: list[Annotated[int, Field(ge=1, le=64)]] = Field([], max_length=16)
    public: bool = False


class PlayOnWish(Model):
    """A moment of a game that is over, to play on from it in one of its seats."""

    game: int = Field(0, ge=0, le=1_000_000, description="Which game at this table; the last one if 0")
    played: int = Field(ge=0, le=1_000_000, description="How many rolls and moves of it had been played.")
    seat: int = Field(ge=1, le=64)
    bot: BotLevel = Field(description="The bot that has all other seats.")


class SeatView(Model):
    seat: int
    kind: SeatKind
    name: str
    bot: BotLevel
    present: bool
    away: BotLevel


class SeatPlayed(Model):
    """Where somebody ended up in a game that is over."""

    name: str
    kind: SeatKind
    bot: BotLevel
    score: int
    place: int = Field(description="Counted from 1; 0 in a game that was given up.")


class GamePlayed(Model):
    """A game of a table that is over. Its `number` is the one in the address of its page, record and moments."""

    number: int
    ended: datetime
    why: str = Field(description="Why it was given up; nothing if it was played to its end.")
    seats: list[SeatPlayed]


class Series(Model):
    """How many games of a table somebody has won."""

    name: str
    wins: int


class TableShown(Model):
    """A table as lists show it. `name` is its name in addresses, `code` the same for people."""

    name: TableName
    code: str
    game: GameName
    title: str
    options: str
    status: Status
    public: bool
    dice: Dice
    clock: ClockWish
    stand_in: BotLevel
    coach: Coach
    challenge: str = Field(description="The challenge that is played here, if one is. Lists do not show its games.")
    round: int
    seats: list[SeatView]
    actor: int | None = Field(description="The seat that has to act now, counted from 1 as in `seats`.")
    created: datetime
    promise: Promise
    games: list[GamePlayed] = Field(description="The games that are over, in their order.")
    series: list[Series] = Field(description="Over all of them, the most wins first.")


class Tables(Model):
    tables: list[TableShown]


class Token(Model):
    """What opens a seat. Keep it: it is shown once."""

    seat: int
    token: str


class OfferMade(Model):
    """What another device takes seats over with, once."""

    code: str
    seats: list[int]
    seconds: int = Field(description="For how long the code is good.")


class PublicKey(Model):
    """What the server's signatures are checked with, in hexadecimal digits; empty if it signs nothing."""

    algorithm: Literal["Ed25519"]
    key: Annotated[str, _schema(pattern="^([0-9a-f]{64})?$")]


class TableMade(Model):
    table: TableShown
    tokens: list[Token]


class MoveShown(Model):
    """A legal move and its value to the seat that decides."""

    text: str
    doing: str = Field(description="It in words: “keeping 3 3”; `{0}`, `{1}`, … stand for the seats' names.")
    value: float
    error: float = Field(description="A proven bound, or one standard error where the value is an estimate.")
    tied: bool = Field(description="Whether it is as good as the best one, as far as can be told.")
    behind: float = Field(description="What it is worth less than the first move.")
    behind_error: float = Field(description="The error of that, which is often smaller than those of the values.")


class Advice(Model):
    """What the coach says about the state of that number. If it is not `ready`, ask again in a moment."""

    number: int
    ready: bool
    share: float | None = Field(description="How far the game is solved, if it is being solved.")
    seat: int = Field(description="The seat that rolls or decides, counted from 0 as on the WebSocket.")
    rolls: bool
    unit: Unit
    exact: bool
    value: float | None = Field(description="What the state is worth to the seat: its best move, or the average roll.")
    error: float | None = Field(description="The error of that value.")
    told: str
    short: str = Field(description="What is told, in fewer words: only the best move is named.")
    moves: list[MoveShown] = Field(description="Best first; none while dice are to be rolled.")


class Why(Model):
    """Why a bot made a move, as a sentence. If it is not `ready`, ask again in a moment."""

    ready: bool
    told: str


class MomentShown(Model):
    """A turn of a game, and what its dice or its choices changed for the seat that had it."""

    first: int = Field(description="The number of its first event among the game's rolls and moves, counted from 0.")
    last: int = Field(description="That of its last one.")
    event: int = Field(description="That of the roll or the choice that changed most.")
    seat: int = Field(description="Counted from 0, as on the WebSocket.")
    told: str
    kind: Literal["luck", "choice"]
    swing: float
    error: float
    unit: str
    better: str = Field(description="What would have been best, in words, where a choice gave something away.")


class Moments(Model):
    """The moments that mattered, in the order of play. If it is not `ready`, ask again in a moment."""

    ready: bool
    unit: str
    moments: list[MomentShown]


class Health(Model):
    status: Literal["ok"]
    version: str


class CheckShown(Model):
    """Something that the server needs; `message` says what is wrong with it."""

    name: Literal["database", "redis", "disk"]
    ok: bool
    message: str


class Readiness(Model):
    """Whether the server can do its work, and what it needs for that."""

    ready: bool
    checks: list[CheckShown]
