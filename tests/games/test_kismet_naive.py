"""The engine's Kismet against the naive one: whole games on the same dice, and every state within reach counted.

A class of states is who acts, after how many rolls, at which scores. For each class and each depth, both models must
count the same states and give them the same probability when every choice is made at random.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping
from fractions import Fraction
from itertools import combinations_with_replacement
from random import Random
from typing import Any, Protocol, Self, TypeVar

import pytest

from hotdice import CHANCE, OVER, State
from hotdice.games.kismet import KismetOptions, KismetState
from tests.games.naive_kismet import BOXES, NaiveKismet, worth
from tests.games.test_kismet import FULL, NO_SECOND, STRICT, at, sheet, start
from tests.games.test_kismet_data import points

pytestmark = pytest.mark.slow  # thousands of games beside a model that takes its time

S = TypeVar("S", bound=State)
Class = tuple[Hashable, ...]
Tally = dict[Class, tuple[int, Fraction]]
"""For each class of states, how many there are and how likely they are together."""


class Naive(Protocol):
    """What the naive models have in common."""

    def copy(self) -> Self: ...
    def key(self) -> tuple[object, ...]: ...
    def in_hand(self) -> int: ...
    def throws(self) -> Iterator[list[Any]]: ...
    def throw(self, dice: Any) -> None: ...
    def choices(self) -> Mapping[str, Any]: ...
    def take(self, choice: Any) -> None: ...


N = TypeVar("N", bound=Naive)


def engine_layers(state: S, depth: int, most: int) -> Iterator[dict[S, Fraction]]:
    """The states at each depth with their probability. More than `most` dice in the hand are not rolled."""
    layer = {state: Fraction(1)}
    yield layer
    for _ in range(depth):
        following: dict[S, Fraction] = defaultdict(Fraction)
        for one, mass in layer.items():
            outcomes = one.outcomes()
            if outcomes and len(outcomes.rolls[0]) <= most:
                for roll, chance in outcomes:
                    following[one.roll(roll)] += mass * chance
            legal = one.legal_moves()
            for move in legal:
                following[one.apply(move)] += mass / len(legal)
        layer = dict(following)
        yield layer


def naive_steps(game: N, most: int) -> Iterator[tuple[N, Fraction]]:
    """What a naive game can become in one step, die by die and choice by choice."""
    if 0 < game.in_hand() <= most:
        for thrown in game.throws():
            after = game.copy()
            after.throw(thrown)
            yield after, Fraction(1, 6 ** game.in_hand())
    choices = game.choices()
    for choice in choices.values():
        after = game.copy()
        after.take(choice)
        yield after, Fraction(1, len(choices))


def naive_layers(game: N, depth: int, most: int) -> Iterator[list[tuple[N, Fraction]]]:
    """The games at each depth with their probability, equal ones taken together."""
    layer = [(game, Fraction(1))]
    yield layer
    for _ in range(depth):
        games: dict[tuple[object, ...], N] = {}
        masses: dict[tuple[object, ...], Fraction] = defaultdict(Fraction)
        for one, mass in layer:
            for after, chance in naive_steps(one, most):
                key = after.key()
                games[key] = after
                masses[key] += mass * chance
        layer = [(games[key], masses[key]) for key in games]
        yield layer


def tally(classes: Iterator[tuple[Class, Fraction]]) -> Tally:
    found: Tally = {}
    for what, mass in classes:
        count, total = found.get(what, (0, Fraction(0)))
        found[what] = (count + 1, total + mass)
    return found


def acting(state: State) -> str:
    """Who or what is to act, in the naive models' words."""
    return "over" if state.seat == OVER else f"{'dice' if state.seat == CHANCE else 'seat'} {state.roller}"


# The same position in both


def mirror(state: KismetState) -> NaiveKismet:
    """A naive game at the engine's position."""
    options = state.options
    game = NaiveKismet(state.players, options.kismet_is_full_house, options.second_kismet)
    for mine, entries in zip(game.sheets, state.sheets, strict=True):
        mine.update({box: entry for box, entry in zip(BOXES, entries, strict=True) if entry != -1})
    game.kismets = [int(had) for had in state.had_kismet]
    game.turn, game.rolls = state.roller, state.rolls
    game.row = [*state.dice, *[0] * (5 - len(state.dice))] if state.rolls else []
    game.in_roll_off = []
    return game


def check_same(state: KismetState, game: NaiveKismet) -> None:
    """Every part of the state, the choices, the scores and the winners agree."""
    assert acting(state) == game.acting()
    assert state.rolls == game.rolls
    assert list(state.dice) == sorted(die for die in game.row if die)
    assert [list(entries) for entries in state.sheets] == [[mine.get(box, -1) for box in BOXES] for mine in game.sheets]
    assert list(state.had_kismet) == [count > 0 for count in game.kismets]
    assert list(state.scores) == game.totals()
    legal = [move.text for move in state.legal_moves()]
    assert sorted(legal) == sorted(game.choices())
    assert state.outcomes().total == (6 ** game.in_hand() if game.in_hand() else 0)
    assert (list(state.result.winners) if state.result else []) == game.winners()


def loaded(game: NaiveKismet, random: Random, load: float) -> list[int]:
    """Dice for the naive game's hand; when loaded, all of them match a die on the table, or each other."""
    if random.random() < load:
        on_table = [die for die in game.row if die]
        return [on_table[0] if on_table else random.randint(1, 6)] * game.in_hand()
    return [random.randint(1, 6) for _ in range(game.in_hand())]


@pytest.mark.parametrize("load", [0.0, 0.7])
@pytest.mark.parametrize("players", [1, 2, 3, 4, 8])
@pytest.mark.parametrize("options", KismetOptions.combinations(), ids=lambda options: options.text or "printed")
def test_random_games_agree_at_every_step(options: KismetOptions, players: int, load: float) -> None:
    random = Random(f"{options.text} {players} {load}")
    several = 0
    for _ in range(2 if players > 4 else 5):
        state = start(players, kismet_is_full_house=options.kismet_is_full_house, second_kismet=options.second_kismet)
        game = NaiveKismet(players, options.kismet_is_full_house, options.second_kismet)
        while not game.done:
            check_same(state, game)
            if game.in_hand():
                dice = loaded(game, random, load)
                state = state.roll(tuple(sorted(dice)))
                game.throw(dice)
            else:
                choices = game.choices()
                boxes = [said for said in choices if said.startswith("score")]
                said = random.choice(boxes if random.random() < 0.3 else list(choices))
                state = state.apply(state.parse_move(said))
                game.take(choices[said])
        check_same(state, game)
        several += any(count > 1 for count in game.kismets)
    assert several or not load


def test_all_252_rolls_score_the_same_in_every_box() -> None:
    rolls = list(combinations_with_replacement(range(1, 7), 5))
    assert len(rolls) == 252
    for options, loose in (("", True), (STRICT, False)):
        for roll in rolls:
            state = at(sheet(), rolls=3, dice="".join(map(str, roll)), options=options)
            assert points(state) == tuple(worth(box, roll, loose) for box in BOXES), roll


# Counting


def same_tallies(state: KismetState, depth: int, most: int = 5) -> list[Tally]:
    """The tallies at each depth, after both models have agreed on them."""
    tallies = []
    game = mirror(state)
    engine, naive = engine_layers(state, depth, most), naive_layers(game, depth, most)
    for mine, others in zip(engine, naive, strict=True):
        tallies.append(tally(((acting(one), one.rolls, one.scores), mass) for one, mass in mine.items()))
        assert tallies[-1] == tally(((one.acting(), one.rolls, tuple(one.totals())), mass) for one, mass in others)
    return tallies


def counts(tallies: list[Tally]) -> list[int]:
    return [sum(count for count, _ in one.values()) for one in tallies]


@pytest.mark.parametrize(
    ("box", "options", "ends"),
    [
        ("kismet", "", 1 + 6),  # a zero, or six Kismets
        ("straight", "", 2 + 1),  # 0 or 30, or the zero of a Kismet
        ("yarborough", "", 24 + 6),  # 6 to 29, or six Kismets
        ("full-house", "", 21 + 6),  # a zero, twenty sums of three and two, or six Kismets
        ("full-house", STRICT, 21 + 1),
    ],
)
def test_one_vacant_box_has_this_many_states_at_each_depth(box: str, options: str, ends: int) -> None:
    tallies = same_tallies(at(sheet(0, **{box.replace("-", "_"): "-"}), options=options), 6)
    # Five dice fall in 252 ways, and 210 multisets of up to four dice can be kept.
    assert counts(tallies) == [1, 252, 210 + ends, 252, 210 + ends, 252, ends]
    over = [mass for one in tallies for what, (_, mass) in one.items() if what[0] == "over"]
    assert sum(over) == 1


@pytest.mark.parametrize("options", ["", NO_SECOND])
def test_a_second_kismet_near_the_end_reaches_the_same_states(options: str) -> None:
    mine, other = sheet(0, kismet="-", aces="-") + "!", sheet(0, sixes="-", flush="-")
    tallies = same_tallies(at(mine, other, rolls=3, dice="11111", options=options), 3)
    assert counts(tallies)[:3] == [1, 2, 2 * 252]
    assert {what[0] for what in tallies[1]} == {"dice 1" if options else "dice 0"}


def test_the_last_boxes_of_two_players_reach_the_same_states() -> None:
    mine, other = sheet(0, kismet="-") + "!", sheet(0, aces="-")
    tallies = same_tallies(at(mine, other, rolls=2, dice="44446"), 6)
    # Some games end with the third roll: a second Kismet strikes the other player's last box.
    assert any(what[0] == "over" for what in tallies[3])
    assert any(what[0] == "dice 1" for what in tallies[3])


def test_a_full_sheet_among_three_reaches_the_same_states() -> None:
    same_tallies(at(sheet(0, fours="-", straight="-"), FULL, sheet(0, yarborough="-"), rolls=2, dice="12345"), 4, 2)


@pytest.mark.parametrize(("players", "depth"), [(2, 6), (3, 7), (4, 5)])
def test_the_roll_off_reaches_the_same_states(players: int, depth: int) -> None:
    tallies = []
    game = NaiveKismet(players)
    layers = zip(engine_layers(start(players), depth, 1), naive_layers(game, depth, 1), strict=True)
    for mine, others in layers:
        tallies.append(tally(((acting(one), len(one.roll_off)), mass) for one, mass in mine.items()))
        assert tallies[-1] == tally(((one.acting(), players if one.in_roll_off else 0), mass) for one, mass in others)
    if players == 2:  # after both have rolled, a tie is one state, and each player begins in 15 of 36 cases
        assert tallies[2] == {
            ("dice 0", 2): (1, Fraction(6, 36)),
            ("dice 0", 0): (1, Fraction(15, 36)),
            ("dice 1", 0): (1, Fraction(15, 36)),
        }
