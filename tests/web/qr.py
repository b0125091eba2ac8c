"""Reads a small QR code, as a phone's camera does but without its errors: from a drawing, by ISO/IEC 18004.

Versions 1 to 3 only, whose words lie in one block; bytes only. It shares nothing with what drew the code.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

Modules = list[list[bool]]

FORMAT_MASK: Final = 0b101010000010010
MASKS: Final[tuple[Callable[[int, int], bool], ...]] = (
    lambda row, column: (row + column) % 2 == 0,
    lambda row, column: row % 2 == 0,
    lambda row, column: column % 3 == 0,
    lambda row, column: (row + column) % 3 == 0,
    lambda row, column: (row // 2 + column // 3) % 2 == 0,
    lambda row, column: row * column % 2 + row * column % 3 == 0,
    lambda row, column: (row * column % 2 + row * column % 3) % 2 == 0,
    lambda row, column: ((row + column) % 2 + row * column % 3) % 2 == 0,
)
BYTES: Final = 0b0100
RUN: Final = re.compile(r"M(\d+) (\d+)h(\d+)v1h-(\d+)z")


def modules_of(path: str, size: int) -> Modules:
    """The dark modules of a drawing in which each run of a row is a rectangle."""
    assert RUN.sub("", path) == "", f"not all of this is runs of modules: {path[:200]}"
    dark = [[False] * size for _ in range(size)]
    for x, y, length, back in (map(int, run) for run in RUN.findall(path)):
        assert length == back
        dark[y][x : x + length] = [True] * length
    return dark


def quiet_zone(modules: Modules) -> int:
    """How many modules are left white around the code, at least."""
    rows = [at for at, row in enumerate(modules) if any(row)]
    columns = [at for at, column in enumerate(zip(*modules, strict=True)) if any(column)]
    size = len(modules)
    return min(rows[0], columns[0], size - 1 - rows[-1], size - 1 - columns[-1])


def text_of(modules: Modules) -> str:
    """What the code says."""
    quiet = quiet_zone(modules)
    code = [row[quiet : len(row) - quiet] for row in modules[quiet : len(modules) - quiet]]
    size = len(code)
    version = (size - 17) // 4
    assert size in (21, 25, 29), f"a code of {size} modules is not read here"
    bits = _bits(code, version)
    assert _number(bits[:4]) == BYTES, "the text is not in bytes"
    length = _number(bits[4:12])
    return bytes(_number(bits[12 + 8 * at : 20 + 8 * at]) for at in range(length)).decode()


def _bits(code: Modules, version: int) -> list[bool]:
    """The data, unmasked: up and down in pairs of columns from the right, around all that is not data."""
    size = len(code)
    told = [code[8][column] for column in (0, 1, 2, 3, 4, 5, 7, 8)] + [code[row][8] for row in (7, 5, 4, 3, 2, 1, 0)]
    mask = MASKS[((_number(told) ^ FORMAT_MASK) >> 10) & 0b111]
    bits: list[bool] = []
    upwards = True
    for right in (column if column > 6 else column - 1 for column in range(size - 1, 0, -2)):
        for row in range(size - 1, -1, -1) if upwards else range(size):
            for column in (right, right - 1):
                if column >= 0 and not _is_pattern(row, column, size, version):
                    bits += [code[row][column] ^ mask(row, column)]
        upwards = not upwards
    return bits


def _is_pattern(row: int, column: int, size: int, version: int) -> bool:
    """Whether a module is part of a finder with its margin and format, of a timing line, or of the alignment."""
    if row == 6 or column == 6:
        return True
    if row < 9 and (column < 9 or column >= size - 8):
        return True
    if row >= size - 8 and column < 9:
        return True
    centre = size - 7
    return version > 1 and abs(row - centre) <= 2 and abs(column - centre) <= 2


def _number(bits: list[bool]) -> int:
    return sum(bit << place for place, bit in enumerate(reversed(bits)))
