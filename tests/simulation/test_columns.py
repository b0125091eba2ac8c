"""Columns of simulated games in other libraries' tables: the same memory, where these can take it as it is."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import hotdice


@pytest.fixture(scope="module")
def columns() -> dict[str, Any]:
    games = hotdice.simulate("pig", ["greedy", "hold:25"], games=40, seed=1, options={"target": 30}, jobs=1)
    return dict(games.columns)


def test_arrow_takes_them_as_they_are(columns: dict[str, Any]) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.table(columns)
    assert table.column_names == list(columns)
    for name, column in columns.items():
        assert table[name].chunk(0).buffers()[1].address == column.ctypes.data, name


def test_pandas_takes_them_as_they_are(columns: dict[str, Any]) -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(columns, copy=False)
    for name, column in columns.items():
        assert np.shares_memory(frame[name].to_numpy(), column), name


def test_polars_takes_them_as_they_are_by_way_of_arrow(columns: dict[str, Any]) -> None:
    polars, pyarrow = pytest.importorskip("polars"), pytest.importorskip("pyarrow")
    frame = polars.from_arrow(pyarrow.table(columns))
    for name, column in columns.items():
        assert np.shares_memory(frame[name].to_numpy(), column), name
    assert polars.DataFrame(columns).equals(frame)
