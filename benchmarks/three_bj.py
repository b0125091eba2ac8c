"""BJ's dice for three: what the equilibrium is worth, and what playing as the rollouts do loses against it.

One player plays as everybody does in the rollouts: the solved policy of two, against the best of the others. The two
others play the equilibrium. What the one loses by a decision is known from the table, and what such a game loses is the
sum of that over its decisions: the mean over games is the win probability lost, with a small error.

    python -m benchmarks.three_bj [games for each seat]
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from statistics import mean, stdev

import numpy as np

from benchmarks.report import Row, alone
from hotdice.game import CHANCE, OVER
from hotdice.games.bj import BjOptions, BjState
from hotdice.games.bj.rules import PASS, ROLL
from hotdice.games.bj.solving import BjSolver, three
from hotdice.games.bj.solving.rollouts import LONGEST, Policy, Seats, goes_on, policy_of
from hotdice.games.bj.solving.solver import STEP
from hotdice.games.bj.solving.three_evaluator import BjThreeSolved

GAMES = 400
FACTS = {
    "second": "to win for the second", "third": "to win for the third", "mixed": "cycles in which plans are mixed",
    "epsilon": "the most that anybody would win more by playing otherwise",
}  # fmt: skip


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


def rows(arguments: Sequence[str]) -> Iterator[Row]:
    """The equilibrium, then so many games for each seat."""
    if arguments and not arguments[0].isdigit():
        raise SystemExit(f"Takes the number of games for each seat, such as {GAMES}, not {arguments[0]}.")
    games = int(arguments[0]) if arguments else GAMES
    options = BjOptions()
    found = BjSolver().summary_for(options, 3)
    group, facts = "BJ's dice, three players", {fact.name: fact.value for fact in found.facts}
    yield Row("three_bj.cpu", group, "solving, with compiling", found.cpu_seconds, "CPU s", "lower")
    yield Row(
        "three_bj.value",
        group,
        "to win for the first",
        found.value,
        "",
        digits=8,
        remark=f"proven to ± {found.error:.0e}",
    )
    for name, value in facts.items():
        yield Row(f"three_bj.{name}", group, FACTS[name], value, "", digits=8)
    table = three.table(options)
    size = sum(array.nbytes for array in table.arrays.values())
    yield Row("three_bj.table", group, "the table", size / 1e6, "MB", "lower")
    exact, policy = BjThreeSolved(options, table), policy_of(options)
    for seat in range(3):
        losses = [100 * lost(exact, policy, seat, Random(f"{seat} {game}")) for game in range(games)]
        key, what = f"three_bj.lost-{seat + 1}", f"seat {seat + 1} plays as rollouts do and loses"
        yield Row(key, group, what, mean(losses), "% of wins", "lower", error=stdev(losses) / games**0.5)


if __name__ == "__main__":
    alone(rows)
