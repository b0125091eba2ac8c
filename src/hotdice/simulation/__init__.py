"""Many games: simulation, tournaments, and what they come to. Needs the extra `[solve]`."""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from hotdice.simulation.results import Simulated, simulate
    from hotdice.simulation.tally import Interval
    from hotdice.simulation.tournament import Outcome, play_tournament

__all__ = ["Interval", "Outcome", "Simulated", "play_tournament", "simulate"]

_HOMES: Final = {
    "Interval": "tally", "Outcome": "tournament", "Simulated": "results", "play_tournament": "tournament",
    "simulate": "results",
}  # fmt: skip


def __getattr__(name: str) -> Any:
    """What is public here, imported when it is asked for: some modules below need neither numpy nor numba."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
