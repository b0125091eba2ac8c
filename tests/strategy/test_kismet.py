"""What the book says of Kismet, computed in other ways: by chances of dice, through positions, and by other games."""

from __future__ import annotations

from collections import Counter
from math import factorial, prod

import pytest

from hotdice import simulate
from hotdice.games import parse_position
from hotdice.games.kismet.rules import Box
from hotdice.games.kismet.solving import NOISE
from hotdice.solve import evaluate
from hotdice.values import Unit
from strategy.book import kept
from strategy.figures import SEED, roll_off
from strategy.kismet.figures import LEVELS, SAMPLED, Figures
from strategy.kismet.sampling import sampled

pytestmark = pytest.mark.slow
EMPTY = ",".join(["-"] * len(Box))


@pytest.fixture(scope="module")
def figures() -> Figures:
    found = kept("kismet")
    assert isinstance(found, Figures)
    return found


def chance_of(roll: str) -> float:
    """Of a roll of five dice."""
    counts = Counter(roll.split()).values()
    return factorial(5) / prod(map(factorial, counts)) / 6**5


def test_first_rolls_are_as_likely_as_their_dice_and_average_to_the_whole_game(figures: Figures) -> None:
    assert len(figures.openings) == 252
    for one in figures.openings:
        assert one.chance == pytest.approx(chance_of(one.roll))
    assert sum(one.chance * one.total for one in figures.openings) == pytest.approx(figures.total)
    assert [one.total for one in figures.openings] == sorted((one.total for one in figures.openings), reverse=True)


@pytest.mark.parametrize("place", range(0, 252, 25))
def test_first_rolls_are_worth_what_their_positions_are(figures: Figures, place: int) -> None:
    one = figures.openings[place]
    found = evaluate(parse_position(f"kismet {EMPTY} 1 1 {one.roll.replace(' ', '')}"))
    assert found.value == pytest.approx(one.total)
    best = [line.action.text for line in found.lines if line.tied]  # type: ignore[union-attr]
    stops = one.keep == one.roll
    assert any(move.removeprefix("keep ") == one.keep for move in best) or (stops and "keep" not in best[0])


def test_boxes_and_the_bonus_add_up_to_the_whole_game(figures: Figures) -> None:
    assert sum(box.brings for box in figures.boxes) + figures.bonus == pytest.approx(figures.total, abs=1e-3)
    assert figures.total == pytest.approx(315.179996, abs=1e-6)
    assert figures.bonus == pytest.approx(
        sum(chance * more for (_, chance), more in zip(figures.bonuses, (35, 20, 20), strict=True)), abs=1e-3
    )


@pytest.mark.parametrize("box", [Box.ACES, Box.STRAIGHT, Box.YARBOROUGH, Box.KISMET])
def test_a_zero_costs_what_a_sheet_without_the_box_has_less(figures: Figures, box: Box) -> None:
    struck = ",".join("0" if one == box else "-" for one in Box)
    found = evaluate(parse_position(f"kismet {struck} 1 0 -"))
    assert figures.total - found.value == pytest.approx(figures.boxes[box].missed)


def test_decisions_after_first_rolls_come_as_often_as_the_rolls(figures: Figures) -> None:
    first = [one for one in figures.decisions if one.left == 2]
    assert len(first) > 50
    for one in first:
        chance = chance_of(one.roll)
        error = (len(Box) * chance * (1 - chance) / SAMPLED) ** 0.5
        assert one.a_game == pytest.approx(len(Box) * chance, abs=5 * error)


def test_decisions_are_sorted_by_what_they_cost(figures: Figures) -> None:
    costs = [one.a_game * one.lost[LEVELS.index("casual")].value for one in figures.decisions]
    assert costs == sorted(costs, reverse=True)
    assert len(costs) == 100
    for one in figures.decisions:
        losses = [lost.value for lost in one.lost]
        assert losses == sorted(losses)
        assert one.mistake != one.keep


def test_what_keeps_cost_is_most_of_what_levels_are_behind(figures: Figures) -> None:
    """The totals are those of games that the levels play themselves, with other dice."""
    behind = {one.player: figures.total - one.total.value for one in figures.alone}
    for level, cost in zip(LEVELS, figures.keeps_cost, strict=True):
        assert 0.7 < cost.value / behind[level] < 1.05


def test_other_games_come_to_the_same(figures: Figures) -> None:
    noise = NOISE[Unit.POINTS]
    games = 4000
    counts = sampled(games, (noise["expert"], noise["casual"], noise["beginner"]), 77)
    assert counts.totals.mean() == pytest.approx(figures.total, abs=4 * figures.deviation / games**0.5)
    assert counts.totals.std() == pytest.approx(figures.deviation, rel=0.05)
    for level, cost in enumerate(figures.keeps_cost):
        assert counts.lost[level].sum() / games == pytest.approx(cost.value, rel=0.05)
    for box, zeros in zip(figures.boxes, counts.zeros / games, strict=True):
        assert zeros == pytest.approx(box.zero.value, abs=0.04)


def test_the_roll_off_is_that_of_the_games() -> None:
    """A game's turns are its entries, thirty between two, and the rolls for who begins."""
    options = {"second_kismet": False}
    turns = simulate("kismet", ["greedy", "greedy"], games=500, seed=SEED, options=options).columns["turns"]
    rolls = [roll_off(game, 2) for game in range(500)]
    assert [2 * len(Box) + count for _, count in rolls] == turns.tolist()
    assert 200 < sum(first for first, _ in rolls) < 300
