"""BJ's dice for three: what the equilibrium is worth, and what playing as the rollouts do loses against it.

One player plays as everybody does in the rollouts: the solved policy of two, against the best of the others. The two
others play the equilibrium. What the one loses by a decision is known from the table, and what such a game loses is the
sum of that over its decisions: the mean over games is the win probability lost, with a small error.

    python -m benchmarks.three_bj [games for each seat]
"""

from __future__ import annotations

import sys
from random import Random
from statistics import mean, stdev

import numpy as np

from hotdice.game import CHANCE, OVER
from hotdice.games.bj import BJ, BjOptions, BjState
from hotdice.games.bj.rules import PASS, ROLL
from hotdice.games.bj.solving import BjSolver, three
from hotdice.games.bj.solving.rollouts import LONGEST, Policy, Seats, goes_on, policy_of
from hotdice.games.bj.solving.solver import STEP
from hotdice.games.bj.solving.three_evaluator import BjThreeSolved

GAMES = 400


def as_rolled_out(policy: Policy, state: BjState) -> bool:
    """Whether the rollouts' players would roll."""
    seats = Seats(np.array(state.scores) // STEP, state.seat, state.starter)
    safe = (state.scores[state.seat] + state.safe) // STEP
    held = np.full(LONGEST, -1.0)  # not known yet
    return bool(goes_on(policy, seats, state.dice, state.at_risk // STEP, safe, held))


def lost(exact: BjThreeSolved, policy: Policy, seat: int, random: Random) -> float:
    """The win probability that a seat loses in one game by its decisions."""
    state, total = BjState.start(exact.options, 3), 0.0
    while state.seat != OVER:
        if state.seat == CHANCE:
            outcomes = state.outcomes()
            state = state.roll(outcomes.at(random.randrange(outcomes.total)))
            continue
        best, passing = exact.expected(state, state.seat), state.apply(PASS)
        ends = exact.expected(passing, state.seat)
        on = best > ends + 1e-11
        if state.seat == seat and as_rolled_out(policy, state) != on:
            on = not on
            total += best - (exact.expected(state.apply(ROLL), seat) if on else ends)
        state = state.apply(ROLL) if on else passing
    return total


def main() -> None:
    games = int(sys.argv[1]) if len(sys.argv) > 1 else GAMES
    options = BjOptions()
    found = BjSolver().summary_for(options, 3)
    print(f"{BJ.text(options)}, three players: {found.value:.9f} for the first, error {found.error:.1e}")
    for fact in found.facts:
        print(fact.sentence)
    table = three.table(options)
    size = sum(array.nbytes for array in table.arrays.values())
    print(f"{found.cpu_seconds:.0f} s of CPU when it was solved, table of {size / 1e6:.1f} MB")
    exact, policy = BjThreeSolved(options, table), policy_of(options)
    for seat in range(3):
        losses = [lost(exact, policy, seat, Random(f"{seat} {game}")) for game in range(games)]
        error = stdev(losses) / games**0.5
        print(f"As in rollouts, seat {seat + 1}: {100 * mean(losses):.3f}% lost, standard error {100 * error:.3f}%")


if __name__ == "__main__":
    main()
