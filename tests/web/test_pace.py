"""How fast things are shown: nobody far behind, steps that can be skipped, choices taken back, an end that is seen."""

from __future__ import annotations

import re
from typing import Final

import pytest
from playwright.sync_api import Locator, Page, expect

from hotdice.dice import ManualDice
from hotdice.table import Moved
from tests.server.running import bot, local, person
from tests.web.browsing import DESKTOP, PHONE, Visitor, stop_the_clock
from tests.web.conftest import Visit
from tests.web.halfway import go_on, half_played
from tests.web.loaded import play_on
from tests.web.playing import GAMES, BjPlayer, Pointer

HEAR: Final = """
window.news = 0;
window.number = 0;
const Plain = window.WebSocket;
window.WebSocket = class extends Plain {
  send(text) {
    const wish = JSON.parse(text);
    if (wish.grace) wish.grace = 5000;
    super.send(JSON.stringify(wish));
  }
  set onmessage(hear) {
    super.onmessage = event => {
      const {type, state} = JSON.parse(event.data);
      if (type === 'update') {
        window.news += 1;
        window.number = state.number;
      }
      hear(event);
    };
  }
};
"""
"""Counts what the server tells, whether it is shown yet or not; and has bots be as patient as they can."""


def told(page: Page) -> Locator:
    """The sentences of what happened, as far as it is shown, the newest first."""
    return page.get_by_role("list", name=re.compile("^What happened")).get_by_role("listitem")


def heard(page: Page, news: int) -> None:
    """Wait until the page knows of so much."""
    page.wait_for_function("count => window.news >= count", arg=news)


def heard_of_the_bot(visitor: Visitor, name: str) -> None:
    """Wait until the page knows of all that the bot did in its turn."""
    with visitor.server.client(name) as watching:
        while watching.state["actor"] != 0:
            watching.receive()
        visitor.page.wait_for_function("number => window.number >= number", arg=watching.state["number"])


def test_a_watcher_is_a_second_behind_at_most(visit: Visit) -> None:
    """Somebody rolls as fast as they can. Another page's clock stands still meanwhile; then a second goes by there."""
    roller, watcher = visit(), visit(pace="calm")
    watcher.context.add_init_script(HEAR)
    watcher.page.clock.install()
    name, tokens = roller.server.table("kor", [person("Ann"), local("Ben")], dice="manual", start=True)
    roller.take(name, "kor", tokens)
    watcher.page.goto(f"/t/{name}")
    expect(watcher.page.get_by_text("Watching")).to_be_visible()
    stop_the_clock(watcher.page)
    rolls = ["25 25 50 50 100 100", "25 25 50 50 100", "25 25 50 50", "25 25 50", "25 25", "25"]
    before = told(watcher.page).count()
    play_on(roller.server, name, tokens, rolls)
    expect(told(roller.page)).to_have_count(before + len(rolls))
    heard(watcher.page, len(rolls))
    assert told(watcher.page).count() < before + len(rolls)
    watcher.page.clock.run_for(1_100)
    expect(told(watcher.page)).to_have_count(before + len(rolls), timeout=5_000)
    assert told(watcher.page).all_inner_texts() == told(roller.page).all_inner_texts()


def passed(visitor: Visitor) -> None:
    """Play until Ann has passed on to the bot, which waits."""
    page = visitor.page
    player = BjPlayer(page, Pointer(page))
    back = page.get_by_role("region", name="What you can do").get_by_role("button", name="Undo")
    for _ in range(30):
        expect(player.something().first).to_be_visible()
        passing = page.get_by_role("button", name=re.compile("^Pass and keep")).is_visible()
        player.act()
        if passing:
            expect(back).to_be_visible()
            return
    raise AssertionError("Ann never had a choice")


def test_a_choice_is_taken_back_though_a_bot_is_next(visit: Visit) -> None:
    visitor = visit(size=PHONE, pace="quick")
    visitor.context.add_init_script(HEAR)
    page = visitor.page
    visitor.sit("bj", [person("Ann"), bot()], options={"target": 20_000})
    passed(visitor)
    expect(page.get_by_text("Otto is next.")).to_be_visible()
    visitor.picture("undo-before-a-bot")
    page.get_by_role("region", name="What you can do").get_by_role("button", name="Undo").click()
    expect(page.get_by_role("button", name=re.compile("^Pass and keep"))).to_be_visible()
    expect(page.locator("p[role=status]")).to_contain_text("The last choice of Ann is taken back.")


def test_space_skips_one_step_and_held_all(visit: Visit) -> None:
    visitor = visit(pace="calm")
    visitor.context.add_init_script(HEAR)
    page = visitor.page
    page.clock.install()
    name = visitor.sit("bj", [person("Ann"), bot()], options={"target": 20_000})
    steps = 0
    while steps < 3:  # a bot may lose its turn with the first roll
        passed(visitor)
        stop_the_clock(page)
        shown, news = told(page).count(), page.evaluate("window.news")
        page.keyboard.press("Space")  # nothing is to be taken back
        heard(page, news + 1)
        heard_of_the_bot(visitor, name)
        steps = page.evaluate("window.news") - news
        if steps < 3:
            page.keyboard.press("Escape")
            page.clock.resume()
    expect(told(page)).to_have_count(shown)
    page.keyboard.press("Space")
    expect(told(page)).not_to_have_count(shown)
    assert told(page).count() < shown + steps  # a decision without dice is told at once; what comes then is not
    expect(page.locator("[data-key=roll]:enabled")).to_have_count(0)
    page.keyboard.down("Space")
    page.clock.run_for(500)
    page.keyboard.up("Space")
    expect(page.locator("[data-key=roll]:enabled")).to_be_visible()
    assert told(page).count() >= shown + steps


@pytest.mark.parametrize("game", GAMES)
def test_the_end_is_seen_and_celebrated(visit: Visit, game: str) -> None:
    """The board shows the deciding move; then the result comes, with a celebration that a tap ends."""
    full = half_played(game, 2, 100_000)
    table = half_played(game, 2, full.played - 1)
    table.dice = ManualDice()
    last = full.event(full.played - 1)
    text = last.move.text if isinstance(last, Moved) else full.game.roll_text(last.roll)
    visitor = visit(size=DESKTOP, pace="calm")
    visitor.context.add_init_script(HEAR)
    page = visitor.page
    page.clock.install()
    name, tokens = go_on(visitor.server, table, [1, 2])
    visitor.take(name, game, tokens)
    expect(told(page).first).to_be_visible()
    stop_the_clock(page)
    news = page.evaluate("window.news")
    play_on(visitor.server, name, tokens, [text])
    heard(page, news + 1)  # time that goes by before would be silence, after which the page takes its link for lost
    result, cheer = page.get_by_role("region", name="The result"), page.locator(".celebration")
    over = page.get_by_role("region", name="What you can do").get_by_text("The game is over.")
    for _ in range(60):  # until dice have tumbled and lie there; less than it takes to doubt the link
        if over.is_visible():
            break
        page.clock.run_for(50)
    expect(over).to_be_visible()
    expect(result).to_have_count(0)
    visitor.picture(f"deciding-{game}")
    page.clock.run_for(2_000)
    expect(result).to_be_visible()
    expect(cheer).to_be_visible()
    page.mouse.click(5, 5)
    expect(cheer).to_have_count(0)
