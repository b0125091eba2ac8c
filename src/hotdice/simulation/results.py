"""Simulated games as columns, for numpy and everything that reads its arrays: pandas, polars, Arrow.

>>> import hotdice
>>> games = hotdice.simulate("bj", ["greedy", "pass:350"], games=1000, seed=1)
>>> sorted(games.columns)[:4]
['busts_1', 'busts_2', 'hot_1', 'hot_2']

`pyarrow.table(games.columns)` and `pandas.DataFrame(games.columns, copy=False)` make a table of them without copying,
and so does `polars.from_arrow(pyarrow.table(games.columns))`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hotdice.errors import HotdiceError
from hotdice.game import Move, State
from hotdice.games import load_game
from hotdice.options import Options, Value
from hotdice.simulation.clusters import Where
from hotdice.simulation.plan import Plan, prepare_again
from hotdice.simulation.runs import begin, go_on
from hotdice.simulation.tally import PARTS, Interval, Tally, shares_of
from hotdice.solve.batches import Columns, Strategy


@dataclass(frozen=True, slots=True, eq=False)
class Simulated:
    """Games that were simulated: each as a row of `columns`, and what they come to."""

    plan: Plan
    """What was played: `plan.game`, `plan.names` of the players, `plan.seed`."""
    tally: Tally
    """The sums that the games came to."""
    columns: Mapping[str, NDArray[Any]]
    """By name; seats count from 1: `game`, `win_1`, `score_1`, …, `turns`, `rolls`, and what the game counts."""

    @property
    def win_rates(self) -> tuple[Interval, ...]:
        """Each seat's share of the wins, from 0 to 1; a win that is shared counts in equal parts."""
        return tuple(seat.share() for seat in self.tally.wins)

    @property
    def scores(self) -> tuple[Interval, ...]:
        """Each seat's average score, in the game's own points."""
        return tuple(seat.interval() for seat in self.tally.scores)


def simulate(
    game: str,
    players: Sequence[str | Strategy | Callable[[State], Move]],
    *,
    games: int,
    seed: int = 0,
    options: Options | Mapping[str, Value] | None = None,
    jobs: int | None = None,
    workers: int | None = None,
    scheduler: str | None = None,
) -> Simulated:
    """Play a game many times over.

    A player is a name (`greedy`, `optimal`, a bot, or one of the game's own, such as `pass:350`), or a function from a
    state to a legal move; there is one for each seat. `jobs` says how many cores to use, all of them unless told
    otherwise. The same seed gives the same games, whatever the number of jobs, and also on the workers of Dask that are
    started here (`workers`) or belong to a `scheduler`. `HotdiceError` if a player is unknown or there are too many.
    """
    card = load_game(game)
    plan = Plan.of(card, card.make_options(options), players, seed)
    if games < 1:
        raise HotdiceError(f"At least one game has to be played, not {games}.")
    run, parts = begin(plan), list[Columns]()
    with Where(jobs, workers, scheduler).side_by_side(prepare_again(plan), plan) as mapped:
        go_on(run, games, mapped=mapped, each=parts.append)
    return Simulated(plan, run.tally, named_columns(plan, parts, 0))


def named_columns(plan: Plan, parts: Sequence[Columns], first: int) -> dict[str, NDArray[Any]]:
    """Chunks of games as one table of columns, the number of each game first."""
    statistics, seats = list(plan.statistics), range(len(plan.players))

    def joined(take: Callable[[Columns], NDArray[Any]]) -> NDArray[Any]:
        return np.concatenate([take(part) for part in parts])

    made: dict[str, NDArray[Any]] = {"game": np.arange(first, first + sum(map(len, parts)))}
    for seat in seats:
        made[f"win_{seat + 1}"] = joined(lambda part, seat=seat: shares_of(part)[:, seat] / PARTS)  # type: ignore[misc]
    for seat in seats:
        made[f"score_{seat + 1}"] = joined(lambda part, seat=seat: part.scores[:, seat])  # type: ignore[misc]
    made["turns"], made["rolls"] = joined(lambda part: part.turns), joined(lambda part: part.rolls)
    for at, name in enumerate(statistics):
        for seat in seats:
            made[f"{name}_{seat + 1}"] = joined(lambda part, at=at, seat=seat: part.counts[:, at, seat])  # type: ignore[misc]
    return made
