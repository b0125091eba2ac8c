"""How nodes tell each other that something happened at a table.

A note says only that there is news; whoever hears it reads the log. So a note that is lost, repeated or late does no
harm; after a break everything is read again.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, Protocol

from msgspec import DecodeError, Struct, ValidationError
from msgspec.json import decode, encode

from hotdice.errors import HotdiceError

if TYPE_CHECKING:
    from redis.asyncio import Redis

CHANNEL: Final = "hotdice"
QUIET_SECONDS: Final = 1.0
"""Seconds of silence after which Redis counts as away: one that is frozen neither answers nor hangs up."""
PROBES: Final = 5
"""How often it is asked in that time whether it is there."""
CANCEL_SECONDS: Final = 0.1
"""How long a task that was cancelled has to end before it is cancelled again."""
logger: Final = logging.getLogger("hotdice")


class Note(Struct, frozen=True, omit_defaults=True):
    """A table has entries up to a number, or certain seats of it are present at a node."""

    node: str
    table: str
    number: int = 0
    present: tuple[int, ...] | None = None


Heard = Callable[[Note], None]


class BrokerError(HotdiceError):
    """A broker that cannot be used."""


class Broker(Protocol):
    """Carries notes to the other nodes."""

    node: str

    @property
    def alone(self) -> bool:
        """Whether there are no other nodes."""

    @property
    def connected(self) -> bool:
        """Whether notes get through at present."""

    async def open(self, heard: Heard, missed: Callable[[], None]) -> None:
        """Start listening; `missed` is called when notes may have been missed."""

    async def check(self) -> None:
        """An error if it does not answer."""

    def tell(self, table: str, *, number: int = 0, present: tuple[int, ...] | None = None) -> None:
        """Send a note, in a moment."""

    async def close(self) -> None:
        """Stop."""


class Alone:
    """The broker of a server that is the only one."""

    node: str = "alone"
    alone: Final = True
    connected: Final = True

    async def open(self, heard: Heard, missed: Callable[[], None]) -> None:
        pass

    async def check(self) -> None:
        pass

    def tell(self, table: str, *, number: int = 0, present: tuple[int, ...] | None = None) -> None:
        pass

    async def close(self) -> None:
        pass


class RedisBroker:
    """Notes by Redis' publish and subscribe. It may go away and come back at any time."""

    alone: Final = False

    def __init__(self, url: str) -> None:
        self.node = secrets.token_hex(8)
        self.url = url
        self._outbox: dict[tuple[str, bool], bytes] = {}
        """For each table the last note of either sort."""
        self._wake = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._listening = False
        self._redis: Redis = _redis(url)

    @property
    def connected(self) -> bool:
        return self._listening

    async def open(self, heard: Heard, missed: Callable[[], None]) -> None:
        from redis.exceptions import RedisError

        try:
            await _answer(self._redis.ping())
        except (TimeoutError, RedisError, OSError) as error:
            reason = str(error).rstrip(".")
            raise BrokerError(f"Redis does not answer at {_without_password(self.url)}: {reason}.") from error
        self._tasks = [asyncio.create_task(self._listen(heard, missed)), asyncio.create_task(self._send())]

    async def check(self) -> None:
        await _answer(self._redis.ping())

    def tell(self, table: str, *, number: int = 0, present: tuple[int, ...] | None = None) -> None:
        self._outbox[table, present is None] = encode(Note(self.node, table, number, present))
        self._wake.set()

    async def close(self) -> None:
        going = {task for task in self._tasks if not task.done()}
        while going:  # redis loses a cancellation now and then, when it comes together with an answer
            for task in going:
                task.cancel()
            _, going = await asyncio.wait(going, timeout=CANCEL_SECONDS)
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._redis.aclose()

    async def _listen(self, heard: Heard, missed: Callable[[], None]) -> None:
        from redis.exceptions import RedisError

        away = False
        while True:
            try:
                async with self._redis.pubsub() as channel:
                    await channel.subscribe(CHANNEL)
                    quiet = 0
                    while quiet < PROBES:
                        message = await channel.get_message(timeout=QUIET_SECONDS / PROBES)
                        if message is None:
                            quiet += 1
                            await channel.ping()
                            continue
                        quiet = 0
                        if message["type"] == "message":
                            _hear(message["data"], self.node, heard)
                        elif message["type"] == "subscribe":
                            if away:
                                logger.warning("Redis is back.")
                            self._listening, away = True, False
                            missed()
                    raise TimeoutError
            except (TimeoutError, RedisError, OSError) as error:
                if self._listening:
                    logger.warning("Redis is away (%s); trying again.", type(error).__name__)
                    self._listening, away = False, True
                    missed()
                await asyncio.sleep(0.3)

    async def _send(self) -> None:
        from redis.exceptions import RedisError

        while True:
            await self._wake.wait()
            self._wake.clear()
            notes, self._outbox = self._outbox, {}
            try:
                async with self._redis.pipeline(transaction=False) as pipe:
                    for note in notes.values():
                        pipe.publish(CHANNEL, note)
                    await pipe.execute()
            except (TimeoutError, RedisError, OSError):  # whoever listens again by now has missed them
                self._outbox = notes | self._outbox
                self._wake.set()
                await asyncio.sleep(0.3)


def _hear(data: Any, node: str, heard: Heard) -> None:
    with suppress(DecodeError, ValidationError):
        note = decode(data, type=Note)
        if note.node != node:
            heard(note)


async def _answer(reply: Awaitable[Any] | Any) -> Any:
    return await reply


def _redis(url: str) -> Redis:
    try:
        from redis.asyncio import Redis
        from redis.asyncio.retry import Retry
        from redis.backoff import NoBackoff
    except ImportError as error:
        raise BrokerError(f"Many nodes need {error.name}: pip install 'hotdice[cluster]'.") from None
    try:
        never = Retry(NoBackoff(), 0)  # a connection that is made anew unnoticed has missed notes unnoticed
        return Redis.from_url(url, socket_connect_timeout=5, socket_timeout=QUIET_SECONDS, retry=never)
    except ValueError as error:
        raise BrokerError(
            f"“{_without_password(url)}” is not an address of Redis; write redis://host:6379/0."
        ) from error


def _without_password(url: str) -> str:
    head, at, tail = url.rpartition("@")
    return f"{head.split('://')[0]}://…@{tail}" if at else url
