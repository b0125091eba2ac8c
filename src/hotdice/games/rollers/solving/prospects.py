"""What a move leads to in Rollers: turns to a full board, and chips.

The rest of the turn is played out many times by the values that choose the best move. Counted is what it comes to: the
turns that the board takes after it, if it is filled alone and as fast as can be, and the chips. The dice are the same
for all moves of a turn.
"""

from __future__ import annotations

from math import sqrt
from typing import Final

import numpy as np

from hotdice.games.rollers.solving.boards import Ints
from hotdice.games.rollers.solving.guide import Players
from hotdice.games.rollers.solving.lanes import Floats
from hotdice.games.rollers.solving.playing import LOGGED, Choice, FullTurn, Root, finish_turn
from hotdice.solve.jit import kernel
from hotdice.solve.rollouts import stream
from hotdice.values import Measure, Prospect

PLAYED: Final = 2048
"""How many times a turn is played out."""
SEED: Final = 1


@kernel
def turn_ends(full: FullTurn, root: Root, move: Ints, race: Floats, found: Floats) -> None:
    """[what, number]: the turns that the board takes afterwards, and the chips, as often as there is room for."""
    players = Players(np.empty_like(root.players.boards), np.empty_like(root.players.chips))
    log = np.empty(LOGGED, np.int64)
    for number in range(found.shape[1]):
        finish_turn(full, root, move, stream(SEED, number, root.seat, 0), players, log)
        found[0, number] = race[players.boards[root.seat]]
        found[1, number] = players.chips[root.seat]


def prospects(full: FullTurn, root: Root, move: Choice, race: Floats) -> tuple[Prospect, ...]:
    """What a move leads to for the player whose turn it is, who comes first in the root."""
    certain = move.use >= 0
    found = np.empty((2, 1 if certain else PLAYED))
    turn_ends(full, root, np.array(move, np.int64), race, found)
    turns, chips = found.mean(1).tolist()
    off, chips_off = (0.0, 0.0) if certain else (found.std(1) / sqrt(PLAYED)).tolist()
    return (
        Prospect("turns", "turns to a full board", Measure.TURNS, turns, off),
        Prospect("chips", "chips", Measure.CHIPS, chips, chips_off),
    )
