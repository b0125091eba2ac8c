"""What several tests of solvers share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from hotdice.solve import store


@pytest.fixture(scope="module")
def own_tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A table cache of the module's own."""
    folder = tmp_path_factory.mktemp("tables")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store, "folder", lambda: Path(folder))
        yield
