"""Games of the calibrated bots read as their levels, as surely as was measured when the thresholds were fitted."""

from __future__ import annotations

from statistics import fmean

import pytest

from hotdice import load_game
from hotdice.review.fit_levels import Setting, accuracy_thresholds, games_apart, sample, sureness
from hotdice.review.levels import WORDS, levels_of

FRESH = 500_000
"""The seed of games that nothing was fitted to."""


@pytest.mark.parametrize("word", WORDS)
def test_a_game_of_kismet_alone_reads_as_its_level(word: str) -> None:
    game = load_game("kismet")
    setting = Setting(game, 1, 8, game.make_options())
    read = [levels_of(game, 1).rating(accuracy).word for accuracy in sample(setting, word, FRESH).accuracies]
    assert read.count(word) >= 7  # of 8; measured were 96% and more


@pytest.mark.parametrize("name", ["pig", "bj"])
@pytest.mark.parametrize("word", WORDS)
def test_some_games_together_read_as_their_level(name: str, word: str) -> None:
    """Neighbours are told apart by the average of seven games; here are that of twelve with two seats each."""
    game = load_game(name)
    found = sample(Setting(game, 2, 12, game.make_options()), word, FRESH)
    assert levels_of(game, 2).rating(fmean(found.accuracies)).word == word


def test_thresholds_name_the_most_rightly() -> None:
    assert accuracy_thresholds([[1.0, 2.0, 3.0], [5.0, 6.0], [8.0, 9.0], [12.0, 12.0]]) == pytest.approx((4, 7, 10.5))


def test_words_are_as_sure_as_they_are_rarely_wrong() -> None:
    shares = [[0.9, 0.1, 0.0, 0.0], [0.1, 0.8, 0.1, 0.0], [0.0, 0.3, 0.6, 0.1], [0.0, 0.0, 0.0, 1.0]]
    assert sureness(shares) == (0.9, 0.67, 0.86, 0.91)


def test_levels_that_differ_much_are_told_apart_by_one_game() -> None:
    """Two spreads of 1 at a distance of 4: each lies 2 from the middle, where 1.645 would do; at 1, eleven games."""
    assert games_apart([0.0, 1.0, 2.0], [4.0, 5.0, 6.0]) == 1
    assert games_apart([0.0, 1.0, 2.0], [1.0, 2.0, 3.0]) == 11
    assert games_apart([1.0, 2.0], [1.0, 2.0]) is None
