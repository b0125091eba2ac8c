"""Pig, rule by rule: the smallest game, and so the smallest set of tests that pins one down."""

from __future__ import annotations

from typing import assert_type

import pytest

import hotdice
from hotdice import CHANCE, OVER, IllegalMove, ImpossibleRoll, ParseError
from hotdice.games.pig import HOLD, MOVES, PIG, ROLL, PigState
from hotdice.view import Bar, Grid, Result, Standing
from tests.games.script import choices, plain, play, winner


def pig(position: str) -> PigState:
    state = hotdice.parse_position(f"pig {position}")
    assert isinstance(state, PigState)
    return state


def after(position: str, *script: str) -> str:
    return play(pig(position), *script).position_fields()


@pytest.mark.parametrize("players", range(2, 9))
def test_the_first_of_two_to_eight_begins_by_rolling(players: int) -> None:
    state = PIG.start(players)
    assert hotdice.parse_position(state.position) == state
    assert state.position_fields() == f"{'/'.join('0' * players)} 1 0 roll"
    assert (state.seat, state.roller, state.scores) == (CHANCE, 0, (0,) * players)


def test_a_roll_other_than_1_is_added_to_the_turn_total_and_leaves_a_choice() -> None:
    for face in range(2, 7):
        assert after("10/20 2 4 roll", str(face)) == f"10/20 2 {4 + face} decide"
    assert choices(pig("10/20 2 4 decide")) == ["roll", "hold"]


def test_a_1_loses_the_turn_total_and_passes_the_die_on() -> None:
    assert after("10/20 1 19 roll", "1") == "10/20 2 0 roll"
    assert after("10/20 2 19 roll", "1") == "10/20 1 0 roll"
    assert after("10/20/30 1 19 roll", "1") == "10/20/30 2 0 roll"
    assert after("10/20/30 3 19 roll", "1") == "10/20/30 1 0 roll"


def test_rolling_again_keeps_the_turn_total_at_stake() -> None:
    assert after("10/20 1 19 decide", "roll") == "10/20 1 19 roll"


def test_holding_scores_the_turn_total_and_passes_the_die_on() -> None:
    assert after("10/20/30 2 5 decide", "hold") == "10/25/30 3 0 roll"
    assert after("10/20/30 3 5 decide", "hold") == "10/20/35 1 0 roll"


def test_the_first_to_hold_at_100_wins() -> None:
    assert after("95/99 1 4 decide", "hold") == "99/99 2 0 roll"
    state = play(pig("95/99 1 5 decide"), "hold")
    assert state.position_fields() == "100/99 1 0 over"
    assert winner(state) == 1
    assert state.result == Result((0,), "First to 100.", (Standing(0, 1, 100), Standing(1, 2, 99)))


def test_a_total_that_would_win_does_not_win_before_it_is_held() -> None:
    state = play(pig("99/0 1 0 roll"), "6")
    assert state.result is None
    assert play(state, "roll", "1").scores == (99, 0)


def test_the_target_can_be_changed() -> None:
    assert play(PIG.start(2, {"target": 15}), "6", "roll", "6", "roll", "3", "hold").seat == OVER
    assert play(PIG.start(2, {"target": 16}), "6", "roll", "6", "roll", "3", "hold").seat == CHANCE


def test_moves_and_rolls_out_of_place_are_refused() -> None:
    with pytest.raises(IllegalMove, match="rolled first"):
        pig("0/0 1 0 roll").apply(HOLD)
    with pytest.raises(ImpossibleRoll, match="a move is due"):
        pig("0/0 1 2 decide").roll((2,))
    for roll in ((7,), (0,), (1, 1), ()):
        with pytest.raises(ImpossibleRoll, match="it takes 1 of them, such as 1"):
            pig("0/0 1 0 roll").roll(roll)
    over = pig("100/0 1 0 over")
    assert (over.legal_moves(), len(over.outcomes())) == ((), 0)
    with pytest.raises(IllegalMove, match="over"):
        over.apply(ROLL)
    with pytest.raises(ImpossibleRoll, match="over"):
        over.roll((1,))


@pytest.mark.parametrize(
    ("position", "column", "message"),
    [
        ("", 4, "The position ends before the scores"),
        ("1/x 1 0 roll", 7, "“x” is not a score; expected a whole number from 0 to 20000"),
        ("0/20001 1 0 roll", 7, "“20001” is not a score"),
        ("0/-1 1 0 roll", 7, "“-1” is not a score"),
        ("0/0 3 0 roll", 9, "“3” is not a seat; expected a whole number from 1 to 2"),
        ("0/0 0 0 roll", 9, "“0” is not a seat"),
        ("0/0 1 20001 roll", 11, "“20001” is not a turn total; expected a whole number from 0 to 20000"),
        ("0/0 1 -1 roll", 11, "“-1” is not a turn total"),
        ("0/0 1 0 jump", 13, "“jump” is not a phase; expected roll, decide or over"),
        ("0/0 1 0", 12, "The position ends before a phase; its fields are scores, whose turn, turn total"),
        ("0/0 1", 10, "The position ends before a turn total"),
        ("0/0", 8, "The position ends before a seat"),
        ("0/0 1 0 roll x", 18, "“x” follows a complete position"),
        ("0 1 0 roll", 5, "Pig takes 2 to 8 players; this position has 1"),
        ("0/0/0/0/0/0/0/0/0 1 0 roll", 5, "Pig takes 2 to 8 players; this position has 9"),
    ],
)
def test_a_position_that_cannot_be_is_refused_with_the_column(position: str, column: int, message: str) -> None:
    with pytest.raises(ParseError) as caught:
        hotdice.parse_position(f"pig {position}".rstrip())
    assert str(caught.value).startswith(message)
    assert caught.value.column == column


def test_the_largest_numbers_can_be_read() -> None:
    assert pig("20000/20000 2 20000 decide").position_fields() == "20000/20000 2 20000 decide"


def test_what_happens_is_told() -> None:
    assert plain(pig("10/20 2 4 roll").tell_roll((5,))) == "rolls a 5, 9 this turn."
    assert plain(pig("10/20 2 4 roll").tell_roll((1,))) == "rolls a 1 and loses the 4 of this turn."
    assert plain(pig("10/20 2 4 decide").tell_move(ROLL)) == "rolls again."
    assert plain(pig("10/20 2 4 decide").tell_move(HOLD)) == "holds and scores 4, for 24 in all."


@pytest.mark.parametrize(
    ("position", "prompt"),
    [
        ("0/0 2 4 roll", "{1} rolls. Turn total: 4."),
        ("0/0 2 4 decide", "{1} rolls again or holds. Turn total: 4."),
        ("0/100 2 0 over", "{1} has won. Turn total: 0."),
    ],
)
def test_the_prompt_says_what_is_to_happen(position: str, prompt: str) -> None:
    assert plain(pig(position).prompt) == prompt


def test_the_sheet_is_a_race_to_the_target() -> None:
    rows = (("{0}", "10", Bar(10, 100)), ("{1}", "20", Bar(20, 100)))
    assert pig("10/20 1 0 roll").grids() == (Grid(("Player", "Score", "of 100"), rows),)


@pytest.mark.parametrize(
    ("position", "move"),
    [
        ("0/0 1 19 decide", ROLL),
        ("0/0 1 20 decide", HOLD),
        ("85/0 1 14 decide", ROLL),
        ("85/0 1 15 decide", HOLD),
        ("0/85 1 15 decide", ROLL),
        ("70/0 1 20 decide", HOLD),
    ],
)
def test_the_greedy_bot_holds_at_20_or_as_soon_as_that_wins(position: str, move: object) -> None:
    assert PIG.greedy(pig(position)) is move


def test_there_are_two_actions() -> None:
    assert tuple(PIG.moves(PIG.options(), 2)) == MOVES == (ROLL, HOLD)
    assert pig("0/0 1 2 decide").mask() == (True, True)
    assert pig("0/0 1 0 roll").mask() == (False, False)


def test_a_type_checker_knows_the_state_by_the_name_of_the_game() -> None:
    state = hotdice.load_game("pig").start()
    assert_type(state, PigState)
    assert_type(state.total, int)
    assert isinstance(state, PigState)
