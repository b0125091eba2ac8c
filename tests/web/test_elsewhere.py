"""A game and a bot of installed packages in the browser: on the generic board, to the end, with the dice checked."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.installed import examples
from tests.server.running import Running, bot, person
from tests.web.browsing import DESKTOP
from tests.web.conftest import Visit
from tests.web.playing import AnyPlayer, Pointer

pytestmark = pytest.mark.timeout(900)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server for which the packages in `examples/` are installed."""
    folder: Path = tmp_path_factory.mktemp("server")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", examples()["PYTHONPATH"])
        with Running(str(folder / "tables.sqlite"), "--unlimited") as running:
            yield running


def test_farkle_is_in_the_lobby_and_played_to_its_end(visit: Visit) -> None:
    visitor = visit(size=DESKTOP)
    visitor.page.goto("/")
    expect(visitor.page.get_by_text("Farkle", exact=True).first).to_be_visible()
    seats = [person("Ann"), bot("cautious")]
    name = visitor.sit("farkle", seats, options={"target": 1000, "opening": 0})
    AnyPlayer(visitor.page, Pointer(visitor.page)).play()
    assert visitor.server.get(f"/tables/{name}").json()["status"] == "over"
    visitor.page.get_by_role("button", name="Check the dice").click()
    expect(visitor.page.get_by_text(re.compile(r"(\d+) of \1 rolls"))).to_be_visible()
    visitor.picture("end-farkle")
