"""What is to be played, as data that other processes and machines understand, and what plays it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from hotdice.errors import HotdiceError
from hotdice.game import Game, Move, State
from hotdice.games import parse_game
from hotdice.notation import listed
from hotdice.options import Options
from hotdice.players import bot_names, make_player
from hotdice.simulation.engine import Engine
from hotdice.solve.batches import LEVELS, Columns, PlayMany, Simulator, Strategy
from hotdice.values import Progress, no_progress

Policy = Strategy | Callable[[State], Move]
"""Who plays in a seat: a strategy or a bot by its name, or a function from a state to a legal move."""

SIMPLE: Final = ("random", "greedy", *LEVELS)
"""The strategies that every game has."""
KEPT: Final = 2048
"""The most plans that are remembered: all seatings of a tournament."""
_NUMBERS: Final = re.compile(r"([a-z_]+):(\d{1,9}(?:/\d{1,9})*)")


@dataclass(frozen=True, slots=True)
class Plan:
    """A game with its house rules, who plays in each seat, and the seed."""

    game: str
    """As text: `bj(dice=5)`."""
    players: tuple[Policy, ...]
    seed: int

    @classmethod
    def of(cls, game: Game, options: Options, players: Sequence[str | Policy], seed: int) -> Plan:
        """A plan whose players are known and as many as the game takes."""
        game.start(len(players), options)
        found = tuple(read_policy(game, one) if isinstance(one, str) else one for one in players)
        return cls(game.text(options), found, seed)

    @property
    def names(self) -> tuple[str, ...]:
        """What the players are called."""
        return tuple(name_of(player) for player in self.players)

    @property
    def statistics(self) -> dict[str, str]:
        """What the game counts, and what that is in words."""
        simulator = simulator_of(parse_game(self.game)[0])
        return dict(simulator.statistics) if simulator else {}


def name_of(player: Policy) -> str:
    """What a player is called in tables."""
    return player.text if isinstance(player, Strategy) else getattr(player, "__name__", "function")


def simulator_of(game: Game) -> Simulator | None:
    """What plays a game compiled, if it has that."""
    return game.simulator() if game.simulator else None


def read_policy(game: Game, text: str) -> Strategy:
    """A strategy of every game or of this one, or a bot by its name or as `module:Class`."""
    simulator = simulator_of(game)
    own = simulator.strategies if simulator else {}
    found = _NUMBERS.fullmatch(text)
    name, numbers = (found[1], found[2]) if found else (text, "")
    strategy = Strategy(name, tuple(map(int, numbers.split("/"))) if numbers else ())
    if simulator and name in own:
        simulator.chooser(strategy)
        return strategy
    if numbers and name in SIMPLE:
        raise HotdiceError(f"“{name}” takes no numbers; write it alone.")
    if text in SIMPLE:
        return strategy
    if ":" not in text and text not in bot_names():
        raise HotdiceError(f"There is no player “{text}” in {game.title}; there are {listed((*bot_names(), *own))}.")
    make_player(text, 0)
    return Strategy(text)


@dataclass(frozen=True, slots=True)
class Prepared:
    """What plays a plan, and whether it is compiled."""

    play: PlayMany
    compiled: bool
    players: int
    statistics: int

    def columns(self, seed: int, first: int, games: int) -> Columns:
        """Some games, from the one of that number on."""
        made = Columns.empty(games, self.players, self.statistics)
        self.play(seed, first, made)
        return made


def prepare(plan: Plan, progress: Progress = no_progress) -> Prepared:
    """What plays a plan, tables loaded or solved first."""
    game, options = parse_game(plan.game)
    simulator = simulator_of(game)
    strategies = [player for player in plan.players if isinstance(player, Strategy)]
    known = {*SIMPLE, *(simulator.strategies if simulator else ())}
    play = None
    if simulator and len(strategies) == len(plan.players) and all(one.name in known for one in strategies):
        play = simulator.compiled(options, strategies, progress)
    compiled = play is not None
    if play is None:
        play = Engine(game.start(len(plan.players), options), plan.players, simulator).play_many
    return Prepared(play, compiled, len(plan.players), len(simulator.statistics) if simulator else 0)


_ready: dict[Plan, Prepared] = {}


def prepare_again(plan: Plan, progress: Progress = no_progress) -> Prepared:
    """The same, remembered, for those who get one piece of work after the other."""
    if plan not in _ready:
        if len(_ready) >= KEPT:
            _ready.clear()
        _ready[plan] = prepare(plan, progress)
    return _ready[plan]
