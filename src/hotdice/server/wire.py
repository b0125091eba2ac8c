"""What clients and server say to each other over a WebSocket: JSON texts, one message each.

A client's message says what to `do`; the server's says its `type`. `docs/server.md` has examples of all of them.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from msgspec import DecodeError, Meta, Raw, Struct, ValidationError
from msgspec.json import Decoder, Encoder

from hotdice.errors import HotdiceError
from hotdice.server.match.played import SeriesScore
from hotdice.view import View

MOST_GRACE: Final = 5_000
"""The most milliseconds for which somebody can keep bots waiting."""
MESSAGE_BYTES: Final = 8_192
"""The longest message that a client may send."""

Id = Annotated[str, Meta(min_length=1, max_length=64)]
Number = Annotated[int, Meta(ge=0, le=1 << 31)]
SeatNumber = Annotated[int, Meta(ge=0, le=63)]
Text = Annotated[str, Meta(max_length=200)]


class Message(Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag=str.lower):
    """Something that a client wants. `id` is the client's own name for it: repeating a message does nothing twice."""


class Hello(Message, frozen=True):
    """The first message: the tokens of the seats this client plays, none to watch, and the last entry it has."""

    tokens: Annotated[tuple[Annotated[str, Meta(max_length=64)], ...], Meta(max_length=16)] = ()
    """Those of the seats that this client plays; none to watch."""
    last: Number = 0
    """The number of the last entry that the client has; 0 for none. What came since is in the `welcome`."""
    words: bool = True
    """Whether to be told in sentences what happens and what can be done. Programs that play need none: then there are
    no prompts, no labels of moves and no score sheets to print, and rolls and moves are not put in sentences; what was
    told before, or is with the end of a game, may still come so."""


class Move(Message, frozen=True):
    """A decision, made on the state of number `on`. `then_roll` rolls at once, if the dice are then this seat's."""

    id: Id
    on: Number
    move: Text
    """The move in notation, as the `view` lists it."""
    then_roll: bool = False
    """Whether to roll at once, if the dice are then this seat's."""
    grace: Annotated[int, Meta(ge=0, le=MOST_GRACE)] = 0
    """Milliseconds for which a bot whose turn is next lets it be taken back."""


class Roll(Message, frozen=True):
    """Roll the dice, or with real dice say what `faces` they show."""

    id: Id
    on: Number
    faces: Text = ""
    """With real dice, what they show, in notation; otherwise left out."""


class Undo(Message, frozen=True):
    """Ask the table to take the last choice back."""

    id: Id
    on: Number


class Agree(Message, frozen=True):
    """Let the last choice be taken back."""

    id: Id
    on: Number
    seat: SeatNumber | None = None
    """Which of this client's seats it is for, counted from 0; the first of them if none is named."""


class Refuse(Message, frozen=True):
    """Insist that the last choice stands."""

    id: Id
    on: Number
    seat: SeatNumber | None = None
    """Which of this client's seats it is for, counted from 0; the first of them if none is named."""


class Seal(Message, frozen=True):
    """The seal of a string that this client has drawn for the dice, for one of its seats, while they are `sealing`."""

    id: Id
    seal: Text
    """The SHA-256 of the string with the table, the promise and the seat, as `docs/fair-dice.md` says."""
    seat: SeatNumber | None = None
    """Which of this client's seats it is for, counted from 0; the first of them if none is named."""


class Reveal(Message, frozen=True):
    """The string that was sealed for one of this client's seats, once all are `revealing`."""

    id: Id
    string: Text
    """The string that was sealed."""
    seat: SeatNumber | None = None
    """Which of this client's seats it is for, counted from 0; the first of them if none is named."""


class Proceed(Message, frozen=True):
    """Take nothing back: bots need not wait. There is no answer."""


class Substitute(Message, frozen=True):
    """Have a bot play for somebody who is away or has left, until they are back."""

    id: Id
    seat: SeatNumber
    """Whose seat it is, counted from 0."""
    bot: Annotated[str, Meta(max_length=40)]
    """The kind of bot, by its name."""


class Propose(Message, frozen=True):
    """Propose to `end` the game, or to go on with the player of a seat `out` of it."""

    id: Id
    what: Literal["end", "out"]
    """`end` or `out`."""
    seat: SeatNumber | None = None
    """Whom the game is to go on without, counted from 0."""


class Vote(Message, frozen=True):
    """Say yes or no to the proposal of that number, for one of this client's seats."""

    id: Id
    proposal: Number
    """The number of the proposal."""
    yes: bool
    """Whether the answer is yes."""
    seat: SeatNumber | None = None
    """Which of this client's seats it is for, counted from 0; the first of them if none is named."""


class Ping(Message, frozen=True):
    """Answered with `pong`."""


Wish = Move | Roll | Undo | Agree | Refuse | Seal | Reveal | Substitute | Propose | Vote
AnyMessage = Hello | Wish | Proceed | Ping


class SeatView(Struct, frozen=True, omit_defaults=True):
    """A seat as everybody sees it. `kind` is `person`, `local`, `bot` or `open`."""

    kind: str
    """`person`, `local` (at a device of another player), `bot` or `open`."""
    name: str
    """What whoever sits there is called."""
    bot: str = ""
    """The kind of bot, in a bot's seat."""
    present: bool = False
    """Whether its player is connected."""
    away: str = ""
    """The bot that plays for somebody who is away."""
    gone: bool = False
    """Whether its player has left."""


class Invitation(Struct, frozen=True):
    """To another game, while one is over: whose it is, and who is in. Those who had no seat in the last game are
    counted after its seats, also among those who are `present`."""

    by: int
    """Whose invitation it is: a seat, counted from 0."""
    accepted: tuple[int, ...]
    """The seats that are in."""
    declined: tuple[int, ...]
    """The seats that are not."""
    newcomers: tuple[SeatView, ...]
    """Those who had no seat in the last game and are in."""
    room: int
    """How many more could sit down."""
    fewest: int
    """The fewest players that the game takes; bots are players."""


class Proposal(Struct, frozen=True):
    """What those who are here are deciding together: to `end` the game, to go on with a player `out` of it, or whether
    somebody who is not at the table may have a `seat` at another device."""

    number: int
    """Of the entry by which it was made; votes name it."""
    what: str
    """`end`, `out` or `seat`."""
    asker: int
    """The seat that proposed it; -1 for somebody who has none."""
    about: int
    """The seat that it is about; -1 for none."""
    waiting: tuple[int, ...]
    """The seats whose word is still needed."""


class ShownShare(Struct, frozen=True, omit_defaults=True):
    """What a seat has in the dice: the seal of a string, and the string once it is revealed."""

    seat: int
    """Whose share it is, counted from 0."""
    seal: str = ""
    """The seal of the string."""
    string: str = ""
    """The string, once it is revealed."""


class Shown(Struct, frozen=True):
    """The table as it stands. Moves are made on `number`; `view` has the legal ones of the seat that decides."""

    number: int
    """Of the latest entry of the log; it grows by one with each."""
    status: str
    """Whether it waits for players or is played, or how it ended."""
    round: int
    """Which game at this table it is, counted from 1."""
    seats: Raw
    """Of each, a `SeatView`."""
    actor: int | None
    """The seat that has to act, counted from 0; null while nobody has."""
    rolls: bool
    """Whether the actor is to roll, not to decide."""
    undo: int | None
    """The seat that may ask to take its last choice back."""
    asked: int | None
    """The seat that asks for that now."""
    waiting: tuple[int, ...]
    """The seats that still have to agree to what was `asked`."""
    deadline: int | None
    """When a bot takes over from the actor, in milliseconds since 1970, as `now` is."""
    now: int
    """The server's time, in milliseconds since 1970."""
    promise: str
    """The SHA-256 of the secret of the dice; empty until they are drawn."""
    shares: tuple[ShownShare, ...]
    """What seats have in the dice."""
    view: View | None
    """All there is to show of the game, its legal moves among it; null before it begins."""
    due: tuple[int, ...] = ()
    """While dice are to be rolled, how many of each kind, in the order of the game's `dice`."""
    fresh: bool = False
    """Whether a new turn begins with the roll to come."""
    series: tuple[SeriesScore, ...] = ()
    """How often everybody has won at this table, the most wins first."""
    invitation: Invitation | None = None
    """To another game, once one is over."""
    since: tuple[int, ...] = ()
    """For each seat since when its player is away, in milliseconds; 0 where nobody is missed."""
    droppable: tuple[int, ...] = ()
    """Of those who are away or have left, the seats without which the game could go on."""
    proposal: Proposal | None = None
    """What is being decided together."""
    resuming: bool = False
    """Whether the game is about to go on without a player who fell out of it."""
    dealing: str = ""
    """How far the dice are, while a game is about to begin: `sealing` or `revealing`."""
    dice_name: str = ""
    """What seals have for the table's name: this, and from its second game on which game it is."""


class Answer(Struct, frozen=True, omit_defaults=True, tag_field="type", tag=str.lower):
    """Something that the server says."""


class Welcome(Answer, frozen=True):
    """The answer to `hello`, and what is said when the client's seats have changed: which these are, what it missed,
    and the table as it stands."""

    table: str
    """The name of the table."""
    game: str
    """The game and its house rules, as records have it."""
    dice: str
    """How the dice are rolled."""
    public: bool
    """Whether lists show the table."""
    clock: str
    """How long a decision may take: `off`, `soft` or `hard`."""
    seconds: int
    """The seconds of that clock."""
    stand_in: str
    """The bot that plays for those who are away."""
    coach: str
    """Whether players are told what moves are worth: `off`, `ask` or `always`."""
    patience: int
    """Seconds that somebody may be away before the others may decide what becomes of their seat."""
    seats: tuple[int, ...]
    """The client's own seats, counted from 0; none if it watches."""
    opens: tuple[int, ...]
    """For each token of the hello, the seat that it opens; -1 if it opens none any more."""
    events: list[Raw]
    """Of each, a `ShownEntry`."""
    state: Shown
    """The table as it stands."""
    manual: bool = False
    """Whether real dice are rolled and typed in."""
    missing: int = 0
    """How many entries between the last one that the client has and the first of `events` are left out, as there are
    too many for one message. They come in pages over HTTP."""
    facts: Any = None
    """What the rules fix for this whole game, as the game's own data; left out where the game does not say."""
    challenge: str = ""
    """The name of the challenge that is played here, if one is."""


class Update(Answer, frozen=True):
    """Something happened."""

    events: list[Raw]
    """Of each, a `ShownEntry`."""
    state: Shown
    """The table as it stands after that."""


class Presence(Answer, frozen=True):
    """Who is there has changed, and perhaps the deadline with it."""

    present: tuple[int, ...]
    """The seats whose players are connected."""
    since: tuple[int, ...]
    """For each seat since when its player is away, in milliseconds since 1970; 0 where nobody is missed."""
    droppable: tuple[int, ...]
    """Of those who are away or have left, the seats without which the game could go on."""
    deadline: int | None = None
    """When a bot takes over from the actor, in milliseconds since 1970; left out where no clock runs."""
    proposal: Proposal | None = None
    """What is being decided together, if anything is."""


class Accepted(Answer, frozen=True):
    """It is done, and on disk, as the entry of that number."""

    id: str
    """The client's name for its message."""
    number: int
    """Of the entry that it became."""


class Refused(Struct, frozen=True, omit_defaults=True):
    """It is not done, and nothing has changed. `type` is one of `REFUSALS`."""

    type: str
    """Why, for programs: one of `REFUSALS`."""
    message: str
    """Why, as a sentence for people."""
    id: str = ""
    """The client's name for its message."""
    number: int = 0
    """Of the state as it stands."""
    legal: tuple[str, ...] = ()
    """The legal moves, after an illegal one."""
    wait: float = 0.0
    """Seconds after which a rate limit takes messages again."""


class Pong(Answer, frozen=True):
    """The answer to `ping`."""


REFUSALS: Final = (
    "stale", "not_your_turn", "illegal", "unknown", "rate_limited", "no_seat", "no_table", "unavailable", "banned",
    "held",
)  # fmt: skip

_read: Final = Decoder(AnyMessage).decode
_encoder: Final = Encoder()
encoded: Final = _encoder.encode
"""A message, or a part of one, in JSON."""


class NotUnderstood(HotdiceError):
    """Not a valid message."""


def parse(data: bytes) -> AnyMessage:
    """A client's message."""
    try:
        message: AnyMessage = _read(data)
    except ValidationError as error:
        raise NotUnderstood(f"Not a valid message: {error}.") from None
    except (DecodeError, UnicodeError, RecursionError):
        raise NotUnderstood("Not a valid message: it should be one JSON object, such as {“do”: “ping”}.") from None
    return message


def packed(message: Answer | Refused) -> bytes:
    """A message as it goes over the wire to any number of clients: one frame, as RFC 6455 has it in section 5.2."""
    text = encoded(message)
    size = len(text)
    if size < 126:
        return b"\x81%c%b" % (size, text)
    if size < 1 << 16:
        return b"\x81\x7e%b%b" % (size.to_bytes(2, "big"), text)
    return b"\x81\x7f%b%b" % (size.to_bytes(8, "big"), text)
