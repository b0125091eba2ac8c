"""What it costs to solve the races from nothing: BJ's dice, KOR and Pig for two, each with its value and its bound.

CPU seconds, without compiling: a short game is solved first. Then what a decision costs with loaded tables, every legal
move valued (CPU again), and how long loading takes. Names of options choose what is solved: `python -m
benchmarks.solve_races kor` or `… "kor(final_round=true)"`.
"""

from __future__ import annotations

import sys
import tempfile
from dataclasses import replace
from itertools import product
from pathlib import Path
from random import Random
from time import perf_counter, process_time
from typing import Any

from hotdice.game import CHANCE, OVER, Game, load_game
from hotdice.games.bj import solver as bj
from hotdice.games.kor import solver as kor
from hotdice.games.pig import solver as pig
from hotdice.options import Options
from hotdice.solve import store
from hotdice.solve.evaluator import Evaluator

SOLVERS: dict[str, Any] = {"pig": pig, "bj": bj, "kor": kor}
VARIED = {"pig": (), "bj": ("dice", "bust"), "kor": ("bank_roll", "final_round", "scoring")}
SHORT: dict[str, int] = {"pig": 15, "bj": 200, "kor": 100}
DECISIONS = 400


def rules(game: Game) -> list[Options]:
    """The full game under every combination of its variants."""
    choices = {spec.name: spec.choices for spec in game.options.specs() if spec.name in VARIED[game.name]}
    return [game.options.make(zip(choices, values, strict=True)) for values in product(*choices.values())]


def decisions(exact: Evaluator, game: Game, options: Options) -> list[float]:
    """CPU seconds for each decision of random games, most of them not seen before."""
    random = Random(1)
    times: list[float] = []
    while len(times) < DECISIONS:
        state = game.start(2, options)
        while state.seat != OVER and len(times) < DECISIONS:
            if state.seat == CHANCE:
                outcomes = state.outcomes()
                state = state.roll(outcomes.at(random.randrange(outcomes.total)))
                continue
            before = process_time()
            exact.evaluate(state)
            times.append(process_time() - before)
            state = state.apply(random.choice(state.legal_moves()))
    return sorted(times)


def measure(game: Game, options: Options) -> None:
    """Solve one game and print a line about it."""
    solver = SOLVERS[game.name]
    before = process_time()
    solver.tables(options)
    solved = process_time() - before
    before = perf_counter()
    solver.tables(options)
    loaded = perf_counter() - before
    exact = solver.evaluator(options, 2)
    error = getattr(exact, "start_error", exact.error)
    times = decisions(exact, game, options)
    late = times[len(times) * 99 // 100]
    print(
        f"{game.text(options):55} {solver.headline(options):.10f} ± {error:.0e}  {solved:6.1f} s  "
        f"load {loaded * 1000:4.0f} ms  decision p99 {late * 1000:.2f} ms",
        flush=True,
    )


def main(chosen: list[str] | None = None) -> None:
    """Measure what was chosen: games, or games with options; everything by default."""
    with tempfile.TemporaryDirectory() as folder:
        store.folder = lambda: Path(folder)
        for name in SOLVERS:
            game = load_game(name)
            for options in rules(game):
                if chosen and name not in chosen and game.text(options) not in chosen:
                    continue
                before = process_time()
                short: Any = replace(options, target=SHORT[name])  # type: ignore[call-arg]
                SOLVERS[name].solve(short, **({"precision": 0.1, "rare": 1e-3} if name == "kor" else {}))
                compiled = process_time() - before
                if compiled > 3:
                    print(f"{name}: {compiled:.1f} s to compile and try")
                measure(game, options)


if __name__ == "__main__":
    main(sys.argv[1:])
