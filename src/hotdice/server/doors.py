"""The TCP connections of a server: how many there are, from where, and which of them are idle or slow for too long.

Uvicorn closes what is idle between two requests, and nothing else. So each connection has a time by which its client
has to have sent what it owes, a request or the rest of one, and a time since when it has not read what waits for it;
both are looked at once in a while, for all connections.
"""

from __future__ import annotations

import asyncio
import logging
import math
import time
from collections import Counter
from collections.abc import Container
from dataclasses import dataclass
from typing import Final

from hotdice.server.limits import UNLIMITED, Limits, address_of
from hotdice.server.refusals import TooMuch, Unavailable

WATCH_SECONDS: Final = 1.0
"""Seconds between two looks at all connections."""
QUIET_SECONDS: Final = 60.0
"""Seconds between two lines of one kind in the log."""
DESCRIPTORS: Final = 65_536
"""Open files that are enough."""
SPARE: Final = 128
"""Open files for all that is not a connection: the database, bots' processes, the log."""
logger: Final = logging.getLogger("hotdice")


@dataclass(slots=True, eq=False)
class Caller:
    """One connection."""

    address: str
    due: float = math.inf
    """When the client has to have sent what it owes."""
    unread: float = 0.0
    """Since when something waits to be read by it; 0 while nothing does."""


class SampledLog:
    """A log of what strangers can cause as often as they like: one line a minute of each kind."""

    def __init__(self) -> None:
        self._written: dict[str, float] = {}
        self._left_out: Counter[str] = Counter()

    def note(self, kind: str, said: str) -> None:
        """Write a line, unless one of its kind was written a moment ago; the next one says how many were left out."""
        now = time.monotonic()
        if now - self._written.get(kind, -math.inf) < QUIET_SECONDS:
            self._left_out[kind] += 1
            return
        self._written[kind] = now
        more = self._left_out.pop(kind, 0)
        logger.warning("%s%s", said, f" {more:,} such lines before it were left out." if more else "")


class Doors:
    """Lets connections in, and closes those that have been idle or slow for too long."""

    def __init__(self, limits: Limits, proxies: Container[str] = (), most: int = 1 << 30) -> None:
        self.limits = limits
        self.log = SampledLog()
        self._proxies = proxies
        """Addresses that stand for many clients."""
        self._most = most
        """Connections at a time."""
        self._each = limits.sockets if limits.sockets >= UNLIMITED.sockets else min(limits.sockets, most // 2)
        """Connections of one address, which leaves some to others where there are few."""
        self._callers: dict[asyncio.Transport, Caller] = {}
        self._from: Counter[str] = Counter()
        self._timer: asyncio.TimerHandle | None = None

    def __len__(self) -> int:
        return len(self._callers)

    def enter(self, transport: asyncio.Transport) -> Caller:
        """Let a new connection in, or refuse it."""
        peer = transport.get_extra_info("peername")
        address = address_of(peer)
        if len(self) >= self._most:
            self.log.note("all", f"All {self._most:,} connections are in use; one from {address} was refused.")
            raise Unavailable("The server has no room for another connection; try again in a moment.")
        if self._from[address] >= self._each and (not peer or peer[0] not in self._proxies):
            self.log.note("one", f"{address} has {self._each:,} connections; one more was refused.")
            raise TooMuch("Too many connections come from your address; close some.")
        self._from[address] += 1
        caller = self._callers[transport] = Caller(address)
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(WATCH_SECONDS, self._watch)
        return caller

    def upgraded(self, transport: asyncio.Transport) -> None:
        """A connection is a WebSocket from now on, whose client owes nothing."""
        caller = self._callers.get(transport)
        if caller:
            caller.due = math.inf

    def leave(self, transport: asyncio.Transport) -> None:
        """A connection is closed."""
        caller = self._callers.pop(transport, None)
        if caller:
            self._from[caller.address] -= 1
            if not self._from[caller.address]:
                del self._from[caller.address]

    def _watch(self) -> None:
        """Look at all connections once in a while, as long as there are any."""
        self.sweep()
        again = asyncio.get_running_loop().call_later
        self._timer = again(WATCH_SECONDS, self._watch) if self._callers else None

    def sweep(self) -> None:
        """Close the connections that are late."""
        now = time.monotonic()
        for transport, caller in tuple(self._callers.items()):
            if not transport.get_write_buffer_size():
                caller.unread = 0.0
                if now > caller.due:
                    transport.close()
            elif not caller.unread:
                caller.unread = now
            elif now - caller.unread > self.limits.unread_seconds:
                transport.abort()


def raise_descriptors() -> int:
    """Have as many open files as this process may, up to what is ever of use; how many that are."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return DESCRIPTORS
    soft, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return DESCRIPTORS
    wanted = DESCRIPTORS if most == resource.RLIM_INFINITY else max(soft, min(most, DESCRIPTORS))
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))
    except (OSError, ValueError):  # macOS has a limit besides
        return soft
    return wanted
