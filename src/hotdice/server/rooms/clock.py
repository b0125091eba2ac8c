"""The time of day, as entries and clients have it, and whether it can be believed.

A clock that is wrong does little harm, but for one thing: one that is far ahead makes every table look as if nobody had
come to it for weeks. So a server remembers in its database what the clock said when it last looked.
"""

from __future__ import annotations

import logging
import time
from datetime import UTC, datetime
from typing import Final

from hotdice.server.store import Store

DAY: Final = 24 * 3600 * 1000
JUMP: Final = DAY
"""Milliseconds between two looks, or since the last server ran, from which on the clock is not believed."""
PROOF: Final = DAY
"""Milliseconds that servers have to run after that, without another jump, before it is."""
COUNTED: Final = 20 * 60 * 1000
"""The most milliseconds between two looks in which a server counts as running."""
SEEN: Final = "seen"
"""The mark of what the clock said last."""
BEFORE: Final = "before"
"""The mark of what it had said before it jumped."""
LACKING: Final = "lacking"
"""The mark of how much of the proof is lacking."""
logger: Final = logging.getLogger("hotdice")


def now() -> int:
    """Milliseconds since 1970."""
    return time.time_ns() // 1_000_000


class ClockWatch:
    """Notices that the clock has jumped, from one look to the next or while no server ran."""

    def __init__(self, store: Store, *, believe: bool = False) -> None:
        self._store = store
        self._believe = believe
        """Whether somebody says that it is right, whatever it says at the first look."""
        self._said = False

    async def look(self) -> int | None:
        """The time, if it can be believed."""
        marks = await self._store.marks()
        present = now()
        seen = marks.get(SEEN) or await self._store.last_touched() or present
        lacking = marks.get(LACKING, 0)
        if self._believe:
            lacking = 0
        elif abs(present - seen) > JUMP:
            lacking, marks[BEFORE], self._said = PROOF, seen, False
        elif lacking:
            lacking = max(0, lacking - max(0, min(present - seen, COUNTED)))
            if not lacking:
                logger.warning("The clock is believed again; idle tables are closed.")
        before = marks.get(BEFORE, seen)
        await self._store.mark({SEEN: present, BEFORE: before, LACKING: lacking})
        self._believe = False
        if lacking and not self._said:
            self._said = True
            logger.warning(
                "The clock has jumped: it says %s, after %s. No idle table is closed until servers have run for "
                "%.1f hours without another jump. If it is wrong, set it right; if not, start with --believe-clock.",
                _date(present), _date(before), lacking / 3_600_000,
            )  # fmt: skip
        return None if lacking else present


def _date(milliseconds: int) -> str:
    return f"{datetime.fromtimestamp(milliseconds / 1000, UTC):%Y-%m-%d %H:%M} UTC"
