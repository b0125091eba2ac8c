"""Why a move is made: every figure that a game names is counted here once more, by going through all ordered rolls."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

from hotdice import all_games, parse_position
from hotdice.dice import SeededDice
from hotdice.game import CHANCE, OVER, State
from hotdice.games import load_game
from hotdice.notation import times

FACES = range(1, 7)


def why(position: str, move: str) -> str:
    state = parse_position(position)
    return state.reason(state.parse_move(move))


def chance(dice: int, holds: object) -> Fraction:
    """How many of all ordered rolls of so many dice a condition holds for."""
    assert callable(holds)
    rolls = list(product(FACES, repeat=dice))
    return Fraction(sum(map(bool, map(holds, rolls))), len(rolls))


def scoreless(roll: tuple[int, ...]) -> bool:
    """By the sheet of BJ's dice: no 1, no 5, and no three alike."""
    return 1 not in roll and 5 not in roll and max(Counter(roll).values()) < 3


def test_chances_in_words() -> None:
    assert times(Fraction(4, 9)) == "4 times in 9"
    assert times(Fraction(1, 6)) == "1 time in 6"
    assert times(Fraction(5, 162)) == "about 1 time in 32"
    assert times(Fraction(91, 216)) == "about 5 times in 12"
    assert abs(Fraction(5, 12) - Fraction(91, 216)) < Fraction(1, 100)


@pytest.mark.parametrize(
    ("dice", "words"),
    [
        (1, "one die busts 2 times in 3"),
        (2, "two dice bust 4 times in 9"),
        (3, "three dice bust 5 times in 18"),
        (4, "four dice bust about 1 time in 6"),
        (5, "five dice bust about 1 time in 13"),
        (6, "six dice bust about 1 time in 32"),
    ],
)
def test_how_often_dice_bust_in_bj(dice: int, words: str) -> None:
    exact = chance(dice, scoreless)
    told = why(f"bj 0/0 1 decide {dice} 450 {500 if dice == 6 else 0} -", "pass")
    assert told == f"{words}, with 450 at risk"
    shown = words.split("bust")[1].removeprefix("s ").strip()
    assert shown == times(exact)
    if "about" not in shown:
        count, total = (int(word) for word in shown.split() if word.isdigit())
        assert Fraction(count, total) == exact


def test_the_last_round_of_bj_has_reasons_of_its_own() -> None:
    assert why("bj 5300/5000 2 decide 2 250 0 1", "roll") == "{0} has 5,300, and only more than that wins"
    assert why("bj 5300/5000 2 decide 2 450 0 1", "pass") == "nobody plays after this, and 5,450 is the highest score"


def test_a_toss_that_loses_nothing_in_bj() -> None:
    told = why("bj(bust=all_dice) 0/0 1 decide 2 450 0 -", "roll")
    assert told == "two dice score nothing 4 times in 9, and that loses nothing"


def test_whom_to_send_back_in_kor() -> None:
    assert why("kor 300/250/900 1 1 target 6 0 -", "target 3") == "nobody else has more than {2}'s 900"
    assert why("kor 300/250/900 1 1 target 6 0 -", "target 2") == ""
    assert why("kor 300/250 1 1 target 6 0 -", "target 2") == "there is nobody else"


def test_which_sign_to_follow_in_kor() -> None:
    """A split is judged against what the game does by each sign."""
    assert why("kor 0/0 1 1 stop+dead-end 6 450 -", "follow stop") == "DEAD END would lose the 450 points"
    assert why("kor 0/0 1 2- stop+dead-end 6 450 -", "follow dead-end") == "STOP would subtract the 450 points"
    told = why("kor 0/0 1 1 stop+u-turn 6 450 -", "follow u-turn")
    assert told == "the 450 points count either way, and this sends somebody back"
    state = parse_position("kor 0/0 1 1 stop+dead-end 6 450 -")
    after = {move.text: state.apply(move).scores[0] for move in state.legal_moves()}
    assert after == {"follow stop": 450, "follow dead-end": 0}


def test_what_the_next_roll_brings_in_kismet() -> None:
    start = load_game("kismet").start(1)
    state = start.roll((3, 3, 3, 4, 6))
    assert state.reason(state.parse_move("keep 3 3 3")) == "another 3 comes 11 times in 36"
    assert chance(2, lambda roll: 3 in roll) == Fraction(11, 36)
    state = start.roll((1, 2, 3, 4, 4))
    assert state.reason(state.parse_move("keep 1 2 3 4")) == "Straight comes 1 time in 6"
    assert chance(1, lambda roll: roll[0] == 5) == Fraction(1, 6)
    state = start.roll((2, 3, 4, 5, 5))
    assert state.reason(state.parse_move("keep 2 3 4 5")) == "Straight comes 1 time in 3"
    assert chance(1, lambda roll: roll[0] in (1, 6)) == Fraction(1, 3)


def test_what_a_zero_gives_up_in_kismet() -> None:
    state = load_game("kismet").start(1).roll((2, 2, 3, 5, 6))
    assert state.reason(state.parse_move("score aces")) == "a zero there gives up 5 at most"
    assert state.reason(state.parse_move("score kismet")) == "a zero there gives up 80 at most"
    assert max(sum(roll) + 50 for roll in product(FACES, repeat=5) if len(set(roll)) == 1) == 80
    assert state.reason(state.parse_move("score yarborough")) == "no vacant box scores more now"
    assert state.reason(state.parse_move("score deuces")) == ""


def in_the_middle(game: str, seed: int) -> list[State]:
    """The decisions of a game that greedy players play."""
    rules = load_game(game)
    dice, state, found = SeededDice(seed), rules.start(), list[State]()
    while state.seat != OVER and len(found) < 150:
        if state.seat == CHANCE:
            state = state.roll(dice.draw(state.outcomes()))
        else:
            found.append(state)
            state = state.apply(rules.greedy(state))
    return found


@pytest.mark.parametrize("game", [game.name for game in all_games()])
def test_reasons_are_half_sentences(game: str) -> None:
    """They come after a colon and before a full stop, whatever the move; names stand as `{0}`."""
    said = 0
    for state in in_the_middle(game, 4):
        for move in state.legal_moves()[:40]:
            told = state.reason(move)
            said += bool(told)
            assert told == told.strip()
            assert not told.endswith(".")
            assert "{" not in told or told.format(*"ABCDEFGH")
    assert said or game == "pig"


def test_why_dice_stay_or_go_in_rollers() -> None:
    for state in in_the_middle("rollers", 3):
        for move in state.legal_moves():
            told = state.reason(move)
            if told == "that completes the board":
                after = state.apply(move)
                assert after.seat == OVER or all(set(board) == {0} for board in after.boards)  # type: ignore[attr-defined]
            if told == "no ZAP can come while the black die stays":
                rolls = state.apply(move).outcomes().rolls
                assert not any(16 in roll for roll in rolls)
            if told == "another roll of the black die is a ZAP 1 time in 6":
                outcomes = state.apply(state.parse_move("keep none")).outcomes() if not state.kept else None  # type: ignore[attr-defined]
                if outcomes:
                    zaps = sum(w for roll, w in zip(outcomes.rolls, outcomes.weights, strict=True) if 16 in roll)
                    assert Fraction(zaps, outcomes.total) == Fraction(1, 6)
