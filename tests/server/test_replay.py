"""A game that is over, moment by moment; what might have been; and tables at which it is played on."""

from __future__ import annotations

import httpx
import pytest

from hotdice.games import parse_position
from hotdice.record import parse_record
from tests.server.running import Json, Running, begun, local, person
from tests.server.test_coach import ready, refused
from tests.server.test_schema import strict
from tests.test_moments import HAND_MADE
from tests.web.halfway import go_on, half_played

CLOCK = ("now",)
"""What a table that stood says of the time at which it was asked for."""


def timeless(state: Json) -> Json:
    return {key: value for key, value in state.items() if key not in CLOCK}


def opened(server: Running) -> str:
    name: str = server.post("/records", {"record": HAND_MADE}).json()["table"]["name"]
    return name


@pytest.mark.parametrize(("game", "players"), [("pig", 2), ("kor", 3), ("kismet", 2), ("rollers", 2), ("bj", 2)])
def test_every_moment_is_what_an_onlooker_saw_then(server: Running, game: str, players: int) -> None:
    name, _ = go_on(server, half_played(game, players, 10_000), [])
    replay = server.get(f"/tables/{name}/replay").json()
    strict("Replay").validate(replay)
    states = [replay["welcome"]["state"], *(update["state"] for update in replay["updates"])]
    events = list(replay["welcome"]["events"])
    for played in range(len(states)):
        if played:
            events += replay["updates"][played - 1]["events"]
        if played % 23 and played < len(states) - 2:
            continue
        then = server.get(f"/tables/{name}/position", played=played).json()
        assert timeless(then["state"]) == timeless(states[played])
        assert then["events"] == events
    assert states[-1]["status"] == "over"
    plain = httpx.get(f"{server.url}/api/tables/{name}/replay", headers={"Accept-Encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert plain.json() == replay
    refused(server.get(f"/tables/{name}/replay", game=2), 422, "unknown")


def test_a_game_that_goes_on_has_no_replay(server: Running) -> None:
    name, _ = server.table("pig", [person("Ann"), local("Bob")], options={"target": 2}, start=True)
    assert refused(server.get(f"/tables/{name}/replay"), 409, "illegal") == "This game is not over yet."


def test_what_might_have_been(server: Running) -> None:
    """In the fifth event Bob, who has the game in his hand, rolls instead of holding."""
    name = opened(server)
    record = parse_record(HAND_MADE)
    at = next(number for number, event in enumerate(record.events) if getattr(event, "move", None) is not None)
    moves = [move.text for move in record.replay()[at].legal_moves()]

    def ask(move: str, seed: int = 0) -> Json:
        found = ready(lambda: server.get(f"/tables/{name}/what-if", played=at, move=move, seed=seed))
        strict("WhatIf").validate(found)
        return found

    for move in moves:
        found = ask(move)
        assert found["bot"] == "optimal"
        assert max(found["scores"]) >= record.first_state.options.target
        assert found["scores"][found["result"]["winners"][0]] == max(found["scores"])
        assert found["told"][-1]
        assert ask(move) == found
    assert len({tuple(ask("roll", seed)["told"]) for seed in range(8)}) > 1
    asked = f"/tables/{name}/what-if"
    refused(server.get(asked, played=at, move="keep 5 5"), 422, "unknown")
    assert refused(server.get(asked, played=0, move="roll"), 409, "illegal") == "Nobody had a choice there."
    assert "there is no number 999" in refused(server.get(asked, played=999, move="roll"), 422, "unknown")


def test_a_game_is_played_on_from_a_moment(server: Running) -> None:
    """With fair dice that can be checked in the end, as nothing of the other game's dice is in them."""
    name = opened(server)
    replay = server.get(f"/tables/{name}/replay").json()
    made = server.post(f"/tables/{name}/play-on", {"played": 3, "seat": 2, "bot": "greedy"})
    assert made.status_code == 201, made.text
    table, (token,) = made.json()["table"], made.json()["tokens"]
    assert [(seat["name"], seat["kind"], seat["bot"]) for seat in table["seats"]] == [
        ("Ann", "bot", "greedy"),
        ("Bob", "local", ""),
    ]
    assert token["seat"] == 2
    with server.client(table["name"], token["token"]) as client:
        assert server.post(f"/tables/{table['name']}/start", {}, token["token"]).status_code == 200
        begun(client)
        client.to_the_end()
    text = server.get(f"/tables/{table['name']}/record").text
    record = parse_record(text)
    position = replay["updates"][2]["state"]["view"]["position"]
    assert record.first_state == parse_position(position)
    assert record.dice.startswith("fair2 ")
    assert record.check_dice()


def test_a_game_is_not_played_on_from_its_end_or_from_nowhere(server: Running) -> None:
    name = opened(server)
    place = f"/tables/{name}/play-on"
    last = len(parse_record(HAND_MADE).events)
    wish: Json = {"played": last, "seat": 1, "bot": "greedy"}
    assert "The game is over there" in refused(server.post(place, wish), 409, "illegal")
    assert "no seat 3" in refused(server.post(place, wish | {"played": 0, "seat": 3}), 422, "unknown")
    assert "no bot “nobody”" in refused(server.post(place, wish | {"played": 0, "bot": "nobody"}), 422, "unknown")
