"""KOR for two, solved exactly under every combination of its house rules.

One turn has no decision but a split, so its possible ends are listed once (`turns`). Values by the two scores are then
a fixed point, since penalties make scores fall and U-TURNs make chains: it is found by sweeping over all states from
high scores to low ones, overrelaxed. `proof` says how large the grid has to be and how far its values can be off.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from math import log
from typing import Final

import numpy as np

from hotdice.games.kor import KOR, KorOptions
from hotdice.games.kor.solving.kernel import Grid, Ints, Turn, sweep, sweep_final
from hotdice.games.kor.solving.proof import PRECISION, RARE, Proof
from hotdice.games.kor.solving.turns import turn_for_sweeps
from hotdice.solve.packing import pack, unpack
from hotdice.solve.sources import fingerprint
from hotdice.solve.store import Arrays, Tables, load_or_solve
from hotdice.values import NotSolved, Progress, no_progress

VERSION: Final = fingerprint(__name__)
HIGHEST: Final = 20_000
"""The highest target that is solved; the work grows with its square."""
PACE: Final = 1.15
"""Overrelaxation. Found by trying 1.0 to 1.4 in steps of 0.05: half as many sweeps as with 1.1 or 1.2."""
PACE_FINAL: Final = 1.05
COARSE: Final = (1e-5, 1e-9)
"""Early sweeps leave out turns that are rarer than this."""
KEPT: Final = ("begin", "away", "home")
"""The tables of the grid that are kept; all others follow from them."""
KEPT_FINAL: Final = ("last", "sent", "led", "chased", "hit")
ROUNDED: Final = 2.0**-36
"""Values are kept as multiples of this. What is read off the tables averages them: it is off by half of that more."""


@cache
def diagonals(top: int) -> Ints:
    """For each sum of two scores, where its diagonal would begin in a table if the first score could be 0."""
    sums = np.arange(2 * top + 1)
    sizes = np.minimum(sums, 2 * top - sums) + 1
    starts: Ints = np.cumsum(sizes) - sizes - np.maximum(0, sums - top)
    return starts


def cells(top: int) -> tuple[Ints, Ints]:
    """The two scores of each cell of a table."""
    sums = np.repeat(np.arange(2 * top + 1), [min(s, 2 * top - s) + 1 for s in range(2 * top + 1)])
    own = np.arange(sums.size) - diagonals(top)[sums]
    return own, sums - own


def first_guess(proof: Proof) -> Grid:
    """Tables that say it is even, but for what is decided."""
    names = Grid._fields
    ordinary = names[: names.index("judged")]
    size = (proof.top + 1) ** 2
    grid = Grid(*(np.full(size if proof.final or name in ordinary else 0, 0.5) for name in names))
    if not proof.final:
        own, _ = cells(proof.top)
        for table in (grid.begin, grid.stop, grid.u_turn):
            table[own == proof.top] = 1.0
    return grid


def solve(
    options: KorOptions, progress: Progress = no_progress, precision: float = PRECISION, rare: float = RARE
) -> Arrays:
    """The tables, how many steps the grid reaches below 0, and the bounds on the error.

    Bounds: what holds everywhere; what the start of the game adds; rate and weight of what a low score adds.
    """
    proof = Proof(options, precision, rare)
    starts, goal = diagonals(proof.top), proof.floor + proof.target
    grid = first_guess(proof)
    accuracy = max(min(precision / proof.steps() / 10, rare), 1e-13)
    change, done = 1.0, 0.0
    for cut in (*(coarse for coarse in COARSE if coarse > rare), rare):
        turn = turn_for_sweeps(options.bank_roll, options.scoring, cut)
        change = 1.0
        while change > (accuracy if cut == rare else cut):
            change = _sweep_all(grid, starts, goal, turn, PACE, proof.final)
            done = max(done, min(0.95, log(max(change, accuracy)) / log(accuracy)))
            progress(done)
    change = _sweep_all(grid, starts, goal, turn, 1.0, proof.final)
    kept = (*KEPT, *(KEPT_FINAL if proof.final else ()))
    bounds = [proof.everywhere(change), proof.start(), proof.rate, float(proof.weights.max())]
    return {
        **{name: getattr(grid, name) for name in kept},
        "floor": np.array([proof.floor]),
        "bounds": np.array(bounds),
    }


def _sweep_all(grid: Grid, starts: Ints, goal: int, turn: Turn, pace: float, final: bool) -> float:
    """Sweep over all tables. Final rounds cost more and settle sooner: they get one sweep for two of ordinary play."""
    change = sweep(grid, starts, goal, turn, pace)
    if final:
        change = sweep(grid, starts, goal, turn, pace)
        change += sweep_final(grid, starts, goal, turn, min(pace, PACE_FINAL))
    return change


def tables(options: KorOptions, progress: Progress = no_progress) -> Tables:
    """The solved tables, from the cache if they are there."""
    if options.target > HIGHEST:
        raise NotSolved(f"KOR is solved up to a target of {HIGHEST}.")

    def packed(progress: Progress) -> Arrays:
        solved = solve(options, progress)
        tables = {part: array for name in names for part, array in pack(name, solved[name], ROUNDED).items()}
        return {**tables, "floor": solved["floor"], "bounds": solved["bounds"] + [ROUNDED / 2, 0.0, 0.0, 0.0]}

    names = (*KEPT, *(KEPT_FINAL if options.final_round else ()))
    found = load_or_solve(f"{KOR.text(options)} two players", VERSION, packed, progress)
    others = {"floor": found.arrays["floor"], "bounds": found.arrays["bounds"]}
    return replace(found, arrays={**{name: unpack(name, found.arrays) for name in names}, **others})
