"""What the server counts, in the text format that Prometheus reads.

Counting is on the way of every move, so it is an addition to a number here: the usual client library takes a lock for
each and costs six times as much, about 2 microseconds a move (`benchmarks/RESULTS.md`). What can be looked up when
somebody asks, such as the length of a queue, is not counted.
"""

from __future__ import annotations

import os
import time
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

BOUNDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""Seconds; whatever takes longer is counted with what takes endlessly."""
CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"
_STATM: Final = Path("/proc/self/statm")
_DESCRIPTORS: Final = Path("/proc/self/fd")


class Histogram:
    """How long something took, counted by bounds."""

    __slots__ = ("counts", "seconds")

    def __init__(self) -> None:
        self.counts = [0] * (len(BOUNDS) + 1)
        self.seconds = 0.0

    def observe(self, seconds: float) -> None:
        self.counts[bisect_left(BOUNDS, seconds)] += 1
        self.seconds += seconds

    def lines(self, name: str, meaning: str) -> list[str]:
        """As Prometheus wants it: for each bound, how many took no longer."""
        lines = _head(name, "histogram", meaning)
        total = 0
        for bound, count in zip((*map(repr, BOUNDS), "+Inf"), self.counts, strict=True):
            total += count
            lines.append(f'{name}_bucket{{le="{bound}"}} {total}')
        return [*lines, f"{name}_sum {self.seconds:.6f}", f"{name}_count {total}"]


class Metrics:
    """The counters of one server, since it started."""

    def __init__(self) -> None:
        self.moves = 0
        """Rolls and moves, of people and bots, that are on disk."""
        self.connections = 0
        """WebSockets that are open now."""
        self.answers = Histogram()
        """From a message over a WebSocket to its answer."""
        self.requests = Histogram()
        """From the head of a request over HTTP to the end of its answer."""
        self.commits = Histogram()
        """One transaction of the writer."""
        self.statuses: Counter[int] = Counter()
        """Of answers over HTTP."""
        self.refusals: Counter[str] = Counter()
        """By the word for programs, over HTTP and WebSockets."""

    def text(self, gauges: Iterable[str]) -> str:
        """All of it, with what was looked up now."""
        lines = [
            *counter("hotdice_moves_total", "Rolls and moves that are on disk.", self.moves),
            *gauge("hotdice_connections", "Open WebSockets.", self.connections),
            *self.answers.lines("hotdice_answer_seconds", "From a message over a WebSocket to its answer."),
            *self.requests.lines("hotdice_request_seconds", "From a request over HTTP to the end of its answer."),
            *self.commits.lines("hotdice_commit_seconds", "One transaction of the writer."),
            *labelled("hotdice_requests_total", "counter", "Answers over HTTP.", "status", self.statuses),
            *labelled("hotdice_refusals_total", "counter", "What was refused, by kind.", "kind", self.refusals),
            *gauges,
            *_process(),
        ]
        return "\n".join([*lines, ""])


def counter(name: str, meaning: str, value: float) -> list[str]:
    """One number that only grows."""
    return [*_head(name, "counter", meaning), f"{name} {value}"]


def gauge(name: str, meaning: str, value: float) -> list[str]:
    """One number that goes up and down."""
    return [*_head(name, "gauge", meaning), f"{name} {value}"]


def labelled(
    name: str, kind: str, meaning: str, label: str, values: Mapping[str, int] | Mapping[int, int]
) -> list[str]:
    """A number for each of several things. Their names are the server's own words, which need no quoting."""
    return [*_head(name, kind, meaning), *(f'{name}{{{label}="{key}"}} {value}' for key, value in values.items())]


def _head(name: str, kind: str, meaning: str) -> list[str]:
    return [f"# HELP {name} {meaning}", f"# TYPE {name} {kind}"]


def _process() -> list[str]:
    """What Prometheus' own clients tell of a process, as far as the system says it."""
    lines = counter("process_cpu_seconds_total", "CPU time of the server, without bots.", round(time.process_time(), 3))
    with suppress(OSError, AttributeError):
        pages = int(_STATM.read_text("ascii").split()[1])
        lines += gauge("process_resident_memory_bytes", "Memory in use.", pages * os.sysconf("SC_PAGE_SIZE"))
    with suppress(OSError):
        lines += gauge("process_open_fds", "Open descriptors.", sum(1 for _ in _DESCRIPTORS.iterdir()))
    return lines
