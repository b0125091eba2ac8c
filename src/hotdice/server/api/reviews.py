"""The route of reviews: what every roll and move of a game that is over changed, and what that adds up to."""

from __future__ import annotations

import asyncio
import gzip
from typing import Final

from fastapi import APIRouter, Request, Response

from hotdice.server import wire
from hotdice.server.api.answers import EVERYWHERE, REVIEWED, json_answer
from hotdice.server.api.routes import ShownRoom, WhichGame
from hotdice.server.coach import NotReady
from hotdice.server.pages import takes_gzip
from hotdice.server.reviewing import Reviewed

router: Final = APIRouter(prefix="/api", responses=EVERYWHERE)


@router.get(
    "/tables/{name}/review",
    response_class=Response,
    responses={**json_answer("The account, as far as it is: a `Reviewed`"), **REVIEWED},
)
async def review(room: ShownRoom, request: Request, game: WhichGame = 0) -> Response:
    """The account of a game that is over: what was played, what was best, and what was luck."""
    headers = {"Vary": "Accept-Encoding"}
    try:
        body = await room.coach.review(await room.settled(), game)
    except NotReady as wait:
        return Response(wire.encoded(Reviewed(False, wait.share)), media_type="application/json", headers=headers)
    if takes_gzip(request.headers.get("accept-encoding", "")):
        headers["Content-Encoding"] = "gzip"
    else:
        body = await asyncio.to_thread(gzip.decompress, body)
    return Response(body, media_type="application/json", headers=headers)
