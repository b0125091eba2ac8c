"""A wheel installed as somebody else would install it: into an environment that has only what it asks for.

Nothing is fetched. An environment sees the packages that the tests run with, and of these only what the wheel's
metadata and that of its dependencies name; then pip installs the wheel there, and refuses if something is not named.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from email import message_from_bytes
from email.message import Message
from importlib import metadata
from pathlib import Path
from zipfile import ZipFile

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
NAME = "hotdice"


def metadata_of(wheel: Path) -> bytes:
    with ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        return archive.read(name)


def described(wheel: Path) -> Message:
    """The metadata of a wheel, by name."""
    return message_from_bytes(metadata_of(wheel))


def extras_of(wheel: Path) -> list[str]:
    return described(wheel).get_all("Provides-Extra", [])


def needed(wheel: Path, extra: str) -> set[str]:
    """The packages that a wheel with one of its extras is installed with."""
    own = described(wheel).get_all("Requires-Dist", [])
    return _needed(NAME, extra, lambda name: own if name == NAME else installed(name)) - {NAME}


def needed_by(package: str) -> set[str]:
    """A package that is installed here, and all that it needs."""
    return _needed(package, "", installed)


def installed(package: str) -> list[str]:
    """What a package that is installed here asks for."""
    return metadata.distribution(package).requires or []


def _needed(package: str, extra: str, asks: Callable[[str], Iterable[str]]) -> set[str]:
    found: set[tuple[str, str]] = set()
    waiting = [(package, ""), (package, extra)]
    while waiting:
        name, extra = part = waiting.pop()
        if part in found:
            continue
        found.add(part)
        for one in map(Requirement, asks(name)):
            if one.marker is None or one.marker.evaluate({"extra": extra}):
                waiting += ((canonicalize_name(one.name), each) for each in ("", *one.extras))
    return {name for name, _ in found}


class Clean:
    """A new environment with some packages, in a folder; its programs know nothing of the user's files."""

    def __init__(self, folder: Path, packages: Iterable[str]) -> None:
        self.folder = folder
        self.home = folder.parent
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
        (site,) = folder.glob("lib/python*/site-packages")
        for name in packages:
            for top, source in _tops(name):
                if not (site / top).exists():
                    (site / top).symlink_to(source)

    def pip(self, *arguments: str) -> None:
        """Run pip for it, without an index."""
        command = [sys.executable, "-m", "pip", "--isolated", "-q", "--disable-pip-version-check"]
        command += ["--python", str(self.folder / "bin" / "python"), *arguments]
        done = subprocess.run(command, env=self.environment, capture_output=True, encoding="utf-8", check=False)
        assert done.returncode == 0, done.stderr

    def run(self, program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run a program of it."""
        return subprocess.run(
            [str(self.folder / "bin" / program), *arguments],
            env=self.environment, cwd=self.home, capture_output=True, encoding="utf-8", timeout=240, check=False,
        )  # fmt: skip

    @property
    def environment(self) -> dict[str, str]:
        """No Node.js, no settings of the user, no packages but its own."""
        kept = {name: os.environ[name] for name in ("SYSTEMROOT", "TMPDIR") if name in os.environ}
        home = str(self.home)
        folders = dict.fromkeys(("HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR"), home)
        return kept | folders | {"PATH": str(self.folder / "bin"), "LC_ALL": "C.UTF-8", "HOTDICE_NO_BACKGROUND": "1"}


def _tops(name: str) -> Iterator[tuple[str, Path]]:
    """The files and folders of a package beside those of others."""
    one = metadata.distribution(name)
    for top in {file.parts[0] for file in one.files or ()} - {"..", "__pycache__"}:
        source = Path(str(one.locate_file(top)))
        if source.exists():
            yield top, source
