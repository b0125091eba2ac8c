"""How the lobby shows what it has: games, tables, tokens."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from hotdice.game import Game
from hotdice.players import LEVELS, bot_names
from hotdice.server.api.models import (
    AccentShown,
    ClockWish,
    DieShown,
    FaceShown,
    GamePlayed,
    GameShown,
    OptionShown,
    SeatPlayed,
    SeatView,
    Series,
    TableShown,
    Token,
)
from hotdice.server.match.fold import Match, fold
from hotdice.server.match.played import PlayedGame
from hotdice.server.rooms.names import code_of
from hotdice.server.rooms.room import Room
from hotdice.server.store import decoded
from hotdice.solve import has_values


def bots_for(game: Game) -> list[str]:
    """The bots that can play a game here: the levels need to know what moves are worth."""
    return [kind for kind in bot_names() if kind not in LEVELS or has_values(game)]


def tokens_shown(tokens: dict[int, str]) -> list[Token]:
    return [Token(seat=seat + 1, token=token) for seat, token in tokens.items()]


async def table_shown(room: Room) -> TableShown:
    """A table that is in memory."""
    return match_shown(await room.settled(), room.presence.everywhere())


def log_shown(name: str, log: Sequence[tuple[bytes, int]]) -> TableShown:
    """A table that nobody is at, from its log."""
    return match_shown(fold(name, decoded(name, log)), frozenset())


def match_shown(match: Match, present: frozenset[int]) -> TableShown:
    setup = match.setup
    return TableShown(
        name=match.name,
        code=code_of(match.name),
        game=match.game.name,
        title=match.game.title,
        options=match.options.text,
        status=match.status,
        public=setup.public,
        dice=setup.dice,
        clock=ClockWish.model_construct(kind=setup.clock.kind, seconds=setup.clock.seconds),
        stand_in=match.stand_in,
        coach=setup.coach,
        challenge=match.challenge,
        round=match.round,
        seats=[
            SeatView(
                seat=number + 1,
                kind=seat.kind,
                name=seat.name,
                bot=seat.bot,
                present=number in present,
                away=seat.away,
            )
            for number, seat in enumerate(match.seats)
        ],
        actor=None if match.actor is None or match.challenge else match.actor + 1,
        created=datetime.fromtimestamp(match.created / 1000, UTC),
        promise=match.promise,
        games=[] if match.challenge else [_game_played(game) for game in match.games],
        series=[] if match.challenge else [Series(name=score.name, wins=score.wins) for score in match.series],
    )


def _game_played(game: PlayedGame) -> GamePlayed:
    found = {standing.seat: standing for standing in game.standings}
    return GamePlayed(
        number=game.number,
        ended=datetime.fromtimestamp(game.ended / 1000, UTC),
        why=game.why,
        seats=[
            SeatPlayed(
                name=seat.name,
                kind=seat.kind,
                bot=seat.bot,
                score=found[number].score,
                place=found[number].place if game.winners else 0,
            )
            for number, seat in enumerate(game.seats)
        ],
    )


def game_shown(game: Game) -> GameShown:
    return GameShown(
        name=game.name,
        title=game.title,
        pitch=game.pitch,
        minutes=game.minutes,
        min_players=game.min_players,
        max_players=game.max_players,
        accent=AccentShown(light=game.accent.light, dark=game.accent.dark),
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
        lesson=game.lesson.is_dir(),
        coach=has_values(game),
        bots=bots_for(game),
    )
