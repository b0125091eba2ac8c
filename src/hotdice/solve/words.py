"""Values in words, as everybody who shows them says it: the terminal's hints and the server's coach.

This needs nothing of what computes values, so it can be loaded where that is not installed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hotdice.game import CHANCE, Move, State

if TYPE_CHECKING:
    from hotdice.solve.evaluator import Evaluation, Unit, Valued


def amount(value: float, unit: Unit) -> str:
    """A value as people read it."""
    match unit.value:
        case "win probability":
            return f"{100 * value:.2f}%"
        case "points":
            return f"{value:.2f}"
        case _:
            return f"{value:+.4f}"


def hint(state: State, evaluation: Evaluation) -> str:
    """The best move in one line of plain language."""
    if state.seat == CHANCE:
        return f"The dice decide now; on average this is worth {worth(evaluation.value, evaluation)}."
    best, *others = evaluation.lines
    ties = [line for line in others if line.tied]
    worse = [line for line in others if not line.tied]
    verdict = f"as good as {action_text(state, ties[0])}" if ties else "best"
    told = f"{action_text(state, best)} is {verdict}: {worth(best.value, evaluation)}"
    if worse:
        told += f", against {amount(worse[0].value, evaluation.unit)} for {action_text(state, worse[0])}"
    return f"{told}."


def worth(value: float, evaluation: Evaluation) -> str:
    """A value with what it counts."""
    match evaluation.unit.value:
        case "win probability":
            return f"{amount(value, evaluation.unit)} to win"
        case "points":
            return f"{amount(value, evaluation.unit)} points in the end"
        case _:
            return f"{amount(value, evaluation.unit)} points of this round"


def action_text(state: State, line: Valued) -> str:
    """A move or a roll in notation."""
    action = line.action
    return action.text if isinstance(action, Move) else state.game.roll_text(action)
