"""The pages of the rules are what the games say now, and what is in their folder is on them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from hotdice import all_games
from hotdice.game import Game
from hotdice.rulebook import FOLDER, files, page, pictures

FILES = files()
LAGS = "docs/rules is not what the games say now: run `make types`."


@pytest.mark.parametrize("name", FILES)
def test_pages_and_pads_are_up_to_date(name: str) -> None:
    assert (FOLDER / name).is_file(), LAGS
    assert (FOLDER / name).read_bytes().replace(b"\r\n", b"\n") == FILES[name], LAGS


def test_nothing_else_is_in_the_folder() -> None:
    drawn = {f"images/{name}" for game in all_games() for name in pictures(game)}
    kept = {path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*") if path.is_file()}
    assert kept == set(FILES) | drawn, LAGS


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_a_page_has_the_rules_the_pads_and_every_picture_once(game: Game) -> None:
    written = page(game)
    for paragraph in game.rules.split("\n\n"):
        assert paragraph.startswith("```") or paragraph.strip() in written
    assert re.findall(r"\]\(images/([^)]+)\)", written) == pictures(game)
    for heading in ("With real dice", "House rules", "When people disagree"):
        assert written.count(f"\n## {heading}\n") == 1
    for paper in ("a4", "letter"):
        for kind in ("pdf", "svg"):
            assert f"](pads/{game.name}-{paper}.{kind})" in written
    assert "```" not in written


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_large_numbers_are_written_as_on_the_boards(game: Game) -> None:
    """5,000, not 5000, in the rules and in what the lesson says."""
    said = re.sub(r"^```.*?^```$|`[^`]*`", "", game.rules, flags=re.DOTALL | re.MULTILINE).splitlines()
    if (game.lesson / "sheet.txt").is_file():
        said += (game.lesson / "sheet.txt").read_text("utf-8").splitlines()
        texts = [path.read_text("utf-8") for path in sorted(Path(str(game.lesson)).glob("*.hotdice"))]
        said += [line for text in texts for line in text.splitlines() if line.startswith("# ")]
    assert [line for line in said if re.search(r"(?<![\d,])[1-9]\d{3,}(?!\d)", line)] == []


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_pictures_can_be_heard(game: Game) -> None:
    for told in re.findall(r"!\[([^]]*)\]", page(game)):
        assert told
        assert "[" not in told


def test_what_counts_is_said() -> None:
    pages = {game.name: page(game) for game in all_games()}
    assert "![25, 25, 50, 50, 100, 100; all count](images/" in pages["kor"]
    assert "![3 empty](images/" in pages["rollers"]
    assert "| **Full House** | ![2, 2, 6, 6, 6](images/" in pages["kismet"]
