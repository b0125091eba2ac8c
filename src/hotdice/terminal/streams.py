"""The standard streams: what they can take, and what to do with what they cannot.

A character that an encoding does not know, a stream that is closed or a pipe whose reader has left must not end the
program with a traceback.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

_ASCII: Final = str.maketrans(
    {"“": '"', "”": '"', "’": "'", "–": "-", "−": "-", "—": "-", "…": "...", "×": "x", "·": "-", "▸": ">", "±": "+/-"}
    | {"█": "#"}
    | dict.fromkeys("▏▎▍▌▋▊▉")
)


def plain(text: str) -> str:
    """A text with typewriter quotes, dashes and dots."""
    return text.translate(_ASCII)


def is_tty(stream: object) -> bool:
    """Whether a stream is a terminal."""
    try:
        return bool(stream is not None and stream.isatty())  # type: ignore[attr-defined]
    except (AttributeError, ValueError):
        return False


def is_utf8(stream: object) -> bool:
    """Whether a stream takes every character."""
    return (getattr(stream, "encoding", None) or "").lower().replace("_", "-") in ("utf-8", "utf8")


def prepare_streams() -> None:
    """Have characters replaced that an encoding does not know; send output nowhere if it is closed, else lose none."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115
    elif isinstance(getattr(sys.stdout, "buffer", None), io.RawIOBase):
        # PYTHONUNBUFFERED: Python drops the rest of what it writes when a signal comes in between.
        number, encoding = sys.stdout.fileno(), sys.stdout.encoding
        sys.stdout = open(number, "w", 1, encoding, "replace", closefd=False)  # noqa: SIM115


def silence_stdout() -> None:
    """Send what is still to be written nowhere, so that nothing complains on the way out that nobody reads it."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


@contextmanager
def if_heard() -> Iterator[None]:
    """While this is entered, something is said that nobody may be left to hear."""
    try:
        yield
    except OSError:
        silence_stdout()


def complain(message: str) -> None:
    """Say in one line on stderr what went wrong."""
    line = " ".join(message.split())
    with suppress(OSError):  # nobody may be left to hear it
        print(line if is_utf8(sys.stderr) else plain(line), file=sys.stderr)
