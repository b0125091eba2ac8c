"""What the book says of Rollers, held against the constants of the match, estimates by the race, and other games.

The solved round takes minutes and is not solved here; estimates by the race come near it.
"""

from __future__ import annotations

import numpy as np
import pytest

from hotdice import simulate
from hotdice.games.rollers.rules import CHIPS, EMPTY_BOARD, OPEN
from hotdice.games.rollers.solving.evaluator import GUESSED, RollersEvaluator
from hotdice.games.rollers.solving.match import chances_for
from strategy.book import kept
from strategy.figures import SEED, roll_off
from strategy.rollers.figures import LATE, OPTIONS, Figures, position

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def figures() -> Figures:
    found = kept("rollers")
    assert isinstance(found, Figures)
    return found


@pytest.fixture(scope="module")
def estimates() -> RollersEvaluator:
    return RollersEvaluator(OPTIONS, 2, None)


def test_the_first_wins_what_the_match_is_worth(figures: Figures) -> None:
    target = OPTIONS.target_points
    assert figures.first == pytest.approx(chances_for(OPTIONS)((target, target)).value, abs=1e-6)
    assert dict(figures.chips)[0] == figures.first


def test_a_board_takes_as_long_to_fill_as_is_said_elsewhere(figures: Figures) -> None:
    assert figures.race == pytest.approx(6.255793932, abs=1e-8)


def test_estimates_by_the_race_come_near(figures: Figures, estimates: RollersEvaluator) -> None:
    for part in figures.sections:
        board = tuple(OPEN if number == part.number else 0 for number in range(1, 6))
        found = estimates.expected(position((board, EMPTY_BOARD), (CHIPS, CHIPS)), 0)
        assert found == pytest.approx(figures.first + part.opened, abs=GUESSED[0] / 2)
    for board, told in ((EMPTY_BOARD, figures.chips), (LATE, figures.late)):
        for lead, chance in told[4:-4:3]:
            found = estimates.expected(position((board, board), (CHIPS + lead, CHIPS - lead)), 0)
            assert found == pytest.approx(chance, abs=GUESSED[0] / 2)


def test_more_is_worth_more(figures: Figures) -> None:
    opened = [part.opened for part in figures.sections]
    assert opened == sorted(opened)
    assert opened[-1] > sum(opened[:-1])
    for part in figures.sections:
        assert 0 < part.opened < part.closed
    for told in (figures.chips, figures.late):
        chances = [chance for _, chance in told]
        assert chances == sorted(chances)


def test_shares_add_up(figures: Figures) -> None:
    assert sum(figures.opening.numbers) == pytest.approx(1)
    assert sum(figures.rounds.rolls) == pytest.approx(1)
    for one in figures.opening.kept:
        assert 0 <= one.all_of_them + one.none <= 1 + 1e-9
    goes = {(one.number, one.count): 1 - one.none for one in figures.opening.kept}
    assert all(goes[high + 1, count] > goes[high, count] for high in range(1, 5) for count in (2, 3, 4))


def test_the_greedy_rule_loses_as_in_other_matches(figures: Figures) -> None:
    """`docs/bots.md`: 79.69%, standard error 0.11%, over a hundred thousand matches."""
    (found,) = (match.wins for match in figures.luck if match.rival == "greedy")
    assert found.value == pytest.approx(0.7969, abs=4 * (found.error**2 + 0.0011**2) ** 0.5)


def test_the_roll_off_is_that_of_the_matches() -> None:
    """With one point to win by, a match is one round: the rolls for who begins are its first turns."""
    games = 300
    played = simulate("rollers", ["race"] * 3, games=games, seed=SEED, options={"target_points": 1}).columns
    begun = [roll_off(game, 3) for game in range(games)]
    assert all(turns > rolls >= 3 for turns, (_, rolls) in zip(played["turns"], begun, strict=True))
    ended = [(turns - rolls) % 3 for turns, (_, rolls) in zip(played["turns"], begun, strict=True)]
    boards = np.array([played[f"boards_{seat}"] for seat in (1, 2, 3)]).argmax(axis=0)
    assert [(first + turns - 1) % 3 for (first, _), turns in zip(begun, ended, strict=True)] == boards.tolist()


def test_seats_share_the_wins_and_the_first_has_most(figures: Figures) -> None:
    for one in figures.seats:
        shares = [wins.value for wins in one.wins]
        assert sum(shares) == pytest.approx(1)
        assert shares[0] == max(shares)
