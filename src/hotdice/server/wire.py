"""What clients and server say to each other over a WebSocket: JSON texts, one message each.

A client's message says what to `do`; the server's says its `type`. `docs/server.md` has examples of all of them.
"""

from __future__ import annotations

from typing import Annotated, Any, Final

from msgspec import DecodeError, Meta, Raw, Struct, ValidationError
from msgspec.json import Decoder, Encoder

from hotdice.errors import HotdiceError
from hotdice.view import View

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
    last: Number = 0


class Move(Message, frozen=True):
    """A decision, made on the state of number `on`. `then_roll` rolls at once, if the dice are then this seat's."""

    id: Id
    on: Number
    move: Text
    then_roll: bool = False


class Roll(Message, frozen=True):
    """Roll the dice, or with real dice say what `faces` they show."""

    id: Id
    on: Number
    faces: Text = ""


class Undo(Message, frozen=True):
    """Ask the table to take the last choice back."""

    id: Id
    on: Number


class Agree(Message, frozen=True):
    """Let the last choice be taken back."""

    id: Id
    on: Number
    seat: SeatNumber | None = None


class Refuse(Message, frozen=True):
    """Insist that the last choice stands."""

    id: Id
    on: Number
    seat: SeatNumber | None = None


class Ready(Message, frozen=True):
    """A string for the dice of the next game at this table, for one of this client's seats."""

    id: Id
    string: Text
    seat: SeatNumber | None = None


class Ping(Message, frozen=True):
    """Answered with `pong`."""


Wish = Move | Roll | Undo | Agree | Refuse | Ready
AnyMessage = Hello | Wish | Ping


class SeatView(Struct, frozen=True, omit_defaults=True):
    """A seat as everybody sees it. `kind` is `person`, `local`, `bot` or `open`."""

    kind: str
    name: str
    bot: str = ""
    present: bool = False
    away: str = ""
    """The bot that plays for somebody who is away."""
    gone: bool = False


class Shown(Struct, frozen=True):
    """The table as it stands. Moves are made on `number`; `view` has the legal ones of the seat that decides."""

    number: int
    status: str
    round: int
    seats: Raw
    """Of each, a `SeatView`."""
    actor: int | None
    rolls: bool
    """Whether the actor is to roll, not to decide."""
    undo: int | None
    """The seat that may ask to take its last choice back."""
    asked: int | None
    """The seat that asks for that now, and which others still have to agree."""
    waiting: tuple[int, ...]
    deadline: int | None
    """When a bot takes over from the actor, in milliseconds since 1970, as `now` is."""
    now: int
    promise: str
    strings: tuple[str, ...]
    view: View | None
    due: tuple[int, ...] = ()
    """While dice are to be rolled, how many of each kind, in the order of the game's `dice`."""
    fresh: bool = False
    """Whether a new turn begins with the roll to come."""


class Answer(Struct, frozen=True, omit_defaults=True, tag_field="type", tag=str.lower):
    """Something that the server says."""


class Welcome(Answer, frozen=True):
    """The answer to `hello`: the client's seats, what it missed, and the table as it stands."""

    table: str
    game: str
    dice: str
    public: bool
    clock: str
    seconds: int
    stand_in: str
    coach: str
    seats: tuple[int, ...]
    events: list[Raw]
    """Of each, a `ShownEntry`."""
    state: Shown
    manual: bool = False
    facts: Any = None
    """What the rules fix for this whole game, as the game's own data; left out where the game does not say."""


class Update(Answer, frozen=True):
    """Something happened."""

    events: list[Raw]
    state: Shown


class Presence(Answer, frozen=True):
    """Who is there has changed, and perhaps the deadline with it."""

    present: tuple[int, ...]
    deadline: int | None = None


class Accepted(Answer, frozen=True):
    """It is done, and on disk, as the entry of that number."""

    id: str
    number: int


class Refused(Struct, frozen=True, omit_defaults=True):
    """It is not done, and nothing has changed. `type` is one of `REFUSALS`."""

    type: str
    message: str
    id: str = ""
    number: int = 0
    """Of the state as it stands."""
    legal: tuple[str, ...] = ()
    wait: float = 0.0
    """Seconds after which a rate limit takes messages again."""


class Pong(Answer, frozen=True):
    """The answer to `ping`."""


REFUSALS: Final = (
    "stale", "not_your_turn", "illegal", "unknown", "rate_limited", "no_seat", "no_table", "unavailable",
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
