"""What docs/server.md shows is what the server takes and says; its options, figures and limits are those of
docs/operations.md."""

from __future__ import annotations

import json
import re
from pathlib import Path

import typer

from hotdice.cli import app
from hotdice.server import doors, entries, socket, uvicorn_adapter, wire
from hotdice.server.limits import Limits
from hotdice.server.match import commands
from hotdice.server.match.fold import Status
from hotdice.server.metrics import Metrics
from hotdice.server.rooms import views
from hotdice.server.rooms.presence import PATIENCE_SECONDS
from tests.server.running import Running

DOCS = Path(__file__).parents[2] / "docs"
TEXT = (DOCS / "server.md").read_text("utf-8")
RUNNING = (DOCS / "operations.md").read_text("utf-8")
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
    codes = (socket.BAD, socket.NO_TABLE, socket.NO_SEAT, socket.BANNED, uvicorn_adapter.TOO_MANY, socket.LATER)
    for code in codes:
        assert f"| {code} |" in TEXT
    for status in Status:
        assert f"`{status.value}`" in TEXT
    for name in wire.Shown.__struct_fields__:
        assert f"`{name}`" in TEXT


def test_the_limits_are_as_they_are_told() -> None:
    limits = Limits()
    told = (
        f"opened | {limits.requests:.0f} a second after a burst of {limits.request_burst} *",
        f"asked for | one every {1 / limits.news:.0f} seconds after {limits.new_burst} *",
        f"each table | one every {1 / limits.guesses:.0f} seconds after {limits.guess_burst} *",
        f"open seats at them | {limits.tables} and {limits.open_seats} *",
        f"more than an hour ago | {limits.abandoned} *",
        f"| WebSockets | {limits.connections} *",
        f"may have all | {limits.sockets} *",
        (
            f"messages of a WebSocket | {limits.messages:.0f} a second after a burst of {limits.message_burst}; "
            f"{socket.FLOOD} more"
        ),
        f"wait for the database | {limits.message_burst} *",
        f"| {wire.MESSAGE_BYTES // 1000} kB in up to {uvicorn_adapter.FRAGMENTS} fragments",
        f"| {limits.backlog // 1000} kB, and nothing longer than {limits.unread_seconds:.0f} seconds",
        f"| {uvicorn_adapter.HEAD_BYTES // 1000} kB, within {limits.head_seconds:.0f} seconds of the connection",
        (
            f"| {limits.body // 1000} kB within {limits.body_seconds:.0f} seconds; records that come in "
            f"{limits.record // 1000} kB"
        ),
        (
            f"has {commands.FULL:,} entries takes nobody in and has no further game; a game that goes on at "
            f"{commands.ENDLESS:,} is given up"
        ),
        f"A welcome has up to {views.PAGE_BYTES // 1000} kB of events",
        f"the answer to another | {uvicorn_adapter.PIPELINED} |",
        f"less {doors.SPARE} for itself; at its start it raises that number to {doors.DESCRIPTORS:,}",
        f"`patience` of the `welcome`, {PATIENCE_SECONDS} seconds",
    )
    for sentence in told:
        assert sentence in TEXT + RUNNING


def test_every_option_of_the_server_is_told() -> None:
    options = typer.main.get_command(app).get_command(None, "serve").params  # type: ignore[attr-defined]
    flags = {flag for option in options for flag in option.opts if flag.startswith("--")} - {"--help"}
    assert flags == set(re.findall(r"^\| `(--[\w-]+)", RUNNING, re.MULTILINE))


def test_every_figure_is_told() -> None:
    told = set(re.findall(r"^\| `(hotdice_\w+|process_\w+)", RUNNING, re.MULTILINE))
    made = set(re.findall(r"^# TYPE (\w+)", Metrics().text([]), re.MULTILINE))
    assert made <= told | set(re.findall(r"`(process_\w+)`", RUNNING))
