"""BJ's dice for three, solved: an equilibrium, in which nobody gains by playing otherwise, up to a proven bound.

The table holds the chances of whoever begins a turn before the last round and of the next player; the third has the
rest. Each player plays for their own chance to win. A turn can leave the scores as they are, so each three scores are a
cycle of three turns; every other turn raises their sum, and cycles with higher sums are solved first. In a cycle a
player's plan for the turn follows from one number, what it is worth to them to end it with nothing. For given plans the
chances follow from three linear equations, and so these numbers. Plans are changed until each is best for its number;
where that goes round for ever, players mix two plans, see `mixing`. Of rolling and passing with equal worth, passing is
taken; after a bonus, rolling has to be better by more than `TIE`. The last round is solved exactly: its last player
rolls until the best score is beaten, and the one before weighs what is left to that player.

Why nobody gains more than twice `error` by playing otherwise, in any position before a turn:
- Let W be the table as it is kept, in units of 2^-40. All decisions are made by W, so the table determines
  how everybody plays, together with the mixtures, which are kept with it. Rounding errors do not change that, as every
  comparison of rolling and passing was further apart than `CLOSEST`.
- For each turn and each of the three players, W before the turn differs from the average of W after it by at most d:
  W is off by at most 2^-40 from the solution of the cycle's equations, before and after, and averages are rounded once
  for each toss. Whoever has the turn could do better than planned by at most g: `TIE` for each toss, and what a mixture
  leaves to gain.
- Let one player do what they like and the others play as planned. As long as the scores stay as they are, the game goes
  round the cycle. Those who play as planned end a turn with nothing with the chances p and q; the other one may do so
  every time. So the cycle lasts at most (2 + max(p, q)) / (1 - p q) turns on average, whoever begins. Each turn moves
  the player's chance above W by at most d + g, and the sum of scores only rises: in all, no more than the sum of
  (d + g) times the longest cycle, over all sums. The same holds, downwards and without g, for playing as planned.
- With a lead of more than `reach` beyond the target players are taken to pass. Rolling could gain what the two others
  have there, at most twice their chance to catch up, in a turn that gets there with a chance as small as that of making
  up `reach` less the target. That is `CUT`, once in a game.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Final

import numpy as np

from hotdice.games.bj import BJ, BjOptions
from hotdice.games.bj.solving.kernel import Floats
from hotdice.games.bj.solving.mixing import mix
from hotdice.games.bj.solving.solver import MORE, ROUNDING, STEP, chase_table, toss_table, tosses_per_turn
from hotdice.games.bj.solving.three_kernel import (
    SCALE,
    TIE,
    Rules,
    begin_cycle,
    last_turn_but_one,
    new_work,
    note_cycle,
    settle,
    solve_cycles,
)
from hotdice.solve import store
from hotdice.solve.sources import fingerprint
from hotdice.solve.store import Arrays, Tables, load_or_solve
from hotdice.values import NotSolved, Progress, no_progress

VERSION: Final = fingerprint(__name__)
HIGHEST: Final = 5000
"""The highest target; the table grows with its third power."""
CUT: Final = 1e-10
CLOSEST: Final = 1e-13
SAVE_EVERY: Final = 30.0
"""Seconds after which a solve that is under way is saved."""
LOW_BITS: Final = 8
"""A chance is kept as 32 bits and 8 lower ones."""
MIXED: Final = 6
"""The columns of a mixture: the three scores of the turn, two worths of a forfeit, the weight of the second plan."""


@cache
def rules_of(options: BjOptions) -> Rules:
    """House rules as the kernels read them, with the last round solved."""
    tosses, odds = toss_table(options.dice), np.ascontiguousarray(chase_table(options.dice)[0][:, options.dice])
    target, most = options.target // STEP, int(tosses.points.max())
    reach = next(lead for lead in range(target, odds.size) if 2 * odds[lead] * odds[lead - target] <= CUT)
    leads = target + reach + most + MORE + 2
    last = np.zeros((2 * target + 1, leads, 2))
    rules = Rules(tosses, options.bust == "all_dice", MORE, target, reach, most, odds, last)
    for lead in range(1, leads):
        last_turn_but_one(rules, lead, last[:, lead])
    return rules


def key_of(options: BjOptions) -> str:
    """What the table is called."""
    return f"{BJ.text(options)} three players"


def unpacked(arrays: Arrays) -> Floats:
    """The chances of a table as the kernels read them."""
    high, low = arrays["high"].astype(np.float64), arrays["low"].astype(np.float64)
    found: Floats = (high * 2.0**LOW_BITS + low) / SCALE
    return found


class ThreeSolve:
    """A solve that is under way: the chances so far, the next sum of scores, and the bound."""

    def __init__(self, options: BjOptions) -> None:
        if options.target > HIGHEST:
            raise NotSolved(f"BJ's dice for three is solved up to a target of {HIGHEST}.")
        self.options, self.rules = options, rules_of(options)
        self.target = self.rules.target
        self.wins: Floats = np.zeros((self.target + 1, self.target + 1, self.target + 1, 2))
        self.total = 3 * self.target
        self.mixtures: list[tuple[float, ...]] = []
        self.turns = 0.0
        """The longest cycles of all sums together."""
        self.gain = 0.0
        """The most that a mixture leaves to gain in a turn."""
        self.seconds = 0.0
        """CPU seconds of a solve that was interrupted before."""

    @classmethod
    def resume(cls, options: BjOptions) -> ThreeSolve:
        """What was kept of a solve that was interrupted, or a new one."""
        solve = cls(options)
        part = store.load_part(key_of(options), VERSION)
        if part is not None:
            solve.wins = unpacked(part.arrays)
            solve.mixtures = [tuple(row) for row in part.arrays["mixtures"].tolist()]
            total, solve.turns, solve.gain, solve.seconds = part.arrays["progress"].tolist()
            solve.total = int(total)
        return solve

    @property
    def error(self) -> float:
        """The bound on a chance's error."""
        tosses = tosses_per_turn(self.rules.tosses)
        return CUT + self.turns * (2 / SCALE + tosses * (ROUNDING + TIE) + self.gain)

    @property
    def share(self) -> float:
        """How much is solved, by the number of cycles with higher sums."""
        return 1.0 - _below(self.total + 1, self.target) / (self.target + 1) ** 3

    def arrays(self) -> Arrays:
        """What the table keeps."""
        whole = np.rint(self.wins * SCALE).astype(np.uint64)
        return {
            "high": (whole >> LOW_BITS).astype(np.uint32),
            "low": (whole & (2**LOW_BITS - 1)).astype(np.uint8),
            "mixtures": np.array(self.mixtures).reshape(-1, MIXED),
            "error": np.array([self.error]),
        }

    def save(self, seconds: float) -> None:
        """Keep what is solved so far, and the CPU seconds that it took."""
        progress = np.array([self.total, self.turns, self.gain, seconds])
        store.keep_part(key_of(self.options), VERSION, {**self.arrays(), "progress": progress})

    def step(self, pool: ThreadPoolExecutor | None = None, threads: int = 1) -> None:
        """Solve all cycles of the next sum."""

        def part(first: int) -> tuple[float, float, list[list[int]]]:
            unsettled = np.zeros(((self.target + 1) ** 2, 3), np.int64)
            turns, least, count = solve_cycles(self.rules, self.wins, self.total, first, threads, unsettled)
            return turns, least, unsettled[:count].tolist()

        parts = list(map(part, range(threads)) if pool is None else pool.map(part, range(threads)))
        longest, closest = max(turns for turns, _, _ in parts), min(least for _, least, _ in parts)
        for one, two, three in sorted(scores for _, _, rest in parts for scores in map(tuple, rest)):
            turns, least = self._mix((one, two, three))
            longest, closest = max(longest, turns), min(closest, least)
        if closest < CLOSEST:
            raise NotSolved("Rolling and passing were too close to be told apart.")
        self.turns += longest
        self.total -= 1

    def _mix(self, scores: tuple[int, int, int]) -> tuple[float, float]:
        """Solve a cycle in which plans have to be mixed."""
        work = new_work(self.rules)
        least = begin_cycle(work, self.wins, scores, self.rules)
        settle(work, self.rules)
        mixtures, gain = mix(work, self.rules)
        self.gain = max(self.gain, gain)
        for seat, mixture in enumerate(mixtures):
            row = (scores[seat], scores[(seat + 1) % 3], scores[(seat + 2) % 3])
            self.mixtures.append((*row, mixture.below, mixture.above, mixture.weight))
        return note_cycle(work, self.wins, scores), least


def _below(total: int, target: int) -> int:
    """How many threes of scores up to the target have a sum below `total`."""

    def sums(most: int) -> int:
        return (most + 1) * (most + 2) * (most + 3) // 6 if most >= 0 else 0

    most = total - 1
    return sum((-1) ** out * (1, 3, 3, 1)[out] * sums(most - out * (target + 1)) for out in range(4))


def solve(options: BjOptions, progress: Progress = no_progress, threads: int | None = None) -> ThreeSolve:
    """Solve on all cores; a solve that was interrupted goes on."""
    workers = threads or min(os.cpu_count() or 1, 16)
    with ThreadPoolExecutor(workers) as pool:
        return _run(ThreeSolve.resume(options), progress, _cpu, lambda solve: solve.step(pool, workers), lambda: False)


def _run(
    solve: ThreeSolve,
    progress: Progress,
    clock: Callable[[], float],
    step: Callable[[ThreeSolve], None],
    stopped: Callable[[], bool],
) -> ThreeSolve:
    """Take steps until all is solved or somebody stops it; what there is is saved now and then, and at a stop."""
    began, saved = clock() - solve.seconds, time.monotonic()
    try:
        while solve.total >= 0 and not stopped():
            step(solve)
            progress(solve.share)
            if time.monotonic() - saved > SAVE_EVERY:
                solve.save(clock() - began)
                saved = time.monotonic()
    finally:
        solve.seconds = clock() - began
        if solve.total >= 0:
            solve.save(solve.seconds)
    return solve


def _cpu() -> float:
    times = os.times()
    return times.user + times.system


def table(options: BjOptions, progress: Progress = no_progress) -> Tables:
    """The table for three, from the cache or solved now, which takes minutes."""
    found = load_or_solve(key_of(options), VERSION, lambda progress: solve(options, progress).arrays(), progress)
    store.discard_part(key_of(options), VERSION)
    return found


def is_saved(options: BjOptions) -> bool:
    """Whether there is a table in the cache, sound or not."""
    return store.has(key_of(options), VERSION)


def saved(options: BjOptions) -> Tables | None:
    """The table if it is in the cache."""
    return store.load(key_of(options), VERSION)


def solve_in_steps(options: BjOptions, stop: threading.Event, progress: Progress) -> None:
    """Solve in this thread alone, until it is done or `stop` is set."""
    if options.target > HIGHEST or is_saved(options):
        return
    solve = _run(ThreeSolve.resume(options), progress, time.thread_time, ThreeSolve.step, stop.is_set)
    if solve.total < 0:
        store.keep(key_of(options), VERSION, solve.arrays(), solve.seconds)
        store.discard_part(key_of(options), VERSION)
