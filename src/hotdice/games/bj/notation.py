"""Positions of BJ's dice as text. The moves, `roll` and `pass`, are single words and need no reader."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeVar

from hotdice.errors import ParseError
from hotdice.game import CHANCE, OVER
from hotdice.games.bj.rules import BONUS, NOBODY, BjOptions
from hotdice.notation import Fields, read_whole_number

if TYPE_CHECKING:
    from hotdice.games.bj.state import BjState

S = TypeVar("S", bound="BjState")

POINTS_LIMIT: Final = 1_000_000
"""Points beyond this are not read from a position."""
LEAST: Final = 50
"""What a frozen die scores at least; all scores are multiples of it."""


def position_fields(state: BjState) -> str:
    """Scores, whose turn, phase, dice to roll, points at risk, safe points, and who started the last round."""
    phase = {CHANCE: "toss", OVER: "over"}.get(state.seat, "decide")
    starter = "-" if state.starter == NOBODY else state.starter + 1
    scores = "/".join(map(str, state.scores))
    return f"{scores} {state.roller + 1} {phase} {state.dice} {state.at_risk} {state.safe} {starter}"


def read_fields(cls: type[S], options: BjOptions, fields: Fields) -> S:
    """The state that position fields describe."""
    scores = fields.split("the scores", _read_score)
    players = len(scores)
    seats = {str(seat + 1): seat for seat in range(players)}
    turn = fields.choice("a seat", seats)
    seat = fields.choice("a phase", {"toss": CHANCE, "decide": turn, "over": OVER})
    dice = fields.number("the number of dice", options.dice if seat == OVER else 1, options.dice)
    at_points = fields.column
    limit = 0 if seat == OVER else POINTS_LIMIT
    at_risk = fields.number("the points at risk", 0, limit, step=LEAST)
    safe = fields.number("the safe points", 0, limit, step=BONUS)
    frozen = options.dice - dice + safe // BONUS * options.dice
    if at_risk < LEAST * frozen or (not frozen and (at_risk or seat == turn)):
        dice_text = "One frozen die" if frozen == 1 else f"{frozen} frozen dice"
        raise ParseError(f"{dice_text} cannot have brought {at_risk} points.", at_points)
    at = fields.column
    starter = fields.choice("the seat that started the last round", {"-": NOBODY, **seats})
    if seat == OVER and starter != (turn + 1) % players:
        raise ParseError("The game is over only when the last round has come round to its starter.", at)
    if seat != OVER and starter == turn:
        raise ParseError("Whoever started the last round has no turn in it.", at)
    if starter == NOBODY and max(scores) > options.target:
        raise ParseError(f"Somebody has more than {options.target:,}, so the last round has a starter.", at)
    if starter != NOBODY and scores[starter] <= options.target:
        raise ParseError(f"Whoever started the last round has more than {options.target:,}.", at)
    return cls(options, scores, seat, turn, dice, at_risk, safe, starter)


def _read_score(part: str, column: int) -> int:
    return read_whole_number(part, "a score", 0, POINTS_LIMIT, column, step=LEAST)
