"""Every game and every option has a golden transcript, and playing it again gives the same one."""

from __future__ import annotations

import pytest

from hotdice import Game, Options
from tests.transcripts import FOLDER, cases, transcript

CASES = {name: (game, options, other) for name, game, options, other in cases()}


def test_no_transcript_is_missing_and_none_is_left_over() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(CASES)


@pytest.mark.parametrize("name", CASES)
def test_transcript(name: str) -> None:
    text = (FOLDER / f"{name}.txt").read_text("utf-8")
    game, options, other = CASES[name]
    first = text.partition("\n")[0]
    seed = int(first.rpartition(" ")[2])
    assert transcript(game, options, seed) == text.split("\n")
    assert options == other or _differs(game, options, other, seed), "the transcript does not show its option"


def _differs(game: Game, options: Options, other: Options, seed: int) -> bool:
    there = [line.replace(game.text(other), game.text(options)) for line in transcript(game, other, seed)]
    return there != transcript(game, options, seed)
