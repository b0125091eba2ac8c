"""The book of the house on a server: read from logs and saved games, kept in the database, without deleted names."""

from __future__ import annotations

import asyncio
import csv
import io
import json
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar

import httpx
import pytest
from sqlalchemy import select

from hotdice.book.figures import Book
from hotdice.book.names import digest
from hotdice.book.played import GameReview, SeatReview, encode
from hotdice.book.reviews import VERSION
from hotdice.record import Record, parse_record, result_text
from hotdice.server import entries
from hotdice.server.app import Settings
from hotdice.server.book import BookKeeper, book_of
from hotdice.server.entries import BOT, PERSON, AnyEntry, Created, SeatPlan
from hotdice.server.ledger import Unreviewed
from hotdice.server.match.fold import fold
from hotdice.server.rooms.views import card_of
from hotdice.server.sqlite_file import InUse
from hotdice.server.store import Append, Store, book_games
from hotdice.table import Moved
from tests.compat.data import HERE, VERSIONS, expected
from tests.compat.make import FORGOTTEN
from tests.server.inside import Inside, within

T = TypeVar("T")
RECORD = """hotdice record 1
game: pig(target=15)
date: 2026-11-16
seat 1: {one} (person)
seat 2: {two} ({kind})
dice: manual

1 rolls 1
2 rolls 6
2 roll
2 rolls 4
2 hold
1 rolls 5
1 roll
1 rolls 1
2 rolls 5
2 hold
result: winner 2; scores 0 15
"""


def record(one: str = "Ann", two: str = "Bob", kind: str = "person") -> Record:
    return parse_record(RECORD.format(one=one, two=two, kind=kind))


def log_of(played: Record, *, public: bool = False, imported: str = "") -> Iterator[AnyEntry]:
    """The log of a table at which a game was played with real dice."""
    plans = (
        SeatPlan(PERSON, seat.name) if seat.kind == PERSON else SeatPlan(BOT, seat.name, seat.kind)
        for seat in played.seats
    )
    yield Created(played.game.text(played.options), tuple(plans), public, "manual", record=imported)
    if imported:
        return
    yield entries.Started()
    for event in played.events:
        if isinstance(event, Moved):
            yield entries.Moved(event.seat, event.move.text)
        else:
            yield entries.Rolled(event.seat, played.game.roll_text(event.roll))
    yield entries.Ended(played.result)


async def put(store: Store, name: str, log: Sequence[AnyEntry], at: int = 1000, first: int = 1) -> None:
    """Have a table with that log, or go on with it."""
    earlier = await store.read(name)
    match = fold(name, [*earlier, *((entry, at) for entry in log)])
    written: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def done(error: Exception | None) -> None:
        assert error is None
        written.set_result(None)

    bodies = [entries.encode(entry) for entry in log]
    store.append(Append(name, len(earlier) + 1, at, bodies, card_of(match), done))
    await written


async def at_once(work: Callable[..., T], *about: object) -> T:
    return work(*about)


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return str(tmp_path / "tables.sqlite")
    made: str = request.getfixturevalue("postgres").create_database()
    return made


@asynccontextmanager
async def node(database: str, **more: Any) -> AsyncIterator[BookKeeper]:
    """A node with a book; a second one on a SQLite file is there beside the first, as “hotdice book” is."""
    store = Store(database)
    try:
        await store.open()
    except InUse:
        await store.open(beside=True)
    try:
        yield BookKeeper(store, at_once, **more)
    finally:
        await store.close()


async def book(keeper: BookKeeper) -> Book:
    await keeper.refresh()
    return book_of(await keeper.ledger.games(), await keeper.ledger.deleted())


def test_a_game_is_in_the_book_once_it_is_over(database: str) -> None:
    async def run() -> None:
        async with node(database) as keeper:
            log = list(log_of(record()))
            await put(keeper._store, "aaaaaaaa", log[:-1])
            assert (await book(keeper)).games == ()
            await put(keeper._store, "aaaaaaaa", log[-1:])  # in the same millisecond
            (game,) = (await book(keeper)).games
            assert (game.id, game.ended, [seat.name for seat in game.seats]) == ("aaaaaaaa/1", 1000, ["Ann", "Bob"])
            assert [seat.place for seat in game.seats] == [2, 1]
            assert game.private

    asyncio.run(run())


def test_it_survives_a_restart_and_reads_only_what_is_new(database: str) -> None:
    async def run() -> None:
        read: list[object] = []

        async def noted(work: Callable[..., T], *about: object) -> T:
            read.append(about[0])
            return work(*about)

        async with node(database) as keeper:
            await put(keeper._store, "aaaaaaaa", list(log_of(record())))
            await keeper.refresh()
        async with node(database) as keeper:
            keeper._elsewhere = noted
            await put(keeper._store, "bbbbbbbb", list(log_of(record("ann", "Eve"))), 2000)
            found = await book(keeper)
            assert read == ["bbbbbbbb"]
            assert found.names == ("ann", "Bob", "Eve")
            assert found.player("Ann").line.games == 2

    asyncio.run(run())


def test_a_rematch_adds_a_game_and_keeps_the_reviews(database: str) -> None:
    async def run() -> None:
        async with node(database) as keeper:
            await put(keeper._store, "aaaaaaaa", list(log_of(record())))
            await keeper.refresh()
            seat = SeatReview(90.0, 3, 0.1, 0.2, 0.0)
            await keeper.ledger.review(
                "aaaaaaaa/1", VERSION, encode(GameReview(VERSION, "win probability", (seat,) * 2))
            )
            again: list[AnyEntry] = [
                entries.Invited(0),
                entries.Accepted(0),
                entries.Accepted(1),
                entries.Again(0, seats=(0, 1)),
            ]
            await put(keeper._store, "aaaaaaaa", [*again, *list(log_of(record()))[1:]], 3000)
            found = await book(keeper)
            assert [game.id for game in found.games] == ["aaaaaaaa/1", "aaaaaaaa/2"]
            assert list(found.reviews) == ["aaaaaaaa/1"]
            assert await keeper.ledger.unreviewed(VERSION) == [Unreviewed("aaaaaaaa/2", "aaaaaaaa")]

    asyncio.run(run())


def test_a_deleted_table_leaves_the_book(database: str) -> None:
    async def run() -> None:
        async with node(database) as keeper:
            await put(keeper._store, "aaaaaaaa", list(log_of(record())))
            await keeper.refresh()
            await keeper._store.delete("aaaaaaaa")
            assert (await book(keeper)).games == ()

    asyncio.run(run())


def test_what_came_in_as_a_record_is_not_rated_and_one_that_was_only_opened_not_counted(database: str) -> None:
    async def run() -> None:
        async with node(database) as keeper:
            await put(keeper._store, "aaaaaaaa", list(log_of(record(), imported=record().text)))
            begun = parse_record(RECORD.format(one="Ann", two="Bob", kind="person").replace("2 rolls 5\n2 hold\n", "")
                                 .replace("winner 2; scores 0 15", result_text(None)))  # fmt: skip
            log = [next(iter(log_of(begun, imported=begun.text))), entries.Started()]
            log += [entries.Rolled(1, "5"), entries.Moved(1, "hold"), entries.Ended(record().result)]
            await put(keeper._store, "bbbbbbbb", log)
            (game,) = (await book(keeper)).games
            assert (game.id, game.origin, game.dice) == ("bbbbbbbb/1", "imported", "recorded")
            assert not (await book(keeper)).ratings.after

    asyncio.run(run())


def test_a_game_in_which_a_bot_decided_for_somebody_is_not_rated(database: str) -> None:
    async def run() -> None:
        async with node(database) as keeper:
            log = [
                entries.Moved(entry.seat, entry.move, by="greedy") if isinstance(entry, entries.Moved) else entry
                for entry in log_of(record())
            ]
            await put(keeper._store, "aaaaaaaa", log)
            (game,) = (await book(keeper)).games
            assert [seat.stood_in for seat in game.seats] == [True, True]
            assert (await book(keeper)).house().unrated == {"stood in": 1}

    asyncio.run(run())


# Two nodes, and names that are deleted


def test_two_nodes_read_at_once_and_see_the_same(database: str) -> None:
    async def run() -> None:
        async with node(database) as one, node(database) as two:
            for number in range(6):
                await put(one._store, f"{number + 2}" * 8, list(log_of(record())), 1000 + number)
            await asyncio.gather(one.refresh(), two.refresh())
            assert len((await book(one)).games) == 6 == len((await book(two)).games)
            assert await one.page("house") == await two.page("house")

    asyncio.run(run())


def test_a_deleted_name_is_gone_on_all_nodes_and_stays_away(database: str) -> None:
    async def run() -> None:
        async with node(database) as one, node(database) as two:
            await put(one._store, "aaaaaaaa", list(log_of(record("Ann", "Eve Adams"))))
            await one.refresh()
            assert b"Eve" in await one.page("house")
            done = await two.delete("eve adams")
            assert done.games == 1
            assert "“Somebody”" in done.remains
            assert b"Eve" not in await one.page("house")
            bodies = [row.body for row in await one._store.rows(select(book_games.c.body))]
            assert not [body for body in bodies if b"Eve" in body]
            # A node that did not know yet, and games to come, bring it back neither.
            await put(one._store, "bbbbbbbb", list(log_of(record("EVE ADAMS", "Ann"))), 2000)
            found = await book(one)
            assert found.names == ("Ann",)
            assert found.player("Ann").line.games == 2
            assert await one.ledger.deleted() == {digest("Eve Adams")}

    asyncio.run(run())


# What the terminal saved


def test_saved_games_are_read_if_they_are_over_and_hold(tmp_path: Path) -> None:
    saves = tmp_path / "saves"
    saves.mkdir()
    (saves / "whole.hotdice").write_text(record().text)
    (saves / "part.hotdice").write_text(
        RECORD.format(one="Ann", two="Bob", kind="person").split("2 rolls 5")[0] + "result: unfinished\n"
    )
    (saves / "changed.hotdice").write_text(record().text.replace("1 rolls 5", "1 rolls 1"))

    async def run() -> None:
        async with node(str(tmp_path / "tables.sqlite"), saves=saves) as keeper:
            (game,) = (await book(keeper)).games
            assert (game.id, game.dice) == ("saves/whole.hotdice", "typed")
            (skipped,) = keeper.skipped
            assert skipped.startswith("changed.hotdice is left out: line ")
            (saves / "whole.hotdice").unlink()
            assert (await book(keeper)).games == ()

    asyncio.run(run())


# A database of an earlier version


@pytest.mark.parametrize("version", VERSIONS)
def test_tables_of_an_earlier_version_are_in_the_book(version: str, tmp_path: Path) -> None:
    import sqlite3

    database = tmp_path / "tables.sqlite"
    with sqlite3.connect(database) as connection:
        connection.executescript((HERE / version / "tables.sql").read_text("utf-8"))
    connection.close()
    tables = expected(version, "tables")
    over = {
        f"{table['name']}/{number}": parse_record(text)
        for what, table in tables.items()
        for number, text in enumerate(table["records"], 1)
        if what != "record, over" and (number < table["round"] or table["status"] in ("over", "closed"))
    }

    async def run() -> None:
        async with node(str(database)) as keeper:
            found = {game.id: game for game in (await book(keeper)).games}
            assert found.keys() == over.keys()
            forgotten = FORGOTTEN if await keeper.ledger.deleted() else ""
            for name, played in over.items():
                game = found[name]
                assert [seat.name or forgotten for seat in game.seats] == [seat.name for seat in played.seats]
                assert game.given_up == (played.result == result_text(None))
                scores = " ".join(str(seat.score) for seat in game.seats)
                assert game.given_up or played.result.endswith(f"scores {scores}")

    asyncio.run(run())


# Over HTTP


def filled(settings: Settings, work: Callable[[Inside], Any]) -> None:
    async def run(inside: Inside) -> None:
        if inside.server.book:
            inside.server.book._elsewhere = at_once
        await put(inside.server.store, "aaaaaaaa", list(log_of(record("Ann", "Bob"), public=True)))
        await put(inside.server.store, "bbbbbbbb", list(log_of(record("Ann", "Robo", "greedy"))))
        await work(inside)

    within(settings, run)


def test_a_server_has_no_book_unless_it_is_switched_on(tmp_path: Path) -> None:
    async def work(inside: Inside) -> None:
        client = inside.client()
        assert (await client.get("/api/games")).json()["book"] is False
        for path in ("/api/book", "/api/book/player?name=Ann", "/api/book/export"):
            answer = await client.get(path)
            assert (answer.status_code, answer.json()["error"]) == (404, "no_book")
            assert answer.json()["message"] == "This server keeps no book; whoever runs it can start it with --book."

    filled(Settings(str(tmp_path / "tables.sqlite")), work)


def test_the_pages_of_the_book(tmp_path: Path) -> None:
    async def work(inside: Inside) -> None:
        client = inside.client("192.0.2.7")
        assert (await client.get("/api/games")).json()["book"] is True
        shown = (await client.get("/api/book")).json()
        assert (shown["reading"], shown["may_delete"], shown["house"]["games"]) == (0, False, 2)
        assert [line["name"] for line in shown["house"]["bots"]] == ["greedy"]
        player = (await client.get("/api/book/player", params={"name": "ANN"})).json()["player"]
        assert player["line"]["name"] == "Ann"
        ids = [point["id"] for page in player["games"] for point in page["points"]]
        assert "aaaaaaaa/1" in ids
        assert not [each for each in ids if "bbbb" in each], "strangers learn the name of a private table"
        nobody = await client.get("/api/book/player", params={"name": "Eve"})
        assert (nobody.status_code, nobody.json()["message"]) == (404, "The book has no games of “Eve”.")

    filled(Settings(str(tmp_path / "tables.sqlite"), book=True), work)


def test_exports_over_http(tmp_path: Path) -> None:
    async def work(inside: Inside) -> None:
        client = inside.client()
        answer = await client.get("/api/book/export", params={"format": "csv", "name": "Bob"})
        assert answer.headers["content-type"].startswith("text/csv")
        assert answer.headers["content-disposition"] == 'attachment; filename="hotdice-book.csv"'
        assert [row["name"] for row in csv.DictReader(io.StringIO(answer.text))] == ["Ann", "Bob"]
        assert len(json.loads((await client.get("/api/book/export", params={"format": "json"})).text)["rows"]) == 4
        wrong = await client.get("/api/book/export", params={"format": "xlsx"})
        assert wrong.status_code == 422

    filled(Settings(str(tmp_path / "tables.sqlite"), book=True), work)


async def deleted(client: httpx.AsyncClient, name: str = "Bob") -> httpx.Response:
    return await client.delete("/api/book/player", params={"name": name})


def test_names_are_deleted_at_the_servers_machine_or_by_the_household(tmp_path: Path) -> None:
    async def public(inside: Inside) -> None:
        await inside.client().get("/api/book")
        refused = await deleted(inside.client("192.0.2.7"))
        assert (refused.status_code, refused.json()["error"]) == (403, "not_local")
        forwarded = await inside.client().delete(
            "/api/book/player", params={"name": "Bob"}, headers={"X-Forwarded-For": "192.0.2.7"}
        )
        assert forwarded.status_code == 403
        answer = await deleted(inside.client())
        assert (answer.status_code, answer.json()["games"]) == (200, 1)
        assert (await deleted(inside.client())).status_code == 404

    async def at_home(inside: Inside) -> None:
        assert (await inside.client("192.168.1.7").get("/api/book")).json()["may_delete"] is True
        assert (await deleted(inside.client("192.168.1.7"))).status_code == 200
        assert (await inside.client().get("/api/book/player", params={"name": "Bob"})).status_code == 404

    filled(Settings(str(tmp_path / "one.sqlite"), book=True), public)
    filled(Settings(str(tmp_path / "two.sqlite"), book=True, household=True), at_home)
