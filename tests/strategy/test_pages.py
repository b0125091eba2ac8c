"""The strategy book is what its figures say: pages and charts are rendered anew and compared."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from strategy.book import CHAPTERS, FOLDER, files, index, kept

SVG = "{http://www.w3.org/2000/svg}"
CHARTS = sorted(FOLDER.glob("*.svg"))


@pytest.mark.parametrize("name", CHAPTERS)
def test_pages_and_charts_show_the_kept_figures(name: str) -> None:
    made = files(name, kept(name))
    for file, text in made.items():
        assert (FOLDER / file).read_text("utf-8") == text, f"{file} lags behind: python -m strategy {name} --render"
    assert {path.name for path in FOLDER.glob(f"{name}*") if path.suffix != ".json"} == set(made)


def test_the_first_page_lists_the_chapters() -> None:
    assert (FOLDER / "index.md").read_text("utf-8") == index()
    assert {path.stem for path in FOLDER.glob("*.json")} == set(CHAPTERS)


@pytest.mark.parametrize("chart", CHARTS, ids=lambda chart: chart.stem)
def test_charts_are_told_and_can_be_read_on_dark_paper(chart: Path) -> None:
    text = chart.read_text("utf-8")
    drawing = ElementTree.fromstring(text)  # noqa: S314 (our own)
    assert len(drawing.attrib["aria-label"]) > 20
    assert "prefers-color-scheme:dark" in text
    wide, high = float(drawing.attrib["width"]), float(drawing.attrib["height"])
    words = list(drawing.iter(f"{SVG}text"))
    assert words
    for word in words:
        x, y, length = float(word.attrib["x"]), float(word.attrib["y"]), 8.4 * len(word.text or "")
        kind = word.attrib.get("class", "")
        left = x - length if "end" in kind else x - length / 2 if "middle" in kind else x
        assert left >= -1, f"{word.text} begins outside"
        assert left + length <= wide + 1, f"{word.text} ends outside"
        assert 0 < y < high


@pytest.mark.parametrize("name", CHAPTERS)
def test_every_chart_is_shown_with_words_in_its_place(name: str) -> None:
    shown = re.findall(r"!\[(.+?)\]\((.+?)\)", (FOLDER / f"{name}.md").read_text("utf-8"))
    assert {file for _, file in shown} == {path.name for path in CHARTS if path.name.startswith(f"{name}-")}
