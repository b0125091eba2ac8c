"""BJ's dice: freeze what scores, roll the rest or pass, and owe a fortune if you win."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from hotdice.dice import ORDINARY
from hotdice.game import Accent, Game, bare
from hotdice.games import register
from hotdice.games.bj.data import BjBoard
from hotdice.games.bj.greedy import look_one_toss_ahead
from hotdice.games.bj.observation import OBSERVATION
from hotdice.games.bj.pad import draw_pad
from hotdice.games.bj.rules import MOVES, BjOptions
from hotdice.games.bj.state import BjState
from hotdice.values import Solver

if TYPE_CHECKING:
    from hotdice.solve.batches import Simulator
    from hotdice.solve.stepping import Stepper

__all__ = ["BJ", "BjBoard", "BjOptions", "BjState"]


def _solver() -> Solver:
    from hotdice.games.bj.solving import BjSolver

    return BjSolver()


def _simulator() -> Simulator:
    from hotdice.games.bj.simulation import BjSimulator

    return BjSimulator()


def _stepper() -> Stepper:
    from hotdice.games.bj.stepping import BjStepper

    return BjStepper()


BJ: Final = register(
    Game(
        name="bj",
        title="BJ's dice",
        pitch="Freeze what scores and roll the rest, or pass while you are ahead. The winner pays.",
        minutes=20,
        min_players=2,
        max_players=8,
        dice=(ORDINARY,),
        options=BjOptions,
        state=BjState,
        verbs={move.text: bare(move) for move in MOVES},
        moves=lambda options, players: MOVES,
        greedy=look_one_toss_ahead,
        folder=Path(__file__).parent,
        solver=_solver,
        observation=OBSERVATION,
        simulator=_simulator,
        stepper=_stepper,
        accent=Accent("#1f6b45", "#27754d"),
        pad=draw_pad,
    )
)
