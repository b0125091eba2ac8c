"""Where the dice of a roll go, where a turn begins, and what is at stake: what a table shows without a rule.

The examples are those of the rule sheets; what is expected follows from them by hand. Dice are in the order of a roll's
notation: signs before numbers, small before large.
"""

from __future__ import annotations

import pytest

from hotdice import CHANCE, Game, State, all_games, load_game, parse_position
from hotdice.dice import SeededDice
from hotdice.players import make_player
from hotdice.table import Rolled, Seat, Table
from tests.games.script import play

R, A, C, S, F, X = "rolled", "aside", "counted", "sign", "frozen", "cancelled"
SHEETS = "-,-,-,-,-,-,-,-,-,-,-,-,-,-,-"


def places_of(position: str, toss: str) -> tuple[str, ...]:
    """How a toss lies, which has to be written in its own order."""
    state = parse_position(position)
    roll = state.parse_roll(toss)
    assert state.game.roll_text(roll) == toss
    state.roll(roll)  # which is possible
    return state.places(roll)


# KOR


def kor(toss: str, rules: str = "") -> tuple[str, ...]:
    dice = len(toss.split())
    return places_of(f"kor({rules}) 0/0 1 1 toss {dice} {100 * (6 - dice)} -", toss)


@pytest.mark.parametrize(
    ("toss", "places"),
    [
        ("S D U 25 50 100", (R, R, R, R, R, A)),
        ("S S D D U 25", (R, R, R, R, R, A)),
        ("S D U 50", (R, R, R, A)),
        ("100", (A,)),
    ],
)
def test_in_kor_the_highest_number_is_set_aside(toss: str, places: tuple[str, ...]) -> None:
    assert kor(toss) == places


def test_in_kor_one_die_is_set_aside_though_others_show_the_same() -> None:
    places = kor("25 100 100")
    assert places[0] == R
    assert sorted(places[1:]) == [A, R]


@pytest.mark.parametrize(
    ("toss", "places"),
    [
        ("S S S D U 25", (S, S, S, R, R, R)),
        ("S D D D U 100", (R, S, S, S, R, R)),
        ("U U U U 50 100", (S, S, S, S, R, R)),
        ("D D D", (S, S, S)),
        ("S S S D D D", (S, S, S, S, S, S)),
        ("S S D D U U", (R, R, R, R, R, R)),
    ],
)
def test_in_kor_three_of_a_sign_count_and_the_numbers_beside_them_do_not(toss: str, places: tuple[str, ...]) -> None:
    assert kor(toss) == places
    assert kor(toss, "scoring=all") == places


def test_in_kor_with_scoring_all_the_other_numbers_are_counted_where_they_are() -> None:
    assert kor("S D 25 50 50 100", "scoring=all") == (R, R, C, C, C, A)


def test_in_kor_a_bank_roll_counts_all_six_and_sets_none_aside() -> None:
    jims = "25 25 50 50 100 100"
    assert kor(jims, "bank_roll=true") == (C, C, C, C, C, C)
    assert kor(jims).count(A) == 1
    assert kor("25 25 50 50 100", "bank_roll=true") == (R, R, R, R, A)


# BJ's dice


@pytest.mark.parametrize(
    ("toss", "places"),
    [
        ("1 2 3 4 6 6", (F, R, R, R, R, R)),
        ("1 1 1 2 3 5", (F, F, F, R, R, F)),
        ("2 2 2 2 3 4", (F, F, F, R, R, R)),
        ("2 3 5 5 5 5", (R, R, F, F, F, F)),
        ("2 2 2 2 2 2", (F, F, F, F, F, F)),
        ("1 3 3 3 4 5", (F, F, F, F, R, F)),
        ("2 2 3 4 6 6", (R, R, R, R, R, R)),
    ],
)
def test_in_bj_every_die_that_scores_is_frozen(toss: str, places: tuple[str, ...]) -> None:
    assert places_of("bj 0/0 1 toss 6 0 0 -", toss) == places


# Rollers, Kismet and Pig

BOARDS = "00000/00000 55/55 0/0 1 1"


def test_in_rollers_a_zap_cancels_its_whole_roll() -> None:
    assert places_of(f"rollers {BOARDS} 0 - -", "3 3 3 * * zap") == (X, X, X, X, X, X)
    assert places_of(f"rollers {BOARDS} 1 3,3,3 -", "3 * zap") == (X, X, X)
    assert places_of(f"rollers {BOARDS} 0 - -", "1 3 3 4 * b5") == (R, R, R, R, R, R)


def test_in_kismet_and_pig_dice_just_lie_there() -> None:
    assert places_of(f"kismet {SHEETS} 1 0 -", "2 2 2 2 2") == (R, R, R, R, R)
    assert places_of(f"kismet {SHEETS} 1 1 22", "1 2 3") == (R, R, R)
    assert places_of("pig 0/0 1 0 roll", "1") == (R,)


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_every_die_of_every_roll_lies_somewhere_and_turns_begin_with_a_roll(game: Game) -> None:
    seats = [Seat(name, make_player("greedy", 1)) for name in ("Ann", "Bob")]
    table = Table(game.start(2), seats, SeededDice(5))
    table.run()
    assert table.before(0).fresh
    for index, event in enumerate(table.events):
        state = table.before(index)
        assert not state.fresh or state.seat == CHANCE
        if isinstance(event, Rolled):
            assert len(state.places(event.roll)) == len(event.roll)
    assert not table.state.fresh


# Where a turn begins


@pytest.mark.parametrize(
    ("position", "fresh"),
    [
        ("kor 0/0 1 1 toss 6 0 -", True),
        ("kor 0/0 1 1 toss 5 100 -", False),
        ("kor 0/0 1 1 toss 6 450 -", False),
        ("kor 0/0 1 2- toss 6 0 -", True),
        ("kor 0/0 1 1 target 6 0 -", False),
        ("kor 6000/0 1 1 over 6 0 -", False),
        ("bj 0/0 1 toss 6 0 0 -", True),
        ("bj 0/0 1 toss 4 150 0 -", False),
        ("bj 0/0 1 toss 6 800 500 -", False),
        ("bj 0/0 1 decide 4 150 0 -", False),
        (f"kismet {SHEETS}/{SHEETS} 1 off .,.", True),
        (f"kismet {SHEETS} 1 0 -", True),
        (f"kismet {SHEETS} 1 1 22", False),
        (f"kismet {SHEETS} 1 1 22345", False),
        (f"rollers {BOARDS} off .,.", True),
        (f"rollers {BOARDS} 0 - -", True),
        (f"rollers {BOARDS} 1 - -", False),
        ("pig 0/0 1 0 roll", True),
        ("pig 0/0 1 5 roll", False),
        ("pig 0/0 1 5 decide", False),
        ("pig 100/0 1 0 over", False),
    ],
)
def test_a_turn_a_penalty_or_a_roll_off_begins_with_a_fresh_roll(position: str, fresh: bool) -> None:
    assert parse_position(position).fresh is fresh


def test_after_jims_bank_roll_his_turn_starts_afresh() -> None:
    state = play(parse_position("kor(bank_roll=true) 0/0 1 1 toss 6 825 -"), "100 25 50 50 25 100")
    assert (state.scores, state.fresh) == ((1175, 0), True)


# What is at stake


@pytest.mark.parametrize(
    ("position", "stake"),
    [
        ("kor 0/0 1 1 toss 6 0 -", 0),
        ("kor 200/0 1 1 toss 5 100 -", 100),
        ("kor 0/200 1 2- toss 4 150 -", 150),
        ("kor 0/0 1 1 stop+u-turn 6 225 -", 225),
        ("kor 150/0 1 1 target 6 0 -", 0),
        ("bj 200/0 1 decide 4 150 0 -", 150),
        ("bj 200/0 1 toss 6 800 500 -", 800),
        ("pig 20/0 1 5 decide", 5),
        ("pig 20/0 1 0 roll", 0),
        (f"kismet {SHEETS} 1 1 22345", 0),
        (f"rollers {BOARDS} 0 - -", 0),
    ],
)
def test_what_a_turn_has_brought_is_at_stake_until_it_is_in_the_score(position: str, stake: int) -> None:
    assert parse_position(position).stake == stake


# Hot dice


@pytest.mark.parametrize(
    ("position", "roll", "hot"),
    [
        ("kor 0/0 1 1 toss 1 400 -", "100", True),
        ("kor 0/0 1 2- toss 1 400 -", "25", True),
        ("kor 0/0 1 1 toss 2 400 -", "25 100", False),
        ("kor 0/0 1 1 toss 1 400 -", "S", False),  # no number: the turn is over
        ("kor(bank_roll=true) 0/0 1 1 toss 6 0 -", "25 25 50 50 100 100", False),  # they count, and none is set aside
        ("bj 0/0 1 toss 6 0 0 -", "1 1 1 5 5 5", True),
        ("bj 0/0 1 toss 2 200 0 -", "1 5", True),
        ("bj 0/0 1 toss 2 200 0 -", "1 2", False),
        ("bj 0/0 1 toss 6 0 0 -", "2 2 3 3 4 6", False),
        ("bj(dice=5) 0/0 1 toss 1 200 0 -", "5", True),
        ("pig 0/0 1 0 roll", "6", False),
    ],
)
def test_dice_are_hot_when_the_last_of_them_is_frozen_or_set_aside(position: str, roll: str, hot: bool) -> None:
    state = parse_position(position)
    assert not state.hot
    assert state.roll(state.parse_roll(roll)).hot is hot


def test_hot_dice_that_are_rolled_again_are_hot_no_more() -> None:
    assert not play(parse_position("bj 0/0 1 toss 2 200 0 -"), "1 5", "roll").hot
    assert not play(parse_position("kor 0/0 1 1 toss 1 400 -"), "100", "S D U 25 50 100").hot


# How many dice of which kind


@pytest.mark.parametrize(
    ("position", "dice"),
    [
        ("kor 0/0 1 1 toss 4 100 -", (4,)),
        (f"rollers {BOARDS} off .,.", (1, 0)),
        (f"rollers {BOARDS} 0 - -", (5, 1)),
        (f"rollers {BOARDS} 1 3,3 -", (3, 1)),
        (f"rollers {BOARDS} 1 3,b3 -", (4, 0)),
        (f"kismet {SHEETS} 1 1 22", (3,)),
    ],
)
def test_a_roll_counts_its_dice_by_kind(position: str, dice: tuple[int, ...]) -> None:
    state: State = parse_position(position)
    assert {state.game.counted(roll) for roll in state.outcomes().rolls} == {dice}
    assert load_game("rollers").counted(()) == (0, 0)


# The faces in words


@pytest.mark.parametrize(
    ("game", "roll", "told"),
    [
        ("kor", "S S U 50", "STOP, STOP, U-TURN, 50"),
        ("kor", "D", "DEAD END"),
        ("kor", "25 25 100", "25 25 100"),
        ("rollers", "1 3 * b5", "1, 3, STAR, black 5"),
        ("rollers", "2 zap", "2, ZAP"),
        ("rollers", "3 3 5", "3 3 5"),
        ("kismet", "1 3 3 5 6", "1 3 3 5 6"),
    ],
)
def test_sentences_name_faces_and_leave_numbers_alone_as_they_are(game: str, roll: str, told: str) -> None:
    card = load_game(game)
    assert card.roll_words(card.parse_roll(roll)) == told
    assert card.roll_words(()) == ""
