"""Every board at its busiest, in every kind of moment: axe finds nothing, nothing is too wide, by day and by night.

Games are half played before they are opened. Screenshots are kept among the artefacts.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, expect

from hotdice.game import CHANCE, State
from tests.server.running import OPEN, bot, local, person
from tests.web.browsing import DESKTOP, PHONE, SMALL, TABLET, WAIT, Visitor, looks_at
from tests.web.conftest import Visit
from tests.web.halfway import join_halfway, record, sit_down
from tests.web.playing import PLAYERS, Pointer, roll_once

GAMES = tuple(PLAYERS)


def deciding(state: State) -> bool:
    return state.seat >= 0


def rolling(state: State) -> bool:
    """A turn is about to begin."""
    return state.seat == CHANCE and state.fresh


def offers(word: str) -> Callable[[State], bool]:
    """Whether somebody may make a move that begins so."""
    return lambda state: state.seat >= 0 and any(move.text.startswith(word) for move in state.legal_moves())


def everywhere(visitor: Visitor, name: str) -> None:
    looks_at(visitor, name, light=(SMALL, DESKTOP), dark=(PHONE, TABLET))


def briefly(visitor: Visitor, name: str, *, dark_phone: bool = True) -> None:
    """On a phone and on a desk, one of them by night."""
    if dark_phone:
        looks_at(visitor, name, light=(DESKTOP,), dark=(SMALL,))
    else:
        looks_at(visitor, name, light=(SMALL,), dark=(DESKTOP,))


def seen(locator: Locator) -> None:
    expect(locator.first).to_be_visible(timeout=WAIT)


# KOR


def test_kor_with_eight_players(visit: Visit) -> None:
    visitor = visit(still=True)
    name = join_halfway(visitor, "kor", 8, 150, rolling)
    seen(visitor.page.locator("[data-key=roll]"))
    briefly(visitor, "kor-8-players-to-roll", dark_phone=False)
    roll_once(visitor, name)
    everywhere(visitor, "kor-8-players")


@pytest.mark.parametrize(("word", "group", "seed"), [
    ("follow", "Which sign to follow", 19),
    ("target", "Whom to send", 1),
])  # fmt: skip
def test_kor_choices(visit: Visit, word: str, group: str, seed: int) -> None:
    visitor = visit(still=True)
    join_halfway(visitor, "kor", 8, 100, offers(word), seed)
    seen(visitor.page.get_by_role("group", name=re.compile(group)))
    briefly(visitor, f"kor-{word}", dark_phone=word == "target")


# Kismet


def test_kismet_late_with_four_players(visit: Visit) -> None:
    visitor = visit(still=True)
    join_halfway(visitor, "kismet", 4, 230, rolling)
    page = visitor.page
    seen(page.locator("[data-key=roll]"))
    briefly(visitor, "kismet-4-players-to-roll")
    page.locator("[data-key=roll]").click()
    dice = page.get_by_role("button", name=re.compile(r"^Die \d"))
    dice.first.click()
    expect(dice.first).to_have_attribute("aria-pressed", "true")
    everywhere(visitor, "kismet-4-players-late")


def test_kismet_asks_before_it_writes_a_zero(visit: Visit) -> None:
    visitor = visit(still=True)
    join_halfway(visitor, "kismet", 3, 60, some_zeros)
    page = visitor.page
    page.get_by_role("button", name=re.compile("^Write 0 in")).first.click()
    sure = page.get_by_role("button", name=re.compile("^Yes, write a zero"))
    seen(sure)
    briefly(visitor, "kismet-zero")
    page.keyboard.press("Escape")
    expect(sure).to_have_count(0)
    expect(page.get_by_role("button", name=re.compile("^Write 0 in")).first).to_be_focused()


def some_zeros(state: State) -> bool:
    """Some box would score, and some would not."""
    if state.seat < 0:
        return False
    gains = [sum(state.apply(move).scores) - sum(state.scores) for move in state.legal_moves() if "score" in move.text]
    return any(gains) and 0 in gains


# Rollers


def test_rollers_with_five_players(visit: Visit) -> None:
    visitor = visit(still=True)
    join_halfway(visitor, "rollers", 5, 150, rolling)
    page = visitor.page
    seen(page.locator("[data-key=roll]"))
    briefly(visitor, "rollers-5-players-to-roll")
    while True:  # a ZAP leaves nothing to choose from
        page.locator("[data-key=roll]:enabled").click()
        seen(page.get_by_role("button", name=re.compile("^Stop and use")))
        if page.get_by_role("button", name="Stop and use all six").is_visible():
            break
    page.locator("[data-die='0']").click()
    everywhere(visitor, "rollers-5-players-keep")
    page.get_by_role("button", name=re.compile("^Stop")).click()
    seen(page.get_by_role("button", name=re.compile("Use none")))
    everywhere(visitor, "rollers-5-players-apply")


def test_rollers_with_a_zap(visit: Visit) -> None:
    visitor = visit(still=True)
    join_halfway(visitor, "rollers", 2, 20, lambda state: getattr(state, "zapped", False) is True)
    seen(visitor.page.get_by_text("ZAP: this roll is cancelled"))
    briefly(visitor, "rollers-zap")


@pytest.mark.parametrize("game", ["kismet", "rollers"])
def test_who_begins(visit: Visit, game: str) -> None:
    visitor = visit(still=True)
    name = visitor.sit(game, [person("Ann"), local("Ben"), local("Grandma Rose")])
    roll_once(visitor, name)
    briefly(visitor, f"{game}-roll-off", dark_phone=game == "kismet")


# BJ's dice


def test_bj_with_six_players(visit: Visit) -> None:
    visitor = visit(still=True)
    name = join_halfway(visitor, "bj", 6, 120, rolling)
    seen(visitor.page.locator("[data-key=roll]"))
    briefly(visitor, "bj-6-players-to-roll")
    while "nothing scores" in roll_once(visitor, name)["told"]:
        pass
    seen(visitor.page.get_by_role("button", name=re.compile("^Pass and keep")))
    everywhere(visitor, "bj-6-players")


def test_bj_in_the_last_round(visit: Visit) -> None:
    visitor = visit(still=True)
    join_halfway(visitor, "bj", 6, 50, lambda state: getattr(state, "starter", -1) >= 0 and deciding(state))
    seen(visitor.page.get_by_text("Last round"))
    briefly(visitor, "bj-last-round", dark_phone=False)


# All of them


@pytest.mark.parametrize("game", [*GAMES, "pig"])
def test_waiting_for_somebody_else(visit: Visit, game: str) -> None:
    visitor = visit(still=True)
    name = visitor.sit(game, [OPEN, person("Ann")])
    joined = visitor.server.post(f"/tables/{name}/join", {"name": "Benjamin"}).json()
    visitor.server.post(f"/tables/{name}/start", {}, joined["tokens"][0]["token"])
    seen(visitor.page.get_by_text("Waiting for Benjamin"))
    briefly(visitor, f"{game}-waiting", dark_phone=game in ("kor", "rollers"))


@pytest.mark.parametrize("game", [*GAMES, "pig"])
def test_real_dice(visit: Visit, game: str) -> None:
    visitor = visit(still=True)
    visitor.sit(game, [person("Ann"), bot()], dice="manual")
    faces = visitor.page.get_by_role("group", name=re.compile("^Faces")).get_by_role("button")
    seen(faces)
    faces.first.click()
    briefly(visitor, f"{game}-real-dice", dark_phone=game in ("kismet", "bj"))


@pytest.mark.parametrize(("game", "players"), [("kor", 4), ("kismet", 3), ("rollers", 3), ("bj", 5)])
def test_the_end(visit: Visit, game: str, players: int) -> None:
    """The result with the moments that mattered."""
    visitor = visit(still=True)
    sit_down(visitor, game, record(game, players, 10_000), [1])
    page = visitor.page
    seen(page.get_by_role("heading", name=re.compile(r"\bwins?\b")))
    moments = page.get_by_role("region", name="The moments that mattered")
    expect(moments.get_by_role("listitem").first).to_be_visible(timeout=3 * WAIT)
    briefly(visitor, f"end-{game}", dark_phone=game in ("kor", "rollers"))


def test_the_end_of_a_game_that_was_played_here(visit: Visit) -> None:
    """Against a bot to the end: its dice can be checked, roll by roll."""
    visitor = visit(still=True)
    visitor.sit("bj", [person("Ann"), bot()], options={"target": 500})
    page = visitor.page
    PLAYERS["bj"](page, Pointer(page)).play()
    page.get_by_role("button", name="Check the dice").click()
    seen(page.get_by_text(re.compile(r"(\d+) of \1 rolls")))
    page.get_by_text("Show the evidence").click()
    seen(page.get_by_role("region", name="All rolls"))
    briefly(visitor, "end-dice-checked")
    briefly(visitor, "end-dice-checked", dark_phone=False)
