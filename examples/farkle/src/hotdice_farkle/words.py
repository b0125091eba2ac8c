"""What is said and shown of a game of Farkle: sentences, the score sheet, what moves change, what the rules fix."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hotdice.dice import Roll
from hotdice.game import OVER, Move, State, race
from hotdice.notation import listed
from hotdice.view import Grid
from hotdice_farkle.rules import BANK, DICE, NOBODY, ROLL, SINGLES, STRAIGHT, Keep, set_score

if TYPE_CHECKING:
    from hotdice_farkle.state import FarkleState


@dataclass(frozen=True, slots=True)
class FarkleEffect:
    """What a move changes."""

    points: int
    """What it scores: for the turn by setting dice aside, for the game by banking."""
    turn: int
    """The points of the turn after it."""
    dice: int
    """How many dice are rolled after it."""


@dataclass(frozen=True, slots=True)
class FarkleFacts:
    """What the house rules fix for the whole game."""

    target: int
    """The score that starts the last round."""
    opening: int
    """What the first points have to be at least."""
    one: int
    """What a 1 scores by itself."""
    five: int
    """What a 5 scores by itself."""
    sets: tuple[tuple[int, ...], ...]
    """For each face from 1, what three, four, five and six of a kind score."""
    straight: int
    """What 1 2 3 4 5 6 score."""
    three_pairs: int
    """What three pairs score; 0 if they do not count."""
    two_triplets: int
    """What two triplets score; 0 if they do not count as one."""
    penalty: int
    """What a third farkle in a row costs."""


def tell_move(state: FarkleState, move: Move) -> str:
    """What the player does by a move."""
    after = state.apply(move)
    if isinstance(move, Keep):
        points = f"{after.points - state.points:,}"
        hot = f" All {DICE} dice may be rolled again." if len(move.dice) == state.dice else ""
        return f"sets {state.game.roll_words(move.dice)} aside for {points}, {after.points:,} this turn.{hot}"
    if move is ROLL:
        return f"rolls {_dice(state.dice)}."
    return f"banks {state.points:,}, for {after.scores[state.roller]:,} in all.{_news(state, after)}"


def doing(state: FarkleState, move: Move) -> str:
    """A move as something one does."""
    if isinstance(move, Keep):
        return f"keeping {state.game.roll_words(move.dice)}"
    return f"rolling {_dice(state.dice)}" if move is ROLL else "banking"


def tell_roll(state: FarkleState, roll: Roll) -> str:
    """What was rolled, and what it costs if it is a farkle."""
    after = state.roll(roll)
    rolls = f"rolls {state.game.roll_words(roll)}"
    if after.rolled:
        return f"{rolls}."
    lost = f", and {state.points:,} points are lost" if state.points else ""
    fine = state.scores[state.roller] - after.scores[state.roller]
    third = f" The third in a row costs {fine:,}." if fine else ""
    return f"{rolls}: a farkle{lost}.{third}{_news(state, after)}"


def _news(state: FarkleState, after: FarkleState) -> str:
    """That the last round begins, or who has won, if a turn has just brought it about."""
    if after.seat == OVER:
        return f" {_winners(after)} the game!"
    if after.starter != state.starter:
        return " The last round begins: everybody else has one more turn."
    return ""


def _winners(state: FarkleState) -> str:
    names = [f"{{{seat}}}" for seat in state.leaders]
    return f"{names[0]} wins" if len(names) == 1 else f"{listed(names)} share"


def prompt(state: FarkleState) -> str:
    """What is to happen now."""
    if state.seat == OVER:
        return f"{_winners(state)} the game."
    what = f"rolls {_dice(state.dice)}"
    if state.rolled:
        what = "sets scoring dice aside"
    elif state.seat >= 0:
        what = f"{what} or banks"
    last = " Last round." if state.starter != NOBODY else ""
    return f"{{{state.roller}}} {what}. This turn: {state.points:,}.{last}"


def why_illegal(state: FarkleState, move: Move) -> str:
    """Why a move is not legal now."""
    if state.rolled and isinstance(move, Keep):
        return f"“{move.text}” is not possible: set aside dice of {state.game.roll_text(state.rolled)} that all score."
    return State.why_illegal(state, move)


def grids(state: FarkleState) -> tuple[Grid, ...]:
    """The scores as a race to the target."""
    return race(state.scores, state.options.target)


def effect(state: FarkleState, move: Move) -> FarkleEffect:
    """What a move changes."""
    after = state.apply(move)
    if move is BANK:
        return FarkleEffect(state.points, 0, after.dice)
    return FarkleEffect(after.points - state.points, after.points, after.dice)


def facts(state: FarkleState) -> FarkleFacts:
    """What the house rules fix."""
    rules = state.options
    return FarkleFacts(
        target=rules.target,
        opening=rules.opening,
        one=SINGLES[1],
        five=SINGLES[5],
        sets=tuple(tuple(set_score(rules, face, size) for size in range(3, DICE + 1)) for face in range(1, 7)),
        straight=STRAIGHT,
        three_pairs=rules.three_pairs,
        two_triplets=rules.two_triplets,
        penalty=rules.penalty,
    )


def _dice(count: int) -> str:
    return "1 die" if count == 1 else f"{count} dice"
