"""The front page's pictures, taken anew from the app as it is: `python -m tests.web.pictures [play] [review] [boards]`.

Chromium plays a turn of Kismet with loaded dice, steps through the review of a game that fixed dice and simple players
made, and looks at each board on a phone. What they show is the same each time; how many frames a moving picture has
depends on the machine.
"""

from __future__ import annotations

import base64
import io
import re
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from PIL import Image
from playwright.sync_api import Browser, Page, expect

from hotdice.dice import SeededDice
from hotdice.game import CHANCE, State
from tests.server.running import Running
from tests.services import chromium
from tests.web.browsing import HOME, SLOW, STILL, Visitor, chromium_browser
from tests.web.halfway import go_on, half_played, join_halfway
from tests.web.loaded import load

FOLDER: Final = HOME / "docs" / "images"
WINDOW: Final = (1120, 700)
SHORTEST: Final = 40
"""Milliseconds that a frame lasts at least: 25 a second."""
STEPS: Final = 24
"""How many events of a game the review goes through."""
GAP: Final = 10
LAST: Final = 2500
"""How long the last frame stays before the picture begins anew."""


@contextmanager
def film(page: Page, name: str) -> Iterator[None]:
    """Keep what the page shows during the block as a moving picture."""
    frames: list[tuple[float, bytes]] = []
    session = page.context.new_cdp_session(page)

    def keep(frame: dict[str, Any]) -> None:
        frames.append((1000 * frame["metadata"]["timestamp"], base64.b64decode(frame["data"])))
        session.send("Page.screencastFrameAck", {"sessionId": frame["sessionId"]})

    session.on("Page.screencastFrame", keep)
    session.send("Page.startScreencast", {"format": "png"})
    yield
    session.send("Page.stopScreencast")
    write(frames, FOLDER / f"{name}.webp")


def write(frames: list[tuple[float, bytes]], path: Path) -> None:
    """Write frames with the times at which they were seen, but for those that came too fast after the one before."""
    images: list[Image.Image] = []
    times: list[float] = []
    for seen, png in frames:
        image = Image.open(io.BytesIO(png)).convert("RGB")
        if times and seen - times[-1] < SHORTEST:
            images[-1] = image
        else:
            images.append(image)
            times.append(seen)
    lengths = [round(after - before) for before, after in pairwise(times)] + [LAST]
    first, *others = images
    first.save(
        path, save_all=True, append_images=others, duration=lengths, loop=0, quality=75, method=4, minimize_size=True
    )
    images[-1].save(path.with_suffix(".png"), optimize=True)
    print(f"{path.name}: {len(images)} frames, {sum(lengths) / 1000:.1f} s, {path.stat().st_size // 1000} kB")


def wait(page: Page, milliseconds: int) -> None:
    """Give whoever watches time to read."""
    page.wait_for_function(STILL)
    page.wait_for_timeout(milliseconds)


def begins_a_turn(state: State) -> bool:
    return state.seat == CHANCE and state.fresh


def begins_first_turn(state: State) -> bool:
    return begins_a_turn(state) and state.roller == 0


def play(browser: Browser, server: Running) -> None:
    """A turn of Kismet that ends as one would wish."""
    visitor = Visitor(browser, server, size=WINDOW, pace="calm")
    page = visitor.page
    load(visitor, "4 2 4 6 1", "4 3 4", "4")
    join_halfway(visitor, "kismet", 2, 24, begins_first_turn)
    roll = page.locator("[data-key=roll]:enabled")
    fours = page.get_by_role("button", name=re.compile(r"^Die \d: 4\b(?!.*kept)"))
    expect(roll).to_be_visible()
    with film(page, "play"):
        wait(page, 900)
        roll.click()
        wait(page, 900)
        for kept in (2, 4):
            for _ in range(fours.count()):
                fours.first.click()
                page.wait_for_timeout(300)
            expect(page.get_by_role("button", name=re.compile(r"^Die \d: 4\b.*kept"))).to_have_count(kept)
            wait(page, 500)
            roll.click()
            wait(page, 1100)
        page.get_by_role("button", name=re.compile(r"^Take \d+ in Kismet")).click()
        wait(page, 1500)
    visitor.close()


def review(browser: Browser, server: Running) -> None:
    """The last turns of a close game of BJ's dice, and what mattered most in it."""
    visitor = Visitor(browser, server, size=WINDOW, pace="calm")
    page = visitor.page
    table = half_played("bj", 2, sys.maxsize, dice=SeededDice(20))
    name, tokens = go_on(server, table, [1])
    visitor.take(name, table.game.name, tokens)
    page.goto(f"/t/{name}/1/review/{table.played - STEPS}")
    expect(page.get_by_role("list", name="What it is worth now")).to_contain_text("%", timeout=SLOW)
    with film(page, "review"):
        wait(page, 1500)
        for _ in range(STEPS):
            page.keyboard.press("ArrowRight")
            page.wait_for_timeout(450)
        wait(page, 1500)
        page.get_by_role("group", name="What is shown").get_by_role("button", name="Key moments").click()
        wait(page, 1000)
    visitor.close()


MOMENTS: Final = (
    ("kor", 4, 60, ("25 50 100 100 S S", "25 50 50 100 S")),
    ("kismet", 3, 72, ("1 3 3 3 4",)),
    ("rollers", 3, 12, ("1 2 4 4 * b4", "stop")),
    ("bj", 4, 40, ("1 1 1 3 5 6", "roll", "2 5")),
)
"""Whose turn is looked at on phones: after how many rolls and moves of how many players, and what happens then."""


def boards(browser: Browser, server: Running) -> None:
    """Each game on a phone, side by side."""
    seen = []
    for game, players, events, then in MOMENTS:
        visitor = Visitor(browser, server, size=(400, 820), still=True)
        join_halfway(visitor, game, players, events, begins_a_turn, then=then)
        expect(visitor.page.locator(".actions button:enabled").first).to_be_visible()
        wait(visitor.page, 500)
        seen.append(Image.open(io.BytesIO(visitor.page.screenshot())).convert("RGB"))
        visitor.close()
    width, height = seen[0].size
    picture = Image.new("RGB", ((width + GAP) * len(seen) - GAP, height), "white")
    for number, image in enumerate(seen):
        picture.paste(image, (number * (width + GAP), 0))
    picture.save(FOLDER / "boards.png", optimize=True)


if __name__ == "__main__":
    wanted = {film.__name__: film for film in (play, review, boards)}
    with (
        tempfile.TemporaryDirectory() as folder,
        Running(str(Path(folder) / "tables.sqlite"), "--unlimited") as server,
        chromium_browser(chromium()) as browser,
    ):
        for name in sys.argv[1:] or wanted:
            wanted[name](browser, server)
