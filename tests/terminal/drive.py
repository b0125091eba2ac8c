"""Ways to drive the program: in this process with typed lines, as a process, and at a terminal of its own.

`played` plays a game by the engine alone and writes down what a person would have typed, so that the program can be
given the same lines and must arrive at the same record.
"""

from __future__ import annotations

import fcntl
import io
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from random import Random
from typing import ClassVar

import pytest

from hotdice.cli import main
from hotdice.dice import ManualDice, SeededDice
from hotdice.game import CHANCE, OVER, Move, State
from hotdice.games import load_game
from hotdice.record import read_record, record_of
from hotdice.table import Moved, Rolled, Table
from hotdice.terminal.setup import seats_of

_RUN = "import sys; from hotdice.cli import main; sys.exit(main())"
_OWN_TERMINAL = "import fcntl, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0)"  # so that ^C is a signal
_HANGS_UP = "import signal; signal.signal(signal.SIGHUP, signal.SIG_DFL)"  # also where the tests run under nohup
_NOHUP = "import signal; signal.signal(signal.SIGHUP, signal.SIG_IGN)"
_TRACED = "import sys; sys.settrace(lambda *event: None)"  # as by a debugger: Python takes none of its shortcuts
HOTDICE = (sys.executable, "-c", _RUN)
_ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


# In this process


@dataclass(frozen=True)
class Outcome:
    code: int
    out: str
    err: str

    def refused(self) -> str:
        """The one line of an error."""
        assert self.code == 2, self
        assert self.err.endswith("\n"), self.err
        assert self.err.count("\n") == 1, self.err
        assert "Traceback" not in self.err
        return self.err.strip()


class Pipe(io.TextIOWrapper):
    """A stream that is no terminal."""

    def __init__(self, data: bytes = b"", encoding: str = "utf-8") -> None:
        self.bytes = io.BytesIO(data)
        super().__init__(self.bytes, encoding=encoding, write_through=True)

    @property
    def text(self) -> str:
        return self.bytes.getvalue().decode(self.encoding)


def hotdice(*args: str | Path, typed: str | bytes | Sequence[str] = "", encoding: str = "utf-8") -> Outcome:
    """Run a command with a pipe on each side."""
    if isinstance(typed, Sequence) and not isinstance(typed, str | bytes):
        typed = "".join(f"{line}\n" for line in typed)
    data = typed.encode() if isinstance(typed, str) else typed
    with pytest.MonkeyPatch.context() as patch:
        out, err = Pipe(encoding=encoding), Pipe(encoding=encoding)
        patch.setattr(sys, "stdin", Pipe(data))
        patch.setattr(sys, "stdout", out)
        patch.setattr(sys, "stderr", err)
        code = main([str(arg) for arg in args])
    return Outcome(code, out.text, err.text)


# A game by the engine alone


def short(name: str) -> list[str]:
    """House rules that make a game a short one, if it has such."""
    return [
        f"{spec.name}={spec.choices[-1]}"
        for spec in load_game(name).options.specs()
        if type(spec.default) is int and spec.choices[-1] < spec.default  # type: ignore[operator]
    ]


@dataclass(frozen=True)
class Game:
    """A game that was played by the engine, and the lines a person would have typed for it."""

    table: Table
    lines: list[str]
    args: list[str]

    @property
    def record(self) -> str:
        return record_of(self.table, date.today()).text

    def check_saved(self, path: Path) -> None:
        """A file holds this game, saved since the test began: maybe before midnight."""
        found = path.read_text("utf-8")
        day = read_record(found).day
        assert timedelta(0) <= date.today() - day <= timedelta(days=1)
        assert found == record_of(self.table, day).text


def seated(name: str, *players: str) -> list[str]:
    """These players, or as many of them as a game takes, or with greedy bots as it needs."""
    game = load_game(name)
    return [*players, *["greedy"] * (game.min_players - len(players))][: game.max_players]


def first_or_any(random: Random, state: State) -> Move:
    """Sometimes the game's sensible move, sometimes any."""
    moves = state.legal_moves()
    return state.game.greedy(state) if random.random() < 0.8 else random.choice(moves)


def played(
    name: str,
    players: Sequence[str],
    options: Sequence[str] = (),
    seed: int = 1,
    *,
    manual: bool = False,
    events: int = 0,
) -> Game:
    """Play a game to its end, or its first `events` events."""
    game = load_game(name)
    seats, random = seats_of(players, seed), Random(seed)
    start = game.start(len(seats), game.options.parse(",".join(options)))
    table = Table(start, seats, SeededDice(seed))
    while table.state.seat != OVER and (not events or len(table.events) < events):
        if table.state.seat != CHANCE and seats[table.state.seat].player is None:
            table.play(first_or_any(random, table.state))
        else:
            table.step()
    typed = Table(start, seats, ManualDice()) if manual else table
    lines: list[str] = []
    for event in table.events:
        if manual:
            typed.repeat(event)
        if isinstance(event, Moved) and seats[event.seat].player is None:
            lines.append(event.move.text)
        elif isinstance(event, Rolled) and manual:
            lines.append(game.roll_text(event.roll))
    args = ["play", name, "--seed", str(seed), *(["--dice", "manual"] if manual else [])]
    for flag, values in (("-p", players), ("-o", options)):
        args += [part for value in values for part in (flag, value)]
    return Game(typed, lines, args)


def saved_in(out: str) -> Path:
    """Where the program says that it has saved the game."""
    found = re.findall(r"^Saved as (.*\.hotdice)\s*$", out, re.MULTILINE)
    assert found, out
    return Path(found[-1].strip())


# At a terminal


def _unmeasured() -> dict[str, str]:
    """The environment without what measures coverage: windows are typed into and stopped at any moment, as users do."""
    return {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE_")}


class Terminal:
    """The program in a terminal window of some size."""

    started: ClassVar[list[Terminal]] = []

    def __init__(
        self,
        *args: str | Path,
        columns: int = 80,
        lines: int = 24,
        environment: Mapping[str, str] | None = None,
        nohup: bool = False,
        traced: bool = False,
    ) -> None:
        prelude = f"{_NOHUP if nohup else _HANGS_UP}; {_TRACED if traced else ''}"
        self._master, slave = pty.openpty()
        self._tty = os.ttyname(slave)
        self.resize(columns, lines)
        self.process = subprocess.Popen(
            [sys.executable, "-c", f"{_OWN_TERMINAL}; {prelude}\n{_RUN}", *map(str, args)],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env={**_unmeasured(), **(environment or {})},
            start_new_session=True,
        )
        os.close(slave)
        self.started.append(self)
        self.raw = ""
        self._read = 0

    def resize(self, columns: int, lines: int) -> None:
        fcntl.ioctl(self._master, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))

    @property
    def text(self) -> str:
        """Everything shown so far, without colours."""
        return _ESCAPES.sub("", self.raw).replace("\r\n", "\n")

    def until(self, wanted: str, seconds: float = 60) -> str:
        """Wait for a text; what was shown up to it since the last one."""
        end = time.monotonic() + seconds
        while wanted not in (seen := self.text[self._read :]):
            data = self._take(max(0, end - time.monotonic()))
            if not data:
                raise AssertionError(f"“{wanted}” did not come; the end of what did:\n{self.text[-3000:]}")
            self.raw += data.decode("utf-8", "replace")
        upto = seen.index(wanted) + len(wanted)
        self._read += upto
        return seen[:upto]

    def _take(self, seconds: float = 60) -> bytes:
        if not select.select([self._master], [], [], seconds)[0]:
            return b""
        try:
            return os.read(self._master, 65536)
        except OSError:  # the program has closed its side
            return b""

    def type(self, line: str) -> None:
        os.write(self._master, f"{line}\n".encode())

    def press(self, key: bytes) -> None:
        os.write(self._master, key)

    def type_ahead(self, line: str, seconds: float = 60) -> None:
        """Type something for which the program is not waiting, until it lies there unread."""
        slave = os.open(self._tty, os.O_RDWR | os.O_NOCTTY)
        self.type(line)
        end = time.monotonic() + seconds
        try:
            while struct.unpack("i", fcntl.ioctl(slave, termios.FIONREAD, bytes(4)))[0] <= len(line):
                assert time.monotonic() < end, f"“{line}” did not arrive"
                time.sleep(0.005)
        finally:
            os.close(slave)

    def signal(self, number: signal.Signals) -> None:
        self.process.send_signal(number)

    def close(self) -> int:
        """Wait for the end; the exit code."""
        while data := self._take():
            self.raw += data.decode("utf-8", "replace")
        os.close(self._master)
        return self.process.wait(60)

    def hang_up(self) -> None:
        """Close the window and wait for the end."""
        os.close(self._master)
        self.process.wait(60)

    @classmethod
    def end_all(cls) -> None:
        """End what a failed test has left running."""
        for window in cls.started:
            if window.process.poll() is None:
                window.process.kill()
                window.process.wait()
        cls.started.clear()
