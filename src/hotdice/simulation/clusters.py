"""Work on the machines of a cluster, by Dask: on a scheduler that is there, or on workers started for the moment.

Pieces of work are handed over and taken back in their order, as with the processes of one machine, so results are the
same whatever the workers do. A worker that is lost costs time: Dask gives its pieces to others. Needs `hotdice[dask]`.
"""

from __future__ import annotations

import logging
import re
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from hotdice.errors import HotdiceError
from hotdice.simulation.pieces import SideBySide, cores, processes

if TYPE_CHECKING:
    from hotdice.simulation.plan import Plan, Prepared

ANSWER: Final = 10.0
"""Seconds in which a scheduler has to answer."""
AHEAD: Final = 3
"""Pieces of work waiting for each thread of the workers."""
_ADDRESS: Final = re.compile(r"(tcp|tls|ws|wss|ucx)://(\[[0-9a-f:]+\]|[^\s:/]+):\d{1,5}", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Where:
    """Where games are played: by some jobs of this program, some workers of its own, or those of a scheduler."""

    jobs: int | None = None
    workers: int | None = None
    scheduler: str | None = None

    def side_by_side(self, ready: Prepared, plan: Plan) -> AbstractContextManager[SideBySide]:
        """What plays chunks of a plan."""
        from hotdice.simulation.kept import made_by
        from hotdice.simulation.runs import local

        if self.scheduler or self.workers:
            return cluster(self.scheduler, self.workers, partial(made_by, plan.game))
        return local(self.jobs or cores(), ready, plan)

    def processes(self, depends: Callable[[], str]) -> AbstractContextManager[SideBySide]:
        """What does other work for every piece; results depend on what `depends` says."""
        if self.scheduler or self.workers:
            return cluster(self.scheduler, self.workers, depends)
        return processes(self.jobs or cores())


@contextmanager
def cluster(scheduler: str | None, workers: int | None, depends: Callable[[], str]) -> Iterator[SideBySide]:
    """What does work for every piece, side by side on the workers, and gives the results in the order of the pieces.

    `depends` says what results depend on; workers that give another answer than this machine are refused.
    """
    try:
        dask: Any = import_module("distributed")  # it has no types
    except ImportError:
        raise HotdiceError(
            "--scheduler and --workers need Dask, which is not installed: pip install 'hotdice[dask]'."
        ) from None
    if scheduler is not None and not _ADDRESS.fullmatch(scheduler):
        raise HotdiceError(f"--scheduler takes an address such as tcp://host:8786, not “{scheduler}”.")
    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # what fails is said in one sentence
    try:
        own = None if scheduler else dask.LocalCluster(
            n_workers=workers, threads_per_worker=1, dashboard_address=None, silence_logs=logging.CRITICAL
        )  # fmt: skip
        client = dask.Client(scheduler or own, timeout=ANSWER, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        raise HotdiceError(
            f"No scheduler answers at {scheduler} ({_cause(error)}); “dask scheduler” starts one and says where it is."
        ) from None
    try:
        yield _Workers(client, scheduler or "this machine", depends).do
    finally:
        with suppress(Exception):
            client.close(timeout=ANSWER)
        if own is not None:
            with suppress(Exception):
                own.close(timeout=ANSWER)


class _Workers:
    """The workers of a scheduler."""

    def __init__(self, client: Any, where: str, depends: Callable[[], str]) -> None:
        self._client, self._where = client, where
        try:
            client.wait_for_workers(1, timeout=ANSWER)
        except TimeoutError:
            raise HotdiceError(
                f"The scheduler at {where} has no workers: start some with “dask worker {where}”."
            ) from None
        mine = depends()
        for worker, theirs in self._said(client.run, depends, on_error="return").items():
            if isinstance(theirs, BaseException):
                raise HotdiceError(f"The worker at {worker} cannot run Hotdice ({_cause(theirs)}): install it there.")
            if theirs != mine:
                raise HotdiceError(f"The worker at {worker} has another version of Hotdice: install this one there.")

    def do(self, work: Callable[[Any], Any], pieces: Iterator[Any]) -> Iterator[Any]:
        """Hand pieces over as others come back."""
        waiting: deque[Any] = deque()
        try:
            for piece in pieces:
                waiting.append(self._said(self._client.submit, work, piece, pure=False))
                if len(waiting) >= self._ahead():
                    yield self._said(waiting.popleft().result)
            while waiting:
                yield self._said(waiting.popleft().result)
        finally:
            with suppress(Exception):
                self._client.cancel(list(waiting))

    def _ahead(self) -> int:
        """More pieces than there are threads, so that none runs dry. Workers may come and go."""
        threads = sum(worker["nthreads"] for worker in self._client.scheduler_info(n_workers=-1)["workers"].values())
        return AHEAD * max(1, int(threads))

    def _said(self, ask: Callable[..., Any], *args: Any, **more: Any) -> Any:
        """What the scheduler answers; an error of ours if it is gone."""
        from distributed import CancelledError, KilledWorker
        from distributed.client import FutureCancelledError
        from distributed.comm.core import CommClosedError

        try:
            return ask(*args, **more)
        except HotdiceError:
            raise
        except KilledWorker:
            raise HotdiceError(
                f"Several workers of {self._where} ended at the same piece of work: they may lack memory."
            ) from None
        except (CancelledError, FutureCancelledError, CommClosedError, OSError) as error:
            raise HotdiceError(f"The scheduler at {self._where} is gone ({_cause(error)}).") from None


def _cause(error: BaseException) -> str:
    return (str(error).splitlines() or [""])[0][:200] or type(error).__name__
