"""Practice over HTTP: positions without their values first, then what a move is worth; nothing about running games."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

import httpx

from hotdice.games import load_game
from hotdice.practice import decks
from tests.server.running import Json, Running, bot, person
from tests.server.test_coach import ready, refused
from tests.server.test_schema import Own, strict

CARD = next(card for card in (decks.shipped(load_game("pig")) or decks.Deck(())).cards)


def answer(server: Running, **wish: object) -> httpx.Response:
    return httpx.post(f"{server.url}/api/practice/answers", json=wish, timeout=60.0)


def test_a_card_comes_without_its_values(server: Running) -> None:
    names = {deck["game"]: deck["cards"] for deck in server.get("/practice/decks").json()["decks"]}
    assert names["pig"][0] == {"id": CARD.id, "grade": ["easy", "medium", "hard", "very hard"][CARD.grade]}
    found = server.get("/practice/cards", id=CARD.id, name="Dev")
    strict("PracticeCards").validate(found.json())
    (shown,) = found.json()["cards"]
    Own(CARD.game).check(shown["welcome"])
    state = shown["welcome"]["state"]
    assert state["view"]["position"] == CARD.state.position
    assert state["seats"][CARD.state.seat]["name"] == "Dev"
    assert shown["welcome"]["seats"] == [CARD.state.seat]
    assert "misses" not in found.text
    assert not any(str(value) in found.text for value in CARD.values)


def test_an_answer_tells_all_values(server: Running) -> None:
    moves = CARD.state.legal_moves()
    wrong = next(at for at in range(len(moves)) if at not in CARD.right)
    found: Json = answer(server, id=CARD.id, move=moves[wrong].text, box=3).json()
    assert (found["right"], found["box"], found["days"]) == (False, 1, 1)
    assert found["loss"] == max(CARD.values) - CARD.values[wrong]
    assert {move["text"]: move["value"] for move in found["moves"]} == {
        move.text: value for move, value in zip(moves, CARD.values, strict=True)
    }
    right: Json = answer(server, id=CARD.id, move=moves[CARD.right[0]].text, box=3).json()
    assert (right["right"], right["points"], right["box"], right["days"]) == (True, 100, 4, 14)


def test_why_a_move_is_right_or_wrong(server: Running) -> None:
    moves = [move.text for move in CARD.state.legal_moves()]
    right, wrong = moves[CARD.right[0]], next(move for at, move in enumerate(moves) if at not in CARD.right)
    found = ready(lambda: server.get("/practice/why", id=CARD.id, move=right))
    # Pig: who holds cannot lose the turn any more, and whoever rolls can.
    rolled = found if right == "roll" else ready(lambda: server.get("/practice/why", id=CARD.id, move=wrong))
    assert "more risk of a bust" in rolled["told"]
    assert rolled["against"] == "holding"
    refused(server.get("/practice/why", id=CARD.id, move="jump"), 409, "illegal")
    refused(server.get("/practice/why", id="0" * 12, move="roll"), 404, "no_card")


def test_what_is_no_card_is_refused(server: Running) -> None:
    assert "no position" in refused(answer(server, id="0" * 12, move="roll"), 404, "no_card")
    assert answer(server, id=CARD.state.position, move="roll").status_code == 422, "a position is no name of a card"
    refused(answer(server, id=CARD.id, move="jump"), 409, "illegal")
    assert answer(server, id=CARD.id, move="roll", box=9).status_code == 422


def test_the_daily_five_are_those_of_the_terminal(server: Running) -> None:
    today = datetime.now(UTC).date()
    found = server.get("/practice/daily", day=today.isoformat()).json()
    assert found["ids"] == [card.id for card in decks.daily(today)]
    late = server.get("/practice/daily", day=(today + timedelta(3)).isoformat())
    assert (late.status_code, "not for" in late.json()["message"]) == (422, True)
    assert server.get("/practice/daily", day="soon").status_code == 422


def test_mistakes_of_a_game_are_cards_once_it_is_over(server: Running) -> None:
    going = server.post("/tables", {"game": "pig", "seats": [person("Ann"), bot("greedy")], "start": True}).json()
    name = going["table"]["name"]
    assert server.get(f"/tables/{name}/mistakes").status_code == 409
    refused(answer(server, id=f"{name}.1.1", move="hold"), 409, "illegal")

    wish = {"game": "pig", "options": {"target": 30}, "seats": [bot("random"), bot("random")]}
    over = server.post("/tables", wish).json()["table"]["name"]
    while server.get(f"/tables/{over}").json()["status"] != "over":
        pass
    found = ready(lambda: server.get(f"/tables/{over}/mistakes", game=1))
    assert found["ids"], "random play errs"
    shown = server.get("/practice/cards", id=found["ids"][0]).json()["cards"][0]
    told: Json = answer(server, id=found["ids"][0], move=shown["played"]).json()
    assert told["right"] is False
    assert json.dumps(shown).count("values") == 0
    refused(answer(server, id=f"{over}.1.99999", move="hold"), 404, "no_card")
