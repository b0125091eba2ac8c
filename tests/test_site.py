"""The documentation as it is built: every link leads somewhere, and nothing is fetched from elsewhere."""

from __future__ import annotations

import re
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from hatch_build import Site

ROOT = Path(__file__).parents[1]
SITE = Site(ROOT)
PAGES = sorted(SITE.built.rglob("*.html"))
LOADING = {"img", "script", "source", "iframe", "video", "audio"}
"""Elements that load what they name."""


class Page(HTMLParser):
    """What a page links to and loads, where links into it may lead, and its paragraphs."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.path = path
        self.links: list[str] = []
        self.loads: list[str] = []
        self.places: set[str] = set()
        self.paragraphs: list[str] = []
        self._inside: list[str] = []
        self.feed(path.read_text("utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = {name: value or "" for name, value in attrs}
        self.places |= {named[name] for name in ("id", "name") if name in named}
        if tag == "a" and "href" in named:
            self.links.append(named["href"])
        if tag in LOADING:
            self.loads += [named[name] for name in ("src", "srcset") if name in named]
        if tag == "link" and "stylesheet" in named.get("rel", "") + named.get("as", ""):
            self.loads.append(named["href"])
        if tag in ("p", "code"):
            self._inside.append(tag)
            if tag == "p":
                self.paragraphs.append("")

    def handle_endtag(self, tag: str) -> None:
        if tag in self._inside:
            del self._inside[self._inside.index(tag) :]

    def handle_data(self, data: str) -> None:
        if self._inside == ["p"]:
            self.paragraphs[-1] += data


@cache
def page(path: Path) -> Page:
    return Page(path)


def test_it_is_built_from_the_pages_as_they_are() -> None:
    assert SITE.is_built(), "The documentation is not built from docs/ as it is: run `make setup`."
    assert len(PAGES) > len(list((ROOT / "docs").rglob("*.md")))


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.relative_to(SITE.built).as_posix())
def test_every_link_leads_somewhere(path: Path) -> None:
    lost = path.name == "404.html"  # which is shown at any address
    for link in page(path).links:
        parts = urlsplit(link)
        if parts.scheme in ("http", "https", "mailto"):
            continue
        assert not parts.scheme, link
        assert not parts.netloc, link
        name = unquote(parts.path)
        if lost and name:
            assert name.startswith("/docs/"), link
            name = name.removeprefix("/docs/")
        target = (path if not parts.path else (SITE.built if lost else path.parent) / name).resolve()
        target = target / "index.html" if target.is_dir() else target
        assert target.is_file(), f"{link} leads nowhere"
        if parts.fragment and target.suffix == ".html":
            assert unquote(parts.fragment) in page(target).places, f"{link} leads to no such place in {target.name}"


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.relative_to(SITE.built).as_posix())
def test_nothing_is_fetched_from_elsewhere(path: Path) -> None:
    for link in page(path).loads:
        parts = urlsplit(link)
        assert not parts.scheme, link
        assert not parts.netloc, link
        if path.name != "404.html":
            assert (path.parent / unquote(parts.path)).is_file(), link


def test_no_style_fetches_anything_from_elsewhere() -> None:
    for style in SITE.built.rglob("*.css"):
        for link in re.findall(r"url\(\s*[\"']?([^\"')]{1,60})", style.read_text("utf-8")):
            assert link.startswith("data:"), f"{style.name} fetches {link}"


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.relative_to(SITE.built).as_posix())
def test_no_list_or_table_is_left_as_text(path: Path) -> None:
    """Other readers of Markdown take a list without an empty line before it, or two spaces before an inner one."""
    for paragraph in page(path).paragraphs:
        for line in paragraph.splitlines():
            assert not re.match(r"\s*([-*+]|\d+\.) ", line), f"no list: {line!r}"
            assert not re.match(r"\s*\|.*\|\s*$", line), f"no table: {line!r}"
        assert "](" not in paragraph, f"no link: {paragraph!r}"


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.relative_to(SITE.built).as_posix())
def test_no_cell_shows_how_its_bar_was_written(path: Path) -> None:
    """Code with a bar in a table is <code>a &#124; b</code>, which all readers of Markdown show alike."""
    for cell in re.findall(r"<td>.*?</td>", path.read_text("utf-8"), re.DOTALL):
        assert r"\|" not in cell, cell


def test_what_pages_link_to_outside_of_docs_comes_along() -> None:
    page = ROOT / "docs" / "new-game.md"
    assert SITE.target(page, "../examples/farkle/README.md#bots") == ROOT / "examples/farkle/README.md"
    assert SITE.target(page, "../examples/learner") == ROOT / "examples/learner/README.md"
    assert SITE.target(page, "https://example.org/README.md") is None
    assert SITE.target(page, "../../elsewhere.md") is None
    assert SITE.place(ROOT / "docs/rules/kor.md") == "rules/kor.md"
    assert SITE.place(ROOT / "CHANGELOG.md") == "changelog.md"
    assert SITE.place(ROOT / "examples/farkle/README.md") == "repository/examples/farkle.md"
    assert SITE.place(ROOT / "examples/learner/curve.png") == "repository/examples/learner/curve.png"
    assert SITE.place(ROOT / "hatch_build.py") == "repository/hatch_build.py.md"
