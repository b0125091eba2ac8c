"""What an interface sees of a state: plain frozen data that turns into JSON as it is.

Any text here may hold `{0}`, `{1}`, … for the names of the seats; `named` fills them in. The grids are ready to
print for any game; `board` is the game's own data, for an interface that draws that game specially.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class DieView:
    """A die on the table; `place` is where it lies: `rolled`, `kept` or `cancelled`."""

    die: str
    code: int
    text: str
    name: str
    place: str


@dataclass(frozen=True, slots=True)
class MoveView:
    """A legal move: its notation, what it does in words, and, where the game says it, what it changes as data."""

    text: str
    label: str
    effect: Any = None


@dataclass(frozen=True, slots=True)
class Bar:
    """A grid cell that shows how far along something is."""

    value: int
    of: int


Cell = str | Bar


@dataclass(frozen=True, slots=True)
class Grid:
    """A score sheet. A row or a column that belongs to a seat starts with that seat's `{n}`."""

    head: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a seat ended up; seats that share a place have the same one."""

    seat: int
    place: int
    score: int
    note: str = ""
    amount: int = 0
    """What the seat is owed in the end, in a game that settles up; what it owes is below zero."""


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended."""

    winners: tuple[int, ...]
    reason: str
    standings: tuple[Standing, ...]


@dataclass(frozen=True, slots=True)
class View:
    """Everything there is to show of a state."""

    game: str
    options: str
    position: str
    players: int
    seat: int
    roller: int
    prompt: str
    scores: tuple[int, ...]
    dice: tuple[DieView, ...]
    moves: tuple[MoveView, ...]
    grids: tuple[Grid, ...]
    board: Any
    result: Result | None

    def as_json(self) -> dict[str, Any]:
        """The same as dictionaries, lists, texts and numbers."""
        return asdict(self)


def named(text: str, names: Sequence[str]) -> str:
    """A text with the seats' names filled in."""
    return text.format(*names)


def rank(scores: Sequence[int], winners: Sequence[int] = (), notes: Sequence[str] = ()) -> tuple[Standing, ...]:
    """Standings by score, best first. If there are `winners`, they take the first place, whatever the others have."""
    order = sorted(range(len(scores)), key=lambda seat: (seat not in winners, -scores[seat], seat))
    standings: list[Standing] = []
    for position, seat in enumerate(order):
        place = position + 1
        if standings:
            last = standings[-1]
            tied = seat in winners if last.seat in winners else scores[seat] == last.score
            place = last.place if tied else place
        standings.append(Standing(seat, place, scores[seat], notes[seat] if notes else ""))
    return tuple(standings)
