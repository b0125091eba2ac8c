"""The way to a table: at once, by a code, by a link, or set up with everything that a table can have."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.server.running import OPEN, person
from tests.web.browsing import DESKTOP, PHONE, SIDEWAYS, SMALL, Visitor, looks_at
from tests.web.conftest import Visit
from tests.web.playing import BOARDS, GAMES
from tests.web.qr import modules_of, quiet_zone, text_of

TABLE = re.compile(r"/t/([a-z0-9]{8})$")
ELSEWHERE = "http://192.168.7.20:8017"


def table_at(visitor: Visitor) -> str:
    """The name of the table that is open."""
    expect(visitor.page).to_have_url(TABLE)
    found = TABLE.search(visitor.page.url)
    assert found
    return found[1]


def type_code(page: Page, text: str) -> None:
    page.goto("/")
    page.get_by_label("Have a code?").fill(text)
    page.get_by_role("button", name="Open", exact=True).click()


def give_name(visitor: Visitor, name: str) -> None:
    """Say what one is called, as one is asked before the first game."""
    visitor.page.get_by_role("textbox", name="Your name").fill(name)
    visitor.page.get_by_role("button", name="Play", exact=True).click()


# At once


@pytest.mark.parametrize("game", BOARDS)
def test_play_now_is_one_click(visit: Visit, game: str) -> None:
    visitor = visit(size=PHONE)
    visitor.page.goto("/")
    visitor.page.evaluate("localStorage.setItem('hotdice.name', 'Ann')")
    visitor.page.locator(f"article[data-game={game}]").get_by_role("button", name="Play now").click()
    expect(visitor.page.locator("[data-key=roll]")).to_be_enabled()
    shown = visitor.server.get(f"/tables/{table_at(visitor)}").json()
    assert (shown["game"], shown["status"]) == (game, "playing")
    assert [seat["kind"] for seat in shown["seats"]] == ["person", "bot"]
    with visitor.server.client(shown["name"]) as watching:  # the browser has its share in the dice
        assert [bool(share["string"]) for share in watching.state["shares"]] == [True]


def test_play_now_asks_for_a_name_once(visit: Visit) -> None:
    """It can be left, is remembered, and can be changed; a bot has a name and its level beside it."""
    visitor = visit(size=PHONE)
    page = visitor.page
    page.goto("/")
    play = page.get_by_role("button", name="Play now: KOR")
    play.click()
    page.keyboard.press("Escape")
    expect(page).to_have_url(f"{visitor.server.url}/")
    play.click()
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.get_by_role("alert").filter(has_text="Write a name.")).to_be_visible()
    looks_at(visitor, "name", light=(PHONE, DESKTOP), dark=(PHONE,))
    give_name(visitor, "Ann")
    shown = visitor.server.get(f"/tables/{table_at(visitor)}").json()
    assert [(seat["name"], seat["bot"]) for seat in shown["seats"]] == [("Ann", ""), ("Otto", "casual")]
    page.goto("/")
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Your name").fill("Cleo")
    page.get_by_label("Your name").press("Enter")
    page.keyboard.press("Escape")
    play.click()
    page.locator("[data-key=roll]").wait_for()
    expect(page.get_by_role("list", name="Players")).to_contain_text("Cleo")


def test_tables_are_listed_on_return(visit: Visit) -> None:
    visitor = visit()
    visitor.page.goto("/")
    visitor.page.get_by_role("button", name="Play now: KOR").click()
    give_name(visitor, "Ann")
    name = table_at(visitor)
    visitor.page.locator("[data-key=roll]").wait_for()
    visitor.page.goto("/")
    row = visitor.page.get_by_role("link", name=re.compile("Go on: KOR with Otto"))
    expect(row).to_contain_text("Your turn is waiting")
    row.click()
    assert table_at(visitor) == name
    expect(visitor.page.locator("[data-key=roll]")).to_be_enabled()


# By a code or a link


@pytest.mark.parametrize("spell", [
    lambda name: f" {name[:4].upper()} {name[4:].upper()} ",
    lambda name: f"{name[:4]}-{name[4:]}",
    lambda name: f"http://192.168.7.20:8017/t/{name}?from=mail",
], ids=["spoken", "printed", "link"])  # fmt: skip
def test_a_code_opens_its_table(visit: Visit, spell: object) -> None:
    visitor = visit()
    name, _ = visitor.server.table("kor", [person("Ann"), OPEN])
    assert callable(spell)
    type_code(visitor.page, spell(name))
    assert table_at(visitor) == name
    expect(visitor.page.get_by_text("A seat is free for you")).to_be_visible()


@pytest.mark.parametrize(("typed", "answer"), [
    ("", "Type the code of the table, or paste its link."),
    ("k3x9", "A code has eight letters and digits, like k3x9-w7fm; this one has 4."),
    ("k3x9-w7f0", "Codes never have 0, 1, I, L or O: look at it again."),
    ("https://example.org/dice", "This link leads to no table; one of a table ends like /t/k3x9w7fm."),
])  # fmt: skip
def test_a_code_that_is_none_gets_a_sentence(visit: Visit, typed: str, answer: str) -> None:
    page = visit().page
    type_code(page, typed)
    field = page.get_by_label("Have a code?")
    expect(page.get_by_role("alert").filter(has_text=answer)).to_be_visible()
    expect(field).to_be_focused()
    expect(field).to_have_accessible_description(answer)
    field.fill("k")
    expect(page.get_by_text(answer)).to_be_hidden()


# Setting one up


def test_a_table_is_as_it_was_set_up(visit: Visit) -> None:
    """Somebody here, oneself, a bot and a seat for the link, moved around, with two house rules."""
    visitor = visit()
    page = visitor.page
    page.goto("/new/kor")
    page.get_by_label("Your name").fill("  Ann   Smith ")
    page.get_by_label("Who sits in seat 2").select_option("Someone here")
    page.get_by_label("Name in seat 2").fill("Ben")
    page.get_by_role("button", name="Add a seat").click()
    page.get_by_label("Who sits in seat 3").select_option("Bot")
    page.get_by_label("How well the bot in seat 3").select_option("expert")
    page.get_by_role("button", name="Add a seat").click()
    page.get_by_label("Who sits in seat 4").select_option("With a link")
    page.get_by_role("button", name="Move seat 2 up").click()
    page.get_by_role("button", name="Move seat 4 up").click()
    page.get_by_role("button", name="Less: Points to win").click()
    page.get_by_role("switch", name=re.compile("Final round")).check()
    page.get_by_role("radio", name="When asked").check()
    expect(page.get_by_text("1 seat for people with the link.")).to_be_visible()
    page.get_by_role("button", name="Open the table").click()
    name = table_at(visitor)
    shown = visitor.server.get(f"/tables/{name}").json()
    assert [(seat["kind"], seat["name"], seat["bot"]) for seat in shown["seats"]] == [
        ("local", "Ben", ""),
        ("person", "Ann Smith", ""),
        ("open", "", ""),
        ("bot", "Otto", "expert"),
    ]
    told = (shown["status"], shown["dice"], shown["coach"], shown["public"], shown["clock"]["kind"])
    assert told == ("waiting", "fair", "ask", False, "off")
    with visitor.server.client(name) as watching:
        assert watching.welcome["game"] == "kor(final_round=true,target=5500)"
    # Everybody who comes reads what was agreed.
    agreed = page.get_by_role("listitem")
    expect(agreed.filter(has_text="Points to win: 5,500")).to_be_visible()
    expect(agreed.filter(has_text="Final round")).to_be_visible()


def test_seven_bots_have_names_that_stay_theirs(visit: Visit) -> None:
    """Also where seats were moved before the game, and somebody's name began like a bot's."""
    visitor = visit(size=SMALL, still=True)
    page = visitor.page
    page.goto("/new/kor")
    page.get_by_label("Your name").fill("Ann")
    page.get_by_role("radio", name="Bots").check()
    called = page.locator("form ol strong")
    expect(called).to_have_text(["Otto"])
    for _ in range(6):
        page.get_by_role("button", name="Add a seat").click()
    page.get_by_label("Your name").fill("Olga")
    page.get_by_role("button", name="Move seat 8 up").click()
    names = ["Fizz", "Pixel", "Momo", "Gizmo", "Zippy", "Rusty", "Kip"]
    expect(called).to_have_text(names)
    page.get_by_label("How well the bot in seat 8").select_option("beginner")
    page.get_by_role("button", name="Start the game").click()
    players = page.locator(".strip li")
    expect(players.locator(".name")).to_have_text(["Olga", *names])
    expect(players.locator(".level")).to_have_text([*["Casual bot"] * 6, "Beginner bot"])
    assert all(one.evaluate("one => one.scrollWidth <= one.clientWidth") for one in players.all())


def test_the_youngest_begins_where_the_game_asks_for_them(visit: Visit) -> None:
    """The round stays the same."""
    page = visit(size=PHONE, still=True).page
    page.goto("/new/kor")
    page.get_by_label("Your name").fill("Ann")
    for seat, name in ((2, "Ben"), (3, "Cleo")):
        if seat > 2:
            page.get_by_role("button", name="Add a seat").click()
        page.get_by_label(f"Who sits in seat {seat}").select_option("Someone here")
        page.get_by_label(f"Name in seat {seat}").fill(name)
    page.get_by_label("Who is the youngest?").select_option("Cleo")
    expect(page.get_by_label("Name in seat 1")).to_have_value("Cleo")
    expect(page.get_by_label("Your name")).to_have_value("Ann")
    expect(page.get_by_label("Name in seat 3")).to_have_value("Ben")
    page.goto("/new/bj")
    page.get_by_label("Your name").wait_for()
    expect(page.get_by_label("Who is the youngest?")).to_have_count(0)


def test_where_everybody_is_here_the_game_starts_at_once(visit: Visit) -> None:
    visitor = visit(size=PHONE)
    page = visitor.page
    page.goto("/new/bj")
    page.get_by_label("Your name").fill("Ann")
    page.get_by_label("Who sits in seat 2").select_option("Bot")
    page.get_by_role("radio", name="We roll real dice").check()
    page.get_by_role("button", name="Start the game").click()
    shown = visitor.server.get(f"/tables/{table_at(visitor)}").json()
    assert (shown["status"], shown["dice"]) == ("playing", "manual")
    expect(page.get_by_text("roll 6 real dice")).to_be_visible()


def test_people_with_real_dice_can_print_the_pad_of_their_game(visit: Visit) -> None:
    """In the set-up, while they wait, and during the game."""
    visitor = visit(size=PHONE)
    page = visitor.page
    pads = page.get_by_role("link", name=re.compile("^(A4|Letter)$"))

    def drawn() -> list[str]:
        """The race's heading on each of the pads that are linked."""
        expect(pads).to_have_count(2)
        links = [str(link.get_attribute("href")) for link in pads.all()]
        sheets = [page.request.get(link.replace("pad.pdf", "pad.svg")) for link in links]
        sizes = [re.search(r'width="([\d.]+)mm"', sheet.text()) for sheet in sheets]
        assert [size and size[1] for size in sizes] == ["210", "215.9"]
        return [race for sheet in sheets for race in re.findall(r"The race: [\d,]+ points", sheet.text())]

    page.goto("/new/kor")
    page.get_by_label("Your name").fill("Ann")
    expect(pads).to_have_count(0)
    page.get_by_role("radio", name="We roll real dice").check()
    assert drawn() == ["The race: 6,000 points"] * 2
    page.get_by_role("button", name=re.compile("^Less")).first.click()
    assert drawn() == ["The race: 5,500 points"] * 2
    pads.first.scroll_into_view_if_needed()
    looks_at(visitor, "pad-setup", light=[PHONE], dark=[DESKTOP])
    page.get_by_role("button", name="Open the table").click()
    start = page.get_by_role("button", name=re.compile("^Start with"))
    start.wait_for()  # the set-up has given way
    assert drawn() == ["The race: 5,500 points"] * 2
    pads.first.scroll_into_view_if_needed()
    looks_at(visitor, "pad-waiting", light=[DESKTOP], dark=[PHONE])
    start.click()
    page.get_by_role("button", name="Settings").click()
    assert drawn() == ["The race: 5,500 points"] * 2
    pads.first.scroll_into_view_if_needed()
    looks_at(visitor, "pad-game", light=[PHONE], dark=[DESKTOP])


@pytest.mark.parametrize(("mine", "theirs", "seat", "answer"), [
    ("", "Ben", "Your name", "Write a name."),
    ("Ann", "B" * 25, "Name in seat 2", "A name has 1 to 24 characters."),
    ("Ann", " Ann ", "Name in seat 2", "Somebody else is called Ann; take another name."),
], ids=["none", "long", "doubled"])  # fmt: skip
def test_a_name_that_cannot_be_gets_a_sentence_at_its_field(
    visit: Visit, mine: str, theirs: str, seat: str, answer: str
) -> None:
    page = visit().page
    page.goto("/new/kor")
    page.get_by_label("Your name").fill(mine)
    page.get_by_label("Who sits in seat 2").select_option("Someone here")
    page.get_by_label("Name in seat 2").fill(theirs)
    page.get_by_role("button", name="Start the game").click()
    expect(page.get_by_label(seat)).to_be_focused()
    expect(page.get_by_label(seat)).to_have_accessible_description(answer)
    expect(page).to_have_url(re.compile("/new/kor$"))


# Inviting and joining


def test_an_invitation_is_a_link_that_others_can_reach(visit: Visit) -> None:
    """The page was opened as this machine only; the server knows the address for others."""
    visitor = visit()
    page = visitor.page

    def reach(route: Route) -> None:
        route.fulfill(content_type="application/json", body=json.dumps({"address": ELSEWHERE}))

    page.route("**/api/reach", reach)
    name = visitor.sit("kor", [person("Ann"), OPEN])
    link = f"{ELSEWHERE}/t/{name}"
    expect(page.get_by_role("textbox", name="Link")).to_have_value(link)
    expect(page.get_by_text(f"{name[:4]}-{name[4:]}", exact=True)).to_be_visible()
    picture = page.get_by_role("img", name="QR code of the link to this table")
    box = (picture.get_attribute("viewBox") or "").split()
    modules = modules_of(picture.locator("path").get_attribute("d") or "", int(box[2]))
    assert text_of(modules) == link
    assert quiet_zone(modules) >= 4  # as the standard asks
    visitor.picture("waiting-room-with-code")


def test_where_nobody_else_can_come_the_page_says_what_to_do(visit: Visit) -> None:
    """The server of these tests listens to this machine alone."""
    visitor = visit()
    visitor.sit("kor", [person("Ann"), OPEN])
    expect(visitor.page.get_by_text("Only this machine can reach the table so far.")).to_be_visible()
    expect(visitor.page.get_by_text("hotdice serve --host 0.0.0.0")).to_be_visible()
    expect(visitor.page.get_by_role("img", name="QR code")).to_have_count(0)


def test_a_guest_is_asked_for_a_name_and_nothing_else(visit: Visit) -> None:
    guest = visit(size=PHONE)
    name, _ = guest.server.table("kor", [person("Ann"), OPEN])
    page = guest.page
    page.goto(f"/t/{name}")
    fields = page.locator("main :is(input, select, textarea):visible")
    expect(fields).to_have_count(1)
    for typed, answer in (
        ("", "Write a name."),
        ("Ann", "Somebody else is called Ann; take another name."),
        ("B" * 25, "A name has 1 to 24 characters."),
    ):
        page.get_by_label("Your name").fill(typed)
        page.get_by_role("button", name="Sit down").click()
        expect(page.get_by_role("alert").filter(has_text=answer)).to_be_visible()
        expect(page.get_by_label("Your name")).to_be_focused()
    page.get_by_label("Your name").fill("Ben")
    page.get_by_role("button", name="Sit down").click()
    expect(page.get_by_text("Everybody is here")).to_be_visible()
    seats = guest.server.get(f"/tables/{name}").json()["seats"]
    assert [(seat["kind"], seat["name"]) for seat in seats] == [("person", "Ann"), ("person", "Ben")]


def test_open_seats_can_be_given_to_bots(visit: Visit) -> None:
    visitor = visit()
    name = visitor.sit("kor", [person("Ann"), OPEN, OPEN])
    visitor.page.get_by_label("How well the bots play").select_option("greedy")
    visitor.page.get_by_role("button", name="Start with bots").click()
    expect(visitor.page.locator("[data-key=roll]")).to_be_enabled()
    seats = visitor.server.get(f"/tables/{name}").json()["seats"]
    assert [seat["bot"] for seat in seats] == ["", "greedy", "greedy"]


def test_a_public_table_is_found_on_the_first_page(visit: Visit) -> None:
    guest = visit()
    name, _ = guest.server.table("rollers", [person("Xenia"), OPEN, OPEN], public=True)
    guest.page.goto("/")
    row = guest.page.get_by_role("link", name=re.compile("Rollers with Xenia"))
    expect(row).to_contain_text("2 seats open")
    row.click()
    assert table_at(guest) == name


# To read


@pytest.mark.parametrize("game", GAMES)
def test_rules_are_there_to_read(visit: Visit, game: str) -> None:
    visitor = visit()
    page = visitor.page
    page.goto(f"/rules/{game}")
    title = next(card["title"] for card in visitor.server.get("/games").json()["games"] if card["name"] == game)
    expect(page.get_by_role("heading", level=1)).to_have_text(re.compile(re.escape(title.split(",")[0])))
    text = page.get_by_role("article").inner_text()
    assert len(text) > 300
    assert not re.search(r"[*_`|#]{2}|^#|\]\(", text, re.MULTILINE), "some Markdown is shown as it is typed"
    page.get_by_role("link", name="Set up a table").first.click()
    expect(page).to_have_url(re.compile(f"/new/{game}$"))


def test_rules_are_asked_for_once(visit: Visit) -> None:
    """Asked for twice, they would be gone again if the server went in between."""
    visitor = visit()
    asked: list[str] = []
    visitor.page.on("request", lambda request: asked.append(request.url))
    visitor.page.goto(f"/rules/{GAMES[0]}")
    visitor.page.get_by_role("article").wait_for()
    visitor.page.wait_for_load_state("networkidle")
    assert len([url for url in asked if url.endswith(f"/api/games/{GAMES[0]}/rules")]) == 1


def test_the_art_of_a_tile_leads_into_the_game(visit: Visit) -> None:
    visitor = visit()
    visitor.page.goto("/")
    visitor.page.evaluate("localStorage.setItem('hotdice.name', 'Ann')")
    visitor.page.reload()
    visitor.page.locator("article .stage.ready").first.click()
    expect(visitor.page.get_by_role("button", name=re.compile("^Roll")).first).to_be_visible()


def test_a_wrong_code_moves_nothing(visit: Visit) -> None:
    page = visit(size=PHONE).page
    page.goto("/")
    play = page.get_by_role("button", name="Play now").first
    play.wait_for()
    before = play.bounding_box()
    page.get_by_label("Have a code?").fill("zz")
    page.get_by_role("button", name="Open", exact=True).click()
    expect(page.get_by_text("A code has eight letters and digits")).to_be_visible()
    assert play.bounding_box() == before


def test_a_phone_on_its_side_shows_a_way_to_play(visit: Visit) -> None:
    page = visit(size=SIDEWAYS).page
    page.goto("/")
    expect(page.get_by_role("button", name="Play now").first).to_be_in_viewport(ratio=1)
