"""The client in docs/server.md plays a game to its end on a real server, and the schema that is served holds for it."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from tests.server.playing import SHORT, seated, step
from tests.server.running import Client, Json, Running, bot, person

TEXT = (Path(__file__).parents[2] / "docs" / "server.md").read_text("utf-8")
CLIENT, CHECK = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
HERE = "http://127.0.0.1:8017"


@pytest.fixture(scope="module")
def schema(server: Running) -> Json:
    answer = server.get("/schema.json")
    assert answer.headers["content-type"] == "application/schema+json"
    found: Json = answer.json()
    return found


def check_of(schema: Json, name: str) -> jsonschema_rs.Validator:
    return jsonschema_rs.validator_for({"$ref": f"#/$defs/{name}", "$defs": schema["$defs"]})


def run(code: str, tmp_path: Path, *arguments: str) -> str:
    file = tmp_path / "client.py"
    file.write_text(code, "utf-8")
    done = subprocess.run(
        [sys.executable, str(file), *arguments], capture_output=True, text=True, timeout=120, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_the_client_plays_a_game_to_its_end(server: Running, tmp_path: Path) -> None:
    assert HERE in CLIENT
    *told, scores = run(CLIENT, tmp_path, server.url).splitlines()
    found = re.fullmatch(r"Scores: (\d+) (\d+)", scores)
    assert found
    assert any(map(int, found.groups()))
    boxes = [line for line in told if re.match(r"Ann (takes|writes) ", line)]
    struck = [line for line in told if re.search(r"Another Kismet: Ann writes a zero in ", line)]  # now and then
    assert len(boxes) + len(struck) == 15  # the whole sheet


def test_the_client_is_short_and_needs_one_library() -> None:
    lines = [line for line in CLIENT.splitlines() if line.strip()]
    assert len(lines) <= 40
    imported = set(re.findall(r"^(?:from|import) (\w+)", CLIENT, re.MULTILINE))
    assert imported - sys.stdlib_module_names == {"websockets"}


def test_the_check_that_is_shown_runs(server: Running, tmp_path: Path) -> None:
    assert HERE in CHECK
    run(CHECK.replace(HERE, server.url), tmp_path)
    with pytest.raises(AssertionError):
        run(CHECK.replace(HERE, server.url).replace('"on": 18', '"on": "18"'), tmp_path)


def test_it_is_a_schema(schema: Json) -> None:
    jsonschema_rs.meta.validate(schema)
    for name, part in schema["$defs"].items():
        jsonschema_rs.meta.validate({"$schema": schema["$schema"], **part})
        assert {"$ref": f"#/$defs/{name}"} != part
    refs = set(re.findall(r'"#/[^"]*"', json.dumps(schema)))
    assert refs
    assert {ref.strip('"').removeprefix("#/$defs/") for ref in refs} <= schema["$defs"].keys()


def said(parts: Json, *names: str) -> set[str]:
    """Those parts and all that they are made of."""
    found: set[str] = set()
    waiting = [*names]
    while waiting:
        if (name := waiting.pop()) not in found:
            found.add(name)
            waiting += re.findall(r'"#/\$defs/(\w+)"', json.dumps(parts[name]))
    return found


def test_every_part_says_what_it_is_and_what_its_fields_mean(schema: Json) -> None:
    parts: dict[str, Any] = schema["$defs"]
    assert [name for name, part in parts.items() if not part.get("description")] == []
    for name in said(parts, "ClientMessage", "ServerMessage"):
        fields = parts[name].get("properties", {})
        assert [field for field, about in fields.items() if not about.get("description")] == [], name
    assert parts["Shown"]["properties"]["undo"]["description"] == "The seat that may ask to take its last choice back."


def test_what_openapi_only_names_is_there(server: Running, schema: Json) -> None:
    lobby = server.get("/openapi.json").json()
    answers = [
        answer["description"]
        for operations in lobby["paths"].values()
        for operation in operations.values()
        for status, answer in operation["responses"].items()
        if status == "200" and answer.get("content", {}).get("application/json", {}).get("schema") == {"type": "object"}
    ]
    assert answers
    for described in answers:
        named = re.findall(r"`([A-Z]\w+)`", described)
        assert named, f"“{described}” names no type"
        assert set(named) <= schema["$defs"].keys(), described


def test_openapi_tells_where_it_is(server: Running) -> None:
    assert "/api/schema.json" in server.get("/openapi.json").json()["info"]["summary"]


def test_what_is_said_in_a_game_fits(server: Running, schema: Json) -> None:
    """Both ways, and with everything refused that the schema does not name."""
    for part in schema["$defs"].values():
        if "properties" in part:
            part["additionalProperties"] = False
    asked, said = check_of(schema, "ClientMessage"), check_of(schema, "ServerMessage")
    kinds: set[str] = set()

    class Checked(Client):
        def send(self, message: Json) -> None:
            kinds.add(message["do"])
            asked.validate(message)
            super().send(message)

        def receive(self, timeout: float = 30.0) -> Json:
            message = super().receive(timeout)
            kinds.add(message["type"])
            said.validate(message)
            return message

    name, tokens = server.table("pig", seated("pig", person("Ann"), bot("random")), options=SHORT["pig"])
    with Checked(server, name, tokens, 0) as client:
        assert server.post(f"/tables/{name}/start", token=tokens[0]).is_success
        while client.state["status"] != "playing":
            client.receive()
        assert client.ask("move", move="nonsense")["type"] in ("illegal", "not_your_turn")
        while client.state["status"] == "playing":
            step(client)
    assert {"hello", "seal", "reveal", "roll", "move", "welcome", "update", "accepted"} <= kinds


@pytest.mark.parametrize("message", [{"do": "jump"}, {"do": "roll", "id": "a"}, {"do": "ping", "more": 1}, {}])
def test_what_the_server_refuses_the_schema_refuses(schema: Json, message: Json) -> None:
    assert not check_of(schema, "ClientMessage").is_valid(message)
