"""The chapter on BJ's dice."""

from strategy.bj.figures import Figures, work
from strategy.bj.page import SUMMARY, charts, page

__all__ = ["SUMMARY", "Figures", "charts", "page", "work"]
