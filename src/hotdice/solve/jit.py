"""Compiled kernels: numba, imported late, with a cache that notices every change.

Numba's own cache does not see a changed callee or constant in another file. So kernels are kept only if their source
is in this package, in a folder that is named by the fingerprint of their module (`sources`) and by numba's version: a
new release compiles only what changed. All other kernels, such as those of a game from another package, are compiled
anew by each process; so are all where nothing can be written.
Kernels release the interpreter lock; to use several cores, call them from threads on parts of the work.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from pickle import UnpicklingError
from typing import Any, Final, TypeVar, cast

os.environ.setdefault("OMP_WAIT_POLICY", "passive")

import numba
from platformdirs import user_cache_path

from hotdice.solve.sources import fingerprint

F = TypeVar("F", bound=Callable[..., Any])

PACKAGE: Final = Path(__file__).parent.parent
_CACHE_ERRORS: Final = (OSError, EOFError, UnpicklingError)


@cache
def _cache_folder(module: str) -> Path | None:
    """Where the kernels of a module are kept, made if need be; nothing where that cannot be."""
    folder = user_cache_path("hotdice") / "kernels" / f"{module}-{fingerprint(module)}-{numba.__version__}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return folder if os.access(folder, os.W_OK) else None


def _compiled(function: F, **options: Any) -> F:
    own = Path(function.__code__.co_filename).is_relative_to(PACKAGE)
    folder = _cache_folder(function.__module__) if own else None
    if folder is not None:
        numba.config.CACHE_DIR = str(folder)  # type: ignore[attr-defined]
    made = numba.njit(cache=folder is not None, nogil=True, error_model="numpy", **options)(function)
    if folder is not None:
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
