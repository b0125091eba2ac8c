"""Compiled kernels work wherever they can or cannot be kept."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Any

import pytest
from numba.core.caching import IndexDataCacheFile

from hotdice.solve.jit import fast_kernel, kernel


def add(one: int, other: int) -> int:
    return one + other


def test_a_full_disk_means_compiling_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(self: Any, key: Any, data: Any) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(IndexDataCacheFile, "save", full)
    assert kernel(add)(2, 3) == 5
    assert fast_kernel(add)(2, 3) == 5


def test_a_damaged_file_means_compiling_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    damaged = tmp_path / "damaged.nbi"
    for content in (b"", b"\x80\x05no pickle"):
        damaged.write_bytes(content)
        made: Any = kernel(add)
        monkeypatch.setattr(made._cache._cache_file, "_index_path", str(damaged))
        assert made(2, 3) == 5
