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
from hotdice.solve.words import action_text, amount, margin, worth
from hotdice.terminal import speak
from hotdice.terminal.progress import Work
from hotdice.values import Evaluation, NotSolved, Progress, Unit, Valued

SHOWN: Final = 15
"""How many moves or rolls a table has unless all are asked for."""
BAR: Final = 20
"""How long a bar can be."""
_SHORTEST: Final = 8
"""Shorter bars would say nothing."""
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
    evaluator = evaluator_for(game, state.options, state.players)
    stays = evaluator.sampled and not evaluator.provisional
    if stays or not solver_of(game).solves_in_steps(state.options, state.players):
        return "These are estimates."
    if share is not None:
        return f"These are estimates; exact values are being solved in the background, {share:.0%} done."
    options = "".join(f" -o {option}" for option in state.options.text.split(",") if option)
    players = f" --players {state.players}" if state.players > 2 else ""
    told = f"“hotdice solve {game.name}{players}{options}” makes those from the start of a game exact"
    return f"These are estimates; {told}, in minutes."


# Tables


@dataclass(frozen=True, slots=True)
class _Line:
    """A move, or rolls that come to the same."""

    text: str
    chance: str
    value: float
    error: float
    tied: bool
    behind: str = ""
    """How far an estimate is behind the first one, and how far off that may be."""


def table(
    state: State,
    evaluation: Evaluation,
    most: int = SHOWN,
    names: Sequence[str] | None = None,
    columns: int | None = None,
) -> Iterator[str]:
    """The moves or rolls with their values and bars, best first; those that tie with the best have a =.

    Rolls have their chances, and those that lead to the same position are one line. Moves have the names of players if
    there are any. Where so many columns leave bars too little room, there are none.
    """
    unit = evaluation.unit
    found = _rolls(state, evaluation) if state.seat == CHANCE else _moves(evaluation, names)
    lines = found[:most]
    amounts = [amount(line.value, unit) for line in lines]
    low, high = _scale(evaluation)
    wide, figure, gap = (
        max(map(len, column)) for column in ([line.text for line in lines], amounts, [line.behind for line in lines])
    )
    told = []
    for line, shown in zip(lines, amounts, strict=True):
        error = "" if evaluation.exact else f" ±{margin(line.error, unit)}{line.behind:>{gap}}"
        told.append(f"{'=' if line.tied else ' '} {line.text:{wide}}  {line.chance}{shown:>{figure}}{error}  ")
    room = BAR if columns is None else min(BAR, columns - max(map(len, told)))
    for line, text in zip(lines, told, strict=True):
        bar = _bar((line.value - low) / (high - low), room) if room >= _SHORTEST else ""
        yield f"{text}{bar}".rstrip()
    if len(found) > most:
        yield f"  and {len(found) - most} more, down to {amount(found[-1].value, unit)}"
    if state.seat == CHANCE:
        off = "" if evaluation.exact else f" (±{margin(evaluation.error, unit)})"
        yield f"  On average {worth(evaluation.value, unit)}{off}."
    scale = f"The bars run from {amount(low, unit, 0)} to {amount(high, unit, 0)}." if room >= _SHORTEST else ""
    notes = [note for note in (scale, _how_far(state, evaluation)) if note]
    if notes:
        yield f"  {' '.join(notes)}"


def _how_far(state: State, evaluation: Evaluation) -> str:
    """What the figures beside an estimate are."""
    if evaluation.exact:
        return ""
    if state.seat == CHANCE:
        return "The ± says how far off an estimate may well be."
    return "The ± says how far off an estimate may well be; then comes what a move is behind the first."


def _moves(evaluation: Evaluation, names: Sequence[str] | None) -> list[_Line]:
    unit = evaluation.unit
    found: list[_Line] = []
    for line in evaluation.lines:
        if isinstance(line.action, Move):
            text = speak.move_text(line.action, names) if names else line.action.text
            same = not found or (line.tied and not line.behind_error)
            behind = "" if same else f"  -{margin(max(line.behind, 0.0), unit)} ±{margin(line.behind_error, unit)}"
            found.append(_Line(text, "", line.value, line.error, line.tied, behind))
    return found


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
    return (0.0, span) if evaluation.unit in (Unit.WIN, Unit.TARGET) else (-span / 2, span / 2)


def _bar(share: float, length: int) -> str:
    eighths = round(8 * length * min(1.0, max(0.0, share)))
    return "█" * (eighths // 8) + _EIGHTHS[eighths % 8]
