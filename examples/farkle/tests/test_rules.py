"""Farkle by its rules page: one test a rule, with the points of the page and of the house rules."""

from __future__ import annotations

import re

import pytest

from hotdice import CHANCE, OVER, IllegalMove, ParseError, load_game, parse_position
from hotdice_farkle import FarkleState


def at(position: str) -> FarkleState:
    state = parse_position(position)
    assert isinstance(state, FarkleState)
    return state


def play(state: FarkleState, *events: str) -> FarkleState:
    """Go on by rolls, written as faces, and by moves."""
    for event in events:
        state = state.apply(state.parse_move(event)) if event[0].isalpha() else state.roll(state.parse_roll(event))
    return state


def best(roll: str, options: str = "") -> int:
    """The points of the best that can be set aside of a first roll."""
    game = f"farkle({options})" if options else "farkle"
    state = play(at(f"{game} 0/0 1 roll 6 0 {'0/0' if 'penalty' in options else '-'} -"), roll)
    return max((state.apply(move).points for move in state.legal_moves()), default=0) if state.rolled else 0


def score(dice: str, options: str = "") -> int:
    """What these dice score when all of them are set aside."""
    game = f"farkle({options})" if options else "farkle"
    return play(at(f"{game} 50/0 1 keep {dice.replace(' ', '')} 300 - -"), f"keep {dice}").points - 300


# What scores


@pytest.mark.parametrize(
    ("dice", "points"),
    [
        ("1", 100),
        ("5", 50),
        ("1 5", 150),
        ("1 1", 200),
        ("5 5", 100),
        ("1 1 1", 1000),
        ("2 2 2", 200),
        ("3 3 3", 300),
        ("4 4 4", 400),
        ("5 5 5", 500),
        ("6 6 6", 600),
        ("2 2 2 2", 400),
        ("3 3 3 3 3", 1200),
        ("6 6 6 6 6 6", 4800),
        ("1 1 1 1", 2000),
        ("1 1 1 1 1 1", 8000),
        ("1 2 3 4 5 6", 1500),
        ("2 2 3 3 4 4", 750),
        ("2 2 2 2 3 3", 750),  # three pairs, and more than 400 for the 2s, which would leave the 3s
        ("1 1 1 1 5 5", 2100),  # more as a set and singles than as three pairs
        ("2 2 2 3 3 3", 500),
        ("1 1 1 5 5 5", 1500),
        ("1 2 2 2 5", 350),
    ],
)
def test_points_as_printed(dice: str, points: int) -> None:
    assert score(dice) == points


@pytest.mark.parametrize(
    ("option", "dice", "points"),
    [
        ("three_ones=300", "1 1 1", 300),
        ("three_ones=300", "1 1 1 1", 600),
        ("sets=add", "2 2 2 2", 400),
        ("sets=add", "2 2 2 2 2", 600),
        ("sets=add", "1 1 1 1 1 1", 4000),
        ("sets=fixed", "2 2 2 2", 1000),
        ("sets=fixed", "6 6 6 6 6", 2000),
        ("sets=fixed", "3 3 3 3 3 3", 3000),
        ("sets=fixed", "1 1 1 1", 1100),  # counted as three 1s and another, which gives more
        ("sets=fixed,three_ones=300", "1 1 1 1", 1000),
        ("three_pairs=1500", "2 2 3 3 4 4", 1500),
        ("three_pairs=1500", "2 2 2 2 3 3", 1500),
        ("two_triplets=2500", "2 2 2 3 3 3", 2500),
        ("two_triplets=2500", "2 2 2 2 2 2", 1600),
    ],
)
def test_points_by_house_rules(option: str, dice: str, points: int) -> None:
    assert score(dice, option) == points


def test_three_pairs_need_not_count() -> None:
    assert play(at("farkle(three_pairs=0) 0/0 1 roll 6 0 - -"), "2 2 3 3 4 4").roller == 1
    assert score("1 1 5 5", "three_pairs=0") == 300


def test_dice_of_different_rolls_are_not_counted_together() -> None:
    """Two 1s and then another are 300, not 1,000."""
    state = play(at("farkle 50/0 1 roll 6 0 - -"), "1 1 2 3 4 6", "keep 1 1", "roll", "1 2 3 4", "keep 1")
    assert state.points == 300


def test_the_rules_page_gives_the_printed_points() -> None:
    page = load_game("farkle").rules
    for dice, points in (("single 1", 100), ("single 5", 50), ("three 1s", 1000), ("straight", 1500), ("pairs", 750)):
        assert re.search(rf"\| .*{dice}.* \| {points:,} \|", page), dice


# Setting aside


def test_only_dice_that_score_are_set_aside() -> None:
    state = play(at("farkle 0/0 1 roll 6 0 - -"), "1 2 2 3 5 6")
    assert {move.text for move in state.legal_moves()} == {"keep 1", "keep 5", "keep 1 5"}
    with pytest.raises(IllegalMove, match="“keep 1 2” is not possible: set aside dice of 1 2 2 3 5 6 that all score"):
        play(state, "keep 1 2")
    with pytest.raises(IllegalMove):
        play(state, "keep 1 1")


def test_a_part_of_a_set_may_be_left() -> None:
    state = play(at("farkle 0/0 1 roll 6 0 - -"), "1 1 1 2 3 4")
    assert [play(state, f"keep {dice}").points for dice in ("1", "1 1", "1 1 1")] == [100, 200, 1000]


def test_at_least_one_die_is_set_aside() -> None:
    state = play(at("farkle 50/0 1 roll 6 0 - -"), "1 2 2 3 5 6")
    for early in ("roll", "bank"):
        with pytest.raises(IllegalMove):
            play(state, early)
    with pytest.raises(ParseError, match="Name the dice to set aside"):
        play(state, "keep")


def test_the_dice_that_are_left_are_rolled() -> None:
    state = play(at("farkle 50/0 1 roll 6 0 - -"), "1 2 2 3 5 6", "keep 1 5", "roll")
    assert (state.seat, state.dice, state.points) == (CHANCE, 4, 150)
    assert state.outcomes().total == 6**4


def test_hot_dice_roll_again_and_the_turn_goes_on() -> None:
    state = play(at("farkle 50/0 1 roll 2 400 - -"), "1 5", "keep 1 5")
    assert (state.seat, state.dice, state.points) == (0, 6, 550)
    assert state.tell_move(state.parse_move("roll")) == "rolls 6 dice."
    assert play(state, "roll").outcomes().total == 6**6
    assert play(state, "bank").scores == (600, 0)


# Farkles


def test_a_farkle_ends_the_turn_and_loses_its_points() -> None:
    state = at("farkle 800/300 1 roll 3 450 - -")
    assert state.tell_roll((2, 3, 4)) == "rolls 2 3 4: a farkle, and 450 points are lost."
    after = play(state, "2 3 4")
    assert (after.scores, after.roller, after.seat, after.dice, after.points) == ((800, 300), 1, CHANCE, 6, 0)


@pytest.mark.parametrize("roll", ["2 2 3 4 6 6", "2 3 3 4 4 6", "2 2 3 3 4 6"])
def test_without_a_scoring_die_it_is_a_farkle(roll: str) -> None:
    assert best(roll) == 0


def test_the_chances_of_a_farkle() -> None:
    """By one die 4/6, by two 4/9; for six dice the published 1 in 43.2 where three pairs count."""
    for dice, farkles in ((1, 4), (2, 16), (3, 60), (4, 204), (5, 600), (6, 1080)):
        state = at(f"farkle 50/0 1 roll {dice} {0 if dice == 6 else 300} - -")
        outcomes = state.outcomes()
        found = sum(w for roll, w in zip(outcomes.rolls, outcomes.weights, strict=True) if not state.roll(roll).rolled)
        assert found == farkles


def test_a_third_farkle_in_a_row_costs_points() -> None:
    state = at("farkle(penalty=1000) 1500/300 1 roll 6 0 2/0 -")
    told = "rolls 2 2 3 4 6 6: a farkle. The third in a row costs 1,000."
    assert state.tell_roll((2, 2, 3, 4, 6, 6)) == told
    after = play(state, "2 2 3 4 6 6")
    assert (after.scores, after.farkles) == ((500, 300), (0, 0))


def test_a_score_does_not_fall_below_zero() -> None:
    after = play(at("farkle(penalty=1000) 700/300 1 roll 6 0 2/0 -"), "2 2 3 4 6 6")
    assert after.scores == (0, 300)


def test_points_that_are_banked_end_the_row_of_farkles() -> None:
    after = play(at("farkle(penalty=1000) 700/300 1 roll 6 0 2/1 -"), "1 2 2 3 4 6", "keep 1", "bank")
    assert (after.scores, after.farkles) == ((800, 300), (0, 1))


def test_farkles_are_not_counted_where_they_are_not_punished() -> None:
    state = at("farkle 700/300 1 roll 6 0 - -")
    for _ in range(4):
        state = play(state, "2 2 3 4 6 6")
    assert (state.scores, state.farkles) == ((700, 300), (0, 0))


# Opening


def test_a_player_without_points_has_to_roll_until_the_opening_score() -> None:
    state = play(at("farkle 0/0 1 roll 6 0 - -"), "1 1 1 2 3 4")
    assert play(state, "keep 1 1").seat == CHANCE
    assert play(state, "keep 1 1 1").legal_moves() == tuple(map(state.parse_move, ("roll", "bank")))
    assert play(at("farkle 0/0 1 roll 4 400 - -"), "1 2 3 4", "keep 1", "bank").scores == (500, 0)


def test_a_player_with_points_may_bank_anything() -> None:
    assert play(at("farkle 500/0 1 roll 6 0 - -"), "2 2 3 4 5 6", "keep 5", "bank").scores == (550, 0)


@pytest.mark.parametrize(("opening", "banks"), [(0, True), (50, True), (100, False)])
def test_the_opening_score_is_a_house_rule(opening: int, banks: bool) -> None:
    state = play(at(f"farkle(opening={opening}) 0/0 1 roll 6 0 - -"), "2 2 3 4 5 6", "keep 5")
    assert (state.seat == 0) is banks


# The end


def test_who_reaches_the_target_starts_the_last_round() -> None:
    state = play(at("farkle 9500/0/9000 1 roll 4 400 - -"), "1 2 3 4", "keep 1")
    assert state.tell_move(state.parse_move("bank")).endswith(
        "The last round begins: everybody else has one more turn."
    )
    after = play(state, "bank")
    assert (after.scores, after.starter, after.roller) == ((10_000, 0, 9000), 0, 1)
    after = play(after, "2 2 3 4 6 6")
    assert (after.seat, after.roller) == (CHANCE, 2)
    over = play(after, "2 2 3 4 6 6")
    assert over.seat == OVER
    assert over.result
    assert over.result.winners == (0,)


def test_a_point_short_of_the_target_does_not() -> None:
    assert play(at("farkle 9500/0 1 roll 4 350 - -"), "1 2 3 4", "keep 1", "bank").starter == -1


def test_the_last_round_can_be_won_by_somebody_else() -> None:
    state = at("farkle 10000/9500 2 roll 4 450 - 1")
    after = play(state, "1 2 3 4", "keep 1", "bank")
    assert after.result
    assert after.result.winners == (1,)
    assert [standing.place for standing in after.result.standings] == [1, 2]


def test_equal_scores_share_the_win() -> None:
    after = play(at("farkle 10000/9500/0 2 roll 4 400 - 1"), "1 2 3 4", "keep 1", "bank", "2 2 3 4 6 6")
    assert after.result
    assert after.result.winners == (0, 1)
    assert after.prompt == "{0} and {1} share the game."


# Positions


@pytest.mark.parametrize(
    ("position", "reason"),
    [
        ("farkle 0/0 1 keep 2346 0 - -", "takes a roll of up to 6 dice that scores"),
        ("farkle 0/0 1 keep 1111111 0 - -", "takes a roll of up to 6 dice"),
        ("farkle 0/0 1 roll 3 0 - -", "as soon as dice are set aside"),
        ("farkle 0/0 1 decide 3 300 - -", "fewer than 500 points"),
        ("farkle 0/0 1 roll 7 0 - -", "from 1 to 6"),
        ("farkle 10000/0 1 roll 6 0 - 1", "has no turn in it"),
        ("farkle 10000/0 2 roll 6 0 - -", "The last round is on just when"),
        ("farkle 500/0 2 roll 6 0 - 1", "The last round is on just when"),
        ("farkle 10000/0 1 over 6 0 - 1", "come round to its starter"),
        ("farkle 0/0 1 roll 6 0 0/0 -", "can only be - here"),
        ("farkle(penalty=1000) 0/0 1 roll 6 0 0 -", "There are 2 seats, and farkles in a row for 1"),
        ("farkle(penalty=1000) 0/0 1 roll 6 0 0/3 -", "from 0 to 2"),
    ],
)
def test_a_position_that_cannot_be_is_refused(position: str, reason: str) -> None:
    with pytest.raises(ParseError, match=reason):
        parse_position(position)


# The greedy rule


@pytest.mark.parametrize(
    ("position", "move"),
    [
        ("farkle 500/0 1 keep 111234 0 - -", "keep 1 1 1"),
        ("farkle 500/0 1 keep 223456 0 - -", "keep 5"),
        ("farkle 500/0 1 decide 2 1000 - -", "bank"),
        ("farkle 500/0 1 decide 6 1000 - -", "roll"),
        ("farkle 10000/9000 2 decide 1 600 - 1", "roll"),
        ("farkle 10000/9000 2 decide 6 1050 - 1", "bank"),
    ],
)
def test_the_greedy_rule(position: str, move: str) -> None:
    state = at(position)
    assert state.game.greedy(state).text == move
