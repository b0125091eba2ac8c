"""What solving Rollers costs: the race, a sample of the round (or all of it), loading its table, and a decision.

Run `python -m benchmarks.solve_rollers`; with `--full` the whole round is solved anew, which takes minutes. CPU
seconds are of all threads. A sample is the pairs of boards furthest on; their mean cost is extrapolated by the lengths
of the turns' programs, which overestimates a little: earlier pairs need fewer turns to settle.
"""

from __future__ import annotations

import random
import sys
import time

import numpy as np

from hotdice.game import CHANCE, OVER, State
from hotdice.games.rollers import ROLLERS, RollersOptions
from hotdice.games.rollers import solver as rollers
from hotdice.games.rollers.rules import CHIPS, open_to_collect
from hotdice.solve.evaluator import Evaluator

SAMPLE = 14
"""The least progress of the two boards of a sampled pair."""


def main() -> None:
    """Print one line a figure."""
    rollers.solve_round(False, lowest=18)  # compiles
    started = time.process_time()
    turns = rollers.solve_race(False)
    print(f"race: {turns[0]:.9f} turns, {time.process_time() - started:.2f} s of CPU")
    if "--full" in sys.argv:
        full()
    else:
        sample()
    load_and_decide()


def sample() -> None:
    """Solve the last levels and extrapolate."""
    started = time.process_time()
    solve = rollers.solve_round(False, lowest=SAMPLE)
    spent = time.process_time() - started
    lengths = np.array([[_length(one, other) for other in range(rollers.FULL)] for one in range(rollers.FULL)])
    share = lengths[solve.done].sum() / lengths.sum()
    pairs = np.triu(solve.done).sum()
    print(f"round: {pairs} pairs in {spent:.1f} s of CPU, all 29403 in about {spent / share:.0f} s")


def _length(one: int, other: int) -> int:
    collects = open_to_collect((rollers.board_of(other),))
    return len(rollers.lattice(rollers.caps_of(rollers.board_of(one), collects), False).code)


def full() -> None:
    """Solve everything, without the cache."""
    started, cpu = time.perf_counter(), time.process_time()
    solve = rollers.RoundSolve(False)
    for level in rollers.LEVELS:
        solve.solve(solve.level(level))
    spent = time.process_time() - cpu
    value = float(solve.values[0, 0, CHIPS])
    print(f"round: {value:.9f} ± {solve.error:.1e}, {spent:.0f} s of CPU, {time.perf_counter() - started:.0f} s")


def load_and_decide() -> None:
    """Load the round's table, if there is one, and value the decisions of a match."""
    times = []
    for _ in range(5):
        started = time.perf_counter()
        table = rollers.saved_round(False)
        times.append(time.perf_counter() - started)
    if table is None:
        print("the round's table is not in the cache: no figures for loading it and for decisions")
        return
    print(f"loading the table: {1000 * min(times):.0f} ms at best, {1000 * max(times):.0f} at worst")
    taken = sorted(decisions(rollers.RollersEvaluator(RollersOptions(), 2, table)))
    print(
        f"decision: {1000 * np.median(taken):.2f} ms, {1000 * taken[int(len(taken) * 0.99)]:.2f} at the 99th percentile"
    )


def decisions(evaluator: Evaluator) -> list[float]:
    """The seconds that each decision of some matches took."""
    rng = random.Random(1)
    taken: list[float] = []
    for _ in range(10):
        state: State = ROLLERS.start(2)
        while state.seat != OVER:
            if state.seat == CHANCE:
                state = state.roll(rng.choices(state.outcomes().rolls, state.outcomes().weights)[0])
                continue
            started = time.perf_counter()
            best = evaluator.evaluate(state).lines[0].action
            taken.append(time.perf_counter() - started)
            assert not isinstance(best, tuple)
            state = state.apply(best)
    return taken


if __name__ == "__main__":
    main()
