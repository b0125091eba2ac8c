"""What an observation is: the page says it, every number keeps to its bounds, and any game has one."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from random import Random

import numpy as np
import pytest

import hotdice
from hotdice.envs import tables
from hotdice.envs.episode import roll_on
from hotdice.envs.layout import Layout, layout_of
from hotdice.game import OVER
from hotdice.observation import observation_of
from tests.envs.settings import settings
from tests.installed import examples


def test_the_page_is_up_to_date() -> None:
    page = tables.PAGE.read_text("utf-8")
    assert tables.written(page) == page, "docs/environments.md is not what the code says now: run `make types`."


def test_a_page_without_a_place_for_tables_is_refused() -> None:
    with pytest.raises(ValueError, match="has no line where its tables begin"):
        tables.written("# Environments\n")


@pytest.mark.parametrize(("text", "players"), settings())
def test_every_number_keeps_to_its_bounds(text: str, players: int) -> None:
    layout = layout_of(*hotdice.parse_game(text), players)
    assert (layout.low < layout.high).all()
    draw = Random(1)
    state = roll_on(layout.start, draw.random)
    while state.seat != OVER:
        for seat in range(players):
            seen = layout.observe(state, seat)
            assert seen.shape == (layout.size,)
            assert ((layout.low <= seen) & (seen <= layout.high)).all()
        assert layout.mask(state).tolist() == list(state.mask())
        moves = state.legal_moves()
        state = roll_on(state.apply(moves[draw.randrange(len(moves))]), draw.random)


def numbers_of(layout: Layout, position: str, seat: int) -> dict[str, list[int]]:
    """What a seat sees of a position, by the names of the entries."""
    seen = layout.observe(hotdice.parse_position(position), seat)
    begins = np.cumsum([0, *(entry.size for entry in layout.entries)])
    return {entry.name: seen[at : at + entry.size].tolist() for entry, at in zip(layout.entries, begins, strict=False)}


def test_players_stand_in_the_order_of_play_oneself_first() -> None:
    layout = layout_of(*hotdice.parse_game("bj"), 3)
    position = "bj 100/5200/300 3 decide 2 900 500 2"
    assert numbers_of(layout, position, 2) == {
        "scores": [300, 100, 5200], "at_risk": [900], "safe": [500], "dice": [2], "turn": [0], "starter": [3],
    }  # fmt: skip
    assert numbers_of(layout, position, 1)["turn"] == [1]
    assert numbers_of(layout, position, 1)["starter"] == [1]


def test_dice_are_counted_by_face() -> None:
    layout = layout_of(*hotdice.parse_game("rollers"), 2)
    seen = numbers_of(layout, "rollers 01200/22000 50/60 3/2 1 2 2 3,3 1,*,*,zap", 1)
    assert seen["rolled"] == [1, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 1]
    assert seen["kept"] == [0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    assert seen["boards"] == [2, 2, 0, 0, 0, 0, 1, 2, 0, 0]
    assert (seen["chips"], seen["points"], seen["starter"]) == ([60, 50], [2, 3], [1])


def test_a_game_that_says_nothing_is_described_by_the_fields_of_its_states() -> None:
    game = replace(hotdice.load_game("bj"), observation=None)
    state = hotdice.parse_position("bj 100/5200/300 3 decide 2 900 500 2")
    observation = observation_of(game)
    entries = observation.entries(state.options, 3)
    assert [entry.name for entry in entries] == [
        "own_seat", "to_roll", "scores", "dice", "at_risk", "safe", "starter"
    ]  # fmt: skip
    assert list(observation.numbers(state, 1)) == [0, 1, 0, 0, 1, 0, 5200, 300, 100, 2, 900, 500, 1]


def test_what_is_no_number_has_to_be_described() -> None:
    """A state with a text in it, as somebody's game may have."""
    check = (
        "from dataclasses import replace\n"
        "import hotdice\n"
        "from hotdice.game import frozen\n"
        "from hotdice.games.pig import PigState\n"
        "@frozen\n"
        "class Named(PigState):\n"
        "    name: str = 'x'\n"
        "game = hotdice.register(replace(hotdice.load_game('pig'), name='named', state=Named, observation=None))\n"
        "from hotdice.observation import observation_of\n"
        "observation_of(game).entries(game.options(), 2)\n"
    )
    run = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=False)
    assert "HotdiceError: The field name of Pig is of type str, which is not numbers;" in run.stderr


@pytest.mark.slow
def test_an_installed_game_is_an_environment_by_being_registered() -> None:
    """Nobody wrote an observation for it, and PettingZoo's and Gymnasium's tests pass."""
    check = (
        "import warnings; warnings.simplefilter('error')\n"
        "from functools import partial\n"
        "import gymnasium, hotdice.envs\n"
        "from gymnasium.utils.env_checker import check_env\n"
        "from pettingzoo.test import api_test, seed_test\n"
        "from hotdice.envs import zoo\n"
        "check_env(gymnasium.make('hotdice/Farkle-v0').unwrapped)\n"
        "api_test(zoo.env('farkle', 3)); seed_test(partial(zoo.env, 'farkle', 3))\n"
        "from hotdice.envs.vector import VectorEnv\n"
        "try: VectorEnv('farkle')\n"
        "except ValueError as error: print(error)\n"
    )
    run = subprocess.run([sys.executable, "-c", check], env=examples(), capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert "Farkle has no compiled steps" in run.stdout
