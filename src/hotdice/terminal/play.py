"""`hotdice play`: from what the command line says to a table, and from the table to a session."""

from __future__ import annotations

from pathlib import Path

from hotdice.errors import HotdiceError
from hotdice.terminal.prompts import Quit
from hotdice.terminal.saves import Keeper
from hotdice.terminal.screen import Screen
from hotdice.terminal.session import Session
from hotdice.terminal.setup import Setup, Wishes, another, resumed
from hotdice.terminal.signals import INTERRUPTED, Signals
from hotdice.terminal.streams import if_heard


def start(wishes: Wishes, *, plain: bool = False, resume: Path | None = None) -> int:
    """Set a table, or go on with a saved one, and play; the answer is the exit code."""
    screen = Screen(plain_lines=plain)
    if resume and wishes != Wishes():
        raise HotdiceError("--resume takes the game, its players and its dice from the file; leave out the rest.")
    with Signals(screen.check_size) as signals:
        try:
            auto = None
            if resume:
                table, keeper = resumed(resume)
            else:
                setup = Setup(screen, wishes)
                table, keeper = setup.table()
                auto = setup.auto
        except (Quit, EOFError):
            with if_heard():
                screen.say("No game was begun.")
            return 0
        except KeyboardInterrupt:
            signals.busy = True
            with if_heard():
                screen.say()
            return INTERRUPTED
        while True:
            session = Session(table, screen, keeper, signals, auto=auto)
            code = session.run()
            if not session.again:
                return code
            table, keeper, auto = another(table), Keeper(), session.auto
            signals.listen()
