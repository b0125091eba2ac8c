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
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING, Final

from hotdice.terminal.streams import is_tty, is_utf8, plain

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

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
        if self.person:
            with suppress(ImportError):
                import readline  # gives `input` line editing and history

                readline.parse_and_bind("set enable-bracketed-paste off")

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
            self.console.print(Markdown(text), width=min(self.size[0] - 2 * len(self.margin), 100))
        return drawn.get().splitlines()

    def page(self, lines: Iterable[str], ask: Callable[[str], str]) -> str:
        """Show a longer text, a windowful at a time if it is drawn. Whatever else is typed meanwhile comes back."""
        if not self.drawn:
            for line in lines:
                self.say(line)
            return ""
        from rich.text import Text

        columns, height = self.size
        room = columns - 2 * len(self.margin)
        left = [part for line in lines for part in Text.from_ansi(line or " ").wrap(self.console, room)]
        while left:
            self.draw(left[: height - 2])
            left = left[height - 2 :]
            if typed := ask(f"{self.margin}Enter {'shows more' if left else 'goes back'}> "):
                return typed
        return ""

    # Reading

    def ask(self, prompt: str) -> str:
        """The next line typed, without control characters; `EOFError` when there are no more."""
        if self.person:
            line = input(prompt if self.drawn else plain(prompt))
        elif sys.stdin is None or not (line := sys.stdin.readline()):
            raise EOFError
        return "".join(sign if sign.isprintable() else " " for sign in line[:_LONGEST]).strip()

    def pause(self, seconds: float) -> None:
        """Give time to look, unless nobody does or something has been typed already."""
        if not self.person:
            return
        if os.name == "nt":
            time.sleep(seconds)
        else:
            select.select([sys.stdin], [], [], seconds)
