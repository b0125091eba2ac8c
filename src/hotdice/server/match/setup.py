"""Setting tables up: what a table may be like, and tables at which a recorded game goes on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from hotdice.dice import ManualDice
from hotdice.errors import SeatError
from hotdice.games import parse_game
from hotdice.notation import listed
from hotdice.players import bot_names, named_bot
from hotdice.record import parse_record, result_text
from hotdice.server.entries import BOT, LOCAL, OPEN, PERSON, Created, SeatPlan
from hotdice.server.match.fold import FAIR, MANUAL, OFF, TURNS
from hotdice.server.refusals import Invalid
from hotdice.table import check_name

SHORTEST, LONGEST = 5, 24 * 60 * 60
"""Seconds that a decision may be given."""
NAMED: Final = 40
"""The most characters of a wrong name that a refusal repeats."""


def check_setup(setup: Created) -> None:
    """Refuse a table that could not be played at."""
    game, options = parse_game(setup.game)
    game.start(len(setup.seats), options)
    names: set[str] = set()
    for plan in setup.seats:
        if plan.kind == BOT:
            check_bot(plan.bot)
        if plan.name:
            check_name(plan.name)
            if plan.name in names:
                raise SeatError(f"Two players are called {plan.name}; give each a name of their own.")
            names.add(plan.name)
    if setup.clock.kind != OFF and not SHORTEST <= setup.clock.seconds <= LONGEST:
        raise Invalid(f"A clock gives {SHORTEST} to {LONGEST} seconds for a decision, not {setup.clock.seconds}.")
    if setup.stand_in:
        check_bot(setup.stand_in)
    if setup.challenge:
        _check_challenge(setup)


def _check_challenge(setup: Created) -> None:
    """Refuse a challenge that others could not play in the same way, or that could be watched or helped with."""
    people = sum(plan.kind == PERSON for plan in setup.seats)
    if people != 1 or any(plan.kind not in (PERSON, BOT) for plan in setup.seats):
        raise Invalid("A challenge is played by one person, alone or against bots.")
    if setup.dice != TURNS:
        raise Invalid("A challenge has dice of its own; leave “dice” out.")
    if setup.public or setup.coach != OFF or setup.stand_in or setup.clock.kind != OFF:
        raise Invalid("A challenge is played without onlookers, coach, clock and stand-in.")


def check_bot(kind: str) -> None:
    """Refuse a bot that does not exist."""
    if not named_bot(kind):
        raise Invalid(f"There is no bot “{kind[:NAMED]}”; there are {listed(bot_names())}.")


def imported(text: str, mine: Sequence[int], public: bool, origin: str) -> Created:
    """A table at which a recorded game goes on, or can be looked at. The record has to hold, its dice included."""
    record = parse_record(text)
    record.check_dice()
    finished = record.result != result_text(None)
    plans: list[SeatPlan] = []
    for number, seat in enumerate(record.seats):
        if named_bot(seat.kind):
            plans.append(SeatPlan(BOT, seat.name, seat.kind))
        else:
            plans.append(SeatPlan(LOCAL if finished or number in mine else OPEN, seat.name))
    for number in mine:
        if not 0 <= number < len(plans) or plans[number].kind == BOT:
            raise Invalid(f"Seat {number + 1} of this record is not a person's, so you cannot take it.")
    game = record.game.text(record.options)
    dice = MANUAL if record.dice == ManualDice.text else FAIR
    return Created(game, tuple(plans), public, dice, record=record.text, origin=origin)
