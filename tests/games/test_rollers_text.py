"""Rollers in writing: positions, moves and rolls as text, every refusal, and what interfaces show.

The expected texts are written out by hand, and every malformed field has the column that it is found at.
"""

from __future__ import annotations

import pytest

import hotdice
from hotdice import IllegalMove, ParseError
from hotdice.game import Move
from hotdice.games.rollers import ROLLERS, STOP, Apply, Keep, RollersBoard, RollersOptions
from hotdice.view import DieView, Grid
from tests.games.script import plain
from tests.games.test_rollers import FRESH, LOCKED, SHARE, applying, at, last_round, play, refusal, start

FIELDS = (
    "its fields are boards, chips, points, who started the round, whose turn, rolls taken (or off, or over), "
    "dice kept (or -), dice just rolled (or -)."
)
ROLL_OFF = "for each seat, with commas between them, a number from 1 to 6, . (still to roll) or x (out)."
OVER = "A match is over when a board is full and somebody has the points to win."
NO_FACE = "is not a roll of these dice; their faces are 1, 2, 3, 4, 5, *, b1, b2, b3, b4, b5, zap."
SIX_DICE = "There are five purple dice and one black die, kept and rolled together."


class Foreign(Move):
    """A move of some other game."""

    text = "hold"


# Positions


def test_a_position_is_boards_chips_points_starter_turn_rolls_and_dice() -> None:
    state = at("10000/00210", chips="60/50", points="1/4", starter=2, turn=2)
    start_of = "rollers 10000/00210 60/50 1/4 2 2"
    assert state.position == f"{start_of} 0 - -"
    state = play(state, "roll 1 3 3 4 * b5")
    assert state.position == f"{start_of} 1 - 1,3,3,4,*,b5"
    assert play(state, "stop").position == f"{start_of} 3 - 1,3,3,4,*,b5"
    assert play(state, "keep none").position == f"{start_of} 1 - -"
    state = play(state, "keep 3 3 * b5")
    assert state.position == f"{start_of} 1 3,3,*,b5 -"
    state = play(state, "roll 1 1")
    assert state.position == f"{start_of} 2 3,3,*,b5 1,1"
    state = play(state, "keep 3 3 *", "roll 1 2 zap")
    assert state.position == f"{start_of} 3 3,3,* 1,2,zap"
    assert str(play(state, "apply 3 3")) == "rollers 10000/00210 54/56 1/4 2 1 0 - -"


def test_a_position_shows_the_roll_off_with_stars_as_sixes() -> None:
    state = start(3)
    blank = "rollers 00000/00000/00000 55/55/55 0/0/0"
    assert state.position == f"{blank} 1 1 off .,.,."
    state = play(state, "roll 4", "roll *")
    assert state.position == f"{blank} 1 3 off 4,6,."
    state = play(state, "roll *")
    assert state.position == f"{blank} 1 2 off x,.,."
    assert hotdice.parse_position(state.position) == state
    assert play(state, "roll 1", "roll 2").position == f"{blank} 3 3 0 - -"


def test_a_position_of_a_finished_match_ends_with_over() -> None:
    state = last_round("50/60", "3/0")
    assert state.position == "rollers 22222/00000 50/60 5/1 1 1 over"
    assert hotdice.parse_position(state.position) == state


def test_a_position_names_the_house_rules() -> None:
    state = start(chip_tie="share", saved_dice="locked", target_points=3)
    options = "(chip_tie=share,saved_dice=locked,target_points=3)"
    assert state.position == f"rollers{options} {FRESH} 55/55 0/0 1 1 off .,."


@pytest.mark.parametrize(
    "fields",
    [
        f"{FRESH} 55/55 0/0 1 1 0 - -",
        f"{FRESH} 55/55 0/0 2 1 1 - -",
        f"{FRESH} 55/55 0/0 1 2 1 1,2,3,4,5 -",
        f"{FRESH} 55/55 0/0 1 2 2 1,2,3,4,b5 -",
        f"{FRESH} 55/55 0/0 1 1 1 - *,*,*,*,*,zap",
        f"{FRESH} 55/55 0/0 1 1 2 1,1 *,*,*,zap",
        f"{FRESH} 55/55 0/0 1 1 3 b1 *,*,*,*,*",
        f"{FRESH} 55/55 0/0 1 1 3 1,2,3,4,5 zap",
        "22221/00000 0/110 4/4 1 1 2 - -",
        "22122/22212/01201/00000/11111 0/275/0/0/0 0/1/2/3/4 5 4 0 - -",
        "22222/01201 0/110 6/2 2 1 over",
        "00000/00000/00000 55/55/55 0/0/0 1 3 off 1,x,.",
    ],
)
def test_reading_a_position_gives_the_state_that_wrote_it(fields: str) -> None:
    assert hotdice.parse_position(f"rollers {fields}").position == f"rollers {fields}"


DICE = f"{FRESH} 55/55 0/0 1 1"


@pytest.mark.parametrize(
    ("fields", "column", "message"),
    [
        ("", 8, f"The position ends before the boards; {FIELDS}"),
        ("0000/00000", 9, "“0000” is not a board: five digits, 0 empty, 1 open, 2 closed."),
        ("00000/00003", 15, "“00003” is not a board: five digits, 0 empty, 1 open, 2 closed."),
        ("00000/0000X", 15, "“0000X” is not a board: five digits, 0 empty, 1 open, 2 closed."),
        ("00000/000000", 15, "“000000” is not a board: five digits, 0 empty, 1 open, 2 closed."),
        ("00000 55 0 1 1 0 - -", 9, "Rollers takes 2 to 5 players; this position has 1."),
        ("/".join(["00000"] * 6) + " 55/55/55/55/55/55 0/0/0/0/0/0 1 1 0 - -", 9,
         "Rollers takes 2 to 5 players; this position has 6."),
        (FRESH, 20, f"The position ends before the chips; {FIELDS}"),
        (f"{FRESH} x/55", 21, "“x” is not a number of chips; expected a whole number from 0 to 110."),
        (f"{FRESH} 55/-1", 24, "“-1” is not a number of chips; expected a whole number from 0 to 110."),
        (f"{FRESH} 111/0", 21, "“111” is not a number of chips; expected a whole number from 0 to 110."),
        (f"{FRESH} 55/54", 21, "The chips of 2 players add up to 110, with a / between players."),
        (f"{FRESH} 55/55/0", 21, "The chips of 2 players add up to 110, with a / between players."),
        (f"{FRESH} 110", 21, "The chips of 2 players add up to 110, with a / between players."),
        (f"{FRESH} 55/55", 26, f"The position ends before the points; {FIELDS}"),
        (f"{FRESH} 55/55 0/x", 29, "“x” is not a number of points; expected a whole number from 0 to 200."),
        (f"{FRESH} 55/55 -1/0", 27, "“-1” is not a number of points; expected a whole number from 0 to 200."),
        (f"{FRESH} 55/55 0/0/0", 27, "Points are given for each of the 2 players, with a / between."),
        (f"{FRESH} 55/55 0/0", 30, f"The position ends before a seat; {FIELDS}"),
        (f"{FRESH} 55/55 0/0 3 1 0 - -", 31, "“3” is not a seat; expected a whole number from 1 to 2."),
        (f"{FRESH} 55/55 0/0 1 0 0 - -", 33, "“0” is not a seat; expected a whole number from 1 to 2."),
        (f"{FRESH} 55/55 0/0 1 3 0 - -", 33, "“3” is not a seat; expected a whole number from 1 to 2."),
        (f"{DICE} 4 - -", 35, "“4” is not the rolls taken; expected 0, 1, 2, 3, off or over."),
        (f"{FRESH} 55/55 5/0 1 1 over", 27, OVER),
        (f"{FRESH} 55/55 0/5 1 1 0 - -", 27, OVER),
        ("22222/00000 55/55 4/0 1 1 over", 27, OVER),
        ("22222/00000 55/55 0/0 1 1 0 - -", 27, OVER),
        ("22222/00000 55/55 5/0 1 1 0 - -", 27, OVER),
        ("22222/00000 55/55 5/0 1 1 over -", 40, f"“-” follows a complete position; {FIELDS}"),
        (f"{DICE} 0", 36, f"The position ends before the dice kept; {FIELDS}"),
        (f"{DICE} 0 -", 38, f"The position ends before the dice rolled; {FIELDS}"),
        (f"{DICE} 0 - - -", 41, f"“-” follows a complete position; {FIELDS}"),
        (f"{DICE} 1 1,7 -", 39, f"“7” {NO_FACE}"),
        (f"{DICE} 1 - 1,2,x", 43, f"“x” {NO_FACE}"),
        (f"{DICE} 2 1,zap 1,2,3,4", 37, "A ZAP cannot be kept."),
        (f"{DICE} 2 zap -", 37, "A ZAP cannot be kept."),
        (f"{DICE} 1 - 1,2,3,4,5", 37, SIX_DICE),
        (f"{DICE} 1 - 1,2,3,4,5,5", 37, SIX_DICE),
        (f"{DICE} 1 - 1,2,3,4,b1,b2", 37, SIX_DICE),
        (f"{DICE} 2 b1 1,2,3,4,zap", 37, SIX_DICE),
        (f"{DICE} 2 b1,b2 -", 37, SIX_DICE),
        (f"{DICE} 2 1,2,3,4,5,b1 -", 37, SIX_DICE),
        (f"{DICE} 2 1,2,3,4,5,5 -", 37, SIX_DICE),
        (f"{DICE} 0 1 -", 37, "These cannot be the dice kept and rolled after 0 of 3 rolls."),
        (f"{DICE} 0 - 1,2,3,4,5,b1", 37, "These cannot be the dice kept and rolled after 0 of 3 rolls."),
        (f"{DICE} 1 1 2,3,4,5,b1", 37, "These cannot be the dice kept and rolled after 1 of 3 rolls."),
        (f"{DICE} 3 - -", 37, "These cannot be the dice kept and rolled after 3 of 3 rolls."),
        (f"{DICE} 3 1,2 -", 37, "These cannot be the dice kept and rolled after 3 of 3 rolls."),
        (f"{DICE} off .", 39, f"“.” is not a roll-off of 2 players; expected {ROLL_OFF}"),
        (f"{DICE} off 7,.", 39, f"“7,.” is not a roll-off of 2 players; expected {ROLL_OFF}"),
        (f"{DICE} off 6,.", 39, "In the roll-off 6,., seat 1 is not the next to roll."),
    ],
)  # fmt: skip
def test_a_malformed_position_is_refused_with_the_column(fields: str, column: int, message: str) -> None:
    with pytest.raises(ParseError) as refused:
        hotdice.parse_position(f"rollers {fields}".rstrip())
    assert (str(refused.value), refused.value.column) == (message, column)


@pytest.mark.parametrize(
    "fields",
    [
        "10000/00000 55/55 0/0 1 1",
        f"{FRESH} 56/54 0/0 1 1",
        f"{FRESH} 55/55 0/1 1 1",
        f"{FRESH} 55/55 0/0 2 1",
    ],
)
def test_the_roll_off_comes_before_anything_else(fields: str) -> None:
    with pytest.raises(ParseError, match=r"^The roll-off comes before anything else; ") as refused:
        hotdice.parse_position(f"rollers {fields} off .,.")
    assert refused.value.column > len("rollers")


# Moves and rolls


@pytest.mark.parametrize(
    "text", ["keep 3 3 * b5", "keep b5 * 3 3", "k 33*b5", "keep 3,3,star,black-5", "KEEP 3 3 * B5"]
)
def test_keeping_is_typed_in_several_ways(text: str) -> None:
    assert ROLLERS.parse_move(text) == Keep((3, 3, 6, 15))
    assert ROLLERS.parse_move(text).text == "keep 3 3 * b5"


@pytest.mark.parametrize("text", ["keep none", "k NONE "])
def test_keeping_nothing_is_typed_as_none(text: str) -> None:
    assert ROLLERS.parse_move(text) == Keep(())
    assert str(ROLLERS.parse_move(text)) == "keep none"


@pytest.mark.parametrize("text", ["apply 1 3 3 3", "apply 3 3 1 3", "a 1333", "app 1,3,3,3"])
def test_applying_is_typed_as_the_numbers_that_the_dice_are_used_as(text: str) -> None:
    assert ROLLERS.parse_move(text) == Apply((1, 0, 3, 0, 0))
    assert ROLLERS.parse_move(text).text == "apply 1 3 3 3"


@pytest.mark.parametrize("text", ["apply none", "a NONE"])
def test_applying_nothing_is_typed_as_none(text: str) -> None:
    assert ROLLERS.parse_move(text) == Apply((0, 0, 0, 0, 0))
    assert str(ROLLERS.parse_move(text)) == "apply none"


@pytest.mark.parametrize("text", ["keep", "apply "])
def test_a_bare_verb_may_be_a_slip_and_is_refused(text: str) -> None:
    with pytest.raises(ParseError, match="Expected some dice here, or the word none"):
        ROLLERS.parse_move(text)


def test_stopping_stands_alone() -> None:
    assert ROLLERS.parse_move("s") is STOP
    assert STOP.text == "stop"
    with pytest.raises(ParseError, match="“stop” stands alone; leave out “3 3”") as refused:
        ROLLERS.parse_move("stop 3 3")
    assert refused.value.column == 6


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("roll", 1, "“roll” is not a move of Rollers; expected stop, keep or apply."),
        ("", 1, "Nothing was typed; a move starts with stop, keep or apply."),
        ("keep 3 x", 8, f"“x” {NO_FACE}"),
        ("apply 6", 7, f"“6” {NO_FACE}"),
    ],
)  # fmt: skip
def test_a_malformed_move_is_refused_with_the_column(text: str, column: int, message: str) -> None:
    with pytest.raises(ParseError) as refused:
        ROLLERS.parse_move(text)
    assert (str(refused.value), refused.value.column) == (message, column)


def test_a_star_is_applied_as_a_number() -> None:
    with pytest.raises(ParseError) as refused:
        ROLLERS.parse_move("apply 3 *")
    assert str(refused.value) == "Say which number each STAR is used as: apply takes numbers from 1 to 5."
    assert refused.value.column > len("apply")


def test_rolls_are_typed_in_any_order_with_the_black_die_marked() -> None:
    assert ROLLERS.parse_roll("zap * 5 1 1 3") == (1, 1, 3, 5, 6, 16)
    assert ROLLERS.roll_text((1, 1, 3, 5, 6, 16)) == "1 1 3 5 * zap"
    assert ROLLERS.parse_roll("b3") == (13,)


def test_a_strange_move_is_refused() -> None:
    for state in (at(rolls=1, rolled="1,2,3,4,5,b1"), applying(FRESH, "1")):
        with pytest.raises(IllegalMove):
            state.apply(Foreign())


def test_a_strange_move_is_refused_plainly() -> None:
    assert at(rolls=1, rolled="1,2,3,4,5,b1").why_illegal(Foreign()) == "“hold” is not a legal move now."


def test_a_refusal_lists_what_is_legal() -> None:
    with pytest.raises(IllegalMove) as refused:
        play(applying(FRESH, "1 2 2"), "apply 2")
    assert str(refused.value) == (
        "Opening the 2s takes 2 dice, not 1. Legal: apply none, apply 2 2, apply 1, apply 1 2 2."
    )
    with pytest.raises(IllegalMove) as refused:
        play(at(rolls=1, rolled="1,2,3,4,5,b1"), "keep *")
    assert str(refused.value) == (
        "The dice are 1 2 3 4 5 b1, so “keep *” is not possible. "
        "Legal: stop, keep none, keep 1, keep 2, keep 3, keep 4 and 58 more."
    )


def test_of_several_reasons_not_to_apply_the_dice_come_first() -> None:
    state = applying("00200/00200", "3 4", chips="0/110")
    assert refusal(state, "apply 3 5") == "The dice to apply are 3 4; they cannot be used like that."
    assert refusal(state, "apply 3") == "Without chips of your own you cannot collect any."
    assert refusal(state, "apply 3 4") == "Opening the 4s takes 4 dice, not 1."
    assert refusal(state, "apply 4") == "Opening the 4s takes 4 dice, not 1."


@pytest.mark.parametrize(
    ("boards", "dice", "move", "number"),
    [
        ("00200/00200", "2 2 3", "apply 2 2 3", 3),
        ("10200/20200", "1 3", "apply 1 3", 3),
        ("00000/20000", "1 1 1", "apply 1 1 1", 1),
        ("20200/00200", "1 3", "apply 1 3", 3),
    ],
)
def test_the_number_that_cannot_be_collected_on_is_named(boards: str, dice: str, move: str, number: int) -> None:
    assert f"closed the {number}s, so there is nobody to collect from." in refusal(applying(boards, dice), move)


def test_actions_are_stopping_all_keeps_and_all_uses() -> None:
    actions = tuple(ROLLERS.moves(RollersOptions(), 2))
    assert actions == ROLLERS.actions(RollersOptions(), 2)
    # Purple dice alone: 462 multisets of up to five. With the black die: 210 of up to four, times its five numbers.
    # Uses: up to six dice on five numbers, 462 ways.
    assert len(actions) == len(set(actions)) == 1 + (462 + 5 * 210) + 462
    assert actions[0] == STOP
    state = play(applying("11000/00000", "1 2"))
    assert [action.text for action, legal in zip(actions, state.mask(), strict=True) if legal] == [
        "apply none", "apply 2", "apply 1", "apply 1 2",
    ]  # fmt: skip
    state = at(rolls=2, kept="1,2", rolled="3,3,3,zap")
    assert [action.text for action, legal in zip(actions, state.mask(), strict=True) if legal] == [
        "stop", "keep none", "keep 1", "keep 2", "keep 1 2",
    ]  # fmt: skip


def test_every_legal_keep_and_use_is_an_action() -> None:
    actions = set(ROLLERS.moves(RollersOptions(), 2))
    for rolled in ("1,2,3,4,5,b1", "*,*,*,*,*,b5", "1,1,2,2,*,b3"):
        assert set(at(rolls=1, rolled=rolled).legal_moves()) <= actions
        assert set(at("22000/00000", rolls=3, rolled=rolled).legal_moves()) <= actions


def test_the_games_card() -> None:
    assert (ROLLERS.name, ROLLERS.title, ROLLERS.min_players, ROLLERS.max_players) == ("rollers", "Rollers", 2, 5)
    assert hotdice.parse_game("rollers")[0] is ROLLERS
    assert ROLLERS.rules.startswith("# Rollers\n")
    purple, black = ROLLERS.dice
    assert [face.text for face in purple.faces] == ["1", "2", "3", "4", "5", "*"]
    assert [face.text for face in black.faces] == ["b1", "b2", "b3", "b4", "b5", "zap"]
    assert RollersOptions() == RollersOptions(chip_tie="nobody", saved_dice="free", target_points=5)
    assert ROLLERS.text(RollersOptions(chip_tie="share")) == f"rollers{SHARE}"
    assert ROLLERS.text(RollersOptions(saved_dice="locked")) == f"rollers{LOCKED}"


# What is told


def test_a_keep_and_a_stop_are_told() -> None:
    state = play(at(), "roll 1 3 3 4 * b5")
    for move, sentence in (
        ("keep none", "rolls all six again."),
        ("keep *", "keeps STAR and rolls 5 dice."),
        ("keep 3 3 *", "keeps 3, 3, STAR and rolls 3 dice."),
        ("keep 1 3 3 4 *", "keeps 1, 3, 3, 4, STAR and rolls 1 die."),
        ("stop", "stops with 1, 3, 3, 4, STAR, black 5."),
    ):
        assert plain(state.tell_move(state.parse_move(move))) == sentence
    zapped = play(state, "keep 3 3", "roll 1 1 1 zap")
    assert plain(zapped.tell_move(STOP)) == "stops with 3 3."
    assert plain(play(at(), "roll 1 1 1 1 1 zap").tell_move(STOP)) == "stops with no dice."


@pytest.mark.parametrize(
    ("boards", "dice", "move", "sentence"),
    [
        (FRESH, "1", "apply none", "applies nothing."),
        (FRESH, "2 2", "apply 2 2", "opens the 2s."),
        (FRESH, "1 3 3 *", "apply 1 3 3 3", "opens the 1s and opens the 3s."),
        ("10000/00000", "1", "apply 1", "closes the 1s."),
        (FRESH, "1 1", "apply 1 1", "opens and closes the 1s."),
        ("10100/00000", "1 2 2 2 3", "apply 1 2 2 2 3", "closes the 1s, opens and closes the 2s and closes the 3s."),
        ("00200/00000/00000", "3 3", "apply 3 3", "collects 12."),
        ("00200/00000/00200", "3 4 4 4 *", "apply 3 4 4 4 4", "opens the 4s and collects 3."),
        (FRESH, "1 1 1", "apply 1 1 1", "opens and closes the 1s and collects 1."),
    ],
)
def test_an_application_is_told(boards: str, dice: str, move: str, sentence: str) -> None:
    state = applying(boards, dice)
    assert plain(state.tell_move(state.parse_move(move))) == sentence


def test_the_end_of_a_round_is_told() -> None:
    state = applying("22221/00000/00000", "5", chips="50/60/55", points="1/3/2", starter=2)
    assert plain(state.tell_move(state.parse_move("apply 5"))) == (
        "closes the 5s. The board is full, and the round is over. Points: {0} 2 and {1} 1. {0} starts the next round."
    )
    alone = applying("22221/00000", "4 5", chips="56/54")
    assert plain(alone.tell_move(alone.parse_move("apply 4 5"))) == (
        "closes the 5s and collects 4. The board is full, and the round is over. Points: {0} 3. "
        "{1} starts the next round."
    )


def test_the_end_of_the_match_is_told() -> None:
    state = applying("22221/00000", "5", chips="50/60", points="3/4")
    assert plain(state.tell_move(state.parse_move("apply 5"))) == (
        "closes the 5s. The board is full, and the round is over. Points: {0} 2 and {1} 1. {1} wins!"
    )
    shared = applying("22221/00000/00000", "5", chips="45/60/60", points="3/4/4", options=SHARE)
    assert plain(shared.tell_move(shared.parse_move("apply 5"))) == (
        "closes the 5s. The board is full, and the round is over. Points: {0} 2, {1} 1 and {2} 1. "
        "{1} and {2} share the win!"
    )


def test_a_roll_is_told() -> None:
    state = at()
    assert plain(state.tell_roll(state.parse_roll("1 3 3 4 * b5"))) == "rolls 1, 3, 3, 4, STAR, black 5."
    assert (
        plain(state.tell_roll(state.parse_roll("1 3 3 4 * zap")))
        == "rolls 1, 3, 3, 4, STAR, ZAP. The ZAP cancels this roll."
    )


def test_the_roll_off_is_told() -> None:
    state = start(3)
    assert plain(state.tell_roll((4,))) == "rolls 4 to see who begins."
    state = play(state, "roll 4", "roll *")
    assert plain(state.tell_roll((5,))) == "rolls 5 to see who begins. {1} begins."
    assert plain(state.tell_roll((6,))) == "rolls STAR to see who begins. A tie at the top: roll again."
    state = play(state, "roll *")
    assert plain(state.tell_roll((2,))) == "rolls 2 to see who begins."
    assert plain(play(state, "roll 2").tell_roll((3,))) == "rolls 3 to see who begins. {2} begins."
    low = play(start(3), "roll 5", "roll 5", "roll 1", "roll 3")
    assert plain(low.tell_roll((3,))) == "rolls 3 to see who begins. A tie at the top: roll again."
    assert plain(low.tell_roll((2,))) == "rolls 2 to see who begins. {0} begins."


# What is shown


def test_the_prompt_says_what_is_to_happen() -> None:
    assert plain(play(start(2), "roll 3").prompt) == "{1} rolls one purple die to see who begins."
    state = at(turn=2)
    assert plain(state.prompt) == "{1} rolls 6 dice, roll 1 of 3."
    state = play(state, "roll 1 3 3 4 * b5")
    assert plain(state.prompt) == "{1} keeps dice and rolls the others, or stops. Roll 1 of 3."
    assert plain(play(state, "stop").prompt) == "{1} applies 1, 3, 3, 4, STAR, black 5."
    state = play(state, "keep 1 3 3 4 *")
    assert plain(state.prompt) == "{1} rolls one die, roll 2 of 3."
    state = play(state, "roll zap")
    assert plain(state.prompt) == (
        "{1} keeps dice and rolls the others, or stops. Roll 2 of 3. The ZAP cancelled this roll."
    )
    assert plain(play(state, "keep none", "roll 1 1 1 1 1 zap").prompt) == "{1} applies no dice."
    assert plain(last_round("50/60", "3/0").prompt) == "The match is over."


def test_the_dice_on_the_table_are_kept_rolled_or_cancelled() -> None:
    state = play(at(), "roll 1 3 3 4 * b5")
    assert state.dice_view() == (
        DieView("purple die", 1, "1", "1", "rolled"),
        DieView("purple die", 3, "3", "3", "rolled"),
        DieView("purple die", 3, "3", "3", "rolled"),
        DieView("purple die", 4, "4", "4", "rolled"),
        DieView("purple die", 6, "*", "STAR", "rolled"),
        DieView("black die", 15, "b5", "black 5", "rolled"),
    )
    state = play(state, "keep 3 3 4 *", "roll 2 zap")
    assert state.dice_view() == (
        DieView("purple die", 3, "3", "3", "kept"),
        DieView("purple die", 3, "3", "3", "kept"),
        DieView("purple die", 4, "4", "4", "kept"),
        DieView("purple die", 6, "*", "STAR", "kept"),
        DieView("purple die", 2, "2", "2", "cancelled"),
        DieView("black die", 16, "zap", "ZAP", "cancelled"),
    )
    assert at().dice_view() == ()


def test_the_grid_shows_boards_chips_and_points() -> None:
    assert at("01200/22220", chips="60/50", points="1/4").grids() == (
        Grid(
            ("Player", "1s", "2s", "3s", "4s", "5s", "Chips", "Points"),
            (
                ("{0}", "·", "open", "closed", "·", "·", "60", "1"),
                ("{1}", "closed", "closed", "closed", "closed", "·", "50", "4"),
            ),
        ),
    )


def test_the_board_has_everything_to_draw() -> None:
    state = at(
        "01200/22220", chips="60/50", points="1/2", starter=1, turn=2, rolls=2, kept="3", rolled="1,1,1,1,zap",
        options="(target_points=3)",
    )  # fmt: skip
    boards = ((0, 1, 2, 0, 0), (2, 2, 2, 2, 0))
    assert state.board() == RollersBoard(
        turn=1, starter=0, rolls=2, boards=boards, chips=(60, 50), points=(1, 2), zapped=True,
        roll_off=(),
    )  # fmt: skip
    off = play(start(2), "roll *").board()
    assert (off.turn, off.starter, off.zapped, off.roll_off) == (1, 0, False, (6, 0))


def test_the_view_gathers_it_all() -> None:
    view = applying("01000/00000", "2", options=SHARE).view()
    assert (view.game, view.options, view.players, view.scores) == ("rollers", "chip_tie=share", 2, (0, 0))
    assert (view.seat, view.roller, view.result) == (0, 0, None)
    assert [(move.text, plain(move.label)) for move in view.moves] == [
        ("apply none", "applies nothing."),
        ("apply 2", "closes the 2s."),
    ]


# A casual player


@pytest.mark.parametrize(
    ("boards", "dice", "move"),
    [
        (FRESH, "", "apply none"),
        (FRESH, "1 3 3 4 *", "apply 1 3 3 3"),  # two sections rather than one closed
        (FRESH, "1 2 2 3 *", "apply 1 2 2 2"),
        ("22221/00000", "5 5", "apply 5 5"),  # closes and collects
        ("22200/00000", "3 4 4 4 *", "apply 3 4 4 4 4"),
        ("11111/00000", "*", "apply 5"),
        ("10002/00000/00000/00000/00000", "*", "apply 1"),  # 4 for closing, twenty chips are worth 3
        ("22220/00000", "4 *", "apply 4 4"),
        ("22220/22220", "4 *", "apply none"),
        ("22021/00000", "3 3 *", "apply 5"),
    ],
)
def test_the_casual_player_applies_for_the_most_progress(boards: str, dice: str, move: str) -> None:
    assert ROLLERS.greedy(applying(boards, dice)).text == move


@pytest.mark.parametrize(
    ("boards", "roll", "move"),
    [
        (FRESH, "1 3 3 4 * b5", "keep 1 3 3 *"),  # a 1 opens; threes and the STAR are the best to chase
        (FRESH, "1 2 3 4 5 zap", "keep none"),
        ("22220/00000", "5 5 5 5 5 b5", "stop"),
        ("22220/00000", "1 1 2 3 4 b5", "keep b5"),
        ("11111/00000", "1 2 3 4 5 b1", "keep 1 2 3 4 5"),  # each closes a section, the second 1 does not
        ("22122/00000", "1 2 4 4 5 b5", "keep none"),
        ("22202/00000", "1 4 4 4 * b4", "keep 4 4 4 * b4"),
        ("02222/00000", "1 1 2 3 4 b1", "keep 1 1"),
    ],
)
def test_the_casual_player_keeps_what_is_of_use(boards: str, roll: str, move: str) -> None:
    assert ROLLERS.greedy(play(at(boards), f"roll {roll}")).text == move


def test_the_casual_player_keeps_what_was_safe_from_a_zap() -> None:
    state = play(at(), "roll 1 3 3 4 * b5", "keep 1 3 3 *", "roll 1 zap")
    assert state.game.greedy(state).text == "keep 1 3 3 *"


def test_the_black_die_may_be_applied_by_its_own_name() -> None:
    assert ROLLERS.parse_move("apply 3 b3") == Apply((0, 0, 2, 0, 0))


@pytest.mark.parametrize("text", ["apply 3 *", "apply zap"])
def test_stars_are_applied_as_numbers_and_zaps_never(text: str) -> None:
    with pytest.raises(ParseError, match="Say which number each STAR is used as"):
        ROLLERS.parse_move(text)


@pytest.mark.parametrize("position", ["00000/22222 55/55 5/0 1 1 over", "22222/22222 55/55 5/0 1 1 over"])
def test_a_match_ends_by_the_turn_of_the_one_whose_board_is_full(position: str) -> None:
    with pytest.raises(ParseError, match="the one player whose board is full"):
        hotdice.parse_position(f"rollers {position}")


def test_the_greedy_bot_rolls_on_with_locked_dice() -> None:
    state = hotdice.parse_position("rollers(saved_dice=locked) 22000/22100 59/51 3/0 1 2 2 5,5,* 1,4,b1")
    assert state.game.greedy(state).text == "keep 4 5 5 *"
