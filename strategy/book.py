"""The book: its chapters, where they lie, and how figures become files.

A chapter is a package with `Figures` (a dataclass), `work` (which fills it in), `charts` and `page` (which show it).
Figures are kept as JSON beside the page, and everything that is shown is made from them alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, Final, Protocol, cast

import msgspec

from hotdice import load_game
from strategy.figures import Report

CHAPTERS: Final = ("kismet", "rollers", "kor", "bj")
FOLDER: Final = Path(__file__).parent.parent / "docs" / "strategy"


class Chapter(Protocol):
    """What a chapter's package has."""

    Figures: type[Any]
    """A dataclass of numbers, texts and other dataclasses."""
    SUMMARY: str
    """What the chapter answers, in one line."""

    def work(self, told: Report) -> Any:
        """Work the figures out."""

    def charts(self, figures: Any) -> Mapping[str, str]:
        """SVGs by their names, without an ending."""

    def page(self, figures: Any) -> str:
        """The page, as Markdown that shows `<game>-<chart>.svg`."""


def chapter(name: str) -> Chapter:
    """The chapter on a game."""
    return cast("Chapter", import_module(f"strategy.{name}"))


def kept(name: str) -> Any:
    """The figures that were worked out last."""
    return msgspec.json.decode((FOLDER / f"{name}.json").read_bytes(), type=chapter(name).Figures)


def keep(name: str, figures: Any) -> None:
    """Write figures down, to be read by people, too."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    text = msgspec.json.format(msgspec.json.encode(figures), indent=1)
    (FOLDER / f"{name}.json").write_bytes(text + b"\n")


def files(name: str, figures: Any) -> dict[str, str]:
    """The page and the charts of a chapter, by the names of their files."""
    made = chapter(name)
    charts = {f"{name}-{chart}.svg": svg for chart, svg in made.charts(figures).items()}
    return {f"{name}.md": _page(name, made.page(figures)), **charts}


def index() -> str:
    """The first page."""
    lines = "\n".join(
        f"- [{load_game(name).title}]({name}.md): {chapter(name).SUMMARY}"
        for name in CHAPTERS
        if (FOLDER / f"{name}.json").exists()
    )
    return f"""# The strategy book

What the solved tables know, for people at a table: rules of thumb first, with what each of them loses against the best
play, then the tables behind them.

{lines}

## How to read it

- **The best play** is that of the solver: no other play wins more often against it. [Exact play](../solving.md) says what is
  exact, and with what error.
- **Levels** are the program's own weaker players, which err as people do: rarely by much, more often where choices are
  close. `expert` loses 2% of what a player loses who chooses at random, `casual` 10% and `beginner` 30%; [bots](../bots.md)
  has the details.
- **±** is a 95% interval of figures that were sampled. Figures without it are exact to the digits shown.
- **What a rule loses** counts games in a hundred: one that loses 0.7% wins 49.3 games of a hundred against the best play,
  each player beginning half of them.

Figures, pages and charts are made by `make strategy`, which works out one game at a time (`make strategy ARGS=bj`). Sampled
games follow from the seed that the page names, so they come out the same each time. The figures lie beside the pages as JSON.
"""


def write(name: str) -> None:
    """Make the files of a chapter, and the first page, from the figures that are kept."""
    for file, text in files(name, kept(name)).items():
        (FOLDER / file).write_text(text, "utf-8")
    (FOLDER / "index.md").write_text(index(), "utf-8")


def _page(name: str, text: str) -> str:
    return f"{text.strip()}\n\n[The strategy book](index.md) · [these figures as JSON]({name}.json)\n"
