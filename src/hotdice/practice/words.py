"""Practice in words, as everybody who shows it says it. Texts may hold `{n}` for the name of a seat."""

from __future__ import annotations

from hotdice.game import Move
from hotdice.practice.cards import GRADES, Answer, Card
from hotdice.solve import evaluator_for
from hotdice.solve.words import amount, amount_in_words, difference, doing, worth
from hotdice.values import Unit, Valued


def rival(card: Card, answer: Answer) -> Valued:
    """What an answer is compared with: the best move, or if that is what it is, the first one that is worse."""
    lines = card.evaluation.lines
    return next(line for line in lines if not line.tied) if answer.right else lines[0]


def reason(card: Card, answer: Answer) -> str | None:
    """What the move brings more and less than its rival, in the game's own terms: “+2.1 in Kismet, −0.3 in Straight”.

    Nothing where the game says nothing of the kind, and None where that would take long to be solved.
    """
    state, other = card.state, rival(card, answer).action
    evaluator = evaluator_for(state.game, state.options, state.players)
    if not evaluator.explains(state):
        return None
    if not isinstance(other, Move):
        return ""
    told = difference(evaluator.prospects(state, answer.move), evaluator.prospects(state, other))
    return f"{told}, {evaluator.premise}" if told and evaluator.premise else told


def verdict(card: Card, answer: Answer) -> str:
    """Whether an answer is right, and by how much, in a sentence."""
    state, found = card.state, card.evaluation
    made, other = found.line(answer.move), rival(card, answer)
    if not answer.right:
        decimals = _decimals(other, made, card.unit)
        better = f"{doing(state, other)} is better: {worth(other.value, card.unit, decimals)}"
        told = f"{better}, against {amount_in_words(made.value, card.unit, decimals)} for {doing(state, made)}"
    else:
        decimals = _decimals(made, other, card.unit)
        equal = len(card.right) - 1
        as_good = "best" if not equal else f"as good as {'one other' if equal == 1 else f'{equal} others'}"
        told = f"Right, {doing(state, made)} is {as_good}: {worth(made.value, card.unit, decimals)}"
        told += f", against {amount_in_words(other.value, card.unit, decimals)} for {doing(state, other)}"
    return f"{told[0].upper()}{told[1:]}."


def _decimals(one: Valued, other: Valued, unit: Unit) -> int:
    """As many as it takes to tell two values apart."""
    return next(
        (places for places in (1, 2) if amount(one.value, unit, places) != amount(other.value, unit, places)), 3
    )


def difficulty(card: Card) -> str:
    """How hard a card is, and how the levels of bots do at it."""
    each = ", ".join(f"{miss.level} {_often(miss.chance)}" for miss in card.misses)
    return f"{GRADES[card.grade].capitalize()}. Missed by {each}."


def _often(chance: float) -> str:
    if 0.005 <= chance < 0.995:
        return f"{chance:.0%} of the time"
    return "hardly ever" if chance < 0.5 else "nearly always"
