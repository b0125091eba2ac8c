"""The rules of KOR, one test for each. A test plays a few tosses and moves and looks at the position after them:
scores, whose turn, who rolls (with a - in a penalty), phase, dice, points so far, leader of the final round.
"""

from fractions import Fraction
from itertools import combinations
from typing import assert_type

import pytest

import hotdice
from hotdice import CHANCE, OVER, IllegalMove, OptionError, State
from hotdice.errors import SeatError
from hotdice.games.kor import KorState
from tests.games.script import choices, play, winner

NOTHING = "S S D D U U"
"""Six dice without a number and without three of a sign: ends a turn, and its points count."""
STOP = "S S S D U 25"
DEAD_END = "D D D S U 25"
U_TURN = "U U U S D 25"

SIX_NUMBERS = "100 25 50 50 25 100"
"""Jim's Bank Roll, worth 350."""


def kor(position: str, rules: str = "") -> State:
    """The state of a position, with house rules."""
    return hotdice.parse_position(f"kor({rules}) {position}")


def after(position: str, *script: str, rules: str = "") -> str:
    """The position after a script that starts from a position."""
    return play(kor(position, rules), *script).position_fields()


# Setting up


@pytest.mark.parametrize("players", range(2, 9))
def test_two_to_eight_can_play_and_the_first_seat_begins_with_six_dice_and_no_points(players: int) -> None:
    state: State = hotdice.load_game("kor").start(players)
    assert state.position == f"kor {'/'.join('0' * players)} 1 1 toss 6 0 -"
    assert state.players == players
    assert state.scores == (0,) * players
    assert (state.seat, state.roller, state.result) == (CHANCE, 0, None)


@pytest.mark.parametrize("players", [0, 1, 9])
def test_one_player_is_too_few_and_nine_are_too_many(players: int) -> None:
    with pytest.raises(SeatError, match=f"^KOR, Keep On Rollin' takes 2 to 8 players, not {players}\\.$"):
        hotdice.load_game("kor").start(players)


def test_a_die_has_three_numbers_and_three_signs_all_equally_likely() -> None:
    outcomes = kor("0/0 1 1 toss 1 125 -").outcomes()
    faces = [hotdice.load_game("kor").roll_text(roll) for roll in outcomes.rolls]
    assert sorted(faces) == sorted(["25", "50", "100", "S", "D", "U"])
    assert {chance for _, chance in outcomes} == {Fraction(1, 6)}


@pytest.mark.parametrize("dice", range(1, 7))
def test_all_dice_in_hand_are_tossed(dice: int) -> None:
    outcomes = kor(f"0/0 1 1 toss {dice} 500 -").outcomes()
    assert {len(roll) for roll in outcomes.rolls} == {dice}
    assert outcomes.total == 6**dice


def test_turns_go_left_and_round_the_table() -> None:
    state: State = hotdice.load_game("kor").start(3)
    rollers = [state.roller]
    for _ in range(4):
        state = play(state, NOTHING)
        rollers.append(state.roller)
    assert rollers == [0, 1, 2, 0, 1]


def test_an_opening_score_of_25_is_enough_to_get_on_the_board() -> None:
    start = hotdice.load_game("kor").start(2).position_fields()
    assert after(start, "25 S S D D U", "S S D D U") == "25/0 2 2 toss 6 0 -"


# A toss that goes on


@pytest.mark.parametrize(
    ("toss", "highest"),
    [
        ("25 S S D D U", 25),
        ("25 25 25 25 25 25", 25),
        ("50 S S D D U", 50),
        ("25 50 S D U U", 50),
        ("50 50 25 25 S D", 50),
        ("100 S D D U U", 100),
        ("25 100 S D D U", 100),
        ("50 100 S S D U", 100),
        ("25 50 100 S D U", 100),
        ("100 100 100 100 100 S", 100),
    ],
)
def test_only_the_highest_scoring_die_is_set_aside_and_scores(toss: str, highest: int) -> None:
    assert after("0/0 1 1 toss 6 0 -", toss) == f"0/0 1 1 toss 5 {highest} -"


@pytest.mark.parametrize("toss", ["S S D D U 25", "S S D U U 25", "S D D U U 25"])
def test_two_of_a_sign_do_not_end_a_turn(toss: str) -> None:
    assert after("0/0 1 1 toss 6 0 -", toss) == "0/0 1 1 toss 5 25 -"


def test_dice_go_from_six_to_one_and_then_six_again_while_the_points_run_on() -> None:
    state: State = hotdice.load_game("kor").start(2)
    seen = []
    for toss in ["100 S S D D U", "25 S S D D", "50 25 S D", "100 100 U", "25 S", "50", "25 50 S S D U", "100 S D U U"]:
        state = play(state, toss)
        seen.append(state.position_fields())
    assert seen == [
        "0/0 1 1 toss 5 100 -",
        "0/0 1 1 toss 4 125 -",
        "0/0 1 1 toss 3 175 -",
        "0/0 1 1 toss 2 275 -",
        "0/0 1 1 toss 1 300 -",
        "0/0 1 1 toss 6 350 -",
        "0/0 1 1 toss 5 400 -",
        "0/0 1 1 toss 4 500 -",
    ]


def test_a_player_who_can_go_on_must_and_has_no_choice_to_stop() -> None:
    state: State = hotdice.load_game("kor").start(2)
    for toss in ["100 S S D D U", "25 S S D D", "50 25 S D", "100 100 U", "25 S", "50"]:
        state = play(state, toss)
        assert state.seat == CHANCE
        assert state.legal_moves() == ()
        assert state.roller == 0


# A toss that ends the turn: no number


@pytest.mark.parametrize(
    ("dice", "toss"),
    [
        (6, NOTHING),
        (5, "S S D D U"),
        (4, "D D U U"),
        (3, "D D S"),
        (2, "D D"),
        (2, "U U"),
        (1, "S"),
        (1, "D"),
        (1, "U"),
    ],
)
def test_no_scoring_die_ends_the_turn_and_the_points_count(dice: int, toss: str) -> None:
    assert after(f"100/0 1 1 toss {dice} 275 -", toss) == "375/0 2 2 toss 6 0 -"


def test_a_first_toss_without_a_scoring_die_scores_nothing() -> None:
    assert after("100/0 1 1 toss 6 0 -", NOTHING) == "100/0 2 2 toss 6 0 -"


# A toss that ends the turn: road signs


def test_three_stop_signs_score_the_points_so_far_but_no_die_of_their_own_toss() -> None:
    assert after("100/0 1 1 toss 6 275 -", "S S S 25 50 100") == "375/0 2 2 toss 6 0 -"


def test_three_dead_end_signs_forfeit_the_points_of_the_turn_and_nothing_else() -> None:
    assert after("100/0 1 1 toss 6 275 -", "D D D 25 50 100") == "100/0 2 2 toss 6 0 -"


def test_three_u_turn_signs_score_the_points_so_far_and_an_opponent_is_to_be_named() -> None:
    assert after("100/0 1 1 toss 6 275 -", "U U U 25 50 100") == "375/0 1 1 target 6 0 -"


@pytest.mark.parametrize(
    ("sign", "ends"),
    [
        ("S", "375/0 2 2 toss 6 0 -"),
        ("D", "100/0 2 2 toss 6 0 -"),
        ("U", "375/0 1 1 target 6 0 -"),
    ],
)
@pytest.mark.parametrize("count", [3, 4, 5, 6])
def test_four_five_or_six_of_a_sign_do_what_three_do(sign: str, ends: str, count: int) -> None:
    others = ["100"] * (6 - count)
    assert after("100/0 1 1 toss 6 275 -", " ".join([sign] * count + others)) == ends


@pytest.mark.parametrize(
    ("sign", "ends"),
    [
        ("S", "375/0 2 2 toss 6 0 -"),
        ("D", "100/0 2 2 toss 6 0 -"),
        ("U", "375/0 1 1 target 6 0 -"),
    ],
)
@pytest.mark.parametrize("dice", [3, 4, 5])
def test_three_of_a_sign_end_the_turn_with_fewer_dice_too(sign: str, ends: str, dice: int) -> None:
    others = ["100"] * (dice - 3)
    assert after(f"100/0 1 1 toss {dice} 275 -", " ".join([sign] * 3 + others)) == ends


def test_three_of_a_sign_come_before_the_want_of_a_scoring_die() -> None:
    assert after("0/0 1 1 toss 3 75 -", "D D D") == "0/0 2 2 toss 6 0 -"
    assert after("0/0 1 1 toss 6 225 -", "D D D S S U") == "0/0 2 2 toss 6 0 -"


# The split


SPLITS = {"stop+dead-end": "S S S D D D", "stop+u-turn": "S S S U U U", "dead-end+u-turn": "D D D U U U"}
CHOICES = [(split, sign) for split in SPLITS for sign in split.split("+")]


@pytest.mark.parametrize("split", SPLITS)
def test_three_and_three_signs_let_the_roller_choose_between_the_two(split: str) -> None:
    state = play(kor("100/-50/100 2 2 toss 6 200 -"), SPLITS[split])
    assert state.position_fields() == f"100/-50/100 2 2 {split} 6 200 -"
    assert state.seat == state.roller == 1
    assert choices(state) == [f"follow {sign}" for sign in split.split("+")]


@pytest.mark.parametrize(("split", "sign"), CHOICES)
def test_each_sign_of_a_split_does_what_it_does_alone(split: str, sign: str) -> None:
    ends = {
        "stop": "100/150/100 3 3 toss 6 0 -",
        "dead-end": "100/-50/100 3 3 toss 6 0 -",
        "u-turn": "100/150/100 2 2 target 6 0 -",
    }
    assert after(f"100/-50/100 2 2 {split} 6 200 -", f"follow {sign}") == ends[sign]


@pytest.mark.parametrize(
    ("split", "sign"), [("stop+dead-end", "u-turn"), ("stop+u-turn", "dead-end"), ("dead-end+u-turn", "stop")]
)
def test_the_third_sign_cannot_be_followed(split: str, sign: str) -> None:
    one, other = split.split("+")
    message = f"^The toss does not show three {sign} signs\\. Legal: follow {one}, follow {other}\\.$"
    with pytest.raises(IllegalMove, match=message):
        after(f"-150/0 1 1 {split} 6 200 -", f"follow {sign}")


@pytest.mark.parametrize("split", SPLITS)
def test_in_a_penalty_the_one_who_serves_it_chooses(split: str) -> None:
    state = play(kor("100/250/100 1 2- toss 6 200 -"), SPLITS[split])
    assert state.position_fields() == f"100/250/100 1 2- {split} 6 200 -"
    assert state.seat == state.roller == 1
    assert choices(state) == [f"follow {sign}" for sign in split.split("+")]


@pytest.mark.parametrize(("split", "sign"), CHOICES)
def test_each_sign_of_a_split_in_a_penalty_does_what_it_does_alone(split: str, sign: str) -> None:
    ends = {
        "stop": "100/50/100 2 2 toss 6 0 -",
        "dead-end": "100/250/100 2 2 toss 6 0 -",
        "u-turn": "100/50/100 1 2- target 6 0 -",
    }
    assert after(f"100/250/100 1 2- {split} 6 200 -", f"follow {sign}") == ends[sign]


@pytest.mark.parametrize("toss", ["D D D D S S", "D D D S S U", "D D D S S 25", "D D D D D D"])
def test_without_three_and_three_there_is_nothing_to_choose(toss: str) -> None:
    assert after("100/0 1 1 toss 6 200 -", toss) == "100/0 2 2 toss 6 0 -"


# U-TURN penalties


@pytest.mark.parametrize("players", range(2, 9))
def test_a_u_turn_goes_to_any_opponent_but_not_to_oneself(players: int) -> None:
    scores = "/".join(["0"] * players)
    for seat in range(1, players + 1):
        state = kor(f"{scores} {seat} {seat} target 6 0 -")
        assert state.seat == seat - 1
        assert choices(state) == [f"target {other}" for other in range(1, players + 1) if other != seat]


def test_one_cannot_send_oneself() -> None:
    message = r"^A U-TURN penalty goes to an opponent, not to yourself\. Legal: target 1, target 3\.$"
    with pytest.raises(IllegalMove, match=message):
        after("0/0/0 2 2 target 6 0 -", "target 2")


def test_a_penalty_starts_with_six_dice_and_no_points() -> None:
    assert after("100/200/300 1 1 toss 3 75 -", "U U U", "target 3") == "175/200/300 1 3- toss 6 0 -"


def test_the_one_who_was_named_rolls_though_it_is_not_their_turn() -> None:
    state = play(kor("100/200/300 1 1 target 6 0 -"), "target 3")
    assert (state.seat, state.roller) == (CHANCE, 2)


def test_a_penalty_is_tossed_like_a_turn() -> None:
    tosses = ["100 S S D D U", "25 S S D D", "50 25 S D", "100 100 U", "25 S", "50", "25 50 S S D U"]
    assert after("0/0 1 2- toss 6 0 -", *tosses[:5]) == "0/0 1 2- toss 1 300 -"
    assert after("0/0 1 2- toss 6 0 -", *tosses) == "0/0 1 2- toss 5 400 -"


@pytest.mark.parametrize(
    ("toss", "ends"),
    [
        (NOTHING, "100/125/300 2 2 toss 6 0 -"),
        (STOP, "100/125/300 2 2 toss 6 0 -"),
        (DEAD_END, "100/350/300 2 2 toss 6 0 -"),
        (U_TURN, "100/125/300 1 2- target 6 0 -"),
    ],
)
def test_a_penalty_is_subtracted_at_its_end_unless_it_is_a_dead_end(toss: str, ends: str) -> None:
    assert after("100/350/300 1 2- toss 6 225 -", toss) == ends


def test_nothing_is_subtracted_before_a_penalty_ends() -> None:
    assert kor("100/200/300 1 2- toss 5 100 -").scores == (100, 200, 300)
    assert play(kor("100/200/300 1 2- toss 5 100 -"), "100 S S D D").scores == (100, 200, 300)


def test_scores_can_fall_below_zero() -> None:
    assert after("0/175/0 1 2- toss 6 250 -", NOTHING) == "0/-75/0 2 2 toss 6 0 -"
    assert after("0/75/0 1 2- toss 6 250 -", STOP) == "0/-175/0 2 2 toss 6 0 -"


def test_a_score_below_zero_climbs_again_by_a_turn() -> None:
    assert after("0/-225/0 2 2 toss 6 250 -", NOTHING) == "0/25/0 3 3 toss 6 0 -"


def test_a_u_turn_in_a_penalty_is_handed_on_to_any_opponent_of_the_one_who_served() -> None:
    state = play(kor("100/350/300 1 2- toss 6 225 -"), U_TURN)
    assert state.seat == 1
    assert choices(state) == ["target 1", "target 3"]


def test_the_one_who_began_a_chain_can_be_sent_back_by_it() -> None:
    script = ["50 S S D D U", "U U U S D", "target 2", "25 S S D D U", "U U U S D", "target 1"]
    state = play(kor("100/200/300 1 1 toss 6 0 -"), *script)
    assert state.position_fields() == "150/175/300 1 1- toss 6 0 -"
    assert play(state, "100 S S D D U", "S S D D U").position_fields() == "50/175/300 2 2 toss 6 0 -"


def test_a_chain_goes_on_for_as_long_as_u_turns_are_tossed() -> None:
    script = [U_TURN, "target 3", U_TURN, "target 4", U_TURN, "target 3", U_TURN, "target 2"]
    assert after("0/0/0/0 2 2 toss 6 0 -", *script[:6]) == "0/0/0/0 2 3- toss 6 0 -"
    assert after("0/0/0/0 2 2 toss 6 0 -", *script) == "0/0/0/0 2 2- toss 6 0 -"


@pytest.mark.parametrize("last", [1, 3, 4])
def test_after_a_chain_play_goes_on_left_of_the_player_whose_turn_it_was(last: int) -> None:
    assert after("0/0/0/0 2 2 target 6 0 -", f"target {last}", NOTHING) == "0/0/0/0 3 3 toss 6 0 -"


def test_after_the_last_seats_chain_play_goes_on_with_the_first_seat() -> None:
    assert after("0/0/0 3 3 target 6 0 -", "target 2", U_TURN, "target 3", DEAD_END) == "0/0/0 1 1 toss 6 0 -"


def test_serving_a_penalty_does_not_cost_a_turn() -> None:
    assert after("0/0/0 1 1 target 6 0 -", "target 2", NOTHING) == "0/0/0 2 2 toss 6 0 -"


# Winning


@pytest.mark.parametrize("last", [NOTHING, STOP, U_TURN])
@pytest.mark.parametrize(("before", "points"), [(5800, 200), (0, 6000), (5975, 1000), (-100, 6100)])
def test_6000_or_more_at_the_end_of_ones_own_turn_win_at_once(last: str, before: int, points: int) -> None:
    state = play(kor(f"100/{before}/5975 2 2 toss 6 {points} -"), last)
    assert state.position_fields() == f"100/{before + points}/5975 2 2 over 6 0 -"
    assert winner(state) == 2
    assert state.roller == 1
    assert state.legal_moves() == ()
    assert len(state.outcomes()) == 0


def test_5975_do_not_win() -> None:
    assert after("5750/0 1 1 toss 6 225 -", NOTHING) == "5975/0 2 2 toss 6 0 -"


def test_points_win_at_the_end_of_the_turn_and_not_before() -> None:
    state = play(kor("5975/0 1 1 toss 6 0 -"), "100 S S D D U")
    assert state.position_fields() == "5975/0 1 1 toss 5 100 -"
    assert state.result is None


def test_a_dead_end_takes_the_winning_points_away() -> None:
    assert after("5975/0 1 1 toss 6 400 -", DEAD_END) == "5975/0 2 2 toss 6 0 -"


@pytest.mark.parametrize(("split", "sign"), [choice for choice in CHOICES if choice[1] != "dead-end"])
def test_a_sign_chosen_in_a_split_can_win(split: str, sign: str) -> None:
    state = play(kor(f"5825/0 1 1 {split} 6 175 -"), f"follow {sign}")
    assert state.position_fields() == "6000/0 1 1 over 6 0 -"
    assert winner(state) == 1


def test_a_u_turn_that_wins_hands_out_no_penalty() -> None:
    state = play(kor("5825/5000/5500 1 1 toss 6 175 -"), U_TURN)
    assert state.seat == OVER
    assert state.scores == (6000, 5000, 5500)
    assert state.legal_moves() == ()


def test_a_u_turn_that_does_not_win_hands_one_out() -> None:
    assert after("5800/0 1 1 toss 6 175 -", U_TURN) == "5975/0 1 1 target 6 0 -"


def test_a_penalty_never_wins() -> None:
    state = play(kor("5975/0 2 1- toss 6 200 -"), NOTHING)
    assert state.position_fields() == "5775/0 1 1 toss 6 0 -"
    state = play(kor("6300/6200/0 3 1- toss 6 200 -", "final_round=true"), NOTHING)
    assert state.position_fields() == "6100/6200/0 1 1 toss 6 0 -"
    assert state.result is None


# House rule: scoring


@pytest.mark.parametrize(
    ("toss", "sum_of_all"),
    [("25 50 100 S D U", 175), ("25 25 50 S S D", 100), ("100 S S D D U", 100), (SIX_NUMBERS, 350)],
)
def test_with_scoring_all_every_scoring_die_counts_and_one_is_set_aside(toss: str, sum_of_all: int) -> None:
    assert after("0/0 1 1 toss 6 0 -", toss, rules="scoring=all") == f"0/0 1 1 toss 5 {sum_of_all} -"


def test_with_scoring_all_the_last_die_brings_six_again() -> None:
    assert after("0/0 1 1 toss 1 275 -", "50", rules="scoring=all") == "0/0 1 1 toss 6 325 -"


def test_with_scoring_all_three_signs_still_ignore_the_scoring_dice() -> None:
    assert after("-150/0 1 1 toss 6 225 -", "S S S 100 100 100", rules="scoring=all") == "75/0 2 2 toss 6 0 -"


def test_with_scoring_all_a_penalty_counts_every_scoring_die_too() -> None:
    assert after("0/0 1 2- toss 6 0 -", "25 50 100 S D U", rules="scoring=all") == "0/0 1 2- toss 5 175 -"


# House rule: bank_roll


def test_without_the_bank_roll_variant_six_numbers_are_a_toss_like_any_other() -> None:
    assert after("0/0 1 1 toss 6 825 -", SIX_NUMBERS) == "0/0 1 1 toss 5 925 -"


def test_jim_banks_825_and_350_which_is_1175_and_rolls_on_with_six_dice() -> None:
    assert after("0/0 1 1 toss 6 825 -", SIX_NUMBERS, rules="bank_roll=true") == "1175/0 1 1 toss 6 0 -"


def test_jim_can_collect_his_825_in_six_tosses_if_all_dice_score() -> None:
    tosses = ["100 100 100 25 25 S", "100 50 25 S D", "100 S D U", "100 S D", "50 S", "50"]
    state = play(kor("0/0 1 1 toss 6 0 -", "bank_roll=true,scoring=all"), *tosses)
    assert state.position_fields() == "0/0 1 1 toss 6 825 -"
    assert play(state, SIX_NUMBERS).position_fields() == "1175/0 1 1 toss 6 0 -"


@pytest.mark.parametrize(("toss", "worth"), [("25 25 25 25 25 25", 150), ("100 100 100 100 100 100", 600)])
def test_a_bank_roll_is_worth_the_sum_of_all_six(toss: str, worth: int) -> None:
    assert after("-50/0 1 1 toss 6 0 -", toss, rules="bank_roll=true") == f"{worth - 50}/0 1 1 toss 6 0 -"


def test_the_turn_starts_afresh_after_a_bank_roll() -> None:
    script = [SIX_NUMBERS, "50 S S D D U", "S S D D U"]
    assert after("0/0 1 1 toss 6 825 -", *script, rules="bank_roll=true") == "1225/0 2 2 toss 6 0 -"


def test_bank_rolls_can_follow_each_other() -> None:
    script = [SIX_NUMBERS, SIX_NUMBERS]
    assert after("0/0 1 1 toss 6 0 -", *script, rules="bank_roll=true") == "700/0 1 1 toss 6 0 -"


def test_five_numbers_of_six_dice_are_no_bank_roll() -> None:
    toss = "25 25 50 50 100 S"
    assert after("0/0 1 1 toss 6 225 -", toss, rules="bank_roll=true") == "0/0 1 1 toss 5 325 -"


@pytest.mark.parametrize("dice", [1, 2, 3, 4, 5])
def test_only_six_dice_make_a_bank_roll(dice: int) -> None:
    position = f"0/0 1 1 toss {dice} 200 -"
    left = dice - 1 or 6
    assert after(position, " ".join(["25"] * dice), rules="bank_roll=true") == f"0/0 1 1 toss {left} 225 -"


def test_in_a_penalty_a_bank_roll_is_subtracted_at_once_and_the_penalty_goes_on() -> None:
    rules = "bank_roll=true"
    assert after("0/900 1 2- toss 6 825 -", SIX_NUMBERS, rules=rules) == "0/-275 1 2- toss 6 0 -"
    assert after("0/900 1 2- toss 6 825 -", SIX_NUMBERS, DEAD_END, rules=rules) == "0/-275 2 2 toss 6 0 -"


def test_a_dead_end_does_not_touch_what_was_banked() -> None:
    script = [SIX_NUMBERS, "50 S S D D U", "D D D 100 100"]
    assert after("100/0 1 1 toss 6 0 -", *script, rules="bank_roll=true") == "450/0 2 2 toss 6 0 -"


def test_a_banked_score_does_not_win_before_the_turn_ends() -> None:
    state = play(kor("5900/0 1 1 toss 6 0 -", "bank_roll=true"), SIX_NUMBERS)
    assert state.position_fields() == "6250/0 1 1 toss 6 0 -"
    assert state.result is None


@pytest.mark.parametrize("last", [NOTHING, STOP, DEAD_END, U_TURN])
def test_a_banked_score_wins_when_the_turn_ends_be_it_by_a_dead_end(last: str) -> None:
    state = play(kor("5900/0 1 1 toss 6 0 -", "bank_roll=true"), SIX_NUMBERS, last)
    assert state.position_fields() == "6250/0 1 1 over 6 0 -"
    assert winner(state) == 1


def test_a_banked_score_below_the_target_does_not_win_by_a_dead_end() -> None:
    script = [SIX_NUMBERS, "100 S S D D U", "D D D S U"]
    assert after("5600/0 1 1 toss 6 0 -", *script, rules="bank_roll=true") == "5950/0 2 2 toss 6 0 -"


# House rule: target


@pytest.mark.parametrize("target", [25, 500, 3000, 100_000])
def test_the_target_can_be_another_score(target: int) -> None:
    rules = f"target={target}"
    assert after(f"{target - 150}/0 1 1 toss 6 150 -", NOTHING, rules=rules) == f"{target}/0 1 1 over 6 0 -"
    less = target - 25
    assert after(f"{less - 150}/0 1 1 toss 6 150 -", NOTHING, rules=rules) == f"{less}/0 2 2 toss 6 0 -"


@pytest.mark.parametrize("target", [-25, 0, 30, 100_025])
def test_a_target_is_a_multiple_of_25_up_to_100000(target: int) -> None:
    with pytest.raises(OptionError, match=r"^The option target takes a whole number from 25 to 100000 in steps of 25"):
        hotdice.load_game("kor").start(2, {"target": target})


# House rule: final_round

FINAL = "final_round=true,target=500"


def test_reaching_the_target_starts_a_final_round_instead_of_winning() -> None:
    state = play(kor("325/0/0 1 1 toss 6 175 -", FINAL), NOTHING)
    assert state.position_fields() == "500/0/0 2 2 toss 6 0 1"
    assert state.result is None


def test_475_do_not_start_a_final_round() -> None:
    assert after("300/0/0 1 1 toss 6 175 -", NOTHING, rules=FINAL) == "475/0/0 2 2 toss 6 0 -"


@pytest.mark.parametrize("leader", [1, 2, 3, 4])
def test_every_other_player_has_exactly_one_turn_from_the_leaders_left(leader: int) -> None:
    scores = "/".join("500" if seat == leader else "0" for seat in range(1, 5))
    state = play(kor(f"{scores} {leader} {leader} toss 6 0 -", FINAL), NOTHING)
    turns = []
    while state.seat != OVER:
        turns.append(state.roller + 1)
        state = play(state, NOTHING)
    assert turns == [(leader + step - 1) % 4 + 1 for step in (1, 2, 3)]
    assert winner(state) == leader


def test_the_leader_wins_if_nobody_beats_them() -> None:
    state = play(kor("500/0/475 3 3 toss 6 0 1", FINAL), NOTHING)
    assert state.position_fields() == "500/0/475 3 3 over 6 0 1"
    assert winner(state) == 1


def test_a_player_who_beats_the_leader_in_the_final_round_wins() -> None:
    state = play(kor("500/0/475 2 2 toss 6 525 1", FINAL), NOTHING, NOTHING)
    assert state.position_fields() == "500/525/475 3 3 over 6 0 1"
    assert winner(state) == 2


def test_going_past_the_leader_early_in_the_final_round_wins_nothing_yet() -> None:
    assert after("500/0/475 2 2 toss 6 9000 1", NOTHING, rules=FINAL) == "500/9000/475 3 3 toss 6 0 1"


def test_reaching_the_target_within_a_final_round_starts_no_other() -> None:
    state = play(kor("500/325/475 2 2 toss 6 250 1", FINAL), NOTHING)
    assert state.position_fields() == "500/575/475 3 3 toss 6 0 1"
    state = play(state, "100 S S D D U", "S S D D U")
    assert state.position_fields() == "500/575/575 2 2 toss 6 0 -"


def test_the_u_turn_chain_of_the_leaders_turn_is_served_before_the_final_round() -> None:
    state = play(kor("325/0/0 1 1 toss 6 175 -", FINAL), U_TURN)
    assert state.position_fields() == "500/0/0 1 1 target 6 0 1"
    assert choices(state) == ["target 2", "target 3"]
    state = play(state, "target 3", "50 S S D D U", "U U U S D")
    assert state.position_fields() == "500/0/-50 1 3- target 6 0 1"
    state = play(state, "target 2", NOTHING)
    assert state.position_fields() == "500/0/-50 2 2 toss 6 0 1"


def test_a_chain_that_drops_the_leader_below_the_target_does_not_cancel_the_final_round() -> None:
    script = [U_TURN, "target 3", U_TURN, "target 1", "100 S S D D U", "S S D D U"]
    state = play(kor("325/0/0 1 1 toss 6 175 -", FINAL), *script)
    assert state.position_fields() == "400/0/0 2 2 toss 6 0 1"
    state = play(state, NOTHING)
    assert state.position_fields() == "400/0/0 3 3 toss 6 0 1"
    assert play(state, NOTHING).position_fields() == "400/0/0 2 2 toss 6 0 -"


def test_a_leader_dropped_by_their_own_chain_can_still_be_beaten_in_that_final_round() -> None:
    state = play(kor("400/0/0 2 2 toss 6 500 1", FINAL), NOTHING, NOTHING)
    assert state.position_fields() == "400/500/0 3 3 over 6 0 1"
    assert winner(state) == 2


def test_a_u_turn_in_the_final_round_can_topple_the_leader() -> None:
    script = [U_TURN, "target 1", "100 S S D D U", "S S D D U"]
    assert after("500/0/0 2 2 toss 6 0 1", *script, rules=FINAL) == "400/0/0 3 3 toss 6 0 1"


def test_the_last_final_turns_chain_is_served_before_anybody_wins() -> None:
    state = play(kor("500/475/0 3 3 toss 6 0 1", FINAL), U_TURN)
    assert state.position_fields() == "500/475/0 3 3 target 6 0 1"
    state = play(state, "target 1", U_TURN, "target 2", NOTHING)
    assert state.seat == OVER
    assert state.scores == (500, 475, 0)
    assert winner(state) == 1


def test_a_penalty_in_the_final_round_does_not_cost_the_final_turn() -> None:
    assert after("500/0/0 2 2 toss 6 0 1", U_TURN, "target 3", NOTHING, rules=FINAL) == "500/0/0 3 3 toss 6 0 1"


def test_a_penalty_served_by_the_leader_gives_them_no_turn() -> None:
    assert after("500/0/0 2 2 toss 6 0 1", U_TURN, "target 1", NOTHING, rules=FINAL) == "500/0/0 3 3 toss 6 0 1"


def test_nobody_at_the_target_after_the_final_round_means_play_goes_on_left_of_the_leader() -> None:
    script = [U_TURN, "target 2", "100 S S D D U", "S S D D U"]
    assert after("0/500/475 1 1 toss 6 0 2", *script, rules=FINAL) == "0/400/475 3 3 toss 6 0 -"


def test_a_shared_best_score_means_play_goes_on_left_of_the_leader() -> None:
    assert after("525/525/500/0 2 2 toss 6 0 3", NOTHING, rules=FINAL) == "525/525/500/0 4 4 toss 6 0 -"


def test_a_shared_second_place_does_not_matter() -> None:
    state = play(kor("500/500/525 2 2 toss 6 0 3", FINAL), NOTHING)
    assert state.position_fields() == "500/500/525 2 2 over 6 0 3"
    assert winner(state) == 3


def test_exactly_the_target_is_enough_to_win_the_final_round() -> None:
    state = play(kor("500/475 2 2 toss 6 0 1", FINAL), NOTHING)
    assert state.position_fields() == "500/475 2 2 over 6 0 1"
    assert winner(state) == 1


def test_of_two_players_the_one_who_took_the_final_turn_moves_again() -> None:
    script = [U_TURN, "target 1", "25 S S D D U", "S S D D U"]
    assert after("500/0 2 2 toss 6 0 1", *script, rules=FINAL) == "475/0 2 2 toss 6 0 -"
    assert after("500/250 2 2 toss 6 250 1", NOTHING, rules=FINAL) == "500/500 2 2 toss 6 0 -"


def test_after_an_undecided_final_round_the_next_to_reach_the_target_starts_another() -> None:
    state = play(kor("400/0/475 2 2 toss 6 0 -", FINAL), NOTHING)
    state = play(state, "50 S S D D U", "S S D D U")
    assert state.position_fields() == "400/0/525 1 1 toss 6 0 3"
    assert winner(play(state, NOTHING, NOTHING)) == 3


def test_after_a_shared_best_a_turn_without_points_starts_a_final_round_if_its_player_stands_at_the_target() -> None:
    state = play(kor("500/250 2 2 toss 6 250 1", FINAL), NOTHING)
    assert state.position_fields() == "500/500 2 2 toss 6 0 -"
    state = play(state, DEAD_END)
    assert state.position_fields() == "500/500 1 1 toss 6 0 2"
    state = play(state, "25 S S D D U", "S S D D U")
    assert winner(state) == 1


def test_final_rounds_are_repeated_until_somebody_wins() -> None:
    state = kor("500/500 2 2 toss 6 0 -", FINAL)
    leaders = []
    for _ in range(4):
        state = play(state, NOTHING)
        leaders.append(state.position_fields())
    assert leaders == [
        "500/500 1 1 toss 6 0 2",
        "500/500 1 1 toss 6 0 -",
        "500/500 2 2 toss 6 0 1",
        "500/500 2 2 toss 6 0 -",
    ]


def test_with_both_variants_a_banked_score_starts_the_final_round_when_the_turn_ends() -> None:
    rules = "bank_roll=true,final_round=true,target=500"
    state = play(kor("400/0 1 1 toss 6 0 -", rules), SIX_NUMBERS)
    assert state.position_fields() == "750/0 1 1 toss 6 0 -"
    state = play(state, DEAD_END)
    assert state.position_fields() == "750/0 2 2 toss 6 0 1"
    state = play(state, SIX_NUMBERS)
    assert state.position_fields() == "750/350 2 2 toss 6 0 1"
    assert winner(play(state, DEAD_END)) == 1


@pytest.mark.parametrize(("one", "other"), [*combinations(range(1, 5), 2)])
def test_any_two_can_share_the_best_score(one: int, other: int) -> None:
    scores = "/".join("600" if seat in (one, other) else "500" for seat in range(1, 5))
    assert after(f"{scores} 4 4 toss 6 0 1", NOTHING, rules=FINAL) == f"{scores} 2 2 toss 6 0 -"


def test_a_type_checker_knows_the_state_by_the_name_of_the_game() -> None:
    state = hotdice.load_game("kor").start()
    assert_type(state, KorState)
    assert_type(state.leader, int)
    assert isinstance(state, KorState)
