"""What is said and shown of a game of Kismet: sentences and the sheets."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from operator import sub
from typing import TYPE_CHECKING

from hotdice.dice import Roll
from hotdice.game import CHANCE, OVER, Move, State
from hotdice.games.kismet.data import scoring
from hotdice.games.kismet.rules import (
    BASIC,
    DICE,
    EMPTY_SHEET,
    ROLLS,
    TOSSES,
    VACANT,
    Box,
    Keep,
    Score,
    basic_sum,
    bonus,
    box_scores,
)
from hotdice.notation import listed, times
from hotdice.rolloff import WAITING
from hotdice.view import DieView, Grid, Result, rank, verb, who, wins

if TYPE_CHECKING:
    from hotdice.games.kismet.state import KismetState


def why_illegal(state: KismetState, move: Move) -> str:
    """Why a move is not legal now."""
    match move:
        case Score(box):
            return f"The box {box.title} is filled already."
        case Keep() if state.rolls == ROLLS:
            return "All three rolls are taken; the dice have to be scored."
        case Keep(dice) if dice == state.dice:
            return "To keep all five dice, score them in a box."
        case Keep():
            return f"The dice are {state.game.roll_text(state.dice)}, so “{move.text}” is not possible."
    return State.why_illegal(state, move)


def tell_move(state: KismetState, move: Move) -> str:
    """What the player does by a move."""
    match move:
        case Keep(()):
            return f"{verb(state.seat, 'rolls', 'roll')} all five again."
        case Keep(dice):
            rest = DICE - len(dice)
            keeps, rolls = verb(state.seat, "keeps", "keep"), verb(state.seat, "rolls", "roll")
            return f"{keeps} {state.game.roll_text(dice)} and {rolls} {rest} {'die' if rest == 1 else 'dice'}."
        case Score(box):
            return _tell_score(state, state.apply(move), box)
    raise state.illegal(move)


def _tell_score(state: KismetState, after: KismetState, box: Box) -> str:
    seat, does = state.seat, scoring(state, box)
    writes = (
        f"{verb(seat, 'takes', 'take')} {does.points}" if does.points else f"{verb(seat, 'writes', 'write')} a zero"
    )
    told = f"{writes} in {box.title}."
    if does.bonus:
        told += f" The bonus grows by {does.bonus}."
    struck = [
        f"{who(other, 'you')} {verb(other, 'writes', 'write')} a zero in {Box(strike).title}"
        for other, strike in enumerate(does.strikes)
        if strike != VACANT
    ]
    if struck:
        goes = f", and {who(seat, 'you')} {verb(seat, 'goes', 'go')} on"
        goes_on = goes if after.seat == CHANCE and after.roller == seat else ""
        told += f" Another Kismet: {listed(struck)}{goes_on}."
    final = after.result
    if final is not None and after.players > 1:
        told += f" {wins(final.winners)}"
    return told


def shortlist(state: KismetState) -> tuple[tuple[Move, str], ...]:
    """The vacant boxes with what the dice score in them, the most first."""
    scored = [(scoring(state, move.box), move) for move in state.legal_moves() if isinstance(move, Score)]
    scored.sort(key=lambda each: -(each[0].points + each[0].bonus))
    return tuple(
        (move, f"{does.points} and {does.bonus} bonus" if does.bonus else str(does.points)) for does, move in scored
    )


def doing(state: KismetState, move: Move) -> str:
    """A move as something one does."""
    match move:
        case Keep(()):
            return "rolling all five again"
        case Keep(dice):
            return f"keeping {state.game.roll_text(dice)}"
        case Score(box):
            entry = box_scores(state.dice, state.options.kismet_is_full_house)[box]
            return f"taking {entry} in {box.title}" if entry else f"a zero in {box.title}"
    raise state.illegal(move)


def reason(state: KismetState, move: Move) -> str:
    """What speaks for a move: what the next roll brings and how often, or what else the dice could score."""
    match move:
        case Keep(dice) if dice and len(set(dice)) == 1:
            return f"another {dice[0]} comes {times(1 - Fraction(5, 6) ** (DICE - len(dice)))}"
        case Keep(dice):
            return _what_comes(state, dice)
        case Score(box):
            return _why_scored(state, box)
    raise state.illegal(move)


def _what_comes(state: KismetState, dice: Roll) -> str:
    """The vacant box of the Kismet section that the next roll fills best on average, if the dice do not yet."""
    full_house, sheet, outcomes = state.options.kismet_is_full_house, state.sheets[state.seat], TOSSES[DICE - len(dice)]
    now = box_scores(state.dice, full_house)
    boxes = [box for box in tuple(Box)[len(BASIC) :] if sheet[box] == VACANT and not now[box]]
    points, weights = dict.fromkeys(boxes, 0), dict.fromkeys(boxes, 0)
    for roll, weight in zip(outcomes.rolls, outcomes.weights, strict=True):
        scores = box_scores(tuple(sorted(dice + roll)), full_house)
        for box in boxes:
            points[box] += weight * scores[box]
            weights[box] += weight * bool(scores[box])
    best = max(boxes, key=lambda box: points[box], default=None)
    if not dice or best is None or not weights[best]:
        return ""
    return f"{best.title} comes {times(Fraction(weights[best], outcomes.total))}"


def _why_scored(state: KismetState, box: Box) -> str:
    full_house, sheet = state.options.kismet_is_full_house, state.sheets[state.seat]
    scores = box_scores(state.dice, full_house)
    vacant = [one for one in Box if sheet[one] == VACANT]
    if vacant == [box]:
        return "no other box is vacant"
    if not scores[box]:
        most = max(box_scores(roll, full_house)[box] for roll in TOSSES[DICE].rolls)
        return f"a zero there gives up {most} at most"
    return "no vacant box scores more now" if scores[box] == max(scores[one] for one in vacant) else ""


def tell_roll(state: KismetState, roll: Roll) -> str:
    """What a roll shows, and in the roll-off who begins."""
    rolls = f"{verb(state.roller, 'rolls', 'roll')} {state.game.roll_text(roll)}"
    if not state.roll_off:
        five = tuple(sorted(state.dice + roll))
        kismet = " A Kismet!" if five[0] == five[-1] else ""
        return f"{rolls}.{kismet}"
    after = state.roll(roll)
    if after.roll_off and WAITING in state.roll_off[state.roller + 1 :]:
        return f"{rolls} to see who begins."
    begins = f"{who(after.roller)} {verb(after.roller, 'begins', 'begin')}."
    return f"{rolls} to see who begins. {'A tie at the top: roll again.' if after.roll_off else begins}"


def prompt(state: KismetState) -> str:
    """What is to happen now."""
    roller, rolls = who(state.roller), verb(state.roller, "rolls", "roll")
    if state.roll_off:
        return f"{roller} {rolls} one die to see who begins."
    if state.seat == OVER:
        return "Every sheet is full."
    if state.seat == CHANCE:
        dice = DICE - len(state.dice)
        return f"{roller} {rolls} {'one die' if dice == 1 else f'{dice} dice'}, roll {state.rolls + 1} of {ROLLS}."
    if state.rolls == ROLLS:
        return f"{roller} {verb(state.roller, 'scores', 'score')} the dice in a box."
    does = verb(state.roller, "keeps dice and rolls the others, or scores", "keep dice and roll the others, or score")
    return f"{roller} {does}. Roll {state.rolls} of {ROLLS}."


def result(state: KismetState) -> Result:
    """Who has won, or shares the win."""
    winners = state.winners
    reason = "The highest total." if len(winners) == 1 else "The highest total, shared."
    if state.players == 1:
        reason = "The sheet is full."
    return Result(winners, reason, rank(state.scores, winners))


def dice_view(state: KismetState) -> tuple[DieView, ...]:
    """The dice on the table."""
    place = "rolled" if len(state.dice) == DICE else "kept"
    return tuple(state.game.die_view(code, place) for code in state.dice)


def grids(state: KismetState) -> tuple[Grid, ...]:
    """The two sections of everybody's sheet, each with its own lines below, and what the dice would score now."""
    deciding = state.seat >= 0
    scores = box_scores(state.dice, state.options.kismet_is_full_house) if deciding else EMPTY_SHEET
    filled = state.sheets[state.seat] if deciding else EMPTY_SHEET
    names = tuple(f"{{{seat}}}" for seat in range(state.players))

    def row(box: Box) -> tuple[str, ...]:
        now = scores[box] if filled[box] == VACANT else VACANT
        entries = (*(sheet[box] for sheet in state.sheets), now)
        return (box.title, *("" if entry == VACANT else str(entry) for entry in entries))

    def line(title: str, amounts: Iterable[int]) -> tuple[str, ...]:
        return (title, *map(str, amounts), "")

    sums = tuple(map(basic_sum, state.sheets))
    carried = tuple(points + bonus(points) for points in sums)
    totals = state.scores
    basic = (
        *map(row, BASIC),
        line("Basic Total", sums),
        line("Bonus", map(bonus, sums)),
        line("Basic and Bonus", carried),
    )
    kismet = (
        *map(row, tuple(Box)[len(BASIC) :]),
        line("Kismet Total", map(sub, totals, carried)),
        line("Grand Total", totals),
    )
    return Grid(("Basic", *names, "now"), basic), Grid(("Kismet", *names, "now"), kismet)
