"""The levels of bots: noise makes a softmax choice, and a lower level loses more."""

from __future__ import annotations

from collections import Counter
from itertools import product
from math import exp
from random import Random

import pytest

from hotdice import CHANCE, OVER, Move, State, all_games, load_game, parse_position
from hotdice.games.pig import Choice
from hotdice.players import levels, make_player
from hotdice.players.levels import LOSSES, noisy_best
from hotdice.solve import evaluate, solver_of
from hotdice.values import Noise, NotSolved, Solver, Unit, Valued

pytestmark = pytest.mark.usefixtures("own_tables")

LINES = tuple(Valued(move, value, 0.0, 0.5 - value, 0.0, False) for move, value in zip(Choice, (0.5, 0.4), strict=True))


def test_without_noise_the_best_is_taken() -> None:
    assert {noisy_best(LINES, 0.0, Random(seed)) for seed in range(20)} == {LINES[0]}


@pytest.mark.parametrize("scale", [0.05, 0.1, 0.4])
def test_noise_makes_a_softmax_choice(scale: float) -> None:
    random = Random(1)
    taken = Counter(noisy_best(LINES, scale, random) for _ in range(10_000))
    expected = 1 / (1 + exp((LINES[1].value - LINES[0].value) / scale))
    assert taken[LINES[0]] / 10_000 == pytest.approx(expected, abs=0.02)


def test_every_game_has_noise_that_grows_as_levels_fall() -> None:
    for game in all_games():
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


class Silent(Solver):
    """Knows no values and no noise."""

    def noise(self, unit: Unit, players: int) -> Noise:
        return {}


def test_where_a_solver_has_no_noise_it_is_the_usual_one(monkeypatch: pytest.MonkeyPatch) -> None:
    pig = load_game("pig")
    state = pig.start(2).roll((4,))
    monkeypatch.setattr(levels, "solver_of", lambda game: Silent())
    moves = Counter(make_player("beginner", seed).choose(state) for seed in range(20))
    assert set(moves) <= set(Choice)


@pytest.mark.parametrize("kind", ["optimal", *LOSSES])
def test_where_a_position_has_no_value_they_play_by_the_greedy_rule(kind: str) -> None:
    state = parse_position("pig 120/0 2 7 decide")  # the game would have been over
    with pytest.raises(NotSolved):
        evaluate(state)
    assert make_player(kind, 1).choose(state) == state.game.greedy(state)


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
