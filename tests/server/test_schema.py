"""web/schema.json, which the browser app's types are made from: it is up to date, and what the server says fits it."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import Any

import jsonschema_rs
import pytest

from hotdice.games import all_games
from hotdice.server import schema
from tests.server.playing import SHORT, step
from tests.server.running import Client, Json, Running, bot, person

SAID = schema.document()


def strict(name: str) -> jsonschema_rs.Validator:
    """A check that refuses, besides what does not fit, whatever the schema does not name."""
    whole = deepcopy(SAID)
    for part in whole["components"]["schemas"].values():
        if "properties" in part:
            part["additionalProperties"] = False
    return jsonschema_rs.validator_for({"$ref": f"#/components/schemas/{name}", "components": whole["components"]})


def test_the_file_is_what_the_server_says_now() -> None:
    kept = schema.FILE.read_text("utf-8") if schema.FILE.exists() else ""
    assert kept == schema.text(), "web/schema.json is not what the server says now: run `make types`."


def test_nothing_is_said_without_a_name() -> None:
    parts = SAID["components"]["schemas"]
    refs = {word for word in json.dumps(SAID).split('"') if word.startswith("#/components/schemas/")}
    assert {ref.rpartition("/")[2] for ref in refs} <= parts.keys()
    for game in all_games():
        board = game.start().board()
        assert board is None or type(board).__name__ in parts


@pytest.mark.parametrize("game", sorted(SHORT))
def test_a_whole_game_fits_the_schema(server: Running, game: str) -> None:
    fits = strict("ServerMessage").validate

    class Strict(Client):
        def receive(self, timeout: float = 30.0) -> Json:
            message = super().receive(timeout)
            fits(message)
            return message

    name, tokens = server.table(game, [person("Ann"), bot("random")], options=SHORT[game], start=True)
    with Strict(server, name, tokens, 0) as client:
        while client.state["status"] == "playing":
            step(client)
        for wish in ({"move": "nonsense"}, {"move": "roll", "on": 0}):
            assert client.ask("move", **wish)["type"] in ("illegal", "stale", "not_your_turn")
        kinds = {event["entry"]["kind"] for event in client.events}
    assert {"created", "joined", "started", "rolled", "ended"} <= kinds
    strict("TableShown").validate(server.get(f"/tables/{name}").json())


@pytest.mark.parametrize(
    "message",
    [
        {"do": "ping"},
        {"do": "hello"},
        {"do": "roll", "id": "a", "on": 1},
        {"do": "move", "id": "a", "on": 1, "move": "roll", "then_roll": True},
    ],
)
def test_a_client_need_not_say_what_has_a_default(message: Json) -> None:
    strict("ClientMessage").validate(message)


def test_what_is_always_there_is_required() -> None:
    def required(name: str) -> set[str]:
        return set(SAID["components"]["schemas"][name]["required"])

    parts: dict[str, Any] = SAID["components"]["schemas"]
    for name in ("Shown", "View", "Standing", "KorBoard", "TableShown", "ClockWish"):
        assert required(name) == parts[name]["properties"].keys()
    assert required("WireSeat") == {"kind", "name"}
    assert required("SeatWish") == {"kind"}
