"""One thing at a time: a queue of jobs, of which the next begins when the last one is done."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

Job = Callable[[], None]


class JobQueue:
    """Starts jobs in the order in which they came. A job that has started says by `release` that it is done."""

    def __init__(self, idle: Callable[[], None]) -> None:
        self.busy = False
        self._idle = idle
        """Called when there is nothing left to do."""
        self._waiting: deque[Job] = deque()

    @property
    def waiting(self) -> int:
        """How many jobs have not begun."""
        return len(self._waiting)

    def enqueue(self, job: Job) -> None:
        """Have a job done when its turn comes, which may be at once."""
        if self.busy:
            self._waiting.append(job)
        else:
            self.busy = True
            job()

    def release(self) -> None:
        """Let the next job begin."""
        if self._waiting:
            asyncio.get_running_loop().call_soon(self._waiting.popleft())
        else:
            self.busy = False
            self._idle()

    @asynccontextmanager
    async def exclusive(self) -> AsyncIterator[None]:
        """A job that is a block of code and may wait in it."""
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.enqueue(lambda: self.release() if turn.cancelled() else turn.set_result(None))
        try:
            await turn
        except asyncio.CancelledError:
            if not turn.cancelled():  # the turn had come
                self.release()
            raise
        try:
            yield
        finally:
            self.release()
