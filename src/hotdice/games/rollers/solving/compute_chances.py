"""Computes the constants in `chances`: what a match of two is worth as a round begins, for every match score.

`python -m hotdice.games.rollers.solving.compute_chances --needs 5 --part chances.json` solves one round after the
other on all cores, which takes about two hours of CPU time with free dice and fifteen with locked ones (those with
locked dice were computed on a GPU, by the same turns and enclosures). What is found goes into the part file after each
round, and the round under way into a file beside it every half minute; a second call goes on from there. `--write` puts
what part files have into `chances.py`.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from math import ceil
from pathlib import Path
from typing import Any, Final

import numpy as np

from hotdice.games.rollers.rules import RollersOptions
from hotdice.games.rollers.solving.equity import Chance, Known, Needs
from hotdice.games.rollers.solving.lattice import full_lattice
from hotdice.games.rollers.solving.match import all_needs, ends_of, found_by, stakes_at
from hotdice.games.rollers.solving.tables import SAVE_EVERY, RoundSolve

MARGIN: Final = 1e-9
"""How closely each pair of boards is enclosed."""


class Part:
    """What is known so far of one set of house rules, kept in a file; a round under way in another beside it."""

    def __init__(self, path: Path, options: RollersOptions) -> None:
        self.path, self.options = path, options
        self.known: dict[Needs, Chance] = {}
        if path.exists():
            found = json.loads(path.read_text())
            if found["options"] != options.text:
                raise SystemExit(f"{path} is of other house rules: {found['options'] or 'the usual ones'}.")
            self.known = _read(found["chances"])

    def save(self) -> None:
        """Keep what is known."""
        rows = [[*needs, chance.value, chance.error] for needs, chance in sorted(self.known.items())]
        _replace(self.path, json.dumps({"options": self.options.text, "chances": rows}).encode())

    def round_file(self, needs: Needs) -> Path:
        """Where a round that is being solved is kept."""
        return self.path.with_name(f"{self.path.name}.{needs[0]}-{needs[1]}.npz")

    def solve(self, needs: Needs, pool: ThreadPoolExecutor, lowest: int) -> RoundSolve:
        """The round at a match score, solved; it goes on from what was kept of it."""
        locked, share = self.options.saved_dice == "locked", self.options.chip_tie == "share"
        solve = RoundSolve(locked, ends_of(stakes_at(needs, 0, share, self.known.__getitem__)), MARGIN)
        file = self.round_file(needs)
        if file.exists():
            with np.load(file) as kept:
                solve.go_on_from(kept)
        saved = time.monotonic()
        for _ in solve.run(pool, lowest):
            if time.monotonic() - saved > SAVE_EVERY:
                with file.with_suffix(".new").open("wb") as out:
                    np.savez(out, allow_pickle=False, **solve.snapshot())
                file.with_suffix(".new").replace(file)
                saved = time.monotonic()
        return solve

    def add(self, needs: Needs, pool: ThreadPoolExecutor, lowest: int = 0) -> None:
        """Solve a match score and keep what was found."""
        began = time.monotonic(), time.process_time()
        solve = self.solve(needs, pool, lowest)
        found = found_by(solve, needs, self.options.chip_tie == "share", self.known.__getitem__)
        self.known.update(found)
        self.save()
        self.round_file(needs).unlink(missing_ok=True)
        wall, cpu = time.monotonic() - began[0], time.process_time() - began[1]
        print(f"{found} in {wall:.0f} s, {cpu:.0f} s of CPU", flush=True)


def _read(rows: Sequence[Sequence[Any]]) -> dict[Needs, Chance]:
    return {(row[0], row[1]): Chance(row[2], row[3]) for row in rows}


def _replace(path: Path, content: bytes) -> None:
    path.with_suffix(".new").write_bytes(content)
    path.with_suffix(".new").replace(path)


# The module of constants

HEAD: Final = '''"""What a match of Rollers between two is worth as a round begins, by the points that each has to go.

Made by `compute_chances`; not for editing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from hotdice.games.rollers.solving.equity import Chance, Known

'''


def _rounded_up(error: float) -> str:
    """An error in units of 1e-9, with room for what the value loses by being written with ten digits."""
    return f"{ceil(1e9 * error + 0.05)}e-9"


def module_of(parts: Mapping[str, Known]) -> str:
    """The text of the module of constants, from what is known by house rules."""
    lines = ["CHANCES: Final[Mapping[str, Known]] = {"]
    for options, known in sorted(parts.items()):
        lines.append(f'    "{options}": {{')
        lines += [
            f"        ({mine}, {theirs}): Chance({chance.value:.10f}, {_rounded_up(chance.error)}),"
            for (mine, theirs), chance in sorted(known.items())
        ]
        lines.append("    },")
    lines += [
        "}",
        '"""By house rules, and the points that who begins and the other have to go: the chance of the former."""',
        "",
    ]
    return HEAD + "\n".join(lines)


def main() -> None:
    """Compute what is not known yet, or write the module."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--needs", type=int, default=5, help="match scores up to so many points to go")
    parser.add_argument("--saved-dice", choices=["free", "locked"], default="free")
    parser.add_argument("--chip-tie", choices=["nobody", "share"], default="nobody")
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--seconds", type=float, default=1e9, help="begin no other round after so many seconds")
    parser.add_argument("--part", type=Path, nargs="+", required=True)
    parser.add_argument("--write", action="store_true", help="write what part files have into chances.py")
    asked = parser.parse_args()
    if asked.write:
        found = [json.loads(path.read_text()) for path in asked.part]
        parts = {
            part["options"]: {(row[0], row[1]): Chance(row[2], row[3]) for row in part["chances"]} for part in found
        }
        Path(__file__).with_name("chances.py").write_text(module_of(parts))
        return
    options = RollersOptions(chip_tie=asked.chip_tie, saved_dice=asked.saved_dice)
    part = Part(asked.part[0], options)
    full_lattice(asked.saved_dice == "locked")  # compiled once, before the threads want it
    began = time.monotonic()
    with ThreadPoolExecutor(asked.threads) as pool:
        for needs in all_needs(asked.needs):
            if needs not in part.known and time.monotonic() - began < asked.seconds:
                part.add(needs, pool)


if __name__ == "__main__":
    main()
