"""What the end of a round of Rollers is worth in a match of two, by the sheet, and the constants made from that."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hotdice.games.rollers.rules import CHIPS, RollersOptions
from hotdice.games.rollers.solving.chances import CHANCES
from hotdice.games.rollers.solving.compute_chances import Part, module_of
from hotdice.games.rollers.solving.equity import Chance, Known, Needs
from hotdice.games.rollers.solving.match import (
    UNKNOWN,
    all_needs,
    chances_for,
    ends_of,
    error_after,
    rules_of,
    stakes_at,
)

FIRST, SECOND, BOTH = 1, 2, 3
"""Who has the most chips, as a set of seats."""


def nobody_asks(needs: Needs) -> Chance:
    raise AssertionError(f"The match is over; nobody asks for what comes after it, {needs}.")


@pytest.mark.parametrize("share", [False, True])
def test_at_a_point_each_whoever_has_the_most_chips_wins(share: bool) -> None:
    """Completing gives 2 points, or 1 without chips, the most chips 1: both get there, and then chips decide. A tie in
    chips gives nobody a point, or by the house rule each one: who completed has more points then."""
    stakes = stakes_at((1, 1), 0, share, nobody_asks)
    for chips in range(2):
        assert stakes[0, chips, SECOND].tolist() == [0.0, 1.0]
        assert stakes[1, chips, FIRST].tolist() == [1.0, 0.0]
    assert stakes[0, 1, FIRST].tolist() == [1.0, 0.0]
    assert stakes[0, 1, BOTH].tolist() == [1.0, 0.0]
    assert stakes[1, 1, BOTH].tolist() == [0.0, 1.0]


def test_a_round_that_ends_no_match_is_worth_the_chances_after_it_when_the_other_begins() -> None:
    known: Known = {(3, 2): Chance(0.4, 0.0), (2, 4): Chance(0.7, 0.0), (4, 2): Chance(0.3, 0.0)}
    needs, began = (4, 4), 0
    stakes = stakes_at(needs, began, False, lambda left: known.get(left, Chance(0.5, 0.0)))
    # The first completes and the second has the most chips: 2 and 3 to go, and the second begins.
    assert stakes[0, 1, SECOND].tolist() == pytest.approx([0.6, 0.4])
    # The second completes, a tie in chips: 4 and 2 to go, and the second begins.
    assert stakes[1, 1, BOTH].tolist() == pytest.approx([0.3, 0.7])


def test_ends_count_from_minus_one_to_one_by_chips() -> None:
    ends = ends_of(stakes_at((1, 1), 0, False, nobody_asks))
    assert ends.shape == (1, 2 * CHIPS + 1), "the same for both"
    assert ends[0, :CHIPS].tolist() == [-1.0] * CHIPS
    assert ends[0, CHIPS:].tolist() == [1.0] * (CHIPS + 1)


@pytest.mark.parametrize("rules", sorted(CHANCES))
def test_more_points_are_never_worse(rules: str) -> None:
    known = CHANCES[rules]
    assert set(all_needs(7)) == set(known)
    for (mine, theirs), chance in known.items():
        assert 0 < chance.error < 1e-7
        for fewer in ((mine - 1, theirs), (mine, theirs + 1)):
            if fewer in known:
                assert known[fewer].value > chance.value, (mine, theirs)


def test_what_is_not_solved_is_guessed_with_a_wide_error() -> None:
    usual, locked = chances_for(RollersOptions()), chances_for(RollersOptions(saved_dice="locked", target_points=9))
    assert usual((2, 3)) == CHANCES[""][2, 3]
    assert locked((2, 3)) == CHANCES["saved_dice=locked"][2, 3]
    assert usual((9, 9)).error == UNKNOWN
    assert error_after((1, 1), nobody_asks) == 0.0
    assert error_after((3, 3), lambda left: Chance(0.5, 0.25 if left == (2, 1) else 0.125)) == 0.25
    assert rules_of(RollersOptions(target_points=7)) == ""


def test_a_part_file_keeps_what_is_known_of_one_set_of_house_rules(tmp_path: Path) -> None:
    file = tmp_path / "part.json"
    part = Part(file, RollersOptions())
    part.known[1, 2] = Chance(0.25, 1e-8)
    part.save()
    assert json.loads(file.read_text())["chances"] == [[1, 2, 0.25, 1e-8]]
    assert Part(file, RollersOptions()).known == part.known
    assert part.round_file((1, 2)) != part.round_file((2, 1))
    with pytest.raises(SystemExit, match="is of other house rules: the usual ones"):
        Part(file, RollersOptions(chip_tie="share"))


def test_the_module_of_constants_has_room_for_what_writing_them_loses() -> None:
    known = {(1, 1): Chance(0.61421747244144, 8.254e-9), (1, 2): Chance(1 / 3, 1.6362e-8)}
    written: dict[str, Any] = {}
    exec(module_of({"": known}), written)  # noqa: S102 (it is a module, and this is how it is read)
    for needs, chance in written["CHANCES"][""].items():
        assert abs(chance.value - known[needs].value) + known[needs].error <= chance.error < known[needs].error + 2e-9
