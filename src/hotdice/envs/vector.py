"""Thousands of games at once: Gymnasium's vector interface on a game's compiled stepper.

Numpy arrays go in and come out, made anew by every step and aligned as `dlpack` wants them, so that `torch.from_dlpack`
and `jax.numpy.from_dlpack` take them without copying. A game that ends is followed by the next in the same step
(`AutoresetMode.SAME_STEP`). The learning player sits against compiled bots, or, with `opponents=None`, acts for
whichever seat has to decide.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any, ClassVar, Final

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from gymnasium.vector import VectorEnv as GymnasiumVectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import DTypeLike, NDArray

from hotdice.envs.episode import DEALS
from hotdice.envs.layout import ILLEGAL, MASK, Ints, Layout, read_layout, whole_number
from hotdice.errors import HotdiceError, IllegalMove, SeatError
from hotdice.notation import listed
from hotdice.options import Value
from hotdice.solve.stepping import BOTS, LEARNER, NEW, Batch, Steps

MOST: Final = 2**24
"""The most games at once."""
LONGEST: Final = 2**62
"""The most steps of an episode."""
ALIGNED: Final = 64
"""Where arrays begin, in bytes: JAX copies what begins elsewhere."""

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Info = dict[str, Any]


class VectorEnv(GymnasiumVectorEnv[Ints, NDArray[np.int64], NDArray[Any]]):
    """Many games of one kind, each a row of every array.

    `opponents` is one bot for all other seats or one for each; None lets the learner act for every seat. `seat` is
    where the learning player sits; without it that changes from game to game. `max_episode_steps` cuts longer games.
    """

    metadata: ClassVar[dict[str, Any]] = {  # type: ignore[misc]
        "render_modes": [],
        "autoreset_mode": AutoresetMode.SAME_STEP,
    }
    """What Gymnasium wants to know: it renders nothing, and a game that ends is followed by the next in one step."""

    def __init__(
        self,
        game: str,
        num_envs: int = 1,
        players: int | None = None,
        opponents: str | Sequence[str] | None = "greedy",
        seat: int | None = None,
        max_episode_steps: int | None = None,
        **rules: Value,
    ) -> None:
        self.layout = read_layout(game, players, rules)
        self.num_envs = whole_number("num_envs", num_envs, 1, MOST)
        self.players = self.layout.players
        cap = LONGEST if max_episode_steps is None else max_episode_steps
        self._cap = whole_number("max_episode_steps", cap, 1, LONGEST)
        self._fixed = seat if seat is None else whole_number("seat", seat, 0, self.players - 1)
        self._alone = opponents is not None
        self._steps = _prepared(self.layout, opponents)
        self.single_observation_space = spaces.Box(self.layout.low, self.layout.high, dtype=np.int32)
        self.single_action_space = spaces.Discrete(len(self.layout.actions))
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._all = np.arange(self.num_envs)
        self._boards = np.zeros((self.num_envs, self._steps.width), np.int64)
        self._new = np.full(self.num_envs, NEW)
        self._games = self._all.copy()
        self._learners = np.zeros(self.num_envs, np.int64)
        self._deciders = np.full(self.num_envs, -1)
        self._length = np.zeros(self.num_envs, np.int64)
        self._seed = -1

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Ints, Info]:
        """New games in all rows. Those of one seed have the same dice again."""
        super().reset(seed=seed)
        self._seed = int(self.np_random.integers(2**53)) if seed is None else seed
        self._games = self._all.copy()
        self._length[:] = 0
        batch = self._batch()
        self._begin(self._all, batch)
        return batch.seen, self._info(batch)

    def step(self, actions: Any) -> tuple[Ints, Floats, Bools, Bools, Info]:
        """An action in every game, and all that happens before the next decision."""
        if self._seed < 0:
            raise HotdiceError("No game is being played; call reset() first.")
        chosen = self._checked(actions)
        actors = self._deciders if not self._alone else self._learners
        batch = self._batch()
        self._steps.step(self._seed, self._all, chosen, batch)
        over, cut = batch.deciders < 0, np.zeros(self.num_envs, np.bool_)
        if self._cap < LONGEST:
            self._length += 1
            cut = (self._length >= self._cap) & ~over
        rewards = np.zeros(self.num_envs)
        info: Info = {}
        has_ended = over | cut
        ended = np.flatnonzero(has_ended)
        if ended.size:
            info = self._final(batch, over, has_ended, ended)
            rewards[ended] = info["rewards"][ended, actors[ended]]
            self._games[ended] += self.num_envs
            self._length[ended] = 0
            self._begin(ended, batch)
        return batch.seen, rewards, over, cut, info | self._info(batch)

    def _final(self, batch: Batch, over: Bools, has_ended: Bools, ended: NDArray[np.int64]) -> Info:
        """What there is to say of games that have ended: the last observations, and everybody's reward."""
        seen = np.zeros_like(batch.seen)
        seen[ended] = batch.seen[ended]
        rewards = np.zeros((self.num_envs, self.players))
        done = ended[over[ended]]
        won = (batch.winners[done, None] >> np.arange(self.players)) & 1
        shares = won / won.sum(1, keepdims=True)
        rewards[done] = (shares * self.players - 1) / (self.players - 1)
        return {"final_obs": seen, "_final_obs": has_ended, "rewards": rewards}

    def _begin(self, rows: NDArray[np.int64], batch: Batch) -> None:
        """Begin the next game in some rows; one that ends before a decision is followed by another."""
        for _ in range(DEALS):
            if self._alone:
                self._learners[rows] = self._games[rows] % self.players if self._fixed is None else self._fixed
            self._steps.step(self._seed, rows, self._new, batch)
            rows = rows[batch.deciders[rows] < 0]
            if not rows.size:
                return
            self._games[rows] += self.num_envs
        raise HotdiceError(f"{DEALS:,} games of {self.layout.game.title} ended before there was anything to decide.")

    def _checked(self, actions: Any) -> NDArray[np.int64]:
        """The actions as the stepper takes them."""
        given = np.asarray(actions)
        most = len(self.layout.actions) - 1
        if given.shape != (self.num_envs,) or given.dtype.kind not in "iub":
            raise IllegalMove(
                f"The actions are {self.num_envs} whole numbers from 0 to {most}, one for each game, "
                f"not an array of type {given.dtype} and shape {given.shape}."
            )
        chosen = given.astype(np.int64, copy=False)
        if chosen.min() < 0 or chosen.max() > most:
            raise IllegalMove(f"An action of {self.layout.game.title} is a whole number from 0 to {most}.")
        return chosen

    def _batch(self) -> Batch:
        """The games, and new arrays for what a step fills."""
        games, layout = self.num_envs, self.layout
        self._deciders, winners, illegal, seen, masks = _aligned(
            ((games,), np.int64), ((games,), np.uint8), ((games,), np.uint8), ((games, layout.size), np.int32),
            ((games, len(layout.actions)), np.int8),
        )  # fmt: skip
        return Batch(self._boards, self._games, self._learners, self._deciders, winners, illegal, seen, masks)

    def _info(self, batch: Batch) -> Info:
        return {MASK: batch.masks, ILLEGAL: batch.illegal.view(np.bool_), "seat": batch.deciders}


def _prepared(layout: Layout, opponents: str | Sequence[str] | None) -> Steps:
    """The compiled game, with whoever sits there."""
    game, others = layout.game, layout.players - 1
    if game.stepper is None:
        raise HotdiceError(
            f"{game.title} has no compiled steps; gymnasium.make_vec(…, vectorization_mode=“sync”) can play it."
        )
    if layout.players == 1:
        raise SeatError("A game of one player has no compiled steps.")
    stepper = game.stepper()
    if opponents is None:
        kinds = [LEARNER] * layout.players
    else:
        names = [opponents] * others if isinstance(opponents, str) else list(opponents)
        if len(names) != others:
            raise SeatError(f"There are {others} other seats; opponents names {len(names)}.")
        if unknown := [name for name in names if name not in stepper.bots]:
            raise SeatError(
                f"There is no compiled bot “{unknown[0]}” in {game.title}; there are {listed(stepper.bots)}."
            )
        kinds = [LEARNER, *(BOTS[name] for name in names)]
    return stepper.prepare(layout.options, layout.players, kinds)


def _aligned(*wanted: tuple[tuple[int, ...], DTypeLike]) -> list[NDArray[Any]]:
    """Arrays that begin where others can take them over without copying, side by side."""
    sizes = [prod(shape) * np.dtype(kind).itemsize for shape, kind in wanted]
    room = np.empty(sum(sizes) + (len(sizes) + 1) * ALIGNED, np.uint8)
    found, begin = [], -room.ctypes.data % ALIGNED
    for size, (shape, kind) in zip(sizes, wanted, strict=True):
        found.append(room[begin : begin + size].view(kind).reshape(shape))
        begin += -(-size // ALIGNED) * ALIGNED
    return found


__all__ = ["VectorEnv"]
