"""`hotdice` alone and `hotdice serve`: the app for a household, and the server for anybody."""

from __future__ import annotations

from collections.abc import Sequence

from hotdice.errors import HotdiceError
from hotdice.terminal.saves import folder


def welcome(host: str, port: int, *, browser: bool, https: bool) -> None:
    """Run the app for this household and open it."""
    try:
        from hotdice.server import run
        from hotdice.server.app import Settings
    except ImportError as error:
        instead = "“hotdice play” plays in the terminal without it"
        raise HotdiceError(f"The app needs {error.name}: pip install 'hotdice[server]'; {instead}.") from None
    settings = Settings(str(run.data_file()), book=True, household=True, saves=folder())
    run.welcome(settings, host, port, browser=browser, https=https)


def serve(
    host: str, port: int, *, database: str, database_timeout: int, redis: str, origins: Sequence[str], proxy: str,
    unlimited: bool, believe_clock: bool, https: bool, metrics: Sequence[str], access_log: str, names: str,
    keep_addresses: int, book: bool,
) -> None:  # fmt: skip
    """Run the server; without a database of its own it keeps tables where the app does."""
    try:
        from hotdice.server import run
        from hotdice.server.app import Settings
        from hotdice.server.limits import UNLIMITED, Limits
    except ImportError as error:
        raise HotdiceError(f"The server needs {error.name}: pip install 'hotdice[server]'.") from None
    kept = database or str(run.data_file())
    limits = UNLIMITED if unlimited else Limits()
    settings = Settings(
        kept,
        redis=redis,
        database_timeout=database_timeout,
        origins=tuple(origins),
        limits=limits,
        believe_clock=believe_clock,
        metrics=tuple(metrics),
        access_log=access_log,
        names=names,
        keep_addresses=keep_addresses,
        book=book,
    )
    run.serve(settings, host, port, proxy, https=https)
