"""What rolling on or passing leads to in BJ's dice: a bust, the turn's points, the target, being caught.

The rest of the turn is followed from toss to toss, with the decisions of whoever gives the values; the chance of each
end is exact for these decisions. In the last round those who come later are taken to roll until they have beaten
everybody, which is how a player alone against a score plays best.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from heapq import heappop, heappush
from math import prod
from typing import Final, NamedTuple

from hotdice.game import Move
from hotdice.games.bj.rules import BONUS, NOBODY, PASS, forfeits
from hotdice.games.bj.solving.solver import FAR, MORE, STEP, chase_table, outcomes_of, toss_table
from hotdice.games.bj.state import BjState
from hotdice.values import Measure, Prospect

RARE: Final = 1e-12
"""The chance of a moment of a turn that is not followed further: the player is taken to pass."""

Rolls = Callable[[int, int, int], bool]
"""Whether the player rolls on: by the number of dice, what is at risk in steps of 50, and the bonuses of the turn."""


class Ends(NamedTuple):
    """How a turn ends."""

    points: Mapping[int, float]
    """The chance of each number of points, in steps of 50."""
    bust: float
    """The chance to lose the points at risk."""


def ends_of_turn(state: BjState, move: Move, rolls: Rolls) -> Ends:
    """All ends of the turn after a move."""
    risk, bonuses = state.at_risk // STEP, state.safe // BONUS
    points: defaultdict[int, float] = defaultdict(float)
    if move is PASS:
        points[risk + bonuses * MORE] = 1.0
        return Ends(points, 0.0)
    all_dice, tosses = state.options.dice, toss_table(state.options.dice)
    outcomes = [outcomes_of(tosses, dice) for dice in range(all_dice + 1)]
    first = (risk, state.dice, bonuses)
    reached, order, bust = {first: 1.0}, [first], 0.0
    while order:  # every toss that goes on adds points, so moments come by what is at risk
        risk, dice, bonuses = moment = heappop(order)
        chance = reached.pop(moment)
        if moment != first and (chance < RARE or not rolls(dice, risk, bonuses)):
            points[risk + bonuses * MORE] += chance
            continue
        scoreless = chance * float(tosses.scoreless[dice])
        lost = forfeits(state.options, dice)
        bust += scoreless if lost else 0.0
        points[bonuses * MORE + (0 if lost else risk)] += scoreless
        for gain, left, share in outcomes[dice]:
            then = (risk + gain, left, bonuses) if left else (risk + gain, all_dice, bonuses + 1)
            if then not in reached:
                reached[then] = 0.0
                heappush(order, then)
            reached[then] += chance * share
    return Ends(points, bust)


def prospects(state: BjState, move: Move, rolls: Rolls) -> tuple[Prospect, ...]:
    """What a move leads to with this turn, and what the others can do about it."""
    ends = ends_of_turn(state, move, rolls)
    seat, players = state.seat, state.players
    own, target = state.scores[seat] // STEP, state.options.target // STEP
    last = state.starter != NOBODY
    later = (state.starter - seat) % players - 1 if last else players - 1
    following = [state.scores[(seat + step) % players] // STEP for step in range(1, later + 1)]
    to_beat = max(score for other, score in enumerate(state.scores) if other != seat) // STEP if last else target
    odds, _, _ = chase_table(state.options.dice)

    def caught(total: int) -> float:
        return 1.0 - prod(1.0 - float(odds[min(total - score, FAR), -1]) for score in following)

    ahead = {own + points: chance for points, chance in ends.points.items() if own + points > to_beat}
    found = [
        Prospect("bust", "risk of a bust", Measure.CHANCE, ends.bust),
        Prospect(
            "lead" if last else "target",
            "chance to take the lead" if last else f"chance to pass {state.options.target:,}",
            Measure.CHANCE,
            sum(ahead.values()),
        ),
    ]
    if following:
        risk = sum(chance * caught(total) for total, chance in ahead.items())
        found.append(Prospect("caught", "risk of being caught in the last round", Measure.CHANCE, risk))
    mean = STEP * sum(points * chance for points, chance in ends.points.items())
    return (*found, Prospect("points", "points this turn", Measure.POINTS, mean))
