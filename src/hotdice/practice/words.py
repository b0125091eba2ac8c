"""Practice in words, as everybody who shows it says it. Texts may hold `{n}` for the name of a seat."""

from __future__ import annotations

from hotdice.practice.cards import GRADES, Answer, Card
from hotdice.solve.words import amount, amount_in_words, doing, worth
from hotdice.values import Unit, Valued


def verdict(card: Card, answer: Answer) -> str:
    """Whether an answer is right, and by how much, in a sentence."""
    state, found = card.state, card.evaluation
    best, made = found.lines[0], found.line(answer.move)
    wrong = next(line for line in found.lines if not line.tied)
    if not answer.right:
        decimals = _decimals(best, made, card.unit)
        better = f"{doing(state, best)} is better: {worth(best.value, card.unit, decimals)}"
        told = f"{better}, against {amount_in_words(made.value, card.unit, decimals)} for {doing(state, made)}"
    else:
        decimals = _decimals(made, wrong, card.unit)
        equal = len(card.right) - 1
        as_good = "best" if not equal else f"as good as {'one other' if equal == 1 else f'{equal} others'}"
        told = f"Right, {doing(state, made)} is {as_good}: {worth(made.value, card.unit, decimals)}"
        told += f", against {amount_in_words(wrong.value, card.unit, decimals)} for {doing(state, wrong)}"
    return f"{told[0].upper()}{told[1:]}."


def _decimals(one: Valued, other: Valued, unit: Unit) -> int:
    """As many as it takes to tell two values apart."""
    return next(
        (places for places in (1, 2) if amount(one.value, unit, places) != amount(other.value, unit, places)), 3
    )


def difficulty(card: Card) -> str:
    """How hard a card is, and how the levels of bots do at it."""
    each = ", ".join(f"{miss.level} misses it {_often(miss.chance)}" for miss in card.misses)
    return f"{GRADES[card.grade].capitalize()}: {each}."


def _often(chance: float) -> str:
    return f"{chance:.0%}" if 0.005 <= chance < 0.995 else "hardly ever" if chance < 0.5 else "nearly always"
