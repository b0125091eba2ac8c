"""The reference says what the code says, for every game that it covers; so do the overloads of `load_game`."""

from __future__ import annotations

from dataclasses import dataclass, fields
from importlib import import_module

import pytest

from hotdice import load_game, reference
from hotdice.dice import Roll
from hotdice.game import Move

PAGE = reference.PAGE.read_text("utf-8")
SHELF = reference.SHELF.read_text("utf-8")
COVERED = reference.covered(PAGE)
KNOWN = reference.known_to_checkers(SHELF)


def test_the_page_is_up_to_date() -> None:
    assert reference.page(COVERED) == PAGE, "docs/reference.md is not what the code says now: run `make types`."


@pytest.mark.parametrize("name", COVERED)
def test_every_field_of_a_state_and_its_board_has_a_meaning(name: str) -> None:
    game = load_game(name)
    kinds = [game.state] + [type(board) for board in (game.start().board(),) if board is not None]
    for kind in kinds:
        documented = {member for member, about in reference.members(kind).items() if about.meaning}
        missing = {field.name for field in fields(kind)} - documented
        assert not missing, f"{kind.__name__} does not say what {missing} mean: write a docstring below each field."


def test_the_overloads_are_up_to_date() -> None:
    assert reference.overloaded(SHELF, KNOWN) == SHELF, "hotdice/games/__init__.py is not right: run `make types`."


@pytest.mark.parametrize("name", KNOWN)
def test_an_overload_names_the_state_that_the_game_has(name: str) -> None:
    state = load_game(name).state
    assert getattr(import_module(f"hotdice.games.{name}"), state.__name__) is state
    assert f'def load_game(name: Literal["{name}"]) -> Game[{state.__name__}]: ...' in SHELF


def test_what_is_written_covers_every_game_of_the_shelf() -> None:
    """A game that is not listed yet is added by the next `make types`; one that is gone is dropped."""
    names = reference.on_the_shelf()
    assert reference.covered(reference.page(names)) == names
    assert reference.known_to_checkers(reference.overloaded(SHELF, names)) == names
    assert {*COVERED, *KNOWN} <= set(names)
    assert reference.overloaded(reference.overloaded(SHELF, names[:1]), KNOWN) == SHELF


def test_a_shelf_without_a_list_of_games_is_refused() -> None:
    with pytest.raises(ValueError, match="has 0 lists of games where there should be one"):
        reference.overloaded("pass\n", KNOWN)


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

    @property
    def text(self) -> str:
        return "sample"

    def worth(self, seat: int, *, twice: bool = False) -> int:
        """What it is
        worth."""
        return seat * (1 + twice)


def test_members_are_read_from_the_source() -> None:
    assert reference.members(Sample) == {
        "dice": reference.Member("dice", "Roll", "Which dice."),
        "other": reference.Member("other", "int | None", ""),
        "text": reference.Member("text", "str", ""),
        "worth": reference.Member("worth(seat, twice)", "int", "What it is\nworth."),
    }
