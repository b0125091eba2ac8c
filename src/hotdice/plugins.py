"""What installed packages bring: games and bots, found by entry points.

A package names what it brings in an entry point group. Each one is loaded once, when somebody asks for it. One that
cannot be used is named in one line of the log and left out, so that a broken package spoils nothing else.
"""

from __future__ import annotations

import logging
import re
import sys
from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Final, Generic, TypeVar

from hotdice.errors import HotdiceError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

T = TypeVar("T")

NAME: Final = re.compile(r"[a-z][a-z0-9_-]{0,39}")
"""What games and bots can be called: positions, records and addresses have to hold it."""
_LONGEST: Final = 200
_log: Final = logging.getLogger(__name__)


class Unusable(HotdiceError):
    """Something that a package brings and Hotdice cannot take; the text says why, after a colon."""


class Plugins(Generic[T]):
    """What installed packages bring to one entry point group, by name."""

    def __init__(
        self, group: str, what: str, taken: Callable[[], Collection[str]], accept: Callable[[str, object], T]
    ) -> None:
        self._group, self._what = group, what
        self._taken = taken
        """The names that nobody else may use."""
        self._accept = accept
        """Makes something of what was loaded under a name, or raises an error that says why not."""
        self._entries: dict[str, EntryPoint] | None = None
        self._loaded: dict[str, T | None] = {}

    def names(self) -> tuple[str, ...]:
        """What can be used, in alphabetical order; all of it is loaded to find out."""
        return tuple(name for name in sorted(self._found()) if self.get(name) is not None)

    def get(self, name: str) -> T | None:
        """What is installed under that name, if there is something and it can be used."""
        entry = self._found().get(name)
        if entry is None:
            return None
        if name not in self._loaded:
            self._loaded[name] = None  # also for a package that asks for itself while it is imported
            try:
                self._loaded[name] = self._accept(name, entry.load())
            except (Exception, SystemExit) as error:
                self._leave_out(entry, str(error) if isinstance(error, Unusable) else cause(error))
        return self._loaded[name]

    def _found(self) -> dict[str, EntryPoint]:
        if self._entries is None:
            from importlib.metadata import entry_points  # here, so that importing hotdice stays quick

            self._entries = {}
            try:
                entries = sorted(entry_points(group=self._group), key=lambda entry: (entry.name, entry.value))
            except Exception as error:  # the metadata of some package, whichever
                _tell(f"Installed {self._what}s cannot be found: {cause(error)}.")
                entries = []
            for entry in entries:
                if not NAME.fullmatch(entry.name):
                    self._leave_out(entry, "a name is a small letter, then small letters, digits, - and _")
                elif entry.name in self._taken() or entry.name in self._entries:
                    self._leave_out(entry, "the name is taken")
                else:
                    self._entries[entry.name] = entry
        return self._entries

    def _leave_out(self, entry: EntryPoint, reason: str) -> None:
        _tell(f"The {self._what} {entry.name} ({entry.value}) is left out: {reason.rstrip('.')}.")


def _tell(line: str) -> None:
    """Log a line once a program: the processes that it starts, such as those in which bots think, find the same."""
    processes = sys.modules.get("multiprocessing.process")
    if processes is None or processes.parent_process() is None:
        _log.warning("%s", line)


def cause(error: BaseException) -> str:
    """An error of somebody else's code in one line."""
    text = " ".join(f"{type(error).__name__}: {error}".split()).rstrip(":")
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
