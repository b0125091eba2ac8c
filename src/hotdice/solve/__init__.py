"""Values of any game: what solvers share, and the one place where the evaluator of a game is found.

A game's own solver stands on its card. Beside that there are compiled kernels (`jit`), the table cache (`store`),
rollouts, and solving in the background. What computes needs the extra `[solve]`; looking it up does not.
"""

from __future__ import annotations

from hotdice.game import Game, State
from hotdice.options import Options
from hotdice.values import Evaluation, Evaluator, NotInstalled, NotSolved, Progress, Solver, Summary, no_progress

_evaluators: dict[tuple[Game, Options, int], Evaluator] = {}


def solver_of(game: Game) -> Solver:
    """The solver on a game's card; `NotInstalled` if what it is made with is missing."""
    if game.solver is None:
        raise NotSolved(f"{game.title} has no solver.")
    try:
        return game.solver()
    except ImportError as error:
        raise NotInstalled(f"Values need {error.name}: install hotdice[play].") from None


def evaluator_for(game: Game, options: Options, players: int, progress: Progress = no_progress) -> Evaluator:
    """The evaluator of a game, its tables loaded or solved the first time."""
    key = (game, options, players)
    if key not in _evaluators:
        _evaluators[key] = solver_of(game).evaluator(options, players, progress)
    return _evaluators[key]


def summary_of(game: Game, options: Options, progress: Progress = no_progress) -> Summary:
    """Solve a game, or load its tables, and say what came out."""
    return solver_of(game).summary(options, progress)


def evaluate(state: State) -> Evaluation:
    """Every legal move of a state, or every roll, with its value."""
    return evaluator_for(state.game, state.options, state.players).evaluate(state)
