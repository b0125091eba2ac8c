"""The bot holds as soon as something is at stake, and plays any game to its end."""

from __future__ import annotations

from hotdice import SeededDice, load_game, parse_position
from hotdice.players import make_player
from hotdice.table import Seat, Table
from hotdice_cautious import CautiousPlayer


def test_it_takes_home_what_it_has() -> None:
    assert CautiousPlayer(1).choose(parse_position("pig 0/0 1 2 decide")).text == "hold"


def test_it_plays_by_the_greedy_rule_where_nothing_is_at_stake() -> None:
    state, dice = load_game("kismet").start(2), SeededDice(1)
    while state.seat < 0:
        state = state.roll(dice.draw(state.outcomes()))
    assert CautiousPlayer(1).choose(state) == state.game.greedy(state)


def test_it_is_found_by_its_name() -> None:
    bots = [make_player("cautious", seed) for seed in (1, 2)]
    assert [bot.kind for bot in bots] == ["cautious", "cautious"]
    table = Table(load_game("pig").start(2), [Seat("One", bots[0]), Seat("Two", bots[1])], SeededDice(1))
    assert table.run().result
