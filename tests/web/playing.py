"""People who play in a browser: they see the page, and press what it offers, by pointer or by keyboard alone."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from typing import Final

from playwright.sync_api import Locator, Page, expect

from hotdice.games import all_games, load_game
from hotdice.options import Value
from tests.server.running import Json
from tests.web.browsing import HOME, SLOW, Visitor

MOST_STEPS: Final = 600
MOST_TABS: Final = 120
END: Final = re.compile("Play again")
TAKE: Final = re.compile(r"^Take (\d+) in ")


class Fingers(ABC):
    """How somebody presses what they see."""

    def __init__(self, page: Page) -> None:
        self.page = page

    @abstractmethod
    def press(self, target: Locator) -> None: ...

    @abstractmethod
    def toggle(self, dice: Locator, at: int) -> None:
        """Choose or let go of the die at a place, counted from 0."""


class Pointer(Fingers):
    """A mouse, or a finger on glass."""

    def press(self, target: Locator) -> None:
        target.click()

    def toggle(self, dice: Locator, at: int) -> None:
        dice.nth(at).click()


class Keyboard(Fingers):
    """No pointer at all: Tab and Enter reach everything, digits choose dice, Space rolls."""

    def press(self, target: Locator) -> None:
        wanted = target.element_handle()
        if target.get_attribute("data-key") == "roll" and self.page.evaluate(
            "document.activeElement === document.body"
        ):
            self.page.keyboard.press("Space")
            return
        for _ in range(MOST_TABS):
            if self.page.evaluate("wanted => document.activeElement === wanted", wanted):
                self.page.keyboard.press("Enter")
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"{target} cannot be reached by Tab")

    def toggle(self, dice: Locator, at: int) -> None:
        self.page.keyboard.press(str(at + 1))


SLIP: Final = 600
"""Milliseconds after which nobody takes a press for a slip."""


class Player(ABC):
    """Somebody who plays a game at a page, well enough to come to its end."""

    def __init__(self, page: Page, fingers: Fingers) -> None:
        self.page, self.fingers = page, fingers
        self.steps = 0
        self.roll = page.locator("[data-key=roll]:enabled")

    @property
    def over(self) -> Locator:
        return self.page.get_by_role("button", name=END)

    def play(self, steps: int = MOST_STEPS) -> None:
        """Act whenever the page says so, until the game is over or so much was done."""
        until = self.steps + steps
        while self.steps < until:
            # A bot may toss many times.
            expect(self.over.or_(self.something()).first).to_be_visible(timeout=SLOW)
            if self.over.is_visible():
                return
            if self.act():
                self.steps += 1
        if steps == MOST_STEPS:
            raise AssertionError(f"The game is not over after {steps} steps")

    @abstractmethod
    def something(self) -> Locator:
        """What shows that it is this player's turn."""

    @abstractmethod
    def act(self) -> bool:
        """Do one thing; False if there was nothing to do after all."""

    def _press(self, target: Locator) -> bool:
        """Press the first of some things, if it is still there: the page may have moved on."""
        found = target.first
        if not found.is_visible():
            return False
        self.fingers.press(found)
        return True


class KorPlayer(Player):
    def something(self) -> Locator:
        return self.roll.or_(self._choices())

    def _choices(self) -> Locator:
        groups = self.page.get_by_role("group", name=re.compile("Which sign|Whom to send"))
        return groups.get_by_role("button")

    def act(self) -> bool:
        return self._press(self._choices()) or self._press(self.roll)


class KismetPlayer(Player):
    """Keeps the first two dice once a turn, then takes the most that a box offers."""

    rerolls = True

    def something(self) -> Locator:
        return self.roll.or_(self._takes()).or_(self._zeros())

    def _takes(self) -> Locator:
        return self.page.get_by_role("table").get_by_role("button", name=TAKE)

    def _zeros(self) -> Locator:
        return self.page.get_by_role("table").get_by_role("button", name=re.compile("^Write 0 in"))

    def act(self) -> bool:
        takes, zeros = self._takes(), self._zeros()
        if takes.count() + zeros.count() == 0:
            return self._press(self.roll)
        if self.rerolls and self.page.get_by_text("Roll 1 of 3").count():
            dice = self.page.get_by_role("button", name=re.compile(r"^Die \d"))
            self.fingers.toggle(dice, 0)
            self.fingers.toggle(dice, 1)
            expect(self.page.get_by_role("button", name="Roll 3 dice")).to_be_visible()
            return self._press(self.roll)
        if takes.count():
            offers = [(int((TAKE.match(name) or [0, 0])[1]), at) for at, name in enumerate(self._names(takes))]
            return self._press(takes.nth(max(offers)[1]))
        self._press(zeros)
        self.page.wait_for_timeout(SLIP)  # what has just come under the pointer is not pressed by a slip
        sure = self.page.get_by_role("button", name=re.compile("^Yes, write a zero"))
        return self._press(sure) or True

    def _names(self, buttons: Locator) -> list[str]:
        return [button.get_attribute("aria-label") or "" for button in buttons.all()]


class RollersPlayer(Player):
    """Keeps the first die once, stops after the second roll, and uses the dice that go somewhere."""

    def something(self) -> Locator:
        return self.roll.or_(self._stop()).or_(self._none())

    def _stop(self) -> Locator:
        return self.page.get_by_role("button", name=re.compile("^Stop"))

    def _none(self) -> Locator:
        return self.page.get_by_role("button", name="Use none")

    def act(self) -> bool:
        if self._none().count() and self._none().first.is_visible():
            return self._apply()
        if self._stop().count():
            if self.page.get_by_text("Roll 1 of 3").count():
                return self._press(self.roll)
            return self._press(self._stop())
        return self._press(self.roll)

    def _apply(self) -> bool:
        dice = self.page.locator("[data-die]")
        for at in range(dice.count()):
            if dice.nth(at).get_attribute("aria-disabled") == "false":
                self.fingers.toggle(dice, at)
        chosen = self.page.get_by_role("button", name=re.compile("^Apply: "))
        if chosen.count() and chosen.first.is_enabled():
            return self._press(chosen)
        back = self.page.get_by_role("button", name="Take back")
        if back.count():
            self._press(back)
            self.page.wait_for_timeout(SLIP)
        return self._press(self._none())


class AnyPlayer(Player):
    """Plays any game on the generic board by the last of the moves on offer, which is rarely the one that goes on."""

    def something(self) -> Locator:
        return self.roll.or_(self._moves()).or_(self._dice())

    def _moves(self) -> Locator:
        return self.page.get_by_role("group", name="Moves", exact=True).get_by_role("button")

    def _dice(self) -> Locator:
        """The move with the dice that are chosen, as the best are to begin with."""
        return self.page.locator(".choice > button.move:enabled")

    def act(self) -> bool:
        return self._press(self._moves().last) or self._press(self._dice()) or self._press(self.roll)


class BjPlayer(Player):
    """Passes as soon as there is something to keep."""

    def something(self) -> Locator:
        return self.roll.or_(self._pass())

    def _pass(self) -> Locator:
        return self.page.get_by_role("button", name=re.compile("^Pass and keep"))

    def act(self) -> bool:
        return self._press(self._pass()) or self._press(self.roll)


def rolls_at(visitor: Visitor, name: str) -> list[Json]:
    """The rolls at a table, as the server has them."""
    with visitor.server.client(name) as watching:
        return [event for event in watching.events if event["entry"]["kind"] == "rolled"]


def roll_once(visitor: Visitor, name: str) -> Json:
    """Press the button that rolls, once; the roll, as soon as the server has it and the page says it."""
    count = len(rolls_at(visitor, name))
    button = visitor.page.locator("[data-key=roll]:enabled")
    expect(button).to_be_visible()
    button.click()
    with visitor.server.client(name) as watching:
        while len(rolls := [event for event in watching.events if event["entry"]["kind"] == "rolled"]) <= count:
            watching.receive()
    told = [rolls[-1]["told"], *rolls[-1].get("yours", {}).values()]
    expect(visitor.page.locator("p[role=status]")).to_contain_text(re.compile("|".join(map(re.escape, told))))
    return rolls[-1]


FOLDERS: Final = HOME / "web" / "src" / "games"
BOARDS: Final = tuple(sorted(folder.parent.name for folder in FOLDERS.glob("*/index.ts")))
"""The games that have a board of their own."""
GAMES: Final = tuple(game.name for game in all_games())
"""All games; those without a board of their own are played on the generic one."""
_PLAYERS: Final[dict[str, type[Player]]] = {
    "kor": KorPlayer,
    "kismet": KismetPlayer,
    "rollers": RollersPlayer,
    "bj": BjPlayer,
}


def player_of(game: str, page: Page, fingers: Fingers) -> Player:
    """Somebody who plays a game at a page."""
    return _PLAYERS.get(game, AnyPlayer)(page, fingers)


def short(game: str) -> dict[str, Value]:
    """House rules that make a game short, if it has some: for a number, the other value that its option names."""
    options = load_game(game).options.specs()
    wide = (spec for spec in options if spec.high - spec.low > len(spec.choices) > 1)
    return {spec.name: spec.choices[1] for spec in wide}
