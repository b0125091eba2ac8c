"""The chances of Kismet's bonuses: by brute force over ordered dice, and against the mean of the bonus."""

from __future__ import annotations

import numpy as np
import pytest

from hotdice.games.kismet.solving.bonuses import solve_chances
from hotdice.games.kismet.solving.tables import solve_sheet
from hotdice.games.kismet.solving.worths import Worths
from hotdice.solve.multisets import multisets
from tests.solve.test_kismet_solver import tiny_sheet
from tests.solve.test_kismet_worths import TINY_LEVELS, tiny_account


@pytest.mark.parametrize(("dice", "rolls"), [(2, 3), (3, 2)])
def test_chances_in_a_tiny_game(dice: int, rolls: int) -> None:
    """For every sheet; a sum that shares its lane has a bonus more, which `extra` says."""
    sheet, edges = tiny_sheet(dice, rolls), multisets(dice).edges
    value = solve_sheet(sheet, edges)
    first, found, levels = solve_chances(sheet, edges, value)
    assert tuple(levels) == TINY_LEVELS
    brute, worths = tiny_account(dice, rolls), Worths(f"tiny bonuses {dice} {rolls}", sheet, edges, value)
    compared = 0
    for mask in range(8):
        group = sheet.group[mask]
        for lane, basic in enumerate(sheet.sums[group, : sheet.lanes[group]].tolist()):
            chances = found[first[mask] + lane]
            assert chances == pytest.approx(brute(mask, basic)[5:], abs=1e-9)
            assert chances @ np.diff(levels, prepend=0) == pytest.approx(worths.of(mask, basic)[0][-1], abs=1e-9)
            compared += 1
    assert compared >= 14
