"""Fits the words for losses and for accuracies to simulated games of the bots, and measures what the words are worth.

`python -m hotdice.review.fit_levels GAME --players 2 --games 100` plays games in which one level has every seat, has
them reviewed, and writes the game's `levels.json`: the thresholds, how often a game of a level gets which word, and how
many games it takes to tell neighbouring levels apart. Dice and bots are seeded, so a version always finds the same.
Values should be exact or a model's: to review enough games by sampled ones takes days. `docs/review.md` defines the
figures.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from math import ceil, sqrt
from statistics import fmean, median, stdev
from typing import Any, Final

from hotdice.dice import SeededDice
from hotdice.game import OVER, Game
from hotdice.games import load_game
from hotdice.options import Options
from hotdice.players import make_player
from hotdice.review.account import review
from hotdice.review.levels import FILE, WORDS, Levels
from hotdice.review.report import MOVE, Report
from hotdice.table import Seat, Table

RANDOM: Final = "random"
"""Whose mistakes are called very bad."""
SURE: Final = 1.645
"""Standard deviations within which 95% lie on one side."""
CANDIDATES: Final = 60
"""How many accuracies are tried as each threshold."""
FEWEST: Final = 20
"""Of each level so many accuracies are needed."""
MOST_GAMES: Final = 10_000
"""Levels that are not told apart by so many games count as equal."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What is played to fit the thresholds of a game for a number of players."""

    game: Game
    players: int
    games: int
    """How many of each level."""
    options: Options


@dataclass(frozen=True, slots=True)
class Sample:
    """What the games of a level came to: of each seat with something at stake its accuracy, and every loss."""

    accuracies: tuple[float, ...]
    losses: tuple[float, ...]
    seats: int
    """How many seats played, those with nothing at stake included."""


def played(setting: Setting, kind: str, seed: int) -> Table:
    """A game with one kind of bot in every seat."""
    state = setting.game.start(setting.players, setting.options)
    seats = [Seat(f"P{seat}", make_player(kind, 1000 * seed + seat)) for seat in range(setting.players)]
    table = Table(state, seats, SeededDice(seed))
    while table.state.seat != OVER:
        table.step()
    return table


def reports(setting: Setting, kind: str, first: int = 0) -> Iterator[Report]:
    """The reviews of a level's games, seeded from `first` on."""
    for number in range(setting.games):
        yield review(played(setting, kind, first + 10_000 * (*WORDS, RANDOM).index(kind) + number))


def sample(setting: Setting, kind: str, first: int = 0) -> Sample:
    """What the games of a level come to."""
    accuracies: list[float] = []
    losses: list[float] = []
    seats = 0
    for report in reports(setting, kind, first):
        seats += report.players
        accuracies += [own.accuracy for own in report.seats if own.accuracy is not None]
        losses += [one.loss for one in report.events if one.kind == MOVE and one.loss]
    return Sample(tuple(accuracies), tuple(losses), seats)


# Fitting


def loss_thresholds(samples: Mapping[str, Sample]) -> tuple[float, ...]:
    """Where the mistakes of one level give way to those of the next weaker one: halfway between, as a ratio.

    What a mistake of a level costs is the median of its losses. Good is what mistakes of experts cost, doubtful those
    of casual bots, bad those of beginners, and very bad what random moves lose.
    """
    typical = [median(samples[kind].losses) for kind in ("expert", "casual", "beginner", RANDOM)]
    return tuple(_rounded(sqrt(low * high)) for low, high in pairwise(typical))


def accuracy_thresholds(samples: Sequence[Sequence[float]]) -> tuple[float, ...]:
    """The three accuracies between four levels, the weakest first, that name the most games rightly.

    Every level counts the same. Of thresholds that are equally good the one in the middle is taken.
    """
    pooled = sorted({accuracy for level in samples for accuracy in level})
    step = max(1, len(pooled) // CANDIDATES)
    middles = [(low + high) / 2 for low, high in pairwise(pooled[::step])]
    tried = sorted({round(middle, 2) for middle in (*middles, (pooled[-2] + pooled[-1]) / 2)})
    at_least = [[sum(value >= least for value in level) / len(level) for least in tried] for level in samples]

    def right(cut: tuple[int, ...]) -> float:
        first, second, third = cut
        return (
            (1 - at_least[0][first])
            + (at_least[1][first] - at_least[1][second])
            + (at_least[2][second] - at_least[2][third])
            + at_least[3][third]
        )

    cuts = list(combinations(range(len(tried)), len(WORDS) - 1))
    most = max(map(right, cuts))
    best = [cut for cut in cuts if right(cut) >= most - 1e-9]
    return tuple(tried[at] for at in best[len(best) // 2])


def confusion(samples: Sequence[Sequence[float]], levels: Levels) -> list[list[float]]:
    """By level and word: the share of the level's games that get that word."""
    return [
        [sum(levels.rating(value).word == word for value in level) / len(level) for word in WORDS] for level in samples
    ]


def sureness(shares: Sequence[Sequence[float]]) -> tuple[float, ...]:
    """By word: in what share of the games with that word it was right, all levels being equally frequent."""
    columns = list(zip(*shares, strict=True))
    return tuple(round(column[at] / sum(column), 2) if sum(column) else 0.0 for at, column in enumerate(columns))


def games_apart(lower: Sequence[float], higher: Sequence[float]) -> int | None:
    """In how many games two levels can be told apart by their average accuracies.

    There is an accuracy then which 95 of 100 such averages of the one are below, and 95 of the other above. None if
    that takes more games than anybody plays.
    """
    gap = fmean(higher) - fmean(lower)
    spread = stdev(lower) + stdev(higher)
    games = max(1, ceil((SURE * spread / gap) ** 2)) if gap > 0 else MOST_GAMES + 1
    return games if games <= MOST_GAMES else None


def fit(setting: Setting) -> dict[str, Any]:
    """The thresholds for a setting, and what they are worth."""
    samples = {}
    for kind in (*WORDS, RANDOM):
        samples[kind] = sample(setting, kind)
        mean = fmean(samples[kind].accuracies) if samples[kind].accuracies else 0.0
        print(f"  {kind}: {len(samples[kind].accuracies)} of {samples[kind].seats} seats, {mean:.2f}%", flush=True)
    accuracies = [samples[word].accuracies for word in WORDS]
    losses_found = [samples[kind].losses for kind in (*WORDS[:-1], RANDOM)]
    if min(map(len, (*accuracies, *losses_found))) < FEWEST:
        raise SystemExit("These games hardly ever show a mistake of some level, so nothing was fitted.")
    losses, least = loss_thresholds(samples), accuracy_thresholds(accuracies)
    shares = confusion(accuracies, Levels(losses, least, (0.0,) * 4))  # type: ignore[arg-type]
    return {
        "losses": losses,
        "accuracies": least,
        "sure": sureness(shares),
        "measured": {
            "options": setting.options.text,
            "games": setting.games,
            "at_stake": round(sum(len(level) for level in accuracies) / sum(samples[w].seats for w in WORDS), 3),
            "means": [round(fmean(level), 2) for level in accuracies],
            "deviations": [round(stdev(level), 2) for level in accuracies],
            "words": [[round(share, 3) for share in row] for row in shares],
            "games_apart": [games_apart(*pair) for pair in pairwise(accuracies)],
        },
    }


def _rounded(value: float) -> float:
    """Two figures."""
    return float(f"{value:.2g}")


def write(game: Game, found: Mapping[str, Any]) -> None:
    """Put what was found beside the game's code, with what is there for other numbers of players."""
    path = game.folder / FILE
    known = json.loads(path.read_text("utf-8")) if path.exists() else {}
    merged = dict(sorted({**known, **found}.items()))
    parts = [f"{json.dumps(players)}: {_laid_out(one)}" for players, one in merged.items()]
    path.write_text("{\n  " + ",\n  ".join(parts) + "\n}\n", "utf-8")


def _laid_out(found: Mapping[str, Any]) -> str:
    """A line for each figure."""
    measured = ",\n      ".join(f"{json.dumps(key)}: {json.dumps(value)}" for key, value in found["measured"].items())
    lines = [f"{json.dumps(key)}: {json.dumps(value)}" for key, value in found.items() if key != "measured"]
    return "{\n    " + ",\n    ".join([*lines, f'"measured": {{\n      {measured}\n    }}']) + "\n  }"


def main() -> None:
    """Fit the thresholds of a game for a number of players."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--games", type=int, default=100, help="how many of each level")
    parser.add_argument("--options", default="", help="house rules, as in target=1000")
    asked = parser.parse_args()
    game = load_game(asked.game)
    setting = Setting(game, asked.players, asked.games, game.options.parse(asked.options))
    write(game, {str(setting.players): fit(setting)})


if __name__ == "__main__":
    main()
