"""What choosing costs, in one run: decisions by rollouts among many players, and whole games of bots at a table.

Decisions are counted in CPU seconds of all threads, over positions of greedy games; each has its own standard error,
whose median is printed beside it. Games are counted by CPU second, with what they were before as a ratio: the same
games with every decision made by `evaluate`, which values all moves, instead of `policy`.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from statistics import median, quantiles
from time import process_time

import hotdice
from hotdice import Game, Move, State, load_game
from hotdice.dice import SeededDice
from hotdice.players import Player, make_player
from hotdice.solve import evaluate, evaluator_for
from hotdice.table import Seat, Table

DECISIONS = 100
AIM = 0.3
"""CPU seconds of a decision by rollouts, at the 99th percentile."""


class Evaluating:
    """Chooses as `optimal` does, by the values of all moves."""

    kind = "evaluating"

    def choose(self, state: State) -> Move:
        best = evaluate(state).lines[0].action
        if not isinstance(best, Move):
            raise TypeError("a move was expected")
        return best


def positions(game: Game, players: int) -> Iterator[State]:
    """Every fifth decision of greedy games."""
    random, met = Random(1), 0
    while True:
        state: State = game.start(players)
        while state.seat != hotdice.OVER:
            if state.seat == hotdice.CHANCE:
                outcomes = state.outcomes()
                state = state.roll(outcomes.at(random.randrange(outcomes.total)))
                continue
            met += len(state.legal_moves()) > 1
            if met and met % 5 == 0 and len(state.legal_moves()) > 1:
                yield state
            state = state.apply(game.greedy(state))


def rollouts(name: str, players: int) -> None:
    """What decisions among many players cost."""
    game = load_game(name)
    values, met = evaluator_for(game, game.options(), players), positions(game, players)
    values.evaluate(next(met))  # compiles
    taken, errors = [], []
    for _ in range(DECISIONS):
        state = next(met)
        before = process_time()
        found = values.evaluate(state)
        taken.append(process_time() - before)
        errors.append(found.error)
    late = quantiles(taken, n=100)[98]
    print(
        f"decision by rollouts, {game.title}, {players} players: 99th percentile {late:.3f} s of CPU "
        f"(aim: at most {AIM}), median {median(taken):.3f} s, standard error {median(errors):.4f}",
        flush=True,
    )


def games(name: str, bot: Player, count: int) -> float:
    """Games of two a CPU second through a table."""
    game, seats = load_game(name), [Seat("Ann", bot), Seat("Bob", bot)]
    Table(game.start(2), seats, SeededDice(0)).run()
    before = process_time()
    for seed in range(count):
        Table(game.start(2), seats, SeededDice(seed)).run()
    return count / (process_time() - before)


def main() -> None:
    """Decisions, then games."""
    for name, players in (("kor", 3), ("kor", 8), ("bj", 3), ("bj", 8), ("rollers", 3), ("rollers", 5)):
        rollouts(name, players)
    quick, slow = games("bj", make_player("optimal", 1), 500), games("bj", Evaluating(), 30)
    print(f"BJ's dice for two, optimal: {quick:.0f} games a second, {quick / slow:.0f} times as many as by all values")
    print(f"Kismet for two, greedy: {games('kismet', make_player('greedy', 1), 300):.0f} games a second")


if __name__ == "__main__":
    main()
