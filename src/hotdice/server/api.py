"""The lobby over HTTP: set tables up, find them, join, leave, start, and take records out and in.

Play itself goes over the WebSocket. What a seat's owner alone may do wants its token as `Authorization: Bearer …`.
"""

from __future__ import annotations

import asyncio
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Annotated, Any, Final, Literal

from fastapi import APIRouter, Depends, Path, Query, Request, Response
from fastapi.responses import PlainTextResponse
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictInt, StrictStr

from hotdice import __version__
from hotdice.game import Game
from hotdice.games import all_games, load_game
from hotdice.players import bot_names
from hotdice.server.coach import COACHES, NotReady
from hotdice.server.entries import BOT, LOCAL, OPEN, PERSON, AnyEntry, Clock, Created, Plan
from hotdice.server.limits import Gate, address_of
from hotdice.server.match import FAIR, LONGEST, MANUAL, OFF, Match, Status, bot_name, check_bot, imported, new_token
from hotdice.server.refusals import Invalid, NoSeat, TooMuch
from hotdice.server.rooms import LETTERS, NAME_LENGTH, Room, Rooms, clean_name, now
from hotdice.table import NAME_LENGTH as LONGEST_NAME


def _told(**schema: Any) -> Any:
    """What the schema says about a text that the rules check, with a sentence of their own."""
    return Field(json_schema_extra=schema)


GameName = Annotated[str, Field(max_length=40, description="One of the names that `GET /api/games` gives.")]
BotLevel = Annotated[str, Field(max_length=40), _told(pattern=r"^\S*$")]
PlayerName = Annotated[str, Field(max_length=100), _told(maxLength=LONGEST_NAME, pattern=r"^(\S+( \S+)*)?$")]
DiceString = Annotated[
    str,
    Field(max_length=64, description="Your share in the dice: letters, digits, - and _."),
    _told(pattern="^[A-Za-z0-9_-]*$"),
]
SeatKind = Annotated[str, _told(enum=[PERSON, LOCAL, BOT, OPEN])]
Dice = Annotated[str, _told(enum=[FAIR, MANUAL])]
TableName = Annotated[str, _told(pattern=f"^[{LETTERS}]{{{NAME_LENGTH}}}$")]
Promise = Annotated[str, _told(pattern="^[0-9a-f]{64}$")]
Coach = Annotated[str, _told(enum=list(COACHES))]
Unit = Annotated[str, _told(enum=["", "win probability", "points", "round points"])]
Value = StrictBool | StrictInt | Annotated[StrictStr, Field(max_length=40)]


class NoToken(NoSeat):
    """A wish that wants a token came without one."""

    status = 401


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

    light: str
    dark: str


class GameShown(Model):
    name: GameName
    title: str
    pitch: str
    minutes: int
    min_players: int
    max_players: int
    options: list[OptionShown]
    dice: list[DieShown]
    accent: AccentShown


class Games(Model):
    games: list[GameShown]
    bots: list[str]


class SeatWish(Model):
    """A seat: you, somebody at your screen, a bot, or whoever comes."""

    kind: Literal["person", "local", "bot", "open"]
    name: PlayerName = Field("", description="Needed for people; bots get one.")
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
    dice: Literal["fair", "manual"] = "fair"
    clock: ClockWish = ClockWish(kind="off", seconds=0)
    stand_in: BotLevel = Field("", description="The bot that plays for those who are away.")
    coach: Literal["off", "ask", "always"] = Field("off", description="Whether players are told what moves are worth.")
    string: DiceString = ""
    start: bool = False


class JoinWish(Model):
    """Somebody who wants to sit down."""

    name: Annotated[PlayerName, _told(minLength=1)]
    seat: int | None = Field(None, ge=1, le=64)
    string: DiceString = ""
    id: str = Field(
        "",
        pattern=r"^([A-Za-z0-9_-]{16,64})?$",
        description="A random name for this wish: repeated with it, as when no answer came, it gives the same seat.",
    )


class StartWish(Model):
    bots: BotLevel = Field("", description="The level of the bots that fill open seats.")


class RecordWish(Model):
    """A record to go on with, and the seats in it that are yours."""

    record: str
    mine: list[Annotated[int, Field(ge=1, le=64)]] = Field([], max_length=16)
    public: bool = False


class SeatShown(Model):
    seat: int
    kind: SeatKind
    name: str
    bot: BotLevel
    present: bool
    away: BotLevel


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
    round: int
    seats: list[SeatShown]
    actor: int | None = Field(description="The seat that has to act now, counted from 1 as in `seats`.")
    created: datetime
    promise: Promise


class Tables(Model):
    tables: list[TableShown]


class Token(Model):
    """What opens a seat. Keep it: it is shown once."""

    seat: int
    token: str


class TableMade(Model):
    table: TableShown
    tokens: list[Token]


class MoveShown(Model):
    """A legal move and its value to the seat that decides."""

    text: str
    doing: str = Field(description="It in words: “keeping 3 3”; `{0}`, `{1}`, … stand for the seats' names.")
    value: float
    error: float = Field(description="A proven bound, or one standard error where the value is an estimate.")
    tied: bool = Field(description="Whether it is as good as the best one.")


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
    told: str
    moves: list[MoveShown] = Field(description="Best first; none while dice are to be rolled.")


class MomentShown(Model):
    """An event of a game, and what it changed for the seat that rolled or decided."""

    event: int = Field(description="Its number among the game's rolls and moves, counted from 0.")
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


def _problems(**texts: str) -> dict[int | str, dict[str, Any]]:
    return {int(status.strip("_")): {"model": Problem, "description": text} for status, text in texts.items()}


def _text(what: str) -> dict[int | str, dict[str, Any]]:
    return {200: {"content": {"text/plain": {"schema": {"type": "string"}}}, "description": what}}


EVERYWHERE: Final = _problems(
    _408="The request took too long to arrive",
    _413="The request is too large",
    _421="The server does not answer to that host's name",
    _429="Too much at once",
)
EVERYWHERE[429]["headers"] = {
    "Retry-After": {"description": "Seconds to wait", "schema": {"type": "integer", "minimum": 1}, "required": True}
}
ASKED: Final = _problems(_422="Something that was asked for is not possible")
KEPT: Final = _problems(_503="The database is away")
NO_GAME: Final = _problems(_404="There is no such game")
NO_TABLE: Final = _problems(_404="There is no such table")
NOT_NOW: Final = _problems(_409="Not possible at this time")
FOREIGN: Final = _problems(_403="A page of another site may not act here")
IN_SEAT: Final = _problems(
    _401="A seat's token is missing",
    _403="The token opens no seat here, or a page of another site asks",
)
IN_SEAT[401]["headers"] = {"WWW-Authenticate": {"schema": {"type": "string"}, "required": True}}
BODY: Final = _problems(_400="The body could not be read")
AT_TABLE: Final = {**ASKED, **KEPT, **NO_TABLE}
COACHED: Final = _problems(
    _403="The token opens no seat here, or the table plays without a coach",
    _404="There is no such table, or the game has no values for so many players",
    _409="No game goes on, or the server has nothing to compute values with",
    _503="The database or the coach is away",
)
LINKS: Final = {
    "links": {
        operation: {"operationId": operation, "parameters": {"name": "$response.body#/table/name"}}
        for operation in ("table", "join", "leave", "start", "rematch", "record", "advice", "moments")
    }
}
"""What can be done at a table that was set up or joined."""

router = APIRouter(prefix="/api", responses=EVERYWHERE)
Name = Annotated[
    str,
    Path(
        max_length=40,
        description="A table's name or code",
        examples=["k3x9-w7fm"],
        json_schema_extra={"pattern": f"^[ -]*([{LETTERS}{LETTERS[8:].upper()}][ -]*){{{NAME_LENGTH}}}$"},
    ),
]
WhichGame = Annotated[int, Query(ge=0, le=1_000_000, description="Which game at this table; the last one if 0")]
bearer = HTTPBearer(auto_error=False, description="A seat's token")
Credentials = Annotated[HTTPAuthorizationCredentials | None, Depends(bearer)]


def rooms_of(request: Request) -> Rooms:
    rooms: Rooms = request.app.state.rooms
    return rooms


def gate_of(request: Request) -> Gate:
    gate: Gate = request.app.state.gate
    return gate


InRooms = Annotated[Rooms, Depends(rooms_of)]
AtGate = Annotated[Gate, Depends(gate_of)]


@router.get("/health")
async def health() -> Health:
    """Whether the server answers."""
    return Health(status="ok", version=__version__)


@router.get("/games")
async def games() -> Games:
    """The games with their house rules, and the bots."""
    return Games(games=[_game(game) for game in all_games()], bots=list(bot_names()))


@router.get("/games/{game}/rules", response_class=Response, responses={**_text("The rules"), **ASKED, **NO_GAME})
async def rules(game: Annotated[GameName, Path()]) -> Response:
    """A game's rules, in Markdown."""
    return PlainTextResponse(load_game(game).rules)


@router.get("/tables", responses={**ASKED, **KEPT, **NO_GAME})
async def tables(
    rooms: InRooms,
    game: Annotated[GameName | None, Query()] = None,
    status: Annotated[Literal["waiting", "playing", "over"], Query()] = "waiting",
    limit: Annotated[int, Query(ge=1, le=50)] = 20,
    before: Annotated[
        int | None, Query(ge=0, le=1 << 53, description="Milliseconds: tables set up before then")
    ] = None,
) -> Tables:
    """Public tables, the newest first."""
    wanted = now() + 1 if before is None else before
    if game is not None:
        load_game(game)
    names = await rooms.store.listed(game=game or "", statuses=(status,), limit=limit, before=wanted)
    return Tables(tables=[await _table(await rooms.get(name)) for name in names])


@router.post(
    "/tables",
    status_code=201,
    responses={201: LINKS, **BODY, **ASKED, **KEPT, **NO_GAME, **NOT_NOW, **FOREIGN},
)
async def create(wish: TableWish, request: Request, rooms: InRooms, gate: AtGate) -> TableMade:
    """Set a table up. The tokens of your seats are in the answer, and nowhere else."""
    origin = address_of(request.scope.get("client"))
    await _allow(rooms, gate, origin, sum(seat.kind == OPEN for seat in wish.seats))
    setup = _setup(wish, origin)
    tokens = {seat: new_token() for seat, plan in enumerate(wish.seats) if plan.kind in ("person", "local")}

    def begin(match: Match) -> list[AnyEntry]:
        entries: list[AnyEntry] = []
        string = wish.string
        for seat, token in tokens.items():
            entries += match.claim(seat, setup.seats[seat].name, string, token, (seat,))
            string = ""
        if wish.start or all(plan.kind == BOT for plan in wish.seats):
            entries += match.start()
        return entries

    room = await rooms.create(setup, begin)
    return TableMade(table=await _table(room), tokens=_tokens(tokens))


@router.get("/tables/{name}", responses=AT_TABLE)
async def table(name: Name, rooms: InRooms) -> TableShown:
    """One table."""
    return await _table(await rooms.get(name))


@router.post(
    "/tables/{name}/join",
    status_code=201,
    responses={201: LINKS, **BODY, **AT_TABLE, **NOT_NOW, **FOREIGN},
)
async def join(name: Name, wish: JoinWish, request: Request, rooms: InRooms, gate: AtGate) -> TableMade:
    """Sit down. The token of your seat is in the answer, and nowhere else."""
    room = await rooms.get(name)
    gate.new(address_of(request.scope.get("client")))
    token = room.match.token_for(wish.id) if wish.id else new_token()
    wanted = None if wish.seat is None else wish.seat - 1
    await room.do(lambda match: match.join(wish.name, wish.string, token, wanted))
    return TableMade(table=await _table(room), tokens=_tokens({room.match.seat_of(token): token}))


@router.post("/tables/{name}/leave", responses={**AT_TABLE, **NOT_NOW, **IN_SEAT})
async def leave(name: Name, rooms: InRooms, credentials: Credentials = None) -> TableShown:
    """Give your seat up, and its token."""
    room = await rooms.get(name)
    await room.do(lambda match: match.leave(_seat(match, credentials)))
    return await _table(room)


@router.post("/tables/{name}/start", responses={**BODY, **AT_TABLE, **NOT_NOW, **IN_SEAT})
async def start(
    name: Name, rooms: InRooms, wish: StartWish | None = None, credentials: Credentials = None
) -> TableShown:
    """Begin; anybody who sits at the table may."""
    room = await rooms.get(name)
    level = wish.bots if wish else ""
    await room.do(lambda match: match.start(level) if _seat(match, credentials) >= 0 else [])
    return await _table(room)


@router.post("/tables/{name}/rematch", responses={**AT_TABLE, **NOT_NOW, **IN_SEAT})
async def rematch(name: Name, rooms: InRooms, credentials: Credentials = None) -> TableShown:
    """Another game at the same table, once one is over; anybody who sits there may ask for it."""
    room = await rooms.get(name)
    await room.do(lambda match: match.again(_seat(match, credentials)))
    return await _table(room)


@router.get(
    "/tables/{name}/record",
    response_class=Response,
    responses={**_text("The record"), **AT_TABLE, **NOT_NOW},
)
async def record(
    name: Name,
    rooms: InRooms,
    game: WhichGame = 0,
) -> Response:
    """The record of a game. While it goes on, the secret of its dice is hidden."""
    text = (await (await rooms.get(name)).settled()).record(game).text
    disposition = f'attachment; filename="{clean_name(name)}.hotdice"'
    return PlainTextResponse(text, headers={"Content-Disposition": disposition})


@router.get("/tables/{name}/advice", responses={**AT_TABLE, **IN_SEAT, **COACHED})
async def advice(name: Name, rooms: InRooms, credentials: Credentials = None) -> Advice:
    """What every legal move is worth, if the table agreed to have a coach; anybody who sits there may ask."""
    room = await rooms.get(name)
    match = await room.settled()
    _seat(match, credentials)
    number, actor, rolls = match.stage, match.actor, match.rolls
    try:
        found = await room.advised(match)
    except NotReady as wait:
        return Advice(
            number=number, ready=False, share=wait.share, seat=actor or 0, rolls=rolls, unit="", exact=False,
            value=None, told="", moves=[],
        )  # fmt: skip
    return Advice(
        number=number, ready=True, share=found.share, seat=actor or 0, rolls=rolls, unit=found.unit, exact=found.exact,
        value=found.value, told=found.told, moves=[MoveShown(**asdict(move)) for move in found.moves],
    )  # fmt: skip


@router.get("/tables/{name}/moments", responses={**AT_TABLE, **NOT_NOW})
async def moments(name: Name, rooms: InRooms, game: WhichGame = 0) -> Moments:
    """Where luck or a choice changed most in a game that is over."""
    room = await rooms.get(name)
    try:
        found = await room.moments(await room.settled(), game)
    except NotReady:
        return Moments(ready=False, unit="", moments=[])
    shown = [MomentShown(**asdict(moment)) for moment in found]
    return Moments(ready=True, unit=shown[0].unit if shown else "", moments=shown)


@router.post("/records", status_code=201, responses={201: LINKS, **BODY, **ASKED, **KEPT, **FOREIGN})
async def take_record(wish: RecordWish, request: Request, rooms: InRooms, gate: AtGate) -> TableMade:
    """Go on with a game that was recorded, or look at it. The other people's seats are open to be joined."""
    origin = address_of(request.scope.get("client"))
    mine = sorted({seat - 1 for seat in wish.mine})
    setup = await asyncio.to_thread(imported, wish.record, mine, public=wish.public, origin=origin)
    await _allow(rooms, gate, origin, sum(plan.kind == OPEN for plan in setup.seats))
    tokens = {seat: new_token() for seat in mine}

    def begin(match: Match) -> list[AnyEntry]:
        entries: list[AnyEntry] = []
        if match.status is Status.WAITING:
            for seat, token in tokens.items():
                entries += match.claim(seat, setup.seats[seat].name, "", token, (seat,))
            if all(plan.kind == BOT for plan in setup.seats):
                entries += match.start()
        return entries

    room = await rooms.create(setup, begin)
    return TableMade(table=await _table(room), tokens=_tokens(tokens if room.match.status is Status.WAITING else {}))


def _seat(match: Match, credentials: HTTPAuthorizationCredentials | None) -> int:
    if credentials is None:
        raise NoToken("This needs your seat's token, as “Authorization: Bearer …”.")
    return match.seat_of(credentials.credentials)


async def _allow(rooms: Rooms, gate: Gate, origin: str, seats: int) -> None:
    """Refuse an address that has too much already."""
    gate.new(origin)
    count, free = await rooms.store.going_on(origin)
    if count >= gate.limits.tables:
        raise TooMuch(f"{count} tables from your address are not over yet; finish or leave some first.", 60.0)
    if free + seats > gate.limits.open_seats:
        raise TooMuch(f"{free} seats from your address are open already; fill some first.", 60.0)


def _setup(wish: TableWish, origin: str) -> Created:
    game = load_game(wish.game)
    options = game.make_options(wish.options)
    plans: list[Plan] = []
    names = [seat.name for seat in wish.seats if seat.name]
    for seat in wish.seats:
        name = seat.name
        if seat.kind == BOT:
            check_bot(seat.bot)
            name = name or bot_name(seat.bot, names)
            names.append(name)
        elif seat.bot:
            raise Invalid("Only a seat of the kind “bot” has a bot's level.")
        elif seat.kind == OPEN and name:
            raise Invalid("An open seat has no name yet; whoever joins brings it.")
        elif seat.kind != OPEN and not name:
            raise Invalid("Everybody who plays needs a name.")
        plans.append(Plan(seat.kind, name, seat.bot))
    if sum(seat.kind == "person" for seat in wish.seats) > 1:
        raise Invalid("One seat is yours, of the kind “person”; others at your screen are “local”.")
    if wish.string and all(seat.kind in (BOT, OPEN) for seat in wish.seats):
        raise Invalid("A string is the share of somebody who plays; no seat here is yours.")
    if wish.clock.kind == OFF and wish.clock.seconds:
        raise Invalid("A clock that is off gives no seconds; leave them out, or choose soft or hard.")
    clock = Clock(wish.clock.kind, wish.clock.seconds)
    return Created(
        game.text(options), tuple(plans), wish.public, wish.dice, clock, wish.stand_in, origin=origin, coach=wish.coach
    )


def _tokens(tokens: dict[int, str]) -> list[Token]:
    return [Token(seat=seat + 1, token=token) for seat, token in tokens.items()]


async def _table(room: Room) -> TableShown:
    match = await room.settled()
    setup = match.setup
    present = room.present()
    return TableShown(
        name=match.name,
        code=f"{match.name[:4]}-{match.name[4:]}",
        game=match.game.name,
        title=match.game.title,
        options=match.options.text,
        status=match.status,
        public=setup.public,
        dice=setup.dice,
        clock=ClockWish.model_construct(kind=setup.clock.kind, seconds=setup.clock.seconds),
        stand_in=match.stand_in,
        coach=setup.coach,
        round=match.round,
        seats=[
            SeatShown(
                seat=seat + 1, kind=place.kind, name=place.name, bot=place.bot, present=seat in present, away=place.away
            )
            for seat, place in enumerate(match.places)
        ],
        actor=None if match.actor is None else match.actor + 1,
        created=datetime.fromtimestamp(match.created / 1000, UTC),
        promise=match.promise,
    )


def _game(game: Game) -> GameShown:
    return GameShown(
        name=game.name,
        title=game.title,
        pitch=game.pitch,
        minutes=game.minutes,
        min_players=game.min_players,
        max_players=game.max_players,
        options=[
            OptionShown(
                name=spec.name,
                default=spec.default,
                meaning=spec.meaning,
                accepts=spec.accepts,
                choices=list(spec.choices),
                low=spec.low,
                high=spec.high,
                step=spec.step,
            )
            for spec in game.options.specs()
        ],
        dice=[
            DieShown(
                name=die.name,
                faces=[FaceShown(code=face.code, text=face.text, name=face.name) for face in die.faces],
            )
            for die in game.dice
        ],
        accent=AccentShown(light=game.accent.light, dark=game.accent.dark),
    )
