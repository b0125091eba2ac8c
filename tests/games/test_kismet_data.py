"""What a page draws of Kismet: what the sheet prints, what each score does, and the board."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hotdice import OVER
from hotdice.games.kismet import KISMET, Box, Keep, KismetBoard, KismetFacts, KismetState, Score, Scoring
from hotdice.games.kismet.data import BonusStep
from tests.games.naive_kismet import extra, worth
from tests.games.test_kismet import BOXES, FULL, NO_SECOND, STRICT, at, play, sheet, start

SHEET = [
    ("aces", "Aces", "basic", 1, True, 0),
    ("deuces", "Deuces", "basic", 2, True, 0),
    ("treys", "Treys", "basic", 3, True, 0),
    ("fours", "Fours", "basic", 4, True, 0),
    ("fives", "Fives", "basic", 5, True, 0),
    ("sixes", "Sixes", "basic", 6, True, 0),
    ("two-pair", "Two Pair Same Color", "kismet", 0, True, 0),
    ("three-of-a-kind", "Three of a Kind", "kismet", 0, True, 0),
    ("straight", "Straight", "kismet", 0, False, 30),
    ("flush", "Flush", "kismet", 0, False, 35),
    ("full-house", "Full House", "kismet", 0, True, 15),
    ("full-house-same-color", "Full House Same Color", "kismet", 0, True, 20),
    ("four-of-a-kind", "Four of a Kind", "kismet", 0, True, 25),
    ("yarborough", "Yarborough", "kismet", 0, True, 0),
    ("kismet", "Kismet", "kismet", 0, True, 50),
]


def scores(state: KismetState) -> dict[str, Scoring]:
    """What each legal score does, by its box."""
    found = {move.box.word: state.effect(move) for move in state.legal_moves() if isinstance(move, Score)}
    return {box: effect for box, effect in found.items() if effect is not None}


def points(state: KismetState) -> tuple[int, ...]:
    return tuple(effect.points for effect in scores(state).values())


# What the sheet prints


def test_the_boxes_are_as_the_sheet_prints_them() -> None:
    boxes = start().facts().boxes
    assert [(box.word, box.title, box.section, box.face, box.sum, box.plus) for box in boxes] == SHEET


def test_what_fits_is_said_where_the_title_does_not_say_it() -> None:
    fits = {box.word: box.fits for box in start().facts().boxes if box.fits and not box.face}
    assert fits == {
        "straight": "five in a row",
        "flush": "one colour",
        "yarborough": "any dice",
        "kismet": "five alike",
    }
    assert [box.fits for box in start().facts().boxes[:6]] == ["ones", "twos", "threes", "fours", "fives", "sixes"]


def test_there_are_five_dice_three_rolls_and_three_steps_of_the_bonus() -> None:
    facts = start().facts()
    assert (facts.dice, facts.rolls) == (5, 3)
    assert facts.steps == (BonusStep(63, 35), BonusStep(71, 55), BonusStep(78, 75))


def test_the_house_rules_are_told_once() -> None:
    facts: KismetFacts = start().facts()
    assert facts.second_kismet
    assert not start(second_kismet=False).facts().second_kismet
    assert play(start(), "roll 1 2 3 4 6").facts() is facts


@pytest.mark.parametrize("box", list(Box))
def test_every_roll_counts_what_the_facts_say_or_nothing(box: Box) -> None:
    facts = start().facts().boxes[box]
    fitting = 0
    for roll in start().outcomes().rolls:
        state = at(sheet(), rolls=3, dice="".join(map(str, roll)))
        counted = [die for die in roll if facts.face in (0, die)]
        found = scores(state)[box.word].points
        assert found in (0, facts.sum * sum(counted) + facts.plus)
        fitting += found > 0
    assert fitting


# What a score does


@given(st.integers(1, 4), st.integers(0, 10_000), st.booleans(), st.booleans())
def test_a_score_does_what_its_effect_says(players: int, seed: int, loose: bool, second: bool) -> None:
    random = Random(seed)
    state = KISMET.start(players, {"kismet_is_full_house": loose, "second_kismet": second})
    while state.seat != OVER:
        if state.seat < 0:
            outcomes = state.outcomes()
            alike = not state.roll_off and not state.dice and random.random() < 0.4
            state = state.roll((random.randint(1, 6),) * 5 if alike else outcomes.at(random.randrange(outcomes.total)))
            continue
        move = random.choice([move for move in state.legal_moves() if isinstance(move, Score)])
        effect, seat, before = state.effect(move), state.seat, state
        assert effect is not None
        assert effect.points == worth(move.box.word, before.dice, loose)
        state = state.apply(move)
        sums = [sum(max(entry, 0) for entry in moment.sheets[seat][:6]) for moment in (before, state)]
        assert effect.bonus == extra(sums[1]) - extra(sums[0])
        assert state.scores[seat] == before.scores[seat] + effect.points + effect.bonus
        written = {
            (other, box): entry
            for other in range(players)
            for box, entry in enumerate(state.sheets[other])
            if entry != before.sheets[other][box]
        }
        struck = {(other, box): 0 for other, box in enumerate(effect.strikes) if box >= 0}
        assert written == {(seat, move.box): effect.points} | struck


def test_keeping_dice_changes_nothing_yet() -> None:
    state = play(start(), "roll 1 2 3 4 6")
    assert {state.effect(move) for move in state.legal_moves() if isinstance(move, Keep)} == {None}


def test_each_vacant_box_says_what_the_dice_score_there() -> None:
    state = at(sheet(), sheet(aces=2, kismet=55) + "!", turn=2, rolls=2, dice="22222")
    assert list(scores(state)) == BOXES[1:-1]
    assert points(state) == (10, 0, 0, 0, 0, 10, 10, 0, 35, 25, 30, 35, 10)
    strict = at(sheet(), rolls=2, dice="22222", options=STRICT)
    assert points(strict) == (0, 10, 0, 0, 0, 0, 10, 10, 0, 35, 0, 0, 35, 10, 60)


def test_a_score_says_by_how_much_the_bonus_grows() -> None:
    low = scores(at(sheet(deuces=6, treys=12, fives=20, sixes=24), rolls=1, dice="11444"))
    assert low["aces"] == Scoring(points=2, bonus=35, strikes=(), slip=False)  # from 62 to 64
    assert low["fours"] == Scoring(points=12, bonus=55, strikes=(), slip=False)  # or to 74
    assert {effect.bonus for box, effect in low.items() if box not in ("aces", "fours")} == {0}
    high = at(sheet(deuces=10, treys=12, fives=20, sixes=24), rolls=1, dice="11444")
    assert high.board().bonuses == (35,)
    assert [scores(high)[box].bonus for box in ("aces", "fours")] == [0, 40]  # from 66 to 68, or to 78 for 75


def test_a_score_says_whom_another_kismet_strikes() -> None:
    had, started = sheet(aces=2, kismet=55) + "!", sheet(aces=3, deuces=0)

    def strikes(*sheets: str, dice: str = "33333", options: str = "") -> set[tuple[int, ...]]:
        return {effect.strikes for effect in scores(at(*sheets, rolls=1, dice=dice, options=options)).values()}

    assert strikes(had, started, FULL, sheet()) == {(-1, 2, -1, 0)}  # treys; a full sheet; aces
    assert strikes(sheet(), started) == {()}
    assert strikes(had, started, dice="33334") == {()}
    assert strikes(had, started, options=NO_SECOND) == {()}


def test_a_zero_looks_like_a_slip_while_there_is_something_better() -> None:
    def slips(sheets: str, rolls: int) -> set[str]:
        return {box for box, effect in scores(at(sheets, rolls=rolls, dice="11246")).items() if effect.slip}

    zeros = set(BOXES) - {"aces", "deuces", "fours", "sixes", "yarborough"}
    assert slips(sheet(), 3) == zeros  # they score elsewhere
    hopeless = dict.fromkeys(set(BOXES) - {"treys", "flush"}, 0)
    assert slips(sheet(**hopeless), 3) == set()  # a zero somewhere is all that is left
    assert slips(sheet(**hopeless), 2) == {"treys", "flush"}  # and the dice could be rolled again


# The board


def test_the_board_has_everything_to_draw() -> None:
    state = at(sheet(), sheet(aces=2, kismet=55) + "!", turn=2, rolls=2, dice="22222")
    assert state.board() == KismetBoard(
        turn=1,
        rolls=2,
        sheets=((-1,) * 15, (2, *[-1] * 13, 55)),
        bonuses=(0, 0),
        had_kismet=(False, True),
        kismet=True,
        roll_off=(),
    )
    assert play(state, "keep 2 2 2 2").board().kismet is False
    rolling = play(start(2), "roll 3").board()
    assert (rolling.turn, rolling.kismet, rolling.roll_off) == (1, False, (3, 0))
