"""Dice are solid: however they are turned, nothing can be seen through them, and light falls on them from one side."""

from __future__ import annotations

import base64
from typing import Any, Final

from playwright.sync_api import Page, expect

from tests.server.running import local, person
from tests.web.browsing import PHONE, stop_the_clock
from tests.web.conftest import Visit

ANGLES: Final = ((35, 45), (-30, 40), (20, -60), (-50, -35), (125, 70), (45, 0), (0, 45), (200, 310), (12, 8))
SIZE: Final = 220
ALONE: Final = """
size => {
  const one = [...document.querySelectorAll('.board .die')].find(die => die.querySelectorAll('.side').length === 6);
  const alone = document.createElement('div');
  alone.id = 'alone';
  alone.style = `position: fixed; z-index: 99; inset: 0; display: grid; place-items: center; background: #f0f;
    --die-size: ${size}px; --shade: transparent`;
  alone.append(one.cloneNode(true));
  document.body.append(alone);
}
"""
"""Puts a die that is in the air before a background of a colour that no die has."""
TURN: Final = """
([x, y, half]) => {
  const cube = document.querySelector('#alone .cube');
  cube.style.transform = `translateZ(${-half}px) rotateX(${x}deg) rotateY(${y}deg)`;
}
"""
HOLES: Final = """
async picture => {
  const bytes = Uint8Array.from(atob(picture), letter => letter.charCodeAt(0));
  const image = await createImageBitmap(new Blob([bytes], {type: 'image/png'}));
  const {width, height} = image;
  const context = Object.assign(document.createElement('canvas'), {width, height}).getContext('2d');
  context.drawImage(image, 0, 0);
  const {data} = context.getImageData(0, 0, width, height);
  const empty = at => data[4 * at] > 225 && data[4 * at + 1] < 40 && data[4 * at + 2] > 225;
  const outside = new Uint8Array(width * height);
  const next = [0];
  outside[0] = 1;
  while (next.length) {
    const at = next.pop();
    for (const down of [-width, 0, width]) for (const right of [-1, 0, 1]) {
      const to = at + down + right;
      if (to >= 0 && to < outside.length && !outside[to] && empty(to)) { outside[to] = 1; next.push(to); }
    }
  }
  let holes = 0;
  let solid = 0;
  for (let at = 0; at < outside.length; at += 1) {
    if (empty(at)) holes += outside[at] ? 0 : 1;
    else solid += 1;
  }
  return {holes, solid};
}
"""
"""How much of the background is seen through a die: what is not connected with the outside."""
LIGHT: Final = """
() => [...document.querySelectorAll('.board .die')].map(die => [...die.querySelectorAll('.side')]
  .map(side => Number(getComputedStyle(side, '::after').opacity)))
"""


def seen(page: Page) -> dict[str, Any]:
    window = page.viewport_size
    assert window
    room = 2 * SIZE
    left, top = (window["width"] - room) / 2, (window["height"] - room) / 2
    picture = page.screenshot(clip={"x": max(0, left), "y": top, "width": min(room, window["width"]), "height": room})
    found: dict[str, Any] = page.evaluate(HOLES, base64.b64encode(picture).decode())
    return found


def test_nothing_is_seen_through_a_die(visit: Visit) -> None:
    visitor = visit(size=PHONE, pace="calm")
    page = visitor.page
    page.clock.install()
    visitor.sit("bj", [person("Ann"), local("Ben")])
    expect(page.locator("[data-key=roll]:enabled")).to_be_visible()
    stop_the_clock(page)
    page.locator("[data-key=roll]").click()
    expect(page.get_by_text("Ann rolls…")).to_be_visible()
    page.evaluate(ALONE, SIZE)
    for x, y in ANGLES:
        page.evaluate(TURN, [x, y, SIZE / 2])
        found = seen(page)
        assert found["solid"] > SIZE * SIZE * 0.9, (x, y, found)
        assert found["holes"] < 10, (x, y, found)  # where edges are smoothed, a pixel may be nearly the background's


def test_a_die_at_rest_shows_two_of_its_sides_darker(visit: Visit) -> None:
    visitor = visit(size=PHONE)
    page = visitor.page
    visitor.sit("bj", [person("Ann"), local("Ben")])
    page.locator("[data-key=roll]:enabled").click()
    expect(page.locator(".board .dice .die").first).to_be_visible()
    for light in page.evaluate(LIGHT):
        front, *others = sorted(light)
        assert len(others) == 2, light
        assert front < 0.05 < min(others), light
