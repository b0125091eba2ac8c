"""The shelf: every game by its name.

A game is a folder here, or comes with an installed package by the entry point group `hotdice.games`. Games register
themselves when they are imported, and are imported when somebody asks for them.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Final, Literal, TypeVar, overload

from hotdice.errors import ParseError, UnknownGame
from hotdice.game import Game, State
from hotdice.notation import Fields, listed, words
from hotdice.options import Options
from hotdice.plugins import NAME, Plugins, Unusable

if TYPE_CHECKING:
    # The states of the games on this shelf, for the overloads below; `make types` writes both.
    from hotdice.games.bj import BjState
    from hotdice.games.kismet import KismetState
    from hotdice.games.kor import KorState
    from hotdice.games.pig import PigState
    from hotdice.games.rollers import RollersState

S = TypeVar("S", bound=State)

GROUP: Final = "hotdice.games"
"""The entry point group by which an installed package brings games: a name, and where its `Game` is."""

_registry: dict[str, Game] = {}


def register(game: Game[S]) -> Game[S]:
    """Make a game known by its name, and give it back. A package with an entry point need not call this.

    `ValueError` if the name is taken or cannot be one, or if the states belong to another game.
    """
    if not NAME.fullmatch(game.name):
        raise ValueError(f"“{game.name}” cannot name a game: write a small letter, then small letters, digits, - and _")
    if game.name in _registry:
        raise ValueError(f"a game named {game.name} is registered already")
    owner = vars(game.state).get("game")
    if isinstance(owner, Game) and owner in _registry.values():
        raise ValueError(f"{game.state.__name__} is the state of {owner.name}: make a class for {game.name}")
    game.state.game = game
    _registry[game.name] = game
    return game


def all_games() -> tuple[Game, ...]:
    """All games, those of installed packages too, in alphabetical order of their names. All are imported for that."""
    for name in _folders():
        import_module(f"{__name__}.{name}")
    known = frozenset(_registry)
    for name in _registry.keys() - known.union(_installed.names()):
        del _registry[name]  # registered by a package that is left out
    return tuple(_registry[name] for name in sorted(_registry))


if TYPE_CHECKING:  # Where the name of a game is known, its states are.

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
    """The game of that name; `UnknownGame`, which names those there are, if there is none.

    >>> import hotdice
    >>> hotdice.load_game("kor").title
    "KOR, Keep On Rollin'"
    """
    if name not in _registry:
        if name in _folders():
            import_module(f"{__name__}.{name}")
        else:
            all_games()
    if name not in _registry:
        raise UnknownGame(f"There is no game “{name}”; there are {listed(game.name for game in all_games())}.")
    return _registry[name]


@cache
def _folders() -> frozenset[str]:
    return frozenset(module.name for module in iter_modules(__path__))


def _accept(name: str, found: object) -> Game:
    """Register what an installed package brings as a game of that name, unless importing it has done so."""
    if not isinstance(found, Game):
        raise Unusable(f"it is of type {type(found).__name__}, not Game")
    if found.name != name:
        raise Unusable(f"the game calls itself {found.name}")
    return found if _registry.get(name) is found else register(found)


_installed: Final = Plugins(GROUP, "game", _folders, _accept)


def parse_game(text: str) -> tuple[Game, Options]:
    """A game and its house rules from canonical text; `UnknownGame`, `OptionError` or `ParseError` if it is none.

    >>> import hotdice
    >>> game, options = hotdice.parse_game("kor(bank_roll=true)")
    >>> options.bank_roll, options.target
    (True, 6000)
    """
    name, bracket, rest = text.partition("(")
    found = load_game(name)
    if not bracket:
        return found, found.options()
    inside, closed, after = rest.partition(")")
    if not closed or after:
        raise ParseError(f"“{text}” should end with the one closing bracket of its options.", len(text))
    return found, found.options.parse(inside)


def parse_position(text: str) -> State:
    """The state that a position describes, as `State.position` writes it.

    `ParseError` says in which column something is wrong; `UnknownGame` and `OptionError` are about its first word.

    >>> import hotdice
    >>> state = hotdice.parse_position("pig(target=50) 12/0/30 3 4 decide")
    >>> state.players, state.seat, state.scores
    (3, 2, (12, 0, 30))
    """
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


__all__ = ["all_games", "load_game", "parse_game", "parse_position", "register"]
