"""Databases of earlier versions are opened by today's server: logs give the same tables, and games go on there."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import pytest

from hotdice.games import parse_position
from hotdice.record import read_record
from hotdice.server.entries import AnyEntry
from hotdice.server.match.fold import fold
from hotdice.server.store import REVISION, Store
from tests.compat.data import HERE, TABLES, VERSIONS, expected
from tests.server.playing import act, finish, joined
from tests.server.running import Client, Json, Running, begun


@pytest.mark.parametrize("version", VERSIONS)
def test_every_kind_of_entry_and_table_is_kept(version: str) -> None:
    tables = expected(version, "tables").values()
    assert {table["status"] for table in tables} == {"waiting", "playing", "over", "closed"}
    kept = {kind for table in tables for kind in table["kinds"]}
    assert kept <= {kind.__struct_config__.tag for kind in AnyEntry.__args__}
    if version == VERSIONS[0]:
        assert len(kept) == 15


def loaded(version: str, path: Path) -> str:
    """The database of a version as if all of it had happened up to a moment ago: what lies idle for days is closed."""
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript((HERE / version / "tables.sql").read_text("utf-8"))
        now = int(time.time() * 1000)
        last = 'select "table", max(number) from events group by "table"'
        connection.execute(f'update events set at = ? where ("table", number) in ({last})', (now,))  # noqa: S608
        connection.execute("update tables set touched = ?", (now,))
        connection.commit()
    return str(path)


@dataclass(frozen=True)
class Folded:
    """All tables of a version's database, folded by today's server."""

    matches: dict[str, Any]
    revision: str


@pytest.fixture(scope="module")
def folded(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Folded]:
    """For each version."""

    async def read(version: str, database: str) -> Folded:
        store = Store(database)
        await store.open()
        tables = expected(version, "tables")
        try:
            matches = {what: fold(table["name"], await store.read(table["name"])) for what, table in tables.items()}
        finally:
            await store.close()
        with closing(sqlite3.connect(database)) as connection:
            (revision,) = connection.execute("select version_num from alembic_version").fetchone()
        return Folded(matches, revision)

    folder = tmp_path_factory.mktemp("databases")
    return {version: asyncio.run(read(version, loaded(version, folder / version))) for version in VERSIONS}


@pytest.mark.parametrize("version", VERSIONS)
def test_a_database_is_brought_up_to_date(version: str, folded: dict[str, Folded]) -> None:
    assert folded[version].revision == REVISION


@pytest.mark.parametrize(("version", "what"), TABLES)
def test_a_log_gives_the_same_table(version: str, what: str, folded: dict[str, Folded]) -> None:
    wanted, match = expected(version, "tables")[what], folded[version].matches[what]
    assert match.number == wanted["entries"]
    assert match.game.text(match.options) == wanted["game"]
    assert (match.status, match.round) == (wanted["status"], wanted["round"])
    assert [[seat.kind, seat.name, seat.away] for seat in match.seats] == wanted["seats"]
    assert (match.actor, match.asked, list(match.waiting())) == (wanted["actor"], wanted["asked"], wanted["waiting"])
    assert (match.table.state.position if match.table else None) == wanted["position"]
    records = [match.record(number).text for number in range(1, len(wanted["records"]) + 1)]
    assert [dated(text) for text in records] == [dated(text) for text in wanted["records"]]
    for text in records:
        read_record(text).check_dice()


def dated(text: str) -> str:
    """A record without its day, which may be that of the last entry: see `loaded`; and without the remarks that it was
    continued, and that a simpler bot chose, which the first versions did not make."""
    return "\n".join(
        line
        for line in text.split("\n")
        if not line.startswith(("date: ", "# continued here ", "# greedy played for Ann"))
    )


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Running]]:
    """A server of today on the database of each version."""
    folder = tmp_path_factory.mktemp("servers")
    with ExitStack() as stack:
        yield {
            version: stack.enter_context(Running(loaded(version, folder / version), "--unlimited"))
            for version in VERSIONS
        }


def playing() -> list[tuple[str, str]]:
    """Tables at which a game goes on, and nobody has left."""
    tables = [(version, what, expected(version, "tables")[what]) for version, what in TABLES]
    return [(version, what) for version, what, table in tables if table["status"] == "playing" and "left" not in what]


@pytest.mark.parametrize("version", VERSIONS)
def test_tables_are_listed_and_a_choice_that_was_asked_for_is_taken_back(version: str, tmp_path: Path) -> None:
    tables = expected(version, "tables")
    asked = tables["undo, asked"]
    with Running(loaded(version, tmp_path / "tables.sqlite"), "--unlimited") as server:
        for status in ("waiting", "playing", "over"):
            listed = server.get("/tables", status=status, limit=50).json()["tables"]
            assert {table["name"] for table in listed} == {
                table["name"] for table in tables.values() if table["public"] and table["status"] == status
            }
        with sitting(server, asked) as clients:
            other = next(client for client in clients if client.seats == asked["waiting"])
            assert other.ask("agree", on=other.state["number"])["type"] == "accepted"
        after = read_record(server.get(f"/tables/{asked['name']}/record").text)
    assert after.events == read_record(asked["records"][0]).events[:-1]


@contextmanager
def sitting(server: Running, table: Json) -> Iterator[list[Client]]:
    """All who have a token, each at a screen of their own."""
    clients = [server.client(table["name"], token) for token in table["tokens"]]
    try:
        yield clients
    finally:
        for client in clients:
            client.close()


@pytest.mark.parametrize(("version", "what"), playing())
def test_a_game_goes_on_at_the_server(version: str, what: str, servers: dict[str, Running]) -> None:
    table, server = expected(version, "tables")[what], servers[version]
    with sitting(server, table) as clients:
        client = clients[0]
        for _ in range(8):
            if client.state["status"] == "playing":
                one_step(clients)
    text = server.get(f"/tables/{table['name']}/record", game=table["round"]).text
    before, after = read_record(table["records"][-1]), read_record(text)
    assert len(after.events) > len(before.events)
    assert after.events[: len(before.events)] == before.events
    assert after.seats == before.seats


def one_step(clients: list[Client]) -> None:
    """Let the game go on by what one of those who sit there does, or by what comes."""
    newest = max(client.state["number"] for client in clients)
    for client in clients:
        client.settle(newest)
    acting = next((client for client in clients if client.state["actor"] in client.seats), None)
    if clients[0].state["rolls"] and clients[0].welcome["dice"] == "manual":  # anybody may type what the dice show
        state = parse_position(clients[0].state["view"]["position"])
        faces = state.game.roll_text(Random(1).choice(state.outcomes().rolls))
        assert clients[0].ask("roll", faces=faces)["type"] == "accepted"
    elif acting:
        assert act(acting)["type"] in ("accepted", "stale")
    else:
        clients[0].receive()


@pytest.mark.parametrize("version", VERSIONS)
def test_a_game_is_played_to_its_end_and_its_dice_are_those_that_were_promised(
    version: str, servers: dict[str, Running]
) -> None:
    table, server = expected(version, "tables")["rematch, playing"], servers[version]
    with server.client(table["name"], *table["tokens"]) as client:
        finish(client)
    record = read_record(server.get(f"/tables/{table['name']}/record").text)
    assert record.check_dice()
    assert record.dice.split()[:3] == read_record(table["records"][-1]).dice.split()[:3]
    for token in table["tokens"]:
        server.post(f"/tables/{table['name']}/rematch", token=token).raise_for_status()
    again = server.post(f"/tables/{table['name']}/start", token=table["tokens"][0]).json()
    assert again["round"] == table["round"] + 1
    with server.client(table["name"], *table["tokens"]) as client:
        begun(client)
    assert [game["number"] for game in again["games"]] == list(range(1, table["round"] + 1))


@pytest.mark.parametrize("version", VERSIONS)
def test_a_table_that_waits_is_joined_and_begins(version: str, servers: dict[str, Running]) -> None:
    for what in ("waiting", "waiting, one left"):
        table, server = expected(version, "tables")[what], servers[version]
        joined(server, table["name"], "Newcomer")
        started = server.post(f"/tables/{table['name']}/start", token=table["tokens"][0])
        assert started.json()["status"] == "playing", started.text
