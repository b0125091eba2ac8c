"""Guided first games as pages get them: each scene as the messages of a table at which it is played.

A page that can show a table can show a lesson: a scene has the welcome that a table would give and, for every step,
the updates that follow when it is made. The learner's choices are compared with the lesson's in the page; no table
is set up, and nothing is kept here.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from msgspec import Raw, Struct, structs

from hotdice.game import OVER, Game
from hotdice.lesson import Lesson, Scene, Step, lesson_of
from hotdice.record import result_text
from hotdice.server import entries, wire
from hotdice.server.entries import BOT, LOCAL, AnyEntry, Created, SeatPlan
from hotdice.server.match.fold import FAIR, MANUAL, Match
from hotdice.server.refusals import NoLesson
from hotdice.server.rooms.presence import Presence
from hotdice.server.rooms.views import Views
from hotdice.table import PERSON, Event, Moved


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
    return LessonShown(lesson.game.name, rules, [_Stage(scene, learner).shown() for scene in lesson.scenes])


class _Stage:
    """A table at which a scene is played."""

    def __init__(self, scene: Scene, learner: str) -> None:
        self._scene = scene
        record = scene.record
        taken = [seat.name for seat in record.seats if seat.kind != PERSON]
        plans = tuple(
            SeatPlan(LOCAL, learner if learner and learner not in taken else seat.name)
            if seat.kind == PERSON
            else SeatPlan(BOT, seat.name, seat.kind)
            for seat in record.seats
        )
        begun = replace(record, entries=(), lines=(), result=result_text(None)).text if record.start else ""
        self._match = Match("lesson")
        self._views = Views()
        self._add(Created(record.game.text(record.options), plans, False, MANUAL, record=begun))
        self._add(entries.Started())
        self._present = Presence.of_all(self._match.seats)
        for event in record.events[: scene.steps[0].first]:
            self._play(event)

    def shown(self) -> LessonScene:
        welcome = self._views.welcome(self._match, (self._scene.learner,), 0, self._present, None)
        # The dice fall as the lesson has it, and nobody types them in.
        welcome = structs.replace(welcome, dice=FAIR, manual=False, state=structs.replace(welcome.state, undo=None))
        return LessonScene(self._scene.title, welcome, [self._step(step) for step in self._scene.steps])

    def _step(self, step: Step) -> LessonStep:
        first = step.events[0] if step.events else None
        move = first.move.text if isinstance(first, Moved) and step.learner else ""
        return LessonStep(step.says, step.hint, step.learner, move, [self._update(event) for event in step.events])

    def _play(self, event: Event) -> list[Raw]:
        if isinstance(event, Moved):
            return self._add(entries.Moved(event.seat, event.move.text), event)
        return self._add(entries.Rolled(event.seat, self._match.game.roll_text(event.roll)), event)

    def _update(self, event: Event) -> wire.Update:
        told = self._play(event)
        state = self._match.playing().table.state
        if state.seat == OVER:
            told += self._add(entries.Ended(result_text(state.result)))
        return wire.Update(told, structs.replace(self._views.state(self._match, self._present, None), undo=None))

    def _add(self, entry: AnyEntry, event: Event | None = None) -> list[Raw]:
        self._match.apply(entry, 0, event)
        return self._match.history[-1:]
