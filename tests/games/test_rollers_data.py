"""What a page draws of Rollers: the facts by the sheet, and effects that are what applying the dice then does."""

from __future__ import annotations

from operator import ge
from random import Random

import pytest

from hotdice.games.rollers import (
    Apply,
    RollersEffect,
    RollersFacts,
    RollersOptions,
    RollersState,
    RoundEnd,
    SectionFacts,
)
from tests.games.naive_rollers import BLACK, PURPLE
from tests.games.script import plain
from tests.games.test_rollers import SHARE, applying, at, start
from tests.games.test_rollers_naive import BOARDS, mirror


def effect(state: RollersState, move: str) -> RollersEffect | None:
    return state.effect(state.parse_move(move))


def test_the_facts_are_those_of_the_sheet() -> None:
    """Six dice, three rolls; v dice open a section and one more closes it; 55 in chips, 2 points and 1, first to 5."""
    assert start(2).facts() == RollersFacts(
        dice=6,
        rolls=3,
        sections=(
            SectionFacts(1, 1, 1, ("1", "b1")),
            SectionFacts(2, 2, 1, ("2", "b2")),
            SectionFacts(3, 3, 1, ("3", "b3")),
            SectionFacts(4, 4, 1, ("4", "b4")),
            SectionFacts(5, 5, 1, ("5", "b5")),
        ),
        star="*",
        chips=55,
        full_board_points=2,
        most_chips_points=1,
        target_points=5,
    )


def test_the_facts_depend_on_the_house_rules_alone() -> None:
    assert start(4, target_points=9).facts().target_points == 9
    assert at("01200/22220", chips="60/50", rolls=1, rolled="1,1,1,1,1,b1").facts() == start(5).facts()


@pytest.mark.parametrize("section", start(2).facts().sections, ids=lambda section: str(section.number))
def test_a_section_opens_closes_and_collects_with_the_dice_that_the_facts_say(section: SectionFacts) -> None:
    own, black = section.faces
    number, text = section.number, str(section.number)
    dice = [*[own] * (section.opening - 1), *["*"] * (6 - section.opening), black]
    opening = at(rolls=3, rolled=",".join(dice))
    opened = effect(opening, f"apply {' '.join([text] * section.opening)}")
    assert opened is not None
    assert opened == RollersEffect((number,), (), (), None, opened.unused)
    board = "".join("1" if section.number == place else "0" for place in range(1, 6))
    closing = applying(f"{board}/00000", " ".join([own] * (section.closing + 1)))
    assert effect(closing, f"apply {' '.join([text] * section.closing)}") == RollersEffect((), (number,), (), None, 1)
    one_more = f"apply {' '.join([text] * (section.closing + 1))}"
    assert effect(closing, one_more) == RollersEffect((), (number,), (0, number), None, 0)


@pytest.mark.parametrize(
    ("boards", "dice", "move", "wanted"),
    [
        ("00000/00000", "1", "apply none", RollersEffect((), (), (), None, 1)),
        ("00000/00000", "1 3 3 *", "apply 1 3 3 3", RollersEffect((1, 3), (), (), None, 0)),
        ("00000/00000", "2 2 *", "apply 2 2 2", RollersEffect((2,), (2,), (), None, 0)),
        ("10000/00000", "1 2 *", "apply 1 2 2", RollersEffect((2,), (1,), (), None, 0)),
        # The second player pays, the third has closed the 3s.
        ("00200/00000/00200", "3 3", "apply 3 3", RollersEffect((), (), (0, 6, 0), None, 0)),
    ],
)
def test_an_application_says_what_it_opens_closes_and_collects(
    boards: str, dice: str, move: str, wanted: RollersEffect
) -> None:
    assert effect(applying(boards, dice), move) == wanted


def test_dice_that_collect_from_players_without_chips_are_told_from_dice_that_do_not_collect() -> None:
    state = applying("20000/00000", "1", chips="110/0")
    assert effect(state, "apply 1") == RollersEffect((), (), (0, 0), None, 0)
    assert plain(state.tell_move(state.parse_move("apply 1"))) == "collects 0."


def last_section(chips: str, points: str = "0/0/0", options: str = "") -> RoundEnd | None:
    """How a round ends in which the first of three players closes the 5s, and the second had started."""
    state = applying("22221/00000/00000", "5", chips=chips, points=points, options=options, starter=2)
    made = effect(state, "apply 5")
    assert made is not None
    assert (made.opens, made.closes, made.paid) == ((), (5,), ())
    return made.round_end


@pytest.mark.parametrize(
    ("chips", "options", "wanted"),
    [
        ("60/55/50", "", RoundEnd((3, 0, 0), (0,), 1, 0, (), 2, (60, 55, 50))),
        ("50/60/55", "", RoundEnd((2, 1, 0), (1,), 1, 0, (), 2, (50, 60, 55))),
        ("0/60/105", "", RoundEnd((1, 0, 1), (2,), 1, 0, (), 1, (0, 60, 105))),
        ("45/60/60", "", RoundEnd((2, 0, 0), (1, 2), 0, 0, (), 2, (45, 60, 60))),
        ("45/60/60", SHARE, RoundEnd((2, 1, 1), (1, 2), 1, 0, (), 2, (45, 60, 60))),
        ("55/55/55", SHARE, RoundEnd((3, 1, 1), (0, 1, 2), 1, 0, (), 2, (55, 55, 55))),
    ],
)
def test_the_end_of_a_round_says_who_gets_what_and_who_starts_the_next(
    chips: str, options: str, wanted: RoundEnd
) -> None:
    assert last_section(chips, options=options) == wanted


def test_the_end_of_the_match_says_who_wins() -> None:
    assert last_section("50/60/55", "3/0/0") == RoundEnd((2, 1, 0), (1,), 1, -1, (0,), 2, (50, 60, 55))
    assert last_section("45/60/60", "3/4/4", SHARE) == RoundEnd((2, 1, 1), (1, 2), 1, -1, (1, 2), 2, (45, 60, 60))


@pytest.mark.parametrize(
    ("boards", "dice", "move", "unused"),
    [
        ("00000/00000", "1 2 2 5", "apply none", 3),
        ("00000/00000", "1 2 2 5", "apply 1", 2),
        ("00000/00000", "1 2 2 5", "apply 2 2", 1),
        ("00000/00000", "1 2 2 5", "apply 1 2 2", 0),
        # The STAR makes a pair with the 2, or goes on the 1s.
        ("00000/00000", "1 2 *", "apply 1", 2),
        ("00000/00000", "1 2 *", "apply 1 1", 0),
        ("00000/00000", "5 5 5 5", "apply none", 0),
    ],
)
def test_an_application_says_how_many_more_dice_could_be_used(boards: str, dice: str, move: str, unused: int) -> None:
    made = effect(applying(boards, dice), move)
    assert made is not None
    assert made.unused == unused


def test_keeping_and_stopping_have_no_effect_of_their_own() -> None:
    state = at(rolls=1, rolled="1,2,3,4,5,b1")
    assert {state.effect(move) for move in state.legal_moves()} == {None}


def near_the_end(random: Random, options: RollersOptions) -> RollersState:
    """Dice to apply, often on a board that they may fill."""
    players = random.randint(2, 4)
    mine = random.choice(["22221", "12222", "22022", "21212", random.choice(BOARDS[:-1])])
    chips = random.choices([0, 3, 40, 55], k=players - 1)
    return at(
        "/".join([mine, *random.choices(BOARDS[:-1], k=players - 1)]),
        chips="/".join(map(str, [55 * players - sum(chips), *chips])),
        points="/".join(str(random.randrange(options.target_points)) for _ in range(players)),
        starter=random.randint(1, players),
        rolls=3,
        rolled=",".join([*random.choices(PURPLE, k=5), random.choice(BLACK)]),
        options=f"({options.text})" if options.text else "",
    )


@pytest.mark.parametrize("options", RollersOptions.combinations(), ids=lambda options: options.text or "printed")
def test_effects_are_what_using_the_dice_one_by_one_does(options: RollersOptions) -> None:
    """The naive Rollers applies the same dice."""
    random = Random(options.text)
    rounds = matches = 0
    for _ in range(60):
        state = near_the_end(random, options)
        game = mirror(state)
        for move in random.sample(state.legal_moves(), min(12, len(state.legal_moves()))):
            assert isinstance(move, Apply)
            made, spent = state.effect(move), game.spend(move.uses)
            assert made is not None
            assert spent is not None
            before, (after, chips) = game.sections[0], spent
            assert made.opens == tuple(number for number in before if before[number] == "empty" != after[number])
            assert made.closes == tuple(number for number in before if before[number] != "closed" == after[number])
            paid = made.paid or (0,) * state.players
            assert paid[0] == 0
            left = [had - due for had, due in zip(state.chips, paid, strict=True)]
            assert chips == [left[0] + sum(paid), *left[1:]]
            assert (made.round_end is not None) == ({*after.values()} == {"closed"})
            together = [other.uses for other in state.legal_moves() if isinstance(other, Apply)]
            more = [sum(uses) for uses in together if all(map(ge, uses, move.uses))]
            assert made.unused == max(more) - sum(move.uses)
            if made.round_end is not None:
                end, following = made.round_end, mirror(state)
                following.take(move.uses)
                rounds += 1
                matches += following.done
                assert following.points == [had + got for had, got in zip(state.scores, end.points, strict=True)]
                for_chips = [end.richest_points if seat in end.richest else 0 for seat in range(state.players)]
                assert [*end.points] == [end.board_points + for_chips[0], *for_chips[1:]]
                assert [*end.chips] == chips
                assert end.richest == tuple(seat for seat, count in enumerate(chips) if count == max(chips))
                assert [*end.winners] == following.winners()
                assert end.starter == (-1 if following.done else following.starter)
    assert matches
    assert rounds > matches or options.target_points == 1
