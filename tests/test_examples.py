"""The packages in `examples/`, installed: their own tests pass, and they are everywhere that ours are."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.installed import EXAMPLES, examples, hotdice
from tests.server.running import Running, bot, person

pytestmark = pytest.mark.slow  # packages are installed, and whole games played

PACKAGES = sorted(path.parent.name for path in EXAMPLES.glob("*/pyproject.toml"))
SHORT = ("-o", "target=1000")


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    """Where the examples are installed, and nothing is saved that outlives the test."""
    return examples() | {"HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path)}


@pytest.mark.parametrize("name", PACKAGES)
def test_its_own_tests_pass(name: str) -> None:
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider"]
    run = subprocess.run(command, cwd=EXAMPLES / name, env=examples(), capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr


@pytest.mark.parametrize("name", PACKAGES)
def test_it_uses_nothing_private(name: str) -> None:
    for path in EXAMPLES.glob(f"{name}/**/*.py"):
        for line in path.read_text("utf-8").splitlines():
            if line.lstrip().startswith(("from hotdice.", "from hotdice ", "import hotdice")):
                assert " _" not in line, f"{path}: {line}"
                assert "._" not in line, f"{path}: {line}"


def test_nothing_is_there_unless_it_is_installed() -> None:
    run = subprocess.run([sys.executable, "-m", "hotdice", "games"], capture_output=True, text=True, check=True)
    assert "Farkle" not in run.stdout


def test_the_game_is_listed_with_its_rules(env: dict[str, str]) -> None:
    found = json.loads(hotdice("games", "--json", env=env).stdout)
    farkle = next(game for game in found if game["name"] == "farkle")
    assert farkle["title"] == "Farkle"
    assert "sets" in [option["name"] for option in farkle["options"]]
    rules = hotdice("rules", "farkle", env=env).stdout
    assert "What scores" in rules
    assert "What a third farkle in a row costs" in rules


def test_it_is_played_in_the_terminal_and_its_record_verified(env: dict[str, str], tmp_path: Path) -> None:
    bots = ("-p", "Cary=cautious", "-p", "hotdice_cautious:CautiousPlayer")
    run = hotdice("play", "farkle", *bots, *SHORT, "--seed", "3", env=env)
    assert (run.returncode, run.stderr) == (0, "")
    (record,) = tmp_path.rglob("*.hotdice")
    text = record.read_text("utf-8")
    assert "game: farkle(target=1000)\n" in text
    assert "seat 1: Cary (cautious)\n" in text
    assert " (hotdice_cautious:CautiousPlayer)\n" in text
    verified = hotdice("verify", str(record), env=env)
    assert (verified.returncode, verified.stderr) == (0, "")
    told = hotdice("replay", str(record), env=env)
    assert "banks" in told.stdout
    without = subprocess.run(
        [sys.executable, "-m", "hotdice", "verify", str(record)], capture_output=True, encoding="utf-8", check=False
    )
    assert without.returncode == 2
    assert "There is no game “farkle”; there are " in without.stderr
    assert len(without.stderr.splitlines()) == 1


def test_its_moves_have_values(env: dict[str, str]) -> None:
    """Nobody wrote a solver for it. To bank wins here; to roll one die wins by a 1 or a 5."""
    run = hotdice("odds", "farkle", "10000/9900 2 decide 1 200 - 1", "--json", env=env)
    assert (run.returncode, run.stderr) == (0, "")
    odds = json.loads(run.stdout)
    assert (odds["unit"], odds["exact"]) == ("win probability", True)
    assert {move["text"]: round(move["value"], 9) for move in odds["moves"]} == {"bank": 1.0, "roll": round(1 / 3, 9)}


def test_a_person_plays_it_by_typing(env: dict[str, str]) -> None:
    typed = "roll\nkeep 2\n?\nquit\n"
    run = hotdice("play", "farkle", "-p", "Ann", "-p", "greedy", "--seed", "1", env=env, typed=typed)
    assert (run.returncode, run.stderr) == (0, "")
    assert "that all score" in run.stdout
    assert "sets" in run.stdout


def test_a_saved_game_goes_on_with_its_bots(env: dict[str, str], tmp_path: Path) -> None:
    run = hotdice("play", "farkle", "-p", "Ann", "-p", "cautious", "--seed", "1", env=env, typed="quit\n")
    assert run.returncode == 0
    (record,) = tmp_path.rglob("*.hotdice")
    again = hotdice("play", "--resume", str(record), env=env, typed="quit\n")
    assert (again.returncode, again.stderr) == (0, "")
    assert "The game goes on where it was left." in again.stdout


def test_it_is_played_on_a_server_against_an_installed_bot(
    env: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", env["PYTHONPATH"])
    with Running(str(tmp_path / "tables.sqlite"), "--unlimited") as server:
        games = server.get("/games").json()
        farkle = next(game for game in games["games"] if game["name"] == "farkle")
        assert farkle["title"] == "Farkle"
        assert games["bots"][-1] == "cautious"
        assert server.get("/games/farkle/rules").text.startswith("# Farkle\n")
        wishes = {"options": {"target": 500, "opening": 0}}
        name, tokens = server.table("farkle", [person("Ann"), bot("cautious"), bot("casual")], **wishes)
        server.post(f"/tables/{name}/start", token=tokens[0])
        with server.client(name, tokens[0]) as client:
            client.to_the_end()
            assert client.state["view"]["result"]["winners"]
        record = server.get(f"/tables/{name}/record").text
        assert "(cautious)" in record
        output = server.stop()
    assert "Traceback" not in output
    path = tmp_path / "game.hotdice"
    path.write_text(record, "utf-8")
    verified = hotdice("verify", str(path), env=env)
    assert (verified.returncode, verified.stderr) == (0, "")
