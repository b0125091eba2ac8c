"""The routes of challenges: what they are, a try at them, and what everybody made of the same dice.

Whoever asks shows the token of the seat in which they played it, if they did; what they are told depends on it.
"""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Annotated, Final

from fastapi import APIRouter, Path, Request, Response

from hotdice.fair import TurnDice
from hotdice.games import parse_game
from hotdice.server import wire
from hotdice.server.api.answers import BODY, CHALLENGED, EVERYWHERE, FOREIGN, IN_SEAT, LINKS, NOT_NOW, json_answer
from hotdice.server.api.challenge_models import (
    ChallengeSeat,
    ChallengeShown,
    PromiseShown,
    ResultShown,
    Standing,
    TryShown,
    TryWish,
)
from hotdice.server.api.models import TableMade
from hotdice.server.api.routes import (
    AnyToken,
    AtGate,
    Credentials,
    InChallenges,
    InRooms,
    NoToken,
    WithWords,
    check_usage,
)
from hotdice.server.api.shown import table_shown, tokens_shown
from hotdice.server.challenges import days
from hotdice.server.challenges.columns import ColumnShown, Result
from hotdice.server.challenges.keeper import Challenges
from hotdice.server.challenges.log import Challenge, Try
from hotdice.server.coach import NotReady
from hotdice.server.limits import address_of
from hotdice.server.refusals import Held, Invalid
from hotdice.server.rooms.clock import now

router: Final = APIRouter(prefix="/api", responses=EVERYWHERE)
Which = Annotated[
    str,
    Path(
        max_length=40,
        description="The name of the table where it was played first, or a day",
        examples=["k3x9-w7fm", "2026-11-18"],
    ),
]


@router.get("/challenges/today", responses=CHALLENGED)
async def challenge_of_today(challenges: InChallenges, token: AnyToken) -> ChallengeShown:
    """The challenge of this day, by UTC: the same dice for everybody on this server."""
    return await _shown(challenges, await challenges.today(), token)


@router.get("/challenges/{name}", responses=CHALLENGED)
async def challenge(name: Which, challenges: InChallenges, token: AnyToken) -> ChallengeShown:
    """A challenge: of a day, or of somebody whose game is over."""
    return await _shown(challenges, await challenges.get(name), token)


@router.post(
    "/challenges/{name}/tries",
    status_code=201,
    responses={201: LINKS, **BODY, **CHALLENGED, **NOT_NOW, **FOREIGN},
)
async def challenge_try(
    name: Which, wish: TryWish, request: Request, challenges: InChallenges, rooms: InRooms, gate: AtGate,
    words: WithWords,
) -> TableMade:  # fmt: skip
    """Play a challenge: a table of your own with the same dice, and the token of your seat. A name has one try."""
    origin = address_of(request.scope.get("client"))
    gate.new(origin)
    words.check(wish.name)
    async with gate.creating(origin):
        await check_usage(rooms, gate, origin)
        room, token = await challenges.begin(name, wish.name, wish.id, origin)
    return TableMade(table=await table_shown(room), tokens=tokens_shown({room.match.seat_of(token): token}))


@router.post("/challenges/{name}/close", responses={**CHALLENGED, **NOT_NOW, **IN_SEAT})
async def challenge_close(name: Which, challenges: InChallenges, credentials: Credentials = None) -> ChallengeShown:
    """End a challenge of yours before its time, so that its secret is revealed."""
    if credentials is None:
        raise NoToken("This needs the token of your seat, as “Authorization: Bearer …”.")
    token = credentials.credentials
    return await _shown(challenges, await challenges.close(name, token), token)


@router.get(
    "/challenges/{name}/columns/{number}",
    response_class=Response,
    responses={**json_answer("`ColumnShown`"), **CHALLENGED},
)
async def challenge_column(
    name: Which,
    number: Annotated[int, Path(ge=0, le=1_000_000, description="Whose try; 0 for the best play")],
    challenges: InChallenges,
    token: AnyToken,
) -> Response:
    """What somebody made of the dice, turn by turn, or what the best play makes of them."""
    found = await challenges.get(name)
    if number > len(found.tries):
        raise Invalid(f"There is no try {number} at this challenge; its tries are numbered 1 to {len(found.tries)}.")
    if not await challenges.sees(found, token):
        raise Held("The dice are shown once you have played them, or once the challenge is over.")
    try:
        body = await challenges.column(found, number)
    except NotReady as wait:
        body = wire.encoded(ColumnShown(False, wait.share))
    return Response(body, media_type="application/json")


async def _shown(challenges: Challenges, found: Challenge, token: str) -> ChallengeShown:
    opened, dice, at = found.opened, found.dice, now()
    game, _ = parse_game(opened.game)
    sees = await challenges.sees(found, token)
    mine = await challenges.mine(found, token)
    day = days.day_of(found.name)
    over = found.is_over(at)
    return ChallengeShown(
        name=found.name,
        daily=day is not None,
        game=game.name,
        title=game.title,
        options=opened.game,
        seats=[ChallengeSeat(kind=plan.kind, name=plan.name, bot=plan.bot) for plan in opened.seats],
        seat=found.seat,
        maker=opened.maker,
        since=_time(opened.since),
        until=_time(found.until),
        over=over,
        promise=_promise(dice),
        secret=dice.secret.hex() if over else "",
        tries=_tries(found, await challenges.results(found), sees=sees),
        results=sees,
        mine=mine.number if mine else 0,
        table=mine.table if mine else "",
        may_close=mine is not None and mine.number == 1 and bool(opened.maker) and not over,
        tomorrow=await _tomorrow(challenges, day, at),
    )


async def _tomorrow(challenges: Challenges, day: date | None, at: int) -> PromiseShown | None:
    """What is promised of the next day's dice, on the page of this day."""
    if day is None or day != days.day_at(at):
        return None
    return _promise((await challenges.get((day + days.DAY).isoformat())).dice)


def _promise(dice: TurnDice) -> PromiseShown:
    signed = dice.signed
    return PromiseShown(
        dice=dice.table,
        promise=dice.commitment,
        at=_time(signed.at) if signed else None,
        key=signed.key if signed else "",
        signature=signed.signature if signed else "",
    )


def _tries(found: Challenge, results: list[Result], *, sees: bool) -> list[TryShown]:
    """All tries: with their results, the best first, for those who may see them."""
    both = list(zip(found.tries, results, strict=True))
    if not sees:
        return [_try(each, _standing(result, found.until), None) for each, result in both]
    ranked = sorted((result for result in results if _standing(result, found.until) == "finished"), key=_order)
    shown = []
    for each, result in both:
        standing = _standing(result, found.until)
        rank = 1 + [_order(other) for other in ranked].index(_order(result)) if standing == "finished" else 0
        what = ResultShown(rank=rank, score=result.score, scores=list(result.scores), place=result.place)
        shown.append(_try(each, standing, what))
    return sorted(shown, key=lambda each: (each.result.rank or len(shown) + 1) if each.result else 0)


def _try(each: Try, standing: Standing, result: ResultShown | None) -> TryShown:
    return TryShown(number=each.number, name=each.name, standing=standing, result=result)


def _standing(result: Result, until: int) -> Standing:
    if not result.ended:
        return "playing"
    if not result.finished:
        return "given up"
    return "finished" if result.ended <= until else "late"


def _order(result: Result) -> tuple[int, int]:
    """Whoever won comes first, then whoever was further ahead; those who play alone count points."""
    return result.place, -result.lead


def _time(milliseconds: int) -> datetime:
    return datetime.fromtimestamp(milliseconds / 1000, UTC)
