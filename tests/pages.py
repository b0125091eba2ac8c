"""The pages of the documentation as tests read them: their names, their code blocks and the command lines in them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md")),
    *sorted((ROOT / "examples").glob("*/README.md")),
    *sorted(DOCS.rglob("*.md")),
]
SHELLS = ("", "bash", "console", "sh", "shell", "text")
FENCE = re.compile(r"^( *)```([^\n]*)\n(.*?)^\1```", re.DOTALL | re.MULTILINE)
MARK = re.compile(r"<!-- (.*?) -->\s*\Z")
PROGRAM = r"(?:hotdice|make|pip|pipx|python|python3)"
COMMAND = re.compile(rf"(?:\$ +|[A-Za-z]\w*=)?(?:[A-Z_]+=\S+ +)*(?:\S*/bin/)?({PROGRAM}(?: .*)?)")


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block of a page."""

    page: Path
    line: int
    language: str
    text: str
    mark: str
    """The comment right above it, which may say why it does not run, or what runs it."""


@cache
def text_of(page: Path) -> str:
    return page.read_text("utf-8")


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def blocks(page: Path) -> Iterator[Block]:
    """The fenced blocks of a page."""
    text = text_of(page)
    for found in FENCE.finditer(text):
        mark = MARK.search(text, 0, found.start())
        line = text.count("\n", 0, found.start()) + 1
        yield Block(page, line, found[2].strip(), found[3], mark[1] if mark else "")


def prose(page: Path) -> str:
    """A page without its fenced blocks, on the same lines."""
    return FENCE.sub(lambda found: "\n" * found[0].count("\n"), text_of(page))


def commands(page: Path) -> Iterator[tuple[int, str]]:
    """The command lines of a page, without the words that explain them, and where they are."""
    for block in blocks(page):
        if block.language in SHELLS:
            for at, line in enumerate(block.text.splitlines(), block.line + 1):
                yield from _commands(at, line.strip())
    for at, line in enumerate(prose(page).splitlines(), 1):
        if line.startswith("    "):
            yield from _commands(at, line.strip())
        for inline in re.findall(r"`([^`]+)`", line):
            yield from _commands(at, inline)


def _commands(at: int, text: str) -> Iterator[tuple[int, str]]:
    if found := COMMAND.fullmatch(re.split(r"\s{2,}|\s#", text)[0]):
        yield at, found[1].strip()
