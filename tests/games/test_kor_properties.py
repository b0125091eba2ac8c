"""What holds in every game of KOR, whatever is tossed and chosen, and what every toss of one to six dice comes to.

The chances are counted over all ordered tosses, one by one.
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
from hotdice.games.kor import KorOptions, KorState
from tests.games.naive_kor import FACES, NaiveKor
from tests.games.script import plain
from tests.games.test_kor_rules import kor

# All ordered tosses


@pytest.mark.parametrize("penalty", [False, True])
@pytest.mark.parametrize("variants", [False, True])
def test_every_ordered_toss_of_one_to_six_dice_comes_to_what_the_model_says(variants: bool, penalty: bool) -> None:
    rules = "bank_roll=true,scoring=all" if variants else ""
    for dice in range(1, 7):
        expected: Counter[str] = Counter()
        for toss in product(FACES, repeat=dice):
            naive = NaiveKor(2, bank_roll=variants, scoring="all" if variants else "highest")
            naive.hand, naive.pot, naive.penalty, naive.who = dice, 200, penalty, int(penalty)
            naive.toss(toss)
            expected[naive.describe()] += 1
        state = kor(f"0/0 1 {'2-' if penalty else '1'} toss {dice} 200 -", rules)
        found: Counter[str] = Counter()
        outcomes = state.outcomes()
        for roll, weight in zip(outcomes.rolls, outcomes.weights, strict=True):
            found[state.roll(roll).position_fields()] += weight
        assert found == expected
        assert found.total() == 6**dice


def chance(position: str, *ends: str, rules: str = "") -> Fraction:
    """The chance that a toss leads to one of some positions."""
    state = kor(position, rules)
    return sum((p for roll, p in state.outcomes() if state.roll(roll).position_fields() in ends), Fraction(0))


def test_the_chances_of_six_dice_are_those_that_one_can_count_by_hand() -> None:
    start, thrown = "0/-150/0 2 2 toss 6 200 -", 6**6
    # Three or more of a sign: 20 x 125 + 15 x 25 + 6 x 5 + 1 = 2906 tosses; 20 of these split with each other sign.
    assert chance(start, "0/50/0 2 2 target 6 0 -") == Fraction(2906 - 40, thrown)
    assert chance(start, "0/-150/0 3 3 toss 6 0 -") == Fraction(2906 - 40, thrown)
    for split in ("stop+dead-end", "stop+u-turn", "dead-end+u-turn"):
        assert chance(start, f"0/-150/0 2 2 {split} 6 200 -") == Fraction(20, thrown)
    # Two of each sign, in 90 orders, are the only toss without a number and without three of a sign.
    assert chance(start, "0/50/0 3 3 toss 6 0 -") == Fraction(2906 - 40 + 90, thrown)


def test_one_toss_in_64_is_a_bank_roll() -> None:
    banked = [f"{points}/0 1 1 toss 6 0 -" for points in range(150, 601, 25)]
    assert chance("0/0 1 1 toss 6 0 -", *banked, rules="bank_roll=true") == Fraction(1, 64)


# Random play


class KorMachine(RuleBasedStateMachine):
    """A game with any dice and any choices."""

    state: KorState
    before: KorState

    @initialize(
        players=st.integers(2, 8),
        options=st.builds(
            KorOptions,
            bank_roll=st.booleans(),
            final_round=st.booleans(),
            scoring=st.sampled_from(["highest", "all"]),
            target=st.sampled_from([25, 100, 300, 6000]),
        ),
    )
    def start(self, players: int, options: KorOptions) -> None:
        state = hotdice.load_game("kor").start(players, options)
        assert isinstance(state, KorState)
        self.state = self.before = state

    def go_on(self, after: KorState, told: str) -> None:
        self.before, self.state = self.state, after
        assert told.endswith((".", "!"))
        assert "{{" not in told

    @precondition(lambda self: self.state.seat == CHANCE)
    @rule(at=st.integers(0, 461))
    def toss(self, at: int) -> None:
        rolls = self.state.outcomes().rolls
        roll = rolls[at % len(rolls)]
        self.go_on(self.state.roll(roll), plain(self.state.tell_roll(roll)))

    @precondition(lambda self: self.state.seat == CHANCE and self.state.dice >= 3)
    @rule(sign=st.sampled_from(["S", "D", "U"]), other=st.sampled_from(["S", "D", "U", "25"]))
    def toss_three_of_a_sign(self, sign: str, other: str) -> None:
        roll = self.state.parse_roll(" ".join([sign] * 3 + [other] * (self.state.dice - 3)))
        self.go_on(self.state.roll(roll), plain(self.state.tell_roll(roll)))

    @precondition(lambda self: self.state.seat >= 0)
    @rule(at=st.integers(0, 6))
    def choose(self, at: int) -> None:
        moves = self.state.legal_moves()
        move = moves[at % len(moves)]
        self.go_on(self.state.apply(move), plain(self.state.tell_move(move)))

    @precondition(lambda self: self.state.seat == OVER)
    @rule()
    def play_again(self) -> None:
        self.start(self.state.players, self.state.options)

    @invariant()
    def scores_are_multiples_of_25(self) -> None:
        assert all(score % 25 == 0 for score in (*self.state.scores, self.state.points))

    @invariant()
    def each_die_set_aside_has_scored(self) -> None:
        assert 1 <= self.state.dice <= 6
        assert self.state.points >= 25 * (6 - self.state.dice)

    @invariant()
    def only_a_penalty_is_rolled_out_of_turn(self) -> None:
        assert self.state.penalty or self.state.roller == self.state.turn
        assert self.state.seat in (CHANCE, OVER, self.state.roller)

    @invariant()
    def the_roller_changes_only_at_the_end_of_a_turn_or_penalty(self) -> None:
        if self.state.roller != self.before.roller:
            assert (self.state.dice, self.state.points, self.state.signs) == (6, 0, ())

    @invariant()
    def only_the_rollers_score_changes(self) -> None:
        changed = [
            seat
            for seat, (old, new) in enumerate(zip(self.before.scores, self.state.scores, strict=True))
            if old != new
        ]
        assert changed in ([], [self.before.roller])
        for seat in changed:
            gain = self.state.scores[seat] - self.before.scores[seat]
            assert gain < 0 if self.before.penalty else gain > 0

    @invariant()
    def points_go_nowhere_but_to_the_score_or_a_dead_end(self) -> None:
        old, new = self.before, self.state
        if new.points < old.points:
            moved = abs(new.scores[old.roller] - old.scores[old.roller])
            assert new.points == 0
            assert moved == 0 or moved >= old.points
            if moved > old.points:
                assert new.options.bank_roll
                assert new.roller == old.roller

    @invariant()
    def turns_go_left(self) -> None:
        players = len(self.state.scores)
        steps = (self.state.turn - self.before.turn) % players
        undecided = self.before.leader != self.state.leader == -1
        assert steps == 2 % players if undecided else steps in (0, 1)

    @invariant()
    def without_a_final_round_nobody_plays_on_with_a_winning_score(self) -> None:
        if not self.state.options.final_round and self.state.seat != OVER:
            for seat, score in enumerate(self.state.scores):
                assert score < self.state.options.target or (seat == self.state.turn and self.state.options.bank_roll)

    @invariant()
    def a_final_round_has_a_leader_who_has_had_their_turn(self) -> None:
        if self.state.leader != -1:
            assert self.state.options.final_round
            if self.state.turn == self.state.leader:
                assert self.state.penalty or self.state.seat == self.state.roller

    @invariant()
    def the_winner_stands_alone_at_the_target(self) -> None:
        result = self.state.result
        assert (result is None) == (self.state.seat != OVER)
        if result is not None:
            (winner,) = result.winners
            scores = self.state.scores
            assert scores[winner] >= self.state.options.target
            assert all(score < scores[winner] for seat, score in enumerate(scores) if seat != winner)

    @invariant()
    def the_position_reads_back(self) -> None:
        assert hotdice.parse_position(self.state.position) == self.state


KorMachine.TestCase.settings = settings(max_examples=80, stateful_step_count=40)
TestRandomPlay = KorMachine.TestCase
