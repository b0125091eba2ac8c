"""`hotdice book`: what it prints, writes, deletes and refuses."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from hotdice.cli import main
from hotdice.commands.book import record_amount
from hotdice.record import parse_record
from hotdice.review import review

SAVE = """hotdice record 1
game: pig(target=15)
date: 2026-11-16
seat 1: Ann (person)
seat 2: {other} (person)
dice: manual

1 rolls 1
2 rolls 6
2 roll
2 rolls 4
2 hold
1 rolls 5
1 roll
1 rolls 1
2 rolls 5
2 hold
result: winner 2; scores 0 15
"""


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """Runs the command on a machine with two saved games; what it prints, on either stream."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    saves = tmp_path / "hotdice" / "saves"
    saves.mkdir(parents=True)
    for other in ("Bob", "Eve"):
        (saves / f"{other}.hotdice").write_text(SAVE.format(other=other))

    def run(*args: str, code: int = 0) -> str:
        assert main(["book", *args]) == code
        out, err = capsys.readouterr()
        return out + err

    return run


def test_the_house_and_a_page(run: Callable[..., str]) -> None:
    text = run()
    assert "2 games played to the end, 0 given up" in text
    assert "Bob – Ann         1      1       0      0" in text
    assert "Dice of everybody (typed): 12 dice rolled, too few for a test" in text
    assert "Ann: 2 games played to the end" in run("ann")
    assert json.loads(run("ann", "--json"))["line"]["against"] == 2


@pytest.mark.parametrize(
    ("value", "unit", "luck", "told"),
    [
        (121.38, "points", True, "+121.4 points"),
        (-28.05, "points", True, "-28.1 points"),
        (0.561, "win probability", True, "+56% of a win"),
        (-1.86, "win probability", True, "-1.9 wins"),
        (1, "turns", False, "1 turn"),
        (5450, "points", False, "5,450 points"),
        (100, "%", False, "100%"),
    ],
)
def test_records_are_told_with_their_units(value: float, unit: str, luck: bool, told: str) -> None:
    assert record_amount(value, unit, luck=luck) == told


def test_one_game_counts(run: Callable[..., str], tmp_path: Path) -> None:
    (tmp_path / "hotdice" / "saves" / "Eve.hotdice").unlink()
    assert "Pig: 1 game, 1 of them counts for ratings and records" in run()


def test_a_file_for_other_programs(run: Callable[..., str], tmp_path: Path) -> None:
    file = tmp_path / "book.csv"
    assert run("--csv", str(file)) == f"The book is in {file}.\n"
    assert len(file.read_text().splitlines()) == 5
    assert "cannot be written: No such file" in run("--csv", str(tmp_path / "no" / "book.csv"), code=2)


def test_a_name_is_deleted_for_good(run: Callable[..., str]) -> None:
    assert "give --yes" in run("--delete", "bob", code=2)
    assert run("--delete", "bob", "--yes").startswith("The name was in 1 game of the book")
    assert "Bob" not in run()
    assert "Ann: 2 games" in run("Ann")
    assert "The book has no games of “bob”." in run("--delete", "bob", "--yes", code=2)


def test_reviews_are_worked_out_once_and_shown(run: Callable[..., str]) -> None:
    assert "accuracy" not in run("bob")
    assert run("--review").splitlines()[-1] == "2 games reviewed."
    page = json.loads(run("bob", "--json"))["games"][0]
    assert page["reviewed"] == 1
    (point,) = page["points"]
    found = review(parse_record(SAVE.format(other="Bob"))).seats[1]
    assert (point["accuracy"], point["decisions"]) == (found.accuracy, found.decisions)
    assert point["luck"] == pytest.approx(found.luck)
    assert f"accuracy {found.accuracy:.1f}%" in run("bob")
    assert run("--review").splitlines()[-1] == "0 games reviewed."


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("Nobody",), "The book has no games of “Nobody”."),
        (("--json", "--csv", "x"), "Choose one of --json, --csv, --parquet, --delete and --review."),
        (("Ann", "--review"), "All games of the book are reviewed; leave the name out."),
        (("Ann", "--delete", "Bob"), "Name whom to delete once: “Ann” or “Bob”."),
        (("--database", "nowhere.sqlite"), "There is no database nowhere.sqlite"),
    ],
)
def test_what_cannot_be_is_one_line(run: Callable[..., str], args: tuple[str, ...], said: str) -> None:
    told = run(*args, code=2)
    assert said in told
    assert len(told.splitlines()) == 1
