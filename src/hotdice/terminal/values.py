"""What moves are worth, for the hints and odds during play and for `hotdice odds`.

Values come from the evaluators; this only shows them. Solving takes seconds to minutes the first time, so there is a
progress bar wherever it may happen.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Final

from hotdice.game import CHANCE, State
from hotdice.solve import evaluator_for
from hotdice.solve.words import action_text, amount, worth
from hotdice.terminal.progress import waiting
from hotdice.values import Evaluation, NotSolved

SHOWN: Final = 15
"""How many moves or rolls a table has unless all are asked for."""
BAR: Final = 20


def evaluation_of(state: State) -> Evaluation:
    """Every move or roll with its value, its tables solved if need be."""
    with waiting(f"Solving {state.game.title}") as progress:
        return evaluator_for(state.game, state.options, state.players, progress).evaluate(state)


def prepare(state: State) -> None:
    """Solve what the bots of a game want to know, or have it solved while the game goes on."""
    solve_meanwhile(state)
    with suppress(NotSolved), waiting(f"Solving {state.game.title}") as progress:
        evaluator_for(state.game, state.options, state.players, progress)


def solve_meanwhile(state: State) -> float | None:
    """Have a game that takes minutes solved in the background; how far that is, if it is under way."""
    from hotdice.solve import background

    background.start(state.game, state.options, state.players)
    return background.progress(state.game, state.options, state.players)


def estimated(state: State, evaluation: Evaluation) -> str:
    """That values are estimates until a solve in the background is done, where that is so."""
    share = solve_meanwhile(state)
    if share is None or evaluation.exact:
        return ""
    evaluator = evaluator_for(state.game, state.options, state.players)
    if evaluator.sampled or evaluation.unit is not evaluator.unit:  # then they stay estimates
        return ""
    return f"Exact values are being solved in the background ({share:.0%}); until then these are estimates."


def table(state: State, evaluation: Evaluation, most: int = SHOWN) -> Iterator[str]:
    """The moves or rolls with their values and bars, best first; those that tie with the best have a =."""
    lines = evaluation.lines[:most]
    texts = [action_text(state, line) for line in lines]
    amounts = [amount(line.value, evaluation.unit) for line in lines]
    best, last = evaluation.lines[0].value, evaluation.lines[-1].value
    wide, figure = max(map(len, texts)), max(map(len, amounts))
    for line, text, shown in zip(lines, texts, amounts, strict=True):
        share = 1.0 if best == last else (line.value - last) / (best - last)
        error = "" if evaluation.exact else f" ±{amount(line.error, evaluation.unit).lstrip('+')}"
        bar = "█" * round(BAR * share)
        yield f"{'=' if line.tied else ' '} {text:{wide}}  {shown:>{figure}}{error}  {bar}".rstrip()
    if len(evaluation.lines) > most:
        yield f"  and {len(evaluation.lines) - most} more, down to {amount(last, evaluation.unit)}"
    if state.seat == CHANCE:
        yield f"  On average {worth(evaluation.value, evaluation.unit)}."
