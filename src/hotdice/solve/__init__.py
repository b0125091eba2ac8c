"""Values of any game: the one place where the evaluator of a game is found, beside what solvers share.

A game's own solver stands on its card. Where there is none, or it has no values for the options or the number of
players, the generic one takes its place. What computes needs the extra `[solve]`; looking it up does not.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from typing import Final, TypeVar

from hotdice.game import Game, State
from hotdice.options import Options
from hotdice.values import Evaluation, Evaluator, NotInstalled, NotSolved, Progress, Solver, Summary, no_progress

NEEDED: Final = ("numba", "numpy", "platformdirs")
"""What computes values, here and in the games of this package."""

T = TypeVar("T")

_evaluators: dict[tuple[Game, Options, int], Evaluator] = {}


def solver_of(game: Game) -> Solver:
    """The solver on a game's card, or the generic one; `NotInstalled` if what it is made with is missing."""
    return _generic(game) if game.solver is None else _made(game.solver)


def has_values(game: Game) -> bool:
    """Whether a game's moves can be valued here. Nothing is solved or loaded to find out.

    Every game has values, whatever its options and the number of players, if what computes them is installed. Without
    that only a game has some whose own solver can do without.
    """
    if all(find_spec(name) for name in NEEDED):
        return True
    try:
        solver_of(game)
    except NotInstalled:
        return False
    return True


def evaluator_for(game: Game, options: Options, players: int, progress: Progress = no_progress) -> Evaluator:
    """The evaluator of a game, its tables loaded or solved the first time, which can take from no time to minutes.

    It is made once and kept. `NotInstalled` if what computes values is missing.

    >>> import hotdice
    >>> from hotdice.solve import evaluator_for
    >>> state = hotdice.load_game("pig").start(players=2)
    >>> evaluator_for(state.game, state.options, state.players).value(state, 0).unit.value
    'win probability'
    """
    key = (game, options, players)
    if key not in _evaluators:
        _evaluators[key] = _from_own_or_generic(game, lambda solver: solver.evaluator(options, players, progress))
    return _evaluators[key]


def summary_of(game: Game, options: Options, progress: Progress = no_progress, players: int | None = None) -> Summary:
    """Solve a game, or load its tables, and say what came out; for `players`, if there is a choice.

    `NotSolved` if there is no headline for the house rules or the number of players.
    """
    if players is not None:
        solver = solver_of(game)
        if players not in solver.headlines:
            solved = " and ".join(map(str, solver.headlines))
            noun = "player" if solver.headlines == (1,) else "players"
            raise NotSolved(f"{game.title} is solved for {solved} {noun}, not for {players}.")
        return solver.summary_for(options, players, progress)
    return _from_own_or_generic(game, lambda solver: solver.summary(options, progress))


def evaluate(state: State, *, seed: int | None = None, precision: float | None = None) -> Evaluation:
    """Every legal move of a state, or every roll, with its value, the best first; see `Evaluator.evaluate`.

    `NotSolved` if the game is over, `NotInstalled` if what computes values is missing.
    """
    return evaluator_for(state.game, state.options, state.players).evaluate(state, seed=seed, precision=precision)


def evaluate_toward(state: State, target: int, progress: Progress = no_progress) -> Evaluation:
    """Every legal move of a state, or every roll, with the chance to end the game with `target` points or more.

    The chances are those of the seat that decides or rolls, under the best play for that target. `NotSolved` if the
    game has none, if the position is too early for them, or if the target is reached or out of reach already.
    """
    game = state.game
    if game.solver is None:
        raise NotSolved(f"{game.title} has no chances of a target.")
    try:
        values = solver_of(game).toward(state.options, state.players, target, progress)
    except NotInstalled:
        raise
    except NotSolved:
        raise NotSolved(f"{game.title} has no chances of a target.") from None
    return values.evaluate(state)


def _from_own_or_generic(game: Game, ask: Callable[[Solver], T]) -> T:
    """What a game's solver answers; where that has no values, what the generic one does."""
    solver = solver_of(game)
    try:
        return ask(solver)
    except NotInstalled:
        raise
    except NotSolved:
        if game.solver is None:
            raise
    return ask(_generic(game))


def _generic(game: Game) -> Solver:
    def make() -> Solver:
        from hotdice.solve.generic import GenericSolver  # needs the extra [solve]

        return GenericSolver(game)

    return _made(make)


def _made(make: Callable[[], Solver]) -> Solver:
    try:
        return make()
    except ImportError as error:
        raise NotInstalled(f"Values need {error.name}: pip install 'hotdice[solve]'.") from None


__all__ = ["evaluate", "evaluate_toward", "evaluator_for", "has_values", "solver_of", "summary_of"]
