"""Gymnasium's own checks on every game, and what they leave out."""

from __future__ import annotations

import copy
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import hotdice
from hotdice import all_games
from hotdice.envs import SingleEnv
from hotdice.envs.ids import id_of, ids
from hotdice.envs.layout import ILLEGAL, MASK
from hotdice.errors import BotError, HotdiceError, IllegalMove, SeatError
from hotdice.game import Move, State
from tests.envs.settings import settings


@pytest.mark.parametrize("name", ids())
def test_gymnasiums_own_checks_pass(name: str) -> None:
    check_env(gymnasium.make(name).unwrapped)


@pytest.mark.parametrize(("game", "players"), settings())
def test_they_pass_with_more_players_and_random_bots(game: str, players: int) -> None:
    check_env(gymnasium.make(id_of(hotdice.parse_game(game)[0]), players=players, opponents="random").unwrapped)
    check_env(gymnasium.make("hotdice/Pig-v0", players=8, seat=3).unwrapped)


def test_the_ids_say_the_house_rules() -> None:
    found = ids()
    assert found["hotdice/Kismet-v0"] == "kismet"
    assert found["hotdice/Kor.bank_roll-true.target-500-v0"] == "kor(bank_roll=true,target=500)"
    assert len(found) == sum(len(game.options.combinations()) for game in all_games())
    env = gymnasium.make("hotdice/Kor.bank_roll-true-v0", target=1000).unwrapped
    assert isinstance(env, SingleEnv)
    assert env.layout.text == "kor(bank_roll=true,target=1000)"


def played(env: SingleEnv, seed: int) -> tuple[float, list[str]]:
    """A random game: the reward, and the positions on the way."""
    actions = np.random.default_rng(seed)
    _, info = env.reset(seed=seed)
    positions, over, reward = [env.state.position], False, 0.0
    while not over:
        assert env.state.seat == env.seat == info["seat"]
        _, reward, over, _, info = env.step(int(actions.choice(np.flatnonzero(info[MASK]))))
        positions.append(env.state.position)
    return reward, positions


@pytest.mark.parametrize(("game", "players"), settings())
def test_the_reward_is_the_result(game: str, players: int) -> None:
    env = SingleEnv(game, players)
    reward, positions = played(env, 1)
    result = env.state.result
    assert result is not None
    if players == 1:
        assert reward == env.state.scores[0]
    elif len(result.winners) == 1:
        assert reward == (1.0 if env.seat in result.winners else -1 / (players - 1))
    assert played(SingleEnv(game, players), 1) == (reward, positions)
    assert not env.layout.mask(env.state).any()


def test_every_seat_is_sat_in_unless_one_is_named() -> None:
    env = SingleEnv("pig", 3)
    assert {env.reset(seed=seed)[1]["seat"] for seed in range(20)} == {0, 1, 2}
    assert {SingleEnv("pig", 3, seat=2).reset(seed=seed)[1]["seat"] for seed in range(20)} == {2}


def test_a_function_can_sit_opposite() -> None:
    def never(state: State) -> Move:
        return state.legal_moves()[1]

    env = SingleEnv("pig(target=10)", opponents=never)
    assert played(env, 1)[0] in (-1.0, 1.0)

    def astray(state: State) -> Move:
        raise ZeroDivisionError("no luck")

    with pytest.raises(BotError, match="“astray” failed at “pig"):
        played(SingleEnv("pig", seat=1, opponents=astray), 1)


def test_an_illegal_action_changes_nothing_and_says_why() -> None:
    env = SingleEnv("kismet", 1)
    seen, info = env.reset(seed=1)
    illegal = int(np.flatnonzero(info[MASK] == 0)[0])
    again, reward, over, cut, info = env.step(illegal)
    assert (seen == again).all()
    assert (reward, over, cut) == (0.0, False, False)
    assert "Legal:" in info[ILLEGAL]
    strict = SingleEnv("kismet", 1, strict=True)
    strict.reset(seed=1)
    with pytest.raises(IllegalMove, match="Legal:"):
        strict.step(illegal)


def rolled(env: SingleEnv) -> list[str]:
    found = []
    for _ in range(10):
        env.step(int(np.flatnonzero(env.layout.mask(env.state))[0]))
        found.append(env.state.position)
        if env.state.result:
            break
    return found


def test_a_copy_goes_on_alike_and_a_clone_on_dice_of_its_own() -> None:
    env = SingleEnv("bj", opponents="random")
    env.reset(seed=5)
    copied, searched, again = copy.deepcopy(env), env.clone(1), env.clone(1)
    there = rolled(searched)
    assert rolled(again) == there
    assert rolled(copied) == rolled(env) != there


@pytest.mark.parametrize(
    ("wanted", "error", "told"),
    [
        ({"opponents": "nobody"}, SeatError, "There is no bot “nobody”; there are "),
        ({"opponents": ["greedy", "random"]}, SeatError, "There are 1 other seats; opponents names 2."),
        ({"seat": 2}, HotdiceError, "seat takes a whole number from 0 to 1, not 2."),
        ({"players": 1}, HotdiceError, "players takes a whole number from 2 to 8, not 1."),
        ({"render_mode": "human"}, HotdiceError, "render_mode takes “ansi” or nothing"),
    ],
)
def test_what_makes_no_sense_is_refused(wanted: dict[str, Any], error: type[Exception], told: str) -> None:
    with pytest.raises(error) as found:
        SingleEnv("pig", **wanted)
    assert told in str(found.value)
    assert "\n" not in str(found.value)


def test_an_id_that_nobody_has_is_refused() -> None:
    with pytest.raises(gymnasium.error.NameNotFound, match="Pik"):
        gymnasium.make("hotdice/Pik-v0")


def test_games_too_short_for_a_decision_are_dealt_anew() -> None:
    """Most games of KOR to 25 end before anybody decides anything."""
    env = SingleEnv("kor(target=25)")
    for seed in range(30):
        _, info = env.reset(seed=seed)
        assert info[MASK].any()
