"""The games of a table that are over, each with all that its own page shows, and how often everybody has won."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from msgspec import Struct

from hotdice.fair import Share
from hotdice.game import State
from hotdice.record import Record
from hotdice.server.match.seats import MatchSeat
from hotdice.view import Standing, rank


class SeriesScore(Struct, frozen=True):
    """How many games of a table somebody has won; a shared win is one for each."""

    name: str
    """Whose it is."""
    wins: int
    """How many games."""


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game that was played to its end, or given up (`why`)."""

    number: int
    record: Record
    seats: tuple[MatchSeat, ...]
    ended: int
    """When, in milliseconds."""
    why: str
    promise: str
    shares: tuple[Share, ...]
    entries: slice
    """Which entries of the table's history it is, from those that led to it to its end."""
    winners: tuple[int, ...]
    standings: tuple[Standing, ...]
    stood_in: tuple[int, ...] = ()
    """The seats of people for whom a bot decided something."""

    def state(self) -> State:
        """How it stood in the end."""
        return self.record.table([seat.at_table() for seat in self.seats]).state


def standings_of(state: State) -> tuple[Standing, ...]:
    """Where everybody stands, also in a game that did not come to its end."""
    return state.result.standings if state.result else rank(state.scores)


def series(games: Iterable[PlayedGame]) -> tuple[SeriesScore, ...]:
    """How often everybody has won who played a game against others here, the most wins first."""
    wins: Counter[str] = Counter()
    for game in games:
        if game.winners and len(game.seats) > 1:
            wins.update({seat.name: 0 for seat in game.seats})
            wins.update(game.seats[winner].name for winner in game.winners)
    return tuple(SeriesScore(name, count) for name, count in wins.most_common())
