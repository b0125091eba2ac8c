"""Whole games of each kind against a bot, played in the page: with a pointer, with a finger, and by keyboard alone."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.server.running import bot, person
from tests.web.browsing import DESKTOP, PHONE
from tests.web.conftest import Visit
from tests.web.playing import GAMES, Fingers, Keyboard, Pointer, player_of, short

pytestmark = pytest.mark.timeout(900)  # a long game on a slow machine


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(("size", "fingers"), [(DESKTOP, Keyboard), (PHONE, Pointer)], ids=["keyboard", "phone"])
def test_a_game_is_played_to_its_end(visit: Visit, game: str, size: tuple[int, int], fingers: type[Fingers]) -> None:
    visitor = visit(size=size)
    name = visitor.sit(game, [person("Ann"), bot()], options=short(game))
    player = player_of(game, visitor.page, fingers(visitor.page))
    player.play()
    # The page and the server agree about the end, and every roll is checked in the browser.
    shown = visitor.server.get(f"/tables/{name}").json()
    assert shown["status"] == "over"
    visitor.page.get_by_role("button", name="Check the dice").click()
    expect(visitor.page.get_by_text(re.compile(r"(\d+) of \1 rolls"))).to_be_visible()
    visitor.picture(f"end-{game}-{fingers.__name__.lower()}")
