"""What was played, what was best, and what was luck: the account of a game, from its values.

`report` has its types, `judging` asks for values and judges events by them, `account` adds it up. `levels` has the
words for losses, fitted by `fit_levels`, and `moments` the turns that mattered.
"""

from hotdice.review.account import Review, moments, review
from hotdice.review.report import Alternative, EventReport, Moment, Rating, Report, SeatReport

__all__ = ["Alternative", "EventReport", "Moment", "Rating", "Report", "Review", "SeatReport", "moments", "review"]
