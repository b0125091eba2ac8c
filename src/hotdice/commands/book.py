"""`hotdice book`: the book of the house for this machine, in the terminal and for other programs."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

from hotdice.errors import HotdiceError
from hotdice.notation import listed
from hotdice.terminal.progress import Work
from hotdice.terminal.saves import folder, reason
from hotdice.terminal.streams import is_tty, is_utf8
from hotdice.values import Progress, Unit

if TYPE_CHECKING:
    from hotdice.book.figures import Book, Duel, GameBook, PlayerBook, PlayerGame, PlayerLine
    from hotdice.book.rolls import RollTest
    from hotdice.server.book import BookKeeper
    from hotdice.server.book_reviews import Done

T = TypeVar("T")
WIDTH: Final = 40
"""Of a chart, in characters."""


def show(name: str, *, database: str, as_json: bool) -> None:
    """Print the book, or the page of somebody."""
    book = _read(database)
    if as_json:
        from msgspec.json import encode

        print(encode(book.player(name) if name else book.house()).decode())
        return
    for line in _player_lines(book.player(name)) if name else _house_lines(book):
        print(line if is_utf8(sys.stdout) else line.encode("ascii", "replace").decode())


def export(name: str, kind: str, file: Path, *, database: str) -> None:
    """Write the rows of the book to a file."""
    from hotdice.book.export import exported

    data = exported(_read(database), kind, name)
    try:
        file.write_bytes(data)
    except OSError as error:
        raise HotdiceError(f"“{file}” cannot be written: {reason(error)}.") from None
    print(f"The book is in {file}.")


def delete(name: str, *, database: str, yes: bool) -> None:
    """Take a name out of the book for good, after a question."""
    book = _read(database)
    line = book.player(name).line
    games = line.games + line.given_up
    if not yes:
        if not is_tty(sys.stdin):
            raise HotdiceError("Deleting cannot be undone: give --yes to do it without a question.")
        print(f"{line.name} is in {games} games of the book. Deleting the name from it cannot be undone.")
        if input(f"Type “{line.name}” to delete it: ").strip() != line.name:
            raise HotdiceError("Nothing was deleted.")

    async def work() -> str:
        async with _keeper(database) as keeper:
            return (await keeper.delete(name)).remains

    print(asyncio.run(work()))


def review(*, database: str) -> None:
    """Review the games that have no review yet, and keep each review at once."""
    _read(database)
    from hotdice.server.book_reviews import BookReviews, Done, right_here

    done = Done()
    made: list[BookReviews] = []

    async def work(progress: Progress) -> None:
        async with _keeper(database) as keeper:
            made.append(keeper.reviews(right_here))
            await made[0].work_off(done, progress)

    try:
        Work(lambda progress: asyncio.run(work(progress)), "Reviewing the games of the book").wait()
    except KeyboardInterrupt:
        print(f"{_done(done)} The others come with the next “hotdice book --review”.")
        raise
    if made[0].off:
        raise HotdiceError("Nothing can be reviewed here: pip install 'hotdice[solve]'.")
    print(_done(done))


def _done(done: Done) -> str:
    without = f" {_counted(done.without, 'game')} without a review." if done.without else ""
    return f"{_counted(done.reviewed, 'game')} reviewed.{without}"


# Reading


@asynccontextmanager
async def _keeper(database: str) -> AsyncIterator[BookKeeper]:
    """What keeps the book; a server may have the database at the same time."""
    try:
        from hotdice.server.book import BookKeeper
        from hotdice.server.run import data_file
        from hotdice.server.sqlite_file import InUse
        from hotdice.server.store import Store, url_of
    except ImportError as error:
        raise HotdiceError(f"“hotdice book” needs {error.name}: pip install 'hotdice[server]'.") from None
    url = url_of(database) if database else None
    if url and url.get_backend_name() == "sqlite" and not Path(url.database or "").is_file():
        raise HotdiceError(f"There is no database {url.database}; give --database as the server was started with it.")
    store = Store(database or str(data_file()))
    try:
        await store.open()
    except InUse:
        await store.open(beside=True)
    try:
        yield BookKeeper(store, _here, saves=None if database else folder(), show_private=True)
    finally:
        await store.close()


async def _here(work: Callable[..., T], *about: object) -> T:
    return work(*about)


def _read(database: str) -> Book:
    """The book as it stands now, with a bar while games are being read."""

    def work(progress: Progress) -> tuple[Book, Sequence[str]]:
        return asyncio.run(_refreshed(database, progress))

    book, skipped = Work(work, "Reading the games that were played").wait()
    for line in skipped:
        print(line, file=sys.stderr)
    return book


async def _refreshed(database: str, progress: Progress) -> tuple[Book, Sequence[str]]:
    from hotdice.server.book import book_of

    async with _keeper(database) as keeper:
        await keeper.refresh(progress)
        return book_of(await keeper.ledger.games(), await keeper.ledger.deleted()), keeper.skipped


# The terminal


def _house_lines(book: Book) -> Iterator[str]:
    house = book.house()
    if not house.games:
        yield "No game in the book yet: those that are played to their end come in by themselves."
        return
    yield f"{_counted(house.games, 'game')} played to the end, {house.given_up} given up"
    if house.people:
        yield from _table(("Player", "Games", "Won", "Expected", "Last"), (_player_row(line) for line in house.people))
    if house.bots:
        yield from _table(("Bot", "Games", "Won", "Expected", "Last"), (_player_row(line) for line in house.bots))
    for page in house.shelf:
        yield from _game_lines(page)
    if house.duels:
        yield from _table(("Head to head", "Games", "Ahead", "Behind", "Level"), map(_duel_row, house.duels))
    for group in house.tests:
        yield from _test_lines(group.test, f"Dice of {group.group}")
    yield from _many_looks(house.tests_made)


def _game_lines(page: GameBook) -> Iterator[str]:
    yield ""
    count = "counts" if page.rated == 1 else "count"
    yield f"{page.title}: {_counted(page.games, 'game')}, {page.rated} of them {count} for ratings and records"
    if page.ratings:
        low, high = min(line.low for line in page.ratings), max(line.high for line in page.ratings)
        width = max(len(line.name) for line in page.ratings)
        for line in page.ratings:
            bar = _interval(line.low, line.mean, line.high, low, high)
            games = _counted(line.games, "game")
            yield f"  {line.name:{width}}  {bar}  {line.mean:5.1f} ± {line.mean - line.low:.1f}, {games}"
        yield f"  {'':{width}}  {low:<{WIDTH // 2}.1f}{high:>{WIDTH - WIDTH // 2}.1f}  rating, with a range of 95%"
    for shelf in page.shelves:
        yield f"  Records{f' with {shelf.options}' if shelf.options else ''}"
        for record in shelf.records:
            worth = record_amount(record.value, record.unit, luck=record.luck)
            yield f"    {record.kind}: {worth}, {listed(record.names)}, {_day(record.ended)}"


def _player_lines(player: PlayerBook) -> Iterator[str]:
    line = player.line
    yield f"{line.name}: {_counted(line.games, 'game')} played to the end, {line.given_up} given up"
    for page in player.games:
        yield from _player_game_lines(page)
    if player.duels:
        yield from _table(("Head to head", "Games", "Ahead", "Behind", "Level"), map(_duel_row, player.duels))
    for test in player.tests:
        yield from _test_lines(test, "Dice")
    yield from _many_looks(player.tests_made)


def _player_game_lines(page: PlayerGame) -> Iterator[str]:
    yield ""
    won = f", {page.line.wins} of {page.line.against} won ({page.line.expected:.1f} expected of equals)"
    yield f"{page.title}: {_counted(page.line.games, 'game')}{won if page.line.against else ''}"
    if page.rating:
        yield f"  rating {page.rating.mean:.1f} ± {page.rating.mean - page.rating.low:.1f}"
    for totals in page.totals:
        spread = f" ± {2 * totals.error:.1f}" if totals.error is not None else ""
        rules = f" with {totals.options}" if totals.options else ""
        yield f"  totals{rules}: best {totals.best:,}, worst {totals.worst:,}, mean {totals.mean:,.1f}{spread}"
    scores = [float(point.score) for point in page.points]
    if len(scores) > 1:
        yield f"  over time {_spark(scores)} from {min(scores):,g} to {max(scores):,g} points"
    if page.accuracy is not None:
        yield f"  accuracy {page.accuracy:.1f}% over {page.decisions} decisions in {_counted(page.reviewed, 'game')}"
    for luck in page.luck:
        yield f"  luck {luck.total:+.2f} ± {2 * luck.error:.2f} ({luck.unit}) in {_counted(luck.games, 'game')}"


def _test_lines(test: RollTest, title: str) -> Iterator[str]:
    yield ""
    told = (
        "too few for a test"
        if test.p is None
        else f"chi-square {test.chi_square:.1f}, {test.freedom} df, p = {test.p:.3f}"
    )
    yield f"{title} ({test.dice}): {test.rolled:,} dice rolled, {told}"
    for kind in test.kinds:
        yield f"  {kind.title}, {kind.die}: {kind.rolled:,}"
        most = max(max(face.count, face.expected) for face in kind.faces)
        for face in kind.faces:
            bar = "█" * round(24 * face.count / most)
            yield f"    {face.name:>12}  {bar:24}  {face.count} of {face.expected:.1f} expected"


def _many_looks(tests: int) -> Iterator[str]:
    if tests:
        yield ""
        made = _counted(tests, "such test")
        yield f"The whole book has {made}. With fair dice one in 20 is below 0.05, by chance alone."


def _player_row(line: PlayerLine) -> tuple[str, ...]:
    won = f"{line.wins} of {line.against}" if line.against else ""
    return line.name, str(line.games), won, f"{line.expected:.1f}" if line.against else "", _day(line.last)


def _duel_row(duel: Duel) -> tuple[str, ...]:
    return f"{duel.name} – {duel.other}", str(duel.games), str(duel.ahead), str(duel.behind), str(duel.level)


def _table(head: tuple[str, ...], rows: Iterator[tuple[str, ...]]) -> Iterator[str]:
    cells = [head, *rows]
    widths = [max(len(row[at]) for row in cells) for at in range(len(head))]
    yield ""
    for row in cells:
        first, *rest = (f"{cell:{width}}" if at == 0 else f"{cell:>{width}}"
                        for at, (cell, width) in enumerate(zip(row, widths, strict=True)))  # fmt: skip
        yield "  ".join([first, *rest])


def _interval(low: float, mean: float, high: float, least: float, most: float) -> str:
    """A range as a line of characters, with a dot at its mean."""

    def at(value: float) -> int:
        return round((WIDTH - 1) * (value - least) / ((most - least) or 1))

    line = [" "] * WIDTH
    line[at(low) : at(high) + 1] = "─" * (at(high) - at(low) + 1)
    line[at(mean)] = "●"
    return "".join(line)


def _spark(values: Sequence[float]) -> str:
    """The latest values as a line of small bars."""
    shown = values[-WIDTH:]
    low, high = min(shown), max(shown)
    return "".join("▁▂▃▄▅▆▇█"[round(7 * (value - low) / ((high - low) or 1))] for value in shown)


def record_amount(value: float, unit: str, *, luck: bool) -> str:
    """What a record of the house is about, as the page in the browser says it; luck has its sign."""
    if luck and unit == Unit.WIN.value:
        return f"{value:+.0%} of a win" if abs(value) < 1 else f"{value:+.1f} wins"
    if unit == "%":
        return f"{_figure(value)}%"
    sign = "+" if luck and value > 0 else ""
    return f"{sign}{_figure(value)} {unit.removesuffix('s') if value == 1 else unit}".rstrip()


def _figure(value: float) -> str:
    return f"{value:,.0f}" if value == int(value) else f"{value:,.1f}"


def _counted(count: int, word: str) -> str:
    return f"{count:,} {word}{'' if count == 1 else 's'}"


def _day(milliseconds: int) -> str:
    return f"{datetime.fromtimestamp(milliseconds / 1000):%Y-%m-%d}"
