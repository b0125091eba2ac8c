"""Every code block in the documentation runs and prints what it says, every link leads somewhere, and every page is in
the navigation."""

from __future__ import annotations

import doctest
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from tests import weights

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md")),
    *sorted((ROOT / "examples").glob("*/README.md")),
    *sorted(DOCS.rglob("*.md")),
]
CODE = re.compile(r"^( *)```.*?^\1```|`[^`\n]+`", re.DOTALL | re.MULTILINE)


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


@cache
def prose(page: Path) -> str:
    """A page without its code."""
    return CODE.sub("`…`", page.read_text("utf-8"))


@cache
def places(page: Path) -> frozenset[str]:
    """Where links into a page may lead, as GitHub and the site name them."""
    text = re.sub(r"^( *)```.*?^\1```", "", page.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
    found: list[str] = []
    for heading in re.findall(r"^#{1,6} +(.+?) *$", text, re.MULTILINE):
        words = re.sub(r"\[([^]]*)\]\([^)]*\)|[`*]", r"\1", heading)
        found.append(re.sub(r" ", "-", re.sub(r"[^\w\- ]", "", words.lower())))
    return frozenset(found) | set(re.findall(r'\b(?:id|name)="([^"]+)"', text))


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_code_blocks_run(page: Path) -> None:
    failed, tried = doctest.testfile(str(page), module_relative=False, encoding="utf-8")
    assert failed == 0
    assert tried or ">>>" not in page.read_text("utf-8")


def test_the_readme_shows_code() -> None:
    assert doctest.testfile(str(PAGES[0]), module_relative=False, encoding="utf-8").attempted > 10


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_lead_somewhere(page: Path) -> None:
    for link in re.findall(r"""\]\(([^)\s]+)\)|\b(?:href|src|srcset)="([^"\s]+)\"""", prose(page)):
        parts = urlsplit(next(filter(None, link)))
        if parts.scheme or parts.netloc:
            continue
        target = page.parent / unquote(parts.path) if parts.path else page
        assert target.exists(), f"{link} leads nowhere"
        if parts.fragment:
            assert target.suffix == ".md", link
            assert unquote(parts.fragment) in places(target), f"{link} leads to no heading of {target.name}"


def listed(entries: list[dict[str, object]]) -> Iterator[str]:
    """The pages of a navigation."""
    for entry in entries:
        for found in entry.values():
            if isinstance(found, list):
                yield from listed(found)
            else:
                yield str(found)


def test_every_page_is_in_the_navigation() -> None:
    config = tomllib.loads((DOCS / "zensical.toml").read_text("utf-8"))
    found = list(listed(config["project"]["nav"]))
    written = {page.relative_to(DOCS).as_posix() for page in DOCS.rglob("*.md")}
    brought = {"changelog.md", "contributing.md", "security.md"}  # from the top of the repository
    assert written - set(found) == set(), "give these pages a line in docs/zensical.toml"
    assert set(found) - written == brought, "docs/zensical.toml lists pages that are not there"
    assert len(found) == len(set(found))


def test_the_extras_weigh_what_the_page_says() -> None:
    """Within a quarter, as the same package weighs more or less on other systems; measured by tests/weights.py."""
    text = (DOCS / "start.md").read_text("utf-8")
    rows = re.findall(r"^\| (none|`\w+`) \|.*\| (\d+) \| (\d+) MB \|$", text, re.MULTILINE)
    assert {name.strip("`") for name, _, _ in rows} == {"none", *weights.extras()}
    for name, packages, size in rows:
        found = weights.brought("" if name == "none" else name.strip("`"))
        assert int(packages) == pytest.approx(len(found), abs=3), (name, sorted(found))
        assert int(size) == pytest.approx(sum(found.values()), rel=0.25), name
    own = re.search(r"Hotdice's own (\d+) MB", text)
    assert own
    assert int(own[1]) == pytest.approx(weights.own(), rel=0.25, abs=1)


def test_the_two_doors_come_first() -> None:
    text = PAGES[0].read_text("utf-8")
    first = text.index("make play"), text.index("make test")
    assert max(first) < text.index("\n## ")


def test_the_record_in_the_docs_is_a_record() -> None:
    from hotdice.record import parse_record, read_record

    text = (ROOT / "docs/notation.md").read_text("utf-8")
    (block,) = re.findall(r"```\n(hotdice record 1\n.*?)```", text, re.DOTALL)
    assert parse_record(block).text == block
    read_record(block)
