"""Who is connected to a table: the clients at this node, the seats at other nodes, and since when a seat is away."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple, Protocol, Self

from hotdice.server.match import company
from hotdice.server.match.fold import Match
from hotdice.server.match.seats import Attendance, MatchSeat
from hotdice.server.rooms.clock import now

BEAT_SECONDS: Final = 10.0
"""Seconds between two notes of who is present at a node; three missed ones make it absent."""
PATIENCE_SECONDS: Final = 20
"""Seconds after which those who are here may decide what becomes of somebody who is away."""
SILENT_SECONDS: Final = 3600
"""Seconds after which a game may end without the word of those who are here and do nothing."""


class Guest(Protocol):
    """A connected client, as a room sees it. `keys` are the hashes of the tokens that it came with; `words` is whether
    it wants to be told in sentences."""

    seats: tuple[int, ...]
    keys: tuple[str, ...]
    words: bool

    def send(self, packed: bytes) -> None:
        """Send a message, in a moment."""

    def hold(self, packed: bytes) -> None:
        """Send a message together with the next one."""

    def dismiss(self, said: str) -> None:
        """Close the connection, as there is no such table any more."""


class Moment(NamedTuple):
    """A time of day for people, in milliseconds, and the steady clock's seconds, by which is decided: the time of day
    may jump."""

    time: int
    steady: float


class Presence:
    """The clients of one table."""

    def __init__(self) -> None:
        self.guests: set[Guest] = set()
        self.here: frozenset[int] = frozenset()
        """The seats that are present at this node."""
        self.changes = 0
        """Counts how often that, or what is known of other nodes, has changed."""
        self._elsewhere: dict[str, tuple[frozenset[int], float]] = {}
        """The seats that are present at other nodes, and until when that is believed."""
        self._away_since: dict[int, Moment] = {}
        self._began = Moment(now(), time.monotonic())
        self._undone = (0, 0)
        """What was to be decided, and the position, when that was last looked at."""
        self._still_since = 0.0
        """Since when both are the same."""
        self._tokens: tuple[str, ...] = ()
        """What opened each seat when that was last looked at."""

    @classmethod
    def of_all(cls, seats: Sequence[MatchSeat]) -> Self:
        """Everybody is there, at a table that nobody comes to or goes from."""
        presence = cls()
        presence.here = frozenset(range(len(seats)))
        return presence

    def everywhere(self) -> frozenset[int]:
        """The seats that are present at any node."""
        if not self._elsewhere:
            return self.here
        moment = time.monotonic()
        return self.here.union(*(seats for seats, until in self._elsewhere.values() if until > moment))

    def away_since(self, seat: int) -> int:
        """When a seat's last client went, in milliseconds; where nobody came yet, since when that is known."""
        return self._away_since.get(seat, self._began).time

    def since(self, seats: Sequence[MatchSeat]) -> tuple[int, ...]:
        """For each seat since when its player is away; 0 where nobody is missed."""
        here = self.everywhere()
        return tuple(
            0 if number in here or not seat.is_held else self.away_since(number) for number, seat in enumerate(seats)
        )

    def attendance(self, match: Match) -> Attendance:
        """Who is here, and who has been away for so long that the others may decide without them."""
        moment = time.monotonic()
        missed = frozenset(seat for seat, until in self._patience(match) if until <= moment)
        return Attendance(self.everywhere(), missed, still=self._silence(match) <= moment)

    def wait(self, match: Match) -> float | None:
        """Seconds until something may be decided without one more of those who have a say; None if they all are here
        and their word is needed for ever."""
        moment = time.monotonic()
        ends = [until for _, until in self._patience(match)]
        if company.may_end_unanswered(match):
            ends.append(self._silence(match))
        return min((end - moment for end in ends if end > moment), default=None)

    def _patience(self, match: Match) -> list[tuple[int, float]]:
        """The seats whose players are away, and until when the others have to wait for them."""
        return [
            (seat, self._away_since.get(seat, self._began).steady + PATIENCE_SECONDS)
            for seat, since in enumerate(self.since(match.seats))
            if since
        ]

    def _silence(self, match: Match) -> float:
        """Until when those who are here and do nothing have to be waited for, as far as this node has seen it."""
        undone = (match.proposal.number if match.proposal else 0, match.state_number)
        if undone != self._undone:
            self._undone, self._still_since = undone, time.monotonic()
        return self._still_since + SILENT_SECONDS

    def enter(self, guest: Guest) -> None:
        """A client is connected."""
        self.changes += 1
        self.guests.add(guest)
        self.here = self.here.union(guest.seats)
        for seat in guest.seats:
            self._away_since.pop(seat, None)

    def leave(self, guest: Guest, now: int) -> None:
        """A client is gone."""
        self.guests.discard(guest)
        self._count()
        self._note_away((seat for seat in guest.seats if seat not in self.here), now)

    def reseat(self, seats: Sequence[MatchSeat]) -> set[Guest]:
        """Give clients the seats that their tokens open by now, which may be others, or none; whose seats changed."""
        tokens = tuple([seat.token for seat in seats])
        moved = {old: tokens.index(token) for old, token in enumerate(self._tokens) if token and token in tokens}
        if any(old != new for old, new in moved.items()):
            self._renumber(moved)
        self._tokens = tokens
        changed: set[Guest] = set()
        for guest in self.guests:
            held = tuple(number for number, token in enumerate(tokens) if token and token in guest.keys)
            if held != guest.seats:
                guest.seats = held
                changed.add(guest)
        self._count()
        return changed

    def _renumber(self, moved: dict[int, int]) -> None:
        """Seats have other numbers, as one of them is no more."""
        self._away_since = {moved[seat]: at for seat, at in self._away_since.items() if seat in moved}
        for node, (seats, until) in self._elsewhere.items():
            self._elsewhere[node] = (frozenset(moved[seat] for seat in seats if seat in moved), until)

    # Other nodes

    def knows(self, node: str) -> bool:
        """Whether another node has said who is present there."""
        return node in self._elsewhere

    def hear(self, node: str, seats: Iterable[int], now: int) -> bool:
        """Another node says who is present there; whether that changes anything."""
        self.changes += 1
        before = self.everywhere()
        self._elsewhere[node] = (frozenset(seats), time.monotonic() + 3 * BEAT_SECONDS)
        after = self.everywhere()
        self._note_away(before - after, now)
        return before != after

    def lapse(self, now: int) -> tuple[bool, bool]:
        """Forget the nodes that have fallen silent: whether there are any, and whether seats are away by that."""
        self.changes += 1
        moment = time.monotonic()
        silent = [node for node, (_, until) in self._elsewhere.items() if until <= moment]
        gone = {seat for node in silent for seat in self._elsewhere.pop(node)[0]} - self.everywhere()
        self._note_away(gone, now)
        return bool(silent), bool(gone)

    def _count(self) -> None:
        self.changes += 1
        self.here = frozenset(seat for guest in self.guests for seat in guest.seats)

    def _note_away(self, seats: Iterable[int], now: int) -> None:
        for seat in seats:
            self._away_since[seat] = Moment(now, time.monotonic())
