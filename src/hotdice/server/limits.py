"""How much one address or one connection may ask for."""

from __future__ import annotations

import ipaddress
import time
from collections import Counter
from dataclasses import dataclass
from typing import Final

from hotdice.server.refusals import TooMuch

FORGET: Final = 4096
"""Addresses that are remembered at most before full buckets are thrown out."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Rates are a second's; bursts are what may come at once."""

    messages: float = 20.0
    message_burst: int = 60
    """Of one WebSocket."""
    requests: float = 20.0
    request_burst: int = 100
    """Of one address."""
    news: float = 0.5
    new_burst: int = 30
    """Tables set up and seats asked for by one address."""
    connections: int = 64
    tables: int = 50
    open_seats: int = 100
    """That one address has at a time."""
    body: int = 20_000
    """Bytes of a request; records that come in may be larger."""
    record: int = 300_000
    backlog: int = 512_000
    """Bytes that may wait for a slow reader before it is dropped."""


UNLIMITED: Final = Limits(1e9, 1 << 30, 1e9, 1 << 30, 1e9, 1 << 30, 1 << 30, 1 << 30, 1 << 30)
"""For benchmarks, and for servers whose proxy sets the limits."""


class Bucket:
    """Lets a burst through, and then `rate` a second."""

    __slots__ = ("_burst", "_level", "_rate", "_when")

    def __init__(self, rate: float, burst: int) -> None:
        self._rate, self._burst = rate, burst
        self._level, self._when = float(burst), time.monotonic()

    def take(self) -> float:
        """Take one; the answer is 0, or the seconds to wait for it."""
        now = time.monotonic()
        self._level = min(self._burst, self._level + (now - self._when) * self._rate)
        self._when = now
        if self._level < 1.0:
            return (1.0 - self._level) / self._rate
        self._level -= 1.0
        return 0.0

    @property
    def full(self) -> bool:
        return self._level + (time.monotonic() - self._when) * self._rate >= self._burst


class Gate:
    """Counts what addresses do."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.connections: Counter[str] = Counter()
        self._requests: dict[str, Bucket] = {}
        self._news: dict[str, Bucket] = {}

    def request(self, address: str) -> None:
        """Refuse an address that asks too often."""
        wait = self._bucket(self._requests, address, self.limits.requests, self.limits.request_burst).take()
        if wait:
            raise TooMuch("Too many requests at once; wait a moment and try again.", wait)

    def new(self, address: str) -> None:
        """Refuse an address that sets up or joins tables too often."""
        wait = self._bucket(self._news, address, self.limits.news, self.limits.new_burst).take()
        if wait:
            raise TooMuch(f"Too many tables were set up or joined from here; try again in {wait:.0f} s.", wait)

    def connect(self, address: str) -> bool:
        """Whether an address may have one more connection."""
        if self.connections[address] >= self.limits.connections:
            return False
        self.connections[address] += 1
        return True

    def disconnect(self, address: str) -> None:
        self.connections[address] -= 1
        if self.connections[address] <= 0:
            del self.connections[address]

    @staticmethod
    def _bucket(buckets: dict[str, Bucket], address: str, rate: float, burst: int) -> Bucket:
        bucket = buckets.get(address)
        if bucket is None:
            if len(buckets) >= FORGET:
                for old in [key for key, one in buckets.items() if one.full]:
                    del buckets[old]
            bucket = buckets[address] = Bucket(rate, burst)
        return bucket


def address_of(client: tuple[str, int] | list[object] | None) -> str:
    """The address that limits count by; a whole household of IPv6 is one."""
    host = str(client[0]) if client else ""
    try:
        found = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return host or "unknown"
    if found.version == 6:
        if found.ipv4_mapped:
            return str(found.ipv4_mapped)
        return str(ipaddress.ip_network((found, 64), strict=False))
    return host
