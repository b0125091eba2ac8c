"""`hotdice` with less patience, for tests: with those who are away, or with those who say nothing."""

from __future__ import annotations

import sys
from typing import ClassVar, Final

from hotdice.cli import main
from hotdice.server import run, socket
from hotdice.server.rooms import presence
from tests.server.running import Running

PATIENCE: Final = 1


class Impatient(Running):
    """A server that waits a second for those who are away."""

    program: ClassVar[tuple[str, ...]] = ("-m", "tests.server.impatient", "away")


class Hasty(Running):
    """A server that waits a second for a hello, and three for a sign of life."""

    program: ClassVar[tuple[str, ...]] = ("-m", "tests.server.impatient", "silent")


if __name__ == "__main__":
    match sys.argv.pop(1):
        case "away":
            presence.PATIENCE_SECONDS = PATIENCE  # type: ignore[misc]
        case "silent":
            socket.HELLO_SECONDS = PATIENCE  # type: ignore[misc]
            run.PING_SECONDS = 3 * PATIENCE  # type: ignore[misc] # a busy machine has to answer in time
    main()
