"""What losses are called: the words for decisions, and for how well somebody played.

The thresholds are fitted to simulated games of the bots, by `fit_levels`. A game's own ones stand beside its code, in
`levels.json`, by number of players; where a game has none, the usual ones count.
"""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from hotdice.game import Game
from hotdice.review.report import BAD, DOUBTFUL, GOOD, VERY_BAD, Rating
from hotdice.values import Unit

WORDS: Final = ("beginner", "casual", "expert", "optimal")
"""From the weakest: the levels of bots."""
MANY: Final = 3
"""Thresholds for this number of players are those for more, too; where there are none, those for two."""
FILE: Final = "levels.json"


@dataclass(frozen=True, slots=True)
class Levels:
    """The thresholds of a game with some number of players."""

    losses: tuple[float, float, float]
    """The largest losses that are called good, doubtful and bad; best is what cannot be told from the best."""
    accuracies: tuple[float, float, float]
    """The least accuracies that are called casual, expert and optimal."""
    sure: tuple[float, float, float, float]
    """For each word from `beginner` on: in what share of simulated games it was right."""

    def quality(self, loss: float) -> str:
        """What a decision is called that lost something."""
        return (GOOD, DOUBTFUL, BAD, VERY_BAD)[bisect_left(self.losses, loss)]

    def rating(self, accuracy: float) -> Rating:
        """What somebody is called who played with that accuracy."""
        level = sum(accuracy >= least for least in self.accuracies)
        return Rating(WORDS[level], self.sure[level])


USUAL: Final[Mapping[Unit, Levels]] = {
    Unit.WIN: Levels((0.005, 0.02, 0.05), (83.0, 95.5, 99.5), (0.7, 0.7, 0.7, 0.7)),
    Unit.POINTS: Levels((1.0, 3.0, 8.0), (83.0, 95.5, 99.5), (0.7, 0.7, 0.7, 0.7)),
}
"""For games to which none were fitted. The levels lose 30, 10 and 2% of what random moves lose: a word reaches to the
geometric mean of two of these."""


def levels_of(game: Game, players: int) -> Levels:
    """The thresholds of a game."""
    unit = Unit.POINTS if players == 1 else Unit.WIN
    fitted = _read(game.folder / FILE)
    return fitted.get(min(players, MANY)) or fitted.get(min(players, 2)) or USUAL[unit]


@cache
def _read(path: Path) -> Mapping[int, Levels]:
    if not path.exists():
        return {}
    found: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return {
        int(players): Levels(tuple(one["losses"]), tuple(one["accuracies"]), tuple(one["sure"]))
        for players, one in found.items()
    }
