"""Whom to send back among many in KOR: what the choice costs, and what it loses against games played to their end.

Positions come from games that bots play. Each choice is judged by games played to their end with the same dice for
every target: once to make the choice that such games make, as bots did before, and once with other dice to judge both
choices. CPU is that of all threads; the ratio is to those games.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from random import Random

import numpy as np

from benchmarks.report import Row, Versus, alone, part
from hotdice import CHANCE, OVER, load_game
from hotdice.games.kor import KorState
from hotdice.games.kor.rules import Target
from hotdice.games.kor.solving.rollouts import KorRollouts
from hotdice.solve import evaluator_for
from hotdice.solve.rollouts import MOST, Floats, seed_of, without_luck

POSITIONS = 24
OTHER_DICE = 7
"""The seed of the games that judge."""


def cpu(work: Callable[..., Floats], *about: object) -> tuple[Floats, float]:
    """What a piece of work gives, and its CPU seconds on all threads."""
    before = os.times()
    found = work(*about)
    after = os.times()
    return found, after.user + after.system - before.user - before.system


def positions(values: KorRollouts, players: int) -> Iterator[KorState]:
    """One U-TURN of each game, chosen at random."""
    random = Random(players)
    while True:
        state, found = KorState.start(values.options, players), list[KorState]()
        while state.seat != OVER:
            if state.seat == CHANCE:
                outcomes = state.outcomes()
                state = state.roll(outcomes.at(random.randrange(outcomes.total)))
            else:
                found += [] if state.signs else [state]
                state = state.apply(values.choice(state))
        if found:
            yield random.choice(found)


def played_out(values: KorRollouts, state: KorState, seed: int) -> Floats:
    """What each target is worth, by as many games as bots played before."""
    targets = [state.apply(move) for move in state.legal_moves()]
    results, luck = values.sampler(targets, state.seat, [seed] * len(targets))(np.arange(len(targets)), 0, MOST)
    return np.array([without_luck(*one).mean() for one in zip(results, luck, strict=True)])


def chosen(values: KorRollouts, state: KorState) -> Floats:
    """The values by which bots choose now."""
    worth = {line.action: line.value for line in values.evaluate(state).lines}
    return np.array([worth[move] for move in state.legal_moves()])


def rows(arguments: Sequence[str]) -> Iterator[Row]:
    """Three numbers of players."""
    part(arguments)
    kor = load_game("kor")
    for players in (3, 5, 8):
        values = evaluator_for(kor, kor.options(), players)
        assert isinstance(values, KorRollouts)
        first, *measured = islice(positions(values, players), POSITIONS + 1)
        chosen(values, first)  # compiles
        gains, now, then = [], 0.0, 0.0
        for state in measured:
            assert all(isinstance(move, Target) for move in state.legal_moves())
            quick, seconds = cpu(chosen, values, state)
            full, more = cpu(played_out, values, state, seed_of(state))
            judge = played_out(values, state, OTHER_DICE)
            gains.append(judge[quick.argmax()] - judge[full.argmax()])
            now, then = now + seconds, then + more
        key, group = f"uturns.{players}", f"KOR, {players} players"
        beside = (Versus(f"{key}.played-out", now / then),)
        yield Row(key, group, "three rounds of each target", now / len(gains), "CPU s a choice", "lower", versus=beside)
        full_cost = then / len(gains)
        yield Row(f"{key}.played-out", group, "games to their end", full_cost, "CPU s a choice", "lower", ours=False)
        mean, error = float(np.mean(gains)), float(np.std(gains) / len(gains) ** 0.5)
        yield Row(f"{key}.gain", group, "wins more often by", mean, "of a win", "higher", digits=2, error=error)


if __name__ == "__main__":
    alone(rows)
