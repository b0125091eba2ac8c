"""Sixteen numbers as one value, so that loops over rows keep them in registers whatever the rows alias.

The functions here are for kernels, written as the instructions that they stand for. Loads and stores check no bounds.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
from llvmlite import ir  # type: ignore[import-untyped]
from numba import types
from numba.extending import intrinsic, models, register_model
from numpy.typing import NDArray

Floats = NDArray[np.float64]

LANES: Final = 16


class Lanes(types.Type):  # type: ignore[misc, unused-ignore]
    """The compiler's type of sixteen numbers side by side."""

    def __init__(self) -> None:
        super().__init__(name="Lanes")


LANES_TYPE: Final = Lanes()
_VECTOR: Final = ir.VectorType(ir.DoubleType(), LANES)


@register_model(Lanes)  # type: ignore[untyped-decorator, unused-ignore]
class LanesModel(models.PrimitiveModel):  # type: ignore[misc, unused-ignore]
    """Lanes are a vector to LLVM."""

    def __init__(self, dmm: Any, fe_type: Any) -> None:
        super().__init__(dmm, fe_type, _VECTOR)  # type: ignore[no-untyped-call, unused-ignore]


def _inline(generator: Callable[..., Any]) -> Any:
    """A function for kernels, written as the instructions that it stands for."""
    return intrinsic(generator)


def _address(context: Any, builder: Any, array_type: Any, array: Any, index: Any) -> Any:
    data = context.make_array(array_type)(context, builder, array).data
    return builder.bitcast(builder.gep(data, [index]), _VECTOR.as_pointer())


@_inline
def load(typing: Any, array: Any, index: Any) -> Any:
    """The lanes that start at an index of a flat array."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        at = context.cast(builder, args[1], signature.args[1], types.intp)
        found = builder.load(_address(context, builder, signature.args[0], args[0], at))
        found.align = 8
        return found

    return LANES_TYPE(array, index), generate


@_inline
def store(typing: Any, array: Any, index: Any, lanes: Any) -> Any:
    """Put lanes into a flat array."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        at = context.cast(builder, args[1], signature.args[1], types.intp)
        put = builder.store(args[2], _address(context, builder, signature.args[0], args[0], at))
        put.align = 8
        return context.get_dummy_value()

    return types.none(array, index, lanes), generate


def _row(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    """The address of the row whose number stands in a program; unlike indexing it does not ask for a sign."""
    code = context.make_array(signature.args[1])(context, builder, args[1]).data
    at = context.cast(builder, args[2], signature.args[2], types.intp)
    number = builder.zext(builder.load(builder.gep(code, [at])), ir.IntType(64))
    index = builder.mul(number, ir.Constant(ir.IntType(64), LANES))
    return _address(context, builder, signature.args[0], args[0], index)


@_inline
def take(typing: Any, work: Any, code: Any, at: Any) -> Any:
    """The row whose number stands in a program."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        found = builder.load(_row(context, builder, signature, args))
        found.align = 8
        return found

    return LANES_TYPE(work, code, at), generate


@_inline
def put(typing: Any, work: Any, code: Any, at: Any, lanes: Any) -> Any:
    """Fill the row whose number stands in a program."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        builder.store(args[3], _row(context, builder, signature, args)).align = 8
        return context.get_dummy_value()

    return types.none(work, code, at, lanes), generate


@_inline
def larger(typing: Any, one: Any, other: Any) -> Any:
    """The larger of two, lane by lane."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        above = builder.fcmp_ordered(">", args[0], args[1], flags=["fast"])
        return builder.select(above, args[0], args[1])

    return LANES_TYPE(one, other), generate


@_inline
def plus(typing: Any, one: Any, other: Any) -> Any:
    """The sum of two, lane by lane."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.fadd(args[0], args[1])

    return LANES_TYPE(one, other), generate


@_inline
def times(typing: Any, lanes: Any, factor: Any) -> Any:
    """All lanes times one number."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        factor = context.cast(builder, args[1], signature.args[1], types.float64)
        one = builder.insert_element(ir.Constant(_VECTOR, ir.Undefined), factor, ir.Constant(ir.IntType(32), 0))
        mask = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)
        spread = builder.shuffle_vector(one, ir.Constant(_VECTOR, ir.Undefined), mask)
        return builder.fmul(args[0], spread)

    return LANES_TYPE(lanes, factor), generate


def aligned(length: int) -> Floats:
    """Zeros that start on a cache line, without which every second load of lanes would touch two."""
    spare = np.zeros(length + 8)
    begin = -(spare.ctypes.data // 8) % 8
    return spare[begin : begin + length]
