"""Compiled steps against the rules' own states: the same dice, the same actions, the same games to the last number."""

from __future__ import annotations

import random
from collections.abc import Callable

import numpy as np
import pytest

from hotdice import Game, all_games
from hotdice.envs.layout import ILLEGAL, MASK, layout_of
from hotdice.envs.vector import VectorEnv
from hotdice.game import CHANCE, OVER, Move, State
from hotdice.options import Options
from hotdice.simulation.engine import Chances, Dice

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

    def __init__(self, start: State, seed: int, game: int, learner: int, bots: list[str]) -> None:
        self.start, self.seed, self.game, self.learner = start, seed, game, learner
        players = start.players
        self.dice = Dice(seed, game, players)
        self.bots: dict[int, Callable[[State], Move]] = {}
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


def assert_in_step(game: Game, options: Options, players: int, opponents: list[str] | None) -> int:
    """Play a batch and the same games by states, with random actions, some of them illegal; gives how many ended."""
    layout = layout_of(game, options, players)
    env = VectorEnv(game.text(options), GAMES, players, opponents)
    seen, info = env.reset(seed=7)
    ended = 0

    def deal(number: int) -> ByStates:
        while True:
            learner = number % players if opponents is not None else 0
            one = ByStates(layout.start, 7, number, learner, opponents or [])
            if one.state.seat != OVER:
                return one
            number += GAMES

    table = [deal(number) for number in range(GAMES)]
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
            table[row] = deal(one.game + GAMES)
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
