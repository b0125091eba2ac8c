"""Every game and every option has a golden transcript, and playing it again gives the same one."""

from __future__ import annotations

from pathlib import Path

import pytest

from hotdice import Game, Options
from tests import transcripts
from tests.transcripts import FOLDER, cases, transcript

CASES = {name: (game, options, other) for name, game, options, other in cases()}


def test_no_transcript_is_left_over() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} <= set(CASES)


@pytest.mark.parametrize("name", CASES)
def test_transcript(name: str) -> None:
    game, options, other = CASES[name]
    command = f"python -m tests.transcripts {game.name}"
    path = FOLDER / f"{name}.txt"
    assert path.exists(), f"tests/golden has no {name}.txt: run `{command}`, read what it wrote, and commit it."
    text = path.read_text("utf-8")
    seed = int(text.partition("\n")[0].rpartition(" ")[2])
    lines = transcript(game, options, seed)
    assert lines == text.split("\n"), f"{name} goes otherwise now: if that is meant, run `{command}`."
    assert options == other or _differs(game, options, other, seed), f"It does not show its option: run `{command}`."


def _differs(game: Game, options: Options, other: Options, seed: int) -> bool:
    there = [line.replace(game.text(other), game.text(options)) for line in transcript(game, other, seed)]
    return there != transcript(game, options, seed)


def test_the_command_writes_the_transcripts_of_one_game_and_leaves_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transcripts, "FOLDER", tmp_path)
    game = CASES["pig"][0]
    for name in ("pig-gone=true.txt", "pigs.txt"):
        (tmp_path / name).write_text("old", "utf-8")
    transcripts.write(game)
    assert {path.name for path in tmp_path.iterdir()} == {"pig.txt", "pigs.txt"}
    assert (tmp_path / "pig.txt").read_bytes() == (FOLDER / "pig.txt").read_bytes()


def test_a_game_that_is_too_long_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transcripts, "LONGEST", 3)
    monkeypatch.setattr(transcripts, "SEEDS", 5)
    game, options, other = CASES["pig"]
    with pytest.raises(SystemExit, match=r"None of the first 5 games of pig\(target=15\) is over within 3 events\."):
        transcripts.telling_seed(game, options, other)
