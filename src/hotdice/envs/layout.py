"""What actions and observations mean: the one place where moves get numbers, masks are made, and arrays filled.

A `Layout` belongs to a game under some options with some number of players. Its actions are the game's own list of
moves; its observation is the one on the game's card.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from operator import index
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from hotdice.errors import HotdiceError, IllegalMove
from hotdice.game import Game, Move, State
from hotdice.games import parse_game
from hotdice.observation import Entry, observation_of
from hotdice.options import Options, Value
from hotdice.values import payoff

Ints = NDArray[np.int32]
Mask = NDArray[np.int8]

MASK: Final = "action_mask"
"""What the infos call the mask: 1 for a legal action."""
ILLEGAL: Final = "illegal"
"""What the infos call the reason why an action was not legal and changed nothing."""


class Layout:
    """The actions and the numbers of one game under some options, with some number of players."""

    def __init__(self, game: Game, options: Options, players: int) -> None:
        self.game, self.options, self.players = game, options, players
        self.start: State = game.start(players, options)
        self.actions: tuple[Move, ...] = game.actions(options, players)
        """The move that each action stands for."""
        self.numbers: dict[Move, int] = {move: at for at, move in enumerate(self.actions)}
        """The action that stands for a move."""
        self._last_mask: tuple[tuple[Move, ...], Mask] = (), np.zeros(0, np.int8)
        """The legal moves that were asked for last, and their mask: many games have but one list of them."""
        self._observation = observation_of(game)
        self.entries: tuple[Entry, ...] = self._observation.entries(options, players)
        """What the numbers of an observation are, in their order."""
        sizes = [entry.size for entry in self.entries]
        self.size: int = sum(sizes)
        """How many numbers an observation has."""
        self.low: Ints = np.repeat(np.array([entry.low for entry in self.entries], np.int32), sizes)
        self.high: Ints = np.repeat(np.array([entry.high for entry in self.entries], np.int32), sizes)

    @property
    def text(self) -> str:
        """The game with its house rules."""
        return self.game.text(self.options)

    def __deepcopy__(self, memo: object) -> Layout:
        return self  # nothing in it changes

    def __reduce__(self) -> tuple[Callable[[str, int], Layout], tuple[str, int]]:
        """As it travels between processes: by what it was made of."""
        return _layout_of_text, (self.text, self.players)

    def observe(self, state: State, seat: int) -> Ints:
        """What a seat sees of a state."""
        return np.array(self._observation.numbers(state, seat), np.int32)

    def mask(self, state: State, size: int = 0) -> Mask:
        """Which actions are legal, as an array of 0 and 1; longer than the game's own actions if `size` says so."""
        moves = state.legal_moves()
        known, mask = self._last_mask
        if moves is not known or len(mask) != (size or len(self.actions)):
            mask = np.zeros(size or len(self.actions), np.int8)
            numbers = self.numbers
            mask[[numbers[move] for move in moves]] = 1
            self._last_mask = moves, mask
        return mask.copy()

    def move(self, action: object) -> Move:
        """The move that an action stands for, legal or not."""
        try:
            number = index(action)  # type: ignore[arg-type]
            if 0 <= number < len(self.actions):
                return self.actions[number]
        except TypeError:
            pass
        raise IllegalMove(
            f"An action of {self.game.title} is a whole number from 0 to {len(self.actions) - 1}, not {action!r:.40}."
        )

    def payoffs(self, state: State) -> list[float]:
        """What a game that is over brings each seat: 1 for a win, equal parts of -1 for the others, a tie between.

        They add up to 0. A player alone gets the score.
        """
        players = self.players
        shares = [payoff(state, seat) for seat in range(players)]
        return shares if players == 1 else [(share * players - 1) / (players - 1) for share in shares]


@lru_cache(256)
def layout_of(game: Game, options: Options, players: int) -> Layout:
    """The layout, made once."""
    return Layout(game, options, players)


def _layout_of_text(text: str, players: int) -> Layout:
    return layout_of(*parse_game(text), players)


def read_layout(game: str, players: int | None, rules: Mapping[str, Value]) -> Layout:
    """The layout of a game as it is written, such as `kor(bank_roll=true)`, with more house rules by name."""
    card, written = parse_game(game)
    given: list[tuple[str, Value]] = [
        (spec.name, value) for spec in written.specs() if (value := getattr(written, spec.name)) != spec.default
    ]
    options = card.options.make([*given, *rules.items()])
    if players is not None:
        whole_number("players", players, card.min_players, card.max_players)
    return layout_of(card, options, card.min_players if players is None else players)


def whole_number(name: str, value: Any, low: int, high: int) -> int:
    """A setting that is a whole number between bounds."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or not low <= value <= high:
        raise HotdiceError(f"{name} takes a whole number from {low} to {high}, not {value!r:.40}.")
    return int(value)
