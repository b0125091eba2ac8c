"""Every test has a data folder and a folder for passing files of its own, and a terminal without habits."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.terminal.drive import Terminal


@pytest.fixture(autouse=True)
def _own_world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "LINES", "COLORTERM"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("PYTHONUTF8", "1")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    (tmp_path / "passing").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "passing"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "passing"))
    monkeypatch.chdir(tmp_path)
    yield
    Terminal.end_all()


@pytest.fixture
def saves(tmp_path: Path) -> Path:
    """Where games are saved."""
    return tmp_path / "data" / "hotdice" / "saves"
