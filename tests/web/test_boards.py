"""Every board at its busiest, in every kind of moment: axe finds nothing, nothing is too wide, by day and by night.

Games are half played before they are opened, and their last rolls are written out here: nothing that is looked at hangs
on the dice of this run. Screenshots are kept among the artefacts.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

import pytest
from playwright.sync_api import Locator, expect

from hotdice.fair import SECRET_BYTES, FairDice, Share
from hotdice.game import CHANCE, State
from hotdice.games.bj.rules import read_toss
from hotdice.options import Value
from hotdice.record import record_of
from tests.server.running import OPEN, bot, person
from tests.web.browsing import DESKTOP, HIDDEN, MAGNIFIED, PHONE, SIDEWAYS, SLOW, SMALL, TABLET, Visitor, looks_at
from tests.web.conftest import Visit
from tests.web.halfway import DAY, half_played, join_halfway, open_the_end
from tests.web.playing import GAMES

FOR_EVER: Final = 100_000
"""More rolls and moves than any game has."""


MISSED: Final = """
() => [...document.querySelectorAll('section[aria-label="Dice"] button:has(.die)')].flatMap(button => {
  const {left, top, width, height} = button.querySelector('.die').getBoundingClientRect();
  return [[.5, .5], [.1, .1], [.9, .1], [.1, .9], [.9, .9]].flatMap(([across, down]) => {
    const hit = document.elementFromPoint(left + across * width, top + down * height);
    return button.contains(hit) ? [] : [`${button.ariaLabel} at ${across}, ${down}: ${hit?.outerHTML.slice(0, 80)}`];
  });
})
"""
"""Dice that are not hit where they are tapped: sides of a cube that nobody sees can lie before its neighbour."""


def deciding(state: State) -> bool:
    return state.seat >= 0


def rolling(state: State) -> bool:
    """A turn is about to begin."""
    return state.seat == CHANCE and state.fresh


def everywhere(visitor: Visitor, name: str) -> None:
    """In windows of all sizes, half of them by night. The dice of the turn are always in sight, and where they seem to
    be."""
    for size in (SMALL, DESKTOP, SIDEWAYS, PHONE, TABLET, MAGNIFIED):
        dark = size in (PHONE, TABLET, MAGNIFIED)
        looks_at(visitor, name, light=(size,) * (not dark), dark=(size,) * dark)
        assert visitor.page.evaluate(HIDDEN) == [], f"{name} in {size}"
        assert visitor.page.evaluate(MISSED) == [], f"dice of {name} in {size}"


def briefly(visitor: Visitor, name: str, *, dark_phone: bool = True) -> None:
    """On a phone and on a desk, one of them by night."""
    if dark_phone:
        looks_at(visitor, name, light=(DESKTOP,), dark=(SMALL,))
    else:
        looks_at(visitor, name, light=(SMALL,), dark=(DESKTOP,))


def seen(locator: Locator) -> None:
    expect(locator.first).to_be_visible()


# Moments of a turn


@dataclass(frozen=True, slots=True)
class Moment:
    """A kind of moment: what happens after the middle of a game, and what the page says then."""

    name: str
    says: str
    then: tuple[str, ...]
    players: int = 0
    """So many sit at a game that has just begun, unless it is half played already."""
    options: Mapping[str, Value] = field(default_factory=dict)


HALF_PLAYED: Final = {"kor": (8, 150), "kismet": (4, 230), "rollers": (5, 150), "bj": (6, 120)}
"""For each game, how many play it, and after how many rolls and moves a turn of it is looked at."""
LAP: Final = ("25 50 100 S D U", "25 50 100 S D", "25 100 S D", "25 50 S", "50 S", "100")
U_TURN: Final = ("25 50 100 S S D", "25 50 U U U", "target 6")
BANKED: Final = ("25 25 50 50 100 100",)
HOUSE: Final[dict[str, Value]] = {"bank_roll": True, "final_round": True, "scoring": "all", "target": 500}
ZAPPED: Final = ("1 2 3 4 4 zap", "keep none")
ALL_FROZEN: Final = ("1 1 1 5 5 5", "roll")
THRICE: Final = (*ALL_FROZEN, "1 1 2 2 2 5", "roll", "6 6 6 6 6 6")

MOMENTS: Final = {
    "kor": (
        Moment("stop", "100 points scored", ("25 50 100 S S D", "25 25 S S S")),
        Moment("dead-end", "100 points do not count", ("25 50 100 S S D", "25 50 D D D")),
        Moment("no-number", "No points", ("S S D D U U",)),
        Moment("sent", "Penalty: driving backwards, sent by Charlotte", U_TURN),
        Moment("penalty", "−100", (*U_TURN, "25 50 100 S S D")),
        Moment("below-zero", "100 points subtracted", (*U_TURN, "25 50 100 S S D", "25 50 S S S")),
        Moment("bank-roll", "350 points banked", BANKED, 3, HOUSE),
        Moment("final-round", "Final round", (*BANKED, *BANKED, "25 25 25 S S S", "25 50 100 S D U"), 3, HOUSE),
    ),
    "kismet": (
        Moment("roll-off", "out", ("4", "4", "2", "3"), 3),
        Moment("held", "Roll 2 of 3", ("1 2 4 6 6", "keep 6 6", "1 2 6")),
        Moment("last-roll", "No rolls left", ("1 2 4 6 6", "keep 6 6", "1 2 6", "keep 6 6 6", "1 4")),
        Moment("second-kismet", "Another Kismet:", ("3 3 3 3 3",)),
        Moment("bonus", "the highest bonus", (
            "6 6 6 6 6", "score sixes", "5 5 5 5 5", "score fives", "4 4 4 4 4", "score fours",
            "1 2 3 3 3", "score treys", "1 1 2 3 4",
        ), 1),
        Moment("bonus-reached", "Ann: bonus +35", (
            "6 6 6 6 6", "score sixes", "5 5 5 5 5", "score fives", "1 2 2 4 4", "score fours",
        ), 1),
    ),
    "rollers": (
        Moment("roll-off", "out", ("*", "*", "2", "5"), 3),
        Moment("zap", "ZAP: this roll is cancelled", ("1 5 5 5 * b4", "keep 5 5 5", "1 2 zap")),
        Moment("nothing-left", "None of these dice can be used now.", (*ZAPPED, *ZAPPED, ZAPPED[0])),
        Moment("one-open-and-no-chips", "Dev to roll", (
            "5 5 5 5 5 b1", "stop", "apply 5 5 5 5 5", "1 2 3 4 4 b1", "stop", "apply 4 4",
        )),
        Moment("round-over", "Ben ends the round", ("5 5 5 5 5 b5", "stop", "apply 5 5 5 5 5 5")),
    ),
    "bj": (
        Moment("bust", "Nothing scored", ("2 2 3 3 4 6",)),
        Moment("500-safe", "6 dice to roll", ALL_FROZEN[:1]),
        Moment("frozen-again", "5 dice to roll", (*ALL_FROZEN, "1 2 3 4 6 6")),
        Moment("1500-safe", "1,500", THRICE),
        Moment("bust-with-1500-safe", "Kept 1,500", (*THRICE, "roll", "1 2 2 3 4 5", "roll", "2 3 4 6")),
        Moment("last-turn", "This is the last turn.", (ALL_FROZEN[0], "pass", "1 2 3 4 6 6"), 2, {"target": 500}),
    ),
    "pig": (
        Moment("turn", "Turn total: 4", ("4",), 2),
        Moment("lost", "Ben", ("1",), 2),
    ),
}  # fmt: skip


@pytest.mark.parametrize("game", MOMENTS)
def test_moments(visit: Visit, game: str) -> None:
    """By turns on a phone by night and on a desk by day."""
    visitor = visit(still=True)
    for at, moment in enumerate(MOMENTS[game]):
        players, events = (moment.players, 0) if moment.players else HALF_PLAYED[game]
        until = None if moment.players else rolling
        join_halfway(visitor, game, players, events, until, then=moment.then, options=moment.options)
        seen(visitor.page.get_by_text(moment.says))
        looks_at(visitor, f"{game}-{moment.name}", light=(DESKTOP,) * (at % 2), dark=(SMALL,) * (1 - at % 2))


# KOR


def test_kor_with_eight_players(visit: Visit) -> None:
    visitor = visit(still=True)
    join_halfway(visitor, "kor", 8, 150, rolling)
    seen(visitor.page.locator("[data-key=roll]"))
    briefly(visitor, "kor-8-players-to-roll", dark_phone=False)
    join_halfway(visitor, "kor", 8, 150, rolling, then=(*LAP, "25 25 50 S D U", "100 100 S S D"))
    seen(visitor.page.get_by_role("button", name="Roll 4 dice"))
    everywhere(visitor, "kor-8-players")


@pytest.mark.parametrize(("word", "group", "then"), [
    ("follow", "Which sign to follow", (*LAP, "S S S U U U")),
    ("target", "Whom to send", U_TURN[:2]),
])  # fmt: skip
def test_kor_choices(visit: Visit, word: str, group: str, then: tuple[str, ...]) -> None:
    visitor = visit(still=True)
    join_halfway(visitor, "kor", 8, 150, rolling, then=then)
    seen(visitor.page.get_by_role("group", name=re.compile(group)))
    briefly(visitor, f"kor-{word}", dark_phone=word == "target")


# Kismet


def test_kismet_late_with_four_players(visit: Visit) -> None:
    visitor = visit(still=True)
    join_halfway(visitor, "kismet", 4, 230, rolling)
    page = visitor.page
    seen(page.locator("[data-key=roll]"))
    briefly(visitor, "kismet-4-players-to-roll")
    join_halfway(visitor, "kismet", 4, 230, rolling, then=["1 3 3 5 6"])
    dice = page.get_by_role("button", name=re.compile(r"^Die \d"))
    dice.first.click()
    expect(dice.first).to_have_attribute("aria-pressed", "true")
    everywhere(visitor, "kismet-4-players-late")


def test_kismet_asks_before_it_writes_a_zero(visit: Visit) -> None:
    """Where something scores, and where nothing does."""
    visitor = visit(still=True)
    join_halfway(visitor, "kismet", 4, 60, no_box_scores)
    page = visitor.page
    seen(page.get_by_text("Nothing scores: choose a box for a zero."))
    briefly(visitor, "kismet-nothing-scores", dark_phone=False)
    join_halfway(visitor, "kismet", 4, 230, rolling, then=["1 3 3 5 6"])
    page.get_by_role("button", name=re.compile("^Write 0 in")).first.click()
    sure = page.get_by_role("button", name=re.compile("^Yes, write a zero"))
    seen(sure)
    briefly(visitor, "kismet-zero")
    page.keyboard.press("Escape")
    expect(sure).to_have_count(0)
    expect(page.get_by_role("button", name=re.compile("^Write 0 in")).first).to_be_focused()


def no_box_scores(state: State) -> bool:
    """Somebody has to write a zero."""
    moves = state.legal_moves()
    return deciding(state) and all(
        move.text.startswith("score") and sum(state.apply(move).scores) == sum(state.scores) for move in moves
    )


# Rollers


def test_rollers_with_five_players(visit: Visit) -> None:
    visitor = visit(still=True)
    join_halfway(visitor, "rollers", 5, 150, rolling)
    page = visitor.page
    seen(page.locator("[data-key=roll]"))
    briefly(visitor, "rollers-5-players-to-roll")
    join_halfway(visitor, "rollers", 5, 150, rolling, then=["5 5 5 * * b4"])
    page.locator("[data-die='0']").click()
    seen(page.get_by_role("button", name="Roll 5 dice"))
    everywhere(visitor, "rollers-5-players-keep")
    page.get_by_role("button", name="Stop and use all six").click()
    seen(page.get_by_role("button", name="Use none"))
    everywhere(visitor, "rollers-5-players-apply")
    page.get_by_role("button", name=re.compile(r"^Die \d, STAR")).first.click()
    seen(page.get_by_text("Tap a section for this STAR"))
    briefly(visitor, "rollers-star")


# BJ's dice


def test_bj_with_six_players(visit: Visit) -> None:
    visitor = visit(still=True)
    join_halfway(visitor, "bj", 6, 120, rolling)
    seen(visitor.page.locator("[data-key=roll]"))
    briefly(visitor, "bj-6-players-to-roll")
    join_halfway(visitor, "bj", 6, 120, rolling, then=["1 2 3 4 5 6"])
    seen(visitor.page.get_by_role("button", name="Pass and keep 150"))
    everywhere(visitor, "bj-6-players")


def test_bj_in_the_last_round(visit: Visit) -> None:
    visitor = visit(still=True)
    join_halfway(visitor, "bj", 6, 50, lambda state: getattr(state, "starter", -1) >= 0 and deciding(state))
    seen(visitor.page.get_by_text("Last round"))
    briefly(visitor, "bj-last-round", dark_phone=False)


# All of them


@pytest.mark.parametrize("game", GAMES)
def test_waiting_for_somebody_else(visit: Visit, game: str) -> None:
    visitor = visit(still=True)
    name = visitor.sit(game, [OPEN, person("Ann")])
    joined = visitor.server.post(f"/tables/{name}/join", {"name": "Benjamin"}).json()
    visitor.server.post(f"/tables/{name}/start", {}, joined["tokens"][0]["token"])
    seen(visitor.page.get_by_text("Waiting for Benjamin"))
    briefly(visitor, f"{game}-waiting", dark_phone=GAMES.index(game) % 2 == 0)


@pytest.mark.parametrize("game", GAMES)
def test_real_dice(visit: Visit, game: str) -> None:
    visitor = visit(still=True)
    visitor.sit(game, [person("Ann"), bot()], dice="manual")
    faces = visitor.page.get_by_role("group", name=re.compile("^Faces")).get_by_role("button")
    seen(faces)
    expect(visitor.page.locator(":is(.hand .spot, .tray .blank):visible")).to_have_count(
        0
    )  # the pad has the places of the dice
    faces.first.click()
    briefly(visitor, f"{game}-real-dice", dark_phone=GAMES.index(game) % 2 == 1)


@pytest.mark.timeout(1200)
@pytest.mark.parametrize(("game", "players"), [("kor", 4), ("kismet", 3), ("rollers", 3), ("bj", 5)])
def test_the_end(visit: Visit, game: str, players: int) -> None:
    """The result with the moments that mattered."""
    visitor = visit(still=True)
    open_the_end(visitor, half_played(game, players, FOR_EVER))
    page = visitor.page
    seen(page.get_by_role("heading", name=re.compile(r"\bwins?\b")))
    moments = page.get_by_role("region", name="The moments that mattered")
    expect(moments.get_by_role("listitem").first).to_be_visible(timeout=SLOW)
    briefly(visitor, f"end-{game}", dark_phone=game in ("kor", "rollers"))


def test_dice_are_checked(visit: Visit) -> None:
    """The record of a game with fair dice, and the same with a roll that somebody changed."""
    visitor = visit(still=True)
    dice = FairDice("k3x9w7fm", bytes(SECRET_BYTES), [Share(0, "a"), Share(1, "b")])
    table = half_played("bj", 2, FOR_EVER, options={"target": 500}, dice=dice)
    open_the_end(visitor, table)
    page = visitor.page
    page.get_by_role("button", name="Check the dice").click()
    seen(page.get_by_text(re.compile(r"(\d+) of \1 rolls")))
    page.get_by_text("Show the evidence").click()
    seen(page.get_by_role("region", name="All rolls"))
    briefly(visitor, "dice-right")
    fair = record_of(table, DAY).text
    changed = re.sub(r"(?<=1 rolls )\d", lambda die: "2" if die[0] == "1" else "1", fair, count=1)
    page.get_by_label("Check a record file").set_input_files(
        {"name": "changed.hotdice", "mimeType": "text/plain", "buffer": changed.encode()}
    )
    seen(page.get_by_text("The first wrong roll is number 1"))
    briefly(visitor, "dice-wrong", dark_phone=False)


def test_what_scores_in_bj_is_what_the_engine_scores(visit: Visit) -> None:
    visitor = visit()
    visitor.sit("bj", [person("Ann"), bot()])
    rows = visitor.page.get_by_role("region", name="What scores").get_by_role("row")
    expect(rows).to_have_count(3)
    for row, count in (("Each", 1), ("Three", 3)):
        told = rows.filter(has_text=row).get_by_role("cell").all_inner_texts()
        assert told == [str(read_toss((face,) * count).points or "–") for face in range(1, 7)]
