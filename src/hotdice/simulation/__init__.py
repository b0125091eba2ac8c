"""Many games: simulation, tournaments, and what they come to. Needs the extra `[solve]`."""

from hotdice.simulation.results import Simulated, simulate
from hotdice.simulation.tally import Interval

__all__ = ["Interval", "Simulated", "simulate"]
