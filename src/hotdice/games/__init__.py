"""The shelf: every game by its name.

A game is a folder here, or comes with an installed package by the entry point group `hotdice.games`. Games register
themselves when they are imported, and are imported when somebody asks for them. One that cannot be loaded is named in
one line of the log and left out.
"""

from __future__ import annotations

import logging
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Final, Literal, TypeVar, overload

from hotdice.errors import ParseError, UnknownGame
from hotdice.game import Game, State
from hotdice.notation import Fields, listed, words
from hotdice.options import Options

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from hotdice.games.bj import BjState
    from hotdice.games.kismet import KismetState
    from hotdice.games.kor import KorState
    from hotdice.games.pig import PigState
    from hotdice.games.rollers import RollersState

S = TypeVar("S", bound=State)

GROUP: Final = "hotdice.games"
"""The entry point group by which an installed package brings games: a name, and where its `Game` is."""

_log: Final = logging.getLogger(__name__)
_registry: dict[str, Game] = {}
_broken: set[str] = set()
"""The installed games that could not be loaded."""


def register(game: Game[S]) -> Game[S]:
    """Make a game known by its name."""
    if game.name in _registry:
        raise ValueError(f"a game named {game.name} is registered already")
    game.state.game = game
    _registry[game.name] = game
    return game


def all_games() -> tuple[Game, ...]:
    """All games, in alphabetical order."""
    for name in _folders():
        import_module(f"{__name__}.{name}")
    for name, entry in _installed().items():
        _load(name, entry)
    return tuple(_registry[name] for name in sorted(_registry))


if TYPE_CHECKING:  # The states of the games on this shelf, where the name is known; `make types` lists them.

    @overload
    def load_game(name: Literal["bj"]) -> Game[BjState]: ...
    @overload
    def load_game(name: Literal["kismet"]) -> Game[KismetState]: ...
    @overload
    def load_game(name: Literal["kor"]) -> Game[KorState]: ...
    @overload
    def load_game(name: Literal["pig"]) -> Game[PigState]: ...
    @overload
    def load_game(name: Literal["rollers"]) -> Game[RollersState]: ...
    @overload
    def load_game(name: str) -> Game: ...


def load_game(name: str) -> Game:
    """The game of that name."""
    if name not in _registry:
        if name in _folders():
            import_module(f"{__name__}.{name}")
        elif name in _installed():
            _load(name, _installed()[name])
    if name not in _registry:
        raise UnknownGame(f"There is no game “{name}”; there are {listed(game.name for game in all_games())}.")
    return _registry[name]


@cache
def _folders() -> frozenset[str]:
    return frozenset(module.name for module in iter_modules(__path__))


@cache
def _installed() -> dict[str, EntryPoint]:
    """The games of installed packages. A name that is taken stays with the game on this shelf."""
    from importlib.metadata import entry_points  # here, so that importing hotdice stays quick

    found: dict[str, EntryPoint] = {}
    for entry in entry_points(group=GROUP):
        if entry.name in _folders() or entry.name in found:
            _log.warning("The game %s (%s) is left out: there is another of that name.", entry.name, entry.value)
        else:
            found[entry.name] = entry
    return found


def _load(name: str, entry: EntryPoint) -> None:
    """Register a game of an installed package, unless it is known or known to be broken."""
    if name in _registry or name in _broken:
        return
    try:
        game = entry.load()
        if not isinstance(game, Game):
            raise TypeError(f"{entry.value} is not a Game")
        if game.name != name:
            raise ValueError(f"it calls itself {game.name}")
        if _registry.get(name) is not game:  # importing it may have registered it
            register(game)
    except Exception as error:
        _registry.pop(name, None)
        _broken.add(name)
        reason = " ".join(str(error).split()) or type(error).__name__
        _log.warning("The game %s (%s) is left out: %s.", name, entry.value, reason.rstrip("."))


def parse_game(text: str) -> tuple[Game, Options]:
    """A game and its house rules from canonical text."""
    name, bracket, rest = text.partition("(")
    found = load_game(name)
    if not bracket:
        return found, found.options()
    inside, closed, after = rest.partition(")")
    if not closed or after:
        raise ParseError(f"“{text}” should end with the one closing bracket of its options.", len(text))
    return found, found.options.parse(inside)


def parse_position(text: str) -> State:
    """The state that a position describes."""
    found = words(text)
    if not found:
        raise ParseError("Nothing was typed; a position starts with the name of its game.")
    word, column = found[0]
    game, options = parse_game(word)
    after = column - 1 + len(word)
    fields = Fields(text[after:], game.state.fields, after + 1)
    start = fields.column
    state: State = game.state.read_fields(options, fields)
    fields.end()
    if not game.min_players <= state.players <= game.max_players:
        few, many = game.min_players, game.max_players
        raise ParseError(f"{game.title} takes {few} to {many} players; this position has {state.players}.", start)
    return state
