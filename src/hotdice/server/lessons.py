"""Guided first games as pages get them: each scene as the messages of a table at which it is played.

A page that can show a table can show a lesson: a scene has the welcome that a table would give and, for every step,
the updates that follow when it is made. The learner's choices are compared with the lesson's in the page; no table
is set up, and nothing is kept here.
"""

from __future__ import annotations

from functools import lru_cache

from msgspec import Struct

from hotdice.game import Game
from hotdice.lesson import Lesson, Scene, Step, lesson_of
from hotdice.server import wire
from hotdice.server.refusals import NoLesson
from hotdice.server.stage import Stage
from hotdice.table import Moved


class LessonRule(Struct, frozen=True):
    """A rule that a lesson shows, in a word or two and in a sentence."""

    name: str
    text: str


class LessonStep(Struct, frozen=True):
    """What the teacher says, and what happens then: by the learner, or by itself when the learner goes on."""

    says: str
    hint: str
    """What is said to a learner who does something else."""
    learner: bool
    move: str
    """What the learner is to do: a move, or nothing where it is a roll."""
    updates: list[wire.Update]


class LessonScene(Struct, frozen=True):
    """A part of a lesson: the table as it is found, and the steps."""

    title: str
    welcome: wire.Welcome
    steps: list[LessonStep]


class LessonShown(Struct, frozen=True):
    """A guided first game."""

    game: str
    rules: list[LessonRule]
    scenes: list[LessonScene]


@lru_cache(64)
def lesson_text(game: Game, learner: str) -> bytes:
    """A game's lesson in JSON, for a learner of that name."""
    lesson = lesson_of(game)
    if lesson is None:
        raise NoLesson(f"There is no lesson for {game.title}; read its rules instead.")
    return wire.encoded(shown(lesson, learner))


def shown(lesson: Lesson, learner: str = "") -> LessonShown:
    """A lesson as the messages of its tables."""
    rules = [LessonRule(rule.name, rule.text) for rule in lesson.rules]
    return LessonShown(lesson.game.name, rules, [_scene(scene, learner) for scene in lesson.scenes])


def _scene(scene: Scene, learner: str) -> LessonScene:
    """A scene at a table of its own."""
    stage = Stage(scene.record, learner)
    for event in scene.record.events[: scene.steps[0].first]:
        stage.play(event)
    return LessonScene(scene.title, stage.welcome(), [_step(stage, step) for step in scene.steps])


def _step(stage: Stage, step: Step) -> LessonStep:
    first = step.events[0] if step.events else None
    move = first.move.text if isinstance(first, Moved) and step.learner else ""
    return LessonStep(step.says, step.hint, step.learner, move, [stage.update(event) for event in step.events])
