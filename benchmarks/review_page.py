"""How quick the review is in a browser: from the server's answer to the first chart, and frames while stepping.

Chromium opens the review of a long game of Kismet among four in one file, at the size of a desk and of a phone, and
steps as fast as frames are drawn. The reference is the display's own pace, 60 frames a second, in the same browser.

    python -m benchmarks.review_page
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Final

from playwright.sync_api import Page

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


def frames(page: Page, key: str) -> str:
    times = sorted(page.evaluate(STEP, [key, STEPS]))
    middle, late = times[len(times) // 2], times[int(0.95 * len(times))]
    return f"median {middle:5.1f} ms, 95% {late:5.1f} ms, worst {times[-1]:5.1f} ms"


def main() -> None:
    record = parse_record(record_of(half_played("kismet", 4, 100_000), DAY).text)
    html = html_of(record, review(record, precision=PRECISION))
    print(f"Kismet, 4 players, {len(record.events)} rolls and moves; the file has {len(html) / 1000:.0f} kB")
    with tempfile.TemporaryDirectory() as folder, chromium_browser(CHROMIUM) as browser:
        file = Path(folder) / "review.html"
        file.write_text(html, "utf-8")
        for name, (width, height) in (("desk", DESKTOP), ("phone", PHONE)):
            page = browser.new_page(viewport={"width": width, "height": height})
            page.goto(file.as_uri())
            page.locator(".course svg.lines").wait_for()
            answered, drawn = page.evaluate(MARKS)
            print(f"{name}: first chart {drawn - answered:.0f} ms after its values")
            for told, key in (("no step", ""), ("forwards", "ArrowRight"), ("backwards", "ArrowLeft")):
                print(f"{name}: {told:9} {frames(page, key)}")
            page.close()


if __name__ == "__main__":
    main()
