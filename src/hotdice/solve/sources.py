"""What tables and compiled kernels are made from: a module's source and all that it imports, as one fingerprint.

Only contents count, with line ends made alike: the same sources have the same fingerprint on every machine. Imports at
the top of a module are followed within its own package and this one. What shows and reads games, and the contract that
they meet, is left out: no number depends on it, and a new sentence must not cost somebody the tables of an hour.
"""

from __future__ import annotations

import hashlib
import marshal
import re
from collections.abc import Iterator
from functools import cache
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from typing import Any, Final

OWN: Final = __name__.partition(".")[0]
LEFT_OUT: Final = frozenset(
    OWN + name
    for name in (
        "", ".errors", ".fair", ".game", ".games", ".notation", ".observation", ".options", ".plugins", ".solve",
        ".solve.background", ".solve.sources", ".solve.store", ".solve.words", ".values", ".view",
    )
)  # fmt: skip
SHOWN: Final = ("data", "greedy", "notation", "observation", "words")
"""The modules of a game by which it is shown and read."""
_IMPORTS: Final = re.compile(r"^(?:from ([\w.]+) import (\([^)]*\)|[^\n]*)|import ([\w.]+))", re.MULTILINE)


@cache
def fingerprint(module: str) -> str:
    """A hash of the sources that what a module computes depends on."""
    digest = hashlib.sha256()
    for name in sources(module):
        digest.update(f"{name}\n{_source(name)}".encode())
    return digest.hexdigest()[:16]


@cache
def sources(module: str) -> tuple[str, ...]:
    """The modules in a fingerprint, in alphabetical order: this one and all that it imports, directly or not."""
    found: set[str] = set()
    waiting = [module]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += (other for other in _imported(name) if _counts(other))
    return tuple(sorted(found))


def _counts(name: str) -> bool:
    return name not in LEFT_OUT and name.rpartition(".")[2] not in SHOWN


def _imported(module: str) -> Iterator[str]:
    """The modules of these packages that one imports; of `from package import name` also `package.name`."""
    packages = (OWN, module.partition(".")[0])
    for origin, names, plain in _IMPORTS.findall(_source(module)):
        name = origin or plain
        if name.partition(".")[0] in packages:
            yield name
            if (spec := _spec(name)) and spec.submodule_search_locations:
                inner = (f"{name}.{each}" for each in re.findall(r"\b[a-z_]\w*", names))
                yield from filter(_spec, inner)


def _spec(name: str) -> ModuleSpec | None:
    try:
        return find_spec(name)
    except (ImportError, ValueError):
        return None


@cache
def _source(name: str) -> str:
    """A module's source with line ends made alike; where only compiled code is installed, that."""
    loader: Any = getattr(_spec(name), "loader", None)
    text: str | None = loader.get_source(name)
    return marshal.dumps(loader.get_code(name)).hex() if text is None else text


__all__ = ["fingerprint"]
