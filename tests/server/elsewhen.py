"""`hotdice` with another time of day, for tests: its clock is ahead by as many milliseconds as a file says."""

from __future__ import annotations

import sys
import time
from pathlib import Path

from hotdice.cli import main
from tests.server.running import Running


class Elsewhen(Running):
    """A server whose clock can be set."""

    def __init__(self, database: str, ahead: Path, *arguments: str) -> None:
        super().__init__(database, *arguments)
        self._ahead = ahead
        self.program = ("-m", "tests.server.elsewhen", str(ahead))  # type: ignore[misc]
        self.set(0)

    def set(self, milliseconds: int) -> None:
        """Have its clock be that far ahead."""
        new = self._ahead.with_suffix(".new")
        new.write_text(str(milliseconds), "utf-8")
        new.replace(self._ahead)


if __name__ == "__main__":
    ahead = Path(sys.argv.pop(1))
    right = time.time_ns
    time.time_ns = lambda: right() + 1_000_000 * int(ahead.read_text("utf-8"))
    sys.exit(main())
