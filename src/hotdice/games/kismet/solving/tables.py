"""The tables of Kismet: what every box set with every basic sum is worth, solved on all cores and kept."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final

import numpy as np

from hotdice.games.kismet import KISMET
from hotdice.games.kismet.rules import Box, KismetOptions
from hotdice.games.kismet.solving.box_sets import follow_box_sets, solve_box_sets
from hotdice.games.kismet.solving.sheets import FIVE, TOP, Floats, Ints, Sheet, kismet_sheet
from hotdice.games.kismet.solving.turns import fill_futures
from hotdice.solve.multisets import Edges
from hotdice.solve.sources import fingerprint
from hotdice.solve.store import Arrays, Tables, load_or_solve
from hotdice.values import Progress, no_progress

VERSION: Final = fingerprint(__name__)
LATE: Final = 2
"""With this many vacant boxes, or fewer, the whole distribution of the points to come is kept."""
_sizes: Final = np.bitwise_count(np.arange(1 << len(Box)))
LATE_ROW: Final = np.where(_sizes >= len(Box) - LATE, np.cumsum(_sizes >= len(Box) - LATE) - 1, -1)
"""Numbers the box sets with so few vacant boxes; -1 for all others."""


def _by_size(sheet: Sheet, work: Callable[[Ints], None], progress: Progress) -> None:
    """Have all box sets worked on, the fullest first; those of equal size on all cores at once."""
    sizes = np.bitwise_count(np.arange(len(sheet.kind)))
    cores = os.cpu_count() or 1
    done = 0
    with ThreadPoolExecutor(cores) as pool:
        for size in range(int(sizes.max()), -1, -1):
            masks = np.flatnonzero(sizes == size)
            list(pool.map(work, (masks[core::cores] for core in range(cores))))
            done += int(sheet.lanes[masks].sum())
            progress(done / int(sheet.lanes.sum()))


def solve_sheet(sheet: Sheet, edges: Edges, progress: Progress = no_progress) -> Floats:
    """The expected points to come, bonus included, by box set and sum, under the best play."""
    value = np.zeros((len(sheet.kind), len(sheet.bonus)))
    _by_size(sheet, lambda masks: solve_box_sets(masks, sheet, edges, value), progress)
    return value


def follow_sheet(sheet: Sheet, edges: Edges, value: Floats, progress: Progress = no_progress) -> tuple[Floats, Floats]:
    """The variance of the points to come, and how many marked rolls are to be expected, under the best play."""
    square, count = np.zeros_like(value), np.zeros_like(value)
    _by_size(sheet, lambda masks: follow_box_sets(masks, sheet, edges, value, square, count), progress)
    return np.maximum(square - value * value, 0.0), count


def _key(kismet_is_full_house: bool, what: str) -> str:
    return f"{KISMET.text(KismetOptions(kismet_is_full_house=kismet_is_full_house))} {what}"


def points_table(options: KismetOptions, progress: Progress = no_progress) -> Tables:
    """The table `value[box set, basic sum]`; the second-Kismet rule has no part in it."""
    flag = options.kismet_is_full_house

    def solve(progress: Progress) -> Arrays:
        return {"value": solve_sheet(kismet_sheet(flag), FIVE.edges, progress)}

    return load_or_solve(_key(flag, "points"), VERSION, solve, progress)


def spread_table(options: KismetOptions, progress: Progress = no_progress) -> Tables:
    """What else play for points brings.

    `variance` and `kismets` (how many five of a kind are to come) are laid out as the points are. `futures` holds the
    chances of all points to come for the last boxes, by `LATE_ROW` of the box set and basic sum.
    """
    flag = options.kismet_is_full_house

    def solve(progress: Progress) -> Arrays:
        sheet, value = kismet_sheet(flag), points_table(options).arrays["value"]
        variance, count = follow_sheet(sheet, FIVE.edges, value, progress)
        most = int(np.sort(sheet.points[0].max(axis=0))[-LATE:].sum() + sheet.bonus[-1])
        futures = np.zeros((int(LATE_ROW.max()) + 1, TOP + 1, most + 1))
        fill_futures(np.flatnonzero(LATE_ROW >= 0)[::-1].copy(), LATE_ROW, sheet, FIVE.edges, value, futures)
        return {"variance": variance, "kismets": count.astype(np.float32), "futures": futures.astype(np.float32)}

    return load_or_solve(_key(flag, "spread"), VERSION, solve, progress)
