"""Servers that cheat with their dice, in a browser: it has kept what it saw and drew, and says what is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.server.playing import SHORT, joined, step
from tests.server.running import OPEN, begun, bot, person
from tests.server.test_altered import CHEATS, altered
from tests.web.browsing import Visitor


@pytest.mark.parametrize(
    ("cheat", "at_once", "said"),
    [
        ("a string that is kept back", "What this device drew for the dice is not in them", "was left out of the dice"),
        ("a string of an accomplice that is chosen last", "", "was not sealed when this browser revealed its own"),
    ],
)
def test_a_browser_finds_a_server_out(browser: Browser, tmp_path: Path, cheat: str, at_once: str, said: str) -> None:
    with altered(CHEATS[cheat])(str(tmp_path / "tables.sqlite"), "--unlimited") as server:
        ben = Visitor(browser, server)
        name, tokens = server.table("pig", [person("Ann"), OPEN, bot()], options=SHORT["pig"])
        tokens.append(joined(server, name, "Ben"))
        ben.take(name, "pig", tokens[1:])
        with server.client(name, tokens[0]) as ann:
            while ann.present != [0, 1]:
                ann.receive()
            server.post(f"/tables/{name}/start", token=tokens[0]).raise_for_status()
            begun(ann)
            if at_once:
                expect(ben.page.get_by_text(at_once)).to_be_visible()
            with server.client(name, tokens[1]) as hand:
                while ann.state["status"] == "playing":
                    step(ann, hand)
        ben.page.get_by_role("button", name="Check the dice").click()
        expect(ben.page.get_by_text("something is wrong")).to_be_visible()
        expect(ben.page.get_by_text(said)).to_be_visible()
        ben.close()
