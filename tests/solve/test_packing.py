"""Packed tables come back within half a step, whatever they hold, and smooth ones are small."""

from __future__ import annotations

import numpy as np
import pytest

from hotdice.solve.packing import MOST, pack, unpack

STEP = 2.0**-20


@pytest.mark.parametrize("seed", range(12))
def test_what_comes_back_is_within_half_a_step(seed: int) -> None:
    rng = np.random.default_rng(seed)
    shape = (int(rng.integers(1, 5)), int(rng.integers(1, 30)), int(rng.integers(4, 40)))
    values = np.cumsum(rng.normal(size=shape) * 10.0 ** rng.integers(-9, 4, size=(*shape[:2], 1)), axis=-1)
    values[rng.random(shape[:2]) < 0.2] = rng.normal()
    found = unpack("it", pack("it", values, STEP))
    assert found.shape == shape
    assert np.abs(found - values).max() <= STEP / 2


@pytest.mark.parametrize("length", [1, 3, 255, 256, 257, 1000])
def test_a_list_of_any_length_comes_back(length: int) -> None:
    values = np.sin(np.arange(length) / 7.0)
    found = unpack("it", pack("it", values, STEP))
    assert found.shape == values.shape
    assert np.abs(found - values).max() <= STEP / 2


@pytest.mark.parametrize("width", range(1, MOST))
def test_the_ends_of_every_width_come_back(width: int) -> None:
    most = 2 ** (8 * width - 1)
    for jump in (most - 1, most, -most, -most - 1):
        values = np.array([[0.0] * 20])
        values[0, 9:] = jump
        assert (unpack("it", pack("it", values, 1.0)) == values).all()


def test_smooth_rows_take_a_byte_a_number_and_constant_ones_next_to_none() -> None:
    smooth = np.sin(np.linspace(0.0, 1.0, 200)) * np.linspace(0.5, 1.0, 50)[:, np.newaxis]
    packed = pack("it", smooth, STEP)
    assert sum(array.nbytes for array in packed.values()) < 1.5 * smooth.size
    constant = pack("it", np.full((50, 200), 0.3), STEP)
    assert sum(array.nbytes for array in constant.values()) < 0.2 * smooth.size
