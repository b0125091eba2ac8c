"""What holds in every game of Kismet, whatever is rolled and chosen.

Random play starts anywhere in a game. Scores and the casual player's choices are checked by brute force over dice
that lie in a row.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

import hotdice
from hotdice import CHANCE, OVER
from hotdice.games.kismet import KISMET, Keep, KismetOptions, KismetState, Score
from hotdice.games.kismet.greedy import PAR
from tests.games.naive_kismet import BOXES, extra, worth
from tests.games.test_kismet import at, sheet, start
from tests.games.test_kismet_data import points

VACANT = -1


@st.composite
def sheets(draw: st.DrawFn) -> str:
    """A sheet with up to five vacant boxes, zeros in the others."""
    vacant = draw(st.sets(st.sampled_from(BOXES), min_size=1, max_size=5))
    mark = draw(st.sampled_from(["", "!"]))
    return ",".join("-" if box in vacant else "0" for box in BOXES) + mark


class Game(RuleBasedStateMachine):
    """A game that goes on as hypothesis likes."""

    state: KismetState
    before: KismetState
    last: object

    @initialize(options=st.sampled_from(KismetOptions.combinations()), pages=st.lists(sheets(), min_size=1, max_size=4))
    def begin(self, options: KismetOptions, pages: list[str]) -> None:
        text = f"({options.text})" if options.text else ""
        self.state = self.before = at(*pages, options=text)
        self.last = None

    @precondition(lambda self: self.state.seat == CHANCE)
    @rule(data=st.data())
    def roll(self, data: st.DataObject) -> None:
        outcomes = self.state.outcomes()
        self.go(outcomes.at(data.draw(st.integers(0, outcomes.total - 1))))

    @precondition(lambda self: self.state.seat == CHANCE)
    @rule(face=st.integers(1, 6))
    def roll_alike(self, face: int) -> None:
        dice = self.state.dice
        self.go((dice[0] if dice else face,) * (5 - len(dice)))

    @precondition(lambda self: self.state.seat >= 0)
    @rule(data=st.data())
    def move(self, data: st.DataObject) -> None:
        self.go(data.draw(st.sampled_from(self.state.legal_moves())))

    @precondition(lambda self: self.state.seat >= 0)
    @rule(data=st.data())
    def score(self, data: st.DataObject) -> None:
        self.go(data.draw(st.sampled_from([move for move in self.state.legal_moves() if isinstance(move, Score)])))

    @precondition(lambda self: self.state.seat == OVER)
    @rule()
    def nothing_is_left_to_do(self) -> None:
        assert self.state.legal_moves() == ()
        assert len(self.state.outcomes()) == 0

    def go(self, step: Any) -> None:
        self.before, self.last = self.state, step
        self.state = self.state.roll(step) if isinstance(step, tuple) else self.state.apply(step)

    @invariant()
    def entries_never_change(self) -> None:
        for old, new in zip(self.before.sheets, self.state.sheets, strict=True):
            assert all(was in (VACANT, now) for was, now in zip(old, new, strict=True))

    @invariant()
    def a_turn_fills_one_box_and_a_second_kismet_strikes_the_topmost_of_the_others(self) -> None:
        if not isinstance(self.last, Score):
            assert self.state.sheets == self.before.sheets
            return
        me, dice = self.before.seat, self.before.dice
        again = len(set(dice)) == 1 and self.before.had_kismet[me] and self.before.options.second_kismet
        for seat, (old, new) in enumerate(zip(self.before.sheets, self.state.sheets, strict=True)):
            filled = [box for box in range(15) if old[box] != new[box]]
            if seat == me:
                flag = self.before.options.kismet_is_full_house
                assert filled == [self.last.box]
                assert new[self.last.box] == worth(BOXES[self.last.box], dice, flag)
            elif again and VACANT in old:
                assert filled == [old.index(VACANT)]
                assert new[filled[0]] == 0
            else:
                assert filled == []
        if again and VACANT in self.state.sheets[me]:
            assert self.state.roller == me

    @invariant()
    def kismets_are_remembered(self) -> None:
        for seat, (had, has) in enumerate(zip(self.before.had_kismet, self.state.had_kismet, strict=True)):
            scored = isinstance(self.last, Score) and self.before.seat == seat
            assert has == (had or (scored and len(set(self.before.dice)) == 1))

    @invariant()
    def dice_are_five_on_the_table_or_kept_from_it(self) -> None:
        state = self.state
        assert 0 <= state.rolls <= 3
        if state.seat >= 0:
            assert len(state.dice) == 5
            assert state.rolls >= 1
        if isinstance(self.last, Keep):
            assert not Counter(state.dice) - Counter(self.before.dice)
            assert state.roller == self.before.seat

    @invariant()
    def the_game_is_over_when_all_sheets_are_full(self) -> None:
        full = all(VACANT not in entries for entries in self.state.sheets)
        assert (self.state.seat == OVER) == full
        assert (self.state.result is not None) == full
        if not full:
            assert VACANT in self.state.sheets[self.state.roller]

    @invariant()
    def scores_are_entries_and_bonus(self) -> None:
        for entries, score in zip(self.state.sheets, self.state.scores, strict=True):
            written = [max(entry, 0) for entry in entries]
            assert score == sum(written) + extra(sum(written[:6]))

    @invariant()
    def the_position_says_it_all(self) -> None:
        assert hotdice.parse_position(self.state.position) == self.state


Game.TestCase.settings = settings(max_examples=60, stateful_step_count=40)
TestGame = Game.TestCase


@given(st.lists(st.integers(1, 6), min_size=5, max_size=5), st.booleans())
def test_the_order_of_the_dice_does_not_matter(dice: list[int], loose: bool) -> None:
    state = start(kismet_is_full_house=loose)
    state = state.roll(state.parse_roll(" ".join(map(str, dice))))
    assert points(state) == tuple(worth(box, tuple(dice), loose) for box in BOXES)


@given(st.lists(st.integers(1, 6), min_size=5, max_size=5), st.data())
def test_the_chance_of_a_roll_is_its_share_of_the_ordered_ones(dice: list[int], data: st.DataObject) -> None:
    kept = sorted(dice[: data.draw(st.integers(0, 4))])
    state = at(sheet(), rolls=1, dice="".join(map(str, kept)) or "-")
    hand = 5 - len(kept)
    counted = Counter(tuple(sorted(row)) for row in product(range(1, 7), repeat=hand))
    outcomes = state.outcomes()
    assert {roll: chance * 6**hand for roll, chance in outcomes} == dict(counted)


# The casual player, by brute force


@cache
def best_box(dice: tuple[int, ...], vacant: tuple[str, ...]) -> int:
    """The best of the vacant boxes over its par."""
    return max(worth(box, dice) - PAR[BOXES.index(box)] for box in vacant)


@cache
def keeping(kept: tuple[int, ...], vacant: tuple[str, ...], rolls_to_come: int) -> float:
    """The average of what the dice are worth after rolling all that are not kept, over all ordered rolls."""
    rows = Counter(tuple(sorted(kept + row)) for row in product(range(1, 7), repeat=5 - len(kept)))
    later = rolls_to_come - 1
    return sum(count * five(dice, vacant, later) for dice, count in rows.items()) / sum(rows.values())


@cache
def five(dice: tuple[int, ...], vacant: tuple[str, ...], rolls_to_come: int) -> float:
    """The best that can be made of five dice."""
    stop = best_box(dice, vacant)
    if not rolls_to_come:
        return stop
    subsets = {
        tuple(die for die, keep in zip(dice, picks, strict=True) if keep) for picks in product((True, False), repeat=5)
    }
    return max(stop, *(keeping(kept, vacant, rolls_to_come) for kept in subsets if len(kept) < 5))


@pytest.mark.parametrize(
    "vacant",
    [("kismet",), ("straight", "yarborough"), ("aces", "sixes", "flush"), ("fours", "two-pair", "full-house")],
    ids="+".join,
)
@pytest.mark.parametrize("dice", ["11234", "12345", "22556", "33344", "46666", "13556", "44444", "12266"])
def test_the_casual_player_makes_the_most_of_the_turn(dice: str, vacant: tuple[str, ...]) -> None:
    lie = tuple(map(int, dice))
    page = sheet(0, **{box.replace("-", "_"): "-" for box in vacant})
    for rolls in (1, 2, 3):
        state = at(page, rolls=rolls, dice=dice)
        move = KISMET.greedy(state)
        assert move in state.legal_moves()
        if isinstance(move, Keep):
            value = keeping(move.dice, vacant, 3 - rolls)
        else:
            assert isinstance(move, Score)
            box = BOXES[move.box]
            value = worth(box, lie) - PAR[move.box]
        assert value == pytest.approx(five(lie, vacant, 3 - rolls))
