"""What phones add: the app without a connection, a screen that stays on, dice that are felt, an icon at home."""

from __future__ import annotations

import json
import re

from playwright.sync_api import expect

from tests.server.running import Running, bot, person
from tests.web.browsing import PHONE
from tests.web.conftest import Visit

CUT = re.compile("WebSocket|ERR_CONNECTION|Failed to load resource")
KEPT = (
    "async () => (await (await caches.open('hotdice')).keys()).filter(one => one.url.includes('/assets/')).length > 2"
)
SAFE_CIRCLE = """
async (address) => {
  const image = new Image()
  image.src = address
  await image.decode()
  const canvas = document.createElement('canvas')
  const size = canvas.width = canvas.height = image.naturalWidth
  const pencil = canvas.getContext('2d')
  pencil.drawImage(image, 0, 0)
  const pixels = pencil.getImageData(0, 0, size, size).data
  let outside = 0, holes = 0
  for (let y = 0; y < size; y++) for (let x = 0; x < size; x++) {
    const at = 4 * (y * size + x)
    if (pixels[at + 3] < 255) holes++
    const drawn = Math.abs(pixels[at + 2] - pixels[2]) > 24
    if (drawn && Math.hypot(x + 0.5 - size / 2, y + 0.5 - size / 2) > 0.4 * size) outside++
  }
  return { size, outside, holes }
}
"""
"""What is drawn outside the circle that every launcher shows: 40% of the width, by the Web Application Manifest."""


def test_without_a_connection_the_app_opens_and_says_so(visit: Visit, server: Running) -> None:
    visitor = visit(size=PHONE, offline=True)
    visitor.expected = CUT
    page = visitor.page
    page.goto("/")
    page.evaluate("() => navigator.serviceWorker.ready.then(() => 0)")
    page.wait_for_function(KEPT)
    server.kill()
    try:
        page.reload()
        expect(page.get_by_role("heading", name="The server does not answer")).to_be_visible()
        visitor.picture("offline-phone-light")
    finally:
        server.start()
    page.reload()
    expect(page.get_by_role("button", name="Play now").first).to_be_visible()


def test_what_a_table_is_about_is_never_kept(visit: Visit) -> None:
    visitor = visit(offline=True)
    visitor.page.goto("/")
    visitor.page.evaluate("() => navigator.serviceWorker.ready.then(() => 0)")
    visitor.sit("pig", [person("Ann"), bot("greedy")])
    visitor.page.get_by_role("button", name=re.compile("^Roll")).first.wait_for()
    kept = visitor.page.evaluate("async () => (await (await caches.open('hotdice')).keys()).map(one => one.url)")
    assert not [url for url in kept if "/api/" in url or "/t/" in url], kept


def test_the_screen_stays_on_while_a_game_is_played(visit: Visit) -> None:
    visitor = visit(size=PHONE)
    visitor.context.add_init_script("""
        window.asked = []
        const lock = { released: false, release: async () => window.asked.push('let go') }
        const request = async kind => { window.asked.push(kind); return lock }
        Object.defineProperty(navigator, 'wakeLock', { value: { request } })
    """)
    visitor.sit("pig", [person("Ann"), bot("greedy")], dice="manual")
    visitor.page.wait_for_function("() => window.asked.join() === 'screen'")
    visitor.page.get_by_role("link", name="All games").click()
    visitor.page.wait_for_function("() => window.asked.join() === 'screen,let go'")


def test_dice_are_felt_by_whoever_wants_it(visit: Visit) -> None:
    visitor = visit(size=PHONE)
    visitor.context.add_init_script("""
        window.felt = 0
        Object.defineProperty(navigator, 'vibrate', { value: () => (window.felt += 1) })
        const media = window.matchMedia.bind(window)
        window.matchMedia = query => query === '(pointer: coarse)' ? { matches: true } : media(query)
    """)
    visitor.sit("pig", [person("Ann"), bot("greedy")])
    page = visitor.page
    roll = page.get_by_role("button", name=re.compile("^Roll")).first
    roll.wait_for()
    news = "document.querySelector('.news .just').textContent"
    before = page.evaluate(news)
    roll.click()
    page.wait_for_function(f"before => {news} !== before", arg=before)  # a 1 is soon followed by what the bot does
    assert page.evaluate("window.felt") == 0
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Vibration").click()
    page.wait_for_function("() => window.felt === 1")  # so that it feels like this
    assert json.loads(page.evaluate("localStorage.getItem('hotdice.prefs')"))["buzz"] is True


def test_the_icon_fits_whatever_shape_a_phone_cuts_out_of_it(visit: Visit) -> None:
    page = visit().page
    page.goto("/")
    manifest = page.evaluate("async () => (await fetch('/hotdice.webmanifest')).json()")
    icons = [icon for icon in manifest["icons"] if "maskable" in icon["purpose"]]
    assert icons
    for icon in icons:
        found = page.evaluate(SAFE_CIRCLE, icon["src"])
        assert found == {"size": int(icon["sizes"].split("x")[0]), "outside": 0, "holes": 0}
