"""Everybody against everybody: every seating of the entrants, all on the same dice, and how strong that makes them.

A game with some number is played once for each seating, with the same dice. These games are one sample: what an entrant
gets in them is added up first, and errors come from how that differs from number to number. So luck that all share
drops out of every comparison, and no error takes games on the same dice to be independent.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, permutations
from math import factorial, log, perm, sqrt
from pathlib import Path
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from hotdice.errors import HotdiceError
from hotdice.game import Game, Move, State
from hotdice.games import load_game
from hotdice.options import Options, Value
from hotdice.simulation.clusters import Where
from hotdice.simulation.kept import Kept
from hotdice.simulation.plan import Plan, Policy, name_of, prepare_again
from hotdice.simulation.runs import CHUNK, COMPILED_CHUNK, FEWEST, Chunk, Mapped, chunks, play
from hotdice.simulation.tally import PARTS, TWO_SIDED, Interval, Sums, shares_of
from hotdice.solve.batches import Columns, Strategy
from hotdice.values import Progress, no_progress

MOST_SEATINGS: Final = 2000
USUAL_GAMES: Final = 1000
"""Games in each seating where nothing else is said."""
UNTIL_AT_MOST: Final = 10**8
"""Games in each seating after which a tournament ends that is to go on until its errors are small."""
ELO: Final = 400 / log(10)
"""Points of a rating for each unit of the logarithm of strength: 400 points are odds of ten to one."""
STEPS: Final = 100
"""Newton's steps at the most; some ten are enough."""
CLOSE: Final = 1e-12

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Tournament:
    """Who takes part, and how many sit at a table."""

    game: str
    """As text: `bj(dice=5)`."""
    entrants: tuple[Policy, ...]
    seats: int
    seed: int

    @classmethod
    def of(cls, game: Game, options: Options, entrants: Sequence[str | Policy], seats: int | None, seed: int) -> Self:
        """A tournament whose entrants are known, all different, and enough for a table."""
        seats = max(2, game.min_players) if seats is None else seats
        names = [one if isinstance(one, str) else name_of(one) for one in entrants]
        if twice := next((name for at, name in enumerate(names) if name in names[:at]), None):
            raise HotdiceError(f"“{twice}” takes part twice; name each entrant once.")
        if len(entrants) < max(2, seats):
            raise HotdiceError(
                f"A tournament at tables of {seats} needs at least {max(2, seats)} entrants, not {len(entrants)}; "
                "name them with --players, with commas between them."
            )
        if (found := perm(len(entrants), seats)) > MOST_SEATINGS:
            raise HotdiceError(
                f"{len(entrants)} entrants at tables of {seats} make {found:,} seatings; {MOST_SEATINGS:,} are the "
                "most: name fewer entrants, or smaller tables with --seats."
            )
        policies = Plan.of(game, options, [*entrants[:seats]], seed).players
        policies += tuple(Plan.of(game, options, [one] * seats, seed).players[0] for one in entrants[seats:])
        return cls(game.text(options), policies, seats, seed)

    @property
    def names(self) -> tuple[str, ...]:
        """What the entrants are called."""
        return tuple(map(name_of, self.entrants))

    @property
    def seatings(self) -> int:
        """In how many ways they can sit down."""
        return perm(len(self.entrants), self.seats)

    @property
    def by_score(self) -> bool:
        """Whether everybody plays alone, so that scores are compared."""
        return self.seats == 1


@cache
def plans_of(tournament: Tournament) -> tuple[tuple[tuple[int, ...], Plan], ...]:
    """Every seating, and the plan of its games."""
    return tuple(
        (seating, Plan(tournament.game, tuple(tournament.entrants[one] for one in seating), tournament.seed))
        for seating in permutations(range(len(tournament.entrants)), tournament.seats)
    )


@dataclass(slots=True)
class Standings:
    """What the games of a tournament came to, as sums of whole numbers. Entrants are numbered as they were named."""

    own: list[Sums]
    """[entrant]: what it got in all seatings with a game's number, in parts of a win, or in points."""
    products: list[list[int]]
    """[entrant][entrant]: of that, the sums of products."""
    against: list[list[Sums]]
    """[entrant][other]: what it got at tables where the other sat, too."""
    crossed: list[list[int]]
    """[entrant][other]: of that, the sums of products of both."""
    scores: list[Sums]
    """[entrant]: its score in a game."""
    by_seat: list[Sums]
    """[seat]: the parts of a win that whoever sat there got, in a game."""

    @classmethod
    def empty(cls, entrants: int, seats: int) -> Self:
        many = range(entrants)
        return cls(
            [Sums() for _ in many], [[0] * entrants for _ in many], [[Sums() for _ in many] for _ in many],
            [[0] * entrants for _ in many], [Sums() for _ in many], [Sums() for _ in range(seats)],
        )  # fmt: skip

    @property
    def games(self) -> int:
        """How many games each seating has played."""
        return self.own[0].count

    def merge(self, other: Standings) -> None:
        """Add the games of another."""
        for one, another in zip(self._sums(), other._sums(), strict=True):
            one.merge(another)
        for own, others in ((self.products, other.products), (self.crossed, other.crossed)):
            for row, rows in zip(own, others, strict=True):
                row[:] = [left + right for left, right in zip(row, rows, strict=True)]

    def _sums(self) -> list[Sums]:
        return [*self.own, *(one for row in self.against for one in row), *self.scores, *self.by_seat]


def play_all(tournament: Tournament, chunk: Chunk) -> Standings:
    """The games of a chunk in every seating."""
    entrants, seats = len(tournament.entrants), tournament.seats
    made = Standings.empty(entrants, seats)
    own = np.zeros((entrants, chunk.games), np.int64)
    against = np.zeros((entrants, entrants, chunk.games), np.int64)
    for seating, plan in plans_of(tournament):
        columns = play(Chunk(plan, chunk.first, chunk.games))
        got = _got(tournament, columns)
        for seat, entrant in enumerate(seating):
            own[entrant] += got[:, seat]
            made.scores[entrant].add(columns.scores[:, seat])
            made.by_seat[seat].add(got[:, seat])
            for other in seating:
                against[entrant, other] += got[:, seat]
    products, crossed = own @ own.T, np.einsum("abg,bag->ab", against, against)
    for entrant in range(entrants):
        made.own[entrant].add(own[entrant])
        made.products[entrant] = products[entrant].tolist()
        made.crossed[entrant] = crossed[entrant].tolist()
        for other in range(entrants):
            made.against[entrant][other].add(against[entrant, other])
    return made


def _got(tournament: Tournament, columns: Columns) -> Whole:
    """[game, seat]: the parts of a win, or where everybody plays alone the points."""
    return columns.scores.astype(np.int64) if tournament.by_score else shares_of(columns)


def play_tournament(
    game: str,
    entrants: Sequence[str | Strategy | Callable[[State], Move]],
    *,
    seats: int | None = None,
    games: int | None = None,
    until: float | None = None,
    seed: int = 0,
    options: Options | Mapping[str, Value] | None = None,
    jobs: int | None = None,
    workers: int | None = None,
    scheduler: str | None = None,
    results: Path | None = None,
    each: Callable[[Outcome], None] = lambda outcome: None,
    progress: Progress = no_progress,
) -> Outcome:
    """Play everybody against everybody, in every seating and on the same dice.

    Entrants are named as the players of `simulate` are, or are functions, and `seats` of them sit at a table: two, or
    as many as the game needs. Each seating plays `games`, a thousand unless told otherwise, or as many as it takes
    `until` nobody's result has a larger standard error. `jobs`, `workers` and `scheduler` say where, as in `simulate`.
    What the games come to is kept in the file `results`, if one is named, and a call with the same file goes on from
    there. `each` gets the outcome before the first game and after each part of the games; it is the one that is
    returned, and grows. `HotdiceError` if an entrant is unknown or comes twice, or they make too many seatings.
    """
    card = load_game(game)
    tournament = Tournament.of(card, card.make_options(options), entrants, seats, seed)
    if games is not None and games < 1:
        raise HotdiceError(f"At least one game has to be played, not {games}.")
    if until is not None and not until > 0:
        raise HotdiceError(f"A tournament goes on until a standard error above 0, not {until}.")
    most = games if games is not None else UNTIL_AT_MOST if until is not None else USUAL_GAMES
    what = {"game": tournament.game, "entrants": list(tournament.names), "seats": tournament.seats, "seed": seed}
    kept: Kept[Standings] | None = Kept(results, what) if results else None
    standings = begin(tournament, progress)
    if kept:
        standings = kept.read(standings)
    outcome = Outcome(tournament, standings)
    each(outcome)

    def keep() -> None:
        each(outcome)
        if kept:
            kept.write_now_and_then(standings)

    try:
        slowest = _slowest(tournament)
        with Where(jobs, workers, scheduler).side_by_side(prepare_again(slowest), slowest) as mapped:
            go_on(tournament, standings, most, mapped=mapped, until=until, keep=keep, progress=progress)
    finally:
        if kept:
            kept.write(standings)
    return outcome


def _slowest(tournament: Tournament) -> Plan:
    """The seating by which games are spread: one with a function, which cannot travel, or that is not compiled."""

    def ease(plan: Plan) -> tuple[bool, bool]:
        return all(isinstance(player, Strategy) for player in plan.players), prepare_again(plan).compiled

    return min((plan for _, plan in plans_of(tournament)), key=ease)


def begin(tournament: Tournament, progress: Progress = no_progress) -> Standings:
    """A tournament of which no game has been played yet; tables are loaded or solved."""
    for _, plan in plans_of(tournament):
        prepare_again(plan, progress)
    return Standings.empty(len(tournament.entrants), tournament.seats)


def compiled(tournament: Tournament) -> bool:
    """Whether all games are played compiled."""
    return all(prepare_again(plan).compiled for _, plan in plans_of(tournament))


def go_on(
    tournament: Tournament,
    standings: Standings,
    games: int,
    *,
    mapped: Mapped[Standings],
    until: float | None = None,
    keep: Callable[[], None] = lambda: None,
    progress: Progress = no_progress,
) -> None:
    """Play on until each seating has played so many games, or nobody's result has a larger standard error."""
    if until is not None and standings.games >= FEWEST and Outcome(tournament, standings).error <= until:
        return
    size = max(CHUNK, COMPILED_CHUNK // tournament.seatings) if compiled(tournament) else 1
    for part in mapped(_Everywhere(tournament), chunks(plans_of(tournament)[0][1], games, size, standings.games)):
        standings.merge(part)
        keep()
        done = standings.games / games
        if until is not None:
            error = Outcome(tournament, standings).error
            if standings.games >= FEWEST and error <= until:
                return
            done = max(done, min(1.0, (until / error) ** 2))
        progress(done)


@dataclass(frozen=True, slots=True)
class _Everywhere:
    """The work on a chunk, as something that other processes understand."""

    tournament: Tournament

    def __call__(self, chunk: Chunk) -> Standings:
        return play_all(self.tournament, chunk)


class Outcome:
    """What a tournament says of its entrants, who are numbered from 0 as they were named."""

    tournament: Tournament
    """What was played: `tournament.names` of the entrants, `tournament.seatings`, `tournament.seed`."""

    def __init__(self, tournament: Tournament, standings: Standings) -> None:
        self.tournament, self._standings = tournament, standings
        entrants, seats = len(tournament.entrants), tournament.seats
        tables = perm(entrants - 1, seats - 1) * seats
        self._unit = tables * (1 if tournament.by_score else PARTS)
        """What an entrant would get with every game's number if it won everywhere, or a point everywhere."""

    @property
    def games(self) -> int:
        """How many games each seating has played."""
        return self._standings.games

    @property
    def results(self) -> tuple[Interval, ...]:
        """Each entrant's share of the wins of its games, or its score."""
        return tuple(own.interval(self._unit) for own in self._standings.own)

    @property
    def error(self) -> float:
        """The largest standard error of a result."""
        return max(one.error for one in self.results)

    @property
    def by_seat(self) -> tuple[Interval, ...]:
        """What each seat won, all entrants having sat in it equally often."""
        return tuple(seat.interval(PARTS) for seat in self._standings.by_seat)

    @property
    def scores(self) -> tuple[Interval, ...]:
        """Each entrant's score. Games on the same dice count as independent here, so errors are rough."""
        return tuple(seat.interval() for seat in self._standings.scores)

    @property
    def order(self) -> tuple[int, ...]:
        """The entrants, those with the most first."""
        return tuple(sorted(range(len(self.results)), key=lambda one: -self._standings.own[one].total))

    def apart(self, one: int, other: int) -> Interval:
        """How much more one has than the other, on the same dice."""
        found, games = self._covariance(), self._standings.games
        mean = (self._standings.own[one].total - self._standings.own[other].total) / games / self._unit
        spread = found[one, one] + found[other, other] - 2 * found[one, other]
        return _interval(mean, _error(spread, games) / self._unit)

    def place(self, entrant: int) -> tuple[int, int]:
        """The best and the worst place that it can have: others who are certainly better come before it."""
        others = [self.apart(entrant, other) for other in range(len(self.results)) if other != entrant]
        return 1 + sum(one.high < 0 for one in others), 1 + sum(one.low <= 0 for one in others)

    def against(self, one: int, other: int) -> Interval:
        """Of the wins that two had at tables where both sat, the first one's share; alone, the difference in points."""
        if self.tournament.by_score:
            return self.apart(one, other)
        mine, theirs = self._standings.against[one][other], self._standings.against[other][one]
        games, both = mine.count, mine.total + theirs.total
        if not both:
            return Interval(0.5, 0.5, 0.0, 1.0)
        share = mine.total / both
        # The ratio of two means, by the delta method: what is left of mine after a share of both is taken away.
        crossed = self._standings.crossed[one][other]
        left = mine.squares * (1 - share) ** 2 - 2 * share * (1 - share) * crossed + theirs.squares * share**2
        error = sqrt(max(left, 0.0)) / both if left else 1 / games
        return Interval(share, error, max(0.0, share - TWO_SIDED * error), min(1.0, share + TWO_SIDED * error))

    def ratings(self) -> tuple[Interval, ...]:
        """Strengths by which everybody wins with a chance in proportion, as Elo points around an average of 0.

        They are the most likely ones by Luce's choice axiom (Bradley and Terry's model where two play). Errors come
        from how results differ from number to number, so they hold where the model does not (White's sandwich). One
        more game in every seating, shared by all, keeps them finite.
        """
        entrants, seats, games = len(self.tournament.entrants), self.tournament.seats, self._standings.games
        tables = [list(table) for table in combinations(range(entrants), seats)]
        shared = perm(entrants - 1, seats - 1)
        won = (np.array([own.total for own in self._standings.own]) / PARTS + shared) / (games + 1)
        strengths = np.zeros(entrants)
        for _ in range(STEPS):
            expected, information = _expected(strengths, tables)
            step = np.linalg.pinv(information) @ (won - expected)
            strengths += step / max(1.0, float(np.abs(step).max()))
            if np.abs(step).max() < CLOSE:
                break
        inverse = np.linalg.pinv(_expected(strengths, tables)[1])
        spread = inverse @ (self._covariance() / PARTS**2) @ inverse
        errors = np.sqrt(np.maximum(np.diag(spread), 0.0) / games)
        return tuple(
            _interval(float(at) * ELO, float(error) * ELO) for at, error in zip(strengths, errors, strict=True)
        )

    def _covariance(self) -> Floats:
        """Of what two entrants get with a game's number, in whole units."""
        games, own = self._standings.games, [one.total for one in self._standings.own]
        most = games * max(games - 1, 1)
        return np.array(
            [
                [(product * games - left * right) / most for product, right in zip(row, own, strict=True)]
                for row, left in zip(self._standings.products, own, strict=True)
            ]
        )


def _expected(strengths: Floats, tables: Sequence[list[int]]) -> tuple[Floats, Floats]:
    """What everybody wins with one game in each seating by such strengths, and how that changes with them."""
    weights = np.exp(strengths)
    expected, information = np.zeros(len(weights)), np.zeros((len(weights), len(weights)))
    for table in tables:
        orders = factorial(len(table))
        chances = weights[table] / weights[table].sum()
        expected[table] += orders * chances
        information[np.ix_(table, table)] += orders * (np.diag(chances) - np.outer(chances, chances))
    return expected, information


def _interval(mean: float, error: float) -> Interval:
    return Interval(mean, error, mean - TWO_SIDED * error, mean + TWO_SIDED * error)


def _error(spread: float, games: int) -> float:
    """The standard error of a mean. Where nothing ever differed, it is taken to be one in the number of games."""
    return sqrt(spread / games) if spread > 0 else 1 / games
