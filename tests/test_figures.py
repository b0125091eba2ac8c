"""The figures in the rules: their dice are the game's, and what they count is what the game counts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from hotdice import Game, all_games, load_game
from hotdice.games.bj.rules import read_toss
from hotdice.games.kismet.rules import Box, box_scores
from hotdice.games.kor.rules import places_of

LINE = re.compile(r"(?:([^:=\[\]]+): )?([^=]*?)(?: = (.*))?")


@dataclass(frozen=True)
class Line:
    """A line of a figure: its label, its dice, for each whether it counts, and what is said of them."""

    label: str
    roll: tuple[int, ...]
    counts: tuple[bool, ...]
    caption: str


def figures(game: Game, *names: str) -> Iterator[Line]:
    """The lines of all figures of some kinds in a game's rules."""
    for name, body in re.findall(r"^```(\w+)\n(.*?)^```$", game.rules, re.DOTALL | re.MULTILINE):
        if name not in names:
            continue
        for text in body.splitlines():
            label, dice, caption = LINE.fullmatch(text).groups("")  # type: ignore[union-attr]
            words = dice.split()
            faces = [word.strip("[]") for word in words]
            roll = tuple(code for face in faces for code in game.parse_roll(face))
            assert len(roll) == len(words)
            yield Line(label, roll, tuple(word.startswith("[") for word in words), caption)


@pytest.mark.parametrize("game", [game for game in all_games() if "```" in game.rules], ids=lambda game: game.name)
def test_the_dice_of_figures_are_the_games_in_the_order_of_rolls(game: Game) -> None:
    lines = list(figures(game, "dice", "boxes"))
    assert lines
    for line in lines:
        assert line.roll == tuple(sorted(line.roll)), f"{game.roll_text(line.roll)} is not in order"


def test_bj_tosses_count_what_the_rules_say() -> None:
    for line in figures(load_game("bj"), "dice"):
        toss = read_toss(line.roll)
        assert line.counts == tuple(place == "frozen" for place in toss.places)
        assert line.caption.startswith(f"{toss.points} points" if toss.points else "nothing")


def test_kor_tosses_mark_what_is_put_aside_or_counts_as_a_sign() -> None:
    for line in figures(load_game("kor"), "dice"):
        bank_roll = line.label == "Bank Roll"
        places = places_of(line.roll, bank_roll=bank_roll, scoring="highest")
        assert line.counts == tuple(place in ("aside", "sign", "counted") for place in places)
        if bank_roll:
            assert line.caption.startswith("350 ")  # as in the sheet's example


def test_kismet_boxes_count_what_the_sheet_says() -> None:
    lines = list(figures(load_game("kismet"), "boxes"))
    for line in lines:
        box = next(box for box in Box if box.title == line.label)
        assert int(line.caption) == box_scores(line.roll, True)[box]
    assert {line.label for line in lines} >= {box.title for box in Box if box > Box.SIXES}
