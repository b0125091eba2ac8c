"""How much one address or one connection may ask for."""

from __future__ import annotations

import asyncio
import ipaddress
import time
from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final
from weakref import WeakValueDictionary

from hotdice.server.refusals import Banned, TooMuch

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
    guesses: float = 0.2
    guess_burst: int = 10
    """One-time codes tried by one address, and at one table."""
    connections: int = 64
    """WebSockets."""
    tables: int = 50
    """That are not over: at which several people play, or begun within the last hour."""
    abandoned: int = 200
    """Begun earlier by one person against bots."""
    open_seats: int = 100
    """That one address has at a time; so are the three before it."""
    body: int = 20_000
    """Bytes of a request; records that come in may be larger."""
    record: int = 300_000
    backlog: int = 512_000
    """Bytes that may wait for a slow reader before it is dropped."""
    sockets: int = 256
    """Connections of one address, of any kind."""
    head_seconds: float = 15.0
    """For the head of a request, since the connection was made or the last answer was sent."""
    body_seconds: float = 20.0
    """For the rest of it."""
    unread_seconds: float = 60.0
    """For reading what was sent."""
    thinking: int = 64
    """Choices of bots and advice that wait for one address."""
    solving: int = 4
    """Games that take long to solve and wait for one address."""
    replays: int = 100
    """Games that wait to be replayed for one address, for lists and records."""


UNLIMITED: Final = Limits(
    *(1e9, 1 << 30) * 4, 1 << 30, 1 << 30, 1 << 30, 1 << 30, sockets=1 << 30, thinking=1 << 30, solving=1 << 30,
    replays=1 << 30,
)  # fmt: skip
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
        self._guesses: dict[str, Bucket] = {}
        self._creating: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self.bans: dict[str, int] = {}
        """By address, until when it may not use the server, in milliseconds."""

    def admit(self, address: str) -> None:
        """Refuse an address that is banned."""
        until = self.bans.get(address)
        if until is not None and until > time.time() * 1000:
            day = datetime.fromtimestamp(until / 1000, UTC)
            raise Banned(f"Your address may not use this server until {day:%Y-%m-%d %H:%M} UTC.")

    def creating(self, address: str) -> asyncio.Lock:
        """What an address sets tables up under, one after the other, as each counts those before it."""
        return self._creating.setdefault(address, asyncio.Lock())

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

    def guess(self, address: str, table: str) -> None:
        """Refuse an address that tries too many one-time codes, or all of them at a table where too many are tried."""
        limits = self.limits
        for key in (address, f"table {table}"):
            wait = self._bucket(self._guesses, key, limits.guesses, limits.guess_burst).take()
            if wait:
                raise TooMuch(f"Too many codes were tried; try again in {wait:.0f} s.", wait)

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
