"""The answers besides a success that the lobby documents, by operation."""

from __future__ import annotations

from typing import Any, Final

from hotdice.server.api.models import Problem


def _problems(**texts: str) -> dict[int | str, dict[str, Any]]:
    return {int(status.strip("_")): {"model": Problem, "description": text} for status, text in texts.items()}


def text_answer(what: str) -> dict[int | str, dict[str, Any]]:
    return {200: {"content": {"text/plain": {"schema": {"type": "string"}}}, "description": what}}


def json_answer(what: str) -> dict[int | str, dict[str, Any]]:
    return {200: {"content": {"application/json": {"schema": {"type": "object"}}}, "description": what}}


PAD: Final[dict[int | str, dict[str, Any]]] = {
    200: {
        "content": {
            "application/pdf": {"schema": {"type": "string", "format": "binary"}},
            "image/svg+xml": {"schema": {"type": "string"}},
        },
        "description": "The pad",
    }
}
WELCOME: Final = json_answer("The table as it stood: a `Welcome` as the WebSocket has it")
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
NO_LESSON: Final = _problems(_404="There is no such game, or no lesson for it")
NO_BOOK: Final = _problems(_404="The server keeps no book, or it has no such name")
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
    _404="There is no such table, or the game has no values for that number of players",
    _409="No game goes on, or the server has nothing to compute values with",
    _503="The database or the coach is away",
)
REVIEWED: Final = {
    **AT_TABLE,
    **_problems(
        _404="There is no such table, or the game has no values for that number of players",
        _403="The game belongs to a challenge that others still want to play",
        _409="The game is not over, or the server has nothing to compute values with",
        _503="The database is away, or the review failed",
    ),
}
HELD: Final = _problems(_403="The game belongs to a challenge that others still want to play")
CHALLENGED: Final = {
    **ASKED,
    **KEPT,
    **_problems(
        _403="What was asked for is shown to those who have played the challenge",
        _404="There is no such challenge",
        _503="The database is away, or a game could not be worked through",
    ),
}
LINKS: Final = {
    "links": {
        operation: {"operationId": operation, "parameters": {"name": "$response.body#/table/name"}}
        for operation in (
            "table",
            "join",
            "leave",
            "offer",
            "take",
            "ask",
            "start",
            "rematch",
            "history",
            "record",
            "advice",
            "moments",
            "position",
            "why",
            "review",
            "replay",
        )
    }
}
"""What can be done at a table that was set up or joined."""
