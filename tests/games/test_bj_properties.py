"""What holds in every game of BJ's dice, whatever is tossed and chosen, and what every toss of one to six dice scores.

The scoring is checked against all the ways to read a toss, and the chances are counted over all ordered tosses.
"""

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

import hotdice
from hotdice import CHANCE, OVER
from hotdice.games.bj import BjOptions, BjState
from tests.games.naive_bj import FACES, NaiveBj, fallen, readings
from tests.games.script import plain, play
from tests.games.test_bj_rules import bj

# All tosses


@pytest.mark.parametrize("dice", range(1, 7))
def test_every_toss_scores_the_most_that_any_reading_of_it_gives(dice: int) -> None:
    for toss in fallen(dice):
        points, used = max(readings(toss))
        assert {used} == {other for most, other in readings(toss) if most == points}, "not every scoring die is plain"
        left, safe = (dice - used, 500) if used < dice else (6, 1000)
        expected = f"0/0 1 decide {left} {points + 750} {safe} -" if points else "500/0 2 toss 6 0 0 -"
        assert play(bj(f"0/0 1 toss {dice} 750 500 -"), " ".join(toss)).position_fields() == expected


@pytest.mark.parametrize("bust", ["any", "all_dice"])
@pytest.mark.parametrize("all_dice", [5, 6])
def test_every_ordered_toss_comes_to_what_the_model_says(bust: str, all_dice: int) -> None:
    for dice in range(1, all_dice + 1):
        expected: Counter[str] = Counter()
        for toss in product(FACES, repeat=dice):
            naive = NaiveBj(2, bust, all_dice)
            naive.hand, naive.points, naive.bonus = dice, 750, 500
            naive.toss(toss)
            expected[naive.describe()] += 1
        state = bj(f"0/0 1 toss {dice} 750 500 -", f"bust={bust},dice={all_dice}")
        found: Counter[str] = Counter()
        outcomes = state.outcomes()
        for roll, weight in zip(outcomes.rolls, outcomes.weights, strict=True):
            found[state.roll(roll).position_fields()] += weight
        assert found == expected
        assert found.total() == 6**dice


@pytest.mark.parametrize(
    ("dice", "busts"),
    [
        (1, 4),
        (2, 16),
        (3, 64 - 4),  # a triple of 2s, 3s, 4s or 6s
        (4, 256 - 4 - 4 * 4 * 3),  # four of a kind, or three with any of four places for one of three others
        (6, 4 * 90 + 6 * 180),  # pairs of three faces, or two pairs and two single dice
    ],
)
def test_the_chance_to_bust_is_the_one_that_one_can_count_by_hand(dice: int, busts: int) -> None:
    state = bj(f"0/0 1 toss {dice} 750 500 -")
    lost = sum(chance for roll, chance in state.outcomes() if state.roll(roll).seat == CHANCE)
    assert lost == Fraction(busts, 6**dice)


# Random play


class BjMachine(RuleBasedStateMachine):
    """A game with any dice and any choices."""

    state: BjState
    before: BjState

    @initialize(
        players=st.integers(2, 8),
        options=st.builds(
            BjOptions,
            bust=st.sampled_from(["any", "all_dice"]),
            dice=st.integers(5, 6),
            target=st.sampled_from([0, 500, 1000, 5000]),
        ),
    )
    def start(self, players: int, options: BjOptions) -> None:
        state = hotdice.load_game("bj").start(players, options)
        assert isinstance(state, BjState)
        self.state = self.before = state

    def go_on(self, after: BjState, told: str) -> None:
        self.before, self.state = self.state, after
        assert told.endswith((".", "!"))
        assert "{{" not in told

    @precondition(lambda self: self.state.seat == CHANCE)
    @rule(at=st.integers(0, 461))
    def toss(self, at: int) -> None:
        rolls = self.state.outcomes().rolls
        roll = rolls[at % len(rolls)]
        self.go_on(self.state.roll(roll), plain(self.state.tell_roll(roll)))

    @precondition(lambda self: self.state.seat == CHANCE)
    @rule(face=st.integers(1, 6))
    def toss_all_the_same(self, face: int) -> None:
        roll = (face,) * self.state.dice
        self.go_on(self.state.roll(roll), plain(self.state.tell_roll(roll)))

    @precondition(lambda self: self.state.seat >= 0)
    @rule(at=st.integers(0, 1))
    def choose(self, at: int) -> None:
        move = self.state.legal_moves()[at]
        self.go_on(self.state.apply(move), plain(self.state.tell_move(move)))

    @precondition(lambda self: self.state.seat == OVER)
    @rule()
    def play_again(self) -> None:
        self.start(self.state.players, self.state.options)

    @property
    def turn_went_on(self) -> bool:
        return self.state.roller == self.before.roller and self.state.seat != OVER

    @invariant()
    def points_are_multiples_of_50_and_safe_ones_of_500(self) -> None:
        assert all(points % 50 == 0 and points >= 0 for points in (*self.state.scores, self.state.at_risk))
        assert self.state.safe % 500 == 0

    @invariant()
    def the_turn_and_the_decision_are_the_rollers(self) -> None:
        assert self.state.seat in (CHANCE, OVER, self.state.roller)
        assert [move.text for move in self.state.legal_moves()] == (["roll", "pass"] if self.state.seat >= 0 else [])

    @invariant()
    def dice_are_frozen_until_all_are_and_then_500_are_safe(self) -> None:
        assert 1 <= self.state.dice <= self.state.options.dice
        if self.turn_went_on and self.state.seat >= 0:
            bonus = self.state.safe - self.before.safe
            assert bonus in (0, 500)
            assert self.state.dice == self.state.options.dice if bonus else self.state.dice < self.before.dice

    @invariant()
    def a_turn_never_loses_points_before_it_ends(self) -> None:
        if self.turn_went_on:
            assert self.state.at_risk >= self.before.at_risk
            assert self.state.safe >= self.before.safe
            assert self.state.scores == self.before.scores

    @invariant()
    def a_turn_ends_with_all_its_points_or_with_the_safe_ones(self) -> None:
        if self.state.roller != self.before.roller or self.state.seat == OVER != self.before.seat:
            seat = self.before.roller
            gain = self.state.scores[seat] - self.before.scores[seat]
            assert gain in (self.before.safe, self.before.safe + self.before.at_risk)
            if self.before.seat >= 0 or (
                self.before.options.bust == "all_dice" and self.before.dice < self.before.options.dice
            ):
                assert gain == self.before.safe + self.before.at_risk
            assert sum(self.state.scores) - sum(self.before.scores) == gain
            assert (self.state.at_risk, self.state.safe, self.state.dice) == (0, 0, self.state.options.dice)

    @invariant()
    def scores_never_fall(self) -> None:
        assert all(new >= old for old, new in zip(self.before.scores, self.state.scores, strict=True))

    @invariant()
    def the_last_round_starts_with_the_first_score_above_the_target(self) -> None:
        above = [seat for seat, score in enumerate(self.state.scores) if score > self.state.options.target]
        assert (self.state.starter == -1) == (not above)
        if above:
            assert self.state.starter in above
        if self.before.starter != -1:
            assert self.state.starter == self.before.starter

    @invariant()
    def the_winner_has_a_score_that_nobody_beats(self) -> None:
        result = self.state.result
        assert (result is None) == (self.state.seat != OVER)
        if result is not None:
            (winner,) = result.winners
            assert self.state.scores[winner] == max(self.state.scores)
            assert (self.state.roller + 1) % self.state.players == self.state.starter

    @invariant()
    def the_position_reads_back(self) -> None:
        assert hotdice.parse_position(self.state.position) == self.state


BjMachine.TestCase.settings = settings(max_examples=80, stateful_step_count=40)
TestRandomPlay = BjMachine.TestCase
