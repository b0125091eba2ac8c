"""The roll-off: everybody rolls one die, the highest begins, and a tie at the top is rolled again by the tied.

It is kept as one number a seat: what the seat has rolled, `WAITING` or `OUT`. An empty roll-off is done with.
"""

from __future__ import annotations

from typing import Final

from hotdice.errors import ParseError
from hotdice.notation import Fields

RollOff = tuple[int, ...]

WAITING: Final = 0
OUT: Final = -1


def after_roll_off(roll_off: RollOff, value: int) -> tuple[int, RollOff]:
    """The next roller and the roll-off after the first waiting seat rolled a value; empty once somebody begins."""
    at = roll_off.index(WAITING)
    return _judged((*roll_off[:at], value, *roll_off[at + 1 :]))


def roll_off_without(roll_off: RollOff, seat: int) -> tuple[int, RollOff]:
    """The next roller and the roll-off when a player drops out of the game; whoever is left alone in it begins."""
    left = roll_off[:seat] + roll_off[seat + 1 :]
    in_play = [number for number, value in enumerate(left) if value != OUT]
    return (in_play[0], ()) if len(in_play) == 1 else _judged(left)


def _judged(rolled: RollOff) -> tuple[int, RollOff]:
    """Who rolls next, or who begins once everybody has rolled."""
    if WAITING not in rolled:
        best = max(rolled)
        if rolled.count(best) == 1:
            return rolled.index(best), ()
        rolled = tuple(WAITING if one == best else OUT for one in rolled)
    return rolled.index(WAITING), rolled


def roll_off_text(roll_off: RollOff) -> str:
    """The roll-off in a position: a number, `.` for a seat that is still to roll, `x` for one that is out."""
    return ",".join({WAITING: ".", OUT: "x"}.get(value, str(value)) for value in roll_off)


def read_roll_off(fields: Fields, players: int, roller: int, highest: int) -> RollOff:
    """The roll-off of a position, in which it is the roller's turn to roll."""
    values = {".": WAITING, "x": OUT} | {str(value): value for value in range(1, highest + 1)}
    at = fields.column
    text = fields.word("the roll-off")
    parts = text.split(",")
    if len(parts) != players or any(part not in values for part in parts):
        raise ParseError(
            f"“{text}” is not a roll-off of {players} players; expected for each seat, with commas between them, "
            f"a number from 1 to {highest}, . (still to roll) or x (out).",
            at,
        )
    roll_off = tuple(values[part] for part in parts)
    waiting = [seat for seat, value in enumerate(roll_off) if value == WAITING]
    in_play = len(roll_off) - roll_off.count(OUT)
    if not waiting or waiting[0] != roller or in_play < 2 or any(v > 0 for v in roll_off[waiting[0] :]):
        raise ParseError(f"In the roll-off {text}, seat {roller + 1} is not the next to roll.", at)
    return roll_off
