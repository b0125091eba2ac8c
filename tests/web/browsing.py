"""Real Chromium at a real server: pages that complain about everything that a user should never see."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Route, expect, sync_playwright

from tests.server.running import Json, Running

HOME: Final = Path(__file__).parents[2]
ARTEFACTS: Final = HOME / "artefacts"
"""Where screenshots and measurements of the last run are."""
AXE: Final = HOME / "web" / "node_modules" / "axe-core" / "axe.min.js"
OFF: Final = (
    "WebUIOmniboxPopup", "WebUIOmniboxAimPopup",  # pages behind the address bar of each window, half a second of work
    # Chromium heeds the last such list alone, so these are Playwright's.
    "AimEnabled", "AvoidCorsURLLoaderRestartOnRedirect", "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose", "HttpsFirstBalancedModeAutoEnable", "HttpsUpgrades", "LensOverlay", "MediaRouter",
    "NetworkTimeServiceQuerying", "OptimizationHints", "PaintHolding", "PreconnectToSearch",
    "ThirdPartyStoragePartitioning",
)  # fmt: skip
"""What Chromium has and no test needs."""
FLAGS: Final = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage", f"--disable-features={','.join(OFF)}",
)  # fmt: skip
PHONE: Final = (390, 844)
SMALL: Final = (360, 640)
TABLET: Final = (768, 1024)
DESKTOP: Final = (1440, 900)
SIDEWAYS: Final = (844, 390)
MAGNIFIED: Final = (320, 568)
"""As wide as what is left of a window that was magnified fourfold, by WCAG's rule for reflow."""
SIZES: Final = {
    PHONE: "phone", SMALL: "small-phone", TABLET: "tablet", DESKTOP: "desktop", SIDEWAYS: "sideways",
    MAGNIFIED: "magnified",
}  # fmt: skip
STILL: Final = """
() => document.getAnimations()
  .every(one => one.playState !== 'running' || one.effect.getTiming().iterations === Infinity)
"""
"""Nothing fades or moves any more, but for what never stops."""
HIDDEN: Final = """
() => {
  const bar = document.querySelector('.actions').getBoundingClientRect();
  const dice = document.querySelector('section[aria-label="Dice"]');
  const clip = dice.getBoundingClientRect();
  return [...dice.querySelectorAll(':is(.die, [data-warns])')]
    .filter(one => one.checkVisibility())
    .map(one => [one.textContent.trim(), one.getBoundingClientRect()])
    .filter(([told, {width}]) => told || width >= 40)
    .filter(([, {left, top, right, bottom}]) =>
      left < clip.left - 1 || top < 0 || right > clip.right + 1 || bottom > innerHeight ||
      (bottom > bar.top + 1 && right > bar.left && left < bar.right))
    .map(([told, box]) => `${told || 'a die'} at ${[box.left, box.top, box.right, box.bottom].map(Math.round)}`);
}
"""
"""Dice of the turn and warnings that are out of the window or behind the bar of actions; smaller dice are tokens."""
CUT_OFF: Final = """
() => {
  const hidden = one => one.closest('.unseen, .skip, .die, option') ||
    !one.checkVisibility({visibilityProperty: true, opacityProperty: true}) ||
    parents(one).some(parent => getComputedStyle(parent).clipPath === 'inset(50%)');
  const parents = one => one === document.documentElement ? [one] : [one, ...parents(one.parentElement)];
  const found = [];
  const wide = document.documentElement.scrollWidth - innerWidth;
  if (wide > 0) found.push(`the page is ${wide} px too wide`);
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode.textContent.trim();
    const own = texts.currentNode.parentElement;
    if (!text || hidden(own)) continue;
    const range = document.createRange();
    range.selectNodeContents(texts.currentNode);
    const box = range.getBoundingClientRect();
    for (const one of parents(own)) {
      const {overflowX, overflowY} = getComputedStyle(one);
      if ([overflowX, overflowY].some(way => way === 'auto' || way === 'scroll')) break;
      const edge = one.getBoundingClientRect();
      const boxed = one.matches('button, .button, td, th, li, .card, label');
      const pressed = one.matches('button, .button');
      const sideways = boxed || overflowX !== 'visible' ? Math.max(edge.left - box.left, box.right - edge.right) : 0;
      const upright = pressed || overflowY !== 'visible' ? Math.max(edge.top - box.top, box.bottom - edge.bottom) : 0;
      const out = Math.max(sideways, upright - 2);
      if (out > 1.5 && box.width > 1) {
        found.push(`“${text}” is ${Math.round(out)} px out of ${one.tagName}.${one.className}`);
        break;
      }
    }
  }
  return found;
}
"""
"""Texts that are not wholly within the boxes around them, up to the first that scrolls; and a page that is too wide."""
WAIT: Final = 60_000
"""Milliseconds for which something may take its time on a busy machine."""
SLOW: Final = 480_000
"""Milliseconds for what a server has to compute at length, or to compile a solver for first."""


@contextmanager
def chromium_browser(program: Path) -> Iterator[Browser]:
    """Chromium, as long as the block lasts. Nothing of it stays: asyncio's own tests run in the same process."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=list(FLAGS), timeout=SLOW)
        try:
            yield browser
        finally:
            browser.close()


class Held:
    """Answers of the server that take their time: until they are let go."""

    def __init__(self, page: Page, address: str) -> None:
        self.page, self.address = page, address
        self.routes: list[Route] = []
        page.route(address, self._hold)

    def _hold(self, route: Route) -> None:
        self.routes.append(route)

    def wait(self) -> None:
        """Wait until one is asked for."""
        while not self.routes:
            self.page.wait_for_timeout(20)

    def let_go(self) -> None:
        self.page.unroute(self.address)  # and those that are held go on

    def answer(self, answer: Json) -> None:
        """Answer in the server's stead, from now on."""
        self.page.route(self.address, lambda route: route.fulfill(json=answer))
        for route in self.routes:
            route.fulfill(json=answer)


class Visitor:
    """Somebody with a browser of their own. Its pages notice errors, and whatever is asked of other hosts."""

    def __init__(
        self,
        browser: Browser,
        server: Running,
        *,
        size: tuple[int, int] = DESKTOP,
        dark: bool = False,
        still: bool = False,
        pace: str = "instant",
        offline: bool = False,
    ) -> None:
        self.server = server
        self.complaints: list[str] = []
        self.expected: re.Pattern[str] | None = None
        """Complaints that a test provokes."""
        self.context: BrowserContext = browser.new_context(
            base_url=server.url,
            viewport={"width": size[0], "height": size[1]},
            color_scheme="dark" if dark else "light",
            reduced_motion="reduce" if still else "no-preference",
            has_touch=size[0] < 800,
            service_workers="allow" if offline else "block",  # tests hold answers back, which a worker would hide
        )
        self.context.set_default_timeout(WAIT)
        prefs = json.dumps({"theme": "auto", "sound": False, "pace": pace})
        self.context.add_init_script(
            f"localStorage.getItem('hotdice.prefs') ?? localStorage.setItem('hotdice.prefs', '{prefs}')"
        )
        self.page = self.new_page()

    def new_page(self) -> Page:
        page = self.context.new_page()
        page.on("console", self._listen)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("request", lambda request: self._check(request.url))
        return page

    def _listen(self, told: ConsoleMessage) -> None:
        if told.type in ("error", "warning") and "blocked by Playwright" not in told.text:
            self.complaints.append(told.text)

    def _check(self, url: str) -> None:
        own = self.server.url, f"blob:{self.server.url}", f"ws://127.0.0.1:{self.server.port}"
        if not url.startswith(own):
            self.complaints.append(f"something of another host is asked for: {url}")

    def sit(self, game: str, seats: list[Json], **more: Any) -> str:
        """Set a table up as the page would, and open it with its seats."""
        more.setdefault("start", all(seat["kind"] != "open" for seat in seats))
        name, tokens = self.server.table(game, seats, **more)
        self.take(name, game, tokens)
        return name

    def take(self, name: str, game: str, tokens: list[str]) -> None:
        """Open a table with the tokens of some seats."""
        kept = json.dumps([{"table": name, "game": game, "tokens": tokens, "at": 1}])
        self.context.add_init_script(f"""
            if (!localStorage.getItem('given {name}')) {{
                localStorage.setItem('given {name}', 'once')
                localStorage.setItem('hotdice.tables', '{kept}')
            }}
        """)
        self.page.goto(f"/t/{name}")

    def look(self, size: tuple[int, int], *, dark: bool) -> None:
        """Go on with another window, by day or by night."""
        self.page.set_viewport_size({"width": size[0], "height": size[1]})
        self.page.emulate_media(color_scheme="dark" if dark else "light")
        expect(self.page.locator("html")).to_have_attribute("data-theme", "dark" if dark else "light")
        self.page.wait_for_function(STILL)

    def picture(self, name: str) -> None:
        """Keep a screenshot for whoever changes this page to look at."""
        folder = ARTEFACTS / "screens"
        folder.mkdir(parents=True, exist_ok=True)
        self.page.screenshot(path=folder / f"{name}.png")

    def check_access(self, where: str) -> None:
        """Have axe look at the page as it is: nothing may be found. Nor may the page be wider than the window."""
        if self.page.evaluate("typeof axe === 'undefined'"):
            self.page.evaluate(AXE.read_text("utf-8"))
        found = self.page.evaluate("async () => (await axe.run({resultTypes: ['violations']})).violations")
        told = [
            f"{rule['id']}: {rule['help']}: {node['html'][:160]} {node['failureSummary'][:200]}"
            for rule in found
            for node in rule["nodes"]
        ]
        assert not told, f"axe at {where}: " + "\n".join(told)
        wide = self.page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
        assert wide <= 0, f"{where} is {wide} px too wide"

    def close(self) -> None:
        self.context.close()
        serious = [told for told in self.complaints if not (self.expected and self.expected.search(told))]
        assert not serious, "The page complained: " + "\n".join(serious)


def looks_at(
    visitor: Visitor, name: str, *, light: Sequence[tuple[int, int]] = (), dark: Sequence[tuple[int, int]] = ()
) -> None:
    """Look at a page as it is in windows of these sizes by day, and of those by night; keep a picture of each."""
    for night, sizes in ((False, light), (True, dark)):
        for size in sizes:
            visitor.look(size, dark=night)
            told = f"{name}-{SIZES[size]}-{'dark' if night else 'light'}"
            visitor.picture(told)
            visitor.check_access(told)


def stop_the_clock(page: Page) -> None:
    """From now on nothing happens in the page because time goes by. Its clock has to be installed already."""
    page.clock.pause_at(datetime.now() + timedelta(minutes=1))


def keep_figures(name: str, figures: Any) -> None:
    """Write a measurement beside the screenshots."""
    ARTEFACTS.mkdir(exist_ok=True)
    (ARTEFACTS / f"{name}.json").write_text(json.dumps(figures, indent=2) + os.linesep, "utf-8")
