"""Practice in the browser: positions on the real board, what moves are worth, what comes back, and the daily five."""

from __future__ import annotations

import json
import re
from datetime import date

from playwright.sync_api import Locator, Page, expect

from hotdice.games import load_game
from hotdice.practice import decks
from hotdice.practice.progress import result_line
from tests.server.running import Running, bot
from tests.server.test_coach import ready
from tests.web.browsing import DESKTOP, PHONE, Held, looks_at
from tests.web.conftest import Visit

GAME = "pig"
"""A game with two moves, on the board of games without a folder."""
DECK = (decks.shipped(load_game(GAME)) or decks.Deck(())).cards
KEPT = "JSON.parse(localStorage.getItem('hotdice.practice'))"


def choose(page: Page, at: int, *, right: bool) -> None:
    """Choose a right or a wrong move in a position of the deck, by the board's own controls."""
    card = DECK[at]
    moves = card.state.legal_moves()
    move = next(move for number, move in enumerate(moves) if (number in card.right) is right)
    page.locator(".board .actions .button:enabled").filter(has_text=re.compile(f"^{move.text}", re.IGNORECASE)).click()


def answered(page: Page) -> Locator:
    return page.get_by_role("region", name="Your answer")


def test_a_set_from_home_to_its_end(visit: Visit) -> None:
    visitor = visit(size=PHONE)
    page = visitor.page
    page.goto("/")
    page.get_by_role("link", name="Practice").click()
    expect(page.get_by_role("heading", name="Today’s five")).to_be_visible()
    looks_at(visitor, "practice-begun", light=(PHONE, DESKTOP), dark=(PHONE,))
    page.get_by_role("link", name=re.compile("^Pig")).click()
    for at in range(5):
        expect(page.get_by_role("region", name="The question")).to_contain_text(f"{at + 1} of 5")
        choose(page, at, right=at != 1)
        said = answered(page)
        expect(said.get_by_role("status")).to_contain_text("Right" if at != 1 else "Not the best")
        if at == 1:
            expect(said).to_contain_text("This position comes back in a day.")
            expect(said).to_contain_text(re.compile("(more|less) risk of a bust"))  # why, in the game's own terms
            looks_at(visitor, "practice-answer", light=(PHONE, DESKTOP), dark=(DESKTOP, PHONE))
            visitor.look(PHONE, dark=False)
        page.wait_for_timeout(600)  # a finger that was about to press something else is not heeded
        said.get_by_role("button", name=re.compile("Next|Result")).click()
    expect(page.get_by_text("4 of 5 answers right.")).to_be_visible()
    visitor.check_access("the end of a set")
    kept = page.evaluate(KEPT)
    assert [one["id"] for one in kept["boxed"]] == [DECK[1].id]
    assert (kept["answered"], kept["right"]) == (5, 4)
    page.get_by_role("link", name="All of practice").click()
    expect(page.get_by_text("5 answers, 4 of them right")).to_be_visible()
    looks_at(visitor, "practice", light=(PHONE, DESKTOP), dark=(DESKTOP,))


def test_by_keyboard_and_what_is_due_comes_first(visit: Visit) -> None:
    visitor = visit(size=DESKTOP)
    page = visitor.page
    due = {"id": DECK[7].id, "game": GAME, "box": 2, "due": "2026-01-01"}
    page.goto("/practice")
    page.evaluate(f"localStorage.setItem('hotdice.practice', '{json.dumps({'boxed': [due]})}')")
    page.goto(f"/practice/{GAME}")
    roll = page.locator(".board .actions .button:enabled").first
    roll.focus()
    page.keyboard.press("Enter")
    expect(answered(page)).to_be_visible()
    right = roll.inner_text().lower().startswith(tuple(DECK[7].state.legal_moves()[at].text for at in DECK[7].right))
    assert [(one["id"], one["box"]) for one in page.evaluate(KEPT)["boxed"]] == [(DECK[7].id, 3 if right else 1)]
    expect(answered(page).get_by_role("button", name="Next")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("region", name="The question")).to_contain_text("2 of 5")


def test_todays_five_that_are_done_have_a_line_to_share(visit: Visit) -> None:
    page = visit(size=PHONE).page
    page.goto("/practice")
    today = date.fromisoformat(page.evaluate("new Date().toLocaleDateString('sv')"))
    points = [100, 84, 0, 50, 100]
    daily = {today.isoformat(): {card.id: each for card, each in zip(decks.daily(today), points, strict=True)}}
    page.evaluate(f"localStorage.setItem('hotdice.practice', '{json.dumps({'daily': daily})}')")
    page.goto("/practice/daily")
    expect(page.get_by_label("Your result in a line")).to_have_value(result_line(today, points, 1))
    page.get_by_role("button", name="Copy the line").click()
    expect(page.get_by_role("status").filter(has_text=re.compile("Copied|selected"))).to_be_visible()


def finished(server: Running) -> str:
    """A table at which bots that err have played a game."""
    wish = {"game": GAME, "options": {"target": 30}, "seats": [bot("random"), bot("random")]}
    name: str = server.post("/tables", wish).json()["table"]["name"]
    while server.get(f"/tables/{name}").json()["status"] != "over":
        pass
    return name


def test_the_mistakes_of_a_finished_game(visit: Visit) -> None:
    visitor = visit(size=DESKTOP)
    page = visitor.page
    name = finished(visitor.server)
    first = ready(lambda: visitor.server.get(f"/tables/{name}/mistakes", game=1))["ids"][0]
    page.goto(f"/t/{name}/1")
    page.get_by_role("link", name="Practise the mistakes").click()
    expect(page.get_by_role("region", name="The question")).to_contain_text("Here you chose: ")
    page.locator(".board .actions .button:enabled").first.click()
    expect(answered(page)).to_be_visible()
    assert page.evaluate(KEPT)["seen"] == [first]


def test_what_goes_wrong_is_said(visit: Visit) -> None:
    visitor = visit(size=PHONE)
    visitor.expected = re.compile("Failed to load resource")
    page = visitor.page
    held = Held(page, "**/api/practice/decks/*")
    page.goto(f"/practice/{GAME}")
    held.wait()
    expect(page.get_by_text("Laying out the board…")).to_be_visible()
    held.answer({"ready": False, "share": 0.4, "cards": []})
    expect(page.get_by_role("progressbar", name="How far it is")).to_have_attribute("value", "0.4")
    visitor.check_access("positions that are being made")
    held.let_go()
    expect(page.locator(".board")).to_be_visible()

    page.route("**/api/practice/answers", lambda route: route.abort())
    choose(page, 0, right=True)
    expect(page.get_by_role("alert")).to_contain_text("The server does not answer.")
    page.unroute("**/api/practice/answers")
    choose(page, 0, right=True)
    expect(answered(page)).to_be_visible()

    page.goto("/practice/chess")
    expect(page.get_by_role("heading", name="There is nothing to practise here")).to_be_visible()
    page.goto("/t/zzzzzzzz/1/practice")
    expect(page.get_by_role("link", name="All of practice")).to_be_visible()
    page.route("**/api/practice/daily*", lambda route: route.abort())
    page.goto("/practice/daily")
    expect(page.get_by_role("heading", name="The server does not answer")).to_be_visible()
    visitor.check_access("practice without a server")
