"""What exact play costs, in one run: solving from nothing, loading, deciding.

Solving is counted in CPU seconds of all threads, and as a ratio: Kismet to yatzy-solver 1.0.0 building its table of
Scandinavian Yatzy, a game of the same size; the other games to Kismet. Kismet is solved at the beginning and at the
end, so that a change of the machine's pace shows. Compiling is left out, since it happens once an installation: short
games are solved first. `python -m benchmarks.solve quick` leaves the minutes out: Rollers and KOR's final round;
`loading` and `deciding` do no more than that.
"""

from __future__ import annotations

import os
import resource
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from random import Random
from statistics import median, quantiles
from time import perf_counter, thread_time
from typing import Any

import hotdice
from benchmarks.report import Row, Versus, alone, medians, part
from hotdice import Game, load_game
from hotdice.games.bj import BjOptions
from hotdice.games.bj.solving import solver as bj
from hotdice.games.kismet import KismetOptions
from hotdice.games.kismet.solving import tables as kismet
from hotdice.games.kismet.solving.sheets import FIVE, kismet_sheet
from hotdice.games.kor import KorOptions
from hotdice.games.kor.solving import solver as kor
from hotdice.games.kor.solving.evaluator import KorEvaluator
from hotdice.games.rollers.rules import CHIPS, EMPTY_BOARD
from hotdice.games.rollers.solving import tables as rollers
from hotdice.games.rollers.solving.boards import number_of
from hotdice.options import Options
from hotdice.solve import evaluator_for, store

DECISIONS = 1500
LOADS = 9
BJ_AIM, KOR_AIM, ROLLERS_AIM = 6, 15, 100
"""How many times the CPU time of Kismet a solve may take."""
GROUP = "Solving from nothing"


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


def against_kismet(
    name: str, title: str, aim: int | None, unit: float, work: Callable[[], tuple[float, float]]
) -> Iterator[Row]:
    """Solve a game: its cost and its value."""
    found: list[tuple[float, float]] = []
    seconds = cpu(lambda: found.append(work()))
    value, error = found[0]
    beside = (Versus("solve.kismet", seconds / unit, aim=aim),)
    yield Row(f"solve.{name}", GROUP, title, seconds, "CPU s", "lower", versus=beside)
    yield Row(f"solve.{name}.value", "Values to begin", title, value, "", digits=10, remark=f"proven to ± {error:.0e}")


def solved_bj() -> tuple[float, float]:
    found = bj.solve(BjOptions())
    return float(found["wins"][0, 0]), float(found["error"][0])


def solved_kor(options: KorOptions) -> tuple[float, float]:
    values = KorEvaluator(options, kor.solve(options))
    return values.expected(load_game("kor").start(2, options), 0), values.start_error


def solved_rollers() -> tuple[float, float]:
    found = rollers.solve_round(False)
    start = number_of(EMPTY_BOARD)
    return float(found.values[0, start, start, CHIPS]), found.error


def solving(quick: bool) -> Iterator[Row]:
    """The solves, one after the other."""
    first = solve_kismet()
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    beside: tuple[Versus, ...] = ()
    if find_spec("yatzy_solver"):
        other = import_module("yatzy_solver")  # without types, and installed for this benchmark only
        theirs = cpu(lambda: other.Solver.build(other.Variant("yatzy-scandinavian")))
        yield Row("solve.yatzy-solver", GROUP, "yatzy-solver, its Yatzy", theirs, "CPU s", "lower", ours=False)
        beside = (Versus("solve.yatzy-solver", first / theirs, aim=0.08),)
    yield Row("solve.kismet", GROUP, "Kismet, one player", first, "CPU s", "lower", versus=beside)
    yield Row("solve.memory", GROUP, "peak memory by then", memory, "MiB", "lower", aim=1000)
    yield from against_kismet("bj", "BJ's dice, two players", BJ_AIM, first, solved_bj)
    yield from against_kismet("kor", "KOR, two players", KOR_AIM, first, lambda: solved_kor(KorOptions()))
    bank = KorOptions(bank_roll=True)
    yield from against_kismet("kor-bank", "KOR with Bank Roll", KOR_AIM, first, lambda: solved_kor(bank))
    if not quick:
        final = KorOptions(final_round=True)
        yield from against_kismet("kor-final", "KOR with a final round", None, first, lambda: solved_kor(final))
        both = KorOptions(bank_roll=True, final_round=True)
        yield from against_kismet("kor-both", "KOR with both", None, first, lambda: solved_kor(both))
        yield from against_kismet("rollers", "Rollers, two players, the round", ROLLERS_AIM, first, solved_rollers)
        again = solve_kismet()
        beside = (Versus("solve.kismet", again / first),)
        yield Row("solve.kismet-again", GROUP, "Kismet again, in the end", again, "CPU s", "lower", versus=beside)


def decisions(game: Game, options: Options, players: int) -> Iterator[float]:
    """CPU milliseconds of decisions in games of best moves, every legal move valued."""
    values, random = evaluator_for(game, options, players), Random(1)
    while True:
        state = game.start(players, options)
        while (seat := state.seat) != hotdice.OVER:
            if seat == hotdice.CHANCE:
                outcomes = state.outcomes()
                state = state.roll(outcomes.at(random.randrange(outcomes.total)))
                continue
            moves = state.legal_moves()
            started = thread_time()
            best: Any = values.evaluate(state).lines[0].action
            if len(moves) > 1:
                yield 1000 * (thread_time() - started)
            state = state.apply(best)


def deciding() -> Iterator[Row]:
    """How long a decision takes with tables at hand. Of KOR, whose splits are rare, the games are short."""
    settings = (("kismet", 1, 1), ("kismet", 2, 1), ("bj", 2, 5), ("kor", 2, 5), ("rollers", 2, 5))
    for name, players, aim in settings:
        game = load_game(name)
        if name == "rollers" and rollers.saved_round(False) is None:
            print("The table of Rollers is not in the cache: no figures for its decisions.", file=sys.stderr)
            continue
        options = game.options()
        count = DECISIONS // 10 if name == "kor" else DECISIONS
        found = decisions(game, options, players)
        taken = [next(found) for _ in range(count)][count // 20 :]  # the first ones may compile
        late = quantiles(taken, n=100)[98]
        title, group = f"{game.title}, {'alone' if players == 1 else 'two players'}", "A decision, every move valued"
        key = f"solve.decision.{name}-{players}"
        yield Row(f"{key}.p99", group, f"{title}, 99th percentile", late, "ms of CPU", "lower", aim=aim)
        yield Row(f"{key}.p50", group, f"{title}, median", median(taken), "ms of CPU", "lower")


def loading() -> Iterator[Row]:
    """How long loading takes, from files that are in the machine's memory."""
    tables: dict[str, tuple[str, Callable[[], object]]] = {
        "kismet": ("Kismet, points", lambda: kismet.points_table(KismetOptions())),
        "kismet-spread": ("Kismet, spread", lambda: kismet.spread_table(KismetOptions())),
        "bj": ("BJ's dice", lambda: bj.tables(BjOptions())),
        "kor": ("KOR", lambda: kor.tables(KorOptions())),
        "kor-final": ("KOR with a final round", lambda: kor.tables(KorOptions(final_round=True))),
        "rollers": ("Rollers, the round", lambda: rollers.saved_round(False)),
    }
    for name, (title, load) in tables.items():
        if load() is None:
            print(f"The table of {title} is not in the cache: no figure for loading it.", file=sys.stderr)
            continue
        times = []
        for _ in range(LOADS):
            started = perf_counter()
            load()
            times.append(1000 * (perf_counter() - started))
        yield Row(f"solve.load.{name}", "Loading", title, unit="ms", better="lower", aim=200, **medians(times))


def rows(arguments: Sequence[str]) -> Iterator[Row]:
    """Solve with tables in a folder of their own; load and decide with those in the cache."""
    which = part(arguments, "quick", "loading", "deciding")
    if which in ("", "quick"):
        with tempfile.TemporaryDirectory() as folder:
            kept, store.folder = store.folder, lambda: Path(folder)
            try:
                compile_all()
                yield from solving(which == "quick")
            finally:
                store.folder = kept
    if which != "deciding":
        yield from loading()
    if which != "loading":
        yield from deciding()


if __name__ == "__main__":
    alone(rows)
