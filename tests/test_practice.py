"""Practice: how hard a card is, what an answer is worth, which cards there are, and when they come back."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from datetime import date, timedelta

import pytest

from hotdice import Game, all_games, load_game
from hotdice.dice import ManualDice
from hotdice.errors import HotdiceError
from hotdice.players.levels import noisy_chances
from hotdice.practice import decks
from hotdice.practice.cards import GRADES, LEVELS, Card, Miss, NoCard, grade_named
from hotdice.practice.making import make
from hotdice.practice.mistakes import mistakes
from hotdice.practice.progress import BOXES, SET, Progress, mark, next_box, result_line, score
from hotdice.practice.words import difficulty, verdict
from hotdice.solve import evaluate
from hotdice.table import Seat, Table
from hotdice.values import Unit

SHIPPED = [game for game in all_games() if decks.shipped(game)]
TODAY = date(2026, 11, 18)
CARD = Card(
    start="pig 40/0 1 0 roll",
    events=("rolls 4",),
    unit=Unit.WIN,
    values=(0.5, 0.4),
    right=(0,),
    exact=True,
    error=1e-8,
    misses=(Miss("beginner", 0.5, 0.05), Miss("casual", 0.25, 0.02), Miss("expert", 0.2, 0.01)),
)


def deck(game: Game) -> tuple[Card, ...]:
    found = decks.shipped(game)
    assert found is not None
    return found.cards


# How hard


@pytest.mark.parametrize("behind", [(0.0, 0.01), (0.0, 0.0, 0.02, 0.05), (0.0, 0.001, 0.3)])
def test_chances_of_a_noisy_choice_are_those_of_its_integral(behind: tuple[float, ...]) -> None:
    """A move is taken if its noise is larger than each other's plus the gap: one integral over its noise each."""
    scale, steps = 0.015, 40_000
    low, high = -5.0, 40.0
    width = (high - low) / steps
    expected = []
    for own in behind:
        total = 0.0
        for at in range(steps):
            x = low + (at + 0.5) * width
            density = math.exp(-x - math.exp(-x))
            others = -sum(math.exp(-(x + (other - own) / scale)) for other in behind) + math.exp(-x)
            total += density * math.exp(others) * width
        expected.append(total)
    assert noisy_chances(behind, scale) == pytest.approx(expected, abs=1e-6)


def test_a_grade_counts_the_levels_that_miss_one_time_in_four() -> None:
    assert CARD.grade == 2
    missed = "beginner 50% of the time, casual 25% of the time, expert 20% of the time"
    assert difficulty(CARD) == f"Hard. Missed by {missed}."
    assert [grade_named(text) for text in ("easy", "Very-Hard", "very hard")] == [0, 3, 3]
    with pytest.raises(HotdiceError, match="“odd” is no difficulty; there are easy"):
        grade_named("odd")


# What an answer is worth


def test_points_follow_from_the_loss() -> None:
    """Of three moves with losses 0, 0.1 and 0.4 a random one loses a sixth: 0.1 is 60% of that, and 0.4 is more."""
    three = replace(CARD, values=(0.5, 0.4, 0.1))
    assert three.at_stake == pytest.approx(1 / 6)
    assert [three._points(at) for at in range(3)] == [100, 40, 0]


def test_equal_moves_are_all_right() -> None:
    both = replace(CARD, values=(0.5, 0.5 - 1e-9), right=(0, 1))
    assert [both.answer(text).right for text in ("roll", "hold")] == [True, True]
    assert both.answer("hold").points == 100


def test_answers_are_told() -> None:
    assert verdict(CARD, CARD.answer("hold")) == "Rolling is better: 50.0% to win, against 40.0% for holding."
    assert verdict(CARD, CARD.answer("roll")) == "Right, rolling is best: 50.0% to win, against 40.0% for holding."


def test_an_illegal_move_is_refused_in_a_sentence() -> None:
    with pytest.raises(HotdiceError, match="“jump”"):
        CARD.answer("jump")


def test_a_card_is_its_text() -> None:
    assert Card.from_text(CARD.text) == CARD
    for text in ("{}", "[]", "1", "no", '{"misses": 1}'):
        with pytest.raises(NoCard, match="no card"):
            Card.from_text(text)


# Decks


@pytest.mark.parametrize("game", SHIPPED, ids=lambda game: game.name)
def test_shipped_cards_are_choices_that_matter(game: Game) -> None:
    cards = deck(game)
    assert len({card.id for card in cards}) == len(cards) >= 40
    for card in cards:
        moves = card.state.legal_moves()
        assert card.game is game
        assert len(moves) == len(card.values) > len(card.right) >= 1, "not forced, and not all of them right"
        assert card.exact
        best = max(card.values)
        for at, value in enumerate(card.values):
            assert (best - value <= 2 * card.error) == (at in card.right), "wrong beyond the error, or right"
        assert [miss.level for miss in card.misses] == ["beginner", "casual", "expert"]
        assert card.misses[0].chance >= 0.1, "not trivial"
        chances = [miss.chance for miss in card.misses]
        assert chances == sorted(chances, reverse=True)


def test_shipped_cards_are_varied() -> None:
    cards = [card for game in SHIPPED for card in deck(game)]
    assert {card.grade for card in cards} == set(range(len(GRADES)))
    assert {card.phase for card in cards} == {"early", "middle", "late"}
    assert len(SHIPPED) == len(all_games()), "every game that comes with Hotdice"


def test_values_of_a_deck_are_those_of_the_solver() -> None:
    """By the one solver that needs no compiler: Pig's."""
    for card in deck(load_game("pig"))[::6]:
        found = evaluate(card.state)
        assert [found.line(move).value for move in card.state.legal_moves()] == pytest.approx(card.values, abs=1e-7)


def test_a_deck_is_made_the_same_again() -> None:
    game = load_game("pig")
    shares: list[float] = []
    made = make(game, 12, 6, shares.append)
    assert 0 < len(made) <= 12
    assert made == make(game, 12, 6)
    assert shares == sorted(shares)
    assert all(card.misses[0].chance >= 0.1 for card in made)


# Everybody's five


def test_the_daily_five_are_of_rising_difficulty_and_varied() -> None:
    for days in range(40):
        five = decks.daily(TODAY + timedelta(days))
        assert [card.grade for card in five] == [0, 1, 1, 2, 3]
        assert max(Counter(card.game.name for card in five).values()) <= 2


def test_the_daily_five_follow_from_the_date_alone() -> None:
    assert decks.daily(TODAY) == decks.daily(TODAY)
    assert decks.daily(TODAY) != decks.daily(TODAY + timedelta(1))


def test_no_card_comes_twice_in_two_weeks() -> None:
    first = date(2026, 1, 1)
    names = [card.id for days in range(14) for card in decks.daily(first + timedelta(days))]
    assert len(set(names)) == 14 * SET


# What comes back when


def test_boxes_by_hand() -> None:
    """Missed, it comes back after 1, 3, 7, 14 and 30 days, and then it is known; a miss starts anew."""
    progress, day = Progress(), TODAY
    assert progress.take(CARD, 0, day) == 1
    for days in (3, 7, 14, 30):
        (boxed,) = progress.boxed.values()
        assert progress.due(boxed.due - timedelta(1)) == []
        day = boxed.due
        assert progress.due(day) == [CARD]
        assert progress.take(CARD, 100, day) == days
    assert progress.take(CARD, 99, day) == 1
    assert [boxed.box for boxed in progress.boxed.values()] == [1]
    assert next_box(len(BOXES), right=True) == 0
    assert next_box(0, right=True) == 0, "what was right at once does not come back"


def test_a_streak_counts_days_in_a_row() -> None:
    progress = Progress(daily={(TODAY - timedelta(days)).isoformat(): [100] * SET for days in (1, 2, 4)})
    assert progress.streak(TODAY) == 2, "today's is still open"
    progress.daily[TODAY.isoformat()] = [100] * (SET - 1)
    assert progress.streak(TODAY) == 2
    progress.daily[TODAY.isoformat()].append(0)
    assert progress.streak(TODAY) == 3
    assert progress.streak(TODAY + timedelta(2)) == 0


def test_new_cards_come_before_old_ones() -> None:
    cards = deck(load_game("pig"))[:4]
    progress = Progress()
    assert progress.new(cards, 2) == list(cards[:2])
    progress.take(cards[0], 100, TODAY)
    progress.take(cards[1], 0, TODAY)
    assert progress.new(cards, 2) == list(cards[2:])
    assert progress.new(cards, 4) == [*cards[2:], cards[0]], "what waits in a box is not new"


def test_what_was_practised_is_its_data() -> None:
    progress = Progress()
    progress.take(CARD, 0, TODAY)
    progress.daily[TODAY.isoformat()] = [0, 100]
    assert Progress.from_json(progress.as_json()) == progress
    with pytest.raises(NoCard, match="not what was practised"):
        Progress.from_json({"boxed": 1})


def test_a_result_is_a_line_to_send() -> None:
    assert score([100, 0, 50]) == 50
    assert [mark(points) for points in (0, 12, 13, 50, 99, 100)] == ["▁", "▁", "▂", "▅", "█", "█"]
    assert result_line(TODAY, [100, 0, 50], 1) == "Hotdice daily five 2026-11-18: 50 of 100 (█▁▅)"
    assert result_line(TODAY, [100], 3).endswith("100 of 100 (█), 3 days in a row")


# Somebody's own mistakes


def test_a_wrong_choice_is_found_and_asked_with_its_turn() -> None:
    """Holding 2 points of 100 is wrong by any account of Pig."""
    game = load_game("pig")
    table = Table(game.start(2), [Seat("Ann"), Seat("Ben")], ManualDice())
    for _ in range(3):
        table.roll(game.parse_roll("2"))
        table.play(table.state.parse_move("hold"))
    found = mistakes(table, [0])
    assert sorted(found) == [1, 5], "Ann holds 2 points twice; Ben's mistake is his own"
    card = found[1]
    assert card.played == "hold"
    assert card.state == table.before(1)
    assert not card.answer("hold").right
    assert card.answer("roll").right
    assert mistakes(table, [0], only=5).keys() == {5}


def test_levels_are_those_that_lose_on_purpose() -> None:
    assert LEVELS == ("beginner", "casual", "expert")
