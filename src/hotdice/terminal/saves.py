"""Keeping games: where they go, and writing them so that an earlier save survives whatever happens.

A save is a record. It is written beside its place and moved there whole, so there is always either the old
file or the new one.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import date, datetime
from pathlib import Path
from secrets import token_hex
from typing import Final

from hotdice.errors import HotdiceError, RecordError
from hotdice.record import Comment, Entry, Record, parse_record, record_of
from hotdice.table import Event, Table

SUFFIX: Final = ".hotdice"
_LARGEST: Final = 20_000_000
"""Bytes to read at most; a record that large is refused in any case."""


class SaveError(HotdiceError):
    """A game that could not be written, and why."""


class FileError(HotdiceError):
    """A file that could not be read or whose record does not hold, and why."""


def folder() -> Path:
    """Where games are kept unless a file is named."""
    from platformdirs import user_data_path

    return user_data_path("hotdice", appauthor=False) / "saves"


def load(path: Path) -> Record:
    """The record in a file. Whether its moves hold is not checked yet."""
    return parse_record(read(path))


def read(path: Path) -> bytes:
    """What is in a file that should be a record."""
    try:
        with path.open("rb") as file:
            return file.read(_LARGEST)
    except FileNotFoundError:
        raise FileError(f"There is no file “{path}”.") from None
    except IsADirectoryError:
        raise FileError(f"“{path}” is a folder, not a record.") from None
    except (OSError, ValueError) as error:
        raise FileError(f"“{path}” cannot be read: {reason(error)}.") from None


_LOOKED_AT: Final = 200
"""How many files, the latest first, are looked at to find unfinished games."""
_UNFINISHED: Final = b"\nresult: unfinished\n"


def unfinished(most: int) -> list[tuple[Path, datetime, Table]]:
    """The games in the folder that can go on, the latest first, with when they were saved and where they stand."""
    found: list[tuple[Path, datetime, Table]] = []
    try:
        files = [(path.stat().st_mtime, path) for path in folder().glob(f"*{SUFFIX}")]
    except OSError:
        return found
    for saved, path in sorted(files, reverse=True)[:_LOOKED_AT]:
        with suppress(OSError, HotdiceError):  # what does not hold cannot go on
            if path.read_bytes().endswith(_UNFINISHED):
                found.append((path, datetime.fromtimestamp(saved), load(path).table()))
        if len(found) == most:
            break
    return found


def finished() -> list[Path]:
    """The games in the folder that are over, the latest first."""
    try:
        files = [
            (path.stat().st_mtime, path)
            for path in folder().glob(f"*{SUFFIX}")
            if not path.read_bytes().endswith(_UNFINISHED)
        ]
    except OSError:
        return []
    return [path for _, path in sorted(files, reverse=True)[:_LOOKED_AT]]


def latest() -> Path:
    """The game that was left last."""
    found = unfinished(1)
    if not found:
        raise FileError(f"There is no unfinished game in {folder()}.")
    return found[0][0]


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Name the file in whatever is wrong with its record."""
    try:
        yield
    except RecordError as error:
        raise FileError(f"“{path}”, {error}") from error


def reason(error: Exception) -> str:
    """Why the system refused, in its words."""
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


class Keeper:
    """Keeps one game, in one file once that is known."""

    def __init__(self, path: Path | None = None, record: Record | None = None) -> None:
        self.path = path
        self._entries: tuple[Entry, ...] = record.entries if record else ()
        self._kept: tuple[Event, ...] | None = record.events if record else None

    def save(self, table: Table, name: str = "") -> Path:
        """Write the game to a file by that name, or to its own; `SaveError` if it cannot be."""
        if name:
            path = _own(Path(name))
            if path != self.path and _exists(path):
                raise SaveError(f"“{path}” exists already, so nothing was saved; choose another name.")
        else:
            path = self.path or _free(folder(), table.game.name)
        self._write(table, path)
        return path

    def save_at_the_end(self, table: Table) -> tuple[Path, str]:
        """Write the game somewhere, the folder for passing files if need be; where, and what went wrong before."""
        if self.path and self._kept == table.events:
            return self.path, ""
        try:
            return self.save(table), ""
        except SaveError as error:
            try:
                path = _free(Path(tempfile.gettempdir()), table.game.name)
            except OSError:  # no such folder can be written to
                raise error from None
            self._write(table, path)
            return path, str(error)

    def _write(self, table: Table, path: Path) -> None:
        record = record_of(table, date.today())
        record = replace(record, entries=_with_comments(self._entries, record.events))
        try:
            if path.parent == folder():
                path.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(path, record.text)
        except (OSError, ValueError) as error:
            raise SaveError(f"The game could not be saved as “{path}”: {reason(error)}.") from None
        self.path, self._kept = path, table.events


def write_atomically(path: Path, text: str) -> None:
    """Write a file completely or not at all."""
    beside = path.with_name(f".{path.name[:100]}.{token_hex(4)}.tmp")
    try:
        with beside.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    except BaseException:
        with suppress(OSError):
            beside.unlink()
        raise
    with suppress(OSError):  # not every system lets a folder be flushed
        opened = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)


def _own(path: Path) -> Path:
    with suppress(RuntimeError):  # a ~ that stands for nobody
        path = path.expanduser()
    with suppress(OSError, RuntimeError):  # a loop of links; writing will say so
        path = path.resolve()
    return path


def _free(where: Path, game: str) -> Path:
    """A name of the moment that no file has yet."""
    stem = f"{game}-{datetime.now():%Y%m%d-%H%M%S}"
    path = where / f"{stem}{SUFFIX}"
    number = 2
    while _exists(path):
        path = where / f"{stem}-{number}{SUFFIX}"
        number += 1
    return path


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:  # writing there will say what is wrong
        return False


def _with_comments(old: tuple[Entry, ...], events: tuple[Event, ...]) -> tuple[Entry, ...]:
    """The events with the comments of an earlier record, as far as that was played the same way."""
    entries: list[Entry] = []
    same = 0
    for entry in old:
        if not isinstance(entry, Comment):
            if same == len(events) or events[same] != entry:
                break
            same += 1
        entries.append(entry)
    return (*entries, *events[same:])
