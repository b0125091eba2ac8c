"""Bots. A bot sees a state, as any player does, and chooses a legal move.

A bot is found by its name: some are here, others come with installed packages by the entry point group
`hotdice.bots`. Where any code may run, as on the command line, it can also be a class anywhere, as `module:Class`.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Collection
from importlib import import_module
from itertools import count
from pathlib import Path
from random import Random
from typing import Final, Protocol, cast

from hotdice.errors import BotError, SeatError
from hotdice.game import Move, State
from hotdice.notation import listed
from hotdice.plugins import Plugins, Unusable, cause


class Chooser(Protocol):
    """The one thing that a bot has to be able to do. It sees a state, which is all that a player sees."""

    def choose(self, state: State) -> Move:
        """A legal move in a state where a seat has to decide."""


class Player(Chooser, Protocol):
    """Anything that can decide for a seat: what a `Seat` takes as its player."""

    @property
    def kind(self) -> str:
        """The word by which players and records name this kind of bot."""


class RandomPlayer:
    """Any legal move, all equally likely."""

    kind: Final = "random"

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)

    def choose(self, state: State) -> Move:
        moves = state.legal_moves()
        return moves[int(self._random.random() * len(moves))]


class GreedyPlayer:
    """The game's own simple rule for a sensible move."""

    kind: Final = "greedy"

    def __init__(self, seed: int) -> None:
        """The rule needs no luck; the seed is taken because every bot is made with one."""

    def choose(self, state: State) -> Move:
        return state.game.greedy(state)


class GuestPlayer:
    """A bot of somebody else's. Whatever it does wrong becomes one sentence that names it."""

    def __init__(self, kind: str, bot: Chooser) -> None:
        self.kind = kind
        self._bot = bot

    def choose(self, state: State) -> Move:
        try:
            move = self._bot.choose(state)
        except Exception as error:
            raise BotError(f"The bot “{self.kind}” failed at “{state.position}”: {cause(error)}.") from error
        if not isinstance(move, Move) or move not in state.legal_moves():
            shown = f"“{move.text}”" if isinstance(move, Move) else f"{move!r:.40}"
            raise BotError(f"The bot “{self.kind}” chose {shown}, which is not a legal move at “{state.position}”.")
        return move


def reason_of(kind: str, state: State, move: Move) -> str:
    """Why a bot of that kind made a move, as half a sentence; nothing where only values can say it."""
    return "it plays at random" if kind == RandomPlayer.kind else state.reason(move)


# Finding them

GROUP: Final = "hotdice.bots"
"""The entry point group by which an installed package brings bots: a name, and what makes one from a seed."""
LEVELS: Final = ("beginner", "casual", "expert", "optimal")
"""The bots that know values, from the weakest to the best."""
_NAMES: Final = (RandomPlayer.kind, GreedyPlayer.kind, *LEVELS)
_CLASS: Final = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*:[^\W\d]\w*")


CALLED: Final = (
    "Otto", "Pixel", "Momo", "Gizmo", "Zippy", "Kip", "Rusty", "Fizz", "Tilda", "Hugo", "Juno", "Noodle", "Sprout",
    "Vera", "Ivy", "Luna", "Echo", "Wim", "Yoyo", "Quill", "Ulla", "Xeno", "Bolt", "Cosmo", "Dot", "Ada",
)  # fmt: skip
"""What bots are called, each with a first letter of its own."""


def _accept(name: str, found: object) -> Callable[[int], Chooser]:
    if not callable(found):
        raise Unusable("it cannot be called with a seed")
    return cast(Callable[[int], Chooser], found)


_installed: Final = Plugins(GROUP, "bot", lambda: {*_NAMES, "person"}, _accept)


def bot_names() -> tuple[str, ...]:
    """All bots that have names: those of Hotdice, then those of installed packages."""
    return (*_NAMES, *_installed.names())


def free_name(taken: Collection[str]) -> str:
    """A name for the next bot at a table, with a first letter that nobody else has, as long as there is one."""
    letters = {name[:1].casefold() for name in taken}
    free = [name for name in CALLED if name not in taken]
    for name in free:
        if name[0].casefold() not in letters:
            return name
    return free[0] if free else next(name for n in count(2) if (name := f"{CALLED[0]} {n}") not in taken)


def named_bot(kind: str) -> bool:
    """Whether there is a bot of that name."""
    return kind in _NAMES or _installed.get(kind) is not None


def make_player(kind: str, seed: int) -> Player:
    """A bot by its name, or as `module:Class`, which imports the module: whoever names it may run code here.

    What a bot leaves to chance follows from the seed. `SeatError` if there is no such bot, or it cannot be made. A bot
    of somebody else's is wrapped, so that whatever it does wrong is a `BotError` that names it.
    """
    if kind == RandomPlayer.kind:
        return RandomPlayer(seed)
    if kind == GreedyPlayer.kind:
        return GreedyPlayer(seed)
    if kind in LEVELS:
        return _level(kind, seed)
    if _CLASS.fullmatch(kind):
        return _guest(kind, _find_class(kind), seed)
    if make := _installed.get(kind):
        return _guest(kind, make, seed)
    raise SeatError(f"There is no bot “{kind}”; there are {listed(bot_names())}.")


def _level(kind: str, seed: int) -> Player:
    """A bot that knows values. What it needs is loaded when one is made, as it is not part of the core."""
    try:
        levels = import_module("hotdice.players.levels")
    except ImportError as error:
        raise SeatError(f"The bot “{kind}” needs {error.name}: pip install 'hotdice[solve]'.") from None
    made: Player = levels.LevelPlayer(kind, seed)
    return made


def _guest(kind: str, make: Callable[[int], Chooser], seed: int) -> Player:
    try:
        bot = make(seed)
    except Exception as error:
        raise SeatError(f"The bot “{kind}” cannot be made: {cause(error)}.") from error
    if not callable(getattr(bot, "choose", None)):
        raise SeatError(f"The bot “{kind}” cannot play: it has no “choose(state)”, which gives a legal move.")
    return GuestPlayer(kind, bot)


def _find_class(kind: str) -> Callable[[int], Chooser]:
    module, _, name = kind.partition(":")
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.append(here)  # a program that is installed is not looked for where it is called
    try:
        found = getattr(import_module(module), name, None)
    except (Exception, SystemExit) as error:
        raise SeatError(f"The bot “{kind}” cannot be loaded: {cause(error)}.") from error
    if not isinstance(found, type):
        raise SeatError(f"The bot “{kind}” cannot be loaded: {module} has no class {name}.")
    if not callable(getattr(found, "choose", None)):  # asked before it is made: a record may name any class there is
        raise SeatError(f"The bot “{kind}” cannot play: it has no “choose(state)”, which gives a legal move.")
    return found


__all__ = ["LEVELS", "Chooser", "GreedyPlayer", "Player", "RandomPlayer", "bot_names", "make_player"]
