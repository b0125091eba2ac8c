"""Games of Kismet under the best play for points, with what every choice among keeps would have lost.

What a roll asks of a player depends on the sheet, and there are millions of sheets. So choices are put together by what
lies on the table: the five dice, and how many rolls are left.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from hotdice.games.kismet.rules import ROLLS, Box, KismetOptions
from hotdice.games.kismet.solving.sheets import FIVE, Floats, Ints, Sheet, kismet_sheet
from hotdice.games.kismet.solving.tables import points_table
from hotdice.games.kismet.solving.turns import best_boxes, play_turn, value_entries
from hotdice.solve.batches import choice_key
from hotdice.solve.jit import kernel
from hotdice.solve.multisets import Edges
from hotdice.solve.rollouts import uniform

STOP: Final = FIVE.keeps
"""Stands for writing the dice down, in place of a keep."""


class Counts(NamedTuple):
    """What was counted, by rolls taken less one, roll of five dice, and (in the last axis) keep or `STOP`."""

    seen: Floats
    """[taken, roll]."""
    best: Floats
    """[taken, roll, keep]: how often it was best."""
    behind: Floats
    """[taken, roll, keep]: what it lost, summed; keeps that cannot be made of the roll lose nothing."""
    lost: Floats
    """[level, taken, roll]: what each level loses on average, summed."""
    squares: Floats
    """[level, taken, roll]: the squares of that."""
    mistaken: Floats
    """[taken, roll, keep]: the part of the middle level's loss that it has by that keep."""
    zeros: Ints
    """[box]: how often it ended as a zero."""
    totals: Ints
    """[game]."""


@kernel
def _choose(edges: Edges, chance: float) -> int:
    """One roll of five dice, by a number from 0 to 1."""
    for roll in range(len(edges.chance)):
        chance -= edges.chance[roll]
        if chance < 0:
            return roll
    return len(edges.chance) - 1


@kernel
def _reroll(edges: Edges, keep: int, key: np.uint64, count: int) -> tuple[int, int]:
    """A keep with the other dice rolled, and how many numbers that has taken."""
    while keep < len(edges.more):
        keep = edges.more[keep, int(uniform(key, count) * edges.more.shape[1])]
        count += 1
    return keep, count


@kernel
def _mark_keeps(edges: Edges, row: int, inside: Ints) -> None:
    """Mark all that is left of a roll after dropping dice from it."""
    inside[:] = 0
    inside[row] = 1
    for at in range(row, -1, -1):
        if inside[at]:
            for edge in range(edges.first[at], edges.first[at + 1]):
                inside[edges.fewer[edge]] = 1


@kernel
def _note(counts: Counts, at: int, roll: int, values: Floats, inside: Ints, entries: Floats, scales: Floats) -> None:
    """Count a choice: `values` of keeps, and entries into boxes."""
    keeps, boxes = len(values), len(entries)
    most, entering = -1e300, -1e300
    for box in range(boxes):
        entering = max(entering, entries[box])
    best = keeps
    most = entering
    for keep in range(keeps):
        if inside[keep] and values[keep] > most + 1e-9:
            most, best = values[keep], keep
    counts.seen[at, roll] += 1
    counts.best[at, roll, best] += 1
    counts.behind[at, roll, keeps] += most - entering
    for keep in range(keeps):
        if inside[keep]:
            counts.behind[at, roll, keep] += most - values[keep]
    for level in range(len(scales)):
        scale, total, lost = scales[level], 0.0, 0.0
        for keep in range(keeps):
            if inside[keep]:
                weight = np.exp((values[keep] - most) / scale)
                total += weight
                lost += weight * (most - values[keep])
        for box in range(boxes):
            if entries[box] > -1e200:
                weight = np.exp((entries[box] - most) / scale)
                total += weight
                lost += weight * (most - entries[box])
        counts.lost[level, at, roll] += lost / total
        counts.squares[level, at, roll] += (lost / total) ** 2
        if level == 1:
            for keep in range(keeps):
                if inside[keep]:
                    weight = np.exp((values[keep] - most) / scale)
                    counts.mistaken[at, roll, keep] += weight / total * (most - values[keep])


@kernel
def play(sheet: Sheet, edges: Edges, value: Floats, scales: Floats, seed: int, first: int, counts: Counts) -> None:
    """Play games from a number on, as many as there are totals to fill in."""
    keeps, boxes, rolls = len(edges.more), len(sheet.writes), len(edges.chance)
    entries, stop, box_of = np.empty((rolls, boxes)), np.empty(rolls), np.empty(rolls, np.int64)
    worth = np.empty((sheet.rolls + 1, keeps + rolls))
    choice = np.empty((sheet.rolls + 1, keeps + rolls), np.int64)
    inside = np.empty(keeps + rolls, np.int64)
    for game in range(len(counts.totals)):
        mask, basic, total, used, key = 0, 0, 0, 0, choice_key(seed, first + game, 0)
        for _turn in range(boxes):
            value_entries(sheet, mask, basic, value, entries)
            best_boxes(entries, stop, box_of)
            play_turn(stop, edges, worth, choice)
            row = keeps + _choose(edges, uniform(key, used))
            used += 1
            for taken in range(1, sheet.rolls):
                _mark_keeps(edges, row, inside)
                _note(counts, taken - 1, row - keeps, worth[taken, :keeps], inside, entries[row - keeps], scales)
                kept = choice[taken, row]
                if kept >= keeps:
                    break
                row, used = _reroll(edges, kept, key, used)
            box = box_of[row - keeps]
            points = int(sheet.points[0, row - keeps, box])
            counts.zeros[box] += points == 0
            basic = min(basic + sheet.gain[row - keeps, box], len(sheet.bonus) - 1)
            total += points
            mask |= sheet.writes[box]
        counts.totals[game] = total + int(sheet.bonus[basic])


def sampled(games: int, scales: tuple[float, float, float], seed: int) -> Counts:
    """So many games, counted; `scales` are the noise of three levels, of which the middle one's mistakes are listed."""
    options = KismetOptions()
    shape = (ROLLS - 1, len(FIVE.rolls))
    counts = Counts(
        np.zeros(shape), np.zeros((*shape, STOP + 1)), np.zeros((*shape, STOP + 1)), np.zeros((len(scales), *shape)),
        np.zeros((len(scales), *shape)), np.zeros((*shape, STOP + 1)), np.zeros(len(Box), np.int64),
        np.zeros(games, np.int64),
    )  # fmt: skip
    sheet = kismet_sheet(options.kismet_is_full_house)
    play(sheet, FIVE.edges, points_table(options).arrays["value"], np.array(scales), seed, 0, counts)
    return counts
