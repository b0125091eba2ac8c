"""`hotdice learn`: a guided first game at a terminal."""

from __future__ import annotations

from pathlib import Path

import pytest

from hotdice.game import Game
from hotdice.games import all_games, load_game
from hotdice.lesson import Lesson, lesson_of
from hotdice.table import Moved
from hotdice.terminal.draw import frame
from hotdice.terminal.learn import table_of
from tests.terminal.drive import Terminal, hotdice

TAUGHT = [game for game in all_games() if game.lesson.is_dir()]
GAME = "bj"


def lesson(name: str) -> Lesson:
    found = lesson_of(load_game(name))
    assert found is not None
    return found


def typed_for(name: str) -> list[str]:
    """What a learner types who does all that the teacher asks for."""
    steps = [step for scene in lesson(name).scenes for step in scene.steps]
    first = [step.events[0] if step.learner else None for step in steps]
    return [event.move.text if isinstance(event, Moved) else "" for event in first]


@pytest.mark.parametrize("game", TAUGHT, ids=lambda game: game.name)
def test_a_lesson_is_played_to_its_end(game: Game) -> None:
    outcome = hotdice("learn", game.name, typed=typed_for(game.name))
    assert (outcome.code, outcome.err) == (0, "")
    assert f"You know {game.title}." in outcome.out
    for scene in lesson(game.name).scenes:
        for step in scene.steps:
            assert step.says in outcome.out
            assert not step.hint or step.hint not in outcome.out
    assert "You rolls" not in outcome.out


def test_another_move_gets_a_hint_and_changes_nothing() -> None:
    first, choice, *_ = lesson(GAME).scenes[0].steps
    outcome = hotdice("learn", GAME, typed=["", "pass", "nonsense", "", "hint", "roll", "quit"])
    assert outcome.out.count(choice.hint) == 2  # after “pass”, and for “hint”
    assert "is not a move of" in outcome.out
    assert "Type a move: roll." in outcome.out
    assert outcome.out.count("You roll 3 dice.") == 1
    assert outcome.out.endswith(f"Come back to this step with: hotdice learn {GAME}\n")
    assert first.says in outcome.out


def test_whoever_comes_back_goes_on_where_they_were(tmp_path: Path) -> None:
    second = lesson(GAME).scenes[0].steps[1].says
    assert second in hotdice("learn", GAME, typed=["", "quit"]).out
    back = hotdice("learn", GAME, typed=["", "quit"])
    assert back.out.startswith(second)
    anew = hotdice("learn", GAME, typed=["n", "quit"])
    assert anew.out.startswith(lesson(GAME).scenes[0].steps[0].says)
    (tmp_path / "data" / "hotdice" / "lessons.json").write_text("[1, 2", "utf-8")
    assert hotdice("learn", GAME, typed=["quit"]).out.startswith(lesson(GAME).scenes[0].steps[0].says)


def test_commands_that_make_no_sense_in_a_lesson_say_so() -> None:
    outcome = hotdice("learn", GAME, typed=["", "undo", "save", "odds", "auto", "?", "sheet", "log", "rules", "quit"])
    for text in ("nothing to take back", "kept by itself", "for real games", "you roll yourself", "rolls 3 dice", "=="):
        assert text in outcome.out


def test_a_game_without_a_lesson_is_refused() -> None:
    other = next(game for game in all_games() if game not in TAUGHT)
    assert f"There is no lesson for {other.title}; there is one for" in hotdice("learn", other.name).refused()


@pytest.mark.parametrize("game", TAUGHT, ids=lambda game: game.name)
def test_nothing_that_the_teacher_says_is_cut_off_in_a_window_of_the_usual_size(game: Game) -> None:
    for scene in lesson(game.name).scenes:
        table = table_of(scene)
        for step in scene.steps:
            for text in (step.says, step.hint):
                drawn = frame(table, text, 80, 24, looking=True)
                assert drawn is not None
                assert text in " ".join(line.plain.strip() for line in drawn)
            for event in step.events:
                table.repeat(event)


def test_a_lesson_is_drawn_with_the_words_of_the_teacher() -> None:
    window = Terminal("learn", GAME)
    assert "Roll all six." in window.until("Enter rolls> ")
    window.type("")
    frame = window.until("Type roll> ")
    assert "200 points freeze 3 dice" in frame
    assert "Three dice fail only about 3 times" in frame
    window.type("pass")
    assert "Three dice are a fair risk" in window.until("Type roll> ")
    window.type("quit")
    assert window.close() == 0
