"""Compiled kernels: numba, imported late, with a cache that notices every change.

Numba's own cache does not see a changed callee or constant in another file. So kernels are kept only if their source
is one of `SOURCES`, in a folder that is named by a hash of all of these and of numba's version. All other kernels, such
as those of a game from another package, are compiled anew by each process; so are all where nothing can be written.
Kernels release the interpreter lock; to use several cores, call them from threads on parts of the work.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from pickle import UnpicklingError
from typing import Any, Final, TypeVar, cast

os.environ.setdefault("OMP_WAIT_POLICY", "passive")

import numba
from platformdirs import user_cache_path

F = TypeVar("F", bound=Callable[..., Any])

PACKAGE: Final = Path(__file__).parent.parent
SOURCES: Final = frozenset(path for folder in ("games", "solve") for path in (PACKAGE / folder).rglob("*.py"))
"""Where the kernels of this package are, and all that they are compiled from."""
_CACHE_ERRORS: Final = (OSError, EOFError, UnpicklingError)


def _fingerprint() -> str:
    """What compiled code depends on: every source, and numba."""
    digest = hashlib.sha256(numba.__version__.encode())
    for path in sorted(SOURCES):
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


def _compiled(function: F, **options: Any) -> F:
    kept = _folder is not None and Path(function.__code__.co_filename) in SOURCES
    made = numba.njit(cache=kept, nogil=True, error_model="numpy", **options)(function)
    if kept:
        _ignore_cache_errors(made._cache)
    return cast(F, made)


def _ignore_cache_errors(cache: Any) -> None:
    """Do without a compiled kernel that cannot be kept or read: a full disk or a damaged file costs time only."""
    save, load = cache.save_overload, cache.load_overload

    def save_if_possible(signature: Any, data: Any) -> None:
        with suppress(*_CACHE_ERRORS):
            save(signature, data)

    def load_if_possible(signature: Any, context: Any) -> Any:
        with suppress(*_CACHE_ERRORS):
            return load(signature, context)
        return None

    cache.save_overload, cache.load_overload = save_if_possible, load_if_possible


def kernel(function: F) -> F:
    """Compile a function when it is first called. It must be free of Python objects."""
    return _compiled(function)


def fast_kernel(function: F) -> F:
    """The same for loops over lanes: sums may be reordered, and there are no NaNs, infinities or signed zeros."""
    return _compiled(function, fastmath={"nnan", "ninf", "nsz", "reassoc", "contract"})
