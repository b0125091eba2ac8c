"""A position to practise on, with the value of every move, so that an answer can be judged without solving anything.

It is a turn up to a choice: the position in which the turn began and what happened since, as a board shows more of a
turn than its last state knows. `docs/practice.md` defines every figure.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from math import floor
from typing import Any, Final

from hotdice.dice import ManualDice
from hotdice.errors import HotdiceError, ParseError
from hotdice.game import Game, Move, State
from hotdice.games import parse_position
from hotdice.players import free_name
from hotdice.players.levels import LOSSES, noise_of, noisy_chances
from hotdice.table import Event, Moved, Rolled, Seat, Table, apply_event
from hotdice.values import Evaluation, Unit, Valued

GRADES: Final = ("easy", "medium", "hard", "very hard")
"""How hard a card is, by how many levels of bots miss it."""
LEVELS: Final = tuple(reversed(LOSSES))
"""The levels of bots that a card is graded by, from the weakest."""
MISSED: Final = 0.25
"""A level misses a card if it takes a wrong move at least so often."""
FULL: Final = 100
"""The points of a right answer."""
DECIMALS: Final = {Unit.POINTS: 5}
"""To how many decimals values are kept; those that are not in points to 8."""
_ROLLS: Final = "rolls "


class NoCard(HotdiceError):
    """Something that is no card, or a card that is not there."""


@dataclass(frozen=True, slots=True)
class Miss:
    """How a level of bots does at a card."""

    level: str
    chance: float
    """How often it takes a wrong move."""
    loss: float
    """What it loses on average, its right moves counted."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a move on a card is worth."""

    move: Move
    right: bool
    """Whether it is as good as the best."""
    loss: float
    """What it is worth less than the best, in the card's unit; 0 if it is right."""
    points: int
    """From 0, if it loses as much as a random move does on average or more, to 100."""


@dataclass(frozen=True)
class Card:
    """A turn up to a choice, and what every move there is worth."""

    start: str
    """The position in which the turn began."""
    events: tuple[str, ...]
    """What happened since: moves in notation, and rolls after the word `rolls`."""
    unit: Unit
    values: tuple[float, ...]
    """What each legal move is worth to whoever decides, in the state's own order."""
    right: tuple[int, ...]
    """Which of them are right: the best, and those that cannot be told from it."""
    exact: bool
    error: float
    """How far a value may be off."""
    misses: tuple[Miss, ...]
    """How the levels do, the weakest first."""
    phase: str = ""
    """Where in its game it comes from: `early`, `middle` or `late`."""
    played: str = ""
    """The wrong move that was made there, if it is a mistake of somebody's own."""

    @cached_property
    def id(self) -> str:
        """Its name: the same for the same turn."""
        return sha256("\n".join((self.start, *self.events)).encode()).hexdigest()[:12]

    @property
    def grade(self) -> int:
        """How many levels miss it."""
        return sum(miss.chance >= MISSED for miss in self.misses)

    @cached_property
    def game(self) -> Game:
        return parse_position(self.start).game

    @cached_property
    def state(self) -> State:
        """The state in which the choice is made."""
        return self.table().state

    def table(self, you: str = "You") -> Table:
        """A table at which the turn has been played up to the choice, which is `you`'s."""
        start = parse_position(self.start)
        events, chooser = self._read(start)
        names = [you]
        while len(names) < start.players:
            names.append(free_name(names))
        seats = [Seat(name) for name in (*names[1 : chooser + 1], names[0], *names[chooser + 1 :])]
        table = Table(start, seats, ManualDice())
        for event in events:
            table.repeat(event)
        return table

    def _read(self, state: State) -> tuple[list[Event], int]:
        """What happened, and the seat that is to choose."""
        events: list[Event] = []
        for text in self.events:
            if text.startswith(_ROLLS):
                events.append(Rolled(state.roller, state.parse_roll(text.removeprefix(_ROLLS))))
            else:
                events.append(Moved(state.seat, state.parse_move(text)))
            state = apply_event(state, events[-1])
        return events, state.seat

    @cached_property
    def evaluation(self) -> Evaluation:
        """Every legal move with its value, the right ones first."""
        moves, best = self.state.legal_moves(), max(self.values)
        order = sorted(range(len(moves)), key=lambda at: (at not in self.right, -self.values[at]))

        def line(at: int) -> Valued:
            gap = 0.0 if at == order[0] else 2 * self.error
            return Valued(moves[at], self.values[at], self.error, best - self.values[at], gap, at in self.right)

        lines = tuple(map(line, order))
        return Evaluation(self.unit, self.state.seat, lines, lines[0].value, self.error, self.exact)

    def answer(self, text: str) -> Answer:
        """What a move in notation is worth here; an error that says why if it is not one, or not legal."""
        move = self.state.parse_move(text)
        if move not in self.state.legal_moves():
            raise self.state.illegal(move)
        return self.judge(move)

    def judge(self, move: Move) -> Answer:
        """What a legal move is worth here."""
        at = self.state.legal_moves().index(move)
        return Answer(move, at in self.right, self._losses[at], self._points(at))

    def _points(self, at: int) -> int:
        """The points of the move of that number."""
        if at in self.right:
            return FULL
        share = self._losses[at] / self.at_stake
        return max(0, min(FULL - 1, floor(FULL * (1 - share) + 1e-9)))

    @property
    def at_stake(self) -> float:
        """What a random legal move loses on average."""
        return sum(self._losses) / len(self._losses)

    @property
    def _losses(self) -> list[float]:
        """What each legal move loses; nothing if it is right."""
        best = max(self.values)
        return [0.0 if at in self.right else best - value for at, value in enumerate(self.values)]

    # As text

    def as_json(self) -> dict[str, Any]:
        """The card as plain data; what is not said is as usual."""
        shown: dict[str, Any] = {
            "start": self.start,
            "events": list(self.events),
            "unit": self.unit.value,
            "values": list(self.values),
            "right": list(self.right),
            "exact": self.exact,
            "error": self.error,
            "misses": {miss.level: [miss.chance, miss.loss] for miss in self.misses},
        }
        return shown | {name: text for name in ("phase", "played") if (text := getattr(self, name))}

    @classmethod
    def from_json(cls, shown: Any) -> Card:
        """The card from what `as_json` gives; `NoCard` if it is not that."""
        try:
            misses = tuple(Miss(level, *map(float, found)) for level, found in shown["misses"].items())
            card = cls(
                str(shown["start"]), tuple(map(str, shown["events"])), Unit(shown["unit"]),
                tuple(map(float, shown["values"])), tuple(map(int, shown["right"])), bool(shown["exact"]),
                float(shown["error"]), misses, shown.get("phase", ""), shown.get("played", ""),
            )  # fmt: skip
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise NoCard(f"This is no card for practice: {error!r}.") from None
        return card

    @classmethod
    def from_text(cls, text: str) -> Card:
        """The card from one line of JSON."""
        try:
            return cls.from_json(json.loads(text))
        except ValueError as error:
            raise NoCard(f"This is no card for practice: {error}.") from None

    @property
    def text(self) -> str:
        """The card as one line of JSON."""
        return json.dumps(self.as_json(), separators=(",", ":"))


def card_of(table: Table, first: int, index: int, evaluation: Evaluation, *, phase: str = "", played: str = "") -> Card:
    """The card of a choice in a game that was played: event number `index`, in a turn that began with `first`."""
    state, unit = table.before(index), evaluation.unit
    lines = {line.action: line for line in evaluation.lines}
    ordered = [lines[move] for move in state.legal_moves()]
    decimals = DECIMALS.get(unit, 8)
    error = max(line.error for line in ordered) + 10.0**-decimals
    error = float(f"{1.05 * error:.2g}")  # rounded, but not below what it is
    return Card(
        table.before(first).position,
        tuple(_event_text(table, at) for at in range(first, index)),
        unit,
        tuple(round(line.value, decimals) for line in ordered),
        tuple(at for at, line in enumerate(ordered) if line.alike),
        evaluation.exact,
        error,
        misses_of(ordered, state, unit),
        phase,
        played,
    )


def _event_text(table: Table, at: int) -> str:
    event = table.event(at)
    return event.move.text if isinstance(event, Moved) else f"{_ROLLS}{table.game.roll_text(event.roll)}"


def misses_of(lines: Sequence[Valued], state: State, unit: Unit) -> tuple[Miss, ...]:
    """How often each level takes a wrong move here, and what it loses: exactly, by the noise that it chooses with."""
    found = []
    losses = [0.0 if line.alike else line.behind for line in lines]
    for level in LEVELS:
        chances = noisy_chances([line.behind for line in lines], noise_of(level, state.game, state.players, unit))
        missed = sum(chance for chance, line in zip(chances, lines, strict=True) if not line.alike)
        loss = sum(chance * loss for chance, loss in zip(chances, losses, strict=True))
        found.append(Miss(level, float(f"{missed:.4g}"), float(f"{loss:.4g}")))
    return tuple(found)


def grade_named(text: str) -> int:
    """The grade of that name."""
    wanted = text.strip().lower().replace("_", " ").replace("-", " ")
    if wanted not in GRADES:
        raise ParseError(f"“{text}” is no difficulty; there are easy, medium, hard and very-hard.")
    return GRADES.index(wanted)
