"""What a match of Rollers between two is worth as a round begins, by the points that each has to go.

Made by `compute_chances`; not for editing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from hotdice.games.rollers.solving.equity import Known

CHANCES: Final[Mapping[str, Known]] = {}
"""By house rules, and the points that who begins and the other have to go: the chance of the former."""
