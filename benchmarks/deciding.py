"""What choosing costs, in one run: decisions by rollouts among many players, and whole games of bots at a table.

Decisions are counted in CPU seconds of all threads, over positions of greedy games; each has its own standard error,
whose median stands beside it. Games are counted by CPU second, with what they were before as a ratio: the same
games with every decision made by `evaluate`, which values all moves, instead of `policy`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from statistics import median, quantiles
from time import process_time

import numpy as np

import hotdice
from benchmarks.report import Row, Versus, alone, part
from hotdice import Game, Move, State, load_game
from hotdice.dice import SeededDice
from hotdice.games.bj import BjOptions
from hotdice.games.bj.solving.rollouts import BjRollouts
from hotdice.games.kor.solving.rollouts import KorRollouts
from hotdice.players import Player, make_player
from hotdice.solve import evaluate, evaluator_for
from hotdice.solve.rollouts import MOST, without_luck
from hotdice.table import Seat, Table
from hotdice.values import Evaluator

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


def rolling_out(game: Game, players: int) -> Evaluator:
    """What rolls positions out, also where BJ's dice for three is solved."""
    options = game.options()
    return BjRollouts(options, players) if isinstance(options, BjOptions) else evaluator_for(game, options, players)


def luck() -> Iterator[Row]:
    """What is left of the variance of rollouts from the start, once what dice changed is taken out."""
    for name in ("bj", "kor"):
        game = load_game(name)
        for players in (3, 4, 8):
            values = rolling_out(game, players)
            assert isinstance(values, BjRollouts | KorRollouts)
            sample = values.sampler([game.start(players)], 0, [1])
            results, changed = (one[0] for one in sample(np.arange(1), 0, MOST))
            left = 100 * float(without_luck(results, changed).var() / results.var())
            group, what = "Variance of rollouts without luck", f"{game.title}, {players} players"
            yield Row(
                f"deciding.luck.{name}-{players}", group, what, left, "% of the variance with it", "lower", digits=2
            )


def rollouts(name: str, players: int) -> Iterator[Row]:
    """What decisions among many players cost."""
    game = load_game(name)
    values, met = rolling_out(game, players), positions(game, players)
    values.evaluate(next(met))  # compiles
    taken, errors = [], []
    for _ in range(DECISIONS):
        state = next(met)
        before = process_time()
        found = values.evaluate(state)
        taken.append(process_time() - before)
        errors.append(found.error)
    key, what = f"deciding.{name}-{players}", f"{game.title}, {players} players"
    late, group, remark = quantiles(taken, n=100)[98], "A decision by rollouts", f"of {DECISIONS} positions"
    yield Row(f"{key}.p99", group, f"{what}, 99th percentile", late, "CPU s", "lower", aim=AIM, remark=remark)
    yield Row(f"{key}.p50", group, f"{what}, median", median(taken), "CPU s", "lower")
    yield Row(f"{key}.error", group, f"{what}, standard error", median(errors), "of a win", "lower")


def games(name: str, bot: Player, count: int) -> float:
    """Games of two a CPU second through a table."""
    game, seats = load_game(name), [Seat("Ann", bot), Seat("Bob", bot)]
    Table(game.start(2), seats, SeededDice(0)).run()
    before = process_time()
    for seed in range(count):
        Table(game.start(2), seats, SeededDice(seed)).run()
    return count / (process_time() - before)


def rows(arguments: Sequence[str]) -> Iterator[Row]:
    """Decisions, then games and what luck is taken out; or only that (`luck`)."""
    if part(arguments, "luck"):
        yield from luck()
        return
    for name, players in (("kor", 3), ("kor", 8), ("bj", 3), ("bj", 8), ("rollers", 3), ("rollers", 5)):
        yield from rollouts(name, players)
    group, unit = "Games of two at a table", "games/CPU s"
    quick, slow = games("bj", make_player("optimal", 1), 500), games("bj", Evaluating(), 30)
    beside = (Versus("deciding.bj-by-values", quick / slow),)
    yield Row("deciding.bj", group, "BJ's dice, optimal", quick, unit, "higher", versus=beside)
    yield Row("deciding.bj-by-values", group, "BJ's dice, by the values of all moves", slow, unit, "higher", ours=False)
    kismet = games("kismet", make_player("greedy", 1), 300)
    yield Row("deciding.kismet", group, "Kismet, greedy", kismet, unit, "higher")
    yield from luck()


if __name__ == "__main__":
    alone(rows)
