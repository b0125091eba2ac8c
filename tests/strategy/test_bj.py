"""What the book says of BJ's dice, computed in other ways: from all faces of dice, by simulated games, and by hand."""

from __future__ import annotations

from functools import cache
from itertools import product

import numpy as np
import pytest

from hotdice import simulate
from hotdice.games.bj.solving.solver import FAR, STEP
from strategy.bj.duel import last_turn
from strategy.bj.figures import DICE, LEADS, Figures, Rivals, limits
from strategy.book import kept

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def figures() -> Figures:
    found = kept("bj")
    assert isinstance(found, Figures)
    return found


@pytest.fixture(scope="module")
def rivals() -> Rivals:
    return Rivals()


@cache
def tosses(dice: int) -> list[tuple[int, int, float]]:
    """The points, the dice left and the chance of every outcome of a toss, scored by the sheet's words."""
    found: dict[tuple[int, int], int] = {}
    for faces in product(range(1, 7), repeat=dice):
        points, left = 0, 0
        for face in range(1, 7):
            count = faces.count(face)
            if face in (1, 5):
                triples = 100 * face * (count // 3) + (100 if face == 1 else 50) * (count % 3)
                points += max((100 if face == 1 else 50) * count, triples)
            else:
                points += 100 * face * (count // 3)
                left += count % 3
        found[points, left] = found.get((points, left), 0) + 1
    return [(points, left, count / 6**dice) for (points, left), count in found.items()]


def test_tosses_score_as_often_and_as_much_as_the_page_says(figures: Figures) -> None:
    for dice in range(1, DICE + 1):
        outcomes = tosses(dice)
        assert figures.scoreless[dice - 1] == pytest.approx(sum(chance for points, _, chance in outcomes if not points))
        gain = sum(chance * (points + (0 if left else 500)) for points, left, chance in outcomes)
        assert figures.gains[dice - 1] == pytest.approx(gain)


@cache
def caught(deficit: int, dice: int) -> float:
    """The chance to end up ahead of a deficit, rolling until then."""
    worth = 0.0
    for points, left, chance in tosses(dice):
        rest = deficit - points - (500 if points and not left else 0)
        if points:
            worth += chance * (1.0 if rest < 0 else caught(rest, left or DICE))
    return worth


def test_deficits_are_made_up_as_often_as_the_page_says(figures: Figures) -> None:
    for deficit, chance in figures.chase:
        assert chance == pytest.approx(caught(deficit, DICE), abs=1e-12)


def test_the_best_play_against_itself_is_the_solved_game(figures: Figures, rivals: Rivals) -> None:
    assert rivals.share(rivals.best) == pytest.approx(0.5, abs=1e-12)
    assert figures.first == pytest.approx(rivals.wins[0, 0], abs=1e-12)
    odds = last_turn(rivals.rules, rivals.best.last)[:, DICE]
    assert np.allclose(odds, rivals.rules.odds[: len(odds), DICE], atol=1e-12)
    assert len(odds) < FAR


@pytest.mark.parametrize("rival", ["greedy", "random"])
def test_simulated_games_are_won_as_often(figures: Figures, rivals: Rivals, rival: str) -> None:
    (told,) = (match.wins.value for match in figures.luck if match.rival == rival)
    way = rivals.greedy() if rival == "greedy" else rivals.random()
    assert rivals.share(way) == pytest.approx(told, abs=1e-9)
    ahead = simulate("bj", ["optimal", rival], games=100_000, seed=5).win_rates[0]
    behind = simulate("bj", [rival, "optimal"], games=100_000, seed=5).win_rates[1]
    error = (ahead.error**2 + behind.error**2) ** 0.5 / 2
    assert (ahead.mean + behind.mean) / 2 == pytest.approx(told, abs=4 * error)


def test_rules_of_thumb_lose_what_the_page_says_and_less_the_more_they_look_at(
    figures: Figures, rivals: Rivals
) -> None:
    rules = [figures.number, figures.plain, figures.thumb]
    for rule in rules:
        found = rivals.measured(rule.limits, rule.per_thousand, rule.lead)
        assert found.loses == pytest.approx(rule.loses, abs=1e-9)
    assert [rule.loses for rule in rules] == sorted((rule.loses for rule in rules), reverse=True)


def test_a_step_of_any_number_loses_more(figures: Figures, rivals: Rivals) -> None:
    best = figures.thumb
    for at in range(len(best.limits)):
        moved = [limit + (50 if place == at else 0) for place, limit in enumerate(best.limits)]
        assert rivals.measured(moved, best.per_thousand, best.lead).loses > best.loses - 1e-6


def test_a_rule_of_thumb_does_what_its_words_say(figures: Figures, rivals: Rivals) -> None:
    way, rule = rivals.way(figures.thumb), figures.thumb
    level = 2000 // STEP
    for dice, limit in enumerate(rule.limits):
        assert way.early[level, level, limit // STEP, dice] == 0
        assert way.early[level, level, limit // STEP - 1, dice] == 1
    assert way.early[level, level, 1000 // STEP, 4] == 1  # five dice
    behind = rule.limits[0] + rule.per_thousand[0]
    assert way.early[level + 20, level, behind // STEP - 1, 0] == 1
    assert way.early[level + 20, level, -(-behind // STEP), 0] == 0
    safe, other = 4950 // STEP, (5150 - rule.lead) // STEP  # 200 more would be past 5000, just with that lead
    assert [float(way.early[other, safe, risk, 5]) for risk in (3, 4)] == [1, 0]
    assert way.last[4, 4, 0] == 1
    assert way.last[4, 5, 5] == 0


def test_limits_are_those_of_the_solved_play(figures: Figures, rivals: Rivals) -> None:
    for curve in figures.curves:
        for lead, limit in curve.limits:
            assert limits(rivals.best.early, curve.other, lead, curve.dice) == limit
        assert {lead for lead, _ in curve.limits} <= set(LEADS)


def test_past_the_target_most_is_lost(figures: Figures, rivals: Rivals) -> None:
    assert rivals.share(rivals.by_lead(figures.thumb.lead)) - 0.5 == pytest.approx(figures.by_lead, abs=1e-9)
    assert figures.thumb.loses / 2 < figures.by_lead < figures.thumb.loses
