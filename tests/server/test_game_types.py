"""Game types as TypeScript: each kind of Python type that a board, an effect or facts may be made of."""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, Literal, cast

import jsonschema_rs
import msgspec
import pytest

from hotdice.game import Game
from hotdice.server.game_types import HEAD, types_of, typescript


@dataclass(frozen=True, slots=True)
class Box:
    """A box of a sheet."""

    name: str
    worth: int | None


@dataclass(frozen=True, slots=True)
class Sheet:
    boxes: tuple[Box, ...]
    pair: tuple[int, bool]
    phase: Literal["roll", "score"]
    odds: dict[str, float]
    mixed: tuple[int | str, ...] = ()


@dataclass(frozen=True, slots=True)
class Kept:
    kind: Literal["kept"]
    dice: int


@dataclass(frozen=True, slots=True)
class Scored:
    kind: Literal["scored"]
    box: Box


class Full:
    def board(self) -> Sheet: ...  # type: ignore[empty-body]
    def effect(self, move: object) -> Kept | Scored | None: ...
    def facts(self) -> Any: ...


class Hidden:
    def board(self) -> NowhereToBeFound: ...  # type: ignore[name-defined]  # noqa: F821
    def effect(self, move: object) -> Any: ...
    def facts(self) -> Any: ...


def game(state: type) -> Game:
    return cast("Game", SimpleNamespace(state=state, name="made-up"))


WRITTEN = """/** A box of a sheet. */
export interface Box {
  name: string
  worth: number | null
}

export interface Kept {
  kind: 'kept'
  dice: number
}

export interface Scored {
  kind: 'scored'
  box: Box
}

export interface Sheet {
  boxes: Box[]
  pair: [number, boolean]
  phase: 'roll' | 'score'
  odds: Record<string, number>
  mixed: (number | string)[]
}

export type Board = Sheet
export type Effect = Kept | Scored | null
"""


def test_each_type_has_its_typescript() -> None:
    assert typescript(types_of(game(Full))) == f"{HEAD}\n{WRITTEN}"


def test_what_is_sent_fits_and_nothing_else_does() -> None:
    types = types_of(game(Full))
    sheet = msgspec.to_builtins(Sheet((Box("fours", None),), (1, True), "roll", {"a": 0.5}))
    board = jsonschema_rs.validator_for(types.schema("board"))
    board.validate(sheet)
    assert not board.is_valid({**sheet, "more": 1})
    assert not board.is_valid({key: value for key, value in sheet.items() if key != "mixed"})
    effect = jsonschema_rs.validator_for(types.schema("effect"))
    effect.validate(None)
    effect.validate({"kind": "kept", "dice": 2})
    assert not effect.is_valid({"kind": "scored", "dice": 2})


def test_a_game_that_says_no_types_has_none() -> None:
    class Plain:
        def board(self) -> Any: ...
        def effect(self, move: object) -> Any: ...
        def facts(self) -> None: ...

    assert types_of(game(Plain)).hooks == {}


def test_a_type_that_cannot_be_found_is_named() -> None:
    with pytest.raises(ValueError, match=r"Hidden.board returns a type that cannot be found .*NowhereToBeFound"):
        types_of(game(Hidden))
