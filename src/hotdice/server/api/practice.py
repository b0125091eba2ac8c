"""The routes of practice: which positions there are, how they stand, and what a move in one of them is worth.

A position is shown without its values; they come with the answer. Nothing is kept here: what somebody has practised is
kept by their browser.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Annotated, Final

from fastapi import APIRouter, Depends, Path, Query, Request, Response

from hotdice.errors import HotdiceError
from hotdice.games import load_game
from hotdice.practice import decks
from hotdice.practice.cards import GRADES, Card
from hotdice.practice.decks import Deck
from hotdice.practice.progress import BOXES, mark, next_box
from hotdice.practice.words import rival, verdict
from hotdice.server import wire
from hotdice.server.api.answers import (
    ASKED,
    AT_TABLE,
    BODY,
    EVERYWHERE,
    FOREIGN,
    HELD,
    KEPT,
    NO_GAME,
    NOT_NOW,
    json_answer,
)
from hotdice.server.api.models import GameName, MoveShown, PlayerName
from hotdice.server.api.practice_models import (
    AnswerShown,
    AnswerWish,
    CardName,
    MissShown,
    Mistakes,
    PracticeDaily,
    PracticeDeck,
    PracticeDeckMade,
    PracticeDecks,
    PracticeName,
    PracticeWhy,
)
from hotdice.server.api.routes import Name, WhichGame
from hotdice.server.coach import NotReady
from hotdice.server.practising import Practice, PracticeCards, shown
from hotdice.server.refusals import Illegal, Invalid, Unavailable
from hotdice.solve.words import action_text, doing
from hotdice.table import check_name

MOST: Final = 10
"""How many positions are asked for at once."""
FIRST: Final = date(2026, 1, 1)
router = APIRouter(prefix="/api", responses=EVERYWHERE)


def practice_of(request: Request) -> Practice:
    practice: Practice = request.app.state.practice
    return practice


InPractice = Annotated[Practice, Depends(practice_of)]


@router.get("/practice/decks")
async def practice_decks(practice: InPractice) -> PracticeDecks:
    """The positions of all games that have some."""
    return PracticeDecks(decks=[PracticeDeck(game=game, cards=_names(deck)) for game, deck in practice.decks().items()])


@router.get("/practice/decks/{game}", responses={**ASKED, **NO_GAME})
async def practice_deck(game: Annotated[GameName, Path()], practice: InPractice) -> PracticeDeckMade:
    """The positions of one game. Where there are none yet, they are made."""
    try:
        deck = await practice.deck(load_game(game))
    except NotReady as wait:
        return PracticeDeckMade(ready=False, share=wait.share, cards=[])
    return PracticeDeckMade(ready=True, share=None, cards=_names(deck))


def _names(deck: Deck) -> list[PracticeName]:
    return [PracticeName(id=card.id, grade=GRADES[card.grade]) for card in deck.cards]


@router.get("/practice/daily", responses=ASKED)
async def practice_daily(
    day: Annotated[date, Query(description="The date where you are.", examples=["2026-11-18"])],
) -> PracticeDaily:
    """The five positions of a day, which are the same for everybody."""
    latest = datetime.now(UTC).date() + timedelta(1)
    if not FIRST <= day <= latest:
        raise Invalid(f"There are daily positions from {FIRST} to {latest}, not for {day}.")
    return PracticeDaily(day=day, ids=[card.id for card in decks.daily(day)])


@router.get(
    "/practice/cards",
    response_class=Response,
    responses={
        **json_answer("The positions, each as the table that a page shows: `PracticeCards`"),
        **AT_TABLE,
        **NOT_NOW,
    },
)
async def practice_cards(
    practice: InPractice,
    ids: Annotated[Sequence[CardName], Query(alias="id", min_length=1, max_length=MOST)],
    name: Annotated[PlayerName, Query(description="What whoever practises is called.")] = "",
) -> Response:
    """Positions by their names, without what their moves are worth."""
    if name:
        check_name(name)
    cards = [await _card(practice, each) for each in ids]
    found = await asyncio.to_thread(lambda: [shown(each, card, name) for each, card in zip(ids, cards, strict=True)])
    return Response(wire.encoded(PracticeCards(found)), media_type="application/json")


@router.post("/practice/answers", responses={**BODY, **AT_TABLE, **NOT_NOW, **FOREIGN})
async def practice_answer(wish: AnswerWish, practice: InPractice) -> AnswerShown:
    """Choose a move in a position: what it is worth, and all others."""
    card = await _card(practice, wish.id)
    try:
        answer = card.answer(wish.move)
    except HotdiceError as error:
        raise Illegal(str(error)) from None
    box = next_box(wish.box, right=answer.right)
    found, state = card.evaluation, card.state
    moves = [
        MoveShown(
            text=action_text(state, line), doing=doing(state, line), value=line.value, error=line.error, tied=line.tied,
            behind=line.behind, behind_error=line.behind_error,
        )
        for line in found.lines
    ]  # fmt: skip
    return AnswerShown(
        id=wish.id, move=answer.move.text, right=answer.right, loss=answer.loss, points=answer.points,
        mark=mark(answer.points), box=box, days=BOXES[box - 1] if box else 0, told=verdict(card, answer),
        unit=card.unit.value, exact=card.exact, moves=moves,
        misses=[MissShown(level=miss.level, chance=miss.chance, loss=miss.loss) for miss in card.misses],
    )  # fmt: skip


@router.get("/practice/why", responses={**AT_TABLE, **NOT_NOW})
async def practice_why(
    practice: InPractice,
    which: Annotated[CardName, Query(alias="id")],
    move: Annotated[str, Query(max_length=200, description="In notation.")],
) -> PracticeWhy:
    """Why a move in a position is good or bad, in the game's own terms."""
    card = await _card(practice, which)
    try:
        answer = card.answer(move)
    except HotdiceError as error:
        raise Illegal(str(error)) from None
    against = doing(card.state, rival(card, answer))
    try:
        told = await practice.why(card, answer.move)
    except NotReady as wait:
        return PracticeWhy(ready=False, share=wait.share, against=against, told="")
    return PracticeWhy(ready=True, share=None, against=against, told=told)


async def _card(practice: Practice, name: str) -> Card:
    try:
        return await practice.card(name)
    except NotReady:
        raise Unavailable("What moves are worth there is being worked out; ask again in a moment.") from None


@router.get("/tables/{name}/mistakes", responses={**AT_TABLE, **HELD, **NOT_NOW, **KEPT})
async def mistakes(
    name: Name,
    practice: InPractice,
    game: WhichGame = 0,
    seat: Annotated[
        Sequence[Annotated[int, Query(ge=1, le=64)]],
        Query(max_length=16, description="Whose mistakes, by the seats counted from 1; everybody's if none is named."),
    ] = (),
) -> Mistakes:
    """The mistakes in a game that is over, as positions to practise on."""
    try:
        ids = await practice.mistakes(name, game, tuple(each - 1 for each in seat))
    except NotReady as wait:
        return Mistakes(ready=False, share=wait.share, ids=[])
    return Mistakes(ready=True, share=None, ids=ids)
