"""What holds in every match of Rollers, whatever is rolled and chosen.

Random play starts anywhere in a match. The casual player's applications are checked by trying all of them.
"""

from __future__ import annotations

from collections import Counter
from itertools import product
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

import hotdice
from hotdice import CHANCE, OVER
from hotdice.games.rollers import ROLLERS, STOP, Apply, Keep, RollersOptions, RollersState
from tests.games.naive_rollers import BLACK, NUMBERS, PURPLE
from tests.games.test_rollers import at, start
from tests.games.test_rollers_naive import SECTIONS, faces, mirror

ZAP = 16
FULL = (2, 2, 2, 2, 2)


@st.composite
def positions(draw: st.DrawFn) -> RollersState:
    """The start of somebody's turn, anywhere in a match."""
    options = draw(st.sampled_from(RollersOptions.combinations()))
    players = draw(st.integers(2, 5))
    board = st.text("012", min_size=5, max_size=5).filter(lambda text: text != "22222")
    chips = [0] * players
    left = 55 * players
    for seat in range(players - 1):
        chips[seat] = draw(st.integers(0, left))
        left -= chips[seat]
    chips[-1] = left
    seats = st.integers(1, players)
    return at(
        "/".join(draw(st.lists(board, min_size=players, max_size=players))),
        chips="/".join(map(str, chips)),
        points="/".join(str(draw(st.integers(0, options.target_points - 1))) for _ in range(players)),
        starter=draw(seats),
        turn=draw(seats),
        options=f"({options.text})" if options.text else "",
    )


class Match(RuleBasedStateMachine):
    """A match that goes on as hypothesis likes."""

    state: RollersState
    before: RollersState
    last: object

    @initialize(state=positions())
    def begin(self, state: RollersState) -> None:
        self.state = self.before = state
        self.last = None

    @precondition(lambda self: self.state.seat == CHANCE)
    @rule(data=st.data())
    def roll(self, data: st.DataObject) -> None:
        outcomes = self.state.outcomes()
        self.go(outcomes.at(data.draw(st.integers(0, outcomes.total - 1))))

    @precondition(lambda self: self.state.seat == CHANCE)
    @rule(number=st.integers(1, 6))
    def roll_alike(self, number: int) -> None:
        example = self.state.outcomes().rolls[0]
        self.go(tuple(number + (10 if die > 6 else 0) for die in example))

    @precondition(lambda self: self.state.seat >= 0)
    @rule(data=st.data())
    def move(self, data: st.DataObject) -> None:
        self.go(data.draw(st.sampled_from(self.state.legal_moves())))

    @precondition(lambda self: self.state.seat >= 0 and self.state.rolls < 3)
    @rule()
    def stop(self) -> None:
        self.go(STOP)

    @precondition(lambda self: self.state.seat >= 0)
    @rule()
    def play_casually(self) -> None:
        self.go(ROLLERS.greedy(self.state))

    @precondition(lambda self: self.state.seat == OVER)
    @rule()
    def nothing_is_left_to_do(self) -> None:
        assert self.state.legal_moves() == ()
        assert len(self.state.outcomes()) == 0

    def go(self, step: Any) -> None:
        self.before, self.last = self.state, step
        self.state = self.state.roll(step) if isinstance(step, tuple) else self.state.apply(step)

    @invariant()
    def chips_are_only_passed_on(self) -> None:
        assert sum(self.state.chips) == 55 * self.state.players
        assert min(self.state.chips) >= 0

    def round_is_over(self) -> bool:
        return self.state.scores != self.before.scores

    @invariant()
    def sections_never_go_back_within_a_round(self) -> None:
        if self.round_is_over() and self.state.seat != OVER:
            assert self.state.boards == ((0,) * 5,) * self.state.players
            assert self.state.chips == (55,) * self.state.players
            return
        for seat, (old, new) in enumerate(zip(self.before.boards, self.state.boards, strict=True)):
            assert all(was <= now for was, now in zip(old, new, strict=True))
            assert old == new or (isinstance(self.last, Apply) and seat == self.before.seat)

    @invariant()
    def nobody_but_the_one_who_applies_gains_chips(self) -> None:
        if self.round_is_over() and self.state.seat != OVER:
            return
        for seat, (had, has) in enumerate(zip(self.before.chips, self.state.chips, strict=True)):
            if isinstance(self.last, Apply):
                assert has >= had if seat == self.before.seat else has <= had
            else:
                assert has == had

    @invariant()
    def there_are_five_purple_dice_and_a_black_one(self) -> None:
        state = self.state
        dice = state.kept + state.rolled
        black = [die for die in dice if die > 6]
        assert len(black) <= 1
        assert len(dice) - len(black) <= 5
        if state.seat >= 0:
            assert len(dice) == 6
            assert 1 <= state.rolls <= 3
        else:
            assert len(dice) < 6
            assert state.rolls < 3
            assert not state.rolled

    @invariant()
    def a_zap_is_never_kept_nor_used(self) -> None:
        assert ZAP not in self.state.kept
        assert ZAP not in self.state.usable
        if ZAP in self.state.rolled:
            assert self.state.usable == self.state.kept

    @invariant()
    def kept_dice_come_from_those_that_count(self) -> None:
        if isinstance(self.last, Keep):
            assert not Counter(self.state.kept) - Counter(self.before.usable)
            if self.before.options.saved_dice == "locked":
                assert not Counter(self.before.kept) - Counter(self.state.kept)

    @invariant()
    def a_full_board_ends_the_round(self) -> None:
        assert (FULL in self.state.boards) == (self.state.seat == OVER)
        if self.round_is_over():
            gained = [now - was for now, was in zip(self.state.scores, self.before.scores, strict=True)]
            assert gained[self.before.seat] in (1, 2, 3)
            assert all(gain in (0, 1) for seat, gain in enumerate(gained) if seat != self.before.seat)

    @invariant()
    def points_below_the_target_mean_that_the_match_goes_on(self) -> None:
        reached = max(self.state.scores) >= self.state.options.target_points
        assert (self.state.seat == OVER) == reached
        assert (self.state.result is not None) == reached

    @invariant()
    def the_position_says_it_all(self) -> None:
        assert hotdice.parse_position(self.state.position) == self.state


Match.TestCase.settings = settings(max_examples=60, stateful_step_count=40)
TestMatch = Match.TestCase


@given(st.lists(st.sampled_from(PURPLE), max_size=4), st.sampled_from(["", *BLACK[:5]]))
def test_the_chance_of_a_roll_is_its_share_of_the_ordered_ones(purple: list[str], black: str) -> None:
    kept = ",".join([*purple, black]) if black else ",".join(purple)
    state = at(rolls=1, kept=kept or "-")
    hand = [range(1, 7)] * (5 - len(purple)) + ([] if black else [range(11, 17)])
    outcomes = state.outcomes()
    assert outcomes.total == 6 ** len(hand)
    if len(hand) <= 4:
        counted = Counter(tuple(sorted(row)) for row in product(*hand))
        assert {roll: chance * outcomes.total for roll, chance in outcomes} == dict(counted)


@given(positions(), st.lists(st.sampled_from(PURPLE), min_size=5, max_size=5), st.sampled_from(BLACK))
def test_the_casual_player_applies_for_the_most_progress(state: RollersState, purple: list[str], black: str) -> None:
    state = state.roll(state.parse_roll(" ".join([*purple, black]))).apply(STOP)
    game = mirror(state)

    def progress(spent: Any) -> float:
        after = game.spend(spent)
        assert after is not None
        sections, chips = after
        worth = 0.15 * (chips[game.turn] - game.chips[game.turn])
        for number, section in sections.items():
            was, now = SECTIONS.index(game.sections[game.turn][number]), SECTIONS.index(section)
            worth += 2 * number if was == 0 < now else 0
            worth += number + 3 if was < 2 == now else 0
        return worth + (100 if set(sections.values()) == {"closed"} else 0)

    choices = game.choices()
    chosen = progress(choices[ROLLERS.greedy(state).text])
    assert chosen == pytest.approx(max(map(progress, choices.values())))


def chance_of(hits: int, dice: int, rolls: int) -> float:
    """The chance that at least so many dice come to show what is wanted, each a third of the time on every roll."""
    hit = 1 - (2 / 3) ** rolls
    rows = [sum(row) for row in product((0, 1), repeat=dice)]
    return sum(hit**row * (1 - hit) ** (dice - row) for row in rows if row >= hits)


def casual_keep(state: RollersState) -> list[str]:
    """The STARs, what opens or closes a section now, and the dice of the number that promises most."""
    lie, sections = faces(state.usable), state.boards[state.seat]
    if state.zapped:
        return lie
    shown = Counter(face[-1] for face in lie)
    need = {n: (n + 1, 1, 0)[section] for n, section in zip(NUMBERS, sections, strict=True)}
    have = {n: min(shown[str(n)], need[n]) for n in NUMBERS}
    safe = [n for n in NUMBERS if need[n] and (sections[n - 1] == 1 or have[n] >= n)]
    spare = len(lie) - shown["*"] - sum(have[n] for n in safe)

    def promise(n: int) -> float:
        count, free, rolls = shown[str(n)] + shown["*"], max(0, spare - shown[str(n)]), 3 - state.rolls
        return 2 * n * chance_of(n - count, free, rolls) + (n + 3) * chance_of(n + 1 - count, free, rolls)

    chase = max((n for n in NUMBERS if need[n] and n not in safe), key=promise, default=0)
    left = {n: have[n] for n in (*safe, chase) if n}
    kept = []
    for face in lie:
        if face == "*" or left.get(int(face[-1]), 0):
            kept.append(face)
            if face != "*":
                left[int(face[-1])] -= 1
    return kept


def test_the_casual_player_keeps_what_promises_most() -> None:
    random = Random(4)
    for _ in range(600):
        boards = "/".join("".join(random.choice("00012") for _ in range(5)) for _ in range(2))
        state = at(boards)
        for _ in range(2):
            outcomes = state.outcomes()
            state = state.roll(outcomes.at(random.randrange(outcomes.total)))
            kept = casual_keep(state)
            move = ROLLERS.greedy(state)
            assert move.text == ("stop" if len(kept) == 6 else f"keep {' '.join(kept) or 'none'}"), state.position
            if move == STOP:
                break
            state = state.apply(move)


@pytest.mark.parametrize("saved_dice", ["free", "locked"])
@pytest.mark.parametrize("players", [2, 5])
def test_casual_players_finish_their_matches(players: int, saved_dice: str) -> None:
    random = Random(players)
    state = start(players, saved_dice=saved_dice, target_points=3)
    for _ in range(20_000):
        if state.seat == OVER:
            break
        if state.seat == CHANCE:
            outcomes = state.outcomes()
            state = state.roll(outcomes.at(random.randrange(outcomes.total)))
        else:
            move = ROLLERS.greedy(state)
            assert move in state.legal_moves()
            state = state.apply(move)
    assert state.seat == OVER
