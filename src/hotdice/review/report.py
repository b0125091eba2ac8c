"""The account of a game that was played, as data: what everybody did, what was best, and what was luck.

One `Report` is read by all who show it: the text in the terminal, the chart, the page in the browser. Seats, events and
turns count from 0, events as in `Table.events`. All values of a report are in its unit: chances to win, or the points
of a player alone. `docs/review.md` defines every figure.

For every seat `result = start + luck - losses + gifts + remainder`. With exact values the remainder is rounding.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from enum import Enum
from typing import Any, Final

from hotdice.values import Prospect

ROLL, MOVE = "roll", "move"
"""The kinds of events."""
LUCK, CHOICE = "luck", "choice"
"""The kinds of moments."""
BEST, GOOD, DOUBTFUL, BAD, VERY_BAD = QUALITIES = ("best", "good", "doubtful", "bad", "very bad")
"""What a decision can be called. Moves that cannot be told from the best one are best."""
MOMENTS: Final = 3
"""How many moments a report names."""


@dataclass(frozen=True, slots=True)
class Alternative:
    """A legal move with its value to the seat that decided."""

    text: str
    """The move in notation."""
    doing: str
    """The move as something one does, as in “keeping 3 3”; names are filled in."""
    value: float
    """What it is worth, in the unit of the report."""
    error: float
    """How far the value may be off."""
    behind: float
    """What it is worth less than the best move."""
    behind_error: float
    """How far that may be off, which is often less than either value."""
    tied: bool
    """Whether it cannot be told from the best move."""
    prospects: tuple[Prospect, ...] = ()
    """What it leads to in the game's own terms: of the move that was made and of the best one, if they differ."""


@dataclass(frozen=True, slots=True)
class EventReport:
    """A roll or a move, and what it changed. Of what was not judged, all figures are 0 and the values empty."""

    event: int
    """Its number among the events of the game, counted from 0."""
    seat: int
    """The seat that rolled or decided."""
    kind: str
    """`roll` or `move`."""
    turn: int
    """The number of the turn that it belongs to."""
    text: str
    """The roll or the move in notation."""
    told: str
    """What happened, as a sentence."""
    position: str
    """The state in which it happened, in notation."""
    judged: bool = False
    """Whether the values before and after it are known."""
    exact: bool = False
    """Whether both are exact."""
    error: float = 0.0
    """The largest error of these values: a proven bound, or one standard error."""
    before: tuple[float, ...] = ()
    """What the state before it was worth to each seat."""
    after: tuple[float, ...] = ()
    """The same of the state after it."""
    luck: tuple[float, ...] = ()
    """What the roll changed for each seat; 0 for moves."""
    loss: float = 0.0
    """What the move lost against the best one, never less than 0; 0 if it cannot be told from that."""
    loss_error: float = 0.0
    """How far the loss may be off."""
    gifts: tuple[float, ...] = ()
    """What the move gave to each of the other seats, below 0 if it took something from them; 0 for rolls."""
    choices: int = 0
    """How many legal moves there were. With one the move was forced."""
    at_stake: float = 0.0
    """What a random legal move would have lost on average; like `loss`, without what cannot be told from the best."""
    quality: str = ""
    """One of `QUALITIES`; nothing for rolls, forced moves, and what was not judged."""
    best: str = ""
    """The best move in notation; of equal ones, the one that was made."""
    alternatives: tuple[Alternative, ...] = ()
    """The best legal moves and the one that was made, best first; none for rolls and forced moves."""

    @property
    def forced(self) -> bool:
        """Whether it was the only legal move."""
        return self.choices == 1


@dataclass(frozen=True, slots=True)
class Rating:
    """How well somebody decided, as the name of the bot that decides about as well."""

    word: str
    """`beginner`, `casual`, `expert` or `optimal`."""
    sure: float
    """The share of simulated games with this word whose seat such a bot had, all four being equally frequent."""


@dataclass(frozen=True, slots=True)
class SeatReport:
    """The account of one seat."""

    seat: int
    """The seat, counted from 0."""
    name: str
    """The player's name."""
    kind: str
    """`person`, or the kind of bot."""
    start: float
    """What the first state was worth to it."""
    result: float
    """What the game came to; of an unfinished one, the value of its last state."""
    luck: float
    """What all rolls together changed for it, its own and those of the others."""
    losses: float
    """What its own moves lost."""
    gifts: float
    """What the moves of the others gave to it."""
    remainder: float
    """What is left to explain: rounding if values are exact."""
    remainder_error: float
    """How far the remainder can be from zero because values are estimates; 0 if they are exact."""
    luck_adjusted: float
    """The result without luck: `start - losses + gifts`."""
    decisions: int
    """Its moves that were judged and not forced."""
    average_loss: float
    """`losses` for each of the decisions."""
    accuracy: float | None
    """100 if nothing was lost, 0 if as much as by random moves; None if nothing was at stake."""
    qualities: dict[str, int]
    """How many of the decisions were of each quality, all of `QUALITIES`, best first."""
    rating: Rating | None
    """The bot that decides about as well; None if nothing was at stake."""
    points_luck: float | None
    """In games of several players in which everybody collects points alone: its luck in points."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A turn, and what its dice or its choices changed for the seat that had it."""

    first: int
    """The number of its first event among the events of the game, counted from 0."""
    last: int
    """That of its last one."""
    event: int
    """That of the roll or the choice that changed most."""
    seat: int
    """Whose turn it was."""
    told: str
    """What happened in it, as sentences."""
    kind: str
    """`luck` or `choice`."""
    swing: float
    """Of luck, the values of its rolls less the average of all; of choices, their values less those of the best, so
    never more than 0. Where scores are compared, what the seat's score changed by."""
    error: float
    """How far that may be off, the errors of both values together."""
    unit: str
    """What the swing counts: the unit of the report, or `points of the score`."""
    better: str = ""
    """The best move, where another one was made."""


@dataclass(frozen=True, slots=True)
class Report:
    """The account of a whole game."""

    game: str
    """The name of the game."""
    options: str
    """The house rules in canonical text."""
    players: int
    """How many seats there are."""
    unit: str
    """What values count: `win probability` or `points`."""
    finished: bool
    """Whether the game came to its end. If not, its result is the value of its last state."""
    exact: bool
    """Whether all values are exact."""
    error: float
    """The largest error of the values before and after events: a proven bound, or one standard error."""
    done: float
    """The share of the events that are judged: 1, unless it was cut short or some positions have no value."""
    seats: tuple[SeatReport, ...]
    """The account of each seat."""
    events: tuple[EventReport, ...]
    """Every roll and move, in order."""
    moments: tuple[Moment, ...]
    """The turns that mattered most, in the order of play."""

    @property
    def names(self) -> tuple[str, ...]:
        """The players' names by seat."""
        return tuple(seat.name for seat in self.seats)

    def json(self) -> dict[str, Any]:
        """The report as data that JSON has: tables, lists, texts and numbers."""
        return asdict(self, dict_factory=_plain)


def _plain(items: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    return {name: value.value if isinstance(value, Enum) else value for name, value in items}
