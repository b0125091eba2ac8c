"""Games in words."""

from __future__ import annotations

import pytest

from hotdice.dice import ManualDice
from hotdice.games import all_games, load_game, parse_position
from hotdice.table import Seat, Table
from hotdice.terminal import speak


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("You rolls 5 to see who begins. You begins.", "You roll 5 to see who begins. You begin."),
        ("You keeps dice and rolls the others, or scores.", "You keep dice and roll the others, or score."),
        ("You tosses STOP, 50 and sets 50 aside: 50 so far.", "You toss STOP, 50 and set 50 aside: 50 so far."),
        ("You keeps 3, STAR and rolls 3 dice.", "You keep 3, STAR and roll 3 dice."),
        ("You passes and keeps 250, for 4000.", "You pass and keep 250, for 4000."),
        ("You applies nothing.", "You apply nothing."),
        ("You has won.", "You have won."),
        ("Ann sends You on a U-TURN.", "Ann sends You on a U-TURN."),
        ("Ann rolls 3 and loses a turn.", "Ann rolls 3 and loses a turn."),
    ],
)  # fmt: skip
def test_what_you_do_is_said_as_it_should_be(text: str, said: str) -> None:
    assert speak.conjugated(text, ("You", "Ann")) == said
    assert speak.conjugated(text, ("Ann", "Ben")) == text


def test_dice_due_are_counted_by_kind() -> None:
    rollers = parse_position("rollers 00000/00000 55/55 0/0 1 1 1 1,b2 -")
    assert speak.dice_due(rollers) == "4 purple dice"
    assert speak.dice_due(load_game("kor").start(2)) == "6 road dice"
    rollers = parse_position("rollers 00000/00000 55/55 0/0 1 1 1 1,2 -")
    assert speak.dice_due(rollers) == "3 purple dice and 1 black die"


def test_the_last_toss_stays_on_the_table_where_the_state_forgets_it() -> None:
    table = Table(load_game("kor").start(2), [Seat("Ann"), Seat("Ben")], ManualDice())
    assert speak.dice_shown(table).dice == ()
    table.roll(table.state.parse_roll("25 50 100 S D U"))
    shown = speak.dice_shown(table)
    assert [die.text for die in shown.dice] == ["S", "D", "U", "25", "50", "100"]
    assert speak.dice_line(shown) == "Rolled: S D U 25 50 100."


def test_the_dice_of_a_finished_turn_are_all_shown_not_only_the_last_roll() -> None:
    table = Table(load_game("kismet").start(1), [Seat("Ann")], ManualDice())
    for text in ("1 1 2 3 4", "1 2 3"):
        table.roll(table.state.parse_roll(text))
        if text != "1 2 3":
            table.play(table.state.parse_move("keep 1 1"))
    table.play(table.state.parse_move("score aces"))
    assert [die.text for die in speak.dice_shown(table).dice] == ["1", "1", "1", "2", "3"]


def test_few_moves_are_listed_and_many_get_an_example() -> None:
    pig = parse_position("pig 0/0 1 5 decide")
    assert speak.legal_line(pig) == "Moves: roll, hold."
    kor = parse_position("kor 0/0 1 1 target 6 0 -")
    assert speak.legal_line(kor) == "The only move is target 2; Enter plays it."
    kismet = parse_position("kismet " + ",".join("-" * 15) + " 1 1 12345")
    assert speak.legal_line(kismet).startswith("Moves: keep ")
    assert "(one of 31), score three-of-a-kind (one of 15)" in speak.legal_line(kismet)


def test_a_long_list_of_moves_is_cut_with_a_count_for_each_verb() -> None:
    kismet = parse_position("kismet " + ",".join("-" * 15) + " 1 1 12345")
    shown = list(speak.moves_listed(kismet, ["Ann"], "", 10))
    assert len(shown) == 10
    assert shown[4] == ("and 27 more", "“? keep” lists them.")
    assert shown[9] == ("and 11 more", "“? score” lists them.")
    assert [text for text, _ in speak.moves_listed(kismet, ["Ann"], " score  s", 50)] == [
        "score sixes",
        "score straight",
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
