"""Brute force for shrunken games: every state that can be reached, valued by iteration through the `State` contract.

Nothing here knows a game. States beyond a frontier get their values from the caller, so that endless games can be cut.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hotdice.dice import Distribution, Roll
from hotdice.game import CHANCE, OVER, State

Rolls = Callable[[State], Iterable[tuple[Roll, int]]]
"""The rolls of a state with their weights; rolls that read the same may be listed once, with their weights added."""


def every_roll(state: State) -> Iterable[tuple[Roll, int]]:
    """All rolls."""
    outcomes = state.outcomes()
    return zip(outcomes.rolls, outcomes.weights, strict=True)


def by_reading(outcomes: Distribution, read: Callable[[Roll], Hashable]) -> list[tuple[Roll, int]]:
    """One roll for each reading of a toss, with the weight of all of them."""
    weights: Counter[Hashable] = Counter()
    rolls: dict[Hashable, Roll] = {}
    for roll, weight in zip(outcomes.rolls, outcomes.weights, strict=True):
        weights[read(roll)] += weight
        rolls[read(roll)] = roll
    return [(rolls[toss], weight) for toss, weight in weights.items()]


def win(state: State) -> float:
    """The first seat's share of the win."""
    result = state.result
    assert result is not None
    return (0 in result.winners) / len(result.winners)


@dataclass(frozen=True, slots=True)
class Graph:
    """The reachable states, and for each its successors with their chances."""

    states: tuple[State, ...]
    ends: dict[int, float]
    source: NDArray[np.int64]
    target: NDArray[np.int64]
    chance: NDArray[np.float64]

    @property
    def seats(self) -> NDArray[np.int64]:
        return np.array([state.seat for state in self.states])


def explore(
    start: Iterable[State],
    payoff: Callable[[State], float] = win,
    frontier: Callable[[State], float | None] = lambda state: None,
    rolls: Rolls = every_roll,
) -> Graph:
    """All states from the given ones on, as far as the frontier has no value for them."""
    order: dict[State, int] = {state: number for number, state in enumerate(dict.fromkeys(start))}
    queue = list(order)
    ends: dict[int, float] = {}
    edges: list[tuple[int, int, float]] = []
    for state in queue:
        number = order[state]
        value = payoff(state) if state.seat == OVER else frontier(state)
        if value is not None:
            ends[number] = value
            continue
        if state.seat == CHANCE:
            weighted = [(state.roll(roll), weight / state.outcomes().total) for roll, weight in rolls(state)]
        else:
            weighted = [(state.apply(move), 1.0) for move in state.legal_moves()]
        for after, chance in weighted:
            if after not in order:
                order[after] = len(order)
                queue.append(after)
            edges.append((number, order[after], chance))
    source, target, chance_of = zip(*edges, strict=True)
    return Graph(tuple(order), ends, np.array(source), np.array(target), np.array(chance_of))


def solve(graph: Graph, accuracy: float = 1e-13, most: int = 20_000) -> dict[State, float]:
    """What each state is worth to the first seat, which takes the best move; the other seats take its worst."""
    seats = graph.seats[graph.source]
    values = np.full(len(graph.states), 0.5)
    for number, value in graph.ends.items():
        values[number] = value
    chance, best, worst = seats == CHANCE, seats == 0, seats > 0
    for _ in range(most):
        following = np.zeros_like(values)
        np.add.at(following, graph.source[chance], graph.chance[chance] * values[graph.target[chance]])
        following[graph.source[best]] = -np.inf
        np.maximum.at(following, graph.source[best], values[graph.target[best]])
        following[graph.source[worst]] = np.inf
        np.minimum.at(following, graph.source[worst], values[graph.target[worst]])
        for number, value in graph.ends.items():
            following[number] = value
        change = float(np.abs(following - values).max())
        values = following
        if change <= accuracy:
            return dict(zip(graph.states, values.tolist(), strict=True))
    raise AssertionError("the iteration does not settle")
