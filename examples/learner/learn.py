"""Learns BJ's dice by playing against itself: a small network in numpy, trained by temporal differences.

    python examples/learner/learn.py --plot curve.png

Thousands of games run at once. The network says what rolling on and passing are worth to whoever has to decide; what
it says of the next decision is what this one should have been worth. Every so often the network plays against the
solved game, and how often it wins is a point of the learning curve.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from math import sqrt
from pathlib import Path
from time import process_time

import numpy as np
from numpy.typing import NDArray

from hotdice.envs.vector import VectorEnv

Floats = NDArray[np.float32]
Ints = NDArray[np.int32]

GAME = "bj"
TARGET = 5000


def features(seen: Ints) -> Floats:
    """What the network reads of what a player sees: own score, other's, points at risk, safe points, dice, turn,
    starter."""
    own, other, risk, safe, dice, _, starter = seen.T
    passing = own + risk + safe
    found = np.zeros((len(seen), 20), np.float32)
    found[:, 0], found[:, 1] = own / TARGET, other / TARGET
    found[:, 2], found[:, 3] = np.minimum(risk, 2000) / 1000, safe / 1000
    found[:, 4] = np.clip(passing - other, -3000, 3000) / 1000
    found[:, 5] = np.clip(TARGET - passing, -1000, 2000) / 1000
    found[:, 6] = np.clip(TARGET - other, 0, 1000) / 1000
    found[:, 7] = np.clip(own + safe - other, -1000, 1000) / 1000
    found[np.arange(len(seen)), 7 + dice] = 1
    found[:, 14] = np.where(dice < 3, np.minimum(risk, 1000) / 500, 0)
    found[:, 15] = np.where(dice == 3, np.minimum(risk, 1000) / 500, 0)
    found[:, 16] = np.where(dice > 3, np.minimum(risk, 1000) / 500, 0)
    found[:, 17] = (starter == 0) & (passing > TARGET)
    found[:, 18] = (starter != 0) & (passing > other)
    found[:, 19] = (starter != 0) & (passing <= other)
    return found


class Network:
    """Two layers of rectifiers; its two numbers are what each action is worth, from -1 to 1."""

    def __init__(self, inputs: int, hidden: int, seed: int) -> None:
        random = np.random.default_rng(seed)
        sizes = [inputs, hidden, hidden, 2]
        self.weights = [
            array.astype(np.float32)
            for into, out in pairwise(sizes)
            for array in (random.normal(0, sqrt(2 / into), (into, out)), np.zeros(out))
        ]
        self.averaged = [array.copy() for array in self.weights]
        """The weights averaged over the last steps: what plays in the end."""
        self._means = [np.zeros_like(array) for array in self.weights]
        self._squares = [np.zeros_like(array) for array in self.weights]
        self._steps = 0

    def layers(self, read: Floats, *, averaged: bool = False) -> list[Floats]:
        """What every layer says."""
        weights = self.averaged if averaged else self.weights
        first = np.maximum(read @ weights[0] + weights[1], 0)
        second = np.maximum(first @ weights[2] + weights[3], 0)
        return [read, first, second, second @ weights[4] + weights[5]]

    def choose(self, seen: Ints) -> NDArray[np.int64]:
        """The better action of each row."""
        worth = self.layers(features(seen), averaged=True)[-1]
        better: NDArray[np.int64] = np.argmax(worth, axis=1)
        return better

    def learn(self, layers: list[Floats], actions: NDArray[np.int64], worth: Floats, rate: float) -> None:
        """Move what was said of the actions taken towards what they turned out to be worth (Adam)."""
        rows = np.arange(len(actions))
        error = np.zeros_like(layers[3])
        error[rows, actions] = (layers[3][rows, actions] - worth) / len(actions)
        slopes: list[Floats] = []
        for layer in (2, 1, 0):
            slopes = [layers[layer].T @ error, error.sum(0), *slopes]
            if layer:
                error = (error @ self.weights[2 * layer].T) * (layers[layer] > 0)
        self._steps += 1
        size = rate * sqrt(1 - 0.999**self._steps) / (1 - 0.9**self._steps)
        keep = min(0.999, 1 - 1 / self._steps)
        for at, slope in enumerate(slopes):
            self._means[at] += 0.1 * (slope - self._means[at])
            self._squares[at] += 0.001 * (slope * slope - self._squares[at])
            self.weights[at] -= (size * self._means[at] / (np.sqrt(self._squares[at]) + 1e-8)).astype(np.float32)
            self.averaged[at] += (1 - keep) * (self.weights[at] - self.averaged[at])


@dataclass(frozen=True)
class Point:
    """A point of the learning curve: how many decisions were learnt from, and how often the network wins then."""

    decisions: int
    wins: float
    error: float
    """The standard error of that."""


def train(network: Network, steps: int, games: int, seed: int, looks: int, trials: int) -> Iterator[Point]:
    """Learn by self-play, and look from time to time how well the network plays."""
    env = VectorEnv(GAME, games, opponents=None)
    random = np.random.default_rng(seed)
    seen, info = env.reset(seed=seed)
    layers = network.layers(features(seen))
    for step in range(1, steps + 1):
        rate, curious = 0.002 * (1 - step / (steps + 1)) + 2e-5, max(0.02, 0.2 * (1 - 2 * step / steps))
        actions = np.where(random.random(games) < curious, random.integers(0, 2, games), layers[-1].argmax(1))
        seat = info["seat"]
        seen, rewards, over, _, info = env.step(actions)
        following = network.layers(features(seen))
        ahead = following[-1].max(1) * np.where(info["seat"] == seat, 1, -1)
        network.learn(layers, actions, np.where(over, rewards, ahead).astype(np.float32), rate)
        layers = network.layers(following[0])
        if step * looks // steps > (step - 1) * looks // steps:
            yield Point(step * games, *tried(network, trials, seed + step))


def tried(network: Network, trials: int, seed: int) -> tuple[float, float]:
    """The share of games that the network wins against the solved game, from both seats alike, and its error."""
    games = min(trials, 4096)
    won = played = 0
    env = VectorEnv(GAME, games, opponents="optimal")
    seen, _ = env.reset(seed=seed)
    counted = np.zeros(games, np.int64)
    each = -(-trials // games)  # as many of every row, or short games would count more often
    while played < games * each:
        seen, rewards, over, _, _ = env.step(network.choose(seen))
        counts = over & (counted < each)
        counted += over
        won += int((rewards[counts] > 0).sum())
        played += int(counts.sum())
    share = won / played
    return share, sqrt(share * (1 - share) / played)


def draw(points: list[Point], path: Path) -> None:
    """The learning curve as a picture."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(7, 4), layout="constrained")
    decisions = [point.decisions / 1e6 for point in points]
    wins = [100 * point.wins for point in points]
    axes.errorbar(decisions, wins, [196 * point.error for point in points], fmt="o-", capsize=3, color="#1f6b45")
    axes.axhline(50, color="#888888", linewidth=1)
    axes.axhspan(49, 50, color="#1f6b45", alpha=0.12, linewidth=0)
    axes.annotate("as good as the solved game", (decisions[0], 50), (0, 5), textcoords="offset points")
    axes.set_xlabel("Millions of decisions learnt from")
    axes.set_ylabel("Wins against the solved game, %")
    axes.set_title("Learning BJ's dice by self-play")
    axes.set_ylim(bottom=max(0, min(wins) - 2), top=52)
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, dpi=150)
    pyplot.close(figure)


def main(arguments: list[str] | None = None) -> list[Point]:
    parser = argparse.ArgumentParser(description="Learn BJ's dice by self-play, and measure against the solved game.")
    parser.add_argument("--steps", type=int, default=12_000, help="training steps (12,000)")
    parser.add_argument("--games", type=int, default=2048, help="games at once (2,048)")
    parser.add_argument("--trials", type=int, default=40_000, help="games for each point of the curve (40,000)")
    parser.add_argument("--final", type=int, default=400_000, help="games for the last word (400,000)")
    parser.add_argument("--looks", type=int, default=12, help="points of the curve (12)")
    parser.add_argument("--hidden", type=int, default=48, help="rectifiers in a layer (48)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--plot", type=Path, help="where to draw the learning curve")
    chosen = parser.parse_args(arguments)
    begin = process_time()
    network = Network(20, chosen.hidden, chosen.seed)
    points = []
    for point in train(network, chosen.steps, chosen.games, chosen.seed, chosen.looks, chosen.trials):
        points.append(point)
        print(
            f"{point.decisions / 1e6:8.1f} million decisions: {point.wins:.2%} ± {1.96 * point.error:.2%}", flush=True
        )
    share, error = tried(network, chosen.final, chosen.seed + 10**6)
    print(
        f"After {process_time() - begin:.0f} s of CPU it wins {share:.2%} ± {1.96 * error:.2%} (95%); 50% is perfect."
    )
    if chosen.plot:
        draw(points, chosen.plot)
    return points


if __name__ == "__main__":
    main()
