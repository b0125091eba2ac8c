"""Cycles of three in which plans do not come to rest: two or three players mix two plans each.

What is best for one player jumps where rolling and passing are worth the same to them, and that is not the same to the
others. So it happens, about once in two thousand cycles, that each change of plan makes another player change theirs,
and so on for ever. Then each of them plays one of two plans by chance, such that what the others do makes both worth
the same. The search keeps the plans that were best at some time. It looks for an equilibrium in which everybody has
these plans alone, asks which other plan would be better there, and takes it up, until there is none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise, product
from typing import Final

import numpy as np

from hotdice.games.bj.solving.kernel import Floats
from hotdice.games.bj.solving.three_kernel import Cycle, Rules, go_round, play_first_layer
from hotdice.values import NotSolved

GAIN: Final = 1e-11
"""What a mixture may leave to gain in one turn."""
SEARCHES: Final = 20
WATCHED: Final = 12
"""Changes of plan that are looked at before the first search."""
SAME: Final = 1e-13
NEWTON: Final = 20
NUDGE: Final = 1e-7
CLOSE: Final = 1e-15


@dataclass(frozen=True, slots=True)
class Plan:
    """A plan of one turn, and for which worth of a forfeit it was found to be best."""

    worth: float
    parts: Floats
    """What the turn is worth to everybody, forfeits left out, and the chance of a forfeit."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One or two plans of a seat, and between which worths of a forfeit they are the best of those known."""

    plans: tuple[Plan, ...]
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Mixture:
    """How a seat mixes: the worths of a forfeit for which its two plans are best, and the weight of the second."""

    seat: int
    below: float
    above: float
    weight: float


@dataclass(slots=True)
class Known:
    """The plans of a seat that are known, the lowest chance of a forfeit first."""

    seat: int
    plans: list[Plan] = field(default_factory=list)

    def take_up(self, plan: Plan) -> None:
        """Note a plan, unless it is known or makes no difference to anybody."""
        if not any(np.abs(other.parts - plan.parts).max() < SAME for other in self.plans):
            self.plans.append(plan)
            self.plans.sort(key=lambda plan: float(plan.parts[3]))

    def worth(self, plan: Plan, forfeit: float) -> float:
        """What a plan is worth to the seat."""
        return float(plan.parts[self.seat] + plan.parts[3] * forfeit)

    def choices(self) -> list[Choice]:
        """Each plan alone, and each two that are as good at some worth of a forfeit at which no other is better."""
        edges = [-np.inf]
        best: list[Plan] = []
        for plan in self.plans:
            while best and (edge := self._edge(best[-1], plan)) <= edges[-1]:
                best.pop()
                edges.pop() if best else None
            if best:
                edges.append(edge)
            best.append(plan)
        edges.append(np.inf)
        alone = [Choice((plan,), low, high) for plan, (low, high) in zip(best, pairwise(edges), strict=True)]
        return alone + [Choice(two, edge, edge) for two, edge in zip(pairwise(best), edges[1:-1], strict=True)]

    def _edge(self, lower: Plan, upper: Plan) -> float:
        rise = float(upper.parts[3] - lower.parts[3])
        return float(lower.parts[self.seat] - upper.parts[self.seat]) / rise if rise > SAME else -np.inf


def mix(work: Cycle, rules: Rules) -> tuple[list[Mixture], float]:
    """The mixtures of a cycle that did not come to rest, and what a player could still gain in one turn of it.

    `work` is left with the mixed plans, and with what they are worth.
    """
    known = [Known(seat) for seat in range(3)]
    _watch(work, rules, known)
    for _ in range(SEARCHES):
        for choices in product(*(one.choices() for one in known)):
            weights = _balance(work, choices)
            if weights is not None:
                break
        else:
            break
        mixed = work.plans.copy()
        forfeits = [float(worth) for worth in work.worth]
        gain = 0.0
        for one, forfeit in zip(known, forfeits, strict=True):
            play_first_layer(work, one.seat, forfeit, rules)
            better = Plan(forfeit, work.plans[one.seat].copy())
            more = one.worth(better, forfeit) - one.worth(Plan(forfeit, mixed[one.seat]), forfeit)
            if more > GAIN:
                one.take_up(better)
            gain = max(gain, more)
        if gain <= GAIN:
            work.plans[:] = mixed
            go_round(work)
            return [
                Mixture(seat, choice.plans[0].worth, choice.plans[-1].worth, weight)
                for seat, (choice, weight) in enumerate(zip(choices, weights, strict=True))
            ], gain
    raise NotSolved("Three plans could not be balanced.")


def _watch(work: Cycle, rules: Rules, known: Sequence[Known]) -> None:
    """Take up the plans between which the seats go to and fro."""
    for trial in range(WATCHED):
        for turn in range(3):
            seat = (trial + turn) % 3
            worth = float(work.worth[seat])
            if trial and work.low[seat] < worth < work.high[seat]:
                continue
            play_first_layer(work, seat, worth, rules)
            known[seat].take_up(Plan(worth, work.plans[seat].copy()))
            if trial:
                break
        go_round(work)


def _balance(work: Cycle, choices: Sequence[Choice]) -> list[float] | None:
    """The weights of everybody's second plan with which these choices are best for all, if there are such weights."""
    seats = [seat for seat, choice in enumerate(choices) if len(choice.plans) == 2]
    weights = np.array([0.5 if seat in seats else 0.0 for seat in range(3)])
    for _ in range(NEWTON if seats else 0):
        off = _off(work, choices, weights, seats)
        if np.abs(off).max() < CLOSE:
            break
        slopes = np.empty((len(seats), len(seats)))
        for column, seat in enumerate(seats):
            nudged = weights.copy()
            nudged[seat] += NUDGE
            slopes[:, column] = (_off(work, choices, nudged, seats) - off) / NUDGE
        try:
            weights[seats] -= np.linalg.solve(slopes, off)
        except np.linalg.LinAlgError:
            return None
        if not (np.abs(weights) < 10.0).all():
            return None
    if not ((weights >= 0.0) & (weights <= 1.0)).all():
        return None
    if seats and np.abs(_off(work, choices, weights, seats)).max() > 100 * CLOSE:
        return None
    _play(work, choices, weights)
    alone = [seat for seat in range(3) if seat not in seats]
    fits = all(choices[seat].low <= work.worth[seat] <= choices[seat].high for seat in alone)
    return weights.tolist() if fits else None


def _play(work: Cycle, choices: Sequence[Choice], weights: Floats) -> None:
    for seat, (choice, weight) in enumerate(zip(choices, weights, strict=True)):
        work.plans[seat] = (1.0 - weight) * choice.plans[0].parts + weight * choice.plans[-1].parts
    go_round(work)


def _off(work: Cycle, choices: Sequence[Choice], weights: Floats, seats: Sequence[int]) -> Floats:
    """How far what forfeits are worth is from where the two plans of the seats are as good."""
    _play(work, choices, weights)
    return np.array([work.value[(seat + 1) % 3, seat] - choices[seat].low for seat in seats])
