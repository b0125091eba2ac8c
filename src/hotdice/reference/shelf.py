"""The data of every game: what its states hold, its moves, its options, and what interfaces draw.

With the page come the overloads by which type checkers know the states of the games on the shelf.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any, Final

from hotdice import games
from hotdice.game import CHANCE, OVER, Game, Move, State, Word
from hotdice.options import value_text
from hotdice.reference.sources import Member, members, rows

SHELF: Final = Path(games.__file__)

_INTRODUCTION: Final = """\
# Each game

What the fields of every game's states mean, its moves, its options and the data of its board. What all states have in
common is in [The rules](game.md); the texts of moves and positions are in [notation.md](../notation.md).

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
from 0. A `Roll` is a sorted tuple of face codes. `make types` writes this page from the docstrings.
"""


def page(names: Iterable[str]) -> str:
    """The whole page, with the games of these names."""
    return "\n".join([_INTRODUCTION, *(section(games.load_game(name)) for name in names)])


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
    held = {field.name for field in fields(cls)}
    own = {name: member for name, member in members(cls).items() if name in held or name not in shared}
    yield _table(own.values())


def _moves(game: Game) -> Iterator[str]:
    found: dict[type[Move], list[Move]] = {}
    for move in game.actions(game.options(), game.min_players):
        found.setdefault(type(move), []).append(move)
    lines = []
    for kind, moves in found.items():
        if issubclass(kind, Word):
            use, shown = ", ".join(f"{kind.__name__}.{move.name}" for move in kind), moves
        else:
            names = ", ".join(field.name for field in fields(kind)) if is_dataclass(kind) else ""
            use, shown = f"{kind.__name__}({names})", [moves[len(moves) // 2]]
        lines.append((f"`{use}`", ", ".join(f"`{move.text}`" for move in shown), _opening(kind)))
    yield "### Moves\n\n" + rows(("Move", "In notation", "Meaning"), lines)


def _options(game: Game) -> Iterator[str]:
    specs = game.options.specs()
    if specs:
        lines = [(f"`{spec.name}`", spec.accepts, f"`{value_text(spec.default)}`", spec.meaning) for spec in specs]
        yield f"### {game.options.__name__}\n\n" + rows(("Option", "Takes", "Default", "Meaning"), lines)


def _data(game: Game) -> Iterator[str]:
    """The game's own data: of its board, what its moves change, what is fixed for a whole game."""
    for method, found in (("board()", _boards(game)), ("effect(move)", _effects(game)), ("facts()", _facts(game))):
        for kind in dict.fromkeys(map(type, found)):
            if is_dataclass(kind):
                text = f"From `{method}`: {_opening(kind)}"
                yield f"### {kind.__name__}\n\n{text}\n\n{_table(members(kind).values())}"


def data_of(game: Game) -> Iterator[Any]:
    """All that a game gives as data of its own, in a random game."""
    yield from _boards(game)
    yield from _effects(game)
    yield from _facts(game)


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
    return rows(
        ("Name", "Type", "Meaning"),
        [(f"`{one.use}`", f"`{one.type}`" if one.type else "", " ".join(one.meaning.split())) for one in found],
    )


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
