"""BJ's dice for two, solved exactly for both numbers of dice and both readings of a bust.

The table holds the win probability of whoever begins a turn before the last round. A turn can leave the scores as they
are, so each pair of scores is a cycle of two turns; every other turn raises their sum, and pairs with higher sums are
solved first. Within a cycle a turn's value is a convex, piecewise linear function of what a forfeit of everything is
worth: its slope comes with it, and Newton's steps land on the fixed point.

The bound has three parts.
- Far ahead a player is taken to pass: where the chance that the other catches up is at most `CATCH_UP`. That ends the
  game with a payoff which is off by no more, once, so all values are off by no more.
- With so much at risk that a turn gets there with a chance of at most `RARE` the player is taken to pass, too.
- Let the values at higher sums be off by at most e, and let each turn's value meet its own equation to within d: the
  last Newton step, `RARE`, and rounding, which is that of one average for each toss of a turn. Following the policy
  found for one player against the best one of the other, the two equations of a cycle give an error x with
  x <= (1 - s t) e + s t x + 2 d, where s <= 1 is the other's slope and t the slope found. So x <= e + 2 d / (1 - t),
  and this sums up over all sums of scores.
"""

from __future__ import annotations

from collections import Counter
from functools import cache, partial
from itertools import accumulate
from typing import Final

import numpy as np

from hotdice.games.bj import BJ, BjOptions
from hotdice.games.bj.rules import BONUS, TOSSES, read_toss
from hotdice.games.bj.solving.kernel import (
    Floats,
    Rules,
    Tosses,
    chase,
    choose_rolls,
    play_ahead,
    solve_diagonal,
)
from hotdice.solve.sources import fingerprint
from hotdice.solve.store import Arrays, Tables, load_or_solve
from hotdice.values import Progress, no_progress

VERSION: Final = fingerprint(__name__)
STEP: Final = 50
"""All points are multiples of this."""
MORE: Final = BONUS // STEP
FAR: Final = 2000
"""Deficits in steps up to which the chase is computed; beyond, its chance is below any float that matters."""
TOLERANCE: Final = 4e-15
CATCH_UP: Final = 1e-11
RARE: Final = 1e-15
ROUNDING: Final = 50 * 2.0**-53
"""Of one average over the outcomes of a toss: there are fewer than 50, and chances add up to 1."""


@cache
def toss_table(dice: int) -> Tosses:
    """The outcomes of a toss that scores, by the number of dice, and the chance that nothing scores."""
    rows: list[list[tuple[int, int, float]]] = []
    scoreless = [0.0]
    for count in range(1, dice + 1):
        weights: Counter[tuple[int, int]] = Counter()
        outcomes = TOSSES[count]
        for roll, weight in zip(outcomes.rolls, outcomes.weights, strict=True):
            toss = read_toss(roll)
            weights[toss.points // STEP, count - toss.frozen] += weight
        scoreless.append(weights.pop((0, count)) / outcomes.total)
        rows.append([(points, left, weight / outcomes.total) for (points, left), weight in sorted(weights.items())])
    begin = np.array([0, 0, *accumulate(map(len, rows))])
    points, left, chance = zip(*(outcome for row in rows for outcome in row), strict=True)
    shift = np.array(points) * (dice + 1) + np.array(left)
    return Tosses(
        begin, np.array(points), np.array(left), shift.astype(np.uint64), np.array(chance), np.array(scoreless)
    )


def outcomes_of(tosses: Tosses, count: int) -> list[tuple[int, int, float]]:
    """The points, the dice left and the chance of each outcome of tossing `count` dice."""
    outcomes = slice(tosses.begin[count], tosses.begin[count + 1])
    columns = (tosses.points, tosses.left, tosses.chance)
    return list(zip(*(column[outcomes].tolist() for column in columns), strict=True))


def tosses_per_turn(tosses: Tosses) -> float:
    """How many tosses a turn takes on average if it never passes."""
    begin, left, chance = tosses.begin, tosses.left, tosses.chance
    dice = begin.size - 2
    fresh, number = np.zeros(dice + 1), np.zeros(dice + 1)  # how often a turn comes to all dice again, and tosses
    fresh[0] = 1.0
    for count in range(1, dice + 1):
        after = slice(begin[count], begin[count + 1])
        fresh[count] = chance[after] @ fresh[left[after]]
        number[count] = 1 + chance[after] @ number[left[after]]
    return float(number[dice] / (1 - fresh[dice]))


@cache
def chase_table(dice: int) -> tuple[Floats, int, int]:
    """The chance to catch up by deficit and dice, and from where it is at most `CATCH_UP` and `RARE`."""
    odds = chase(FAR, MORE, toss_table(dice))
    return odds, int(np.argmax(odds[:, dice] <= CATCH_UP)), int(np.argmax(odds[:, dice] <= RARE)) + 1


def rules_of(options: BjOptions) -> Rules:
    """House rules as the kernels read them."""
    tosses = toss_table(options.dice)
    odds, reach, rare = chase_table(options.dice)
    cap = min(rare, options.target // STEP + reach)
    room = cap + int(tosses.points.max()) + 1
    return Rules(tosses, options.bust == "all_dice", MORE, odds, reach, cap, room)


def solve(options: BjOptions, progress: Progress = no_progress) -> Arrays:
    """The win probability of whoever begins a turn, by their score and the other's, and the bound on its error."""
    target, rules = options.target // STEP, rules_of(options)
    ahead, _ = play_ahead(rules)
    wins, layers = np.zeros((target + 1, target + 1)), np.zeros((MORE + 1, target + 1, rules.room))
    slack = TOLERANCE + RARE + tosses_per_turn(rules.tosses) * ROUNDING
    error = CATCH_UP
    for total in range(2 * target, -1, -1):
        steepest = solve_diagonal(rules, wins, total, layers, ahead, TOLERANCE)
        error += 2 * slack / (1 - steepest)
        progress(1 - total / (2 * target + 1))
    return {"wins": wins, "error": np.array([error])}


def tables(options: BjOptions, progress: Progress = no_progress) -> Tables:
    """The solved tables, from the cache if they are there."""
    return load_or_solve(f"{BJ.text(options)} two players", VERSION, partial(solve, options), progress)


def policy(options: BjOptions, progress: Progress = no_progress) -> Tables:
    """When to roll by the solved values: `rolls` before the last round, `ahead` with a safe score beyond the target."""

    def choose(progress: Progress) -> Arrays:
        rules, wins = rules_of(options), tables(options, progress).arrays["wins"]
        worth, ahead = play_ahead(rules)
        return {"rolls": choose_rolls(rules, wins, worth), "ahead": ahead}

    return load_or_solve(f"{BJ.text(options)} policy", VERSION, choose, progress)
