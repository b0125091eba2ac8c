"""Guided first games over HTTP: each scene as the messages of a table at which it is played."""

from __future__ import annotations

import pytest

from hotdice import Game, all_games
from hotdice.lesson import lesson_of
from tests.server.running import Running
from tests.server.test_schema import Own, strict

TAUGHT = [game for game in all_games() if game.lesson.is_dir()]


@pytest.mark.parametrize("game", TAUGHT, ids=lambda game: game.name)
def test_a_lesson_comes_as_the_messages_of_a_table(server: Running, game: Game) -> None:
    answer = server.get(f"/games/{game.name}/lesson", name="Dev")
    assert answer.status_code == 200
    shown = answer.json()
    strict("LessonShown").validate(shown)
    own = Own(game)
    lesson = lesson_of(game)
    assert lesson is not None
    for scene, found in zip(lesson.scenes, shown["scenes"], strict=True):
        welcome = found["welcome"]
        own.check(welcome)
        assert welcome["seats"] == [scene.learner]
        assert welcome["dice"] == "fair", "nobody types dice in"
        assert welcome["state"]["seats"][scene.learner]["name"] == "Dev"
        assert welcome["state"]["view"]["position"] == scene.states[scene.steps[0].first].position
        played = [event for event in welcome["events"] if event["entry"]["kind"] in ("rolled", "moved")]
        assert len(played) == scene.steps[0].first
        assert welcome["state"]["undo"] is None
        number = welcome["events"][-1]["number"]
        for step, made in zip(scene.steps, found["steps"], strict=True):
            assert len(made["updates"]) == len(step.events)
            for at, update in enumerate(made["updates"], step.first + 1):
                own.check(update)
                assert update["state"]["view"]["position"] == scene.states[at].position
                assert update["events"][0]["number"] == (number := number + 1)
                assert update["state"]["undo"] is None
                number = update["events"][-1]["number"]


def test_a_learner_has_a_name_of_their_own(server: Running) -> None:
    """Whoever is called as another player of the lesson keeps the lesson's own name."""
    game = TAUGHT[0].name
    for name, seat in (("", "Ann"), ("Ben", "Ann"), ("Rose", "Rose")):
        scene = server.get(f"/games/{game}/lesson", name=name).json()["scenes"][0]
        assert scene["welcome"]["state"]["seats"][0]["name"] == seat
    refused = server.get(f"/games/{game}/lesson", name="x" * 30)
    assert (refused.status_code, "cannot be a name" in refused.json()["message"]) == (422, True)


def test_a_game_without_a_lesson_says_so(server: Running) -> None:
    shelf = server.get("/games").json()["games"]
    assert {card["name"] for card in shelf if card["lesson"]} == {game.name for game in TAUGHT}
    other = next(card["name"] for card in shelf if not card["lesson"])
    refused = server.get(f"/games/{other}/lesson")
    assert (refused.status_code, refused.json()["error"]) == (404, "no_lesson")
    assert server.get("/games/nonsense/lesson").status_code == 404
