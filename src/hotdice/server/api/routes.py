"""The routes of the lobby: set tables up, find them, join, leave, start, and take records out and in.

Play itself goes over the WebSocket. What a seat's owner alone may do needs its token as `Authorization: Bearer …`.
"""

from __future__ import annotations

import asyncio
from dataclasses import asdict
from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Path, Query, Request, Response
from fastapi.responses import PlainTextResponse
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from hotdice import __version__
from hotdice.errors import HotdiceError
from hotdice.games import all_games, load_game
from hotdice.players import bot_names
from hotdice.server.api.answers import (
    ASKED,
    AT_TABLE,
    BODY,
    COACHED,
    EVERYWHERE,
    FOREIGN,
    IN_SEAT,
    KEPT,
    LINKS,
    NO_GAME,
    NOT_NOW,
    text_answer,
)
from hotdice.server.api.models import (
    Advice,
    GameName,
    Games,
    Health,
    JoinWish,
    Moments,
    MomentShown,
    MoveShown,
    RecordWish,
    StartWish,
    TableMade,
    Tables,
    TableShown,
    TableWish,
)
from hotdice.server.api.shown import game_shown, table_shown, tokens_shown
from hotdice.server.coach import NotReady
from hotdice.server.entries import BOT, OPEN, AnyEntry, Clock, Created, SeatPlan
from hotdice.server.limits import Gate, address_of
from hotdice.server.match import commands
from hotdice.server.match.fold import OFF, Match, Status
from hotdice.server.match.setup import bot_name, check_bot, imported
from hotdice.server.refusals import Invalid, NoSeat, TooMuch, Unavailable
from hotdice.server.rooms.clock import now
from hotdice.server.rooms.names import LETTERS, NAME_LENGTH, clean_name
from hotdice.server.rooms.registry import Rooms
from hotdice.server.tokens import new_secret, new_token, token_for


class NoToken(NoSeat):
    """A request that needs a token came without one."""

    status = 401


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
    return Games(games=[game_shown(game) for game in all_games()], bots=list(bot_names()))


@router.get("/games/{game}/rules", response_class=Response, responses={**text_answer("The rules"), **ASKED, **NO_GAME})
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
    found: list[TableShown] = []
    for name in names:
        try:
            found.append(await table_shown(await rooms.get(name)))
        except Unavailable:
            raise
        except HotdiceError:  # its game came with a package that is no longer installed, say
            continue
    return Tables(tables=found)


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
            entries += commands.claim(match, seat, setup.seats[seat].name, string, token, (seat,))
            string = ""
        if wish.start or all(plan.kind == BOT for plan in wish.seats):
            entries += commands.start(match)
        return entries

    room = await rooms.create(setup, begin)
    return TableMade(table=await table_shown(room), tokens=tokens_shown(tokens))


@router.get("/tables/{name}", responses=AT_TABLE)
async def table(name: Name, rooms: InRooms) -> TableShown:
    """One table."""
    return await table_shown(await rooms.get(name))


@router.post(
    "/tables/{name}/join",
    status_code=201,
    responses={201: LINKS, **BODY, **AT_TABLE, **NOT_NOW, **FOREIGN},
)
async def join(name: Name, wish: JoinWish, request: Request, rooms: InRooms, gate: AtGate) -> TableMade:
    """Sit down. The token of your seat is in the answer, and nowhere else."""
    room = await rooms.get(name)
    gate.new(address_of(request.scope.get("client")))
    token = token_for(room.match.setup.key, wish.id) if wish.id else new_token()
    wanted = None if wish.seat is None else wish.seat - 1
    await room.do(lambda match: commands.join(match, wish.name, wish.string, token, wanted))
    return TableMade(table=await table_shown(room), tokens=tokens_shown({room.match.seat_of(token): token}))


@router.post("/tables/{name}/leave", responses={**AT_TABLE, **NOT_NOW, **IN_SEAT})
async def leave(name: Name, rooms: InRooms, credentials: Credentials = None) -> TableShown:
    """Give your seat up, and its token."""
    room = await rooms.get(name)
    await room.do(lambda match: commands.leave(match, _seat(match, credentials)))
    return await table_shown(room)


@router.post("/tables/{name}/start", responses={**BODY, **AT_TABLE, **NOT_NOW, **IN_SEAT})
async def start(
    name: Name, rooms: InRooms, wish: StartWish | None = None, credentials: Credentials = None
) -> TableShown:
    """Begin; anybody who sits at the table may."""
    room = await rooms.get(name)
    level = wish.bots if wish else ""
    await room.do(lambda match: commands.start(match, level) if _seat(match, credentials) >= 0 else [])
    return await table_shown(room)


@router.post("/tables/{name}/rematch", responses={**AT_TABLE, **NOT_NOW, **IN_SEAT})
async def rematch(name: Name, rooms: InRooms, credentials: Credentials = None) -> TableShown:
    """Another game at the same table, once one is over; anybody who sits there may ask for it."""
    room = await rooms.get(name)
    secret = new_secret()
    await room.do(lambda match: commands.again(match, _seat(match, credentials), secret))
    return await table_shown(room)


@router.get(
    "/tables/{name}/record",
    response_class=Response,
    responses={**text_answer("The record"), **AT_TABLE, **NOT_NOW},
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
    number, actor, rolls = match.state_number, match.actor, match.rolls
    try:
        found = await room.coach.advise(match)
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
        found = await room.coach.moments(await room.settled(), game)
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
                entries += commands.claim(match, seat, setup.seats[seat].name, "", token, (seat,))
            if all(plan.kind == BOT for plan in setup.seats):
                entries += commands.start(match)
        return entries

    room = await rooms.create(setup, begin)
    given = tokens if room.match.status is Status.WAITING else {}
    return TableMade(table=await table_shown(room), tokens=tokens_shown(given))


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
        raise TooMuch(f"{free} seats from your address are already open; fill some first.", 60.0)


def _setup(wish: TableWish, origin: str) -> Created:
    game = load_game(wish.game)
    options = game.make_options(wish.options)
    plans: list[SeatPlan] = []
    names = [seat.name for seat in wish.seats if seat.name]
    for seat in wish.seats:
        name = seat.name
        if seat.kind == BOT:
            check_bot(seat.bot)
            name = name or bot_name(seat.bot, names)
            names.append(name)
        elif seat.bot:
            raise Invalid("Only a seat of the kind “bot” can have a bot.")
        elif seat.kind == OPEN and name:
            raise Invalid("An open seat has no name yet; whoever joins brings it.")
        elif seat.kind != OPEN and not name:
            raise Invalid("Everybody who plays needs a name.")
        plans.append(SeatPlan(seat.kind, name, seat.bot))
    if sum(seat.kind == "person" for seat in wish.seats) > 1:
        raise Invalid("One seat is yours, of the kind “person”; others at your screen are “local”.")
    if wish.string and all(seat.kind in (BOT, OPEN) for seat in wish.seats):
        raise Invalid("A string is a player's share in the dice; no seat here is yours.")
    if wish.clock.kind == OFF and wish.clock.seconds:
        raise Invalid("A clock that is off gives no seconds; leave them out, or choose soft or hard.")
    clock = Clock(wish.clock.kind, wish.clock.seconds)
    return Created(
        game.text(options), tuple(plans), wish.public, wish.dice, clock, wish.stand_in, origin=origin, coach=wish.coach
    )
