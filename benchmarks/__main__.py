"""Run benchmarks: `python -m benchmarks`, or some of them by name."""

from __future__ import annotations

import sys
from importlib import import_module

BENCHMARKS = ("engine", "solve", "deciding", "uturns", "calibrate", "matches", "server", "hold")


def main() -> None:
    names = sys.argv[1:] or list(BENCHMARKS)
    unknown = [name for name in names if name not in BENCHMARKS]
    if unknown:
        sys.exit(f"There is no benchmark {unknown[0]}; there are {', '.join(BENCHMARKS)}.")
    sys.argv[1:] = []
    for name in names:
        import_module(f"benchmarks.{name}").main()


if __name__ == "__main__":
    main()
