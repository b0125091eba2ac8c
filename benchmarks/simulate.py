"""Whole games a CPU second, compiled, next to others that do the same, in one run.

Pig is compared with OpenSpiel's rollouts in C++ and, as KOR and BJ's dice are, with a plain loop in C that rolls each
die (`dice_loops.c`, compiled by `cc` where there is one). Contenders take turns, and ratios are medians over the turns,
so that a change of the machine's pace does not count. Everything is compiled beforehand. Kismet is compared with
yatzy-solver, which plays Scandinavian Yatzy by its own table, solved beforehand.

`python -m benchmarks.simulate quick` plays a tenth of the games.
"""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from importlib.util import find_spec
from math import isnan, nan
from pathlib import Path
from shutil import which
from time import perf_counter, process_time
from typing import Any, NamedTuple

import hotdice
from benchmarks.report import Row, alone, medians, part, versus
from hotdice.simulation.plan import Plan, prepare, prepare_again
from hotdice.simulation.runs import Run, begin, go_on, local

TURNS = 7
UNIT = "games/CPU s"


class Contender(NamedTuple):
    """Something that plays games."""

    title: str
    games: int
    """How many it plays at a time."""
    play: Callable[[int], float]
    """Plays that many from a seed; the share that the first player wins."""


class Measured(NamedTuple):
    """What was measured of a contender."""

    speeds: list[float]
    """Games a CPU second, by turn."""
    won: float


def ours(title: str, game: str, players: Sequence[str], games: int) -> Contender:
    """Compiled games, in this thread."""
    card, options = hotdice.parse_game(game)
    ready = prepare(Plan.of(card, options, players, 0))
    assert ready.compiled, title
    ready.columns(0, 0, 64)

    def play(seed: int) -> float:
        return float((ready.columns(seed, 0, games).winners & 1).mean())

    return Contender(title, games, play)


def loops(folder: str) -> ctypes.CDLL | None:
    """The loops in C, if they can be compiled."""
    compiler, made = which("cc"), Path(folder) / "loops.so"
    if compiler is None:
        return None
    source = Path(__file__).parent / "dice_loops.c"
    subprocess.run([compiler, "-O3", "-march=native", "-shared", "-fPIC", "-o", made, source], check=True)
    found = ctypes.CDLL(str(made))
    for name in ("pig", "bj", "kor"):
        getattr(found, name).restype = ctypes.c_int64
    return found


def in_c(library: ctypes.CDLL, name: str, games: int, *numbers: int) -> Contender:
    """A loop in C."""

    def play(seed: int) -> float:
        won: int = getattr(library, name)(ctypes.c_int64(games), ctypes.c_uint64(seed + 1), *numbers)
        return won / games

    return Contender("a plain loop in C", games, play)


def openspiel(games: int) -> Contender | None:
    """OpenSpiel's Pig to 100, rolled out in C++ by its tree search, with moves by chance: it has no thresholds there.

    One simulation of the search rolls out a position after one move as often as it is told to.
    """
    if find_spec("pyspiel") is None:
        return None
    spiel = import_module("pyspiel")
    game = spiel.load_game("pig(players=2,winscore=100,horizon=100000)")

    def play(seed: int) -> float:
        evaluator = spiel.RandomRolloutEvaluator(games, seed)
        spiel.MCTSBot(game, evaluator, 1.0, 1, 100, False, seed, False).step(game.new_initial_state())
        return nan

    return Contender("OpenSpiel's C++ rollouts", games, play)


def yatzy_solver(games: int) -> Contender | None:
    """Scandinavian Yatzy by its best play."""
    if find_spec("yatzy_solver") is None:
        return None
    module = import_module("yatzy_solver")
    solver = module.Solver.build(module.Variant("yatzy-scandinavian"))

    def play(seed: int) -> float:
        solver.simulate(games, seed)
        return nan

    return Contender("yatzy-solver, its Yatzy", games, play)


def measure(contenders: Sequence[Contender]) -> list[Measured]:
    """Have all play in turn."""
    found = [Measured([], 0.0) for _ in contenders]
    for turn in range(TURNS):
        for at, one in enumerate(contenders):
            before = process_time()
            won = one.play(turn)
            found[at].speeds.append(one.games / (process_time() - before))
            found[at] = found[at]._replace(won=found[at].won + won / TURNS)
    return found


def against(name: str, mine: Contender, *others: tuple[str, Contender | None, float | None]) -> Iterator[Row]:
    """Play against others, of which each has a name and how many times as fast as it ours should be."""
    there = [(peer, other, aim) for peer, other, aim in others if other is not None]
    first, *found = measure([mine, *(other for _, other, _ in there)])
    group, _, what = mine.title.partition(", ")
    measured = list(zip(there, found, strict=True))
    beside = [versus(f"simulate.{name}.{peer}", first.speeds, one.speeds, aim) for (peer, _, aim), one in measured]
    yield row(name, group, what, first, versus=tuple(beside))
    for (peer, other, _), one in measured:
        yield row(f"{name}.{peer}", group, other.title, one, ours=False)


def row(name: str, group: str, what: str, found: Measured, **more: Any) -> Row:
    """What was measured of a contender."""
    remark = "" if isnan(found.won) or found.won > 0.999 else f"seat 1 wins {found.won:.1%}"
    return Row(
        f"simulate.{name}", group, what, unit=UNIT, better="higher", remark=remark, **medians(found.speeds), **more
    )


def side_by_side(plan: Plan, games: int, jobs: int, *, compiled: bool) -> Iterator[Row]:
    """Games on one and on several cores, by the clock: threads for compiled games, processes for others."""
    found: dict[int, list[float]] = {1: [], jobs: []}
    ready = prepare_again(plan)
    for _ in range(3):
        for cores in found:
            run: Run = begin(plan)
            with local(cores, ready, plan) as mapped:
                go_on(run, games // 50, mapped=mapped)  # processes begin and load what they need
                before = perf_counter()
                again = begin(plan)
                go_on(again, games, mapped=mapped)
                found[cores].append(games / (perf_counter() - before))
    kind, title = "threads" if compiled else "processes", hotdice.load_game(plan.game).title
    group = f"{title} on {jobs} cores, by the clock"
    yield Row(
        f"simulate.{kind}", group, f"{jobs} {kind}", unit="games/s", better="higher", **medians(found[jobs]),
        versus=(versus(f"simulate.{kind}.one", found[jobs], found[1], 1.8),),
    )  # fmt: skip
    yield Row(f"simulate.{kind}.one", group, "one", unit="games/s", better="higher", ours=False, **medians(found[1]))


def from_the_shell() -> Row:
    """`hotdice simulate bj --games 1e6`, compiled kernels cached."""
    command = [sys.executable, "-m", "hotdice", "simulate", "bj", "--games", "1e6", "--jobs", "1"]
    subprocess.run(command, check=True, capture_output=True)
    before = os.times()
    subprocess.run(command, check=True, capture_output=True)
    after = os.times()
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    return Row("simulate.shell", "From the shell", "hotdice simulate bj --games 1e6", spent, "CPU s", "lower", aim=5)


def rows(arguments: Sequence[str]) -> Iterator[Row]:
    """All contenders; `quick` plays a tenth of the games."""
    share = 10 if part(arguments, "quick") else 1
    with tempfile.TemporaryDirectory() as folder:
        library = loops(folder)
        if library is None:
            print("There is no C compiler (cc): no loops in C to compare with.", file=sys.stderr)

        def loop(name: str, games: int, *numbers: int) -> Contender | None:
            return in_c(library, name, games // share, *numbers) if library else None

        yield from against(
            "pig",
            ours("Pig, hold:20 in both seats", "pig", ["hold:20"] * 2, 400_000 // share),
            ("openspiel", openspiel(20_000 // share), 20),
            ("c", loop("pig", 400_000, 100, 20), 0.8),
        )
        yield from against(
            "pig-random",
            ours("Pig by chance, moves by chance", "pig", ["random"] * 2, 400_000 // share),
            ("openspiel", openspiel(20_000 // share), None),
        )
        yield from against(
            "kor",
            ours("KOR, greedy in both seats", "kor", ["greedy"] * 2, 60_000 // share),
            ("c", loop("kor", 60_000, 6000), 2.5),
        )
        yield from against(
            "bj",
            ours("BJ's dice, pass:350 in both seats", "bj", ["pass:350"] * 2, 300_000 // share),
            ("c", loop("bj", 300_000, 5000, 350), 2),
        )
    yield from against("kismet-greedy", ours("Kismet, greedy alone", "kismet", ["greedy"], 40_000 // share))
    yield from against(
        "kismet",
        ours("Kismet, optimal alone", "kismet", ["optimal"], 20_000 // share),
        ("yatzy-solver", yatzy_solver(3_000 // share), 5),
    )
    yield from against("kismet-points", ours("Kismet, points in both seats", "kismet", ["points"] * 2, 10_000 // share))
    yield from against(
        "rollers-greedy", ours("Rollers, greedy in both seats", "rollers", ["greedy"] * 2, 8_000 // share)
    )
    yield from against("rollers", ours("Rollers, optimal in both seats", "rollers", ["optimal"] * 2, 2_000 // share))
    if (os.cpu_count() or 1) > 1:
        bj, pig = hotdice.load_game("bj"), hotdice.load_game("pig")
        yield from side_by_side(Plan.of(bj, bj.options(), ["greedy"] * 2, 1), 2_000_000 // share, 2, compiled=True)
        slow = ["hotdice.players:GreedyPlayer", "greedy"]
        yield from side_by_side(Plan.of(pig, pig.options(), slow, 1), 30_000 // share, 2, compiled=False)
    yield from_the_shell()


if __name__ == "__main__":
    alone(rows)
