"""Work in pieces, done side by side on this machine and given back in the order of the pieces.

Nothing here needs numpy: who only hands work to others is ready at once.
"""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import partial
from multiprocessing import get_context
from typing import Any, Final, TypeVar

from hotdice.errors import HotdiceError

R = TypeVar("R")

AHEAD: Final = 3
"""Pieces waiting for each job, so that none runs dry."""

SideBySide = Callable[[Callable[[Any], Any], Iterator[Any]], Iterator[Any]]
"""Does a piece of work for every piece, side by side, and gives the results in the order of the pieces."""


def cores() -> int:
    """How many chunks this machine can play at once."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def in_order(executor: Executor, ahead: int, work: Callable[[Any], R], pieces: Iterator[Any]) -> Iterator[R]:
    """Have an executor do the work, with no more than `ahead` pieces of it handed over at a time."""
    waiting: deque[Future[R]] = deque()
    try:
        for piece in pieces:
            waiting.append(executor.submit(work, piece))
            if len(waiting) >= ahead:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    except BrokenProcessPool:
        raise HotdiceError(
            "A process that did a part of the work was ended from outside; try again with fewer --jobs."
        ) from None
    finally:
        for future in waiting:
            future.cancel()


def _leave_ctrl_c_to_the_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextmanager
def processes(jobs: int) -> Iterator[SideBySide]:
    """Some processes; one is this one."""
    executor = None
    if jobs > 1:
        executor = ProcessPoolExecutor(jobs, get_context("spawn"), initializer=_leave_ctrl_c_to_the_parent)
    with _all_of(executor, jobs) as mapped:
        yield mapped


@contextmanager
def threads(jobs: int) -> Iterator[SideBySide]:
    """Some threads."""
    with _all_of(None if jobs == 1 else ThreadPoolExecutor(jobs), jobs) as mapped:
        yield mapped


@contextmanager
def _all_of(executor: Executor | None, jobs: int) -> Iterator[SideBySide]:
    """What an executor does, or without one this thread."""
    if executor is None:
        yield map
        return
    try:
        yield partial(in_order, executor, AHEAD * jobs)
    except BaseException:
        executor.shutdown(wait=False, cancel_futures=True)
        raise
    executor.shutdown(cancel_futures=True)  # waited for, as an end of the program just then is complained about
