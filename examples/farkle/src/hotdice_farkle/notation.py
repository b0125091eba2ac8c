"""Moves and positions of Farkle as text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeVar

from hotdice.dice import ORDINARY, Roll, parse_faces
from hotdice.errors import ParseError
from hotdice.game import CHANCE, OVER
from hotdice.notation import Fields, read_whole_number
from hotdice_farkle.rules import DICE, FARKLES, NOBODY, FarkleOptions, Keep, keeps

if TYPE_CHECKING:
    from hotdice_farkle.state import FarkleState

S = TypeVar("S", bound="FarkleState")

POINTS_LIMIT: Final = 1_000_000
"""Points beyond this are not read from a position."""
LEAST: Final = 50
"""What a die scores at least by itself; all scores are multiples of it."""
PHASES: Final = {phase: phase for phase in ("roll", "keep", "decide", "over")}


def read_keep(rest: str, column: int) -> Keep:
    """The dice after the word `keep`."""
    dice = parse_faces((ORDINARY,), rest, column)
    if not dice:
        raise ParseError("Name the dice to set aside, such as keep 1 5.", column)
    return Keep(dice)


def position_fields(state: FarkleState) -> str:
    """Scores, whose turn, phase, dice, points of the turn, farkles in a row, and who started the last round."""
    phase = {CHANCE: "roll", OVER: "over"}.get(state.seat, "keep" if state.rolled else "decide")
    dice = "".join(map(str, state.rolled)) or state.dice
    farkles = "/".join(map(str, state.farkles)) if state.options.penalty else "-"
    starter = "-" if state.starter == NOBODY else state.starter + 1
    scores = "/".join(map(str, state.scores))
    return f"{scores} {state.roller + 1} {phase} {dice} {state.points} {farkles} {starter}"


def read_fields(cls: type[S], options: FarkleOptions, fields: Fields) -> S:
    """The state that position fields describe."""
    scores = fields.split("the scores", _read_score)
    seats = {str(seat + 1): seat for seat in range(len(scores))}
    turn = fields.choice("a seat", seats)
    phase = fields.choice("a phase", PHASES)
    seat = {"roll": CHANCE, "over": OVER}.get(phase, turn)
    rolled = _read_rolled(options, fields) if phase == "keep" else ()
    dice = len(rolled) or fields.number("the number of dice", DICE if seat == OVER else 1, DICE)
    at = fields.column
    points = fields.number("the points of the turn", 0, 0 if seat == OVER else POINTS_LIMIT, step=LEAST)
    if not points and (dice < DICE or phase == "decide"):
        raise ParseError("A turn has points as soon as dice are set aside.", at)
    if phase == "decide" and not scores[turn] and points < options.opening:
        raise ParseError(f"With fewer than {options.opening} points the dice have to be rolled.", at)
    farkles = _read_farkles(options, fields, len(scores))
    at = fields.column
    starter = fields.choice("the seat that started the last round", {"-": NOBODY, **seats})
    if seat == OVER and starter != (turn + 1) % len(scores):
        raise ParseError("The game is over only when the last round has come round to its starter.", at)
    if seat != OVER and starter == turn:
        raise ParseError("Whoever started the last round has no turn in it.", at)
    if max(scores) >= options.target if starter == NOBODY else scores[starter] < options.target:
        raise ParseError(f"The last round is on just when its starter has {options.target} or more.", at)
    return cls(options, scores, seat, turn, dice, rolled, points, farkles, starter)


def _read_score(part: str, column: int) -> int:
    return read_whole_number(part, "a score", 0, POINTS_LIMIT, column, step=LEAST)


def _read_rolled(options: FarkleOptions, fields: Fields) -> Roll:
    at = fields.column
    rolled = parse_faces((ORDINARY,), fields.word("the faces rolled"), at)
    if len(rolled) > DICE or not keeps(options, rolled):
        raise ParseError(f"To set dice aside takes a roll of up to {DICE} dice that scores.", at)
    return rolled


def _read_farkles(options: FarkleOptions, fields: Fields, players: int) -> tuple[int, ...]:
    if not options.penalty:
        return fields.choice("a count of farkles", {"-": (0,) * players})
    start = fields.column
    farkles = fields.split(
        "the farkles in a row", lambda part, at: read_whole_number(part, "a count of farkles", 0, FARKLES - 1, at)
    )
    if len(farkles) != players:
        raise ParseError(f"There are {players} seats, and farkles in a row for {len(farkles)}.", start)
    return farkles
