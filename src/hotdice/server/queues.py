"""A fair queue: whoever wants something that few can have at a time waits behind others, and addresses take turns.

However much one address wants, another one's wish waits for one of each at most. What waits for one address is bounded.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from contextvars import ContextVar
from typing import Final

from hotdice.server.refusals import TooMuch

asking: Final[ContextVar[str]] = ContextVar("asking", default="")
"""The address whose request is being answered; nothing in the background."""


class FairQueue:
    """Lets so many in at a time, and so many of one address wait."""

    def __init__(self, places: int, most: int) -> None:
        self._free, self._most = places, most
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}
        """By address, the next address first."""

    def __len__(self) -> int:
        """How many wait."""
        return sum(map(len, self._waiting.values()))

    @asynccontextmanager
    async def turn(self, address: str) -> AsyncIterator[None]:
        """Wait for a place, and have it; `TooMuch` if too many of that address wait."""
        if self._free:
            self._free -= 1
        else:
            await self._wait(address)
        try:
            yield
        finally:
            self._release()

    async def _wait(self, address: str) -> None:
        if len(self._waiting.get(address, ())) >= self._most:
            raise TooMuch("Too much that takes long was asked for from your address; try again in a moment.", 5.0)
        place: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(address, deque()).append(place)
        try:
            await place
        except asyncio.CancelledError:
            if place.cancelled():
                self._drop(address, place)
            else:  # it had come
                self._release()
            raise

    def _drop(self, address: str, place: asyncio.Future[None]) -> None:
        waiting = self._waiting.get(address)
        if waiting and place in waiting:
            waiting.remove(place)
            if not waiting:
                del self._waiting[address]

    def _release(self) -> None:
        """Give a place to the next address, which then is the last."""
        while self._waiting:
            address, waiting = next(iter(self._waiting.items()))
            place = waiting.popleft()
            del self._waiting[address]
            if waiting:
                self._waiting[address] = waiting
            if not place.done():
                place.set_result(None)
                return
        self._free += 1
