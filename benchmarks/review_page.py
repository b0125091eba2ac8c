"""How quick the review is in a browser: from the server's answer to the first chart, and frames while stepping.

Chromium opens the review of a long game of Kismet among four in one file, at the size of a desk and of a phone, and
steps as fast as frames are drawn. The reference is the display's own pace, 60 frames a second, in the same browser.

    python -m benchmarks.review_page
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median, quantiles
from typing import Final

from playwright.sync_api import Page

from benchmarks.report import Row, Versus, alone, part
from hotdice.record import parse_record, record_of
from hotdice.review import review
from hotdice.server.review_file import html_of
from tests.web.browsing import DESKTOP, PHONE, chromium_browser
from tests.web.halfway import DAY, half_played

STEPS: Final = 240
CHROMIUM: Final = Path("/usr/bin/chromium")
PRECISION: Final = 0.08
"""Coarse values are drawn as fine ones are."""
STEP: Final = """
async ([key, steps]) => {
  const times = [];
  for (let step = 0; step < steps; step += 1) {
    const from = performance.now();
    if (key) window.dispatchEvent(new KeyboardEvent('keydown', {key, cancelable: true}));
    await new Promise(done => requestAnimationFrame(() => setTimeout(done, 0)));
    times.push(performance.now() - from);
  }
  return times;
}
"""
"""The milliseconds of each frame in which a step was asked for and drawn; without a key, of frames without work."""
MARKS: Final = """
() => ['review-answered', 'review-drawn'].map(name => performance.getEntriesByName(name).at(-1)?.startTime ?? 0)
"""


def frames(page: Page, key: str) -> list[float]:
    """The milliseconds of each frame."""
    times: list[float] = page.evaluate(STEP, [key, STEPS])
    return times


def rows(arguments: Sequence[str]) -> Iterator[Row]:
    """At the size of a desk and of a phone."""
    part(arguments)
    record = parse_record(record_of(half_played("kismet", 4, 100_000), DAY).text)
    html = html_of(record, review(record, precision=PRECISION))
    what = f"Kismet, 4 players, {len(record.events)} rolls and moves"
    yield Row("review_page.size", "The file", what, len(html.encode()) / 1000, "kB", "lower")
    with tempfile.TemporaryDirectory() as folder, chromium_browser(CHROMIUM) as browser:
        file = Path(folder) / "review.html"
        file.write_text(html, "utf-8")
        for name, (width, height) in (("desk", DESKTOP), ("phone", PHONE)):
            page = browser.new_page(viewport={"width": width, "height": height})
            page.goto(file.as_uri())
            page.locator(".course svg.lines").wait_for()
            answered, drawn = page.evaluate(MARKS)
            group = f"On a {name}, {width}x{height}"
            yield Row(
                f"review_page.{name}.first", group, "first chart after its values", drawn - answered, "ms", "lower"
            )
            idle = median(frames(page, ""))
            for told, key in (("forwards", "ArrowRight"), ("backwards", "ArrowLeft")):
                times = frames(page, key)
                beside, where = (
                    (Versus(f"review_page.{name}.idle", median(times) / idle),),
                    f"review_page.{name}.{told}",
                )
                yield Row(where, group, f"a step {told}", median(times), "ms", "lower", versus=beside)
                late = quantiles(times, n=20)[18]
                yield Row(f"{where}.p95", group, f"a step {told}, 95th percentile", late, "ms", "lower")
            yield Row(f"review_page.{name}.idle", group, "a frame without a step", idle, "ms", "lower", ours=False)
            page.close()


if __name__ == "__main__":
    alone(rows)
