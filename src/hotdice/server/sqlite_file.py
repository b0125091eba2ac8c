"""A SQLite file as a whole: one server has it at a time, and it is looked through before it is used."""

from __future__ import annotations

import sqlite3
from contextlib import closing, suppress
from pathlib import Path

from hotdice.errors import HotdiceError


class InUse(HotdiceError):
    """Another server has the file."""


class Damaged(HotdiceError):
    """Parts of the file are not what SQLite wrote."""


class FileLock:
    """Held by the one server that has a file; the system lets go of it when the process ends, however it does.

    It is SQLite's own lock, on an empty file beside the other: that works the same on all systems, and, unlike most
    locks, is not handed on to processes that the server starts and that may outlive it by a moment.
    """

    def __init__(self, file: Path) -> None:
        self._file = file
        self._held: sqlite3.Connection | None = None

    def take(self) -> None:
        """Take the lock, or refuse."""
        there = self._file.resolve()
        held = sqlite3.connect(
            there.with_name(f"{there.name}-lock"), timeout=0, isolation_level=None, check_same_thread=False
        )
        try:
            held.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            held.close()
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
                raise
            raise InUse(
                f"Another Hotdice server has the tables in {self._file}: "
                "stop that one first, or give this one a file of its own with --database."
            ) from None
        self._held = held

    def release(self) -> None:
        """Let others have it."""
        held, self._held = self._held, None
        if held is not None:
            with suppress(sqlite3.Error):
                held.close()


def check(file: Path) -> None:
    """Read the whole file once, so that damage is found now and not in the middle of somebody's game."""
    if not file.exists():
        return
    with closing(sqlite3.connect(file)) as connection:
        try:
            found = str(connection.execute("PRAGMA quick_check(1)").fetchone()[0])
        except sqlite3.DatabaseError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_CORRUPT:
                raise
            found = str(error)
    if found != "ok":
        reason = found.splitlines()[-1]
        raise Damaged(
            f"The database {file} is damaged ({reason}): go back to a backup with “hotdice restore”, "
            f"or save what can still be read with “sqlite3 {file} .recover”."
        )
