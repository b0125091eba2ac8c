"""What readers of the documentation write themselves: the files of its pages, and the commands that run them."""

from __future__ import annotations

import os
import re
import shlex
from pathlib import Path

import pytest

from tests.installed import ROOT, hotdice

pytestmark = pytest.mark.slow  # programs are started

FILE = re.compile(r"`([\w./]+)`[^\n`]*:\n\n(?:<!--[^\n]*-->\n)?```\w+\n(.*?)```\n", re.DOTALL)
"""A block of code below a line that ends with the name of its file and a colon."""
COMMAND = re.compile(r"^    (hotdice .+)$", re.MULTILINE)


def section(page: str, title: str) -> str:
    """A part of a page, from its title to the next one of that rank."""
    text = (ROOT / "docs" / page).read_text("utf-8")
    found = re.search(rf"^## {title}\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    assert found, f"{page} has no part “{title}”"
    return found[1]


def save(text: str, folder: Path) -> list[str]:
    """Save the files of a page in a folder; their names."""
    for name, content in FILE.findall(text):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, "utf-8")
    return [name for name, _ in FILE.findall(text)]


def home(folder: Path) -> dict[str, str]:
    """The environment of a program that keeps its files in a folder; tables are where they always are."""
    return os.environ | {"XDG_DATA_HOME": str(folder / "data")}


def test_a_bot_of_ones_own_plays_as_the_page_says(tmp_path: Path) -> None:
    text = section("bots.md", "Your own")
    assert save(text, tmp_path) == ["mybots.py"]
    commands = COMMAND.findall(text)
    assert {command.split()[1] for command in commands} == {"play", "simulate", "tournament"}
    for command in commands:
        run = hotdice(*shlex.split(command)[1:], env=home(tmp_path), cwd=tmp_path)
        assert (run.returncode, run.stderr) == (0, ""), command
        assert "mybots:Cautious" in run.stdout or "Robo" in run.stdout
    (record,) = tmp_path.rglob("*.hotdice")
    assert " (mybots:Cautious)\n" in record.read_text("utf-8")
