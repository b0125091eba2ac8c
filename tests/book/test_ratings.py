"""Ratings: against the published formulas, by order of play, and without those who were deleted."""

from __future__ import annotations

from math import exp, sqrt
from typing import Any

import pytest

from hotdice.book.names import Who, digest
from hotdice.book.ratings import BETA, DEVIATION, KAPPA, MEAN, TAU, Rating, Ratings
from tests.book.games import game, sat

ANN, BOB, EVE = Who("ann"), Who("bob"), Who("eve")


def plackett_luce(players: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Weng and Lin, “A Bayesian Approximation Method for Online Ranking” (2011), algorithm 4, for players who finished
    in this order without ties; before it, the deviation grows by tau."""
    players = [(mu, sqrt(sigma**2 + TAU**2)) for mu, sigma in players]
    c = sqrt(sum(sigma**2 + BETA**2 for _, sigma in players))
    found = []
    for i, (mu, sigma) in enumerate(players):
        omega = delta = 0.0
        for q in range(i + 1):  # the contests in which i still took part
            p = exp(mu / c) / sum(exp(other / c) for other, _ in players[q:])
            omega += (1 - p) if q == i else -p
            delta += p * (1 - p)
        delta *= sigma / c  # gamma
        mean = mu + sigma**2 / c * omega
        found.append((mean, sigma * sqrt(max(1 - sigma**2 / c**2 * delta, KAPPA))))
    return found


def numbers(rating: Rating) -> tuple[float, float]:
    return rating.mean, rating.deviation


def test_two_players_get_what_the_formulas_say() -> None:
    ratings = Ratings([game(1, sat("Ann", 1), sat("Bob", 2))]).now["pig"]
    ann, bob = plackett_luce([(MEAN, DEVIATION)] * 2)
    assert numbers(ratings[ANN]) == pytest.approx(ann)
    assert numbers(ratings[BOB]) == pytest.approx(bob)
    assert ann[0] > MEAN > bob[0]


def test_three_players_and_a_second_game_go_on_from_there() -> None:
    games = [
        game(1, sat("Ann", 2), sat("Bob", 1), sat("Eve", 3)),
        game(2, sat("Eve", 1), sat("Ann", 2)),
    ]
    bob, ann, eve = plackett_luce([(MEAN, DEVIATION)] * 3)
    eve, ann = plackett_luce([eve, ann])
    found = Ratings(reversed(games))
    assert numbers(found.now["pig"][EVE]) == pytest.approx(eve)
    assert numbers(found.now["pig"][ANN]) == pytest.approx(ann)
    assert numbers(found.now["pig"][BOB]) == pytest.approx(bob)
    assert found.now["pig"][ANN].games == 2
    assert set(found.after["t/2"]) == {ANN, EVE}


def test_the_range_is_two_deviations_to_either_side() -> None:
    assert (Rating(20.0, 3.0).low, Rating(20.0, 3.0).high) == (14.0, 26.0)


def test_each_game_has_ratings_of_its_own() -> None:
    ratings = Ratings([game(1, sat("Ann", 1), sat("Bob", 2)), game(2, sat("Ann", 2), sat("Bob", 1), of="bj")]).now
    assert ratings["pig"][ANN].mean > MEAN > ratings["bj"][ANN].mean


def test_equal_places_change_equals_little() -> None:
    ratings = Ratings([game(1, sat("Ann", 1), sat("Bob", 1))]).now["pig"]
    assert ratings[ANN].mean == pytest.approx(ratings[BOB].mean)
    assert ratings[ANN].deviation < DEVIATION


@pytest.mark.parametrize(
    "more",
    [{"given_up": True}, {"origin": "imported"}, {"origin": "continued"}],
    ids=["given up", "imported", "continued"],
)
def test_what_was_not_played_here_from_start_to_end_is_not_rated(more: dict[str, Any]) -> None:
    assert not Ratings([game(1, sat("Ann", 1), sat("Bob", 2), **more)]).after


def test_a_game_in_which_a_bot_stood_in_or_a_name_came_twice_is_not_rated() -> None:
    assert not Ratings([game(1, sat("Ann", 1, stood_in=True), sat("Bob", 2))]).after
    assert not Ratings([game(1, sat("Ann", 1), sat("ANN", 2))]).after
    assert not Ratings([game(1, sat("Ann", 1))]).after


def test_bots_of_one_kind_are_one_player_and_get_the_average() -> None:
    found = Ratings([game(1, sat("bot:casual", 1), sat("Ann", 2), sat("bot:casual", 3))]).now["pig"]
    first, ann, last = plackett_luce([(MEAN, DEVIATION)] * 3)
    bot = found[Who("casual", bot=True)]
    assert numbers(found[ANN]) == pytest.approx(ann)
    assert bot.mean == pytest.approx((first[0] + last[0]) / 2)
    assert bot.deviation == pytest.approx(sqrt((first[1] ** 2 + last[1] ** 2) / 2))
    assert bot.games == 1


def test_deleting_somebody_leaves_the_ratings_that_the_others_have_among_themselves() -> None:
    games = [
        game(1, sat("Ann", 2), sat("Bob", 1), sat("Eve", 3)),
        game(2, sat("Bob", 1), sat("Ann", 2)),
        game(3, sat("Eve", 1), sat("Ann", 2)),
    ]
    left = Ratings(each.without({digest("bob")}) for each in games).now["pig"]
    alone = Ratings([game(1, sat("Ann", 2), sat("Eve", 3)), games[2]]).now["pig"]
    assert left == alone
