"""Ratings: how strong everybody is in each game, and how sure that is, from the list of games alone.

Plackett-Luce by openskill: a game is the order in which its players finished. Games are taken in the order in which
they ended, so the same list always gives the same ratings, and whoever leaves the list leaves no trace. A kind of bot
is one player; where it has several seats of a game, it gets the average of what they would get.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from math import sqrt
from statistics import fmean
from typing import Final

from msgspec import Struct
from openskill.models import PlackettLuce

from hotdice.book.names import Who
from hotdice.book.played import Played, why_unrated

MEAN: Final = 25.0
"""What everybody begins with, and one standard deviation of how unsure that is; these five are openskill's own."""
DEVIATION: Final = MEAN / 3
BETA: Final = MEAN / 6
"""How much is chance: of two whose ratings are sure and lie this far apart, the stronger wins 2 of 3 games."""
KAPPA: Final = 0.0001
"""No game makes anybody's variance smaller by more than all but this share."""
TAU: Final = MEAN / 300
"""What is added to the deviation before each game, as people learn and forget."""
WIDTH: Final = 2.0
"""A rating is shown with this many standard deviations on either side: about 95%."""


class Rating(Struct, frozen=True):
    """How strong somebody is in a game: the mean and the standard deviation of what is believed."""

    mean: float = MEAN
    deviation: float = DEVIATION
    games: int = 0

    @property
    def low(self) -> float:
        return self.mean - WIDTH * self.deviation

    @property
    def high(self) -> float:
        return self.mean + WIDTH * self.deviation


class Ratings:
    """The ratings of everybody in all games, as they are now and after each game."""

    def __init__(self, games: Iterable[Played]) -> None:
        self._model = PlackettLuce(mu=MEAN, sigma=DEVIATION, beta=BETA, kappa=KAPPA, tau=TAU)
        self.now: dict[str, dict[Who, Rating]] = defaultdict(dict)
        """By the game's name."""
        self.after: dict[str, dict[Who, Rating]] = {}
        """By the id of a game that was played, those of its players once it was over."""
        for game in sorted(games, key=lambda game: (game.ended, game.id)):
            if not why_unrated(game):
                self._rate(game)

    def _rate(self, game: Played) -> None:
        """A seat whose name was deleted is left out; the others are compared with each other."""
        seats = [(seat.who, seat.place) for seat in game.seats if seat.who]
        if len({who for who, _ in seats}) < 2:
            return
        ratings = self.now[game.game]
        before = [ratings.get(who, Rating()) for who, _ in seats]
        teams = [[self._model.rating(mu=rating.mean, sigma=rating.deviation)] for rating in before]
        rated = self._model.rate(teams, ranks=[float(place) for _, place in seats])
        found: dict[Who, list[tuple[float, float]]] = defaultdict(list)
        for (who, _), (new,) in zip(seats, rated, strict=True):
            found[who].append((new.mu, new.sigma))
        for who, each in found.items():
            games = ratings.get(who, Rating()).games + 1
            mean, variance = fmean(mu for mu, _ in each), fmean(sigma**2 for _, sigma in each)
            ratings[who] = Rating(mean, sqrt(variance), games)
        self.after[game.id] = {who: ratings[who] for who in found}
