"""What learning programs see of a game: numbers in a fixed order, the same for every state.

An `Observation`, named on a game's card, says what they mean and reads them off a state as one seat sees it. A game
without one is described by the fields of its states. Nothing here needs more than the standard library; arrays and
interfaces are in `hotdice.envs`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from enum import Enum
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from hotdice.errors import HotdiceError

if TYPE_CHECKING:
    from hotdice.game import Game, State

    S = TypeVar("S", bound=State)
else:
    S = TypeVar("S")
T = TypeVar("T")

ANY: Final = 2**31 - 1
"""The bound of a number, up and down, of which a game says no more."""


@dataclass(frozen=True, slots=True)
class Entry:
    """Some numbers of an observation that belong together."""

    name: str
    """What the numbers are called."""
    size: int
    """How many numbers they are."""
    low: int
    """The least that is shown; a number below is shown as this."""
    high: int
    """The most that is shown; a number above is shown as this."""
    meaning: str
    """What the numbers mean, as a sentence."""


@dataclass(frozen=True, slots=True)
class Observation(Generic[S]):
    """What a seat sees of a state, as numbers. Players are told in the order of play, beginning with that seat."""

    entries: Callable[[Any, int], tuple[Entry, ...]]
    """What the numbers are, given the options and the number of players."""
    numbers: Callable[[S, int], Sequence[int]]
    """The numbers of a state for a seat, each within the bounds of its entry."""


def from_seat(values: tuple[T, ...], seat: int) -> tuple[T, ...]:
    """What each player has, in the order of play, beginning with a seat."""
    return values[seat:] + values[:seat]


def counts(dice: Sequence[int], faces: Iterable[int]) -> list[int]:
    """How many dice show each face."""
    return [dice.count(face) for face in faces]


def bounded(values: Iterable[int], low: int, high: int) -> list[int]:
    """Numbers, each no lower and no higher than the bounds."""
    return [low if value < low else min(high, value) for value in values]


def observation_of(game: Game) -> Observation[Any]:
    """A game's own observation, or the one that is made of the fields of its states.

    `HotdiceError`, once it is used, if a field is not made of numbers.
    """
    return game.observation or Observation(_entries(game), _numbers)


# Games without an observation of their own


@lru_cache(64)
def _shape(game: Game, options: Any, players: int) -> tuple[tuple[str, str, int], ...]:
    """The fields of a state: their names, what kind of thing they are, and how many numbers that takes."""
    start = game.state.start(options, players)
    found = []
    for field in fields(start):
        name, value = field.name, getattr(start, field.name)
        if name in ("options", "seat", "roller"):
            continue
        if isinstance(value, bool | int | Enum):
            found.append((name, "number", 1))
        elif isinstance(value, tuple) and len(value) == players:
            found.append((name, "seats", len(list(_flat(value)))))
        elif isinstance(value, tuple):
            found.append((name, "dice", len(_faces(game))))
        else:
            raise HotdiceError(
                f"The field {name} of {game.title} is of type {type(value).__name__}, which is not numbers; "
                "give the game's card an observation of its own."
            )
    return tuple(found)


_MEANINGS: Final = {
    "number": "The field `{}` of the state.",
    "seats": "The field `{}` of the state, for each player, one's own first.",
    "dice": "The field `{}` of the state: how many dice show each face, in the order of the dice.",
}


def _entries(game: Game) -> Callable[[Any, int], tuple[Entry, ...]]:
    def entries(options: Any, players: int) -> tuple[Entry, ...]:
        bounds = {"number": (-ANY, ANY), "seats": (-ANY, ANY), "dice": (0, 100)}
        return (
            Entry("own_seat", players, 0, 1, "Which seat is one's own."),
            Entry("to_roll", players, 0, 1, "Whose dice they are, one's own seat first."),
            *(
                Entry(name, size, *bounds[kind], _MEANINGS[kind].format(name))
                for name, kind, size in _shape(game, options, players)
            ),
        )

    return entries


def _numbers(state: State, seat: int) -> Sequence[int]:
    players, game = state.players, state.game
    found = [int(at == seat) for at in range(players)]
    found += [int((seat + step) % players == state.roller) for step in range(players)]
    for name, kind, size in _shape(game, state.options, players):
        value = getattr(state, name)
        match kind:
            case "number":
                found.append(_number(value))
            case "seats":
                own_first = list(_flat(from_seat(value, seat)))
                if len(own_first) != size:
                    raise HotdiceError(
                        f"The field {name} of {game.title} has {len(own_first)} numbers instead of {size} at "
                        f"“{state.position}”; give the game's card an observation of its own."
                    )
                found += own_first
            case _:
                found += counts(value, _faces(game))
    return bounded(found, -ANY, ANY)


def _number(value: Any) -> int:
    if isinstance(value, Enum) and not isinstance(value, int):
        return list(type(value)).index(value)
    return int(value)


def _flat(value: Any) -> Iterator[int]:
    if isinstance(value, tuple):
        yield from chain.from_iterable(map(_flat, value))
    else:
        yield _number(value)


@lru_cache(64)
def _faces(game: Game) -> tuple[int, ...]:
    return tuple(face.code for die in game.dice for face in die.faces)


__all__ = ["Entry", "Observation", "bounded", "counts", "from_seat", "observation_of"]
