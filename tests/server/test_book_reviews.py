"""The reviews of the book's games: worked out by themselves, kept, and not tried for ever where there is none."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from hotdice.book.played import GameReview
from hotdice.book.reviews import VERSION
from hotdice.record import Record, result_text
from hotdice.review import review
from hotdice.server import book_reviews, entries
from hotdice.server.app import Settings
from hotdice.server.book import BookKeeper, book_of
from hotdice.server.book_reviews import TRIES, WAITS, Done, right_here
from hotdice.server.coach import NoSolver, NotReady, NoValues
from hotdice.server.refusals import Unavailable
from hotdice.values import Progress
from tests.server.inside import Inside, within
from tests.server.test_book import database, log_of, node, put, record  # noqa: F401 (a fixture)


class Answers:
    """A reviewer that answers as it is told; of each game it notes when it was asked."""

    def __init__(self, *errors: Exception) -> None:
        self.errors = list(errors)
        self.asked: list[str] = []

    async def __call__(self, played: Record, progress: Progress) -> GameReview:
        self.asked.append(played.seats[1].name)
        if self.errors:
            raise self.errors.pop(0)
        return await right_here(played, progress)


async def with_games(keeper: BookKeeper, *others: str) -> None:
    """Have Ann play a game with each of them, one after the other."""
    for number, other in enumerate(others):
        await put(keeper._store, f"{number + 2}" * 8, list(log_of(record("Ann", other))), 1000 + number)
    await keeper.refresh()


def test_reviews_are_worked_out_and_kept(database: str) -> None:  # noqa: F811
    async def run() -> None:
        async with node(database) as keeper:
            await with_games(keeper, "Bob", "Eve")
            answers, done = Answers(), Done()
            before = await keeper.ledger.version()
            shares: list[float] = []
            await keeper.reviews(answers).work_off(done, shares.append)
            assert answers.asked == ["Eve", "Bob"], "the latest game first"
            assert (done.reviewed, done.without) == (2, 0)
            assert shares == sorted(shares)
            assert await keeper.ledger.version() != before, "pages that are kept are not shown any more"
        async with node(database) as keeper:
            book = book_of(await keeper.ledger.games(), await keeper.ledger.deleted())
            (page,) = book.player("Bob").games
            expected = review(record("Ann", "Bob")).seats[1]
            assert page.accuracy == pytest.approx(expected.accuracy)
            assert page.decisions == expected.decisions
            assert [luck.total for luck in page.luck] == pytest.approx([expected.luck])
            again = Answers()
            await keeper.reviews(again).work_off(Done())
            assert again.asked == []

    asyncio.run(run())


def test_a_failure_is_tried_again_but_not_for_ever_and_holds_nobody_up(database: str) -> None:  # noqa: F811
    async def run() -> None:
        async with node(database) as keeper:
            await with_games(keeper, "Bob", "Eve")
            for _ in range(TRIES):  # by a server that is started anew each time
                answers, done = Answers(Unavailable("The process broke.")), Done()
                await keeper.reviews(answers).work_off(done)
                assert answers.asked[0] == "Eve"
            assert done == Done(0, 1), "Bob's was reviewed by the first, and Eve's was given up by the last"
            assert await keeper.ledger.unreviewed(VERSION) == []
            house = book_of(await keeper.ledger.games(), frozenset()).house()
            assert house.reviewed == 1

    asyncio.run(run())


def test_an_error_that_nobody_expected_counts_as_a_failure(tmp_path: Path) -> None:
    async def run() -> None:
        async with node(str(tmp_path / "tables.sqlite")) as keeper:
            await with_games(keeper, "Bob")
            reviews = keeper.reviews(Answers(*(ZeroDivisionError() for _ in range(TRIES))))
            for _ in range(TRIES):
                assert len(await keeper.ledger.unreviewed(VERSION)) == 1
                await reviews.work_off(Done())
            assert await keeper.ledger.unreviewed(VERSION) == []

    asyncio.run(run())


def test_games_that_are_being_solved_wait(tmp_path: Path) -> None:
    async def run() -> None:
        async with node(str(tmp_path / "tables.sqlite")) as keeper:
            await with_games(keeper, "Bob")
            answers = Answers(*(NotReady() for _ in range(WAITS - 1)))
            reviews, done = keeper.reviews(answers), Done()
            for _ in range(WAITS - 1):
                await reviews.work_off(done)
            assert done == Done()
            await reviews.work_off(done)
            assert done == Done(1, 0)
            assert len(answers.asked) == WAITS

    asyncio.run(run())


def test_games_without_values_or_an_end_have_no_review(tmp_path: Path) -> None:
    async def run() -> None:
        async with node(str(tmp_path / "tables.sqlite")) as keeper:
            log = list(log_of(record()))[:-1]
            await put(keeper._store, "aaaaaaaa", [*log, entries.Ended(result_text(None), "without")], 500)
            await with_games(keeper, "Bob")
            answers, done = Answers(NoValues("It has none.")), Done()
            await keeper.reviews(answers).work_off(done)
            assert answers.asked == ["Bob"], "what was given up is not reviewed"
            assert done == Done(0, 2)
            assert await keeper.ledger.unreviewed(VERSION) == []

    asyncio.run(run())


def test_where_nothing_can_be_reviewed_everything_is_left_for_later(tmp_path: Path) -> None:
    async def run() -> None:
        async with node(str(tmp_path / "tables.sqlite")) as keeper:
            await with_games(keeper, "Bob", "Eve")
            answers, done = Answers(NoSolver("Install it.")), Done()
            reviews = keeper.reviews(answers)
            await reviews.work_off(done)
            assert (len(answers.asked), done, reviews.off) == (1, Done(), True)
            assert len(await keeper.ledger.unreviewed(VERSION)) == 2

    asyncio.run(run())


def test_saved_games_are_reviewed(tmp_path: Path) -> None:
    saves = tmp_path / "saves"
    saves.mkdir()
    (saves / "whole.hotdice").write_text(record().text)

    async def run() -> None:
        async with node(str(tmp_path / "tables.sqlite"), saves=saves) as keeper:
            await keeper.refresh()
            done = Done()
            await keeper.reviews(right_here).work_off(done)
            assert done == Done(1, 0)

    asyncio.run(run())


def test_a_server_reviews_by_itself_what_is_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(book_reviews, "LOOK_SECONDS", 0.05)

    async def work(inside: Inside) -> None:
        await put(inside.server.store, "aaaaaaaa", list(log_of(record("Ann", "Bob"), public=True)))
        await put(inside.server.store, "bbbbbbbb", list(log_of(record("Ann", "Eve")))[:-1])
        client = inside.client()
        while True:
            shown = (await client.get("/api/book")).json()
            if shown["house"]["reviewed"]:
                break
            await asyncio.sleep(0.2)
        assert (shown["house"]["games"], shown["reviewing"]) == (1, 0)
        player = (await client.get("/api/book/player", params={"name": "Bob"})).json()["player"]
        assert player["games"][0]["accuracy"] == pytest.approx(review(record()).seats[1].accuracy)

    within(Settings(str(tmp_path / "tables.sqlite"), book=True), work)
