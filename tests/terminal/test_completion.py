"""What Tab offers in the shell, asked as zsh asks."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest


def offered(line: str, folder: Path | None = None) -> str:
    env = os.environ | {"_HOTDICE_COMPLETE": "complete_zsh", "_TYPER_COMPLETE_ARGS": line}
    command = [sys.executable, "-c", "import sys; from hotdice.cli import main; sys.exit(main())"]
    done = subprocess.run(command, env=env, cwd=folder, capture_output=True, text=True, check=False)
    assert not done.stderr
    return done.stdout


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("hotdice tourn", ["tournament"]),
        ("hotdice rules p", ["pig"]),
        ("hotdice solve pig -o t", ["target="]),
        ("hotdice play pig -p Robo=opt", ["Robo=optimal"]),
        ("hotdice tournament pig -p greedy,ho", ["greedy,hold"]),
    ],
)
def test_words_that_could_follow(line: str, words: list[str]) -> None:
    found = offered(line)
    assert all(word in found for word in words)


def test_saved_games_are_found_where_one_is(tmp_path: Path) -> None:
    (tmp_path / "mine.hotdice").touch()
    (tmp_path / "notes.txt").touch()
    found = offered("hotdice verify m", tmp_path)
    assert "mine.hotdice" in found
    assert "notes" not in offered("hotdice verify n", tmp_path)


@pytest.mark.parametrize("line", ["hotdice solve nosuch -o t", "hotdice rules zzz", "hotdice verify /no/such/folder/x"])
def test_nonsense_is_offered_nothing_and_fails_at_nothing(line: str) -> None:
    assert "(" not in offered(line)
