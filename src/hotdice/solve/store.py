"""The table cache: solved tables on disk, each recognised by what it is of and checked before it is used.

A file is one line of JSON (format, game with options, table version, arrays, checksum) and the arrays' bytes. It is
written beside its place and moved there, so two processes that solve at once do not harm each other. A damaged or
foreign file is solved again with one line of notice, and where nothing can be written, tables live in memory only.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from platformdirs import user_cache_path

FORMAT = "hotdice table 1"

Arrays = Mapping[str, NDArray[Any]]
Progress = Callable[[float], None]
"""Called with the share of the work done so far, from 0 to 1."""


def no_progress(done: float) -> None:
    """For those who do not watch."""


@dataclass(frozen=True, slots=True)
class Tables:
    """Solved arrays, with what they are of and a checksum of their bytes."""

    key: str
    version: int
    arrays: dict[str, NDArray[Any]]
    checksum: str
    cpu_seconds: float
    """What solving took, when it was done."""


def folder() -> Path:
    """Where tables are kept."""
    return user_cache_path("hotdice") / "tables"


def load_or_solve(
    key: str, version: int, solve: Callable[[Progress], Arrays], progress: Progress = no_progress
) -> Tables:
    """The tables of that key, from the cache if they are sound, otherwise solved now and kept.

    `key` is the canonical text of what is solved, such as `kismet(second_kismet=false) alone`. `version` goes up when
    the meaning of the arrays changes.
    """
    path = _path(key)
    try:
        return _read(path, key, version)
    except FileNotFoundError:
        pass
    except (OSError, ValueError) as error:
        notice(f"The table {path.name} cannot be used ({error}); solving it again.")
    before = os.times()
    arrays = {name: np.ascontiguousarray(array) for name, array in solve(progress).items()}
    after = os.times()
    cpu = after.user + after.system - before.user - before.system
    tables = Tables(key, version, arrays, _checksum(arrays), round(cpu, 3))
    try:
        _write(path, tables)
    except OSError as error:
        notice(f"The table {path.name} cannot be kept ({error.strerror or error}); it stays in memory.")
    return tables


def notice(text: str) -> None:
    """One line for whoever is at the terminal."""
    print(text, file=sys.stderr)


def _path(key: str) -> Path:
    readable = "".join(sign if sign.isalnum() or sign in "=.-_" else "-" for sign in key)[:80].strip("-")
    return folder() / f"{readable}-{hashlib.sha256(key.encode()).hexdigest()[:8]}.table"


def _bytes(array: NDArray[Any]) -> memoryview:
    return array.reshape(-1).view(np.uint8).data


def _checksum(arrays: Arrays) -> str:
    digest = hashlib.sha256()
    for name in sorted(arrays):
        array = arrays[name]
        digest.update(f"{name} {array.dtype.str} {array.shape}\n".encode())
        digest.update(_bytes(array))
    return digest.hexdigest()


def _write(path: Path, tables: Tables) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    head = {
        "format": FORMAT,
        "key": tables.key,
        "version": tables.version,
        "arrays": {name: [array.dtype.str, list(array.shape)] for name, array in sorted(tables.arrays.items())},
        "checksum": tables.checksum,
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


def _read(path: Path, key: str, version: int) -> Tables:
    with path.open("rb") as file:
        line = file.readline(1 << 16)
        try:
            head = json.loads(line)
            if head["format"] != FORMAT:
                raise ValueError("it is of another format")
            if head["key"] != key:
                raise ValueError("it is of another game")
            if head["version"] != version:
                raise ValueError("it is of another version")
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
        if file.read(1) or _checksum(arrays) != checksum:
            raise ValueError("it is damaged")
    return Tables(key, version, arrays, checksum, cpu)
