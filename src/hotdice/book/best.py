"""The records of the house: the highest, the longest, the luckiest, for each game under the same house rules.

They are taken from what every game offers, so a game without hot dice has no record of them. A record that nobody has
really set (nothing was ever scored or hot) is left out; of equal ones the first counts.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

from msgspec import Struct

from hotdice.book.played import GameReview, Played, Sitting, why_unrated
from hotdice.book.ratings import WIDTH

HIGHEST, LOWEST = 1, -1


class HouseRecord(Struct, frozen=True):
    """A record of the house and who holds it; one about a whole game is held by nobody."""

    kind: str
    value: float
    unit: str
    seat: int
    """Whose of the game's seats, or -1."""
    id: str
    ended: int
    luck: bool = False
    """Whether it is luck that is counted, which has a sign."""


class Shelf(Struct, frozen=True):
    """The records of a game under certain house rules."""

    game: str
    options: str
    games: int
    records: tuple[HouseRecord, ...]


OfSeat = Callable[[Played, Sitting], int | None]
OfGame = Callable[[Played], int | None]
POINTS, TURNS, TIMES, PERCENT = "points", "turns", "times", "%"


def _several(game: Played) -> bool:
    return len(game.seats) > 1


def _if(value: int, holds: bool) -> int | None:
    return value if holds else None


def _margin(game: Played) -> int | None:
    """By how many points a game was won, where the one winner has the most."""
    winners = [seat.score for seat in game.seats if seat.place == 1]
    others = [seat.score for seat in game.seats if seat.place > 1]
    if len(winners) != 1 or not others or winners[0] <= max(others):
        return None
    return winners[0] - max(others)


_SEATS: Final[tuple[tuple[str, int, str, OfSeat], ...]] = (
    ("highest total", HIGHEST, POINTS, lambda game, seat: seat.score),
    ("lowest total", LOWEST, POINTS, lambda game, seat: seat.score),
    ("lowest winning total", LOWEST, POINTS, lambda game, seat: _if(seat.score, seat.place == 1 and _several(game))),
    ("highest losing total", HIGHEST, POINTS, lambda game, seat: _if(seat.score, seat.place > 1)),
    ("best turn", HIGHEST, POINTS, lambda game, seat: seat.best_turn or None),
    ("most hot dice", HIGHEST, TIMES, lambda game, seat: seat.hot or None),
)
_GAMES: Final[tuple[tuple[str, int, str, OfGame], ...]] = (
    ("longest game", HIGHEST, TURNS, lambda game: game.turns),
    ("shortest game", LOWEST, TURNS, lambda game: game.turns),
    ("clearest win", HIGHEST, POINTS, _margin),
)


def shelves(games: Iterable[Played], reviews: Mapping[str, GameReview]) -> tuple[Shelf, ...]:
    """The records for each game and its house rules, the most played first."""
    found: dict[tuple[str, str], list[Played]] = defaultdict(list)
    for game in sorted(games, key=lambda game: (game.ended, game.id)):
        if not why_unrated(game):
            found[game.game, game.options].append(game)
    made = [
        Shelf(game, options, len(played), tuple(_records(played, reviews))) for (game, options), played in found.items()
    ]
    return tuple(sorted(made, key=lambda shelf: (-shelf.games, shelf.game, shelf.options)))


def _records(games: list[Played], reviews: Mapping[str, GameReview]) -> Iterator[HouseRecord]:
    seated = [(game, number, seat) for game in games for number, seat in enumerate(game.seats) if seat.who]
    for kind, sign, unit, of in _SEATS:
        values = [(game, number, of(game, seat)) for game, number, seat in seated]
        yield from _first(kind, sign, unit, ((game, seat, value) for game, seat, value in values if value is not None))
    for kind, sign, unit, of_game in _GAMES:
        lengths = [(game, -1, of_game(game)) for game in games]
        yield from _first(kind, sign, unit, ((game, seat, value) for game, seat, value in lengths if value is not None))
    reviewed = [
        (game, number, reviews[game.id].unit, reviews[game.id].seats[number])
        for game, number, _ in seated
        if game.id in reviews
    ]
    for unit in sorted({unit for _, _, unit, _ in reviewed}):
        for kind, sign in (("luckiest game", HIGHEST), ("unluckiest game", LOWEST)):
            sure = (  # an estimate within its error is no record
                (game, seat, found.luck)
                for game, seat, counted, found in reviewed
                if counted == unit and sign * found.luck > WIDTH * found.error
            )
            yield from _first(kind, sign, unit, sure, luck=True)
    # Of equally accurate games the one with the most decisions counts.
    by_decisions = sorted(reviewed, key=lambda found: -found[3].decisions)
    exact = ((game, seat, found.accuracy) for game, seat, _, found in by_decisions if found.accuracy)
    yield from _first("most accurate game", HIGHEST, PERCENT, exact)


def _first(
    kind: str, sign: int, unit: str, values: Iterable[tuple[Played, int, float]], *, luck: bool = False
) -> Iterator[HouseRecord]:
    """The record among some values, the first of equal ones."""
    best = max(values, key=lambda found: sign * found[2], default=None)
    if best:
        game, seat, value = best
        yield HouseRecord(kind, value, unit, seat, game.id, game.ended, luck)
