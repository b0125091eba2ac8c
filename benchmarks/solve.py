"""What exact play costs, in one run: solving from nothing, loading, deciding.

Solving is counted in CPU seconds of all threads, and as a ratio: Kismet to yatzy-solver 1.0.0 building its table of
Scandinavian Yatzy, a game of the same size; the other games to Kismet. Kismet is solved at the beginning and at the
end, so that a change of the machine's pace shows. Compiling is left out, since it happens once an installation: short
games are solved first. `python -m benchmarks.solve quick` leaves the minutes out: Rollers and KOR's final round.
"""

from __future__ import annotations

import os
import resource
import sys
import tempfile
from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from random import Random
from statistics import median, quantiles
from time import perf_counter, thread_time
from typing import Any

import hotdice
from hotdice import Game, load_game
from hotdice.games.bj import BjOptions
from hotdice.games.bj.solving import solver as bj
from hotdice.games.kismet import KismetOptions
from hotdice.games.kismet.solving import tables as kismet
from hotdice.games.kismet.solving.sheets import FIVE, kismet_sheet
from hotdice.games.kor import KorOptions
from hotdice.games.kor.solving import solver as kor
from hotdice.games.kor.solving.evaluator import KorEvaluator
from hotdice.games.rollers.rules import CHIPS
from hotdice.games.rollers.solving import tables as rollers
from hotdice.options import Options
from hotdice.solve import evaluator_for, store

DECISIONS = 1500
LOADS = 9
AIMS = {"bj": 6, "kor": 15, "rollers": 100}
"""How many times the CPU time of Kismet a solve may take."""


def cpu(work: Callable[[], object]) -> float:
    """The CPU seconds of a piece of work, on all threads."""
    before = os.times()
    work()
    after = os.times()
    return after.user + after.system - before.user - before.system


def compile_all() -> None:
    """Solve short games, so that everything is compiled."""
    kismet.solve_sheet(kismet_sheet(True)._replace(rolls=1), FIVE.edges)
    bj.solve(BjOptions(target=200))
    for final in (False, True):
        kor.solve(KorOptions(target=100, final_round=final), precision=0.1, rare=1e-3)
    rollers.solve_round(False, lowest=18)


def solve_kismet() -> float:
    return cpu(lambda: kismet.solve_sheet(kismet_sheet(True), FIVE.edges))


def against_kismet(title: str, aim: int | None, unit: float, work: Callable[[], tuple[float, float]]) -> None:
    """Solve a game and print its value, its bound and its cost."""
    found: list[tuple[float, float]] = []
    seconds = cpu(lambda: found.append(work()))
    value, error = found[0]
    goal = f" (aim: at most {aim})" if aim else ""
    cost = f"{seconds:7.2f} s CPU, {seconds / unit:6.2f} of Kismet{goal}"
    print(f"{title:36} {cost}; {value:.10f} ± {error:.0e}", flush=True)


def solved_bj() -> tuple[float, float]:
    found = bj.solve(BjOptions())
    return float(found["wins"][0, 0]), float(found["error"][0])


def solved_kor(options: KorOptions) -> tuple[float, float]:
    values = KorEvaluator(options, kor.solve(options))
    return values.expected(load_game("kor").start(2, options), 0), values.start_error


def solved_rollers() -> tuple[float, float]:
    found = rollers.solve_round(False)
    return float(found.values[0, 0, CHIPS]), found.error


def solving(quick: bool) -> None:
    """The solves, one after the other."""
    first = solve_kismet()
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{'Kismet, one player':36} {first:7.2f} s CPU; peak memory {memory:.0f} MB (aim: at most 1000)", flush=True)
    if find_spec("yatzy_solver") is None:
        print("yatzy-solver is not installed: no ratio to it (make bench installs it)")
    else:
        other = import_module("yatzy_solver")  # without types, and installed for this benchmark only
        theirs = cpu(lambda: other.Solver.build(other.Variant("yatzy-scandinavian")))
        ratio = first / theirs
        print(f"{'yatzy-solver, its Yatzy':36} {theirs:7.2f} s CPU; Kismet is {ratio:.3f} of it (aim: at most 0.2)")
    against_kismet("BJ's dice, two players", AIMS["bj"], first, solved_bj)
    against_kismet("KOR, two players", AIMS["kor"], first, lambda: solved_kor(KorOptions()))
    against_kismet("KOR with Bank Roll", AIMS["kor"], first, lambda: solved_kor(KorOptions(bank_roll=True)))
    if not quick:
        against_kismet("KOR with a final round", None, first, lambda: solved_kor(KorOptions(final_round=True)))
        against_kismet("Rollers, two players, the round", AIMS["rollers"], first, solved_rollers)
        print(f"{'Kismet again':36} {solve_kismet():7.2f} s CPU", flush=True)


def decisions(game: Game, options: Options, players: int) -> Iterator[tuple[float, float]]:
    """CPU and wall milliseconds of decisions in games of best moves, every legal move valued."""
    values, random = evaluator_for(game, options, players), Random(1)
    while True:
        state = game.start(players, options)
        while (seat := state.seat) != hotdice.OVER:
            if seat == hotdice.CHANCE:
                outcomes = state.outcomes()
                state = state.roll(outcomes.at(random.randrange(outcomes.total)))
                continue
            moves = state.legal_moves()
            started, wall = thread_time(), perf_counter()
            best: Any = values.evaluate(state).lines[0].action
            if len(moves) > 1:
                yield 1000 * (thread_time() - started), 1000 * (perf_counter() - wall)
            state = state.apply(best)


def deciding() -> None:
    """How long a decision takes with tables at hand. Of KOR, whose splits are rare, the games are short."""
    settings = (("kismet", 1, 1), ("kismet", 2, 1), ("bj", 2, 5), ("kor", 2, 5), ("rollers", 2, 5))
    for name, players, aim in settings:
        game = load_game(name)
        if name == "rollers" and rollers.saved_round(False) is None:
            print("the table of Rollers is not in the cache: no figures for its decisions")
            continue
        options = game.options()
        count = DECISIONS // 10 if name == "kor" else DECISIONS
        found = decisions(game, options, players)
        taken = [next(found) for _ in range(count)][count // 20 :]  # the first ones may compile
        spent, waited = zip(*taken, strict=True)
        late, clock = (quantiles(times, n=100)[98] for times in (spent, waited))
        title = f"decision, {game.title}, {players} player(s)"
        print(
            f"{title:36} 99th percentile {late:.2f} ms of CPU, {clock:.2f} ms on the clock, "
            f"median {median(spent):.2f} ms (aim: at most {aim})",
            flush=True,
        )


def loading() -> None:
    """How long loading takes, from files that are in the machine's memory."""
    tables: dict[str, Callable[[], object]] = {
        "Kismet, points": lambda: kismet.points_table(KismetOptions()),
        "Kismet, spread": lambda: kismet.spread_table(KismetOptions()),
        "BJ's dice": lambda: bj.tables(BjOptions()),
        "KOR": lambda: kor.tables(KorOptions()),
        "KOR with a final round": lambda: kor.tables(KorOptions(final_round=True)),
        "Rollers, the round": lambda: rollers.saved_round(False),
    }
    for title, load in tables.items():
        load()
        times = []
        for _ in range(LOADS):
            started = perf_counter()
            load()
            times.append(1000 * (perf_counter() - started))
        print(f"loading, {title:24} {median(times):5.0f} ms, at worst {max(times):.0f} (aim: at most 200)", flush=True)


def main() -> None:
    """Solve with tables in a folder of their own; load and decide with those in the cache."""
    quick = "quick" in sys.argv
    with tempfile.TemporaryDirectory() as folder:
        kept, store.folder = store.folder, lambda: Path(folder)
        try:
            compile_all()
            solving(quick)
        finally:
            store.folder = kept
    loading()
    deciding()


if __name__ == "__main__":
    main()
