"""The chapter on Rollers."""

from strategy.rollers.figures import Figures, work
from strategy.rollers.page import SUMMARY, charts, page

__all__ = ["SUMMARY", "Figures", "charts", "page", "work"]
