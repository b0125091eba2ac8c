"""What a table's log is made of: one entry for each thing that happened, numbered from 1.

The log is the match: everything that a server knows about a table follows from these entries. They are stored as
JSON. `public` leaves out what is not for the players' eyes: the secret of the dice until it is revealed, the hashes of
the seats' tokens, and where a table was set up from.
"""

from __future__ import annotations

from typing import Any, Final

from msgspec import Raw, Struct
from msgspec.json import Decoder, Encoder
from msgspec.structs import replace

OPEN: Final = "open"
PERSON: Final = "person"
LOCAL: Final = "local"
BOT: Final = "bot"


class SeatPlan(Struct, frozen=True, omit_defaults=True):
    """A seat as a table was set up: its kind, and the name and the level of a bot."""

    kind: str
    name: str = ""
    bot: str = ""


class Clock(Struct, frozen=True, omit_defaults=True):
    """How long a decision may take: `off`; `soft` shows it; `hard` has a bot decide when the time is up."""

    kind: str = "off"
    seconds: int = 0


class Entry(Struct, frozen=True, omit_defaults=True, tag_field="kind", tag=str.lower):
    """Something that happened."""


class Created(Entry, frozen=True):
    """A table was set up. `promise` is the SHA-256 of the secret; `record` is the game that goes on here, if one does;
    `origin` is the address that asked for it, and `key` is what tokens are made with; `coach` is what was agreed about
    advice: `off`, `ask` or `always`."""

    game: str
    seats: tuple[SeatPlan, ...]
    public: bool
    dice: str
    clock: Clock = Clock()
    stand_in: str = ""
    promise: str = ""
    record: str = ""
    origin: str = ""
    secret: str = ""
    key: str = ""
    coach: str = "off"


class Joined(Entry, frozen=True):
    """Somebody took a seat. The `string` is their share in the dice."""

    seat: int
    name: str
    string: str = ""
    token: str = ""


class Left(Entry, frozen=True):
    """Somebody gave their seat up, and their token with it."""

    seat: int


class Ready(Entry, frozen=True):
    """Somebody gave their string for the next game at this table."""

    seat: int
    string: str
    client: str = ""


class Started(Entry, frozen=True):
    """The game began; open seats were given to bots, if there were any."""

    bots: tuple[Joined, ...] = ()
    level: str = ""


class Rolled(Entry, frozen=True):
    """Dice were rolled. `by` is the bot that acted for the seat, if one did; likewise below."""

    seat: int
    roll: str
    by: str = ""
    client: str = ""
    typist: int = -1
    """The seat that typed real dice in."""


class Moved(Entry, frozen=True):
    """A decision."""

    seat: int
    move: str
    by: str = ""
    client: str = ""


class Asked(Entry, frozen=True):
    """Somebody wants to take their last choice back."""

    seat: int
    client: str = ""


class Agreed(Entry, frozen=True):
    """Somebody agrees to that."""

    seat: int
    client: str = ""


class Refused(Entry, frozen=True):
    """Somebody does not agree; the choice stands."""

    seat: int
    client: str = ""


class Undone(Entry, frozen=True):
    """The last choice was taken back."""

    seat: int
    client: str = ""


class Away(Entry, frozen=True):
    """A bot plays for somebody who is away."""

    seat: int
    bot: str


class Back(Entry, frozen=True):
    """They are back and play for themselves."""

    seat: int


class Ended(Entry, frozen=True):
    """The game was played to its end, or given up (`why`). The secret of the dice is revealed."""

    result: str
    why: str = ""
    secret: str = ""


class Again(Entry, frozen=True):
    """Another game at the same table, with dice of a new secret."""

    seat: int
    promise: str = ""
    secret: str = ""


AnyEntry = (
    Created | Joined | Left | Ready | Started | Rolled | Moved | Asked | Agreed | Refused | Undone | Away | Back | Ended
    | Again
)  # fmt: skip


class ShownEntry(Struct, frozen=True, omit_defaults=True):
    """An entry as players see it: numbered, timed in milliseconds, and told as a sentence."""

    number: int
    at: int
    told: str
    entry: Raw
    places: tuple[str, ...] = ()
    """Of a roll, the place of each of its dice; left out where all are just `rolled`."""
    fresh: bool = False
    """Of a roll, whether a turn, a penalty or a roll-off begins with it."""
    scores: tuple[int, ...] = ()
    """When a game starts, and of a roll or a move that changed the scores: what they are now."""
    stake: int = 0
    """Of a roll or a move, the points of the turn so far that are still at stake after it."""
    effect: Any = None
    """Of a move, what it changed, as the game's own data; left out where the game does not say."""


_encoder: Final = Encoder()
_decoder: Final[Decoder[AnyEntry]] = Decoder(AnyEntry)
encode: Final = _encoder.encode
decode: Final = _decoder.decode


def public(entry: AnyEntry) -> AnyEntry:
    """The entry as players may see it."""
    match entry:
        case Created():
            return replace(entry, secret="", origin="", key="")
        case Again() if entry.secret:
            return replace(entry, secret="")
        case Joined() if entry.token:
            return replace(entry, token="")
        case _:
            return entry
