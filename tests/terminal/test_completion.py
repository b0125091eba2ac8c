"""What Tab offers in the shell, asked as zsh, bash and fish ask."""

from __future__ import annotations

import os
import shutil
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


@pytest.mark.skipif(not shutil.which("bash"), reason="bash is not here")
@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        (("play", "k"), ["kismet", "kor"]),
        (("play", "pig", "-o", "targ"), ["target=100", "target=15"]),
        (("play", "pig", "-o", "target", "="), ["100", "15"]),
        (("play", "pig", "-o", "target", "=", "1"), ["100", "15"]),
        (("play", "pig", "-p", "Robo", "=", "gre"), ["greedy"]),
        (("play", "pig", "-p", "greedy", "-p", ""), ["optimal", "greedy"]),
        (("simulate", "pig", "--players", "greedy,ho"), ["greedy,hold"]),
    ],
)
def test_bash_completes_what_it_has_taken_apart_at_signs(
    words: tuple[str, ...], wanted: list[str], tmp_path: Path
) -> None:
    """As bash itself calls it: by the words of the line, of which it replaces the last."""
    program = tmp_path / "hotdice"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m hotdice "$@"\n', "utf-8")
    program.chmod(0o755)
    script = (
        'source <(_HOTDICE_COMPLETE=source_bash hotdice); COMP_WORDS=(hotdice "$@"); COMP_CWORD=$#; '
        '_hotdice_completion hotdice; printf "%s\\n" "${COMPREPLY[@]}"'
    )
    env = os.environ | {"PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(["bash", "-c", script, "bash", *words], env=env, capture_output=True, text=True, check=True)
    assert not done.stderr
    assert set(wanted) <= set(done.stdout.split())
    assert not any(word.startswith("target") for word in done.stdout.split()) or words[-1].startswith("targ")


def test_fish_is_told_by_the_exit_code_that_there_is_something_to_offer() -> None:
    env = os.environ | {"_HOTDICE_COMPLETE": "complete_fish", "_TYPER_COMPLETE_FISH_ACTION": "is-args"}
    command = [sys.executable, "-m", "hotdice"]
    done = subprocess.run(command, env=env | {"_TYPER_COMPLETE_ARGS": "hotdice play k"}, check=False)
    assert done.returncode == 0
