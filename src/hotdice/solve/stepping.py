"""Thousands of games at once, from one decision to the next: what a game's stepper fills.

A `Stepper`, named on a game's card, plays compiled what `hotdice.envs.vector` offers. Each game of a batch has a row in
every array. Its dice follow from the seed and its number, as in `solve.batches`: the games of one seed are the same
here and there, for as long as everybody acts alike.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from hotdice.values import Progress, no_progress

Boards = NDArray[np.int64]
"""[row, column]: the games; what a column holds is the game's own affair."""
Seen = NDArray[np.int32]
Masks = NDArray[np.int8]
Flags = NDArray[np.uint8]
Numbers = NDArray[np.int64]

NEW = -1
"""The action that begins the game whose number stands in `Batch.games`."""
LEARNER, RANDOM, GREEDY, OPTIMAL = range(4)
"""Who decides for a seat."""
BOTS = {"random": RANDOM, "greedy": GREEDY, "optimal": OPTIMAL}
"""The bots that a stepper may know, by name."""


class Batch(NamedTuple):
    """The games, and what a step is to fill."""

    boards: Boards
    games: Numbers
    """[row]: the number of the game."""
    learners: Numbers
    """[row]: the seat of the learning player, after whom the bots are counted; 0 where everybody learns."""
    deciders: Numbers
    """[row]: the seat that decides now, -1 where the game is over."""
    winners: Flags
    """[row]: a bit for each seat that has won, once the game is over."""
    illegal: Flags
    """[row]: whether the action was not legal and changed nothing."""
    seen: Seen
    """[row, number]: what the deciding seat sees; once the game is over, what the learning player sees."""
    masks: Masks
    """[row, action]: which actions are legal."""


Step = Callable[[int, Numbers, Numbers, Batch], None]
"""Acts in some rows and plays on to the next decision: called with a seed, the rows, an action for each row of the
batch, and the batch."""


@dataclass(frozen=True, slots=True)
class Steps:
    """A game, compiled."""

    width: int
    """How many columns a board has."""
    step: Step


class Stepper(Protocol):
    """What steps games. Subclass this and write what the game has."""

    bots: ClassVar[tuple[str, ...]] = ("random",)
    """The bots that are compiled, of those in `BOTS`."""

    def prepare(self, options: Any, players: int, kinds: Sequence[int], progress: Progress = no_progress) -> Steps:
        """A game under some options. `kinds` says who decides for the learner's seat and those after it."""
        raise NotImplementedError
