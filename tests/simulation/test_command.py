"""`hotdice simulate`: what it prints, what it refuses, and what it leaves behind."""

from __future__ import annotations

import json
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
