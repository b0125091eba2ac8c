"""The seats of a match: who has each of them, who acts there, and who of them is here."""

from __future__ import annotations

from dataclasses import dataclass, field

from hotdice.fair import Share, Statement
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
    device: int = 0
    """The number of the entry by which the device came that plays here; it may play several seats."""

    @property
    def is_person(self) -> bool:
        return self.kind in (PERSON, LOCAL)

    @property
    def is_held(self) -> bool:
        """Whether a person has the seat, here or away."""
        return self.is_person and bool(self.token)

    @property
    def acting_bot(self) -> str:
        """The bot that acts here now, or nothing for a person."""
        return self.bot or self.away

    def at_table(self) -> Seat:
        """The seat as the table and its record have it."""
        player: Player | None = SeatedBot(self.bot) if self.kind == BOT else None
        return Seat(self.name, player)


@dataclass(slots=True)
class Deal:
    """The dice of a game that is about to begin: what is promised, sealed and revealed of them so far."""

    since: int
    """When the secret was drawn, in milliseconds; `fixed` is when the seals were, and 0 as long as more may come."""
    promise: str
    secret: bytes
    signed: Statement | None
    seals: dict[int, str] = field(default_factory=dict)
    strings: dict[int, str] = field(default_factory=dict)
    fixed: int = 0

    def shares(self) -> list[Share]:
        """The shares in the dice, in the order of the seats."""
        return [Share(seat, self.strings.get(seat, ""), seal) for seat, seal in sorted(self.seals.items())]


@dataclass(slots=True)
class Invitation:
    """Another game that somebody wants at a table where one is over, and who is in it."""

    by: int
    promise: str = ""
    secret: bytes = b""
    """Before there were seals, of the next game's dice, and likewise the strings."""
    strings: dict[int, str] = field(default_factory=dict)
    """Who is in, in the order in which they said so, with their strings."""
    declined: set[int] = field(default_factory=set)
    newcomers: list[MatchSeat] = field(default_factory=list)
    """Those who had no seat in the last game; they are counted after its seats."""


@dataclass(frozen=True, slots=True)
class Attendance:
    """Which seats are connected now, and which were not for so long that nobody has to wait for them."""

    here: frozenset[int] = frozenset()
    missed: frozenset[int] = frozenset()
    still: bool = False
    """Whether nothing has been done for very long while something was to be decided."""


@dataclass(slots=True)
class Proposal:
    """What those who are here are deciding together, and who has agreed so far."""

    number: int
    what: str
    asker: int
    about: int
    token: str
    agreed: set[int]


@dataclass(frozen=True, slots=True)
class Offer:
    """Seats that another device may take over with a one-time code, until some time."""

    seats: tuple[int, ...]
    until: int


@dataclass(frozen=True, slots=True)
class SeatedBot:
    """Marks a seat as a bot's. Who thinks for it is for the room to arrange."""

    kind: str

    def choose(self, state: State) -> Move:
        raise TypeError("a bot of the server does not think inside a match")
