"""What every prompt has in common: commands are understood anywhere, and everything else is an answer.

A prompt's owner has a method `do_<word>` for each command, given what follows the word.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from hotdice.game import Game
from hotdice.terminal import speak
from hotdice.terminal.screen import Complete, Screen

COMMANDS: Final = {
    "?": "help",
    "help": "help",
    "hint": "hint",
    "odds": "odds",
    "why": "why",
    "undo": "undo",
    "save": "save",
    "rules": "rules",
    "sheet": "sheet",
    "log": "log",
    "auto": "auto",
    "quit": "quit",
    "q": "quit",
}
HELP: Final = (
    ("?", "lists the legal moves; “? score” lists those that start with score"),
    ("Tab", "completes what is typed, or lists what can follow"),
    ("hint", "says which move is best, and what it is worth"),
    ("odds", "lists the moves with what each is worth"),
    ("why", "says why a bot chose as it did last"),
    ("undo", "takes back your last choice, as long as no dice have been rolled since"),
    ("save", "keeps the game; “save FILE” names the file"),
    ("rules", "shows the rules and the house rules"),
    ("sheet", "reads out the score sheets"),
    ("log", "tells what has happened"),
    ("auto", "rolls the dice without asking, or asks again"),
    ("quit", "keeps the game and leaves"),
    ("Ctrl-C", "stops what is being worked out, or else does the same as quit"),
)


class Quit(Exception):
    """Somebody wants to leave."""


class Prompts:
    """Asks for answers and carries out commands."""

    def __init__(self, screen: Screen) -> None:
        self.screen = screen
        self.auto = not screen.person
        """Whether dice are rolled without asking."""
        self.note = ""
        """What is to be said at the next prompt."""
        self._pending: list[str] = []

    def ask(self, prompt: str, complete: Complete | None = None, redraw: Callable[[], str] | None = None) -> str | None:
        """The answer to a prompt, or None after a command, which may have changed what is to be asked.

        Tab completes commands, and what `complete` knows to follow what is typed.
        """

        def words(typed: str) -> Sequence[str]:
            found = list(complete(typed)) if complete else []
            return found if typed else [*found, *(word for word in COMMANDS if len(word) > 1)]

        text = self._pending.pop() if self._pending else self.screen.ask(prompt, words, redraw)
        word, _, rest = text.partition(" ")
        if text.startswith("?"):
            word, rest = "?", text[1:]
        if word.lower() not in COMMANDS:
            return text
        getattr(self, f"do_{COMMANDS[word.lower()]}")(rest.strip())
        return None

    def page(self, lines: Iterable[str], after: str = "goes back") -> None:
        """Show a longer text; something typed while it is read is the answer to the next prompt."""
        if typed := self.screen.page(lines, after):
            self._pending.append(typed)

    def page_rules(self, game: Game) -> None:
        """Show the rules of a game."""
        drawn = self.screen.drawn
        self.page(self.screen.markdown(speak.rules_markdown(game)) if drawn else speak.rules_lines(game))

    def do_auto(self, rest: str) -> None:
        self.auto = not self.auto
        self.note = "The dice are rolled without asking now." if self.auto else "You are asked before each roll now."

    def do_quit(self, rest: str) -> None:
        raise Quit


def aligned(rows: Sequence[tuple[str, str]]) -> Iterator[str]:
    """Words and their meanings in two columns."""
    column = max((len(word) for word, _ in rows), default=0) + 2
    for word, meaning in rows:
        yield f"  {word.ljust(column)}{meaning}"
