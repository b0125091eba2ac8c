"""How fast the learning environments are, against pgx's and PettingZoo's tic-tac-toe in the same run.

The peers want more than half a gigabyte, so they have a Python of their own, which `make bench` sets up in .venv/peers;
without one only our figures are shown.

All take turns in slices of CPU time, every action is drawn at random, and what counts are the ratios of a round.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np

from benchmarks import report
from benchmarks.environments_peer import aec_player, slice_of
from benchmarks.report import Row, medians, versus
from hotdice import load_game
from hotdice.envs import zoo
from hotdice.envs.layout import MASK
from hotdice.envs.vector import VectorEnv

GAMES = (1024, 4096, 16384)
PEER = Path(__file__).parents[1] / ".venv/peers/bin/python"
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


def rows(arguments: Sequence[str]) -> Iterator[Row]:
    """All in turns, round by round."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks environments")
    parser.add_argument("--peer", type=Path, default=PEER, help="a Python with pgx, jax, pettingzoo and pygame")
    parser.add_argument("--rounds", type=int, default=9)
    chosen = parser.parse_args(arguments)
    peer = Peer(chosen.peer) if chosen.peer.exists() else None
    kinds = [(game, against, games) for games in GAMES for game in VECTORS for against in (None, "greedy")]
    players = {kind: vector_player(kind[0], kind[2], kind[1]) for kind in kinds}
    alone = aec_player(zoo.env("pig"), lambda seen, info: info[MASK])
    found: dict[object, list[float]] = {}
    for number in range(chosen.rounds):
        print(f"  round {number + 1} of {chosen.rounds}", file=sys.stderr, flush=True)
        for games in GAMES if peer else ():
            found.setdefault(games, []).append(rate(peer.ask(f"pgx {games}")))  # type: ignore[union-attr]
        for kind, play in players.items():
            found.setdefault(kind, []).append(rate(slice_of(play, 0.25)))
        found.setdefault("aec", []).append(rate(slice_of(alone)))
        if peer:
            found.setdefault("pettingzoo", []).append(rate(peer.ask("pettingzoo")))
    unit = "steps/CPU s"
    for games in GAMES:
        group, key = f"{games:,} games side by side", f"environments.pgx-{games}"
        if peer:
            what = "pgx, tic-tac-toe"
            yield Row(key, group, what, unit=unit, better="higher", ours=False, **medians(found[games]))
        for game, against, _ in (kind for kind in kinds if kind[2] == games):
            speeds = found[game, against, games]
            name = f"environments.{game}-{against or 'every'}-{games}"
            title = f"{load_game(game).title}, {against or 'every seat'}"
            aim = 5 if (game, against) == ("bj", None) else None
            beside = (versus(key, speeds, found[games], aim),) if peer else ()
            yield Row(name, group, title, unit=unit, better="higher", versus=beside, **medians(speeds))
    beside = (versus("environments.pettingzoo", found["aec"], found["pettingzoo"], 3),) if peer else ()
    group = "PettingZoo's AEC, one agent at a time"
    yield Row("environments.aec", group, "Pig", unit=unit, better="higher", versus=beside, **medians(found["aec"]))
    if peer:
        what = "PettingZoo's own tic-tac-toe"
        yield Row(
            "environments.pettingzoo",
            group,
            what,
            unit=unit,
            better="higher",
            ours=False,
            **medians(found["pettingzoo"]),
        )


if __name__ == "__main__":
    report.alone(rows)
