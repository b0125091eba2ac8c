"""What docs/server.md shows is what the server takes and says."""

from __future__ import annotations

import json
import re
from pathlib import Path

from hotdice.server import entries, socket, wire
from hotdice.server.limits import Limits
from hotdice.server.match.fold import Status
from tests.server.running import Running

TEXT = (Path(__file__).parents[2] / "docs" / "server.md").read_text("utf-8")
BLOCKS = re.findall(r"```json\n(.*?)```", TEXT, re.DOTALL)


def tags(union: object) -> set[str]:
    return {str(kind.__struct_config__.tag) for kind in union.__args__}  # type: ignore[attr-defined]


def test_every_message_of_a_client_is_shown_and_understood() -> None:
    lines = [line for block in BLOCKS for line in block.splitlines() if line.startswith('{"do"')]
    shown = [wire.parse(line.encode()) for line in lines]
    assert {type(message) for message in shown} == set(wire.AnyMessage.__args__)


def test_the_table_that_is_shown_can_be_set_up(server: Running) -> None:
    example = next(block for block in BLOCKS if '"seats"' in block)
    assert server.post("/tables", json.loads(example)).status_code == 201


def test_every_answer_every_kind_of_entry_and_every_code_is_listed() -> None:
    for answer in (*wire.REFUSALS, "accepted", "pong", "presence", "welcome", "update"):
        if answer != "no_table":  # closes the connection
            assert f"`{answer}`" in TEXT
    for kind in tags(entries.AnyEntry):
        assert f"`{kind}`" in TEXT
    for code in (socket.BAD, socket.NO_TABLE, socket.NO_SEAT, socket.TOO_MANY, socket.LATER):
        assert f"| {code} |" in TEXT
    for status in Status:
        assert f"`{status.value}`" in TEXT
    for name in wire.Shown.__struct_fields__:
        assert f"`{name}`" in TEXT


def test_the_limits_are_as_they_are_told() -> None:
    limits = Limits()
    assert f"{limits.requests:.0f} requests a second after a burst of {limits.request_burst}" in TEXT
    assert f"{limits.messages:.0f} messages a second after a burst of {limits.message_burst}" in TEXT
    assert f"a table or a seat every two seconds after {limits.new_burst}" in TEXT
    assert limits.news == 0.5
    assert f"{limits.connections} connections; {limits.tables} tables" in TEXT
    assert f"{limits.open_seats} open seats" in TEXT
    assert f"bodies to {limits.body // 1000} kB, records that come in to {limits.record // 1000} kB" in TEXT
