"""What the book says of KOR, computed in other ways: from other games, other dice and positions."""

from __future__ import annotations

import numpy as np
import pytest

from hotdice import simulate
from hotdice.game import CHANCE
from hotdice.games.kor import KOR, KorState
from hotdice.games.kor.rules import DICE, NOBODY, Follow, Side, Target
from hotdice.solve import evaluator_for
from strategy.book import kept
from strategy.kor.figures import MINE, PLAIN, SCORES, STAKES, VARIANTS, Figures

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def figures() -> Figures:
    found = kept("kor")
    assert isinstance(found, Figures)
    return found


def test_turns_end_as_often_as_in_games(figures: Figures) -> None:
    columns = simulate("kor", ["greedy"] * 3, games=4000, seed=9).columns
    turns = columns["turns"].sum()
    ended = sum(columns[f"dead_ends_{seat}"].sum() for seat in (1, 2, 3))
    assert ended / turns == pytest.approx(figures.dead_end, abs=4 * (0.13 * 0.87 / turns) ** 0.5 + figures.split)


def test_the_first_of_two_wins_what_is_proven_elsewhere(figures: Figures) -> None:
    found = {variant.name: variant.first for variant in figures.variants}
    assert list(found) == list(VARIANTS)
    assert found["as printed"] == pytest.approx(0.531070720, abs=1e-8)
    assert found["Bank Roll"] == pytest.approx(0.531264172, abs=1e-8)
    assert found["final round"] == pytest.approx(0.530448780, abs=1e-8)
    assert found["both"] == pytest.approx(0.530624312, abs=1e-8)


def test_the_one_with_more_points_is_sent_back(figures: Figures) -> None:
    assert len(figures.sending) == len(SCORES) ** 2
    for one in figures.sending:
        if one.following != one.last:
            assert (one.gains.value > 0) == (one.following > one.last)
        else:
            assert abs(one.gains.value) < 0.02


@pytest.mark.parametrize(("following", "last"), [(2500, 4500), (4500, 3500)])
def test_other_dice_say_the_same(figures: Figures, following: int, last: int) -> None:
    values = evaluator_for(KOR, PLAIN, 3)
    state = KorState(PLAIN, (MINE, following, last), 0, 0, 0, False, DICE, 0, (), NOBODY)
    found = values.evaluate(state, seed=99)
    gap = found.line(Target(1)).value - found.line(Target(2)).value
    (told,) = (one.gains for one in figures.sending if (one.following, one.last) == (following, last))
    assert gap == pytest.approx(told.value, abs=6 * told.error)


def test_habits_are_in_order(figures: Figures) -> None:
    for habit in figures.habits:
        assert abs(habit.leader.value) < 0.002
        assert habit.leader.value < habit.random.value < habit.last.value


def test_dead_end_in_a_penalty_is_better_from_the_limit_on(figures: Figures) -> None:
    values = evaluator_for(KOR, PLAIN, 2)
    for one in figures.splits:
        for points, better in ((one.limit, Side.DEAD_END), (one.limit - 25, Side.U_TURN)):
            if 0 <= points < STAKES[-1]:
                signs = (Side.DEAD_END, Side.U_TURN)
                state = KorState(PLAIN, (one.own, one.other), 0, 1, 0, True, DICE, points, signs, NOBODY)
                assert values.policy(state) == Follow(better)
                assert state.seat != CHANCE


def test_final_rounds_are_overturned_as_often_in_other_games(figures: Figures) -> None:
    games = 20_000
    for one in figures.overturned:
        winners = []
        for final in (False, True):
            played = simulate("kor", ["greedy"] * one.players, games=games, seed=8, options={"final_round": final})
            columns = [played.columns[f"win_{seat + 1}"] for seat in range(one.players)]
            winners.append(np.argmax(columns, axis=0))
        share = float((winners[0] != winners[1]).mean())
        assert share == pytest.approx(one.share.value, abs=4 * (share * (1 - share) / games) ** 0.5)


def test_alike_players_share_the_wins(figures: Figures) -> None:
    for one in figures.seats:
        assert sum(wins.value for wins in one.wins) == pytest.approx(1)
        assert one.wins[0].value > 1 / one.players
