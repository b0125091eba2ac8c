"""The tables of the two-player match of Rollers: one for each match score, of the round that is played there.

A table takes minutes. So evaluators ask for the table of the score at hand (`ask_for`), in whatever process they are,
and `solve_in_steps` solves what was asked for last. Only the latest few tables are kept: in memory each takes 52 MB, or
26 MB where it makes no difference who began, and little more than half of that on disk.
"""

from __future__ import annotations

import os
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Final

import numpy as np

from hotdice.games.rollers.rules import CHIPS, EMPTY_BOARD, RollersOptions
from hotdice.games.rollers.solving.boards import number_of
from hotdice.games.rollers.solving.equity import Needs
from hotdice.games.rollers.solving.guide import TINY, Singles
from hotdice.games.rollers.solving.lanes import Floats
from hotdice.games.rollers.solving.lattice import full_lattice
from hotdice.games.rollers.solving.match import (
    ChanceAt,
    all_needs,
    chances_for,
    ends_of,
    error_after,
    rules_of,
    stakes_at,
)
from hotdice.games.rollers.solving.tables import BIT, LEVELS, RoundSolve
from hotdice.solve import packing, store
from hotdice.solve.sources import fingerprint
from hotdice.solve.store import Tables
from hotdice.values import Progress, no_progress

VERSION: Final = fingerprint(__name__)
MARGIN: Final = 1e-9
"""How closely each pair of boards is enclosed."""
STEP: Final = 2.0**-24
"""Chances are kept as multiples of this."""
ROUNDING: Final = 6e-8
"""What that and single precision add to their error: half a step and, as packed chances are no larger than a half, half
of the last bit of a half. That makes 2^-25 + 2^-26, which is below 4.5e-8."""
KEPT: Final = 8
"""How many tables are kept."""
LATELY: Final = 3600.0
"""Seconds for which a table that was asked for is wanted."""
SAVE_EVERY: Final = 60.0
FAR: Final = 12
"""Match scores with more points to go have no tables; no chances are known there."""


@dataclass(frozen=True, slots=True, eq=False)
class MatchTable:
    """The chance of the player to move to win the match, in a round at one match score.

    Values are by whose turn it is (the one who began, the other; or either, where that makes no difference), their
    board, the other's and their chips; they are `packed`.
    """

    values: Singles
    error: float


def packed(chances: Floats) -> Singles:
    """Chances in single precision; above a half, less one, so that they are as fine near 1 as near 0."""
    return np.where(chances > 0.5, chances - 1.0 - TINY, chances).astype(np.float32)


def match_key(options: RollersOptions, needs: Needs) -> str:
    """What the table of a match score is called."""
    rules = rules_of(options)
    return f"rollers{f'({rules})' if rules else ''} match {needs[0]}-{needs[1]}"


def is_solved(options: RollersOptions, needs: Needs) -> bool:
    """Whether the table of a match score is in the cache."""
    return store.has(match_key(options, needs), VERSION)


def saved_match(options: RollersOptions, needs: Needs) -> MatchTable | None:
    """The table of a match score if it is in the cache."""
    key = match_key(options, needs)
    found = store.load(key, VERSION) if store.has(key, VERSION) else None
    return None if found is None else table_of(found)


def start_of(found: Tables) -> tuple[float, float]:
    """The chance of the one who begins, as the round begins, and its error."""
    chance, error = found.arrays["start"].tolist()
    return chance, error


def table_of(found: Tables) -> MatchTable:
    return MatchTable(packed(packing.unpack("chances", found.arrays)), float(found.arrays["error"][0]))


def ask_for(options: RollersOptions, needs: Needs) -> None:
    """Say that the table of a match score is wanted."""
    store.ask_for(match_key(options, needs), VERSION)


def _wanted(options: RollersOptions) -> Needs | None:
    """The match score whose table was asked for last, or that of the beginning; none if all are there."""
    asked = {
        needs: store.asked(match_key(options, needs), VERSION) for needs in all_needs(min(options.target_points, FAR))
    }
    now = time.time()
    lately = {needs: at for needs, at in asked.items() if at is not None and now - at < LATELY}
    if not lately and options.target_points <= FAR:
        lately = {(options.target_points, options.target_points): now}
    missing = [needs for needs in lately if not is_solved(options, needs)]
    return max(missing, key=lambda needs: lately[needs], default=None)


# Solving


class MatchSolve:
    """The round at a match score, under way."""

    def __init__(self, options: RollersOptions, needs: Needs, chance_at: ChanceAt | None = None) -> None:
        known = chance_at or chances_for(options)
        stakes = stakes_at(needs, 0, options.chip_tie == "share", known)
        self.key = match_key(options, needs)
        self.round = RoundSolve(options.saved_dice == "locked", ends_of(stakes), MARGIN)
        self.behind = error_after(needs, known)

    def arrays(self) -> store.Arrays:
        """What the table keeps: the chances, the bound on their error, and the start, which is not rounded."""
        chances, start = np.clip(0.5 + 0.5 * self.round.values, 0.0, 1.0), number_of(EMPTY_BOARD)
        error = 0.5 * self.round.error + self.behind
        return {
            **packing.pack("chances", chances, STEP),
            "error": np.array([error + ROUNDING]),
            "start": np.array([chances[0, start, start, CHIPS], error]),
        }

    def resume(self) -> None:
        """Go on from what was kept of a solve that was interrupted; its payoff has to be the same."""
        part = store.load_part(self.key, VERSION)
        if part is not None and np.array_equal(part.arrays["ends"], self.round.ends):
            self.round.go_on_from(part.arrays)

    def save(self) -> None:
        """Keep what is solved so far."""
        store.keep_part(self.key, VERSION, {**self.round.snapshot(), "ends": self.round.ends})

    def keep(self, options: RollersOptions, cpu_seconds: float) -> Tables:
        """Keep the table, and no more than a few of them."""
        found = store.keep(self.key, VERSION, self.arrays(), cpu_seconds)
        store.discard_part(self.key, VERSION)
        keys = [match_key(options, needs) for needs in all_needs(min(options.target_points, FAR))]
        ages = {key: at for key in keys if (at := store.modified(key, VERSION)) is not None}
        for key in sorted(ages, key=lambda key: ages[key])[:-KEPT]:
            store.discard(key, VERSION)
        return found


def match_table(options: RollersOptions, needs: Needs, progress: Progress = no_progress) -> Tables:
    """The table of a match score, from the cache or solved now on all cores, which takes minutes."""
    found = store.load(match_key(options, needs), VERSION)
    if found is not None:
        return found
    solve = MatchSolve(options, needs)
    solve.resume()
    full_lattice(solve.round.locked)  # compiled once, before the threads want it
    began, saved = time.process_time(), time.monotonic()
    with ThreadPoolExecutor(min(os.cpu_count() or 1, 16)) as pool:
        try:
            for share in solve.round.run(pool):
                progress(share)
                if time.monotonic() - saved > SAVE_EVERY:
                    solve.save()
                    saved = time.monotonic()
        except BaseException:
            pool.shutdown(cancel_futures=True)
            solve.save()
            raise
    return solve.keep(options, time.process_time() - began)


def solve_in_steps(options: RollersOptions, stop: threading.Event, progress: Progress) -> None:
    """Solve the tables that are asked for bit by bit, in this thread alone, until there are none or `stop` is set."""
    while (needs := _wanted(options)) is not None:
        done = _solve_table(options, needs, stop, progress)
        if not done or not is_solved(options, needs):  # where nothing can be kept, once is enough
            return


def _solve_table(options: RollersOptions, needs: Needs, stop: threading.Event, progress: Progress) -> bool:
    """Solve a table bit by bit; whether it is done."""
    solve = MatchSolve(options, needs)
    solve.resume()
    began, saved = time.thread_time(), time.monotonic()
    for level in LEVELS:
        pairs = solve.round.level(level)
        for at in range(0, len(pairs), BIT):
            solve.round.solve(pairs[at : at + BIT])
            progress(solve.round.share)
            if stop.is_set():
                solve.save()
                return False
            if time.monotonic() - saved > SAVE_EVERY:
                solve.save()
                saved = time.monotonic()
    solve.keep(options, time.thread_time() - began)
    return True
