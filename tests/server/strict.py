"""`hotdice` with tight limits on connections, for tests: little time, few connections, many requests."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar, Final

from hotdice.cli import main
from hotdice.server import limits, uvicorn_adapter
from tests.server.running import Running

SOCKETS: Final = 20
"""The connections that one address may have."""


class Strict(Running):
    """A server at which a second is all that a request may take."""

    program: ClassVar[tuple[str, ...]] = ("-m", "tests.server.strict")

    def __init__(self, database: str) -> None:
        super().__init__(database, "--unlimited")


if __name__ == "__main__":
    limits.UNLIMITED = replace(  # type: ignore[misc]
        limits.UNLIMITED, head_seconds=1.0, body_seconds=1.0, unread_seconds=1.0, sockets=SOCKETS
    )
    uvicorn_adapter.SPARE_SECONDS = 0.5  # type: ignore[misc]
    main()
