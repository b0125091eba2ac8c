"""Settings that all tests share: Hypothesis draws the same examples each time, without a time limit; those of the
profile `soak` are new each time and more (`python -m tests.soak`).

Nothing is solved in the background unless a test says so. Ctrl-C reaches what tests start, also where the tests
themselves were started in the background by a shell that takes it away from them.

Tests are marked by what they need, so that `make quick` can leave out those that take long to get it: `browser`,
`service` (PostgreSQL or Redis) and `slow` (compiled solvers, a server in a process of its own, a wheel, or a module
that says so).
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

os.environ["HOTDICE_NO_BACKGROUND"] = "1"
signal.signal(signal.SIGINT, signal.default_int_handler)

settings.register_profile(
    "hotdice", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
settings.register_profile("soak", settings.get_profile("hotdice"), derandomize=False, max_examples=1000)
settings.load_profile("hotdice")

TESTS = Path(__file__).parent
SERVICES = {"postgres", "redis", "mortal_postgres", "mortal_redis"}
"""Fixtures that start one."""
STARTERS = {"Running", "fuzz", "subprocess"}
"""What a module has that starts servers."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if isinstance(item, pytest.Function) and item.path.is_relative_to(TESTS):
            for need in needs(item):
                item.add_marker(need)
    items.sort(key=lambda item: item.get_closest_marker("browser") is None)  # no long file is left for the end


def needs(item: pytest.Function) -> Iterator[str]:
    """What a test takes long to get."""
    folder = item.path.relative_to(TESTS).parts[0]
    parameters = item.callspec.params.values() if hasattr(item, "callspec") else ()
    if folder == "web":
        yield "browser"
    if SERVICES & set(item.fixturenames) or "postgresql" in parameters:
        yield "service"
    if folder in ("release", "solve") or (folder in ("server", "compat") and STARTERS & set(vars(item.module))):
        yield "slow"
