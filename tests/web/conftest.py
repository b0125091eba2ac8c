"""A browser for these tests, a server for each module of them, and visitors whose pages may not complain."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.server.patience import Patient
from tests.server.running import Running
from tests.services import chromium, installed
from tests.web.browsing import WAIT, Visitor, chromium_browser

Visit = Callable[..., Visitor]
expect.set_options(timeout=WAIT)


@pytest.fixture(scope="package")
def browser(pytestconfig: pytest.Config) -> Iterator[Browser]:
    with chromium_browser(installed(chromium, pytestconfig)) as browser:
        yield browser


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder: Path = tmp_path_factory.mktemp("server")
    with Patient(str(folder / "tables.sqlite"), "--unlimited") as running:
        yield running


@pytest.fixture
def visit(browser: Browser, server: Running) -> Iterator[Visit]:
    """Make visitors; those of a test are gone after it, and must have had nothing to complain about."""
    visitors: list[Visitor] = []

    def come(**wishes: Any) -> Visitor:
        visitors.append(Visitor(browser, server, **wishes))
        return visitors[-1]

    yield come
    for visitor in visitors:
        visitor.close()
