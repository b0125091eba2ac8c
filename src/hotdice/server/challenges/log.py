"""What a challenge consists of: a log of its own, beside those of the tables at which it is played.

As with tables, everything follows from the entries, and nothing here knows a clock or a store. A name is tried once:
whoever writes the next number of the log has it, on however many nodes.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from msgspec import Struct
from msgspec.json import Decoder, Encoder

from hotdice.book.names import key_of
from hotdice.fair import TurnDice, promised_dice
from hotdice.server.entries import BOT, SeatPlan
from hotdice.server.refusals import Illegal, Invalid, NoSeat

LOG: Final = "c-"
"""What the names of these logs begin with; no table's name has a hyphen."""
OPEN_DAYS: Final = 7
"""For how many days a challenge can be played, unless its maker closes it before."""


class ChallengeEntry(Struct, frozen=True, omit_defaults=True, tag_field="kind", tag=str.lower):
    """Something that happened to a challenge."""


class Opened(ChallengeEntry, frozen=True):
    """It can be played from now on: the game, who sits where, the dice as records name them, and until when, in
    milliseconds. `since` is when it may be begun; `maker` is who played it first, and nobody for the challenge of a
    day. Tokens are made with the `key`."""

    game: str
    seats: tuple[SeatPlan, ...]
    dice: str
    since: int
    until: int
    key: str
    maker: str = ""


class Tried(ChallengeEntry, frozen=True):
    """Somebody began to play it, at a table of their own. `token` is the hash of what opens their seat there."""

    name: str
    table: str
    token: str


class Closed(ChallengeEntry, frozen=True):
    """Its maker ended it before its time."""


AnyChallengeEntry = Opened | Tried | Closed
encode: Final = Encoder().encode
decode: Final[Decoder[AnyChallengeEntry]] = Decoder(AnyChallengeEntry)


@dataclass(frozen=True, slots=True)
class Try:
    """What somebody has of a challenge. Whoever broke off still had their try."""

    number: int
    """Counted from 1; the maker's is the first."""
    name: str
    table: str
    token: str
    begun: int
    """When, in milliseconds."""


class Challenge:
    """What follows from one challenge's log."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.number = 0
        """Of the last entry."""
        self.tries: list[Try] = []
        self.ended = 0
        """When its maker closed it, in milliseconds, or 0."""
        self._opened: Opened | None = None
        self._names: set[str] = set()

    @property
    def opened(self) -> Opened:
        if self._opened is None:
            raise ValueError(f"the log of the challenge {self.name} does not begin with its opening")
        return self._opened

    @property
    def seat(self) -> int:
        """The seat that everybody plays in."""
        return next(number for number, plan in enumerate(self.opened.seats) if plan.kind != BOT)

    @property
    def dice(self) -> TurnDice:
        return promised_dice(self.opened.dice)

    @property
    def until(self) -> int:
        """When its secret is revealed, or was."""
        return min(self.ended or self.opened.until, self.opened.until)

    def is_over(self, now: int) -> bool:
        """Whether nobody plays it any more, so that all may be seen."""
        return now >= self.until

    def of_token(self, token: str) -> Try | None:
        """The try whose seat the token of that hash opens."""
        return next((each for each in self.tries if token and each.token == token), None)

    def read(self, log: Iterable[tuple[bytes, int]]) -> None:
        """Take in what the store has, with the times."""
        for body, at in log:
            self.apply(decode.decode(body), at)

    def apply(self, entry: AnyChallengeEntry, at: int) -> None:
        """Take in the next entry."""
        self.number += 1
        match entry:
            case Opened():
                self._opened = entry
            case Tried(name, table, token):
                self._names.add(key_of(name))
                self.tries.append(Try(len(self.tries) + 1, name, table, token, at))
            case Closed():
                self.ended = at

    # Commands

    def check_try(self, name: str, now: int) -> None:
        """Refuse a try that comes too early or too late, or that is somebody's second one."""
        if now < self.opened.since:
            raise Illegal("This challenge has not begun yet; come back on its day.")
        if self.is_over(now):
            raise Illegal("This challenge is over; you can look at what everybody made of it.")
        if key_of(name) in self._names:
            raise Illegal(f"{name} has had a try at this challenge, and each name has one.")
        if any(key_of(plan.name) == key_of(name) for plan in self.opened.seats if plan.kind == BOT):
            raise Invalid(f"A bot is called {name} in this challenge; take another name.")

    def check_close(self, by: Try | None, now: int) -> None:
        """Refuse the end to all but the maker."""
        if not self.opened.maker or by is None or by.number > 1:
            raise NoSeat("Only whoever made a challenge closes it.")
        if self.is_over(now):
            raise Illegal("This challenge is over already.")


def folded(name: str, log: Iterable[tuple[bytes, int]]) -> Challenge:
    """The challenge that a log makes."""
    challenge = Challenge(name)
    challenge.read(log)
    return challenge
