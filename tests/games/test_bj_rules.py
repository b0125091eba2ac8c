"""The rules of BJ's dice, one test for each. A test plays a few tosses and moves and looks at the position after them:
scores, whose turn, phase, dice to roll, points at risk, safe points, starter of the last round.
"""

from typing import assert_type

import pytest

import hotdice
from hotdice import CHANCE, OVER, IllegalMove, OptionError, State
from hotdice.errors import SeatError
from hotdice.games.bj import BjState
from tests.games.script import choices, play, winner

NOTHING = "2 2 3 4 6 6"
"""Six dice that score nothing."""


def bj(position: str, rules: str = "") -> State:
    """The state of a position, with house rules."""
    return hotdice.parse_position(f"bj({rules}) {position}")


def after(position: str, *script: str, rules: str = "") -> str:
    """The position after a script that starts from a position."""
    return play(bj(position, rules), *script).position_fields()


# Setting up


@pytest.mark.parametrize("players", range(2, 9))
def test_two_to_eight_can_play_and_the_first_seat_begins_with_all_dice(players: int) -> None:
    state = hotdice.load_game("bj").start(players)
    assert state.position == f"bj {'/'.join('0' * players)} 1 toss 6 0 0 -"
    assert state.players == players
    assert state.scores == (0,) * players
    assert (state.seat, state.roller, state.result) == (CHANCE, 0, None)


@pytest.mark.parametrize("players", [0, 1, 9])
def test_one_player_is_too_few_and_nine_are_too_many(players: int) -> None:
    with pytest.raises(SeatError, match=f"^BJ's dice takes 2 to 8 players, not {players}\\.$"):
        hotdice.load_game("bj").start(players)


def test_turns_go_left_and_round_the_table() -> None:
    state: State = hotdice.load_game("bj").start(3)
    rollers = [state.roller]
    for _ in range(4):
        state = play(state, NOTHING)
        rollers.append(state.roller)
    assert rollers == [0, 1, 2, 0, 1]


@pytest.mark.parametrize("dice", range(1, 7))
def test_all_dice_in_hand_are_tossed(dice: int) -> None:
    outcomes = bj(f"0/0 1 toss {dice} 750 500 -").outcomes()
    assert {len(roll) for roll in outcomes.rolls} == {dice}
    assert outcomes.total == 6**dice


# What a toss scores


@pytest.mark.parametrize(
    ("toss", "points", "left"),
    [
        ("1 2 3 4 6 6", 100, 5),
        ("1 1 2 3 4 6", 200, 4),
        ("5 2 3 4 6 6", 50, 5),
        ("5 5 2 3 4 6", 100, 4),
        ("1 5 2 3 4 6", 150, 4),
        ("1 1 5 5 2 3", 300, 2),
        ("1 1 1 5 2 3", 350, 2),
        ("1 2 2 2 3 4", 300, 2),
        ("5 6 6 6 2 3", 650, 2),
        ("1 5 3 3 3 2", 450, 1),
        ("1 2 3 4 5 6", 150, 4),
    ],
)
def test_ones_are_100_and_fives_50_and_they_add_up_with_triples(toss: str, points: int, left: int) -> None:
    assert after("0/0 1 toss 6 0 0 -", toss) == f"0/0 1 decide {left} {points} 0 -"


@pytest.mark.parametrize(
    ("face", "points"),
    [(1, 300), (2, 200), (3, 300), (4, 400), (5, 500), (6, 600)],
)
def test_three_of_a_kind_are_100_times_the_face_but_three_ones_are_300_as_singles(face: int, points: int) -> None:
    assert after("0/0 1 toss 4 150 0 -", f"{face} {face} {face} {4 if face != 4 else 3}") == (
        f"0/0 1 decide 1 {150 + points} 0 -"
    )


@pytest.mark.parametrize(
    ("face", "points", "left"),
    [(1, 400, 2), (2, 200, 3), (3, 300, 3), (4, 400, 3), (5, 550, 2), (6, 600, 3)],
)
def test_of_four_of_a_kind_the_fourth_scores_only_as_a_one_or_a_five(face: int, points: int, left: int) -> None:
    others = "3 4" if face in (1, 2, 5, 6) else "2 6"
    assert after("0/0 1 toss 6 0 0 -", f"{face} {face} {face} {face} {others}") == (f"0/0 1 decide {left} {points} 0 -")


@pytest.mark.parametrize(
    ("face", "points", "left"),
    [(1, 500, 1), (2, 200, 3), (3, 300, 3), (4, 400, 3), (5, 600, 1), (6, 600, 3)],
)
def test_five_of_a_kind_are_one_triple_and_two_dice_more(face: int, points: int, left: int) -> None:
    other = 4 if face != 4 else 3
    assert after("0/0 1 toss 6 0 0 -", " ".join([str(face)] * 5 + [str(other)])) == (
        f"0/0 1 decide {left} {points} 0 -"
    )


@pytest.mark.parametrize(
    ("face", "points"),
    [(1, 600), (2, 400), (3, 600), (4, 800), (5, 1000), (6, 1200)],
)
def test_six_of_a_kind_are_two_triples_and_six_ones_are_600_as_singles(face: int, points: int) -> None:
    assert after("0/0 1 toss 6 0 0 -", " ".join([str(face)] * 6)) == f"0/0 1 decide 6 {points} 500 -"


@pytest.mark.parametrize(
    ("toss", "points"),
    [("2 2 2 3 3 3", 500), ("1 1 1 5 5 5", 800), ("4 4 4 6 6 6", 1000), ("1 1 5 5 2 2", 300)],
)
def test_two_triples_add_up(toss: str, points: int) -> None:
    expected = "2 300 0" if toss == "1 1 5 5 2 2" else f"6 {points} 500"
    assert after("0/0 1 toss 6 0 0 -", toss) == f"0/0 1 decide {expected} -"


@pytest.mark.parametrize("toss", [NOTHING, "2 2 3 3 4 4", "2 3 3 4 6 6", "2 2 4 4 6 6", "2 3 4 4 6 6"])
def test_two_three_four_and_six_score_nothing_without_a_triple(toss: str) -> None:
    assert after("0/0 1 toss 6 0 0 -", toss) == "0/0 2 toss 6 0 0 -"


@pytest.mark.parametrize("toss", ["2", "3", "4", "6"])
def test_a_single_die_of_these_scores_nothing_either(toss: str) -> None:
    assert after("100/0 1 toss 1 500 0 -", toss) == "100/0 2 toss 6 0 0 -"


def test_dice_of_different_tosses_never_combine() -> None:
    assert after("0/0 1 toss 6 0 0 -", "5 5 2 3 4 6", "roll", "5 2 3 4") == "0/0 1 decide 3 150 0 -"
    assert after("0/0 1 toss 6 0 0 -", "1 2 2 3 4 6", "roll", "1 1 2 3 4") == "0/0 1 decide 3 300 0 -"
    assert after("0/0 1 toss 6 0 0 -", "1 2 2 2 2 3", "roll", "2 2") == "0/0 2 toss 6 0 0 -"


# A turn


def test_a_turn_begins_with_a_toss_and_cannot_be_passed_before_it() -> None:
    state = hotdice.load_game("bj").start(2)
    assert state.legal_moves() == ()
    with pytest.raises(IllegalMove, match=r"^“pass” has to wait: the dice are to be rolled first\.$"):
        state.apply(state.parse_move("pass"))


def test_after_a_toss_that_scores_the_player_rolls_or_passes() -> None:
    state = play(hotdice.load_game("bj").start(2), "1 2 3 4 6 6")
    assert state.seat == state.roller == 0
    assert choices(state) == ["roll", "pass"]


def test_rolling_takes_the_dice_that_are_left_with_the_points_at_risk() -> None:
    state = play(bj("0/0 1 decide 4 150 0 -"), "roll")
    assert state.position_fields() == "0/0 1 toss 4 150 0 -"
    assert (state.seat, state.roller) == (CHANCE, 0)


def test_points_of_the_tosses_add_up() -> None:
    assert after("0/0 1 toss 6 0 0 -", "1 2 3 4 6 6", "roll", "5 5 2 3 4") == "0/0 1 decide 3 200 0 -"


def test_passing_collects_the_points_of_the_turn() -> None:
    assert after("1000/200 1 decide 3 350 0 -", "pass") == "1350/200 2 toss 6 0 0 -"


def test_scores_do_not_change_before_the_turn_ends() -> None:
    assert play(bj("1000/200 1 decide 3 350 0 -"), "roll", "1 1 1").scores == (1000, 200)


def test_a_scoreless_toss_ends_the_turn_and_forfeits_its_points() -> None:
    assert after("1000/200 1 toss 3 350 0 -", "2 3 4") == "1000/200 2 toss 6 0 0 -"


def test_a_scoreless_first_toss_ends_the_turn_with_nothing() -> None:
    assert after("1000/200 1 toss 6 0 0 -", NOTHING) == "1000/200 2 toss 6 0 0 -"


# The bonus


def test_all_dice_frozen_in_one_toss_award_500_and_all_dice_may_be_rolled_again() -> None:
    state = play(bj("0/0 1 toss 6 0 0 -"), "1 1 1 1 5 5")
    assert state.position_fields() == "0/0 1 decide 6 500 500 -"
    assert choices(state) == ["roll", "pass"]


def test_all_dice_frozen_in_several_tosses_award_500_too() -> None:
    script = ["1 2 2 2 3 4", "roll", "5 6", "roll", "5"]
    assert after("0/0 1 toss 6 0 0 -", *script) == "0/0 1 decide 6 400 500 -"


def test_no_bonus_while_a_die_is_left() -> None:
    assert after("0/0 1 toss 6 0 0 -", "1 1 1 5 5 6") == "0/0 1 decide 1 400 0 -"


def test_passing_after_the_bonus_collects_it_with_the_points() -> None:
    assert after("100/0 1 decide 6 400 500 -", "pass") == "1000/0 2 toss 6 0 0 -"


def test_going_on_after_the_bonus_takes_all_dice() -> None:
    assert after("0/0 1 decide 6 400 500 -", "roll") == "0/0 1 toss 6 400 500 -"
    assert after("0/0 1 decide 6 400 500 -", "roll", "1 2 3 4 6 6") == "0/0 1 decide 5 500 500 -"


def test_a_second_round_of_the_dice_awards_500_more() -> None:
    assert after("0/0 1 toss 6 400 500 -", "2 2 2 3 3 3") == "0/0 1 decide 6 900 1000 -"
    assert after("0/0 1 toss 1 600 500 -", "5") == "0/0 1 decide 6 650 1000 -"


@pytest.mark.parametrize(("dice", "toss"), [(6, NOTHING), (5, "2 3 4 6 6"), (2, "2 2"), (1, "4")])
@pytest.mark.parametrize("safe", [500, 1000, 1500])
def test_a_bust_keeps_the_500s_and_forfeits_the_rest(dice: int, toss: str, safe: int) -> None:
    assert after(f"100/0 1 toss {dice} 2000 {safe} -", toss) == f"{100 + safe}/0 2 toss 6 0 0 -"


# House rule: bust


@pytest.mark.parametrize(("dice", "toss"), [(5, "2 3 4 6 6"), (3, "2 3 4"), (1, "6")])
def test_with_bust_all_dice_a_scoreless_toss_of_fewer_dice_collects_the_points(dice: int, toss: str) -> None:
    rules = "bust=all_dice"
    assert after(f"100/0 1 toss {dice} 350 0 -", toss, rules=rules) == "450/0 2 toss 6 0 0 -"
    assert after(f"100/0 1 toss {dice} 750 500 -", toss, rules=rules) == "1350/0 2 toss 6 0 0 -"


def test_with_bust_all_dice_a_scoreless_toss_of_all_dice_forfeits() -> None:
    rules = "bust=all_dice"
    assert after("100/0 1 toss 6 0 0 -", NOTHING, rules=rules) == "100/0 2 toss 6 0 0 -"
    assert after("100/0 1 toss 6 350 500 -", NOTHING, rules=rules) == "600/0 2 toss 6 0 0 -"


def test_with_bust_all_dice_and_five_dice_five_are_all() -> None:
    rules = "bust=all_dice,dice=5"
    assert after("100/0 1 toss 5 350 500 -", "2 3 4 6 6", rules=rules) == "600/0 2 toss 5 0 0 -"
    assert after("100/0 1 toss 4 350 500 -", "2 3 4 6", rules=rules) == "950/0 2 toss 5 0 0 -"


@pytest.mark.parametrize("bust", ["none", "ANY", "5"])
def test_bust_is_any_or_all_dice(bust: str) -> None:
    with pytest.raises(OptionError, match=f"^The option bust takes any or all_dice, not {bust}\\.$"):
        hotdice.load_game("bj").start(2, {"bust": bust})


# House rule: dice


def test_with_five_dice_a_turn_begins_with_five() -> None:
    assert hotdice.load_game("bj").start(2, {"dice": 5}).position == "bj(dice=5) 0/0 1 toss 5 0 0 -"
    assert after("0/0 1 toss 5 0 0 -", "2 3 4 6 6", rules="dice=5") == "0/0 2 toss 5 0 0 -"


def test_with_five_dice_five_frozen_award_the_bonus() -> None:
    assert after("0/0 1 toss 5 0 0 -", "1 1 1 5 5", rules="dice=5") == "0/0 1 decide 5 400 500 -"
    script = ["2 2 2 3 4", "roll", "1 5"]
    assert after("0/0 1 toss 5 0 0 -", *script, rules="dice=5") == "0/0 1 decide 5 350 500 -"


@pytest.mark.parametrize("dice", [4, 7])
def test_five_or_six_dice_and_no_other_number(dice: int) -> None:
    with pytest.raises(OptionError, match=f"^The option dice takes a whole number from 5 to 6, not {dice}\\.$"):
        hotdice.load_game("bj").start(2, {"dice": dice})


# The last round


def test_a_score_above_5000_at_the_end_of_a_turn_starts_the_last_round() -> None:
    assert after("4900/0/0 1 decide 3 150 0 -", "pass") == "5050/0/0 2 toss 6 0 0 1"


def test_5000_itself_does_not_start_it() -> None:
    assert after("4850/0/0 1 decide 3 150 0 -", "pass") == "5000/0/0 2 toss 6 0 0 -"


def test_points_at_risk_do_not_start_it() -> None:
    assert after("4900/0/0 1 toss 6 500 500 -", "1 2 3 4 6 6") == "4900/0/0 1 decide 5 600 500 -"


def test_the_500s_of_a_bust_can_start_it() -> None:
    assert after("4550/0/0 1 toss 6 300 500 -", NOTHING) == "5050/0/0 2 toss 6 0 0 1"
    assert after("4500/0/0 1 toss 6 300 500 -", NOTHING) == "5000/0/0 2 toss 6 0 0 -"


@pytest.mark.parametrize("starter", [1, 2, 3, 4])
def test_every_other_player_in_order_has_one_more_turn(starter: int) -> None:
    scores = "/".join("5000" if seat == starter else "0" for seat in range(1, 5))
    state = play(bj(f"{scores} {starter} decide 3 150 0 -"), "pass")
    turns = []
    while state.seat != OVER:
        turns.append(state.roller + 1)
        state = play(state, NOTHING)
    assert turns == [(starter + step - 1) % 4 + 1 for step in (1, 2, 3)]
    assert winner(state) == starter


def test_the_last_turn_is_a_turn_like_any_other() -> None:
    script = ["1 2 3 4 6 6", "roll", "5 2 3 4 6", "roll", "1 1 1 5", "pass"]
    state = play(bj("5050/4000 2 toss 6 0 0 1"), *script)
    assert state.position_fields() == "5050/5000 2 over 6 0 0 1"
    assert winner(state) == 1


def test_the_highest_score_wins() -> None:
    state = play(bj("5050/4000/0 2 decide 3 1100 0 1"), "pass", NOTHING)
    assert state.position_fields() == "5050/5100/0 3 over 6 0 0 1"
    assert winner(state) == 2


def test_the_last_player_can_win_by_the_500s_of_a_bust() -> None:
    state = play(bj("5050/5000 2 toss 6 600 500 1"), NOTHING)
    assert state.position_fields() == "5050/5500 2 over 6 0 0 1"
    assert winner(state) == 2


def test_an_equal_score_does_not_beat_the_starter() -> None:
    state = play(bj("4000/5050 1 decide 3 1050 0 2"), "pass")
    assert state.scores == (5050, 5050)
    assert winner(state) == 2


def test_an_equal_score_does_not_beat_a_player_who_was_there_before() -> None:
    state = play(bj("0/5050/4000 3 decide 3 2000 0 2"), "pass")
    assert state.position_fields() == "0/5050/6000 1 toss 6 0 0 2"
    state = play(
        state, "4 4 4 6 6 6", "roll", "6 6 6 6 6 6", "roll", "6 6 6 6 6 6", "roll", "1 1 1 1 2 3", "roll", "1 3"
    )
    assert state.position_fields() == "0/5050/6000 1 decide 1 3900 1500 2"
    state = play(state, "roll", "1", "pass")
    assert state.position_fields() == "6000/5050/6000 1 over 6 0 0 2"
    assert winner(state) == 3


def test_a_player_above_5000_in_the_last_round_starts_no_other() -> None:
    assert after("5050/4900/0 2 decide 3 1100 0 1", "pass") == "5050/6000/0 3 toss 6 0 0 1"


def test_nobody_rolls_or_moves_after_the_end() -> None:
    state = play(bj("5050/0 2 toss 6 0 0 1"), NOTHING)
    assert state.seat == OVER
    assert state.roller == 1
    assert state.legal_moves() == ()
    assert len(state.outcomes()) == 0


# House rule: target


@pytest.mark.parametrize("target", [0, 50, 500, 100_000])
def test_the_target_can_be_another_score_which_is_to_be_exceeded(target: int) -> None:
    rules = f"target={target}"
    assert after(f"{target}/0 1 decide 5 50 0 -", "pass", rules=rules) == f"{target + 50}/0 2 toss 6 0 0 1"
    assert after(f"{target}/0 1 toss 6 0 0 -", NOTHING, rules=rules) == f"{target}/0 2 toss 6 0 0 -"


@pytest.mark.parametrize("target", [-50, 25, 100_050])
def test_a_target_is_a_multiple_of_50_up_to_100000(target: int) -> None:
    with pytest.raises(OptionError, match=r"^The option target takes a whole number from 0 to 100000 in steps of 50"):
        hotdice.load_game("bj").start(2, {"target": target})


# The settlement


def test_the_winner_owes_the_other_50000_dollars_a_month_for_ten_years_which_is_6000000() -> None:
    result = play(bj("5050/0 2 toss 6 0 0 1"), NOTHING).result
    assert result is not None
    assert result.reason == "Highest score after the last round."
    assert result.settlement == (
        "{0|You} {0:owes|owe} each other player $50,000 a month, tax free, for ten years: $6,000,000."
    )
    assert [(s.seat, s.place, s.score, s.note, s.amount) for s in result.standings] == [
        (0, 1, 5050, "owes $6,000,000", -6_000_000),
        (1, 2, 0, "is owed $6,000,000", 6_000_000),
    ]


def test_of_four_players_the_winner_owes_each_of_the_three_others() -> None:
    result = play(bj("200/5050/5100/200 1 toss 6 0 0 2"), NOTHING).result
    assert result is not None
    assert result.winners == (2,)
    assert [(s.seat, s.place, s.score, s.note, s.amount) for s in result.standings] == [
        (2, 1, 5100, "owes $18,000,000", -18_000_000),
        (1, 2, 5050, "is owed $6,000,000", 6_000_000),
        (0, 3, 200, "is owed $6,000,000", 6_000_000),
        (3, 3, 200, "is owed $6,000,000", 6_000_000),
    ]


def test_a_type_checker_knows_the_state_by_the_name_of_the_game() -> None:
    state = hotdice.load_game("bj").start()
    assert_type(state, BjState)
    assert_type(state.at_risk, int)
    assert isinstance(state, BjState)
