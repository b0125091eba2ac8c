"""What Hotdice and each of its extras bring and weigh on disk, read off the packages that are installed here.

python -m tests.weights    the table of docs/start.md
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from functools import cache
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


def extras() -> list[str]:
    """All extras of pyproject.toml."""
    return list(PROJECT["optional-dependencies"])


def brought(extra: str = "") -> dict[str, float]:
    """The packages that an extra needs, or Hotdice alone, with the megabytes that each has on disk."""
    return {name: megabytes(name) for name in _closure([Requirement(f"hotdice[{extra}]" if extra else "hotdice")])}


def own() -> float:
    """The megabytes of Hotdice itself, with the browser app and the documentation."""
    files = [
        path for path in (ROOT / "src" / "hotdice").rglob("*") if path.is_file() and "__pycache__" not in path.parts
    ]
    return sum(path.stat().st_size for path in files) / 1e6


@cache
def megabytes(name: str) -> float:
    """What a package weighs, without what Python compiles from it."""
    files = metadata.distribution(name).files or ()
    paths = [Path(str(file.locate())) for file in files if file.suffix != ".pyc"]
    return sum(path.stat().st_size for path in paths if path.is_file()) / 1e6


def _closure(wanted: Iterable[Requirement]) -> set[str]:
    """All packages that some need, without Hotdice."""
    waiting, seen, found = list(wanted), set[tuple[str, str]](), set[str]()
    while waiting:
        one = waiting.pop()
        name = canonicalize_name(one.name)
        for extra in {"", *one.extras}:
            if (name, extra) in seen:
                continue
            seen.add((name, extra))
            for text in _needs(name):
                need = Requirement(text)
                if need.marker is None or need.marker.evaluate({"extra": extra}):
                    waiting.append(need)
        if name != "hotdice":
            found.add(name)
    return found


def _needs(name: str) -> list[str]:
    if name != "hotdice":
        return metadata.requires(name) or []
    groups = PROJECT["optional-dependencies"].items()
    more = [f"{text.partition(';')[0]} ; {_and(text, extra)}" for extra, texts in groups for text in texts]
    return [*PROJECT["dependencies"], *more]


def _and(text: str, extra: str) -> str:
    marker = text.partition(";")[2]
    return f'extra == "{extra}"' + (f" and ({marker.strip()})" if marker else "")


if __name__ == "__main__":
    print(f"hotdice itself: {own():.0f} MB")
    for extra in ["", *extras()]:
        found = brought(extra)
        heaviest = ", ".join(sorted(found, key=lambda name: -found[name])[:4])
        size = sum(found.values())
        print(f"{extra or 'nothing':8} {len(found):3} packages {size:5.0f} MB, most of it {heaviest}")
