"""What an entry tells beside its sentence: where dice go, where a turn begins, what the scores are now, and what is at
stake in the turn.

Dice are typed in, so every roll is known; what is expected follows from the rules by hand.
"""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from hotdice.server.entries import LOCAL, SeatPlan
from hotdice.server.match import commands
from hotdice.server.match.fold import MANUAL
from hotdice.server.match.setup import imported
from hotdice.server.tokens import new_token
from tests.server.playing import finish
from tests.server.running import Running, bot, local, person
from tests.server.test_match import Kept, created, start, table

EXTRAS = ("places", "fresh", "scores", "stake", "hot")
BOTH = (SeatPlan(LOCAL, "Ann"), SeatPlan(LOCAL, "Bob"))


def begun(game: str) -> Kept:
    match = table(*BOTH, game=game, dice=MANUAL)
    match.keep(start(match))
    return match


def told(match: Kept, typed: str) -> dict[str, Any]:
    """What is told of a roll or a move beside what every entry has."""
    actor = match.actor
    assert actor is not None
    count = len(match.history)
    match.keep(commands.roll(match, actor, typed) if match.rolls else commands.move(match, actor, typed))
    event = msgspec.json.decode(match.history[count])
    assert event["entry"]["kind"] in ("rolled", "moved")
    return {name: event[name] for name in EXTRAS if name in event}


def test_a_turn_of_kor() -> None:
    match = begun("kor")
    assert told(match, "S D U 25 50 100") == {"places": [*["rolled"] * 5, "aside"], "fresh": True, "stake": 100}
    assert told(match, "S D U 25 50") == {"places": [*["rolled"] * 4, "aside"], "stake": 150}
    assert told(match, "U U U 50") == {"places": [*["sign"] * 3, "rolled"], "scores": [150, 0]}
    assert told(match, "target 2") == {}
    assert told(match, "S D U 25 25 50") == {"places": [*["rolled"] * 5, "aside"], "fresh": True, "stake": 50}
    assert told(match, "S S D D U") == {"scores": [150, -50]}
    assert told(match, "S S D D U U") == {"fresh": True}  # Bob's own turn, which brings nothing


def test_a_choice_between_two_signs_leaves_the_points_at_stake() -> None:
    match = begun("kor")
    told(match, "S D U 25 50 100")
    for typed, stake in (("25 25 25 25 50", 150), ("25 25 25 25", 175), ("25 25 50", 225), ("25 S", 250), ("25", 275)):
        assert told(match, typed)["stake"] == stake
    assert told(match, "S S S D D D") == {"places": ["sign"] * 6, "stake": 275}
    assert told(match, "follow dead-end") == {}  # nothing is scored, and nothing is at stake any more


def test_a_turn_of_bj() -> None:
    match = begun("bj")
    places = ["frozen"] * 3 + ["rolled"] * 2 + ["frozen"]
    assert told(match, "1 1 1 2 3 5") == {"places": places, "fresh": True, "stake": 350}
    assert told(match, "roll") == {"stake": 350}
    # The 500 for all six are safe.
    assert told(match, "1 5") == {"places": ["frozen", "frozen"], "stake": 500, "hot": True}
    assert told(match, "pass") == {"scores": [1000, 0]}  # 350 and 150, and 500 for all six


def test_a_roll_off_and_a_zap_in_rollers() -> None:
    match = begun("rollers")
    assert told(match, "5") == {"fresh": True}
    assert told(match, "2") == {"fresh": True}
    assert told(match, "1 2 3 4 5 zap") == {"places": ["cancelled"] * 6, "fresh": True}
    assert told(match, "keep none") == {}
    assert told(match, "1 2 3 4 5 b1") == {}


def test_entries_of_kismet_and_pig() -> None:
    match = begun("kismet")
    told(match, "5")
    told(match, "2")
    assert told(match, "3 3 3 5 6") == {"fresh": True}
    assert told(match, "score treys") == {"scores": [9, 0]}
    match = begun("pig")
    assert told(match, "4") == {"fresh": True, "stake": 4}
    assert told(match, "hold") == {"scores": [4, 0]}


def test_a_game_starts_with_the_scores_that_it_goes_on_from() -> None:
    assert msgspec.json.decode(begun("pig").history[-1])["scores"] == [0, 0]
    record = begun("pig")
    for typed in ("4", "hold"):
        told(record, typed)
    match = created(imported(record.record().text, (0, 1), public=False, origin=""))
    for seat, name in enumerate(("Ann", "Bob")):
        match.keep(commands.claim(match, seat, name, new_token(), (0, 1)))
    match.keep(start(match))
    assert msgspec.json.decode(match.history[-1])["scores"] == [4, 0]


def test_a_log_that_is_read_again_tells_the_same() -> None:
    match = begun("kor")
    for typed in ("S D U 25 50 100", "S D U 25 50", "U U U 50", "target 2"):
        told(match, typed)
    assert match.again_from_log().history == match.history


def test_scores_are_compared_with_those_after_a_choice_was_taken_back() -> None:
    match = begun("pig")
    told(match, "4")
    assert told(match, "hold") == {"scores": [4, 0]}
    match.keep(commands.ask(match, 0))
    assert told(match, "hold") == {"scores": [4, 0]}


@pytest.mark.parametrize(
    ("game", "due", "typed", "then"),
    [("kor", [6], "S D U 25 50 100", [5]), ("pig", [1], "4", []), ("rollers", [1, 0], "5", [1, 0])],
)
def test_a_state_says_how_many_dice_of_which_kind_are_due(
    server: Running, game: str, due: list[int], typed: str, then: list[int]
) -> None:
    name, tokens = server.table(game, [person("Ann"), local("Bob")], dice="manual", start=True)
    with server.client(name, *tokens) as client:
        assert (client.state["due"], client.state["fresh"]) == (due, True)
        assert client.ask("roll", faces=typed)["type"] == "accepted"
        assert client.state["due"] == then
        assert client.events[-1]["fresh"] is True


def test_a_game_tells_its_dice_and_the_ranges_of_its_options(server: Running) -> None:
    games = {game["name"]: game for game in server.get("/games").json()["games"]}
    assert [die["name"] for die in games["kor"]["dice"]] == ["road die"]
    assert [face["text"] for face in games["kor"]["dice"][0]["faces"]] == ["S", "D", "U", "25", "50", "100"]
    assert games["kor"]["dice"][0]["faces"][1] == {"code": 2, "text": "D", "name": "DEAD END"}
    assert [len(die["faces"]) for die in games["rollers"]["dice"]] == [6, 6]
    ranges = {one["name"]: (one["low"], one["high"], one["step"]) for one in games["kor"]["options"]}
    assert ranges["target"] == (25, 100_000, 25)
    assert ranges["scoring"] == ranges["bank_roll"] == (0, 0, 1)


def test_whoever_acts_is_told_what_they_do_and_bots_are_told_nothing(server: Running) -> None:
    """Everybody reads “Ann rolls …”; Ann herself is sent “You roll …” beside it."""
    name, tokens = server.table("pig", [person("Ann"), bot()], options={"target": 20}, start=True)
    with server.client(name, *tokens) as client:
        finish(client)
        played = [event for event in client.events if event["entry"]["kind"] in ("rolled", "moved")]
    for event in played:
        if event["entry"]["seat"] == 0:
            assert event["told"].startswith("Ann ")
            assert event["yours"]["0"].startswith("You ")
        else:
            assert event["told"].startswith("Otto ")
            assert "1" not in event.get("yours", {})
