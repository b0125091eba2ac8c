"""Values in words, as everybody who shows them says it: the terminal's hints and the server's coach.

This needs nothing of what computes values, so it can be loaded where that is not installed.
"""

from __future__ import annotations

from hotdice.game import CHANCE, Move, State
from hotdice.values import Evaluation, Unit, Valued


def amount(value: float, unit: Unit, decimals: int = 2) -> str:
    """A value as people read it."""
    match unit:
        case Unit.WIN:
            return f"{100 * value:.{decimals}f}%"
        case Unit.POINTS:
            return f"{value:.{decimals}f}"
        case _:
            return f"{value:+.{decimals + 2}f}"


def hint(state: State, evaluation: Evaluation) -> str:
    """The best move in one line of plain language. It may hold `{n}` for the name of a seat."""
    unit = evaluation.unit
    if state.seat == CHANCE:
        return f"The dice decide now; on average this is worth {worth(evaluation.value, unit, 1)}."
    best, *others = evaluation.lines
    ties = [line for line in others if line.tied]
    worse = [line for line in others if not line.tied]
    verdict = f"as good as {doing(state, ties[0])}" if ties else "best"
    decimals = 2 if worse and amount(best.value, unit, 1) == amount(worse[0].value, unit, 1) else 1
    told = f"{doing(state, best)} is {verdict}: {worth(best.value, unit, decimals)}"
    if worse:
        told += f", against {amount(worse[0].value, unit, decimals)} for {doing(state, worse[0])}"
    return f"{told[0].upper()}{told[1:]}."


def worth(value: float, unit: Unit, decimals: int = 2) -> str:
    """A value with what it counts."""
    shown = amount(value, unit, decimals)
    match unit:
        case Unit.WIN:
            return f"{shown} to win"
        case Unit.POINTS:
            return f"{shown} points in the end"
        case _:
            return f"{shown} points of this round"


def doing(state: State, line: Valued) -> str:
    """A move as something one does, or a roll in notation."""
    action = line.action
    return state.doing(action) if isinstance(action, Move) else state.game.roll_text(action)


def action_text(state: State, line: Valued) -> str:
    """A move or a roll in notation."""
    action = line.action
    return action.text if isinstance(action, Move) else state.game.roll_text(action)
