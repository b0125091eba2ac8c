"""What the shell offers after Tab: games, their house rules, bots and saved games. Nothing that it fails at is said."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any, Final

from hotdice.errors import HotdiceError
from hotdice.games import all_games, load_game
from hotdice.options import value_text
from hotdice.paper import PAPERS

Offer = tuple[str, str]
"""A word, and what it means."""


BREAKS: Final = "=:"
"""Signs at which bash takes a word apart."""


def for_bash(complete: Callable[[], object]) -> None:
    """Complete what bash has taken apart at some signs: it wants only what follows the last of them."""
    words = os.environ["COMP_WORDS"].split("\n")
    at = int(os.environ["COMP_CWORD"])
    whole: list[str] = []
    for word in words[: at + 1]:
        if whole and (word in BREAKS or whole[-1][-1:] in BREAKS) and word and len(whole) > 1:
            whole[-1] += word
        else:
            whole.append(word)
    os.environ["COMP_WORDS"], os.environ["COMP_CWORD"] = "\n".join(whole), str(len(whole) - 1)
    before = max(whole[-1].rfind(sign) for sign in BREAKS) + 1
    said = io.StringIO()
    try:
        with redirect_stdout(said):
            complete()
    finally:
        for line in said.getvalue().splitlines():
            print(line[before:])


def games(incomplete: str) -> list[Offer]:
    """The games."""
    return [(game.name, game.title) for game in all_games() if game.name.startswith(incomplete.lower())]


def options(game: str | None, incomplete: str) -> list[Offer]:
    """A game's house rules, and their values once there is a `=`."""
    try:
        specs = load_game((game or "").lower()).options.specs()
    except HotdiceError:
        return []
    name, equals, value = incomplete.partition("=")
    begun = [spec for spec in specs if spec.name.startswith(name)]
    if not equals and len(begun) != 1:
        return [(f"{spec.name}=", spec.meaning) for spec in begun]
    if not equals:
        name = begun[0].name
    values = [value_text(each) for spec in specs if spec.name == name for each in spec.choices]
    return [(f"{name}={each}", "") for each in values if each.startswith(value)]


def papers(incomplete: str) -> list[Offer]:
    """The sizes of paper."""
    return [(paper.name, paper.title) for paper in PAPERS.values() if paper.name.startswith(incomplete.lower())]


def bots(incomplete: str) -> list[Offer]:
    """The bots, after a name and `=`, too."""
    from hotdice.players import bot_names

    before, equals, begun = incomplete.rpartition("=")
    return [(f"{before}{equals}{name}", "") for name in bot_names() if name.startswith(begun)]


def players(game: str | None, incomplete: str) -> list[Offer]:
    """Who can be simulated, after the last comma: bots, and the game's own strategies."""
    before, comma, begun = incomplete.rpartition(",")
    return [(f"{before}{comma}{name}", "") for name in _strategies(game) if name.startswith(begun)]


def _strategies(game: str | None) -> Iterator[str]:
    from hotdice.players import bot_names

    yield from bot_names()
    try:
        card: Any = load_game((game or "").lower())
        if card.simulator:
            yield from card.simulator().strategies
    except (HotdiceError, ImportError):
        return


def records(incomplete: str) -> list[Offer]:
    """Saved games, and files and folders here."""
    from hotdice.terminal.saves import folder

    begun = Path(incomplete)
    here = begun if incomplete.endswith("/") else begun.parent
    places = {path: f"{path}/" if path.is_dir() else str(path) for path in _inside(here)}
    if not incomplete.startswith("/"):
        places |= {path: str(path) for path in _inside(folder()) if path.name.startswith(begun.name)}
    return [(text, "") for path, text in sorted(places.items()) if text.startswith(incomplete) or path.is_absolute()]


def _inside(folder: Path) -> list[Path]:
    try:
        return [path for path in folder.iterdir() if path.is_dir() or path.suffix == ".hotdice"]
    except OSError:
        return []
