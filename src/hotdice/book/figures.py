"""The book as it is shown: all figures, worked out from the list of games. Pages, terminal and exports print these.

What is here is data that turns into JSON as it is. Every figure is defined in docs/book.md.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from functools import cached_property
from math import sqrt
from statistics import fmean, stdev

from msgspec import Struct

from hotdice.book.best import Shelf, shelves
from hotdice.book.names import NOBODY, Who, key_of
from hotdice.book.played import PROGRAM, SAME, GameReview, Played, Sitting, why_unrated
from hotdice.book.ratings import Ratings
from hotdice.book.rolls import RollTest, roll_test, tests_made
from hotdice.errors import HotdiceError, UnknownGame
from hotdice.games import load_game


class NoSuchName(HotdiceError):
    """A name that the book does not have."""


class PlayerLine(Struct, frozen=True):
    """What the book says of somebody in a line."""

    name: str
    bot: bool
    mark: int
    """Which colour and shape are theirs, counted from 0."""
    games: int
    """Played to the end, alone or with others."""
    given_up: int
    against: int
    """Of the games played to the end, those with others."""
    wins: int
    shared: int
    """Of the wins, those that were shared."""
    expected: float
    """How many of these games they would win if all players were equal."""
    first: int
    last: int
    """When their first and their last game ended, in milliseconds."""


class RatingLine(Struct, frozen=True):
    """A rating: its mean, its standard deviation, and the range that is shown with it."""

    name: str
    bot: bool
    mark: int
    mean: float
    deviation: float
    low: float
    high: float
    games: int


class RecordLine(Struct, frozen=True):
    """A record of the house, and who holds it; one about a whole game names everybody who played it."""

    kind: str
    value: float
    unit: str
    names: tuple[str, ...]
    marks: tuple[int, ...]
    """-1 for bots and those whose name was deleted."""
    id: str
    ended: int
    luck: bool
    """Whether it is luck that is counted, which has a sign."""


class ShelfLine(Struct, frozen=True):
    """The records of a game under certain house rules."""

    options: str
    games: int
    records: tuple[RecordLine, ...]


class GameBook(Struct, frozen=True):
    """What the house has played of one game."""

    game: str
    title: str
    games: int
    rated: int
    ratings: tuple[RatingLine, ...]
    shelves: tuple[ShelfLine, ...]


class Duel(Struct, frozen=True):
    """Two who finished games together: who came out ahead."""

    name: str
    mark: int
    other: str
    other_bot: bool
    other_mark: int
    games: int
    ahead: int
    behind: int
    level: int


class GroupTest(Struct, frozen=True):
    """The rolls of a group of players."""

    group: str
    """`everybody`, `people` or `bots`."""
    test: RollTest


class House(Struct, frozen=True):
    """The book, without the pages of its players."""

    games: int
    given_up: int
    unrated: dict[str, int]
    """Games played to the end that do not count for ratings and records, by why not."""
    reviewed: int
    people: tuple[PlayerLine, ...]
    bots: tuple[PlayerLine, ...]
    shelf: tuple[GameBook, ...]
    duels: tuple[Duel, ...]
    tests: tuple[GroupTest, ...]
    tests_made: int
    """How many p-values the whole book shows, those of its players included."""


class Totals(Struct, frozen=True):
    """The totals of somebody in a game under the same house rules."""

    options: str
    games: int
    best: int
    worst: int
    mean: float
    error: float | None
    """The standard error of the mean; nothing for a single game."""


class LuckSum(Struct, frozen=True):
    """The luck of all reviewed games of one unit."""

    unit: str
    games: int
    total: float
    mean: float
    error: float
    """The standard error of the total that estimated values bring in; 0 where they are exact."""


class Point(Struct, frozen=True):
    """One game of somebody, for charts and lists."""

    id: str
    ended: int
    options: str
    players: int
    place: int
    score: int
    others: tuple[str, ...]
    rated: bool
    mean: float | None
    deviation: float | None
    """The rating after this game, if it counts for one."""
    accuracy: float | None
    decisions: int
    luck: float | None
    luck_error: float | None
    unit: str


class PlayerGame(Struct, frozen=True):
    """What the book says of somebody in one game."""

    game: str
    title: str
    line: PlayerLine
    rating: RatingLine | None
    totals: tuple[Totals, ...]
    reviewed: int
    decisions: int
    accuracy: float | None
    """Over all unforced decisions of the reviewed games."""
    luck: tuple[LuckSum, ...]
    points: tuple[Point, ...]


class PlayerBook(Struct, frozen=True):
    """The page of somebody."""

    line: PlayerLine
    games: tuple[PlayerGame, ...]
    duels: tuple[Duel, ...]
    tests: tuple[RollTest, ...]
    tests_made: int
    """How many p-values the whole book shows."""


class Book:
    """The figures of all games that were played here."""

    def __init__(self, games: Iterable[Played], reviews: Mapping[str, GameReview] | None = None) -> None:
        first: dict[str, Played] = {}
        for game in sorted(games, key=lambda game: (game.ended, game.id)):
            # The record of dice that the program rolled tells games apart: a copy is the same game.
            first.setdefault(game.text if game.text and game.dice in (PROGRAM, SAME) else game.id, game)
        self.games = tuple(first.values())
        ids = {game.id: game for game in self.games}
        found = (reviews or {}).items()
        self.reviews = {at: review for at, review in found if at in ids and len(review.seats) == len(ids[at].seats)}
        self._of: dict[Who, list[tuple[Played, Sitting, int]]] = defaultdict(list)
        self._names: dict[Who, str] = {}
        for game in self.games:
            for number, seat in enumerate(game.seats):
                if who := seat.who:
                    self._of[who].append((game, seat, number))
                    self._names[who] = seat.bot or seat.name  # as it was written last
        self._marks = {who: mark for mark, who in enumerate(who for who in self._of if not who.bot)}

    @cached_property
    def ratings(self) -> Ratings:
        return Ratings(self.games)

    @property
    def names(self) -> tuple[str, ...]:
        """The people in the book, those who played most first."""
        return tuple(line.name for line in self._lines(bots=False))

    def who(self, name: str) -> Who:
        """The person of that name."""
        who = Who(key_of(name))
        if who not in self._of:
            raise NoSuchName(f"The book has no games of “{name[:40]}”.")
        return who

    # The house

    def house(self) -> House:
        """The first page."""
        tests = self._group_tests()
        finished = [game for game in self.games if not game.given_up]
        unrated = Counter(why for game in finished if (why := why_unrated(game)))
        return House(
            games=len(finished),
            given_up=len(self.games) - len(finished),
            unrated=dict(sorted(unrated.items())),
            reviewed=len(self.reviews),
            people=self._lines(bots=False),
            bots=self._lines(bots=True),
            shelf=self._shelf(),
            duels=self._all_duels(),
            tests=tests,
            tests_made=self._tests_made,
        )

    def _lines(self, *, bots: bool) -> tuple[PlayerLine, ...]:
        lines = [self._line(who, played) for who, played in self._of.items() if who.bot is bots]
        return tuple(sorted(lines, key=lambda line: (-line.games, line.name)))

    def _line(self, who: Who, played: Iterable[tuple[Played, Sitting, int]]) -> PlayerLine:
        seats = list(played)
        done = [(game, seat) for game, seat, _ in seats if not game.given_up]
        against = [(game, seat) for game, seat in done if len(game.seats) > 1]
        won = [game for game, seat in against if seat.place == 1]
        return PlayerLine(
            name=self._names[who],
            bot=who.bot,
            mark=self._marks.get(who, -1),
            games=len(done),
            given_up=len(seats) - len(done),
            against=len(against),
            wins=len(won),
            shared=sum(sum(seat.place == 1 for seat in game.seats) > 1 for game in won),
            expected=sum(1 / len(game.seats) for game, _ in against),
            first=min(game.ended for game, _, _ in seats),
            last=max(game.ended for game, _, _ in seats),
        )

    def _shelf(self) -> tuple[GameBook, ...]:
        played = Counter(game.game for game in self.games if not game.given_up)
        kept: dict[str, list[Shelf]] = defaultdict(list)
        for shelf in shelves(self.games, self.reviews):
            kept[shelf.game].append(shelf)
        return tuple(
            GameBook(
                game=name,
                title=_title(name),
                games=count,
                rated=sum(shelf.games for shelf in kept[name]),
                ratings=self._rating_lines(name),
                shelves=tuple(self._shelf_line(shelf) for shelf in kept[name]),
            )
            for name, count in sorted(played.items(), key=lambda item: (-item[1], item[0]))
        )

    def _rating_lines(self, game: str) -> tuple[RatingLine, ...]:
        lines = [self._rating_line(who, game) for who in self.ratings.now.get(game, {})]
        return tuple(sorted(filter(None, lines), key=lambda line: (-line.mean, line.name)))

    def _rating_line(self, who: Who, game: str) -> RatingLine | None:
        rating = self.ratings.now.get(game, {}).get(who)
        if rating is None:
            return None
        mark = self._marks.get(who, -1)
        name, spread = self._names[who], (rating.deviation, rating.low, rating.high)
        return RatingLine(name, who.bot, mark, rating.mean, *spread, rating.games)

    def _shelf_line(self, shelf: Shelf) -> ShelfLine:
        games = {game.id: game for game in self.games}
        lines: list[RecordLine] = []
        for record in shelf.records:
            seats = games[record.id].seats
            held = (seats[record.seat],) if record.seat >= 0 else seats
            names, marks = tuple(map(self._shown, held)), tuple(map(self._mark, held))
            lines.append(
                RecordLine(record.kind, record.value, record.unit, names, marks, record.id, record.ended, record.luck)
            )
        return ShelfLine(shelf.options, shelf.games, tuple(lines))

    def _shown(self, seat: Sitting) -> str:
        """What somebody is called on pages; a bot by its kind."""
        return self._names[seat.who] if seat.who else NOBODY

    def _mark(self, seat: Sitting) -> int:
        return self._marks.get(seat.who, -1) if seat.who else -1

    # Head to head

    def _all_duels(self) -> tuple[Duel, ...]:
        """Every two people once, whoever leads first."""
        people = sorted((who for who in self._of if not who.bot), key=lambda who: self._marks[who])
        found: list[Duel] = []
        for at, who in enumerate(people):
            later = set(people[at + 1 :])
            for duel, other in self._duels(who):
                if other in later:
                    turned = duel.behind > duel.ahead
                    found.append(next(d for d, o in self._duels(other) if o == who) if turned else duel)
        return tuple(sorted(found, key=lambda duel: (-duel.games, duel.name, duel.other)))

    def _duels(self, who: Who) -> list[tuple[Duel, Who]]:
        """Somebody against each of the others, the most games first."""
        counts: dict[Who, Counter[str]] = defaultdict(Counter)
        for game, seat, number in self._of[who]:
            if game.given_up:
                continue
            for at, other in enumerate(game.seats):
                if at != number and other.who and other.who != who:
                    how = "level" if other.place == seat.place else "ahead" if seat.place < other.place else "behind"
                    counts[other.who][how] += 1
        duels = [
            (
                Duel(
                    name=self._names[who], mark=self._marks.get(who, -1),
                    other=self._names[other], other_bot=other.bot, other_mark=self._marks.get(other, -1),
                    games=count.total(), ahead=count["ahead"], behind=count["behind"], level=count["level"],
                ),
                other,
            )
            for other, count in counts.items()
        ]  # fmt: skip
        return sorted(duels, key=lambda found: (-found[0].games, found[0].other))

    # Rolls

    def _rolled(self, seats: Iterable[tuple[Played, Sitting]]) -> tuple[RollTest, ...]:
        """The rolls of some seats, apart by who rolled the dice; those of games that were given up count, too."""
        counts: dict[str, dict[str, Counter[int]]] = defaultdict(lambda: defaultdict(Counter))
        for game, seat in seats:
            counts[game.dice][game.game].update(seat.faces)
        tests = (roll_test(dice, faces) for dice, faces in sorted(counts.items()))
        return tuple(test for test in tests if test.rolled)

    def _group_tests(self) -> tuple[GroupTest, ...]:
        seats = [(game, seat) for game in self.games if game.dice != SAME for seat in game.seats]
        people = [each for each in seats if not each[1].bot]
        bots = [each for each in seats if each[1].bot]
        groups = {"everybody": seats} | ({"people": people, "bots": bots} if people and bots else {})
        return tuple(GroupTest(group, test) for group, found in groups.items() for test in self._rolled(found))

    @cached_property
    def _tests_made(self) -> int:
        tests = [group.test for group in self._group_tests()]
        for who, played in self._of.items():
            if not who.bot:
                tests += self._rolled((game, seat) for game, seat, _ in played)
        return tests_made(tests)

    # A player

    def player(self, name: str) -> PlayerBook:
        """The page of a person; `NoSuchName` if there is none."""
        who = self.who(name)
        played = self._of[who]
        games: dict[str, list[tuple[Played, Sitting, int]]] = defaultdict(list)
        for each in played:
            games[each[0].game].append(each)
        pages = [self._player_game(who, game, found) for game, found in games.items()]
        return PlayerBook(
            line=self._line(who, played),
            games=tuple(sorted(pages, key=lambda page: (-page.line.games, page.game))),
            duels=tuple(duel for duel, _ in self._duels(who)),
            tests=self._rolled((game, seat) for game, seat, _ in played),
            tests_made=self._tests_made,
        )

    def _player_game(self, who: Who, game: str, played: list[tuple[Played, Sitting, int]]) -> PlayerGame:
        points = tuple(self._point(who, *each) for each in played if not each[0].given_up)
        judged = [(point.accuracy, point.decisions) for point in points if point.accuracy is not None]
        decisions = sum(count for _, count in judged)
        return PlayerGame(
            game=game,
            title=_title(game),
            line=self._line(who, played),
            rating=self._rating_line(who, game),
            totals=_totals(points),
            reviewed=sum(point.luck is not None for point in points),
            decisions=decisions,
            accuracy=sum(accuracy * count for accuracy, count in judged) / decisions if decisions else None,
            luck=_luck(points),
            points=points,
        )

    def _point(self, who: Who, game: Played, seat: Sitting, number: int) -> Point:
        rating = self.ratings.after.get(game.id, {}).get(who)
        review = self.reviews.get(game.id)
        found = review.seats[number] if review else None
        return Point(
            id=game.id,
            ended=game.ended,
            options=game.options,
            players=len(game.seats),
            place=seat.place,
            score=seat.score,
            others=tuple(self._shown(other) for at, other in enumerate(game.seats) if at != number),
            rated=rating is not None,
            mean=rating.mean if rating else None,
            deviation=rating.deviation if rating else None,
            accuracy=found.accuracy if found else None,
            decisions=found.decisions if found else 0,
            luck=found.luck if found else None,
            luck_error=found.error if found else None,
            unit=review.unit if review else "",
        )


def _totals(points: Iterable[Point]) -> tuple[Totals, ...]:
    scores: dict[str, list[int]] = defaultdict(list)
    for point in points:
        scores[point.options].append(point.score)
    found = [
        Totals(
            options=options, games=len(each), best=max(each), worst=min(each), mean=fmean(each),
            error=stdev(each) / sqrt(len(each)) if len(each) > 1 else None,
        )
        for options, each in scores.items()
    ]  # fmt: skip
    return tuple(sorted(found, key=lambda totals: (-totals.games, totals.options)))


def _luck(points: Iterable[Point]) -> tuple[LuckSum, ...]:
    lucks: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for point in points:
        if point.luck is not None:
            lucks[point.unit].append((point.luck, point.luck_error or 0.0))
    return tuple(
        LuckSum(
            unit=unit, games=len(each), total=sum(luck for luck, _ in each), mean=fmean(luck for luck, _ in each),
            error=sqrt(sum(error**2 for _, error in each)),
        )
        for unit, each in sorted(lucks.items())
    )  # fmt: skip


def _title(game: str) -> str:
    """What people call a game; its name if its package is gone."""
    try:
        return load_game(game).title
    except UnknownGame:
        return game
