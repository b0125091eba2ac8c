"""How far Kismet's chances to win with two players are from the frequencies: the `error` of `Together` is fitted here.

`python -m benchmarks.kismet_error 2000` plays 2000 games.
"""

from __future__ import annotations

import sys
from random import Random

import numpy as np

import hotdice
from hotdice.games.kismet import KISMET, KismetOptions, KismetState
from hotdice.games.kismet.solving import KismetSolver
from hotdice.games.kismet.solving.evaluators import player

GAMES = 2000


def measure(games: int) -> None:
    """How far the chances to win of two players are from the frequencies: the `error` of `Together` is fitted here.

    Positions at the start of turns are sorted by boxes left and by chance. A class's miss is squared, less what luck
    alone would make of it, and averaged over the positions.
    """
    values = KismetSolver().evaluator(KismetOptions(), 2)
    random = Random(2026)
    seen: list[tuple[int, float, float]] = []
    for _ in range(games):
        state = KISMET.start(2)
        turns: list[tuple[int, int, float]] = []
        while (seat := state.seat) != hotdice.OVER:
            if seat == hotdice.CHANCE:
                if isinstance(state, KismetState) and state.rolls == 0 and not state.roll_off:
                    left = sum(player(sheet).vacant for sheet in state.sheets)
                    turns.append((left, state.roller, values.expected(state, state.roller)))
                outcomes = state.outcomes()
                state = state.roll(outcomes.at(int(random.random() * outcomes.total)))
            else:
                state = state.apply(values.evaluate(state).lines[0].action)  # type: ignore[arg-type]
        seen += [(left, chance, values.expected(state, seat)) for left, seat, chance in turns]
    left, chance, won = np.array(seen).T
    for low, high in ((1, 2), (3, 4), (5, 8), (9, 14), (15, 22), (23, 30), (1, 30)):
        miss, count = 0.0, 0
        for tenth in range(10):
            here = (left >= low) & (left <= high) & (np.minimum(chance * 10, 9).astype(int) == tenth)
            if here.sum() > 20:
                luck = won[here].var() / here.sum()
                miss += here.sum() * ((chance[here].mean() - won[here].mean()) ** 2 - luck)
                count += int(here.sum())
        print(
            f"{low:2} to {high:2} boxes left: {count:6} turns, root mean square miss {max(miss / count, 0) ** 0.5:.3f}"
        )


def main() -> None:
    """Play the number of games that the command line says."""
    measure(int(sys.argv[1]) if len(sys.argv) > 1 else GAMES)


if __name__ == "__main__":
    main()
