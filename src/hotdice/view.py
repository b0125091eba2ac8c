"""What an interface sees of a state: plain frozen data that turns into JSON as it is.

Any text here may hold `{0}`, `{1}`, … for the names of the seats; `named` fills them in. `{0|You}` is a name that is
said as “You” to whoever sits there, and `{0:rolls|roll}` the verb that goes with it; `who` and `verb` write them. The
grids are ready to print for any game; `board` is the game's own data, for an interface that draws that game specially.
"""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from dataclasses import asdict
from functools import lru_cache
from typing import Any, Final

from hotdice.frozen import frozen
from hotdice.notation import listed


@frozen
class DieView:
    """A die on the table; `place` is where it lies: `rolled`, `kept` or `cancelled`."""

    die: str
    """The kind of die."""
    code: int
    """The face that it shows, as rolls have it."""
    text: str
    """The face in notation."""
    name: str
    """The face in words."""
    place: str
    """Where it lies."""


@frozen
class MoveView:
    """A legal move: its notation, what it does in words, and, where the game says it, what it changes as data."""

    text: str
    """The move in notation."""
    label: str
    """What it does, as a sentence after the player's name."""
    effect: Any = None
    """What it changes, as data of the game's own, where the game says it."""


@frozen
class Bar:
    """A grid cell that shows how far along something is."""

    value: int
    """How far it is."""
    of: int
    """How far it is to go in all."""


Cell = str | Bar
"""What stands in a grid."""


@frozen
class Grid:
    """A score sheet. A row or a column that belongs to a seat starts with that seat's `{n}`."""

    head: tuple[str, ...]
    """The titles of the columns."""
    rows: tuple[tuple[Cell, ...], ...]
    """The cells, row by row: texts, or bars that show how far along something is."""


@frozen
class Standing:
    """Where a seat ended up; seats that share a place have the same one."""

    seat: int
    """The seat, counted from 0."""
    place: int
    """Its place, counted from 1."""
    score: int
    """Its score."""
    note: str = ""
    """What else there is to say of it, such as its chips."""
    amount: int = 0
    """What the seat is owed in the end, in a game that settles up; what it owes is below zero."""


@frozen
class Result:
    """How a game ended."""

    winners: tuple[int, ...]
    """The seats that have won; several share a win."""
    reason: str
    """Why, as a sentence."""
    standings: tuple[Standing, ...]
    """Where everybody ended up, the best first."""
    settlement: str = ""
    """Who owes whom what, as a sentence, in a game that settles up."""

    @property
    def sentences(self) -> str:
        """Why, and who owes whom what."""
        return f"{self.reason} {self.settlement}".rstrip()


@frozen
class View:
    """Everything there is to show of a state."""

    game: str
    """The game's name."""
    options: str
    """The house rules in canonical text."""
    position: str
    """The state as one line of text."""
    players: int
    """How many seats there are."""
    seat: int
    """Whose decision it is: a seat counted from 0, or -1 for chance, -2 if the game is over."""
    roller: int
    """Whose dice they are."""
    prompt: str
    """What is to happen now, as one sentence."""
    scores: tuple[int, ...]
    """Each seat's score as it stands."""
    dice: tuple[DieView, ...]
    """The dice on the table, where the state knows them."""
    moves: tuple[MoveView, ...]
    """The legal moves."""
    grids: tuple[Grid, ...]
    """The score sheets."""
    board: Any
    """The game's own data for an interface that draws it specially."""
    result: Result | None
    """How the game ended, once it is over."""

    def as_json(self) -> dict[str, Any]:
        """The same as dictionaries, lists, texts and numbers."""
        return asdict(self)


_MARK: Final = re.compile(r"\{\{(\d+)(?::([^{}|]*))?(?:\|([^{}]*))?\}\}")
"""A name or a verb in a text in which all braces are doubled."""


def who(seat: int, you: str = "You") -> str:
    """A seat's name in a sentence; to whoever sits there it is said as “you”."""
    return f"{{{seat}|{you}}}"


def verb(seat: int, others: str, you: str) -> str:
    """What a seat does: “rolls”, said of others, and “roll”, said to whoever sits there."""
    return f"{{{seat}:{others}|{you}}}"


def wins(winners: Sequence[int]) -> str:
    """That somebody wins, or that several share the win, as a sentence for `named`."""
    if len(winners) == 1:
        return f"{who(winners[0])} {verb(winners[0], 'wins', 'win')}!"
    return f"{listed(f'{{{seat}}}' for seat in winners)} share the win!"


def named(text: str, names: Sequence[str], you: int | None = None) -> str:
    """A text with the seats' names filled in, as it is told to everybody, or to the seat `you`."""
    everybody, own = _patterns(text)
    return (everybody if you is None else own.get(you, everybody)).format(*names)


def spoken_to(text: str) -> Set[int]:
    """The seats to which a text speaks in words of their own."""
    return _patterns(text)[1].keys()


@lru_cache(4096)
def _patterns(text: str) -> tuple[str, dict[int, str]]:
    """A text as `format` takes it with the names: as it is told to everybody, and by seat as it is told to those to
    whom it speaks in words of their own. Tables say the same again and again, about other names."""
    start, *parts = _MARK.split(text.replace("{", "{{").replace("}", "}}"))
    marks = tuple(zip(map(int, parts[::4]), parts[1::4], parts[2::4], parts[3::4], strict=True))

    def pattern(you: int | None) -> str:
        said = start
        for seat, others, own, rest in marks:
            word = own if seat == you and own is not None else f"{{{seat}}}" if others is None else others
            said += word + rest
        return said

    spoken = dict.fromkeys(seat for seat, _, own, _ in marks if own is not None)
    return pattern(None), {seat: pattern(seat) for seat in spoken}


def rank(
    scores: Sequence[int], winners: Sequence[int] = (), notes: Sequence[str] = (), amounts: Sequence[int] = ()
) -> tuple[Standing, ...]:
    """Standings by score, best first. If there are `winners`, they take the first place, whatever the others have.

    `notes` and `amounts`, by seat, go into the standings.

    >>> from hotdice.view import rank
    >>> [(one.seat, one.place) for one in rank([30, 50, 30])]
    [(1, 1), (0, 2), (2, 2)]
    """
    order = sorted(range(len(scores)), key=lambda seat: (seat not in winners, -scores[seat], seat))
    standings: list[Standing] = []
    for position, seat in enumerate(order):
        place = position + 1
        if standings:
            last = standings[-1]
            tied = seat in winners if last.seat in winners else scores[seat] == last.score
            place = last.place if tied else place
        note, amount = notes[seat] if notes else "", amounts[seat] if amounts else 0
        standings.append(Standing(seat, place, scores[seat], note, amount))
    return tuple(standings)


__all__ = [
    "Bar",
    "Cell",
    "DieView",
    "Grid",
    "MoveView",
    "Result",
    "Standing",
    "View",
    "named",
    "rank",
    "verb",
    "who",
    "wins",
]
