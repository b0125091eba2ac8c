"""Run benchmarks and keep what they say: `python -m benchmarks`, or some by name; one alone takes its own options.

Rows that were measured replace those of the same id in `results.json`, and the pages are made from that anew.
`python -m benchmarks render` does no more than that.
"""

from __future__ import annotations

import sys
from importlib import import_module

from benchmarks import report
from benchmarks.render import BENCHMARKS, render

USUAL = tuple(name for name in BENCHMARKS if name not in ("calibrate", "kismet_error", "three_bj"))
"""Run if none is named; the others take hours, or give the same every time."""


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
    failed = []
    for at, name in enumerate(names):
        print(f"{name} ({at + 1} of {len(names)})", flush=True)
        try:
            for results in report.measure(name, import_module(f"benchmarks.{name}").rows, options):
                report.write(results)  # after each row: what follows may fail, or be interrupted
        except Exception as error:  # the others can still be measured
            print(f"  failed: {type(error).__name__}: {error}", file=sys.stderr, flush=True)
            failed.append(name)
    render()
    if failed:
        sys.exit(f"Some benchmarks failed: {', '.join(failed)}.")


if __name__ == "__main__":
    main()
