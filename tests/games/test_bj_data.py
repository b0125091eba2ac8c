"""What a page draws of BJ's dice: what scores by the sheet, what passing brings, and how the last round stands."""

from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st

import hotdice
from hotdice import OVER
from hotdice.games import parse_position
from hotdice.games.bj import BjState
from hotdice.games.bj.data import BjFacts, LastTurn, Passing
from hotdice.games.bj.rules import PASS, ROLL

STARTED, PLAYED, PLAYING, TO_PLAY = LastTurn


def bj(position: str) -> BjState:
    state = parse_position(f"bj {position}")
    assert isinstance(state, BjState)
    return state


def test_what_scores_is_as_the_sheet_has_it() -> None:
    assert hotdice.load_game("bj").start().facts() == BjFacts(
        singles=(100, 0, 0, 0, 50, 0), triples=(300, 200, 300, 400, 500, 600), bonus=500
    )


@given(st.integers(2, 5), st.integers(0, 10_000))
def test_passing_brings_what_its_effect_says(players: int, seed: int) -> None:
    random = Random(seed)
    state = hotdice.load_game("bj").start(players, {"target": 1000})
    while state.seat != OVER:
        if state.seat < 0:
            outcomes = state.outcomes()
            state = state.roll(outcomes.at(random.randrange(outcomes.total)))
            continue
        assert state.effect(ROLL) is None
        passing, seat, before = state.effect(PASS), state.roller, state.scores[state.roller]
        assert isinstance(passing, Passing)
        move = random.choice(state.legal_moves())
        state = state.apply(move)
        if move is PASS:
            assert (before + passing.kept, passing.score) == (state.scores[seat],) * 2


def test_a_pass_says_to_whom_it_loses_the_game() -> None:
    """In the last round, whoever passes without getting ahead has lost; of equal scores the first counts."""

    def loses_to(position: str) -> int:
        passing = bj(position).effect(PASS)
        assert isinstance(passing, Passing)
        return passing.loses_to

    assert loses_to("4000/5050/5100 1 decide 3 1100 0 2") == 2
    assert loses_to("4000/5050/5100 1 decide 3 1150 0 2") == -1
    assert loses_to("4000/5050 1 decide 3 550 500 2") == 1  # 5050 were there first
    assert loses_to("4000/4500 1 decide 4 150 0 -") == -1  # there will be other turns


@given(st.integers(2, 4), st.integers(0, 10_000))
def test_a_pass_that_loses_is_no_win_whatever_follows(players: int, seed: int) -> None:
    random = Random(seed)
    state = hotdice.load_game("bj").start(players, {"target": 500})
    lost: set[int] = set()
    while state.seat != OVER:
        if state.seat < 0:
            outcomes = state.outcomes()
            state = state.roll(outcomes.at(random.randrange(outcomes.total)))
            continue
        passing = state.effect(PASS)
        assert isinstance(passing, Passing)
        if (move := random.choice(state.legal_moves())) is PASS and passing.loses_to >= 0:
            lost.add(state.roller)
        state = state.apply(move)
    assert state.result is not None
    assert not lost & set(state.result.winners)


def test_before_the_last_round_there_is_nobody_to_beat() -> None:
    board = bj("4000/100/0 2 toss 6 0 0 -").board()
    assert (board.last_round, board.to_come, board.to_beat) == ((), (), -1)


def test_in_the_last_round_everybody_else_has_one_turn_from_the_starters_left() -> None:
    board = bj("100/0/5050/300 1 toss 6 0 0 3").board()
    assert board.last_round == (PLAYING, TO_PLAY, STARTED, PLAYED)
    assert (board.to_come, board.to_beat) == ((1,), 2)
    last = bj("100/0/5050/5300 2 toss 6 0 0 3").board()
    assert last.last_round == (PLAYED, PLAYING, STARTED, PLAYED)
    assert (last.to_come, last.to_beat) == ((), 3)


def test_when_the_game_is_over_all_have_played() -> None:
    state = bj("100/0/5050/5300 2 toss 6 0 0 3")
    over = state.roll(state.parse_roll("2 2 3 4 6 6"))
    assert over.seat == OVER
    assert over.board().last_round == (PLAYED, PLAYED, STARTED, PLAYED)
