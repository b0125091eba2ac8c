"""Fits the noise of the bots' levels, and measures what each level loses with it.

A level's noise is fitted in positions that it comes to itself, playing every seat, so that it loses the share `LOSSES`
of what a random choice would lose there. What a softmax choice loses on average in a position is known, so only the
positions are sampled. The scales found are the `NOISE` of each game's solver, for more than two players its
`NOISE_OF_MANY`. Then other games are played with the scales that are in force, and the losses are counted: those of the
moves taken or, where values are rolled out and take long, of a softmax choice in fewer positions. A decision with one
legal move does not count. Where games begin from given scores, they end with them: in Rollers that is one round, at
match scores whose tables have to be in the cache, or else the values are estimates.
`python -m benchmarks.calibrate kor` does one game; given the address of a scheduler of Dask, such as
`tcp://127.0.0.1:8786`, its workers share the settings.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import cycle, islice
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.report import Row, alone
from hotdice import CHANCE, OVER, Game, Move, State, load_game
from hotdice.players.levels import LOSSES, noisy_best
from hotdice.simulation.clusters import Where
from hotdice.solve import evaluator_for, solver_of
from hotdice.solve.sources import fingerprint
from hotdice.values import Evaluation, Unit

Floats = NDArray[np.float64]

FITTED = 1500
"""Decisions that a scale is fitted to, in the last of `ROUNDS`; the positions follow the scale of the one before."""
ROUNDS = 3
MEASURED = 4000


@dataclass(frozen=True, slots=True)
class Setting:
    """A game with a number of players, whose decisions in one unit count; from what scores its games begin, if not all
    games are played from their beginning to their end."""

    name: str
    players: int
    unit: Unit
    scores: tuple[tuple[int, int], ...] = ()
    few: int = 0
    """How many decisions to fit to and to measure where values are rolled out, which takes long; 0 elsewhere."""

    @property
    def game(self) -> Game:
        return load_game(self.name)

    @property
    def title(self) -> str:
        return f"{self.game.title}, {'alone' if self.players == 1 else f'{self.players} players'}, {self.unit.value}"


SETTINGS = (
    Setting("kor", 2, Unit.WIN),
    Setting("kismet", 1, Unit.POINTS),
    Setting("kismet", 2, Unit.WIN),
    Setting("rollers", 2, Unit.WIN, ((0, 0), (4, 4), (1, 1), (3, 4), (3, 3), (4, 3))),
    Setting("bj", 2, Unit.WIN),
    Setting("pig", 2, Unit.WIN),
    Setting("kor", 4, Unit.WIN, few=250),
    Setting("kismet", 4, Unit.WIN),
    Setting("rollers", 3, Unit.WIN, few=1000),
    Setting("bj", 4, Unit.WIN, few=250),
)


def starts(setting: Setting) -> Iterator[State]:
    """New games for ever."""
    for scores in cycle(setting.scores or ((),)):
        state: Any = setting.game.start(setting.players)
        yield replace(state, scores=scores) if scores else state


def decisions(setting: Setting, scale: float, seed: int) -> Iterator[tuple[Evaluation, Move]]:
    """Decisions of games in which noise of that scale plays every seat, each with the move that was taken."""
    evaluator = evaluator_for(setting.game, setting.game.options(), setting.players)
    random = Random(seed)
    for start in starts(setting):
        state = start
        while state.seat != OVER and not (setting.scores and state.scores != start.scores):
            if state.seat == CHANCE:
                outcomes = state.outcomes()
                state = state.roll(outcomes.at(random.randrange(outcomes.total)))
                continue
            moves = state.legal_moves()
            move = moves[0]
            if len(moves) > 1:
                found = evaluator.evaluate(state)
                taken = noisy_best(found.lines, scale if found.unit is setting.unit else 0.0, random).action
                assert isinstance(taken, Move)
                move = taken
                if found.unit is setting.unit:
                    yield found, move
            state = state.apply(move)


def losses_of(found: Evaluation) -> Floats:
    """What each move loses."""
    return np.array([found.lines[0].value - line.value for line in found.lines])


def softmax_loss(positions: list[Floats], scale: float) -> float:
    """What noise of that scale loses on average."""
    total = 0.0
    for losses in positions:
        weights = np.exp(-losses / scale)
        total += float(weights @ losses / weights.sum())
    return total / len(positions)


def fitted(positions: list[Floats], share: float) -> float:
    """The scale with which a share of a random choice's loss is lost."""
    aim = share * float(np.mean([losses.mean() for losses in positions]))
    low, high = 1e-6, 1e3
    for _ in range(50):
        middle = (low * high) ** 0.5
        low, high = (middle, high) if softmax_loss(positions, middle) < aim else (low, middle)
    return float((low * high) ** 0.5)


def fit(setting: Setting, level: str) -> float:
    """The scale for a level, in positions that come from play with nearly that scale."""
    scale = scale_of(setting, level)
    if setting.few:
        return fitted(few_of(setting, seed=1), LOSSES[level])
    for turn in range(ROUNDS):
        count = FITTED if turn == ROUNDS - 1 else FITTED // 3
        positions = [losses_of(found) for found, _ in islice(decisions(setting, scale, seed=turn), count)]
        scale = fitted(positions, LOSSES[level])
    return scale


def measure(setting: Setting, scale: float) -> tuple[float, float, float]:
    """The average loss of the moves taken, its standard error, and what a random choice would have lost."""
    if setting.few:
        positions = few_of(setting, seed=2)
        lost = [softmax_loss([losses], scale) for losses in positions]
        return *_mean(lost), float(np.mean([losses.mean() for losses in positions]))
    lost, random = [], []
    for found, move in islice(decisions(setting, scale, seed=2026), MEASURED):
        losses = losses_of(found)
        random.append(float(losses.mean()))
        lost.append(float(losses[[line.action for line in found.lines].index(move)]))
    return *_mean(lost), float(np.mean(random))


def _mean(numbers: list[float]) -> tuple[float, float]:
    return float(np.mean(numbers)), float(np.std(numbers) / len(numbers) ** 0.5)


@cache
def few_of(setting: Setting, seed: int) -> list[Floats]:
    """The losses of all moves in some positions of casual play."""
    return [losses_of(found) for found, _ in islice(decisions(setting, scale_of(setting, "casual"), seed), setting.few)]


def scale_of(setting: Setting, level: str) -> float:
    """The scale in use."""
    return solver_of(setting.game).noise(setting.unit, setting.players)[level]


def calibrated(at: int) -> list[Row]:
    """What one setting comes to."""
    setting = SETTINGS[at]
    found = []
    near = "-match" if setting.scores else ""
    for level, share in LOSSES.items():
        scale = fit(setting, level)
        used = scale_of(setting, level)
        loss, error, random = measure(setting, used)
        key, remark = (
            f"calibrate.{setting.name}-{setting.players}{near}.{level}",
            f"scale fitted {scale:.2g}, in use {used:.2g}",
        )
        unit = "points a decision" if setting.unit is Unit.POINTS else "of a win a decision"
        found.append(Row(key, setting.title, level, loss, unit, "lower", digits=2, error=error, remark=remark))
        what = f"{level}, of a random choice's loss, meant to be {share:.0%}"
        found.append(Row(f"{key}.share", setting.title, what, 100 * loss / random, "%"))
    return found


def rows(arguments: Sequence[str]) -> Iterator[Row]:
    """Fit and measure everything, or the games named; on the workers of Dask if there is a scheduler's address."""
    named = [word for word in arguments if "://" not in word]
    if unknown := set(named) - {setting.name for setting in SETTINGS}:
        raise SystemExit(f"There is nothing to calibrate in {', '.join(sorted(unknown))}.")
    scheduler = next((word for word in arguments if "://" in word), None)
    wanted = [at for at, setting in enumerate(SETTINGS) if not named or setting.name in named]
    where = Where(jobs=1, scheduler=scheduler)
    with where.processes(partial(fingerprint, "hotdice.simulation.runs")) as mapped:
        for found in mapped(calibrated, iter(wanted)):
            yield from found


if __name__ == "__main__":
    alone(rows)
