"""Compiled games against the rules' own states: the same dice, the same choices, the same games to the last count."""

from __future__ import annotations

import numpy as np
import pytest

import hotdice
from hotdice import all_games
from hotdice.options import Options
from hotdice.simulation.engine import Engine
from hotdice.simulation.plan import Plan, prepare, simulator_of
from hotdice.solve.batches import Columns

GAMES = 60
SIMULATED = [game for game in all_games() if game.simulator]


def settings() -> list[tuple[str, Options]]:
    """Every set of options worth trying, of all games that are compiled; numbers are those of short games."""
    return [
        (game.name, options)
        for game in SIMULATED
        for options in game.options.combinations()
        if all(getattr(options, spec.name) == spec.choices[-1] for spec in options.specs() if spec.high > 100)
    ]


def both(plan: Plan, games: int) -> tuple[Columns, Columns]:
    card, options = hotdice.parse_game(plan.game)
    ready, simulator = prepare(plan), simulator_of(card)
    assert ready.compiled
    by_states = Columns.empty(games, ready.players, ready.statistics)
    Engine(card.start(ready.players, options), plan.players, simulator).play_many(plan.seed, 5, by_states)
    return ready.columns(plan.seed, 5, games), by_states


def assert_same(plan: Plan, games: int) -> None:
    compiled, by_states = both(plan, games)
    for name in ("winners", "scores", "turns", "rolls", "counts"):
        assert np.array_equal(getattr(compiled, name), getattr(by_states, name)), name


@pytest.mark.parametrize(("name", "options"), settings(), ids=lambda one: getattr(one, "text", one) or "printed")
def test_compiled_games_are_the_games_that_the_rules_play(name: str, options: Options) -> None:
    game = hotdice.load_game(name)
    own = {"pig": "hold:25", "bj": "pass:300/350/400"}.get(name, "greedy")
    for players in (["random", "greedy"], ["greedy", "random", own]):
        assert_same(Plan.of(game, options, players, 2026), GAMES)


def test_solved_strategies_play_the_same_compiled() -> None:
    pig, bj = hotdice.load_game("pig"), hotdice.load_game("bj")
    assert_same(Plan.of(pig, pig.make_options({"target": 40}), ["optimal", "casual"], 1), GAMES)
    short = bj.make_options({"target": 1000})
    assert_same(Plan.of(bj, short, ["optimal", "beginner"], 1), GAMES)
    assert_same(Plan.of(bj, short, ["duel", "greedy", "duel"], 1), GAMES)
