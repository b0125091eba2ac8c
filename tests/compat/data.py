"""What earlier versions wrote down, and what they made of it.

Each folder beside this file was written by `make.py` when the version of that day was current, and is never edited.
There is a database of every schema that a version had; where a day had two, the folder names the schema, and has no
records.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
VERSIONS = sorted(path.name for path in HERE.iterdir() if (path / "tables.sql").exists())
WITH_RECORDS = [version for version in VERSIONS if (HERE / version / "records.json").exists()]


@cache
def expected(version: str, what: str) -> dict[str, Any]:
    """What a version made of its `records` or `tables`, by name."""
    found: dict[str, Any] = json.loads((HERE / version / f"{what}.json").read_text("utf-8"))
    return found


RECORDS = [(version, name) for version in WITH_RECORDS for name in expected(version, "records")]
TABLES = [(version, name) for version in VERSIONS for name in expected(version, "tables")]


def record_file(version: str, name: str) -> Path:
    return HERE / version / "records" / f"{name}.hotdice"
