"""What a screen reader says, and what moves: every roll in words, dice with names, stillness for who wants it."""

from __future__ import annotations

import re
from typing import Final

import pytest
from playwright.sync_api import expect

from tests.server.running import bot, local, person
from tests.web.browsing import PHONE, SLOW, stop_the_clock
from tests.web.conftest import Visit
from tests.web.halfway import join_halfway
from tests.web.loaded import load
from tests.web.playing import GAMES, Pointer, player_of, roll_once, rolls_at

LISTEN: Final = """
window.heard = [];
const hear = () => {
  for (const region of document.querySelectorAll('[role=status], [role=alert], [aria-live]')) {
    const text = region.textContent.replace(/\\s+/g, ' ').trim();
    if (text && heard.at(-1) !== text) heard.push(text);
  }
};
new MutationObserver(hear).observe(document, {childList: true, characterData: true, subtree: true});
"""
"""Keeps whatever stands in a live region, in the order in which it came."""
SPEAK: Final = """
window.said = [];
const spoken = new Map();
const speak = () => {
  for (const region of document.querySelectorAll('[role=status], [aria-live=polite]')) {
    const atomic = region.ariaAtomic ? region.ariaAtomic === 'true' : region.matches('[role=status]');
    const walker = document.createTreeWalker(region, NodeFilter.SHOW_TEXT);
    const now = new Set();
    for (let node = walker.nextNode(); node; node = walker.nextNode()) if (node.data.trim()) now.add(node.data.trim());
    const before = spoken.get(region) ?? new Set();
    spoken.set(region, now);
    const added = [...now].filter(text => !before.has(text));
    const changed = added.length || [...before].some(text => !now.has(text));
    if (atomic && changed && now.size) said.push([...now].join(' '));
    else if (!atomic && added.length) said.push(added.join(' '));
  }
};
new MutationObserver(speak).observe(document, {childList: true, characterData: true, subtree: true});
"""
"""Keeps what a screen reader says of live regions: all of one that is atomic, else what is new in it."""
MEASURE: Final = """
window.motions = [];
const animate = Element.prototype.animate;
Element.prototype.animate = function (frames, options) {
  const time = typeof options === 'number' ? options : (options?.duration ?? 0) + (options?.delay ?? 0);
  if (this.closest('.die') || this.querySelector('.die')) motions.push(time);
  return animate.call(this, frames, options);
};
const watch = () => {
  for (const one of document.getAnimations())
    if (one.effect?.target?.closest('.die')) motions.push(one.effect.getComputedTiming().endTime);
  requestAnimationFrame(watch);
};
watch();
"""
"""Keeps how long each motion of a die lasts, in milliseconds."""


SIGNS: Final = {"S": "STOP", "D": "DEAD END", "U": "U-TURN", "*": "STAR", "zap": "ZAP"}
COLOURS: Final = {"1": "black", "2": "red", "3": "green", "4": "green", "5": "red", "6": "black"}
HANDS: Final[dict[str, tuple[tuple[str, ...], ...]]] = {
    "kor": (("25 50 100 S D U",), ("25 50 100 S S S",)),
    "kismet": (("6", "1", "1 2 3 4 5"), ("6", "1", "2 3 4 5 6")),
    "rollers": (("*", "1", "1 2 3 4 5 b1"), ("*", "1", "1 2 * * * zap")),
    "bj": (("1 2 3 4 5 6",), ("2 2 3 3 4 6",)),
    "pig": (("5",), ("1",)),
}
"""Rolls from the beginning of a game to a whole hand; some of these hands end a turn or are lost."""
TURNS: Final = {
    "kor": ("25 50 100 S D U", "25 50 S S S"),
    "kismet": HANDS["kismet"][0],
    "rollers": HANDS["rollers"][1],
    "bj": ("1 2 3 4 5 6", "2 3 4 6"),
    "pig": ("5", "1"),
}
"""Rolls from the beginning of a game to a hand in which something happens."""


def spoken(game: str, face: str) -> str:
    """A face as somebody would say it."""
    if game == "kismet":
        return f"{face} {COLOURS[face]}"
    return SIGNS.get(face, face.replace("b", "black "))


# What is heard


@pytest.mark.parametrize("game", GAMES)
def test_every_roll_and_turn_is_said(visit: Visit, game: str) -> None:
    """One's own rolls and those of a bot, each in the sentence that the server has for it, and whose turn it is."""
    visitor = visit(still=True, pace="quick")
    visitor.context.add_init_script(LISTEN)
    name = visitor.sit(game, [person("Ann"), bot()])
    player = player_of(game, visitor.page, Pointer(visitor.page))
    while len({roll["entry"]["seat"] for roll in rolls_at(visitor, name)}) < 2:
        player.play(1)
    expect(player.something().first).to_be_visible(timeout=SLOW)  # a bot may toss many times
    heard = visitor.page.evaluate("window.heard")
    for roll in rolls_at(visitor, name):
        told = roll.get("yours", {}).get("0", roll["told"])
        assert any(told in text for text in heard), f"nobody heard “{told}”, but: {heard}"
    assert any(text.endswith("Your turn.") for text in heard), heard


def test_a_roll_is_said_once(visit: Visit) -> None:
    """Its sentence, and what to do next; not whose turn it is, as that has not changed."""
    visitor = visit(pace="calm")
    page = visitor.page
    visitor.context.add_init_script(SPEAK)
    load(visitor, "1 2 3 4 5 6", "1 2 3 4")
    name = visitor.sit("bj", [person("Ann"), local("Ben")], dice="manual")
    first = roll_once(visitor, name)
    expect(page.locator("[data-key=roll]:enabled")).to_be_visible()
    said = page.evaluate("window.said")
    assert [text for text in said if first["told"] in text] == [first["told"]], said
    second = roll_once(visitor, name)
    expect(page.locator("[data-key=roll]:enabled")).to_be_visible()
    later = page.evaluate("window.said")[len(said) :]
    assert [text for text in later if second["told"] in text] == [second["told"]], later
    assert not [text for text in later if "your turn" in text], later
    assert len(later) <= 3, later


@pytest.mark.parametrize("game", HANDS)
def test_dice_have_names(visit: Visit, game: str) -> None:
    """Every face of the last roll is in what a screen reader finds among the dice."""
    visitor = visit()
    for rolls in HANDS[game]:
        join_halfway(visitor, game, 2, then=rolls)
        expect(visitor.page.locator("[data-key=roll]:enabled")).to_be_visible()
        found = visitor.page.get_by_role("region", name="Dice", exact=True).aria_snapshot()
        for face in rolls[-1].split():
            assert re.search(rf"(?<!\w){re.escape(spoken(game, face))}(?!\w)", found), f"{face} is not in: {found}"


# What moves


@pytest.mark.parametrize("game", TURNS)
@pytest.mark.parametrize(("still", "longest"), [(True, 150), (False, 1000)], ids=["still", "lively"])
def test_no_die_moves_for_long(visit: Visit, game: str, still: bool, longest: float) -> None:
    visitor = visit(still=still, pace="calm")
    visitor.context.add_init_script(MEASURE)
    load(visitor, *TURNS[game])
    name = visitor.sit(game, [person("Ann"), local("Ben")], dice="manual")
    for _ in TURNS[game]:
        roll_once(visitor, name)
    motions = visitor.page.evaluate("window.motions")
    assert motions, "no die moved, so nothing was measured"
    assert max(motions) < longest, sorted(motions)
    if not still:
        assert max(motions) > 150, "the dice do not tumble"


def test_escape_skips_what_is_being_shown(visit: Visit) -> None:
    visitor = visit(pace="calm")
    page = visitor.page
    page.clock.install()
    visitor.sit("bj", [person("Ann"), local("Ben")])
    page.locator("[data-key=roll]:enabled").wait_for()
    stop_the_clock(page)
    page.locator("[data-key=roll]").click()
    expect(page.get_by_text("Ann rolls…")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("p[role=status]")).to_contain_text(re.compile(r"Ann rolls( \d){6}:"))
    expect(page.get_by_text("Ann rolls…")).to_have_count(0)


@pytest.mark.parametrize("where", ["dice", "button"])
def test_a_tap_skips_what_is_being_shown(visit: Visit, where: str) -> None:
    visitor = visit(size=PHONE, pace="calm")
    page = visitor.page
    page.clock.install()
    visitor.sit("bj", [person("Ann"), local("Ben")])
    page.locator("[data-key=roll]:enabled").wait_for()
    stop_the_clock(page)
    page.locator("[data-key=roll]").tap()
    expect(page.get_by_text("Ann rolls…")).to_be_visible()
    target = page.get_by_role("region", name="Dice") if where == "dice" else page.get_by_role("button", name="Skip")
    target.tap()
    expect(page.locator("p[role=status]")).to_contain_text(re.compile(r"Ann rolls( \d){6}:"))
