"""KOR, Keep On Rollin': six road-sign dice that decide for themselves when a turn is over."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from hotdice.game import Accent, Game, Move
from hotdice.games import register
from hotdice.games.kor.data import KorBoard
from hotdice.games.kor.greedy import race_for_the_lead
from hotdice.games.kor.notation import read_follow, read_target
from hotdice.games.kor.observation import OBSERVATION
from hotdice.games.kor.pad import draw_pad
from hotdice.games.kor.rules import DIE, SIGNS, Follow, KorOptions, Target
from hotdice.games.kor.state import KorState
from hotdice.values import Solver

if TYPE_CHECKING:
    from hotdice.solve.batches import Simulator
    from hotdice.solve.stepping import Stepper

__all__ = ["KOR", "Follow", "KorBoard", "KorOptions", "KorState", "Target"]


def _moves(options: KorOptions, players: int) -> tuple[Move, ...]:
    return (*(Follow(sign) for sign in SIGNS), *(Target(seat) for seat in range(players)))


def _solver() -> Solver:
    from hotdice.games.kor.solving import KorSolver

    return KorSolver()


def _simulator() -> Simulator:
    from hotdice.games.kor.simulation import KorSimulator

    return KorSimulator()


def _stepper() -> Stepper:
    from hotdice.games.kor.stepping import KorStepper

    return KorStepper()


KOR: Final = register(
    Game(
        name="kor",
        title="KOR, Keep On Rollin'",
        pitch="Six road-sign dice, no brakes: roll until a sign stops you, and send rivals driving backwards.",
        minutes=30,
        min_players=2,
        max_players=8,
        dice=(DIE,),
        options=KorOptions,
        state=KorState,
        verbs={"follow": read_follow, "target": read_target},
        moves=_moves,
        greedy=race_for_the_lead,
        folder=Path(__file__).parent,
        solver=_solver,
        observation=OBSERVATION,
        simulator=_simulator,
        stepper=_stepper,
        accent=Accent("#f2a900", "#f5b62b"),
        pad=draw_pad,
    )
)
