"""Being stopped from outside: Ctrl-C and its kin become a `KeyboardInterrupt`, but never halfway through something."""

from __future__ import annotations

import signal
from collections.abc import Callable
from types import FrameType, TracebackType
from typing import Any, Final, Self, TypeVar

T = TypeVar("T")

INTERRUPTED: Final = 130
"""What the program answers when it was stopped."""
_HEARTBEAT: Final = 0.3
"""Seconds. A signal between a prompt and the waiting for its answer would wait for the next key; a beat wakes it.

It is also when a window is found to have been resized: readline wants the signal for that to itself.
"""


class Signals:
    """While this is entered, the signals that end a program are taken as a wish to leave."""

    def __init__(self, at_each_beat: Callable[[], None] = lambda: None) -> None:
        self._at_each_beat = at_each_beat
        self._before: dict[int, Any] = {}
        self._timer = (0.0, 0.0)
        self.busy = False
        """Whether signals are only noted. Whoever leaves assigns it first of all: in a call, another could strike."""
        self.stopped = 0
        """The signal that came, if one did."""

    def __enter__(self) -> Self:
        for name in ("SIGINT", "SIGTERM", "SIGHUP"):
            number = getattr(signal, name, None)
            if number and signal.getsignal(number) != signal.SIG_IGN:  # as nohup wants it
                self._before[number] = signal.signal(number, self._stop)
        if hasattr(signal, "setitimer"):
            self._before[signal.SIGALRM] = signal.signal(signal.SIGALRM, lambda number, at: self._at_each_beat())
            self._timer = signal.setitimer(signal.ITIMER_REAL, _HEARTBEAT, _HEARTBEAT)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_REAL, 0)
        for number, handler in self._before.items():
            signal.signal(number, handler)
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_REAL, *self._timer)

    def _stop(self, number: int, at: FrameType | None) -> None:
        self.stopped = number
        if not self.busy:
            raise KeyboardInterrupt

    def was_only_a_stop(self) -> bool:
        """Whether it was Ctrl-C that came, and not the end of the terminal; then it is forgotten."""
        if self.stopped != signal.SIGINT:
            return False
        self.stopped = 0
        return True

    def listen(self) -> None:
        """Another game begins."""
        self.busy, self.stopped = False, 0

    def uninterrupted(self, act: Callable[[], T]) -> T:
        """Do something that must not be stopped halfway; a signal that came meanwhile counts afterwards."""
        self.busy = True
        try:
            return act()
        finally:
            self.busy = False
            if self.stopped:
                raise KeyboardInterrupt
