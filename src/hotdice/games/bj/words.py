"""What is said and shown of a game of BJ's dice: sentences, the score sheet, the settlement."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from hotdice.dice import Roll
from hotdice.game import CHANCE, OVER, Move, race
from hotdice.games.bj.rules import BONUS, MONTHLY, MONTHS, NOBODY, ROLL, TOSSES, forfeits, read_toss
from hotdice.notation import counted, times
from hotdice.view import Grid, Result, rank, verb, who

if TYPE_CHECKING:
    from hotdice.games.bj.state import BjState


def tell_move(state: BjState, move: Move) -> str:
    """What the player does by a move."""
    if move is ROLL:
        return f"{verb(state.roller, 'rolls', 'roll')} {_dice(state.dice)}."
    kept = state.at_risk + state.safe
    score = state.scores[state.roller] + kept
    does = verb(state.roller, "passes and keeps", "pass and keep")
    return f"{does} {kept:,}, for {score:,} in all.{_news(state, state.apply(move))}"


def doing(state: BjState, move: Move) -> str:
    """A move as something one does."""
    return f"rolling {_dice(state.dice)}" if move is ROLL else "passing"


def reason(state: BjState, move: Move) -> str:
    """What speaks for a move: how often the dice left to roll bust, or what the last round asks for."""
    mine = state.scores[state.seat] + state.at_risk + state.safe
    if state.starter != NOBODY:
        leader = state.winner
        if move is ROLL and mine <= state.scores[leader]:
            return f"{{{leader}}} has {state.scores[leader]:,}, and only more than that wins"
        if move is not ROLL and (state.seat + 1) % len(state.scores) == state.starter and mine > state.scores[leader]:
            return f"nobody plays after this, and {mine:,} is the highest score"
    dice = counted(state.dice, "die", "dice")
    often = times(bust_chance(state.dice))
    if not forfeits(state.options, state.dice):
        return f"{dice} {'scores' if state.dice == 1 else 'score'} nothing {often}, and that loses nothing"
    busts = f"{dice} {'busts' if state.dice == 1 else 'bust'} {often}"
    return f"{busts}, with {state.at_risk:,} at risk" if state.at_risk else busts


def bust_chance(dice: int) -> Fraction:
    """The chance that so many dice score nothing."""
    outcomes = TOSSES[dice]
    scoreless = sum(
        weight for roll, weight in zip(outcomes.rolls, outcomes.weights, strict=True) if not read_toss(roll).points
    )
    return Fraction(scoreless, outcomes.total)


def tell_roll(state: BjState, roll: Roll) -> str:
    """What a toss scores and freezes, or how it ends the turn."""
    toss = read_toss(roll)
    after = state.roll(roll)
    rolls = f"{verb(state.roller, 'rolls', 'roll')} {state.game.roll_text(roll)}"
    if toss.points:
        frozen = f"{rolls}: {toss.points:,} points freeze {_dice(toss.frozen)}"
        if toss.frozen < state.dice:
            return f"{frozen}, {after.at_risk:,} at risk."
        return f"{frozen}, the last: {BONUS} more are safe, {after.at_risk:,} at risk. All dice may roll again."
    kept = after.scores[state.roller] - state.scores[state.roller]
    lost = state.at_risk + state.safe - kept
    ends = f"the turn ends with {kept:,}" + (f", and {lost:,} are lost" if lost else "")
    return f"{rolls}: nothing scores, {ends}.{_news(state, after)}"


def _news(state: BjState, after: BjState) -> str:
    """That the last round begins, or who has won, if a turn has just brought it about."""
    if after.seat == OVER:
        return f" {who(after.winner)} {verb(after.winner, 'wins', 'win')}!"
    if after.starter != state.starter:
        return " The last round begins: everybody else has one more turn."
    return ""


def prompt(state: BjState) -> str:
    """What is to happen now."""
    if state.seat == OVER:
        return f"{who(state.winner)} {verb(state.winner, 'has', 'have')} won."
    rolls = f"{who(state.roller)} {verb(state.roller, 'rolls', 'roll')}"
    last = " Last round." if state.starter != NOBODY else ""
    if state.seat == CHANCE:
        return f"{rolls} {_dice(state.dice)}.{last}"
    passes = verb(state.roller, "passes", "pass")
    return f"{rolls} {_dice(state.dice)} or {passes}. At risk: {state.at_risk:,}. Safe: {state.safe:,}.{last}"


def result(state: BjState) -> Result:
    """Who has won, and what that costs."""
    winner, players = state.winner, len(state.scores)
    fortune = MONTHLY * MONTHS
    owes = f"{who(winner)} {verb(winner, 'owes', 'owe')}"
    settlement = f"{owes} each other player ${MONTHLY:,} a month, tax free, for ten years: ${fortune:,}."
    notes = [
        f"owes ${fortune * (players - 1):,}" if seat == winner else f"is owed ${fortune:,}" for seat in range(players)
    ]
    amounts = [-fortune * (players - 1) if seat == winner else fortune for seat in range(players)]
    standings = rank(state.scores, (winner,), notes, amounts)
    return Result((winner,), "Highest score after the last round.", standings, settlement)


def grids(state: BjState) -> tuple[Grid, ...]:
    """The score sheet."""
    return race(state.scores, state.options.target)


def _dice(count: int) -> str:
    return "1 die" if count == 1 else f"{count} dice"
