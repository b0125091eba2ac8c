"""Run benchmarks and keep what they say: `python -m benchmarks`, or some by name; one alone takes its own options.

Rows that were measured replace those of the same id in `results.json`, and the pages are made from that anew.
`python -m benchmarks render` does no more than that.
"""

from __future__ import annotations

import sys
from importlib import import_module

from benchmarks import report
from benchmarks.render import BENCHMARKS, render

USUAL = tuple(name for name in BENCHMARKS if name not in ("kismet_error", "three_bj", "transports"))
"""Run if none is named; the others take long or want a package of their own."""


def main() -> None:
    given = sys.argv[1:]
    named = next((at for at, word in enumerate(given) if word not in BENCHMARKS), len(given))
    names, options = given[:named] or list(USUAL), given[named:]
    if given == ["render"]:
        names = []
    elif options and not named:
        sys.exit(f"There is no benchmark {options[0]}; there are {', '.join(BENCHMARKS)}, and render.")
    elif options and len(names) > 1:
        sys.exit(
            f"{options[0]} is no benchmark, and options are for one: python -m benchmarks {names[-1]} {options[0]}."
        )
    for at, name in enumerate(names):
        print(f"{name} ({at + 1} of {len(names)})", flush=True)
        for results in report.measure(name, import_module(f"benchmarks.{name}").rows, options):
            report.write(results)  # after each row: what follows may fail, or be interrupted
    render()


if __name__ == "__main__":
    main()
