"""The tables of Kismet: what every box set with every basic sum is worth, solved on all cores and kept.

Files hold lanes alone, from which the values of all sums follow by adding the difference of two bonuses (`sheets`): the
expected points as doubles, so that nothing is lost; variances and distributions, which are used for estimates only,
right to six digits; and the expected numbers of Kismets right to three.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any, Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from hotdice.games.kismet import KISMET
from hotdice.games.kismet.rules import KismetOptions
from hotdice.games.kismet.solving.box_sets import follow_box_sets, solve_box_sets
from hotdice.games.kismet.solving.sheets import FIVE, Floats, Ints, Sheet, kismet_sheet
from hotdice.games.kismet.solving.turns import fill_futures
from hotdice.solve.multisets import Edges
from hotdice.solve.sources import fingerprint
from hotdice.solve.store import Arrays, Tables, load_or_solve
from hotdice.values import Progress, no_progress

T = TypeVar("T", bound=np.floating[Any])

VERSION: Final = fingerprint(__name__)
LATE: Final = 3
"""With this many vacant boxes, or fewer, the whole distribution of the points to come is kept."""


def late_rows(sheet: Sheet) -> Ints:
    """[mask]: the row of `futures` at which the lanes of a box set begin; -1 with too many vacant boxes."""
    late = np.bitwise_count(np.arange(len(sheet.kind))) >= len(sheet.writes) - LATE
    counts = np.where(late, sheet.lanes[sheet.group], 0)
    rows: Ints = np.where(late, np.cumsum(counts) - counts, -1)
    return rows


def pack(sheet: Sheet, table: Floats) -> Floats:
    """The lanes of a table by box set and sum, group by group."""
    groups = (np.flatnonzero(sheet.group == group) for group in range(len(sheet.lanes)))
    blocks = (table[np.ix_(masks, sheet.sums[group, : sheet.lanes[group]])] for group, masks in enumerate(groups))
    return np.concatenate([block.ravel() for block in blocks])


def unpack(sheet: Sheet, packed: NDArray[T], *, raised: bool = False) -> NDArray[T]:
    """The table by box set and sum that lanes were packed from, zero for sums that cannot be.

    Points to come are `raised` by what the bonus of a sum is more than that of its lane.
    """
    table = np.zeros((len(sheet.group), sheet.lane.shape[1]), packed.dtype)
    at = 0
    for group, lanes in enumerate(sheet.lanes.tolist()):
        masks = np.flatnonzero(sheet.group == group)
        sums = np.flatnonzero(sheet.lane[group] >= 0)
        block = packed[at : at + len(masks) * lanes].reshape(len(masks), lanes)[:, sheet.lane[group, sums]]
        if raised:
            block += sheet.extra[group, sums]
        table[masks[:, np.newaxis], sums] = block
        at += len(masks) * lanes
    return table


def _by_size(sheet: Sheet, work: Callable[[Ints], None], progress: Progress) -> None:
    """Have all box sets worked on, the fullest first; those of equal size on all cores at once."""
    sizes = np.bitwise_count(np.arange(len(sheet.kind)))
    lanes = sheet.lanes[sheet.group]
    cores = os.cpu_count() or 1
    done = 0
    with ThreadPoolExecutor(cores) as pool:
        for size in range(int(sizes.max()), -1, -1):
            masks = np.flatnonzero(sizes == size)
            # Copies, as kernels would be compiled once more for lists that are not in one piece.
            list(pool.map(work, (masks[core::cores].copy() for core in range(cores))))
            done += int(lanes[masks].sum())
            progress(done / int(lanes.sum()))


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
    sheet = kismet_sheet(flag)

    def solve(progress: Progress) -> Arrays:
        return {"value": pack(sheet, solve_sheet(sheet, FIVE.edges, progress))}

    found = load_or_solve(_key(flag, "points"), VERSION, solve, progress)
    return replace(found, arrays={"value": unpack(sheet, found.arrays["value"], raised=True)})


def spread_table(options: KismetOptions, progress: Progress = no_progress) -> Tables:
    """What else play for points brings.

    `variance` and `kismets` (how many five of a kind are to come) are laid out as the points are. `futures` holds the
    chances of all points to come for the last boxes, by `late_rows` of the box set and lane.
    """
    flag = options.kismet_is_full_house
    sheet = kismet_sheet(flag)

    def solve(progress: Progress) -> Arrays:
        value = points_table(options).arrays["value"]
        variance, count = follow_sheet(sheet, FIVE.edges, value, progress)
        futures = solve_futures(sheet, value)
        return {
            "variance": pack(sheet, variance).astype(np.float32),
            "kismets": pack(sheet, count).astype(np.float16),
            "futures": np.concatenate([futures[rows, :wide].ravel() for rows, wide in _blocks(sheet)]).astype(
                np.float32
            ),
        }

    found = load_or_solve(_key(flag, "spread"), VERSION, solve, progress)
    variance = unpack(sheet, found.arrays["variance"])
    kismets = unpack(sheet, found.arrays["kismets"].astype(np.float32))
    futures = np.zeros(_futures_shape(sheet), np.float32)
    at = 0
    for rows, wide in _blocks(sheet):
        count = (rows.stop - rows.start) * wide
        futures[rows, :wide] = found.arrays["futures"][at : at + count].reshape(-1, wide)
        at += count
    return replace(found, arrays={"variance": variance, "kismets": kismets, "futures": futures})


def _blocks(sheet: Sheet) -> Iterator[tuple[slice, int]]:
    """The rows of `futures` that late box sets have, and one more than the most points to come there."""
    first, highest = late_rows(sheet), sheet.points[0].max(axis=0)
    for mask in np.flatnonzero(first >= 0).tolist():
        vacant = [box for box, own in enumerate(sheet.writes.tolist()) if not own & mask]
        rows = int(first[mask])
        yield slice(rows, rows + int(sheet.lanes[sheet.group[mask]])), int(highest[vacant].sum() + sheet.bonus[-1]) + 1


def _futures_shape(sheet: Sheet) -> tuple[int, int]:
    blocks = list(_blocks(sheet))
    return blocks[-1][0].stop, max(wide for _, wide in blocks)


def solve_futures(sheet: Sheet, value: Floats) -> Floats:
    """The chances of all points to come for the last boxes, by row and points."""
    first = late_rows(sheet)
    late = np.flatnonzero(first >= 0)
    futures = np.zeros(_futures_shape(sheet))
    fill_futures(late[np.argsort(-np.bitwise_count(late), kind="stable")], first, sheet, FIVE.edges, value, futures)
    return futures
