"""What a page draws of KOR: the signs by the sheet, what a move does, and what the points would make of the score."""

from __future__ import annotations

import pytest

import hotdice
from hotdice.games import parse_position
from hotdice.games.kor import KorState
from hotdice.games.kor.data import Following, KorFacts, Sending, Sign


def kor(position: str) -> KorState:
    state = parse_position(f"kor {position}")
    assert isinstance(state, KorState)
    return state


def test_the_facts_are_those_of_the_sheet() -> None:
    """Six dice, three alike; STOP scores, DEAD END forfeits, U-TURN scores and hands out a penalty."""
    assert hotdice.load_game("kor").start().facts() == KorFacts(
        dice=6, matching=3, signs=(Sign("S", True, False), Sign("D", False, False), Sign("U", True, True))
    )


@pytest.mark.parametrize("sign", hotdice.load_game("kor").start().facts().signs, ids=lambda sign: sign.face)
@pytest.mark.parametrize("penalty", [False, True])
def test_a_sign_does_what_the_facts_say(sign: Sign, penalty: bool) -> None:
    before = kor(f"1000/1000 1 {'2-' if penalty else '1'} toss 3 300 -")
    after = before.roll(before.parse_roll(" ".join([sign.face] * 3)))
    change = after.scores[before.roller] - before.scores[before.roller]
    assert change == (0 if not sign.counts else -300 if penalty else 300)
    assert (after.seat == before.roller) == sign.sends


@pytest.mark.parametrize("penalty", [False, True])
def test_the_board_says_what_the_score_would_be(penalty: bool) -> None:
    state = kor(f"1000/1000 1 {'2-' if penalty else '1'} toss 3 300 -")
    stopped = state.roll(state.parse_roll("S S S"))
    assert state.board().would == stopped.scores[state.roller] == (700 if penalty else 1300)


def test_moves_say_which_sign_is_followed_and_who_is_sent() -> None:
    two = kor("-150/0/0 1 1 stop+u-turn 6 225 -")
    assert two.board().signs == ("S", "U")
    assert [two.effect(move) for move in two.legal_moves()] == [Following("S"), Following("U")]
    sent = two.apply(two.parse_move("follow u-turn"))
    assert [sent.effect(move) for move in sent.legal_moves()] == [Sending(1), Sending(2)]
