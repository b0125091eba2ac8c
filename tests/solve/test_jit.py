"""Compiled kernels work wherever they can or cannot be kept, and are never those of other sources."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numba.core.caching import IndexDataCacheFile

from hotdice.solve import rollouts
from hotdice.solve.jit import fast_kernel, kernel
from hotdice.solve.sources import fingerprint

UNIFORM: Any = rollouts.uniform
"""A kernel of this package; `UNIFORM.py_func` is the function that it is made from."""


def uniform(make: Any) -> float:
    """The kernel made anew, and called."""
    return float(make(UNIFORM.py_func)(np.uint64(1234567), 0))


def test_a_full_disk_means_compiling_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    tried = []

    def full(self: Any, key: Any, data: Any) -> None:
        tried.append(key)
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(IndexDataCacheFile, "load", lambda self, key: None)
    monkeypatch.setattr(IndexDataCacheFile, "save", full)
    expected = UNIFORM.py_func(np.uint64(1234567), 0)
    assert uniform(kernel) == expected
    assert uniform(fast_kernel) == expected
    assert tried


def test_a_damaged_file_means_compiling_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    damaged = tmp_path / "damaged.nbi"
    for content in (b"", b"\x80\x05no pickle"):
        damaged.write_bytes(content)
        made: Any = kernel(UNIFORM.py_func)
        monkeypatch.setattr(made._cache._cache_file, "_index_path", str(damaged))
        assert made(np.uint64(1234567), 0) == UNIFORM.py_func(np.uint64(1234567), 0)


def test_kernels_are_kept_by_what_they_are_made_from() -> None:
    assert fingerprint(rollouts.__name__) in Path(UNIFORM._cache.cache_path).parent.name


CALLEE = "from hotdice.solve.jit import kernel\n\nWORTH = {worth}\n\n@kernel\ndef worth():\n    return WORTH\n"
CALLER = (
    "from hotdice.solve.jit import kernel\nfrom elsewhere.callee import WORTH, worth\n\n"
    "@kernel\ndef both():\n    return 100 * WORTH + worth()\n\nprint(both())\n"
)


def test_kernels_of_another_package_are_never_stale(tmp_path: Path) -> None:
    """A callee and a constant change in one file; the file of the kernel that uses them does not."""
    package = tmp_path / "elsewhere"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "caller.py").write_text(CALLER)
    environment = {**os.environ, "PYTHONPATH": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"}
    for worth in (1, 2):
        (package / "callee.py").write_text(CALLEE.format(worth=worth))
        command = [sys.executable, "-m", "elsewhere.caller"]
        run = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        assert int(run.stdout) == 101 * worth
