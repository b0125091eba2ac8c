"""What all chapters count in: estimates with their errors, and the matches from which skill is told from luck."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil, sqrt
from typing import Final

import numpy as np

from hotdice import simulate
from hotdice.solve.batches import below, dice_key

SEED: Final = 2026
"""What all sampled games follow from."""
TWO_SIDED: Final = 1.96
"""Standard errors either way that leave out a twentieth."""
SURE: Final = 1.645
"""Standard errors to one side that leave out a twentieth."""

Report = Callable[[str], None]
"""Told what is being worked out."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean and its standard error; no error where it is exact."""

    value: float
    error: float = 0.0

    @property
    def within(self) -> float:
        """How far the truth may be from it in 19 of 20 cases."""
        return TWO_SIDED * self.error


@dataclass(frozen=True, slots=True)
class Match:
    """What the best play wins against another way to play, both sitting in either seat equally often."""

    rival: str
    games: int
    wins: Estimate

    @property
    def games_to_tell(self) -> int:
        """After how many games the better one is ahead with a chance of 19 in 20."""
        edge = self.wins.value - 0.5
        return ceil((SURE * sqrt(self.wins.value * (1 - self.wins.value)) / edge) ** 2) if edge > 0 else 0


@dataclass(frozen=True, slots=True)
class Seats:
    """What each seat wins of the games of so many players who all play alike."""

    players: int
    games: int
    """How many were played for it; 0 where it is exact."""
    wins: Sequence[Estimate]


def match(game: str, best: str, rival: str, games: int) -> Match:
    """So many games, each pair of them on the same dice with seats changed."""
    pairs = games // 2
    ahead = simulate(game, [best, rival], games=pairs, seed=SEED).columns["win_1"]
    behind = simulate(game, [rival, best], games=pairs, seed=SEED).columns["win_2"]
    both = (ahead + behind) / 2
    return Match(rival, 2 * pairs, Estimate(float(both.mean()), float(both.std(ddof=1) / np.sqrt(pairs))))


def seats(game: str, player: str, players: int, games: int, options: dict[str, bool | str] | None = None) -> Seats:
    """What each seat wins if all play alike."""
    found = simulate(game, [player] * players, games=games, seed=SEED, options=options)
    return Seats(players, games, [Estimate(one.mean, one.error) for one in found.win_rates])


def roll_off(game: int, players: int) -> tuple[int, int]:
    """Who begins the game of that number where dice decide it, and after how many rolls: the highest of six faces wins,
    ties are rolled again."""
    inside, turn, rolls = list(range(players)), 0, 0
    while len(inside) > 1:
        turn += 1
        rolls += len(inside)
        rolled = {seat: below(np.uint64(dice_key(SEED, game, seat, turn)), 0, 6) for seat in inside}
        inside = [seat for seat in inside if rolled[seat] == max(rolled.values())]
    return inside[0], rolls


def seats_after_roll_off(game: str, player: str, players: int, games: int) -> Seats:
    """What each place in the order of turns wins if all play alike, whoever begins by the roll-off first."""
    columns = simulate(game, [player] * players, games=games, seed=SEED).columns
    wins = np.stack([columns[f"win_{seat + 1}"] for seat in range(players)])
    first = np.array([roll_off(number, players)[0] for number in range(games)])
    shares = [wins[(first + place) % players, np.arange(games)] for place in range(players)]
    return Seats(
        players, games, [Estimate(float(one.mean()), float(one.std() / np.sqrt(games))) for one in shares]
    )  # fmt: skip
