"""What was played, what was best, and what was luck: the account of a game, from its values.

`review` gives a `Report` of a table or a record; a `Review` is the same work, done bit by bit.
"""

from hotdice.review.account import Review, moments, review
from hotdice.review.report import Alternative, EventReport, Moment, Rating, Report, SeatReport

__all__ = ["Alternative", "EventReport", "Moment", "Rating", "Report", "Review", "SeatReport", "moments", "review"]
