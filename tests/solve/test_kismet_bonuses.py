"""The chances of Kismet's bonuses: by brute force over ordered dice, and against the mean of the bonus."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import combinations, product

import numpy as np
import pytest

from hotdice.dice import Roll
from hotdice.games.kismet.solving.bonuses import solve_chances
from hotdice.games.kismet.solving.tables import solve_sheet
from hotdice.games.kismet.solving.worths import Worths
from hotdice.solve.multisets import multisets
from tests.solve.test_kismet_solver import tiny_bonus, tiny_points, tiny_sheet

LEVELS = (6, 11)


def tiny_chances(dice: int, rolls: int) -> Callable[[int, int], tuple[float, ...]]:
    """The points to come, then the chance to end with each bonus of a tiny game or more."""

    def mean(found: list[tuple[float, ...]]) -> tuple[float, ...]:
        return tuple(sum(figures) / len(found) for figures in zip(*found, strict=True))

    @cache
    def start(mask: int, basic: int) -> tuple[float, ...]:
        if mask == 0b111:
            return tiny_bonus(basic), *(float(tiny_bonus(basic) >= level) for level in LEVELS)
        return rolled(mask, basic, (), 0)

    @cache
    def rolled(mask: int, basic: int, kept: Roll, taken: int) -> tuple[float, ...]:
        throws = product(range(1, 7), repeat=dice - len(kept))
        return mean([decided(mask, basic, tuple(sorted(kept + throw)), taken + 1) for throw in throws])

    @cache
    def decided(mask: int, basic: int, hand: Roll, taken: int) -> tuple[float, ...]:
        choices = []
        for box, points in enumerate(tiny_points(hand)):
            if not mask >> box & 1:
                total, *chances = start(mask | 1 << box, min(13, basic + (points if box < 2 else 0)))
                choices.append((total + points, *chances))
        if taken < rolls:
            keeps = {kept for count in range(dice) for kept in combinations(hand, count)}
            choices += [rolled(mask, basic, kept, taken) for kept in sorted(keeps)]
        best = max(choice[0] for choice in choices)
        return next(choice for choice in choices if choice[0] > best - 1e-9)

    return start


@pytest.mark.parametrize(("dice", "rolls"), [(2, 3), (3, 2)])
def test_chances_in_a_tiny_game(dice: int, rolls: int) -> None:
    """For every sheet; a sum that shares its lane has a bonus more, which `extra` says."""
    sheet, edges = tiny_sheet(dice, rolls), multisets(dice).edges
    value = solve_sheet(sheet, edges)
    first, found, levels = solve_chances(sheet, edges, value)
    assert tuple(levels) == LEVELS
    brute, worths = tiny_chances(dice, rolls), Worths(f"tiny bonuses {dice} {rolls}", sheet, edges, value)
    compared = 0
    for mask in range(8):
        group = sheet.group[mask]
        for lane, basic in enumerate(sheet.sums[group, : sheet.lanes[group]].tolist()):
            chances = found[first[mask] + lane]
            assert chances == pytest.approx(brute(mask, basic)[1:], abs=1e-9)
            assert chances @ np.diff(levels, prepend=0) == pytest.approx(worths.of(mask, basic)[0][-1], abs=1e-9)
            compared += 1
    assert compared >= 14
