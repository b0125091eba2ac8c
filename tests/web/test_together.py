"""Several people at one table: two browsers, one screen that goes round, real dice, and those who come back."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

from tests.server.running import OPEN, Json, bot, local, person
from tests.web.browsing import DESKTOP, PHONE, SMALL, Visitor, looks_at
from tests.web.conftest import Visit
from tests.web.loaded import play_on
from tests.web.playing import BjPlayer, KismetPlayer, KorPlayer, Player, Pointer

CUT = re.compile("WebSocket|ERR_CONNECTION|Failed to load resource")
"""What a browser says of a server that is gone."""
LOST = re.compile("The connection is lost")


def roll_button(page: Page) -> Locator:
    return page.locator("[data-key=roll]:enabled")


def news(page: Page) -> Locator:
    return page.locator("p[role=status]")


def state_of(visitor: Visitor, name: str) -> Json:
    """The table as the server has it."""
    with visitor.server.client(name) as watching:
        return watching.state


def two_at_a_table(visit: Visit, game: str, **more: object) -> tuple[Visitor, Visitor, str]:
    """Ann opens a table and starts; Ben came by the code."""
    ann, ben = visit(), visit(size=PHONE)
    name = ann.sit(game, [person("Ann"), OPEN], **more)
    ben.page.goto("/")
    ben.page.get_by_label("Have a code?").fill(f"{name[:4]} {name[4:]}".upper())
    ben.page.get_by_role("button", name="Open", exact=True).click()
    ben.page.get_by_label("Your name").fill("Ben")
    ben.page.get_by_role("button", name="Sit down").click()
    expect(ann.page.get_by_text("Everybody is here")).to_be_visible()
    ann.page.get_by_role("button", name="Start the game").click()
    for visitor in (ann, ben):
        expect(turn_of(visitor.page)).to_be_visible()
    return ann, ben, name


def turn_of(page: Page) -> Locator:
    """Whose turn it is, by the strip of players."""
    return page.get_by_role("list", name="Players").locator("[aria-current=true]")


# Two browsers


def test_two_browsers_see_each_others_rolls_and_act_in_their_turns(visit: Visit) -> None:
    """Both see each sentence of the server's, whoever rolled; whoever is not to act has nothing to press."""
    ann, ben, name = two_at_a_table(visit, "kor")
    players = {"Ann": (ann, ben), "Ben": (ben, ann)}
    acted: set[str] = set()
    for _ in range(60):
        state = state_of(ann, name)
        actor = state["seats"][state["actor"]]["name"]
        here, there = players[actor]
        for visitor in (here, there):
            expect(turn_of(visitor.page)).to_contain_text(state["seats"][state["view"]["roller"]]["name"])
        expect(there.page.get_by_text(f"Waiting for {actor}")).to_be_visible()
        expect(roll_button(there.page)).to_have_count(0)
        expect(KorPlayer(here.page, Pointer(here.page)).something().first).to_be_visible()
        KorPlayer(here.page, Pointer(here.page)).act()
        acted.add(actor)
        with ann.server.client(name) as watching:
            watching.settle(state["number"] + 1)
            event = watching.events[-1]
        for visitor, seat in ((ann, "0"), (ben, "1")):
            expect(news(visitor.page)).to_contain_text(event.get("yours", {}).get(seat, event["told"]))
        if len(acted) == 2:
            return
    raise AssertionError("It was never Ben's turn")


def test_a_choice_is_taken_back_if_the_other_agrees(visit: Visit) -> None:
    ann, ben, name = two_at_a_table(visit, "bj")
    first = pass_once(ann, ben)
    second = ben if first is ann else ann
    who = "Ann" if first is ann else "Ben"
    before = state_of(ann, name)["view"]["scores"]
    assert sum(before) > 0
    for answer, button in (("no", "No"), ("yes", "Let them")):
        first.page.get_by_role("button", name="Undo").click()
        expect(first.page.get_by_role("alert")).to_contain_text("Waiting for")
        expect(second.page.get_by_role("alert")).to_contain_text(f"{who} would like to take the last choice back.")
        second.page.get_by_role("button", name=button, exact=True).click()
        expect(second.page.get_by_role("alert")).to_have_count(0)
        expect(first.page.get_by_role("alert")).to_have_count(0)
        after = state_of(ann, name)["view"]["scores"]
        assert after == (before if answer == "no" else [0, 0])
    expect(first.page.get_by_role("button", name=re.compile("^Pass and keep"))).to_be_visible()


def pass_once(ann: Visitor, ben: Visitor) -> Visitor:
    """Roll in turns until somebody has something to keep, and keep it: who did."""
    for turn in range(20):
        visitor = (ann, ben)[turn % 2]
        roll_button(visitor.page).click()
        passing = visitor.page.get_by_role("button", name=re.compile("^Pass and keep"))
        other = (ben, ann)[turn % 2]
        expect(passing.or_(visitor.page.get_by_text("Waiting for"))).to_be_visible()
        if passing.is_visible():
            passing.click()
            expect(roll_button(other.page)).to_be_visible()
            return visitor
    raise AssertionError("Twenty times nothing scored")


def test_both_play_again(visit: Visit) -> None:
    """Either asks for the next game; it starts once both are in, with fresh scores."""
    ann, ben, name = two_at_a_table(visit, "kor", options={"target": 100})
    while state_of(ann, name)["status"] == "playing":
        state = state_of(ann, name)
        here = (ann, ben)[state["actor"]]
        player = KorPlayer(here.page, Pointer(here.page))
        expect(player.something().first).to_be_visible()
        player.act()
        with ann.server.client(name) as watching:
            watching.settle(state["number"] + 1)
    for visitor in (ann, ben):
        expect(visitor.page.get_by_role("heading", name=re.compile(r"(Ann|Ben) wins"))).to_be_visible()
    ben.page.get_by_role("button", name="Play again").click()
    ann.page.get_by_role("button", name="I'm in").click()
    ann.page.get_by_role("button", name="Start the next game").click()
    for visitor in (ann, ben):
        expect(turn_of(visitor.page)).to_be_visible()
    state = state_of(ann, name)
    assert (state["status"], state["round"], state["view"]["scores"]) == ("playing", 2, [0, 0])
    assert [bool(share["string"]) for share in state["shares"]] == [True, True]  # both had a share in the new dice


def test_with_two_whoever_stays_may_end_the_game_that_the_other_left(visit: Visit) -> None:
    ann, ben, name = two_at_a_table(visit, "kor")
    ben.page.get_by_role("button", name="Settings").click()
    ben.page.get_by_role("button", name="Leave the table").click()
    expect(ben.page.get_by_text("Those who stay decide")).to_be_visible()
    ben.page.get_by_role("button", name="Leave the table").click()
    expect(ben.page).to_have_url(f"{ben.server.url}/")
    expect(ann.page.get_by_text("Ben has left the game.")).to_be_visible()
    assert state_of(ann, name)["status"] == "playing"
    ann.page.get_by_role("button", name="End the game", exact=True).click()
    expect(ann.page.get_by_role("heading", name="The game was given up")).to_be_visible()
    looks_at(ann, "given-up", light=(DESKTOP,), dark=(SMALL,))
    assert state_of(ann, name)["status"] == "closed"
    expect(ben.page.get_by_role("link", name=re.compile("Go on"))).to_have_count(0)


def test_somebody_without_a_seat_watches(visit: Visit) -> None:
    host, guest = visit(), visit(size=PHONE)
    name = host.sit("bj", [person("Ann"), local("Ben")])
    guest.page.goto(f"/t/{name}")
    expect(guest.page.get_by_text("Watching")).to_be_visible()
    roll_button(host.page).click()
    expect(news(guest.page)).to_contain_text(re.compile(r"^Ann rolls( \d){6}:"))
    expect(roll_button(guest.page)).to_have_count(0)
    expect(guest.page.get_by_role("button", name=re.compile("^Pass|^Undo"))).to_have_count(0)
    expect(guest.page.get_by_text(re.compile("Waiting for (Ann|Ben)"))).to_be_visible()


# One screen


def test_two_people_share_a_screen(visit: Visit) -> None:
    """The page says by name whose turn it is, and each plays it there."""
    visitor = visit(size=PHONE)
    visitor.sit("kor", [person("Ann"), local("Ben")])
    player = KorPlayer(visitor.page, Pointer(visitor.page))
    for name in ("Ann", "Ben", "Ann"):
        expect(news(visitor.page)).to_contain_text(f"{name}, it is your turn.")
        until_turn_passes(visitor.page, player, name)


def until_turn_passes(page: Page, player: Player, name: str) -> None:
    for _ in range(60):
        expect(player.something().first).to_be_visible()
        if name not in turn_of(page).inner_text():
            return
        player.act()
    raise AssertionError(f"The turn of {name} never ends")


# Real dice


def tap(page: Page, *faces: str) -> None:
    for face in faces:
        page.get_by_role("button", name=face, exact=True).click()


def enter(page: Page) -> None:
    page.get_by_role("button", name="Enter this roll").click()


def test_real_dice_are_tapped_in(visit: Visit) -> None:
    """KOR with six road dice: a slip is taken out before it is entered, and a roll that was entered is taken back."""
    visitor = visit(size=PHONE)
    page = visitor.page
    name = visitor.sit("kor", [person("Ann"), bot()], dice="manual")
    expect(page.get_by_text("Ann: roll 6 real dice and tap what they show.")).to_be_visible()
    tap(page, "road die: 100", "road die: 100", "road die: STOP", "road die: DEAD END", "road die: 25")
    expect(page.get_by_role("button", name="Enter this roll")).to_be_disabled()
    page.get_by_role("button", name="Remove 25").click()
    tap(page, "road die: 50", "road die: 50")
    expect(page.get_by_role("button", name="road die: 50")).to_be_disabled()  # that is all six
    enter(page)
    expect(news(page)).to_contain_text("100 so far")
    assert state_of(visitor, name)["due"] == [5]
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_text("Ann: roll 6 real dice and tap what they show.")).to_be_visible()
    tap(page, *["road die: STOP"] * 3, *["road die: 25"] * 3)
    enter(page)
    expect(news(page)).to_contain_text("STOP")
    # The bot's dice are thrown by somebody here, too.
    expect(page.get_by_text("Otto: roll 6 real dice and tap what they show.")).to_be_visible()
    tap(page, *["road die: STOP"] * 3, *["road die: 25"] * 3)
    enter(page)
    expect(news(page)).to_contain_text("Otto tosses STOP, STOP, STOP")
    expect(page.get_by_text("Ann: roll 6 real dice and tap what they show.")).to_be_visible()
    assert state_of(visitor, name)["actor"] == 0


def test_real_dice_of_two_kinds(visit: Visit) -> None:
    """Rollers: the roll-off is one purple die, a turn five of them and the black one."""
    visitor = visit()
    page = visitor.page
    name = visitor.sit("rollers", [person("Ann"), local("Ben")], dice="manual")
    for face in ("5", "1"):
        expect(page.get_by_role("group", name="Faces of the black die")).to_have_count(0)
        tap(page, f"purple die: {face}")
        enter(page)
    expect(page.get_by_text("Ann: roll 6 real dice and tap what they show.")).to_be_visible()
    tap(page, *["purple die: STAR"] * 5)
    expect(page.get_by_role("button", name="purple die: 1")).to_be_disabled()
    tap(page, "black die: ZAP")
    enter(page)
    expect(page.get_by_text("ZAP: this roll is cancelled")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    tap(page, *["purple die: STAR"] * 5, "black die: black 3")
    enter(page)
    expect(page.get_by_role("button", name="Stop and use all six")).to_be_visible()
    faces = [die["text"] for die in state_of(visitor, name)["view"]["dice"]]
    assert sorted(faces) == ["*"] * 5 + ["b3"]


# Coming back


def test_a_connection_heals_in_mid_turn(visit: Visit) -> None:
    """The server is killed after the second roll of a turn, with dice held: all is as it was, and the game goes on."""
    visitor = visit()
    visitor.expected = CUT
    page = visitor.page
    name = visitor.sit("kismet", [person("Ann")])
    dice = page.get_by_role("button", name=re.compile(r"^Die \d"))
    roll_button(page).click()
    dice.nth(1).click()
    dice.nth(3).click()
    page.get_by_role("button", name="Roll 3 dice").click()
    expect(page.get_by_text("Roll 2 of 3", exact=True)).to_be_visible()
    before = state_of(visitor, name)
    labels = [die.get_attribute("aria-label") for die in dice.all()]
    assert [", kept" in (label or "") for label in labels] == [False, True, False, True, False]
    visitor.server.kill()
    expect(page.get_by_role("alert").filter(has_text=LOST)).to_be_visible()
    expect(roll_button(page)).to_have_count(0)
    visitor.server.start()
    expect(page.get_by_role("alert").filter(has_text=LOST)).to_have_count(0)
    expect(roll_button(page)).to_be_visible()
    after = state_of(visitor, name)
    assert (after["number"], after["view"]) == (before["number"], before["view"])
    assert [die.get_attribute("aria-label") for die in dice.all()] == labels
    page.get_by_role("button", name="Roll 3 dice").click()
    expect(page.get_by_text("Roll 3 of 3", exact=True)).to_be_visible()
    player = KismetPlayer(page, Pointer(page))
    expect(player.something().first).to_be_visible()
    player.act()
    expect(page.get_by_role("button", name=re.compile("^Roll.* 5 dice$"))).to_be_visible()


def test_bots_play_on_after_the_server_was_away(visit: Visit) -> None:
    visitor = visit(size=PHONE)
    visitor.expected = CUT
    name = visitor.sit("bj", [person("Ann"), bot()], options={"target": 1000})
    player = BjPlayer(visitor.page, Pointer(visitor.page))
    player.play(1)  # after a second thing the game may be over already
    visitor.server.kill()
    expect(visitor.page.get_by_role("alert").filter(has_text=LOST)).to_be_visible()
    visitor.server.start()
    player.play()
    assert state_of(visitor, name)["status"] == "over"


def test_a_browser_that_was_offline_shows_what_happened_meanwhile(visit: Visit) -> None:
    """Its connection dies without a word while the game goes on elsewhere: it notices, and catches up."""
    visitor = visit()
    visitor.expected = re.compile("WebSocket.*ERR_INTERNET_DISCONNECTED")
    page = visitor.page
    page.clock.install()
    name, tokens = visitor.server.table("bj", [person("Ann"), local("Ben")], dice="manual", start=True)
    visitor.take(name, "bj", tokens)
    expect(page.get_by_text("Ann: roll 6 real dice")).to_be_visible()
    visitor.context.set_offline(True)
    play_on(visitor.server, name, tokens, ["1 2 3 4 5 6", "pass", "2 2 2 3 4 6"])
    for _ in ("it asks whether anybody is there", "nobody answers"):
        page.clock.fast_forward(15_000)
    expect(page.get_by_role("alert").filter(has_text=LOST)).to_be_visible()
    expect(page.get_by_text("Ann: roll 6 real dice")).to_have_count(0)
    expect(news(page)).not_to_contain_text("Ben")
    visitor.context.set_offline(False)
    expect(page.get_by_role("alert").filter(has_text=LOST)).to_have_count(0)
    expect(news(page)).to_contain_text("Ben rolls 2 2 2 3 4 6")
    happened = page.get_by_role("list", name=re.compile("^What happened"))
    for told in ("Ann rolls 1 2 3 4 5 6", "Ann passes and keeps 150", "Ben rolls 2 2 2 3 4 6"):
        expect(happened.get_by_role("listitem").filter(has_text=told)).to_have_count(1)
    page.get_by_role("button", name="Pass and keep 200").click()
    expect(turn_of(page)).to_contain_text("Ann")
    assert state_of(visitor, name)["view"]["scores"] == [150, 200]


def test_a_page_that_was_closed_comes_back_to_its_seat(visit: Visit) -> None:
    """Another tab later: the same table, the same seat, the same dice."""
    visitor = visit()
    name = visitor.sit("bj", [person("Ann"), local("Ben")])
    roll_button(visitor.page).click()
    expect(news(visitor.page)).to_contain_text("Ann rolls")
    told = visitor.page.locator("p[role=status] .just").inner_text()
    visitor.page.close()
    visitor.page = visitor.new_page()
    visitor.page.goto(f"/t/{name}")
    expect(news(visitor.page)).to_contain_text(told)
    expect(visitor.page.get_by_text("Watching")).to_have_count(0)
    expect(roll_button(visitor.page)).to_be_visible()
    roll_button(visitor.page).click()
    expect(news(visitor.page)).not_to_contain_text(told)
