"""Sums over many games, their errors, and that it does not matter how games are divided."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest

import hotdice
from hotdice.errors import BotError, HotdiceError, SeatError
from hotdice.game import Move, State
from hotdice.simulation.plan import Plan
from hotdice.simulation.runs import Chunk, begin, go_on, play
from hotdice.simulation.tally import PARTS, Differences, Distribution, Sums, Tally, shares_of
from hotdice.solve.batches import Columns


def columns(winners: list[int], scores: list[list[int]]) -> Columns:
    made = Columns.empty(len(winners), len(scores[0]), 0)
    made.winners[:], made.scores[:] = winners, scores
    return made


def test_a_shared_win_counts_in_equal_parts() -> None:
    found = shares_of(columns([0b001, 0b110, 0b111], [[0, 0, 0]] * 3)) / PARTS
    assert found.tolist() == [[1, 0, 0], [0, 0.5, 0.5], pytest.approx([1 / 3] * 3)]


def test_a_mean_has_the_standard_error_of_the_textbook() -> None:
    sums = Sums()
    sums.add(np.array([2, 4, 4, 4, 5, 5, 7, 9]))  # mean 5, sum of squared deviations 32
    found = sums.interval()
    assert found.mean == 5.0
    assert found.error == pytest.approx(sqrt(32 / 7 / 8))


def test_an_interval_of_shares_is_wilsons() -> None:
    sums = Sums()
    sums.add(np.array([PARTS] * 81 + [0] * 182))  # 81 of 263: 0.255 to 0.366 (Newcombe, 1998)
    found = sums.share()
    assert (round(found.low, 4), round(found.high, 4)) == (0.2553, 0.3662)


def test_nothing_is_certain_because_it_never_happened() -> None:
    sums = Sums()
    sums.add(np.zeros(100, np.int64))
    assert sums.share().high > 0.03
    assert sums.interval().error > 0


def test_quantiles_are_numbers_that_came() -> None:
    found = Distribution()
    found.add(np.array([-5, 1, 1, 2, 9]))
    assert found.quantiles((0.05, 0.5, 0.95)) == (-5, 1, 9)


def test_sums_do_not_depend_on_how_games_are_divided() -> None:
    pig = hotdice.load_game("pig")
    plan = Plan.of(pig, pig.make_options({"target": 20}), ["greedy", "random"], 3)
    whole = play(Chunk(plan, 0, 300))
    merged = Tally.of(play(Chunk(plan, 200, 100)))
    merged.merge(Tally.of(play(Chunk(plan, 0, 200))))
    assert merged == Tally.of(whole)
    run = begin(plan)
    go_on(run, 300, mapped=map)
    assert run.tally == merged


def test_compared_games_have_the_same_dice() -> None:
    """Pig to 20 and Pig to 21 begin alike, so they differ less than two games on dice of their own would."""
    pig = hotdice.load_game("pig")
    one, other = (
        play(Chunk(Plan.of(pig, pig.make_options({"target": target}), ["greedy", "greedy"], 1), 0, 2000))
        for target in (20, 21)
    )
    paired = Differences.of(one, other).wins[0].interval(PARTS).error
    alone = Tally.of(one).wins[0].share().error
    assert paired < 0.8 * sqrt(2) * alone


def test_errors_hold_over_repeated_runs() -> None:
    """Win rates of 200 runs spread as far as their own standard errors say: within the chi-square's 0.1 and 99.9%."""
    pig = hotdice.load_game("pig")
    runs = [
        Tally.of(play(Chunk(Plan.of(pig, pig.make_options({"target": 20}), ["greedy", "random"], seed), 0, 400)))
        for seed in range(200)
    ]
    means = [run.wins[0].share().mean for run in runs]
    expected = np.mean([run.wins[0].share().error ** 2 for run in runs])
    assert 143.84 < np.var(means) * 200 / expected < 266.4


def test_columns_are_what_tables_are_made_of() -> None:
    found = hotdice.simulate("pig", ["greedy", "hold:25"], games=20, seed=1, options={"target": 30}, jobs=1)
    assert {len(column) for column in found.columns.values()} == {20}
    assert (found.columns["win_1"] + found.columns["win_2"] == 1).all()
    assert found.tally.games == 20


def test_a_function_can_play() -> None:
    found = hotdice.simulate("pig", ["greedy", lambda state: state.legal_moves()[1]], games=5, options={"target": 10})
    assert found.plan.names[1] == "<lambda>"


def test_a_function_that_errs_is_named_with_the_position() -> None:
    def fails(state: State) -> Move:
        raise ZeroDivisionError("no luck")

    with pytest.raises(BotError, match="“fails” failed at “pig"):
        hotdice.simulate("pig", [fails, "greedy"], games=1)


@pytest.mark.parametrize(
    ("players", "told"),
    [
        (["nobody", "greedy"], "There is no player “nobody” in Pig"),
        (["hold", "greedy"], "needs the turn total at which it holds"),
        (["greedy:3", "greedy"], "takes no numbers"),
        (["greedy"], "takes 2 to 8 players, not 1"),
        (["no_such_module:Bot", "greedy"], "cannot be loaded"),
    ],
)
def test_impossible_players_are_refused(players: list[str], told: str) -> None:
    with pytest.raises((HotdiceError, SeatError), match=told):
        hotdice.simulate("pig", players, games=1)
