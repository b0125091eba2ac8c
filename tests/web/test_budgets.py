"""What a first visit costs: bytes over the wire for the lobby and for each board, nothing from elsewhere.

Long tasks and frames are measured too and kept among the artefacts; they depend on the machine, so nothing is asserted.
"""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page

from tests.server.running import bot, person
from tests.web.browsing import PHONE, keep_figures
from tests.web.conftest import Visit
from tests.web.playing import GAMES

LOBBY = 150_000
BOARD = 250_000

WATCH = """
window.longTasks = [];
new PerformanceObserver(list => window.longTasks.push(...list.getEntries().map(entry => Math.round(entry.duration))))
  .observe({type: 'longtask', buffered: true});
"""
BYTES = """
() => [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
  .map(entry => [entry.name.replace(location.origin, ''), entry.transferSize])
"""
FRAMES = """
([milliseconds, fewest]) => new Promise(done => {
  const times = [];
  const start = performance.now();
  const step = now => {
    times.push(now);
    if (now - start < milliseconds || times.length <= fewest) requestAnimationFrame(step);
    else done(times.slice(1).map((time, index) => Math.round(10 * (time - times[index])) / 10));
  };
  requestAnimationFrame(step);
})
"""


def loaded(page: Page) -> dict[str, Any]:
    page.wait_for_load_state("networkidle")
    files = dict(page.evaluate(BYTES))
    return {"bytes": sum(files.values()), "files": files, "long_tasks_ms": page.evaluate("window.longTasks")}


def test_the_lobby_is_light(visit: Visit) -> None:
    visitor = visit(size=PHONE)
    visitor.context.add_init_script(WATCH)
    visitor.page.goto("/")
    visitor.page.get_by_role("button", name="Play now").first.wait_for()
    found = loaded(visitor.page)
    keep_figures("budget-lobby", found)
    assert 10_000 < found["bytes"] < LOBBY, found


@pytest.mark.parametrize("game", GAMES)
def test_a_board_is_light(visit: Visit, game: str) -> None:
    """Opened by a link, with nothing in the cache."""
    visitor = visit(size=PHONE, pace="calm")
    name, tokens = visitor.server.table(game, [person("Ann"), bot()], start=True)
    visitor.context.add_init_script(WATCH)
    visitor.take(name, game, tokens)
    visitor.page.locator("[data-key=roll]").first.wait_for()
    found = loaded(visitor.page)
    visitor.page.locator("[data-key=roll]").first.click()
    frames = visitor.page.evaluate(FRAMES, [700, 5])
    found["frames"] = {"count": len(frames), "worst_ms": max(frames), "median_ms": sorted(frames)[len(frames) // 2]}
    keep_figures(f"budget-{game}", found)
    assert 10_000 < found["bytes"] < BOARD, found
