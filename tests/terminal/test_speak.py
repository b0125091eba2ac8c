"""Games in words."""

from __future__ import annotations

import pytest

from hotdice.dice import ManualDice
from hotdice.errors import ParseError
from hotdice.game import CHANCE
from hotdice.games import all_games, load_game, parse_position
from hotdice.table import Seat, Table
from hotdice.terminal import speak


def test_whoever_is_called_you_is_told_what_they_do() -> None:
    text = "{0|You} {0:keeps|keep} 3 and {0:rolls|roll} 2 dice. {1|You} {1:begins|begin}."
    assert speak.with_names(text, ("You", "Ann")) == "You keep 3 and roll 2 dice. Ann begins."
    assert speak.with_names(text, ("Ann", "You")) == "Ann keeps 3 and rolls 2 dice. You begin."
    assert speak.with_names(text, ("Ann", "Ben")) == "Ann keeps 3 and rolls 2 dice. Ben begins."


def test_dice_due_are_counted_by_kind() -> None:
    rollers = parse_position("rollers 00000/00000 55/55 0/0 1 1 1 1,b2 -")
    assert speak.dice_due(rollers) == "4 purple dice"
    assert speak.dice_due(load_game("kor").start(2)) == "6 road dice"
    rollers = parse_position("rollers 00000/00000 55/55 0/0 1 1 1 1,2 -")
    assert speak.dice_due(rollers) == "3 purple dice and 1 black die"


def after(position: str, *lines: str, names: tuple[str, ...] = ("Ann", "Ben")) -> Table:
    """A table after some rolls and moves, in order."""
    state = parse_position(position)
    table = Table(state, [Seat(name) for name in names[: state.players]], ManualDice())
    for line in lines:
        if table.state.seat == CHANCE:
            table.roll(table.state.parse_roll(line))
        else:
            table.play(table.state.parse_move(line))
    return table


def dice_after(position: str, *lines: str) -> str:
    return speak.dice_line(speak.dice_shown(after(position, *lines)))


KOR = "kor 0/0 1 1 toss 6 0 -"
BJ = "bj 0/0 1 toss 6 0 0 -"
KISMET = "kismet " + ",".join("-" * 15) + " 1 0 -"


@pytest.mark.parametrize(
    ("position", "lines", "shown"),
    [
        (KOR, (), ""),
        (KOR, ("25 50 100 S D U",), "Set aside: 100. Rolled: S D U 25 50."),
        (KOR, ("25 50 100 S D U", "S S D 50 50"), "Set aside: 100. Set aside now: 50. Rolled: S S D 50."),
        (KOR, ("25 50 100 S D U", "S S S 50 50"), "Set aside: 100. Sign: S S S. Rolled: 50 50."),
        (BJ, ("1 2 2 3 4 6", "roll", "5 5 2 3 4"), "Frozen: 1. Frozen now: 5 5. Rolled: 2 3 4."),
        (BJ, ("1 2 2 3 4 6", "roll", "2 2 3 4 6"), "Frozen: 1. Rolled: 2 2 3 4 6."),
        (BJ, ("1 1 1 5 5 5", "roll", "1 2 2 3 4 6"), "Frozen: 1. Rolled: 2 2 3 4 6."),
        (KISMET, ("3 3 4 4 5", "keep 4 4"), "Kept: 4 4."),
        (KISMET, ("3 3 4 4 5", "keep 4 4", "4 5 5"), "Kept: 4 4. Rolled: 4 5 5."),
        (KISMET, ("3 3 4 4 5", "keep 4 4", "4 5 5", "keep 4 4 4", "4 6", "score fours"), "Kept: 4 4 4. Rolled: 4 6."),
    ],
)
def test_the_whole_turn_stays_on_the_table(position: str, lines: tuple[str, ...], shown: str) -> None:
    assert dice_after(position, *lines) == shown


def test_dice_of_a_toss_that_counts_are_tossed_again_but_for_the_one_set_aside() -> None:
    house = KOR.replace("kor", "kor(scoring=all)")
    assert dice_after(house, "25 50 100 S D U", "S S D 50 25") == (
        "Set aside: 100. Set aside now: 50. Counted: 25. Rolled: S S D."
    )


def test_few_moves_are_listed_and_of_many_those_that_bring_most() -> None:
    pig = parse_position("pig 0/0 1 5 decide")
    assert speak.legal_line(pig, "AB") == "Moves: roll, hold."
    kor = parse_position("kor 0/0 1 1 target 6 0 -")
    assert speak.legal_line(kor, ("Ann", "Ben")) == "The only move is target Ben; Enter plays it."
    kismet = parse_position("kismet " + ",".join("-" * 15) + " 1 1 45555")
    assert speak.legal_line(kismet, "A") == (
        "Moves: score four-of-a-kind (49), score two-pair (24), score three-of-a-kind (24) and 12 more; "
        "keep 5 5 (one of 9). ? lists them."
    )
    grows = parse_position("kismet 3,6,9,12,15" + ",-" * 10 + " 1 3 16666")
    assert speak.legal_line(grows, "A").startswith("Moves: score sixes (24 and 35 bonus), score four-of-a-kind (50)")
    few = parse_position("kismet 3,6,9,12,15,18,20,20,30,35,0,0,0,-,- 1 3 16666")
    assert speak.legal_line(few, "A") == "Moves: score yarborough (25), score kismet (0)."
    rollers = parse_position("rollers 20100/00000 60/50 1/0 1 1 3 - 1,1,2,3,3,b2")
    assert speak.legal_line(rollers, "AB").startswith(
        "Moves: apply 1 1 2 2 3 3 (opens the 2s, closes the 3s and collects 5), apply 1 1 3 3 ("
    )


def test_players_are_named_in_moves_and_can_be_typed() -> None:
    state, names = parse_position("kor 0/0/0/0 1 1 target 6 0 -"), ("Ann", "Ben", "Bea B", "Cleo")
    assert speak.legal_line(state, names) == "Moves: target Ben, target Bea B, target Cleo."
    for text in ("target Bea B", "target bea", "t BEA b", "target 3"):
        assert speak.read_move(state, text, names).text == "target 3"
    for text, said in (
        ("target be", "“be” could be Ben or Bea B; type more of it."),
        ("target ann", "“ann” is nobody to name here; expected Ben, Bea B or Cleo."),
        ("target", "Expected a name here: Ben, Bea B or Cleo."),
        ("target 9", "“9” is nobody to name here"),
        ("follow Ben", "is not a sign"),
        ("fly Ben", "is not a move"),
    ):
        with pytest.raises(ParseError, match=said):
            speak.read_move(state, text, names)
    assert [text for text, _ in speak.moves_listed(state, names, "target b", 9)] == ["target Ben", "target Bea B"]
    assert speak.legal_line(state, ("1", "2", "3", "4")) == "Moves: target 2, target 3, target 4."


def test_what_may_come_next_is_known_for_tab() -> None:
    state, names = parse_position("kor 0/0/0/0 1 1 target 6 0 -"), ("Ann", "Ben", "Bea B", "Cleo")
    assert speak.next_words(state, names, "") == ["target"]
    assert speak.next_words(state, names, "target ") == ["Ben", "Bea", "Cleo"]
    assert speak.next_words(state, names, "Target bea ") == ["B"]
    assert speak.next_words(state, names, "fly ") == []


def test_signs_are_told_how_to_be_typed() -> None:
    assert speak.faces_line(load_game("kor").start(2)) == (
        "Type S for STOP, D for DEAD END and U for U-TURN; numbers as they are."
    )
    assert speak.faces_line(load_game("kismet").start(1)) == ""


def test_a_long_list_of_moves_is_cut_with_a_count_for_each_verb() -> None:
    kismet = parse_position("kismet " + ",".join("-" * 15) + " 1 1 12345")
    shown = list(speak.moves_listed(kismet, ["Ann"], "", 10))
    assert len(shown) == 10
    assert shown[0] == ("score straight", "takes 30 in Straight.")
    assert shown[4] == ("and 11 more", "“? score” lists them.")
    assert shown[9] == ("and 27 more", "“? keep” lists them.")
    assert [text for text, _ in speak.moves_listed(kismet, ["Ann"], " score  s", 50)] == [
        "score straight",
        "score sixes",
    ]
    assert list(speak.moves_listed(kismet, ["Ann"], "fly", 50)) == []


def test_a_choice_that_ends_a_turn_is_one_that_writes_on_a_sheet() -> None:
    state = parse_position("kismet " + ",".join("-" * 15) + " 1 1 12345")
    assert not speak.wrote(state, state.apply(state.parse_move("keep 1")))
    assert speak.wrote(state, state.apply(state.parse_move("score kismet"))), "a zero is an entry too"


def test_sheets_are_read_out_whole() -> None:
    rollers = parse_position("rollers 20100/00000 60/50 1/0 1 1 0 - -")
    assert list(speak.sheet_lines(rollers, ["Ann", "Ben"])) == [
        "Ann: 1s closed, 2s empty, 3s open, 4s empty, 5s empty, Chips 60, Points 1.",
        "Ben: 1s empty, 2s empty, 3s empty, 4s empty, 5s empty, Chips 50, Points 0.",
    ]
    kor = parse_position("kor 150/-25 1 1 toss 6 0 -")
    assert list(speak.sheet_lines(kor, ["Ann", "Ben"])) == ["Ann: Score 150.", "Ben: Score -25."]
    kismet = parse_position("kismet 3" + ",-" * 14 + " 1 1 12345")
    ann, now, *_ = speak.sheet_lines(kismet, ["Ann"])
    assert ann.startswith("Ann, Basic: Aces 3, Deuces empty,")
    assert now == "Now, Basic: Deuces 2, Treys 3, Fours 4, Fives 5, Sixes 0."


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_rules_are_readable_without_markdown(game) -> None:  # type: ignore[no-untyped-def]
    lines = list(speak.rules_lines(game))
    assert not any("**" in line or line.startswith(("#", "|")) for line in lines)
    assert ("House rules" in lines) == bool(game.options.specs())
