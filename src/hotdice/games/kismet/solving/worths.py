"""What each box of a sheet and the bonus will bring: the expected points to come, taken apart.

Play is the one for the most points, as in `tables`, so for every sheet the worths of its vacant boxes and of the bonus
add up to the points to come. A turn's choices give the chance of each entry; what follows an entry is known from the
fuller sheet that it leaves, so box sets are worked on from full ones down, in the lanes of `sheets`.

The worths of all sheets take half a minute of CPU and 32 MB, in single precision. They are kept as other tables are.
Late in a game nobody has to wait for them: the sheets that can still come of one are few, and solved when asked about.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cache
from threading import Event, Lock
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hotdice.games.kismet import KISMET
from hotdice.games.kismet.rules import KismetOptions
from hotdice.games.kismet.solving.box_sets import vacant_boxes
from hotdice.games.kismet.solving.sheets import FIVE, Floats, Ints, Sheet, kismet_sheet
from hotdice.games.kismet.solving.tables import points_table
from hotdice.games.kismet.solving.turns import end_scores
from hotdice.solve import store
from hotdice.solve.jit import kernel
from hotdice.solve.multisets import Edges
from hotdice.solve.sources import fingerprint
from hotdice.values import Progress, no_progress

VERSION: Final = fingerprint(__name__)
FEW: Final = 8
"""With this many vacant boxes, or fewer, a sheet and all that can come of it are solved when asked about."""
SINGLE: Final = 5e-6
"""The error of a worth in single precision: half of the last bit of the highest, 80 points."""
DOUBLE: Final = 1e-9
STEP: Final = 32
"""Box sets worked on between two looks at whether to stop."""


class Stopped(Exception):
    """Raised where solving is stopped."""


class Part(NamedTuple):
    """The worths of some box sets, one after the other."""

    filled: int
    """The boxes that all of these box sets have filled."""
    first: Ints
    """[mask]: where the worths of a box set begin; -1 if they are not here."""
    worths: NDArray[Any]
    """By box set and lane: the worths of the vacant boxes from top to bottom, then that of the bonus."""
    error: float


@kernel
def fill_worths(masks: Ints, first: Ints, sheet: Sheet, edges: Edges, value: Floats, out: Floats) -> None:
    """Fill in the worths of some box sets, where those of all that come of them are. Points are whole numbers."""
    boxes, end = len(sheet.writes), len(sheet.bonus) - 1
    adds = np.zeros(boxes, np.bool_)
    for box in range(boxes):
        adds[box] = sheet.gain[:, box].max() > 0
    chances = np.empty((boxes, int(sheet.points.max()) + 1))
    for mask in masks:
        group = sheet.group[mask]
        vacant = vacant_boxes(sheet, mask)
        for lane in range(sheet.lanes[group]):
            basic = sheet.sums[group, lane]
            row = first[mask] + lane * (vacant + 1)
            for at in range(row, row + vacant + 1):
                out[at] = 0.0
            if vacant == 0:
                out[row] = sheet.bonus[basic]
                continue
            end_scores(sheet, mask, basic, value, edges, chances)
            place = 0
            for box in range(boxes):
                if sheet.writes[box] & mask:
                    continue
                then = mask | sheet.writes[box]
                for points in range(chances.shape[1]):
                    chance = chances[box, points]
                    if chance > 0:
                        after = min(basic + points if adds[box] else basic, end)
                        rest = first[then] + sheet.lane[sheet.group[then], after] * vacant
                        out[row + place] += chance * points
                        for other in range(vacant):
                            out[row + other + (other >= place)] += chance * out[rest + other]
                        out[row + vacant] += chance * sheet.extra[sheet.group[then], after]
                place += 1


class Worths:
    """The worths of the boxes of any sheet, from a table or solved when asked about."""

    def __init__(self, key: str, sheet: Sheet, edges: Edges, value: Floats) -> None:
        self._key = key
        self._sheet = sheet
        self._edges = edges
        self._value = value
        self._solving = Lock()
        self._table: Part | None = None
        self._part: Part | None = None
        self._seen: float | None = None
        """When the file was written that could not be read."""

    def at_hand(self, mask: int) -> bool:
        """Whether the worths of a box set are known, or found in a moment."""
        return self._vacant(mask) <= FEW or self._table is not None or store.has(self._key, VERSION)

    def of(self, mask: int, basic: int) -> tuple[Floats, float]:
        """What each box will bring, and at the end the bonus; 0 for boxes that are filled. And the error of that."""
        part = self._holding(mask)
        sheet, vacant = self._sheet, self._vacant(mask)
        group = sheet.group[mask]
        row = int(part.first[mask] + sheet.lane[group, basic] * (vacant + 1))
        found = np.zeros(len(sheet.writes) + 1)
        found[np.flatnonzero(sheet.writes & mask == 0)] = part.worths[row : row + vacant]
        found[-1] = part.worths[row + vacant] + sheet.extra[group, basic]
        return found, part.error

    def solve(self, progress: Progress = no_progress, stop: Event | None = None) -> None:
        """Have the worths of all sheets at hand: load or solve them, unless stopped."""
        with self._solving, suppress(Stopped):
            if self._loaded() is None:
                worths = self._solved(0, progress, stop).worths.astype(np.float32)
                store.keep(self._key, VERSION, {"worths": worths})
                self._table = Part(0, self._rows(0), worths, SINGLE)

    def _vacant(self, mask: int) -> int:
        return len(self._sheet.writes) - mask.bit_count()

    def _holding(self, mask: int) -> Part:
        """The table, or the part below a sheet for which nobody would wait for the table."""
        if table := self._loaded():
            return table
        if self._vacant(mask) > FEW:
            self.solve()
            if table := self._table:
                return table
        if self._part is None or self._part.filled & ~mask:
            self._part = self._solved(mask)
        return self._part

    def _loaded(self) -> Part | None:
        """The table, if it is in memory or in the cache."""
        written = None if self._table else store.modified(self._key, VERSION)
        if written not in (None, self._seen):
            self._seen = written
            if found := store.load(self._key, VERSION):
                self._table = Part(0, self._rows(0), found.arrays["worths"], SINGLE)
        return self._table

    def _rows(self, filled: int) -> Ints:
        """Where the worths of each box set begin, of those with these boxes filled."""
        sheet = self._sheet
        masks = np.arange(len(sheet.kind))
        wide = len(sheet.writes) + 1 - np.bitwise_count(masks).astype(np.int64)
        counts = np.where(masks & filled == filled, sheet.lanes[sheet.group] * wide, 0)
        rows: Ints = np.where(counts > 0, np.cumsum(counts) - counts, -1)
        return rows

    def _solved(self, filled: int, progress: Progress = no_progress, stop: Event | None = None) -> Part:
        """The worths of all box sets with these boxes filled; `Stopped` if it is stopped."""
        sheet, first = self._sheet, self._rows(filled)
        masks = np.flatnonzero(first >= 0)
        lanes = sheet.lanes[sheet.group]
        last = int(masks[-1])  # all boxes filled: only the bonus is left
        worths = np.zeros(int(first[last] + lanes[last]))
        done, every = 0, int(lanes[masks].sum())

        def work(masks: Ints) -> int:
            if stop is not None and stop.is_set():
                raise Stopped
            fill_worths(masks, first, sheet, self._edges, self._value, worths)
            return int(lanes[masks].sum())

        with ThreadPoolExecutor(os.cpu_count()) as pool:
            for step in _by_size(masks):
                for worked in pool.map(work, step):
                    done += worked
                    progress(done / every)
        return Part(filled, first, worths, DOUBLE)


def _by_size(masks: Ints) -> Iterator[list[Ints]]:
    """Box sets by the number of filled boxes, most first; in steps, as those of equal size do not need each other."""
    sizes = np.bitwise_count(masks)
    for size in range(int(sizes.max()), int(sizes.min()) - 1, -1):
        same = masks[sizes == size]
        yield [same[at : at + STEP] for at in range(0, len(same), STEP)]


@cache
def worths(kismet_is_full_house: bool) -> Worths:
    """The worths under a reading of the rules; all who ask share them."""
    options = KismetOptions(kismet_is_full_house=kismet_is_full_house)
    value = points_table(options).arrays["value"]
    return Worths(f"{KISMET.text(options)} worths", kismet_sheet(kismet_is_full_house), FIVE.edges, value)
