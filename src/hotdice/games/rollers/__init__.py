"""Rollers: open and close five sections, collect chips from those who have not, and beware of the ZAP."""

from __future__ import annotations

from itertools import combinations_with_replacement
from pathlib import Path
from typing import TYPE_CHECKING, Final

from hotdice.game import Accent, Game, Move, bare
from hotdice.games import register
from hotdice.games.rollers.data import RollersBoard, RollersEffect, RollersFacts, RoundEnd, SectionFacts
from hotdice.games.rollers.greedy import chase_one_number
from hotdice.games.rollers.notation import read_apply, read_keep
from hotdice.games.rollers.observation import OBSERVATION
from hotdice.games.rollers.pad import draw_pad
from hotdice.games.rollers.rules import (
    APPLICATIONS,
    BLACK,
    DICE,
    PURPLE,
    STOP,
    ZAP,
    Apply,
    Keep,
    RollersOptions,
)
from hotdice.games.rollers.state import RollersState
from hotdice.values import Solver

if TYPE_CHECKING:
    from hotdice.solve.batches import Simulator

__all__ = [
    "ROLLERS",
    "STOP",
    "Apply",
    "Keep",
    "RollersBoard",
    "RollersEffect",
    "RollersFacts",
    "RollersOptions",
    "RollersState",
    "RoundEnd",
    "SectionFacts",
]


def _moves(options: RollersOptions, players: int) -> tuple[Move, ...]:
    purples = [
        dice
        for count in range(DICE)
        for dice in combinations_with_replacement([face.code for face in PURPLE.faces], count)
    ]
    blacks = [(), *((face.code,) for face in BLACK.faces if face.code != ZAP)]
    keeps = [Keep(purple + black) for purple in purples for black in blacks if len(purple + black) < DICE]
    return (STOP, *keeps, *APPLICATIONS)


def _solver() -> Solver:
    from hotdice.games.rollers.solving import RollersSolver

    return RollersSolver()


def _simulator() -> Simulator:
    from hotdice.games.rollers.simulation import RollersSimulator

    return RollersSimulator()


ROLLERS: Final = register(
    Game(
        name="rollers",
        title="Rollers",
        pitch="Fill your board with ones to fives, collect chips from whoever is slower, and fear the ZAP.",
        minutes=30,
        min_players=2,
        max_players=5,
        dice=(PURPLE, BLACK),
        options=RollersOptions,
        state=RollersState,
        verbs={"stop": bare(STOP), "keep": read_keep, "apply": read_apply},
        moves=_moves,
        greedy=chase_one_number,
        folder=Path(__file__).parent,
        solver=_solver,
        simulator=_simulator,
        observation=OBSERVATION,
        accent=Accent("#6a35b8", "#7d4fd0"),
        pad=draw_pad,
    )
)
