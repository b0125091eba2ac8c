"""Kismet in writing: positions, moves and rolls as text, every refusal, and what interfaces show.

The expected texts are written out by hand, and every malformed field has the column that it is found at.
"""

from __future__ import annotations

import pytest

import hotdice
from hotdice import AmbiguousMove, ParseError
from hotdice.game import Move
from hotdice.games.kismet import KISMET, Box, Keep, KismetOptions, Score
from hotdice.view import DieView, Grid
from tests.games.script import plain
from tests.games.test_kismet import BASICS, BOXES, FULL, NO_SECOND, STRICT, at, play, sheet, start

EMPTY = "-,-,-,-,-,-,-,-,-,-,-,-,-,-,-"
FIELDS = "its fields are sheets, whose turn, rolls taken (or off in the roll-off), and the dice (or - for none)."
ROLL_OFF = "for each seat, with commas between them, a number from 1 to 6, . (still to roll) or x (out)."


class Foreign(Move):
    """A move of some other game."""

    text = "hold"


# Positions


def test_a_position_is_the_sheets_whose_turn_the_rolls_taken_and_the_dice() -> None:
    state = start()
    assert state.position == f"kismet {EMPTY} 1 0 -"
    state = play(state, "roll 3 3 4 4 5")
    assert state.position == f"kismet {EMPTY} 1 1 33445"
    state = play(state, "keep 4 4")
    assert state.position == f"kismet {EMPTY} 1 1 44"
    assert play(state, "roll 6 6 6", "keep none").position == f"kismet {EMPTY} 1 2 -"
    state = play(state, "roll 6 6 6", "keep 6 6 6", "roll 1 2")
    assert state.position == f"kismet {EMPTY} 1 3 12666"
    assert str(play(state, "score three-of-a-kind")) == "kismet -,-,-,-,-,-,-,21,-,-,-,-,-,-,- 1 0 -"


def test_a_position_marks_who_has_had_a_kismet() -> None:
    state = play(at(sheet(), sheet(aces=0), turn=2, rolls=1, dice="22222"), "score kismet")
    assert state.position == f"kismet {EMPTY}/0,-,-,-,-,-,-,-,-,-,-,-,-,-,60! 1 0 -"


def test_a_position_shows_the_roll_off() -> None:
    state = start(3)
    blank = f"{EMPTY}/{EMPTY}/{EMPTY}"
    assert state.position == f"kismet {blank} 1 off .,.,."
    state = play(state, "roll 4", "roll 6")
    assert state.position == f"kismet {blank} 3 off 4,6,."
    state = play(state, "roll 6")
    assert state.position == f"kismet {blank} 2 off x,.,."
    assert hotdice.parse_position(state.position) == state
    assert play(state, "roll 1").position == f"kismet {blank} 3 off x,1,."
    assert play(state, "roll 1", "roll 2").position == f"kismet {blank} 3 0 -"


def test_a_position_of_a_finished_game_has_full_sheets() -> None:
    state = play(at(FULL, sheet(0, aces="-"), turn=2, rolls=3, dice="11234"), "score aces")
    zeros = ",".join("0" * 15)
    assert state.position == f"kismet {zeros}/2{zeros[1:]} 2 0 -"
    assert hotdice.parse_position(state.position).seat == hotdice.OVER


def test_a_position_names_the_house_rules() -> None:
    state = start(kismet_is_full_house=False, second_kismet=False)
    assert state.position == f"kismet(kismet_is_full_house=false,second_kismet=false) {EMPTY} 1 0 -"
    assert at(sheet(), options=STRICT).options == KismetOptions(kismet_is_full_house=False)


@pytest.mark.parametrize(
    "fields",
    [
        f"{EMPTY} 1 0 -",
        f"{EMPTY} 1 1 -",
        f"{EMPTY} 1 2 -",
        f"{EMPTY} 1 1 1",
        f"{EMPTY} 1 2 1466",
        f"{EMPTY} 1 1 11146",
        f"{EMPTY} 1 3 23456",
        f"{EMPTY}/{EMPTY} 2 off 6,.",
        f"{EMPTY}/{EMPTY}/{EMPTY} 3 off 1,x,.",
        f"{EMPTY}/{EMPTY}/{EMPTY} 1 off .,x,.",
        "5,10,15,20,25,30,30,30,30,35,45,50,55,30,80!/0,0,0,0,0,0,0,0,0,0,0,0,0,0,- 2 2 6",
        "0,0,0,0,0,0,0,0,0,0,0,0,0,0,0/0,0,0,0,0,0,0,0,0,0,0,0,0,0,0 2 0 -",
    ],
)
def test_reading_a_position_gives_the_state_that_wrote_it(fields: str) -> None:
    assert hotdice.parse_position(f"kismet {fields}").position == f"kismet {fields}"


VACANT = ", or - while it is vacant."
KISMETS = "0, 55, 60, 65, 70, 75 or 80"


@pytest.mark.parametrize(
    ("fields", "column", "message"),
    [
        ("", 7, f"The position ends before the sheets; {FIELDS}"),
        (f"{EMPTY[:-2]} 1 0 -", 8, "A sheet has 15 boxes with commas between them; this has 14."),
        (f"{EMPTY}/{EMPTY},- 1 0 -", 38, "A sheet has 15 boxes with commas between them; this has 16."),
        (f"-,x,{EMPTY[4:]} 1 0 -", 10, f"“x” is not a score of Deuces; expected 0, 2, 4, 6, 8 or 10{VACANT}"),
        (f"-,-1,{EMPTY[4:]} 1 0 -", 10, f"“-1” is not a score of Deuces; expected 0, 2, 4, 6, 8 or 10{VACANT}"),
        (f"-,7,{EMPTY[4:]} 1 0 -", 10, f"“7” is not a score of Deuces; expected 0, 2, 4, 6, 8 or 10{VACANT}"),
        (f"-,-,18,{EMPTY[6:]} 1 0 -", 12, f"“18” is not a score of Treys; expected 0, 3, 6, 9, 12 or 15{VACANT}"),
        (f"{EMPTY[:-1]}81 1 0 -", 36, f"“81” is not a score of Kismet; expected {KISMETS}{VACANT}"),
        (f"{EMPTY}/{EMPTY[:-1]}15 1 0 -", 66, f"“15” is not a score of Kismet; expected {KISMETS}{VACANT}"),
        ("/".join([EMPTY] * 9) + " 1 0 -", 8, "Kismet takes 1 to 8 players; this position has 9."),
        (EMPTY, 37, f"The position ends before a seat; {FIELDS}"),
        (f"{EMPTY} 0 0 -", 38, "“0” is not a seat; it can only be 1 here."),
        (f"{EMPTY}/{EMPTY} 3 0 -", 68, "“3” is not a seat; expected a whole number from 1 to 2."),
        (f"{EMPTY} 1", 39, f"The position ends before the rolls taken; {FIELDS}"),
        (f"{EMPTY} 1 4 12345", 40, "“4” is not the rolls taken; expected off, 0, 1, 2 or 3."),
        (f"{EMPTY} 1 1", 41, f"The position ends before the dice; {FIELDS}"),
        (f"{EMPTY} 1 1 54321", 42, "“54321” is not a set of dice; expected up to five in order, or - for none."),
        (f"{EMPTY} 1 1 112233", 42, "“112233” is not a set of dice; expected up to five in order, or - for none."),
        (f"{EMPTY} 1 1 1237", 42, "“1237” is not a set of dice; expected up to five in order, or - for none."),
        (f"{EMPTY} 1 1 12X", 42, "“12X” is not a set of dice; expected up to five in order, or - for none."),
        (f"{EMPTY} 1 1 --", 42, "“--” is not a set of dice; expected up to five in order, or - for none."),
        (f"{EMPTY} 1 0 1", 42, "The dice cannot be 1 after 0 of 3 rolls."),
        (f"{EMPTY} 1 3 1234", 42, "The dice cannot be 1234 after 3 of 3 rolls."),
        (f"{EMPTY} 1 3 -", 42, "The dice cannot be - after 3 of 3 rolls."),
        (f"{FULL} 1 1 -", 42, "All sheets are full, so no dice are rolled any more."),
        (f"{FULL}/{EMPTY} 1 1 -", 68, "The sheet of seat 1 is full; another seat has the turn."),
        (f"{EMPTY} 1 0 - -", 44, f"“-” follows a complete position; {FIELDS}"),
        (f"{EMPTY}/{EMPTY} 1 off .,.,.", 74, f"“.,.,.” is not a roll-off of 2 players; expected {ROLL_OFF}"),
        (f"{EMPTY}/{EMPTY} 2 off 7,.", 74, f"“7,.” is not a roll-off of 2 players; expected {ROLL_OFF}"),
        (f"{EMPTY}/{EMPTY} 2 off .,.", 74, "In the roll-off .,., seat 2 is not the next to roll."),
        (f"{EMPTY}/{EMPTY} 1 off x,.", 74, "In the roll-off x,., seat 1 is not the next to roll."),
        (f"{EMPTY}/{EMPTY} 1 off .,x", 74, "In the roll-off .,x, seat 1 is not the next to roll."),
        (f"{EMPTY}/{EMPTY} 1 off .,4", 74, "In the roll-off .,4, seat 1 is not the next to roll."),
        (f"{EMPTY}/{EMPTY} 1 off 3,4", 74, "In the roll-off 3,4, seat 1 is not the next to roll."),
        (f"{EMPTY} 1 off .", 44, "In the roll-off ., seat 1 is not the next to roll."),
    ],
)  # fmt: skip
def test_a_malformed_position_is_refused_with_the_column(fields: str, column: int, message: str) -> None:
    with pytest.raises(ParseError) as refused:
        hotdice.parse_position(f"kismet {fields}".rstrip())
    assert (str(refused.value), refused.value.column) == (message, column)


def test_columns_count_the_options_too() -> None:
    with pytest.raises(ParseError) as refused:
        hotdice.parse_position(f"kismet{NO_SECOND}  {EMPTY} 9 0 -")
    assert refused.value.column == len(f"kismet{NO_SECOND}  {EMPTY} ") + 1


def test_the_roll_off_comes_before_anything_is_written() -> None:
    with pytest.raises(ParseError, match=r"^The roll-off comes before anything is written on a sheet\.$") as refused:
        hotdice.parse_position(f"kismet {EMPTY}/{sheet(aces=1)} 1 off .,.")
    assert refused.value.column > len("kismet")


def test_read_strictly_a_full_house_entry_cannot_come_from_a_kismet() -> None:
    entry = sheet(full_house=20)  # five aces
    assert at(entry).sheets[0][Box.FULL_HOUSE] == 20
    with pytest.raises(ParseError, match="“20” is not a score of Full House; expected 0, 22 to 24, 26"):
        at(entry, options=STRICT)


@pytest.mark.parametrize(
    ("fields", "column"),
    [
        (f"{EMPTY}!/{EMPTY} 1 off .,.", 8),  # nothing has been played
        (f"{EMPTY}/{EMPTY}! 1 0 -", 38),
        (f"{EMPTY[:-1]}55 1 0 -", 8),  # a Kismet has been scored
        (f"{EMPTY}/{EMPTY[:-1]}80 1 0 -", 38),
    ],
)
def test_a_kismet_mark_has_to_agree_with_the_sheet(fields: str, column: int) -> None:
    with pytest.raises(ParseError) as refused:
        hotdice.parse_position(f"kismet {fields}")
    assert str(refused.value) == "A ! marks a sheet whose owner has ended a turn with five of a kind."
    assert refused.value.column == column


# Moves and rolls


@pytest.mark.parametrize("text", ["keep 4 4", "keep 44", "k 4,4", "KEEP  4 4 ", " kee 44"])
def test_keeping_is_typed_in_several_ways(text: str) -> None:
    assert KISMET.parse_move(text) == Keep((4, 4))
    assert KISMET.parse_move(text).text == "keep 4 4"


@pytest.mark.parametrize("text", ["keep none", "keep NONE", "k  none "])
def test_keeping_nothing_is_typed_as_none(text: str) -> None:
    assert KISMET.parse_move(text) == Keep(())
    assert KISMET.parse_move(text).text == "keep none"


def test_a_bare_keep_may_be_a_slip_and_is_refused() -> None:
    with pytest.raises(ParseError, match="Expected some dice here, or the word none") as refused:
        KISMET.parse_move("keep")
    assert refused.value.column == 5


def test_dice_to_keep_are_sorted() -> None:
    assert KISMET.parse_move("keep 5 1 3").text == "keep 1 3 5"


@pytest.mark.parametrize("box", Box)
def test_a_box_is_named_by_its_word_or_its_title(box: Box) -> None:
    assert KISMET.parse_move(f"score {box.word}") == Score(box)
    assert KISMET.parse_move(f"score {box.title}") == Score(box)
    assert str(Score(box)) == f"score {box.word}"


def test_the_words_and_titles_of_the_boxes_from_top_to_bottom() -> None:
    assert BOXES == [
        "aces", "deuces", "treys", "fours", "fives", "sixes", "two-pair", "three-of-a-kind", "straight", "flush",
        "full-house", "full-house-same-color", "four-of-a-kind", "yarborough", "kismet",
    ]  # fmt: skip
    assert [box.title for box in Box] == [
        "Aces", "Deuces", "Treys", "Fours", "Fives", "Sixes", "Two Pair Same Color", "Three of a Kind", "Straight",
        "Flush", "Full House", "Full House Same Color", "Four of a Kind", "Yarborough", "Kismet",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("short", "box"),
    [
        ("1", "aces"), ("2", "deuces"), ("3", "treys"), ("4", "fours"), ("5", "fives"), ("6", "sixes"),
        ("1s", "aces"), ("2s", "deuces"), ("3s", "treys"), ("4s", "fours"), ("5s", "fives"), ("6s", "sixes"),
        ("ones", "aces"), ("twos", "deuces"), ("threes", "treys"), ("2p", "two-pair"), ("3k", "three-of-a-kind"),
        ("4k", "four-of-a-kind"), ("fh", "full-house"), ("fhsc", "full-house-same-color"), ("y", "yarborough"),
        ("k", "kismet"), ("st", "straight"), ("fl", "flush"), ("two-", "two-pair"), ("four of", "four-of-a-kind"),
    ],
)  # fmt: skip
def test_boxes_have_short_names(short: str, box: str) -> None:
    assert KISMET.parse_move(f"score {short}").text == f"score {box}"


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("hold", 1, "“hold” is not a move of Kismet; expected keep or score."),
        ("keep 47", 7, "“47” is not a roll of these dice; their faces are 1, 2, 3, 4, 5, 6."),
        ("keep 4 x", 8, "“x” is not a roll of these dice; their faces are 1, 2, 3, 4, 5, 6."),
        ("", 1, "Nothing was typed; a move starts with keep or score."),
    ],
)
def test_a_malformed_move_is_refused_with_the_column(text: str, column: int, message: str) -> None:
    with pytest.raises(ParseError) as refused:
        KISMET.parse_move(text)
    assert (str(refused.value), refused.value.column) == (message, column)


def test_an_unknown_box_is_refused() -> None:
    with pytest.raises(ParseError, match=r"^“chance” is not a box; expected aces, deuces") as refused:
        KISMET.parse_move("score  chance")
    assert refused.value.column == 8


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("score full", "“full” could be full-house or full-house-same-color; type more of it."),
        ("score th", "“th” could be three-of-a-kind or threes; type more of it."),
        ("score four", "“four” could be fours or four-of-a-kind; type more of it."),
    ],
)
def test_an_ambiguous_box_is_asked_back(text: str, message: str) -> None:
    with pytest.raises(AmbiguousMove) as refused:
        KISMET.parse_move(text)
    assert (str(refused.value), refused.value.column) == (message, 7)


WORDS = [box.word for box in Box]


def test_scoring_needs_a_box() -> None:
    with pytest.raises(ParseError) as refused:
        KISMET.parse_move("score")
    assert str(refused.value) == "Expected a box here, such as aces."
    assert refused.value.column == 6


def test_rolls_are_typed_in_any_order() -> None:
    assert KISMET.parse_roll("53443") == (3, 3, 4, 4, 5)
    assert KISMET.parse_roll("5, 3 4,4 3") == (3, 3, 4, 4, 5)
    assert KISMET.roll_text((3, 3, 4)) == "3 3 4"
    with pytest.raises(ParseError, match="Nothing was typed; a roll is the faces that the dice show"):
        KISMET.parse_roll(" ")


def test_a_strange_move_is_refused_plainly() -> None:
    state = play(start(), "roll 1 2 3 4 5")
    with pytest.raises(hotdice.IllegalMove, match=r"^“hold” is not a legal move now\. Legal: keep none, keep 1"):
        state.apply(Foreign())
    with pytest.raises(hotdice.IllegalMove, match=r"^“hold” is not a legal move now\."):
        plain(state.tell_move(Foreign()))


def test_actions_are_the_210_keeps_and_the_15_boxes() -> None:
    actions = tuple(KISMET.moves(KismetOptions(), 2))
    assert actions == KISMET.actions(KismetOptions(), 2)
    assert len(actions) == len(set(actions)) == 210 + 15
    assert [action.text for action in (*actions[:8], actions[209])] == [
        "keep none", "keep 1", "keep 2", "keep 3", "keep 4", "keep 5", "keep 6", "keep 1 1", "keep 6 6 6 6",
    ]  # fmt: skip
    assert [action.text for action in actions[210:]] == [f"score {box}" for box in BOXES]
    state = at(sheet(0, aces="-", kismet="-"), rolls=2, dice="22222")
    assert [
        action.text for action, legal in zip(actions, state.mask(), strict=True) if legal
    ] == ["keep none", "keep 2", "keep 2 2", "keep 2 2 2", "keep 2 2 2 2", "score aces", "score kismet"]  # fmt: skip


def test_the_games_card() -> None:
    assert (KISMET.name, KISMET.title, KISMET.min_players, KISMET.max_players) == ("kismet", "Kismet", 1, 8)
    assert hotdice.parse_game("kismet")[0] is KISMET
    assert KISMET.rules.startswith("# Kismet\n")
    colours = {face.text: face.colour for face in KISMET.dice[0].faces}
    assert colours == {"1": "black", "2": "red", "3": "green", "4": "green", "5": "red", "6": "black"}
    assert [face.name for face in KISMET.dice[0].faces] == ["1", "2", "3", "4", "5", "6"]


# What is told


def told(state_and_move: tuple[str, str], *sheets: str, rolls: int = 3, turn: int = 1, options: str = "") -> str:
    """What is told of a move with these dice."""
    dice, move = state_and_move
    state = at(*sheets, turn=turn, rolls=rolls, dice=dice, options=options)
    return plain(state.tell_move(state.parse_move(move)))


@pytest.mark.parametrize(
    ("move", "sentence"),
    [
        ("keep none", "rolls all five again."),
        ("keep 3", "keeps 3 and rolls 4 dice."),
        ("keep 4 4", "keeps 4 4 and rolls 3 dice."),
        ("keep 3 3 4 4", "keeps 3 3 4 4 and rolls 1 die."),
        ("score fours", "takes 8 in Fours."),
        ("score two-pair", "takes 19 in Two Pair Same Color."),
        ("score sixes", "writes a zero in Sixes."),
    ],
)
def test_a_move_is_told(move: str, sentence: str) -> None:
    assert told(("33445", move), sheet(), rolls=1) == sentence


def test_a_second_kismet_is_told_with_what_it_does_to_one_other() -> None:
    assert told(("44444", "score yarborough"), sheet(kismet=70) + "!", sheet(aces=1)) == (
        "takes 20 in Yarborough. Another Kismet: {1} writes a zero in Deuces, and {0} goes on."
    )


def test_a_second_kismet_is_told_with_what_it_does_to_each_other() -> None:
    assert told(("44444", "score straight"), sheet(), sheet(kismet=70) + "!", FULL, sheet(aces=1), turn=2) == (
        "writes a zero in Straight. Another Kismet: "
        "{0} writes a zero in Aces and {3} writes a zero in Deuces, and {1} goes on."
    )


def test_a_second_kismet_with_the_last_box_is_told_without_going_on() -> None:
    last = sheet(**dict.fromkeys(BOXES, "0")).replace("0", "-", 1)
    assert told(("11111", "score aces"), last + "!", sheet(aces=1)) == (
        "takes 5 in Aces. Another Kismet: {1} writes a zero in Deuces."
    )


def test_a_first_kismet_and_one_without_the_rule_are_told_like_any_entry() -> None:
    assert told(("44444", "score yarborough"), sheet(), sheet()) == "takes 20 in Yarborough."
    had = sheet(kismet=70) + "!"
    assert told(("44444", "score yarborough"), had, sheet(), options=NO_SECOND) == "takes 20 in Yarborough."
    assert told(("44444", "score yarborough"), had, FULL) == "takes 20 in Yarborough."


def test_a_kismet_in_a_full_house_is_told_by_the_house_rule() -> None:
    assert told(("11111", "score full-house"), sheet()) == "takes 20 in Full House."
    assert told(("11111", "score full-house"), sheet(), options=STRICT) == "writes a zero in Full House."


def test_a_bonus_is_told_when_it_is_reached_and_when_it_grows() -> None:
    most = dict(zip(BOXES, BASICS[63], strict=False)) | {"sixes": "-"}
    assert told(("15666", "score sixes"), sheet(**most)) == "takes 18 in Sixes. The bonus grows by 35."
    assert told(("66666", "score sixes"), sheet(**most)) == "takes 30 in Sixes. The bonus grows by 55."
    reached = dict(zip(BOXES, BASICS[71], strict=False)) | {"deuces": "-"}  # 65 without the deuces
    assert told(("22246", "score deuces"), sheet(**reached)) == "takes 6 in Deuces. The bonus grows by 20."
    assert told(("12346", "score deuces"), sheet(**reached)) == "takes 2 in Deuces."


def test_the_end_of_the_game_is_told() -> None:
    last = sheet(0, yarborough="-")
    assert told(("12346", "score yarborough"), last, FULL) == "takes 16 in Yarborough. {0} wins!"
    assert told(("12346", "score yarborough"), last, sheet(0, yarborough=30)) == "takes 16 in Yarborough. {1} wins!"
    assert told(("12346", "score yarborough"), last, FULL, sheet(0, yarborough=16)) == (
        "takes 16 in Yarborough. {0} and {2} share the win!"
    )
    assert told(("12346", "score yarborough"), last) == "takes 16 in Yarborough."


def test_a_roll_is_told() -> None:
    assert plain(start().tell_roll((3, 3, 4, 4, 5))) == "rolls 3 3 4 4 5."
    assert plain(start().tell_roll((2, 2, 2, 2, 2))) == "rolls 2 2 2 2 2. A Kismet!"
    kept = at(sheet(), rolls=1, dice="222")
    assert plain(kept.tell_roll((2, 2))) == "rolls 2 2. A Kismet!"
    assert plain(kept.tell_roll((1, 2))) == "rolls 1 2."
    assert plain(kept.tell_roll((2, 3))) == "rolls 2 3."
    assert plain(kept.tell_roll((3, 3))) == "rolls 3 3."


def test_the_roll_off_is_told() -> None:
    state = start(3)
    assert plain(state.tell_roll((4,))) == "rolls 4 to see who begins."
    state = play(state, "roll 4")
    assert plain(state.tell_roll((4,))) == "rolls 4 to see who begins."
    state = play(state, "roll 6")
    assert plain(state.tell_roll((5,))) == "rolls 5 to see who begins. {1} begins."
    assert plain(state.tell_roll((6,))) == "rolls 6 to see who begins. A tie at the top: roll again."
    state = play(state, "roll 6")
    assert plain(state.tell_roll((2,))) == "rolls 2 to see who begins."
    assert plain(play(state, "roll 2").tell_roll((3,))) == "rolls 3 to see who begins. {2} begins."
    assert plain(play(state, "roll 2").tell_roll((2,))) == "rolls 2 to see who begins. A tie at the top: roll again."


def test_when_the_last_seat_is_out_of_the_roll_off_the_last_tied_one_settles_it() -> None:
    state = play(start(3), "roll 6", "roll 6", "roll 2", "roll 3")
    assert plain(state.tell_roll((5,))) == "rolls 5 to see who begins. {1} begins."
    assert plain(state.tell_roll((3,))) == "rolls 3 to see who begins. A tie at the top: roll again."


# What is shown


def test_the_prompt_says_what_is_to_happen() -> None:
    assert plain(start(2).prompt) == "{0} rolls one die to see who begins."
    assert plain(play(start(2), "roll 3").prompt) == "{1} rolls one die to see who begins."
    state = at(sheet(), sheet(), turn=2)
    assert plain(state.prompt) == "{1} rolls 5 dice, roll 1 of 3."
    state = play(state, "roll 3 3 4 4 5")
    assert plain(state.prompt) == "{1} keeps dice and rolls the others, or scores. Roll 1 of 3."
    assert plain(play(state, "keep 4 4").prompt) == "{1} rolls 3 dice, roll 2 of 3."
    state = play(state, "keep 3 3 4 4", "roll 6")
    assert plain(state.prompt) == "{1} keeps dice and rolls the others, or scores. Roll 2 of 3."
    state = play(state, "keep 3 3 4 4")
    assert plain(state.prompt) == "{1} rolls one die, roll 3 of 3."
    assert plain(play(state, "roll 6").prompt) == "{1} scores the dice in a box."
    assert plain(at(FULL).prompt) == "Every sheet is full."


def test_the_dice_on_the_table_are_rolled_or_kept() -> None:
    state = at(sheet(), rolls=2, dice="33456")
    assert state.dice_view() == tuple(DieView("die", n, str(n), str(n), "rolled") for n in (3, 3, 4, 5, 6))
    assert play(state, "keep 3 3").dice_view() == (
        DieView("die", 3, "3", "3", "kept"),
        DieView("die", 3, "3", "3", "kept"),
    )
    assert play(state, "keep none").dice_view() == ()


def test_the_grids_show_the_sheets_with_all_their_lines_and_what_the_dice_would_score() -> None:
    mine = dict(zip(BOXES, BASICS[63], strict=False)) | {"straight": 30, "kismet": 0}
    state = at(sheet(**mine), sheet(aces=2), turn=2, rolls=1, dice="11666")
    assert state.grids() == (
        Grid(
            ("Basic", "{0}", "{1}", "now"),
            (
                ("Aces", "3", "2", ""),
                ("Deuces", "6", "", "0"),
                ("Treys", "9", "", "0"),
                ("Fours", "12", "", "0"),
                ("Fives", "15", "", "0"),
                ("Sixes", "18", "", "18"),
                ("Basic Total", "63", "2", ""),
                ("Bonus", "35", "0", ""),
                ("Basic and Bonus", "98", "2", ""),
            ),
        ),
        Grid(
            ("Kismet", "{0}", "{1}", "now"),
            (
                ("Two Pair Same Color", "", "", "20"),
                ("Three of a Kind", "", "", "20"),
                ("Straight", "30", "", "0"),
                ("Flush", "", "", "35"),
                ("Full House", "", "", "35"),
                ("Full House Same Color", "", "", "40"),
                ("Four of a Kind", "", "", "0"),
                ("Yarborough", "", "", "20"),
                ("Kismet", "0", "", "0"),
                ("Kismet Total", "30", "0", ""),
                ("Grand Total", "128", "2", ""),
            ),
        ),
    )


def test_the_column_for_the_dice_is_empty_while_they_roll() -> None:
    basic, kismet = at(sheet(aces=2), rolls=1, dice="1").grids()
    assert (basic.head, kismet.head) == (("Basic", "{0}", "now"), ("Kismet", "{0}", "now"))
    assert basic.rows[:2] == (("Aces", "2", ""), ("Deuces", "", ""))
    assert basic.rows[6] == ("Basic Total", "2", "")
    assert all(len(row) == 3 and row[2] == "" for row in (*basic.rows, *kismet.rows))


def test_the_view_gathers_it_all() -> None:
    state = at(sheet(0, aces="-"), FULL, rolls=3, dice="11234", options=NO_SECOND)
    view = state.view()
    assert (view.game, view.options, view.players) == ("kismet", "second_kismet=false", 2)
    assert (view.seat, view.roller, view.scores, view.result) == (0, 0, (0, 0), None)
    assert [(move.text, plain(move.label)) for move in view.moves] == [("score aces", "takes 2 in Aces. {0} wins!")]


# A casual player


def greedy(*sheets: str, rolls: int, dice: str, options: str = "") -> str:
    return KISMET.greedy(at(*sheets, rolls=rolls, dice=dice, options=options)).text


@pytest.mark.parametrize(
    ("rolls", "dice", "move"),
    [
        (1, "66666", "score kismet"),
        (1, "23456", "score straight"),
        (1, "33344", "score full-house-same-color"),
        (3, "13466", "score aces"),  # one ace is the least below par
        (1, "36666", "keep 6 6 6 6"),
    ],
)
def test_the_casual_player_takes_a_good_box_or_rolls_on(rolls: int, dice: str, move: str) -> None:
    assert greedy(sheet(), rolls=rolls, dice=dice) == move


@pytest.mark.parametrize(
    ("vacant", "rolls", "dice", "move"),
    [
        ("kismet", 2, "12266", "keep 6 6"),  # either pair is as likely to grow, but sixes pay more
        ("kismet", 2, "12346", "keep 6"),
        ("straight", 2, "23466", "keep 2 3 4 6"),
        ("straight", 1, "23455", "keep 2 3 4 5"),
        ("sixes", 1, "12266", "keep 6 6"),
        ("aces", 1, "11166", "keep 1 1 1"),
        ("yarborough", 2, "12366", "keep 6 6"),
        ("yarborough", 2, "12456", "keep 4 5 6"),  # a die is rolled again below 3.5
        ("yarborough", 1, "12456", "keep 5 6"),  # and below 4.25 with two rolls to come
        ("four-of-a-kind", 2, "11126", "keep 1 1 1"),
        ("flush", 2, "22556", "keep 2 2 5 5"),
        ("full-house", 2, "22556", "keep 2 2 5 5"),
    ],
)
def test_the_casual_player_rolls_for_the_last_box(vacant: str, rolls: int, dice: str, move: str) -> None:
    assert greedy(sheet(0, **{vacant.replace("-", "_"): "-"}), rolls=rolls, dice=dice) == move


def test_the_casual_player_knows_the_house_rules() -> None:
    vacant = sheet(0, full_house="-", yarborough="-")
    assert greedy(vacant, rolls=3, dice="11111") == "score full-house"
    assert greedy(vacant, rolls=3, dice="11111", options=STRICT) == "score yarborough"
