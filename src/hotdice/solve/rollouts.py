"""Rollouts: values found by playing on, for positions that are not solved.

A game brings a compiled sampler, which plays positions to their end with the solved policy of two players in every
seat. What is here is common to all games: random numbers that are the same for every move compared, the luck taken out
of the results, and when to stop. Values come with one standard error.

The luck of a turn is what its dice changed in a value that is exact before and after it. Its mean is zero whatever
happened before, so a multiple of it may be subtracted from the result without changing what that is on average: the
multiples that leave the least noise are found by regression.
"""

from __future__ import annotations

import os
from abc import abstractmethod
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from hashlib import blake2b
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hotdice.dice import Roll
from hotdice.game import CHANCE, OVER, Move, State
from hotdice.solve.jit import kernel
from hotdice.values import Evaluation, Evaluator, NotSolved, Unit, Valued

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

BATCH: Final = 512
"""Rollouts of each candidate before the next look at the results."""
MOST: Final = 8192
"""Rollouts of one candidate at most."""
PRECISION: Final = 0.002
"""The standard error at which a value is good enough."""
APART: Final = 4.0
"""A candidate is dropped when it is behind the best by more than this many standard errors."""
TOLD_APART: Final = 2.0
"""Candidates that are behind by no more than this many count as tied."""

GOLDEN: Final = np.uint64(0x9E3779B97F4A7C15)
"""The odd number next to 2^64 over the golden ratio: the step of the SplitMix generator (Steele et al., 2014)."""


# Random numbers


@kernel
def _mix(bits: np.uint64) -> np.uint64:
    """SplitMix's output function: scatters its input over all 64 bits."""
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return bits ^ (bits >> np.uint64(31))


@kernel
def stream(seed: int, rollout: int, seat: int, turn: int) -> np.uint64:
    """The dice of a seat's turn in a rollout: the same ones whatever was done before."""
    key = _mix(np.uint64(seed) + GOLDEN * np.uint64(rollout + 1))
    return _mix(key + GOLDEN * np.uint64((turn << 8) + seat + 1))


@kernel
def uniform(key: np.uint64, count: int) -> float:
    """A stream's random number of that count, at least 0 and less than 1."""
    return float(_mix(key + GOLDEN * np.uint64(count + 1)) >> np.uint64(11)) * 2.0**-53


Alias = tuple[Floats, Ints]
"""By outcome: the share of its column that is its own, and whose the rest is (the alias method)."""


def alias_of(chances: Floats) -> Alias:
    """Outcomes with these chances, to be drawn from in one step."""
    scaled = np.asarray(chances, np.float64) / np.sum(chances) * len(chances)
    share, other = np.ones(len(scaled)), np.arange(len(scaled))
    small = [at for at, chance in enumerate(scaled) if chance < 1]
    large = [at for at, chance in enumerate(scaled) if chance >= 1]
    while small and large:
        low, high = small.pop(), large[-1]
        share[low], other[low] = scaled[low], high
        scaled[high] -= 1 - scaled[low]
        if scaled[high] < 1:
            small.append(large.pop())
    return share, other


@kernel
def drawn(share: Floats, other: Ints, chance: float) -> int:
    """The outcome that a random number stands for."""
    place = chance * share.size
    column = int(place)
    return column if place - column < share[column] else other[column]


# Estimates

PlayOut = Callable[[int, int, Ints, Floats], None]
"""Plays one position to its end again and again: called with a seed, the number of the first rollout, and the arrays
that it fills: `winners` [rollout] and `luck` [rollout, seat]. It is compiled and lets go of the interpreter."""

Sampler = Callable[[Ints, int, int], tuple[Floats, Floats]]
"""From candidates, the first rollout's number and how many: results [candidate, rollout] for the seat that asks, and
luck [candidate, rollout, feature]. The same rollout of two candidates has the same dice as long as that makes sense."""


@dataclass(frozen=True, slots=True, eq=False)
class Estimates:
    """Values with their standard errors, and which cannot be told from the best."""

    values: Floats
    errors: Floats
    tied: NDArray[np.bool_]
    rollouts: Ints
    """How many each value is the mean of."""


@cache
def _cores() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(os.cpu_count(), "hotdice rolls out")


def on_all_cores(work: Callable[[int], None], count: int) -> None:
    """Do the pieces of compiled work 0 to `count` - 1 side by side, as kernels let go of the interpreter."""
    list(_cores().map(work, range(count)))


def without_luck(results: Floats, luck: Floats) -> Floats:
    """Results less the multiples of luck that leave the least noise."""
    known = np.column_stack((np.ones(len(results)), luck))
    multiples = np.linalg.lstsq(known, results, rcond=None)[0]
    return results - luck @ multiples[1:]


def mean_and_error(series: Floats, features: int = 0) -> tuple[float, float]:
    """The mean and its standard error, which is not taken to be zero where all results happen to agree."""
    count = len(series)
    spread = float(series.std()) / max(count - 1 - features, 1) ** 0.5
    return float(series.mean()), max(spread, 1 / count)


def estimate(
    sample: Sampler,
    candidates: int,
    *,
    dropping: bool = True,
    batch: int = BATCH,
    most: int = MOST,
    precision: float = PRECISION,
) -> Estimates:
    """Roll candidates out until the best value is precise and every rival is either precise as well or clearly behind.

    With `dropping`, candidates that are clearly behind are not rolled out further; without it all go on alike.
    """
    series: list[Floats] = [np.empty(0)] * candidates
    results: list[Floats] = [np.empty(0)] * candidates
    luck: list[Floats] = [np.empty((0, 0))] * candidates
    racing = np.arange(candidates)
    done = 0
    while done < most:
        count = min(batch, most - done)
        fresh, chances = sample(racing, done, count)
        done += count
        for at, candidate in enumerate(racing):
            results[candidate] = np.append(results[candidate], fresh[at])
            luck[candidate] = np.vstack((luck[candidate], chances[at])) if luck[candidate].size else chances[at]
            series[candidate] = without_luck(results[candidate], luck[candidate])
        best = max(racing, key=lambda candidate: float(series[candidate].mean()))
        behind = [mean_and_error(series[best] - series[other]) for other in racing]
        own = max(mean_and_error(series[candidate])[1] for candidate in (racing if not dropping else [best]))
        if own <= precision and all(error <= precision or gap > APART * error for gap, error in behind):
            break
        if dropping:
            kept = [gap <= APART * error for gap, error in behind]
            racing = racing[kept]
        batch = max(batch, done // 2)
    return _summed_up(series, luck)


def _summed_up(series: list[Floats], luck: list[Floats]) -> Estimates:
    figures = [mean_and_error(one, chances.shape[1]) for one, chances in zip(series, luck, strict=True)]
    values, errors = (np.array(column) for column in zip(*figures, strict=True))
    longest = max(map(len, series))
    best = max((at for at, one in enumerate(series) if len(one) == longest), key=lambda at: values[at])
    tied = np.zeros(len(series), np.bool_)
    for at, one in enumerate(series):
        gap, error = mean_and_error(series[best][: len(one)] - one)
        tied[at] = at == best or gap <= TOLD_APART * error
    return Estimates(values, errors, tied, np.array([len(one) for one in series]))


# The evaluator


def seed_of(state: State) -> int:
    """The same position is always rolled out with the same dice, so that its values do not change."""
    return int.from_bytes(blake2b(str(state).encode(), digest_size=7).digest(), "big")


class RolloutEvaluator(Evaluator):
    """Chances to win, by rollouts. A game brings the kernel."""

    unit = Unit.WIN
    exact = False
    sampled = True

    def __init__(self, players: int) -> None:
        self.players = players
        self._evaluated: Callable[[State], Evaluation] = lru_cache(maxsize=64)(self._rolled_out)

    @abstractmethod
    def begin(self, state: State, seat: int) -> PlayOut:
        """What plays a state that is not over to its end, for a seat that asks."""

    def sampler(self, states: Sequence[State], seat: int, seed: int) -> Sampler:
        """A sampler of states that are not over, for a seat."""
        begun = [self.begin(state, seat) for state in states]

        def sample(chosen: Ints, first: int, count: int) -> tuple[Floats, Floats]:
            results, luck = np.zeros((len(chosen), count)), np.zeros((len(chosen), count, self.players))

            def play_out(at: int) -> None:
                winners = np.zeros(count, np.int64)
                begun[chosen[at]](seed, first, winners, luck[at])
                results[at] = winners == seat

            on_all_cores(play_out, len(chosen))
            return results, luck

        return sample

    def value(self, state: State, seat: int) -> float:
        return float(self.estimates([state], seat, seed_of(state), dropping=False).values[0])

    def evaluate(self, state: State) -> Evaluation:
        if state.seat == OVER:
            raise NotSolved("The game is over; there is nothing left to evaluate.")
        return self._evaluated(state)

    def _rolled_out(self, state: State) -> Evaluation:
        chance = state.seat == CHANCE
        seat = state.roller if chance else state.seat
        actions: Sequence[Move | Roll] = state.outcomes().rolls if chance else state.legal_moves()
        following = [state.roll(action) if isinstance(action, tuple) else state.apply(action) for action in actions]
        different = list(dict.fromkeys(following))
        found = self.estimates(different, seat, seed_of(state), dropping=not chance)
        values, errors, tied = np.clip(found.values, 0.0, 1.0), found.errors, found.tied
        place = {one: at for at, one in enumerate(different)}
        lines = [
            Valued(action, float(values[place[after]]), float(errors[place[after]]), bool(tied[place[after]]))
            for action, after in zip(actions, following, strict=True)
        ]
        worth = max(line.value for line in lines)
        if chance:
            outcomes = state.outcomes()
            worth = sum(w * line.value for w, line in zip(outcomes.weights, lines, strict=True)) / outcomes.total
        lines.sort(key=lambda line: -line.value)
        return Evaluation(self.unit, seat, tuple(lines), worth, self.exact)

    def estimates(
        self, states: Sequence[State], seat: int, seed: int, *, dropping: bool, most: int = MOST
    ) -> Estimates:
        """What states are worth. A position that is over is known; it takes part in the race as one that is."""
        over = {at: _won(state, seat) for at, state in enumerate(states) if state.seat == OVER}
        live = [state for state in states if state.seat != OVER]
        rows = np.cumsum([at not in over for at in range(len(states))]) - 1
        inner = self.sampler(live, seat, seed) if live else None

        def sample(chosen: Ints, first: int, count: int) -> tuple[Floats, Floats]:
            results, luck = np.zeros((len(chosen), count)), np.zeros((len(chosen), count, self.players))
            known = np.array([at in over for at in chosen])
            results[known] = np.array([[over[at]] for at in chosen if at in over]).reshape(-1, 1)
            if inner is not None and not known.all():
                results[~known], luck[~known] = inner(rows[chosen[~known]], first, count)
            return results, luck

        most = most if dropping or len(states) == 1 else max(BATCH, most // len(states))
        found = estimate(sample, len(states), dropping=dropping, most=most)
        errors = np.array([0.0 if at in over else error for at, error in enumerate(found.errors)])
        return replace(found, errors=errors)


def _won(state: State, seat: int) -> float:
    result = state.result
    return 0.0 if result is None or seat not in result.winners else 1.0 / len(result.winners)
