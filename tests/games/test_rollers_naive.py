"""The engine's Rollers against the naive one: whole matches on the same dice, and every state within reach counted.

Legal applications are compared for many boards and dice besides. A class of states is who acts, after how many rolls,
with which chips and points; both models must count the same states in it and find them equally likely.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations_with_replacement, product
from random import Random

import pytest

from hotdice.games.rollers import RollersOptions, RollersState
from tests.games.naive_rollers import BLACK, NUMBERS, PURPLE, NaiveRollers, face_order
from tests.games.test_kismet_naive import Tally, acting, engine_layers, naive_layers, tally
from tests.games.test_rollers import LOCKED, SHARE, applying, at, moves, start

pytestmark = pytest.mark.slow  # thousands of games beside a model that takes its time

FACES = (*PURPLE, *BLACK)
SECTIONS = ("empty", "open", "closed")


def faces(dice: tuple[int, ...]) -> list[str]:
    """The engine's codes as the naive model's faces."""
    return [PURPLE[code - 1] if code <= 6 else BLACK[code - 11] for code in dice]


def mirror(state: RollersState) -> NaiveRollers:
    """A naive match at the engine's position."""
    options = state.options
    game = NaiveRollers(state.players, options.chip_tie, options.saved_dice, options.target_points)
    for mine, board in zip(game.sections, state.boards, strict=True):
        mine.update({number: SECTIONS[board[number - 1]] for number in NUMBERS})
    game.chips, game.points = list(state.chips), list(state.scores)
    game.starter, game.turn, game.rolls = state.starter, state.roller, state.rolls
    game.in_roll_off = []
    for kept, codes in ((True, state.kept), (False, state.rolled)):
        for face in faces(codes):
            place = 5 if face in BLACK else game.row.index("")
            game.row[place], game.kept[place] = face, kept
    return game


def check_same(state: RollersState, game: NaiveRollers) -> None:
    """Every part of the state, the choices, the scores and the winners agree."""
    assert acting(state) == game.acting()
    assert [[SECTIONS[section] for section in board] for board in state.boards] == [
        [sections[number] for number in NUMBERS] for sections in game.sections
    ]
    assert list(state.chips) == game.chips
    assert sum(state.chips) == 55 * game.players
    assert list(state.scores) == game.points
    assert state.starter == game.starter
    assert state.rolls == (3 if game.stopped else game.rolls)
    for codes, wanted in ((state.kept, True), (state.rolled, False)):
        lie = [face for face, kept in zip(game.row, game.kept, strict=True) if face and kept is wanted]
        assert faces(codes) == sorted(lie, key=face_order)
    assert sorted(moves(state)) == sorted(game.choices())
    assert state.outcomes().total == (6 ** game.in_hand() if game.in_hand() else 0)
    assert (list(state.result.winners) if state.result else []) == game.winners()


def throw(game: NaiveRollers, random: Random, favourite: str) -> list[str]:
    """Dice for the naive game's hand; about half of them show the favourite number."""
    thrown = []
    for place in game.empty_places():
        kind = BLACK if place == 5 else PURPLE
        likely = f"b{favourite}" if place == 5 else favourite
        thrown.append(likely if random.random() < 0.5 else random.choice(kind))
    return thrown


def choice_of(game: NaiveRollers, random: Random) -> str:
    """A random choice, with a liking for equal numbers and for using many dice."""
    said = sorted(game.choices())
    if random.random() < 0.25:
        return random.choice(said)
    if said[0].startswith("apply"):
        most = max(len(text.split()) for text in said if text != "apply none" or len(said) == 1)
        return random.choice([text for text in said if len(text.split()) == most])
    common, _ = Counter(face[-1] for face in game.row if face != "zap").most_common(1)[0]
    wanted = [text for text in said if {face[-1] for face in text.split()[1:]} <= {common, "*"}]
    return max(wanted, key=len) if wanted else random.choice(said)


OPTIONS = [
    RollersOptions(chip_tie=chip_tie, saved_dice=saved_dice, target_points=target)
    for chip_tie, saved_dice, target in product(("nobody", "share"), ("free", "locked"), (1, 3, 5))
]


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("options", OPTIONS, ids=lambda options: options.text or "printed")
def test_random_matches_agree_at_every_step(options: RollersOptions, players: int) -> None:
    random = Random(f"{options.text} {players}")
    state = start(
        players,
        chip_tie=options.chip_tie,
        saved_dice=options.saved_dice,
        target_points=options.target_points,
    )
    game = NaiveRollers(players, options.chip_tie, options.saved_dice, options.target_points)
    favourite = "1"
    events = 0
    while not game.done:
        check_same(state, game)
        events += 1
        if game.in_hand():
            favourite = str(random.randint(1, 5)) if game.rolls == 0 else favourite
            thrown = throw(game, random, favourite)
            state = state.roll(state.parse_roll(" ".join(thrown)))
            game.throw(thrown)
        else:
            said = choice_of(game, random)
            state = state.apply(state.parse_move(said))
            game.take(game.choices()[said])
    check_same(state, game)
    assert events < 20_000


# Every application


BOARDS = ["".join(board) for board in product("012", repeat=5)]


def dice_sets() -> list[tuple[str, ...]]:
    """All multisets of up to five purple dice, black dice told by number only."""
    return [dice for count in range(6) for dice in combinations_with_replacement(PURPLE, count)]


def test_the_legal_applications_are_those_of_brute_force_for_every_dice_set() -> None:
    random = Random(1)
    for dice in dice_sets():
        for _ in range(3):
            mine, other, third = random.choice(BOARDS[:-1]), random.choice(BOARDS), random.choice(BOARDS)
            boards = f"{mine}/{other.replace('2', '0', 1)}/{third.replace('2', '1', 1)}"
            chips = random.choice(["55/55/55", "0/100/65", "160/0/5"])
            state = applying(boards, " ".join(dice), chips=chips)
            assert sorted(moves(state)) == sorted(mirror(state).choices()), state.position


def test_the_legal_applications_are_those_of_brute_force_on_every_board() -> None:
    random = Random(2)
    for board in BOARDS[:-1]:
        for _ in range(2):
            rolled = [*(random.choice(PURPLE) for _ in range(5)), random.choice(BLACK)]
            other = random.choice(BOARDS[:-1])
            state = at(f"{board}/{other}", rolls=3, rolled=",".join(rolled))
            assert sorted(moves(state)) == sorted(mirror(state).choices()), state.position


def test_applications_have_the_effect_of_using_the_dice_one_by_one() -> None:
    random = Random(3)
    for _ in range(150):
        boards = "/".join(random.choice(BOARDS[:-1]) for _ in range(3))
        rolled = [*(random.choice(PURPLE) for _ in range(5)), random.choice(BLACK)]
        rich = random.randint(0, 165)
        poor = random.randint(0, min(9, 165 - rich))
        chips = f"{rich}/{poor}/{165 - rich - poor}"
        state = at(boards, chips=chips, rolls=3, rolled=",".join(rolled), options="(target_points=3)")
        for said, spent in mirror(state).choices().items():
            game = mirror(state)
            game.take(spent)
            check_same(state.apply(state.parse_move(said)), game)


# Counting


def same_tallies(state: RollersState, depth: int, most: int) -> list[Tally]:
    """The tallies at each depth, after both models have agreed on them."""
    tallies = []
    layers = zip(engine_layers(state, depth, most), naive_layers(mirror(state), depth, most), strict=True)
    for mine, others in layers:
        tallies.append(tally(((acting(one), one.rolls, one.chips, one.scores), mass) for one, mass in mine.items()))
        assert tallies[-1] == tally(
            (
                (
                    one.acting(),
                    3 if one.stopped else one.rolls,
                    tuple(one.chips),
                    tuple(one.points),
                ),
                mass,
            )
            for one, mass in others
        )
    return tallies


def counts(tallies: list[Tally]) -> list[int]:
    return [sum(count for count, _ in one.values()) for one in tallies]


def test_the_first_roll_has_1512_outcomes_and_each_its_choices() -> None:
    tallies = same_tallies(at(), 1, 6)
    assert counts(tallies) == [1, 1512]


def test_four_kept_purple_dice_reach_the_same_states() -> None:
    # One purple die and the black one are rolled: 36 ways, all different. A ZAP keeps its purple die apart.
    tallies = same_tallies(at("22110/21000", rolls=2, kept="1,2,4,*"), 2, 2)
    assert counts(tallies)[:2] == [1, 36]


@pytest.mark.parametrize("options", ["", LOCKED])
@pytest.mark.parametrize(("kept", "ways"), [("1,2,2,*", 36), ("3,3,3,b3", 21)])
def test_the_second_roll_reaches_the_same_states(options: str, kept: str, ways: int) -> None:
    tallies = same_tallies(at("12010/22101", rolls=1, kept=kept, options=options), 4, 2)
    assert counts(tallies)[:2] == [1, ways]


@pytest.mark.parametrize("options", ["", LOCKED])
def test_a_zap_reaches_the_same_states(options: str) -> None:
    state = at("12010/22101", rolls=2, kept="2,3,*", rolled="1,1,zap", options=options)
    tallies = same_tallies(state, 3, 3)
    assert counts(tallies)[:2] == [1, 2 if options else 1 + 8]


@pytest.mark.parametrize("options", ["", SHARE, "(target_points=1)"])
def test_the_end_of_a_round_reaches_the_same_states(options: str) -> None:
    tallies = same_tallies(at("22211/22221", rolls=2, kept="4,5,*", options=options), 2, 3)
    assert any(what[0] == ("over" if "target" in options else "dice 1") for what in tallies[2])
    points = {what[3] for what in tallies[2]}
    assert points == {(0, 0), (2, 0) if options != SHARE else (3, 1), (3, 0)}


def test_the_end_of_a_match_of_three_reaches_the_same_states() -> None:
    state = at("22211/22221/20000", chips="0/100/65", points="4/4/1", rolls=2, kept="4,4,5")
    tallies = same_tallies(state, 2, 3)
    assert {what[3] for what in tallies[2]} == {(4, 4, 1), (5, 5, 1)}


def test_dice_in_front_of_the_player_reach_the_same_states() -> None:
    tallies = same_tallies(at("11200/01020/20210", rolls=1, rolled="1,2,3,4,*,b3"), 3, 2)
    # Stop, or keep any of five different purple dice and the black one, but not all six.
    assert counts(tallies)[1] == 1 + 2**6 - 1


@pytest.mark.parametrize("players", [2, 3])
def test_the_roll_off_reaches_the_same_states(players: int) -> None:
    depth = players + 3
    layers = zip(engine_layers(start(players), depth, 1), naive_layers(NaiveRollers(players), depth, 1), strict=True)
    tallies = []
    for mine, others in layers:
        tallies.append(tally(((acting(one), one.starter, len(one.roll_off)), mass) for one, mass in mine.items()))
        assert tallies[-1] == tally(
            ((one.acting(), one.starter, players if one.in_roll_off else 0), mass) for one, mass in others
        )
    if players == 2:
        assert tallies[2] == {
            ("dice 0", 0, 2): (1, Fraction(6, 36)),
            ("dice 0", 0, 0): (1, Fraction(15, 36)),
            ("dice 1", 1, 0): (1, Fraction(15, 36)),
        }
