"""The review of a game that is over, as clients get it, worked out in a process of its own."""

from __future__ import annotations

import gzip
from typing import Final

from msgspec import Struct
from msgspec.json import Decoder

from hotdice.record import parse_record
from hotdice.review import Report, review
from hotdice.server import wire
from hotdice.values import Progress

PACKING: Final = 5
"""How hard gzip tries: a report of a megabyte is a twentieth of that after some milliseconds."""


class Reviewed(Struct, frozen=True):
    """The account of a game that is over. If it is not `ready`, ask again in a moment."""

    ready: bool
    share: float | None = None
    """How far it is, if that is known: first of solving the game, then of judging what was played."""
    report: Report | None = None


class _Ready(Struct):
    report: Report


_reports: Final = Decoder(_Ready)


def packed_review(record: str, progress: Progress) -> bytes:
    """The review of a recorded game: a `Reviewed` as gzipped JSON."""
    found = Reviewed(True, None, review(parse_record(record), progress))
    return gzip.compress(wire.encoded(found), PACKING, mtime=0)


def unpacked_report(packed: bytes) -> Report:
    """The report in a review that is ready."""
    return _reports.decode(gzip.decompress(packed)).report
