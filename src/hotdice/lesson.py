"""A guided first game: records with comments, in which somebody who learns the game makes the real moves.

A game's folder `lesson` holds `sheet.txt`, the rules that the lesson has to show, one `name: sentence` a line, and its
scenes in the order of their file names. Each scene is a whole record (`hotdice verify` reads it), begun at the start
or at a position. The one seat of a `person` is the learner's. Its comments are the lesson:

    # scene: Points at risk         its title; what was played before it has happened already when the scene opens
    # Roll all six.                 what is said before the event that follows
    # try: Passing keeps 200, but … what is said to whoever does something else; before each of the learner's choices
    # rule: bust                    a rule of the sheet that the event shows; just before it

Reading is strict, and so is the teacher: every rule of the sheet comes up, and every event is legal.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from hotdice.dice import ManualDice
from hotdice.errors import HotdiceError, RecordError
from hotdice.game import Game, State
from hotdice.record import Comment, Record, parse_record
from hotdice.table import PERSON, Event, Moved, Rolled

SHEET: Final = "sheet.txt"
SCENE, TRY, RULE = "scene: ", "try: ", "rule: "
_UNTITLED: Final = f"A scene begins with “# {SCENE}” and its title."


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule of the game's sheet, in a word or two and in a sentence."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Step:
    """Something that is said, and then something that the learner or somebody else does, with what follows by itself.

    The last step of a scene has no events.
    """

    says: str
    """What the teacher says first; nothing if what was said last still holds."""
    hint: str
    """What is said to a learner who does something else."""
    learner: bool
    """Whether the first event is the learner's."""
    events: tuple[Event, ...]
    first: int
    """The number of the first event in the scene."""


@dataclass(frozen=True, slots=True)
class Met:
    """Where a rule comes up: the number of the event in its scene."""

    rule: str
    event: int


@dataclass(frozen=True, slots=True)
class Scene:
    """One part of a lesson."""

    title: str
    record: Record
    states: tuple[State, ...]
    """Every state from the first."""
    learner: int
    """The learner's seat."""
    steps: tuple[Step, ...]
    met: tuple[Met, ...]


@dataclass(frozen=True, slots=True)
class Lesson:
    """A guided first game."""

    game: Game
    rules: tuple[Rule, ...]
    scenes: tuple[Scene, ...]


@cache
def lesson_of(game: Game) -> Lesson | None:
    """The lesson in a game's folder, if it has one."""
    return read_lesson(game, game.lesson) if game.lesson.is_dir() else None


def read_lesson(game: Game, folder: Path) -> Lesson:
    """The lesson in a folder. A `RecordError` or `HotdiceError` says which file does not hold, and why."""
    rules = tuple(_rules((folder / SHEET).read_text("utf-8")))
    names = [rule.name for rule in rules]
    scenes: list[Scene] = []
    for path in sorted(folder.glob("*.hotdice")):
        try:
            scenes.append(read_scene(path.read_text("utf-8"), names))
            if scenes[-1].record.game is not game:
                raise HotdiceError(f"this is a scene of another game than {game.title}.")
        except HotdiceError as error:
            raise HotdiceError(f"{path.name}: {error}") from error
    met = {met.rule for scene in scenes for met in scene.met}
    for name in names:
        if name not in met:
            raise HotdiceError(f"{SHEET}: the rule “{name}” does not come up in any scene.")
    return Lesson(game, rules, tuple(scenes))


def _rules(text: str) -> Iterator[Rule]:
    for number, line in enumerate(text.splitlines(), 1):
        name, colon, rule = line.partition(": ")
        if not colon or not rule.endswith("."):
            raise HotdiceError(f"{SHEET}: line {number} should be a rule's name, a colon and a sentence.")
        yield Rule(name, rule)


def read_scene(text: str, rules: list[str]) -> Scene:
    """A scene from its record, which has to hold; `rules` are the names on the sheet."""
    record = parse_record(text)
    if record.dice != ManualDice.text:
        raise RecordError("The dice of a lesson are “manual”.", 1)
    people = [number for number, seat in enumerate(record.seats) if seat.kind == PERSON]
    if len(people) != 1:
        raise RecordError("One seat is a person's, the learner's; the others are bots'.", 1)
    states = record.replay()
    return _Reader(record, states, people[0], rules).scene()


class _Reader:
    """Reads the comments of a record between its events."""

    def __init__(self, record: Record, states: tuple[State, ...], learner: int, rules: list[str]) -> None:
        self._record, self._states, self._learner, self._rules = record, states, learner, rules
        self._said: list[str] = []
        self._hint = ""
        self._steps: list[Step] = []
        self._met: list[Met] = []
        self._played = 0
        self._line = 0

    def scene(self) -> Scene:
        title = ""
        for line, entry in zip(self._record.lines, self._record.entries, strict=True):
            self._line = line
            if isinstance(entry, Comment) and title:
                self._comment(entry.text)
            elif isinstance(entry, Comment):
                title = entry.text.removeprefix(SCENE)
                if title == entry.text:
                    raise self._fail(_UNTITLED)
            elif title:
                self._event(entry)
            else:
                self._played += 1
        self._line = self._record.result_line
        if not title:
            raise self._fail(_UNTITLED)
        self._check_marks(None)
        self._steps.append(Step(" ".join(self._said), "", False, (), self._played))
        return Scene(title, self._record, self._states, self._learner, tuple(self._steps), tuple(self._met))

    def _comment(self, text: str) -> None:
        if text.startswith(RULE):
            name = text.removeprefix(RULE)
            if name not in self._rules:
                raise self._fail(f"There is no rule “{name}” in {SHEET}.")
            self._met.append(Met(name, self._played))
        elif text.startswith(TRY):
            self._hint = text.removeprefix(TRY)
        elif self._hint or (self._met and self._met[-1].event == self._played):
            raise self._fail("What is said comes before “try” and “rule”.")
        else:
            self._said.append(text)

    def _event(self, event: Event) -> None:
        self._check_marks(event)
        if self._follows(event):
            last = self._steps.pop()
            events = (*last.events, event)
            self._steps.append(Step(last.says, last.hint, last.learner, events, last.first))
        else:
            said = " ".join(self._said)
            self._steps.append(Step(said, self._hint, event.seat == self._learner, (event,), self._played))
        self._said, self._hint = [], ""
        self._played += 1

    def _follows(self, event: Event) -> bool:
        """Whether an event comes by itself after those before it: others', and a roll that the learner asked for."""
        if self._said or not self._steps:
            return False
        last = self._steps[-1].events[-1]
        asked = isinstance(last, Moved) and isinstance(event, Rolled) and last.seat == event.seat
        return asked or event.seat != self._learner

    def _check_marks(self, event: Event | None) -> None:
        """Refuse a choice of the learner's without a hint, a hint where there is none, and a rule without an event."""
        moves = self._states[self._played].legal_moves()
        chooses = isinstance(event, Moved) and event.seat == self._learner and len(moves) > 1
        if chooses != bool(self._hint):
            raise self._fail(f"A choice of the learner's has “# {TRY}…” before it, and nothing else has.")
        if event is None and self._met and self._met[-1].event == self._played:
            raise self._fail("A rule stands before the event that shows it.")

    def _fail(self, message: str) -> RecordError:
        return RecordError(message, self._line)
