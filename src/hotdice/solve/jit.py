"""Compiled kernels: numba, imported late, with a cache that notices every change.

Numba's own cache does not see a changed callee in another file. So the cache folder is named by a hash of all
kernel sources and numba's version, and where nothing can be written kernels are compiled anew each time.
Kernels release the interpreter lock; to use several cores, call them from threads on parts of the work.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from pickle import UnpicklingError
from typing import Any, TypeVar, cast

os.environ.setdefault("OMP_WAIT_POLICY", "passive")

import numba
from platformdirs import user_cache_path

F = TypeVar("F", bound=Callable[..., Any])

PACKAGE = Path(__file__).parent.parent
_TROUBLE = (OSError, EOFError, UnpicklingError)


def _fingerprint() -> str:
    """What compiled code depends on: every solver and kernel source, and numba."""
    digest = hashlib.sha256(numba.__version__.encode())
    for path in sorted((*PACKAGE.glob("solve/*.py"), *PACKAGE.glob("games/**/*.py"))):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _cache_folder() -> Path | None:
    folder = user_cache_path("hotdice") / "kernels" / _fingerprint()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return folder if os.access(folder, os.W_OK) else None


_folder = _cache_folder()
if _folder is not None:
    numba.config.CACHE_DIR = str(_folder)  # type: ignore[attr-defined]


def _compiled(function: F, **how: Any) -> F:
    made = numba.njit(cache=_folder is not None, nogil=True, error_model="numpy", **how)(function)
    if _folder is not None:
        _forgive(made._cache)
    return cast(F, made)


def _forgive(cache: Any) -> None:
    """Make do without a compiled kernel that cannot be kept or read: a full disk or a damaged file costs time only."""
    save, load = cache.save_overload, cache.load_overload

    def save_if_possible(signature: Any, data: Any) -> None:
        with suppress(*_TROUBLE):
            save(signature, data)

    def load_if_possible(signature: Any, context: Any) -> Any:
        with suppress(*_TROUBLE):
            return load(signature, context)
        return None

    cache.save_overload, cache.load_overload = save_if_possible, load_if_possible


def kernel(function: F) -> F:
    """Compile a function when it is first called. It must be free of Python objects."""
    return _compiled(function)


def fast_kernel(function: F) -> F:
    """The same for loops over lanes: sums may be reordered, and there are no NaNs, infinities or signed zeros."""
    return _compiled(function, fastmath={"nnan", "ninf", "nsz", "reassoc", "contract"})
