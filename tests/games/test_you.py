"""Sentences speak to whoever they are about: “You roll”, where others read “Ann rolls”."""

from __future__ import annotations

import random

import pytest

from hotdice import CHANCE, OVER, Game, all_games
from hotdice.dice import SeededDice
from hotdice.table import Seat, Table
from hotdice.view import named, spoken_to, wins

NAMES = ("Ann", "Ben", "Cleo")
THIRD = {
    "rolls",
    "tosses",
    "keeps",
    "passes",
    "takes",
    "writes",
    "holds",
    "stops",
    "sets",
    "has",
    "wins",
    "is",
    "follows",
}


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_every_sentence_of_a_game_can_be_said_to_whoever_acts(game: Game) -> None:
    """A whole game, told to each player: their own verbs have no ending, and the rest is as everybody reads it."""
    table = Table(game.start(3), [Seat(name) for name in NAMES], SeededDice(5))
    chooser = random.Random(5)
    while table.state.seat != OVER and table.played < 400:
        state = table.state
        prompt = named(state.prompt, NAMES, state.roller)
        assert prompt.split()[0] == "You", prompt
        assert prompt.split()[1] not in THIRD, prompt
        if state.seat == CHANCE:
            table.roll()
        else:
            table.play(chooser.choice(state.legal_moves()))
        index = table.played - 1
        seat = table.event(index).seat
        yours, told = table.tell(index, seat), table.tell(index)
        assert told.startswith(f"{NAMES[seat]} ")
        assert yours.startswith("You ")
        assert yours.split()[1] not in THIRD, yours
        assert seat in spoken_to(table.sentence(index))
        for other in {0, 1, 2}.difference(spoken_to(table.sentence(index))):
            assert table.tell(index, other) == told
        assert "{" not in told + yours


def test_a_name_stays_a_name_unless_the_sentence_says_more() -> None:
    text = "{0} rolls. {1|You} {1:wins|win}!"
    assert named(text, NAMES, 0) == "Ann rolls. Ben wins!"
    assert named(text, NAMES, 1) == "Ann rolls. You win!"
    assert spoken_to(text) == {1}


def test_what_is_in_a_name_is_not_read() -> None:
    assert named("{0|You} {0:rolls|roll}.", ["{0|You} {1}"]) == "{0|You} {1} rolls."


def test_several_share_a_win() -> None:
    assert named(wins((0, 2)), NAMES, 0) == "Ann and Cleo share the win!"
    assert named(wins((2,)), NAMES, 2) == "You win!"
