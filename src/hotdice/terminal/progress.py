"""A progress bar for what takes longer than a moment."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Timer

from hotdice.terminal.streams import is_tty
from hotdice.values import Progress

MOMENT = 0.7
"""Seconds after which a wait is explained."""


@contextmanager
def waiting(text: str) -> Iterator[Progress]:
    """A progress bar on stderr for what takes longer than a moment; it leaves no trace.

    It swings to and fro, as compiling and rollouts do not say how far they are, until it is told a share.
    """
    if not is_tty(sys.stderr):
        yield lambda done: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    columns = (TextColumn(text), BarColumn(), TextColumn("{task.fields[share]}"))
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None, visible=False, share="")
        late = Timer(MOMENT, lambda: bar.update(task, visible=True))
        late.daemon = True
        late.start()
        try:
            yield lambda done: bar.update(task, total=1.0, completed=done, visible=True, share=f"{done:4.0%}")
        finally:
            late.cancel()
