"""The routes of reviews: what every roll and move of a game that is over changed, and what that adds up to; every
moment of it, what might have been, and tables at which it is played on from a moment.
"""

from __future__ import annotations

import asyncio
import gzip
from typing import Annotated, Final

from fastapi import APIRouter, Query, Request, Response

from hotdice.server import wire
from hotdice.server.api.answers import (
    AT_TABLE,
    BODY,
    EVERYWHERE,
    FOREIGN,
    HELD,
    LINKS,
    NOT_NOW,
    REVIEWED,
    json_answer,
)
from hotdice.server.api.models import PlayOnWish, TableMade
from hotdice.server.api.routes import (
    AtGate,
    InRooms,
    Played,
    ShownRoom,
    WhichGame,
    WithWords,
    table_of_record,
)
from hotdice.server.coach import NotReady
from hotdice.server.match.past import going_on
from hotdice.server.pages import takes_gzip
from hotdice.server.replaying import WhatIf
from hotdice.server.reviewing import Reviewed

router: Final = APIRouter(prefix="/api", responses=EVERYWHERE)


@router.get(
    "/tables/{name}/review",
    response_class=Response,
    responses={**json_answer("The account, as far as it is: a `Reviewed`"), **REVIEWED},
)
async def review(room: ShownRoom, request: Request, game: WhichGame = 0) -> Response:
    """The account of a game that is over: what was played, what was best, and what was luck."""
    try:
        body = await room.coach.review(await room.settled(), game)
    except NotReady as wait:
        found = Reviewed(False, wait.share)
        return Response(wire.encoded(found), media_type="application/json", headers={"Vary": "Accept-Encoding"})
    return await _unpacked(body, request)


@router.get(
    "/tables/{name}/replay",
    response_class=Response,
    responses={**json_answer("The table before the first roll, and an update for each event: a `Replay`"), **AT_TABLE,
               **HELD, **NOT_NOW},
)  # fmt: skip
async def replay(room: ShownRoom, request: Request, rooms: InRooms, game: WhichGame = 0) -> Response:
    """A game that is over, moment by moment, as an onlooker would have seen it."""
    match = await room.settled()
    return await _unpacked(await rooms.replays.packed(match.name, match.finished(game)), request)


@router.get(
    "/tables/{name}/what-if",
    response_class=Response,
    responses={**json_answer("How it might have gone on: a `WhatIf`"), **AT_TABLE, **HELD, **NOT_NOW},
)
async def what_if(
    room: ShownRoom, move: Annotated[str, Query(max_length=200, description="The other move, in notation")],
    played: Played = 0, game: WhichGame = 0,
    seed: Annotated[int, Query(ge=0, le=1_000_000, description="Another one has other dice")] = 0,
) -> Response:  # fmt: skip
    """How a game that is over might have gone on after another move: played out by bots, with dice of a seed."""
    try:
        found = await room.coach.what_if(await room.settled(), game, played, move, seed)
    except NotReady as wait:
        found = WhatIf(False, wait.share)
    return Response(wire.encoded(found), media_type="application/json")


@router.post("/tables/{name}/play-on", status_code=201, responses={201: LINKS, **BODY, **AT_TABLE, **HELD, **NOT_NOW,
                                                                   **FOREIGN})  # fmt: skip
async def play_on(
    room: ShownRoom, wish: PlayOnWish, request: Request, rooms: InRooms, gate: AtGate, words: WithWords
) -> TableMade:
    """Play a game that is over on from one of its moments, against bots, at a table of its own. It begins by
    `start`."""
    match = await room.settled()
    about = match.finished(wish.game).text, wish.played, wish.seat - 1, wish.bot
    record = await rooms.replays.in_process(going_on, *about)
    return await table_of_record(request, rooms, gate, words, record, [wish.seat - 1])


async def _unpacked(body: bytes, request: Request) -> Response:
    """An answer that is kept as gzipped JSON, for clients that take it so and for others."""
    headers = {"Vary": "Accept-Encoding"}
    if takes_gzip(request.headers.get("accept-encoding", "")):
        headers["Content-Encoding"] = "gzip"
    else:
        body = await asyncio.to_thread(gzip.decompress, body)
    return Response(body, media_type="application/json", headers=headers)
