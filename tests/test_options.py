"""House rules: typed, defaulted, validated, and a canonical text that travels."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hotdice import Game, HotdiceError, OptionError, ParseError, all_games, load_game, parse_game
from hotdice.errors import UnknownGame
from hotdice.games.kismet import KismetOptions
from hotdice.games.kor import KorOptions
from hotdice.options import Value

KOR = load_game("kor")


@pytest.mark.parametrize(
    ("name", "defaults"),
    [
        ("kor", {"bank_roll": False, "final_round": False, "scoring": "highest", "target": 6000}),
        ("kismet", {"kismet_is_full_house": True, "second_kismet": True}),
        ("rollers", {"chip_tie": "nobody", "saved_dice": "free", "target_points": 5}),
        ("bj", {"bust": "any", "dice": 6, "target": 5000}),
        ("pig", {"target": 100}),
    ],
)
def test_the_printed_rules_are_the_defaults(name: str, defaults: dict[str, Value]) -> None:
    assert {spec.name: spec.default for spec in load_game(name).options.specs()} == defaults


def test_canonical_text_names_what_differs_in_alphabetical_order() -> None:
    options = KorOptions(target=3000, bank_roll=True)
    assert KOR.text(options) == "kor(bank_roll=true,target=3000)"
    assert parse_game("kor(bank_roll=true,target=3000)") == (KOR, options)


def test_the_printed_rules_have_the_bare_name() -> None:
    assert KOR.text(KorOptions()) == "kor"
    assert parse_game("kor") == parse_game("kor()") == (KOR, KorOptions())


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_every_combination_round_trips(game: Game) -> None:
    combinations = game.options.combinations()
    assert combinations[0] == game.options()
    assert len(set(combinations)) == len(combinations)
    for options in combinations:
        assert parse_game(game.text(options)) == (game, options)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("kor(speed=3)", "There is no option speed; expected bank_roll, final_round, scoring or target."),
        ("kor(target=6001)", "The option target takes a whole number from 25 to 100000 in steps of 25, not 6001."),
        ("kor(target=0)", "The option target takes a whole number from 25 to 100000 in steps of 25, not 0."),
        ("kor(target=100025)", "The option target takes a whole number from 25 to 100000 in steps of 25, not 100025."),
        ("kor(target=soon)", "The option target takes a whole number from 25 to 100000 in steps of 25, not soon."),
        ("kor(bank_roll=yes)", "The option bank_roll takes false or true, not yes."),
        ("kor(bank_roll=1)", "The option bank_roll takes false or true, not 1."),
        ("kor(scoring=best)", "The option scoring takes highest or all, not best."),
        ("kor(scoring)", "The option scoring needs a value, as in scoring=…; it takes highest or all."),
        ("kor(=3)", "There is no option without a name; expected bank_roll, final_round, scoring or target."),
        (
            "kor(target=3000,target=6000)",
            (
                "The option target is given twice, as 3000 and 6000; it takes one value, "
                "a whole number from 25 to 100000 in steps of 25."
            ),
        ),
        ("bj(dice=7)", "The option dice takes a whole number from 5 to 6, not 7."),
        ("kismet(second_kismet=no)", "The option second_kismet takes true or false, not no."),
        ("rollers(saved_dice=loose)", "The option saved_dice takes free or locked, not loose."),
    ],
)
def test_a_bad_option_gets_a_sentence_that_names_it_and_what_it_takes(text: str, message: str) -> None:
    with pytest.raises(OptionError) as error:
        parse_game(text)
    assert str(error.value) == message


def test_the_same_value_twice_is_no_contradiction() -> None:
    assert parse_game("kor(target=3000,target=3000)")[1] == KorOptions(target=3000)


@pytest.mark.parametrize("text", ["kor(target=3000", "kor(target=3000))", "kor(target=3000)x", "kor(a=(b))"])
def test_brackets_have_to_match(text: str) -> None:
    with pytest.raises(ParseError, match="closing bracket"):
        parse_game(text)


def test_an_unknown_game_is_told_the_games_there_are() -> None:
    with pytest.raises(UnknownGame) as error:
        parse_game("yahtzee")
    *most, last = [game.name for game in all_games()]
    assert str(error.value) == f"There is no game “yahtzee”; there are {', '.join(most)} and {last}."


@pytest.mark.parametrize("name", ["", "games", "..", "kor.state", "__init__"])
def test_odd_names_of_games_are_unknown(name: str) -> None:
    with pytest.raises(UnknownGame):
        load_game(name)


@pytest.mark.parametrize("value", [1, 0, "true", None, 1.0])
def test_values_have_the_right_type_in_python_too(value: Any) -> None:
    with pytest.raises(OptionError, match="bank_roll takes false or true"):
        KorOptions(bank_roll=value)


@pytest.mark.parametrize("value", [True, 6000.0, None])
def test_a_bool_or_a_float_is_no_whole_number(value: Any) -> None:
    with pytest.raises(OptionError, match="target takes a whole number"):
        KorOptions(target=value)


def test_a_game_refuses_the_options_of_another() -> None:
    with pytest.raises(OptionError, match="not options of KOR"):
        KOR.start(2, KismetOptions())


def test_start_takes_options_by_name() -> None:
    assert KOR.start(2, {"target": 3000}).options == KorOptions(target=3000)
    with pytest.raises(OptionError, match="no option targets"):
        KOR.start(2, {"targets": 3000})


@pytest.mark.parametrize("players", [-1, 0, 1, 9])
def test_players_out_of_range_are_told_the_range(players: int) -> None:
    with pytest.raises(HotdiceError, match=f"takes 2 to 8 players, not {players}"):
        KOR.start(players)


@given(st.text())
def test_any_text_is_a_game_or_a_hotdice_error(text: str) -> None:
    try:
        game, options = parse_game(text)
    except HotdiceError as error:
        assert str(error)
    else:
        assert parse_game(game.text(options)) == (game, options)


@given(st.text(alphabet="abcdefgiklnorst_=,0159truefals "))
def test_any_list_of_options_is_read_or_refused(text: str) -> None:
    try:
        options = KorOptions.parse(text)
    except OptionError as error:
        assert str(error).endswith(".")
    else:
        assert KorOptions.parse(options.text) == options
