"""Every code block in the documentation runs and prints what it says, and every link leads somewhere."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_code_blocks_run(page: Path) -> None:
    failed, tried = doctest.testfile(str(page), module_relative=False, encoding="utf-8")
    assert failed == 0
    assert tried or ">>>" not in page.read_text("utf-8")


def test_the_readme_shows_code() -> None:
    assert doctest.testfile(str(PAGES[0]), module_relative=False, encoding="utf-8").attempted > 10


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text("utf-8")):
        assert (page.parent / target).exists(), target


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
