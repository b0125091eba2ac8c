"""Distributions against a count of all ordered rolls, dice notation, and where rolls come from."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hotdice import Game, ManualDice, ParseError, RecordedDice, SeededDice, all_games, load_game
from hotdice.dice import NO_ROLL, ORDINARY, Distribution, Roll, parse_faces, tosses
from hotdice.errors import DiceError
from hotdice.games.kor.rules import DIE as ROAD_DIE
from hotdice.games.rollers.rules import BLACK, PURPLE


@pytest.mark.parametrize("count", range(7))
def test_weights_count_all_ordered_rolls(count: int) -> None:
    ordered = Counter(tuple(sorted(roll)) for roll in product(range(1, 7), repeat=count))
    found = tosses((ORDINARY, count))
    assert dict(zip(found.rolls, found.weights, strict=True)) == ordered
    assert found.total == 6**count


def test_five_dice_have_252_rolls_and_six_462() -> None:
    assert len(tosses((ORDINARY, 5))) == 252
    assert len(tosses((ORDINARY, 6))) == 462


def test_dice_of_two_kinds_roll_together() -> None:
    codes = [[face.code for face in die.faces] for die in (PURPLE, PURPLE, BLACK)]
    ordered = Counter(tuple(sorted(roll)) for roll in product(*codes))
    found = tosses((PURPLE, 2), (BLACK, 1))
    assert dict(zip(found.rolls, found.weights, strict=True)) == ordered


def test_probabilities_are_exact() -> None:
    found = tosses((ORDINARY, 2))
    assert found.probability((1, 2)) == Fraction(1, 18)
    assert found.probability((2, 1)) == found.probability((7, 7)) == 0
    assert sum(chance for _, chance in found) == 1


def test_every_integer_below_the_total_stands_for_a_roll_by_weight() -> None:
    found = tosses((ORDINARY, 3))
    drawn = Counter(found.at(index) for index in range(found.total))
    assert drawn == Counter(dict(zip(found.rolls, found.weights, strict=True)))


def test_no_roll_is_empty() -> None:
    assert len(NO_ROLL) == 0
    assert (1,) not in NO_ROLL
    assert isinstance(NO_ROLL, Distribution)


@pytest.mark.parametrize("text", ["3 3 5", "335", "5 3 3", "3,3,5", " 3, 35 "])
def test_faces_are_read_apart_or_together_in_any_order(text: str) -> None:
    assert parse_faces((ORDINARY,), text) == (3, 3, 5)


@pytest.mark.parametrize("text", ["25 100 S U", "s u-turn 100 25", "STOP,uturn,25,100", "SU25100", "100 U 25 S"])
def test_road_dice_are_read_by_sign_name_and_number(text: str) -> None:
    assert parse_faces((ROAD_DIE,), text) == (1, 3, 25, 100)


@pytest.mark.parametrize("text", ["dead-end", "D", "dead", "d"])
def test_a_dead_end_has_several_names(text: str) -> None:
    assert parse_faces((ROAD_DIE,), text) == (2,)


@pytest.mark.parametrize("text", ["1 * b4", "*1b4", "star 1 B4"])
def test_purple_and_black_dice_are_read_together(text: str) -> None:
    assert parse_faces((PURPLE, BLACK), text) == (1, 6, 14)


@pytest.mark.parametrize(("text", "column"), [("7", 1), ("3 x", 3), ("335q", 4), ("  3 0", 5)])
def test_a_wrong_face_is_named_with_its_column_and_the_faces_there_are(text: str, column: int) -> None:
    with pytest.raises(ParseError, match="their faces are 1, 2, 3, 4, 5, 6") as error:
        parse_faces((ORDINARY,), text)
    assert error.value.column == column


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_every_face_has_a_drawing_of_three_rows_and_seven_columns(game: Game) -> None:
    codes = [face.code for die in game.dice for face in die.faces]
    assert len(set(codes)) == len(codes)
    for die in game.dice:
        for face in die.faces:
            assert [len(row) for row in face.art] == [7, 7, 7], face.name


def test_kismet_pips_carry_their_colour_three_times() -> None:
    (die,) = load_game("kismet").dice
    looks = {face.colour: {(face.art[2][-1], *(set("".join(face.art)) & set("●◆▲")))} for face in die.faces}
    assert looks == {"black": {("B", "●")}, "red": {("R", "◆")}, "green": {("G", "▲")}}


def test_pips_show_their_number() -> None:
    assert [sum(row.count("●") for row in face.art) for face in ORDINARY.faces] == [1, 2, 3, 4, 5, 6]


# Sources


def draw_many(seed: int) -> list[Roll]:
    outcomes = load_game("bj").start().outcomes()
    dice = SeededDice(seed)
    return [dice.draw(outcomes) for _ in range(50)]


def test_a_seed_gives_the_same_rolls_again_and_another_seed_others() -> None:
    assert draw_many(7) == draw_many(7)
    assert draw_many(7) != draw_many(8)


def test_seeded_dice_are_the_documented_generator() -> None:
    """The first rolls of a die from seed 1, by Python's documented sequence of `Random(1).random()`."""
    outcomes = load_game("pig").start().outcomes()
    dice = SeededDice(1)
    assert [dice.draw(outcomes)[0] for _ in range(6)] == [1, 6, 5, 2, 3, 3]


@given(st.integers(0, 2**63))
def test_seeded_rolls_are_possible(seed: int) -> None:
    outcomes = load_game("rollers").start(2).outcomes()
    assert SeededDice(seed).draw(outcomes) in outcomes


def test_seeded_dice_are_fair() -> None:
    """60,000 rolls of one die: each face within five standard deviations (91) of 10,000."""
    outcomes = load_game("pig").start().outcomes()
    dice = SeededDice(2026)
    drawn = Counter(dice.draw(outcomes)[0] for _ in range(60_000))
    assert all(abs(count - 10_000) < 5 * 91.3 for count in drawn.values())
    assert set(drawn) == {1, 2, 3, 4, 5, 6}


def test_real_dice_cannot_be_drawn() -> None:
    with pytest.raises(DiceError, match="roll them and type what they show"):
        ManualDice().draw(load_game("pig").start().outcomes())


def test_recorded_dice_repeat_and_then_have_no_more() -> None:
    outcomes = load_game("pig").start().outcomes()
    dice = RecordedDice([(4,), (2,)])
    assert [dice.draw(outcomes), dice.draw(outcomes)] == [(4,), (2,)]
    with pytest.raises(DiceError, match="no roll left"):
        dice.draw(outcomes)
