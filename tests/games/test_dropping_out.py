"""When a player drops out, the others go on. No sheet has a rule for it; these are ours, position by position."""

from __future__ import annotations

import random

import pytest

from hotdice.errors import SeatError
from hotdice.game import CHANCE, OVER, left_out
from hotdice.games import all_games, load_game, parse_position
from hotdice.rolloff import roll_off_without

FINAL = "kor(final_round=true)"
SHEET = ",".join(["-"] * 15)
FULL = ",".join(["3", *["0"] * 14])


@pytest.mark.parametrize(
    ("before", "seat", "after"),
    [
        # Somebody who only watches: nothing changes but the seats' numbers.
        ("kor 100/200/300 2 2 toss 4 150 -", 1, "kor 200/300 1 1 toss 4 150 -"),
        ("kor 100/200/300 2 2 toss 4 150 -", 3, "kor 100/200 2 2 toss 4 150 -"),
        # A turn ends without points.
        ("kor 100/200/300 2 2 toss 4 150 -", 2, "kor 100/300 2 2 toss 6 0 -"),
        ("kor 100/200/300 3 3 toss 4 150 -", 3, "kor 100/200 1 1 toss 6 0 -"),
        ("kor 100/200/300 2 2 stop+u-turn 6 150 -", 2, "kor 100/300 2 2 toss 6 0 -"),
        # A penalty is not served, and the next turn begins.
        ("kor 100/200/300 1 3- toss 4 150 -", 3, "kor 100/200 2 2 toss 6 0 -"),
        # A penalty goes on without the player whose turn led to it.
        ("kor 100/200/300 1 3- toss 4 150 -", 1, "kor 200/300 2 2- toss 4 150 -"),
        ("kor 100/200/300 2 2 target 6 0 -", 3, "kor 100/200 2 2 target 6 0 -"),
        # The last of a final round: it is judged.
        (f"{FINAL} 10000/200/300 3 3 toss 4 150 1", 3, f"{FINAL} 10000/200 2 2 over 6 0 1"),
        # Whoever started it drops out: it is off, unless another has reached the target since.
        (f"{FINAL} 10000/200/300 2 2 toss 4 150 1", 1, f"{FINAL} 200/300 1 1 toss 4 150 -"),
        (f"{FINAL} 10000/10500/300 3 3 toss 4 150 1", 1, f"{FINAL} 10500/300 2 2 toss 4 150 1"),
        (f"{FINAL} 10000/10500/300 2 3- toss 4 150 1", 1, f"{FINAL} 10500/300 1 2- toss 4 150 1"),
        (f"{FINAL} 10000/10500/300 2 2 toss 4 150 1", 1, f"{FINAL} 10500/300 1 1 toss 4 150 -"),
        ("bj 500/600/700 2 decide 2 300 0 -", 1, "bj 600/700 1 decide 2 300 0 -"),
        ("bj 500/600/700 2 decide 2 300 0 -", 2, "bj 500/700 2 toss 6 0 0 -"),
        ("bj 500/600/700 3 toss 2 300 0 -", 3, "bj 500/600 1 toss 6 0 0 -"),
        ("bj 10050/600/700 3 toss 2 300 0 1", 3, "bj 10050/600 2 over 6 0 0 1"),
        ("bj 10050/600/700 2 toss 2 300 0 1", 1, "bj 600/700 1 toss 2 300 0 -"),
        ("bj 10050/10100/700 3 toss 2 300 0 1", 1, "bj 10100/700 2 toss 2 300 0 1"),
        (f"kismet {FULL}/{SHEET}/{SHEET} 2 1 13446", 1, f"kismet {SHEET}/{SHEET} 1 1 13446"),
        (f"kismet {FULL}/{SHEET}/{SHEET} 3 1 13446", 3, f"kismet {FULL}/{SHEET} 2 0 -"),
        (f"kismet {FULL}/{FULL}/{SHEET} 3 1 13446", 3, f"kismet {FULL}/{FULL} 2 0 -"),
        (f"kismet {FULL}/{SHEET} 2 1 13446", 1, f"kismet {SHEET} 1 1 13446"),
        (f"kismet {SHEET}/{SHEET}/{SHEET} 3 off 4,2,.", 3, f"kismet {SHEET}/{SHEET} 1 0 -"),
        (f"kismet {SHEET}/{SHEET}/{SHEET} 3 off 4,4,.", 3, f"kismet {SHEET}/{SHEET} 1 off .,."),
        (f"kismet {SHEET}/{SHEET} 1 off .,.", 2, f"kismet {SHEET} 1 0 -"),
        # In Rollers the leaver's chips are missing, so the round begins anew and the points stay.
        (
            "rollers 00110/22000/00000 30/60/75 2/1/3 2 1 1 - 1,2,3,4,5,b5", 1,
            "rollers 00000/00000 55/55 1/3 1 1 0 - -",
        ),
        (
            "rollers 00110/22000/00000 30/60/75 2/1/3 2 1 1 - 1,2,3,4,5,b5", 2,
            "rollers 00000/00000 55/55 2/3 1 1 0 - -",
        ),
        ("pig 10/20/30 2 5 decide", 2, "pig 10/30 2 0 roll"),
        ("pig 10/20/30 2 5 decide", 1, "pig 20/30 1 5 decide"),
    ],
)  # fmt: skip
def test_the_others_go_on(before: str, seat: int, after: str) -> None:
    assert parse_position(before).without(seat - 1) == parse_position(after)


def test_nobody_drops_out_where_too_few_would_be_left() -> None:
    with pytest.raises(SeatError, match="at least 2 players"):
        load_game("kor").start(2).without(0)
    with pytest.raises(SeatError, match="at least one player,"):
        load_game("kismet").start(1).without(0)


def test_nobody_drops_out_of_a_game_that_is_over_or_from_a_seat_that_is_not_there() -> None:
    with pytest.raises(SeatError, match="over"):
        parse_position("pig 100/20/30 1 0 over").without(1)
    with pytest.raises(SeatError, match="seats 1 to 3"):
        load_game("pig").start(3).without(3)


def test_a_roll_off_ends_with_whoever_is_left_alone_in_it() -> None:
    assert roll_off_without((0, -1, 0), 0) == (1, ())
    assert roll_off_without((5, 0, -1, 0), 2) == (1, (5, 0, 0))


@pytest.mark.parametrize("game", [game.name for game in all_games()])
def test_a_game_goes_on_to_its_end_whoever_drops_out(game: str) -> None:
    """From anywhere in random games of four, under some house rules, down to the fewest players."""
    dice = random.Random(13)
    card = load_game(game)
    for options in dice.sample([*card.options.combinations()], k=2) * 4:
        state = card.start(4, options)
        while state.seat != OVER:
            if state.players > card.min_players and dice.random() < 0.02:
                seat = dice.randrange(state.players)
                scores = left_out(state.scores, seat)
                state = state.without(seat)
                assert state.scores == scores
            elif state.seat == CHANCE:
                state = state.roll(state.outcomes().at(dice.randrange(state.outcomes().total)))
            else:
                state = state.apply(dice.choice(state.legal_moves()))
            assert parse_position(state.position) == state
        assert state.result
