"""`hotdice practice` through a pipe: a set, what lasts of it, today's five, and how mistakes are answered."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hotdice.games import load_game
from hotdice.practice import decks
from tests.terminal.drive import hotdice, played

WRONG_THEN_RIGHT = 2


def answers(cards: tuple[object, ...] | list[object], *, right: bool) -> str:
    """The first right or wrong move of each card, a line each."""
    lines = []
    for card in cards:
        moves = card.state.legal_moves()  # type: ignore[attr-defined]
        at = next(at for at in range(len(moves)) if (at in card.right) == right)  # type: ignore[attr-defined]
        lines.append(moves[at].text)
    return "".join(f"{line}\n" for line in lines)


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    return tmp_path / "data" / "hotdice" / "practice.json"


def test_a_set_lasts(kept: Path) -> None:
    deck = decks.shipped(load_game("pig"))
    assert deck is not None
    outcome = hotdice("practice", "pig", "--plain", typed=answers(deck.cards[:5], right=False))
    assert outcome.code == 0
    assert "1 of 5: Pig." in outcome.out
    assert "is better:" in outcome.out
    assert "This set: 0 of 100" in outcome.out
    assert "5 positions come back until you know them." in outcome.out
    found = json.loads(kept.read_text("utf-8"))[""]
    assert [one["box"] for one in found["boxed"]] == [1] * 5
    again = hotdice("practice", "pig", "--plain", typed=answers(deck.cards[5:10], right=True))
    assert "This set: 100 of 100" in again.out, "what comes back tomorrow is not asked today"
    assert "Your score, over the last 10 answers: 50 of 100." in again.out


def test_the_daily_five_are_had_once() -> None:
    from datetime import date

    five = decks.daily(date.today())
    first = hotdice("practice", "--daily", "--plain", typed=answers(five[:2], right=True))
    assert "This set: 100 of 100" in first.out
    rest = hotdice("practice", "--daily", "--plain", typed=answers(five[2:], right=True))
    assert f"Hotdice daily five {date.today()}: 100 of 100 (100 100 100 100 100)" in rest.out
    again = hotdice("practice", "--daily", "--plain")
    assert again.out.startswith("You have had today's five. Hotdice daily five")


def test_people_have_their_own(kept: Path) -> None:
    for name in ("Ann", "Ben"):
        hotdice("practice", "pig", "--plain", "--name", name, typed="hold\n")
    assert set(json.loads(kept.read_text("utf-8"))) == {"Ann", "Ben"}


def test_mistakes_of_a_record_come_first(tmp_path: Path) -> None:
    path = tmp_path / "game.hotdice"
    path.write_text(played("pig", ["Ann", "Robo:greedy"], seed=3).record, "utf-8")
    outcome = hotdice("practice", "pig", "--plain", "--from", str(path), typed="hold\n")
    assert outcome.code == 0
    assert "in 1 game." in outcome.out


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("nonsense",), "nonsense"),
        (("pig", "--level", "odd"), "“odd” is no difficulty; there are easy, medium, hard and very-hard."),
        (("pig", "--daily"), "--daily is the same for everybody; leave out the game and the other wishes."),
        (("pig", "--name", "x" * 30), "cannot be a name"),
        (("pig", "--from", "nowhere.hotdice"), "There is no file"),
    ],
)
def test_bad_input_gets_one_sentence(args: tuple[str, ...], said: str) -> None:
    outcome = hotdice("practice", *args)
    assert outcome.code == 2
    assert said in outcome.err
    assert outcome.err.count("\n") == 1


def test_a_file_that_is_not_practice_is_named(kept: Path) -> None:
    kept.parent.mkdir(parents=True)
    for text in ("nonsense", "[]", '{"": {}}'):
        kept.write_text(text, "utf-8")
        outcome = hotdice("practice", "pig", "--plain")
        assert outcome.code == 2
        assert outcome.err.count("\n") == 1
        assert kept.read_text("utf-8") == text, "nothing is lost"
