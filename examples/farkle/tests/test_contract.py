"""Farkle meets the contract under every combination of its house rules, and is found where it is installed."""

from __future__ import annotations

from dataclasses import asdict

import pytest

from hotdice import Options, SeededDice, all_games, load_game, parse_position
from hotdice.players import make_player
from hotdice.table import Seat, Table
from hotdice.testing import conformance
from hotdice_farkle import FARKLE


def test_it_is_found_by_its_name() -> None:
    assert load_game("farkle") is FARKLE
    assert FARKLE in all_games()


@pytest.mark.parametrize("options", FARKLE.options.combinations(), ids=lambda options: options.text or "as printed")
def test_conformance(options: Options) -> None:
    conformance(FARKLE, seeds=(1,), options=options)


def test_moves_say_what_they_change() -> None:
    state = parse_position("farkle 500/0 1 keep 125 300 - -")
    assert [(move.text, asdict(state.effect(move))) for move in state.legal_moves()] == [
        ("keep 1 5", {"points": 150, "turn": 450, "dice": 1}),
        ("keep 1", {"points": 100, "turn": 400, "dice": 2}),
        ("keep 5", {"points": 50, "turn": 350, "dice": 2}),
    ]


def test_facts_follow_the_house_rules() -> None:
    facts = FARKLE.start(2, {"sets": "fixed", "three_ones": 300}).facts()
    assert facts.sets[0] == (300, 1000, 2000, 3000)
    assert facts.sets[5] == (600, 1000, 2000, 3000)
    assert (facts.target, facts.opening, facts.three_pairs) == (10_000, 500, 750)


def test_the_greedy_rule_beats_a_random_player() -> None:
    wins = 0
    for seed in range(40):
        seats = [Seat("Greedy", make_player("greedy", seed)), Seat("Random", make_player("random", seed))]
        result = Table(FARKLE.start(2, {"target": 2000}), seats, SeededDice(seed)).run().result
        assert result
        wins += 0 in result.winners
    assert wins >= 36
