"""How KOR is written and told: positions, moves, tosses and their errors, the sentences of a game, what interfaces
get to draw, and what the casual player chooses. Sentences name a seat as `{0}`, `{1}`, …
"""

import re
from itertools import combinations_with_replacement

import pytest

import hotdice
from hotdice import IllegalMove, ImpossibleRoll, ParseError
from hotdice.games.kor.data import Following
from hotdice.games.kor.notation import possible_points
from hotdice.view import Bar, Grid, MoveView, Standing
from tests.games.naive_kor import FACES, NaiveKor
from tests.games.script import plain, play
from tests.games.test_kor_rules import kor

FIELDS = "scores, whose turn, who rolls (with a - in a penalty), phase, dice, points so far, leader or -"

# Positions


@pytest.mark.parametrize(
    "position",
    [
        "kor 0/0 1 1 toss 6 0 -",
        "kor(bank_roll=true) 0/-1000000/1000000 3 3 toss 6 1000000 -",
        "kor 0/0/0/0/0/0/0/0 8 8 toss 1 125 -",
        "kor 100/-75 1 2- toss 4 50 -",
        "kor 100/-75 1 1- toss 6 0 -",
        "kor 100/200/300 2 2 target 6 0 -",
        "kor 100/200/300 2 3- target 6 0 -",
        "kor 100/200 1 1 stop+dead-end 6 0 -",
        "kor 100/200 1 1 stop+u-turn 6 325 -",
        "kor 100/200 1 2- dead-end+u-turn 6 1000000 -",
        "kor 100/6000 2 2 over 6 0 -",
        "kor(bank_roll=true) 6100/0 1 1 toss 5 25 -",
        "kor(scoring=all,target=3000) 2975/0 1 1 toss 5 300 -",
        "kor(final_round=true) 6100/0/0 2 2 toss 6 0 1",
        "kor(final_round=true) 6100/6100/0 1 1 toss 6 0 -",
        "kor(final_round=true,target=25) 50/25 2 2 over 6 0 1",
    ],
)
def test_a_position_reads_back_as_it_was_written(position: str) -> None:
    state = hotdice.parse_position(position)
    assert state.position == str(state) == position


def test_a_position_says_everything_about_a_state() -> None:
    state = kor("100/-75/50 1 2- toss 4 50 3", "final_round=true")
    assert state.scores == (100, -75, 50)
    assert (state.seat, state.roller) == (hotdice.CHANCE, 1)
    board = state.board()
    assert (board.turn, board.penalty, board.dice, board.points, board.leader) == (0, True, 4, 50, 2)


@pytest.mark.parametrize(
    ("position", "column", "message"),
    [
        ("kor", 4, f"The position ends before the scores; its fields are {FIELDS}."),
        ("kor 0/0", 8, f"The position ends before a seat; its fields are {FIELDS}."),
        ("kor 0/0 1", 10, f"The position ends before the seat that rolls; its fields are {FIELDS}."),
        ("kor 0/0 1 1", 12, f"The position ends before a phase; its fields are {FIELDS}."),
        ("kor 0/0 1 1 toss", 17, f"The position ends before the number of dice; its fields are {FIELDS}."),
        ("kor 0/0 1 1 toss 6", 19, f"The position ends before the points so far; its fields are {FIELDS}."),
        (
            "kor 0/0 1 1 toss 6 0",
            21,
            f"The position ends before the seat that started the final round; its fields are {FIELDS}.",
        ),
        ("kor 0/0 1 1 toss 6 0 - 7", 24, f"“7” follows a complete position; its fields are {FIELDS}."),
        ("kor 0 1 1 toss 6 0 -", 5, "KOR, Keep On Rollin' takes 2 to 8 players; this position has 1."),
        ("kor 0/0/0/0/0/0/0/0/0 1 1 toss 6 0 -", 5, "KOR, Keep On Rollin' takes 2 to 8 players; this position has 9."),
        (
            "kor 0/10 1 1 toss 6 0 -",
            7,
            "“10” is not a score; expected a whole number from -1000000 to 1000000 in steps of 25.",
        ),
        (
            "kor 1000025/0 1 1 toss 6 0 -",
            5,
            "“1000025” is not a score; expected a whole number from -1000000 to 1000000 in steps of 25.",
        ),
        (
            "kor 0/0/-1000025 1 1 toss 6 0 -",
            9,
            "“-1000025” is not a score; expected a whole number from -1000000 to 1000000 in steps of 25.",
        ),
        ("kor 0/0 3 3 toss 6 0 -", 9, "“3” is not a seat; expected 1 or 2."),
        ("kor 0/0 0 1 toss 6 0 -", 9, "“0” is not a seat; expected 1 or 2."),
        ("kor 0/0 1 2 toss 6 0 -", 11, "“2” is not the seat that rolls; expected 1, 1- or 2-."),
        ("kor 0/0 2 3- toss 6 0 -", 11, "“3-” is not the seat that rolls; expected 2, 1- or 2-."),
        (
            "kor 0/0 1 1 jump 6 0 -",
            13,
            "“jump” is not a phase; expected toss, target, over, stop+dead-end, stop+u-turn or dead-end+u-turn.",
        ),
        ("kor 0/0 1 1 toss 0 0 -", 18, "“0” is not the number of dice; expected a whole number from 1 to 6."),
        ("kor 0/0 1 1 toss 7 0 -", 18, "“7” is not the number of dice; expected a whole number from 1 to 6."),
        ("kor 0/0 1 1 target 5 0 -", 20, "“5” is not the number of dice; it can only be 6 here."),
        ("kor 6000/0 1 1 over 5 0 -", 21, "“5” is not the number of dice; it can only be 6 here."),
        ("kor 0/0 1 1 stop+u-turn 5 25 -", 25, "“5” is not the number of dice; it can only be 6 here."),
        (
            "kor 0/0 1 1 toss 6 10 -",
            20,
            "“10” is not the points so far; expected a whole number from 0 to 1000000 in steps of 25.",
        ),
        (
            "kor 0/0 1 1 toss 6 1000025 -",
            20,
            "“1000025” is not the points so far; expected a whole number from 0 to 1000000 in steps of 25.",
        ),
        (
            "kor 0/0 1 1 toss 3 50 -",
            20,
            "“50” is not the points so far; expected a whole number from 75 to 1000000 in steps of 25.",
        ),
        (
            "kor 0/0 1 1 toss 1 100 -",
            20,
            "“100” is not the points so far; expected a whole number from 125 to 1000000 in steps of 25.",
        ),
        (
            "kor 0/0 1 1 target 6 25 -",
            22,
            "“25” is not the points so far; it can only be 0 here.",
        ),
        (
            "kor 6000/0 1 1 over 6 25 -",
            23,
            "“25” is not the points so far; it can only be 0 here.",
        ),
        ("kor 0/0 1 1 toss 6 0 1", 22, "“1” is not the seat that started the final round; it can only be - here."),
        (
            "kor(final_round=true) 0/0 1 1 toss 6 0 3",
            40,
            "“3” is not the seat that started the final round; expected -, 1 or 2.",
        ),
        ("kor 5975/0 1 1 over 6 0 -", 16, "A game is over when a turn ends with one player alone at 6,000 or more."),
        (
            "kor(final_round=true,target=500) 500/500 2 2 over 6 0 1",
            46,
            "A game is over when a turn ends with one player alone at 500 or more.",
        ),
    ],
)
def test_a_position_that_cannot_be_is_refused_where_it_goes_wrong(position: str, column: int, message: str) -> None:
    with pytest.raises(ParseError) as caught:
        hotdice.parse_position(position)
    assert str(caught.value) == message
    assert caught.value.column == column


def test_a_game_is_not_over_in_a_penalty() -> None:
    with pytest.raises(ParseError) as caught:
        hotdice.parse_position("kor 6000/0 1 2- over 6 0 -")
    assert caught.value.column == 17


# Moves


@pytest.mark.parametrize(
    ("typed", "text"),
    [
        ("follow stop", "follow stop"),
        ("f s", "follow stop"),
        ("Follow DEAD-END", "follow dead-end"),
        ("follow  d", "follow dead-end"),
        ("follow u", "follow u-turn"),
        ("target 1", "target 1"),
        ("t 8", "target 8"),
        (" TARGET  3 ", "target 3"),
    ],
)
def test_moves_are_read_in_full_or_short(typed: str, text: str) -> None:
    assert hotdice.load_game("kor").parse_move(typed).text == text


@pytest.mark.parametrize(
    ("typed", "column", "message"),
    [
        ("", 1, "Nothing was typed; a move starts with follow or target."),
        ("jump", 1, "“jump” is not a move of KOR, Keep On Rollin'; expected follow or target."),
        ("follow me", 8, "“me” is not a sign to follow; expected stop, dead-end or u-turn."),
        ("follow  stop now", 9, "“stop-now” is not a sign to follow; expected stop, dead-end or u-turn."),
        ("target 0", 8, "“0” is not a seat to target; expected a whole number from 1 to 8."),
        ("target  9", 9, "“9” is not a seat to target; expected a whole number from 1 to 8."),
        ("target me", 8, "“me” is not a seat to target; expected a whole number from 1 to 8."),
        ("target 1 2", 8, "“1 2” is not a seat to target; expected a whole number from 1 to 8."),
        ("target", 7, "Expected a seat to target here, a whole number from 1 to 8."),
    ],
)
def test_what_is_no_move_is_refused_where_it_goes_wrong(typed: str, column: int, message: str) -> None:
    with pytest.raises(ParseError) as caught:
        hotdice.load_game("kor").parse_move(typed)
    assert str(caught.value) == message
    assert caught.value.column == column


def test_follow_alone_is_told_the_signs() -> None:
    with pytest.raises(ParseError, match=r"^Expected a sign to follow here, such as stop\.$") as caught:
        hotdice.load_game("kor").parse_move("follow")
    assert caught.value.column == 7


@pytest.mark.parametrize(
    ("position", "move", "message"),
    [
        ("0/0/0 2 2 target 6 0 -", "target 2", "A U-TURN penalty goes to an opponent, not to yourself."),
        ("0/0/0 2 3- target 6 0 -", "target 3", "A U-TURN penalty goes to an opponent, not to yourself."),
        ("0/0/0 2 2 target 6 0 -", "target 4", "There is no seat 4 at this table."),
        (
            "0/0/0 2 2 target 6 0 -",
            "follow stop",
            "There is no sign to choose; name the opponent who serves the penalty.",
        ),
        ("0/0/0 2 2 stop+u-turn 6 0 -", "target 1", "First choose which of the two signs to follow."),
        ("0/0/0 2 2 stop+u-turn 6 0 -", "target 2", "First choose which of the two signs to follow."),
        ("0/0/0 2 2 stop+u-turn 6 0 -", "follow dead-end", "The toss does not show three dead-end signs."),
        ("0/0/0 2 2 dead-end+u-turn 6 0 -", "follow stop", "The toss does not show three stop signs."),
        ("0/0/0 2 2 stop+dead-end 6 0 -", "follow u-turn", "The toss does not show three u-turn signs."),
    ],
)
def test_an_illegal_move_is_refused_with_the_reason_and_the_legal_ones(position: str, move: str, message: str) -> None:
    state = kor(position)
    with pytest.raises(IllegalMove) as caught:
        state.apply(state.parse_move(move))
    assert str(caught.value) == f"{message} Legal: {', '.join(legal.text for legal in state.legal_moves())}."


def test_a_move_of_another_game_is_refused() -> None:
    state = kor("0/0 1 1 target 6 0 -")
    with pytest.raises(IllegalMove, match=r"^“pass” is not a legal move now\. Legal: target 2\.$"):
        state.apply(hotdice.load_game("bj").parse_move("pass"))


def test_no_move_is_legal_while_dice_are_due_or_after_the_end() -> None:
    state = kor("0/0 1 1 toss 6 0 -")
    with pytest.raises(IllegalMove, match=r"^“target 2” has to wait: the dice are to be rolled first\.$"):
        state.apply(state.parse_move("target 2"))
    state = kor("6000/0 1 1 over 6 0 -")
    with pytest.raises(IllegalMove, match=r"^The game is over; no move is left to make\.$"):
        state.apply(state.parse_move("target 2"))


def test_the_actions_are_three_signs_and_a_seat_each() -> None:
    state = kor("0/0/0 2 2 target 6 0 -")
    assert state.game.actions(state.options, 3) == tuple(state.game.moves(state.options, 3))
    assert [move.text for move in state.game.moves(state.options, 3)] == [
        "follow stop",
        "follow dead-end",
        "follow u-turn",
        "target 1",
        "target 2",
        "target 3",
    ]
    assert state.mask() == (False, False, False, True, False, True)
    assert kor("0/0/0 2 2 stop+u-turn 6 0 -").mask() == (True, False, True, False, False, False)


# Tosses


@pytest.mark.parametrize("typed", ["25 50 S S D U", "u,d,s,s,50,25", "ssdu2550", "Stop stop DEAD-END u-turn 50 25"])
def test_a_toss_is_typed_in_any_order_and_written_in_one(typed: str) -> None:
    game = hotdice.load_game("kor")
    assert game.roll_text(game.parse_roll(typed)) == "S S D U 25 50"


@pytest.mark.parametrize("typed", ["dead uturn", "D U", "dead-end u-turn"])
def test_signs_have_other_names(typed: str) -> None:
    game = hotdice.load_game("kor")
    assert game.roll_text(game.parse_roll(typed)) == "D U"


def test_another_face_is_refused() -> None:
    message = "“75” is not a roll of these dice; their faces are S, D, U, 25, 50, 100."
    with pytest.raises(ParseError, match=f"^{re.escape(message)}$") as caught:
        hotdice.load_game("kor").parse_roll("25 75 S")
    assert caught.value.column == 4


@pytest.mark.parametrize("toss", ["S S D D U", "S S D D U U 25"])
def test_too_few_or_too_many_dice_are_refused(toss: str) -> None:
    state = kor("0/0 1 1 toss 6 0 -")
    message = f"“{toss}” is not a roll of the dice in hand; it takes 6 of them, such as S S S S S S."
    with pytest.raises(ImpossibleRoll, match=f"^{message}$"):
        state.roll(state.parse_roll(toss))


@pytest.mark.parametrize(
    ("position", "message"),
    [
        ("0/0 1 1 target 6 0 -", "No dice are to be rolled now; a move is due."),
        ("0/0 1 1 stop+u-turn 6 0 -", "No dice are to be rolled now; a move is due."),
        ("6000/0 1 1 over 6 0 -", "The game is over; no dice are to be rolled."),
    ],
)
def test_no_dice_are_rolled_while_a_move_is_due_or_after_the_end(position: str, message: str) -> None:
    state = kor(position)
    assert len(state.outcomes()) == 0
    with pytest.raises(ImpossibleRoll, match=f"^{message}$"):
        state.roll(state.parse_roll("S S D D U U"))


# Sentences


@pytest.mark.parametrize(
    ("rules", "position", "toss", "told"),
    [
        (
            "",
            "0/0 1 1 toss 6 225 -",
            "25 100 S S D U",
            "tosses STOP, STOP, DEAD END, U-TURN, 25, 100 and sets 100 aside: 325 so far.",
        ),
        (
            "",
            "0/0 1 2- toss 6 0 -",
            "25 25 S S D U",
            "tosses STOP, STOP, DEAD END, U-TURN, 25, 25 and sets 25 aside: 25 so far.",
        ),
        (
            "scoring=all",
            "0/0 1 1 toss 6 225 -",
            "25 50 100 S D U",
            "tosses STOP, DEAD END, U-TURN, 25, 50, 100 and sets 100 aside, scoring 175: 400 so far.",
        ),
        (
            "",
            "0/0 1 1 toss 1 300 -",
            "50",
            "tosses 50 and sets 50 aside: 350 so far. All six roll again.",
        ),
        ("", "0/0 1 1 toss 2 300 -", "D U", "tosses DEAD END, U-TURN: no number ends the turn, 300 points are scored."),
        (
            "",
            "0/0 1 2- toss 2 300 -",
            "D U",
            "tosses DEAD END, U-TURN: no number ends the penalty, 300 points are subtracted.",
        ),
        ("", "0/0 1 1 toss 3 300 -", "S S S", "tosses STOP, STOP, STOP: STOP, 300 points are scored."),
        ("", "0/0 1 2- toss 3 300 -", "S S S", "tosses STOP, STOP, STOP: STOP, 300 points are subtracted."),
        (
            "",
            "50/0 1 1 toss 3 300 -",
            "D D D",
            "tosses DEAD END, DEAD END, DEAD END: DEAD END, the 300 points are lost.",
        ),
        (
            "",
            "0/50 1 2- toss 3 300 -",
            "D D D",
            "tosses DEAD END, DEAD END, DEAD END: DEAD END, no points are subtracted.",
        ),
        (
            "",
            "50/0 1 1 toss 3 300 -",
            "U U U",
            "tosses U-TURN, U-TURN, U-TURN: U-TURN, 300 points are scored, and somebody is sent driving backwards.",
        ),
        (
            "",
            "0/50 1 2- toss 3 300 -",
            "U U U",
            "tosses U-TURN, U-TURN, U-TURN: U-TURN, 300 points are subtracted, and somebody is sent driving backwards.",
        ),
        (
            "",
            "0/0 1 1 toss 6 300 -",
            "S S S D D D",
            "tosses STOP, STOP, STOP, DEAD END, DEAD END, DEAD END: three STOP and three DEAD END, a choice.",
        ),
        (
            "",
            "0/0 1 2- toss 6 0 -",
            "S S S U U U",
            "tosses STOP, STOP, STOP, U-TURN, U-TURN, U-TURN: three STOP and three U-TURN, a choice.",
        ),
        (
            "bank_roll=true",
            "0/0 1 1 toss 6 825 -",
            "100 25 50 50 25 100",
            "tosses 25 25 50 50 100 100: a Bank Roll! Banks 1,175 at once, and rolls on.",
        ),
        (
            "bank_roll=true",
            "0/0 1 2- toss 6 825 -",
            "100 25 50 50 25 100",
            "tosses 25 25 50 50 100 100: a Bank Roll! Loses 1,175 at once, and rolls on.",
        ),
        (
            "bank_roll=true",
            "0/0 1 1 toss 5 825 -",
            "100 25 50 50 25",
            "tosses 25 25 50 50 100 and sets 100 aside: 925 so far.",
        ),
        (
            "",
            "0/0 1 1 toss 6 825 -",
            "100 25 50 50 25 100",
            "tosses 25 25 50 50 100 100 and sets 100 aside: 925 so far.",
        ),
        ("", "0/5900 2 2 toss 1 200 -", "S", "tosses STOP: no number ends the turn, 200 points are scored. {1} wins!"),
        (
            "",
            "0/5900 2 2 toss 3 200 -",
            "U U U",
            "tosses U-TURN, U-TURN, U-TURN: U-TURN, 200 points are scored. {1} wins!",
        ),
        (
            "final_round=true",
            "0/5900 2 2 toss 3 200 -",
            "S S S",
            "tosses STOP, STOP, STOP: STOP, 200 points are scored. {1} stands at 6,100: the final round begins.",
        ),
        (
            "final_round=true",
            "6100/5900 2 2 toss 3 100 1",
            "S S S",
            "tosses STOP, STOP, STOP: STOP, 100 points are scored. {0} wins!",
        ),
        (
            "final_round=true",
            "6100/5900 2 2 toss 3 200 1",
            "S S S",
            "tosses STOP, STOP, STOP: STOP, 200 points are scored. The final round is undecided, and play goes on.",
        ),
        (
            "final_round=true",
            "6100/5900 2 1- toss 3 200 1",
            "S S S",
            "tosses STOP, STOP, STOP: STOP, 200 points are subtracted. The final round is undecided, and play goes on.",
        ),
        (
            "final_round=true",
            "6100/6300/0 2 2 toss 3 200 1",
            "S S S",
            "tosses STOP, STOP, STOP: STOP, 200 points are scored.",
        ),
    ],
)
def test_a_toss_is_told_with_what_it_brings_about(rules: str, position: str, toss: str, told: str) -> None:
    state = kor(position, rules)
    assert plain(state.tell_roll(state.parse_roll(toss))) == told


@pytest.mark.parametrize(
    ("rules", "position", "move", "told"),
    [
        ("", "0/0/0 1 1 target 6 0 -", "target 3", "sends {2} on a U-TURN: what they roll now is subtracted."),
        ("", "0/0 1 1 stop+u-turn 6 300 -", "follow stop", "follows STOP, 300 points are scored."),
        (
            "",
            "0/0 1 1 stop+u-turn 6 300 -",
            "follow u-turn",
            "follows U-TURN, 300 points are scored, and somebody is sent driving backwards.",
        ),
        ("", "0/0 1 1 stop+dead-end 6 300 -", "follow dead-end", "follows DEAD END, the 300 points are lost."),
        ("", "0/0 1 2- stop+u-turn 6 300 -", "follow stop", "follows STOP, 300 points are subtracted."),
        (
            "",
            "0/0 1 2- stop+u-turn 6 300 -",
            "follow u-turn",
            "follows U-TURN, 300 points are subtracted, and somebody is sent driving backwards.",
        ),
        (
            "",
            "0/0 1 2- stop+dead-end 6 300 -",
            "follow dead-end",
            "follows DEAD END, no points are subtracted.",
        ),
        (
            "",
            "5700/0 1 1 stop+u-turn 6 300 -",
            "follow u-turn",
            "follows U-TURN, 300 points are scored. {0} wins!",
        ),
        (
            "",
            "5700/0 1 1 stop+dead-end 6 300 -",
            "follow dead-end",
            "follows DEAD END, the 300 points are lost.",
        ),
        (
            "final_round=true",
            "6000/0 2 2 stop+u-turn 6 300 1",
            "follow stop",
            "follows STOP, 300 points are scored. {0} wins!",
        ),
        (
            "final_round=true",
            "6000/0 2 2 stop+u-turn 6 300 1",
            "follow u-turn",
            "follows U-TURN, 300 points are scored, and somebody is sent driving backwards.",
        ),
        (
            "final_round=true",
            "5700/0 1 1 stop+u-turn 6 300 -",
            "follow u-turn",
            (
                "follows U-TURN, 300 points are scored, and somebody is sent driving backwards. "
                "{0} stands at 6,000: the final round begins."
            ),
        ),
    ],
)
def test_a_move_is_told_with_what_it_brings_about(rules: str, position: str, move: str, told: str) -> None:
    state = kor(position, rules)
    assert plain(state.tell_move(state.parse_move(move))) == told


def test_a_move_of_another_game_cannot_be_told() -> None:
    state = kor("0/0 1 1 target 6 0 -")
    with pytest.raises(IllegalMove, match=r"^“pass” is not a legal move now\."):
        plain(state.tell_move(hotdice.load_game("bj").parse_move("pass")))


@pytest.mark.parametrize(
    ("rules", "position", "prompt"),
    [
        ("", "0/0 1 1 toss 6 0 -", "{0} tosses 6 dice, with 0 points so far."),
        ("", "0/0 2 2 toss 1 325 -", "{1} tosses 1 die, with 325 points so far."),
        ("", "0/0 1 2- toss 2 100 -", "{1} serves a penalty and tosses 2 dice, with 100 points so far."),
        ("", "0/0 1 1 stop+u-turn 6 225 -", "{0} chooses which sign to follow, with 225 points so far."),
        ("", "0/0 1 2- stop+u-turn 6 225 -", "{1} chooses which sign to follow, with 225 points so far."),
        ("", "0/0 1 1 target 6 0 -", "{0} names the opponent who serves the U-TURN penalty."),
        ("", "0/0 1 2- target 6 0 -", "{1} names the opponent who serves the U-TURN penalty."),
        ("", "0/6000 2 2 over 6 0 -", "{1} has won."),
        (
            "final_round=true",
            "6000/0 2 2 toss 6 0 1",
            "{1} tosses 6 dice, with 0 points so far. Final round.",
        ),
        (
            "final_round=true",
            "6000/0 2 1- toss 6 0 1",
            "{0} serves a penalty and tosses 6 dice, with 0 points so far. Final round.",
        ),
        ("final_round=true", "6025/6000 2 2 over 6 0 1", "{0} has won."),
    ],
)
def test_the_prompt_says_what_is_to_happen(rules: str, position: str, prompt: str) -> None:
    assert plain(kor(position, rules).prompt) == prompt


def test_the_result_names_the_winner_and_ranks_the_others() -> None:
    result = play(kor("400/5750/400/500 2 2 toss 6 250 -"), "S S D D U U").result
    assert result is not None
    assert result.winners == (1,)
    assert result.reason == "6,000 or more at the end of a turn."
    assert result.standings == (
        Standing(1, 1, 6000),
        Standing(3, 2, 500),
        Standing(0, 3, 400),
        Standing(2, 3, 400),
    )


def test_the_result_of_a_final_round_says_so() -> None:
    result = kor("500/600 2 2 over 6 0 1", "final_round=true,target=500").result
    assert result is not None
    assert result.winners == (1,)
    assert result.reason == "500 or more after the final round."


# What interfaces draw


def test_the_score_sheet_shows_everybody_on_the_way_to_the_target() -> None:
    head = ("Player", "Score", "of 3,000")
    rows = (("{0}", "100", Bar(100, 3000)), ("{1}", "-1,075", Bar(-1075, 3000)))
    assert kor("100/-1075 1 1 toss 6 0 -", "target=3000").grids() == (Grid(head, rows),)


def test_the_board_shows_the_turn_and_the_final_round() -> None:
    board = kor("500/0 2 1- stop+u-turn 6 225 1", "final_round=true,target=500").board()
    assert (board.target, board.turn, board.penalty, board.points, board.dice) == (500, 1, True, 225, 6)
    assert (board.leader, board.signs) == (0, ("S", "U"))
    board = kor("0/0 1 1 toss 2 300 -").board()
    assert (board.target, board.turn, board.penalty, board.points, board.dice) == (6000, 0, False, 300, 2)
    assert (board.leader, board.signs) == (-1, ())


def test_the_view_shows_the_moves_with_their_sentences() -> None:
    view = kor("0/0 1 1 stop+dead-end 6 300 -").view()
    assert view.moves == (
        MoveView("follow stop", "{0:follows|follow} STOP, 300 points are scored.", Following("S")),
        MoveView("follow dead-end", "{0:follows|follow} DEAD END, the 300 points are lost.", Following("D")),
    )
    assert (view.game, view.seat, view.roller, view.scores) == ("kor", 0, 0, (0, 0))


# The casual player


@pytest.mark.parametrize(
    ("position", "choice", "why"),
    [
        ("100/900/300 2 2 target 6 0 -", "target 3", "the best opponent"),
        ("300/900/100 2 2 target 6 0 -", "target 1", "the best opponent"),
        ("-300/0/-100 1 2- target 6 0 -", "target 3", "the best opponent"),
        ("100/0/100 2 2 target 6 0 -", "target 1", "the first of the best"),
        ("-150/0 1 1 stop+dead-end 6 200 -", "follow stop", "points are kept"),
        ("-150/0 1 1 stop+u-turn 6 200 -", "follow u-turn", "and somebody else suffers"),
        ("-150/0 1 1 dead-end+u-turn 6 200 -", "follow u-turn", "points are kept"),
        ("0/150 1 2- stop+dead-end 6 200 -", "follow dead-end", "nothing is subtracted"),
        ("0/150 1 2- stop+u-turn 6 200 -", "follow u-turn", "somebody else suffers too"),
        ("0/150 1 2- dead-end+u-turn 6 200 -", "follow dead-end", "nothing is subtracted"),
        ("1050/100/100 2 1- dead-end+u-turn 6 200 -", "follow dead-end", "nothing is subtracted from a leader"),
        ("0/0 1 2- dead-end+u-turn 6 0 -", "follow u-turn", "costs nothing and somebody else suffers"),
        ("5800/0 1 1 dead-end+u-turn 6 200 -", "follow u-turn", "wins"),
    ],
)
def test_the_casual_player_races_for_the_lead(position: str, choice: str, why: str) -> None:
    state = kor(position)
    assert state.game.greedy(state).text == choice, why


@pytest.mark.parametrize(
    ("position", "why"),
    [
        ("kor 0/0 1 1 stop+u-turn 6 25 -", "No turn has 25 points with six dice to toss; it can have 0 or 150."),
        ("kor 0/0 1 2- toss 6 125 -", "No turn has 125 points with six dice to toss; it can have 0 or 150."),
        ("kor 0/0 1 1 toss 6 150 -", None),
        ("kor 0/0 1 1 toss 5 75 -", "No turn has 75 points with five dice to toss; it can have 50 or 100."),
        ("kor 0/0 1 1 toss 5 150 -", "it can have 100 or 175."),
        ("kor 0/0 1 1 toss 4 175 -", "it can have 150 or 200."),
        ("kor(scoring=all) 0/0 1 1 toss 5 150 -", None),
        ("kor(bank_roll=true,scoring=all) 0/0 1 1 toss 6 125 -", "it can have 0 or 150."),
        ("kor(final_round=true) 6000/0 1 1 target 6 0 -", "Whoever ends a turn at 6,000 or more has started"),
    ],
)
def test_points_that_no_turn_has_are_refused(position: str, why: str | None) -> None:
    """A die set aside brings 25, 50 or 100, and six of them are set aside until there are six dice again."""
    if why is None:
        assert hotdice.parse_position(position).position == position
    else:
        with pytest.raises(ParseError, match=re.escape(why)):
            hotdice.parse_position(position)


@pytest.mark.parametrize("scoring", ["highest", "all"])
@pytest.mark.parametrize("bank_roll", [False, True])
def test_the_points_that_a_turn_can_have_are_those_of_all_its_tosses(scoring: str, bank_roll: bool) -> None:
    """By tosses as the model of the rules has them, from the first one on."""
    seen = {(6, 0)}
    waiting = [(6, 0)]
    while waiting:
        hand, pot = waiting.pop()
        for toss in combinations_with_replacement(FACES, hand):
            naive = NaiveKor(2, bank_roll=bank_roll, scoring=scoring)
            naive.hand, naive.pot = hand, pot
            naive.toss(toss)
            found = (naive.hand, naive.pot)
            if naive.who == 0 and naive.dice() and naive.pot < 400 and found not in seen:
                seen.add(found)
                waiting.append(found)
    possible = possible_points(scoring, bank_roll)
    assert seen == {(dice, points) for dice in range(1, 7) for points in possible[dice] if points < 400}


@pytest.mark.parametrize(
    ("position", "why"),
    [
        ("kor 6000/0 2 2 over 6 0 -", "one player alone at 6,000"),
        ("kor 6000/0 1 1 over 6 0 -", None),
        ("kor 6000/6000 1 1 over 6 0 -", "one player alone at 6,000"),
        ("kor 5975/0 1 1 over 6 0 -", "one player alone at 6,000"),
        ("kor(final_round=true) 6000/0 1 1 over 6 0 -", "one player alone at 6,000"),
        ("kor(final_round=true) 6000/0 1 1 over 6 0 2", None),
        ("kor(final_round=true) 6000/0 1 1 over 6 0 1", "one player alone at 6,000"),
        ("kor(final_round=true) 6000/0 1 1 toss 6 0 1", "no turn in it"),
        ("kor(final_round=true) 6000/0 1 2- toss 6 0 1", None),
        ("kor(final_round=true) 6000/0 1 1 target 6 0 1", None),
        ("kor 7000/5975 2 2 toss 6 175 -", "has 6,000 already"),
        ("kor 0/6000 2 2 toss 6 175 -", "has 6,000 already"),
        ("kor(bank_roll=true) 0/6000 2 2 toss 6 175 -", None),
        ("kor(bank_roll=true) 0/6000 2 2 stop+u-turn 6 175 -", None),
        ("kor(bank_roll=true) 0/6000 2 2 target 6 0 -", "has 6,000 already"),
        ("kor(bank_roll=true) 0/6000 2 2- toss 6 175 -", "has 6,000 already"),
        ("kor(bank_roll=true) 6000/0 2 2 toss 6 175 -", "has 6,000 already"),
        ("kor(final_round=true) 6000/6000 2 2 toss 6 175 -", None),
    ],
)
def test_an_end_that_cannot_be_is_refused(position: str, why: str | None) -> None:
    if why is None:
        assert hotdice.parse_position(position).position == position
    else:
        with pytest.raises(ParseError, match=why):
            hotdice.parse_position(position)
