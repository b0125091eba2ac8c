"""`hotdice learn`: a guided first game at a terminal, in which the learner types the real moves.

The lesson says what happens; a move that is not the lesson's is answered with its hint, and nothing is lost. Where
somebody left is kept in a file beside the saves, so that they can come back.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from hotdice.dice import RecordedDice
from hotdice.errors import HotdiceError
from hotdice.game import Game
from hotdice.games import all_games, load_game
from hotdice.lesson import Lesson, Scene, Step, lesson_of
from hotdice.notation import listed
from hotdice.table import PERSON, Moved, Rolled, Seat, Table
from hotdice.terminal import saves, speak
from hotdice.terminal.prompts import Prompts, Quit, aligned
from hotdice.terminal.screen import Complete, Screen
from hotdice.terminal.signals import INTERRUPTED, Signals
from hotdice.terminal.streams import if_heard

_KEYS: Final = ("? help", "hint", "sheet", "log", "rules", "quit")
"""The commands that make sense in a lesson."""
_PACE: Final = 0.8
"""Seconds to look at each thing that others do."""


def start(name: str, *, plain: bool = False) -> int:
    """Teach a game, from where the learner left it; the answer is the exit code."""
    game = load_game(name.lower())
    lesson = lesson_of(game)
    if lesson is None:
        taught = listed(other.name for other in all_games() if other.lesson.is_dir())
        raise HotdiceError(f"There is no lesson for {game.title}; there is one for {taught}.")
    screen = Screen(plain_lines=plain)
    with Signals(screen.check_size) as signals:
        try:
            Pupil(lesson, screen).run()
        except (Quit, EOFError):
            with if_heard():
                screen.say()
                screen.say(f"Come back to this step with: hotdice learn {game.name}")
        except KeyboardInterrupt:
            signals.busy = True
            with if_heard():
                screen.say()
            return INTERRUPTED
    return 0


class Pupil(Prompts):
    """Somebody who learns a game."""

    def __init__(self, lesson: Lesson, screen: Screen) -> None:
        super().__init__(screen)
        self._lesson = lesson
        self._places = Places(lesson.game)
        self._scene = 0
        self._step = 0
        self._told = 0
        self._said = ""
        self._table = table_of(lesson.scenes[0])

    def run(self) -> None:
        """Teach to the end, or until the learner leaves."""
        self._open(*self._first())
        while True:
            if self._step < len(self._steps) - 1:
                self._do(self._steps[self._step])
            elif self._go_on():
                if self._scene + 1 == len(self._lesson.scenes):
                    break
                self._open(self._scene + 1, 0)
        self._places.forget()
        self.page(self._learned())

    def _first(self) -> tuple[int, int]:
        """The scene and step to begin with."""
        scene, step = self._places.read()
        if scene >= len(self._lesson.scenes) or step >= len(self._lesson.scenes[scene].steps):
            return 0, 0
        if (scene, step) == (0, 0):
            return 0, 0
        title = self._lesson.scenes[scene].title
        typed = self.screen.ask(f"You left this lesson at “{title}”. Enter goes on there, n begins anew> ")
        return (0, 0) if typed.lower() in ("n", "new") else (scene, step)

    @property
    def _steps(self) -> tuple[Step, ...]:
        return self._lesson.scenes[self._scene].steps

    def _open(self, scene: int, step: int) -> None:
        """Lay the table of a scene, as it is at one of its steps."""
        self._scene, self._step = scene, step
        self._table = table_of(self._lesson.scenes[scene], step)
        self._told, self._said = self._table.played, ""
        self._places.write(scene, step)

    # What the learner does

    def _do(self, step: Step) -> None:
        """Have a step made: by the learner, or by the others when the learner goes on."""
        first = step.events[0]
        if not step.learner:
            done = self._go_on()
        elif isinstance(first, Rolled):
            done = self._roll()
        else:
            done = self._decide(first, step.hint)
        if done:
            self._play(step)

    def _go_on(self) -> bool:
        text = self._ask("Enter goes on> ")
        if text:
            self.note = "Press Enter to go on, or type quit to leave."
        return text == ""

    def _roll(self) -> bool:
        text = self._ask("Enter rolls> ")
        if text and not "roll".startswith(text.lower()):
            self.note = "The dice come first: press Enter to roll them."
            return False
        return text is not None

    def _decide(self, wanted: Moved, hint: str) -> bool:
        state, names = self._table.state, self._table.names
        moves = state.legal_moves()
        wish = speak.move_text(wanted.move, names)
        text = self._ask(
            f"{'Enter plays' if len(moves) == 1 else 'Type'} {wish}> ",
            lambda typed: speak.next_words(state, names, typed),
        )
        if text is None:
            return False
        if not text and len(moves) > 1:
            self.note = f"Type a move: {wish}."
            return False
        try:
            move = speak.read_move(state, text, names) if text else moves[0]
        except HotdiceError as error:
            self.note = str(error)
            return False
        if move == wanted.move:
            return True
        why = "" if move in moves else f"{state.why_illegal(move)} "
        self.note = f"{why}{hint}"
        return False

    def _play(self, step: Step) -> None:
        """Let the events of a step happen, one after the other."""
        for number, event in enumerate(step.events):
            if number and isinstance(self._table.last, Rolled):
                self._watch()
            self._table.repeat(event)
        self._step += 1
        self._places.write(self._scene, self._step)

    # Showing

    def _ask(self, prompt: str, complete: Complete | None = None) -> str | None:
        note = self.note

        def show() -> str:
            self._show(note)
            return self.screen.margin + prompt

        self.note = ""
        return self.ask(show(), complete, show)

    def _show(self, note: str) -> None:
        """What lies on the table, and what the teacher says: the words of this step, or a note about what was typed."""
        step = self._steps[self._step]
        self._said = step.says or self._said
        if self._draw(note or self._said):
            return
        self._tell()
        if note or step.says:
            self.screen.say(note or step.says)
        if not note and step.learner and isinstance(step.events[0], Moved):
            self.screen.say(speak.legal_line(self._table.state, self._table.names))

    def _draw(self, note: str) -> bool:
        """Draw the window, if that can be."""
        if not self.screen.drawn:
            return False
        from hotdice.terminal.draw import frame

        columns, lines = self.screen.size
        width = columns - 2 * len(self.screen.margin)
        drawn = frame(self._table, note, width, lines, looking=True, keys=_KEYS)
        if drawn is None:
            return False
        self.screen.draw(drawn)
        self._told = self._table.played
        return True

    def _tell(self) -> None:
        for line in speak.story(self._table, self._told):
            self.screen.say(line)
        self._told = self._table.played

    def _watch(self) -> None:
        """Let the learner see what has just happened before the next thing does."""
        if not self._draw(""):
            self._tell()
        self.screen.pause(_PACE)

    def _learned(self) -> Iterator[str]:
        game = self._lesson.game
        yield f"You know {game.title}. What you have seen:"
        yield ""
        yield from (f"  {rule.text}" for rule in self._lesson.rules)
        yield ""
        yield f"Now play it: hotdice play {game.name}"

    # Commands

    def do_help(self, rest: str) -> None:
        moves = list(speak.moves_listed(self._table.state, self._table.names, rest, 24))
        self.page(
            [
                self._said,
                *aligned(moves),
                "",
                "rules shows the rules, sheet the scores, log what has happened; quit leaves, and you can come back.",
            ]
        )

    def do_hint(self, rest: str) -> None:
        self.note = self._steps[self._step].hint or self._said

    def do_rules(self, rest: str) -> None:
        self.page_rules(self._table.game)

    def do_sheet(self, rest: str) -> None:
        self.page(speak.sheet_lines(self._table.state, self._table.names))

    def do_log(self, rest: str) -> None:
        self.page(list(speak.story(self._table)) or ["Nothing has happened yet."])

    def do_auto(self, rest: str) -> None:
        self.note = "In a lesson you roll yourself."

    def do_odds(self, rest: str) -> None:
        self.note = "What moves are worth is for real games; here the teacher says it."

    def do_undo(self, rest: str) -> None:
        self.note = "Nothing goes wrong in a lesson, so there is nothing to take back."

    def do_save(self, rest: str) -> None:
        self.note = "Where you are is kept by itself; type quit to leave."


def table_of(scene: Scene, step: int = 0) -> Table:
    """The table of a scene, as it is at one of its steps."""
    record = scene.record
    seats = [Seat(speak.YOU if seat.kind == PERSON else seat.name) for seat in record.seats]
    rolls = (event.roll for event in record.events if isinstance(event, Rolled))
    table = Table(scene.states[0], seats, RecordedDice(rolls))
    for event in record.events[: scene.steps[step].first]:
        table.repeat(event)
    return table


class Places:
    """How far the learner has come in a game's lesson. What cannot be read or written was never kept."""

    def __init__(self, game: Game) -> None:
        self._game = game.name
        self._file: Path = saves.folder().with_name("lessons.json")

    def _all(self) -> dict[str, list[int]]:
        with suppress(OSError, ValueError):
            found = json.loads(self._file.read_text("utf-8"))
            if isinstance(found, dict):
                return found
        return {}

    def read(self) -> tuple[int, int]:
        """The scene and the step."""
        match self._all().get(self._game):
            case [int(scene), int(step)] if scene >= 0 and step >= 0:
                return scene, step
        return 0, 0

    def write(self, scene: int, step: int) -> None:
        self._keep({**self._all(), self._game: [scene, step]})

    def forget(self) -> None:
        """The lesson is over."""
        self._keep({game: place for game, place in self._all().items() if game != self._game})

    def _keep(self, places: dict[str, list[int]]) -> None:
        with suppress(OSError):
            self._file.parent.mkdir(parents=True, exist_ok=True)
            self._file.write_text(json.dumps(places), "utf-8")
