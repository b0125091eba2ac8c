"""Many games: simulation, tournaments, and what they come to. Needs the extra `[solve]`."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hotdice.simulation.results import Simulated, simulate
    from hotdice.simulation.tally import Interval

__all__ = ["Interval", "Simulated", "simulate"]


def __getattr__(name: str) -> Any:
    """What is public here, imported when it is asked for: some modules below need neither numpy nor numba."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from hotdice.simulation import results, tally

    return getattr(tally if name == "Interval" else results, name)
