"""What moves are worth, for the hints and odds during play and for `hotdice odds`.

Values come from the evaluators; this only shows them. Solving takes seconds to minutes the first time, so it is work
that can be waited for.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from hotdice.game import CHANCE, Game, Move, State
from hotdice.solve import evaluator_for, solver_of
from hotdice.solve.words import action_text, amount, worth
from hotdice.terminal import speak
from hotdice.terminal.progress import Work
from hotdice.values import Evaluation, NotSolved, Progress, Unit, Valued

SHOWN: Final = 15
"""How many moves or rolls a table has unless all are asked for."""
BAR: Final = 20
_EIGHTHS: Final = ("", "▏", "▎", "▍", "▌", "▋", "▊", "▉")


def evaluating(state: State) -> Work[Evaluation]:
    """Every move or roll with its value, its tables solved if need be."""

    def work(progress: Progress) -> Evaluation:
        return evaluator_for(state.game, state.options, state.players, progress).evaluate(state)

    what = "rolls" if state.seat == CHANCE else "moves"
    return Work(work, f"Working out what the {what} are worth", _solving(state.game))


def preparing(state: State) -> Work[None]:
    """Solve what the bots of a game want to know, or have it solved while the game goes on."""

    def work(progress: Progress) -> None:
        with suppress(NotSolved):
            evaluator_for(state.game, state.options, state.players, progress)

    solve_meanwhile(state)
    return Work(work, "Looking up what the bots know", _solving(state.game))


def _solving(game: Game) -> str:
    return f"Solving {game.title}, the first time only"


def solve_meanwhile(state: State) -> float | None:
    """Have a game that takes minutes solved in the background; how far that is, if it is under way."""
    from hotdice.solve import background

    background.start(state.game, state.options, state.players, state.scores)
    return background.progress(state.game, state.options, state.players, state.scores)


def estimated(state: State, evaluation: Evaluation, share: float | None = None) -> str:
    """What estimates are worth and what makes them exact; `share` of that is done in the background."""
    if evaluation.exact:
        return ""
    game = state.game
    if evaluator_for(game, state.options, state.players).sampled or not solver_of(game).in_steps:
        return "These are estimates."
    options = "".join(f" -o {option}" for option in state.options.text.split(",") if option)
    if share is not None:
        return f"These are estimates; exact values are being solved in the background, {share:.0%} done."
    return f"These are estimates; “hotdice solve {game.name}{options}” makes those of the beginning exact, in minutes."


# Tables


@dataclass(frozen=True, slots=True)
class _Line:
    """A move, or rolls that come to the same."""

    text: str
    chance: str
    value: float
    error: float
    tied: bool


def table(state: State, evaluation: Evaluation, most: int = SHOWN, names: Sequence[str] | None = None) -> Iterator[str]:
    """The moves or rolls with their values and bars, best first; those that tie with the best have a =.

    Rolls have their chances, and those that lead to the same position are one line. Moves have the names of players if
    there are any.
    """
    unit = evaluation.unit
    found = _rolls(state, evaluation) if state.seat == CHANCE else _moves(evaluation, names)
    lines = found[:most]
    amounts = [amount(line.value, unit) for line in lines]
    low, high = _scale(evaluation)
    wide, figure = max(len(line.text) for line in lines), max(map(len, amounts))
    for line, shown in zip(lines, amounts, strict=True):
        error = "" if evaluation.exact else f" ±{amount(line.error, unit).lstrip('+')}"
        bar = _bar((line.value - low) / (high - low))
        yield f"{'=' if line.tied else ' '} {line.text:{wide}}  {line.chance}{shown:>{figure}}{error}  {bar}".rstrip()
    if len(found) > most:
        yield f"  and {len(found) - most} more, down to {amount(found[-1].value, unit)}"
    if state.seat == CHANCE:
        yield f"  On average {worth(evaluation.value, unit)}."
    how_far = "" if evaluation.exact else " The ± says how far off an estimate may well be."
    yield f"  The bars run from {amount(low, unit, 0)} to {amount(high, unit, 0)}.{how_far}"


def _moves(evaluation: Evaluation, names: Sequence[str] | None) -> list[_Line]:
    return [
        _Line(speak.move_text(line.action, names) if names else line.action.text, "", line.value, line.error, line.tied)
        for line in evaluation.lines
        if isinstance(line.action, Move)
    ]


def _rolls(state: State, evaluation: Evaluation) -> list[_Line]:
    """Rolls with their chances; by the position that they lead to, as that is all that matters of them."""
    outcomes = state.outcomes()
    by_state: dict[State, list[tuple[Fraction, Valued]]] = {}
    for line in evaluation.lines:
        if not isinstance(line.action, Move):
            same = by_state.setdefault(state.roll(line.action), [])
            same.append((outcomes.probability(line.action), line))
    found = []
    for same in by_state.values():
        _, first = max(same, key=lambda each: each[0])
        more = f" and {len(same) - 1} like it" if len(same) > 1 else ""
        chance = f"{float(100 * sum(part for part, _ in same)):6.2f}%  "
        tied = any(line.tied for _, line in same)
        found.append(_Line(f"{action_text(state, first)}{more}", chance, first.value, first.error, tied))
    return found


def _scale(evaluation: Evaluation) -> tuple[float, float]:
    """From where to where bars run: all that values of their unit can be, so that close values look close."""
    if evaluation.unit is Unit.POINTS:
        return min(0.0, evaluation.lines[-1].value), max(1.0, evaluation.lines[0].value)
    span = evaluation.unit.span
    return (0.0, span) if evaluation.unit is Unit.WIN else (-span / 2, span / 2)


def _bar(share: float) -> str:
    eighths = round(8 * BAR * min(1.0, max(0.0, share)))
    return "█" * (eighths // 8) + _EIGHTHS[eighths % 8]
