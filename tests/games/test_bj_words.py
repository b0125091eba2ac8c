"""How BJ's dice is written and told: positions, moves, tosses and their errors, the sentences of a game, what
interfaces get to draw, and what the casual player chooses. Sentences name a seat as `{0}`, `{1}`, …
"""

from itertools import product

import pytest

import hotdice
from hotdice import IllegalMove, ImpossibleRoll, ParseError
from hotdice.games.bj.data import Passing
from hotdice.view import Bar, Grid, MoveView
from tests.games.naive_bj import FACES, readings
from tests.games.script import plain, play
from tests.games.test_bj_rules import NOTHING, bj

FIELDS = "scores, whose turn, phase, dice to roll, points at risk, safe points, starter of the last round or -"

# Positions


@pytest.mark.parametrize(
    "position",
    [
        "bj 0/0 1 toss 6 0 0 -",
        "bj 0/1000000/50 3 toss 6 1000000 1000000 2",
        "bj 0/0/0/0/0/0/0/0 8 toss 1 250 0 -",
        "bj 100/0 2 decide 1 350 0 -",
        "bj 100/0 1 decide 6 400 500 -",
        "bj 5050/0 2 decide 5 50 0 1",
        "bj 5050/0 2 over 6 0 0 1",
        "bj 0/0/5050 2 over 6 0 0 3",
        "bj(dice=5) 0/0 1 toss 5 0 0 -",
        "bj(bust=all_dice,dice=5,target=500) 550/0 2 over 5 0 0 1",
    ],
)
def test_a_position_reads_back_as_it_was_written(position: str) -> None:
    state = hotdice.parse_position(position)
    assert state.position == str(state) == position


def test_a_position_says_everything_about_a_state() -> None:
    state = bj("100/5050 1 toss 4 450 500 2")
    assert state.scores == (100, 5050)
    assert (state.seat, state.roller) == (hotdice.CHANCE, 0)
    board = state.board()
    assert (board.dice, board.at_risk, board.safe, board.to_beat) == (4, 450, 500, 1)
    assert bj("100/5050 1 decide 4 450 500 2").seat == 0
    assert bj("100/5050 1 over 6 0 0 2").seat == hotdice.OVER


@pytest.mark.parametrize(
    ("position", "column", "message"),
    [
        ("bj", 3, f"The position ends before the scores; its fields are {FIELDS}."),
        ("bj 0/0", 7, f"The position ends before a seat; its fields are {FIELDS}."),
        ("bj 0/0 1", 9, f"The position ends before a phase; its fields are {FIELDS}."),
        ("bj 0/0 1 toss", 14, f"The position ends before the number of dice; its fields are {FIELDS}."),
        ("bj 0/0 1 toss 6", 16, f"The position ends before the points at risk; its fields are {FIELDS}."),
        ("bj 0/0 1 toss 6 0", 18, f"The position ends before the safe points; its fields are {FIELDS}."),
        (
            "bj 0/0 1 toss 6 0 0",
            20,
            f"The position ends before the seat that started the last round; its fields are {FIELDS}.",
        ),
        ("bj 0/0 1 toss 6 0 0 - 1", 23, f"“1” follows a complete position; its fields are {FIELDS}."),
        ("bj 0 1 toss 6 0 0 -", 4, "BJ's dice takes 2 to 8 players; this position has 1."),
        ("bj 0/0/0/0/0/0/0/0/0 1 toss 6 0 0 -", 4, "BJ's dice takes 2 to 8 players; this position has 9."),
        ("bj 0/25 1 toss 6 0 0 -", 6, "“25” is not a score; expected a whole number from 0 to 1000000 in steps of 50."),
        (
            "bj -50/0 1 toss 6 0 0 -",
            4,
            "“-50” is not a score; expected a whole number from 0 to 1000000 in steps of 50.",
        ),
        (
            "bj 1000050/0 1 toss 6 0 0 -",
            4,
            "“1000050” is not a score; expected a whole number from 0 to 1000000 in steps of 50.",
        ),
        ("bj 0/0 3 toss 6 0 0 -", 8, "“3” is not a seat; expected 1 or 2."),
        ("bj 0/0 1 pass 6 0 0 -", 10, "“pass” is not a phase; expected toss, decide or over."),
        ("bj 0/0 1 toss 0 50 0 -", 15, "“0” is not the number of dice; expected a whole number from 1 to 6."),
        ("bj 0/0 1 toss 7 0 0 -", 15, "“7” is not the number of dice; expected a whole number from 1 to 6."),
        ("bj(dice=5) 0/0 1 toss 6 0 0 -", 23, "“6” is not the number of dice; expected a whole number from 1 to 5."),
        ("bj 5050/0 2 over 5 0 0 1", 18, "“5” is not the number of dice; it can only be 6 here."),
        (
            "bj 0/0 1 toss 6 25 0 -",
            17,
            "“25” is not the points at risk; expected a whole number from 0 to 1000000 in steps of 50.",
        ),
        (
            "bj 0/0 1 toss 5 0 0 -",
            17,
            "One frozen die cannot have brought 0 points.",
        ),
        (
            "bj 0/0 1 decide 6 0 500 -",
            19,
            "6 frozen dice cannot have brought 0 points.",
        ),
        (
            "bj 0/0 1 toss 6 1000050 0 -",
            17,
            "“1000050” is not the points at risk; expected a whole number from 0 to 1000000 in steps of 50.",
        ),
        (
            "bj 5050/0 2 over 6 50 0 1",
            20,
            "“50” is not the points at risk; it can only be 0 here.",
        ),
        (
            "bj 0/0 1 toss 6 0 50 -",
            19,
            "“50” is not the safe points; expected a whole number from 0 to 1000000 in steps of 500.",
        ),
        (
            "bj 0/0 1 toss 6 500 1000500 -",
            21,
            "“1000500” is not the safe points; expected a whole number from 0 to 1000000 in steps of 500.",
        ),
        (
            "bj 5050/0 2 over 6 0 500 1",
            22,
            "“500” is not the safe points; it can only be 0 here.",
        ),
        ("bj 0/0 1 toss 6 0 0 3", 21, "“3” is not the seat that started the last round; expected -, 1 or 2."),
        (
            "bj 5050/0 1 over 6 0 0 1",
            24,
            "The game is over only when the last round has come round to its starter.",
        ),
        (
            "bj 5050/0 2 over 6 0 0 -",
            24,
            "The game is over only when the last round has come round to its starter.",
        ),
        ("bj 5050/0 1 toss 6 0 0 1", 24, "Whoever started the last round has no turn in it."),
        ("bj 5050/0 1 decide 5 50 0 1", 27, "Whoever started the last round has no turn in it."),
    ],
)
def test_a_position_that_cannot_be_is_refused_where_it_goes_wrong(position: str, column: int, message: str) -> None:
    with pytest.raises(ParseError) as caught:
        hotdice.parse_position(position)
    assert str(caught.value) == message
    assert caught.value.column == column


# Moves


@pytest.mark.parametrize(
    ("typed", "text"), [("roll", "roll"), ("r", "roll"), (" Pass ", "pass"), ("p", "pass"), ("PA", "pass")]
)
def test_moves_are_read_in_full_or_short(typed: str, text: str) -> None:
    assert hotdice.load_game("bj").parse_move(typed).text == text


@pytest.mark.parametrize(
    ("typed", "column", "message"),
    [
        ("", 1, "Nothing was typed; a move starts with roll or pass."),
        ("hold", 1, "“hold” is not a move of BJ's dice; expected roll or pass."),
        ("roll 6", 6, "“roll” stands alone; leave out “6”."),
        ("pass  it", 7, "“pass” stands alone; leave out “it”."),
    ],
)
def test_what_is_no_move_is_refused_where_it_goes_wrong(typed: str, column: int, message: str) -> None:
    with pytest.raises(ParseError) as caught:
        hotdice.load_game("bj").parse_move(typed)
    assert str(caught.value) == message
    assert caught.value.column == column


def test_a_move_of_another_game_is_refused() -> None:
    state = bj("0/0 1 decide 5 50 0 -")
    with pytest.raises(IllegalMove, match=r"^“target 2” is not a legal move now\. Legal: roll, pass\.$"):
        state.apply(hotdice.load_game("kor").parse_move("target 2"))


@pytest.mark.parametrize("move", ["roll", "pass"])
def test_no_move_is_legal_while_dice_are_due_or_after_the_end(move: str) -> None:
    state = bj("0/0 1 toss 5 50 0 -")
    with pytest.raises(IllegalMove, match=f"^“{move}” has to wait: the dice are to be rolled first\\.$"):
        state.apply(state.parse_move(move))
    state = bj("5050/0 2 over 6 0 0 1")
    with pytest.raises(IllegalMove, match=r"^The game is over; no move is left to make\.$"):
        state.apply(state.parse_move(move))


def test_the_actions_are_roll_and_pass() -> None:
    state = bj("0/0 1 decide 5 50 0 -")
    assert [move.text for move in state.game.actions(state.options, 2)] == ["roll", "pass"]
    assert state.mask() == (True, True)
    assert bj("0/0 1 toss 6 0 0 -").mask() == (False, False)


# Tosses


def test_too_few_or_too_many_dice_are_refused() -> None:
    state = bj("0/0 1 toss 3 150 0 -")
    for toss in ("1 1", "1 1 1 1"):
        message = f"“{toss}” is not a roll of the dice in hand; it takes 3 of them, such as 1 1 1."
        with pytest.raises(ImpossibleRoll, match=f"^{message}$"):
            state.roll(state.parse_roll(toss))


def test_no_dice_are_rolled_while_a_move_is_due_or_after_the_end() -> None:
    state = bj("0/0 1 decide 6 300 500 -")
    assert len(state.outcomes()) == 0
    with pytest.raises(ImpossibleRoll, match=r"^No dice are to be rolled now; a move is due\.$"):
        state.roll(state.parse_roll(NOTHING))
    state = bj("5050/0 2 over 6 0 0 1")
    with pytest.raises(ImpossibleRoll, match=r"^The game is over; no dice are to be rolled\.$"):
        state.roll(state.parse_roll(NOTHING))


# Sentences

LAST_ROUND = "The last round begins: everybody else has one more turn."


@pytest.mark.parametrize(
    ("rules", "position", "toss", "told"),
    [
        (
            "",
            "0/0 1 toss 6 0 0 -",
            "1 5 2 3 4 6",
            "rolls 1 2 3 4 5 6: 150 points freeze 2 dice, 150 at risk.",
        ),
        ("", "0/0 1 toss 4 450 500 -", "5 2 3 3", "rolls 2 3 3 5: 50 points freeze 1 die, 500 at risk."),
        (
            "",
            "0/0 1 toss 2 200 0 -",
            "1 5",
            "rolls 1 5: 150 points freeze 2 dice, the last: 500 more are safe, 350 at risk. All dice may roll again.",
        ),
        ("", "0/0 1 toss 6 0 0 -", NOTHING, "rolls 2 2 3 4 6 6: nothing scores, the turn ends with 0."),
        (
            "",
            "0/0 1 toss 2 200 0 -",
            "2 3",
            "rolls 2 3: nothing scores, the turn ends with 0, and 200 are lost.",
        ),
        (
            "",
            "100/0 1 toss 2 550 500 -",
            "2 3",
            "rolls 2 3: nothing scores, the turn ends with 500, and 550 are lost.",
        ),
        (
            "bust=all_dice",
            "100/0 1 toss 2 550 500 -",
            "2 3",
            "rolls 2 3: nothing scores, the turn ends with 1,050.",
        ),
        (
            "",
            "4900/0 1 toss 1 550 500 -",
            "2",
            f"rolls 2: nothing scores, the turn ends with 500, and 550 are lost. {LAST_ROUND}",
        ),
        (
            "",
            "5050/5000 2 toss 2 200 0 1",
            "2 3",
            "rolls 2 3: nothing scores, the turn ends with 0, and 200 are lost. {0} wins!",
        ),
        (
            "",
            "5050/5000 2 toss 2 550 500 1",
            "2 3",
            "rolls 2 3: nothing scores, the turn ends with 500, and 550 are lost. {1} wins!",
        ),
        (
            "",
            "5050/5000/0 2 toss 2 200 0 1",
            "2 3",
            "rolls 2 3: nothing scores, the turn ends with 0, and 200 are lost.",
        ),
    ],
)
def test_a_toss_is_told_with_what_it_brings_about(rules: str, position: str, toss: str, told: str) -> None:
    state = bj(position, rules)
    assert plain(state.tell_roll(state.parse_roll(toss))) == told


@pytest.mark.parametrize(
    ("position", "move", "told"),
    [
        ("0/0 1 decide 4 150 0 -", "roll", "rolls 4 dice."),
        ("0/0 1 decide 1 250 0 -", "roll", "rolls 1 die."),
        ("100/0 1 decide 4 150 0 -", "pass", "passes and keeps 150, for 250 in all."),
        ("100/0 1 decide 4 800 1000 -", "pass", "passes and keeps 1,800, for 1,900 in all."),
        (
            "4900/0 1 decide 4 150 0 -",
            "pass",
            f"passes and keeps 150, for 5,050 in all. {LAST_ROUND}",
        ),
        ("5050/0 2 decide 4 150 0 1", "pass", "passes and keeps 150, for 150 in all. {0} wins!"),
        ("5050/5000 2 decide 4 150 0 1", "pass", "passes and keeps 150, for 5,150 in all. {1} wins!"),
        ("5050/5000/0 2 decide 4 150 0 1", "pass", "passes and keeps 150, for 5,150 in all."),
    ],
)
def test_a_move_is_told_with_what_it_brings_about(position: str, move: str, told: str) -> None:
    state = bj(position)
    assert plain(state.tell_move(state.parse_move(move))) == told


@pytest.mark.parametrize(
    ("position", "prompt"),
    [
        ("0/0 1 toss 6 0 0 -", "{0} rolls 6 dice."),
        ("0/0 2 toss 1 250 0 -", "{1} rolls 1 die."),
        ("0/0 2 decide 1 250 0 -", "{1} rolls 1 die or passes. At risk: 250. Safe: 0."),
        ("0/0 1 decide 6 400 500 -", "{0} rolls 6 dice or passes. At risk: 400. Safe: 500."),
        ("5050/0 2 toss 6 0 0 1", "{1} rolls 6 dice. Last round."),
        ("5050/0 2 decide 3 150 0 1", "{1} rolls 3 dice or passes. At risk: 150. Safe: 0. Last round."),
        ("0/5050 1 over 6 0 0 2", "{1} has won."),
        ("5050/5050 1 over 6 0 0 2", "{1} has won."),
    ],
)
def test_the_prompt_says_what_is_to_happen(position: str, prompt: str) -> None:
    assert plain(bj(position).prompt) == prompt


# What interfaces draw


def test_the_score_sheet_shows_everybody_on_the_way_to_the_target() -> None:
    head = ("Player", "Score", "of 500")
    rows = (("{0}", "100", Bar(100, 500)), ("{1}", "0", Bar(0, 500)))
    assert bj("100/0 1 toss 6 0 0 -", "target=500").grids() == (Grid(head, rows),)


def test_the_board_shows_the_turn_and_the_last_round() -> None:
    board = bj("100/550 1 toss 4 450 500 2", "dice=5,target=500").board()
    assert (board.target, board.turn, board.at_risk, board.safe) == (500, 0, 450, 500)
    assert (board.dice, board.all_dice, board.to_beat) == (4, 5, 1)
    board = bj("0/0/0 3 toss 6 0 0 -").board()
    assert (board.target, board.turn, board.at_risk, board.safe) == (5000, 2, 0, 0)
    assert (board.dice, board.all_dice, board.to_beat) == (6, 6, -1)


def test_the_view_shows_the_moves_with_their_sentences() -> None:
    view = bj("100/0 1 decide 4 150 0 -").view()
    assert view.moves == (
        MoveView("roll", "{0:rolls|roll} 4 dice."),
        MoveView("pass", "{0:passes and keeps|pass and keep} 150, for 250 in all.", Passing(150, 250, loses_to=-1)),
    )
    assert (view.game, view.seat, view.roller, view.scores) == ("bj", 0, 0, (100, 0))


def test_the_settlement_of_a_tie_names_who_was_there_first() -> None:
    result = play(bj("4000/5050 1 decide 3 1050 0 2"), "pass").result
    assert result is not None
    assert "{1} owes each other player $50,000 a month" in plain(result.settlement)
    assert [(standing.seat, standing.place, standing.note) for standing in result.standings] == [
        (1, 1, "owes $6,000,000"),
        (0, 2, "is owed $6,000,000"),
    ]


# The casual player


def greedy(position: str, rules: str = "") -> str:
    state = bj(position, rules)
    return state.game.greedy(state).text


def test_with_one_die_the_casual_player_rolls_below_287_points() -> None:
    # Of six faces, the 1 brings 100 and the 5 brings 50, each with the 500: 1150. Four lose the points at risk.
    assert greedy("0/0 1 decide 1 250 0 -") == "roll"
    assert greedy("0/0 1 decide 1 300 0 -") == "pass"


def test_with_two_dice_the_casual_player_rolls_below_237_points() -> None:
    # Of 36 tosses, 1s and 5s bring 36 x 2 x 25 = 1800, and 4 tosses bring the 500. 16 lose the points at risk.
    assert greedy("0/0 1 decide 2 200 0 -") == "roll"
    assert greedy("0/0 1 decide 2 250 0 -") == "pass"


def test_with_three_dice_the_casual_player_rolls_below_400_points() -> None:
    # Of 216 tosses, 1s and 5s bring 216 x 3 x 25 = 16200, the triples 200 + 300 + 400 + 600 and 500 - 150 more, and
    # 8 + 4 tosses bring the 500: 24050. 64 - 4 lose the points at risk.
    assert greedy("0/0 1 decide 3 400 0 -") == "roll"
    assert greedy("0/0 1 decide 3 450 0 -") == "pass"


@pytest.mark.parametrize("dice", range(1, 7))
def test_the_casual_player_rolls_while_a_toss_gains_more_than_it_loses(dice: int) -> None:
    gains = losses = 0
    for toss in product(FACES, repeat=dice):
        points, used = max(readings(tuple(sorted(toss))))
        gains += points + (500 if used == dice else 0)
        losses += points == 0
    turning_point = gains / losses
    last = int(turning_point // 50) * 50
    assert last < turning_point < last + 50
    safe = 500 if dice == 6 else 0
    assert greedy(f"0/0 1 decide {dice} {last} {safe} -") == "roll"
    assert greedy(f"0/0 1 decide {dice} {last + 50} {safe} -") == "pass"


def test_with_bust_all_dice_the_casual_player_never_stops_with_dice_left() -> None:
    for dice in range(1, 6):
        assert greedy(f"0/0 1 decide {dice} 5000 0 -", "bust=all_dice") == "roll"
    assert greedy("0/0 1 decide 6 50000 500 -", "bust=all_dice") == "pass"
    assert greedy("0/0 1 decide 5 50000 500 -", "bust=all_dice,dice=5") == "pass"


@pytest.mark.parametrize(
    ("position", "choice", "why"),
    [
        ("5050/4000/0 2 decide 1 1000 0 1", "roll", "5000 do not beat 5050"),
        ("5050/4000/0 2 decide 1 1050 0 1", "roll", "nor do 5050"),
        ("5050/4000/0 2 decide 1 1100 0 1", "pass", "5150 do, and a toss loses more than it gains"),
        ("5050/4000/0 2 decide 3 450 500 1", "roll", "4950 do not beat 5050"),
        ("5050/5000/0 2 decide 3 150 0 1", "roll", "more helps against the one to come"),
        ("5050/5000 2 decide 3 150 0 1", "pass", "nobody is to come"),
        ("5050/4000 2 decide 6 600 500 1", "pass", "the safe points count"),
        ("5050/6000/5000 3 decide 1 1000 0 1", "roll", "6000 do not beat the 6000 before"),
        ("5050/6000/5000 3 decide 1 1050 0 1", "pass", "6050 do"),
        ("4000/0/5050 1 decide 1 1000 0 3", "roll", "5000 do not beat 5050"),
    ],
)
def test_in_the_last_round_the_casual_player_rolls_until_ahead(position: str, choice: str, why: str) -> None:
    assert greedy(position) == choice, why


@pytest.mark.parametrize(
    ("position", "why"),
    [
        ("bj 0/0 1 decide 6 50 0 -", "0 frozen dice cannot have brought 50 points"),
        ("bj 0/0 1 toss 6 50 0 -", "0 frozen dice cannot have brought 50 points"),
        ("bj 0/0 1 toss 6 0 500 -", "6 frozen dice cannot have brought 0 points"),
        ("bj 0/0 1 toss 1 50 0 -", "5 frozen dice cannot have brought 50 points"),
        ("bj 0/0 1 toss 5 350 500 -", None),
        ("bj 0/0 1 toss 5 300 500 -", "7 frozen dice cannot have brought 300 points"),
        ("bj 0/0 2 toss 6 0 0 1", "Whoever started the last round has more than 5,000"),
        ("bj 5000/0 2 toss 6 0 0 1", "Whoever started the last round has more than 5,000"),
        ("bj 5050/0 2 toss 6 0 0 1", None),
        ("bj 5050/0 2 toss 6 0 0 -", "Somebody has more than 5,000, so the last round has a starter"),
        ("bj 5000/0 2 toss 6 0 0 -", None),
    ],
)
def test_points_that_nobody_could_have_are_refused(position: str, why: str | None) -> None:
    if why is None:
        assert hotdice.parse_position(position).position == position
    else:
        with pytest.raises(ParseError, match=why):
            hotdice.parse_position(position)
