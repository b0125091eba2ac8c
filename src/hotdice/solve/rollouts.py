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
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from hotdice.errors import HotdiceError
from hotdice.game import CHANCE, OVER, State
from hotdice.solve.jit import kernel
from hotdice.values import (
    TOLD_APART,
    Evaluation,
    Evaluator,
    Unit,
    Worth,
    actions_in,
    owner,
    payoff,
)

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
    """Values with their standard errors, and those of what each is behind the best."""

    values: Floats
    errors: Floats
    gap_errors: Floats
    rollouts: Ints
    """How many each value is the mean of."""

    @property
    def tied(self) -> NDArray[np.bool_]:
        """Which cannot be told from the best."""
        tied: NDArray[np.bool_] = self.values.max() - self.values <= TOLD_APART * self.gap_errors
        return tied


@dataclass(frozen=True, slots=True)
class Sampling:
    """Which dice are rolled, and the standard error at which a value is good enough; its own one if none is asked."""

    seed: int
    precision: float | None

    @classmethod
    def of(cls, state: State, seed: int | None, precision: float | None) -> Self:
        """What was asked for; the same position is always rolled out with the same dice, unless a seed is."""
        if precision is not None and not precision > 0:
            raise HotdiceError(f"A precision has to be more than 0, such as {PRECISION}; {precision} is not.")
        return cls(seed_of(state) if seed is None else scattered(seed, str(state)), precision)

    def alone(self, number: int) -> Self:
        """Dice of its own for one of several positions whose results are averaged."""
        return replace(self, seed=scattered(self.seed, str(number)))

    def limits(self, precision: float, most: int) -> tuple[float, int]:
        """What to stop at: the usual precision and number of rollouts, or as many as what is asked for may take."""
        asked = precision if self.precision is None else self.precision
        return asked, int(most * max(1.0, precision / asked) ** 2)


def seed_of(state: State) -> int:
    """The same position is always rolled out with the same dice, so that its values do not change."""
    return int.from_bytes(blake2b(str(state).encode(), digest_size=7).digest(), "big")


def scattered(seed: int, text: str) -> int:
    """A seed made from another one, and different for every text."""
    return int.from_bytes(blake2b(f"{seed} {text}".encode(), digest_size=7).digest(), "big")


@dataclass(frozen=True, slots=True)
class Following:
    """The states that the moves or rolls of a state lead to, each of them once."""

    state: State
    different: tuple[State, ...]
    places: tuple[int, ...]
    """By move or roll: which of them it leads to."""

    @classmethod
    def of(cls, state: State) -> Self:
        actions = actions_in(state)
        after = [state.roll(action) if isinstance(action, tuple) else state.apply(action) for action in actions]
        number = {one: at for at, one in enumerate(dict.fromkeys(after))}
        return cls(state, tuple(number), tuple(number[one] for one in after))

    @property
    def chances(self) -> Floats:
        """Of rolls: the chance of each of the different states."""
        outcomes = self.state.outcomes()
        return np.bincount(self.places, outcomes.weights) / outcomes.total

    def evaluation(self, evaluator: Evaluator, found: Estimates) -> Evaluation:
        """The evaluation of the state, from estimates of the states that follow. What is over is certain."""
        values, errors = found.values.copy(), found.errors.copy()
        if evaluator.unit is Unit.WIN:
            values.clip(0.0, 1.0, out=values)
        for at, after in enumerate(self.different):
            if after.seat == OVER:
                values[at], errors[at] = payoff(after, owner(self.state)), 0.0
        error = float(np.linalg.norm(self.chances * errors)) if self.state.seat == CHANCE else None
        values, errors, gap_errors = (column[list(self.places)] for column in (values, errors, found.gap_errors))
        return evaluator.evaluation(self.state, values.tolist(), errors.tolist(), gap_errors.tolist(), error)


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


class _Race:
    """Candidates that are being rolled out, and what came of it so far."""

    def __init__(self, sample: Sampler, candidates: int) -> None:
        self.sample = sample
        self.results: list[Floats] = [np.empty(0)] * candidates
        self.luck: list[Floats] = [np.empty((0, 0))] * candidates
        self.series: list[Floats] = [np.empty(0)] * candidates
        """Results less luck."""
        self.done = 0

    def go_on(self, racing: Ints, count: int) -> None:
        """Roll some of them out, so many more times."""
        fresh, luck = self.sample(racing, self.done, count)
        self.done += count
        for at, candidate in enumerate(racing):
            self.results[candidate] = np.append(self.results[candidate], fresh[at])
            known = self.luck[candidate]
            self.luck[candidate] = np.vstack((known, luck[at])) if known.size else luck[at]
            self.series[candidate] = without_luck(self.results[candidate], self.luck[candidate])

    def figures(self, candidate: int | np.int64) -> tuple[float, float]:
        """The mean of one, and its standard error."""
        return mean_and_error(self.series[candidate], self.luck[candidate].shape[1])

    def gap(self, best: int, other: int | np.int64) -> tuple[float, float]:
        """How far one is behind another in the rollouts that both have, and the standard error of that."""
        series = self.series[other]
        return mean_and_error(self.series[best][: len(series)] - series)

    def leader(self, racing: Ints) -> int:
        """Which of some has the highest mean."""
        return int(max(racing, key=lambda candidate: float(self.series[candidate].mean())))


def compare(
    sample: Sampler, candidates: int, *, batch: int = BATCH, most: int = MOST, precision: float = PRECISION
) -> Estimates:
    """Roll candidates out until the best value is precise and every rival is either precise as well or clearly behind.

    Those that are clearly behind are not rolled out further. Their values are the best one's, less what they were
    behind while they took part.
    """
    race, racing = _Race(sample, candidates), np.arange(candidates)
    while race.done < most:
        race.go_on(racing, min(batch, most - race.done))
        best = race.leader(racing)
        behind = [race.gap(best, other) for other in racing]
        if race.figures(best)[1] <= precision and all(
            error <= precision or gap > APART * error for gap, error in behind
        ):
            break
        racing = racing[[gap <= APART * error for gap, error in behind]]
        batch = max(batch, race.done // 2)
    return _relative(race, race.leader(racing))


def _relative(race: _Race, best: int) -> Estimates:
    """All values by what they are behind the best one.

    If a candidate took part in n of N rollouts, its value is the mean of its n results, set right by as much as the
    best one's first n differ from all N. The variance of that is that of one result over N, and that of the difference
    times 1/n - 1/N.
    """
    count = race.done
    level, _ = race.figures(best)
    rollouts = np.array([len(series) for series in race.series])
    gaps, gap_errors = np.array([race.gap(best, other) for other in range(len(rollouts))]).T
    gaps[best], gap_errors[best] = 0.0, 0.0
    own = np.array([race.figures(one)[1] for one in range(len(rollouts))])
    errors = np.sqrt(own**2 * rollouts / count + gap_errors**2 * (1 - rollouts / count))
    return Estimates(level - gaps, errors, gap_errors, rollouts)


def average(
    sample: Sampler, chances: Floats, *, batch: int = BATCH, most: int = MOST, precision: float = PRECISION
) -> Estimates:
    """Roll positions out until their average is precise; each of them has to have dice of its own."""
    race, racing = _Race(sample, len(chances)), np.arange(len(chances))
    while race.done < max(batch, most // len(chances)):
        race.go_on(racing, batch)
        values, errors = np.array([race.figures(one) for one in racing]).T
        if np.linalg.norm(chances * errors) <= precision:
            break
    gap_errors = np.hypot(errors, errors[values.argmax()])
    return Estimates(values, errors, gap_errors, np.full(len(chances), race.done))


def together(
    sample: Sampler, seats: int, *, batch: int = BATCH, most: int = MOST, precision: float = PRECISION
) -> Estimates:
    """What a position is worth to each seat, by rollouts that are the same for all, until all of that is precise."""
    race, racing = _Race(sample, seats), np.arange(seats)
    while race.done < most:
        race.go_on(racing, min(batch, most - race.done))
        values, errors = np.array([race.figures(seat) for seat in racing]).T
        if errors.max() <= precision:
            break
    return Estimates(values, errors, np.hypot(errors, errors[values.argmax()]), np.full(seats, race.done))


def as_worths(evaluator: Evaluator, found: Estimates) -> tuple[Worth, ...]:
    """Estimates for all seats, as an evaluator gives them."""
    return tuple(
        Worth(value, error, evaluator.unit, exact=False)
        for value, error in zip(found.values.tolist(), found.errors.tolist(), strict=True)
    )


# The evaluator


class RolloutEvaluator(Evaluator):
    """Chances to win, by rollouts. A game brings the kernel."""

    unit = Unit.WIN
    exact = False
    sampled = True
    tie = 1e-4
    review_precision = 0.004, None
    most: int = MOST
    """Rollouts of one candidate at most, unless a precision is asked for."""

    def __init__(self, players: int) -> None:
        self.players = players
        self._evaluated: Callable[[State, Sampling], Evaluation] = lru_cache(maxsize=64)(self._rolled_out)

    @abstractmethod
    def begin(self, state: State, seat: int) -> PlayOut:
        """What plays a state that is not over to its end, for a seat that asks."""

    def sampler(self, states: Sequence[State], seat: int, seeds: Sequence[int]) -> Sampler:
        """A sampler of states, each with its seed, for a seat. A game that is over has its result every time."""
        begun = [None if state.seat == OVER else self.begin(state, seat) for state in states]

        def sample(chosen: Ints, first: int, count: int) -> tuple[Floats, Floats]:
            results, luck = np.zeros((len(chosen), count)), np.zeros((len(chosen), count, self.players))

            def play_out(at: int) -> None:
                play, winners = begun[chosen[at]], np.zeros(count, np.int64)
                if play is None:
                    results[at] = payoff(states[chosen[at]], seat)
                else:
                    play(seeds[chosen[at]], first, winners, luck[at])
                    results[at] = winners == seat

            on_all_cores(play_out, len(chosen))
            return results, luck

        return sample

    def expected(self, state: State, seat: int) -> float:
        return self.value(state, seat).value

    def value(self, state: State, seat: int, *, seed: int | None = None, precision: float | None = None) -> Worth:
        if state.seat == OVER:
            return super().value(state, seat)
        found = self.compared([state], seat, Sampling.of(state, seed, precision))
        return Worth(float(found.values[0]), float(found.errors[0]), self.unit, self.exact)

    def everybody(self, state: State, *, seed: int | None = None, precision: float | None = None) -> tuple[Worth, ...]:
        """The same rollouts tell it for every seat."""
        if state.seat == OVER:
            return super().everybody(state)
        sampling = Sampling.of(state, seed, precision)
        precision, most = sampling.limits(PRECISION, self.most)
        play = self.begin(state, owner(state))

        def sample(chosen: Ints, first: int, count: int) -> tuple[Floats, Floats]:
            winners, luck = np.zeros(count, np.int64), np.zeros((count, self.players))
            play(sampling.seed, first, winners, luck)
            return (winners == chosen[:, np.newaxis]).astype(np.float64), np.array([luck] * len(chosen))

        return as_worths(self, together(sample, self.players, most=most, precision=precision))

    def evaluate(self, state: State, *, seed: int | None = None, precision: float | None = None) -> Evaluation:
        return self._evaluated(state, Sampling.of(state, seed, precision))

    def _rolled_out(self, state: State, sampling: Sampling) -> Evaluation:
        following, seat = Following.of(state), owner(state)
        if state.seat == CHANCE:
            found = self.averaged(following.different, following.chances, seat, sampling)
        else:
            found = self.compared(following.different, seat, sampling)
        return following.evaluation(self, found)

    def compared(self, states: Sequence[State], seat: int, sampling: Sampling, most: int | None = None) -> Estimates:
        """What states are worth that are compared, on the same dice."""
        precision, most = sampling.limits(PRECISION, most or self.most)
        sample = self.sampler(states, seat, [sampling.seed] * len(states))
        return compare(sample, len(states), most=most, precision=precision)

    def averaged(self, states: Sequence[State], chances: Floats, seat: int, sampling: Sampling) -> Estimates:
        """What states are worth whose average counts, each on dice of its own."""
        precision, most = sampling.limits(PRECISION, self.most)
        seeds = [sampling.alone(at).seed for at in range(len(states))]
        return average(self.sampler(states, seat, seeds), chances, most=most, precision=precision)
