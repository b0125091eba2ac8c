"""The terminal as a place to read and write: whether somebody sits at it, and whether it can show pictures.

A drawn screen is cleared and drawn anew at each prompt; a plain one only ever adds lines. What is said is for the
session to decide.
"""

from __future__ import annotations

import os
import select
import shutil
import sys
import textwrap
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cached_property
from typing import TYPE_CHECKING, Final

from hotdice.terminal.streams import is_tty, is_utf8, plain

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

Complete = Callable[[str], Sequence[str]]
"""Says which words can follow what is typed before the last one."""

_CLEAR: Final = "\x1b[H\x1b[2J"
_LONGEST: Final = 500
"""Characters of one typed line; no move needs a tenth of it."""


class Screen:
    """Where a game is shown and moves are typed."""

    def __init__(self, *, plain_lines: bool = False) -> None:
        self.person = is_tty(sys.stdin)
        """Whether somebody sits at a keyboard."""
        term = os.environ.get("TERM", "" if os.name == "nt" else "dumb")
        able = is_tty(sys.stdout) and is_utf8(sys.stdout) and term not in ("dumb", "unknown")
        self.pictures = able and not plain_lines
        """Whether what is written can be more than plain lines."""
        self.drawn = self.pictures and self.person
        """Whether the window is drawn anew at each prompt."""
        self.colour = not os.environ.get("NO_COLOR")
        self._words: Complete = lambda typed: ()
        self._asked_at: tuple[int, int] | None = None
        if self.person:
            with suppress(ImportError):
                import readline  # gives `input` line editing, history and completion

                readline.parse_and_bind("set enable-bracketed-paste off")
                readline.parse_and_bind("set completion-ignore-case on")
                libedit = "libedit" in (readline.__doc__ or "")  # as on macOS
                readline.parse_and_bind("bind ^I rl_complete" if libedit else "tab: complete")
                readline.set_completer_delims(" ")
                readline.set_completer(self._complete)

    def _complete(self, word: str, number: int) -> str | None:
        """The completion of that number for the last word typed, as readline asks for it."""
        import readline

        before = readline.get_line_buffer()[: readline.get_begidx()]
        fits = [each for each in self._words(before) if each.casefold().startswith(word.casefold())]
        return f"{fits[number]} " if number < len(fits) else None

    @property
    def size(self) -> tuple[int, int]:
        """Columns and lines of the window."""
        columns, lines = shutil.get_terminal_size()
        return columns, lines

    @cached_property
    def console(self) -> Console:
        """Turns styled text into what the terminal understands."""
        from rich.console import Console

        system = "auto" if self.colour else None
        return Console(color_system=system, highlight=False, markup=False, emoji=False, force_terminal=True)  # type: ignore[arg-type]

    # Writing

    def say(self, text: str = "", style: str = "") -> None:
        """Add a line."""
        if not self.drawn:
            print(plain(text), flush=True)
            return
        from rich.text import Text

        self.console.print(Text(text, style), soft_wrap=True)

    def explain(self, text: str) -> None:
        """Add a line that fits the window, by breaking it between words if need be; unindented ones stand out."""
        if not self.drawn:
            self.say(text)
            return
        indent = " " * (len(text) - len(text.lstrip()))
        for line in textwrap.wrap(text, self.size[0] - 1, subsequent_indent=indent) or [""]:
            self.say(line, "" if indent else "bold")

    @property
    def margin(self) -> str:
        """What is left free at the left of a drawn window, where there is room enough."""
        return "  " if self.drawn and self.size[0] >= 84 else ""

    @property
    def room(self) -> int:
        """Columns between the margins."""
        return self.size[0] - 2 * len(self.margin)

    def draw(self, lines: Sequence[Text]) -> None:
        """Clear the window and show these lines. Without escape codes, blank lines push the old ones out."""
        columns, height = self.size
        with self.console.capture() as drawn:
            for line in lines:
                self.console.print(self.margin, line, sep="", width=columns, no_wrap=True, overflow="ellipsis")
        clear = _CLEAR if self.colour else "\n" * (height - 1 - len(lines))
        sys.stdout.write(clear + drawn.get())
        sys.stdout.flush()

    def markdown(self, text: str) -> list[str]:
        """A text in Markdown as lines for this window."""
        from rich.markdown import Markdown

        with self.console.capture() as drawn:
            self.console.print(Markdown(text), width=min(self.room, 100))
        return drawn.get().splitlines()

    def page(self, lines: Iterable[str], after: str = "goes back") -> str:
        """Show a longer text, a windowful at a time if it is drawn. What is typed meanwhile comes back, but for q.

        `after` says what Enter does at its end.
        """
        if not self.drawn:
            for line in lines:
                self.say(line)
            return ""
        from rich.text import Text

        texts = [Text.from_ansi(line or " ") for line in lines]
        first, following = 0, 0

        def show() -> str:
            nonlocal following
            room, height = self.room, self.size[1]
            parts = [
                (at, part) for at, text in enumerate(texts[first:], first) for part in text.wrap(self.console, room)
            ]
            here, later = parts[: height - 2], parts[height - 2 :]
            following = max(first + 1, later[0][0]) if later else len(texts)
            self.draw([part for _, part in here])
            return f"{self.margin}Enter {'shows more, q closes it' if later else after}> "

        while first < len(texts):
            if typed := self.ask(show(), redraw=show):
                return "" if typed.lower() == "q" else typed
            first = following
        return ""

    # Reading

    def ask(self, prompt: str, words: Complete = lambda typed: (), redraw: Callable[[], str] | None = None) -> str:
        """The next line typed, without control characters; `EOFError` when there are no more.

        Tab offers `words`. In a window that is resized meanwhile, `redraw` draws everything again and gives the prompt.
        """
        if self.person:
            self._words = words
            line = self._typed(prompt, redraw if self.drawn else None)
        elif sys.stdin is None or not (line := sys.stdin.readline()):
            raise EOFError
        return "".join(sign if sign.isprintable() else " " for sign in line[:_LONGEST]).strip()

    def _typed(self, prompt: str, redraw: Callable[[], str] | None) -> str:
        while True:
            line = None
            try:
                self._asked_at = self.size if redraw else None
                line = _input(prompt if self.drawn else plain(prompt))
            except Resized as resized:
                if redraw and line is None:
                    _type_again(resized.typed)
                    prompt = redraw()
            finally:
                self._asked_at = None
            if line is not None:
                return line

    def check_size(self) -> None:
        """Interrupt a prompt whose window has another size now."""
        if self._asked_at not in (None, self.size):
            self._asked_at = None
            raise Resized

    @contextmanager
    def deaf(self) -> Iterator[None]:
        """While this is entered, what is typed is neither shown nor kept; Ctrl-C still counts."""
        if not self.person or os.name == "nt":
            yield
            return
        import termios

        keyboard = sys.stdin.fileno()
        before = termios.tcgetattr(keyboard)
        silent = termios.tcgetattr(keyboard)
        silent[3] &= ~(termios.ECHO | termios.ICANON)
        termios.tcsetattr(keyboard, termios.TCSANOW, silent)
        try:
            yield
        finally:
            with suppress(termios.error):  # the terminal may be gone
                termios.tcsetattr(keyboard, termios.TCSAFLUSH, before)

    def pause(self, seconds: float) -> None:
        """Give time to look, unless nobody does; any key ends it."""
        if not self.person:
            return
        with self.deaf():
            if os.name == "nt":
                time.sleep(seconds)
            else:
                select.select([sys.stdin], [], [], seconds)


class Resized(Exception):
    """The window has another size than when it was drawn; `typed` is what was typed so far."""

    def __init__(self) -> None:
        super().__init__()
        self.typed = ""
        with suppress(ImportError):
            import readline

            self.typed = readline.get_line_buffer()


def _input(prompt: str) -> str:
    """The next line typed. Of two signals that come at once, `input` runs the handler of the second while what the
    first one's has raised is on its way, and a `SystemError` comes out instead (CPython's issue 134644)."""
    try:
        return input(prompt)
    except SystemError as error:
        raise error.__cause__ or error from None


def _type_again(text: str) -> None:
    """Have the next prompt begin with a text, as if it had been typed."""
    with suppress(ImportError):
        import readline

        def insert() -> None:
            readline.insert_text(text)
            readline.set_startup_hook()

        readline.set_startup_hook(insert)
