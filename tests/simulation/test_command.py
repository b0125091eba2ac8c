"""`hotdice simulate`: what it prints, what it refuses, and what it leaves behind."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from hotdice.cli import main


def simulated(capsys: pytest.CaptureFixture[str], *args: str) -> tuple[int, str, str]:
    code = main(["simulate", *args])
    out, err = capsys.readouterr()
    return code, out, err


def test_it_prints_who_wins_how_often(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = simulated(capsys, "pig", "-p", "greedy,hold:25", "-n", "2e2", "-o", "target=30", "--jobs", "1")
    assert code == 0
    assert "pig(target=30): 200 games, seed 0, played compiled." in out
    assert "hold:25" in out
    assert "turns lost to a 1" in out
    assert "± is a 95% interval." in out


def test_the_same_seed_gives_the_same_games(capsys: pytest.CaptureFixture[str]) -> None:
    once, again, other = (
        simulated(capsys, "pig", "-n", "300", "-o", "target=20", "--seed", seed, "-j", jobs)[1]
        for seed, jobs in (("7", "1"), ("7", "2"), ("8", "1"))
    )
    assert once == again
    assert once != other


def test_house_rules_are_compared_on_the_same_dice(capsys: pytest.CaptureFixture[str]) -> None:
    args = ("pig", "-n", "500", "-o", "target=20", "--compare", "target=21", "--json", "-j", "1")
    found = json.loads(simulated(capsys, *args)[1])
    assert found["compared"]["game"] == "pig(target=21)"
    assert sum(one["mean"] for one in found["wins"]) == pytest.approx(1)
    assert sum(one["mean"] for one in found["differences"]["wins"]) == pytest.approx(0)
    assert sum(found["turn_counts"].values()) == 500


def test_it_stops_at_the_error_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    found = json.loads(simulated(capsys, "pig", "-o", "target=10", "--until", "0.02", "--json", "-j", "1")[1])
    assert max(one["error"] for one in found["wins"]) <= 0.02


def test_every_game_is_a_row_of_a_parquet_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    file = tmp_path / "games.parquet"
    simulated(capsys, "pig", "-n", "50", "-o", "target=10", "--parquet", str(file), "-j", "1")
    table = parquet.read_table(file)
    assert table.num_rows == 50
    assert {"game", "win_1", "score_2", "turns", "busts_1"} <= set(table.column_names)


def test_players_that_are_not_compiled_are_played_by_states(capsys: pytest.CaptureFixture[str]) -> None:
    out = simulated(capsys, "pig", "-p", "optimal,greedy,greedy", "-n", "1", "-o", "target=3", "-j", "1")[1]
    assert "by the rules' own states" in out


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (("nosuch",), "There is no game “nosuch”"),
        (("pig", "-p", "nobody,greedy"), "There is no player “nobody” in Pig"),
        (("pig", "-n", "0"), "--games takes a whole number of games from 1 to 1e12"),
        (("pig", "-n", "many"), "--games takes a whole number of games from 1 to 1e12"),
        (("pig", "--until", "0"), "--until takes a standard error of at least 0.000001"),
        (("pig", "--until", "x"), "--until takes a standard error of at least 0.000001"),
        (("pig", "--seed", "-1"), "--seed takes a whole number"),
        (("pig", "-j", "0"), "--jobs takes a whole number from 1"),
        (("pig", "--compare", "target"), "--compare takes NAME=VALUE"),
        (("pig", "--compare", "target=100"), "name another value"),
        (("pig", "--compare", "colour=red"), "There is no option colour"),
        (("pig", "-n", "5", "-j", "1", "--parquet", "no/such/folder/x.parquet"), "cannot be written"),
    ],
)
def test_bad_input_gets_one_line(capsys: pytest.CaptureFixture[str], args: tuple[str, ...], told: str) -> None:
    code, out, err = simulated(capsys, *args)
    assert code == 2
    assert not out
    assert told in err
    assert len(err.splitlines()) == 1


@pytest.mark.parametrize("kind", ["png", "svg", "pdf"])
def test_a_picture_is_written(capsys: pytest.CaptureFixture[str], tmp_path: Path, kind: str) -> None:
    pytest.importorskip("matplotlib")
    file = tmp_path / f"games.{kind}"
    args = ("pig", "-p", "greedy,hold:25", "-n", "300", "-o", "target=20", "--compare", "target=21", "-j", "1")
    assert simulated(capsys, *args, "--plot", str(file))[0] == 0
    first = file.read_bytes()
    assert first.startswith({"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}[kind])
    if kind == "svg":
        simulated(capsys, *args, "--plot", str(file))
        assert file.read_bytes() == first  # no date and no numbers by chance: the same games are the same picture


@pytest.mark.parametrize(
    ("file", "told"),
    [
        ("x.gif", "--plot takes a file whose name ends in .png, .svg or .pdf"),
        ("no/such/folder/x.png", "there is no folder"),
    ],
)
def test_a_picture_that_cannot_be_written_is_refused_first(
    capsys: pytest.CaptureFixture[str], file: str, told: str
) -> None:
    code, out, err = simulated(capsys, "pig", "-n", "5", "--plot", file)
    assert (code, out) == (2, "")
    assert told in err
    assert len(err.splitlines()) == 1


BAD = """
class Raises:
    def __init__(self, seed): self.turns = 0
    def choose(self, state):
        self.turns += 1
        if state.scores[0] > 10: raise ZeroDivisionError("no luck")
        return state.legal_moves()[-1]

class Cheats(Raises):
    def choose(self, state):
        from hotdice.games.kor.rules import Target
        return Target(1)
"""


@pytest.mark.parametrize(
    ("bot", "told"), [("Raises", "failed at “pig"), ("Cheats", "chose “target 2”, which is not a legal move at “pig")]
)
def test_a_bot_that_errs_is_named_with_the_position(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bot: str, told: str
) -> None:
    """Also where it erred in another process, and what was played before is printed."""
    (tmp_path / "bad_bots.py").write_text(BAD, "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    for jobs in ("1", "2"):
        code, _, err = simulated(capsys, "pig", "-p", f"bad_bots:{bot},greedy", "-n", "200", "-j", jobs)
        assert code == 2
        assert told in err
        assert f"bad_bots:{bot}" in err
        assert len(err.splitlines()) == 1


def test_a_file_that_cannot_grow_keeps_what_it_has(tmp_path: Path) -> None:
    """A limit on the size of files stands for a disk that is full."""
    resource, parquet = pytest.importorskip("resource"), pytest.importorskip("pyarrow.parquet")
    file = tmp_path / "games.parquet"
    command = [sys.executable, "-m", "hotdice", "simulate", "pig", "-n", "1e6", "-o", "target=10", "-j", "1"]

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (4_000_000, 4_000_000))

    run = subprocess.run(
        [*command, "--parquet", str(file)], preexec_fn=limit, capture_output=True, text=True, check=False
    )  # fmt: skip
    assert run.returncode == 2
    assert "cannot grow any more" in run.stderr
    assert len(run.stderr.splitlines()) == 1
    kept = parquet.read_table(file)
    assert kept.num_rows >= 1 << 14
    assert f"It has the first {kept.num_rows:,} games." in run.stderr
    assert "what the games played so far come to" in run.stdout


@pytest.mark.parametrize("players", ["greedy,greedy", "hotdice.players:GreedyPlayer,greedy"])
def test_ctrl_c_prints_what_was_played(players: str, tmp_path: Path) -> None:
    """Compiled games on threads, and others in processes. Once games are in the file some have been played."""
    pytest.importorskip("pyarrow")
    file, pause = tmp_path / "games.parquet", threading.Event()
    command = [sys.executable, "-m", "hotdice", "simulate", "pig", "-n", "1e11", "-o", "target=10", "-j", "2"]
    with subprocess.Popen(
        [*command, "-p", players, "--parquet", str(file)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as run:
        while run.poll() is None and not (file.exists() and file.stat().st_size > 1000):
            pause.wait(0.2)
        os.killpg(run.pid, signal.SIGINT)
        out, err = run.communicate(timeout=120)
    assert run.returncode == 130
    assert "Stopped; this is what the games played so far come to." in out
    assert err == ""
