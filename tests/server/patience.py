"""`hotdice` with less patience, for tests, with those who are away or say nothing; or with more, with slow devices."""

from __future__ import annotations

import sys
from typing import ClassVar, Final

from hotdice.cli import main
from hotdice.server import run, socket
from hotdice.server.rooms import driver, presence
from tests.server.running import Running

PATIENCE: Final = 1


class Impatient(Running):
    """A server that waits a second for those who are away."""

    program: ClassVar[tuple[str, ...]] = ("-m", "tests.server.patience", "away")


class Hasty(Running):
    """A server that waits a second for a hello, and three for a sign of life."""

    program: ClassVar[tuple[str, ...]] = ("-m", "tests.server.patience", "silent")


class Patient(Running):
    """A server that waits for every string, however busy the machine is on which the pages draw them."""

    program: ClassVar[tuple[str, ...]] = ("-m", "tests.server.patience", "strings")


if __name__ == "__main__":
    match sys.argv.pop(1):
        case "away":
            presence.PATIENCE_SECONDS = PATIENCE  # type: ignore[misc]
        case "silent":
            socket.HELLO_SECONDS = PATIENCE  # type: ignore[misc]
            run.PING_SECONDS = 3 * PATIENCE  # type: ignore[misc] # a busy machine has to answer in time
        case "strings":
            driver.DEAL_SECONDS = 60.0  # type: ignore[misc]
    main()
