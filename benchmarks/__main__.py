"""Run benchmarks: `python -m benchmarks`, or some of them by name."""

from __future__ import annotations

import sys

from benchmarks import engine

BENCHMARKS = {"engine": engine.main}


def main() -> None:
    names = sys.argv[1:] or list(BENCHMARKS)
    unknown = [name for name in names if name not in BENCHMARKS]
    if unknown:
        sys.exit(f"There is no benchmark {unknown[0]}; there are {', '.join(BENCHMARKS)}.")
    for name in names:
        BENCHMARKS[name]()


if __name__ == "__main__":
    main()
