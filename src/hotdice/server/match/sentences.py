"""What is told of each entry, as a sentence. Rolls and moves are told by the game itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hotdice.server import entries
from hotdice.server.entries import AnyEntry
from hotdice.view import named

if TYPE_CHECKING:
    from hotdice.server.match.fold import Match


def before(match: Match, entry: AnyEntry) -> str:
    """What happens, where that can only be told before it has happened."""
    match entry:
        case entries.Left(seat):
            return f"{match.names[seat]} leaves."
        case entries.Undone():
            last = match.playing().table.last
            return f"The last choice of {match.names[last.seat]} is taken back." if last else ""
        case _:
            return ""


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
        case entries.Started():
            return "The game goes on." if match.imported else "The game begins."
        case entries.Asked(seat):
            return f"{names[seat]} would like to take the last choice back."
        case entries.Agreed(seat):
            return f"{names[seat]} agrees."
        case entries.Refused(seat):
            return f"{names[seat]} does not agree; the choice stands."
        case entries.Away(seat, bot):
            return f"{names[seat]} is away; the bot “{bot}” plays for them."
        case entries.Back(seat):
            return f"{names[seat]} is back."
        case entries.Ended(_, why):
            result = match.table.state.result if match.table else None
            if why or result is None:
                return f"The game ends: {why}"
            return f"The game is over. {named(result.sentences, names)}"
        case entries.Again(seat):
            return f"{names[seat]} asks for another game."
        case _:
            return ""
