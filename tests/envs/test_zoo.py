"""PettingZoo's own tests on every game, and what they leave out."""

from __future__ import annotations

import copy
from functools import partial
from random import Random
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from gymnasium import spaces
from pettingzoo.test import api_test, max_cycles_test, parallel_api_test, parallel_seed_test, seed_test

from hotdice import load_game
from hotdice.envs import zoo
from hotdice.envs.layout import ILLEGAL, MASK
from hotdice.errors import HotdiceError, IllegalMove, OptionError, UnknownGame
from hotdice.game import CHANCE
from tests.envs.settings import settings


@pytest.mark.parametrize(("game", "players"), settings())
def test_pettingzoos_own_tests_pass(game: str, players: int, monkeypatch: pytest.MonkeyPatch) -> None:
    api_test(zoo.env(game, players))
    seed_test(partial(zoo.env, game, players))
    # In KOR so much is chance that one game in ten is over before the cap of this test: deal and play one that is not.
    monkeypatch.setattr(zoo, "Random", partial(Random, 1))
    monkeypatch.setattr(spaces, "Discrete", partial(spaces.Discrete, seed=1))
    env, parallel_env = partial(zoo.env, game, players), partial(zoo.parallel_env, game, players)
    max_cycles_test(SimpleNamespace(env=env, parallel_env=parallel_env))


@pytest.mark.parametrize(("game", "players"), settings())
def test_they_pass_with_everybody_asked_in_every_cycle(game: str, players: int) -> None:
    api_test(zoo.env(game, players, max_cycles=100))
    seed_test(partial(zoo.env, game, players, max_cycles=100))
    parallel_api_test(zoo.parallel_env(game, players), num_cycles=100)
    parallel_seed_test(partial(zoo.parallel_env, game, players), num_cycles=100)


def played(env: Any, actions: np.random.Generator) -> dict[str, float]:
    """A random game; gives what each agent got."""
    got = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        _, reward, over, cut, info = env.last()
        got[agent] += reward
        env.step(None if over or cut else int(actions.choice(np.flatnonzero(info[MASK]))))
    return got


def test_a_win_is_1_and_all_add_up_to_nothing() -> None:
    env = zoo.env("pig(target=20)", 3)
    for seed in range(5):
        env.reset(seed=seed)
        got = played(env, np.random.default_rng(seed))
        assert sorted(got.values()) == [-0.5, -0.5, 1.0]
        assert env.table.result is not None
        assert got[f"player_{env.table.result.winners[0]}"] == 1.0


def test_a_player_alone_gets_the_score() -> None:
    env = zoo.env("kismet", 1)
    env.reset(seed=1)
    assert played(env, np.random.default_rng(1)) == {"player_0": env.table.scores[0]}


def test_only_who_has_to_decide_is_asked_and_never_about_a_roll() -> None:
    env = zoo.env("kor", 3)
    env.reset(seed=3)
    for agent in env.agent_iter(40):
        assert env.table.seat != CHANCE
        _, _, over, _, info = env.last()
        if over:
            break
        assert agent == f"player_{env.table.seat}"
        assert np.flatnonzero(info[MASK]).tolist() == [env.layout.numbers[move] for move in env.table.legal_moves()]
        env.step(int(np.flatnonzero(info[MASK])[0]))


def test_an_illegal_action_changes_nothing_and_says_why() -> None:
    env = zoo.env("kismet", 2)
    env.reset(seed=1)
    agent, before = env.agent_selection, env.table
    keep = next(move for move in before.game.actions(before.options, 2) if move not in before.legal_moves())
    env.step(env.layout.numbers[keep])
    assert (env.agent_selection, env.table) == (agent, before)
    _, reward, over, cut, info = env.last()
    assert (reward, over, cut) == (0.0, False, False)
    assert "not a legal move" in info[ILLEGAL] or "Legal:" in info[ILLEGAL]
    strict = zoo.env("kismet", 2, strict=True)
    strict.reset(seed=1)
    with pytest.raises(IllegalMove, match="Legal:"):
        strict.step(env.layout.numbers[keep])


def test_those_who_wait_may_do_nothing_else() -> None:
    env = zoo.parallel_env("pig", 2)
    _, infos = env.reset(seed=1)
    decider = next(agent for agent in env.agents if infos[agent][MASK][0])
    (other,) = set(env.agents) - {decider}
    wait = len(env.layout.actions)
    assert infos[other][MASK].tolist() == [0, 0, 1]
    before = env.table
    _, _, _, _, infos = env.step({decider: wait, other: 0})
    assert env.table == before
    assert "for this player to decide" in infos[decider][ILLEGAL]
    assert infos[other][ILLEGAL] == zoo.WAIT
    env.step({decider: 0, other: wait})
    assert env.table != before


def test_a_cap_cuts_and_ends_nothing_by_the_rules() -> None:
    env = zoo.parallel_env("pig", 2, max_cycles=3)
    env.reset(seed=1)
    for cycle in (1, 2, 3):
        _, rewards, over, cut, _ = env.step(dict.fromkeys(env.agents, 0))
        assert set(cut.values()) == {cycle == 3}
        assert set(over.values()) == {False}
        assert set(rewards.values()) == {0.0}
    assert env.table.result is None


def moved_on(env: Any, steps: int = 12) -> list[str]:
    """Where the first legal actions lead."""
    found = []
    for _ in range(steps):
        if not env.agents or env.terminations[env.agent_selection]:
            break
        env.step(int(np.flatnonzero(env.infos[env.agent_selection][MASK])[0]))
        found.append(env.table.position)
    return found


def test_a_copy_goes_on_alike_and_a_clone_on_dice_of_its_own() -> None:
    env = zoo.env("bj", 2)
    env.reset(seed=5)
    moved_on(env, 3)
    position = env.table.position
    copied, searched, again, other = copy.deepcopy(env), env.clone(1), env.clone(1), env.clone(2)
    assert copied.table.position == searched.table.position == position
    there = moved_on(searched)
    assert moved_on(again) == there
    assert moved_on(other) != there
    assert env.table.position == position  # untouched by its twins
    assert moved_on(copied) == moved_on(env) != there
    assert searched.action_space("player_0") is not env.action_space("player_0")


def test_no_state_and_no_layout_holds_dice_to_come() -> None:
    """What an agent can reach by `table` is the rules' own state, which has no generator in it."""
    env = zoo.env("rollers", 2)
    env.reset(seed=5)
    assert load_game("rollers").state is type(env.table)
    assert copy.deepcopy(env.table) is env.table


@pytest.mark.parametrize(
    ("wanted", "error", "told"),
    [
        ({"game": "nosuch"}, UnknownGame, "There is no game “nosuch”; there are "),
        ({"game": "pig(target=0)"}, OptionError, "The option target takes a whole number from 1 to 10000, not 0."),
        ({"game": "pig", "speed": 3}, OptionError, "There is no option speed; expected target."),
        ({"game": "pig(target=20)", "target": 30}, OptionError, "The option target is given twice, as 20 and 30"),
        ({"game": "pig", "players": 9}, HotdiceError, "players takes a whole number from 2 to 8, not 9."),
        ({"game": "pig", "players": "two"}, HotdiceError, "players takes a whole number from 2 to 8, not 'two'."),
        ({"game": "pig", "max_cycles": 0}, HotdiceError, "max_cycles takes a whole number from 1 to "),
        ({"game": "pig", "render_mode": "human"}, HotdiceError, "render_mode takes “ansi” or nothing, not 'human'."),
    ],
)
def test_what_makes_no_sense_is_refused(wanted: dict[str, Any], error: type[Exception], told: str) -> None:
    with pytest.raises(error) as found:
        zoo.env(**wanted)
    assert told in str(found.value)
    assert "\n" not in str(found.value)


@pytest.mark.parametrize("action", [2, -1, 0.0, "roll", None])
def test_what_is_no_action_is_refused(action: object) -> None:
    env = zoo.env("pig", 2)
    env.reset(seed=1)
    with pytest.raises(IllegalMove, match="An action of Pig is a whole number from 0 to 1, not "):
        env.step(action)


def test_a_step_without_a_game_is_refused() -> None:
    for env in (zoo.env("pig"), zoo.parallel_env("pig")):
        with pytest.raises(HotdiceError, match=r"call reset\(\) first"):
            env.step(0)  # type: ignore[arg-type]
    env = zoo.parallel_env("pig")
    env.reset()
    with pytest.raises(HotdiceError, match="There is no action for player_1"):
        env.step({"player_0": 0})


def test_an_unknown_agent_is_refused() -> None:
    env = zoo.env("pig")
    env.reset()
    with pytest.raises(HotdiceError, match="There is no agent 'player_2'; there are player_0, player_1"):
        env.observe("player_2")


def test_the_table_is_told_as_text() -> None:
    env = zoo.env("pig", render_mode="ansi")
    env.reset(seed=1)
    assert env.render() == f"{env.table.position}\n{env.render().splitlines()[1]}\nplayer_0: 0\nplayer_1: 0"
