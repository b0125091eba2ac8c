"""A game being played at a terminal: it shows the table, takes moves and commands, lets bots and dice go on.

The table holds the game. This is only the order in which people are asked, told and shown things, and the care
that no way of leaving loses a game.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from contextlib import suppress
from typing import Final, TypeVar

from hotdice.errors import BotError, HotdiceError, UndoError
from hotdice.game import CHANCE, OVER, Move, State
from hotdice.players import LEVELS, GreedyPlayer, RandomPlayer, reason_of
from hotdice.solve.words import because, hint
from hotdice.table import Event, Moved, Rolled, Seat, Table
from hotdice.terminal import speak, values
from hotdice.terminal.progress import Work
from hotdice.terminal.prompts import HELP, Prompts, Quit, aligned
from hotdice.terminal.saves import Keeper, SaveError
from hotdice.terminal.screen import Complete, Screen
from hotdice.terminal.signals import INTERRUPTED, Signals
from hotdice.terminal.streams import if_heard
from hotdice.values import Evaluation
from hotdice.view import named

T = TypeVar("T")

_PACE: Final = 0.6
"""Seconds to look at what a bot does; several bots share a second and a half."""
_QUICK: Final = (RandomPlayer.kind, GreedyPlayer.kind)
"""The bots that never need to think."""


class Session(Prompts):
    """Plays one table to its end, or until somebody leaves."""

    def __init__(
        self, table: Table, screen: Screen, keeper: Keeper, signals: Signals, *, auto: bool | None = None
    ) -> None:
        super().__init__(screen)
        self._signals = signals
        self.table = table
        self.keeper = keeper
        self.auto = self.auto if auto is None else auto
        bots = sum(seat.player is not None for seat in table.seats)
        self._pace = min(_PACE, 1.5 / max(bots, 1))
        self._events_told = max(0, table.played - 3)
        self._asked = -1
        self._small = False
        self.again = False
        """Whether another game is wanted."""
        self._thinking: tuple[State, Work[Move]] | None = None

    # Playing

    def run(self) -> int:
        """Play; the answer is the program's exit code."""
        try:
            try:
                self._play()
            finally:
                self._signals.busy = True
        except (Quit, EOFError, KeyboardInterrupt):  # a window that is closed may show as any of the last two
            pass
        except BotError:
            self._leave()
            raise
        except Exception:  # a pipe that closed, or a mistake in this program: keep the game, then let it be known
            with suppress(SaveError):
                self.keeper.save_at_the_end(self.table)
            raise
        self._leave()
        return INTERRUPTED if self._signals.stopped else 0

    def _play(self) -> None:
        if self.table.played:
            self.note = "The game goes on where it was left."
        if any(seat.kind in LEVELS for seat in self.table.seats):
            self._wait(values.preparing(self.table.state))
        while True:
            seat = self.table.state.seat
            if seat == OVER:
                if self._ended():
                    return
                continue
            if seat == CHANCE:
                self._roll()
            elif self._is_person(seat):
                self._decide()
            else:
                self._watch()
                self._let_bot_play(self.table.seats[seat])

    def _ended(self) -> bool:
        """Show how the game ended, and ask whoever is there whether to play another; whether it has ended for good."""
        if not self.screen.person:
            self.note = ""
            self._show()
            return True
        undo = ", undo takes it back" if self._may_take_back() else ""
        text = self._ask(f"Play again? y plays, Enter leaves{undo}> ")
        if text:
            self.again = text.lower() in ("y", "yes", "again", "play again")
            self.note = "Type y to play again, or Enter to leave."
        return text == "" or self.again

    def _let_bot_play(self, bot: Seat) -> None:
        """Let a bot think and make its move. Whoever stops waiting for it is asked, and it thinks on meanwhile."""
        state, player = self.table.state, bot.player
        if player is None or bot.kind in _QUICK:
            move = self.table.decide()
        else:
            if self._thinking is None or self._thinking[0] is not state:
                self._thinking = (state, Work(lambda progress: player.choose(state), f"{bot.name} is thinking"))
            thought = self._wait(self._thinking[1], stop=False)
            if thought is None:
                self.note = f"{bot.name} goes on thinking."
                self._ask(f"Enter waits for {bot.name}, quit keeps the game and leaves> ")
                return
            move = thought
        self._signals.uninterrupted(lambda: self.table.play(move))

    def _wait(self, work: Work[T], *, stop: bool = True) -> T | None:
        """What comes of some work, or None if somebody stops waiting for it."""
        size = self.screen.size

        def follow_window() -> None:
            nonlocal size
            if size != self.screen.size:
                size = self.screen.size
                self._draw()

        try:
            with self.screen.deaf():
                return work.wait(follow_window, plain_lines=not self.screen.pictures)
        except KeyboardInterrupt:
            if not (self.screen.person and self._signals.was_only_a_stop()):
                raise
            if stop:
                work.stop()
                self.note = "Stopped."
            return None

    def _decide(self) -> None:
        state, names = self.table.state, self.table.names
        moves = state.legal_moves()
        only = f", Enter plays {speak.move_text(moves[0], names)}" if len(moves) == 1 else ""
        text = self._ask(f"{names[state.seat]}{only}> ", lambda typed: speak.next_words(state, names, typed))
        if text is None:
            return
        try:
            if not text and len(moves) > 1:
                self.note = "Type a move; ? lists them."
            else:
                move = speak.read_move(state, text, names) if text else moves[0]
                if move not in moves:
                    self.note = state.why_illegal(move)
                    if not self.screen.drawn or self._small:  # otherwise they are in sight
                        self.note += f" {speak.legal_line(state, names)}"
                    return
                self._signals.uninterrupted(lambda: self.table.play(move))
        except HotdiceError as error:
            self.note = str(error)

    def _roll(self) -> None:
        table, state = self.table, self.table.state
        if table.dice.manual:
            self._take_roll()
            return
        person, undo = self._is_person(state.roller), self._may_take_back()
        mid_turn = speak.is_choice_of(table, state.roller) and not speak.wrote(table.states[-2], state)
        if self.auto or not (person or undo):
            self._watch()
        elif not mid_turn:
            text = self._ask(f"Enter {'rolls' if person else 'goes on'}{', undo takes it back' if undo else ''}> ")
            if text is None:
                return
            if text and not "roll".startswith(text.lower()):
                self.note = f"“{text}” has to wait: the dice are to be rolled first."
                return
        self._signals.uninterrupted(table.roll)

    def _take_roll(self) -> None:
        """Take a roll of real dice as it is typed."""
        state, names = self.table.state, self.table.names
        shown = "it shows" if len(state.outcomes().rolls[0]) == 1 else "they show"
        text = self._ask(f"{names[state.roller]} rolls {speak.dice_due(state)}; {shown}> ")
        if text is None:
            return
        try:
            roll = state.parse_roll(text)
            self._signals.uninterrupted(lambda: self.table.roll(roll))
        except HotdiceError as error:
            self.note = str(error)

    def _is_person(self, seat: int) -> bool:
        return self.table.seats[seat].player is None

    def _may_take_back(self) -> bool:
        """Whether the last event is one that a person may take back."""
        match self.table.last:
            case Moved(seat, _):
                return self._is_person(seat)
            case Rolled():
                return self.table.dice.manual
        return False

    # Showing

    def _ask(self, prompt: str, complete: Complete | None = None) -> str | None:
        note = self.note

        def show() -> str:
            self.note = note
            self._show()
            self.note = ""
            return self.screen.margin + prompt

        return self.ask(show(), complete, show)

    def _show(self) -> None:
        """Bring the window up to date, or say what is new."""
        if self._draw():
            return
        self._tell()
        if self.note:
            self.screen.say(self.note)
        if self._asked != self.table.played:
            self._asked = self.table.played
            for line in self._situation():
                self.screen.say(line)

    def _draw(self) -> bool:
        """Draw the window, if that can be."""
        if not self.screen.drawn:
            return False
        from hotdice.terminal.draw import frame

        columns, lines = self.screen.size
        drawn = frame(self.table, self.note, columns - 2 * len(self.screen.margin), lines)
        if drawn is not None:
            self.screen.draw(drawn)
            self._events_told = self._asked = self.table.played
        elif not self._small:
            self.screen.say()
            self.screen.explain(
                f"The window ({columns}x{lines}) is too small to draw this game, so it goes on in plain lines. "
                "80x24 is enough for any game."
            )
            self._asked = -1
        self._small = drawn is None
        return not self._small

    def _situation(self) -> Iterator[str]:
        state, names = self.table.state, self.table.names
        if state.seat == OVER:
            yield from speak.standings_lines(state, names)
            return
        yield speak.with_names(state.prompt, names)
        if state.seat >= 0:
            if line := speak.dice_line(speak.dice_shown(self.table)):
                yield line
            yield speak.legal_line(state, names)
        elif self.table.dice.manual and (line := speak.faces_line(state)):
            yield line

    def _tell(self) -> None:
        for line in speak.story(self.table, min(self._events_told, self.table.played)):
            self.screen.say(line)
        self._events_told = self.table.played

    def _watch(self) -> None:
        """Let a person see what has just happened before the next thing does."""
        if not self._draw():
            self._tell()
        self.screen.pause(self._pace)

    # Commands

    def do_help(self, rest: str) -> None:
        self.page(self._help(rest))

    def _help(self, prefix: str) -> Iterator[str]:
        state = self.table.state
        most = max(6, self.screen.size[1] - len(HELP) - 5) if self.screen.drawn else 24
        moves = list(speak.moves_listed(state, self.table.names, prefix, 200 if prefix else most))
        if state.seat < 0:
            yield speak.with_names(state.prompt, self.table.names)
            if state.seat == CHANCE and self.table.dice.manual:
                example = state.game.roll_text(state.outcomes().rolls[-1])
                yield f"Type what the {speak.dice_due(state)} show, such as {example}."
        elif moves:
            yield f"{self.table.names[state.seat]} can play:" if not prefix else f"Moves that start with {prefix}:"
            yield from aligned(moves)
        else:
            yield f"No legal move starts with “{prefix}”."
        if not prefix:
            yield ""
            yield "Moves can be shortened as long as they stay clear. At any prompt:"
            yield from aligned(HELP)

    def do_hint(self, rest: str) -> None:
        state = self.table.state
        if evaluation := self._evaluation():
            advice = named(hint(state, evaluation), self.table.names)
            self.note = f"{advice} {self._caveat(evaluation)}".rstrip()

    def do_odds(self, rest: str) -> None:
        state = self.table.state
        if evaluation := self._evaluation():
            caveat = self._caveat(evaluation)
            columns = self.screen.room if self.screen.drawn else None
            lines = values.table(state, evaluation, names=self.table.names, columns=columns)
            self.page([*lines, *([f"  {caveat}"] if caveat else [])])

    def do_why(self, rest: str) -> None:
        table = self.table
        for at in reversed(range(table.played)):
            event, state = table.events[at], table.before(at)
            player = table.seats[event.seat].player
            if player and isinstance(event, Moved):
                told = reason_of(player.kind, state, event.move)
                if not told and (evaluation := self._evaluation(state)):
                    told = because(state, event.move, evaluation)
                if told:
                    told = named(told, table.names)
                    self.note = f"{table.tell(at)} {told[0].upper()}{told[1:]}."
                return
        self.note = "No bot has had to choose yet."

    def _caveat(self, evaluation: Evaluation) -> str:
        """What is to be said of values that are not exact; they are being solved from now on, if that can be."""
        if evaluation.exact:
            return ""
        state = self.table.state
        return values.estimated(state, evaluation, values.solve_meanwhile(state))

    def _evaluation(self, state: State | None = None) -> Evaluation | None:
        """What can be done now, or in that state, and what it is worth, unless a note says why not."""
        try:
            return self._wait(values.evaluating(state or self.table.state))
        except HotdiceError as error:
            self.note = str(error)
            return None

    def do_undo(self, rest: str) -> None:
        try:
            self.note = self._signals.uninterrupted(self._undo)
        except UndoError as error:
            self.note = str(error)

    def _undo(self) -> str:
        """Take back events up to a person's choice, or a typed roll; if a roll is in the way, none."""
        taken: list[Event] = []
        while True:
            sentence = speak.tell(self.table, self.table.played - 1) if self.table.played else ""
            try:
                event = self.table.undo()
            except UndoError:
                for bots_choice in reversed(taken):
                    self.table.repeat(bots_choice)
                raise
            taken.append(event)
            if isinstance(event, Rolled) or self._is_person(event.seat):
                self._asked = -1
                return f"Taken back: {sentence}"

    def do_save(self, rest: str) -> None:
        try:
            path = self._signals.uninterrupted(lambda: self.keeper.save(self.table, rest))
            self.note = f"Saved as {path}"
        except SaveError as error:
            self.note = str(error)

    def do_rules(self, rest: str) -> None:
        self.page_rules(self.table.game)

    def do_sheet(self, rest: str) -> None:
        self.page(speak.sheet_lines(self.table.state, self.table.names))

    def do_log(self, rest: str) -> None:
        lines = list(speak.story(self.table)) or ["Nothing has happened yet."]
        most = self.screen.size[1] - 3
        if self.screen.drawn and rest != "all" and len(lines) > most:
            lines = ["“log all” tells it from the beginning.", *lines[-most:]]
        self.page(lines)

    # Leaving

    def _leave(self) -> None:
        """Keep the game and say where. There may be nobody left to hear it, so the file comes first."""
        try:
            path, trouble = self.keeper.save_at_the_end(self.table)
        except SaveError as error:
            raise SaveError(f"{error} It is lost.") from None
        finally:
            with if_heard():
                self.screen.say()
        with if_heard():
            if trouble:
                self.screen.say(trouble)
            self.screen.say(f"Saved as {path}")
            over = self.table.state.seat == OVER
            again = "Look at it again with: hotdice replay" if over else "Go on with: hotdice play --resume"
            self.screen.say(f"{again} {shlex.quote(str(path))}")
