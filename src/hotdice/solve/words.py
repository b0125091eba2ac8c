"""Values in words, as everybody who shows them says it: the terminal's hints and the server's coach.

This needs nothing of what computes values, so it can be loaded where that is not installed.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot
from typing import Final

from hotdice.game import CHANCE, Move, State
from hotdice.values import TOLD_APART, Evaluation, Measure, Prospect, Unit, Valued


def amount(value: float, unit: Unit, decimals: int = 2) -> str:
    """A value as people read it."""
    match unit:
        case Unit.WIN | Unit.TARGET:
            return f"{100 * value:.{decimals}f}%"
        case Unit.POINTS:
            return f"{value:.{decimals}f}"
        case _:
            return f"{value:+.{decimals + 2}f}"


def hint(state: State, evaluation: Evaluation, *, short: bool = False) -> str:
    """The best move in one line of plain language. It may hold `{n}` for the name of a seat.

    The short form names the best move alone.
    """
    unit, about = evaluation.unit, "" if evaluation.exact else "about "
    if state.seat == CHANCE:
        off = _off(evaluation.error, evaluation)
        return f"The dice decide now; on average this is worth {about}{worth(evaluation.value, unit, 1)}{off}."
    best, *others = evaluation.lines
    equal = [line for line in others if line.alike]
    worse = [line for line in others if not line.alike]
    decimals = _decimals(best, worse[0] if worse else best, evaluation)
    verdict = _verdict(state, best, equal, exact=evaluation.exact, short=short)
    told = f"{verdict}: {about}{worth(best.value, unit, decimals)}"
    if not short:
        told += _off(best.error, evaluation)
        if worse:
            told += f", against {amount_in_words(worse[0].value, unit, decimals)} for {doing(state, worse[0])}"
            told += _less(worse[0], evaluation)
    return f"{told[0].upper()}{told[1:]}."


def margin(error: float, unit: Unit, decimals: int = 2) -> str:
    """An error, or a difference, as people read it: as a value without a sign."""
    return amount(abs(error), unit, decimals).lstrip("+")


def _off(error: float, evaluation: Evaluation) -> str:
    """How far an estimate may be off, in brackets."""
    return "" if evaluation.exact else f" (± {margin(error, evaluation.unit, 1)})"


def _less(line: Valued, evaluation: Evaluation) -> str:
    """How far an estimate is behind the first one, which is known better than both."""
    if evaluation.exact:
        return ""
    gap, unit = margin(line.behind, evaluation.unit, 1), evaluation.unit
    return f", which is {gap} less (± {margin(line.behind_error, unit, 1)})"


def _verdict(state: State, best: Valued, equal: Sequence[Valued], *, exact: bool, short: bool) -> str:
    """What there is to say of the best move and those that cannot be told from it."""
    if not equal:
        return f"{doing(state, best)} is best"
    if short:
        others = "one other" if len(equal) == 1 else f"{len(equal)} others"
        return f"{doing(state, best)} is {'' if exact else 'about '}as good as {others}"
    if exact:
        return f"{doing(state, best)} is as good as {doing(state, equal[0])}"
    more = (
        f", and so are {len(equal) - 1} more" if len(equal) > 2 else ", and so is one more" if len(equal) == 2 else ""
    )
    return f"{doing(state, best)} and {doing(state, equal[0])} are about equal{more}"


def _decimals(best: Valued, other: Valued, evaluation: Evaluation) -> int:
    """As many as mean something: one, none where the error is larger, two where values would look the same."""
    if not evaluation.exact and evaluation.unit is Unit.WIN and best.error >= 0.005:
        return 0
    close = other is not best and amount(best.value, evaluation.unit, 1) == amount(other.value, evaluation.unit, 1)
    return 2 if close else 1


def because(state: State, move: Move, evaluation: Evaluation) -> str:
    """What speaks for a move by its value, or what would have been better, as half a sentence."""
    unit, lines = evaluation.unit, evaluation.lines
    best, made = lines[0], evaluation.line(move)
    others = [line for line in lines if line is not made]
    if not others:
        return "there is nothing else to do"
    if not made.alike:
        better = f"{doing(state, best)} would be better: {worth(best.value, unit, 1)}"
        return f"{better}, against {amount_in_words(made.value, unit, 1)}"
    rival = others[0]
    if rival.alike or rival.value > made.value:
        return f"{doing(state, rival)} is about as good: {worth(made.value, unit, 1)}"
    than = f"against {amount_in_words(rival.value, unit, 1)} for {doing(state, rival)}"
    return f"it is best: {worth(made.value, unit, 1)}, {than}"


def worth(value: float, unit: Unit, decimals: int = 2) -> str:
    """A value with what it counts."""
    shown = amount_in_words(value, unit, decimals)
    match unit:
        case Unit.WIN:
            return f"{shown} to win"
        case Unit.TARGET:
            return f"{shown} to reach the target"
        case Unit.POINTS:
            return f"{shown} points in the end"
        case _:
            return f"{shown} in this round"


def amount_in_words(value: float, unit: Unit, decimals: int = 2) -> str:
    """A value as a sentence has it: points of a round are said to be ahead or behind."""
    if unit is not Unit.ROUND_POINTS:
        return amount(value, unit, decimals)
    points = f"{abs(value):.{decimals + 1}f}"
    return f"{points} points {'behind' if value < 0 else 'ahead'}" if float(points) else "even"


def doing(state: State, line: Valued) -> str:
    """A move as something one does, or a roll in notation."""
    action = line.action
    return state.doing(action) if isinstance(action, Move) else state.game.roll_text(action)


def action_text(state: State, line: Valued) -> str:
    """A move or a roll in notation."""
    action = line.action
    return action.text if isinstance(action, Move) else state.game.roll_text(action)


# Prospects

SMALL: Final = 0.1
"""A difference is left out if it is less than this share of the largest one of its unit."""
_LEAST: Final = {Measure.POINTS: 0.05, Measure.CHANCE: 0.0005, Measure.TURNS: 0.05, Measure.CHIPS: 0.05}
"""Differences below these would be shown as nothing."""


def prospect(one: Prospect) -> str:
    """A prospect with its number: “8.1 in Straight”, “31% risk of a bust”."""
    return f"{_figure(one.value, one.unit)} {one.words}"


def difference(these: Sequence[Prospect], those: Sequence[Prospect], most: int = 3) -> str:
    """What a move brings more or less than another, by the prospects of both: “+2.1 in Kismet, −0.3 in Straight”.

    The largest differences come first, unit by unit in the order of the prospects. Those that are small, or no larger
    than their error allows, are left out, and so are all after the first `most`; nothing may be left.
    """
    others = {one.name: one for one in those}
    pairs = [(one, others[one.name]) for one in these if one.name in others]
    units = tuple(dict.fromkeys(one.unit for one, _ in pairs))
    largest = {unit: max(_gap(*pair) for pair in pairs if pair[0].unit is unit) for unit in units}

    def counts(one: Prospect, other: Prospect) -> bool:
        least = max(_LEAST[one.unit], SMALL * largest[one.unit], TOLD_APART * hypot(one.error, other.error))
        return _gap(one, other) >= least

    told = sorted((pair for pair in pairs if counts(*pair)), key=lambda pair: (units.index(pair[0].unit), -_gap(*pair)))
    return ", ".join(_more_or_less(one, one.value - other.value) for one, other in told[:most])


def _gap(one: Prospect, other: Prospect) -> float:
    return abs(one.value - other.value)


def _more_or_less(one: Prospect, by: float) -> str:
    """A difference in words: points have a sign, as a sheet adds up; of everything else there is more or less."""
    figure = _figure(abs(by), one.unit)
    match one.unit:
        case Measure.POINTS:
            return f"{'+' if by > 0 else '−'}{figure} {one.words}"
        case Measure.CHANCE:
            return f"{figure} {'more' if by > 0 else 'less'} {one.words}"
        case _:
            return f"{figure} {'more' if by > 0 else 'fewer'} {one.words}"


def _figure(value: float, unit: Measure) -> str:
    """A number with as many decimals as mean something to a player."""
    if unit is Measure.CHANCE:
        return f"{100 * value:.{0 if abs(value) >= 0.0995 or not value else 1}f}%"
    return f"{value:.{0 if abs(value) >= 99.5 else 1}f}"
