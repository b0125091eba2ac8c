"""Processes in which the server has something worked out, one thing at a time in each, in turns by address.

They start when they are needed, run at a lower priority, and end with the server, however it ends. A process that
broke, or that nobody waits for any more, is ended, and another one takes its place.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from multiprocessing import connection
from typing import TypeVar

from hotdice.server.queues import FairQueue

T = TypeVar("T")


class Workers:
    """So many processes, for which so many wishes of one address wait at most."""

    def __init__(self, count: int, most: int, begin: Callable[[], object] | None = None) -> None:
        self.queue = FairQueue(count, most)
        self._begin = begin
        """What each process does first."""
        self._idle: list[ProcessPoolExecutor] = []
        self._busy: set[ProcessPoolExecutor] = set()
        self._closed = False

    async def run(self, address: str, work: Callable[..., T], *about: object, seconds: float | None = None) -> T:
        """Have something worked out, within so many seconds from when its turn has come.

        `BrokenProcessPool` if the process broke.
        """
        async with self.queue.turn(address):
            if self._closed:
                raise BrokenProcessPool("the server ends")
            process = self._idle.pop() if self._idle else _new_process(self._begin)
            self._busy.add(process)
            healthy = False
            try:
                async with asyncio.timeout(seconds):
                    done = await asyncio.get_running_loop().run_in_executor(process, work, *about)
                healthy = True
                return done
            except (BrokenProcessPool, TimeoutError, asyncio.CancelledError):
                raise
            except Exception:  # what the work itself raises
                healthy = True
                raise
            finally:
                self._busy.discard(process)
                if healthy and not self._closed:
                    self._idle.append(process)
                else:
                    _end(process)

    def close(self) -> None:
        """End all of them."""
        self._closed = True
        for process in (*self._idle, *self._busy):
            _end(process)
        self._idle.clear()


def _new_process(begin: Callable[[], object] | None) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(1, multiprocessing.get_context("spawn"), _start, (begin,))


def _end(pool: ProcessPoolExecutor) -> None:
    """End a process, whatever it is doing."""
    for process in list((pool._processes or {}).values()):
        process.terminate()
    pool.shutdown(wait=False, cancel_futures=True)


# In the other processes


def _start(begin: Callable[[], object] | None) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which ends this
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()
    with suppress(AttributeError, OSError):
        os.nice(5)
    if begin:
        begin()


def _end_with(sentinel: int) -> None:
    connection.wait([sentinel])
    os._exit(1)
