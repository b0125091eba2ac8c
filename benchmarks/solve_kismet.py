"""What Kismet costs: solving from nothing against yatzy-solver's Yatzy table, loading, and deciding.

Both solvers run in this process one after the other, and the CPU time of all threads is what counts, so that a busy
machine slows both alike. Compiling is left out: it happens once an installation. Needs yatzy-solver 1.0.0.
"""

from __future__ import annotations

import os
import resource
import sys
import tempfile
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from random import Random
from statistics import quantiles
from time import perf_counter, thread_time

import numpy as np

import hotdice
from hotdice.games.kismet import KISMET, KismetOptions, KismetState
from hotdice.games.kismet.solver import (
    FIVE,
    evaluator,
    headline,
    kismet_sheet,
    player,
    points_table,
    solve_sheet,
    spread_table,
)
from hotdice.solve import store
from hotdice.solve.evaluator import Evaluator

GAMES = {1: 60, 2: 12, 8: 3}
"""How many games the decisions are timed in, by players."""


def cpu(work: Callable[[], object]) -> float:
    """The CPU seconds of a piece of work, on all threads."""
    before = os.times()
    work()
    after = os.times()
    return after.user + after.system - before.user - before.system


def decisions(values: Evaluator, players: int) -> list[float]:
    """The CPU milliseconds of each decision, every legal move valued, in games of best moves."""
    taken: list[float] = []
    for seed in range(GAMES[players]):
        random = Random(seed)
        state = KISMET.start(players)
        while (seat := state.seat) != hotdice.OVER:
            if seat == hotdice.CHANCE:
                outcomes = state.outcomes()
                state = state.roll(outcomes.at(int(random.random() * outcomes.total)))
            else:
                started = thread_time()
                lines = values.evaluate(state).lines
                taken.append(1000 * (thread_time() - started))
                state = state.apply(lines[0].action)  # type: ignore[arg-type]
    return taken[len(taken) // 20 :]  # the first ones may compile


def against_yatzy_solver() -> None:
    """The table of points, from nothing, before and after the other's table of Scandinavian Yatzy."""
    sheet = kismet_sheet(True)
    solve_sheet(sheet._replace(rolls=1), FIVE.edges)  # compiles
    ours = [cpu(lambda: solve_sheet(sheet, FIVE.edges))]
    print(f"peak memory, solving      {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:8.0f} MB (aim: 1000)")
    if find_spec("yatzy_solver") is None:
        print(f"Kismet from nothing       {ours[0]:8.2f} s CPU; yatzy-solver is not installed")
        return
    other = import_module("yatzy_solver")  # without types, and installed for this benchmark only
    theirs = cpu(lambda: other.Solver.build(other.Variant("yatzy-scandinavian")))
    ours.append(cpu(lambda: solve_sheet(sheet, FIVE.edges)))
    print(f"Kismet from nothing       {ours[0]:8.2f} and {ours[1]:.2f} s CPU, compiling left out")
    print(f"yatzy-solver, its Yatzy   {theirs:8.2f} s CPU")
    print(f"ratio                     {sum(ours) / 2 / theirs:8.3f} (aim: at most 0.2)")


def tables_and_decisions() -> None:
    """Loading, and deciding from loaded tables."""
    printed = KismetOptions()
    print(f"the table behind the win  {cpu(lambda: spread_table(printed)):8.2f} s CPU, compiling included")
    for name, table in (("points", points_table), ("spread", spread_table)):
        started = perf_counter()
        table(printed)
        print(f"loading {name:6}            {1000 * (perf_counter() - started):8.0f} ms (aim: at most 200)")
    for players in GAMES:
        taken = decisions(evaluator(printed, players), players)
        middle, late = quantiles(taken, n=100)[49], quantiles(taken, n=100)[98]
        print(f"decision, {players} player(s)     {middle:8.2f} ms median, {late:.2f} ms 99th percentile, of CPU")
    for options in (printed, KismetOptions(kismet_is_full_house=False)):
        deviation = float(np.sqrt(spread_table(options).arrays["variance"][0, 0]))
        print(f"{KISMET.text(options)}: {headline(options):.6f} expected, standard deviation {deviation:.6f}")


def calibrate(games: int) -> None:
    """How far the chances to win of two players are from the frequencies: the `error` of `Together` is fitted here.

    Positions at the start of turns are sorted by boxes left and by chance. A class's miss is squared, less what luck
    alone would make of it, and averaged over the positions.
    """
    values = evaluator(KismetOptions(), 2)
    random = Random(2026)
    seen: list[tuple[int, float, float]] = []
    for _ in range(games):
        state = KISMET.start(2)
        turns: list[tuple[int, int, float]] = []
        while (seat := state.seat) != hotdice.OVER:
            if seat == hotdice.CHANCE:
                if isinstance(state, KismetState) and state.rolls == 0 and not state.roll_off:
                    left = sum(player(sheet).vacant for sheet in state.sheets)
                    turns.append((left, state.roller, values.value(state, state.roller)))
                outcomes = state.outcomes()
                state = state.roll(outcomes.at(int(random.random() * outcomes.total)))
            else:
                state = state.apply(values.evaluate(state).lines[0].action)  # type: ignore[arg-type]
        seen += [(left, chance, values.value(state, seat)) for left, seat, chance in turns]
    left, chance, won = np.array(seen).T
    for low, high in ((1, 2), (3, 4), (5, 8), (9, 14), (15, 22), (23, 30), (1, 30)):
        miss, count = 0.0, 0
        for tenth in range(10):
            here = (left >= low) & (left <= high) & (np.minimum(chance * 10, 9).astype(int) == tenth)
            if here.sum() > 20:
                luck = won[here].var() / here.sum()
                miss += here.sum() * ((chance[here].mean() - won[here].mean()) ** 2 - luck)
                count += int(here.sum())
        print(
            f"{low:2} to {high:2} boxes left: {count:6} turns, root mean square miss {max(miss / count, 0) ** 0.5:.3f}"
        )


def main() -> None:
    """All of it, with tables in a folder of their own; with a number of games as argument, the calibration."""
    if len(sys.argv) > 1 and sys.argv[-1].isdigit():
        calibrate(int(sys.argv[-1]))
        return
    against_yatzy_solver()
    with tempfile.TemporaryDirectory() as folder:
        kept, store.folder = store.folder, lambda: Path(folder)
        try:
            tables_and_decisions()
        finally:
            store.folder = kept


if __name__ == "__main__":
    main()
