"""OpenSpiel's interface: every game as a Python game with explicit chance, under the name `hotdice_` and its own.

`register()` makes them known, so that `pyspiel.load_game("hotdice_pig(players=2,target=20)")` gives one and OpenSpiel's
algorithms run on it. House rules are parameters; a state is told by its position, and an observation is a tensor of the
numbers that the other interfaces have.

OpenSpiel wants bounds that the rules do not have: how long a game can be, and how many points a player alone can get.
Those given here are far beyond any game. Rolls are numbered as the distribution lists them.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from hotdice.envs.layout import Layout, layout_of
from hotdice.errors import HotdiceError
from hotdice.game import CHANCE, OVER, Game, State
from hotdice.games import all_games

try:
    import pyspiel
except ImportError as error:
    raise ImportError("OpenSpiel's interface needs pyspiel: install open_spiel.", name="pyspiel") from error

LONGEST: Final = 1_000_000
"""The decisions of a game are fewer, and so are its rolls."""
HIGHEST: Final = 1_000_000.0
"""A player alone gets fewer points."""
ROLLS: Final = 4096
"""No roll has more outcomes; Rollers' six dice have 1,512."""


def name_of(game: Game) -> str:
    """What OpenSpiel calls a game."""
    return f"hotdice_{game.name.replace('-', '_')}"


def register() -> None:
    """Make every game known to OpenSpiel; those that are known stay as they are."""
    known = set(pyspiel.registered_names())
    for game in all_games():
        if name_of(game) not in known:
            pyspiel.register_game(_type_of(game, game.min_players), _maker(game))


def _type_of(game: Game, players: int) -> Any:
    parameters = {spec.name: spec.default for spec in game.options.specs()} | {"players": game.min_players}
    utility = pyspiel.GameType.Utility
    return pyspiel.GameType(
        short_name=name_of(game),
        long_name=game.title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=utility.GENERAL_SUM if players == 1 else utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=game.max_players,
        min_num_players=game.min_players,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=False,
        parameter_specification=parameters,
        default_loadable=True,
    )


def _maker(game: Game) -> type[SpielGame]:
    """The class by which OpenSpiel makes a game."""
    return type(f"{game.state.__name__}Game", (SpielGame,), {"card": game})


class SpielGame(pyspiel.Game):  # type: ignore[misc]
    """A game as OpenSpiel knows it."""

    card: Game

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = dict(params or {})
        players = given.pop("players", self.card.min_players)
        self.card.start(players)
        self.layout: Layout = layout_of(self.card, self.card.options.make(given.items()), players)
        alone = players == 1
        information = pyspiel.GameInfo(
            num_distinct_actions=len(self.layout.actions),
            max_chance_outcomes=ROLLS,
            num_players=players,
            min_utility=0.0 if alone else -1.0,
            max_utility=HIGHEST if alone else 1.0,
            utility_sum=None if alone else 0.0,
            max_game_length=LONGEST,
        )
        super().__init__(_type_of(self.card, players), information, params or {})

    def new_initial_state(self) -> SpielState:
        return SpielState(self, self.layout)

    def max_chance_nodes_in_history(self) -> int:
        return LONGEST

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        return Observer(self.layout)


class SpielState(pyspiel.State):  # type: ignore[misc]
    """A state as OpenSpiel knows it: a frame around the game's own, which is never changed."""

    def __init__(self, game: Any, layout: Layout) -> None:
        super().__init__(game)
        self.layout = layout
        self.state: State = layout.start

    def current_player(self) -> int:
        seat = self.state.seat
        return int({CHANCE: pyspiel.PlayerId.CHANCE, OVER: pyspiel.PlayerId.TERMINAL}.get(seat, seat))

    def is_terminal(self) -> bool:
        return self.state.seat == OVER

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(self.layout.numbers[move] for move in self.state.legal_moves())

    def chance_outcomes(self) -> list[tuple[int, float]]:
        outcomes = self.state.outcomes()
        if len(outcomes) > ROLLS:
            raise HotdiceError(f"A roll with {len(outcomes):,} outcomes is too much for OpenSpiel; {ROLLS:,} are most.")
        return [(at, weight / outcomes.total) for at, weight in enumerate(outcomes.weights)]

    def _apply_action(self, action: int) -> None:
        state = self.state
        if state.seat == CHANCE:
            self.state = state.roll(state.outcomes().rolls[action])
        else:
            self.state = state.apply(self.layout.move(action))

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return self.state.game.roll_text(self.state.outcomes().rolls[action])
        return self.layout.move(action).text

    def returns(self) -> list[float]:
        return self.layout.payoffs(self.state) if self.is_terminal() else [0.0] * self.layout.players

    def __str__(self) -> str:
        return self.state.position


class Observer:
    """An observation as OpenSpiel asks for it: all information is public."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.tensor = np.zeros(layout.size, np.float32)
        self.dict: dict[str, Any] = {}
        begin = 0
        for entry in layout.entries:
            self.dict[entry.name] = self.tensor[begin : begin + entry.size]
            begin += entry.size

    def set_from(self, state: SpielState, player: int) -> None:
        """Fill the tensor with what a player sees."""
        self.tensor[:] = self.layout.observe(state.state, player)

    def string_from(self, state: SpielState, player: int) -> str:
        """What a player sees, as text."""
        return f"{state.state.position} as player {player}"


__all__ = ["name_of", "register"]
