"""Rollers by the rule sheet: one test for each rule and each printed example, in the order of the rulings.

Games are played by script (`roll 1 3 3 4 * b5`, `keep 3 3 *`, `apply 1 3 3 3`), or start from a position near the
moment that a rule is about. All expected numbers follow from the rules by hand.
"""

from __future__ import annotations

from fractions import Fraction
from typing import assert_type

import pytest

import hotdice
from hotdice import CHANCE, OVER, IllegalMove, ImpossibleRoll
from hotdice.games.rollers import ROLLERS, RollersState
from hotdice.view import Result, Standing

EMPTY = (0, 0, 0, 0, 0)
LOCKED = "(saved_dice=locked)"
SHARE = "(chip_tie=share)"
FRESH = "00000/00000"


def start(players: int = 2, **options: int | str) -> RollersState:
    """A new match."""
    state = ROLLERS.start(players, options)
    assert isinstance(state, RollersState)
    assert hotdice.parse_position(state.position) == state
    return state


def play(state: RollersState, *events: str) -> RollersState:
    """The state after rolls (`roll 1 2 3 4 5 b1`) and moves."""
    for event in events:
        word, _, rest = event.partition(" ")
        state = state.roll(state.parse_roll(rest)) if word == "roll" else state.apply(state.parse_move(event))
        assert hotdice.parse_position(state.position) == state
    return state


def at(
    boards: str = FRESH,
    *,
    chips: str = "",
    points: str = "",
    starter: int = 1,
    turn: int = 1,
    rolls: int = 0,
    kept: str = "-",
    rolled: str = "-",
    options: str = "",
) -> RollersState:
    """The state of a position; chips and points as at the start of a match unless given."""
    players = len(boards.split("/"))
    chips = chips or "/".join(["55"] * players)
    points = points or "/".join(["0"] * players)
    state = hotdice.parse_position(
        f"rollers{options} {boards} {chips} {points} {starter} {turn} {rolls} {kept} {rolled}"
    )
    assert isinstance(state, RollersState)
    return state


def applying(
    boards: str, dice: str, *, chips: str = "", points: str = "", turn: int = 1, starter: int = 1, options: str = ""
) -> RollersState:
    """The state in which purple dice that were kept before a ZAP on the third roll are to be applied."""
    kept = dice.split()
    gone = ",".join([*["1"] * (5 - len(kept)), "zap"])
    return at(
        boards, chips=chips, points=points, turn=turn, starter=starter, options=options,
        rolls=3, kept=",".join(kept) or "-", rolled=gone,
    )  # fmt: skip


def moves(state: RollersState) -> list[str]:
    return [move.text for move in state.legal_moves()]


def refusal(state: RollersState, move: str) -> str:
    """Why a move is refused, without the list of legal moves."""
    with pytest.raises(IllegalMove) as refused:
        play(state, move)
    reason, _, legal = str(refused.value).partition(" Legal: ")
    assert legal
    return reason


# Who begins


def test_a_match_takes_two_to_five_players_with_fifty_five_in_chips_each() -> None:
    for players in range(2, 6):
        state = start(players)
        assert state.chips == (55,) * players
        assert state.boards == (EMPTY,) * players
        assert state.scores == (0,) * players
    for players in (1, 6):
        with pytest.raises(hotdice.HotdiceError, match=f"Rollers takes 2 to 5 players, not {players}"):
            start(players)


def test_each_player_rolls_one_purple_die_in_the_order_of_the_seats() -> None:
    state = start(3)
    for seat, roll in enumerate(("roll 2", "roll *", "roll 4")):
        assert (state.seat, state.roller, state.legal_moves()) == (CHANCE, seat, ())
        assert dict(state.outcomes()) == {(face,): Fraction(1, 6) for face in range(1, 7)}
        with pytest.raises(ImpossibleRoll):
            play(state, "roll b2")
        state = play(state, roll)


@pytest.mark.parametrize(("rolls", "first"), [("524", 0), ("5*4", 1), ("34*", 2), ("225", 2)])
def test_the_highest_begins_and_a_star_counts_as_six(rolls: str, first: int) -> None:
    state = play(start(3), *(f"roll {face}" for face in rolls))
    assert (state.seat, state.roller, state.starter, state.rolls) == (CHANCE, first, first, 0)
    assert len(state.outcomes()) == 1512


def test_a_tie_at_the_top_is_rolled_again_by_the_tied_players_only() -> None:
    state = play(start(4), "roll 3", "roll *", "roll 5", "roll *")
    assert (state.roller, state.starter) == (1, 0)
    state = play(state, "roll 2")
    assert state.roller == 3
    assert play(state, "roll 2").roller == 1
    state = play(state, "roll 1")
    assert (state.roller, state.starter, len(state.outcomes())) == (1, 1, 1512)


def test_play_goes_clockwise() -> None:
    state = play(start(3), "roll 1", "roll *", "roll 2")
    seats = []
    for _ in range(4):
        seats.append(state.roller)
        state = play(state, "roll 2 3 4 5 5 b4", "stop", "apply none")
    assert seats == [1, 2, 0, 1]


# Rolling


def test_the_first_roll_takes_all_six_dice() -> None:
    state = at()
    outcomes = state.outcomes()
    assert len(outcomes) == 252 * 6
    assert sum(chance for _, chance in outcomes) == 1
    assert outcomes.probability(state.parse_roll("* * * * * zap")) == Fraction(1, 6**6)
    assert outcomes.probability(state.parse_roll("1 2 3 4 5 b5")) == Fraction(120, 6**6)
    with pytest.raises(ImpossibleRoll) as refused:
        play(state, "roll 1 2 3 4 5")
    assert str(refused.value) == (
        "“1 2 3 4 5” is not a roll of the dice in hand; it takes 6 of them, such as 1 1 1 1 1 b1."
    )


@pytest.mark.parametrize("roll", ["1 2 3 4 5 *", "1 2 3 4 b5 b5", "1 2 3 4 zap b1", "1 2 3 4 5 5 b1"])
def test_one_of_the_six_dice_is_black(roll: str) -> None:
    with pytest.raises(ImpossibleRoll):
        play(at(), f"roll {roll}")


def test_any_subset_may_be_kept_and_the_black_die_is_told_from_the_purple_ones() -> None:
    state = play(at(), "roll 3 3 3 3 * b3")
    assert moves(state) == [
        "stop",
        "keep none", "keep 3", "keep *", "keep b3",
        "keep 3 3", "keep 3 *", "keep 3 b3", "keep * b3",
        "keep 3 3 3", "keep 3 3 *", "keep 3 3 b3", "keep 3 * b3",
        "keep 3 3 3 3", "keep 3 3 3 *", "keep 3 3 3 b3", "keep 3 3 * b3",
        "keep 3 3 3 3 *", "keep 3 3 3 3 b3", "keep 3 3 3 * b3",
    ]  # fmt: skip


def test_all_dice_that_are_not_kept_are_rolled_again() -> None:
    state = play(at(), "roll 1 2 3 3 4 b3")
    purple = play(state, "keep 3 3")
    assert (purple.seat, purple.kept, len(purple.outcomes())) == (CHANCE, (3, 3), 56 * 6)
    black = play(state, "keep 3 b3")
    assert (black.seat, black.kept, len(black.outcomes())) == (CHANCE, (3, 13), 126)
    assert len(play(state, "keep none").outcomes()) == 1512
    assert len(play(state, "keep 1 2 3 3 4").outcomes()) == 6
    assert len(play(state, "keep 1 2 3 3 b3").outcomes()) == 6


def test_a_turn_has_three_rolls_at_most() -> None:
    state = play(at(), "roll 1 2 3 3 4 b3")
    assert (state.seat, state.rolls, state.rolled) == (0, 1, (1, 2, 3, 3, 4, 13))
    state = play(state, "keep 3 3 b3", "roll 1 2 3")
    assert (state.seat, state.rolls, state.kept, state.rolled) == (0, 2, (3, 3, 13), (1, 2, 3))
    state = play(state, "keep 3 3 3 b3", "roll 2 5")
    assert (state.seat, state.rolls, state.usable) == (0, 3, (2, 3, 3, 3, 5, 13))
    assert refusal(state, "keep 3 3 3 b3") == "There is no roll left; the dice have to be applied."
    assert refusal(state, "stop") == "There is no roll left to stop before; the dice have to be applied."


def test_the_player_may_stop_after_the_first_or_the_second_roll() -> None:
    first = play(at(), "roll 1 2 3 3 4 b3", "stop")
    assert (first.seat, first.rolls, first.usable) == (0, 3, (1, 2, 3, 3, 4, 13))
    second = play(at(), "roll 1 2 3 3 4 b3", "keep 3 3", "roll 5 5 5 b5", "stop")
    assert (second.seat, second.rolls, second.usable) == (0, 3, (3, 3, 5, 5, 5, 15))
    assert "apply 3 3" not in moves(second)
    assert "apply 5 5 5 5" not in moves(second)
    assert moves(play(first, "apply 1 3 3 3")) == []


def test_dice_are_applied_only_after_stopping() -> None:
    state = play(at(), "roll 1 2 3 3 4 b3")
    assert refusal(state, "apply 1") == "The dice are applied after the last roll; stop first."


def test_keeping_all_six_dice_is_spelled_stop() -> None:
    state = play(at(), "roll 1 2 3 3 4 b3")
    assert refusal(state, "keep 1 2 3 3 4 b3") == "To keep all six dice, stop."


def test_keeping_needs_dice_that_lie_there() -> None:
    state = play(at(), "roll 1 2 3 3 4 b3")
    assert refusal(state, "keep 3 3 3") == "The dice are 1 2 3 3 4 b3, so “keep 3 3 3” is not possible."
    assert refusal(state, "keep b4") == "The dice are 1 2 3 3 4 b3, so “keep b4” is not possible."


def test_a_die_kept_earlier_may_be_rolled_again() -> None:
    state = play(at(), "roll 1 2 3 3 4 b3", "keep 3 3 b3", "roll 4 4 5")
    assert "keep 4 4" in moves(state)
    state = play(state, "keep 4 4")
    assert (state.kept, len(state.outcomes())) == ((4, 4), 56 * 6)


def test_locked_dice_stay_kept() -> None:
    state = play(at(options=LOCKED), "roll 1 2 3 3 4 b3", "keep 3 3 b3", "roll 4 4 5")
    assert moves(state) == [
        "stop",
        "keep 3 3 b3",
        "keep 3 3 4 b3", "keep 3 3 5 b3",
        "keep 3 3 4 4 b3", "keep 3 3 4 5 b3",
    ]  # fmt: skip
    assert refusal(state, "keep 4 4") == "Saved dice are locked: 3 3 b3 must stay."
    assert refusal(state, "keep 3 4 4 b3") == "Saved dice are locked: 3 3 b3 must stay."
    assert refusal(state, "keep 3 3 5 5 b3") == "The dice are 3 3 4 4 5 b3, so “keep 3 3 5 5 b3” is not possible."


def test_locked_dice_leave_the_first_choice_free() -> None:
    free, locked = play(at(), "roll 1 2 3 3 4 b3"), play(at(options=LOCKED), "roll 1 2 3 3 4 b3")
    assert moves(free) == moves(locked)


# The ZAP


def test_a_zap_on_the_first_roll_cancels_all_six_dice() -> None:
    state = play(at(), "roll 3 3 3 * * zap")
    assert (state.seat, state.rolls, state.zapped, state.usable) == (0, 1, True, ())
    assert moves(state) == ["stop", "keep none"]
    assert refusal(state, "keep 3 3 3") == "The ZAP cancelled this roll; only dice kept before it can be kept."
    assert len(play(state, "keep none").outcomes()) == 1512


def test_a_zap_counts_as_one_of_the_three_rolls() -> None:
    state = play(at(), "roll 3 3 3 * * zap", "keep none", "roll 3 3 3 * * zap", "keep none")
    assert state.rolls == 2
    state = play(state, "roll 1 1 2 3 4 b1")
    assert (state.rolls, state.seat, state.usable) == (3, 0, (1, 1, 2, 3, 4, 11))


def test_dice_kept_from_before_a_zap_stand() -> None:
    state = play(at(), "roll 1 3 3 3 4 b5", "keep 3 3 3", "roll 3 * zap")
    assert (state.zapped, state.usable) == (True, (3, 3, 3))


def test_after_a_zap_all_cancelled_dice_are_rolled_again_and_kept_ones_may_be() -> None:
    state = play(at(), "roll 1 3 3 3 4 b5", "keep 3 3 3", "roll 3 * zap")
    assert moves(state) == ["stop", "keep none", "keep 3", "keep 3 3", "keep 3 3 3"]
    assert play(state, "keep 3 3 3").rolled == ()
    assert len(play(state, "keep 3 3 3").outcomes()) == 21 * 6
    assert len(play(state, "keep 3").outcomes()) == 126 * 6


def test_after_a_zap_locked_dice_stay_kept() -> None:
    state = play(at(options=LOCKED), "roll 1 3 3 3 4 b5", "keep 3 3 3", "roll 3 * zap")
    assert moves(state) == ["stop", "keep 3 3 3"]


def test_locked_dice_stay_kept_after_a_zap_and_the_refusal_says_why() -> None:
    state = play(at(options=LOCKED), "roll 1 3 3 3 4 b5", "keep 3 3 3", "roll 3 * zap")
    assert refusal(state, "keep 3") == "Saved dice are locked: 3 3 3 must stay."


def test_stopping_at_a_zap_applies_only_the_dice_kept_before() -> None:
    state = play(at(), "roll 1 3 3 3 4 b5", "keep 3 3 3", "roll 3 * zap", "stop")
    assert (state.rolls, state.usable) == (3, (3, 3, 3))
    assert moves(state) == ["apply none", "apply 3 3 3"]


def test_stopping_at_a_zap_on_the_first_roll_applies_nothing() -> None:
    state = play(at(), "roll 1 1 1 1 1 zap", "stop")
    assert moves(state) == ["apply none"]
    state = play(state, "apply none")
    assert (state.seat, state.roller, state.boards) == (CHANCE, 1, (EMPTY, EMPTY))


def test_after_a_zap_on_the_third_roll_only_dice_kept_before_are_applied() -> None:
    state = play(at(), "roll 1 2 3 4 5 b5", "keep 1 2", "roll 2 3 4 b4", "keep 1 2 2", "roll 1 2 zap")
    assert (state.rolls, state.usable) == (3, (1, 2, 2))
    assert moves(state) == ["apply none", "apply 2 2", "apply 1", "apply 1 2 2"]


def test_a_zap_on_the_third_roll_with_nothing_kept_leaves_nothing() -> None:
    zap = "roll 5 5 5 5 5 zap"
    assert moves(play(at(), zap, "keep none", zap, "keep none", zap)) == ["apply none"]


def test_while_the_black_die_is_kept_no_zap_can_come() -> None:
    state = play(at(), "roll 1 2 3 4 5 b5", "keep b5")
    assert len(state.outcomes()) == 252
    assert all(16 not in roll for roll, _ in state.outcomes())
    with pytest.raises(ImpossibleRoll):
        play(state, "roll 1 2 3 4 zap")


# Applying


def test_the_first_printed_turn_opens_two_sections_with_the_help_of_a_star() -> None:
    state = play(at(), "roll 1 3 3 4 * b5", "stop")
    state = play(state, "apply 1 3 3 3")
    assert state.boards == ((1, 0, 1, 0, 0), EMPTY)
    assert state.chips == (55, 55)


def test_in_the_first_printed_turn_the_single_four_and_five_are_of_no_use() -> None:
    state = play(at(), "roll 1 3 3 4 * b5", "stop")
    assert moves(state) == ["apply none", "apply 3 3 3", "apply 1", "apply 1 3 3 3", "apply 1 1"]
    assert refusal(state, "apply 4") == "Opening the 4s takes 4 dice, not 1."


def test_the_second_printed_turn_closes_two_sections_and_opens_and_closes_a_third() -> None:
    state = play(at("10100/00000"), "roll 1 2 2 2 3 b4", "stop", "apply 1 2 2 2 3")
    assert state.boards == ((2, 2, 2, 0, 0), EMPTY)
    assert state.chips == (55, 55)


def test_the_third_printed_turn_collects_and_opens_or_collects_twice() -> None:
    state = play(at("22200/00000/00200"), "roll 3 4 4 4 * b5", "stop")
    opened = play(state, "apply 3 4 4 4 4")
    assert (opened.boards[0], opened.chips) == ((2, 2, 2, 1, 0), (58, 52, 55))
    collected = play(state, "apply 3 3")
    assert (collected.boards[0], collected.chips) == ((2, 2, 2, 0, 0), (61, 49, 55))


@pytest.mark.parametrize("number", range(1, 6))
def test_opening_takes_as_many_dice_as_the_number(number: int) -> None:
    dice = [str(number)] * number
    state = play(applying(FRESH, " ".join(dice)), f"apply {' '.join(dice)}")
    assert state.boards[0] == tuple(int(n == number) for n in range(1, 6))
    if number > 1:
        short = applying(FRESH, " ".join(dice[1:]))
        assert moves(short) == ["apply none"]
        reason = f"Opening the {number}s takes {number} dice, not {number - 1}."
        assert refusal(short, f"apply {' '.join(dice[1:])}") == reason


@pytest.mark.parametrize("number", range(1, 6))
def test_closing_takes_one_more_die(number: int) -> None:
    board = "".join(str(int(n == number)) for n in range(1, 6))
    state = play(applying(f"{board}/00000", str(number)), f"apply {number}")
    assert state.boards[0] == tuple(2 * int(n == number) for n in range(1, 6))
    assert state.chips == (55, 55)


@pytest.mark.parametrize("number", range(1, 6))
def test_opening_and_closing_in_one_turn_takes_one_die_more_than_the_number(number: int) -> None:
    other = "1" if number > 1 else "2"
    dice = [*[str(number)] * number, *[other] * (5 - number), f"b{number}"]
    state = play(at(rolls=3, rolled=",".join(dice)), "apply" + f" {number}" * (number + 1))
    assert state.boards[0] == tuple(2 * int(n == number) for n in range(1, 6))


@pytest.mark.parametrize("number", range(1, 6))
def test_each_further_die_on_a_closed_section_collects_its_number(number: int) -> None:
    board = "".join(str(2 * int(n == number)) for n in range(1, 6))
    state = applying(f"{board}/00000", f"{number} {number}")
    assert play(state, f"apply {number}").chips == (55 + number, 55 - number)
    assert play(state, f"apply {number} {number}").chips == (55 + 2 * number, 55 - 2 * number)


def test_collecting_may_follow_closing_in_the_same_turn() -> None:
    state = play(applying("01000/00000", "2 2 2"), "apply 2 2 2")
    assert (state.boards[0], state.chips) == ((0, 2, 0, 0, 0), (59, 51))


def test_one_turn_may_open_close_and_collect_on_one_number() -> None:
    state = play(applying(FRESH, "1 1 1 1 1"), "apply 1 1 1 1 1")
    assert (state.boards[0], state.chips) == ((2, 0, 0, 0, 0), (58, 52))


def test_the_black_die_counts_as_its_number() -> None:
    assert play(at(rolls=3, rolled="2,3,4,5,5,b2"), "apply 2 2").boards[0] == (0, 1, 0, 0, 0)


def test_a_star_is_used_as_any_one_number() -> None:
    state = applying("11111/00000", "*")
    assert moves(state) == ["apply none", "apply 5", "apply 4", "apply 3", "apply 2", "apply 1"]
    for number in range(1, 6):
        assert play(state, f"apply {number}").boards[0][number - 1] == 2


def test_each_star_is_used_once() -> None:
    state = applying(FRESH, "1 * *")
    assert moves(state) == [
        "apply none", "apply 2 2", "apply 1", "apply 1 2 2", "apply 1 1", "apply 1 1 1",
    ]  # fmt: skip
    assert refusal(state, "apply 1 1 2 2") == "The dice to apply are 1 * *; they cannot be used like that."


def test_each_die_is_used_once() -> None:
    state = applying("11000/00000", "1 2")
    assert moves(state) == ["apply none", "apply 2", "apply 1", "apply 1 2"]
    assert refusal(state, "apply 1 1") == "The dice to apply are 1 2; they cannot be used like that."


def test_without_dice_nothing_can_be_applied() -> None:
    assert refusal(applying(FRESH, ""), "apply 1") == "The dice to apply are none; they cannot be used like that."


def test_any_die_may_go_unused_and_nothing_is_forced() -> None:
    state = applying("11111/00000", "1 2 3 4 5")
    assert len(moves(state)) == 2**5
    assert moves(state)[0] == "apply none"
    after = play(state, "apply none")
    assert (after.boards[0], after.chips, after.roller) == ((1, 1, 1, 1, 1), (55, 55), 1)


def test_closing_may_be_declined_to_go_on_collecting() -> None:
    state = play(applying("22221/00000", "4 4 5"), "apply 4 4")
    assert (state.boards[0], state.chips, state.roller) == ((2, 2, 2, 2, 1), (63, 47), 1)


def test_the_rollers_own_board_is_the_only_one_that_changes() -> None:
    state = play(applying("00000/11111/00000", "1 1", turn=3), "apply 1 1")
    assert state.boards == (EMPTY, (1,) * 5, (2, 0, 0, 0, 0))


# Collecting


def test_everybody_else_who_has_not_closed_the_number_pays() -> None:
    state = play(applying("00200/00000/00100/00200", "3 3"), "apply 3 3")
    assert state.chips == (67, 49, 49, 55)


def test_collecting_on_several_numbers_takes_from_different_players() -> None:
    state = play(applying("22000/20000/02000", "1 2 2"), "apply 1 2 2")
    assert state.chips == (55 + 1 + 4, 55 - 4, 55 - 1)


def test_who_cannot_pay_in_full_pays_what_is_left() -> None:
    state = play(applying("00002/00000/00000", "5 5", chips="80/7/78"), "apply 5 5")
    assert state.chips == (80 + 7 + 10, 0, 68)
    assert sum(state.chips) == 165


def test_debts_on_several_numbers_are_paid_while_chips_last() -> None:
    state = play(applying("20202/00000", "1 3 5", chips="105/5"), "apply 1 3 5")
    assert state.chips == (110, 0)


def test_who_has_no_chips_left_still_is_somebody_to_collect_from() -> None:
    state = applying("00002/00000", "5", chips="110/0")
    assert moves(state) == ["apply none", "apply 5"]
    assert play(state, "apply 5").chips == (110, 0)


def test_collecting_needs_another_player_who_has_not_closed_the_number() -> None:
    state = applying("22000/21000/20000", "1 2")
    assert moves(state) == ["apply none", "apply 2"]
    assert refusal(state, "apply 1") == "Everybody else has closed the 1s, so there is nobody to collect from."


def test_a_number_that_all_others_have_closed_can_be_closed_but_not_collected_on() -> None:
    state = applying("01000/02000", "2 2")
    assert moves(state) == ["apply none", "apply 2"]
    assert refusal(state, "apply 2 2") == "Everybody else has closed the 2s, so there is nobody to collect from."


def test_collecting_needs_chips_of_ones_own() -> None:
    state = applying("20000/00000", "1 2 2", chips="0/110")
    assert moves(state) == ["apply none", "apply 2 2"]
    assert refusal(state, "apply 1") == "Without chips of your own you cannot collect any."


def test_without_chips_sections_may_still_be_opened_and_closed() -> None:
    state = applying(FRESH, "1 1 1", chips="0/110")
    assert moves(state) == ["apply none", "apply 1", "apply 1 1"]
    assert play(state, "apply 1 1").boards[0] == (2, 0, 0, 0, 0)


def test_a_player_without_chips_goes_on_playing() -> None:
    state = play(applying("00002/00000", "5", chips="105/5"), "apply 5")
    assert (state.chips, state.seat, state.roller) == ((110, 0), CHANCE, 1)


# The end of a round


def test_a_round_ends_when_a_player_has_closed_all_five_sections() -> None:
    before = play(applying("22211/00000", "4"), "apply 4")
    assert (before.scores, before.roller) == ((0, 0), 1)
    after = play(applying("22221/00000", "5", chips="50/60"), "apply 5")
    assert (after.scores, after.boards, after.chips) == ((2, 1), (EMPTY, EMPTY), (55, 55))


def test_five_open_sections_are_not_closed_ones() -> None:
    assert play(applying("01111/00000", "1"), "apply 1").scores == (0, 0)


@pytest.mark.parametrize(
    ("chips", "points"),
    [
        ("50/60/55", (2, 1, 0)),
        ("60/50/55", (3, 0, 0)),
        ("55/55/55", (2, 0, 0)),  # nobody has the most
        ("45/60/60", (2, 0, 0)),
        ("60/60/45", (2, 0, 0)),
        ("0/80/85", (1, 0, 1)),  # no chips: one point for the board
        ("0/82/83", (1, 0, 1)),
        ("1/100/64", (2, 1, 0)),
    ],
)
def test_the_board_scores_two_points_or_one_without_chips_and_the_most_chips_one(
    chips: str, points: tuple[int, ...]
) -> None:
    assert play(applying("22221/00000/00000", "5", chips=chips), "apply 5").scores == points


@pytest.mark.parametrize(
    ("chips", "points"),
    [
        ("55/55/55", (3, 1, 1)),
        ("45/60/60", (2, 1, 1)),
        ("60/60/45", (3, 1, 0)),
        ("50/60/55", (2, 1, 0)),
    ],
)
def test_on_a_shared_most_each_scores_the_point_if_the_table_plays_so(chips: str, points: tuple[int, ...]) -> None:
    state = applying("22221/00000/00000", "5", chips=chips, options=SHARE)
    assert play(state, "apply 5").scores == points


def test_chips_collected_with_the_last_dice_count_for_the_round() -> None:
    state = applying("22221/00000", "4 4 5", chips="50/60")
    assert play(state, "apply 5").scores == (2, 1)
    assert play(state, "apply 4 5").scores == (2, 1)  # 54 and 56
    assert play(state, "apply 4 4 5").scores == (3, 0)  # 58 and 52


def test_the_points_of_earlier_rounds_stay() -> None:
    state = play(applying("22221/00000/00000", "5", chips="50/60/55", points="1/3/2"), "apply 5")
    assert state.scores == (3, 4, 2)


@pytest.mark.parametrize(("starter", "following"), [(1, 2), (2, 0), (3, 1)])
@pytest.mark.parametrize("turn", [1, 2, 3])
def test_the_next_round_starts_to_the_right_of_the_last_starter_whoever_ended_it(
    starter: int, following: int, turn: int
) -> None:
    boards = ["00000"] * 3
    boards[turn - 1] = "22221"
    state = play(applying("/".join(boards), "5", turn=turn, starter=starter), "apply 5")
    assert (state.seat, state.roller, state.starter, state.rolls) == (CHANCE, following, following, 0)
    assert len(state.outcomes()) == 1512


def test_the_second_round_is_played_like_the_first() -> None:
    state = play(applying("22221/00000", "5"), "apply 5")
    assert state.roller == 1
    state = play(state, "roll 1 3 3 4 * b5", "stop", "apply 1 3 3 3")
    assert (state.boards, state.roller, state.starter) == ((EMPTY, (1, 0, 1, 0, 0)), 0, 1)


# The end of the match


def last_round(chips: str, points: str, options: str = "") -> RollersState:
    """The state after the first seat has filled its board."""
    boards = "/".join(["22221", "00000", "00000"][: len(points.split("/"))])
    return play(applying(boards, "5", chips=chips, points=points, options=options), "apply 5")


def test_five_points_win_the_match() -> None:
    assert last_round("50/60", "2/0").seat == CHANCE
    state = last_round("50/60", "3/0")
    assert (state.seat, state.scores, state.chips) == (OVER, (5, 1), (50, 60))
    assert state.boards == ((2,) * 5, EMPTY)
    assert (state.legal_moves(), len(state.outcomes())) == ((), 0)
    assert state.result == Result(
        (0,), "First to 5 points.", (Standing(0, 1, 5, "50 chips"), Standing(1, 2, 1, "60 chips"))
    )


def test_the_point_for_chips_can_win_the_match() -> None:
    state = last_round("50/60", "1/4")
    assert state.result is not None
    assert (state.scores, state.result.winners) == ((3, 5), (1,))
    assert state.result.standings == (Standing(1, 1, 5, "60 chips"), Standing(0, 2, 3, "50 chips"))


@pytest.mark.parametrize(("points", "over"), [("0/0", False), ("1/0", True), ("0/2", True), ("0/1", False)])
def test_the_target_is_a_house_rule(points: str, over: bool) -> None:
    state = last_round("50/60", points, "(target_points=3)")
    assert (state.seat == OVER) is over


def test_with_a_target_of_one_the_first_round_decides() -> None:
    state = last_round("60/50", "0/0", "(target_points=1)")
    assert state.result is not None
    assert (state.result.winners, state.result.reason) == ((0,), "First to a point.")


def test_of_several_who_reach_the_target_at_once_the_one_with_the_most_chips_wins() -> None:
    state = last_round("50/60", "3/4")
    assert state.result == Result(
        (1,),
        "Several reached 5 at once; the most chips decide, then the most points.",
        (Standing(1, 1, 5, "60 chips"), Standing(0, 2, 5, "50 chips")),
    )


def test_chips_decide_even_against_more_points() -> None:
    state = last_round("50/60", "4/4")
    assert state.scores == (6, 5)
    assert state.result is not None
    assert state.result.winners == (1,)


def test_with_equal_chips_the_most_points_decide() -> None:
    state = last_round("55/55", "4/4", SHARE)
    assert state.scores == (7, 5)
    assert state.result == Result(
        (0,),
        "Several reached 5 at once; the most chips decide, then the most points.",
        (Standing(0, 1, 7, "55 chips"), Standing(1, 2, 5, "55 chips")),
    )


def test_level_in_chips_and_points_they_share_the_win() -> None:
    state = last_round("45/60/60", "3/4/4", SHARE)
    assert state.scores == (5, 5, 5)
    assert state.result == Result(
        (1, 2),
        "Level at 5 points and in chips.",
        (Standing(1, 1, 5, "60 chips"), Standing(2, 1, 5, "60 chips"), Standing(0, 3, 5, "45 chips")),
    )


def test_who_has_not_reached_the_target_comes_after_those_who_have_by_points_then_chips() -> None:
    state = last_round("40/60/65", "3/2/1")
    assert state.scores == (5, 2, 2)
    assert state.result is not None
    assert [(one.seat, one.place) for one in state.result.standings] == [(0, 1), (2, 2), (1, 3)]
    level = last_round("45/60/60", "3/2/2")
    assert level.result is not None
    assert [(one.seat, one.place) for one in level.result.standings] == [(0, 1), (1, 2), (2, 2)]


def test_more_chips_do_not_help_who_has_not_reached_the_target() -> None:
    state = last_round("50/60", "3/3")
    assert state.scores == (5, 4)
    assert state.result is not None
    assert state.result.winners == (0,)


def test_after_the_match_nothing_more_is_rolled_or_moved() -> None:
    state = last_round("50/60", "3/0")
    with pytest.raises(IllegalMove, match=r"^The game is over; no move is left to make\.$"):
        play(state, "stop")
    with pytest.raises(ImpossibleRoll, match=r"^The game is over; no dice are to be rolled\.$"):
        play(state, "roll 1 2 3 4 5 b1")


def test_moves_wait_for_the_dice_and_dice_for_the_moves() -> None:
    with pytest.raises(IllegalMove, match=r"^“stop” has to wait: the dice are to be rolled first\.$"):
        play(at(), "stop")
    with pytest.raises(ImpossibleRoll, match=r"^No dice are to be rolled now; a move is due\.$"):
        play(at(rolls=1, rolled="1,2,3,4,5,b1"), "roll 1 2 3 4 5 b1")


def test_states_are_equal_by_value_and_never_change() -> None:
    before = play(at(), "roll 1 3 3 4 * b5", "stop")
    position = before.position
    after = play(before, "apply 1")
    assert before.position == position
    assert after == play(before, "apply 1")
    assert len({before, after, play(before, "apply 1")}) == 2


def test_a_type_checker_knows_the_state_by_the_name_of_the_game() -> None:
    state = hotdice.load_game("rollers").start()
    assert_type(state, RollersState)
    assert_type(state.chips, tuple[int, ...])
    assert isinstance(state, RollersState)
