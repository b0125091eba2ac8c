"""What the tests of the server share: the databases, and one server that most tests can play at."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.patience import Patient
from tests.server.running import Running
from tests.services import PostgresServer, RedisServer, postgres, redis, serving

__all__ = ["postgres", "redis"]


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server on SQLite without limits for one address; each test sets up tables of its own."""
    folder: Path = tmp_path_factory.mktemp("server")
    with Patient(str(folder / "tables.sqlite"), "--unlimited") as running:
        yield running


@pytest.fixture(scope="module")
def mortal_postgres(pytestconfig: pytest.Config) -> Iterator[PostgresServer]:
    """One that may be killed or stopped."""
    with serving(PostgresServer(), pytestconfig) as server:
        yield server


@pytest.fixture(scope="module")
def mortal_redis(pytestconfig: pytest.Config) -> Iterator[RedisServer]:
    """Likewise."""
    with serving(RedisServer(), pytestconfig) as server:
        yield server
