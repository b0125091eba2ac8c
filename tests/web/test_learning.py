"""Learning a game in the browser: a guided first game, and the rules beside the board."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.server.running import bot, person
from tests.web.browsing import DESKTOP, PHONE, Visitor, looks_at
from tests.web.conftest import Visit

GAME = "bj"
"""A game of which each choice is one button."""
LARGE = "document.documentElement.style.fontSize = '32px'"
"""As for somebody who has set their browser to text of twice the size."""
CUT_OFF = """
() => [...document.querySelectorAll('main tbody th, main td, main li, main p')]
  .filter(one => one.scrollWidth > one.clientWidth + 1 || one.getBoundingClientRect().right > innerWidth)
  .map(one => one.textContent.trim())
"""


def says(page: Page, text: str) -> None:
    """Wait until the teacher has said something."""
    expect(page.locator(".teacher .says")).to_contain_text(text)


def take_step(page: Page, step: dict[str, str]) -> None:
    """Do what the teacher asks for."""
    if not step["learner"]:
        page.get_by_role("button", name="Go on").click()
    elif step["move"] == "pass":
        page.get_by_role("button", name=re.compile("^Pass and keep")).click()
    else:
        page.locator("[data-key=roll]:enabled").click()


def test_a_guided_first_game_from_home_to_its_end(visit: Visit) -> None:
    visitor: Visitor = visit(size=PHONE)
    page = visitor.page
    lesson = visitor.server.get(f"/games/{GAME}/lesson").json()
    offer = page.locator(f"article[data-game={GAME}]").get_by_role(
        "link", name=re.compile("Learn by playing|Go on learning")
    )
    page.goto("/")
    offer.click()
    first, *others = lesson["scenes"]
    wrong = next(at for at, step in enumerate(first["steps"]) if step["move"] == "pass")
    for at, step in enumerate(first["steps"]):
        says(page, step["says"])
        if at == wrong:
            # Another move changes nothing; the teacher says what to try, and why.
            page.locator("[data-key=roll]:enabled").click()
            expect(page.locator(".teacher .hint")).to_contain_text(step["hint"])
            looks_at(visitor, "lesson", light=(PHONE, DESKTOP), dark=(DESKTOP, PHONE))
            # Somebody who leaves comes back to the same step.
            page.get_by_role("link", name="All games").click()
            expect(offer).to_contain_text("Go on learning")
            offer.click()
            says(page, step["says"])
            expect(page.locator(".teacher .hint")).to_have_count(0)
        take_step(page, step)
    for scene in others:
        for step in scene["steps"]:
            says(page, step["says"])
            take_step(page, step)
    expect(page.get_by_text(lesson["rules"][-1]["text"])).to_be_visible()
    visitor.check_access("the end of a lesson")
    page.get_by_role("link", name="All games").click()
    expect(page.locator(f"article[data-game={GAME}]")).to_contain_text("Play now")
    expect(offer).to_have_count(0)


def test_the_rules_lie_beside_the_board(visit: Visit) -> None:
    visitor: Visitor = visit(size=DESKTOP)
    page = visitor.page
    visitor.sit(GAME, [person("Ann"), bot("greedy")])
    page.get_by_role("button", name="Rules", exact=True).click()
    rules = page.get_by_role("complementary", name="Rules")
    expect(rules.get_by_role("heading", name="What a toss scores")).to_be_visible()
    expect(rules.get_by_role("img", name=re.compile("^1 counts, 3, 4, 5 counts"))).to_be_visible()
    page.locator("[data-key=roll]:enabled").click()  # the game goes on beside them
    expect(page.locator("[data-key=roll]:enabled")).to_contain_text("Roll")
    visitor.check_access("rules beside a board")
    page.get_by_role("button", name="Close the rules").click()
    expect(page.get_by_role("heading", name="What happened")).to_be_visible()
    visitor.look(PHONE, dark=False)
    page.get_by_role("button", name="Rules", exact=True).click()
    expect(page.get_by_role("dialog", name="Rules").get_by_role("heading", name="What a toss scores")).to_be_visible()
    visitor.check_access("rules over a board")


def test_rules_can_be_read_in_text_of_twice_the_size(visit: Visit) -> None:
    visitor: Visitor = visit(size=PHONE)
    page = visitor.page
    for card in visitor.server.get("/games").json()["games"]:
        page.goto(f"/rules/{card['name']}")
        expect(page.get_by_role("heading", level=2).first).to_be_visible()
        page.evaluate(LARGE)
        assert page.evaluate(CUT_OFF) == [], card["name"]
        assert not re.search(r"\w_\w", page.locator("main").inner_text()), "house rules are in plain words"
