"""`hotdice play`: from what the command line says to a table, and from the table to a session."""

from __future__ import annotations

from pathlib import Path

from hotdice.errors import HotdiceError
from hotdice.terminal.prompts import Quit
from hotdice.terminal.saves import Keeper
from hotdice.terminal.screen import Screen
from hotdice.terminal.session import Session
from hotdice.terminal.setup import Setup, Wishes, resumed
from hotdice.terminal.signals import INTERRUPTED, Signals


def start(wishes: Wishes, *, plain: bool = False, resume: Path | None = None) -> int:
    """Set a table, or go on with a saved one, and play; the answer is the exit code."""
    screen = Screen(plain_lines=plain)
    if resume and wishes != Wishes():
        raise HotdiceError("--resume takes the game, its players and its dice from the file; leave out the rest.")
    with Signals() as signals:
        try:
            if resume:
                table, keeper = resumed(resume)
                session = Session(table, screen, keeper, signals)
            else:
                setup = Setup(screen, wishes)
                session = Session(setup.table(), screen, Keeper(), signals, auto=setup.auto)
        except (Quit, EOFError):
            screen.say("No game was begun.")
            return 0
        except KeyboardInterrupt:
            screen.say()
            return INTERRUPTED
        return session.run()
