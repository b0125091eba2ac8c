"""What is said and shown of a game of Kismet: sentences and the sheets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hotdice.dice import Roll
from hotdice.game import CHANCE, OVER, Move, State
from hotdice.games.kismet.data import scoring
from hotdice.games.kismet.rules import (
    BASIC,
    DICE,
    EMPTY_SHEET,
    ROLLS,
    VACANT,
    Box,
    Keep,
    Score,
    basic_sum,
    bonus,
    box_scores,
)
from hotdice.notation import listed
from hotdice.rolloff import WAITING
from hotdice.view import DieView, Grid, Result, rank

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
            return "rolls all five again."
        case Keep(dice):
            rest = DICE - len(dice)
            return f"keeps {state.game.roll_text(dice)} and rolls {rest} {'die' if rest == 1 else 'dice'}."
        case Score(box):
            return _tell_score(state, state.apply(move), box)
    raise state.illegal(move)


def _tell_score(state: KismetState, after: KismetState, box: Box) -> str:
    seat, does = state.seat, scoring(state, box)
    told = f"takes {does.points} in {box.title}." if does.points else f"writes a zero in {box.title}."
    if does.bonus:
        told += f" The bonus grows by {does.bonus}."
    struck = [
        f"{{{other}}} writes a zero in {Box(strike).title}"
        for other, strike in enumerate(does.strikes)
        if strike != VACANT
    ]
    if struck:
        goes_on = f", and {{{seat}}} goes on" if after.seat == CHANCE and after.roller == seat else ""
        told += f" Another Kismet: {listed(struck)}{goes_on}."
    final = after.result
    if final is not None and after.players > 1:
        winners = listed(f"{{{winner}}}" for winner in final.winners)
        told += f" {winners} {'wins' if len(final.winners) == 1 else 'share the win'}!"
    return told


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


def tell_roll(state: KismetState, roll: Roll) -> str:
    """What a roll shows, and in the roll-off who begins."""
    shown = state.game.roll_text(roll)
    if not state.roll_off:
        five = tuple(sorted(state.dice + roll))
        kismet = " A Kismet!" if five[0] == five[-1] else ""
        return f"rolls {shown}.{kismet}"
    after = state.roll(roll)
    if after.roll_off and WAITING in state.roll_off[state.roller + 1 :]:
        return f"rolls {shown} to see who begins."
    verdict = " A tie at the top: roll again." if after.roll_off else f" {{{after.roller}}} begins."
    return f"rolls {shown} to see who begins.{verdict}"


def prompt(state: KismetState) -> str:
    """What is to happen now."""
    who = f"{{{state.roller}}}"
    if state.roll_off:
        return f"{who} rolls one die to see who begins."
    if state.seat == OVER:
        return "Every sheet is full."
    if state.seat == CHANCE:
        dice = DICE - len(state.dice)
        return f"{who} rolls {'one die' if dice == 1 else f'{dice} dice'}, roll {state.rolls + 1} of {ROLLS}."
    if state.rolls == ROLLS:
        return f"{who} scores the dice in a box."
    return f"{who} keeps dice and rolls the others, or scores. Roll {state.rolls} of {ROLLS}."


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
    """The two sections of everybody's sheet, with what the dice would score now."""
    deciding = state.seat >= 0
    scores = box_scores(state.dice, state.options.kismet_is_full_house) if deciding else EMPTY_SHEET
    filled = state.sheets[state.seat] if deciding else EMPTY_SHEET
    names = tuple(f"{{{seat}}}" for seat in range(state.players))

    def row(box: Box) -> tuple[str, ...]:
        now = scores[box] if filled[box] == VACANT else VACANT
        entries = (*(sheet[box] for sheet in state.sheets), now)
        return (box.title, *("" if entry == VACANT else str(entry) for entry in entries))

    sums = tuple(map(basic_sum, state.sheets))
    basic = (
        *map(row, BASIC),
        ("Sum", *map(str, sums), ""),
        ("Bonus", *(str(bonus(points)) for points in sums), ""),
        ("Total", *map(str, state.scores), ""),
    )
    kismet = tuple(map(row, tuple(Box)[len(BASIC) :]))
    return Grid(("Basic", *names, "now"), basic), Grid(("Kismet", *names, "now"), kismet)
