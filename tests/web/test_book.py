"""The book of the house in the browser: its charts, somebody's page, what can be taken out, and deleting a name."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from playwright.sync_api import expect

from hotdice.book.played import GameReview, SeatReview, decode_game, encode
from hotdice.book.reviews import VERSION
from hotdice.server.book import BookKeeper
from hotdice.server.store import Store
from tests.server.running import Running
from tests.server.test_book import at_once
from tests.web.browsing import DESKTOP, PHONE, looks_at
from tests.web.conftest import Visit
from tests.web.household import played

GAMES = 21


async def reviewed(database: str) -> None:
    """Have every game reviewed; what the reviews say is made up, as nobody should have to wait for solvers here."""
    store = Store(database)
    await store.open()
    try:
        keeper = BookKeeper(store, at_once)
        await keeper.refresh()
        for number, kept in enumerate(await keeper.ledger.games()):
            game = decode_game(kept.body)
            unit = "points" if len(game.seats) == 1 else "win probability"
            seats = tuple(SeatReview(60.0 + number, 10, 0.2, 0.1 - 0.2 * at, 0.05) for at, _ in enumerate(game.seats))
            await keeper.ledger.review(game.id, VERSION, encode(GameReview(VERSION, unit, seats)))
    finally:
        await store.close()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server with the book of a household that has played for some weeks."""
    database = str(tmp_path_factory.mktemp("book") / "tables.sqlite")
    with ThreadPoolExecutor(1) as aside:  # the browser of these tests has the event loop of this thread
        aside.submit(asyncio.run, played(database, GAMES)).result()
        aside.submit(asyncio.run, reviewed(database)).result()
    with Running(database, "--unlimited", "--book") as running:
        yield running


def test_the_house(visit: Visit) -> None:
    visitor = visit(size=DESKTOP)
    page = visitor.page
    house = visitor.server.get("/book").json()["house"]
    page.goto("/")
    page.get_by_role("link", name="The book of the house").click()
    expect(page.get_by_text(f"{GAMES} games played to the end, {GAMES} reviewed.")).to_be_visible()
    who = page.get_by_role("region", name="Who wins")
    for line in house["people"]:
        if line["against"]:
            expect(who.get_by_role("listitem").filter(has_text=line["name"])).to_contain_text(
                f"{line['wins']} of {line['against']}"
            )
    second = house["shelf"][1]
    ratings = page.get_by_role("region", name="Ratings and records")
    ratings.get_by_role("radio", name=re.compile(f"^{second['title'].split(',')[0]}")).check(force=True)
    rating = second["ratings"][0]
    row = ratings.get_by_role("listitem").filter(has_text=rating["name"])
    expect(row).to_contain_text(f"{rating['mean']:.1f} ± {rating['mean'] - rating['low']:.1f}")
    dice = page.get_by_role("region", name="Are the dice rigged?")
    test = house["tests"][0]["test"]
    expect(dice).to_contain_text(
        f"{test['rolled']:,} dice rolled, chi-square {test['chi_square']:.1f}, {test['freedom']} degrees"
    )
    dice.get_by_text("Every face, and how often").first.click()
    face = test["kinds"][0]["faces"][0]
    expect(dice.get_by_role("cell", name=f"of {face['expected']:.1f}").first).to_be_visible()
    looks_at(visitor, "book", light=(DESKTOP, PHONE), dark=(PHONE, DESKTOP))
    with page.expect_download() as export:
        page.get_by_role("link", name="CSV").click()
    assert export.value.suggested_filename == "hotdice-book.csv"
    assert "Ann" in Path(export.value.path()).read_text("utf-8")


def test_a_page_of_somebody(visit: Visit) -> None:
    visitor = visit(size=PHONE)
    page = visitor.page
    page.goto("/book/ann")
    expect(page.get_by_role("heading", level=1)).to_have_text("Ann")
    games = visitor.server.get("/book/player", name="Ann").json()["player"]["games"]
    first = next(each for each in games if sum(point["rated"] for point in each["points"]) > 1)
    page.get_by_role("radio", name=re.compile(f"^{first['title'].split(',')[0]}")).check(force=True)
    for title in ("Totals", "Rating", "Accuracy", "Luck"):
        expect(page.get_by_role("img", name=re.compile(f"^{title}.*: [0-9]+ games")).first).to_be_visible()
    expect(page.get_by_text(f"over {first['decisions']} decisions in {first['reviewed']} games")).to_be_visible()
    looks_at(visitor, "book-player", light=(PHONE, DESKTOP), dark=(DESKTOP, PHONE))
    visitor.look(PHONE, dark=False)
    latest = first["points"][-1]
    game = page.locator(f'a[href="/t/{latest["id"]}"]').first
    game.click()
    expect(page.get_by_role("heading", name=re.compile("wins|win together"))).to_be_visible()


def test_a_name_is_deleted_once_it_is_typed(visit: Visit) -> None:
    visitor = visit(size=PHONE)
    visitor.expected = re.compile("Failed to load resource.*404")
    page = visitor.page
    page.goto("/book/Dev")
    page.get_by_role("button", name="Delete this name from the book…").click()
    dialog = page.get_by_role("dialog", name="Delete Dev?")
    expect(dialog.get_by_role("button", name="Delete for good")).to_be_disabled()
    dialog.get_by_label("Type Dev to delete it").fill("Dev")
    visitor.check_access("deleting a name")
    dialog.get_by_role("button", name="Delete for good").click()
    expect(page.get_by_role("dialog").get_by_role("status")).to_contain_text("“Somebody”")
    page.get_by_role("dialog").get_by_role("link", name="The book of the house").click()
    expect(page.get_by_role("region", name="Who wins")).not_to_contain_text("Dev")
    page.goto("/book/Dev")
    expect(page.get_by_role("heading", name="Not in the book")).to_be_visible()


def test_an_empty_book_one_that_is_read_and_one_that_is_away(visit: Visit) -> None:
    visitor = visit(size=PHONE)
    visitor.expected = re.compile("Failed to load resource")
    page = visitor.page
    house = {
        "games": 0,
        "given_up": 0,
        "unrated": {},
        "reviewed": 0,
        "people": [],
        "bots": [],
        "shelf": [],
        "duels": [],
    }
    empty = {"reading": 3, "reviewing": 0, "may_delete": False, "house": {**house, "tests": [], "tests_made": 0}}
    page.route("**/api/book", lambda route: route.fulfill(json=empty))
    page.goto("/book")
    expect(page.get_by_role("heading", name="Nothing in the book yet")).to_be_visible()
    expect(page.get_by_text("Still reading: 3 tables and saved games to go.")).to_be_visible()
    visitor.check_access("an empty book")
    page.route("**/api/book", lambda route: route.abort())
    page.goto("/book")
    expect(page.get_by_role("heading", name="The book cannot be opened now")).to_be_visible()
    none = {"error": "no_book", "message": "This server keeps no book."}
    page.route("**/api/book", lambda route: route.fulfill(status=404, json=none))
    page.get_by_role("button", name="Try again now").click()
    expect(page.get_by_role("heading", name="There is no book here")).to_be_visible()
    visitor.check_access("no book")
