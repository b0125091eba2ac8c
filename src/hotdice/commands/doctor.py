"""`hotdice doctor`: what is present on this machine, and how to get the rest."""

from __future__ import annotations

import json
import platform
import socket
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from platformdirs import user_data_path

from hotdice import __version__
from hotdice.commands import extras

PORT: Final = 8017
BRINGS: Final = {
    "solve": "exact values, hints, the bots that know them, simulations",
    "server": "the games in the browser, tables for others, the book",
    "cluster": "PostgreSQL and Redis, for many nodes",
    "plot": "charts as pictures",
    "data": "Parquet",
    "dask": "simulations on a cluster",
    "envs": "learning environments",
    "play": "all that a player wants",
}


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is there or not, and how to get it."""

    what: str
    fine: bool
    told: str
    remedy: str = ""


def show(*, as_json: bool) -> int:
    """Print what is found; the exit code is 0, as nothing of this is an error."""
    found = list(findings())
    if as_json:
        print(json.dumps([asdict(one) for one in found], indent=2))
        return 0
    width = max(len(one.what) for one in found)
    for one in found:
        print(f"{'ok  ' if one.fine else '--  '}{one.what:{width}}  {one.told}")
        if one.remedy:
            print(f"{'':{width + 6}}{one.remedy}")
    return 0


def findings() -> Iterator[Finding]:
    """Everything that is looked at."""
    yield Finding("hotdice", True, __version__)
    yield Finding("Python", True, f"{platform.python_version()} at {sys.executable}")
    yield from _extras()
    yield _browser_app()
    yield _documentation()
    yield _tables()
    yield _store()
    yield _certificate()
    yield _port()


def _extras() -> Iterator[Finding]:
    for extra, packages in extras.needs().items():
        missing = sorted(name for name in packages if not extras.installed(name))
        brings = BRINGS.get(extra, "")
        if missing:
            command = f"pip install 'hotdice[{extra}]'"
            yield Finding(f"[{extra}]", False, f"{brings}: {', '.join(missing)} missing", command)
        else:
            yield Finding(f"[{extra}]", True, brings)


def _browser_app() -> Finding:
    built = (Path(__file__).parent.parent / "server" / "static" / "index.html").exists()
    if built:
        return Finding("browser app", True, "built")
    return Finding("browser app", False, "not built", "make setup builds it in a checkout; the wheel from PyPI has it")


def _documentation() -> Finding:
    built = (Path(__file__).parent.parent / "server" / "docs" / "index.html").exists()
    if built:
        return Finding("documentation", True, "at /docs of a server, as of “hotdice” alone")
    return Finding("documentation", False, "not built", "make docs builds it in a checkout; the wheel from PyPI has it")


def _tables() -> Finding:
    try:
        from hotdice.solve import store
    except ImportError:
        return Finding("tables", False, "nothing can be solved here", "pip install 'hotdice[solve]'")
    files = store.files()
    size = sum(file.size for file in files) / 1e6
    told = f"{len(files)} in {store.folder()}, {size:,.1f} MB"
    return Finding("tables", True, told, "" if files else "they are solved when they are first needed")


def _store() -> Finding:
    file, saves = user_data_path("hotdice") / "tables.sqlite", user_data_path("hotdice", appauthor=False) / "saves"
    games = len(list(saves.glob("*"))) if saves.is_dir() else 0
    size = f"{file.stat().st_size / 1e6:,.1f} MB in {file}" if file.exists() else f"none yet; it will be {file}"
    return Finding("store", True, f"{size}; {games} saved games in {saves}")


def _certificate() -> Finding:
    folder = user_data_path("hotdice") / "https"
    if folder.is_dir() and any(folder.iterdir()):
        return Finding("certificate", True, f"in {folder}")
    return Finding("certificate", True, "none yet; “hotdice --https” makes one")


def _port() -> Finding:
    with socket.socket() as asked:
        asked.settimeout(1)
        taken = asked.connect_ex(("127.0.0.1", PORT)) == 0
    if taken:
        return Finding(
            f"port {PORT}", False, "in use, by Hotdice or another program", "“hotdice --port 0” takes a free one"
        )
    return Finding(f"port {PORT}", True, "free")
