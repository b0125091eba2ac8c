"""The routes of the book of the house: its pages, what other programs read, and deleting a name."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from fastapi import APIRouter, Depends, Query, Request, Response
from msgspec import Raw

from hotdice.book.export import FORMATS, ExportError
from hotdice.book.figures import NoSuchName
from hotdice.server.api.answers import ASKED, EVERYWHERE, FOREIGN, KEPT, NO_BOOK, NOT_NOW, json_answer
from hotdice.server.api.models import PlayerName
from hotdice.server.api.operating import is_local
from hotdice.server.book import BookKeeper, BookShown, MayNotDelete, NoBook, PlayerShown, encode
from hotdice.server.refusals import Illegal

JSON: Final = "application/json"
router = APIRouter(prefix="/api/book", responses=EVERYWHERE)
Named = Annotated[PlayerName, Query(min_length=1, description="A player's name; case and spaces make no difference")]
OrAll = Annotated[PlayerName, Query(description="The games of one player; all if empty")]


def keeper_of(request: Request) -> BookKeeper:
    keeper: BookKeeper | None = request.app.state.book
    if keeper is None:
        raise NoBook("This server keeps no book; whoever runs it can start it with --book.")
    return keeper


def may_delete(request: Request) -> bool:
    """Whether names may be deleted by whoever asks: the household, or somebody at the server's own machine."""
    return bool(request.app.state.household) or is_local(request)


Keeper = Annotated[BookKeeper, Depends(keeper_of)]
Deleting = Annotated[bool, Depends(may_delete)]


@router.get("", response_class=Response, responses={**json_answer("The book: `BookShown`"), **KEPT, **NO_BOOK})
async def book(keeper: Keeper, deleting: Deleting) -> Response:
    """The book of the house: who played, ratings, records, head to head, and whether the dice are fair."""
    await keeper.refresh_soon()
    house = Raw(await keeper.page("house"))
    return Response(encode(BookShown(keeper.reading, await keeper.unreviewed(), deleting, house)), media_type=JSON)


@router.get(
    "/player", response_class=Response, responses={**json_answer("`PlayerShown`"), **ASKED, **KEPT, **NO_BOOK}
)  # fmt: skip
async def book_player(name: Named, keeper: Keeper, deleting: Deleting) -> Response:
    """What the book has of one player."""
    await keeper.refresh_soon()
    player = Raw(await _page(keeper, "player", name))
    return Response(encode(PlayerShown(keeper.reading, await keeper.unreviewed(), deleting, player)), media_type=JSON)


@router.get(
    "/export",
    response_class=Response,
    responses={
        200: {"content": {kind: {} for kind in FORMATS.values()}, "description": "The rows, as a file"},
        **ASKED,
        **KEPT,
        **NO_BOOK,
        **NOT_NOW,
    },
)
async def book_export(
    keeper: Keeper, kind: Annotated[Literal["csv", "json", "parquet"], Query(alias="format")] = "csv", name: OrAll = ""
) -> Response:
    """A row for each seat of each game, for other programs."""
    await keeper.refresh_soon()
    try:
        body = await _page(keeper, kind, name)
    except ExportError as error:
        raise Illegal(str(error)) from None
    headers = {"Content-Disposition": f'attachment; filename="hotdice-book.{kind}"'}
    return Response(body, media_type=FORMATS[kind], headers=headers)


@router.delete(
    "/player",
    response_class=Response,
    responses={**json_answer("`NameDeleted`"), **ASKED, **KEPT, **NO_BOOK, **FOREIGN},
)
async def book_delete(name: Named, keeper: Keeper, deleting: Deleting) -> Response:
    """Take a name out of the book for good."""
    if not deleting:
        raise MayNotDelete("Only whoever runs this server deletes names: at its own machine, or with “hotdice book”.")
    await keeper.refresh_soon()
    await _page(keeper, "player", name)
    return Response(encode(await keeper.delete(name)), media_type=JSON)


async def _page(keeper: BookKeeper, what: str, name: str) -> bytes:
    try:
        return await keeper.page(what, name)
    except NoSuchName as error:
        raise NoBook(str(error)) from None
