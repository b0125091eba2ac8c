"""Kismet: five dice with coloured pips, fifteen boxes, three rolls a turn."""

from __future__ import annotations

from itertools import combinations_with_replacement
from pathlib import Path
from typing import TYPE_CHECKING, Final

from hotdice.game import Accent, Game, Move
from hotdice.games import register
from hotdice.games.kismet.data import KismetBoard, KismetFacts, Scoring
from hotdice.games.kismet.greedy import beat_par
from hotdice.games.kismet.notation import read_keep, read_score
from hotdice.games.kismet.observation import OBSERVATION
from hotdice.games.kismet.pad import draw_pad
from hotdice.games.kismet.rules import DICE, DIE, Box, Keep, KismetOptions, Score
from hotdice.games.kismet.state import KismetState
from hotdice.values import Solver

if TYPE_CHECKING:
    from hotdice.solve.batches import Simulator

__all__ = ["KISMET", "Box", "Keep", "KismetBoard", "KismetFacts", "KismetOptions", "KismetState", "Score", "Scoring"]


def _moves(options: KismetOptions, players: int) -> tuple[Move, ...]:
    keeps = [Keep(dice) for count in range(DICE) for dice in combinations_with_replacement(range(1, 7), count)]
    return (*keeps, *map(Score, Box))


def _solver() -> Solver:
    from hotdice.games.kismet.solving import KismetSolver

    return KismetSolver()


def _simulator() -> Simulator:
    from hotdice.games.kismet.simulation import KismetSimulator

    return KismetSimulator()


KISMET: Final = register(
    Game(
        name="kismet",
        title="Kismet",
        pitch="Fifteen boxes, three rolls a turn, and the colour of the pips counts. Mind the second Kismet.",
        minutes=30,
        min_players=1,
        max_players=8,
        dice=(DIE,),
        options=KismetOptions,
        state=KismetState,
        verbs={"keep": read_keep, "score": read_score},
        moves=_moves,
        greedy=beat_par,
        folder=Path(__file__).parent,
        solver=_solver,
        simulator=_simulator,
        observation=OBSERVATION,
        accent=Accent("#a31621", "#b92c37"),
        pad=draw_pad,
    )
)
