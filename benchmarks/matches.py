"""The best bots against the greedy ones, two players, a hundred thousand games of each game.

Games come in pairs that begin with the same dice, the bots changing seats in between; standard errors are those of the
means of pairs, and a shared win counts half. KOR, BJ's dice and Pig are played here through `State`; Kismet and Rollers
have their own matches, which this runs too. `python -m benchmarks.matches bj 20000` plays fewer games of one game.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from multiprocessing import get_context
from random import Random

from benchmarks import match_kismet, match_rollers
from benchmarks.report import Row, alone, share_of
from hotdice import CHANCE, OVER, Move, State, load_game
from hotdice.solve import evaluate, evaluator_for

GAMES = 100_000
SHARE = 100
"""Pairs of games that a process is given at a time."""
HERE = ("kor", "bj", "pig")
ELSEWHERE = {"kismet": match_kismet.rows, "rollers": match_rollers.rows}

Chooser = Callable[[State], Move]


def best(state: State) -> Move:
    """The optimal bot's move."""
    return evaluator_for(state.game, state.options, state.players).policy(state)


def greedy(state: State) -> Move:
    """The greedy bot's move."""
    return state.game.greedy(state)


def play(name: str, choosers: tuple[Chooser, Chooser], seed: int) -> float:
    """What the first seat gets of a game."""
    state, random = load_game(name).start(2), Random(seed)
    while state.seat != OVER:
        if state.seat == CHANCE:
            outcomes = state.outcomes()
            state = state.roll(outcomes.at(int(random.random() * outcomes.total)))
        else:
            state = state.apply(choosers[state.seat](state))
    result = state.result
    assert result is not None
    return (0 in result.winners) / len(result.winners)


def pairs(work: tuple[str, int]) -> list[float]:
    """What the optimal bot gets of a share of the pairs, on average over both games of each."""
    name, first = work
    return [
        (play(name, (best, greedy), seed) + 1 - play(name, (greedy, best), seed)) / 2
        for seed in range(first, first + SHARE)
    ]


def match(name: str, games: int) -> Row:
    """Play a match."""
    evaluate(load_game(name).start(2))  # solves, so that not every process does
    results: list[float] = []
    starts = range(0, max(games // 2, SHARE), SHARE)
    with get_context("spawn").Pool(os.cpu_count()) as pool:
        for found in pool.imap_unordered(pairs, [(name, start) for start in starts]):
            results += found
            print(f"\r  {name}: {2 * len(results)} games", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return share_of(name, load_game(name).title, "optimal against greedy", results)


def rows(arguments: Sequence[str]) -> Iterator[Row]:
    """Play the matches named, or all."""
    names = [word for word in arguments if not word.isdigit()] or [*HERE, *ELSEWHERE]
    games = next((int(word) for word in arguments if word.isdigit()), GAMES)
    for name in names:
        if name in HERE:
            yield match(name, games)
        elif name in ELSEWHERE:
            yield from ELSEWHERE[name]([str(games)])
        else:
            raise SystemExit(f"There is no match of {name}; there are {', '.join((*HERE, *ELSEWHERE))}.")


if __name__ == "__main__":
    alone(rows)
