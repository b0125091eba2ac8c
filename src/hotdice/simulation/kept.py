"""Results that outlive their run: a file with the sums of all games so far, by which the same run goes on later.

The games that count are always the first so many of the seed, so a file that is replaced as a whole holds each of them
once, whenever a run was stopped. It names what it has results of, and the sources that made them.
"""

from __future__ import annotations

import json
import os
import time
from collections import Counter
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any, Final, Generic, TypeVar

from hotdice import __version__
from hotdice.errors import HotdiceError
from hotdice.games import parse_game
from hotdice.simulation.tally import Distribution, Sums
from hotdice.solve import solver_of
from hotdice.solve.sources import fingerprint

S = TypeVar("S")

EVERY: Final = 2.0
"""Seconds from one writing to the next."""
FORMAT: Final = 1


def made_by(game: str) -> str:
    """What the results of a game depend on: this version, the game's rules, its solver and its simulator."""
    card = parse_game(game)[0]
    modules = {
        "hotdice.simulation.runs",
        type(card.start(card.min_players)).__module__,
        type(solver_of(card)).__module__,
    }
    if card.simulator:
        modules.add(type(card.simulator()).__module__)
    return " ".join((__version__, *(fingerprint(module) for module in sorted(modules))))


class Kept(Generic[S]):
    """A file of results, and what they are the results of."""

    def __init__(self, path: Path, what: dict[str, Any]) -> None:
        self._path, self._what = path, {"format": FORMAT, "made_by": made_by(what["game"]), **what}
        self._due = 0.0

    def read(self, empty: S) -> S:
        """The results in the file, or what was given if there is none yet; an error if they are of something else."""
        try:
            found = json.loads(self._path.read_text("utf-8"))
            what, sums = found["what"], found["sums"]
        except FileNotFoundError:
            self.write(empty)
            return empty
        except (OSError, ValueError, TypeError, KeyError) as error:
            raise HotdiceError(
                f"{self._path} has no results of Hotdice ({_cause(error)}); name another file."
            ) from None
        if wrong := next((name for name, value in self._what.items() if what.get(name) != value), None):
            words = {"made_by": "another version of Hotdice", "format": "another version of Hotdice"}
            other = words.get(wrong, f"another run: its {wrong} is {json.dumps(what.get(wrong))}")
            raise HotdiceError(f"{self._path} has the results of {other}; name another file.")
        try:
            read: S = from_plain(empty, sums)
        except (TypeError, ValueError, KeyError) as error:
            raise HotdiceError(f"{self._path} is damaged ({_cause(error)}); name another file.") from None
        return read

    def write_now_and_then(self, sums: S) -> None:
        """Write the results if that was some seconds ago."""
        if time.monotonic() >= self._due:
            self.write(sums)

    def write(self, sums: S) -> None:
        """Replace the file."""
        beside = self._path.with_name(f"{self._path.name}.{os.getpid()}.tmp")
        try:
            beside.write_text(json.dumps({"what": self._what, "sums": plain(sums)}), "utf-8")
            beside.replace(self._path)
        except OSError as error:
            beside.unlink(missing_ok=True)
            raise HotdiceError(f"{self._path} cannot be written: {error.strerror or error}.") from None
        self._due = time.monotonic() + EVERY


def plain(sums: Any) -> Any:
    """Sums as plain data."""
    match sums:
        case Sums(count, total, squares):
            return [count, total, squares]
        case Distribution(counts):
            return sorted(counts.items())
        case list():
            return [plain(one) for one in sums]
        case _ if is_dataclass(sums):
            return {field.name: plain(getattr(sums, field.name)) for field in fields(sums)}
        case _:
            return sums


def from_plain(like: Any, told: Any) -> Any:
    """Sums of the same kind as others from plain data."""
    match like:
        case Sums():
            count, total, squares = map(int, told)
            return Sums(count, total, squares)
        case Distribution():
            return Distribution(Counter({int(value): int(count) for value, count in told}))
        case list():
            return [from_plain(one, part) for one, part in zip(like, told, strict=True)]
        case int():
            return int(told)
        case None:
            return None
        case _:
            return type(like)(
                **{field.name: from_plain(getattr(like, field.name), told[field.name]) for field in fields(like)}
            )


def _cause(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or type(error).__name__
