"""The chapter on KOR."""

from strategy.kor.figures import Figures, work
from strategy.kor.page import SUMMARY, charts, page

__all__ = ["SUMMARY", "Figures", "charts", "page", "work"]
