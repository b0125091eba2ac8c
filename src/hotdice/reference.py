"""The reference for people who use Hotdice from Python: `python -m hotdice.reference` writes it, as `make types` does.

`docs/reference.md` says what the contract holds and what the fields of every game mean; all of it is taken from the
docstrings. With it come the overloads by which type checkers know the states of the games on the shelf.
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, is_dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any, Final

from hotdice import games
from hotdice.dice import Distribution
from hotdice.game import CHANCE, OVER, Game, Move, State, Word
from hotdice.options import value_text
from hotdice.view import DieView, Grid, MoveView, Result, Standing, View

PAGE: Final = Path(__file__).parents[2] / "docs" / "reference.md"
SHELF: Final = Path(games.__file__)

CONTRACT: Final[tuple[type, ...]] = (
    Game, State, Move, Distribution, View, MoveView, DieView, Grid, Result, Standing
)  # fmt: skip
"""The classes that every game shares, in the order of the page."""


@dataclass(frozen=True, slots=True)
class Member:
    """A field, property or method of a class: how it is used, its type, and what it means."""

    use: str
    type: str
    meaning: str


def members(cls: type) -> dict[str, Member]:
    """The public members that a class defines itself, by name, in the order of its source."""
    body: list[ast.stmt] = _tree(sys.modules[cls.__module__].__file__ or "").body
    for name in cls.__qualname__.split("."):
        found = next((node for node in body if isinstance(node, ast.ClassDef) and node.name == name), None)
        if found is None:
            raise TypeError(f"{cls.__name__} has no class statement of its own")
        body = found.body
    return dict(_members(body))


@cache
def _tree(file: str) -> ast.Module:
    return ast.parse(Path(file).read_text("utf-8"))


def _members(body: list[ast.stmt]) -> Iterator[tuple[str, Member]]:
    for node, following in zip(body, [*body[1:], None], strict=True):
        match node:
            case ast.If(ast.Name("TYPE_CHECKING")):
                yield from _members(node.body)
            case ast.FunctionDef(name) if not name.startswith("_"):
                meaning = ast.get_docstring(node) or ""
                use = name if _is_property(node) else f"{name}({', '.join(_arguments(node.args))})"
                yield name, Member(use, ast.unparse(node.returns) if node.returns else "", meaning)
            case ast.AnnAssign(ast.Name(name), annotation) if not name.startswith("_"):
                match following:
                    case ast.Expr(ast.Constant(str(text))):
                        meaning = inspect.cleandoc(text)
                    case _:
                        meaning = ""
                yield name, Member(name, ast.unparse(annotation), meaning)


def _is_property(node: ast.FunctionDef) -> bool:
    return any(ast.unparse(mark) == "property" for mark in node.decorator_list)


def _arguments(arguments: ast.arguments) -> list[str]:
    return [argument.arg for argument in (*arguments.args[1:], *arguments.kwonlyargs)]


# The page


_INTRODUCTION: Final = """\
# Reference

What Python code can rely on: first the contract that all games share, then for each game what its state holds, its
moves, its options and the data of its board. `make types` writes this page from the docstrings. The texts of moves and
positions are in [notation.md](notation.md); how to write a game is in [new-game.md](new-game.md).

```python
>>> import hotdice
>>> state = hotdice.load_game("bj").start(players=3)
>>> state = state.roll(state.parse_roll("1 1 2 3 4 6"))
>>> state.seat, state.at_risk, state.dice
(0, 200, 4)
>>> state.board().all_dice
6

```

Where the name of the game is written out, as here, a type checker knows the fields of its states. Seats are counted
from 0. A `Roll` is a sorted tuple of face codes.
"""


def page(names: Iterable[str]) -> str:
    """The whole page, with the games of these names."""
    return "\n".join([_INTRODUCTION, *map(_shared, CONTRACT), *(section(games.load_game(name)) for name in names)])


def _shared(cls: type) -> str:
    return f"## {cls.__name__}\n\n{_opening(cls)}\n\n{_table(members(cls).values())}\n"


def section(game: Game) -> str:
    """What the page says about one game."""
    parts = (f"## {game.title} (`{game.name}`)", *_state(game), *_moves(game), *_options(game), *_data(game))
    return "\n\n".join(parts) + "\n"


def covered(text: str) -> list[str]:
    """The names of the games that a page covers."""
    return re.findall(r"^## .*\(`(.+)`\)$", text, re.MULTILINE)


def _state(game: Game) -> Iterator[str]:
    cls = game.state
    yield f"### {cls.__name__}\n\n{_opening(cls)}"
    shared = {name for base in cls.__mro__[1:] if base.__module__ == State.__module__ for name in members(base)}
    fields = cls.__dataclass_fields__
    own = {name: member for name, member in members(cls).items() if name in fields or name not in shared}
    yield _table(own.values())


def _moves(game: Game) -> Iterator[str]:
    found: dict[type[Move], list[Move]] = {}
    for move in game.actions(game.options(), game.min_players):
        found.setdefault(type(move), []).append(move)
    rows = []
    for kind, moves in found.items():
        if issubclass(kind, Word):
            use, shown = ", ".join(f"{kind.__name__}.{move.name}" for move in kind), moves
        else:
            names = ", ".join(name for name in members(kind) if name != "text")
            use, shown = f"{kind.__name__}({names})", [moves[len(moves) // 2]]
        rows.append((f"`{use}`", ", ".join(f"`{move.text}`" for move in shown), _opening(kind)))
    yield "### Moves\n\n" + _rows(("Move", "In notation", "Meaning"), rows)


def _options(game: Game) -> Iterator[str]:
    specs = game.options.specs()
    if specs:
        rows = [(f"`{spec.name}`", spec.accepts, f"`{value_text(spec.default)}`", spec.meaning) for spec in specs]
        yield f"### {game.options.__name__}\n\n" + _rows(("Option", "Takes", "Default", "Meaning"), rows)


def _data(game: Game) -> Iterator[str]:
    """The game's own data: of its board, what its moves change, what is fixed for a whole game."""
    for method, kinds in (("board()", _boards), ("effect(move)", _effects), ("facts()", _facts)):
        for kind in dict.fromkeys(map(type, kinds(game))):
            if is_dataclass(kind):
                text = f"From `{method}`: {_opening(kind)}"
                yield f"### {kind.__name__}\n\n{text}\n\n{_table(members(kind).values())}"


def _boards(game: Game) -> Iterator[Any]:
    yield game.start().board()


def _facts(game: Game) -> Iterator[Any]:
    yield game.start().facts()


def _effects(game: Game) -> Iterator[Any]:
    """The effects of all moves on the way through a random game."""
    draw = Random(1).random
    state = game.start()
    while state.seat != OVER:
        if state.seat == CHANCE:
            outcomes = state.outcomes()
            state = state.roll(outcomes.at(int(draw() * outcomes.total)))
        else:
            moves = state.legal_moves()
            yield from map(state.effect, moves)
            state = state.apply(moves[int(draw() * len(moves))])


def _opening(cls: type) -> str:
    """The first paragraph of a class's docstring."""
    return " ".join(inspect.cleandoc(cls.__doc__ or "").partition("\n\n")[0].split())


def _table(found: Iterable[Member]) -> str:
    rows = [(f"`{one.use}`", f"`{one.type}`" if one.type else "", " ".join(one.meaning.split())) for one in found]
    return _rows(("Name", "Type", "Meaning"), rows)


def _rows(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = (head, ("---",) * len(head), *rows)
    return "\n".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |" for line in lines)


# The overloads


def overloaded(text: str, names: Iterable[str]) -> str:
    """The source of the shelf, with the imports and overloads by which type checkers know the states of these games."""
    states = {name: games.load_game(name).state.__name__ for name in names}
    imports = [f"    from hotdice.games.{name} import {state}\n" for name, state in states.items()]
    overloads = [
        f'    @overload\n    def load_game(name: Literal["{name}"]) -> Game[{state}]: ...\n'
        for name, state in states.items()
    ]
    for pattern, lines in ((_IMPORTS, imports), (_OVERLOADS, overloads)):
        text, found = re.subn(pattern, "".join(lines), text)
        if found != 1:
            raise ValueError(f"{SHELF.name} has {found} lists of games where there should be one.")
    return text


_IMPORTS: Final = r"(?:    from hotdice\.games\.\w+ import \w+\n)+"
_OVERLOADS: Final = r'(?:    @overload\n    def load_game\(name: Literal\["\w+"\]\) -> Game\[\w+\]: \.\.\.\n)+'


def known_to_checkers(text: str) -> list[str]:
    """The names of the games that have an overload in the source of the shelf."""
    return re.findall(r'name: Literal\["(\w+)"\]', text)


def on_the_shelf() -> list[str]:
    """The games that live in a folder of the shelf and export their state from there."""
    found = [game for game in games.all_games() if game.state.__module__.startswith(f"{games.__name__}.")]
    return [game.name for game in found if hasattr(import_module(f"{games.__name__}.{game.name}"), game.state.__name__)]


def main() -> None:
    names = on_the_shelf()
    PAGE.write_text(page(names), "utf-8")
    SHELF.write_text(overloaded(SHELF.read_text("utf-8"), names), "utf-8")


if __name__ == "__main__":
    main()
