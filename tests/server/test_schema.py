"""web/schema.json, which the browser app's types are made from: it is up to date, and what the server says fits it.

So do the types of each game that has a folder in the browser app, and what the games say of themselves.
"""

from __future__ import annotations

import json
from copy import deepcopy
from typing import Any

import jsonschema_rs
import pytest

from hotdice.game import Game
from hotdice.games import all_games, load_game
from hotdice.server import game_types, schema
from tests.server.playing import SHORT, seated, step
from tests.server.running import Client, Json, Running, bot, person

SAID = schema.document()


def strict(name: str) -> jsonschema_rs.Validator:
    """A check that refuses, besides what does not fit, whatever the schema does not name."""
    whole = deepcopy(SAID)
    for part in whole["components"]["schemas"].values():
        if "properties" in part:
            part["additionalProperties"] = False
    return jsonschema_rs.validator_for({"$ref": f"#/components/schemas/{name}", "components": whole["components"]})


class Own:
    """Checks the parts of messages that are a game's own."""

    def __init__(self, game: Game) -> None:
        types = game_types.types_of(game)
        self._checks = {hook: jsonschema_rs.validator_for(types.schema(hook)) for hook in types.hooks}

    def check(self, message: Json) -> None:
        if view := message.get("state", {}).get("view"):
            self._fits("board", view["board"])
            for move in view["moves"]:
                self._fits("effect", move["effect"])

    def _fits(self, hook: str, data: Json | None) -> None:
        if hook in self._checks:
            self._checks[hook].validate(data)
        else:
            assert data is None, f"the game says no type for its {hook}"


def test_the_file_is_what_the_server_says_now() -> None:
    kept = schema.FILE.read_text("utf-8") if schema.FILE.exists() else ""
    assert kept == schema.text(), "web/schema.json is not what the server says now: run `make types`."


def test_nothing_is_said_without_a_name() -> None:
    parts = SAID["components"]["schemas"]
    refs = {word for word in json.dumps(SAID).split('"') if word.startswith("#/components/schemas/")}
    assert {ref.rpartition("/")[2] for ref in refs} <= parts.keys()


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_the_schema_knows_no_game(game: Game) -> None:
    said = schema.text()
    for name in (game.name, *game_types.types_of(game).parts):
        assert f'"{name}"' not in said


def test_the_types_of_the_games_are_what_they_say_now() -> None:
    for file, said in game_types.files().items():
        kept = file.read_text("utf-8") if file.exists() else ""
        assert kept == said, f"{file.parent.name}/schema.ts is not what the game says now: run `make types`."


def test_a_folder_of_the_browser_app_is_a_games() -> None:
    folders = {folder.name for folder in game_types.FOLDER.iterdir() if folder.is_dir()}
    assert folders <= {game.name for game in all_games()}


@pytest.mark.parametrize("game", sorted(SHORT))
def test_a_whole_game_fits_the_schema(server: Running, game: str) -> None:
    fits = strict("ServerMessage").validate
    own = Own(load_game(game))

    class Strict(Client):
        def receive(self, timeout: float = 30.0) -> Json:
            message = super().receive(timeout)
            fits(message)
            own.check(message)
            return message

    name, tokens = server.table(game, seated(game, person("Ann"), bot("random")), options=SHORT[game], start=True)
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
    for name in ("Shown", "View", "Standing", "TableShown", "ClockWish"):
        assert required(name) == parts[name]["properties"].keys()
    assert required("WireSeat") == {"kind", "name"}
    assert required("SeatWish") == {"kind"}
