"""The routes of the lobby: set tables up, find them, join, leave, start, and take records out and in.

Play itself goes over the WebSocket. What a seat's owner alone may do needs its token as `Authorization: Bearer …`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import asdict
from typing import Annotated, Final, Literal

from fastapi import APIRouter, Depends, Path, Query, Request, Response
from fastapi.responses import PlainTextResponse
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from pydantic import Field

from hotdice.games import all_games, load_game
from hotdice.players import CALLED, bot_names, free_name
from hotdice.record import parse_record
from hotdice.server import messages, wire
from hotdice.server.api.answers import (
    ASKED,
    AT_TABLE,
    BODY,
    COACHED,
    EVERYWHERE,
    FOREIGN,
    HELD,
    IN_SEAT,
    KEPT,
    LINKS,
    NO_GAME,
    NO_LESSON,
    NOT_NOW,
    PAD,
    WELCOME,
    json_answer,
    text_answer,
)
from hotdice.server.api.lists import Lists
from hotdice.server.api.models import (
    Advice,
    AskWish,
    GameName,
    Games,
    JoinWish,
    Moments,
    MomentShown,
    MoveShown,
    OfferMade,
    OfferWish,
    PlayerName,
    PublicKey,
    RecordWish,
    RematchWish,
    StartWish,
    TableMade,
    Tables,
    TableShown,
    TableWish,
    TakeWish,
    Token,
    Why,
)
from hotdice.server.api.shown import game_shown, table_shown, tokens_shown
from hotdice.server.challenges.keeper import Challenges
from hotdice.server.coach import NotReady
from hotdice.server.entries import BOT, FIRST, OPEN, AnyEntry, Clock, Created, SeatPlan
from hotdice.server.lessons import lesson_text
from hotdice.server.limits import Gate, address_of
from hotdice.server.match import commands, company
from hotdice.server.match.fold import FAIR, OFF, OFFER_SECONDS, TURNS, Match, Status
from hotdice.server.match.past import stood
from hotdice.server.match.setup import check_bot, imported
from hotdice.server.refusals import Invalid, NoSeat, TooMuch
from hotdice.server.rooms.clock import now
from hotdice.server.rooms.names import LETTERS, NAME_LENGTH, clean_code, new_code
from hotdice.server.rooms.registry import Rooms
from hotdice.server.rooms.room import Command, Room
from hotdice.server.rooms.views import looked_at, newest, seen_then
from hotdice.server.score_pads import PadWanted, ScorePads
from hotdice.server.tokens import new_token, token_for, token_hash
from hotdice.server.words import WordList
from hotdice.table import check_name


class NoToken(NoSeat):
    """A request that needs a token came without one."""

    status = 401


LATELY: Final = 3600 * 1000
"""Milliseconds for which a game of one person against bots counts as a table that somebody plays at."""
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
EntryNumber = Annotated[int, Query(ge=0, le=1 << 31, description="The number of the move's entry in the table's log")]
Before = Annotated[int, Query(ge=0, le=1 << 31, description="Entries before that number; the newest if 0")]
Played = Annotated[int, Query(ge=0, le=1_000_000, description="How many rolls and moves of the game had been played")]
bearer = HTTPBearer(auto_error=False, description="A seat's token")
Credentials = Annotated[HTTPAuthorizationCredentials | None, Depends(bearer)]


def rooms_of(request: Request) -> Rooms:
    rooms: Rooms = request.app.state.rooms
    return rooms


def gate_of(request: Request) -> Gate:
    gate: Gate = request.app.state.gate
    return gate


def lists_of(request: Request) -> Lists:
    lists: Lists = request.app.state.lists
    return lists


def words_of(request: Request) -> WordList:
    words: WordList = request.app.state.words
    return words


def challenges_of(request: Request) -> Challenges:
    challenges: Challenges = request.app.state.challenges
    return challenges


InRooms = Annotated[Rooms, Depends(rooms_of)]
InChallenges = Annotated[Challenges, Depends(challenges_of)]
WithWords = Annotated[WordList, Depends(words_of)]
InLists = Annotated[Lists, Depends(lists_of)]
AtGate = Annotated[Gate, Depends(gate_of)]


def token_of(request: Request) -> str:
    """The token of whoever asks, where nobody needs one; what needs one has `Credentials`."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


AnyToken = Annotated[str, Depends(token_of)]


async def shown_room(name: Name, rooms: InRooms, challenges: InChallenges, token: AnyToken) -> Room:
    """A table at which whoever asks may look: a game of a challenge that is open is shown to its player alone."""
    room = await rooms.get(name)
    await challenges.check(room.match, (token,))
    return room


ShownRoom = Annotated[Room, Depends(shown_room)]


@router.get("/key")
async def key(request: Request) -> PublicKey:
    """The key by which this server signs the promises of its dice."""
    signer = rooms_of(request).signer
    return PublicKey(algorithm="Ed25519", key=signer.key if signer else "")


@router.get("/schema.json", include_in_schema=False)
def schema() -> Response:
    """The schema of all that is said over the WebSocket."""
    return Response(messages.text(), media_type="application/schema+json")


@router.get("/games")
async def games(request: Request) -> Games:
    """The games with their house rules, and the bots."""
    games = [game_shown(game) for game in all_games()]
    book = request.app.state.book is not None
    return Games(games=games, bots=list(bot_names()), called=list(CALLED), book=book)


@router.get("/games/{game}/rules", response_class=Response, responses={**text_answer("The rules"), **ASKED, **NO_GAME})
async def rules(game: Annotated[GameName, Path()]) -> Response:
    """A game's rules, in Markdown."""
    return PlainTextResponse(load_game(game).rules)


@router.get("/games/{game}/pad.{kind}", response_class=Response, responses={**PAD, **ASKED, **NO_GAME})
async def pad(
    request: Request,
    game: Annotated[GameName, Path()],
    kind: Annotated[Literal["pdf", "svg"], Path()],
    paper: Annotated[Literal["a4", "letter"], Query(description="The size of the paper")] = "a4",
    options: Annotated[
        str,
        Query(
            max_length=200,
            description="The house rules that differ from the printed ones: `target=3000,bank_roll=true`",
        ),
    ] = "",
) -> Response:
    """A game's score pad to print, by certain house rules."""
    card = load_game(game)
    pads: ScorePads = request.app.state.pads
    file = await pads.file(PadWanted(card, card.options.parse(options), kind, paper))
    media_type = "application/pdf" if kind == "pdf" else "image/svg+xml"
    headers = {"Content-Disposition": f'inline; filename="{card.name}-{paper}.{kind}"'}
    return Response(file, media_type=media_type, headers=headers)


@router.get(
    "/games/{game}/lesson",
    response_class=Response,
    responses={**json_answer("The lesson: a `LessonShown`"), **ASKED, **NO_LESSON},
)
async def lesson(
    game: Annotated[GameName, Path()],
    name: Annotated[PlayerName, Query(description="What the learner is called.")] = "",
) -> Response:
    """A guided first game: for each scene, the messages of a table at which it is played."""
    if name:
        check_name(name)
    return Response(await asyncio.to_thread(lesson_text, load_game(game), name), media_type="application/json")


@router.get("/tables", responses={**ASKED, **KEPT, **NO_GAME})
async def tables(
    rooms: InRooms,
    lists: InLists,
    game: Annotated[GameName | None, Query()] = None,
    status: Annotated[Literal["waiting", "playing", "over"], Query()] = "waiting",
    limit: Annotated[int, Query(ge=1, le=50)] = 20,
    before: Annotated[
        int | None, Query(ge=0, le=1 << 53, description="Milliseconds: tables set up before then")
    ] = None,
    name: Annotated[
        Sequence[Annotated[str, Field(max_length=40)]],
        Query(max_length=50, description="Just these tables, public or not, as far as there are such tables"),
    ] = (),
) -> Tables:
    """Public tables, the newest first, or those of certain names."""
    wanted = now() + 1 if before is None else before
    if game is not None:
        load_game(game)
    names = name or await rooms.store.listed(game=game or "", statuses=(status,), limit=limit, before=wanted)
    return Tables(tables=await lists.shown(names))


@router.post(
    "/tables",
    status_code=201,
    responses={201: LINKS, **BODY, **ASKED, **KEPT, **NO_GAME, **NOT_NOW, **FOREIGN},
)
async def create(wish: TableWish, request: Request, rooms: InRooms, gate: AtGate, words: WithWords) -> TableMade:
    """Set a table up. The tokens of your seats are in the answer, and nowhere else."""
    origin = address_of(request.scope.get("client"))
    gate.new(origin)
    setup = _setup(wish, origin)
    words.check(*(seat.name for seat in wish.seats))
    tokens = {seat: new_token() for seat, plan in enumerate(wish.seats) if plan.kind in ("person", "local")}

    def begin(match: Match) -> list[AnyEntry]:
        entries: list[AnyEntry] = []
        for seat, token in tokens.items():
            entries += commands.claim(match, seat, setup.seats[seat].name, token, (seat,))
        if wish.start or all(plan.kind == BOT for plan in wish.seats):
            entries += commands.start(match, rooms.dealer(), ())
        return entries

    room = await _create(rooms, gate, setup, begin)
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
async def join(
    name: Name, wish: JoinWish, request: Request, rooms: InRooms, gate: AtGate, words: WithWords
) -> TableMade:
    """Sit down. The token of your seat is in the answer, and nowhere else."""
    room = await rooms.get(name)
    gate.new(address_of(request.scope.get("client")))
    words.check(wish.name)
    token = token_for(room.match.setup.key, wish.id) if wish.id else new_token()
    wanted = None if wish.seat is None else wish.seat - 1
    await room.do(lambda match: commands.join(match, wish.name, token, wanted))
    return TableMade(table=await table_shown(room), tokens=tokens_shown({room.match.seat_of(token): token}))


@router.post("/tables/{name}/leave", responses={**AT_TABLE, **NOT_NOW, **IN_SEAT})
async def leave(name: Name, rooms: InRooms, credentials: Credentials = None) -> TableShown:
    """Give your seat up, and its token."""
    room = await rooms.get(name)
    await room.do(lambda match: commands.leave(match, _seat(match, credentials)))
    return await table_shown(room)


@router.post("/tables/{name}/offer", responses={**BODY, **AT_TABLE, **NOT_NOW, **IN_SEAT})
async def offer(
    name: Name, rooms: InRooms, gate: AtGate, request: Request, wish: OfferWish | None = None,
    credentials: Credentials = None,
) -> OfferMade:  # fmt: skip
    """Let another device take your seat over; the answer has a one-time code for it."""
    room = await rooms.get(name)
    gate.new(address_of(request.scope.get("client")))
    code = new_code()
    seats = {seat - 1 for seat in wish.seats} if wish else set()

    def command(match: Match) -> list[AnyEntry]:
        seat = _seat(match, credentials)
        seats.update(() if seats else (seat,))
        return company.offer(match, seat, tuple(sorted(seats)), code)

    await room.do(command)
    return OfferMade(code=code, seats=[seat + 1 for seat in sorted(seats)], seconds=OFFER_SECONDS)


@router.post("/tables/{name}/take", status_code=201, responses={201: LINKS, **BODY, **AT_TABLE, **NOT_NOW, **FOREIGN})
async def take(name: Name, wish: TakeWish, request: Request, rooms: InRooms, gate: AtGate) -> TableMade:
    """Take seats over from another device, by its one-time code. Its tokens end; yours are in the answer."""
    room = await rooms.get(name)
    gate.guess(address_of(request.scope.get("client")), room.match.name)
    key, request_id = room.match.setup.key, wish.id or new_token()
    tokens = [token_for(key, f"{request_id} {number}") for number in range(len(room.match.everyone))]
    await room.do(lambda match: company.take(match, clean_code(wish.code), tokens))
    opened = {room.match.tokens.index(token_hash(token)): token for token in tokens
              if token_hash(token) in room.match.tokens}  # fmt: skip
    return TableMade(table=await table_shown(room), tokens=tokens_shown(opened))


@router.post("/tables/{name}/ask", status_code=202, responses={**BODY, **AT_TABLE, **NOT_NOW, **FOREIGN})
async def ask(name: Name, wish: AskWish, request: Request, rooms: InRooms, gate: AtGate) -> Token:
    """Ask for the seat of somebody whose device is gone. The token opens it as soon as those at the table agree."""
    room = await rooms.get(name)
    gate.new(address_of(request.scope.get("client")))
    token = token_for(room.match.setup.key, wish.id) if wish.id else new_token()
    await room.do(lambda match: company.ask_for_seat(match, wish.seat - 1, token, room.attendance()))
    return Token(seat=wish.seat, token=token)


@router.post("/tables/{name}/start", responses={**BODY, **AT_TABLE, **NOT_NOW, **IN_SEAT})
async def start(
    name: Name, rooms: InRooms, wish: StartWish | None = None, credentials: Credentials = None
) -> TableShown:
    """Begin; anybody who sits at the table may. The next game is begun by those who are in it."""
    room = await rooms.get(name)
    wished = wish or StartWish.model_construct()

    def begin(match: Match) -> list[AnyEntry]:
        seat = _seat(match, credentials)
        present = room.presence.everywhere()
        if match.status is not Status.OVER:
            return commands.start(match, rooms.dealer(), present, wished.bots)
        return commands.begin_again(
            match, seat, present, rooms.dealer(), wished.bots, without_absent=wished.without_absent
        )

    await room.do(begin)
    return await table_shown(room)


@router.post("/tables/{name}/rematch", responses={**BODY, **AT_TABLE, **NOT_NOW, **IN_SEAT})
async def rematch(
    name: Name, rooms: InRooms, wish: RematchWish | None = None, credentials: Credentials = None
) -> TableShown:
    """Be in another game at the same table, once one is over, or not. The first who is invites the others; whoever
    watches comes in by joining. It begins by `start`."""
    room = await rooms.get(name)
    wished = wish or RematchWish.model_construct()

    def answer(match: Match) -> list[AnyEntry]:
        seat = _seat(match, credentials)
        if wished.yes:
            return commands.accept(match, seat)
        return commands.decline(match, seat)

    await room.do(answer)
    return await table_shown(room)


@router.get(
    "/tables/{name}/games/{number}",
    response_class=Response,
    responses={**WELCOME, **AT_TABLE, **HELD, **NOT_NOW},
)
async def played(
    room: ShownRoom, rooms: InRooms, number: Annotated[int, Path(ge=1, le=1_000_000, description="Which game")]
) -> Response:
    """A game of a table that is over, as it stood at its end."""
    match = await room.settled()
    seen = await rooms.replays.in_thread(looked_at, match, match.played(number))
    return Response(seen, media_type="application/json")


@router.get(
    "/tables/{name}/history",
    response_class=Response,
    responses={
        **json_answer("As `events` the entries in their order, each a `ShownEntry`"),
        **AT_TABLE,
        **HELD,
    },
)
async def history(room: ShownRoom, before: Before = 0) -> Response:
    """What happened at a table: the newest entries before a number, as many as make a page. The earlier ones are had by
    asking for those before the first of them."""
    match = await room.settled()
    events = newest(match.history[: before - 1] if before else match.history)
    return Response(wire.encoded({"events": events}), media_type="application/json")


@router.get(
    "/tables/{name}/record",
    response_class=Response,
    responses={**text_answer("The record"), **AT_TABLE, **HELD, **NOT_NOW},
)
async def record(room: ShownRoom, challenges: InChallenges, game: WhichGame = 0) -> Response:
    """The record of a game. While it goes on, or the challenge that it belongs to, the secret of its dice is hidden."""
    match = await room.settled()
    found = match.record(game)
    if match.challenge and not await challenges.is_open(match):
        found = match.revealed()
    text = found.text
    number = game or match.round
    file = match.name if number == 1 else f"{match.name}-{number}"
    disposition = f'attachment; filename="{file}.hotdice"'
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
            value=None, error=None, told="", short="", moves=[],
        )  # fmt: skip
    return Advice(
        number=number, ready=True, share=found.share, seat=actor or 0, rolls=rolls, unit=found.unit, exact=found.exact,
        value=found.value, error=found.error, told=found.told, short=found.short,
        moves=[MoveShown(**asdict(move)) for move in found.moves],
    )  # fmt: skip


@router.get("/tables/{name}/why", responses={**AT_TABLE, **HELD})
async def why(room: ShownRoom, number: EntryNumber = 0) -> Why:
    """Why a bot made a move in the game that is played here, or was played last."""
    try:
        return Why(ready=True, told=await room.coach.why(await room.settled(), number))
    except NotReady:
        return Why(ready=False, told="")


@router.get("/tables/{name}/moments", responses={**AT_TABLE, **HELD, **NOT_NOW})
async def moments(room: ShownRoom, game: WhichGame = 0) -> Moments:
    """Where luck or a choice changed most in a game that is over."""
    try:
        found = await room.coach.moments(await room.settled(), game)
    except NotReady:
        return Moments(ready=False, unit="", moments=[])
    shown = [MomentShown(**asdict(moment)) for moment in found]
    return Moments(ready=True, unit=shown[0].unit if shown else "", moments=shown)


@router.get("/tables/{name}/position", response_class=Response, responses={**WELCOME, **AT_TABLE, **HELD, **NOT_NOW})
async def position(room: ShownRoom, rooms: InRooms, played: Played = 0, game: WhichGame = 0) -> Response:
    """A game that is over, as an onlooker saw it when so many of its rolls and moves had been played."""
    match = await room.settled()
    record = match.finished(game)
    seen = await rooms.replays.in_process(_seen, match.name, record.text, played)
    return Response(seen, media_type="application/json")


def _seen(name: str, record: str, played: int) -> bytes:
    return wire.encoded(seen_then(stood(name, parse_record(record), played)))


@router.post("/records", status_code=201, responses={201: LINKS, **BODY, **ASKED, **KEPT, **FOREIGN})
async def take_record(wish: RecordWish, request: Request, rooms: InRooms, gate: AtGate, words: WithWords) -> TableMade:
    """Go on with a game that was recorded, or look at it. The other people's seats are open to be joined."""
    mine = sorted({seat - 1 for seat in wish.mine})
    return await table_of_record(request, rooms, gate, words, wish.record, mine, public=wish.public)


async def table_of_record(
    request: Request, rooms: Rooms, gate: Gate, words: WordList, record: str, mine: list[int], *, public: bool = False
) -> TableMade:
    """A table at which a recorded game goes on, or can be looked at; with tokens for `mine`, counted from 0."""
    origin = address_of(request.scope.get("client"))
    gate.new(origin)
    setup = await rooms.replays.in_process(imported, record, mine, public, origin)
    words.check(*(plan.name for plan in setup.seats))
    tokens = {seat: new_token() for seat in mine}

    def begin(match: Match) -> list[AnyEntry]:
        entries: list[AnyEntry] = []
        if match.status is Status.WAITING:
            for seat, token in tokens.items():
                entries += commands.claim(match, seat, setup.seats[seat].name, token, (seat,))
            if all(plan.kind == BOT for plan in setup.seats):
                entries += commands.start(match, rooms.dealer(), ())
        return entries

    room = await _create(rooms, gate, setup, begin)
    given = tokens if room.match.status is Status.WAITING else {}
    return TableMade(table=await table_shown(room), tokens=tokens_shown(given))


def _seat(match: Match, credentials: HTTPAuthorizationCredentials | None) -> int:
    if credentials is None:
        raise NoToken("This needs your seat's token, as “Authorization: Bearer …”.")
    return match.seat_of(credentials.credentials)


async def _create(rooms: Rooms, gate: Gate, setup: Created, begin: Command) -> Room:
    """Set a table up, unless its address has too much already."""
    async with gate.creating(setup.origin):
        await check_usage(rooms, gate, setup.origin, sum(plan.kind == OPEN for plan in setup.seats))
        return await rooms.create(setup, begin)


async def check_usage(rooms: Rooms, gate: Gate, origin: str, open_seats: int = 0) -> None:
    """Refuse another table, with so many open seats, to an address that has too much already."""
    usage = await rooms.store.going_on(origin, now() - LATELY)
    for count, most in ((usage.tables, gate.limits.tables), (usage.abandoned, gate.limits.abandoned)):
        if count >= most:
            raise TooMuch(f"{count} tables from your address are not over yet; finish or leave some first.", 60.0)
    if usage.open + open_seats > gate.limits.open_seats:
        raise TooMuch(f"{usage.open} seats from your address are already open; fill some first.", 60.0)


def _setup(wish: TableWish, origin: str) -> Created:
    game = load_game(wish.game)
    options = game.make_options(wish.options)
    plans: list[SeatPlan] = []
    names = [seat.name for seat in wish.seats if seat.name]
    for seat in wish.seats:
        name = seat.name
        if seat.kind == BOT:
            check_bot(seat.bot)
            name = name or free_name(names)
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
    if wish.clock.kind == OFF and wish.clock.seconds:
        raise Invalid("A clock that is off gives no seconds; leave them out, or choose soft or hard.")
    clock = Clock(wish.clock.kind, wish.clock.seconds)
    dice = TURNS if wish.challenge and wish.dice == FAIR else wish.dice
    return Created(
        game.text(options), tuple(plans), wish.public, dice, clock, wish.stand_in, origin=origin, coach=wish.coach,
        challenge=FIRST if wish.challenge else "",
    )  # fmt: skip
