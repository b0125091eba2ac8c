"""The table cache: solved tables on disk, each recognised by what it is of and checked before it is used.

A file is one line of JSON (format, game with options, version, arrays, checksums) and the arrays' bytes. Its name has
the version in it, which is the fingerprint of the sources that the table is made by (`sources`): a changed solver does
not find the tables of another, and those that nobody has used for a while are removed when it keeps its own. A file is
written beside its place and moved there, so two processes that solve at once do not harm each other. A damaged or
foreign file is solved again with one line of notice, and where nothing can be written, tables live in memory only.
A long solve keeps what it has so far under a name of its own, and goes on from there another time.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
import tempfile
import time
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from platformdirs import user_cache_path

from hotdice.values import Progress, no_progress

FORMAT: Final = "hotdice table 1"
ELSEWHERE: Final = "HOTDICE_TABLES"
"""The environment variable that names another folder."""
STALE: Final = 14 * 24 * 3600.0
"""Seconds after which a table of other sources that was not used counts as left behind."""

Arrays = Mapping[str, NDArray[Any]]


@dataclass(frozen=True, slots=True)
class Tables:
    """Solved arrays, with what they are of and a checksum of their bytes."""

    key: str
    """What they are of, in canonical text."""
    version: str
    """The fingerprint of the sources that made them."""
    arrays: dict[str, NDArray[Any]]
    """The arrays by name."""
    checksum: str
    """A hash of their bytes."""
    cpu_seconds: float
    """The seconds of CPU time that solving took, when it was done."""


def folder() -> Path:
    """Where tables are kept: in the user's cache, or where `HOTDICE_TABLES` says."""
    chosen = os.environ.get(ELSEWHERE)
    return Path(chosen) if chosen else user_cache_path("hotdice") / "tables"


def load_or_solve(
    key: str, version: str, solve: Callable[[Progress], Arrays], progress: Progress = no_progress
) -> Tables:
    """The tables of that key, from the cache if they are sound, otherwise solved now and kept.

    `key` is the canonical text of what is solved, such as `kismet(second_kismet=false) alone`. `version` is the
    fingerprint of the module that solves it: `VERSION: Final = fingerprint(__name__)`.
    """
    found = load(key, version)
    if found is not None:
        return found
    before = os.times()
    arrays = solve(progress)
    after = os.times()
    cpu = after.user + after.system - before.user - before.system
    return keep(key, version, arrays, cpu)


def load(key: str, version: str) -> Tables | None:
    """The tables of that key if they are in the cache and sound."""
    path = _path(key, version)
    try:
        found = _read(path, key, version)
        with suppress(OSError):
            os.utime(path)  # it is in use
        return found
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        notice(f"The table {path.name} cannot be used ({error}); solving it again.")
        return None


def keep(key: str, version: str, arrays: Arrays, cpu_seconds: float = 0.0) -> Tables:
    """Solved arrays as tables, kept in the cache where that can be."""
    tables = _tables(key, version, arrays, cpu_seconds)
    try:
        _write(tables)
        _clear(key, version)
    except OSError as error:
        notice(f"The table {_path(key, version).name} cannot be kept ({error.strerror or error}); it stays in memory.")
    return tables


def has(key: str, version: str) -> bool:
    """Whether there is a file of that key and version, sound or not."""
    return _path(key, version).exists()


def modified(key: str, version: str) -> float | None:
    """When the file of that key and version was written, in seconds as `time.time` counts them, if there is one."""
    try:
        return _path(key, version).stat().st_mtime
    except OSError:
        return None


def discard(key: str, version: str) -> None:
    """Forget the tables of that key."""
    with suppress(OSError):
        _path(key, version).unlink(missing_ok=True)


# Tables that somebody would have, for those who solve meanwhile, perhaps in another process


def ask_for(key: str, version: str) -> None:
    """Say that the tables of that key are wanted now; trouble with that is no news."""
    path = _path(_wanted(key), version)
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()


def asked(key: str, version: str) -> float | None:
    """When the tables of that key were asked for last, in seconds as `time.time` counts them, if they were."""
    return modified(_wanted(key), version)


def _wanted(key: str) -> str:
    return f"{key} wanted"


# A solve that is under way. Nobody waits for what it keeps, so trouble with that is no news.


def keep_part(key: str, version: str, arrays: Arrays) -> bool:
    """Keep what is solved so far; whether that worked."""
    try:
        _write(_tables(_part(key), version, arrays, 0.0))
    except OSError:
        return False
    return True


def load_part(key: str, version: str) -> Tables | None:
    """What was solved so far, if it was kept."""
    try:
        return _read(_path(_part(key), version), _part(key), version)
    except (OSError, ValueError):
        return None


def discard_part(key: str, version: str) -> None:
    """Forget what was solved so far."""
    with suppress(OSError):
        _path(_part(key), version).unlink(missing_ok=True)


def _part(key: str) -> str:
    return f"{key} so far"


# For whoever looks after the cache


@dataclass(frozen=True, slots=True)
class File:
    """A file of the cache, by its first line."""

    path: Path
    key: str
    version: str
    size: int
    used: float
    """When it was read or written last, in seconds as `time.time` counts them."""

    @property
    def finished(self) -> bool:
        """Whether it is a table, not what was solved so far of one."""
        return not self.key.endswith(_part(""))


def files() -> list[File]:
    """All files of the cache that are tables or parts of them, by what they are of."""
    found = [file for path in folder().glob("*.table") if (file := _file(path)) is not None]
    return sorted(found, key=lambda file: (file.key, file.used))


def _file(path: Path) -> File | None:
    try:
        stat = path.stat()
        with path.open("rb") as file:
            head = json.loads(file.readline(1 << 16))
        return File(path, str(head["key"]), str(head["version"]), stat.st_size, stat.st_mtime)
    except OSError:
        return None
    except (ValueError, TypeError, KeyError):
        empty = stat.st_size == 0  # says that somebody waits for a table
        return None if empty else File(path, path.stem, "", stat.st_size, stat.st_mtime)


def damage(file: File) -> str | None:
    """What is wrong with a file, if anything is."""
    try:
        _read(file.path, file.key, file.version)
    except (OSError, ValueError) as error:
        return str(error)
    return None


def notice(text: str) -> None:
    """One line for whoever is at the terminal."""
    print(text, file=sys.stderr)


def _path(key: str, version: str) -> Path:
    return folder() / f"{_name(key)}-{version}.table"


def _name(key: str) -> str:
    readable = "".join(letter if letter.isalnum() or letter in "=.-_" else "-" for letter in key)[:80].strip("-")
    return f"{readable}-{hashlib.sha256(key.encode()).hexdigest()[:8]}"


def _clear(key: str, version: str) -> None:
    """Remove the tables of that key by other sources that were not used for a while, finished or not."""
    for stem in (_name(key), _name(_part(key))):
        for path in {*folder().glob(f"{stem}.table"), *folder().glob(f"{stem}-*.table")} - {_path(key, version)}:
            with suppress(OSError):
                if time.time() - path.stat().st_mtime > STALE:
                    path.unlink()
                    notice(f"The table {path.name} was made by other sources and is removed.")


def _bytes(array: NDArray[Any]) -> memoryview:
    return array.reshape(-1).view(np.uint8).data


def _parts(arrays: Arrays) -> Iterator[bytes | memoryview]:
    """All that a checksum is of."""
    for name in sorted(arrays):
        array = arrays[name]
        yield f"{name} {array.dtype.str} {array.shape}\n".encode()
        yield _bytes(array)


def _checksum(arrays: Arrays) -> str:
    digest = hashlib.sha256()
    for part in _parts(arrays):
        digest.update(part)
    return digest.hexdigest()


def _quick_sum(arrays: Arrays) -> int:
    """A sum that shows damage as a checksum does, in a third of the time."""
    found = 0
    for part in _parts(arrays):
        found = zlib.crc32(part, found)
    return found


def _tables(key: str, version: str, arrays: Arrays, cpu_seconds: float) -> Tables:
    contiguous = {name: np.ascontiguousarray(array) for name, array in arrays.items()}
    return Tables(key, version, contiguous, _checksum(contiguous), round(cpu_seconds, 3))


def _write(tables: Tables) -> None:
    path = _path(tables.key, tables.version)
    path.parent.mkdir(parents=True, exist_ok=True)
    head: dict[str, Any] = {
        "format": FORMAT,
        "key": tables.key,
        "version": tables.version,
        "arrays": {name: [array.dtype.str, list(array.shape)] for name, array in sorted(tables.arrays.items())},
        "checksum": tables.checksum,
        "crc32": _quick_sum(tables.arrays),
        "cpu_seconds": tables.cpu_seconds,
    }
    handle, temporary = tempfile.mkstemp(prefix=path.name, dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(json.dumps(head).encode() + b"\n")
            for name in sorted(tables.arrays):
                file.write(_bytes(tables.arrays[name]))
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def _read(path: Path, key: str, version: str) -> Tables:
    with path.open("rb") as file:
        line = file.readline(1 << 16)
        try:
            head = json.loads(line)
            if head["format"] != FORMAT:
                raise ValueError("it is of another format")
            if head["key"] != key:
                raise ValueError("it is of another game")
            if head["version"] != version:
                raise ValueError("it was made by other sources")
            arrays: dict[str, NDArray[Any]] = {}
            for name, (kind, shape) in head["arrays"].items():
                dtype = np.dtype(kind)
                array = np.empty(tuple(shape), dtype)
                if file.readinto(_bytes(array)) != array.nbytes:
                    raise ValueError("it is cut short")
                arrays[name] = array
            cpu, checksum = float(head["cpu_seconds"]), str(head["checksum"])
        except (KeyError, TypeError, AttributeError, UnicodeDecodeError, json.JSONDecodeError, MemoryError):
            raise ValueError("it is not a table") from None
        # Older files have the checksum alone, which takes longer.
        sound = _quick_sum(arrays) == head["crc32"] if "crc32" in head else _checksum(arrays) == checksum
        if file.read(1) or not sound:
            raise ValueError("it is damaged")
    return Tables(key, version, arrays, checksum, cpu)


__all__ = ["Tables", "folder", "keep", "load", "load_or_solve"]
