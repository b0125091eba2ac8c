"""Tables whose logs were tampered with: they are named in the server's log and left out; the others go on."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from tests.server.running import OPEN, TIMEOUT, Running, person

DAY = 24 * 3600 * 1000


def change(database: str, statement: str, *values: object) -> None:
    """Do something behind the server's back."""
    with closing(sqlite3.connect(database)) as connection, connection:
        assert connection.execute(statement, values).rowcount


def damage(database: str, names: Sequence[str]) -> dict[str, str]:
    """Make logs unreadable, each in its way; what is to be said of each."""
    unknown, senseless, incomplete = names
    change(database, """update events set body = '{"kind": "danced"}' where "table" = ? and number = 2""", unknown)
    nobody = '{"kind": "created", "game": "pig", "seats": [], "public": true, "dice": "fair"}'
    change(database, 'update events set body = ? where "table" = ? and number = 1', nobody, senseless)
    change(database, 'delete from events where "table" = ? and number = 1', incomplete)
    return {
        unknown: "entry 2 is not an entry: Invalid value 'danced' - at `$.kind`",
        senseless: "entry 2 cannot be: IndexError('list index out of range')",
        incomplete: "entry 1 is missing",
    }


def test_unreadable_tables_are_named_and_the_others_go_on(tmp_path: Path) -> None:
    database = str(tmp_path / "tables.sqlite")
    with Running(database, "--unlimited") as server:
        names = sorted(server.table("pig", [person("Ann"), OPEN], public=True)[0] for _ in range(5))
        server.stop()
        reasons = damage(database, names[:3])
        server.start()
        listed = server.get("/tables")
        assert listed.status_code == 200
        assert {table["name"] for table in listed.json()["tables"]} == set(names[3:])
        for name in names[:3]:
            answer = server.get(f"/tables/{name}")
            assert (answer.status_code, answer.json()["error"]) == (503, "unavailable")
            with pytest.raises(ConnectionClosed), server.client(name):
                pass
        said = server.output()
        for name, reason in reasons.items():
            assert said.count(f"Table {name} cannot be read and is left out: {reason}\n") == 1
        assert "Traceback" not in said

        server.stop()
        change(database, "update events set at = at - ?", 2 * DAY)
        change(database, "update tables set touched = touched - ?", 2 * DAY)
        server.start()
        until = time.monotonic() + TIMEOUT
        while server.get(f"/tables/{names[4]}").json()["status"] == "waiting":
            assert time.monotonic() < until
            time.sleep(0.02)
        assert server.get(f"/tables/{names[3]}").json()["status"] == "closed"
