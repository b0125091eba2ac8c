"""KOR and BJ's dice side by side with their naive models: random games in lockstep, and every state up to a depth.

The models share no code with the games, so that a rule would have to be misread twice in the same way to go unseen.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from random import Random
from typing import Protocol, Self

import pytest

import hotdice
from hotdice import CHANCE, OVER, State
from tests.games import naive_bj, naive_kor
from tests.games.naive_bj import NaiveBj
from tests.games.naive_kor import NaiveKor

pytestmark = pytest.mark.slow  # thousands of games beside a model that takes its time


class Naive(Protocol):
    """What both models can do."""

    scores: list[int]
    winner: int | None

    def copy(self) -> Self: ...
    def dice(self) -> int: ...
    def choices(self) -> list[str]: ...
    def toss(self, dice: Sequence[str]) -> None: ...
    def choose(self, choice: str) -> None: ...
    def actor(self) -> int: ...
    def describe(self) -> str: ...


Rules = dict[str, bool | int | str]

KOR_RULES: list[Rules] = [
    {"bank_roll": bank_roll, "final_round": final_round, "scoring": scoring}
    for bank_roll, final_round, scoring in product([False, True], [False, True], ["highest", "all"])
]
BJ_RULES: list[Rules] = [{"bust": bust, "dice": dice} for bust, dice in product(["any", "all_dice"], [6, 5])]


def pair(game: str, players: int, rules: Rules) -> tuple[State, Naive]:
    """The same game at its start, twice."""
    naive: Naive = NaiveKor(players, **rules) if game == "kor" else NaiveBj(players, **rules)  # type: ignore[arg-type]
    return hotdice.load_game(game).start(players, rules), naive


def name(rules: Rules) -> str:
    return ",".join(f"{key}={value}" for key, value in rules.items())


# Random games


def same(state: State, naive: Naive) -> None:
    """Everything that can be seen of both is the same."""
    assert state.position_fields() == naive.describe()
    assert hotdice.parse_position(state.position) == state
    assert state.scores == tuple(naive.scores)
    assert state.seat == naive.actor()
    assert sorted(move.text for move in state.legal_moves()) == sorted(naive.choices())
    assert {len(roll) for roll in state.outcomes().rolls} == ({naive.dice()} if naive.dice() else set())
    assert (state.result.winners if state.result else None) == (None if naive.winner is None else (naive.winner,))


def lockstep(state: State, naive: Naive, faces: list[str], seed: int, bias: float) -> None:
    """Play both to the end with the same dice and choices.

    With a bias, that share of the tosses shows few faces or three of one, for the sake of what is rare.
    """
    random = Random(seed)
    same(state, naive)
    while state.seat != OVER:
        if state.seat == CHANCE:
            few = random.sample(faces, 2)
            dice = random.choices(faces, k=naive.dice())
            if random.random() < bias:
                thrice = [few[0]] * 3 + [few[1]] * 3
                dice = random.choice([thrice, random.choices(few, k=6)])[: naive.dice()]
            state = state.roll(state.parse_roll(" ".join(dice)))
            naive.toss(dice)
        else:
            choice = random.choice(naive.choices())
            state = state.apply(state.parse_move(choice))
            naive.choose(choice)
        same(state, naive)


@pytest.mark.parametrize("players", [2, 3, 4, 8])
@pytest.mark.parametrize("rules", KOR_RULES, ids=name)
def test_random_games_of_kor_are_the_same_in_both(rules: Rules, players: int) -> None:
    for seed, target in enumerate([25, 50, 100, 100, 200, 200, 300, 300, 500, 800]):
        for bias in (0, 0.5):
            lockstep(*pair("kor", players, {**rules, "target": target}), naive_kor.FACES, seed, bias)


@pytest.mark.parametrize("players", [2, 3, 4, 8])
@pytest.mark.parametrize("rules", BJ_RULES, ids=name)
def test_random_games_of_bj_are_the_same_in_both(rules: Rules, players: int) -> None:
    for seed, target in enumerate([0, 0, 50, 100, 200, 300, 500, 500, 1000, 1500]):
        for bias in (0, 0.5):
            lockstep(*pair("bj", players, {**rules, "target": target}), naive_bj.FACES, seed, bias)


@pytest.mark.parametrize(("game", "faces"), [("kor", naive_kor.FACES), ("bj", naive_bj.FACES)])
def test_whole_games_by_the_printed_rules_are_the_same_in_both(game: str, faces: list[str]) -> None:
    for seed, players in enumerate([2, 3, 8]):
        lockstep(*pair(game, players, {}), faces, seed, bias=0)


# Every state up to a depth


def layers(start: State) -> Iterator[dict[State, Fraction]]:
    """The states after 0, 1, 2, … events with their chances, where each legal move is equally likely."""
    layer = {start: Fraction(1)}
    while True:
        yield layer
        following: dict[State, Fraction] = {}
        for state, chance in layer.items():
            if state.seat == CHANCE:
                outcomes = state.outcomes()
                weights: Counter[State] = Counter()
                for roll, weight in zip(outcomes.rolls, outcomes.weights, strict=True):
                    weights[state.roll(roll)] += weight
            else:
                weights = Counter(state.apply(move) for move in state.legal_moves())
            for after, weight in weights.items():
                following[after] = following.get(after, Fraction(0)) + chance * weight / weights.total()
        layer = following


def naive_layers(start: Naive, game: str) -> Iterator[dict[str, Fraction]]:
    """The same by the model, whose states are known by their descriptions."""
    fallen = naive_kor.fallen if game == "kor" else naive_bj.fallen
    layer = {start.describe(): (start, Fraction(1))}
    while True:
        yield {text: chance for text, (_, chance) in layer.items()}
        following: dict[str, tuple[Naive, Fraction]] = {}
        for naive, chance in layer.values():
            weights: Counter[str] = Counter()
            found: dict[str, Naive] = {}
            for dice, weight in fallen(naive.dice()).items() if naive.dice() else ():
                after = naive.copy()
                after.toss(dice)
                weights[after.describe()] += weight
                found[after.describe()] = after
            for choice in naive.choices():
                after = naive.copy()
                after.choose(choice)
                weights[after.describe()] += 1
                found[after.describe()] = after
            for text, after in found.items():
                before = following[text][1] if text in following else Fraction(0)
                following[text] = after, before + chance * weights[text] / weights.total()
        layer = following


def node_class(position: str) -> str:
    """Whether dice, a player or nobody is to act in a position."""
    words = position.split()
    return "chance" if "toss" in words else "over" if "over" in words else "decision"


SMALL_GAMES: list[tuple[str, int, Rules, int]] = [
    *(("kor", 2, {**rules, "target": 50}, 3 if rules["bank_roll"] else 4) for rules in KOR_RULES),
    ("kor", 2, {"final_round": True, "target": 25}, 6),
    ("kor", 3, {"final_round": True, "target": 50}, 5),
    ("kor", 3, {"target": 100}, 5),
    *(("bj", 2, {**rules, "target": 50}, 4) for rules in BJ_RULES),
    ("bj", 3, {"target": 0, "dice": 5}, 4),
]


@pytest.mark.parametrize(
    ("game", "players", "rules", "depth"),
    SMALL_GAMES,
    ids=[f"{game}-{players}-{name(rules)}" for game, players, rules, _ in SMALL_GAMES],
)
def test_states_their_number_and_their_chances_are_the_same_in_both(
    game: str, players: int, rules: Rules, depth: int
) -> None:
    state, naive = pair(game, players, rules)
    over = Fraction(0)
    for _, layer, expected in zip(range(depth + 1), layers(state), naive_layers(naive, game), strict=False):
        found = {state.position_fields(): chance for state, chance in layer.items()}
        assert len(found) == len(layer), "two states have the same notation"
        assert Counter(map(node_class, found)) == Counter(map(node_class, expected))
        for kind in ("chance", "decision", "over"):
            assert sum(chance for text, chance in found.items() if node_class(text) == kind) == sum(
                chance for text, chance in expected.items() if node_class(text) == kind
            )
        assert found == expected
        assert sum(found.values()) + over == 1
        over += sum(chance for text, chance in found.items() if node_class(text) == "over")
