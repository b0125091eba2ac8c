"""The room that boards have: small windows hide nothing that somebody decides by, and large ones are used."""

from __future__ import annotations

from typing import Final

import pytest
from playwright.sync_api import expect

from hotdice.game import CHANCE, State
from hotdice.record import record_of
from tests.server.running import local, person
from tests.web.browsing import CUT_OFF, DESKTOP, HIDDEN, PHONE, SMALL, STILL, Visitor
from tests.web.conftest import Visit
from tests.web.halfway import DAY, half_played, join_halfway, open_the_end
from tests.web.playing import GAMES

SIDEWAYS: Final = ((844, 390), (740, 360), (667, 375))
LARGE: Final = (DESKTOP, (1920, 1080), (2560, 1440))
DICE: Final = """
() => [...document.querySelectorAll('.toss .tray .die, .column .die')].map(die => {
  const {left, right, width} = die.getBoundingClientRect();
  return [left, innerWidth - right, width];
})
"""
"""Of each die of the turn, how far it is from the window's edges, and how wide."""
FOR_EVER: Final = 100_000
"""More rolls and moves than any game has."""
CUT: Final = "one => one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1"


LARGENESS: Final = """
one => [...one.childNodes].some(each => each.nodeType === Node.TEXT_NODE && each.textContent.trim())
  ? parseFloat(getComputedStyle(one).fontSize)
  : one.getBoundingClientRect().height
"""
"""How large an element is: the size of its text, or its height where it has none of its own."""
KISMET: Final = (
    ".hand .die",
    ".hand kbd",
    ".box .title",
    ".box td button",
    ".box",
    ".ladder .gain",
    ".ladder .track",
    ".past .die",
)
BJ: Final = (".tray .die", ".ice .die", ".money dd", ".side tbody .name", ".side tbody tr", "#scoring", ".side .die")
"""What grows on their boards."""


ROOM: Final = """
rows => rows.map(row => {
  const words = document.createRange();
  words.selectNodeContents(row.querySelector('th'));
  const box = row.getBoundingClientRect(), text = words.getBoundingClientRect();
  return Math.min(text.top - box.top, box.bottom - text.bottom);
})
"""
"""Of each row, how far its words are from the lines above and below, in pixels."""


def rolling(state: State) -> bool:
    return state.seat == CHANCE and state.fresh


def resize(visitor: Visitor, size: tuple[int, int]) -> None:
    visitor.page.set_viewport_size({"width": size[0], "height": size[1]})
    visitor.page.wait_for_function(STILL)


SENT: Final = ("25 50 100 S S D", "25 50 U U U")


@pytest.mark.parametrize(
    ("game", "players", "then", "says"),
    [
        ("kor", 8, SENT, "Who drives backwards?"),
        ("kor", 8, (*SENT, "target 6", "25 50 100 S S D"), "sent by Charlotte"),
        ("kor", 8, ("S S S U U U",), "Which sign do you follow?"),
        ("rollers", 5, ("5 5 5 * * b4",), "Roll 1 of 3"),
        ("rollers", 5, ("1 5 5 5 * b4", "keep 5 5 5", "1 2 zap"), "ZAP: this roll is cancelled"),
        ("rollers", 5, ("5 5 5 * * b4", "stop"), "Tap or drag dice onto sections."),
    ],
)
def test_nothing_lies_behind_the_actions_of_a_phone_on_its_side(
    visit: Visit, game: str, players: int, then: tuple[str, ...], says: str
) -> None:
    visitor = visit(size=SIDEWAYS[0], still=True)
    join_halfway(visitor, game, players, 150, rolling, then=then)
    expect(visitor.page.get_by_text(says).first).to_be_visible()
    for size in SIDEWAYS:
        resize(visitor, size)
        dice = visitor.page.evaluate(DICE)
        assert len(dice) >= 5
        assert min(width for *_, width in dice) >= 40, f"dice in {size}"
        assert visitor.page.evaluate(HIDDEN) == [], f"{game} in {size}"


@pytest.mark.parametrize(
    ("game", "players", "roll", "wide"),
    [
        ("kor", 8, "25 50 100 S D U", "section:has(> #race)"),
        ("rollers", 5, "5 5 5 * * b4", ".boards"),
    ],
)
def test_dice_and_boards_grow_with_the_window(visit: Visit, game: str, players: int, roll: str, wide: str) -> None:
    visitor = visit(still=True)
    join_halfway(visitor, game, players, 150, rolling, then=[roll])
    expect(visitor.page.locator(".toss .tray .die, .column .die")).to_have_count(6)
    sizes = []
    for size in LARGE:
        resize(visitor, size)
        dice = visitor.page.evaluate(DICE)
        box = visitor.page.locator(wide).bounding_box()
        assert box
        sizes.append((dice[0][2], box["width"]))
        if game == "kor":
            for other in (".guide", ".road", ".toss"):
                narrower = visitor.page.locator(other).bounding_box()
                assert narrower
                assert box["width"] > narrower["width"], f"the race beside {other} in {size}"
    (die, sheet), *_, (large_die, large_sheet) = sizes
    assert sizes == sorted(sizes)
    assert large_die > 1.4 * die
    assert large_sheet > 1.4 * sheet


@pytest.mark.parametrize(
    ("game", "players", "events", "then", "grown"),
    [
        ("kismet", 4, 90, ["1 3 6 6 6"], KISMET),
        ("kismet", 8, 200, ["1 1 2 3 6"], KISMET),
        ("bj", 8, 60, ["1 2 3 4 5 6"], BJ),
    ],
)
def test_all_of_a_board_grows_with_the_window(
    visit: Visit, game: str, players: int, events: int, then: list[str], grown: tuple[str, ...]
) -> None:
    """Dice, type, sheets and the signs beside them, by what the window gains; and nothing is cut."""
    visitor = visit(still=True)
    join_halfway(visitor, game, players, events, rolling, then=then)
    expect(visitor.page.locator("section[aria-label=Dice] .die").first).to_be_visible()
    sizes: dict[str, list[float]] = {one: [] for one in (*grown, ".bar svg")}
    for size in LARGE:
        resize(visitor, size)
        assert visitor.page.evaluate(CUT_OFF) == [], f"{game} with {players} in {size}"
        for one, measured in sizes.items():
            measured.append(visitor.page.locator(one).first.evaluate(LARGENESS))
    for one, (usual, larger, largest) in sizes.items():
        assert usual < larger < largest, one
        assert largest >= 1.5 * usual, f"{one}: {usual} to {largest}"


@pytest.mark.parametrize(("game", "roll"), [("kor", "25 50 100 S D U"), ("rollers", "5 5 5 * * b4")])
def test_dice_keep_off_the_edges_of_a_phone(visit: Visit, game: str, roll: str) -> None:
    """There a phone's own gestures begin."""
    visitor = visit(size=PHONE, still=True)
    join_halfway(visitor, game, 3, 60, rolling, then=[roll])
    expect(visitor.page.locator(".toss .tray .die, .column .die")).to_have_count(6)
    for size in (PHONE, SMALL):
        resize(visitor, size)
        dice = visitor.page.evaluate(DICE)
        assert min(min(left, right) for left, right, _ in dice) >= 12
        assert min(width for *_, width in dice) >= 50


def test_names_and_news_are_whole(visit: Visit) -> None:
    """With three players, and where somebody is sent driving backwards, which is told at length."""
    visitor = visit(size=PHONE, still=True)
    join_halfway(visitor, "kor", 3, 0, then=("25 50 S S D D", "25 U U U 50"))
    page = visitor.page
    expect(page.get_by_text("Who drives backwards?")).to_be_visible()
    for size in (PHONE, SMALL):
        resize(visitor, size)
        for cut in (".strip .name", ".strip li", ".news", ".target .name"):
            found = page.locator(cut)
            assert found.count()
            assert [one.inner_text() for one in found.all() if one.evaluate(CUT)] == [], f"{cut} in {size}"


def test_an_absence_stays_in_its_chip(visit: Visit) -> None:
    """Beside a score of four figures."""
    visitor = visit(size=PHONE, still=True)
    page = visitor.page
    table = half_played("kor", 3, 0, lambda state: rolling(state) and min(state.scores) >= 1000)
    made = visitor.server.post("/records", {"record": record_of(table, DAY).text, "mine": [1]}).json()
    name, tokens = made["table"]["name"], [token["token"] for token in made["tokens"]]
    for seat in (2, 3):
        joined = visitor.server.post(f"/tables/{name}/join", {"name": table.seats[seat - 1].name, "seat": seat})
        assert joined.status_code == 201, joined.text
    visitor.server.post(f"/tables/{name}/start", {}, tokens[0])
    visitor.take(name, "kor", tokens)
    expect(page.locator(".strip .clock", has_text="away")).to_have_count(2)
    assert [one.inner_text() for one in page.locator(".strip li").all() if one.evaluate(CUT)] == []


@pytest.mark.parametrize("game", GAMES)
def test_onlookers_read_the_whole_title(visit: Visit, game: str) -> None:
    """On the smallest phone; the eye beside it is named for those who hear it."""
    visitor = visit(size=SMALL, still=True)
    name, _ = visitor.server.table(game, [person("Ann"), local("Ben")], start=True)
    visitor.page.goto(f"/t/{name}")
    expect(visitor.page.get_by_text("Watching")).to_be_attached()
    title = visitor.page.get_by_role("heading", level=1)
    expect(title).to_be_visible()
    assert not title.evaluate("one => one.scrollWidth > one.clientWidth")


def test_the_race_is_seen_in_forced_colours(visit: Visit) -> None:
    """Lanes, start and finish keep their paint; so do the faces of dice."""
    visitor = visit(still=True)
    page = visitor.page
    join_halfway(visitor, "kor", 3, 40, rolling, then=["25 50 100 S D U"])
    expect(page.locator("tbody .track").first).to_be_visible()
    page.emulate_media(forced_colors="active")
    colour = "one => getComputedStyle(one).backgroundColor"
    page_colour = page.evaluate("getComputedStyle(document.body).backgroundColor")
    lane = page.locator("tbody .track").first.evaluate(colour)
    start = page.locator("tbody .start").first.evaluate(colour)
    assert len({lane, start, page_colour}) == 3
    assert page.locator(".die .side").first.evaluate("one => getComputedStyle(one).backgroundImage") != "none"


def test_pages_around_a_game_grow_with_the_window(visit: Visit) -> None:
    """Type grows, and with it what it stands in: fields for names, and the steps of the podium."""
    visitor = visit(still=True)
    page = visitor.page
    page.goto("/new/kor")
    field = page.get_by_placeholder("Your name")
    widths = []
    for size in (DESKTOP, LARGE[-1]):
        resize(visitor, size)
        box = field.bounding_box()
        assert box
        widths.append(box["width"] / page.evaluate("parseFloat(getComputedStyle(document.documentElement).fontSize)"))
    assert widths[1] > 0.9 * widths[0]

    open_the_end(visitor, half_played("bj", 6, FOR_EVER))
    steps = page.locator(".step")
    expect(steps).to_have_count(3)
    resize(visitor, LARGE[-1])
    for step in steps.all():
        assert not step.evaluate(CUT), step.inner_text()
    one_line = page.locator(".rest .place").evaluate_all(
        "places => places.every(one => one.clientHeight < 2 * parseFloat(getComputedStyle(one).fontSize))"
    )
    assert one_line


@pytest.mark.parametrize("size", [PHONE, DESKTOP])
def test_the_lines_that_the_sheet_adds_up_have_room(visit: Visit, size: tuple[int, int]) -> None:
    visitor = visit(size=size, still=True)
    join_halfway(visitor, "kismet", 4, 230, rolling, then=["1 2 4 6 6"])
    rows = visitor.page.locator(".left .sum")
    expect(rows).to_have_count(4)
    assert min(rows.evaluate_all(ROOM)) >= 2


def test_no_die_on_the_road_is_cut_by_the_edge_of_a_phone(visit: Visit) -> None:
    visitor = visit(size=PHONE, still=True)
    join_halfway(visitor, "kor", 2, then=["25 50 100 S S D", "25 25 50 S D"])
    dice = visitor.page.locator(".road .die")
    expect(dice).to_have_count(2)
    assert min(dice.evaluate_all("dice => dice.map(die => die.getBoundingClientRect().left)")) >= 8


def test_games_beside_one_another_are_begun_at_one_height(visit: Visit) -> None:
    """Whether a lesson is offered or not, and however long their pitch is."""
    visitor = visit(size=DESKTOP, still=True)
    page = visitor.page
    visitor.sit("kor", [person("Ann"), local("Ben")])
    expect(page.locator("[data-key=roll]")).to_be_visible()
    page.goto("/")
    buttons = page.get_by_role("button", name="Play now")
    expect(page.get_by_role("link", name="Learn by playing")).to_have_count(3)
    for size in (DESKTOP, (844, 390)):
        resize(visitor, size)
        tops = buttons.evaluate_all("all => all.map(one => Math.round(one.getBoundingClientRect().top))")
        assert len(set(tops)) == (1 if size == DESKTOP else 2), tops
