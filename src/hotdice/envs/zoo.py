"""PettingZoo's interfaces: every seat is an agent, `player_0`, `player_1` and so on, and dice roll by themselves.

`env` asks whoever has to decide, one agent at a time. With `max_cycles` an episode is cut after so many cycles. In a
cycle every agent is asked once, so those with nothing to decide then have one legal action, to wait, behind the moves
of the game. `parallel_env` has the same cycles with all actions at once.

`infos[agent]["action_mask"]` says which actions are legal. One that is not changes nothing, and
`infos[agent]["illegal"]` says why, unless the environment is strict.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from random import Random
from typing import Any, ClassVar, Final, Self

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils.conversions import parallel_to_aec

from hotdice.envs.episode import deal, roll_on
from hotdice.envs.layout import ILLEGAL, MASK, Ints, Layout, Mask, read_layout, whole_number
from hotdice.envs.text import text_of
from hotdice.errors import HotdiceError, IllegalMove
from hotdice.game import OVER, State
from hotdice.options import Value

WAIT: Final = "There is nothing for this player to decide now; the only action is to wait."
LONGEST: Final = 2**62
"""The most cycles."""

Info = dict[str, Any]


def env(
    game: str,
    players: int | None = None,
    max_cycles: int | None = None,
    strict: bool = False,
    render_mode: str | None = None,
    **rules: Value,
) -> AECEnv:
    """Every seat as an agent, one at a time: whoever has to decide, or with `max_cycles` everybody in turn."""
    if max_cycles is None:
        return TurnEnv(read_layout(game, players, rules), strict, render_mode)
    return parallel_to_aec(parallel_env(game, players, max_cycles, strict, render_mode, **rules))


def parallel_env(
    game: str,
    players: int | None = None,
    max_cycles: int | None = None,
    strict: bool = False,
    render_mode: str | None = None,
    **rules: Value,
) -> CycleEnv:
    """Every seat as an agent, all asked in every cycle."""
    most = None if max_cycles is None else whole_number("max_cycles", max_cycles, 1, LONGEST)
    return CycleEnv(read_layout(game, players, rules), most, strict, render_mode)


class Played:
    """What both interfaces share: the game, its dice, and the spaces of the agents."""

    waits: ClassVar[int]
    """How many actions there are behind the moves of the game."""

    def __init__(self, layout: Layout, strict: bool, render_mode: str | None) -> None:
        if render_mode not in (None, "ansi"):
            raise HotdiceError(f"render_mode takes “ansi” or nothing, not {render_mode!r:.40}.")
        self.layout, self.strict, self.render_mode = layout, strict, render_mode
        self.metadata: dict[str, Any] = {
            "render_modes": ["ansi"],
            "name": f"hotdice_{layout.game.name}_v0",
            "is_parallelizable": self.waits > 0,
        }
        """What PettingZoo wants to know: it renders as text (`ansi`)."""
        self.possible_agents = [f"player_{seat}" for seat in range(layout.players)]
        """All who play, by seat: `player_0`, `player_1` and so on."""
        self.agents: list[str] = []
        """Those who still play."""
        self.table: State = layout.start
        """The game as it stands."""
        self._random = Random()  # its dice are for learning, and seeded on purpose
        self._spaces: dict[str, tuple[spaces.Box, spaces.Discrete]] = {}
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}

    def observation_space(self, agent: str) -> spaces.Box:
        """The numbers of an observation, with their bounds."""
        return self._spaces_of(agent)[0]

    def action_space(self, agent: str) -> spaces.Discrete:
        """The numbers of the moves."""
        return self._spaces_of(agent)[1]

    def _spaces_of(self, agent: str) -> tuple[spaces.Box, spaces.Discrete]:
        if agent not in self._spaces:
            self._seat(agent)
            box = spaces.Box(self.layout.low, self.layout.high, dtype=np.int32)
            self._spaces[agent] = box, spaces.Discrete(len(self.layout.actions) + self.waits)
        return self._spaces[agent]

    def render(self) -> str | None:
        """The table as text."""
        return text_of(self.table) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """There is nothing to release."""

    def clone(self, seed: int) -> Self:
        """The same game for a search, with dice of its own that follow from the seed.

        `copy.deepcopy` keeps the dice to come: it is for going back to a point, not for looking ahead.
        """
        twin = copy.deepcopy(self)
        twin._random.seed(seed)
        return twin

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        twin = copy.copy(self)
        twin._spaces = {}  # they draw samples, each for its own environment
        for name, value in vars(self).items():
            if isinstance(value, list | dict) and name not in ("metadata", "possible_agents", "_spaces", "_seats"):
                setattr(twin, name, copy.deepcopy(value, memo))
        twin._random = Random()
        twin._random.setstate(self._random.getstate())
        return twin

    def _deal(self, seed: int | None) -> None:
        if seed is not None:
            self._random.seed(seed)
        self.table = deal(self.layout.start, self._random.random, lambda state: state)
        self.agents = self.possible_agents[:]

    def _seat(self, agent: str) -> int:
        try:
            return self._seats[agent]
        except KeyError:
            raise HotdiceError(
                f"There is no agent {agent!r:.40}; there are {', '.join(self.possible_agents)}."
            ) from None

    def _act(self, action: object) -> str:
        """Make a move and the rolls after it; if it is not legal, nothing, and what is said about that."""
        move = self.layout.move(action)
        try:
            after = self.table.apply(move)
        except IllegalMove as error:
            if self.strict:
                raise
            return str(error)
        self.table = roll_on(after, self._random.random)
        return ""


class TurnEnv(Played, AECEnv):  # type: ignore[misc]
    """One agent at a time: whoever has to decide."""

    waits = 0

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """A new game, up to its first decision; one that ends before that is dealt anew."""
        self._deal(seed)
        agents = self.agents
        self.rewards = dict.fromkeys(agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(agents, 0.0)
        self.terminations = dict.fromkeys(agents, False)
        self.truncations = dict.fromkeys(agents, False)
        self.infos: dict[str, Info] = {agent: {} for agent in agents}
        self._skip_agent_selection = None
        self._ask("")

    def observe(self, agent: str) -> Ints:
        """What an agent sees."""
        return self.layout.observe(self.table, self._seat(agent))

    def step(self, action: int | None) -> None:
        """A move of the agent whose decision it is, and the rolls after it."""
        if not self.agents:
            raise HotdiceError("No game is being played; call reset() first.")
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        illegal = self._act(action)
        self._cumulative_rewards[agent] = 0.0
        self.infos[agent] = {}
        if self.table.seat == OVER:
            self._end()
        else:
            self._ask(illegal)

    def _ask(self, illegal: str) -> None:
        """Turn to the agent whose decision it is."""
        agent = self.agent_selection = self.possible_agents[self.table.seat]
        info: Info = {MASK: self.layout.mask(self.table)}
        if illegal:
            info[ILLEGAL] = illegal
        self.infos[agent] = info

    def _end(self) -> None:
        for agent, reward in zip(self.agents, self.layout.payoffs(self.table), strict=True):
            self.rewards[agent] = reward
            self.terminations[agent] = True
        self._accumulate_rewards()
        self.agent_selection = self.agents[0]


class CycleEnv(Played, ParallelEnv):  # type: ignore[misc]
    """All agents at once: one decides, and the others wait. An episode may be cut after some number of cycles."""

    waits = 1

    def __init__(self, layout: Layout, max_cycles: int | None, strict: bool, render_mode: str | None) -> None:
        super().__init__(layout, strict, render_mode)
        self.max_cycles = max_cycles
        self.cycles = 0
        """How many there were in this episode."""

    def reset(
        self, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[dict[str, Ints], dict[str, Info]]:
        """A new game, up to its first decision; one that ends before that is dealt anew."""
        self._deal(seed)
        self.cycles = 0
        return self._seen(), self._infos({})

    def step(
        self, actions: Mapping[str, int]
    ) -> tuple[dict[str, Ints], dict[str, float], dict[str, bool], dict[str, bool], dict[str, Info]]:
        """A cycle: one move, and the rolls after it."""
        agents = self.agents
        if not agents:
            raise HotdiceError("No game is being played; call reset() first.")
        if missing := [agent for agent in agents if agent not in actions]:
            raise HotdiceError(f"There is no action for {missing[0]}; every agent takes one in a cycle.")
        self.cycles += 1
        illegal = self._take(actions)
        over = self.table.seat == OVER
        cut = not over and self.cycles == self.max_cycles
        payoffs = self.layout.payoffs(self.table) if over else [0.0] * len(agents)
        found = (
            self._seen(),
            dict(zip(agents, payoffs, strict=True)),
            dict.fromkeys(agents, over),
            dict.fromkeys(agents, cut),
            self._infos(illegal),
        )
        if over or cut:
            self.agents = []
        return found

    def _take(self, actions: Mapping[str, int]) -> dict[str, str]:
        """Act for the agent who has to decide; gives what is said about actions that are not legal."""
        illegal: dict[str, str] = {}
        wait, decides = len(self.layout.actions), self.table.seat
        for seat, agent in enumerate(self.agents):
            action = actions[agent]
            if seat != decides:
                if action != wait:
                    self.layout.move(action)
                    illegal[agent] = WAIT
            elif action == wait:
                illegal[agent] = "It is for this player to decide now; to wait is not a legal action."
        decider = self.agents[decides]
        if self.strict and illegal:
            raise IllegalMove(next(iter(illegal.values())))
        if decider not in illegal and (reason := self._act(actions[decider])):
            illegal[decider] = reason
        return illegal

    def _seen(self) -> dict[str, Ints]:
        return {agent: self.layout.observe(self.table, seat) for seat, agent in enumerate(self.agents)}

    def _infos(self, illegal: Mapping[str, str]) -> dict[str, Info]:
        return {
            agent: {MASK: self._mask(seat)} | ({ILLEGAL: illegal[agent]} if agent in illegal else {})
            for seat, agent in enumerate(self.agents)
        }

    def _mask(self, seat: int) -> Mask:
        size = len(self.layout.actions) + 1
        if seat == self.table.seat:
            return self.layout.mask(self.table, size)
        mask = np.zeros(size, np.int8)
        mask[-1] = 1
        return mask


__all__ = ["CycleEnv", "TurnEnv", "env", "parallel_env"]
