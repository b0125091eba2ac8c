"""What readers of the documentation write themselves: the files of its pages, and the commands that run them."""

from __future__ import annotations

import doctest
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from tests.installed import OFFLINE, PIP, ROOT, hotdice
from tests.pages import blocks
from tests.server.running import Running, bot, person

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
    """Save the files of a page in a folder, those that are told in several parts as one; their names."""
    files: dict[str, str] = {}
    for name, content in FILE.findall(text):
        files[name] = f"{files[name]}\n\n{content}" if name in files else content
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, "utf-8")
    return list(files)


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


PARTS = re.findall(r"^## (.+)$", (ROOT / "docs/python.md").read_text("utf-8"), re.MULTILINE)


@pytest.mark.parametrize("title", [title for title in PARTS if ">>> " in section("python.md", title)])
def test_a_task_in_python_stands_alone(title: str) -> None:
    """The page says so: what one part needs, it imports itself."""
    task = doctest.DocTestParser().get_doctest(section("python.md", title), {}, title, "python.md", 0)
    assert doctest.DocTestRunner().run(task).failed == 0


# The tutorial

PAGE = ROOT / "docs/tutorial.md"
GAME = "twentyone"


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that the tutorial fills, with the package installed in `site`."""
    folder = tmp_path_factory.mktemp(GAME)
    text = PAGE.read_text("utf-8")
    assert save(text, folder) == ["pyproject.toml", f"{GAME}/rules.md", f"{GAME}/__init__.py", f"test_{GAME}.py"]
    lines = sum(len(content.splitlines()) for _, content in FILE.findall(text))
    assert f"about {round(lines, -1)} lines" in text
    subprocess.run([sys.executable, *PIP, *OFFLINE, "--target", str(folder / "site"), str(folder)], check=True)
    return folder


@pytest.fixture
def env(package: Path, tmp_path: Path) -> dict[str, str]:
    return home(tmp_path) | {"PYTHONPATH": str(package / "site")}


def test_the_tests_of_the_tutorial_pass(package: Path, env: dict[str, str]) -> None:
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider"]
    run = subprocess.run(command, cwd=package, env=env, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr


def test_the_commands_of_the_tutorial_run(env: dict[str, str], tmp_path: Path) -> None:
    commands = COMMAND.findall(PAGE.read_text("utf-8"))
    assert {command.split()[1] for command in commands} == {"rules", "play", "odds", "solve", "simulate", "review"}
    said = {}
    for command in commands:
        run = hotdice(*shlex.split(command)[1:], env=env, typed="roll\nhint\nquit\n", cwd=tmp_path)
        assert (run.returncode, run.stderr) == (0, ""), command
        said[command.split()[1]] = run.stdout
        if "Momo" in command:  # bots alone: the game is whole, and is what is reviewed below
            (record,) = [path for path in tmp_path.rglob("*.hotdice") if "Momo" in path.read_text("utf-8")]
            shutil.copy(record, tmp_path / "game.hotdice")
    assert "The total that nobody may go beyond." in said["rules"]
    assert "90.74%" in said["odds"]
    assert "All values are exact." in said["review"]
    verified = hotdice("verify", "game.hotdice", env=env, cwd=tmp_path)
    assert (verified.returncode, verified.stderr) == (0, "")
    assert "rolled again and show the same" in verified.stdout


def test_what_the_tutorial_says_of_values_holds(env: dict[str, str], tmp_path: Path) -> None:
    (script,) = [block.text for block in blocks(PAGE) if "import evaluate" in block.text]
    subprocess.run([sys.executable, "-c", script], env=env, check=True)
    run = hotdice("solve", GAME, "--json", env=env, cwd=tmp_path)
    solved = json.loads(run.stdout)
    assert solved["value"] == pytest.approx(first_player_wins(), abs=1e-9)


def first_player_wins(limit: int = 21) -> float:
    """The chance of whoever begins, by the rules in words: a player who ends a turn with some total knows what it is
    worth, and one who may still roll does so where that is worth more."""

    def turn(worth: Callable[[int], float]) -> float:
        @cache
        def best(total: int) -> float:
            return worth(total) if total >= limit else max(worth(total), rolled(total))

        def rolled(total: int) -> float:
            return sum(best(total + face) if total + face <= limit else worth(0) for face in range(1, 7)) / 6

        return rolled(0)

    def second(first: int) -> float:
        return turn(lambda total: 1.0 if total > first else 0.5 if total == first else 0.0)

    return turn(cache(lambda total: 1 - second(total)))


def test_it_is_played_on_a_server(env: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", env["PYTHONPATH"])
    with Running(str(tmp_path / "tables.sqlite"), "--unlimited") as server:
        assert server.get(f"/games/{GAME}/rules").text.startswith("# Twenty-One\n")
        name, tokens = server.table(GAME, [person("Ann"), bot("greedy")])
        server.post(f"/tables/{name}/start", token=tokens[0])
        with server.client(name, tokens[0]) as client:
            client.to_the_end()
            assert client.state["view"]["result"]["winners"]
        record = server.get(f"/tables/{name}/record").text
        assert "Traceback" not in server.stop()
    path = tmp_path / "game.hotdice"
    path.write_text(record, "utf-8")
    verified = hotdice("verify", str(path), env=env)
    assert (verified.returncode, verified.stderr) == (0, "")
