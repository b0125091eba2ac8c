"""The seats of a match: who has each of them, and who acts there."""

from __future__ import annotations

from dataclasses import dataclass

from hotdice.game import Move, State
from hotdice.players import Player
from hotdice.server.entries import BOT, LOCAL, PERSON
from hotdice.table import Seat


@dataclass(slots=True)
class MatchSeat:
    """A seat of a match. `token` is the hash of what opens it."""

    kind: str
    name: str = ""
    bot: str = ""
    token: str = ""
    away: str = ""
    """The bot that plays for an absent person."""
    gone: bool = False
    """They left for good while the game went on."""

    @property
    def is_person(self) -> bool:
        return self.kind in (PERSON, LOCAL)

    @property
    def acting_bot(self) -> str:
        """The bot that acts here now, or nothing for a person."""
        return self.bot or self.away

    def at_table(self) -> Seat:
        """The seat as the table and its record have it."""
        player: Player | None = SeatedBot(self.bot) if self.kind == BOT else None
        return Seat(self.name, player)


@dataclass(frozen=True, slots=True)
class SeatedBot:
    """Marks a seat as a bot's. Who thinks for it is for the room to arrange."""

    kind: str

    def choose(self, state: State) -> Move:
        raise TypeError("a bot of the server does not think inside a match")
