"""How fast the learning environments are, against pgx's and PettingZoo's tic-tac-toe in the same run.

    python -m venv /tmp/peers && /tmp/peers/bin/pip install pgx jax pettingzoo pygame
    python -m benchmarks environments --peer /tmp/peers/bin/python

The peers want more than half a gigabyte, so they have a Python of their own; without one only our figures are shown.
All take turns in slices of CPU time, every action is drawn at random, and what counts are the ratios of a round.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
from collections.abc import Callable
from pathlib import Path

import numpy as np

from benchmarks.environments_peer import aec_player, slice_of
from hotdice.envs import zoo
from hotdice.envs.layout import MASK
from hotdice.envs.vector import VectorEnv

GAMES = (1024, 4096, 16384)
VECTORS = ("bj", "pig", "kor")


class Peer:
    """A Python in which the peers run."""

    def __init__(self, python: Path) -> None:
        script = Path(__file__).with_name("environments_peer.py")
        self._process = subprocess.Popen([python, script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, wanted: str) -> tuple[int, float]:
        """The steps of a slice, and its CPU seconds."""
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(f"{wanted}\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline().split()
        if not answer:
            raise SystemExit("The peers could not be run; see above.")
        return int(answer[0]), float(answer[1])


def vector_player(game: str, games: int, opponents: str | None) -> Callable[[], int]:
    """Steps games side by side, compiled, with random legal actions where there is a choice to be had."""
    env = VectorEnv(game, games, opponents=opponents)
    random = np.random.default_rng(1)
    _, info = env.reset(seed=1)
    two = info[MASK].shape[1] == 2

    def play() -> int:
        nonlocal info
        for _ in range(20):
            if two:
                actions = random.integers(0, 2, games)
            else:
                actions = (random.random((games, info[MASK].shape[1])) * info[MASK]).argmax(1)
            *_, info = env.step(actions)
        return 20 * games

    play()
    return play


def rate(sample: tuple[int, float]) -> float:
    return sample[0] / sample[1]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks environments")
    parser.add_argument("--peer", type=Path, help="a Python with pgx, jax, pettingzoo and pygame")
    parser.add_argument("--rounds", type=int, default=9)
    chosen = parser.parse_args()
    peer = Peer(chosen.peer) if chosen.peer else None
    ours: dict[str, Callable[[], int]] = {
        f"{game}, {games:,} games, {against or 'every seat'}": vector_player(game, games, against)
        for game in VECTORS
        for games in GAMES
        for against in (None, "greedy")
    }
    alone = aec_player(zoo.env("pig"), lambda seen, info: info[MASK])
    found: dict[str, list[float]] = {}
    ratios: dict[str, list[float]] = {}
    for _ in range(chosen.rounds):
        theirs = [rate(peer.ask(f"pgx {games}")) for games in GAMES] if peer else []
        for games, found_rate in zip(GAMES, theirs, strict=False):
            found.setdefault(f"pgx, tic-tac-toe, {games:,} games", []).append(found_rate)
        for name, play in ours.items():
            found.setdefault(name, []).append(rate(slice_of(play, 0.25)))
            if theirs:
                ratios.setdefault(name, []).append(found[name][-1] / max(theirs))
        found.setdefault("Pig, PettingZoo's AEC", []).append(rate(slice_of(alone)))
        if peer:
            found.setdefault("tic-tac-toe, PettingZoo's own AEC", []).append(rate(peer.ask("pettingzoo")))
            mine, its = found["Pig, PettingZoo's AEC"][-1], found["tic-tac-toe, PettingZoo's own AEC"][-1]
            ratios.setdefault("Pig, PettingZoo's AEC", []).append(mine / its)
    print("Steps a CPU second, medians; of the best of pgx, or of PettingZoo's, in the same round:")
    for name, rates in found.items():
        of = ratios.get(name)
        shown = f"{statistics.median(of):6.2f} ({min(of):.2f} to {max(of):.2f})" if of else ""
        print(f"{name:40} {statistics.median(rates):14,.0f} {shown}")


if __name__ == "__main__":
    main()
