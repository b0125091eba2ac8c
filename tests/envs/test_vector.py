"""Compiled steps against the rules' own states: the same dice, the same actions, the same games to the last number."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from hotdice import Game, all_games, parse_game
from hotdice.envs.layout import ILLEGAL, MASK, layout_of
from hotdice.envs.vector import VectorEnv
from hotdice.errors import HotdiceError, IllegalMove, SeatError
from hotdice.game import CHANCE, OVER, Move, State
from hotdice.options import Options
from hotdice.simulation.engine import Chances, Dice
from hotdice.solve import evaluator_for

pytestmark = pytest.mark.slow  # kernels are compiled
Choose = Callable[[State], Move]
STEPPED = [game for game in all_games() if game.stepper]


def settings() -> list[tuple[Game, Options]]:
    """Every set of options of every game that is compiled; numbers are those of short games."""
    return [
        (game, options)
        for game in STEPPED
        for options in game.options.combinations()
        if all(getattr(options, spec.name) == spec.choices[-1] for spec in options.specs() if spec.high > 100)
    ]


def ids_of(one: object) -> str:
    return one.name if isinstance(one, Game) else getattr(one, "text", "") or "printed"


class ByStates:
    """One game of a batch, played by states on the dice of its number."""

    def __init__(
        self, start: State, seed: int, game: int, learner: int, bots: list[str], own: Mapping[int, Choose] | None = None
    ) -> None:
        self.start, self.seed, self.game, self.learner = start, seed, game, learner
        players = start.players
        simulator = start.game.simulator
        self.dice = Dice(seed, game, players, simulator().together if simulator else 1)
        self.bots: dict[int, Choose] = dict(own or {})
        for ahead, name in enumerate(bots, 1):
            seat = (learner + ahead) % players
            self.bots[seat] = start.game.greedy if name == "greedy" else _at_random(Chances(seed, game, seat))
        self.state = start
        self.play_on()

    def play_on(self) -> None:
        while self.state.seat == CHANCE or self.state.seat in self.bots:
            if self.state.seat == CHANCE:
                self.state = self.state.roll(self.dice.roll(self.state))
            else:
                self.state = self.state.apply(self.bots[self.state.seat](self.state))


def _at_random(chances: Chances) -> Callable[[State], Move]:
    def choose(state: State) -> Move:
        moves = state.legal_moves()
        return moves[int(chances.next() * len(moves))] if len(moves) > 1 else moves[0]

    return choose


GAMES, STEPS = 40, 120


def first(deal: Callable[[int], ByStates], number: int) -> ByStates:
    """The first game of a row, from a number on, that has a decision for the learner."""
    while (one := deal(number)).state.seat == OVER:
        number += GAMES
    return one


def assert_in_step(game: Game, options: Options, players: int, opponents: list[str] | None) -> int:
    """Play a batch and the same games by states, with random actions, some of them illegal; gives how many ended."""
    layout = layout_of(game, options, players)
    env = VectorEnv(game.text(options), GAMES, players, opponents)
    seen, info = env.reset(seed=7)
    ended = 0

    def deal(number: int) -> ByStates:
        learner = number % players if opponents is not None else 0
        return ByStates(layout.start, 7, number, learner, opponents or [])

    table = [first(deal, number) for number in range(GAMES)]
    draw = random.Random(1)
    for _ in range(STEPS):
        for row, one in enumerate(table):
            assert info["seat"][row] == one.state.seat
            assert seen[row].tolist() == layout.observe(one.state, one.state.seat).tolist()
            assert info[MASK][row].tolist() == layout.mask(one.state).tolist()
        actions = np.array([_any(draw, mask) for mask in info[MASK]])
        legal = info[MASK][np.arange(GAMES), actions]
        seen, rewards, over, cut, info = env.step(actions)
        assert not cut.any()
        assert (info[ILLEGAL] == (legal == 0)).all()
        for row, one in enumerate(table):
            actor = one.state.seat
            if legal[row]:
                one.state = one.state.apply(layout.actions[actions[row]])
                one.play_on()
            assert over[row] == (one.state.seat == OVER)
            if not over[row]:
                assert rewards[row] == 0
                continue
            payoffs = layout.payoffs(one.state)
            viewer = one.learner if opponents is not None else actor
            assert rewards[row] == payoffs[viewer]
            assert info["rewards"][row].tolist() == payoffs
            assert info["_final_obs"][row]
            assert info["final_obs"][row].tolist() == layout.observe(one.state, one.learner).tolist()
            table[row] = first(deal, one.game + GAMES)
            ended += 1
    return ended


def _any(draw: random.Random, mask: np.ndarray) -> int:
    """Mostly a legal action, now and then any."""
    legal = np.flatnonzero(mask)
    return draw.randrange(len(mask)) if draw.random() < 0.1 else int(legal[draw.randrange(len(legal))])


@pytest.mark.parametrize(("game", "options"), settings(), ids=ids_of)
def test_compiled_steps_are_those_of_the_rules(game: Game, options: Options) -> None:
    ended = 0
    for players, opponents in ((2, ["greedy"]), (3, ["random", "greedy"]), (2, None), (4, None)):
        ended += assert_in_step(game, options, players, opponents)
    assert ended > GAMES


def test_the_solved_policy_plays_compiled_as_it_does_by_states() -> None:
    game, options = parse_game("bj(dice=5,target=500)")
    layout, policy = layout_of(game, options, 2), evaluator_for(game, options, 2).policy
    env = VectorEnv(layout.text, GAMES, opponents="optimal")
    seen, _ = env.reset(seed=3)

    def deal(number: int) -> ByStates:
        return ByStates(layout.start, 3, number, number % 2, [], {1 - number % 2: policy})

    table = [first(deal, number) for number in range(GAMES)]
    draw = random.Random(1)
    for _ in range(60):
        for row, one in enumerate(table):
            assert seen[row].tolist() == layout.observe(one.state, one.state.seat).tolist()
        actions = np.array([draw.randrange(2) for _ in table])
        seen, rewards, over, _, _ = env.step(actions)
        for row, one in enumerate(table):
            one.state = one.state.apply(layout.actions[actions[row]])
            one.play_on()
            assert over[row] == (one.state.seat == OVER)
            if over[row]:
                assert rewards[row] == layout.payoffs(one.state)[one.learner]
                table[row] = first(deal, one.game + GAMES)


def test_gymnasium_makes_it_and_a_game_that_is_not_compiled_as_single_ones() -> None:
    env = gymnasium.make_vec("hotdice/Pig-v0", num_envs=3, target=20)
    assert isinstance(env.unwrapped, VectorEnv)
    assert env.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    assert env.observation_space.shape == (3, 4)
    assert env.reset(seed=1)[0] in env.observation_space
    single = gymnasium.make_vec("hotdice/Kismet-v0", num_envs=2)
    assert not isinstance(single.unwrapped, VectorEnv)
    assert single.reset(seed=1)[0].shape == (2, 26)


def test_the_same_seed_gives_the_same_games() -> None:
    def play(seed: int) -> list[list[int]]:
        env = VectorEnv("pig", 5)
        seen, _ = env.reset(seed=seed)
        return [seen.tolist(), *(env.step(np.zeros(5, np.int64))[0].tolist() for _ in range(20))]

    assert play(1) == play(1) != play(2)


def test_long_games_are_cut_and_go_on_as_new_ones() -> None:
    env = VectorEnv("kor", 6, players=3, opponents=None, max_episode_steps=2)
    _, info = env.reset(seed=1)
    for step in range(1, 7):
        actions = info[MASK].argmax(1)
        _, rewards, over, cut, info = env.step(actions)
        assert (cut | over).all() == (step % 2 == 0)
        assert not rewards[cut].any()
        if cut.any():
            assert (info["_final_obs"] == (over | cut)).all()


def test_arrays_are_new_in_every_step_and_lie_where_others_take_them_over() -> None:
    env = VectorEnv("bj", 7)
    first, info = env.reset(seed=1)
    kept = first.copy()
    second, *_, later = env.step(np.zeros(7, np.int64))
    assert (first == kept).all()
    assert not np.shares_memory(first, second)
    assert not np.shares_memory(info[MASK], later[MASK])
    for array in (second, later[MASK]):
        assert array.ctypes.data % 64 == 0
        assert np.shares_memory(np.from_dlpack(array), array)


@pytest.mark.parametrize(
    ("wanted", "error", "told"),
    [
        ({"game": "kismet"}, HotdiceError, "Kismet has no compiled steps"),
        ({"game": "pig", "num_envs": 0}, HotdiceError, "num_envs takes a whole number from 1 to 16777216, not 0."),
        ({"game": "pig", "opponents": "optimal"}, SeatError, "no compiled bot “optimal” in Pig; there are random and"),
        ({"game": "pig", "opponents": ["greedy"] * 2}, SeatError, "There are 1 other seats; opponents names 2."),
        ({"game": "bj", "players": 3, "opponents": "optimal"}, SeatError, "is compiled for two players of BJ's dice"),
        ({"game": "pig", "seat": 2}, HotdiceError, "seat takes a whole number from 0 to 1, not 2."),
        ({"game": "pig", "max_episode_steps": 0}, HotdiceError, "max_episode_steps takes a whole number from 1"),
    ],
)
def test_what_makes_no_sense_is_refused(wanted: dict[str, Any], error: type[Exception], told: str) -> None:
    with pytest.raises(error) as found:
        VectorEnv(**wanted)
    assert told in str(found.value)
    assert "\n" not in str(found.value)


@pytest.mark.parametrize("actions", [[0, 0], [0, 0, 2], [0, 0, -1], [0.0, 1.0, 0.0], "roll"])
def test_what_are_no_actions_is_refused(actions: object) -> None:
    env = VectorEnv("pig", 3)
    with pytest.raises(HotdiceError, match=r"call reset\(\) first"):
        env.step([0, 0, 0])
    env.reset()
    with pytest.raises(IllegalMove, match="whole number"):
        env.step(actions)
