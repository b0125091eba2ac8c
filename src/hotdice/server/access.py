"""The access log: one line of JSON for each request, and for each WebSocket when it ends.

It has addresses but no tokens, which never are in a request's path; what follows a question mark is left out.
"""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from typing import Final

from msgspec import Struct
from msgspec.json import encode

OFF, JSON = KINDS = ("off", "json")
"""What `--access-log` takes."""
WEBSOCKET: Final = "WEBSOCKET"


class Access(Struct, frozen=True):
    """One request. `status` of a WebSocket is 101, or 403 if it was not let in; `seconds` are until its end."""

    at: str
    address: str
    method: str
    path: str
    status: int
    bytes: int
    seconds: float


def write(address: str, method: str, path: str, status: int, size: int, seconds: float) -> None:
    """Log a request that has ended."""
    at = datetime.now(UTC).isoformat(timespec="milliseconds")
    line = encode(Access(at, address, method, path, status, size, round(seconds, 6)))
    sys.stdout.write(f"{line.decode()}\n")
    sys.stdout.flush()
