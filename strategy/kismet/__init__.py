"""The chapter on Kismet."""

from strategy.kismet.figures import Figures, work
from strategy.kismet.page import SUMMARY, charts, page

__all__ = ["SUMMARY", "Figures", "charts", "page", "work"]
