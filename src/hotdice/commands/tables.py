"""`hotdice tables`: the solved tables in the cache, listed, checked, removed and moved."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from pkgutil import walk_packages
from types import ModuleType

from hotdice.errors import HotdiceError
from hotdice.games import all_games
from hotdice.notation import listed
from hotdice.solve import NEEDED

if missing := [name for name in NEEDED if find_spec(name) is None]:
    raise HotdiceError(f"Tables need {listed(missing)}: pip install 'hotdice[solve]'.")

from hotdice.solve import store
from hotdice.solve.sources import fingerprint


def show(*, as_json: bool) -> None:
    """List the tables."""
    found, current = store.files(), versions()
    if as_json:
        print(json.dumps([_as_json(file, current) for file in found], indent=2))
        return
    for file in found:
        about = "" if file.finished else ", not finished"
        old = "" if file.version in current else ", of other sources"
        print(f"{_size(file.size):>9}  {file.key.removesuffix(' so far')}{about}{old}, used {_day(file.used)}")
    total = sum(file.size for file in found)
    print(f"{_tables(len(found))}, {_size(total)}, in {store.folder()}" if found else f"No tables in {store.folder()}.")


def check() -> int:
    """Read all tables; the exit code is 1 if one is damaged."""
    found = store.files()
    bad = [(file, wrong) for file in found if (wrong := store.damage(file)) is not None]
    for file, wrong in bad:
        print(f"{file.key}: {wrong}. “hotdice tables remove '{file.key}'” removes it; it is solved again when needed.")
    print(f"{len(found) - len(bad)} of {_tables(len(found))} sound.")
    return 1 if bad else 0


def remove(keys: Sequence[str], *, old: bool, everything: bool) -> None:
    """Remove the tables named, those of other sources, or all."""
    if sum((bool(keys), old, everything)) != 1:
        raise HotdiceError("Name tables as “hotdice tables” lists them, or take --old or --all.")
    found, current = store.files(), versions()
    names = {file.key.removesuffix(" so far") for file in found} | {file.key for file in found}
    if unknown := next((key for key in keys if key not in names), None):
        raise HotdiceError(f"There is no table “{unknown}”; “hotdice tables” lists those there are.")
    gone = [
        file
        for file in found
        if everything or (old and file.version not in current) or {file.key, file.key.removesuffix(" so far")} & {*keys}
    ]
    for file in gone:
        file.path.unlink(missing_ok=True)
    print(f"Removed {_tables(len(gone))}, {_size(sum(file.size for file in gone))}.")


def move(folder: Path) -> None:
    """Move all tables to another folder, and say how they are found there."""
    here = store.folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if folder.resolve() == here.resolve():
            raise HotdiceError(f"The tables are in {folder} already.")
        found = store.files()
        for file in found:
            shutil.copy2(file.path, folder / file.path.name)  # whole there before it is gone here
        for file in found:
            file.path.unlink(missing_ok=True)
    except OSError as error:
        raise HotdiceError(f"{error.filename or folder}: {error.strerror or error}; no table is lost.") from None
    print(f"Moved {_tables(len(found))} to {folder.resolve()}. Hotdice finds them there with this in its environment:")
    print(f"export {store.ELSEWHERE}={folder.resolve()}")


def versions() -> frozenset[str]:
    """The versions that the solvers of all games here ask for."""
    names = {type(card.start(card.min_players)).__module__.rpartition(".")[0] for card in all_games()} | {
        "hotdice.solve"
    }
    return frozenset(fingerprint(module) for name in names for module in _modules(import_module(name)))


def _modules(package: ModuleType) -> list[str]:
    inner = getattr(package, "__path__", ())
    return [package.__name__, *(each.name for each in walk_packages(inner, f"{package.__name__}."))]


def _as_json(file: store.File, current: frozenset[str]) -> dict[str, object]:
    return {
        "key": file.key, "file": str(file.path), "bytes": file.size, "finished": file.finished,
        "current": file.version in current, "used": datetime.fromtimestamp(file.used, UTC).isoformat(),
    }  # fmt: skip


def _tables(count: int) -> str:
    return "1 table" if count == 1 else f"{count} tables"


def _size(count: int) -> str:
    return f"{count / 1e6:,.1f} MB" if count >= 1e5 else f"{count / 1e3:,.1f} kB"


def _day(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).astimezone().strftime("%Y-%m-%d")
