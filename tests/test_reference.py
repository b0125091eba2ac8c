"""The reference says what the code says, of all that is public and of every game; so do `load_game`'s overloads."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, fields
from importlib import import_module
from pathlib import Path

import pytest

from hotdice import load_game
from hotdice.dice import Roll
from hotdice.game import Move
from hotdice.reference import areas, shelf, sources

ROOT = Path(__file__).parent.parent
PAGE = (areas.API / "games.md").read_text("utf-8")
SHELF = shelf.SHELF.read_text("utf-8")
COVERED = shelf.covered(PAGE)
KNOWN = shelf.known_to_checkers(SHELF)
PAGES = areas.pages(COVERED)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_every_page_is_up_to_date(path: Path) -> None:
    assert path.is_file(), f"{path.name} is missing: run `make types`."
    assert path.read_text("utf-8") == PAGES[path], f"{path.name} is not what the code says now: run `make types`."


def test_no_page_is_left_over() -> None:
    assert set(areas.API.glob("*")) == {path for path in PAGES if path.parent == areas.API}


# What is public


@pytest.mark.parametrize("area", areas.AREAS, ids=lambda area: area.name)
def test_everything_public_says_what_it_means(area: areas.Area) -> None:
    missing = list(areas.undocumented(area))
    assert not missing, f"write docstrings for {', '.join(missing)}"


@pytest.mark.parametrize("module", [module for area in areas.AREAS for module in area.modules])
def test_what_is_public_is_there(module: str) -> None:
    """What the sources say is what a running program finds; OpenSpiel need not be installed for that."""
    if module.endswith(".spiel"):
        pytest.importorskip("pyspiel")
    found = import_module(module)
    for name in areas.names(module):
        assert hasattr(found, name), f"{module} has no {name}"


def test_a_name_is_described_in_one_place() -> None:
    described = [one for area in areas.AREAS for module in area.modules for one in areas.described(area, module)]
    assert sorted((one.module, one.name) for one in described) == sorted(areas.homes())


def imported(text: str) -> Iterator[tuple[str, str]]:
    """The names that code takes from Hotdice, with their modules."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.partition(".")[0] == "hotdice":
            yield from ((node.module, alias.name) for alias in node.names)


def shown() -> Iterator[tuple[str, str]]:
    """What the documentation and the examples import, and where they do so."""
    for path in sorted((ROOT / "examples").rglob("*.py")):
        for module, name in imported(path.read_text("utf-8")):
            yield f"{module}:{name}", path.name
    for path in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        for line in re.findall(r"^(?:>>> )?(from hotdice[\w.]* import [\w, ]+)", path.read_text("utf-8"), re.MULTILINE):
            for module, name in imported(line):
                yield f"{module}:{name}", path.name


@pytest.mark.parametrize("name", sorted({name for name, _ in shown()}))
def test_what_the_documentation_uses_is_public(name: str) -> None:
    module, _, name = name.partition(":")
    known = {one for area in areas.AREAS for one in area.modules}
    if f"{module}.{name}" in known or re.fullmatch(r"hotdice\.games\.\w+(\.\w+)*", module):
        return  # a module, or what a game has of its own
    assert module in known, f"{module} is not public: add it to AREAS, or show something that is"
    assert name in areas.names(module), f"{module}.{name} is not public: add it to `__all__`"


# The data of every game


@pytest.mark.parametrize("name", COVERED)
def test_every_field_of_a_state_and_its_data_has_a_meaning(name: str) -> None:
    game = load_game(name)
    kinds = [game.state, *dict.fromkeys(type(data) for data in shelf.data_of(game) if data is not None)]
    for kind in kinds:
        documented = {member for member, about in sources.members(kind).items() if about.meaning}
        missing = {field.name for field in fields(kind)} - documented
        assert not missing, f"{kind.__name__} does not say what {missing} mean: write a docstring below each field."


def test_the_overloads_are_up_to_date() -> None:
    assert shelf.overloaded(SHELF, KNOWN) == SHELF, "hotdice/games/__init__.py is not right: run `make types`."


@pytest.mark.parametrize("name", KNOWN)
def test_an_overload_names_the_state_that_the_game_has(name: str) -> None:
    state = load_game(name).state
    assert getattr(import_module(f"hotdice.games.{name}"), state.__name__) is state
    assert f'def load_game(name: Literal["{name}"]) -> Game[{state.__name__}]: ...' in SHELF


def test_what_is_written_covers_every_game_of_the_shelf() -> None:
    """A game that is not listed yet is added by the next `make types`; one that is gone is dropped."""
    names = shelf.on_the_shelf()
    assert shelf.covered(shelf.page(names)) == names
    assert shelf.known_to_checkers(shelf.overloaded(SHELF, names)) == names
    assert {*COVERED, *KNOWN} <= set(names)
    assert shelf.overloaded(shelf.overloaded(SHELF, names[:1]), KNOWN) == SHELF


def test_a_shelf_without_a_list_of_games_is_refused() -> None:
    with pytest.raises(ValueError, match="has 0 lists of games where there should be one"):
        shelf.overloaded("pass\n", KNOWN)


# How sources are read


@dataclass(frozen=True, slots=True)
class Sample(Move):
    """A move
    of two lines.

    And more.
    """

    dice: Roll
    """Which dice."""
    other: int | None
    _hidden: int
    last: int = 3

    @property
    def text(self) -> str:
        return "sample"

    def worth(self, seat: int, *more: int, twice: bool = False, **rest: str) -> int:
        """What it is
        worth."""
        return seat * (1 + twice)


def test_members_are_read_from_the_source() -> None:
    call = "worth(seat: int, *more: int, twice: bool = False, **rest: str) -> int"
    assert sources.members(Sample) == {
        "dice": sources.Member("dice", "Roll", "Which dice."),
        "other": sources.Member("other", "int | None", ""),
        "last": sources.Member("last", "int", "", usual="3"),
        "text": sources.Member("text", "str", ""),
        "worth": sources.Member("worth(seat, twice)", "int", "What it is\nworth.", call),
    }


def test_docstrings_become_markdown() -> None:
    text = "A line\nand another.\n\n>>> 1\n1\n\n>>> 2\n2\n\n    kept as\n    it is\n\nThe end."
    assert sources.paragraphs(text) == (
        "A line and another.\n\n```python\n>>> 1\n1\n\n>>> 2\n2\n\n```\n\n    kept as\n    it is\n\nThe end."
    )


def test_a_class_that_is_named_leads_to_its_description() -> None:
    text = PAGES[areas.API / "values.md"]
    assert "[`IllegalMove`](game.md#illegalmove)" in text
    assert "[`Evaluator`](#evaluator)" in text
