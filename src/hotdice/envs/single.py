"""Gymnasium's interface: one player learns, bots sit in the other seats, and dice roll by themselves.

`hotdice.envs.ids` registers it for every game. An action is the number of a move; `info["action_mask"]` says which are
legal. One that is not changes nothing, and `info["illegal"]` says why, unless the environment is strict.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Self

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding

from hotdice.envs.episode import deal, roll_on
from hotdice.envs.layout import ILLEGAL, MASK, Ints, read_layout, whole_number
from hotdice.envs.text import text_of
from hotdice.errors import HotdiceError, IllegalMove, SeatError
from hotdice.game import OVER, Move, State
from hotdice.options import Value
from hotdice.players import GuestPlayer, make_player

Opponent = str | Callable[[State], Move]
"""A bot by its name or as `module:Class`, or a function from a state to a legal move."""


class SingleEnv(gymnasium.Env[Ints, np.int64]):
    """One player of a game, against bots.

    `game` is written as everywhere, such as `kor(bank_roll=true)`; house rules can be given by name as well.
    `opponents` is one bot for all other seats or one for each. `seat` is where the learning player sits, counted from
    0; without it the seat is drawn for each game.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["ansi"], "render_fps": 1}  # type: ignore[misc]
    """What Gymnasium wants to know: it renders as text (`ansi`)."""

    def __init__(
        self,
        game: str,
        players: int | None = None,
        opponents: Opponent | Sequence[Opponent] = "greedy",
        seat: int | None = None,
        strict: bool = False,
        render_mode: str | None = None,
        **rules: Value,
    ) -> None:
        if render_mode not in (None, "ansi"):
            raise HotdiceError(f"render_mode takes “ansi” or nothing, not {render_mode!r:.40}.")
        self.layout = read_layout(game, players, rules)
        self.players = self.layout.players
        self.render_mode = render_mode
        self.strict = strict
        self._fixed = seat if seat is None else whole_number("seat", seat, 0, self.players - 1)
        self._opponents = _opponents(opponents, self.players - 1)
        for one in self._opponents:
            _bot(one, 0)  # an unknown one is refused now, not in mid-game
        self._choosers: list[Callable[[State], Move]] = []
        self.seat = 0
        """Where the learning player sits in this game."""
        self.state = self.layout.start
        """The game as it stands."""
        self.observation_space = spaces.Box(self.layout.low, self.layout.high, dtype=np.int32)
        self.action_space = spaces.Discrete(len(self.layout.actions))

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Ints, dict[str, Any]]:
        """A new game, up to the first decision; one that ends before that is dealt anew."""
        super().reset(seed=seed)
        random = self.np_random
        self.seat = int(random.integers(self.players)) if self._fixed is None else self._fixed
        self._choosers = [_bot(one, int(random.integers(2**53))) for one in self._opponents]
        self.state = deal(self.layout.start, random.random, self._play_on)
        return self._seen(), self._info()

    def step(self, action: Any) -> tuple[Ints, float, bool, bool, dict[str, Any]]:
        """A move, and everything that happens before the next decision."""
        if not self._choosers and self.players > 1:
            raise HotdiceError("No game is being played; call reset() first.")
        move = self.layout.move(action)
        try:
            after = self.state.apply(move)
        except IllegalMove as error:
            if self.strict or self.state.seat == OVER:
                raise
            return self._seen(), 0.0, False, False, self._info() | {ILLEGAL: str(error)}
        self.state = self._play_on(roll_on(after, self.np_random.random))
        over = self.state.seat == OVER
        reward = self.layout.payoffs(self.state)[self.seat] if over else 0.0
        return self._seen(), reward, over, False, self._info()

    def render(self) -> str | None:
        """The table as text."""
        return text_of(self.state) if self.render_mode == "ansi" else None

    def clone(self, seed: int) -> Self:
        """The same game for a search, with dice of its own that follow from the seed.

        `copy.deepcopy` keeps the dice to come: it is for going back to a point, not for looking ahead.
        """
        twin = copy.deepcopy(self)
        twin.np_random, twin._np_random_seed = seeding.np_random(seed)
        twin._choosers = [_bot(one, int(twin.np_random.integers(2**53))) for one in self._opponents]
        return twin

    def _play_on(self, state: State) -> State:
        """The state at the learning player's next decision, or at the end."""
        while state.seat not in (OVER, self.seat):
            bot = self._choosers[(state.seat - self.seat) % self.players - 1]
            state = roll_on(state.apply(bot(state)), self.np_random.random)
        return state

    def _seen(self) -> Ints:
        return self.layout.observe(self.state, self.seat)

    def _info(self) -> dict[str, Any]:
        return {MASK: self.layout.mask(self.state), "seat": self.seat}


def _opponents(given: Opponent | Sequence[Opponent], others: int) -> tuple[Opponent, ...]:
    """Who sits in the other seats, in the order of play after the learning player."""
    found = (given,) * others if isinstance(given, str) or callable(given) else tuple(given)
    if len(found) != others:
        raise SeatError(f"There are {others} other seats; opponents names {len(found)}.")
    return found


def _bot(opponent: Opponent, seed: int) -> Callable[[State], Move]:
    """What chooses for an opponent."""
    if isinstance(opponent, str):
        return make_player(opponent, seed).choose
    return GuestPlayer(getattr(opponent, "__name__", "function"), _Function(opponent)).choose


class _Function:
    """A function of a state, as a bot."""

    def __init__(self, choose: Callable[[State], Move]) -> None:
        self.choose = choose
