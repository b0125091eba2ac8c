"""Where the entries of all tables lie first in SQLite: one after the other, as they come.

In `events` every table's entries lie together, so that a commit would write a page of the file for every table at which
something happened, which costs four times as much as all the rest of it. So entries are filed there by thousands, and
whoever reads looks at both, by the view `log`.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from functools import cache
from itertools import chain
from typing import Final

from sqlalchemy import Connection

FULL: Final = 4_000
"""Entries that are filed together: fewer would cost more, and more would hold a commit up for longer."""
ROWS: Final = 128
"""The most entries that one statement has."""

FILING: Final = ('INSERT INTO events SELECT * FROM inbox ORDER BY "table", number', "DELETE FROM inbox")
"""How entries are filed, in one transaction."""

Row = tuple[str, int, int, bytes]
"""A table, a number, a time and an entry."""


class Inbox:
    """Belongs to the one server that writes a file, and is empty when that begins."""

    def __init__(self) -> None:
        self._entries = 0
        self._last: dict[str, int] = {}
        """For every table that has entries here, and for some others, the number of the last one."""
        self._added: dict[str, int] = {}
        """The same of those that are not committed yet; how many they are comes next."""
        self._more = 0

    @property
    def full(self) -> bool:
        """Whether it is time to file what is here."""
        return self._entries >= FULL

    def add(self, connection: Connection, rows: Sequence[Row]) -> None:
        """Put entries here, unless one of their numbers is another entry's already."""
        added: dict[str, int] = {}
        for table, number, _, _ in rows:
            last = added.get(table) or self._last.get(table)
            if last is None:
                last = _last_filed(connection, table)
            if number <= last:
                raise sqlite3.IntegrityError(f"Table {table} has an entry {number}.")
            added[table] = number
        # As few calls as can be: each hands the interpreter's lock over, and has to wait for it again.
        for at in range(0, len(rows), ROWS):
            part = rows[at : at + ROWS]
            connection.exec_driver_sql(_values(len(part)), tuple(chain.from_iterable(part)))
        self._added, self._more = added, len(rows)

    def committed(self) -> None:
        """What was added last is here to stay."""
        self._last.update(self._added)
        self._entries += self._more
        self._added, self._more = {}, 0

    def forget(self, table: str) -> None:
        """A table was deleted: its name may be another's, whose numbers begin anew."""
        self._last.pop(table, None)

    def file(self, connection: Connection) -> None:
        """File what is here, with the other entries of the same tables."""
        try:
            for statement in FILING:
                connection.exec_driver_sql(statement)
            connection.commit()
        except Exception:
            connection.rollback()
            raise
        self._entries = 0
        self._last.clear()


def _last_filed(connection: Connection, table: str) -> int:
    found = connection.exec_driver_sql('SELECT max(number) FROM events WHERE "table" = ?', (table,)).scalar()
    return found or 0


@cache
def _values(rows: int) -> str:
    return f"INSERT INTO inbox VALUES {', '.join(['(?, ?, ?, ?)'] * rows)}"  # noqa: S608 (question marks)
