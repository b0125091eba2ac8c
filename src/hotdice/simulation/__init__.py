"""Many games: simulation, tournaments, and what they come to. Needs the extra `[solve]`.

`plan` says what is played, `engine` plays it by states and a game's own simulator compiled, `runs` divides it among
threads and processes, `tally` adds it up, `results` has it as columns, `tournament` plays everybody against everybody.
"""

from hotdice.simulation.results import Simulated, simulate
from hotdice.simulation.tally import Interval

__all__ = ["Interval", "Simulated", "simulate"]
