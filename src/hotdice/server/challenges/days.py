"""The challenge of the day: which game it is, and when a day begins and ends. Days are those of UTC, everywhere."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Final

from hotdice.errors import DiceError
from hotdice.game import Game
from hotdice.games import all_games
from hotdice.players import GreedyPlayer, free_name
from hotdice.server.entries import BOT, PERSON, SeatPlan
from hotdice.turns import TurnCounter

DAY: Final = timedelta(days=1)


def day_at(milliseconds: int) -> date:
    """The day that a time belongs to."""
    return datetime.fromtimestamp(milliseconds / 1000, UTC).date()


def beginning(day: date) -> int:
    """When a day begins, in milliseconds since 1970."""
    return int(datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp() * 1000)


def day_of(name: str) -> date | None:
    """The day that a challenge is named after; None if it is not the challenge of a day."""
    try:
        day = date.fromisoformat(name)
    except ValueError:
        return None
    return day if day.isoformat() == name else None


def game_of(day: date) -> Game:
    """The game of a day: those take turns that somebody who does not know them yet can learn by a guided first game.
    Where there are none, all do that can be played with dice by turns."""
    games = [game for game in all_games() if _has_turns(game)]
    games = [game for game in games if game.lesson.is_dir()] or games
    return games[day.toordinal() % len(games)]


def seats_of(game: Game) -> tuple[SeatPlan, ...]:
    """One person, alone if the game can be played so, or else against as few bots as it takes.

    These are greedy ones, as their choices follow from the position alone: those of levels follow from values, which
    become exact in the course of the day in some games, and then would not be the same for everybody.
    """
    plans = [SeatPlan(PERSON)]
    while len(plans) < game.min_players:
        plans.append(SeatPlan(BOT, free_name([plan.name for plan in plans]), GreedyPlayer.kind))
    return tuple(plans)


def _has_turns(game: Game) -> bool:
    """Whether its rolls are those of its dice alone, as far as the first one tells."""
    try:
        TurnCounter().next(game.start())
    except DiceError:
        return False
    return True
