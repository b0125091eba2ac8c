"""Kismet by the rule sheet: one test for each rule and each printed example, in the order of the rulings.

Games are played by script (`roll 3 3 4 4 5`, `keep 4 4`, `score fours`), or start from a position near the moment
that a rule is about. All expected numbers follow from the rules by hand.
"""

from __future__ import annotations

from fractions import Fraction
from typing import assert_type

import pytest

import hotdice
from hotdice import CHANCE, OVER, IllegalMove, ImpossibleRoll
from hotdice.games.kismet import KISMET, Box, KismetState
from hotdice.view import Result, Standing

BOXES = [box.word for box in Box]


def start(players: int = 1, **options: bool) -> KismetState:
    """A new game."""
    state = KISMET.start(players, options)
    assert isinstance(state, KismetState)
    assert hotdice.parse_position(state.position) == state
    return state


def play(state: KismetState, *events: str) -> KismetState:
    """The state after rolls (`roll 1 2 3 4 5`) and moves."""
    for event in events:
        word, _, rest = event.partition(" ")
        state = state.roll(state.parse_roll(rest)) if word == "roll" else state.apply(state.parse_move(event))
        assert hotdice.parse_position(state.position) == state
    return state


def sheet(fill: int | str = "-", **entries: int | str) -> str:
    """A sheet in notation: the same in every box, apart from the entries given."""
    boxes = dict.fromkeys(BOXES, fill) | {name.replace("_", "-"): entry for name, entry in entries.items()}
    assert len(boxes) == len(BOXES)
    return ",".join(str(boxes[box]) for box in BOXES)


def at(*sheets: str, turn: int = 1, rolls: int = 0, dice: str = "-", options: str = "") -> KismetState:
    """The state of a position."""
    state = hotdice.parse_position(f"kismet{options} {'/'.join(sheets)} {turn} {rolls} {dice}")
    assert isinstance(state, KismetState)
    return state


def moves(state: KismetState) -> list[str]:
    return [move.text for move in state.legal_moves()]


def offers(dice: str, options: str = "") -> dict[str, int]:
    """What five dice bring in each box of an empty sheet, zeros left out."""
    state = at(sheet(), rolls=3, dice=dice, options=options)
    entries = {box.word: state.apply(state.parse_move(f"score {box.word}")).sheets[0][box] for box in Box}
    return {box: entry for box, entry in entries.items() if entry}


STRICT = "(kismet_is_full_house=false)"
NO_SECOND = "(second_kismet=false)"
FULL = sheet(0)

# Who begins


def test_a_game_takes_one_to_eight_players() -> None:
    assert [start(players).players for players in range(1, 9)] == list(range(1, 9))
    with pytest.raises(hotdice.HotdiceError, match="Kismet takes 1 to 8 players, not 9"):
        start(9)
    with pytest.raises(hotdice.HotdiceError, match="Kismet takes 1 to 8 players, not 0"):
        start(0)


def test_one_player_begins_without_a_roll_off() -> None:
    state = start(1)
    assert (state.seat, state.roller, state.rolls) == (CHANCE, 0, 0)
    assert len(state.outcomes()) == 252


def test_each_player_rolls_one_die_in_the_order_of_the_seats() -> None:
    state = start(3)
    for seat, roll in enumerate(("roll 2", "roll 5", "roll 4")):
        assert (state.seat, state.roller, state.legal_moves()) == (CHANCE, seat, ())
        assert dict(state.outcomes()) == {(face,): Fraction(1, 6) for face in range(1, 7)}
        state = play(state, roll)


@pytest.mark.parametrize(("rolls", "first"), [("625", 0), ("254", 1), ("345", 2), ("335", 2)])
def test_the_highest_number_begins_and_a_tie_below_it_does_not_matter(rolls: str, first: int) -> None:
    state = play(start(3), *(f"roll {face}" for face in rolls))
    assert (state.seat, state.roller, state.rolls) == (CHANCE, first, 0)
    assert len(state.outcomes()) == 252


def test_a_tie_at_the_top_is_rolled_again_by_the_tied_players_only() -> None:
    state = play(start(4), "roll 6", "roll 2", "roll 6", "roll 5")
    assert state.roller == 0
    state = play(state, "roll 1")
    assert state.roller == 2
    state = play(state, "roll 4")
    assert state.roller == 2
    assert len(state.outcomes()) == 252


def test_a_second_tie_is_rolled_again_too() -> None:
    state = play(start(3), "roll 4", "roll 4", "roll 4", "roll 1", "roll 3", "roll 3")
    assert (state.roller, len(state.outcomes())) == (1, 6)
    state = play(state, "roll 2", "roll 2")
    assert (state.roller, len(state.outcomes())) == (1, 6)
    state = play(state, "roll 1", "roll 2")
    assert (state.roller, len(state.outcomes())) == (2, 252)


def test_a_low_roll_in_a_second_roll_off_does_not_bring_the_others_back() -> None:
    state = play(start(3), "roll 6", "roll 5", "roll 6", "roll 1", "roll 2")
    assert state.roller == 2


def test_the_roll_off_takes_exactly_one_die() -> None:
    with pytest.raises(ImpossibleRoll) as refused:
        play(start(2), "roll 4 4")
    assert str(refused.value) == "“4 4” is not a roll of the dice in hand; it takes 1 of them, such as 1."


def test_play_moves_to_the_left() -> None:
    state = play(start(3), "roll 1", "roll 6", "roll 2")
    seats = []
    for _ in range(4):
        seats.append(state.roller)
        state = play(state, "roll 1 2 3 4 6", f"score {BOXES[len(seats)]}")
    assert seats == [1, 2, 0, 1]


# A turn


def test_the_first_roll_takes_all_five_dice() -> None:
    state = start()
    assert state.outcomes().probability((3, 3, 4, 4, 5)) == Fraction(30, 7776)
    assert state.outcomes().probability((2, 2, 2, 2, 2)) == Fraction(1, 7776)
    assert sum(chance for _, chance in state.outcomes()) == 1
    with pytest.raises(ImpossibleRoll) as refused:
        play(state, "roll 3 3 4 4")
    assert str(refused.value) == ("“3 3 4 4” is not a roll of the dice in hand; it takes 5 of them, such as 1 1 1 1 1.")


def test_the_printed_turn_keeps_fours_and_writes_sixteen() -> None:
    state = play(start(), "roll 3 3 4 4 5")
    assert (state.seat, state.rolls, state.dice) == (0, 1, (3, 3, 4, 4, 5))
    state = play(state, "keep 4 4")
    assert (state.seat, state.rolls, state.dice, len(state.outcomes())) == (CHANCE, 1, (4, 4), 56)
    state = play(state, "roll 4 5 5")
    assert (state.seat, state.rolls, state.dice) == (0, 2, (4, 4, 4, 5, 5))
    state = play(state, "keep 4 4 4")
    assert (state.seat, state.dice, len(state.outcomes())) == (CHANCE, (4, 4, 4), 21)
    state = play(state, "roll 4 6")
    assert (state.seat, state.rolls, state.dice) == (0, 3, (4, 4, 4, 4, 6))
    state = play(state, "score fours")
    assert state.sheets[0][Box.FOURS] == 16
    assert state.scores == (16,)


def test_the_player_may_stop_and_score_after_any_roll() -> None:
    for rolls in (
        ["roll 1 2 3 4 5"],
        ["roll 1 1 3 4 5", "keep 1 3 4 5", "roll 2"],
        ["roll 1 1 3 4 5", "keep 1 3 4 5", "roll 5", "keep 1 3 4 5", "roll 2"],
    ):
        assert play(start(), *rolls, "score straight").scores == (30,)


def test_any_subset_of_the_five_dice_may_be_kept_but_not_all() -> None:
    state = play(start(), "roll 2 2 2 5 6")
    assert moves(state)[: -len(BOXES)] == [
        "keep none", "keep 2", "keep 5", "keep 6",
        "keep 2 2", "keep 2 5", "keep 2 6", "keep 5 6",
        "keep 2 2 2", "keep 2 2 5", "keep 2 2 6", "keep 2 5 6",
        "keep 2 2 2 5", "keep 2 2 2 6", "keep 2 2 5 6",
    ]  # fmt: skip
    assert moves(state)[-len(BOXES) :] == [f"score {box}" for box in BOXES]


def test_all_five_dice_may_be_rolled_again() -> None:
    state = play(start(), "roll 1 2 3 5 6", "keep none")
    assert (state.seat, state.dice, len(state.outcomes())) == (CHANCE, (), 252)
    assert play(state, "roll 6 6 6 6 1").dice == (1, 6, 6, 6, 6)


def test_dice_kept_before_may_be_rolled_again() -> None:
    state = play(start(), "roll 3 3 4 4 5", "keep 4 4", "roll 5 5 5", "keep 5 5 5")
    assert (state.dice, len(state.outcomes())) == ((5, 5, 5), 21)


def test_keeping_needs_dice_that_lie_there() -> None:
    state = play(start(), "roll 3 3 4 4 5")
    with pytest.raises(IllegalMove) as refused:
        play(state, "keep 4 4 4")
    assert str(refused.value) == (
        "The dice are 3 3 4 4 5, so “keep 4 4 4” is not possible. "
        "Legal: keep none, keep 3, keep 4, keep 5, keep 3 3, keep 3 4 and 26 more."
    )


def test_keeping_all_five_dice_is_refused_in_favour_of_a_box() -> None:
    with pytest.raises(IllegalMove, match=r"^To keep all five dice, score them in a box\. "):
        play(start(), "roll 3 3 4 4 5", "keep 3 3 4 4 5")


def test_a_turn_has_three_rolls_at_most() -> None:
    state = play(start(), "roll 1 1 2 3 4", "keep 1 1", "roll 1 2 3", "keep 1 1 1", "roll 5 6")
    assert moves(state) == [f"score {box}" for box in BOXES]
    with pytest.raises(
        IllegalMove, match=r"^All three rolls are taken; the dice have to be scored\. Legal: score aces"
    ):
        play(state, "keep 1 1 1")


def test_no_move_is_made_while_dice_are_in_the_hand() -> None:
    with pytest.raises(IllegalMove) as refused:
        play(start(), "score aces")
    assert str(refused.value) == "“score aces” has to wait: the dice are to be rolled first."


def test_no_dice_are_rolled_while_a_move_is_due() -> None:
    state = play(start(), "roll 1 2 3 4 5")
    assert len(state.outcomes()) == 0
    with pytest.raises(ImpossibleRoll, match=r"^No dice are to be rolled now; a move is due\.$"):
        play(state, "roll 1 2 3 4 5")


# Boxes


@pytest.mark.parametrize(
    ("dice", "box", "score"),
    [
        ("12345", "aces", 1),
        ("11145", "aces", 3),
        ("11145", "deuces", 0),
        ("22345", "deuces", 4),
        ("13335", "treys", 9),
        ("44446", "fours", 16),
        ("45555", "fives", 20),
        ("66666", "sixes", 30),
        ("16666", "sixes", 24),
    ],
)
def test_a_basic_box_takes_the_sum_of_the_matching_dice(dice: str, box: str, score: int) -> None:
    assert offers(dice).get(box, 0) == score


@pytest.mark.parametrize(
    ("dice", "score"),
    [
        ("11663", 17),  # black and black
        ("22551", 15),  # red and red
        ("33446", 20),  # green and green
        ("22555", 19),
        ("55554", 24),  # the printed four of a kind
        ("11112", 6),
        ("33333", 15),
        ("11225", 0),  # black and red
        ("33556", 0),  # green and red
        ("11334", 0),
        ("66611", 20),
        ("66622", 0),  # a full house of two colours
        ("11166", 15),
        ("11165", 0),  # three aces are one pair, not two
        ("16324", 0),
    ],
)
def test_two_pair_same_color_takes_two_pairs_of_one_colour_equal_or_not(dice: str, score: int) -> None:
    assert offers("".join(sorted(dice))).get("two-pair", 0) == score


@pytest.mark.parametrize(
    ("dice", "three", "four"),
    [("11223", 0, 0), ("11134", 10, 0), ("12333", 12, 0), ("12222", 9, 34), ("44446", 22, 47), ("55555", 25, 50)],
)
def test_three_and_four_of_a_kind_take_at_least_that_many(dice: str, three: int, four: int) -> None:
    scored = offers(dice)
    assert (scored.get("three-of-a-kind", 0), scored.get("four-of-a-kind", 0)) == (three, four)


@pytest.mark.parametrize(
    ("dice", "score"), [("12345", 30), ("23456", 30), ("12346", 0), ("13456", 0), ("12245", 0), ("33333", 0)]
)
def test_a_straight_is_one_to_five_or_two_to_six_for_thirty(dice: str, score: int) -> None:
    assert offers(dice).get("straight", 0) == score


@pytest.mark.parametrize(
    ("dice", "score"),
    [("25555", 35), ("11666", 35), ("33344", 35), ("22222", 35), ("22556", 0), ("13344", 0), ("12345", 0)],
)
def test_a_flush_is_five_dice_of_one_colour_for_thirty_five(dice: str, score: int) -> None:
    assert offers(dice).get("flush", 0) == score


def test_the_printed_flush_is_four_fives_and_a_two() -> None:
    assert offers("25555")["flush"] == 35


@pytest.mark.parametrize(
    ("dice", "full", "same"),
    [
        ("11222", 23, 0),
        ("11122", 22, 0),
        ("33344", 32, 37),
        ("33444", 33, 38),
        ("22255", 31, 36),
        ("11666", 35, 40),
        ("11116", 0, 0),
        ("11266", 0, 0),
        ("11126", 0, 0),
    ],
)
def test_a_full_house_adds_fifteen_and_in_one_colour_twenty(dice: str, full: int, same: int) -> None:
    scored = offers(dice)
    assert (scored.get("full-house", 0), scored.get("full-house-same-color", 0)) == (full, same)


def test_the_printed_full_house_same_color_is_three_sixes_and_two_aces() -> None:
    assert offers("11666")["full-house-same-color"] == 6 + 6 + 6 + 1 + 1 + 20


def test_yarborough_takes_anything_at_its_sum() -> None:
    assert offers("12346")["yarborough"] == 16
    assert offers("66666")["yarborough"] == 30


def test_five_alike_add_fifty_in_the_kismet_box_and_nothing_less_does() -> None:
    assert offers("11111")["kismet"] == 55
    assert offers("66666")["kismet"] == 80
    assert "kismet" not in offers("66665"[::-1])


def test_four_fives_and_a_four_have_the_five_printed_options_and_are_zero_elsewhere() -> None:
    assert offers("45555") == {
        "fours": 4,  # the sheet's list leaves out the single four
        "fives": 20,
        "two-pair": 24,
        "three-of-a-kind": 24,
        "four-of-a-kind": 49,
        "yarborough": 24,
    }


@pytest.mark.parametrize("face", range(1, 7))
def test_a_kismet_fits_every_box_but_the_straight_and_the_other_numbers(face: int) -> None:
    total = 5 * face
    assert offers(str(face) * 5) == {
        BOXES[face - 1]: total,
        "two-pair": total,
        "three-of-a-kind": total,
        "flush": 35,
        "full-house": total + 15,
        "full-house-same-color": total + 20,
        "four-of-a-kind": total + 25,
        "yarborough": total,
        "kismet": total + 50,
    }


@pytest.mark.parametrize("face", range(1, 7))
def test_read_strictly_a_kismet_is_no_full_house(face: int) -> None:
    loose, strict = offers(str(face) * 5), offers(str(face) * 5, STRICT)
    assert {box: loose[box] for box in loose if box not in strict} == {
        "full-house": 5 * face + 15,
        "full-house-same-color": 5 * face + 20,
    }
    assert all(strict[box] == loose[box] for box in strict)


def test_read_strictly_a_real_full_house_stays_one() -> None:
    assert offers("11666", STRICT) == offers("11666")


def test_a_zero_may_be_written_in_any_vacant_box() -> None:
    state = at(sheet(), rolls=1, dice="12346")
    assert play(state, "score kismet").sheets[0][Box.KISMET] == 0
    assert play(state, "score kismet").scores == (0,)
    assert play(state, "score fives").sheets[0][Box.FIVES] == 0


def test_an_entry_is_final_and_its_box_no_longer_offered() -> None:
    state = at(sheet(aces=3, kismet=0), rolls=3, dice="11111")
    assert moves(state) == [f"score {box}" for box in BOXES if box not in ("aces", "kismet")]
    with pytest.raises(IllegalMove) as refused:
        play(state, "score kismet")
    assert str(refused.value) == (
        "The box Kismet is filled already. Legal: score deuces, score treys, score fours, score fives, "
        "score sixes, score two-pair and 7 more."
    )
    with pytest.raises(IllegalMove, match=r"^The box Aces is filled already\. "):
        play(state, "score aces")


def test_one_turn_fills_exactly_one_box() -> None:
    state = play(start(), "roll 1 2 3 4 5", "score yarborough")
    assert [entry for entry in state.sheets[0] if entry != -1] == [15]
    assert (state.seat, state.roller, state.rolls, state.dice) == (CHANCE, 0, 0, ())


# The bonus

BASICS = {
    0: (0, 0, 0, 0, 0, 0),
    62: (2, 6, 9, 12, 15, 18),
    63: (3, 6, 9, 12, 15, 18),
    70: (4, 6, 9, 12, 15, 24),
    71: (5, 6, 9, 12, 15, 24),
    77: (5, 8, 9, 16, 15, 24),
    78: (3, 6, 9, 16, 20, 24),
    105: (5, 10, 15, 20, 25, 30),
}


@pytest.mark.parametrize(
    ("basic", "bonus"), [(0, 0), (62, 0), (63, 35), (70, 35), (71, 55), (77, 55), (78, 75), (105, 75)]
)
def test_the_bonus_depends_on_the_sum_of_the_basic_boxes(basic: int, bonus: int) -> None:
    entries = BASICS[basic]
    assert sum(entries) == basic
    state = at(sheet(0, **dict(zip(BOXES, entries, strict=False)), yarborough="-"))
    assert state.scores == (basic + bonus,)
    assert state.board().bonuses == (bonus,)


def test_the_kismet_section_does_not_count_towards_the_bonus() -> None:
    state = at(sheet(0, kismet=80, yarborough=30, four_of_a_kind=55, sixes="-") + "!")
    assert state.scores == (165,)


def test_the_total_is_both_sections_and_the_bonus() -> None:
    entries = dict(zip(BOXES, BASICS[63], strict=False))
    state = at(sheet(0, **entries, straight=30, flush=35, yarborough="-"), rolls=3, dice="12345")
    assert play(state, "score yarborough").scores == (63 + 35 + 30 + 35 + 15,)


# The second Kismet


def hit(*sheets: str, dice: str = "44444", box: str = "yarborough", turn: int = 1, options: str = "") -> KismetState:
    """The state after a turn that ends with these dice in this box."""
    return play(at(*sheets, turn=turn, rolls=1, dice=dice, options=options), f"score {box}")


def test_the_first_kismet_has_no_consequences() -> None:
    state = hit(sheet(), sheet(), box="kismet")
    assert state.scores == (70, 0)
    assert state.sheets[1] == (-1,) * 15
    assert state.roller == 1
    assert state.had_kismet == (True, False)


@pytest.mark.parametrize("dice", ["16666", "11116", "11166", "12345"])
def test_anything_less_than_five_of_a_kind_is_no_kismet(dice: str) -> None:
    first = play(at(sheet(), sheet(), rolls=3, dice=dice), "score yarborough")
    assert first.had_kismet == (False, False)
    again = play(at(sheet(kismet=55) + "!", sheet(), rolls=3, dice=dice), "score yarborough")
    assert again.sheets[1] == at(sheet(), sheet()).sheets[1]
    assert again.roller == 1


def test_a_second_kismet_writes_a_zero_into_everybody_elses_topmost_vacant_box() -> None:
    state = hit(sheet(kismet=70) + "!", sheet(), sheet(aces=1, deuces=4), sheet(aces=0, treys=3))
    assert [seat.index(-1) for seat in state.sheets] == [0, 1, 3, 3]
    assert [state.sheets[1][0], state.sheets[2][2], state.sheets[3][1]] == [0, 0, 0]
    assert state.sheets[0][Box.YARBOROUGH] == 20


def test_the_topmost_vacant_box_is_looked_for_in_the_basic_section_first() -> None:
    low = sheet(sixes="-", aces=1, deuces=2, treys=3, fours=4, fives=5)
    state = hit(sheet(kismet=70) + "!", low)
    assert state.sheets[1][Box.SIXES] == 0
    assert state.sheets[1][Box.TWO_PAIR] == -1


def test_then_in_the_kismet_section() -> None:
    full_basic = sheet(aces=1, deuces=2, treys=3, fours=4, fives=5, sixes=6)
    state = hit(sheet(kismet=70) + "!", full_basic)
    assert state.sheets[1][Box.TWO_PAIR] == 0
    assert state.sheets[1][Box.THREE_OF_A_KIND] == -1


def test_everybody_else_is_passed_over_once_and_the_roller_goes_again() -> None:
    state = hit(sheet(), sheet(kismet=70) + "!", sheet(), turn=2)
    assert (state.seat, state.roller, state.rolls, state.dice) == (CHANCE, 1, 0, ())
    state = play(state, "roll 1 2 3 4 6", "score aces")
    assert state.roller == 2
    state = play(state, "roll 1 2 3 4 6", "score deuces")
    assert state.roller == 0


def test_the_roller_gets_no_zero() -> None:
    state = hit(sheet(kismet=70) + "!", sheet())
    assert [entry for entry in state.sheets[0] if entry != -1] == [20, 70]


def test_kismets_are_counted_whichever_box_they_fill() -> None:
    state = hit(sheet(), sheet(), box="aces")
    assert state.had_kismet == (True, False)
    state = play(state, "roll 1 2 3 4 6", "score yarborough", "roll 2 2 2 2 2", "score straight")
    assert state.sheets[1].count(0) == 1
    assert state.roller == 0


def test_five_of_a_kind_that_is_rolled_again_is_no_kismet() -> None:
    state = at(sheet(kismet=70) + "!", sheet(), rolls=1, dice="44444")
    state = play(state, "keep 4 4 4 4", "roll 5", "score yarborough")
    assert state.sheets[1] == (-1,) * 15
    assert state.roller == 1
    fresh = play(at(sheet(), sheet(), rolls=1, dice="44444"), "keep 4 4 4 4", "roll 5", "score fours")
    assert fresh.had_kismet == (False, False)


def test_somebody_elses_kismet_does_not_count() -> None:
    state = hit(sheet(kismet=70) + "!", sheet(), turn=2)
    assert state.had_kismet == (True, True)
    assert state.sheets[0].count(-1) == 14
    assert state.roller == 0


def test_every_later_kismet_does_the_same() -> None:
    state = hit(sheet(kismet=70) + "!", sheet(), sheet())
    state = play(state, "roll 1 1 1 1 1", "score fours", "roll 6 6 6 6 6", "score fives")
    assert [state.sheets[other][:4] for other in (1, 2)] == [(0, 0, 0, -1)] * 2
    assert state.roller == 0
    assert play(state, "roll 1 2 3 4 6", "score aces").roller == 1


def test_full_sheets_are_passed_by_without_a_zero() -> None:
    state = hit(sheet(kismet=70) + "!", FULL, sheet())
    assert state.sheets[1] == (0,) * 15
    assert state.roller == 0
    assert play(state, "roll 1 2 3 4 6", "score aces").roller == 2


def test_a_player_whose_sheet_is_full_is_skipped_from_then_on() -> None:
    state = at(sheet(), FULL, sheet(), FULL, rolls=3, dice="12346")
    state = play(state, "score aces")
    assert state.roller == 2
    assert play(state, "roll 1 2 3 4 6", "score aces").roller == 0


def test_a_second_kismet_in_the_rollers_last_box_leaves_the_others_to_finish() -> None:
    last = sheet(0, yarborough="-") + "!"
    state = hit(last, sheet(0, kismet="-", flush="-"), sheet(0, kismet="-", aces="-"))
    assert state.sheets[1][Box.FLUSH] == 0
    assert state.sheets[2][Box.ACES] == 0
    assert (state.seat, state.roller) == (CHANCE, 1)
    state = play(state, "roll 1 2 3 4 5", "score kismet")
    assert state.roller == 2
    state = play(state, "roll 6 6 6 6 6", "score kismet")
    assert (state.seat, state.scores) == (OVER, (20, 0, 80))


def test_a_zero_can_fill_somebodys_last_box() -> None:
    state = hit(sheet(kismet=70) + "!", sheet(0, kismet="-"), sheet(0, aces="-", kismet="-"))
    assert state.sheets[1] == (0,) * 15
    state = play(state, "roll 1 2 3 4 6", "score aces")
    assert state.roller == 2
    state = play(state, "roll 1 2 3 4 6", "score kismet")
    assert state.roller == 0


def test_a_zero_can_end_the_game() -> None:
    state = hit(sheet(0, yarborough="-", kismet=70) + "!", sheet(0, kismet="-", aces=5))
    assert (state.seat, state.scores) == (OVER, (90, 5))
    assert state.result is not None
    assert state.result.winners == (0,)


def test_the_roller_alone_with_vacant_boxes_goes_on_after_a_second_kismet() -> None:
    state = hit(sheet(kismet=70) + "!", FULL)
    assert (state.seat, state.roller) == (CHANCE, 0)


def test_one_player_may_have_many_kismets() -> None:
    state = hit(sheet(kismet=70) + "!")
    assert (state.scores, state.roller) == ((90,), 0)


def test_without_the_rule_a_second_kismet_is_an_ordinary_turn() -> None:
    state = hit(sheet(kismet=70) + "!", sheet(), sheet(), options=NO_SECOND)
    assert state.sheets[1:] == ((-1,) * 15, (-1,) * 15)
    assert state.roller == 1
    assert state.scores == (90, 0, 0)


# The end


def test_the_game_ends_when_every_sheet_is_full() -> None:
    state = at(sheet(0, aces="-"), sheet(0, kismet="-"), rolls=2, dice="11134")
    state = play(state, "score aces")
    assert (state.seat, state.result) == (CHANCE, None)
    state = play(state, "roll 1 2 3 4 5", "score kismet")
    assert state.seat == OVER
    assert state.legal_moves() == ()
    assert len(state.outcomes()) == 0
    with pytest.raises(IllegalMove, match=r"^The game is over; no move is left to make\.$"):
        play(state, "score aces")
    with pytest.raises(ImpossibleRoll, match=r"^The game is over; no dice are to be rolled\.$"):
        play(state, "roll 1 2 3 4 5")


def test_a_game_alone_is_fifteen_turns() -> None:
    state = start()
    for box in BOXES:
        assert state.result is None
        state = play(state, "roll 2 2 3 3 4", f"score {box}")
    assert state.scores == (4 + 6 + 4 + 14,)  # deuces, treys, fours, Yarborough
    assert state.result == Result((0,), "The sheet is full.", (Standing(0, 1, 28),))


SUMS = {12: "11235", 16: "12346", 20: "23456"}


def finished(*totals: int) -> KismetState:
    """A game that just ended, with these numbers of points in Yarborough."""
    others = [sheet(0, yarborough=total) for total in totals[:-1]]
    state = at(*others, sheet(0, yarborough="-"), turn=len(totals), rolls=3, dice=SUMS[totals[-1]])
    return play(state, "score yarborough")


def test_the_highest_total_wins() -> None:
    assert finished(16, 20, 12).result == Result(
        (1,), "The highest total.", (Standing(1, 1, 20), Standing(0, 2, 16), Standing(2, 3, 12))
    )


def test_equal_totals_share_the_win() -> None:
    assert finished(16, 12, 16).result == Result(
        (0, 2), "The highest total, shared.", (Standing(0, 1, 16), Standing(2, 1, 16), Standing(1, 3, 12))
    )


def test_equal_totals_below_the_best_share_a_place() -> None:
    result = finished(12, 20, 12).result
    assert result is not None
    assert [standing.place for standing in result.standings] == [1, 2, 2]


def test_the_bonus_can_decide_the_game() -> None:
    entries = dict(zip(BOXES, BASICS[63], strict=False))
    state = at(sheet(0, **entries | {"sixes": "-"}), sheet(0, kismet=80) + "!", rolls=3, dice="15666")
    state = play(state, "score sixes")
    assert state.scores == (98, 80)
    assert state.result is not None
    assert state.result.winners == (0,)


def test_states_are_equal_by_value_and_never_change() -> None:
    before = start(2)
    position = before.position
    after = play(before, "roll 3")
    assert before.position == position
    assert after == play(start(2), "roll 3")
    assert hash(after) == hash(play(start(2), "roll 3"))
    assert len({before, after, play(start(2), "roll 3")}) == 2


def test_a_type_checker_knows_the_state_by_the_name_of_the_game() -> None:
    state = hotdice.load_game("kismet").start()
    assert_type(state, KismetState)
    assert_type(state.had_kismet, tuple[bool, ...])
    assert isinstance(state, KismetState)
