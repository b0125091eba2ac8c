"""Positions and moves of KOR as text."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final, TypeVar

from hotdice.errors import ParseError
from hotdice.game import CHANCE, OVER, Move
from hotdice.games.kor.rules import (
    DICE,
    NOBODY,
    SIGN_NAMES,
    SIGNS,
    TOSSES,
    Follow,
    KorOptions,
    Target,
    read_toss,
)
from hotdice.notation import Fields, counted, pick, read_whole_number, words

if TYPE_CHECKING:
    from hotdice.games.kor.state import KorState

S = TypeVar("S", bound="KorState")

POINTS_LIMIT: Final = 1_000_000
"""Scores beyond this, either way, are not read from a position."""
LEAST: Final = 25
"""What a scoring die is worth at least; all scores are multiples of it."""
ANY_POINTS: Final = 1000
"""A turn can have any points from here on, in steps of `LEAST`, whatever dice are left; below there are gaps."""
SPLITS: Final = {
    f"{SIGN_NAMES[one]}+{SIGN_NAMES[other]}": (one, other)
    for index, one in enumerate(SIGNS)
    for other in SIGNS[index + 1 :]
}
"""The two signs of a split, by the phase that names them."""


# Moves


def read_follow(rest: str, column: int) -> Move:
    """The sign after `follow`."""
    names = {name: sign for sign, name in SIGN_NAMES.items()}
    found = words(rest, column) or [("", column)]
    return Follow(pick("-".join(word for word, _ in found), names, "a sign to follow", found[0][1]))


def read_target(rest: str, column: int) -> Move:
    """The seat after `target`, counted from 1."""
    found = words(rest, column) or [("", column)]
    text = " ".join(word for word, _ in found)
    return Target(read_whole_number(text, "a seat to target", 1, 8, found[0][1]) - 1)


# Positions


def position_fields(state: KorState) -> str:
    """Scores, whose turn, who rolls, phase, dice, points so far, and who started the final round."""
    phase = "target"
    if state.seat == CHANCE:
        phase = "toss"
    elif state.seat == OVER:
        phase = "over"
    elif state.signs:
        phase = "+".join(SIGN_NAMES[sign] for sign in state.signs)
    roller = f"{state.roller + 1}{'-' if state.penalty else ''}"
    leader = "-" if state.leader == NOBODY else state.leader + 1
    scores = "/".join(map(str, state.scores))
    return f"{scores} {state.turn + 1} {roller} {phase} {state.dice} {state.points} {leader}"


def read_fields(cls: type[S], options: KorOptions, fields: Fields) -> S:
    """The state that position fields describe."""
    scores = fields.split("the scores", _read_score)
    seats = {str(seat + 1): seat for seat in range(len(scores))}
    turn = fields.choice("a seat", seats)
    rollers = {f"{name}-": (seat, True) for name, seat in seats.items()}
    roller, penalty = fields.choice("the seat that rolls", {str(turn + 1): (turn, False), **rollers})
    phases = {"toss": CHANCE, "target": roller, "over": OVER}
    at_phase = fields.column
    phase = fields.choice("a phase", {name: name for name in (*phases, *SPLITS)})
    dice = fields.number("the number of dice", 1 if phase == "toss" else DICE, DICE)
    limit = POINTS_LIMIT if phase == "toss" or phase in SPLITS else 0
    at_points = fields.column
    points = fields.number("the points so far", LEAST * (DICE - dice), limit, step=LEAST)
    _check_points(options, dice, points, at_points)
    leaders = {"-": NOBODY, **(seats if options.final_round else {})}
    leader = fields.choice("the seat that started the final round", leaders)
    seat, signs = phases.get(phase, roller), SPLITS.get(phase, ())
    state = cls(options, scores, seat, turn, roller, penalty, dice, points, signs, leader)
    _check_end(state, at_phase)
    return state


def _read_score(part: str, column: int) -> int:
    return read_whole_number(part, "a score", -POINTS_LIMIT, POINTS_LIMIT, column, step=LEAST)


def _check_points(options: KorOptions, dice: int, points: int, column: int) -> None:
    """Refuse points that no tosses can have brought by the time that so many dice are left."""
    possible = possible_points(options.scoring, options.bank_roll)[dice]
    if points < ANY_POINTS and points not in possible:
        below = max((one for one in possible if one < points), default=min(possible))
        above = min(one for one in possible if one > points)
        left = counted(dice, "die", "dice")
        raise ParseError(f"No turn has {points} points with {left} to toss; it can have {below} or {above}.", column)


@cache
def possible_points(scoring: str, bank_roll: bool) -> tuple[frozenset[int], ...]:
    """The points below `ANY_POINTS` that a turn can have, by the number of dice to toss next."""
    found: list[set[int]] = [set() for _ in range(DICE + 1)]
    waiting = [(DICE, 0)]
    while waiting:
        dice, points = waiting.pop()
        if points < ANY_POINTS and points not in found[dice]:
            found[dice].add(points)
            waiting += [(dice - 1 or DICE, points + gain) for gain in _gains(dice, scoring, bank_roll)]
    return tuple(map(frozenset, found))


@cache
def _gains(dice: int, scoring: str, bank_roll: bool) -> frozenset[int]:
    """What one toss can add to the points of a turn that goes on with a die less."""
    read = map(read_toss, TOSSES[dice].rolls)
    going_on = [toss for toss in read if toss.scoring and not toss.signs and not (bank_roll and toss.scoring == DICE)]
    return frozenset(toss.total if scoring == "all" else toss.highest for toss in going_on)


def _check_end(state: KorState, column: int) -> None:
    """Refuse a position that is over without a winner, or goes on although there is one."""
    options, scores, leader = state.options, state.scores, state.leader
    target, best = options.target, max(scores)
    if state.seat == OVER:
        last = (state.turn + 1) % len(scores) if options.final_round else state.turn
        winner = leader if options.final_round else scores.index(best)
        if best < target or scores.count(best) > 1 or state.penalty or winner != last:
            raise ParseError(f"A game is over when a turn ends with one player alone at {target:,} or more.", column)
    elif leader == state.turn and not state.penalty and state.seat == CHANCE:
        raise ParseError("Whoever started the final round has no turn in it.", column)
    elif (
        options.final_round and leader == NOBODY and state.seat == state.turn and not state.penalty and not state.signs
    ):
        if scores[state.turn] >= target:
            raise ParseError(f"Whoever ends a turn at {target:,} or more has started the final round.", column)
    elif not options.final_round:
        banking = options.bank_roll and not state.penalty and (state.seat == CHANCE or state.signs)
        if any(score >= target and not (banking and seat == state.turn) for seat, score in enumerate(scores)):
            raise ParseError(f"Somebody has {target:,} already, so the game cannot go on.", column)
