"""How a game ends: with its result, or because it is given up."""

from __future__ import annotations

from hotdice.game import OVER
from hotdice.record import result_text
from hotdice.server import entries
from hotdice.server.entries import AnyEntry
from hotdice.server.match.fold import Match


def end(match: Match, why: str) -> list[AnyEntry]:
    """End the game, for a reason if it is not over by its rules. The secret of a challenge stays: others want to play
    the same dice."""
    result = result_text(match.table.state.result if match.table else None)
    secret = "" if match.manual or match.challenge else match.secret.hex()
    return match.add(entries.Ended(result, why, secret))


def end_if_over(match: Match) -> list[AnyEntry]:
    """End the game if it is over by its rules. It may be so from its first state, when it goes on without a player who
    alone was still to answer in the last round."""
    return end(match, "") if match.table and match.table.state.seat == OVER else []
