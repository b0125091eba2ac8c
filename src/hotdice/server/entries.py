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

from hotdice.fair import promised_dice

OPEN: Final = "open"
PERSON: Final = "person"
LOCAL: Final = "local"
BOT: Final = "bot"
FIRST: Final = "first"
"""In place of a challenge's name, at the table where its dice are played first."""


class SeatPlan(Struct, frozen=True, omit_defaults=True):
    """A seat as a table was set up: its kind, and the name and the level of a bot."""

    kind: str
    """`person`, `local`, `bot` or `open`."""
    name: str = ""
    """What whoever sits there is called."""
    bot: str = ""
    """The kind of bot."""


class Clock(Struct, frozen=True, omit_defaults=True):
    """How long a decision may take: `off`; `soft` shows it; `hard` has a bot decide when the time is up."""

    kind: str = "off"
    """`off`, `soft` or `hard`."""
    seconds: int = 0
    """The seconds for a decision."""


class Entry(Struct, frozen=True, omit_defaults=True, tag_field="kind", tag=str.lower):
    """Something that happened."""


class Created(Entry, frozen=True):
    """A table was set up. `record` is the game that goes on here, if one does; `origin` is the address that asked for
    it, and `key` is what tokens are made with; `coach` is what was agreed about advice: `off`, `ask` or `always`.
    `challenge` is the challenge whose dice are played here, or `FIRST` where they are drawn for one.

    Tables from before there were seals have the secret of their first game here; likewise below."""

    game: str
    """The game and its house rules, as records have it."""
    seats: tuple[SeatPlan, ...]
    """The seats as they were asked for."""
    public: bool
    """Whether lists show the table."""
    dice: str
    """How the dice are rolled."""
    clock: Clock = Clock()
    """How long a decision may take."""
    stand_in: str = ""
    """The bot that plays for those who are away."""
    promise: str = ""
    """The SHA-256 of the secret of the dice."""
    record: str = ""
    """The game that goes on here, as a record."""
    origin: str = ""
    """The address that asked for the table; shown to nobody."""
    secret: str = ""
    """The secret of the dice; shown to nobody before it is revealed."""
    key: str = ""
    """What tokens are made with; shown to nobody."""
    coach: str = "off"
    """What was agreed about advice: `off`, `ask` or `always`."""
    challenge: str = ""
    """The name of the challenge whose dice are played."""


class Joined(Entry, frozen=True):
    """Somebody took a seat. Before there were seals, the `string` was their share in the dice."""

    seat: int
    name: str
    """What they are called."""
    string: str = ""
    """Before there were seals: their share in the dice."""
    token: str = ""
    """A hash of the seat's token; shown to nobody."""


class Left(Entry, frozen=True):
    """Somebody gave their seat up, and their token with it; or whoever runs the server took it from them."""

    seat: int
    removed: bool = False
    """Whether whoever runs the server took the seat from them."""


class Ready(Entry, frozen=True):
    """Before there were seals: somebody gave their string for the next game at this table."""

    seat: int
    string: str
    """Their share in the dice."""
    client: str = ""


class Promised(Entry, frozen=True):
    """The game is about to begin: nobody takes or changes a seat any more, bots have those that were open, and the
    secret of the dice is drawn. `promise` is its SHA-256, which the server's `key` has signed together with the time of
    this entry."""

    promise: str
    """The SHA-256 of the secret of the dice."""
    secret: str = ""
    """The secret of the dice; shown to nobody before it is revealed."""
    bots: tuple[Joined, ...] = ()
    """Who has the seats that were open."""
    level: str = ""
    """The kind of these bots."""
    key: str = ""
    """The public key of the server (Ed25519), in hexadecimal digits."""
    signature: str = ""
    """What that key has signed, in hexadecimal digits."""


class Sealed(Entry, frozen=True):
    """Somebody has drawn a string for the dice; the seal is its hash."""

    seat: int
    seal: str
    """The hash of the string."""
    client: str = ""


class Fixed(Entry, frozen=True):
    """No more seals are taken; the strings may be revealed."""


class Revealed(Entry, frozen=True):
    """Somebody's string, which fits the seal."""

    seat: int
    string: str
    """Their share in the dice."""
    client: str = ""


class Dealt(Entry, frozen=True):
    """The dice of a challenge, which were drawn for its first game, as records name them."""

    dice: str
    """The dice as records name them, their secret hidden."""


class Started(Entry, frozen=True):
    """The game began. Before there were seals, and with real dice, bots were given the open seats by this."""

    bots: tuple[Joined, ...] = ()
    """Who has the seats that were open."""
    level: str = ""
    """The kind of these bots."""


class Rolled(Entry, frozen=True):
    """Dice were rolled. `by` is the bot that acted for the seat, if one did; likewise below."""

    seat: int
    roll: str
    """What the dice showed, in notation."""
    by: str = ""
    """The bot that acted for the seat, if one did."""
    client: str = ""
    typist: int = -1
    """The seat that typed real dice in."""


class Moved(Entry, frozen=True):
    """A decision."""

    seat: int
    move: str
    """The move, in notation."""
    by: str = ""
    """The bot that acted for the seat, if one did."""
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
    """The last choice was taken back, and with it what bots chose since: so many rolls and moves."""

    seat: int
    client: str = ""
    events: int = 1
    """How many rolls and moves were taken back."""


class Away(Entry, frozen=True):
    """A bot plays for somebody who is away. `asker` is the seat that wanted it, unless the table itself did."""

    seat: int
    bot: str
    """The kind of bot that plays for them."""
    asker: int = -1
    """The seat that wanted it; -1 for the table itself."""
    client: str = ""


class Back(Entry, frozen=True):
    """They are back and play for themselves."""

    seat: int


class Proposed(Entry, frozen=True):
    """Something that those who are here decide together: to `end` the game, to go on with a player `out` of it, or to
    let another device have a `seat`, which somebody without one asks for (then `seat` is -1, and `token` is the hash of
    what is to open it)."""

    seat: int
    what: str
    """`end`, `out` or `seat`."""
    about: int = -1
    """The seat that it is about; -1 for none."""
    token: str = ""
    """A hash of the seat's token; shown to nobody."""
    client: str = ""


class Voted(Entry, frozen=True):
    """Somebody agrees to what was proposed, or does not, and then nothing comes of it."""

    seat: int
    yes: bool
    """Whether they agree."""
    client: str = ""


class Without(Entry, frozen=True):
    """A player fell out of the game. It goes on as another game from where it stood; the seats behind that one move
    up."""

    seat: int
    promise: str = ""
    """The SHA-256 of the secret of the dice."""
    secret: str = ""
    """The secret of the dice; shown to nobody before it is revealed."""


class Redrawn(Entry, frozen=True):
    """The game goes on as another game from where it stood, with new dice: a backup was restored, and players may have
    seen what the old ones would show next."""


class Offered(Entry, frozen=True):
    """Another device may take these seats over with a one-time code, of which the hash is kept."""

    seats: tuple[int, ...]
    """Which seats, counted from 0."""
    code: str = ""
    """The hash of the code; shown to nobody."""


class Handed(Entry, frozen=True):
    """Another device has these seats now, and the tokens that opened them before do so no longer."""

    seats: tuple[int, ...]
    """Which seats, counted from 0."""
    tokens: tuple[str, ...] = ()
    """The hashes of their new tokens; shown to nobody."""


class Ended(Entry, frozen=True):
    """The game was played to its end, or given up (`why`). The secret of the dice is revealed."""

    result: str
    """The result as records have it: `winner 2; scores 187 203`, or `unfinished`."""
    why: str = ""
    """Why it was given up, as a sentence; nothing if it was played to its end."""
    secret: str = ""
    """The secret of the dice, revealed; nothing where others are still to play with them."""


class Invited(Entry, frozen=True):
    """Somebody wants another game at this table, once one is over."""

    seat: int
    promise: str = ""
    """The SHA-256 of the secret of the dice."""
    secret: str = ""
    """The secret of the dice; shown to nobody before it is revealed."""


class Accepted(Entry, frozen=True):
    """Somebody is in the next game. Whoever watched until now brings a name, gets a token, and is counted after the
    seats of the game that is over."""

    seat: int
    string: str = ""
    """Before there were seals: their share in the dice."""
    name: str = ""
    """What somebody is called who had no seat in the last game."""
    token: str = ""
    """A hash of the seat's token; shown to nobody."""


class Declined(Entry, frozen=True):
    """Somebody is not in the next game, or no longer."""

    seat: int


class Again(Entry, frozen=True):
    """Another game at the same table. `seats` are those who sit down to it, in their order, by the numbers that they
    had until now. Logs from before there were invitations have none: everybody stays, with dice of a new secret."""

    seat: int
    promise: str = ""
    """The SHA-256 of the secret of the dice."""
    secret: str = ""
    """The secret of the dice; shown to nobody before it is revealed."""
    seats: tuple[int, ...] = ()
    """Who sits down to it, by the numbers of their seats until now."""


AnyEntry = (
    Created | Joined | Left | Ready | Promised | Sealed | Fixed | Revealed | Dealt | Started | Rolled | Moved | Asked
    | Agreed | Refused | Undone | Away | Back | Proposed | Voted | Without | Redrawn | Offered | Handed | Ended
    | Invited | Accepted | Declined | Again
)  # fmt: skip


class ShownEntry(Struct, frozen=True, omit_defaults=True, gc=False):
    """An entry as players see it: numbered, timed in milliseconds, and told as a sentence."""

    number: int
    """Which entry of the log it is, counted from 1."""
    at: int
    """When it happened, in milliseconds since 1970."""
    told: str
    """What happened, as a sentence for everybody; empty where there is nothing to tell, or where nobody wants words."""
    entry: Raw
    """What happened, as data."""
    places: tuple[str, ...] = ()
    """Of a roll, the place of each of its dice; left out where all are just `rolled`."""
    fresh: bool = False
    """Of a roll, whether a turn, a penalty or a roll-off begins with it."""
    scores: tuple[int, ...] = ()
    """When a game starts, and of a roll or a move that changed the scores: what they are now."""
    stake: int = 0
    """Of a roll or a move, the points of the turn so far that are still at stake after it."""
    yours: dict[int, str] = {}
    """Of a roll or a move, the sentence as it is told to the seats that it speaks to: “You roll …”."""
    effect: Any = None
    """Of a move, what it changed, as the game's own data; left out where the game does not say."""
    hot: bool = False
    """Of a roll or a move, whether by it all dice were frozen or set aside, and are free again."""


_encoder: Final = Encoder()
_decoder: Final[Decoder[AnyEntry]] = Decoder(AnyEntry)
encode: Final = _encoder.encode
decode: Final = _decoder.decode


def public(entry: AnyEntry) -> AnyEntry:
    """The entry as players may see it."""
    match entry:
        case Created():
            return replace(entry, secret="", origin="", key="")
        case Dealt(dice):
            return replace(entry, dice=promised_dice(dice).hidden_text)
        case Promised() | Again() | Invited() | Without() if entry.secret:
            return replace(entry, secret="")
        case Offered():
            return replace(entry, code="")
        case Handed():
            return replace(entry, tokens=())
        case Joined() | Accepted() | Proposed() if entry.token:
            return replace(entry, token="")
        case _:
            return entry
