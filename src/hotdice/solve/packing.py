"""Tables of numbers that change smoothly, in few bytes: rounded to a step, then as differences of neighbours.

A table is packed row by row. Numbers become whole multiples of a step, which is a power of two, so that multiplying by
it rounds nothing: what is unpacked is within half a step of what was packed, and that is all the error there is. Of the
multiples the differences along a row are kept, or the differences of these, and so on, as often as makes them smallest;
eight at a time, in as many bytes each as the largest of them needs. Unpacking adds them up again, in whole numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hotdice.solve.jit import kernel

Arrays = Mapping[str, NDArray[Any]]
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bytes = NDArray[np.uint8]

ORDERS: Final = (1, 2, 3)
"""How often differences are taken."""
BLOCK: Final = 8
"""How many differences have their width in common."""
MOST: Final = 6
"""The bytes that a difference takes at most."""
ROW: Final = 256
"""A table without rows is packed in rows of this length."""
BYTES, WIDTHS, HEADS, FORM, STEP = "bytes", "widths", "heads", "form", "step"
"""What is kept of a table."""


class _Packed(NamedTuple):
    order: int
    heads: Ints
    """By row: what each time of taking differences begins from."""
    widths: Bytes
    """By row and block: the bytes of each of its differences."""
    blocks: Ints
    """By row and block: the differences."""

    @property
    def size(self) -> int:
        return int(self.heads.size * 8 + self.widths.size + BLOCK * self.widths.sum(dtype=np.int64))


def pack(name: str, values: Floats, step: float) -> dict[str, NDArray[Any]]:
    """A table as arrays whose names begin with that name; `step` is a power of two."""
    rows = values.reshape(-1, values.shape[-1])
    if values.ndim == 1:
        rows = np.pad(values, (0, -values.size % ROW), mode="edge").reshape(-1, ROW)
    whole = np.rint(rows * (1.0 / step)).astype(np.int64)
    order, heads, widths, blocks = min((_packed(whole, order) for order in ORDERS), key=lambda one: one.size)
    each = blocks.astype("<i8").view(np.uint8).reshape(-1, BLOCK, 8)
    taken = np.arange(8) < widths.reshape(-1, 1, 1)
    return {
        f"{name} {BYTES}": each[np.broadcast_to(taken, each.shape)],
        f"{name} {WIDTHS}": widths,
        f"{name} {HEADS}": heads,
        f"{name} {FORM}": np.array([order, *values.shape], np.int64),
        f"{name} {STEP}": np.array([step]),
    }


def unpack(name: str, arrays: Arrays) -> Floats:
    """The table that was packed under that name."""
    order, *shape = arrays[f"{name} {FORM}"].tolist()
    widths, heads = arrays[f"{name} {WIDTHS}"], arrays[f"{name} {HEADS}"]
    out = np.empty((len(widths), ROW if len(shape) == 1 else shape[-1]))
    _unpack(arrays[f"{name} {BYTES}"], widths, heads, order, float(arrays[f"{name} {STEP}"][0]), out)
    return out.reshape(-1)[: shape[0]] if len(shape) == 1 else out.reshape(shape)


def _packed(whole: Ints, order: int) -> _Packed:
    heads = []
    for _ in range(order):
        heads.append(whole[:, 0])
        whole = np.diff(whole, axis=1)
    blocks = np.pad(whole, ((0, 0), (0, -whole.shape[1] % BLOCK))).reshape(len(whole), -1, BLOCK)
    most = np.maximum(blocks.max(axis=2), -1 - blocks.min(axis=2))
    limits = np.array([1 << 8 * width - 1 for width in range(1, MOST + 1)])
    widths = np.searchsorted(limits, most, side="right").astype(np.uint8) + np.uint8(1)
    widths[~blocks.any(axis=2)] = 0
    return _Packed(order, np.stack(heads, axis=1), widths, blocks)


@kernel
def _unpack(stream: Bytes, widths: Bytes, heads: Ints, order: int, step: float, out: Floats) -> None:
    """Read the differences, add them up as often as they were taken, and multiply by the step."""
    columns = out.shape[1]
    line = np.zeros(order + BLOCK * widths.shape[1] + columns, np.int64)
    at = 0
    for row in range(len(out)):
        for block in range(widths.shape[1]):
            width = widths[row, block]
            _read(stream[at : at + BLOCK * width], width, line[order + BLOCK * block : order + BLOCK * (block + 1)])
            at += BLOCK * width
        for level in range(order - 1, -1, -1):
            total = line[level] = heads[row, level]
            for column in range(level + 1, columns):
                total += line[column]
                line[column] = total
        for column in range(columns):
            out[row, column] = line[column] * step


@kernel
def _read(stream: Bytes, width: int, out: Ints) -> None:
    """Eight numbers of so many bytes, the last of which has the sign; those of few bytes are quick."""
    if width == 1:
        for one in range(BLOCK):
            out[one] = np.int8(stream[one])
    elif width == 2:
        for one in range(BLOCK):
            out[one] = stream[2 * one] | np.int64(np.int8(stream[2 * one + 1])) << 8
    elif width == 3:
        for one in range(BLOCK):
            low = np.int64(stream[3 * one]) | np.int64(stream[3 * one + 1]) << 8
            out[one] = low | np.int64(np.int8(stream[3 * one + 2])) << 16
    else:
        for one in range(BLOCK):
            found = np.int64(0)
            for place in range(width):
                found |= np.int64(stream[width * one + place]) << 8 * place
            out[one] = found - (np.int64(1) << 8 * width) if width and found >> 8 * width - 1 else found
