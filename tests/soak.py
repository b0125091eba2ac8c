"""Soak: what the tests try with fixed examples, tried with new ones for as long as you like.

    make soak                              ten minutes
    make soak ARGS="--minutes 120"         as a nightly job would
    make soak ARGS="--only hypothesis"     properties alone; or chaos, cluster, or fuzz
    make soak ARGS="--only cluster --kills 200"

Each round draws a seed and gives it to all four: Hypothesis draws new examples for every property; a server on SQLite,
and then two on PostgreSQL and Redis, are killed and frozen again and again while tables are played at them, their
clocks jump and their disks are full (`tests.server.chaos`); and another is sent everything wrong that can be sent
(`tests.server.fuzz`). The first failure ends it, with the command that repeats it; Hypothesis also prints a blob.
"""

from __future__ import annotations

import argparse
import os
import secrets
import shlex
import subprocess
import sys
import time
from collections.abc import Callable

KINDS = ("hypothesis", "chaos", "cluster", "fuzz")


def commands(chosen: argparse.Namespace, seed: int) -> dict[str, list[str]]:
    """What a round with that seed consists of, by kind."""
    chaos = ["tests.server.chaos", "--kills", str(chosen.kills), "--seed", str(seed)]
    found = {
        "hypothesis": [
            "pytest", "tests", "--ignore=tests/web", "-m", "hypothesis", "-n", "auto",
            "--hypothesis-profile=soak", f"--hypothesis-seed={seed}",
        ],
        "chaos": [*chaos, "--database", "sqlite"],
        "cluster": [*chaos, "--database", "postgres"],
        "fuzz": ["tests.server.fuzz", "--inputs", str(chosen.inputs), "--seed", str(seed)],
    }  # fmt: skip
    return {kind: [sys.executable, "-m", *found[kind]] for kind in chosen.only or KINDS}


def soak(chosen: argparse.Namespace, run: Callable[[list[str]], int]) -> int:
    """Run rounds until the time is up or something fails; the exit status."""
    until = time.monotonic() + 60 * chosen.minutes
    rounds = 0
    while not rounds or time.monotonic() < until:
        seed = chosen.seed if chosen.seed is not None else secrets.randbelow(10**9)
        rounds += 1
        for kind, command in commands(chosen, seed).items():
            print(f"Round {rounds}, {kind}, seed {seed}", flush=True)
            if run(command):
                print(f"\nFailed with seed {seed}. To repeat it: {shlex.join(command)}", file=sys.stderr)
                return 1
        if chosen.seed is not None:
            break
    print(f"{rounds} rounds without a failure.")
    return 0


def arguments(given: list[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m tests.soak", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--minutes", type=float, default=10, help="a round that has begun is finished (default 10)")
    parser.add_argument("--only", choices=KINDS, action="append", help="may be given several times")
    parser.add_argument("--seed", type=int, help="one round with this seed")
    parser.add_argument(
        "--kills", type=int, default=20, help="of servers in a round's chaos, and in its cluster's (default 20)"
    )
    parser.add_argument("--inputs", type=int, default=5000, help="in a round's fuzz (default 5000)")
    return parser.parse_args(given)


def main() -> int:
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    return soak(arguments(), lambda command: subprocess.run(command, env=environment, check=False).returncode)


if __name__ == "__main__":
    sys.exit(main())
