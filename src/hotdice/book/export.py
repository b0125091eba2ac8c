"""The book for other programs: a row for each seat of each game, as CSV or Parquet; JSON has the figures besides."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, Final

from msgspec import Struct, structs

from hotdice.book.figures import Book
from hotdice.book.names import NOBODY, Who
from hotdice.book.played import why_unrated
from hotdice.errors import HotdiceError

FORMATS: Final = {
    "csv": "text/csv; charset=utf-8",
    "json": "application/json",
    "parquet": "application/vnd.apache.parquet",
}
_FORMULA: Final = ("=", "+", "-", "@", "\t")
"""What a spreadsheet takes for the beginning of a formula."""


class ExportError(HotdiceError):
    """A format that cannot be written here."""


class Row(Struct, frozen=True):
    """A seat of a game; docs/book.md says what each column is."""

    game_id: str
    ended: str
    game: str
    options: str
    players: int
    given_up: bool
    rated: bool
    unrated_because: str
    dice: str
    turns: int
    rolls: int
    seat: int
    name: str
    bot: str
    score: int
    place: int | None
    won: bool
    amount: int
    best_turn: int
    hot_dice: int
    rating: float | None
    rating_deviation: float | None
    review_unit: str | None
    accuracy: float | None
    decisions: int | None
    loss: float | None
    luck: float | None
    luck_error: float | None


def rows(book: Book, name: str = "") -> Iterator[Row]:
    """All games, or those that somebody played, in the order in which they ended."""
    wanted: Who | None = book.who(name) if name else None
    for game in book.games:
        if wanted and wanted not in game.whos:
            continue
        review = book.reviews.get(game.id)
        after = book.ratings.after.get(game.id, {})
        for number, seat in enumerate(game.seats):
            rating = after.get(seat.who) if seat.who else None
            found = review.seats[number] if review else None
            yield Row(
                game_id=game.id,
                ended=f"{datetime.fromtimestamp(game.ended / 1000, UTC):%Y-%m-%dT%H:%M:%SZ}",
                game=game.game,
                options=game.options,
                players=len(game.seats),
                given_up=game.given_up,
                rated=rating is not None,
                unrated_because=why_unrated(game),
                dice=game.dice,
                turns=game.turns,
                rolls=game.rolls,
                seat=number + 1,
                name=seat.name or NOBODY,
                bot=seat.bot,
                score=seat.score,
                place=seat.place or None,
                won=seat.place == 1 and len(game.seats) > 1,
                amount=seat.amount,
                best_turn=seat.best_turn,
                hot_dice=seat.hot,
                rating=rating.mean if rating else None,
                rating_deviation=rating.deviation if rating else None,
                review_unit=review.unit if review else None,
                accuracy=found.accuracy if found else None,
                decisions=found.decisions if found else None,
                loss=found.loss if found else None,
                luck=found.luck if found else None,
                luck_error=found.error if found else None,
            )


def exported(book: Book, kind: str, name: str = "") -> bytes:
    """The rows in one of the formats."""
    match kind:
        case "csv":
            return _csv(book, name)
        case "parquet":
            return _parquet(book, name)
        case _:
            from msgspec.json import encode

            return encode({"rows": list(rows(book, name))})


def _csv(book: Book, name: str) -> bytes:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(Row.__struct_fields__)
    for row in rows(book, name):
        writer.writerow([_cell(value) for value in structs.astuple(row)])
    return text.getvalue().encode()


def _cell(value: Any) -> Any:
    """A value as CSV has it; a text that a spreadsheet would take for a formula gets an apostrophe before it."""
    match value:
        case None:
            return ""
        case bool():
            return str(value).lower()
        case str() if value.startswith(_FORMULA):
            return f"'{value}"
    return value


def _parquet(book: Book, name: str) -> bytes:
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise ExportError("Parquet needs pyarrow: pip install 'hotdice[data]'.") from None
    kinds = {"str": pyarrow.string(), "int": pyarrow.int64(), "float": pyarrow.float64(), "bool": pyarrow.bool_()}
    schema = pyarrow.schema(
        [(field, kinds[str(kind).partition(" ")[0]]) for field, kind in Row.__annotations__.items()]
    )
    data = [structs.asdict(row) for row in rows(book, name)]
    file = io.BytesIO()
    parquet.write_table(pyarrow.Table.from_pylist(data, schema=schema), file)
    return file.getvalue()
