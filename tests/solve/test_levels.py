"""The levels of bots: noise makes a softmax choice, and a lower level loses more."""

from __future__ import annotations

from collections import Counter
from itertools import product
from math import exp
from random import Random

import pytest

from hotdice import CHANCE, OVER, Move, State, all_games, load_game
from hotdice.games.pig import Choice
from hotdice.players import make_player
from hotdice.players.levels import LOSSES, noisy_best
from hotdice.solve import evaluate, solver_of
from hotdice.values import Unit, Valued

pytestmark = pytest.mark.usefixtures("own_tables")

LINES = tuple(Valued(move, value, 0.0, False) for move, value in zip(Choice, (0.5, 0.4), strict=True))


def test_without_noise_the_best_is_taken() -> None:
    assert {noisy_best(LINES, 0.0, Random(seed)) for seed in range(20)} == {LINES[0]}


@pytest.mark.parametrize("scale", [0.05, 0.1, 0.4])
def test_noise_makes_a_softmax_choice(scale: float) -> None:
    random = Random(1)
    taken = Counter(noisy_best(LINES, scale, random) for _ in range(10_000))
    expected = 1 / (1 + exp((LINES[1].value - LINES[0].value) / scale))
    assert taken[LINES[0]] / 10_000 == pytest.approx(expected, abs=0.02)


def test_every_game_has_fitted_noise_that_grows_as_levels_fall() -> None:
    for game in all_games():
        if game.solver is None:
            continue
        for unit, players in product(Unit, (2, 3)):
            noise = solver_of(game).noise(unit, players)
            assert 0 < noise["expert"] < noise["casual"] < noise["beginner"]
            assert noise.keys() == LOSSES.keys()


def test_with_more_than_two_players_the_noise_is_another() -> None:
    kor = load_game("kor")
    assert solver_of(kor).noise(Unit.WIN, 3) != solver_of(kor).noise(Unit.WIN, 2)
    pig = load_game("pig")
    assert solver_of(pig).noise(Unit.WIN, 3) == solver_of(pig).noise(Unit.WIN, 2)


def loss(kind: str) -> float:
    """What a bot that plays both seats of Pig loses a decision, by the solved values."""
    pig, random, bot = load_game("pig"), Random(7), make_player(kind, 7)
    lost: list[float] = []
    while len(lost) < 1500:
        state: State = pig.start(2)
        while state.seat != OVER:
            if state.seat == CHANCE:
                state = state.roll(random.choice(state.outcomes().rolls))
                continue
            lines = evaluate(state).lines
            move: Move = bot.choose(state)
            lost.append(lines[0].value - next(line.value for line in lines if line.action == move))
            state = state.apply(move)
    return sum(lost) / len(lost)


def test_a_lower_level_loses_more() -> None:
    losses = [loss(kind) for kind in ("optimal", "expert", "casual", "beginner", "random")]
    assert losses[0] == 0
    assert losses == sorted(losses)


@pytest.mark.parametrize(("name", "options"), [("bj", {"target": 300}), ("kor", {"target": 300})])
def test_three_of_them_play_a_whole_game(name: str, options: dict[str, int]) -> None:
    game = load_game(name)
    state, random = game.start(3, game.options(**options)), Random(3)
    bots = [make_player(kind, 5) for kind in ("optimal", "expert", "beginner")]
    while state.seat != OVER:
        if state.seat == CHANCE:
            outcomes = state.outcomes()
            state = state.roll(outcomes.at(random.randrange(outcomes.total)))
        else:
            state = state.apply(bots[state.seat].choose(state))
    assert state.result is not None
