"""Every code block in the documentation runs and prints what it says, every link leads somewhere, and every page is in
the navigation."""

from __future__ import annotations

import doctest
import json
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from tests import manual, weights
from tests.pages import DOCS, PAGES, ROOT, Block, blocks, name_of, prose, text_of

INLINE = re.compile(r"`[^`\n]+`")
PYTHON = ("py", "pycon", "python")


@cache
def places(page: Path) -> frozenset[str]:
    """Where links into a page may lead, as GitHub and the site name them."""
    text = prose(page)
    found: list[str] = []
    for heading in re.findall(r"^#{1,6} +(.+?) *$", text, re.MULTILINE):
        words = re.sub(r"\[([^]]*)\]\([^)]*\)|[`*]", r"\1", heading)
        found.append(re.sub(r" ", "-", re.sub(r"[^\w\- ]", "", words.lower())))
    return frozenset(found) | set(re.findall(r'\b(?:id|name)="([^"]+)"', text))


def is_script(block: Block) -> bool:
    """Whether a block is Python, but no session with a prompt."""
    return block.language.split(" ")[0] in PYTHON and ">>> " not in block.text


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_code_blocks_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    failed, tried = doctest.testfile(str(page), module_relative=False, encoding="utf-8")
    assert failed == 0
    assert tried == len(re.findall(r"^ *>>> ", text_of(page), re.MULTILINE))
    assert "doctest: +SKIP" not in text_of(page)


@pytest.mark.parametrize("page", [page for page in PAGES if any(map(is_script, blocks(page)))], ids=name_of)
def test_code_that_is_no_session_runs_too(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One after the other, as somebody would type them; a comment above says so where another test runs one, or why
    none can: `<!-- run by tests/… -->`, `<!-- not run: … -->`."""
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": "__main__"}
    for block in filter(is_script, blocks(page)):
        match re.fullmatch(r"run by (tests/\S+)|not run: (.+)", block.mark):
            case None:
                code = "\n" * block.line + block.text
                exec(compile(code, name_of(page), "exec"), names)  # noqa: S102 (it is what the page shows)
            case found if found[1]:
                assert page.name in text_of(ROOT / found[1]), f"{found[1]} does not read {page.name}"
                compile(block.text, name_of(page), "exec")
            case _:
                compile(block.text, name_of(page), "exec")


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_data_that_is_shown_can_be_read(page: Path) -> None:
    for block in blocks(page):
        if block.language == "toml":
            tomllib.loads(block.text)
        elif block.language == "json":
            try:
                json.loads(block.text)
            except ValueError:  # several, each on a line
                for line in block.text.splitlines():
                    json.loads(line)


def test_the_readme_shows_ten_lines_of_code() -> None:
    assert doctest.testfile(str(PAGES[0]), module_relative=False, encoding="utf-8").attempted in range(8, 11)


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_lead_somewhere(page: Path) -> None:
    for link in re.findall(r"""\]\(([^)\s]+)\)|\b(?:href|src|srcset)="([^"\s]+)\"""", INLINE.sub("`…`", prose(page))):
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
    assert int(own[1]) == pytest.approx(weights.own(), rel=0.4)  # the pictures of the documentation come and go


def test_the_page_of_commands_is_what_the_command_line_says() -> None:
    assert manual.PAGE.read_text("utf-8") == manual.page(), "docs/commands.md lags behind: run `make types`."


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
