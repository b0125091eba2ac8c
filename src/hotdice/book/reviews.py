"""What the book keeps of the review of a game."""

from __future__ import annotations

from typing import Final

from hotdice.book.played import GameReview, SeatReview
from hotdice.review.report import Report

VERSION: Final = 1
"""Of these figures; those of an earlier version are worked out anew."""


def kept(report: Report) -> GameReview:
    """The figures of a review: nothing of a seat if not the whole game could be judged."""
    whole = report.done >= 1
    seats = (
        SeatReview(seat.accuracy, seat.decisions, seat.losses, seat.luck, seat.remainder_error)
        for seat in report.seats
        if whole
    )
    return GameReview(VERSION, report.unit, tuple(seats))
