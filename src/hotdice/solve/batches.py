"""Whole games by the thousand: what a game's simulator fills, and the random numbers that decide them.

Every game of a batch has a number, and everything that is left to chance in it follows from the seed and that number:
the dice from the seat that rolls, the number of its turn and the roll within the turn; what a player leaves to chance
from the seat and the number of its decision. So the same seed gives the same games however they are divided among
threads, processes and machines, and two ways of playing meet the same dice for as long as they act alike.
A `Simulator` plays such games compiled. `hotdice.simulation` plays them by any game's own states, event for event the
same, and has everything around it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final, Protocol, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from hotdice.dice import Distribution, Roll
from hotdice.game import Move, State
from hotdice.solve.jit import (
    _compiled as compiled,  # public it would have a new fingerprint, and tables be solved anew
)
from hotdice.solve.jit import kernel
from hotdice.solve.rollouts import GOLDEN, stream
from hotdice.solve.rollouts import (
    _mix as scattered,  # likewise
)
from hotdice.values import Progress, no_progress

Ints = NDArray[np.int64]
Counts = NDArray[np.int32]
Bits = NDArray[np.uint8]
Keys = NDArray[np.uint64]

F = TypeVar("F", bound=Callable[..., Any])

LEVELS: Final = ("beginner", "casual", "expert", "optimal")
"""The strategies that know values, from the weakest to the best; the bots of these names play the same."""
DECIDING: Final = 128
"""Added to a seat to number the random numbers that it decides by."""


MOST_WAYS: Final = 1 << 24
"""`below` chooses from fewer ways than this."""


def bare_kernel(function: F) -> F:
    """Compile a kernel that makes no array but works in those that it is given.

    So nobody counts who holds an array, which costs as much as several tosses whenever one is handed on.
    """
    return compiled(function, _nrt=False)


def making_kernel(function: F) -> F:
    """Compile a kernel that makes arrays of its own, also where a bare one calls it. It gives none back."""
    return compiled(function, _nrt=True)


@kernel
def game_key(seed: int, game: int) -> np.uint64:
    """The game of that number."""
    return scattered(np.uint64(seed) + GOLDEN * np.uint64(game + 1))


@kernel
def turn_key(game: np.uint64, seat: int, turn: int) -> np.uint64:
    """The dice of a seat's turn, which counts from 1, by the key of the game."""
    return scattered(game + GOLDEN * np.uint64((turn << 8) + seat + 1))


@kernel
def dice_key(seed: int, game: int, seat: int, turn: int) -> np.uint64:
    """The same by the number of the game."""
    return turn_key(game_key(seed, game), seat, turn)


@kernel
def roll_step(count: int) -> np.uint64:
    """What is added to the key of a turn for the roll of that count, from 0 on."""
    return GOLDEN * np.uint64(count + 1)


@kernel
def bits_of(key: np.uint64) -> np.uint64:
    """40 random bits, by the key of a roll."""
    return scattered(key) >> np.uint64(24)


@kernel
def among(bits: np.uint64, ways: int) -> int:
    """One of so many equally likely ways, from 0 on, by random bits."""
    return int((bits * np.uint64(ways)) >> np.uint64(40))


@kernel
def below(key: np.uint64, count: int, ways: int) -> int:
    """The same by the key of a turn and the count of the roll."""
    return among(bits_of(key + roll_step(count)), ways)


@kernel
def choice_key(seed: int, game: int, seat: int) -> np.uint64:
    """What a seat leaves to chance in the game of that number; its decisions count from 0."""
    return stream(seed, game, seat + DECIDING, 0)


@dataclass(frozen=True, slots=True, eq=False)
class Columns:
    """What became of the games of a batch, a row for each."""

    winners: Bits
    """[game]: a bit for each seat that has won."""
    scores: Counts
    """[game, seat]."""
    turns: Counts
    """[game]: how many turns, penalties and rolls for who begins there were."""
    rolls: Counts
    """[game]: how many rolls there were."""
    counts: Counts
    """[game, statistic, seat]: how often what the game itself counts happened."""

    @classmethod
    def empty(cls, games: int, players: int, statistics: int) -> Self:
        return cls(
            np.zeros(games, np.uint8),
            np.zeros((games, players), np.int32),
            np.zeros(games, np.int32),
            np.zeros(games, np.int32),
            np.zeros((games, statistics, players), np.int32),
        )

    def part(self, begin: int, end: int) -> Columns:
        """Some of the rows, not copied."""
        rows = slice(begin, end)
        return Columns(self.winners[rows], self.scores[rows], self.turns[rows], self.rolls[rows], self.counts[rows])

    def __len__(self) -> int:
        return len(self.winners)


@dataclass(frozen=True, slots=True)
class Strategy:
    """A way to play, by its name and its numbers: `greedy`, or `hold:20`."""

    name: str
    numbers: tuple[int, ...] = ()

    @property
    def text(self) -> str:
        """As it is typed."""
        return f"{self.name}:{'/'.join(map(str, self.numbers))}" if self.numbers else self.name


@dataclass(frozen=True, slots=True)
class Counted:
    """Something that a game counts, and for whom."""

    statistic: str
    seat: int
    amount: int = 1


PlayMany = Callable[[int, int, Columns], None]
"""Plays games compiled: called with a seed, the number of the first game, and the columns that it fills."""


class Simulator(Protocol):
    """What plays a game many times over. A game's card names one; subclass this and write what the game has."""

    together: ClassVar[int] = 1
    """How many rolls of a turn come of one random number, the first of them its last digit; more than one only where
    all rolls of the game have equally many ways."""
    statistics: ClassVar[Mapping[str, str]] = {}
    """What the game counts for each seat, by its name in tables: what it is, as the heading of a column."""
    strategies: ClassVar[Mapping[str, str]] = {}
    """The game's own ways to play, by name: what the numbers after it mean."""

    def counted(self, state: State, action: Move | Roll, after: State) -> Iterable[Counted]:
        """What an event counts for."""
        return ()

    def chooser(self, strategy: Strategy) -> Callable[[Any], Move]:
        """One of the game's own strategies, as a function of a state; a `HotdiceError` if its numbers make no sense."""
        raise NotImplementedError

    def compiled(
        self, options: Any, strategies: Sequence[Strategy], progress: Progress = no_progress
    ) -> PlayMany | None:
        """What plays games with a strategy in each seat; nothing where that is not compiled."""
        return None


Codes = NDArray[np.int16]


def direct(outcomes: Distribution, meaning: Callable[[Roll], int]) -> Codes:
    """What each of the equally likely ways to throw some dice means to a kernel, in the order of `Distribution.at`.

    Small numbers, as tables of tens of thousands of ways stay in a processor's nearest memory then.
    """
    return np.repeat(np.array([*map(meaning, outcomes.rolls)], np.int16), outcomes.weights)
