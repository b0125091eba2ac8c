"""What is told of each entry, as a sentence. Rolls and moves are told by the game itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hotdice.notation import listed
from hotdice.server import entries
from hotdice.server.entries import AnyEntry
from hotdice.view import named

if TYPE_CHECKING:
    from hotdice.server.match.fold import Match


def before(match: Match, entry: AnyEntry) -> str:
    """What happens, where that can only be told before it has happened."""
    match entry:
        case entries.Left(seat, removed):
            return f"{match.names[seat]} {'is removed from the table' if removed else 'leaves'}."
        case entries.Undone(_, _, events):
            table = match.playing().table
            return f"The last choice of {match.names[table.event(table.played - events).seat]} is taken back."
        case entries.Declined(seat):
            return f"{match.names[seat]} is not in the next game."
        case entries.Voted(seat, yes):
            return _voted(match, seat, yes)
        case entries.Started() if match.deal and (late := [s.seat for s in match.deal.shares() if not s.string]):
            owners = listed(f"{match.names[seat]}'s" for seat in late)
            return f"The game begins. {owners} share in the dice did not come, so they were drawn without it."
        case entries.Without(seat):
            return f"A new game begins where it stood, without {match.names[seat]}."
        case _:
            return ""


def _voted(match: Match, seat: int, yes: bool) -> str:
    name, proposal = match.names[seat], match.proposal
    if proposal is None:
        return ""
    if yes:
        return f"{name} agrees."
    if seat == proposal.asker:
        return f"{name} takes that back."
    match proposal.what:
        case "end":
            return f"{name} would rather play on."
        case "out":
            return f"{name} would rather wait for {match.names[proposal.about]}."
        case _:
            return f"{name} does not agree; the seat stays as it is."


def after(match: Match, entry: AnyEntry) -> str:
    """What has happened."""
    names = match.names
    match entry:
        case entries.Created():
            return f"The table is set up for {match.game.title}."
        case entries.Joined(seat):
            return f"{names[seat]} sits down."
        case entries.Ready(seat):
            return f"{names[seat]} is ready."
        case entries.Dealt():
            return "These are the dice of a challenge."
        case entries.Started():
            return "The game goes on." if match.imported else "The game begins."
        case entries.Asked(seat):
            return f"{names[seat]} would like to take the last choice back."
        case entries.Agreed(seat):
            return f"{names[seat]} agrees."
        case entries.Refused(seat):
            return f"{names[seat]} does not agree; the choice stands."
        case entries.Away(seat, bot):
            why = f", as {names[entry.asker]} decided" if entry.asker >= 0 else ""
            state = "has left" if match.seats[seat].gone else "is away"
            return f"{names[seat]} {state}; the bot “{bot}” plays for them{why}."
        case entries.Back(seat):
            return f"{names[seat]} is back."
        case entries.Redrawn():
            return "A new game begins where it stood, with new dice."
        case entries.Proposed(seat, what, about):
            match what:
                case "end":
                    return f"{names[seat]} would like to end the game."
                case "out":
                    return f"{names[seat]} would like to go on without {names[about]}."
                case _:
                    return f"Somebody at another device says that they are {names[about]}."
        case entries.Offered(seats):
            verb = "are" if len(seats) > 1 else "is"
            return f"{listed(names[seat] for seat in seats)} {verb} moving to another device."
        case entries.Handed(seats):
            verb = "play" if len(seats) > 1 else "plays"
            return f"{listed(names[seat] for seat in seats)} {verb} at another device now."
        case entries.Ended(_, why):
            result = match.table.state.result if match.table else None
            if why or result is None:
                return f"The game ends: {why}"
            return f"The game is over. {named(result.sentences, names)}"
        case entries.Invited(seat):
            return f"{names[seat]} wants to play again."
        case entries.Accepted(seat):
            return f"{names[seat]} is in the next game."
        case entries.Again(seat, _, _, seats):
            return f"Game {match.round} at this table." if seats else f"{names[seat]} asks for another game."
        case _:
            return ""
