"""Whole games a CPU second, compiled, next to others that do the same, in one run.

Pig is compared with OpenSpiel's rollouts in C++ and, as KOR and BJ's dice are, with a plain loop in C that rolls each
die (`dice_loops.c`, compiled by `cc` where there is one). Contenders take turns, and ratios are medians over the turns,
so that a change of the machine's pace does not count. Everything is compiled beforehand. Kismet is compared with the
2,800 games a CPU second that yatzy-solver 1.0.0 plays by its own table, measured apart.

`python -m benchmarks.simulate quick` plays a tenth of the games.
"""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.util import find_spec
from math import isnan, nan
from pathlib import Path
from shutil import which
from statistics import median
from time import process_time
from typing import NamedTuple

import hotdice
from hotdice.simulation.plan import Plan, prepare, prepare_again
from hotdice.simulation.runs import Run, begin, go_on, local

TURNS = 7
YATZY_SOLVER = 2800
"""Games of Scandinavian Yatzy by its best play that yatzy-solver plays a CPU second."""


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


def against(mine: Contender, others: Sequence[tuple[Contender | None, float]]) -> None:
    """Play against others and print how many times as fast it is, with the aim."""
    there = [(other, aim) for other, aim in others if other is not None]
    first, *found = measure([mine, *(other for other, _ in there)])
    print(f"{mine.title:44} {median(first.speeds):11,.0f} games/s, seat 1 wins {first.won:.2%}", flush=True)
    for (other, aim), one in zip(there, found, strict=True):
        ratio = median(own / theirs for own, theirs in zip(first.speeds, one.speeds, strict=True))
        print(
            f"    {other.title:40} {median(one.speeds):11,.0f} games/s"
            f"{'' if isnan(one.won) else f', seat 1 wins {one.won:.2%}'}: {ratio:.2f} times it (aim: at least {aim:g})",
            flush=True,
        )


def side_by_side(plan: Plan, games: int, jobs: int, *, compiled: bool) -> None:
    """Games on one and on several cores, by the clock: threads for compiled games, processes for others."""
    from time import perf_counter

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
    ratio = median(found[jobs]) / median(found[1])
    print(
        f"{'threads' if compiled else 'processes'}, {plan.game}: {median(found[jobs]):,.0f} games/s by the clock with "
        f"{jobs}, {ratio:.2f} times one (aim: at least 1.8); load {os.getloadavg()[0]:.1f}",
        flush=True,
    )


def from_the_shell() -> None:
    """`hotdice simulate bj --games 1e6`, compiled kernels cached."""
    command = [sys.executable, "-m", "hotdice", "simulate", "bj", "--games", "1e6", "--jobs", "1"]
    subprocess.run(command, check=True, capture_output=True)
    before = os.times()
    subprocess.run(command, check=True, capture_output=True)
    after = os.times()
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    print(f"hotdice simulate bj --games 1e6: {spent:.2f} s of CPU (aim: at most 5)", flush=True)


def main() -> None:
    share = 10 if "quick" in sys.argv else 1
    with tempfile.TemporaryDirectory() as folder:
        library = loops(folder)
        if library is None:
            print("There is no C compiler (cc): no loops in C to compare with.")

        def loop(name: str, games: int, *numbers: int) -> Contender | None:
            return in_c(library, name, games // share, *numbers) if library else None

        against(
            ours("Pig, hold:20 in both seats", "pig", ["hold:20"] * 2, 400_000 // share),
            [(openspiel(20_000 // share), 20), (loop("pig", 400_000, 100, 20), 0.8)],
        )
        against(ours("Pig, moves by chance", "pig", ["random"] * 2, 400_000 // share), [])
        against(
            ours("KOR, greedy in both seats", "kor", ["greedy"] * 2, 60_000 // share),
            [(loop("kor", 60_000, 6000), 2.5)],
        )
        against(
            ours("BJ's dice, pass:350 in both seats", "bj", ["pass:350"] * 2, 300_000 // share),
            [(loop("bj", 300_000, 5000, 350), 2)],
        )
    against(ours("Kismet, greedy alone", "kismet", ["greedy"], 40_000 // share), [])
    kismet = ours("Kismet, optimal alone", "kismet", ["optimal"], 20_000 // share)
    (found,) = measure([kismet])
    speed = median(found.speeds)
    print(
        f"{kismet.title:44} {speed:11,.0f} games/s: {speed / YATZY_SOLVER:.1f} times yatzy-solver's {YATZY_SOLVER:,} "
        "(aim: at least 5)",
        flush=True,
    )
    against(ours("Kismet, points in both seats", "kismet", ["points"] * 2, 10_000 // share), [])
    against(ours("Rollers, greedy in both seats", "rollers", ["greedy"] * 2, 8_000 // share), [])
    against(ours("Rollers, optimal in both seats", "rollers", ["optimal"] * 2, 2_000 // share), [])
    if (os.cpu_count() or 1) > 1:
        bj, pig = hotdice.load_game("bj"), hotdice.load_game("pig")
        side_by_side(Plan.of(bj, bj.options(), ["greedy"] * 2, 1), 2_000_000 // share, 2, compiled=True)
        slow = ["hotdice.players:GreedyPlayer", "greedy"]
        side_by_side(Plan.of(pig, pig.options(), slow, 1), 30_000 // share, 2, compiled=False)
    from_the_shell()


if __name__ == "__main__":
    main()
