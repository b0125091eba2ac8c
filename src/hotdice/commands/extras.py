"""The extras: which packages each of them needs, and which is the smallest that brings a package."""

from __future__ import annotations

import re
import sys
from functools import cache
from importlib.metadata import PackageNotFoundError, requires, version
from typing import Final

_REQUIREMENT: Final = re.compile(r"([\w.-]+)(?:\[([\w,]+)\])?[^;]*;(.*)")
_EXTRA: Final = re.compile(r"""extra\s*==\s*['"]([\w-]+)['"]""")


@cache
def needs() -> dict[str, frozenset[str]]:
    """The packages of each extra, those of extras that it names included."""
    own: dict[str, set[str]] = {}
    named: dict[str, set[str]] = {}
    for line in requires("hotdice") or ():
        match = _REQUIREMENT.fullmatch(line)
        extra = _EXTRA.search(match[3]) if match else None
        if match and extra:
            own.setdefault(extra[1], set())
            if match[1].lower() == "hotdice":
                named.setdefault(extra[1], set()).update(match[2].split(","))
            else:
                own[extra[1]].add(match[1].lower())

    def of(extra: str) -> frozenset[str]:
        return frozenset(own.get(extra, set())).union(*map(of, named.get(extra, ())))

    return {extra: of(extra) for extra in own}


def smallest(package: str) -> str | None:
    """The extra with the fewest packages that has this one among them, if any has."""
    found = needs()
    return min((extra for extra in found if package in found[extra]), key=lambda extra: len(found[extra]), default=None)


def remedy(error: ModuleNotFoundError) -> str | None:
    """What to type where a package of an extra is not there; nothing if none has it."""
    package = (error.name or "").partition(".")[0]
    extra = smallest(package)
    return f"This needs {package}: pip install 'hotdice[{extra}]'." if extra else None


def installed(package: str) -> bool:
    """Whether a package is there, or is not for this system."""
    try:
        version(package)
    except PackageNotFoundError:
        return package == "uvloop" and sys.platform == "win32"
    return True
