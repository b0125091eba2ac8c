"""The review of a game that is over: a page with an address of its own, from which nobody has to go to understand it.

`HAND_MADE` is a game of Pig to 2 whose values are known: whoever is to roll wins 6 times in 7.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from tests.test_moments import HAND_MADE
from tests.web.browsing import DESKTOP, PHONE, SLOW, Visitor
from tests.web.conftest import Visit
from tests.web.halfway import go_on, half_played
from tests.web.playing import GAMES

pytestmark = pytest.mark.timeout(1200)  # the solver may have to be compiled first

SAME = "([board, text]) => board.innerText === text"
NO_SOLVER = {
    "error": "no_solver",
    "message": "This server cannot review games; it needs: pip install 'hotdice[solve]'.",
}


def opened(visitor: Visitor, record: str = HAND_MADE) -> str:
    """The name of a table at which a recorded game can be looked at."""
    name: str = visitor.server.post("/records", {"record": record}).json()["table"]["name"]
    return name


def side(page: Page, tab: str) -> None:
    page.get_by_role("group", name="What is shown").get_by_role("button", name=tab).click()


def without_values(route: Route) -> None:
    route.fulfill(status=409, json=NO_SOLVER)


def test_a_finished_game_is_gone_through_by_keyboard(visit: Visit) -> None:
    visitor = visit(size=DESKTOP, still=True)
    page = visitor.page
    name = opened(visitor)
    page.goto(f"/t/{name}")
    page.get_by_role("link", name="Review the game").click()
    values = page.get_by_role("list", name="What it is worth now")
    expect(values).to_have_text(re.compile(r"Ann\s+85\.7%\s+Bob\s+14\.3%"), timeout=SLOW)
    assert re.search(rf"/t/{name}/1/review(/0)?$", page.url)
    now = page.get_by_role("region", name="The review").get_by_role("status").first
    expect(now).to_have_text("The game begins.")
    page.keyboard.press("ArrowRight")
    expect(now).to_have_text("Ann rolls a 1 and loses the 0 of this turn.")
    expect(values).to_have_text(re.compile(r"Ann\s+14\.3%\s+Bob\s+85\.7%"))
    page.keyboard.press("ArrowRight")
    expect(now).to_have_text("Bob rolls a 3, 3 this turn.")
    page.wait_for_url(f"**/t/{name}/1/review/2")  # the address says where we are, a moment later
    decision = page.get_by_role("table", name="What Bob could do, best first")
    expect(decision.get_by_role("row").first).to_have_text(re.compile(r"Holding\s+best\s+100\.0%"))
    expect(decision.get_by_role("row").last).to_have_text(re.compile(r"Rolling\s+played\s+85\.7%\s+−14\.3%"))
    expect(page.get_by_text("Bob lost 14.3%; holding was better.")).to_be_visible()
    visitor.check_access("a decision in review")
    visitor.picture("review-decision-desktop-light")
    page.keyboard.press("End")
    expect(values).to_have_text(re.compile(r"Ann\s+100\.0%\s+Bob\s+0\.0%"))
    page.get_by_role("group", name="Step by").get_by_role("button", name="Turn").click()
    page.keyboard.press("ArrowLeft")
    expect(now).to_have_text("Bob rolls a 1 and loses the 3 of this turn.")
    page.keyboard.press("Home")
    expect(now).to_have_text("The game begins.")
    page.get_by_role("button", name="Next mistake").click()
    expect(decision).to_be_visible()
    page.get_by_role("slider", name="Moment").fill("1")
    expect(now).to_have_text("Ann rolls a 1 and loses the 0 of this turn.")
    page.get_by_role("list", name="What happened").get_by_role("button", name="Bob rolls a 1").click()
    expect(now).to_have_text("Bob rolls a 1 and loses the 3 of this turn.")


def test_the_account_adds_up_and_the_moments_lead_to_their_places(visit: Visit) -> None:
    """Bob's roll was worth 1/7 to Ann, who was 5/7 down and up again by the dice."""
    visitor = visit(size=PHONE, dark=True, still=True)
    page = visitor.page
    name = opened(visitor)
    page.goto(f"/t/{name}/1/review/3")
    side(page, "Players")
    ladders = page.get_by_role("table", name="From the start to the result")
    expect(ladders).to_have_count(2, timeout=SLOW)
    ann, bob = ladders.all()
    for ladder, figures in (
        (ann, ["85.7%", "±0%", "±0%", "+14.3%", "100.0%"]),
        (bob, ["14.3%", "±0%", "−14.3%", "±0%", "0.0%"]),
    ):
        assert [row.get_by_role("cell").last.inner_text() for row in ladder.get_by_role("row").all()] == figures
    visitor.check_access("the accounts")
    side(page, "Key moments")
    moment = page.get_by_role("button", name=re.compile("Bob rolls a 1 and loses the 3"))
    expect(moment).to_contain_text("−57.1%")
    visitor.check_access("the moments")
    moment.click()
    side(page, "Moves")
    expect(page.get_by_role("region", name="The review").get_by_role("status").first).to_contain_text("Bob rolls a 1")
    visitor.picture("review-phone-dark")
    visitor.check_access("the moves on a phone")


def test_another_move_is_played_out_and_the_game_played_on(visit: Visit) -> None:
    visitor = visit(size=DESKTOP, still=True)
    page = visitor.page
    page.goto(f"/t/{opened(visitor)}/1/review/2")
    page.get_by_role("button", name="Holding").click(timeout=SLOW)
    what_if = page.get_by_role("region", name="What if")
    expect(what_if).to_contain_text("What if: holding? That was worth 100.0%, +14.3% against what was played.")
    what_if.get_by_role("button", name="Play it out").click()
    expect(what_if.get_by_role("status")).to_contain_text("Bob holds and scores 3, for 3 in all.", timeout=SLOW)
    expect(what_if.get_by_role("status")).to_contain_text("Bob wins.")
    expect(what_if.get_by_role("button", name="Another sample")).to_be_enabled()
    visitor.check_access("what might have been")
    page.get_by_role("button", name="Play on from here").click()
    dialog = page.get_by_role("dialog", name="Play on from here")
    expect(dialog.get_by_label("You play for")).to_have_value("1")
    visitor.check_access("playing on")
    dialog.get_by_role("button", name="Play on").click()
    page.wait_for_url(re.compile(r"/t/[^/]+$"))
    page.get_by_role("button", name=re.compile("^Hold")).click()
    expect(page.get_by_role("heading", name="Bob wins")).to_be_visible()


def test_the_card_is_a_picture_to_send(visit: Visit, tmp_path: Path) -> None:
    visitor = visit(size=DESKTOP, still=True)
    page = visitor.page
    page.goto(f"/t/{opened(visitor)}/1/review")
    page.get_by_role("button", name="Share").click(timeout=SLOW)
    dialog = page.get_by_role("dialog", name="Share the result")
    expect(dialog.get_by_role("img", name=re.compile("^Ann beats Bob. Ann earned it"))).to_be_visible()
    visitor.check_access("the card")
    with page.expect_download() as saved:
        dialog.get_by_role("link", name="Save as a picture").click()
    saved.value.save_as(tmp_path / "card.png")
    assert (tmp_path / "card.png").read_bytes().startswith(b"\x89PNG")


def test_until_there_is_an_account_one_sees_how_far_it_is(visit: Visit) -> None:
    visitor = visit(size=PHONE, still=True)
    page = visitor.page
    name = opened(visitor)
    answers = [{"ready": False, "share": share, "report": None} for share in (None, 0.25)]
    page.route("**/review?game=1", lambda route: route.fulfill(json=answers.pop(0) if len(answers) > 1 else answers[0]))
    page.goto(f"/t/{name}/1/review")
    course = page.get_by_role("region", name="The course of the game")
    expect(course).to_contain_text("what every roll and move was worth: 25%")
    visitor.check_access("a review that is worked out")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("region", name="The review")).to_contain_text("Ann rolls a 1")
    page.unroute("**/review?game=1")
    expect(page.get_by_role("list", name="What it is worth now")).to_be_visible(timeout=SLOW)


@pytest.mark.parametrize("game", GAMES)
def test_without_values_the_board_is_as_it_stood_however_one_comes_there(visit: Visit, game: str) -> None:
    visitor = visit(size=PHONE if game == "kismet" else DESKTOP, still=True)
    visitor.expected = re.compile("409")
    page = visitor.page
    page.route("**/review?game=1", without_values)
    name, _ = go_on(visitor.server, half_played(game, 2, 10_000), [])
    board = page.get_by_role("region", name="The board")
    slider = page.get_by_role("slider", name="Moment")
    for at in (9, 14):
        page.goto(f"/t/{name}/1/review/{at}")
        expect(slider).to_have_value(str(at))
        straight = board.inner_text()
        expect(page.get_by_text(NO_SOLVER["message"]).first).to_be_visible()
        for keys in (["ArrowLeft", "ArrowRight"], ["End", "ArrowLeft"], 3 * ["ArrowLeft"] + 3 * ["ArrowRight"]):
            for key in keys:
                page.keyboard.press(key)
            slider.fill(str(at))
            page.wait_for_function(SAME, arg=[board.element_handle(), straight])
    visitor.check_access(f"a review of {game} without values")


def test_a_game_that_goes_on_or_is_not_there_has_no_review(visit: Visit) -> None:
    visitor = visit(size=PHONE)
    visitor.expected = re.compile("404|409|422")
    page = visitor.page
    page.goto(f"/t/{opened(visitor)}/7/review")
    expect(page.get_by_role("heading", name="There is nothing to review yet")).to_be_visible()
    page.goto("/t/k3x9w7fm/1/review")
    expect(page.get_by_role("heading", name="There is no such table")).to_be_visible()
    visitor.check_access("no review")
