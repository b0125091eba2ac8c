"""What all rollouts share: random numbers, draws, and estimates that know how good they are."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from hotdice.solve.rollouts import (
    Floats,
    Ints,
    Sampler,
    alias_of,
    average,
    compare,
    drawn,
    mean_and_error,
    stream,
    uniform,
    without_luck,
)


def numbers(seed: int, rollout: int, seat: int, turn: int, count: int = 1000) -> Floats:
    key = np.uint64(stream(seed, rollout, seat, turn))
    return np.array([uniform(key, at) for at in range(count)])


def test_a_stream_is_the_published_generator() -> None:
    """SplitMix64 seeded with 1234567 begins with 6457827717110365317 (the reference implementation's test value)."""
    assert uniform(np.uint64(1234567), 0) == (6457827717110365317 >> 11) * 2.0**-53


def test_random_numbers_are_even_and_streams_have_nothing_in_common() -> None:
    found = np.array([numbers(7, rollout, seat, turn) for rollout in (0, 1) for seat in (0, 1) for turn in (0, 1)])
    assert found.min() >= 0
    assert found.max() < 1
    counts = np.bincount((found * 6).astype(int).reshape(-1), minlength=6)
    assert ((counts - found.size / 6) ** 2 / (found.size / 6)).sum() < 20.5  # chi square, five degrees, 1 in 1000
    correlations = np.corrcoef(found)[np.triu_indices(len(found), 1)]
    assert np.abs(correlations).max() < 4 / 1000**0.5


def test_the_same_turn_has_the_same_numbers() -> None:
    assert (numbers(1, 2, 3, 4) == numbers(1, 2, 3, 4)).all()
    assert (numbers(1, 2, 3, 4) != numbers(2, 2, 3, 4)).all()


@pytest.mark.parametrize("chances", [[1.0], [0.5, 0.5], [0.1, 0.2, 0.7], [0, 1, 0], [1 / 7] * 7, [3, 1, 4, 1, 5]])
def test_draws_have_the_chances_asked_for(chances: Sequence[float]) -> None:
    share, other = alias_of(np.array(chances, np.float64))
    found = np.zeros(len(chances))
    for column, part in enumerate(share):
        found[column] += part / len(chances)
        found[other[column]] += (1 - part) / len(chances)
    assert found == pytest.approx(np.array(chances) / np.sum(chances), abs=1e-12)
    for column, part in enumerate(share):
        if part > 0.001:
            assert drawn(share, other, (column + 0.999 * part) / len(chances)) == column
        if part < 0.999:
            assert drawn(share, other, (column + 0.9995) / len(chances)) == other[column]


VALUES = (0.5, 0.47, 0.2)


def lucky(noise: float, luck: float) -> Sampler:
    """Candidates of known value; results are disturbed by luck, which is told, and by noise that all share."""

    def sample(chosen: Ints, first: int, count: int) -> tuple[Floats, Floats]:
        random = np.random.default_rng(first)
        common, known = random.normal(0, noise, count), random.normal(0, 1, (count, 2))
        results = np.array([VALUES[candidate] + common + luck * known.sum(axis=1) for candidate in chosen])
        return results, np.repeat(known[np.newaxis], len(chosen), axis=0)

    return sample


def test_luck_is_taken_out() -> None:
    results, known = lucky(0.1, 2.0)(np.array([0]), 0, 4000)
    mean, error = mean_and_error(without_luck(results[0], known[0]), 2)
    assert error == pytest.approx(0.1 / 4000**0.5, rel=0.1)
    assert abs(mean - VALUES[0]) < 4 * error
    assert mean_and_error(results[0])[1] > 20 * error


def test_an_estimate_is_within_its_error_and_stops_when_precise() -> None:
    found = compare(lucky(0.1, 1.0), 3, precision=0.002)
    assert (np.abs(found.values - VALUES) < 4 * found.errors).all()
    assert found.errors[0] <= 0.002
    assert found.rollouts[0] < 8192


def test_candidates_that_are_clearly_behind_are_dropped_and_near_ones_told_apart() -> None:
    found = compare(lucky(0.5, 1.0), 3, precision=0.004)
    assert found.rollouts[2] < found.rollouts[0]
    assert found.tied.tolist() == [True, False, False]


def test_positions_to_be_averaged_all_go_on_alike() -> None:
    found = average(lucky(0.5, 0.0), np.full(3, 1 / 3), batch=500, most=6000, precision=0.0)
    assert found.rollouts.tolist() == [2000, 2000, 2000]


def test_results_that_agree_by_chance_have_an_error_all_the_same() -> None:
    def never(chosen: Ints, first: int, count: int) -> tuple[Floats, Floats]:
        return np.zeros((len(chosen), count)), np.zeros((len(chosen), count, 1))

    found = compare(never, 2, most=2000, precision=0.0)
    assert found.errors == pytest.approx(1 / 2000)
    assert found.tied.all()
