"""Run benchmarks: `python -m benchmarks`, or some of them by name; one alone takes its own options."""

from __future__ import annotations

import sys
from importlib import import_module

BENCHMARKS = ("engine", "solve", "deciding", "uturns", "environments", "calibrate", "matches", "server", "hold")


def main() -> None:
    given = sys.argv[1:]
    named = next((at for at, word in enumerate(given) if word.startswith("-")), len(given))
    names, options = given[:named] or list(BENCHMARKS), given[named:]
    unknown = [name for name in names if name not in BENCHMARKS]
    if unknown:
        sys.exit(f"There is no benchmark {unknown[0]}; there are {', '.join(BENCHMARKS)}.")
    if options and len(names) > 1:
        sys.exit(f"Options such as {options[0]} are for one benchmark; name it before them, as in server {options[0]}.")
    sys.argv[1:] = options
    for name in names:
        import_module(f"benchmarks.{name}").main()


if __name__ == "__main__":
    main()
