"""OpenSpiel's own test on every game, and its algorithms against our values."""

from __future__ import annotations

import copy
import importlib.util
import os
from typing import Any

import pytest

if os.environ.get("HOTDICE_CI") != "1" and importlib.util.find_spec("pyspiel") is None:
    pytest.skip("OpenSpiel has no wheel for this Python or system, so its tests do not run.", allow_module_level=True)

import numpy as np
import pyspiel
from open_spiel.python.algorithms import mcts, minimax

import hotdice
from hotdice import all_games
from hotdice.envs import spiel
from hotdice.errors import HotdiceError
from hotdice.solve import evaluator_for
from tests.envs.settings import settings

pytestmark = pytest.mark.slow  # values are solved
spiel.register()


def load(text: str, players: int = 2) -> Any:
    game, options = hotdice.parse_game(text)
    parameters = {spec.name: getattr(options, spec.name) for spec in options.specs()}
    return pyspiel.load_game(spiel.name_of(game), parameters | {"players": players})


@pytest.mark.parametrize(("game", "players"), settings(short=True))
def test_openspiels_random_simulations_pass(game: str, players: int) -> None:
    pyspiel.random_sim_test(load(game, players), num_sims=1, serialize=True, verbose=False)


def test_every_game_is_registered_once() -> None:
    spiel.register()
    names = [name for name in pyspiel.registered_names() if name.startswith("hotdice_")]
    assert sorted(names) == sorted(spiel.name_of(game) for game in all_games())


def at(position: str, players: int = 2) -> Any:
    """OpenSpiel's state of a position."""
    state = load(position.split(" ")[0], players).new_initial_state()
    state.state = hotdice.parse_position(position)
    return state


@pytest.mark.parametrize(
    "position",
    [
        "bj(dice=5,target=500) 300/700 1 decide 2 350 0 2",
        "bj(bust=all_dice,target=500) 550/800 1 decide 3 200 0 2",
    ],
)
def test_expectiminimax_cut_off_at_our_values_gives_our_value(position: str) -> None:
    """Solved values are a fixed point, whoever looks ahead of them."""
    state = at(position)
    evaluator = evaluator_for(state.state.game, state.state.options, 2)

    def worth(state: Any) -> float:
        return 2 * evaluator.value(state.state, 0).value - 1

    value, action = minimax.expectiminimax(state, 2, worth, 0)
    assert value == pytest.approx(worth(state), abs=1e-9)
    assert state.layout.actions[action] == evaluator.evaluate(state.state).lines[0].action


def test_expectiminimax_to_the_end_of_a_sheet_gives_our_points() -> None:
    """The last roll of a player alone with one vacant box: nothing of ours is in the value that OpenSpiel finds."""
    state = at("kismet 3,6,9,12,15,18,0,20,30,35,0,0,0,20,- 1 2 33345", 1)
    value, action = minimax.expectiminimax(state, 9, None, 0)
    found = evaluator_for(state.state.game, state.state.options, 1).evaluate(state.state)
    assert value == pytest.approx(found.value, abs=1e-9)
    assert state.layout.actions[action] == found.lines[0].action


@pytest.mark.parametrize("position", ["0/0 1 4 decide", "5/6 1 2 decide", "2/7 1 5 decide"])
def test_tree_search_finds_the_move_that_our_values_have_best(position: str) -> None:
    text = "pig(target=8)"
    game, random = load(text), np.random.RandomState(1)
    bot = mcts.MCTSBot(game, 1.0, 3000, mcts.RandomRolloutEvaluator(1, random), random_state=random)
    state = at(f"{text} {position}")
    best = hotdice.parse_game(text)[0].actions(state.state.options, 2)[bot.step(state)]
    found = evaluator_for(state.state.game, state.state.options, 2).evaluate(state.state)
    assert best == found.lines[0].action


def test_a_copied_state_goes_on_by_itself() -> None:
    state = load("pig").new_initial_state()
    twin, deep = state.clone(), copy.deepcopy(state)
    state.apply_action(3)
    assert str(state) != str(twin) == str(deep) == "pig 0/0 1 0 roll"


def test_chances_are_those_of_the_dice() -> None:
    state = load("kismet", 1).new_initial_state()
    chances = dict(state.chance_outcomes())
    assert len(chances) == 252
    assert sum(chances.values()) == pytest.approx(1)
    assert min(chances.values()) == pytest.approx(6**-5)


def test_an_observation_is_the_numbers_of_the_other_interfaces() -> None:
    game = load("pig", 3)
    state = game.new_initial_state()
    state.apply_action(4)
    observer = game.make_py_observer()
    observer.set_from(state, 1)
    assert observer.tensor.tolist() == [0, 0, 0, 5, 2]
    assert observer.string_from(state, 1) == "pig 0/0/0 1 5 decide as player 1"


def test_a_bound_that_openspiel_is_told_is_kept() -> None:
    state = at("rollers 00000/00000 55/55 0/0 1 1 0 - -")
    assert len(state.chance_outcomes()) == 1512 <= spiel.ROLLS


def test_house_rules_that_make_no_sense_are_refused() -> None:
    with pytest.raises(HotdiceError, match="The option target takes a whole number from 1 to 10000"):
        pyspiel.load_game("hotdice_pig(target=0)")
