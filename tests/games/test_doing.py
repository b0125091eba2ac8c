"""Moves as something one does, which reads well before “is best”."""

from __future__ import annotations

import pytest

from hotdice.games import parse_position

NOTHING = ",".join(["-"] * 15)


@pytest.mark.parametrize(("position", "move", "doing"), [
    ("pig 0/0 1 5 decide", "roll", "rolling"),
    ("pig 0/0 1 5 decide", "hold", "holding"),
    ("bj 100/0 1 decide 4 800 0 -", "roll", "rolling 4 dice"),
    ("bj 100/0 1 decide 1 800 0 -", "roll", "rolling 1 die"),
    ("bj 100/0 1 decide 4 800 0 -", "pass", "passing"),
    ("kor 450/0/0 2 2 target 6 0 -", "target 3", "sending {2} on a U-TURN"),
    ("kor 0/0 1 1 stop+u-turn 6 300 -", "follow stop", "following STOP"),
    ("kor 0/0 1 1 stop+u-turn 6 300 -", "follow u-turn", "following U-TURN"),
    (f"kismet {NOTHING}/{NOTHING} 1 1 12556", "keep none", "rolling all five again"),
    (f"kismet {NOTHING}/{NOTHING} 1 1 12556", "keep 5 5", "keeping 5 5"),
    (f"kismet {NOTHING}/{NOTHING} 1 1 12556", "score fives", "taking 10 in Fives"),
    (f"kismet {NOTHING}/{NOTHING} 1 1 12556", "score treys", "a zero in Treys"),
    ("rollers 00000/00000 55/55 0/0 1 1 1 - 1,2,5,5,*,b4", "keep none", "rolling all six again"),
    ("rollers 00000/00000 55/55 0/0 1 1 1 - 1,2,5,5,*,b4", "keep 5 5 *", "keeping 5, 5, STAR"),
    ("rollers 00000/00000 55/55 0/0 1 1 1 - 1,2,5,5,*,b4", "stop", "stopping"),
])  # fmt: skip
def test_moves_read_as_something_one_does(position: str, move: str, doing: str) -> None:
    state = parse_position(position)
    assert state.doing(state.game.parse_move(move)) == doing


def test_dice_of_rollers_are_used_for_numbers_or_not_at_all() -> None:
    state = parse_position("rollers 00000/00000 55/55 0/0 1 1 1 - 1,2,5,5,*,b4")
    state = state.apply(state.game.parse_move("stop"))
    told = {state.doing(move) for move in state.legal_moves()}
    assert "using none" in told
    assert "using 1" in told  # one die opens the 1s
