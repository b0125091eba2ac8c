"""How likely each bonus of Kismet is when a sheet is played for the most points.

A turn's choices give the chance of each entry, as in `worths`; box sets are worked on from full ones down, in the lanes
of `sheets`. Sums of one lane end with bonuses that differ by what they differ by now, `extra`, so a bonus of one sum is
the bonus less that of the other.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from typing import Final

import numpy as np

from hotdice.games.kismet import KISMET
from hotdice.games.kismet.rules import BONUSES, KismetOptions
from hotdice.games.kismet.solving.box_sets import vacant_boxes
from hotdice.games.kismet.solving.sheets import FIVE, Floats, Ints, Sheet, kismet_sheet
from hotdice.games.kismet.solving.tables import points_table
from hotdice.games.kismet.solving.turns import end_scores
from hotdice.solve.jit import kernel
from hotdice.solve.multisets import Edges
from hotdice.solve.sources import fingerprint
from hotdice.solve.store import Arrays, load_or_solve
from hotdice.values import Progress, no_progress

VERSION: Final = fingerprint(__name__)
STEP: Final = 64
"""Box sets worked on at a time."""


@kernel
def fill_chances(
    masks: Ints, first: Ints, sheet: Sheet, edges: Edges, value: Floats, levels: Floats, out: Floats
) -> None:
    """For some box sets, the chance by lane to end with a bonus of each level or more.

    It goes into `out[first[mask] + lane, level]`. Those of all fuller box sets must be there.
    """
    boxes, end = len(sheet.writes), len(sheet.bonus) - 1
    chances = np.empty((boxes, int(sheet.points.max()) + 1))
    for mask in masks:
        group = sheet.group[mask]
        for lane in range(sheet.lanes[group]):
            basic, row = sheet.sums[group, lane], first[mask] + lane
            if vacant_boxes(sheet, mask) == 0:
                for level in range(len(levels)):
                    out[row, level] = 1.0 if sheet.bonus[basic] >= levels[level] else 0.0
                continue
            end_scores(sheet, mask, basic, value, edges, chances)
            for box in range(boxes):
                adds = sheet.gain[:, box].max() > 0
                for points in range(chances.shape[1]):
                    if chances[box, points] > 0:
                        then, after = mask | sheet.writes[box], min(basic + points if adds else basic, end)
                        rest = first[then] + sheet.lane[sheet.group[then], after]
                        more = sheet.extra[sheet.group[then], after]
                        for level in range(len(levels)):
                            out[row, level] += chances[box, points] * _reaching(out[rest], levels, levels[level] - more)


@kernel
def _reaching(chances: Floats, levels: Floats, least: float) -> float:
    """The chance of a bonus of so much or more."""
    if least <= 0:
        return 1.0
    for level in range(len(levels)):
        if levels[level] >= least:
            return float(chances[level])
    return 0.0


def solve_chances(
    sheet: Sheet, edges: Edges, value: Floats, progress: Progress = no_progress
) -> tuple[Ints, Floats, Floats]:
    """Where the lanes of each box set begin, the chance of a bonus of each level or more by lane, and the levels."""
    levels = np.unique(sheet.bonus[sheet.bonus > 0])
    masks = np.arange(len(sheet.kind))
    lanes = sheet.lanes[sheet.group]
    first = np.cumsum(lanes) - lanes
    out = np.zeros((int(lanes.sum()), len(levels)))
    sizes, done = np.bitwise_count(masks), 0
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for size in range(int(sizes.max()), -1, -1):
            same = masks[sizes == size]
            parts = [same[at : at + STEP] for at in range(0, len(same), STEP)]
            for part, _ in zip(
                parts,
                pool.map(lambda part: fill_chances(part, first, sheet, edges, value, levels, out), parts),
                strict=True,
            ):
                done += int(lanes[part].sum())
                progress(done / int(lanes.sum()))
    return first, out, levels


def bonus_chances(options: KismetOptions, progress: Progress = no_progress) -> dict[int, float]:
    """For each bonus of Kismet, the chance to end with it or a better one, by play for points from an empty sheet."""
    flag = options.kismet_is_full_house
    sheet = kismet_sheet(flag)

    def solve(progress: Progress) -> Arrays:
        first, found, levels = solve_chances(sheet, FIVE.edges, points_table(options).arrays["value"], progress)
        return {"levels": levels, "chances": found[first[0] + sheet.lane[sheet.group[0], 0]]}

    key = f"{KISMET.text(KismetOptions(kismet_is_full_house=flag))} bonuses"
    solved = load_or_solve(key, VERSION, solve, progress).arrays
    chances = dict(zip(solved["levels"].tolist(), solved["chances"].tolist(), strict=True))
    return {points: chances[points] for _, points in reversed(BONUSES)}
