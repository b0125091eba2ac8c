"""Work that takes longer than a moment: done in a thread of its own, with a word on why, how far and how long.

Whoever waits can stop waiting at once, by Ctrl-C; work that says how far it is stops then as well.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread
from typing import Final, Generic, TypeVar

from hotdice.errors import HotdiceError
from hotdice.terminal.streams import is_tty, is_utf8, plain
from hotdice.values import Progress

T = TypeVar("T")

MOMENT = 0.7
"""Seconds after which a wait is explained."""
_TICK: Final = 0.1
"""Seconds between two looks at how far something is."""
_QUARTER: Final = 0.25
"""The share of the work after which plain lines say again how far it is."""


class Stopped(Exception):
    """Raised in work that nobody waits for any more."""


class Work(Generic[T]):
    """Something that is being worked out."""

    def __init__(self, do: Callable[[Progress], T], why: str, solving: str = "") -> None:
        self._do = do
        self._why, self._solving = why, solving or why
        self.share: float | None = None
        """How much is done, once that is known."""
        self._begun = time.monotonic()
        self._stopped = False
        self._over = Event()
        self._result: list[T] = []
        self._error: BaseException | None = None
        Thread(target=self._run, name=why, daemon=True).start()

    def _run(self) -> None:
        try:
            self._result.append(self._do(self._report))
        except BaseException as error:
            self._error = error
        finally:
            self._over.set()

    def _report(self, share: float) -> None:
        if self._stopped:
            raise Stopped
        self.share = share

    def stop(self) -> None:
        """Have it end when it next says how far it is."""
        self._stopped = True

    def end(self) -> None:
        """Have it end, and wait for that."""
        self.stop()
        self._over.wait()

    @property
    def why(self) -> str:
        """What is going on; it is known to be solving once it says how far that is."""
        return self._why if self.share is None else self._solving

    @property
    def times(self) -> str:
        """How long it takes: `0:12 of about 0:40`."""
        gone = time.monotonic() - self._begun
        if not self.share or self.share < 0.02:
            return _clock(gone)
        return f"{_clock(gone)} of about {_clock(gone / self.share)}"

    def wait(self, each_tick: Callable[[], None] = lambda: None, *, plain_lines: bool = False) -> T:
        """What comes of it, or its error. A `KeyboardInterrupt` ends the waiting; the work goes on."""
        with _told(self, plain_lines=plain_lines) as tell:
            moment = time.monotonic() + MOMENT
            while not self._over.wait(_TICK):
                each_tick()
                if time.monotonic() >= moment:
                    tell()
        if self._error is not None:
            raise self._error
        return self._result[0]


def worked(work: Work[None]) -> tuple[bool, HotdiceError | None]:
    """Wait for work: whether it ended before it was done, and what went wrong, if anything did."""
    try:
        work.wait()
    except (KeyboardInterrupt, Stopped):
        work.end()
        return True, None
    except HotdiceError as error:
        return True, error
    return False, None


def _clock(seconds: float) -> str:
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"


@contextmanager
def _told(work: Work[T], *, plain_lines: bool) -> Iterator[Callable[[], None]]:
    """Says on stderr how a work goes on, each time that it is called: by a bar that leaves no trace, or in lines."""
    if not is_tty(sys.stderr):
        yield lambda: None
    elif plain_lines or not is_utf8(sys.stderr):
        yield _Lines(work).tell
    else:
        with _bar(work) as tell:
            yield tell


class _Lines:
    """Tells how a work goes on in a line now and then."""

    def __init__(self, work: Work[T]) -> None:
        self._work = work
        self._due = -1.0

    def tell(self) -> None:
        share = self._work.share or 0.0
        if share >= self._due:
            far = f": {share:.0%}, {self._work.times}" if share else ""
            print(plain(f"{self._work.why}{far}. Ctrl-C stops it."), file=sys.stderr, flush=True)
            self._due = max(share, 0.0) + _QUARTER


@contextmanager
def _bar(work: Work[T]) -> Iterator[Callable[[], None]]:
    """A bar that swings to and fro until the work says how far it is."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn
    from rich.table import Column

    # In a narrow window the words are broken, not cut: how long it takes is said last.
    told = TextColumn("{task.description} {task.fields[far]}", markup=False, table_column=Column(no_wrap=False))
    with Progress(told, BarColumn(20), console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None, visible=False, far="")

        def tell() -> None:
            far = work.times if work.share is None else f"{work.share:.0%}, {work.times}"
            total = None if work.share is None else 1.0
            bar.update(task, visible=True, description=work.why, total=total, completed=work.share or 0.0, far=far)

        yield tell
