"""The commands about who plays: for those who are away or have left, and for seats that move to another device.

Like all commands they know no connection: whoever calls them says who is here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from hotdice.errors import HotdiceError
from hotdice.server import entries
from hotdice.server.entries import AnyEntry
from hotdice.server.match import commands
from hotdice.server.match.fold import Match, Status
from hotdice.server.match.seats import Attendance
from hotdice.server.match.setup import check_bot
from hotdice.server.refusals import Illegal, Invalid, NoSeat, Stale
from hotdice.server.tokens import token_hash

END: Final = "end"
OUT: Final = "out"
SEAT: Final = "seat"
NO_CODE: Final = "This code opens no seat here: it may have been used, or be older than ten minutes. Ask for a new one."

# Those who are away or have left


def substitute(
    match: Match, seat: int, about: int, bot: str, attendance: Attendance, client: str = ""
) -> list[AnyEntry]:
    """Have a bot play for somebody who is away or has left; one who is here may decide that, as it can be undone."""
    match.playing()
    _check_missed(match, about, attendance)
    check_bot(bot)
    return match.add(entries.Away(about, bot, seat, client))


def why_not_without(match: Match, seat: int) -> str:
    """Why the game cannot go on without a player; nothing if it can."""
    try:
        match.playing().table.state.without(seat)
    except HotdiceError as error:
        return str(error)
    return ""


# What is decided together


def propose(match: Match, seat: int, what: str, about: int, attendance: Attendance, client: str = "") -> list[AnyEntry]:
    """Propose to end the game, or to go on without somebody who is away or has left. It is done once all agree."""
    match.playing()
    if match.proposal and match.proposal.what != SEAT:
        raise Illegal("Something else is being decided; answer that first.")
    if what == OUT:
        _check_missed(match, about, attendance)
        if why := why_not_without(match, about):
            raise Illegal(why)
    elif about >= 0:
        raise Invalid("The game ends for everybody; leave the seat out.")
    return match.add(entries.Proposed(seat, what, about, client=client)) + settle(match, attendance)


def vote(match: Match, seat: int, number: int, yes: bool, attendance: Attendance, client: str = "") -> list[AnyEntry]:
    """Agree to what was proposed by the entry of that number, or not."""
    if match.proposal is None or match.proposal.number != number:
        raise Stale("That is no longer being decided.")
    if seat != match.proposal.asker and seat not in _voters(
        match, match.proposal.what, match.proposal.about, attendance
    ):
        raise NoSeat("Others decide about this.")
    return match.add(entries.Voted(seat, yes, client)) + settle(match, attendance)


def undecided(match: Match, attendance: Attendance) -> tuple[int, ...]:
    """The seats whose word is still needed. One word is enough for all who play on the same device."""
    proposal = match.proposal
    if proposal is None:
        return ()
    agreed = {match.seats[seat].device for seat in proposal.agreed}
    if attendance.still and may_end_unanswered(match):
        return ()
    voters = _voters(match, proposal.what, proposal.about, attendance)
    return tuple(seat for seat in voters if match.seats[seat].device not in agreed)


def may_end_unanswered(match: Match) -> bool:
    """Whether a game ends in time without the word of those who are here and neither play nor answer: nobody can keep
    the secret of its dice from being revealed by that. It does not while those who want the end are to act."""
    proposal, actor = match.proposal, match.actor
    if proposal is None or proposal.what != END or actor is None:
        return False
    return match.seats[actor].device not in {match.seats[seat].device for seat in proposal.agreed}


def is_agreed(match: Match, attendance: Attendance) -> bool:
    """Whether something was proposed, and everybody who has a say agrees by now."""
    proposal = match.proposal
    return bool(proposal and proposal.agreed and attendance.here and not undecided(match, attendance))


def settle(match: Match, attendance: Attendance) -> list[AnyEntry]:
    """Do what was proposed, if everybody who has a say agrees by now."""
    proposal = match.proposal
    if proposal is None or not is_agreed(match, attendance):
        return []
    about = proposal.about
    if proposal.what == SEAT:
        return match.add(entries.Handed((about,), (proposal.token,)))
    if proposal.what == END:
        together = len({match.seats[seat].device for seat in proposal.agreed}) > 1
        return commands.close(match, "everybody agreed to end it." if together else "it was ended.")
    if why := why_not_without(match, about):
        raise Illegal(why)
    ended = commands.close(match, f"it goes on without {match.names[about]}.")
    return ended + match.add(entries.Without(about))


def is_outdated(match: Match, restored: int) -> bool:
    """Whether the dice of a game were promised before the tables were restored from a backup: players may have seen
    what they would show next, or all of it and the secret, too. Challenges keep theirs, as all play the same."""
    if match.challenge:
        return False
    if match.deal:
        return match.deal.since < restored
    return match.status is Status.PLAYING and not match.manual and match.begun < restored


def redraw(match: Match, restored: int) -> list[AnyEntry]:
    """Have a game that began before the tables were restored from a backup go on with new dice. One that was about to
    begin is given up: it would have the name of the one that players have seen."""
    if not is_outdated(match, restored):
        return []
    if match.deal:
        return commands.close(match, "the tables were restored from a backup while its dice were drawn.")
    ended = commands.close(match, "the tables were restored from a backup, so it goes on with new dice.")
    return ended + match.add(entries.Redrawn())


def _voters(match: Match, what: str, about: int, attendance: Attendance) -> tuple[int, ...]:
    """Who has a say: everybody whom the others still have to wait for; about a seat, the host alone, if here."""
    held = [number for number, seat in enumerate(match.seats) if seat.is_held and number not in attendance.missed]
    if what != SEAT:
        return tuple(held)
    device = match.seats[about].device
    others = [number for number in held if number in attendance.here and match.seats[number].device != device]
    return (match.host,) if match.host in others else tuple(others)


def _check_missed(match: Match, seat: int, attendance: Attendance) -> None:
    if not 0 <= seat < len(match.seats) or not match.seats[seat].is_person:
        raise Invalid("That is no seat of somebody who could be away.")
    if seat not in attendance.missed and not match.seats[seat].gone:
        raise Illegal(f"{match.names[seat]} is here, or was a moment ago.")


# Seats that move to another device


def offer(match: Match, seat: int, seats: tuple[int, ...], code: str) -> list[AnyEntry]:
    """Let another device take seats over that are played on one device, with a one-time code."""
    if match.status is Status.CLOSED:
        raise Illegal("This table is closed.")
    commands.check_log(match)
    here = match.household(seat)
    if not seats or any(other not in here or not match.everyone[other].is_held for other in seats):
        raise NoSeat("You can only hand over seats that are played on this device.")
    return match.add(entries.Offered(seats, token_hash(code)))


def take(match: Match, code: str, tokens: Sequence[str]) -> list[AnyEntry]:
    """Take seats over with a one-time code: each gets one of the tokens. Whoever has them already keeps them."""
    if token_hash(tokens[0]) in match.tokens:
        return []
    found = match.offers.get(token_hash(code))
    if found is None or found.until < match.now:
        raise NoSeat(NO_CODE)
    return match.add(entries.Handed(found.seats, tuple(token_hash(token) for token in tokens[: len(found.seats)])))


def ask_for_seat(match: Match, seat: int, token: str, attendance: Attendance) -> list[AnyEntry]:
    """Ask, on a new device, for the seat of somebody whose device is gone. The token opens it once others agree."""
    hashed = token_hash(token)
    if match.proposal and match.proposal.token == hashed:
        return []
    if match.status is Status.CLOSED:
        raise Illegal("This table is closed.")
    commands.check_log(match)
    if match.challenge:
        raise Illegal("A game of a challenge goes to another device by a code from the one that it is played on.")
    if not 0 <= seat < len(match.seats) or not (match.seats[seat].is_held or match.seats[seat].gone):
        raise Illegal(f"Seat {seat + 1} is nobody's that could come back to it.")
    if seat in attendance.here:
        raise Illegal(f"{match.names[seat]} is here already; have the seat handed over on that device.")
    if match.proposal:
        raise Illegal("Something else is being decided at this table; try again in a moment.")
    if not _voters(match, SEAT, seat, attendance):
        raise Illegal("Nobody is at the table who could agree; use the device that you played on.")
    return match.add(entries.Proposed(-1, SEAT, seat, hashed))
