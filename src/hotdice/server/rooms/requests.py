"""What a client's message asks for, as a command to the match."""

from __future__ import annotations

from collections.abc import Callable

from hotdice.server import wire
from hotdice.server.entries import AnyEntry
from hotdice.server.match import commands, company, dealing
from hotdice.server.match.fold import Match
from hotdice.server.match.seats import Attendance
from hotdice.server.refusals import NoSeat


def obey(
    match: Match, seats: tuple[int, ...], message: wire.Wish, attendance: Callable[[], Attendance]
) -> list[AnyEntry]:
    """Do what a client that has these seats asks for. `attendance` says who is here, where that matters."""
    if not seats:
        raise NoSeat("You gave your seat up; join again to play.")
    seat = _seat_for(match, seats, message)
    match message:
        case wire.Move(client, _, text, then_roll):
            return commands.move(match, seat, text, then_roll=then_roll, client=client)
        case wire.Roll(client, _, faces):
            return commands.roll(match, seat, faces, client=client)
        case wire.Undo(client):
            return commands.ask(match, seat, client)
        case wire.Agree(client):
            return commands.answer(match, seat, True, client)
        case wire.Refuse(client):
            return commands.answer(match, seat, False, client)
        case wire.Seal(client, seal):
            return dealing.put_seal(match, seat, seal, attendance().here, client)
        case wire.Reveal(client, string):
            return dealing.reveal(match, seat, string, attendance().here, client)
        case wire.Substitute(client, about, bot):
            return company.substitute(match, seat, about, bot, attendance(), client)
        case wire.Propose(client, what, about):
            about = -1 if about is None else about
            return company.propose(match, seat, what, about, attendance(), client)
        case wire.Vote(client, number, yes):
            return company.vote(match, seat, number, yes, attendance(), client)


def _seat_for(match: Match, seats: tuple[int, ...], message: wire.Wish) -> int:
    """Which of a client's seats a message is for."""
    match message:
        case wire.Move() | wire.Roll() | wire.Undo():
            due = match.undoable() if isinstance(message, wire.Undo) else match.actor
            return due if due in seats and due is not None else seats[0]
        case wire.Substitute() | wire.Propose():
            return seats[0]
        case _:
            if message.seat is not None and message.seat not in seats:
                raise NoSeat(f"Seat {message.seat + 1} is not yours.")
            return seats[0] if message.seat is None else message.seat
