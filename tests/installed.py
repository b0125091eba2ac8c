"""Packages that bring games and bots, installed where only the programs that a test starts find them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT / "examples"
PIP = ("-m", "pip", "--disable-pip-version-check", "--no-input", "install", "-q")
OFFLINE = ("--no-deps", "--no-build-isolation", "--no-index", "--no-compile")


@cache
def _folder() -> TemporaryDirectory[str]:
    """Where the examples are installed, as long as the tests run."""
    folder = TemporaryDirectory(prefix="hotdice-examples-")
    packages = [str(path.parent) for path in sorted(EXAMPLES.glob("*/pyproject.toml"))]
    subprocess.run([sys.executable, *PIP, *OFFLINE, "--target", folder.name, *packages], check=True)
    return folder


def examples() -> dict[str, str]:
    """The environment of a program for which all packages in `examples/` are installed.

    A server that a test starts finds them by `monkeypatch.setenv("PYTHONPATH", examples()["PYTHONPATH"])`.
    """
    return {**os.environ, "PYTHONPATH": _folder().name}


def package(folder: Path, name: str, module: str, entries: Mapping[str, Sequence[str]]) -> None:
    """Put a package of one module into a folder as pip would: its entry points by group, as `name = module:object`."""
    (folder / f"{name}.py").write_text(module, "utf-8")
    info = folder / f"{name}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n", "utf-8")
    lines = [line for group, found in entries.items() for line in (f"[{group}]", *found)]
    (info / "entry_points.txt").write_text("\n".join(lines), "utf-8")


def hotdice(
    *arguments: str, env: Mapping[str, str], typed: str = "", cwd: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a command of Hotdice in an environment."""
    command = [sys.executable, "-m", "hotdice", *arguments]
    return subprocess.run(
        command, env=env, input=typed, cwd=cwd, capture_output=True, encoding="utf-8", timeout=240, check=False
    )
